//! Assignments of all forms.

use super::args::{arg_append, arg_concat};
use super::{Ast, Builder, Child, Found, child, from, list, node, sym, to};
use ruby_prism as prism;
use ruby_prism::Node;

/// The node of an assignment to a variable, and its name.
type Variable = (&'static str, Vec<u8>);

impl Builder<'_> {
    pub(super) fn local_kind(&self) -> &'static str {
        if self.is_dynamic() { "DASGN" } else { "LASGN" }
    }
    /// Assignments; None for other nodes.
    pub(super) fn assignment(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        let write = |kind: &'static str, name: &[u8], value: &Node<'_>| {
            Some(node(kind, start, end, vec![sym(name), Child::Node(self.node(value)?)]))
        };
        match found {
            Node::LocalVariableWriteNode { .. } => {
                let asgn = found.as_local_variable_write_node()?;
                write(self.local_kind(), asgn.name().as_slice(), &asgn.value())
            }
            Node::InstanceVariableWriteNode { .. } => {
                let asgn = found.as_instance_variable_write_node()?;
                write("IASGN", asgn.name().as_slice(), &asgn.value())
            }
            Node::ClassVariableWriteNode { .. } => {
                let asgn = found.as_class_variable_write_node()?;
                write("CVASGN", asgn.name().as_slice(), &asgn.value())
            }
            Node::GlobalVariableWriteNode { .. } => {
                let asgn = found.as_global_variable_write_node()?;
                write("GASGN", asgn.name().as_slice(), &asgn.value())
            }
            Node::ConstantWriteNode { .. } => {
                let asgn = found.as_constant_write_node()?;
                write("CDECL", asgn.name().as_slice(), &asgn.value())
            }
            Node::ConstantPathWriteNode { .. } => {
                let asgn = found.as_constant_path_write_node()?;
                let path = self.constant_path(&asgn.target())?;
                let name = sym(asgn.target().name_loc().as_slice());
                Some(node("CDECL", start, end, vec![Child::Node(path), name, Child::Node(self.node(&asgn.value())?)]))
            }
            Node::MultiWriteNode { .. } => self.multiple(&found.as_multi_write_node()?),
            Node::MatchWriteNode { .. } => {
                let asgn = found.as_match_write_node()?;
                let mut made = self.call(&asgn.call())?;
                let mut names = None;
                for target in asgn.targets().iter() {
                    let target = target.as_local_variable_target_node()?;
                    let name = target.name().as_slice();
                    let value = node("LIT", start, end, vec![Child::Lit(super::Lit::Sym(name.to_vec()))]);
                    let kind = self.local_kind();
                    let one = node(kind, start, end, vec![sym(name), Child::Node(value)]);
                    names = Some(match names {
                        Some(before) => super::statements::block_append(before, one),
                        None => node("BLOCK", start, end, vec![Child::Node(one)]),
                    });
                }
                made.children.extend(names.map(Child::Node));
                Some(made)
            }
            _ => self.operator_write(found),
        }
    }
    /// The variable of an operator assignment with its operator and value.
    fn operator_write(&self, found: &Node<'_>) -> Found {
        macro_rules! variable {
            ($($variant:ident $accessor:ident $operator:tt $kind:expr;)*) => {
                match found {
                    $(Node::$variant { .. } => {
                        let asgn = found.$accessor()?;
                        let kind: fn(&Builder<'_>, &_) -> &'static str = $kind;
                        let name = (kind(self, &asgn), asgn.name().as_slice().to_vec());
                        let operator = variable!(@ asgn $operator);
                        return self.variable_operator(found, name, &operator, to(&asgn.name_loc()), &asgn.value());
                    })*
                    _ => {}
                }
            };
            (@ $asgn:ident or) => { b"||".to_vec() };
            (@ $asgn:ident and) => { b"&&".to_vec() };
            (@ $asgn:ident call) => { $asgn.binary_operator().as_slice().to_vec() };
        }
        variable! {
            LocalVariableOrWriteNode as_local_variable_or_write_node or |me, _| me.local_kind();
            LocalVariableAndWriteNode as_local_variable_and_write_node and |me, _| me.local_kind();
            LocalVariableOperatorWriteNode as_local_variable_operator_write_node call |me, _| me.local_kind();
            InstanceVariableOrWriteNode as_instance_variable_or_write_node or |_, _| "IASGN";
            InstanceVariableAndWriteNode as_instance_variable_and_write_node and |_, _| "IASGN";
            InstanceVariableOperatorWriteNode as_instance_variable_operator_write_node call |_, _| "IASGN";
            ClassVariableOrWriteNode as_class_variable_or_write_node or |_, _| "CVASGN";
            ClassVariableAndWriteNode as_class_variable_and_write_node and |_, _| "CVASGN";
            ClassVariableOperatorWriteNode as_class_variable_operator_write_node call |_, _| "CVASGN";
            GlobalVariableOrWriteNode as_global_variable_or_write_node or |_, _| "GASGN";
            GlobalVariableAndWriteNode as_global_variable_and_write_node and |_, _| "GASGN";
            GlobalVariableOperatorWriteNode as_global_variable_operator_write_node call |_, _| "GASGN";
            ConstantOrWriteNode as_constant_or_write_node or |_, _| "CDECL";
            ConstantAndWriteNode as_constant_and_write_node and |_, _| "CDECL";
            ConstantOperatorWriteNode as_constant_operator_write_node call |_, _| "CDECL";
        }
        self.operator_on_path(found).or_else(|| self.operator_on_call(found))
    }
    fn variable_operator(
        &self,
        whole: &Node<'_>,
        (kind, name): Variable,
        operator: &[u8],
        name_end: usize,
        value: &Node<'_>,
    ) -> Found {
        let (start, end) = (from(&whole.location()), to(&whole.location()));
        let read = match kind {
            "LASGN" => "LVAR",
            "DASGN" => "DVAR",
            "IASGN" => "IVAR",
            "CVASGN" => "CVAR",
            "GASGN" => "GVAR",
            _ => "CONST",
        };
        let read = node(read, start, name_end, vec![sym(&name)]);
        let value = self.node(value)?;
        if operator == b"||" || operator == b"&&" {
            let asgn = node(kind, start, end, vec![sym(&name), Child::Node(value)]);
            let whole = if operator == b"||" { "OP_ASGN_OR" } else { "OP_ASGN_AND" };
            return Some(node(whole, start, end, vec![Child::Node(read), sym(operator), Child::Node(asgn)]));
        }
        let call = node("CALL", start, end, vec![Child::Node(read), sym(operator), Child::Node(list(vec![value]))]);
        Some(node(kind, start, end, vec![sym(&name), Child::Node(call)]))
    }
    fn operator_on_path(&self, found: &Node<'_>) -> Found {
        let (target, operator, value) = match found {
            Node::ConstantPathOrWriteNode { .. } => {
                let asgn = found.as_constant_path_or_write_node()?;
                (asgn.target(), b"||".to_vec(), asgn.value())
            }
            Node::ConstantPathAndWriteNode { .. } => {
                let asgn = found.as_constant_path_and_write_node()?;
                (asgn.target(), b"&&".to_vec(), asgn.value())
            }
            Node::ConstantPathOperatorWriteNode { .. } => {
                let asgn = found.as_constant_path_operator_write_node()?;
                (asgn.target(), asgn.binary_operator().as_slice().to_vec(), asgn.value())
            }
            _ => return None,
        };
        let (start, end) = (from(&found.location()), to(&found.location()));
        let children = vec![Child::Node(self.constant_path(&target)?), sym(&operator), Child::Node(self.node(&value)?)];
        Some(node("OP_CDECL", start, end, children))
    }
    fn operator_on_call(&self, found: &Node<'_>) -> Found {
        macro_rules! take {
            ($asgn:expr, $operator:expr) => {{
                let asgn = $asgn;
                let operator: Vec<u8> = $operator(&asgn);
                let name = asgn.read_name().as_slice().to_vec();
                self.attribute_operator(
                    found,
                    asgn.receiver(),
                    asgn.is_safe_navigation(),
                    &name,
                    &operator,
                    &asgn.value(),
                )
            }};
        }
        macro_rules! index {
            ($asgn:expr, $operator:expr) => {{
                let asgn = $asgn;
                let operator: Vec<u8> = $operator(&asgn);
                let inside = (to(&asgn.opening_loc()), from(&asgn.closing_loc()));
                self.index_operator(found, asgn.receiver(), asgn.arguments(), inside, &operator, &asgn.value())
            }};
        }
        match found {
            Node::CallOrWriteNode { .. } => take!(found.as_call_or_write_node()?, |_: &_| b"||".to_vec()),
            Node::CallAndWriteNode { .. } => take!(found.as_call_and_write_node()?, |_: &_| b"&&".to_vec()),
            Node::CallOperatorWriteNode { .. } => {
                take!(found.as_call_operator_write_node()?, |asgn: &prism::CallOperatorWriteNode<'_>| asgn
                    .binary_operator()
                    .as_slice()
                    .to_vec())
            }
            Node::IndexOrWriteNode { .. } => index!(found.as_index_or_write_node()?, |_: &_| b"||".to_vec()),
            Node::IndexAndWriteNode { .. } => index!(found.as_index_and_write_node()?, |_: &_| b"&&".to_vec()),
            Node::IndexOperatorWriteNode { .. } => {
                index!(found.as_index_operator_write_node()?, |asgn: &prism::IndexOperatorWriteNode<'_>| asgn
                    .binary_operator()
                    .as_slice()
                    .to_vec())
            }
            _ => None,
        }
    }
    fn attribute_operator(
        &self,
        whole: &Node<'_>,
        receiver: Option<Node<'_>>,
        is_safe: bool,
        name: &[u8],
        operator: &[u8],
        value: &Node<'_>,
    ) -> Found {
        let (start, end) = (from(&whole.location()), to(&whole.location()));
        let receiver = self.node(&receiver?)?;
        let safe = if is_safe { Child::True } else { Child::False };
        let children = vec![Child::Node(receiver), safe, sym(name), sym(operator), Child::Node(self.node(value)?)];
        Some(node("OP_ASGN2", start, end, children))
    }
    fn index_operator(
        &self,
        whole: &Node<'_>,
        receiver: Option<Node<'_>>,
        arguments: Option<prism::ArgumentsNode<'_>>,
        (inside, closing): (usize, usize),
        operator: &[u8],
        value: &Node<'_>,
    ) -> Found {
        let (start, end) = (from(&whole.location()), to(&whole.location()));
        let receiver = self.node(&receiver?)?;
        let args = match self.arguments(arguments.as_ref(), None)? {
            Some(args) => {
                // a comma at the end belongs to the list
                let mut last = args.to;
                let rest = self.source.get(last..closing).unwrap_or_default();
                if let Some(comma) = rest.iter().position(|byte| *byte == b',') {
                    last += comma + 1;
                }
                let begin = args.from;
                args.at(begin, last)
            }
            None => node("ZLIST", inside, inside, Vec::new()),
        };
        let joined = arg_concat(args, self.node(value)?, start, end);
        let mut parts = joined.children.into_iter();
        let children = vec![
            Child::Node(receiver),
            sym(operator),
            parts.next().unwrap_or(Child::Nil),
            parts.next().unwrap_or(Child::Nil),
        ];
        Some(node("OP_ASGN1", start, end, children))
    }
    /// An assignment to any target.
    pub(super) fn assign_to(&self, target: &Node<'_>, value: Option<Ast>, start: usize, end: usize) -> Found {
        let has_value = value.is_some();
        let place = |made: Ast| if has_value { made.at(start, end) } else { made };
        let whole = target.location();
        let (own, own_end) = (from(&whole), to(&whole));
        let simple = |kind: &'static str, name: &[u8]| node(kind, own, own_end, vec![sym(name), child(value.clone())]);
        Some(place(match target {
            Node::LocalVariableTargetNode { .. } => {
                let target = target.as_local_variable_target_node()?;
                simple(self.local_kind(), target.name().as_slice())
            }
            Node::InstanceVariableTargetNode { .. } => simple("IASGN", whole.as_slice()),
            Node::ClassVariableTargetNode { .. } => simple("CVASGN", whole.as_slice()),
            Node::GlobalVariableTargetNode { .. } => simple("GASGN", whole.as_slice()),
            Node::ConstantTargetNode { .. } => simple("CDECL", whole.as_slice()),
            Node::ConstantPathTargetNode { .. } => {
                let target = target.as_constant_path_target_node()?;
                let name = sym(target.name_loc().as_slice());
                let path = match target.parent() {
                    Some(parent) => node("COLON2", own, own_end, vec![Child::Node(self.node(&parent)?), name.clone()]),
                    None => node("COLON3", own, own_end, vec![name.clone()]),
                };
                node("CDECL", own, own_end, vec![Child::Node(path), name, child(value)])
            }
            Node::CallTargetNode { .. } => {
                let target = target.as_call_target_node()?;
                let mut name = target.name().as_slice().to_vec();
                if target.is_safe_navigation() {
                    name.pop();
                }
                let args = value.map(|value| list(vec![value]));
                node(
                    "ATTRASGN",
                    own,
                    own_end,
                    vec![Child::Node(self.node(&target.receiver())?), sym(&name), child(args)],
                )
            }
            Node::IndexTargetNode { .. } => {
                let target = target.as_index_target_node()?;
                let arguments = target.arguments();
                let mut args = self.arguments(arguments.as_ref(), None)?;
                if let Some(value) = value {
                    args = Some(match args {
                        Some(args) => arg_append(args, value, start, end),
                        None => list(vec![value]),
                    });
                }
                node(
                    "ATTRASGN",
                    own,
                    own_end,
                    vec![Child::Node(self.node(&target.receiver())?), sym(b"[]="), child(args)],
                )
            }
            Node::MultiTargetNode { .. } => {
                let target = target.as_multi_target_node()?;
                let lefts: Vec<Node<'_>> = target.lefts().iter().collect();
                let rights: Vec<Node<'_>> = target.rights().iter().collect();
                self.targets(&lefts, target.rest(), &rights, value)?
            }
            _ => return None,
        }))
    }
    /// The targets of a multiple assignment. Its place is that of all of them.
    pub(super) fn targets(
        &self,
        lefts: &[Node<'_>],
        rest: Option<Node<'_>>,
        rights: &[Node<'_>],
        value: Option<Ast>,
    ) -> Found {
        let mut locations: Vec<prism::Location<'_>> = lefts.iter().map(Node::location).collect();
        let excess = rest.as_ref().is_some_and(|rest| rest.as_implicit_rest_node().is_some());
        locations.extend(rest.as_ref().map(Node::location));
        locations.extend(rights.iter().map(Node::location));
        let start = locations.iter().map(from).min()?;
        let end = locations.iter().map(to).max()?;
        let make = |all: &[Node<'_>]| -> Option<Option<Ast>> {
            if all.is_empty() {
                return Some(None);
            }
            let made: Vec<Ast> = all.iter().map(|target| self.assign_to(target, None, 0, 0)).collect::<Option<_>>()?;
            let begin = from(&all.first()?.location());
            let mut list = list(made);
            list.from = begin;
            if let [only] = all {
                list.to = to(&only.location());
            }
            Some(Some(list))
        };
        let head = make(lefts)?;
        let post = make(rights)?;
        let star = match rest {
            Some(rest) if !excess => match rest.as_splat_node()?.expression() {
                Some(target) => Some(Child::Node(self.assign_to(&target, None, 0, 0)?)),
                None => Some(Child::Sym(b"NODE_SPECIAL_NO_NAME_REST".to_vec())),
            },
            _ => None,
        };
        let star = match (star, post) {
            (star, Some(post)) => {
                let star = star.unwrap_or(Child::Nil);
                Child::Node(node("POSTARG", start, end, vec![star, Child::Node(post)]))
            }
            (Some(star), None) => star,
            (None, None) => Child::Nil,
        };
        Some(node("MASGN", start, end, vec![child(value), child(head), star]))
    }
    fn multiple(&self, asgn: &prism::MultiWriteNode<'_>) -> Found {
        let lefts: Vec<Node<'_>> = asgn.lefts().iter().collect();
        let rights: Vec<Node<'_>> = asgn.rights().iter().collect();
        let value = self.node(&asgn.value())?;
        let made = self.targets(&lefts, asgn.rest(), &rights, Some(value))?;
        Some(made.at(from(&asgn.location()), to(&asgn.location())))
    }
}
