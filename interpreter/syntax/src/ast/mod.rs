//! A source as the tree of `RubyVM::AbstractSyntaxTree`: MRI 3.1's kinds of nodes with their children and places.
//!
//! The tree is built from prism's as MRI's grammar builds it: lists of arguments, interpolated texts and logic grow item by item, and a node's place
//! is that of its grammar's rule, which may end with the separator that follows.

mod args;
mod assign;
mod call;
mod control;
mod definition;
mod literal;
mod pattern;
mod statements;

use ruby_prism as prism;
use ruby_prism::Node;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A node; its place in byte offsets.
#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    pub kind: &'static str,
    pub from: usize,
    pub to: usize,
    pub children: Vec<Child>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Child {
    Nil,
    True,
    False,
    Node(Ast),
    /// A name.
    Sym(Vec<u8>),
    Int(i64),
    Lit(Lit),
    /// The locals of a scope; hidden ones have no name.
    Names(Vec<Option<Vec<u8>>>),
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Lit {
    Sym(Vec<u8>),
    Str(Vec<u8>),
    /// Decimal digits with a sign.
    Int(String),
    Float(f64),
    /// Numerator and denominator in decimal digits.
    Rational(String, String),
    /// The imaginary part.
    Imaginary(Box<Lit>),
    /// Source and the bits of `Regexp#options`.
    Regexp(Vec<u8>, u8),
    /// `__ENCODING__`
    Encoding,
}

/// What made it impossible to give the tree.
#[derive(Debug)]
pub enum Refused {
    /// A syntax error.
    Syntax(Box<crate::SyntaxError>),
    /// A construct that is not supported.
    Unsupported,
}

/// Positions in a source: line from 1, column in bytes from 0.
pub struct Lines(Vec<usize>);

/// Added to the offset of a newline: the place after it, still on its line.
const AFTER: usize = 1 << 40;
/// Added to the offset of a newline for each line that its here documents take: where MRI sees it.
const LINES: usize = 1 << 41;

impl Lines {
    pub fn of(source: &[u8]) -> Lines {
        let mut starts = vec![0];
        starts.extend(source.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
        Lines(starts)
    }
    pub fn position(&self, at: usize) -> (usize, usize) {
        if at >= LINES {
            let (line, column) = self.position(at % LINES);
            return (line + at / LINES, column);
        }
        if at >= AFTER {
            let (line, column) = self.position(at - AFTER);
            return (line, column + 1);
        }
        let line = self.0.partition_point(|start| *start <= at);
        (line, at - self.0.get(line.wrapping_sub(1)).copied().unwrap_or(0))
    }
}

/// The tree of a program; `path` is what `__FILE__` is.
///
/// # Errors
/// Where the source does not parse, and for what is not supported.
pub fn ast(source: &[u8], path: &str) -> Result<Ast, Refused> {
    let made = crate::stack::on_large_stack(|limit| {
        // jumps and `yield` are valid anywhere
        let options = prism::Options::default().version(prism::Version::CRuby3_3).partial_script(true).build();
        let result = prism::parse_with_options(source, &options);
        if result.errors().any(|error| crate::circular::is_error(&result, &error, limit)) {
            return None;
        }
        let end = result.data_loc().map_or(source.len(), |data| data.start() as usize);
        let text = source.get(..end).unwrap_or(source);
        let builder = Builder { source: text, path, limit, scopes: RefCell::default(), documents: RefCell::default() };
        Some(builder.program(&result.node().as_program_node()?))
    });
    match made.flatten() {
        Some(Some(root)) => Ok(root),
        Some(None) => Err(Refused::Unsupported),
        None => {
            let request = crate::ParseRequest::file(source, path, crate::ParseKind::File);
            match crate::lower::parse_anew(request) {
                Err(error) => Err(Refused::Syntax(Box::new(error))),
                Ok(_) => Err(Refused::Unsupported),
            }
        }
    }
}

/// What a scope's locals are called: those of blocks have names of their own.
#[derive(Clone, Copy, PartialEq)]
enum ScopeKind {
    Plain,
    Block,
}

struct Builder<'s> {
    source: &'s [u8],
    path: &'s str,
    /// The lowest address that the stack may reach.
    limit: usize,
    scopes: RefCell<Vec<ScopeKind>>,
    /// The newlines of lines on which here documents are named, and where these end.
    documents: RefCell<BTreeMap<usize, usize>>,
}

/// The end of the separators after a place in a source without here documents.
pub(crate) fn trailing(source: &[u8], at: usize) -> usize {
    let (scopes, documents) = (RefCell::default(), RefCell::default());
    Builder { source, path: "", limit: 0, scopes, documents }.trailing(at)
}

type Found = Option<Ast>;

fn node(kind: &'static str, from: usize, to: usize, children: Vec<Child>) -> Ast {
    Ast { kind, from, to, children }
}
fn from(loc: &prism::Location<'_>) -> usize {
    loc.start() as usize
}
fn to(loc: &prism::Location<'_>) -> usize {
    loc.end() as usize
}
fn sym(name: &[u8]) -> Child {
    Child::Sym(name.to_vec())
}
fn child(found: Option<Ast>) -> Child {
    found.map_or(Child::Nil, Child::Node)
}

impl Ast {
    fn child(&self, at: usize) -> Option<&Ast> {
        match self.children.get(at) {
            Some(Child::Node(node)) => Some(node),
            _ => None,
        }
    }
    fn at(mut self, from: usize, to: usize) -> Ast {
        (self.from, self.to) = (from, to);
        self
    }
}

/// A list of nodes, which MRI ends with nil.
fn list(items: Vec<Ast>) -> Ast {
    let (from, to) = (items.first().map_or(0, |first| first.from), items.last().map_or(0, |last| last.to));
    let mut children: Vec<Child> = items.into_iter().map(Child::Node).collect();
    children.push(Child::Nil);
    node("LIST", from, to, children)
}
/// Adds an item to a list, which then ends where the item does.
fn append(list: &mut Ast, item: Child, to: usize) {
    let last = list.children.len().saturating_sub(1);
    list.children.insert(last, item);
    list.to = to;
}

impl Builder<'_> {
    fn program(&self, program: &prism::ProgramNode<'_>) -> Found {
        self.scopes.borrow_mut().push(ScopeKind::Plain);
        let statements = program.statements();
        let body = self.body_of(Some(&statements), 0, false)?;
        let end = if statements.body().is_empty() { 0 } else { self.trailing(to(&statements.location())) };
        self.scopes.borrow_mut().pop();
        let names = self.names(&program.locals());
        Some(node("SCOPE", 0, end, vec![Child::Names(names), Child::Nil, Child::Node(body)]))
    }
    fn names(&self, locals: &prism::ConstantList<'_>) -> Vec<Option<Vec<u8>>> {
        locals.iter().map(|name| Some(name.as_slice().to_vec())).collect()
    }
    fn optional(&self, found: Option<&Node<'_>>) -> Option<Child> {
        match found {
            Some(found) => self.node(found).map(Child::Node),
            None => Some(Child::Nil),
        }
    }
    /// Whether locals are read and written as in a block, all of them.
    fn is_dynamic(&self) -> bool {
        self.scopes.borrow().last() == Some(&ScopeKind::Block)
    }
    fn node(&self, found: &Node<'_>) -> Found {
        if crate::stack::is_below(self.limit) {
            return None;
        }
        let whole = found.location();
        let (start, end) = (from(&whole), to(&whole));
        let plain = |kind| Some(node(kind, start, end, Vec::new()));
        let named = |kind, name: &[u8]| Some(node(kind, start, end, vec![sym(name)]));
        match found {
            Node::CallNode { .. } => self.call(&found.as_call_node()?),
            Node::LocalVariableReadNode { .. } => {
                let read = found.as_local_variable_read_node()?;
                named(if self.is_dynamic() { "DVAR" } else { "LVAR" }, read.name().as_slice())
            }
            Node::InstanceVariableReadNode { .. } => named("IVAR", whole.as_slice()),
            Node::ClassVariableReadNode { .. } => named("CVAR", whole.as_slice()),
            Node::GlobalVariableReadNode { .. } => named("GVAR", whole.as_slice()),
            Node::NumberedReferenceReadNode { .. } => named("NTH_REF", whole.as_slice()),
            Node::BackReferenceReadNode { .. } => named("BACK_REF", whole.as_slice()),
            Node::ConstantReadNode { .. } => named("CONST", whole.as_slice()),
            Node::ConstantPathNode { .. } => self.constant_path(&found.as_constant_path_node()?),
            Node::SelfNode { .. } => plain("SELF"),
            Node::NilNode { .. } => plain("NIL"),
            Node::TrueNode { .. } => plain("TRUE"),
            Node::FalseNode { .. } => plain("FALSE"),
            Node::RedoNode { .. } => plain("REDO"),
            Node::RetryNode { .. } => plain("RETRY"),
            Node::ForwardingSuperNode { .. } => self.forwarding_super(&found.as_forwarding_super_node()?),
            Node::SuperNode { .. } => self.super_call(&found.as_super_node()?),
            Node::YieldNode { .. } => {
                let arguments = found.as_yield_node()?.arguments();
                Some(node("YIELD", start, end, vec![child(self.arguments(arguments.as_ref(), None)?)]))
            }
            Node::ParenthesesNode { .. } => {
                let parens = found.as_parentheses_node()?;
                match parens.body() {
                    Some(body) => self.body_of(body.as_statements_node().as_ref(), start + 1, false),
                    None => Some(self.nothing(start + 1)),
                }
            }
            Node::AndNode { .. } => {
                let both = found.as_and_node()?;
                Some(self.logic("AND", self.node(&both.left())?, self.node(&both.right())?, start, end))
            }
            Node::OrNode { .. } => {
                let both = found.as_or_node()?;
                Some(self.logic("OR", self.node(&both.left())?, self.node(&both.right())?, start, end))
            }
            Node::DefinedNode { .. } => {
                Some(node("DEFINED", start, end, vec![Child::Node(self.node(&found.as_defined_node()?.value())?)]))
            }
            Node::RangeNode { .. } => self.range(&found.as_range_node()?),
            Node::LambdaNode { .. } => self.lambda(&found.as_lambda_node()?),
            Node::DefNode { .. } => self.def(&found.as_def_node()?),
            Node::ImplicitNode { .. } => self.node(&found.as_implicit_node()?.value()),
            Node::ArrayNode { .. } => self.array(&found.as_array_node()?),
            Node::HashNode { .. } => {
                let elements: Vec<Node<'_>> = found.as_hash_node()?.elements().iter().collect();
                self.hash(&elements, start, end)
            }
            Node::StatementsNode { .. } => self.body_of(found.as_statements_node().as_ref(), start, false),
            _ => self
                .literal(found)
                .or_else(|| self.assignment(found))
                .or_else(|| self.control(found))
                .or_else(|| self.definition(found))
                .or_else(|| self.matching(found)),
        }
    }
    /// `and` and `or`; a chain of the same operator is one node.
    fn logic(&self, kind: &'static str, left: Ast, right: Ast, start: usize, end: usize) -> Ast {
        let mut children = Vec::new();
        let mut begin = start;
        if left.kind == kind {
            begin = left.from;
            children.extend(left.children);
        } else {
            children.push(Child::Node(left));
        }
        if right.kind == kind {
            children.extend(right.children);
        } else {
            children.push(Child::Node(right));
        }
        node(kind, begin, end, children)
    }
    fn range(&self, range: &prism::RangeNode<'_>) -> Found {
        let kind = if range.is_exclude_end() { "DOT3" } else { "DOT2" };
        self.range_as(kind, range.left(), &range.operator_loc(), range.right(), &range.location())
    }
    fn range_as(
        &self,
        kind: &'static str,
        left: Option<Node<'_>>,
        operator: &prism::Location<'_>,
        right: Option<Node<'_>>,
        whole: &prism::Location<'_>,
    ) -> Found {
        let open = |at: usize| node("NIL", at, at, Vec::new());
        let left = match left {
            Some(left) => self.node(&left)?,
            None => open(from(operator)),
        };
        let right = match right {
            Some(right) => self.node(&right)?,
            None => open(to(operator)),
        };
        Some(node(kind, from(whole), to(whole), vec![Child::Node(left), Child::Node(right)]))
    }
    fn constant_path(&self, path: &prism::ConstantPathNode<'_>) -> Found {
        let whole = path.location();
        let name = sym(path.name_loc().as_slice());
        Some(match path.parent() {
            Some(parent) => node("COLON2", from(&whole), to(&whole), vec![Child::Node(self.node(&parent)?), name]),
            None => node("COLON3", from(&whole), to(&whole), vec![name]),
        })
    }
}
