//! Calls, blocks, `super`, `yield`, constants.

use super::scope::{Scope, ScopeKind, read_local};
use super::{Lowering, span, symbol_of};
use crate::Symbol;
use crate::symbol::sym;
use crate::tree::{
    Args, BinOp, BlockArg, Branch, Call, CallFlags, Code, CodeKind, ConstPath, ConstRead, HashElem, InlineCache,
    Leaves, LocalRef, Node, OpCall, Super,
};
use ruby_prism as prism;
use std::sync::Arc;

/// The operator that has a node of its own, by method name.
pub(super) fn bin_op(name: Symbol) -> Option<BinOp> {
    Some(match name {
        sym::PLUS => BinOp::Add,
        sym::MINUS => BinOp::Sub,
        sym::STAR => BinOp::Mul,
        sym::SLASH => BinOp::Div,
        sym::PERCENT => BinOp::Mod,
        sym::LT => BinOp::Lt,
        sym::LE => BinOp::Le,
        sym::GT => BinOp::Gt,
        sym::GE => BinOp::Ge,
        sym::EQ => BinOp::Eq,
        sym::NE => BinOp::Ne,
        sym::AND => BinOp::And,
        sym::OR => BinOp::Or,
        sym::LSHIFT => BinOp::Shl,
        sym::RSHIFT => BinOp::Shr,
        sym::AREF => BinOp::Aref,
        _ => return None,
    })
}

/// `x[k: 1] = 2` passes the keywords as a Hash.
pub(super) fn keywords_to_hash(args: &mut Args) {
    if let Some(keywords) = args.keywords.take() {
        args.items.push(Node::Hash(Box::new(keywords)));
    }
}

/// `recv name arg`, as an operator node where there is one.
pub(super) fn binary(name: Symbol, recv: Node, arg: Node, line: u32, span: (u32, u32)) -> Node {
    let self_recv = matches!(recv, Node::SelfRef);
    match bin_op(name) {
        Some(op) => {
            let leaves = Leaves::of(op, &recv, &arg);
            Node::Op(Box::new(OpCall {
                op,
                recv,
                arg,
                name,
                line,
                span,
                self_recv,
                leaves,
                cache: InlineCache::default(),
            }))
        }
        None => Node::Call(Box::new(Call {
            recv: Some(recv),
            name,
            args: Args { items: vec![arg], has_splat: false, keywords: None },
            block: BlockArg::None,
            line,
            span,
            flags: CallFlags { self_recv, plain: true, ..CallFlags::default() },
            cache: InlineCache::default(),
        })),
    }
}

impl Lowering {
    pub(super) fn call(&mut self, node: &prism::CallNode<'_>) -> Node {
        let name = symbol_of(&node.name());
        let recv_node = node.receiver();
        let start = self.branches_known();
        let mut recv = recv_node.as_ref().map(|recv| self.node(recv));
        if node.is_safe_navigation() && self.branches.is_some() {
            recv = recv.map(|recv| self.safe_receiver(node, recv));
        }
        let arguments = node.arguments();
        let block_node = node.block();
        let message = node.message_loc();
        let location = node.location();
        let place = message.as_ref().map_or_else(|| (location.start(), location.start()), span);
        let line = self.call_line(node, recv.as_ref(), recv_node.as_ref());
        if name == sym::NOT && arguments.is_none() && block_node.is_none() && node.call_operator_loc().is_none() {
            return Node::Not(Box::new((recv.unwrap_or(Node::Nil), line, InlineCache::default())));
        }
        let recv = match recv {
            // `"text".freeze` is the frozen literal itself: one object per text
            Some(Node::Str(mut literal)) if name == sym::FREEZE && arguments.is_none() && block_node.is_none() => {
                literal.frozen = true;
                Some(Node::Str(literal))
            }
            recv => recv,
        };
        let mut args = self.arguments(arguments.as_ref());
        let safe_nav = node.is_safe_navigation();
        let assignment = node.is_attribute_write();
        if assignment && args.keywords.is_some() {
            let value = args.items.pop();
            keywords_to_hash(&mut args);
            args.items.extend(value);
        }
        let plain = args.items.len() == 1 && !args.has_splat && args.keywords.is_none() && block_node.is_none();
        let recv = match recv {
            Some(recv) if plain && !safe_nav && bin_op(name).is_some() => {
                if let Some(arg) = args.items.pop() {
                    return binary(name, recv, arg, line, place);
                }
                Some(recv)
            }
            recv => recv,
        };
        // only a literal `self` may call private methods: not `(self)`
        let self_recv = recv_node.as_ref().is_some_and(|node| node.as_self_node().is_some());
        let middle = self.branches_known();
        let mut block = self.block_arg(block_node.as_ref(), arguments.as_ref());
        // MRI compiles a block before the call that it belongs to
        self.branches_first(start, middle);
        if node.opening_loc().is_none() && arguments.is_some() {
            self.start_at(&mut block, block_node.as_ref(), place.0);
        }
        let only_positional = !args.has_splat && args.keywords.is_none() && matches!(block, BlockArg::None);
        let plain = only_positional && !safe_nav && !assignment;
        let attribute = only_positional && assignment && args.items.len() == 1;
        let indexed = only_positional && !safe_nav && assignment && name == sym::ASET && args.items.len() == 2;
        let keyworded = !assignment && !matches!(block, BlockArg::Pass(_)) && literal_keywords(&args);
        Node::Call(Box::new(Call {
            recv,
            name,
            args,
            block,
            line,
            span: place,
            flags: CallFlags {
                safe_nav,
                vcall: node.is_variable_call(),
                self_recv,
                assignment,
                plain,
                indexed,
                attribute,
                keyworded,
            },
            cache: InlineCache::default(),
        }))
    }

    /// The receiver of `&.`, whose two branches are counted.
    fn safe_receiver(&mut self, node: &prism::CallNode<'_>, recv: Node) -> Node {
        let location = node.location();
        // a block does not belong to the call itself
        let without = node.block().filter(|block| block.as_block_node().is_some()).map(|_| {
            let ends = [node.message_loc(), node.closing_loc(), node.arguments().map(|given| given.location())];
            ends.into_iter().flatten().map(|part| part.end()).max().unwrap_or_else(|| location.end())
        });
        let place = (location.start(), without.unwrap_or_else(|| location.end()));
        let index = self.branches_known();
        self.branching("&.", place.0, place.1);
        let number = self.branch(index, "then", place);
        let of_nil = Some(self.branch(index, "else", place));
        Node::Branch(Box::new(Branch { number, of_nil, node: recv }))
    }

    /// The line of a call as MRI's backtraces give it.
    fn call_line(
        &mut self,
        node: &prism::CallNode<'_>,
        recv: Option<&Node>,
        recv_node: Option<&prism::Node<'_>>,
    ) -> u32 {
        let Some(recv_node) = recv_node else {
            return self.line(node.message_loc().map_or_else(|| node.location().start(), |loc| loc.start()));
        };
        if node.is_attribute_write() {
            return self.line(recv_node.location().start());
        }
        // `x[i]` has the line of `x` in MRI.
        if node.call_operator_loc().is_none() && node.name().as_slice() == b"[]" {
            return self.receiver_line(recv_node, recv);
        }
        // So has a call with arguments and no parentheses, unless a `{}` block belongs to it.
        let brace_block =
            |block: prism::Node<'_>| block.as_block_node().is_some_and(|block| block.opening_loc().as_slice() == b"{");
        let bare = node.call_operator_loc().is_some() && node.opening_loc().is_none();
        let has_arguments =
            node.arguments().is_some() || node.block().is_some_and(|block| block.as_block_argument_node().is_some());
        if bare && has_arguments && !node.block().is_some_and(brace_block) {
            return self.receiver_line(recv_node, recv);
        }
        match node.message_loc().or_else(|| node.call_operator_loc()) {
            Some(location) => self.line(location.start()),
            None => self.line(node.location().start()),
        }
    }

    /// The line that MRI's parser gives a receiver expression where a call takes over its line.
    pub(super) fn receiver_line(&mut self, node: &prism::Node<'_>, lowered: Option<&Node>) -> u32 {
        if let Some(call) = node.as_call_node()
            && let Some(block) = call.block().and_then(|block| block.as_block_node())
        {
            let command = call.opening_loc().is_none() && call.arguments().is_some();
            if !command {
                return self.line(block.opening_loc().start());
            }
        }
        match lowered {
            Some(Node::Call(call)) => call.line,
            Some(Node::Op(op)) => op.line,
            Some(Node::Super(call)) => call.line,
            _ => self.line_of(node),
        }
    }

    /// Positional and keyword arguments.
    pub(super) fn arguments(&mut self, node: Option<&prism::ArgumentsNode<'_>>) -> Args {
        let mut args = Args::default();
        let Some(node) = node else { return args };
        let list = node.arguments();
        args.items.reserve_exact(list.len());
        for argument in &list {
            match argument {
                prism::Node::SplatNode { .. } => {
                    args.has_splat = true;
                    args.items.push(self.node(&argument));
                }
                prism::Node::KeywordHashNode { .. } => {
                    if let Some(hash) = argument.as_keyword_hash_node() {
                        let elements = self.elements(&hash.elements());
                        args.keywords.get_or_insert_default().extend(elements);
                    }
                }
                prism::Node::ForwardingArgumentsNode { .. } => {
                    self.forwarded_arguments(&mut args, argument.location().start())
                }
                _ => args.items.push(self.node(&argument)),
            }
        }
        args
    }

    fn forwarded_arguments(&mut self, args: &mut Args, offset: u32) {
        match (self.anonymous(sym::ANON_REST), self.anonymous(sym::ANON_KWREST)) {
            (Some(rest), Some(kwrest)) => {
                args.has_splat = true;
                args.items.push(Node::Splat(Box::new(read_local(rest))));
                args.keywords.get_or_insert_default().push(HashElem::DoubleSplat(read_local(kwrest)));
            }
            _ => self.fail(offset, "unexpected ... when the parent method is not forwarding"),
        }
    }

    /// The block of a call: literal, `&x`, anonymous `&`, or the block of `...`.
    pub(super) fn block_arg(
        &mut self,
        block: Option<&prism::Node<'_>>,
        arguments: Option<&prism::ArgumentsNode<'_>>,
    ) -> BlockArg {
        let anonymous = match block {
            None => match arguments {
                Some(arguments) if arguments.is_contains_forwarding() => true,
                _ => return BlockArg::None,
            },
            Some(block) => match block.as_block_node() {
                Some(block) => return BlockArg::Literal(self.block(&block)),
                None => match block.as_block_argument_node().and_then(|pass| pass.expression()) {
                    Some(inner) => {
                        let value = match inner.as_local_variable_read_node() {
                            Some(read) => read_local(self.passed_local(symbol_of(&read.name()), read.depth())),
                            None => self.node(&inner),
                        };
                        return BlockArg::Pass(Box::new(value));
                    }
                    None => true,
                },
            },
        };
        match self.anonymous(sym::ANON_BLOCK) {
            Some(place) if anonymous => BlockArg::Pass(Box::new(read_local(place))),
            _ => {
                let offset = block.map_or(0, |block| block.location().start());
                self.fail(offset, "no anonymous block parameter");
                BlockArg::None
            }
        }
    }

    /// A `do` block after a call without parentheses starts at the line of the call's name.
    fn start_at(&mut self, block: &mut BlockArg, node: Option<&prism::Node<'_>>, offset: u32) {
        let opening = node.and_then(|node| node.as_block_node()).map(|node| node.opening_loc());
        if let BlockArg::Literal(code) = block
            && opening.is_some_and(|opening| opening.as_slice() == b"do")
            && let Some(code) = Arc::get_mut(code)
        {
            code.line = self.line(offset);
        }
    }

    fn block(&mut self, node: &prism::BlockNode<'_>) -> Arc<Code> {
        self.scopes.push(Scope::new(ScopeKind::Block));
        let params = self.block_parameters(node.parameters().as_ref(), &node.locals());
        let body = self.optional(node.body());
        let line = self.line(node.opening_loc().start());
        let end_line = self.end_line_of(&node.location());
        self.close(CodeKind::Block, sym::EMPTY, line, end_line, params, body)
    }

    pub(super) fn lambda(&mut self, node: &prism::LambdaNode<'_>) -> Node {
        self.scopes.push(Scope::new(ScopeKind::Block));
        let params = self.block_parameters(node.parameters().as_ref(), &node.locals());
        let body = self.optional(node.body());
        let line = self.line(node.opening_loc().start());
        let end_line = self.end_line_of(&node.location());
        Node::Lambda(self.close(CodeKind::Lambda, sym::EMPTY, line, end_line, params, body))
    }

    /// Closes the innermost scope and makes its code.
    pub(super) fn close(
        &mut self,
        kind: CodeKind,
        name: Symbol,
        line: u32,
        end_line: u32,
        params: crate::tree::Params,
        body: Node,
    ) -> Arc<Code> {
        let locals = self.scopes.pop().map(|scope| scope.names).unwrap_or_default();
        Arc::new(Code { kind, name, file: self.file.clone(), line, end_line, params, locals, body })
    }

    pub(super) fn yield_node(&mut self, node: &prism::YieldNode<'_>) -> Node {
        let args = self.arguments(node.arguments().as_ref());
        // `yield` in a file that a method evaluates yields to that method's block
        let kinds = self.scopes.iter().rev().map(|scope| scope.kind);
        let place = kinds.into_iter().find(|kind| !matches!(kind, ScopeKind::Block | ScopeKind::Transparent));
        if place == Some(ScopeKind::Class) || (place == Some(ScopeKind::Top) && !self.file.evaluated) {
            self.fail(node.location().start(), "Invalid yield");
        }
        let line = self.line(node.location().start());
        Node::Yield(Box::new((args, line)))
    }

    pub(super) fn super_node(&mut self, node: &prism::SuperNode<'_>) -> Node {
        let arguments = node.arguments();
        let args = self.arguments(arguments.as_ref());
        let block = self.block_arg(node.block().as_ref(), arguments.as_ref());
        let line = self.line(node.location().start());
        Node::Super(Box::new(Super { args, implicit: false, block, line, cache: InlineCache::default() }))
    }

    pub(super) fn forwarding_super(&mut self, node: &prism::ForwardingSuperNode<'_>) -> Node {
        let args = self.forwarded().map(|(depth, forwarded)| forwarded.arguments(depth)).unwrap_or_default();
        let block = match node.block() {
            Some(block) => BlockArg::Literal(self.block(&block)),
            None => BlockArg::None,
        };
        let line = self.line(node.location().start());
        Node::Super(Box::new(Super { args, implicit: true, block, line, cache: InlineCache::default() }))
    }

    pub(super) fn constant(&mut self, node: &prism::ConstantReadNode<'_>) -> Node {
        let location = node.location();
        let line = self.line(location.start());
        self.constant_read(symbol_of(&node.name()), line, span(&location))
    }

    pub(super) fn constant_read(&mut self, name: Symbol, line: u32, span: (u32, u32)) -> Node {
        Node::Const(Box::new(ConstRead { name, line, span, cache: InlineCache::default() }))
    }

    pub(super) fn constant_path(&mut self, node: &prism::ConstantPathNode<'_>) -> Node {
        let scope = self.constant_scope(node.parent());
        self.scoped_constant(scope, node)
    }

    /// The scope of `X::Y` or `::X`; the latter is looked up in Object.
    pub(super) fn constant_scope(&mut self, parent: Option<prism::Node<'_>>) -> Node {
        match parent {
            Some(parent) => self.node(&parent),
            None => Node::ObjectClass,
        }
    }

    pub(super) fn scoped_constant(&mut self, scope: Node, node: &prism::ConstantPathNode<'_>) -> Node {
        let name = node.name().map_or(sym::EMPTY, |name| symbol_of(&name));
        let line = self.line(node.location().start());
        Node::ConstPath(Box::new(ConstPath {
            scope,
            name,
            line,
            span: span(&node.name_loc()),
            cache: InlineCache::default(),
        }))
    }

    pub(super) fn match_write(&mut self, node: &prism::MatchWriteNode<'_>) -> Node {
        let call = self.call(&node.call());
        let names: Vec<(Symbol, LocalRef)> = node
            .targets()
            .iter()
            .filter_map(|target| {
                let target = target.as_local_variable_target_node()?;
                let name = symbol_of(&target.name());
                Some((name, self.local(name, target.depth())))
            })
            .collect();
        Node::MatchWrite(Box::new((call, names)))
    }
}

/// Whether the arguments have keywords, all distinct Symbols, and no splat.
fn literal_keywords(args: &Args) -> bool {
    let Some(keywords) = &args.keywords else { return false };
    let name = |element: &HashElem| match element {
        HashElem::Pair(Node::Sym(name), _) => Some(*name),
        _ => None,
    };
    !args.has_splat
        && (1..=64).contains(&keywords.len())
        && keywords.iter().enumerate().all(|(index, element)| {
            name(element).is_some() && keywords[..index].iter().all(|before| name(before) != name(element))
        })
}
