//! Calls, and syntax that is lowered like a call.

use super::{Kind, Lower, Span, name, opt, span};
use ruby_prism::{ArgumentsNode, BlockNode, CallNode, Node};

impl<'t> Lower<'t> {
    pub(super) fn arguments(&mut self, arguments: Option<ArgumentsNode<'t>>) -> Vec<u32> {
        arguments.map(|arguments| self.list(&arguments.arguments())).unwrap_or_default()
    }

    pub(super) fn call(&mut self, call: &CallNode<'t>) -> u32 {
        let here = span(&call.location());
        let receiver = self.opt(call.receiver());
        let mut kids = vec![receiver];
        kids.extend(self.arguments(call.arguments()));
        let block = call.block();
        if let Some(pass) = block.as_ref().filter(|block| block.as_block_argument_node().is_some()) {
            kids.push(self.node(pass));
        }
        let (open, close) = (opt(call.opening_loc()), opt(call.closing_loc()));
        let mut selector = opt(call.message_loc());
        if call.name().as_slice().starts_with(b"[]") && !open.is_empty() && selector.start >= open.start {
            selector = open.join(close);
        }
        let mut end = selector.end.max(close.end);
        for kid in &kids {
            end = end.max(self.span_of(*kid).end);
        }
        let kind = if call.is_safe_navigation() { Kind::Csend } else { Kind::Send };
        let id = self.named(kind, Span::new(here.start, end.min(here.end)), name(&call.name()), &kids);
        self.with(id, |node| {
            node.selector = selector;
            node.open = open;
            node.close = close;
        });
        match block.and_then(|block| block.as_block_node()) {
            Some(block) => self.block(id, &block, here),
            None => id,
        }
    }

    fn block(&mut self, call: u32, block: &BlockNode<'t>, here: Span) -> u32 {
        let (kind, args) = self.block_parameters(block.parameters(), span(&block.opening_loc()));
        let body = self.body(block.body());
        let id = self.add(kind, here, &[call, args, body]);
        self.with(id, |node| {
            node.open = span(&block.opening_loc());
            node.close = span(&block.closing_loc());
        })
    }

    fn block_parameters(&mut self, parameters: Option<Node<'t>>, open: Span) -> (Kind, u32) {
        let none = Span::new(open.end, open.end);
        match parameters {
            Some(node) if node.as_block_parameters_node().is_some() => {
                let here = span(&node.location());
                let inner = node.as_block_parameters_node().and_then(|list| list.parameters());
                let kids = inner.map(|inner| self.parameters(&inner)).unwrap_or_default();
                (Kind::Block, self.add(Kind::Args, here, &kids))
            }
            Some(node) if node.as_numbered_parameters_node().is_some() => {
                (Kind::Numblock, self.add(Kind::Args, none, &[]))
            }
            _ => (Kind::Block, self.add(Kind::Args, none, &[])),
        }
    }

    /// `super` and lambdas.
    pub(super) fn call_like(&mut self, node: &Node<'t>, here: Span) -> u32 {
        if let Some(call) = node.as_super_node() {
            let mut kids = self.arguments(call.arguments());
            let block = call.block();
            if let Some(pass) = block.as_ref().filter(|block| block.as_block_argument_node().is_some()) {
                kids.push(self.node(pass));
            }
            let end = kids.iter().map(|kid| self.span_of(*kid).end).fold(span(&call.keyword_loc()).end, u32::max);
            let end = end.max(opt(call.rparen_loc()).end);
            let id = self.named(Kind::Super, Span::new(here.start, end), "super", &kids);
            return match block.and_then(|block| block.as_block_node()) {
                Some(block) => self.block(id, &block, here),
                None => id,
            };
        }
        if let Some(call) = node.as_forwarding_super_node() {
            let id = self.named(Kind::Zsuper, span(&call.keyword_loc()), "super", &[]);
            return match call.block() {
                Some(block) => self.block(id, &block, here),
                None => id,
            };
        }
        let Some(lambda) = node.as_lambda_node() else { return self.add(Kind::Other, here, &[]) };
        let arrow = span(&lambda.operator_loc());
        let call = self.named(Kind::Send, arrow, "lambda", &[0]);
        self.with(call, |node| node.selector = arrow);
        let (kind, args) = self.block_parameters(lambda.parameters(), span(&lambda.opening_loc()));
        let body = self.body(lambda.body());
        let id = self.add(kind, here, &[call, args, body]);
        self.with(id, |node| {
            node.open = span(&lambda.opening_loc());
            node.close = span(&lambda.closing_loc());
        })
    }
}
