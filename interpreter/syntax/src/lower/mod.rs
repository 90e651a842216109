//! Lowers prism's nodes to the tree, one module per kind of construct.
//!
//! prism limits nesting (10,000 levels) but not the length of left-leaning chains; both the parse and the lowering run on a stack of their own
//! (`stack`), and lowering fails with "nesting too deep" when that is used up.

mod assign;
mod branches;
mod call;
mod control;
mod definition;
mod duplicates;
mod first;
mod literal;
mod params;
mod pattern;
mod scope;

use crate::error::{self, SyntaxError};
use crate::tree::{Code, CodeKind, LitEncoding, Node, Params, RegexLit, SourceFile};
use crate::warning::Warning;
use crate::{Symbol, stack};
pub use branches::{Branches, Place};
pub use literal::encoding_comment;
use ruby_prism as prism;
use scope::{Scope, ScopeKind};
use std::sync::Arc;

#[derive(Debug, Clone, Copy)]
pub struct ParseRequest<'a> {
    pub source: &'a [u8],
    /// The path that `__FILE__` and backtraces show.
    pub path: &'a str,
    /// The number of the first line: 1 except for `eval` with a line.
    pub first_line: i32,
    pub kind: ParseKind,
    /// For `Eval`: the slot names of the enclosing scopes, the innermost (depth 1) last. Hidden slots have an empty name.
    pub scopes: &'a [Vec<Symbol>],
    /// For `Eval`: depth (1 is the innermost of `scopes`) and parameters of the enclosing method, for a bare `super`.
    pub method: Option<(u16, &'a Params)>,
    /// Whether string literals are frozen if no magic comment says so; None is Ruby's default (not frozen).
    pub frozen_string_literal: Option<bool>,
    /// The encoding if no magic comment names one; for `eval` the String's.
    pub encoding: LitEncoding,
    /// Whether statements are marked with their lines, for whoever traces them.
    pub marks: bool,
    /// Whether branches are marked, for Coverage.
    pub branches: bool,
    /// Whether the regexp literals are wanted, for the warnings about them.
    pub regexps: bool,
    /// For `Main`: the loop around the program.
    pub loops: Option<LineLoop>,
}

/// The loop over lines of input that Ruby's options `-n` and `-p` put around a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineLoop {
    /// Whether each line is printed (`-p`).
    pub prints: bool,
    /// Whether lines lose their ends (`-l`).
    pub chomps: bool,
    /// Whether `$F` gets the parts of each line (`-a`).
    pub splits: bool,
}

impl<'a> ParseRequest<'a> {
    /// A request for a whole file.
    pub fn file(source: &'a [u8], path: &'a str, kind: ParseKind) -> ParseRequest<'a> {
        ParseRequest {
            source,
            path,
            first_line: 1,
            kind,
            scopes: &[],
            method: None,
            frozen_string_literal: None,
            encoding: LitEncoding::Utf8,
            marks: false,
            branches: false,
            regexps: false,
            loops: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseKind {
    Main,
    /// A required or loaded file.
    File,
    /// A string given to `eval`, `instance_eval` or `class_eval`.
    Eval,
    /// A file whose text is evaluated with an object or class as self.
    Evaluated,
}

/// The result of a parse.
#[derive(Debug)]
pub struct Parsed {
    pub code: Arc<Code>,
    /// The warnings that MRI gives.
    pub warnings: Vec<Warning>,
    /// Byte offset of the data after `__END__`.
    pub data: Option<usize>,
    /// The lines of marked statements.
    pub marks: Vec<u32>,
    /// The nodes with branches, if these are marked.
    pub branches: Vec<Branches>,
    /// The regexp literals, if they are wanted.
    pub regexps: Vec<RegexLit>,
}

/// Parses and lowers a source.
///
/// # Errors
/// A [`SyntaxError`] in MRI's form for what Ruby 3.1 does not accept, and for nesting beyond about 10,000 levels.
pub fn parse(request: ParseRequest<'_>) -> Result<Parsed, SyntaxError> {
    if !request.marks
        && !request.branches
        && !request.regexps
        && request.loops.is_none()
        && let Some(parsed) = crate::ahead::take(&request)
    {
        return Ok(parsed);
    }
    parse_anew(request)
}

/// [`parse`] without the trees that were parsed ahead.
pub(crate) fn parse_anew(request: ParseRequest<'_>) -> Result<Parsed, SyntaxError> {
    stack::on_large_stack(|limit| parse_here(request, limit)).unwrap_or_else(|| {
        Err(SyntaxError::plain(request.path, request.first_line.max(0) as u32, "no memory for the parser's stack"))
    })
}

fn parse_here(request: ParseRequest<'_>, limit: usize) -> Result<Parsed, SyntaxError> {
    if u32::try_from(request.source.len()).is_err() {
        return Err(SyntaxError::plain(request.path, 1, "source is too large"));
    }
    if let Some(line) = row_of_signs(request.source) {
        let line = u32::try_from(line).unwrap_or(0).saturating_add(request.first_line.max(1) as u32);
        return Err(SyntaxError::plain(request.path, line, "nesting too deep"));
    }
    let options = options(&request);
    let result = prism::parse_with_options(request.source, &options);
    let file = Arc::new(source_file(&request, &result));
    if let Some(mut error) = error::first_error(&file, &result, limit) {
        if request.kind == ParseKind::Eval {
            for jump in ["break", "next", "redo"] {
                error.message = error
                    .message
                    .replace(&format!(": Invalid {jump}"), &format!(": Can't escape from eval with {jump}"));
            }
        }
        return Err(error);
    }
    let encoding = literal::magic_encoding(request.source).unwrap_or(request.encoding);
    let warnings = crate::warning::warnings(&file, request.kind, &result, limit);
    let mut lowering = Lowering {
        file,
        scopes: Vec::new(),
        encoding,
        limit,
        error: None,
        begin_blocks: Vec::new(),
        line_hint: 0,
        marks: request.marks,
        branches: request.branches.then(Default::default),
        unused: false,
        marked: Vec::new(),
        regexps: request.regexps.then(Vec::new),
    };
    let code = lowering.program(&request, &result.node());
    // prism's data location begins at `__END__` itself
    let data = result.data_loc().map(|found| {
        let length = found.as_slice().len();
        let start = request.source.len() - length.min(request.source.len());
        let line = &request.source[start..];
        start + line.iter().position(|&byte| byte == b'\n').map_or(line.len(), |end| end + 1)
    });
    match lowering.error {
        Some(error) => Err(error),
        None => {
            let branches = lowering.branches.map(|found| found.nodes).unwrap_or_default();
            let regexps = lowering.regexps.unwrap_or_default();
            Ok(Parsed { code, warnings, data, marks: lowering.marked, branches, regexps })
        }
    }
}

/// The line (from 0) of a sequence of operators that would nest more deeply than prism allows. prism rejects it too, but in time quadratic in its
/// length. Characters after a `#` are not counted: they are most likely in a comment.
fn row_of_signs(source: &[u8]) -> Option<usize> {
    const MOST: usize = 20_000;
    if source.len() <= MOST {
        return None;
    }
    let (mut row, mut line, mut comment) = (0, 0, false);
    for byte in source {
        match byte {
            b'-' | b'+' | b'!' | b'~' | b'(' | b'[' | b'{' | b'&' | b'*' if !comment => row += 1,
            b'\n' => {
                (row, comment) = (0, false);
                line += 1;
            }
            b'#' => comment = true,
            _ => row = 0,
        }
        if row > MOST {
            return Some(line);
        }
    }
    None
}

fn options(request: &ParseRequest<'_>) -> prism::ParseOptions {
    let path = request.path.replace('\0', "");
    let mut options = prism::Options::default()
        .filepath(&path)
        .line(request.first_line)
        .version(prism::Version::CRuby3_3)
        .frozen_string_literal(request.frozen_string_literal);
    match request.encoding {
        LitEncoding::Utf8 => {}
        LitEncoding::UsAscii => options = options.encoding("US-ASCII"),
        LitEncoding::Binary => options = options.encoding("ASCII-8BIT"),
        LitEncoding::Named(name) => options = options.encoding(name.as_str()),
    }
    if request.kind == ParseKind::Main {
        use prism::CommandLineFlag as Flag;
        let flag = |wanted: fn(LineLoop) -> bool| request.loops.is_some_and(wanted);
        let flags = [
            (Flag::E, request.path == "-e"),
            (Flag::N, request.loops.is_some()),
            (Flag::P, flag(|loops| loops.prints)),
            (Flag::L, flag(|loops| loops.chomps)),
            (Flag::A, flag(|loops| loops.splits)),
        ];
        options = options.command_line(flags.into_iter().filter(|(_, on)| *on).map(|(flag, _)| flag).collect());
    }
    if request.kind == ParseKind::Eval {
        for names in request.scopes {
            options = options.scope(prism_scope(names));
        }
        // The innermost scope is that of the eval itself.
        options = options.scope(prism::Scope::default());
    }
    options.build()
}

fn prism_scope(names: &[Symbol]) -> prism::Scope {
    use crate::symbol::sym;
    let mut forwarding = Vec::new();
    for (name, flag) in [
        (sym::ANON_REST, prism::ScopeForwardingFlag::Positionals),
        (sym::ANON_KWREST, prism::ScopeForwardingFlag::Keywords),
        (sym::ANON_BLOCK, prism::ScopeForwardingFlag::Block),
    ] {
        if names.contains(&name) {
            forwarding.push(flag);
        }
    }
    if forwarding.len() == 3 {
        forwarding.push(prism::ScopeForwardingFlag::All);
    }
    let plain = |name: &&Symbol| !matches!(name.as_bytes().first(), None | Some(b'*' | b'&'));
    let locals = names.iter().filter(plain).map(|name| name.as_bytes().to_vec()).collect();
    prism::Scope::default().locals(locals).forwarding(forwarding)
}

fn source_file(request: &ParseRequest<'_>, result: &prism::ParseResult<'_>) -> SourceFile {
    let data_offset = result.data_loc().map(|loc| {
        let rest = &request.source[loc.start() as usize..];
        let line = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
        loc.start() + line as u32
    });
    SourceFile {
        path: request.path.to_string(),
        source: request.source.to_vec(),
        first_line: request.first_line,
        line_starts: result.line_offsets().to_vec(),
        data_offset,
        evaluated: matches!(request.kind, ParseKind::Eval | ParseKind::Evaluated),
    }
}

/// The state of one lowering.
struct Lowering {
    file: Arc<SourceFile>,
    scopes: Vec<Scope>,
    encoding: LitEncoding,
    /// The lowest address that the stack may reach.
    limit: usize,
    /// The first error; whatever is lowered after it is discarded.
    error: Option<SyntaxError>,
    /// Bodies of `BEGIN {}`, which are evaluated first.
    begin_blocks: Vec<Node>,
    /// Index of the line found by the last lookup.
    line_hint: usize,
    /// Whether statements are marked.
    marks: bool,
    /// The branches, if they are marked.
    branches: Option<branches::Found>,
    /// Whether nothing uses the value of the statement that contains what is lowered.
    unused: bool,
    /// The lines of marked statements.
    marked: Vec<u32>,
    /// The regexp literals, if they are wanted.
    regexps: Option<Vec<RegexLit>>,
}

/// `dispatch!(self, node, { CallNode as_call_node => self.call, … })`: calls the method for the node's kind.
macro_rules! dispatch {
    ($self:ident, $node:ident, { $($variant:ident $accessor:ident => $method:ident,)* }) => {
        match $node {
            $(prism::Node::$variant { .. } => match $node.$accessor() {
                Some(inner) => $self.$method(&inner),
                None => Node::Nil,
            },)*
            _ => $self.rare_node($node),
        }
    };
}

impl Lowering {
    fn program(&mut self, request: &ParseRequest<'_>, root: &prism::Node<'_>) -> Arc<Code> {
        let eval = request.kind == ParseKind::Eval;
        if eval {
            for names in request.scopes {
                self.scopes.push(Scope::outer(names));
            }
            if let Some((depth, params)) = request.method {
                let count = self.scopes.len();
                if let Some(scope) = count.checked_sub(usize::from(depth)).and_then(|at| self.scopes.get_mut(at)) {
                    scope.forwarded = Some(params::Forwarded::of(params));
                }
            }
        }
        self.scopes.push(Scope::new(if eval { ScopeKind::Eval } else { ScopeKind::Top }));
        let mut body = Node::Nil;
        if let Some(program) = root.as_program_node() {
            self.declare(&program.locals());
            body = self.statements(&program.statements());
        }
        if !self.begin_blocks.is_empty() {
            let mut all = std::mem::take(&mut self.begin_blocks);
            all.push(body);
            body = Node::Seq(all.into());
        }
        let locals = self.scopes.pop().map(|scope| scope.names).unwrap_or_default();
        let first = self.file.first_line.max(0) as u32;
        let last = first + self.file.line_starts.len().saturating_sub(1) as u32;
        Arc::new(Code {
            kind: if eval { CodeKind::Eval } else { CodeKind::Top },
            name: Symbol::intern(""),
            file: self.file.clone(),
            line: first,
            end_line: last,
            params: Params::default(),
            locals,
            body,
        })
    }

    fn node(&mut self, node: &prism::Node<'_>) -> Node {
        if stack::is_below(self.limit) {
            self.fail(node.location().start(), "nesting too deep");
            return Node::Nil;
        }
        if self.error.is_some() {
            return Node::Nil;
        }
        dispatch!(self, node, {
            CallNode as_call_node => call,
            LocalVariableReadNode as_local_variable_read_node => local_read,
            LocalVariableWriteNode as_local_variable_write_node => local_write,
            InstanceVariableReadNode as_instance_variable_read_node => ivar_read,
            InstanceVariableWriteNode as_instance_variable_write_node => ivar_write,
            StringNode as_string_node => string,
            InterpolatedStringNode as_interpolated_string_node => interpolated_string,
            SymbolNode as_symbol_node => symbol,
            InterpolatedSymbolNode as_interpolated_symbol_node => interpolated_symbol,
            IntegerNode as_integer_node => integer,
            FloatNode as_float_node => float,
            RationalNode as_rational_node => rational,
            ImaginaryNode as_imaginary_node => imaginary,
            ArrayNode as_array_node => array,
            HashNode as_hash_node => hash,
            KeywordHashNode as_keyword_hash_node => keyword_hash,
            RangeNode as_range_node => range,
            ConstantReadNode as_constant_read_node => constant,
            ConstantPathNode as_constant_path_node => constant_path,
            IfNode as_if_node => if_node,
            UnlessNode as_unless_node => unless,
            StatementsNode as_statements_node => statements,
            ParenthesesNode as_parentheses_node => parentheses,
            BeginNode as_begin_node => begin,
            AndNode as_and_node => and,
            OrNode as_or_node => or,
            ReturnNode as_return_node => return_node,
            BreakNode as_break_node => break_node,
            NextNode as_next_node => next_node,
            CaseNode as_case_node => case,
            CaseMatchNode as_case_match_node => case_match,
            MatchRequiredNode as_match_required_node => match_required,
            MatchPredicateNode as_match_predicate_node => match_predicate,
            WhileNode as_while_node => while_node,
            UntilNode as_until_node => until,
            ForNode as_for_node => for_node,
            RescueModifierNode as_rescue_modifier_node => rescue_modifier,
            DefNode as_def_node => def,
            ClassNode as_class_node => class,
            ModuleNode as_module_node => module,
            SingletonClassNode as_singleton_class_node => singleton_class,
            LambdaNode as_lambda_node => lambda,
            YieldNode as_yield_node => yield_node,
            SuperNode as_super_node => super_node,
            ForwardingSuperNode as_forwarding_super_node => forwarding_super,
            DefinedNode as_defined_node => defined,
            GlobalVariableReadNode as_global_variable_read_node => gvar_read,
            GlobalVariableWriteNode as_global_variable_write_node => gvar_write,
            ClassVariableReadNode as_class_variable_read_node => cvar_read,
            ClassVariableWriteNode as_class_variable_write_node => cvar_write,
            ConstantWriteNode as_constant_write_node => constant_write,
            ConstantPathWriteNode as_constant_path_write_node => constant_path_write,
            MultiWriteNode as_multi_write_node => multi_write,
            RegularExpressionNode as_regular_expression_node => regexp,
            InterpolatedRegularExpressionNode as_interpolated_regular_expression_node => interpolated_regexp,
            MatchLastLineNode as_match_last_line_node => match_last_line,
            InterpolatedMatchLastLineNode as_interpolated_match_last_line_node => interpolated_match_last_line,
            MatchWriteNode as_match_write_node => match_write,
            XStringNode as_x_string_node => xstring,
            InterpolatedXStringNode as_interpolated_x_string_node => interpolated_xstring,
            EmbeddedStatementsNode as_embedded_statements_node => embedded_statements,
            EmbeddedVariableNode as_embedded_variable_node => embedded_variable,
            SourceFileNode as_source_file_node => source_file_literal,
            FlipFlopNode as_flip_flop_node => flip_flop,
            AliasMethodNode as_alias_method_node => alias_method,
            AliasGlobalVariableNode as_alias_global_variable_node => alias_global,
            UndefNode as_undef_node => undef,
            PreExecutionNode as_pre_execution_node => pre_execution,
            PostExecutionNode as_post_execution_node => post_execution,
            SplatNode as_splat_node => splat,
            ImplicitNode as_implicit_node => implicit,
        })
    }

    /// The kinds that `node` does not list: leaves and operator assignments.
    fn rare_node(&mut self, node: &prism::Node<'_>) -> Node {
        use prism::Node as P;
        match node {
            P::NilNode { .. } => Node::Nil,
            P::TrueNode { .. } => Node::True,
            P::FalseNode { .. } => Node::False,
            P::SelfNode { .. } => Node::SelfRef,
            P::RedoNode { .. } => Node::Redo,
            P::RetryNode { .. } => Node::Retry,
            P::SourceLineNode { .. } => {
                Node::Int(i64::from(self.file.first_line) + self.line_index(node.location().start()) as i64)
            }
            P::SourceEncodingNode { .. } => Node::SourceEncoding(self.encoding),
            P::NumberedReferenceReadNode { .. } => {
                Node::NthRef(node.as_numbered_reference_read_node().map_or(0, |n| n.number()))
            }
            P::BackReferenceReadNode { .. } => {
                let name = node.as_back_reference_read_node().map(|n| n.name().as_slice());
                Node::BackRef(name.and_then(|name| name.get(1)).copied().unwrap_or(b'&'))
            }
            P::ShareableConstantNode { .. } => match node.as_shareable_constant_node() {
                Some(inner) => self.node(&inner.write()),
                None => Node::Nil,
            },
            _ => match self.operator_write(node) {
                Some(lowered) => lowered,
                None => {
                    self.fail(node.location().start(), "syntax error, unexpected expression");
                    Node::Nil
                }
            },
        }
    }

    fn implicit(&mut self, node: &prism::ImplicitNode<'_>) -> Node {
        let mut value = self.node(&node.value());
        // `{x:}` reads `x` like a bare name.
        if let Node::Call(call) = &mut value {
            call.flags.vcall = call.recv.is_none();
        }
        value
    }

    fn optional(&mut self, node: Option<prism::Node<'_>>) -> Node {
        match node {
            Some(node) => self.node(&node),
            None => Node::Nil,
        }
    }

    fn statements(&mut self, node: &prism::StatementsNode<'_>) -> Node {
        let body = node.body();
        if body.len() == 1 {
            return match body.first() {
                Some(only) => self.statement(&only, true),
                None => Node::Nil,
            };
        }
        let count = body.len();
        let nodes: Vec<Node> =
            body.iter().enumerate().map(|(index, node)| self.statement(&node, index + 1 == count)).collect();
        if nodes.is_empty() { Node::Nil } else { Node::Seq(nodes.into()) }
    }

    #[inline]
    fn statement(&mut self, node: &prism::Node<'_>, last: bool) -> Node {
        if self.marks { self.marked(node, last) } else { self.node(node) }
    }

    /// A statement with a mark, unless the statement before it in the same code is on the same line, or it only groups others, which have marks
    /// themselves.
    fn marked(&mut self, node: &prism::Node<'_>, last: bool) -> Node {
        if node.as_begin_node().is_some() || node.as_parentheses_node().is_some() {
            let outer = self.unused;
            self.unused = !last || outer;
            let lowered = self.node(node);
            self.unused = outer;
            return lowered;
        }
        self.with_mark(node, |lowering| {
            let outer = lowering.unused;
            let unused = !last || outer;
            lowering.unused = match node {
                prism::Node::IfNode { .. } | prism::Node::UnlessNode { .. } => unused,
                prism::Node::CaseNode { .. } | prism::Node::CaseMatchNode { .. } => unused,
                prism::Node::WhileNode { .. } | prism::Node::UntilNode { .. } => true,
                _ => false,
            };
            let lowered = lowering.node(node);
            lowering.unused = outer;
            // nothing is done for a nil at the end of a method either, but for one at the end of its `rescue`
            let scope = lowering.scopes.last();
            let of_method = scope.is_some_and(|scope| scope.kind == ScopeKind::Method && !scope.in_rescue);
            let does = !(unused && lowered.is_plain() || of_method && matches!(lowered, Node::Nil));
            (lowered, does)
        })
    }

    /// An `if`, `unless` or `?:`: it has a mark wherever it stands.
    fn conditional(&mut self, node: &prism::Node<'_>, lower: impl FnOnce(&mut Lowering) -> Node) -> Node {
        if self.marks { self.with_mark(node, |lowering| (lower(lowering), true)) } else { lower(self) }
    }

    /// A node with a mark, unless the last one in the same code is on the same line; `lower` also tells whether anything is done for the node.
    fn with_mark(&mut self, node: &prism::Node<'_>, lower: impl FnOnce(&mut Lowering) -> (Node, bool)) -> Node {
        let line = self.line(first::first_done(node));
        let before = self.scopes.last_mut().map_or(0, |scope| std::mem::replace(&mut scope.marked, line));
        let (lowered, does) = lower(self);
        if !does && let Some(scope) = self.scopes.last_mut() {
            scope.marked = before;
        }
        if !does || before == line {
            return lowered;
        }
        self.marked.push(line);
        Node::Mark(line, Box::new(lowered))
    }

    /// Takes the mark from a statement that was the last to get one, where it is none for MRI.
    fn unmarked(&mut self, node: Node) -> Node {
        match node {
            Node::Mark(_, ref inner) if matches!(**inner, Node::If(_)) => node,
            Node::Mark(_, inner) => {
                self.marked.pop();
                *inner
            }
            other => other,
        }
    }

    fn optional_statements(&mut self, node: Option<prism::StatementsNode<'_>>) -> Node {
        match node {
            Some(node) => self.statements(&node),
            None => Node::Nil,
        }
    }

    fn parentheses(&mut self, node: &prism::ParenthesesNode<'_>) -> Node {
        self.optional(node.body())
    }

    /// Records an error at an offset, unless there is one already.
    fn fail(&mut self, offset: u32, message: &str) {
        if self.error.is_none() {
            self.error = Some(SyntaxError::at(&self.file, offset, message));
        }
    }

    /// Records that Ruby 3.1 does not accept the token after an offset.
    fn fail_after(&mut self, offset: u32) {
        if self.error.is_none() {
            self.error = Some(error::unexpected_after(&self.file, offset));
        }
    }

    /// Index of an offset's line; caches the last one.
    fn line_index(&mut self, offset: u32) -> usize {
        let starts = &self.file.line_starts;
        let mut index = self.line_hint.min(starts.len().saturating_sub(1));
        let near = |index: usize| {
            starts.get(index).is_none_or(|&start| start <= offset)
                && starts.get(index + 1).is_none_or(|&next| offset < next)
        };
        if !near(index) {
            index += 1;
            if index >= starts.len() || !near(index) {
                index = starts.partition_point(|&start| start <= offset).saturating_sub(1);
            }
        }
        self.line_hint = index;
        index
    }

    fn line(&mut self, offset: u32) -> u32 {
        let index = self.line_index(offset);
        (self.file.first_line + index as i32).max(0) as u32
    }

    fn line_of(&mut self, node: &prism::Node<'_>) -> u32 {
        self.line(node.location().start())
    }

    fn end_line_of(&mut self, location: &prism::Location<'_>) -> u32 {
        self.line(location.end().saturating_sub(1).max(location.start()))
    }
}

fn symbol_of(id: &prism::ConstantId<'_>) -> Symbol {
    Symbol::intern_bytes(id.as_slice())
}

/// Begin and end of a location, as byte offsets.
fn span(location: &prism::Location<'_>) -> (u32, u32) {
    (location.start(), location.end())
}

/// Wraps a node that has no line and can raise or call, to set the line.
fn with_line(line: u32, node: Node) -> Node {
    Node::Line(line, Box::new(node))
}
