//! Calls, operators and blocks.

use super::{Ast, Builder, Child, Found, ScopeKind, child, from, list, node, sym, to};
use ruby_prism as prism;
use ruby_prism::Node;

impl Builder<'_> {
    pub(super) fn call(&self, call: &prism::CallNode<'_>) -> Found {
        let block = call.block();
        let made = self.plain_call(call, block.as_ref())?;
        match block.as_ref().and_then(Node::as_block_node) {
            Some(block) => self.iteration(made, &block),
            None => Some(made),
        }
    }
    /// A call with a literal block.
    pub(super) fn iteration(&self, call: Ast, block: &prism::BlockNode<'_>) -> Found {
        let whole = block.location();
        let (from_call, end) = (call.from, to(&whole));
        let closing = (from(&block.closing_loc()), to(&block.closing_loc()));
        let scope = self.block_scope(
            block.parameters().as_ref(),
            &block.locals(),
            block.body().as_ref(),
            to(&block.opening_loc()),
            closing,
        )?;
        let scope = node("SCOPE", from(&whole), end, scope);
        Some(node("ITER", from_call, end, vec![Child::Node(call), Child::Node(scope)]))
    }
    /// The children of a block's scope.
    pub(super) fn block_scope(
        &self,
        parameters: Option<&Node<'_>>,
        locals: &prism::ConstantList<'_>,
        body: Option<&Node<'_>>,
        opening: usize,
        closing: (usize, usize),
    ) -> Option<Vec<Child>> {
        self.scopes.borrow_mut().push(ScopeKind::Block);
        let made = self.block_parts(parameters, locals, body, opening, closing);
        self.scopes.borrow_mut().pop();
        made
    }
    fn block_parts(
        &self,
        parameters: Option<&Node<'_>>,
        locals: &prism::ConstantList<'_>,
        body: Option<&Node<'_>>,
        opening: usize,
        closing: (usize, usize),
    ) -> Option<Vec<Child>> {
        let (args, own, at) = match parameters {
            Some(Node::BlockParametersNode { .. }) => {
                let found = parameters?.as_block_parameters_node()?;
                let at = found.closing_loc().map_or(opening, |closing| to(&closing).max(opening));
                match found.parameters() {
                    Some(parameters) => {
                        let (args, own) = self.parameters(&parameters)?;
                        (Some(args), own, at)
                    }
                    None => (None, Vec::new(), at),
                }
            }
            Some(Node::NumberedParametersNode { .. }) => {
                let count = parameters?.as_numbered_parameters_node()?.maximum();
                let own = (1..=count).map(|number| Some(format!("_{number}").into_bytes())).collect();
                (Some(self.no_args(closing.0, closing.1, i64::from(count))), own, opening)
            }
            _ => (None, Vec::new(), opening),
        };
        let body = self.body(body, at, false)?;
        let names = self.scope_names(own, locals);
        Some(vec![Child::Names(names), child(args), Child::Node(body)])
    }
    /// The locals of a scope: those of parameters first, in MRI's order.
    pub(super) fn scope_names(
        &self,
        mut own: Vec<Option<Vec<u8>>>,
        locals: &prism::ConstantList<'_>,
    ) -> Vec<Option<Vec<u8>>> {
        for name in locals.iter() {
            let name = Some(name.as_slice().to_vec());
            if !own.contains(&name) {
                own.push(name);
            }
        }
        own
    }
    fn plain_call(&self, call: &prism::CallNode<'_>, block: Option<&Node<'_>>) -> Found {
        let whole = call.location();
        let start = from(&whole);
        let name = call.name().as_slice();
        let arguments = call.arguments();
        let passed = block.filter(|block| block.as_block_argument_node().is_some());
        let mut end = call.message_loc().map_or(start, |loc| to(&loc));
        for loc in
            [arguments.as_ref().map(prism::ArgumentsNode::location), passed.map(Node::location), call.closing_loc()]
        {
            end = end.max(loc.map_or(0, |loc| to(&loc)));
        }
        if block.is_none_or(|block| block.as_block_node().is_none()) {
            end = end.max(to(&whole));
        }
        let Some(receiver) = call.receiver() else {
            if call.is_variable_call() {
                return Some(node("VCALL", start, end, vec![sym(name)]));
            }
            let args = self.arguments(arguments.as_ref(), passed)?;
            return Some(node("FCALL", start, end, vec![sym(name), child(args)]));
        };
        let operator = call.call_operator_loc();
        let is_safe = call.is_safe_navigation();
        if call.equal_loc().is_some() && call.is_attribute_write() {
            return self.attribute_write(call, &receiver, is_safe);
        }
        if operator.is_none() && call.opening_loc().is_none_or(|loc| loc.as_slice() != b"[") {
            return self.operator(call, &receiver, name, arguments.as_ref(), start, end);
        }
        let receiver = self.node(&receiver)?;
        let start = receiver.from.min(start);
        let args = self.arguments(arguments.as_ref(), passed)?;
        if receiver.kind == "SELF" && operator.is_none() {
            // an index of self
            return Some(node("FCALL", start, end, vec![sym(name), child(args)]));
        }
        let kind = if is_safe { "QCALL" } else { "CALL" };
        Some(node(kind, start, end, vec![Child::Node(receiver), sym(name), child(args)]))
    }
    /// `x.y = v` and `x[i] = v`.
    fn attribute_write(&self, call: &prism::CallNode<'_>, receiver: &Node<'_>, is_safe: bool) -> Found {
        let whole = call.location();
        let mut name = call.name().as_slice();
        if is_safe {
            name = name.strip_suffix(b"=").unwrap_or(name);
        }
        let values: Vec<Node<'_>> = call.arguments().map(|all| all.arguments().iter().collect()).unwrap_or_default();
        let (value, before) = values.split_last()?;
        let mut args = self.values(before)?;
        if let Some(block) = call.block().as_ref().and_then(Node::as_block_argument_node) {
            let (start, end) = (args.as_ref().map_or(from(&block.location()), |args| args.from), to(&block.location()));
            let value = self.node(&block.expression()?)?;
            args = Some(node("BLOCK_PASS", start, end, vec![child(args), Child::Node(value)]));
        }
        let value = self.node(value)?;
        let (start, end) = (from(&whole), to(&whole));
        let args = match args {
            Some(args) => super::args::arg_append(args, value, start, end),
            None => list(vec![value]),
        };
        Some(node("ATTRASGN", start, end, vec![Child::Node(self.node(receiver)?), sym(name), Child::Node(args)]))
    }
    fn operator(
        &self,
        call: &prism::CallNode<'_>,
        receiver: &Node<'_>,
        name: &[u8],
        arguments: Option<&prism::ArgumentsNode<'_>>,
        start: usize,
        end: usize,
    ) -> Found {
        if name == b"!" {
            let message = call.message_loc()?;
            let parens = receiver.as_parentheses_node().filter(|parens| parens.body().is_none());
            let value = match parens {
                Some(parens) if message.as_slice() == b"not" => {
                    let at = from(&parens.location());
                    node("NIL", at, at + 1, Vec::new())
                }
                _ => self.condition(receiver)?,
            };
            return Some(node("OPCALL", start, end, vec![Child::Node(value), sym(name), Child::Nil]));
        }
        let left = self.node(receiver)?;
        let Some(right) = arguments.and_then(|all| all.arguments().first()) else {
            return Some(node("OPCALL", start, end, vec![Child::Node(left), sym(name), Child::Nil]));
        };
        let right = self.node(&right)?;
        if name == b"=~" {
            let is_regexp = |side: &Ast| {
                side.kind == "DREGX" || matches!(side.children.first(), Some(Child::Lit(super::Lit::Regexp(..))))
            };
            if is_regexp(&left) {
                return Some(node("MATCH2", start, end, vec![Child::Node(left), Child::Node(right)]));
            }
            if is_regexp(&right) {
                return Some(node("MATCH3", start, end, vec![Child::Node(right), Child::Node(left)]));
            }
        }
        let kind = if name == b"=~" { "CALL" } else { "OPCALL" };
        Some(node(kind, start, end, vec![Child::Node(left), sym(name), Child::Node(list(vec![right]))]))
    }
    pub(super) fn forwarding_super(&self, found: &prism::ForwardingSuperNode<'_>) -> Found {
        let keyword = found.keyword_loc();
        let made = node("ZSUPER", from(&keyword), to(&keyword), Vec::new());
        match found.block() {
            Some(block) => self.iteration(made, &block),
            None => Some(made),
        }
    }
    pub(super) fn super_call(&self, found: &prism::SuperNode<'_>) -> Found {
        let block = found.block();
        let passed = block.as_ref().filter(|block| block.as_block_argument_node().is_some());
        let arguments = found.arguments();
        let args = self.arguments(arguments.as_ref(), passed)?;
        let start = from(&found.location());
        let mut end = to(&found.keyword_loc());
        for loc in
            [arguments.as_ref().map(prism::ArgumentsNode::location), passed.map(Node::location), found.rparen_loc()]
        {
            end = end.max(loc.map_or(0, |loc| to(&loc)));
        }
        let made = node("SUPER", start, end, vec![child(args)]);
        match block.as_ref().and_then(Node::as_block_node) {
            Some(block) => self.iteration(made, &block),
            None => Some(made),
        }
    }
}
