//! Control flow: conditions, loops, jumps, exceptions, `defined?`.

use super::branches::{Two, body_place, clause_place, else_place, end_of_condition};
use super::call::binary;
use super::params::Forwarded;
use super::scope::{Scope, ScopeKind};
use super::{Lowering, span, symbol_of};
use crate::Symbol;
use crate::symbol::sym;
use crate::tree::{
    Begin, Branch, Case, CodeKind, Defined, For, If, InlineCache, Literals, Node, Rescue, Target, When, While,
};
use ruby_prism as prism;

impl Lowering {
    pub(super) fn if_node(&mut self, node: &prism::IfNode<'_>) -> Node {
        self.conditional(&node.as_node(), |lowering| lowering.bare_if(node))
    }

    fn bare_if(&mut self, node: &prism::IfNode<'_>) -> Node {
        let cond = self.node(&node.predicate());
        // what is on both sides of `?:` are no statements, nor is what stands before `if`
        let bare = node.if_keyword_loc().is_none_or(|keyword| keyword.start() != node.location().start());
        let mut then = self.optional_statements(node.statements());
        if bare {
            then = self.unmarked(then);
        }
        let mut otherwise = match node.subsequent() {
            Some(subsequent) => match subsequent.as_else_node() {
                Some(inner) => self.optional_statements(inner.statements()),
                None => self.node(&subsequent),
            },
            None => Node::Nil,
        };
        if bare {
            otherwise = self.unmarked(otherwise);
        }
        if self.branches.is_some() {
            let location = node.location();
            let nested = node.if_keyword_loc().is_some_and(|keyword| keyword.as_slice() == b"elsif");
            let chain_end = self.end_of_chain(node);
            let end = if nested { chain_end } else { location.end() };
            let rest = node.subsequent().map(|next| match next.as_else_node() {
                Some(last) => else_place(&last),
                None => (next.location().start(), chain_end),
            });
            let two = Two {
                kind: "if",
                kinds: ["then", "else"],
                predicate: node.predicate(),
                whole: (location.start(), end),
                body: Some(body_place(node.statements(), end_of_condition(node))),
                rest,
            };
            self.two_branches(two, &mut then, &mut otherwise);
        }
        Node::If(Box::new(If { cond, then, otherwise }))
    }

    pub(super) fn unless(&mut self, node: &prism::UnlessNode<'_>) -> Node {
        self.conditional(&node.as_node(), |lowering| lowering.bare_unless(node))
    }

    fn bare_unless(&mut self, node: &prism::UnlessNode<'_>) -> Node {
        let cond = self.node(&node.predicate());
        let mut otherwise = self.optional_statements(node.statements());
        if node.end_keyword_loc().is_none() {
            otherwise = self.unmarked(otherwise);
        }
        let mut then = self.else_clause(node.else_clause()).unwrap_or(Node::Nil);
        if self.branches.is_some() {
            let before = node.then_keyword_loc().map_or_else(|| node.predicate().location().end(), |then| then.end());
            let rest = node.else_clause().map(|last| else_place(&last));
            // MRI tells the side for false first
            let two = Two {
                kind: "unless",
                kinds: ["else", "then"],
                predicate: node.predicate(),
                whole: span(&node.location()),
                body: rest,
                rest: Some(body_place(node.statements(), before)),
            };
            self.two_branches(two, &mut then, &mut otherwise);
        }
        Node::If(Box::new(If { cond, then, otherwise }))
    }

    pub(super) fn else_clause(&mut self, node: Option<prism::ElseNode<'_>>) -> Option<Node> {
        node.map(|node| self.optional_statements(node.statements()))
    }

    pub(super) fn and(&mut self, node: &prism::AndNode<'_>) -> Node {
        let left = self.node(&node.left());
        let right = self.node(&node.right());
        Node::And(Box::new((left, right)))
    }

    pub(super) fn or(&mut self, node: &prism::OrNode<'_>) -> Node {
        let left = self.node(&node.left());
        let right = self.node(&node.right());
        Node::Or(Box::new((left, right)))
    }

    pub(super) fn while_node(&mut self, node: &prism::WhileNode<'_>) -> Node {
        let (start, cond) = (self.branches_known(), self.node(&node.predicate()));
        let before = node.predicate().location().end();
        let body = self.loop_body("while", start, span(&node.location()), before, || node.statements());
        Node::While(Box::new(While { cond, negate: false, do_while: node.is_begin_modifier(), body }))
    }

    pub(super) fn until(&mut self, node: &prism::UntilNode<'_>) -> Node {
        let (start, cond) = (self.branches_known(), self.node(&node.predicate()));
        let before = node.predicate().location().end();
        let body = self.loop_body("until", start, span(&node.location()), before, || node.statements());
        Node::While(Box::new(While { cond, negate: true, do_while: node.is_begin_modifier(), body }))
    }

    /// The body of a loop whose condition was lowered after there were `start` nodes with branches.
    fn loop_body<'a>(
        &mut self,
        kind: &'static str,
        start: usize,
        whole: (u32, u32),
        before: u32,
        statements: impl Fn() -> Option<prism::StatementsNode<'a>>,
    ) -> Node {
        if self.branches.is_none() {
            return self.optional_statements(statements());
        }
        let middle = self.branches_known();
        self.branching(kind, whole.0, whole.1);
        let place = body_place(statements(), before);
        let number = self.branch(middle, "body", place);
        let node = self.optional_statements(statements());
        self.branches_first(start, middle);
        Node::Branch(Box::new(Branch { number, of_nil: None, node }))
    }

    pub(super) fn for_node(&mut self, node: &prism::ForNode<'_>) -> Node {
        let iter = self.node(&node.collection());
        self.scopes.push(Scope::new(ScopeKind::Transparent));
        let (mut params, mut statements) = self.for_parameters(&node.index());
        params.index_statements = u16::try_from(statements.len()).unwrap_or(u16::MAX);
        statements.push(self.optional_statements(node.statements()));
        let line = self.line(node.location().start());
        let end_line = self.end_line_of(&node.location());
        let body = self.close(CodeKind::Block, sym::EMPTY, line, end_line, params, Node::Seq(statements.into()));
        let line = self.line_of(&node.collection());
        Node::For(Box::new(For { iter, body, line, cache: InlineCache::default() }))
    }

    pub(super) fn case(&mut self, node: &prism::CaseNode<'_>) -> Node {
        let subject = node.predicate().map(|subject| self.node(&subject));
        let (index, whole) = (self.branches_known(), span(&node.location()));
        let counts = self.branches.is_some();
        if counts {
            self.branching("case", whole.0, whole.1);
        }
        let mut whens = Vec::new();
        for clause in &node.conditions() {
            let Some(clause) = clause.as_when_node() else { continue };
            let conditions = clause.conditions().iter().map(|condition| self.node(&condition)).collect();
            let line = match clause.conditions().first() {
                Some(first) => self.line_of(&first),
                None => self.line(clause.location().start()),
            };
            let place = clause_place(clause.statements(), || {
                let end = clause.then_keyword_loc().map(|then| then.end());
                end.or_else(|| clause.conditions().iter().last().map(|last| last.location().end())).unwrap_or_default()
            });
            let number = if counts { self.branch(index, "when", place) } else { 0 };
            let mut body = self.optional_statements(clause.statements());
            if counts {
                body = Node::Branch(Box::new(Branch { number, of_nil: None, node: body }));
            }
            whens.push(When { conditions, line, body, cache: InlineCache::default() });
        }
        let otherwise = self.last_branch(index, whole, || node.else_clause()).unwrap_or(Node::Nil);
        let literals = if subject.is_some() { Literals::of(&whens) } else { None };
        Node::Case(Box::new(Case { subject, whens, otherwise, literals }))
    }

    /// The `else` of a `case`, which is a branch also if it is not there.
    pub(super) fn last_branch<'a>(
        &mut self,
        index: usize,
        whole: (u32, u32),
        clause: impl Fn() -> Option<prism::ElseNode<'a>>,
    ) -> Option<Node> {
        if self.branches.is_none() {
            return self.else_clause(clause());
        }
        let place = clause().map(|last| else_place(&last));
        let number = self.branch(index, "else", place.unwrap_or(whole));
        let node = self.else_clause(clause()).unwrap_or(Node::Nil);
        Some(Node::Branch(Box::new(Branch { number, of_nil: None, node })))
    }

    /// The value of `return`, `break` or `next`: None, one node, or an array.
    fn jump_value(&mut self, arguments: Option<prism::ArgumentsNode<'_>>) -> Option<Box<Node>> {
        let arguments = arguments?;
        let list = arguments.arguments();
        if let (1, Some(only)) = (list.len(), list.first())
            && only.as_splat_node().is_none()
        {
            return Some(Box::new(self.node(&only)));
        }
        Some(Box::new(Node::Array(Box::new(self.items(&list)))))
    }

    pub(super) fn return_node(&mut self, node: &prism::ReturnNode<'_>) -> Node {
        Node::Return(self.jump_value(node.arguments()))
    }

    pub(super) fn break_node(&mut self, node: &prism::BreakNode<'_>) -> Node {
        Node::Break(self.jump_value(node.arguments()))
    }

    pub(super) fn next_node(&mut self, node: &prism::NextNode<'_>) -> Node {
        Node::Next(self.jump_value(node.arguments()))
    }

    pub(super) fn begin(&mut self, node: &prism::BeginNode<'_>) -> Node {
        let start = self.branches_known();
        let body = self.optional_statements(node.statements());
        let middle = self.branches_known();
        let mut rescues = Vec::new();
        let mut clause = node.rescue_clause();
        while let Some(rescue) = clause {
            rescues.push(self.rescue(&rescue));
            clause = rescue.subsequent();
        }
        // MRI compiles `rescue` before the body, and `ensure` before both
        self.branches_first(start, middle);
        let otherwise = self.else_clause(node.else_clause());
        let middle = self.branches_known();
        let ensure = node.ensure_clause().map(|clause| match self.optional_statements(clause.statements()) {
            // nothing uses the value of its last statement
            Node::Mark(line, inner) if inner.is_plain() => self.unmarked(Node::Mark(line, inner)),
            other => other,
        });
        self.branches_first(start, middle);
        if rescues.is_empty() && otherwise.is_none() && ensure.is_none() {
            return body;
        }
        let (line, ensure_line) = self.begin_lines(node, &rescues);
        Node::Begin(Box::new(Begin { body, rescues, otherwise, ensure, line, ensure_line }))
    }

    /// The lines that MRI shows for the code around a running `rescue` and `ensure` clause. Around `rescue`: the line of the first `rescue` if there
    /// is an `ensure`, of the first statement in a `do` block, else of the `begin`, `def` or `class`. Around `ensure`: the line of its last
    /// statement.
    fn begin_lines(&mut self, node: &prism::BeginNode<'_>, rescues: &[Rescue]) -> (u32, u32) {
        let ensure = node.ensure_clause().and_then(|clause| clause.statements());
        let start = node.location().start();
        let first = node.statements().and_then(|statements| statements.body().first());
        let line = match (rescues.first(), first) {
            (Some(_), _) if node.ensure_clause().is_some() => {
                node.rescue_clause().map_or(0, |clause| self.line(clause.location().start()))
            }
            (_, Some(first)) if node.location().as_slice().starts_with(b"do") => self.line_of(&first),
            _ => self.line(start),
        };
        let last = ensure.and_then(|statements| statements.body().iter().filter(|node| !is_literal(node)).last());
        let last = last.map(|last| self.line_of(&last));
        (line, last.unwrap_or(line))
    }

    fn rescue(&mut self, node: &prism::RescueNode<'_>) -> Rescue {
        let line = match node.exceptions().first() {
            Some(first) => self.line_of(&first),
            None => self.line(node.location().start()),
        };
        let classes = node.exceptions().iter().map(|class| self.node(&class)).collect();
        let target: Option<Target> = node.reference().map(|target| self.target(&target));
        // what a clause ends with counts as used
        let outer = std::mem::replace(&mut self.unused, false);
        let outer_rescue = self.enter_rescue(true);
        let body = self.optional_statements(node.statements());
        self.enter_rescue(outer_rescue);
        self.unused = outer;
        Rescue { classes, target, body, line }
    }

    /// Whether the clause of a `rescue` was lowered until now.
    fn enter_rescue(&mut self, now: bool) -> bool {
        self.scopes.last_mut().is_some_and(|scope| std::mem::replace(&mut scope.in_rescue, now))
    }

    pub(super) fn rescue_modifier(&mut self, node: &prism::RescueModifierNode<'_>) -> Node {
        let body = self.node(&node.expression());
        let fallback = self.node(&node.rescue_expression());
        let line = self.line(node.location().start());
        let rescue = Rescue { classes: Vec::new(), target: None, body: fallback, line };
        let rescues = vec![rescue];
        Node::Begin(Box::new(Begin { body, rescues, otherwise: None, ensure: None, line, ensure_line: line }))
    }

    pub(super) fn flip_flop(&mut self, node: &prism::FlipFlopNode<'_>) -> Node {
        let place = self.hidden_method_slot();
        let begin = self.flip_flop_part(node.left());
        let end = self.flip_flop_part(node.right());
        Node::FlipFlop(Box::new((begin, end, node.is_exclude_end(), place)))
    }

    /// A part of a flip-flop: an Integer literal is compared with `$.`.
    fn flip_flop_part(&mut self, part: Option<prism::Node<'_>>) -> Node {
        let number = part.as_ref().filter(|part| part.as_integer_node().is_some()).map(|part| span(&part.location()));
        let node = self.optional(part);
        match number {
            Some(place) => {
                let line = self.line(place.0);
                binary(sym::EQ, node, Node::GVar(Symbol::intern("$.")), line, place)
            }
            None => node,
        }
    }

    pub(super) fn defined(&mut self, node: &prism::DefinedNode<'_>) -> Node {
        Node::Defined(Box::new(self.question(&node.value())))
    }

    /// The operand of `defined?`.
    fn question(&mut self, node: &prism::Node<'_>) -> Defined {
        use prism::Node as P;
        if crate::stack::is_below(self.limit) {
            self.fail(node.location().start(), "nesting too deep");
            return Defined::Fixed("expression");
        }
        let kind = match node {
            P::NilNode { .. } => return Defined::Fixed("nil"),
            P::TrueNode { .. } => return Defined::Fixed("true"),
            P::FalseNode { .. } => return Defined::Fixed("false"),
            P::SelfNode { .. } => return Defined::Fixed("self"),
            P::YieldNode { .. } => return Defined::Yield,
            P::SuperNode { .. } | P::ForwardingSuperNode { .. } => return Defined::Super,
            P::LocalVariableReadNode { .. } => "local-variable",
            P::CallNode { .. } => return self.question_call(node),
            P::ParenthesesNode { .. } => {
                return match node.as_parentheses_node().and_then(|node| node.body()) {
                    None => Defined::Fixed("nil"),
                    Some(body) => match body.as_statements_node() {
                        Some(statements) if statements.body().len() == 1 => match statements.body().first() {
                            Some(only) => self.question(&only),
                            None => Defined::Fixed("nil"),
                        },
                        _ => Defined::Fixed("expression"),
                    },
                };
            }
            P::ArrayNode { .. } => {
                let items = node.as_array_node().map(|array| array.elements());
                let asked = items.iter().flat_map(|items| items.iter()).filter(|item| item.as_splat_node().is_none());
                return Defined::All(asked.map(|item| self.question(&item)).collect());
            }
            P::ConstantPathNode { .. } => match node.as_constant_path_node() {
                Some(path) => {
                    let name = path.name().map_or(sym::EMPTY, |name| symbol_of(&name));
                    let (asked, scope) = match path.parent() {
                        Some(parent) => (self.question(&parent), self.node(&parent)),
                        None => (Defined::Fixed("expression"), Node::ObjectClass),
                    };
                    return Defined::ConstPath(Box::new(asked), Box::new(scope), name);
                }
                None => "expression",
            },
            _ => return self.question_variable(node),
        };
        Defined::Fixed(kind)
    }

    fn question_variable(&mut self, node: &prism::Node<'_>) -> Defined {
        if let Some(node) = node.as_instance_variable_read_node() {
            return Defined::IVar(symbol_of(&node.name()));
        }
        if let Some(node) = node.as_global_variable_read_node() {
            return Defined::GVar(symbol_of(&node.name()));
        }
        if let Some(node) = node.as_class_variable_read_node() {
            return Defined::CVar(symbol_of(&node.name()));
        }
        if let Some(node) = node.as_constant_read_node() {
            return Defined::Const(symbol_of(&node.name()));
        }
        if let Some(node) = node.as_numbered_reference_read_node() {
            return Defined::NthRef(node.number());
        }
        if let Some(node) = node.as_back_reference_read_node() {
            return Defined::BackRef(node.name().as_slice().get(1).copied().unwrap_or(b'&'));
        }
        Defined::Fixed(if is_assignment(node) { "assignment" } else { "expression" })
    }

    fn question_call(&mut self, node: &prism::Node<'_>) -> Defined {
        let Some(call) = node.as_call_node() else { return Defined::Fixed("expression") };
        if call.is_safe_navigation() || call.block().is_some_and(|block| block.as_block_node().is_some()) {
            return Defined::Fixed("expression");
        }
        let mut asked = Vec::new();
        let mut dynamic = false;
        if let Some(arguments) = call.arguments() {
            for argument in &arguments.arguments() {
                dynamic |= argument.as_splat_node().is_some() || argument.as_keyword_hash_node().is_some();
                if !dynamic {
                    asked.push(self.question(&argument));
                }
            }
        }
        let name = symbol_of(&call.name());
        match call.receiver() {
            None => Defined::SelfCall(name, asked),
            // an assignment to an attribute of a literal `self`, and `self[i]`, may call private methods
            Some(recv) if recv.as_self_node().is_some() && (call.is_attribute_write() || is_index(&call)) => {
                Defined::SelfCall(name, asked)
            }
            Some(recv) => {
                let question = self.question(&recv);
                Defined::Call(Box::new(question), Box::new(self.node(&recv)), name, asked)
            }
        }
    }

    /// Remembers a method's parameters for a bare `super` inside it.
    pub(super) fn remember_parameters(&mut self, params: &crate::tree::Params) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.forwarded = Some(Forwarded::of(params));
        }
    }
}

fn is_assignment(node: &prism::Node<'_>) -> bool {
    use prism::Node as P;
    matches!(
        node,
        P::LocalVariableWriteNode { .. }
            | P::InstanceVariableWriteNode { .. }
            | P::GlobalVariableWriteNode { .. }
            | P::ClassVariableWriteNode { .. }
            | P::ConstantWriteNode { .. }
            | P::ConstantPathWriteNode { .. }
            | P::MultiWriteNode { .. }
            | P::LocalVariableOrWriteNode { .. }
            | P::LocalVariableAndWriteNode { .. }
            | P::LocalVariableOperatorWriteNode { .. }
            | P::InstanceVariableOrWriteNode { .. }
            | P::InstanceVariableAndWriteNode { .. }
            | P::InstanceVariableOperatorWriteNode { .. }
            | P::GlobalVariableOrWriteNode { .. }
            | P::GlobalVariableAndWriteNode { .. }
            | P::GlobalVariableOperatorWriteNode { .. }
            | P::ClassVariableOrWriteNode { .. }
            | P::ClassVariableAndWriteNode { .. }
            | P::ClassVariableOperatorWriteNode { .. }
            | P::ConstantOrWriteNode { .. }
            | P::ConstantAndWriteNode { .. }
            | P::ConstantOperatorWriteNode { .. }
            | P::CallOrWriteNode { .. }
            | P::CallAndWriteNode { .. }
            | P::CallOperatorWriteNode { .. }
            | P::IndexOrWriteNode { .. }
            | P::IndexAndWriteNode { .. }
            | P::IndexOperatorWriteNode { .. }
    )
}

/// Whether MRI omits an expression whose value is not used.
fn is_literal(node: &prism::Node<'_>) -> bool {
    use prism::Node;
    matches!(
        node,
        Node::IntegerNode { .. }
            | Node::FloatNode { .. }
            | Node::StringNode { .. }
            | Node::SymbolNode { .. }
            | Node::NilNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
            | Node::SelfNode { .. }
    )
}

/// Whether a call is written `x[i]`.
fn is_index(call: &prism::CallNode<'_>) -> bool {
    call.call_operator_loc().is_none() && call.name().as_slice() == b"[]"
}
