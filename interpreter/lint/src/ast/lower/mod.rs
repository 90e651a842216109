//! Lowers prism's nodes to the tree of [`super`].

mod assign;
mod body;
mod call;
mod literal;

use super::{Comment, Data, Form, Kind, Span, Tree};
use ruby_prism::{ConstantId, Location, Node, NodeList, StatementsNode};
use std::cell::OnceCell;

/// Deeper code becomes one node without children, to keep the native stack finite; no real code nests this deep.
const DEEPEST: usize = 3000;

#[derive(Clone, Debug)]
pub struct SyntaxError {
    pub span: Span,
    /// The parser's message.
    pub text: String,
}

/// Parses a file and passes its tree or the errors to `use_it`.
pub fn parse<R>(source: &str, use_it: impl FnOnce(Result<&Tree<'_>, Vec<SyntaxError>>) -> R) -> R {
    let parsed = ruby_prism::parse(source.as_bytes());
    if parsed.is_failure() {
        let errors = parsed.errors().map(|error| SyntaxError {
            span: span(&error.location()),
            text: String::from_utf8_lossy(error.message()).into_owned(),
        });
        return use_it(Err(errors.collect()));
    }
    let texts = Texts::default();
    let mut lower =
        Lower { source, texts: &texts, nodes: Vec::with_capacity(source.len() / 12), kids: Vec::new(), depth: 0 };
    lower.add(Kind::Empty, Span::default(), &[]);
    let root = parsed.node().as_program_node().map_or(0, |program| lower.statements(Some(program.statements())));
    let comments = parsed.comments().map(|comment| Comment { span: span(&comment.location()) }).collect();
    let tree = Tree { source, nodes: lower.nodes, kids: lower.kids, root, comments };
    use_it(Ok(&tree))
}

fn span(location: &Location<'_>) -> Span {
    Span::new(location.start(), location.end())
}

fn opt(location: Option<Location<'_>>) -> Span {
    location.map_or_else(Span::default, |location| span(&location))
}

fn name<'t>(id: &ConstantId<'t>) -> &'t str {
    std::str::from_utf8(id.as_slice()).unwrap_or_default()
}

/// Strings that are not slices of the source. A linked list, so that references to earlier ones stay valid.
#[derive(Default)]
struct Texts {
    text: OnceCell<String>,
    next: OnceCell<Box<Texts>>,
}

impl Drop for Texts {
    /// Iterative, since a recursive drop of a long list could overflow the stack.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

struct Lower<'t> {
    source: &'t str,
    texts: &'t Texts,
    nodes: Vec<Data<'t>>,
    kids: Vec<u32>,
    depth: usize,
}

impl<'t> Lower<'t> {
    fn add(&mut self, kind: Kind, span: Span, kids: &[u32]) -> u32 {
        let id = u32::try_from(self.nodes.len()).unwrap_or(0);
        let at = u32::try_from(self.kids.len()).unwrap_or(0);
        self.kids.extend_from_slice(kids);
        for kid in kids {
            if *kid != 0
                && let Some(node) = self.nodes.get_mut(*kid as usize)
            {
                node.parent = id;
            }
        }
        self.nodes.push(Data {
            kind,
            form: Form::Plain,
            span,
            selector: Span::default(),
            open: Span::default(),
            close: Span::default(),
            text: "",
            parent: 0,
            kids: at,
            count: u32::try_from(kids.len()).unwrap_or(0),
        });
        id
    }

    /// Stores a string that is not a slice of the source.
    fn keep(&mut self, text: &[u8]) -> &'t str {
        let kept = self.texts.text.get_or_init(|| String::from_utf8_lossy(text).into_owned());
        self.texts = self.texts.next.get_or_init(Box::default);
        kept
    }

    /// Changes a node, and gives its ID.
    fn with(&mut self, id: u32, change: impl FnOnce(&mut Data<'t>)) -> u32 {
        if let Some(node) = self.nodes.get_mut(id as usize) {
            change(node);
        }
        id
    }

    fn named(&mut self, kind: Kind, span: Span, text: &'t str, kids: &[u32]) -> u32 {
        let id = self.add(kind, span, kids);
        self.with(id, |node| node.text = text)
    }

    fn span_of(&self, id: u32) -> Span {
        self.nodes.get(id as usize).map_or_else(Span::default, |node| node.span)
    }

    fn opt(&mut self, node: Option<Node<'t>>) -> u32 {
        node.map_or(0, |node| self.node(&node))
    }

    fn list(&mut self, list: &NodeList<'t>) -> Vec<u32> {
        list.iter().map(|node| self.node(&node)).collect()
    }

    fn statements(&mut self, statements: Option<StatementsNode<'t>>) -> u32 {
        let kids = statements.map(|statements| self.list(&statements.body())).unwrap_or_default();
        self.sequence(&kids)
    }

    /// No node, the only statement, or a `Begin` of several.
    fn sequence(&mut self, kids: &[u32]) -> u32 {
        match kids {
            [] => 0,
            [one] => *one,
            [first, .., last] => {
                let span = self.span_of(*first).join(self.span_of(*last));
                self.add(Kind::Begin, span, kids)
            }
        }
    }

    fn node(&mut self, node: &Node<'t>) -> u32 {
        if self.depth >= DEEPEST {
            return self.add(Kind::Other, span(&node.location()), &[]);
        }
        self.depth += 1;
        let id = self.lower(node);
        self.depth -= 1;
        id
    }

    fn lower(&mut self, node: &Node<'t>) -> u32 {
        let here = span(&node.location());
        if let Some(call) = node.as_call_node() {
            return self.call(&call);
        }
        if let Some(id) = self.literal(node, here) {
            return id;
        }
        if let Some(id) = self.assignment(node, here) {
            return id;
        }
        if let Some(id) = self.control(node, here) {
            return id;
        }
        if let Some(id) = self.definition(node, here) {
            return id;
        }
        self.other(node, here)
    }

    /// All other nodes: jumps, ranges, and constructs without a case of their own.
    fn other(&mut self, node: &Node<'t>, here: Span) -> u32 {
        let (kind, kids) = match node {
            Node::SuperNode { .. } | Node::ForwardingSuperNode { .. } | Node::LambdaNode { .. } => {
                return self.call_like(node, here);
            }
            Node::AndNode { .. } => {
                let and = node.as_and_node();
                let kids = and.map(|and| vec![self.node(&and.left()), self.node(&and.right())]);
                (Kind::And, kids)
            }
            Node::OrNode { .. } => {
                let or = node.as_or_node();
                (Kind::Or, or.map(|or| vec![self.node(&or.left()), self.node(&or.right())]))
            }
            Node::ReturnNode { .. } => {
                (Kind::Return, node.as_return_node().map(|node| self.arguments(node.arguments())))
            }
            Node::BreakNode { .. } => (Kind::Break, node.as_break_node().map(|node| self.arguments(node.arguments()))),
            Node::NextNode { .. } => (Kind::Next, node.as_next_node().map(|node| self.arguments(node.arguments()))),
            Node::YieldNode { .. } => (Kind::Yield, node.as_yield_node().map(|node| self.arguments(node.arguments()))),
            Node::DefinedNode { .. } => {
                (Kind::Defined, node.as_defined_node().map(|node| vec![self.node(&node.value())]))
            }
            Node::RangeNode { .. } => {
                let range = node.as_range_node();
                let open_end = range.as_ref().is_some_and(ruby_prism::RangeNode::is_exclude_end);
                let kids = range.map(|range| vec![self.opt(range.left()), self.opt(range.right())]);
                (if open_end { Kind::Erange } else { Kind::Irange }, kids)
            }
            Node::SplatNode { .. } => (Kind::Splat, node.as_splat_node().map(|node| vec![self.opt(node.expression())])),
            Node::AssocSplatNode { .. } => {
                (Kind::Kwsplat, node.as_assoc_splat_node().map(|node| vec![self.opt(node.value())]))
            }
            Node::BlockArgumentNode { .. } => {
                (Kind::BlockPass, node.as_block_argument_node().map(|node| vec![self.opt(node.expression())]))
            }
            Node::AliasMethodNode { .. } => (
                Kind::Other,
                node.as_alias_method_node()
                    .map(|alias| vec![self.node(&alias.new_name()), self.node(&alias.old_name())]),
            ),
            Node::UndefNode { .. } => (Kind::Other, node.as_undef_node().map(|undef| self.list(&undef.names()))),
            Node::FlipFlopNode { .. } => (
                Kind::Other,
                node.as_flip_flop_node().map(|range| vec![self.opt(range.left()), self.opt(range.right())]),
            ),
            Node::PreExecutionNode { .. } => {
                (Kind::Other, node.as_pre_execution_node().map(|code| vec![self.statements(code.statements())]))
            }
            Node::PostExecutionNode { .. } => {
                (Kind::Other, node.as_post_execution_node().map(|code| vec![self.statements(code.statements())]))
            }
            Node::MatchRequiredNode { .. } => {
                (Kind::Other, node.as_match_required_node().map(|node| vec![self.node(&node.value())]))
            }
            Node::MatchPredicateNode { .. } => {
                (Kind::Other, node.as_match_predicate_node().map(|node| vec![self.node(&node.value())]))
            }
            Node::ShareableConstantNode { .. } => {
                (Kind::Other, node.as_shareable_constant_node().map(|node| vec![self.node(&node.write())]))
            }
            _ => (Kind::Other, None),
        };
        let kids: Vec<u32> = kids.unwrap_or_default();
        self.add(kind, here, &kids)
    }
}
