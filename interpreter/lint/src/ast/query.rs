//! Queries on a node.

use super::{Data, Form, Kind, N, Span, Tree};

impl<'t> N<'t> {
    fn data(self) -> &'t Data<'t> {
        self.tree.data(self.id)
    }

    fn at(self, id: u32) -> Option<Self> {
        (id != 0).then_some(N { tree: self.tree, id })
    }

    #[must_use]
    pub fn tree(self) -> &'t Tree<'t> {
        self.tree
    }

    #[must_use]
    pub fn kind(self) -> Kind {
        self.data().kind
    }

    #[must_use]
    pub fn is(self, kind: Kind) -> bool {
        self.data().kind == kind
    }

    #[must_use]
    pub fn is_any(self, kinds: &[Kind]) -> bool {
        kinds.contains(&self.data().kind)
    }

    #[must_use]
    pub fn form(self) -> Form {
        self.data().form
    }

    /// The node's range; for a heredoc only that of its opening.
    #[must_use]
    pub fn span(self) -> Span {
        self.data().span
    }

    #[must_use]
    pub fn start(self) -> u32 {
        self.data().span.start
    }

    #[must_use]
    pub fn end(self) -> u32 {
        self.data().span.end
    }

    /// The node's source text.
    #[must_use]
    pub fn src(self) -> &'t str {
        self.data().span.of(self.tree.source)
    }

    /// The name of the method in a call, the keyword of a condition, the operator of an assignment.
    #[must_use]
    pub fn selector(self) -> Span {
        self.data().selector
    }

    /// The opening parenthesis, bracket, brace or quote.
    #[must_use]
    pub fn open(self) -> Span {
        self.data().open
    }

    #[must_use]
    pub fn close(self) -> Span {
        self.data().close
    }

    /// The name of a method, variable or constant; for a block that of its call.
    #[must_use]
    pub fn name(self) -> &'t str {
        match self.kind() {
            Kind::Block | Kind::Numblock => self.kid(0).map_or("", |call| call.data().text),
            _ => self.data().text,
        }
    }

    /// The value of a string or symbol.
    #[must_use]
    pub fn value(self) -> &'t str {
        self.data().text
    }

    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.at(self.data().parent)
    }

    /// The enclosing nodes, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// A child by its position; `None` if the child is absent.
    #[must_use]
    pub fn kid(self, at: usize) -> Option<Self> {
        let data = self.data();
        if at >= data.count as usize {
            return None;
        }
        self.at(*self.tree.kids.get(data.kids as usize + at)?)
    }

    /// The number of child positions, including absent children.
    #[must_use]
    pub fn places(self) -> usize {
        self.data().count as usize
    }

    /// The children that are present.
    pub fn kids(self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..self.places()).filter_map(move |at| self.kid(at))
    }

    /// The node and its descendants, in preorder.
    pub fn all(self) -> impl Iterator<Item = Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let node = open.pop()?;
            open.extend(node.kids().rev());
            Some(node)
        })
    }

    /// Whether the code is the same as that of another node, regardless of position.
    #[must_use]
    pub fn same(self, other: Self) -> bool {
        self.kind() == other.kind()
            && self.data().text == other.data().text
            && self.places() == other.places()
            && (0..self.places()).all(|at| match (self.kid(at), other.kid(at)) {
                (None, None) => true,
                (Some(a), Some(b)) => a.same(b),
                _ => false,
            })
    }

    /// The call of a block; a call itself.
    #[must_use]
    pub fn call(self) -> Self {
        match self.kind() {
            Kind::Block | Kind::Numblock => self.kid(0).unwrap_or(self),
            _ => self,
        }
    }

    /// The receiver of a call.
    #[must_use]
    pub fn recv(self) -> Option<Self> {
        let call = self.call();
        call.is_any(&[Kind::Send, Kind::Csend]).then(|| call.kid(0)).flatten()
    }

    /// The arguments of a call, or of a block's call.
    #[must_use]
    pub fn args(self) -> Vec<Self> {
        let call = self.call();
        match call.kind() {
            Kind::Send | Kind::Csend => call.kids().skip(usize::from(call.kid(0).is_some())).collect(),
            Kind::Super | Kind::Yield | Kind::Return | Kind::Next | Kind::Break => call.kids().collect(),
            _ => Vec::new(),
        }
    }

    #[must_use]
    pub fn arg(self, at: usize) -> Option<Self> {
        let call = self.call();
        call.is_any(&[Kind::Send, Kind::Csend]).then(|| call.kid(at + 1)).flatten()
    }

    /// The number of a call's arguments.
    #[must_use]
    pub fn argc(self) -> usize {
        self.call().places().saturating_sub(1)
    }

    #[must_use]
    pub fn last_arg(self) -> Option<Self> {
        self.argc().checked_sub(1).and_then(|at| self.arg(at))
    }

    #[must_use]
    pub fn only_arg(self) -> Option<Self> {
        (self.argc() == 1).then(|| self.arg(0)).flatten()
    }

    /// The block around a call.
    #[must_use]
    pub fn block(self) -> Option<Self> {
        self.parent().filter(|parent| parent.is_any(&[Kind::Block, Kind::Numblock]) && parent.kid(0) == Some(self))
    }

    /// The body of a block, class, method or loop.
    #[must_use]
    pub fn body(self) -> Option<Self> {
        match self.kind() {
            Kind::Block | Kind::Numblock | Kind::Class | Kind::Defs => self.kid(2),
            Kind::Def | Kind::Module | Kind::Sclass | Kind::While | Kind::Until => self.kid(1),
            Kind::For => self.kid(2),
            Kind::When => self.places().checked_sub(1).and_then(|at| self.kid(at)),
            _ => None,
        }
    }

    /// The parameters of a block or method.
    #[must_use]
    pub fn params(self) -> Vec<Self> {
        let at = usize::from(self.is_any(&[Kind::Block, Kind::Numblock, Kind::Defs]));
        self.kid(at).filter(|args| args.is(Kind::Args)).map(|args| args.kids().collect()).unwrap_or_default()
    }

    /// A call of this name without a receiver.
    #[must_use]
    pub fn is_call(self, name: &str) -> bool {
        self.is(Kind::Send) && self.data().text == name && self.kid(0).is_none()
    }

    /// A call of one of the names without a receiver.
    #[must_use]
    pub fn is_call_any(self, names: &[&str]) -> bool {
        self.is(Kind::Send) && self.kid(0).is_none() && names.contains(&self.data().text)
    }

    /// A call of this name, with or without a receiver.
    #[must_use]
    pub fn is_send(self, name: &str) -> bool {
        self.is(Kind::Send) && self.data().text == name
    }

    /// The call `node` without receiver and arguments.
    #[must_use]
    pub fn is_node(self) -> bool {
        self.is_call("node") && self.argc() == 0
    }

    /// A call `node` without arguments, with or without a receiver.
    #[must_use]
    pub fn is_any_node(self) -> bool {
        self.is_send("node") && self.argc() == 0
    }

    /// `node['name']` with a string that is one of the names.
    #[must_use]
    pub fn is_node_attribute(self, names: &[&str]) -> bool {
        self.is_send("[]")
            && self.recv().is_some_and(N::is_node)
            && self.only_arg().is_some_and(|key| key.is(Kind::Str) && names.contains(&key.value()))
    }

    /// Whether the node is a string literal with this value.
    #[must_use]
    pub fn is_str(self, value: &str) -> bool {
        self.is(Kind::Str) && self.data().text == value
    }

    /// Whether the node is a symbol literal with this name.
    #[must_use]
    pub fn is_sym(self, value: &str) -> bool {
        self.is(Kind::Sym) && self.data().text == value
    }

    /// The value of a string literal.
    #[must_use]
    pub fn as_str(self) -> Option<&'t str> {
        self.is(Kind::Str).then_some(self.data().text)
    }

    /// The name of a symbol literal.
    #[must_use]
    pub fn as_sym(self) -> Option<&'t str> {
        self.is(Kind::Sym).then_some(self.data().text)
    }

    /// Whether the node is the constant with this path, such as `Chef::Mixin::Language`, with or without a leading `::`.
    #[must_use]
    pub fn is_const(self, path: &str) -> bool {
        let (scope, name) = path.rsplit_once("::").map_or((None, path), |(scope, name)| (Some(scope), name));
        if !self.is(Kind::Const) || self.data().text != name {
            return false;
        }
        match (scope, self.kid(0)) {
            (None, None) => true,
            (None, Some(top)) => top.is(Kind::Cbase),
            (Some(scope), Some(outer)) => outer.is_const(scope),
            (Some(_), None) => false,
        }
    }

    /// Whether the node is the constant with this path, without a leading `::`.
    #[must_use]
    pub fn is_const_without_top(self, path: &str) -> bool {
        self.is_const(path) && !self.src().starts_with("::")
    }

    /// A constant without a scope.
    #[must_use]
    pub fn is_bare_const(self, name: &str) -> bool {
        self.is(Kind::Const) && self.data().text == name && self.kid(0).is_none()
    }

    /// The pairs of a hash, as key and value.
    pub fn pairs(self) -> impl Iterator<Item = (Self, Self)> + Clone {
        let hash = self.is(Kind::Hash);
        self.kids().filter(move |kid| hash && kid.is(Kind::Pair)).filter_map(|pair| Some((pair.kid(0)?, pair.kid(1)?)))
    }

    /// The pair of a hash whose key is one of these symbols.
    #[must_use]
    pub fn pair(self, keys: &[&str]) -> Option<Self> {
        if !self.is(Kind::Hash) {
            return None;
        }
        self.kids().find(|pair| {
            pair.is(Kind::Pair)
                && pair.kid(0).and_then(Self::as_sym).is_some_and(|key| keys.contains(&key))
                && pair.kid(1).is_some()
        })
    }

    /// Whether a hash has braces, an array brackets, a call parentheses.
    #[must_use]
    pub fn delimited(self) -> bool {
        !self.data().open.is_empty()
    }

    /// Whether the node is a `%w` or `%i` literal.
    #[must_use]
    pub fn percent(self) -> bool {
        self.data().open.of(self.tree.source).starts_with('%')
    }

    /// Whether a condition is written as a modifier: `x if y`.
    #[must_use]
    pub fn is_modifier(self) -> bool {
        matches!(self.form(), Form::ModifierIf | Form::ModifierUnless)
    }

    /// The condition of `if` or `case`.
    #[must_use]
    pub fn condition(self) -> Option<Self> {
        self.kid(0)
    }

    /// The `when` branches of a `case`.
    pub fn whens(self) -> impl Iterator<Item = Self> {
        self.kids().filter(|kid| kid.is(Kind::When))
    }

    /// The conditions of a `when`.
    pub fn conditions(self) -> impl Iterator<Item = Self> {
        (0..self.places().saturating_sub(1)).filter_map(move |at| self.kid(at))
    }

    /// The `else` branch of a `case`.
    #[must_use]
    pub fn else_branch(self) -> Option<Self> {
        self.places().checked_sub(1).and_then(|at| self.kid(at)).filter(|kid| !kid.is(Kind::When))
    }

    /// Whether an `If` has an `else` or `elsif` (or the `:` of a ternary).
    #[must_use]
    pub fn has_else(self) -> bool {
        !self.close().is_empty()
    }

    /// The branches of an `If` in source order, including those of its `elsif`s.
    #[must_use]
    pub fn branches(self) -> Vec<Option<Self>> {
        let (first, second) = if matches!(self.form(), Form::Unless | Form::ModifierUnless) { (2, 1) } else { (1, 2) };
        let mut all = vec![self.kid(first)];
        if self.has_else() || self.form() == Form::Ternary {
            match self.kid(second) {
                Some(next) if next.is(Kind::If) && next.form() == Form::Elsif => all.extend(next.branches()),
                other => all.push(other),
            }
        }
        all
    }

    #[must_use]
    pub fn single_line(self) -> bool {
        !self.src().contains('\n')
    }

    /// The node's range, extended to the end of a heredoc that is its last argument.
    #[must_use]
    pub fn span_with_heredoc(self) -> Span {
        let span = self.span();
        match self.last_arg() {
            Some(last) if last.form() == Form::Heredoc => span.join(Span::new(span.start, last.close().end)),
            _ => span,
        }
    }
}
