//! Methods with their parameters, lambdas, classes and modules.

use super::statements::{settle, without_begin};
use super::{Ast, Builder, Child, Found, Lit, ScopeKind, child, from, list, node, sym, to};
use ruby_prism as prism;
use ruby_prism::Node;

type Names = Vec<Option<Vec<u8>>>;

impl Builder<'_> {
    /// `ARGS` without parameters but `required` plain ones.
    pub(super) fn no_args(&self, from: usize, to: usize, required: i64) -> Ast {
        let mut children = vec![Child::Int(required), Child::Nil, Child::Nil, Child::Nil, Child::Int(0)];
        children.extend(std::iter::repeat_n(Child::Nil, 5));
        node("ARGS", from, to, children)
    }
    /// Parameters, and the names of their variables.
    pub(super) fn parameters(&self, found: &prism::ParametersNode<'_>) -> Option<(Ast, Names)> {
        let whole = found.location();
        let mut args = self.no_args(from(&whole), to(&whole), found.requireds().iter().count() as i64);
        let (mut names, mut later) = (Names::new(), Names::new());
        let required: Vec<Node<'_>> = found.requireds().iter().collect();
        let init = self.required(&required, &mut names, &mut later)?;
        set(&mut args, 1, child(init));
        set(&mut args, 2, self.optionals(&found.optionals(), &mut names)?);
        match found.rest() {
            Some(Node::ImplicitRestNode { .. }) => set(&mut args, 6, sym(b"NODE_SPECIAL_EXCESSIVE_COMMA")),
            Some(rest) => {
                let name = rest.as_rest_parameter_node()?.name().map(|name| name.as_slice().to_vec());
                set(&mut args, 6, name.clone().map_or(Child::Nil, Child::Sym));
                names.push(name);
            }
            None => {}
        }
        let posts: Vec<Node<'_>> = found.posts().iter().collect();
        if let Some(first) = posts.first() {
            let name = first.as_required_parameter_node().map(|first| first.name().as_slice().to_vec());
            set(&mut args, 3, name.map_or(Child::Nil, Child::Sym));
            set(&mut args, 4, Child::Int(posts.len() as i64));
            let init = self.required(&posts, &mut names, &mut later)?;
            set(&mut args, 5, child(init));
        }
        self.keywords(found, &mut args, &mut names)?;
        if let Some(block) = found.block() {
            let block = block.as_block_parameter_node()?;
            match block.name() {
                Some(name) => {
                    set(&mut args, 9, sym(name.as_slice()));
                    names.push(Some(name.as_slice().to_vec()));
                }
                None => names.push(Some(b"&".to_vec())),
            }
        }
        names.extend(later);
        Some((args, names))
    }
    /// Required parameters; those in parentheses are assigned from a hidden variable.
    fn required(&self, list_of: &[Node<'_>], names: &mut Names, later: &mut Names) -> Option<Option<Ast>> {
        let mut init: Option<Ast> = None;
        for parameter in list_of {
            if let Some(plain) = parameter.as_required_parameter_node() {
                names.push(Some(plain.name().as_slice().to_vec()));
                continue;
            }
            names.push(None);
            let target = parameter.as_multi_target_node()?;
            let made = self.destructured(&target, later)?;
            let read = if self.is_dynamic() { "DVAR" } else { "LVAR" };
            let value = node(read, made.from, made.from, vec![Child::Nil]);
            let mut made = made;
            set(&mut made, 0, Child::Node(value));
            init = Some(match init {
                Some(before) => super::statements::block_append(before, made),
                None => made,
            });
        }
        Some(init)
    }
    fn destructured(&self, target: &prism::MultiTargetNode<'_>, later: &mut Names) -> Found {
        let lefts: Vec<Node<'_>> = target.lefts().iter().collect();
        let rights: Vec<Node<'_>> = target.rights().iter().collect();
        let kind = self.local_kind();
        let mut one = |item: &Node<'_>| -> Found {
            if let Some(inner) = item.as_multi_target_node() {
                return self.destructured(&inner, later);
            }
            let name = item.as_required_parameter_node()?.name().as_slice().to_vec();
            if !later.contains(&Some(name.clone())) {
                later.push(Some(name.clone()));
            }
            let loc = item.location();
            Some(node(kind, from(&loc), to(&loc), vec![Child::Sym(name), Child::Nil]))
        };
        let mut locations: Vec<prism::Location<'_>> = lefts.iter().map(Node::location).collect();
        locations.extend(target.rest().map(|rest| rest.location()));
        locations.extend(rights.iter().map(Node::location));
        let (start, end) = (locations.iter().map(from).min()?, locations.iter().map(to).max()?);
        let head: Vec<Ast> = lefts.iter().map(&mut one).collect::<Option<_>>()?;
        let mut rest = Child::Nil;
        if let Some(splat) = target.rest().as_ref().and_then(Node::as_splat_node) {
            rest = match splat.expression() {
                Some(inner) => Child::Node(one(&inner)?),
                None => sym(b"NODE_SPECIAL_NO_NAME_REST"),
            };
        }
        let post: Vec<Ast> = rights.iter().map(&mut one).collect::<Option<_>>()?;
        if !post.is_empty() {
            rest = Child::Node(node("POSTARG", start, end, vec![rest, Child::Node(list(post))]));
        }
        let head = if head.is_empty() {
            Child::Nil
        } else {
            let begin = lefts.first().map_or(start, |first| from(&first.location()));
            let mut head = list(head);
            head.from = begin;
            if let [only] = lefts.as_slice() {
                head.to = to(&only.location());
            }
            Child::Node(head)
        };
        Some(node("MASGN", start, end, vec![Child::Nil, head, rest]))
    }
    fn optionals(&self, optionals: &prism::NodeList<'_>, names: &mut Names) -> Option<Child> {
        let kind = self.local_kind();
        let all: Vec<Node<'_>> = optionals.iter().collect();
        let end = all.last().map_or(0, |last| to(&last.location()));
        let mut made = Vec::new();
        for parameter in &all {
            let parameter = parameter.as_optional_parameter_node()?;
            let loc = parameter.location();
            let name = parameter.name().as_slice();
            names.push(Some(name.to_vec()));
            let children = vec![sym(name), Child::Node(self.node(&parameter.value())?)];
            made.push(node(kind, from(&loc), to(&loc), children));
        }
        Some(
            made.into_iter().rev().fold(Child::Nil, |next, asgn| {
                Child::Node(node("OPT_ARG", asgn.from, end, vec![Child::Node(asgn), next]))
            }),
        )
    }
    fn keywords(&self, found: &prism::ParametersNode<'_>, args: &mut Ast, names: &mut Names) -> Option<()> {
        let kind = self.local_kind();
        let all: Vec<Node<'_>> = found.keywords().iter().collect();
        let (mut made, mut optional) = (Vec::new(), Names::new());
        for keyword in &all {
            let loc = keyword.location();
            let (name, value) = match keyword.as_optional_keyword_parameter_node() {
                Some(keyword) => {
                    let name = keyword.name().as_slice().to_vec();
                    optional.push(Some(name.clone()));
                    (name, Child::Node(self.node(&keyword.value())?))
                }
                None => {
                    let name = keyword.as_required_keyword_parameter_node()?.name().as_slice().to_vec();
                    names.push(Some(name.clone()));
                    (name, sym(b"NODE_SPECIAL_REQUIRED_KEYWORD"))
                }
            };
            made.push(node(kind, from(&loc), to(&loc), vec![Child::Sym(name), value]));
        }
        names.extend(optional);
        let end = made.last().map_or(0, |last| last.to);
        let start = made.first().map_or(0, |first| first.from);
        let any = !made.is_empty();
        let chain = made
            .into_iter()
            .rev()
            .fold(Child::Nil, |next, asgn| Child::Node(node("KW_ARG", asgn.from, end, vec![Child::Node(asgn), next])));
        set(args, 7, chain);
        let mut rest = None;
        match found.keyword_rest() {
            Some(Node::ForwardingParameterNode { .. }) => {
                set(args, 6, sym(b"*"));
                set(args, 9, sym(b"&"));
                names.extend([Some(b"*".to_vec()), Some(b"&".to_vec())]);
                return Some(());
            }
            Some(Node::NoKeywordsParameterNode { .. }) => {
                set(args, 7, Child::False);
                set(args, 8, Child::False);
                return Some(());
            }
            Some(other) => {
                let other = other.as_keyword_rest_parameter_node()?;
                let loc = other.location();
                rest = Some((other.name().map(|name| name.as_slice().to_vec()), from(&loc), to(&loc)));
            }
            None => {}
        }
        if any {
            names.push(None);
        }
        if let Some((name, start, end)) = rest {
            names.push(name.clone());
            set(args, 8, Child::Node(node("DVAR", start, end, vec![name.map_or(Child::Nil, Child::Sym)])));
        } else if any {
            set(args, 8, Child::Node(node("DVAR", start, end, vec![Child::Nil])));
        }
        Some(())
    }
    pub(super) fn lambda(&self, found: &prism::LambdaNode<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        let begin = to(&found.operator_loc());
        let opening = to(&found.opening_loc());
        let closing = (from(&found.closing_loc()), end);
        let parameters = found.parameters();
        let mut scope =
            self.block_scope(parameters.as_ref(), &found.locals(), found.body().as_ref(), opening, closing)?;
        if scope.get(1) == Some(&Child::Nil) {
            let paren = parameters.as_ref().and_then(Node::as_block_parameters_node).and_then(|all| all.opening_loc());
            let (at, at_end) = paren.map_or((begin, begin), |paren| (from(&paren), to(&paren)));
            if let Some(args) = scope.get_mut(1) {
                *args = Child::Node(self.no_args(at, at_end, 0));
            }
        }
        // the body of a lambda begins after its brace, whatever its parameters are
        let begin = match parameters.as_ref() {
            Some(Node::BlockParametersNode { .. }) => parameters.as_ref().map_or(begin, |all| from(&all.location())),
            _ => begin,
        };
        let scope = node("SCOPE", begin, end, scope);
        Some(node("LAMBDA", start, end, vec![Child::Node(scope)]))
    }
    pub(super) fn def(&self, found: &prism::DefNode<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        let receiver = match found.receiver() {
            Some(receiver) => Some(match receiver.as_parentheses_node().and_then(|parens| parens.body()) {
                Some(inner) => self.node(&inner)?,
                None => self.node(&receiver)?,
            }),
            None => None,
        };
        self.scopes.borrow_mut().push(ScopeKind::Plain);
        let scope = self.def_scope(found, start, end);
        self.scopes.borrow_mut().pop();
        let name = sym(found.name().as_slice());
        let scope = Child::Node(scope?);
        Some(match receiver {
            Some(receiver) => node("DEFS", start, end, vec![Child::Node(receiver), name, scope]),
            None => node("DEFN", start, end, vec![name, scope]),
        })
    }
    fn def_scope(&self, found: &prism::DefNode<'_>, start: usize, end: usize) -> Found {
        let name_end = to(&found.name_loc());
        let (args, own) = match found.parameters() {
            Some(parameters) => self.parameters(&parameters)?,
            None => {
                let paren = found.lparen_loc();
                let (at, at_end) = paren.map_or((name_end, name_end), |paren| (from(&paren), to(&paren)));
                (self.no_args(at, at_end, 0), Vec::new())
            }
        };
        let body = match (found.body(), found.equal_loc()) {
            (Some(body), Some(_)) => Some(self.node(&match body.as_statements_node() {
                Some(all) => all.body().first()?,
                None => body,
            })?),
            (None, Some(_)) => None,
            (body, None) => {
                let at = match (found.rparen_loc(), found.parameters()) {
                    (Some(paren), _) => to(&paren),
                    (None, Some(parameters)) => self.after_then(to(&parameters.location()), None),
                    (None, None) => self.after_then(name_end, None),
                };
                Some(self.body(body.as_ref(), at, false)?)
            }
        };
        let mut body = child(body.map(without_begin));
        settle(&mut body);
        let names = self.scope_names(own, &found.locals());
        Some(node("SCOPE", start, end, vec![Child::Names(names), Child::Node(args), body]))
    }
    fn module_scope(
        &self,
        locals: &prism::ConstantList<'_>,
        body: Option<&Node<'_>>,
        at: usize,
        lines: bool,
        (start, end): (usize, usize),
    ) -> Found {
        self.scopes.borrow_mut().push(ScopeKind::Plain);
        let body = self.body(body, at, lines);
        self.scopes.borrow_mut().pop();
        let names = self.scope_names(Vec::new(), locals);
        Some(node("SCOPE", start, end, vec![Child::Names(names), Child::Nil, Child::Node(body?)]))
    }
    /// The name of a class or module that is opened.
    fn opened(&self, path: &Node<'_>) -> Found {
        match path.as_constant_read_node() {
            Some(read) => {
                let loc = read.location();
                Some(node("COLON2", from(&loc), to(&loc), vec![Child::Nil, sym(loc.as_slice())]))
            }
            None => self.node(path),
        }
    }
    /// Definitions; None for other nodes.
    pub(super) fn definition(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        match found {
            Node::ClassNode { .. } => {
                let class = found.as_class_node()?;
                let path = class.constant_path();
                let superclass = class.superclass();
                let (at, lines) = match &superclass {
                    Some(superclass) => (self.after_then(to(&superclass.location()), None), false),
                    None => (to(&path.location()), true),
                };
                let body = self.module_scope(&class.locals(), class.body().as_ref(), at, lines, (start, end))?;
                let superclass = self.optional(superclass.as_ref())?;
                Some(node("CLASS", start, end, vec![Child::Node(self.opened(&path)?), superclass, Child::Node(body)]))
            }
            Node::ModuleNode { .. } => {
                let module = found.as_module_node()?;
                let path = module.constant_path();
                let at = to(&path.location());
                let body = self.module_scope(&module.locals(), module.body().as_ref(), at, true, (start, end))?;
                Some(node("MODULE", start, end, vec![Child::Node(self.opened(&path)?), Child::Node(body)]))
            }
            Node::SingletonClassNode { .. } => {
                let class = found.as_singleton_class_node()?;
                let of = class.expression();
                let at = self.after_then(to(&of.location()), None);
                let body = self.module_scope(&class.locals(), class.body().as_ref(), at, false, (start, end))?;
                Some(node("SCLASS", start, end, vec![Child::Node(self.node(&of)?), Child::Node(body)]))
            }
            Node::AliasMethodNode { .. } => {
                let alias = found.as_alias_method_node()?;
                let names =
                    vec![Child::Node(self.node(&alias.new_name())?), Child::Node(self.node(&alias.old_name())?)];
                Some(node("ALIAS", start, end, names))
            }
            Node::AliasGlobalVariableNode { .. } => {
                let alias = found.as_alias_global_variable_node()?;
                let name = |found: Node<'_>| sym(found.location().as_slice());
                Some(node("VALIAS", start, end, vec![name(alias.new_name()), name(alias.old_name())]))
            }
            Node::UndefNode { .. } => {
                let mut made: Option<Ast> = None;
                for name in found.as_undef_node()?.names().iter() {
                    let name = self.node(&name)?;
                    let one = node("UNDEF", name.from, name.to, vec![Child::Node(name)]);
                    made = Some(match made {
                        Some(before) => super::statements::block_append(before, one),
                        None => one,
                    });
                }
                made
            }
            Node::PostExecutionNode { .. } => {
                let block = found.as_post_execution_node()?;
                let body = self.body_of(block.statements().as_ref(), to(&block.opening_loc()), false)?;
                let scope = vec![Child::Names(Vec::new()), Child::Nil, Child::Node(body)];
                Some(node("POSTEXE", start, end, vec![Child::Node(node("SCOPE", start, end, scope))]))
            }
            Node::SourceEncodingNode { .. } => Some(node("LIT", start, end, vec![Child::Lit(Lit::Encoding)])),
            _ => None,
        }
    }
}
fn set(args: &mut Ast, at: usize, value: Child) {
    if let Some(slot) = args.children.get_mut(at) {
        *slot = value;
    }
}
