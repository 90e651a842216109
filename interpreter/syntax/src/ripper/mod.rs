//! A source as the events of Ripper's grammar: nested lists in the order in which Ripper's methods are called, from the inside out.
//!
//! A node is a list of the event's name and its arguments, a token one of `@` with its kind, its text and its place. Lists that the grammar builds
//! item by item have a name of their own: `stmts`, `args`, `mlhs`, `mrhs`, `words` ..., with `star` around an item that is splatted.

mod assignment;
mod call;
pub mod lex;
mod pattern;
mod statement;
mod string;

use ruby_prism as prism;
use ruby_prism::Node;
use std::cell::Cell;

#[derive(Clone, Debug, PartialEq)]
pub enum Sexp {
    /// A kind of node or an operator.
    Sym(String),
    /// Text of the source.
    Str(Vec<u8>),
    /// Line or column.
    Int(i64),
    Nil,
    /// `false`, which Ripper uses for some absent parts.
    False,
    /// A node, or a list of nodes.
    List(Vec<Sexp>),
    /// A node, and where it ends in the source: its event follows those of all tokens before.
    Node(usize, Vec<Sexp>),
}

/// The lists of a program; None when it does not parse or has a construct that is not supported here (pattern matching, flip-flops, `BEGIN`).
pub fn sexp(source: &[u8]) -> Option<Sexp> {
    crate::stack::on_large_stack(|limit| {
        // jumps and `yield` are valid anywhere
        let options = prism::Options::default().version(prism::Version::CRuby3_3).partial_script(true).build();
        let result = prism::parse_with_options(source, &options);
        if result
            .errors()
            .any(|error| !is_of_compiler(error.message()) && crate::circular::is_error(&result, &error, limit))
        {
            return None;
        }
        let mut lines = vec![first_line_start(source)];
        lines.extend(source.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
        let builder = Builder { source, lines, limit, after_command: Cell::new(usize::MAX) };
        let program = result.node();
        let statements = builder.statements(Some(&program.as_program_node()?.statements()))?;
        Some(node("program", [statements]))
    })?
}

/// Where columns of the first line are counted from: a byte order mark is not part of it.
pub fn first_line_start(source: &[u8]) -> usize {
    if source.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
}

/// Errors that MRI's compiler reports, and its parser not: jumps out of nothing, a pinned variable that is not there, a jump where a value is
/// needed.
pub fn is_of_compiler(message: &[u8]) -> bool {
    let jump = [&b"Invalid next"[..], b"Invalid break", b"Invalid redo", b"Invalid retry", b"Invalid yield"];
    jump.iter().any(|start| message.starts_with(start))
        || message.ends_with(b": no such local variable")
        || message.ends_with(b"void value expression")
}

fn sym(text: &str) -> Sexp {
    Sexp::Sym(text.to_string())
}
fn node<const N: usize>(kind: &str, parts: [Sexp; N]) -> Sexp {
    Sexp::List(std::iter::once(sym(kind)).chain(parts).collect())
}

/// A node that knows where it ends.
fn ended<const N: usize>(end: &prism::Location<'_>, kind: &str, parts: [Sexp; N]) -> Sexp {
    Sexp::Node(end.end() as usize, std::iter::once(sym(kind)).chain(parts).collect())
}

/// A list that the grammar builds item by item.
fn list(kind: &str, items: Vec<Sexp>) -> Sexp {
    Sexp::List(std::iter::once(sym(kind)).chain(items).collect())
}

struct Builder<'s> {
    source: &'s [u8],
    lines: Vec<usize>,
    /// Where the first argument of a call without parentheses begins: a parenthesis there is around one expression.
    after_command: Cell<usize>,
    /// The lowest address that the stack may reach.
    limit: usize,
}

type Found = Option<Sexp>;

impl Builder<'_> {
    fn position(&self, at: usize) -> Sexp {
        let line = self.lines.partition_point(|start| *start <= at);
        let column = at - self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        Sexp::List(vec![Sexp::Int(line as i64), Sexp::Int(column as i64)])
    }
    fn token(&self, kind: &str, start: usize, end: usize) -> Sexp {
        let text = self.source.get(start..end).unwrap_or_default().to_vec();
        node(kind, [Sexp::Str(text), self.position(start)])
    }
    fn at(&self, kind: &str, loc: &prism::Location<'_>) -> Sexp {
        self.token(kind, loc.start() as usize, loc.end() as usize)
    }
    /// The token of a name, its kind told by its first characters: identifier, constant, variable, keyword, operator.
    fn name(&self, loc: &prism::Location<'_>) -> Sexp {
        self.at(kind_of_name(loc.as_slice()), loc)
    }
    fn optional(&self, found: Option<&Node<'_>>) -> Found {
        found.map_or(Some(Sexp::Nil), |found| self.node(found))
    }
    fn period(&self, loc: &prism::Location<'_>) -> Sexp {
        match loc.as_slice() {
            b"." => self.at("@period", loc),
            b"::" => sym("::"),
            _ => self.at("@op", loc),
        }
    }
    fn node(&self, found: &Node<'_>) -> Found {
        if crate::stack::is_below(self.limit) {
            return None;
        }
        Some(match self.parts_of_node(found)? {
            Sexp::List(parts) if !is_token(&parts) => Sexp::Node(found.location().end() as usize, parts),
            other => other,
        })
    }
    fn parts_of_node(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        let keyword = || Some(node("var_ref", [self.at("@kw", &whole)]));
        match found {
            Node::CallNode { .. } => self.call(&found.as_call_node()?),
            Node::LocalVariableReadNode { .. }
            | Node::InstanceVariableReadNode { .. }
            | Node::ClassVariableReadNode { .. }
            | Node::GlobalVariableReadNode { .. }
            | Node::ConstantReadNode { .. } => Some(node("var_ref", [self.name(&whole)])),
            Node::BackReferenceReadNode { .. } | Node::NumberedReferenceReadNode { .. } => {
                Some(self.at("@backref", &whole))
            }
            Node::SelfNode { .. }
            | Node::NilNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
            | Node::SourceFileNode { .. }
            | Node::SourceLineNode { .. }
            | Node::SourceEncodingNode { .. } => keyword(),
            Node::ConstantPathNode { .. } => {
                let path = found.as_constant_path_node()?;
                let name = self.at("@const", &path.name_loc());
                Some(match path.parent() {
                    Some(parent) => node("const_path_ref", [self.node(&parent)?, name]),
                    None => node("top_const_ref", [name]),
                })
            }
            Node::IntegerNode { .. } => Some(self.number("@int", &whole)),
            Node::FloatNode { .. } => Some(self.number("@float", &whole)),
            Node::RationalNode { .. } => Some(self.number("@rational", &whole)),
            Node::ImaginaryNode { .. } => Some(self.number("@imaginary", &whole)),
            Node::StringNode { .. }
            | Node::InterpolatedStringNode { .. }
            | Node::XStringNode { .. }
            | Node::InterpolatedXStringNode { .. }
            | Node::SymbolNode { .. }
            | Node::InterpolatedSymbolNode { .. }
            | Node::RegularExpressionNode { .. }
            | Node::MatchLastLineNode { .. }
            | Node::InterpolatedMatchLastLineNode { .. }
            | Node::InterpolatedRegularExpressionNode { .. } => self.text(found),
            Node::ArrayNode { .. } => self.array(&found.as_array_node()?),
            Node::HashNode { .. } => {
                let pairs: Vec<Sexp> =
                    found.as_hash_node()?.elements().iter().map(|pair| self.node(&pair)).collect::<Option<_>>()?;
                let inside = match pairs.is_empty() {
                    true => Sexp::Nil,
                    false => Sexp::Node(whole.end() as usize, vec![sym("assoclist_from_args"), Sexp::List(pairs)]),
                };
                Some(node("hash", [inside]))
            }
            Node::AssocNode { .. } => {
                let pair = found.as_assoc_node()?;
                let value = pair.value();
                let value = if value.as_implicit_node().is_some() { Sexp::Nil } else { self.node(&value)? };
                Some(node("assoc_new", [self.node(&pair.key())?, value]))
            }
            Node::AssocSplatNode { .. } => {
                Some(node("assoc_splat", [self.optional(found.as_assoc_splat_node()?.value().as_ref())?]))
            }
            Node::ParenthesesNode { .. } => {
                let body = found.as_parentheses_node()?.body();
                if self.after_command.get() == found.location().start() as usize {
                    let one = body.as_ref().and_then(Node::as_statements_node).and_then(|all| all.body().iter().next());
                    return Some(node("paren", [one.map_or(Some(Sexp::Nil), |one| self.node(&one))?]));
                }
                let end = found.as_parentheses_node()?.opening_loc().end() as usize;
                Some(node("paren", [self.after_semicolon(end, self.body(body.as_ref())?)]))
            }
            Node::AndNode { .. } => {
                let both = found.as_and_node()?;
                self.logic(&both.left(), &both.operator_loc(), &both.right())
            }
            Node::OrNode { .. } => {
                let both = found.as_or_node()?;
                self.logic(&both.left(), &both.operator_loc(), &both.right())
            }
            Node::RangeNode { .. } => {
                let range = found.as_range_node()?;
                let kind = if range.operator_loc().as_slice() == b"..." { "dot3" } else { "dot2" };
                Some(node(kind, [self.optional(range.left().as_ref())?, self.optional(range.right().as_ref())?]))
            }
            Node::FlipFlopNode { .. } => {
                let range = found.as_flip_flop_node()?;
                let kind = if range.operator_loc().as_slice() == b"..." { "dot3" } else { "dot2" };
                Some(node(kind, [self.optional(range.left().as_ref())?, self.optional(range.right().as_ref())?]))
            }
            Node::LambdaNode { .. } => self.lambda(&found.as_lambda_node()?),
            Node::DefinedNode { .. } => Some(node("defined", [self.node(&found.as_defined_node()?.value())?])),
            _ => self.statement(found),
        }
    }
    /// A number; a sign is a unary operator.
    fn number(&self, kind: &str, whole: &prism::Location<'_>) -> Sexp {
        let (start, end) = (whole.start() as usize, whole.end() as usize);
        match whole.as_slice().first() {
            Some(b'-') => node("unary", [sym("-@"), self.token(kind, start + 1, end)]),
            _ => self.token(kind, start, end),
        }
    }
    fn logic(&self, left: &Node<'_>, operator: &prism::Location<'_>, right: &Node<'_>) -> Found {
        let sign = Sexp::Sym(String::from_utf8_lossy(operator.as_slice()).into_owned());
        Some(node("binary", [self.node(left)?, sign, self.node(right)?]))
    }
}

/// Whether this is a token: `[:@ident, text, place]`.
fn is_token(parts: &[Sexp]) -> bool {
    matches!(parts.first(), Some(Sexp::Sym(kind)) if kind.starts_with('@'))
}

fn kind_of_name(name: &[u8]) -> &'static str {
    const KEYWORDS: &[&[u8]] = &[
        b"alias",
        b"and",
        b"begin",
        b"BEGIN",
        b"break",
        b"case",
        b"class",
        b"def",
        b"defined?",
        b"do",
        b"else",
        b"elsif",
        b"end",
        b"END",
        b"ensure",
        b"false",
        b"for",
        b"if",
        b"in",
        b"module",
        b"next",
        b"nil",
        b"not",
        b"or",
        b"redo",
        b"rescue",
        b"retry",
        b"return",
        b"self",
        b"super",
        b"then",
        b"true",
        b"undef",
        b"unless",
        b"until",
        b"when",
        b"while",
        b"yield",
        b"__FILE__",
        b"__LINE__",
        b"__ENCODING__",
    ];
    match name {
        [b'@', b'@', ..] => "@cvar",
        [b'@', ..] => "@ivar",
        [b'$', ..] => "@gvar",
        [b'`'] => "@backtick",
        _ if KEYWORDS.contains(&name) => "@kw",
        [b'A'..=b'Z', .., b'?' | b'!' | b'='] => "@ident",
        [b'A'..=b'Z', ..] => "@const",
        [b'a'..=b'z' | b'_' | 0x80..=0xff, ..] => "@ident",
        _ => "@op",
    }
}
