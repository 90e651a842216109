//! Lists of arguments, as they grow with plain values and splats.

use super::{Ast, Builder, Child, Found, append, child, from, list, node, to};
use ruby_prism as prism;
use ruby_prism::Node;

/// The list that is splatted, if it is a literal one.
fn splatted_list(args: &mut Ast) -> Option<&mut Ast> {
    let inner = if args.kind == "SPLAT" {
        match args.children.first_mut() {
            Some(Child::Node(inner)) => inner,
            _ => return None,
        }
    } else {
        args
    };
    (inner.kind == "LIST").then_some(inner)
}
/// Adds a plain value.
pub(super) fn arg_append(mut args: Ast, value: Ast, from: usize, to: usize) -> Ast {
    match args.kind {
        "LIST" => {
            let end = value.to;
            append(&mut args, Child::Node(value), end);
            args
        }
        "ARGSPUSH" => {
            let end = value.to;
            if let Some(Child::Node(pushed)) = args.children.pop() {
                args.children.push(Child::Node(list(vec![pushed, value])));
            }
            args.kind = "ARGSCAT";
            args.to = end;
            args
        }
        "ARGSCAT" if args.child(1).is_some_and(|body| body.kind == "LIST") => {
            let end = value.to;
            if let Some(Child::Node(body)) = args.children.get_mut(1) {
                append(body, Child::Node(value), end);
            }
            args.to = end;
            args
        }
        _ => node("ARGSPUSH", from, to, vec![Child::Node(args), Child::Node(value)]),
    }
}
/// Adds a plain value, also to a literal list that is splatted.
fn last_append(mut args: Ast, value: Ast, from: usize, to: usize) -> Ast {
    if let Some(inner) = splatted_list(&mut args) {
        let end = value.to;
        append(inner, Child::Node(value), end);
        return match args.kind {
            "SPLAT" => match args.children.pop() {
                Some(Child::Node(inner)) => inner,
                _ => args,
            },
            _ => args,
        };
    }
    arg_append(args, value, from, to)
}
fn concat(into: &mut Ast, other: Ast) {
    let end = other.to;
    for item in other.children {
        if item != Child::Nil {
            append(into, item, end);
        }
    }
    into.to = end;
}
/// Adds a splatted value.
pub(super) fn arg_concat(mut args: Ast, rest: Ast, from: usize, to: usize) -> Ast {
    let is_list = rest.kind == "LIST";
    match args.kind {
        "ARGSPUSH" if is_list => {
            if let Some(Child::Node(pushed)) = args.children.pop() {
                let mut body = list(vec![pushed]);
                concat(&mut body, rest);
                args.children.push(Child::Node(body));
            }
            args.kind = "ARGSCAT";
            args
        }
        "ARGSCAT" if is_list && args.child(1).is_some_and(|body| body.kind == "LIST") => {
            if let Some(Child::Node(body)) = args.children.get_mut(1) {
                concat(body, rest);
            }
            args
        }
        _ => node("ARGSCAT", from, to, vec![Child::Node(args), Child::Node(rest)]),
    }
}
fn rest_append(mut args: Ast, rest: Ast, from: usize, to: usize) -> Ast {
    if rest.kind == "LIST"
        && let Some(inner) = splatted_list(&mut args)
    {
        concat(inner, rest);
        return match (args.kind, args.children.pop()) {
            ("SPLAT", Some(Child::Node(inner))) => inner,
            (_, Some(last)) => {
                args.children.push(last);
                args
            }
            (_, None) => args,
        };
    }
    arg_concat(args, rest, from, to)
}

impl Builder<'_> {
    /// Values and splats, in the order in which they stand; None for no value at all.
    pub(super) fn values(&self, values: &[Node<'_>]) -> Option<Option<Ast>> {
        let Some(first) = values.first() else { return Some(None) };
        let begin = from(&first.location());
        let mut args: Option<Ast> = None;
        for value in values {
            let loc = value.location();
            let end = to(&loc);
            args = Some(match (args, value) {
                (before, Node::SplatNode { .. }) => {
                    let inner = self.splatted(value)?;
                    match before {
                        Some(args) => rest_append(args, inner, begin, end),
                        None => node("SPLAT", begin, end, vec![Child::Node(inner)]),
                    }
                }
                (before, Node::KeywordHashNode { .. }) => {
                    let elements: Vec<Node<'_>> = value.as_keyword_hash_node()?.elements().iter().collect();
                    let hash = self.hash(&elements, from(&loc), end)?;
                    match before {
                        Some(args) => arg_append(args, hash, begin, end),
                        None => list(vec![hash]),
                    }
                }
                (Some(args), _) => last_append(args, self.node(value)?, begin, end),
                (None, _) => {
                    // a list of one value begins and ends where that stands in the source
                    let mut made = list(vec![self.node(value)?]);
                    (made.from, made.to) = (begin, end);
                    made
                }
            });
        }
        Some(args)
    }
    fn splatted(&self, splat: &Node<'_>) -> Found {
        let splat = splat.as_splat_node()?;
        match splat.expression() {
            Some(inner) => self.node(&inner),
            None => None,
        }
    }
    /// The arguments of a call with its block argument.
    pub(super) fn arguments(
        &self,
        arguments: Option<&prism::ArgumentsNode<'_>>,
        block: Option<&Node<'_>>,
    ) -> Option<Option<Ast>> {
        let values: Vec<Node<'_>> = arguments.map(|found| found.arguments().iter().collect()).unwrap_or_default();
        if let Some((Node::ForwardingArgumentsNode { .. }, before)) = values.split_last() {
            return self.forwarded(values.last()?, before).map(Some);
        }
        let mut args = self.values(&values)?;
        let Some(block) = block.and_then(Node::as_block_argument_node) else { return Some(args) };
        let whole = block.location();
        let (mut start, end) = (from(&whole), to(&whole));
        let value = match block.expression() {
            Some(value) => self.node(&value)?,
            None => node("LVAR", start, start + 1, vec![Child::Sym(b"&".to_vec())]),
        };
        if let Some(args) = &mut args {
            start = args.from;
            if args.kind == "ARGSPUSH" && values.last().is_some_and(|last| last.as_keyword_hash_node().is_some()) {
                args.to = end;
            }
        }
        Some(Some(node("BLOCK_PASS", start, end, vec![child(args), Child::Node(value)])))
    }
    /// Where the parenthesis before arguments is.
    fn open_paren(&self, before: &[Node<'_>]) -> usize {
        let first = before.first().map_or(0, |first| from(&first.location()));
        let text = self.source.get(..first).unwrap_or_default();
        text.iter().rposition(|byte| *byte == b'(').unwrap_or(first)
    }
    /// `...` after other arguments.
    fn forwarded(&self, dots: &Node<'_>, before: &[Node<'_>]) -> Found {
        let (start, end) = (from(&dots.location()), to(&dots.location()));
        let read = |name: &[u8]| node("LVAR", start, end, vec![Child::Sym(name.to_vec())]);
        let args = match self.values(before)? {
            // the parentheses are part of it
            Some(args) => rest_append(args, read(b"*"), self.open_paren(before), end + 1),
            None => node("SPLAT", start, end, vec![Child::Node(read(b"*"))]),
        };
        let begin = args.from;
        Some(node("BLOCK_PASS", begin, end, vec![Child::Node(args), Child::Node(read(b"&"))]))
    }
    /// Keys and values.
    pub(super) fn hash(&self, elements: &[Node<'_>], start: usize, end: usize) -> Found {
        if elements.is_empty() {
            return Some(node("HASH", start, end, vec![Child::Nil]));
        }
        let mut items = Vec::new();
        let (mut begin, mut last) = (None, 0);
        for element in elements {
            let loc = element.location();
            begin.get_or_insert(from(&loc));
            if let Some(splat) = element.as_assoc_splat_node() {
                items.push(Child::Nil);
                let value = self.node(&splat.value()?)?;
                last = value.to;
                items.push(Child::Node(value));
                continue;
            }
            let pair = element.as_assoc_node()?;
            let mut key = self.node(&pair.key())?;
            if key.kind == "STR" {
                key.kind = "LIT";
            }
            let value = pair.value();
            let value = match value.as_implicit_node() {
                // the value stands where the key does
                Some(implicit) => {
                    let (start, end) = (key.from, key.to);
                    let mut made = self.node(&implicit.value())?;
                    if made.kind == "FCALL" {
                        made.kind = "VCALL";
                        made.children.truncate(1);
                    }
                    node(made.kind, start, end, made.children)
                }
                None => self.node(&value)?,
            };
            last = value.to;
            items.push(Child::Node(key));
            items.push(Child::Node(value));
        }
        items.push(Child::Nil);
        let list = node("LIST", begin.unwrap_or(start), last, items);
        Some(node("HASH", start, end, vec![Child::Node(list)]))
    }
}
