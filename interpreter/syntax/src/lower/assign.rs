//! Variables and assignments.

use super::call::{binary, keywords_to_hash};
use super::scope::{read_local, write_local};
use super::{Lowering, span, symbol_of, with_line};
use crate::Symbol;
use crate::symbol::sym;
use crate::tree::{
    Args, AssignOp, BlockArg, Call, CallFlags, Hint, InlineCache, MultiTarget, Node, OpAssignCall, OpAssignVar, Target,
};
use ruby_prism as prism;

/// The variable of an operator assignment.
enum Place {
    Local(crate::tree::LocalRef),
    IVar(Symbol),
    GVar(Symbol),
    CVar(Symbol),
    Const(Symbol, (u32, u32)),
}

/// The operator of an operator assignment; `at` is its byte range for errors, (0, 0) for `||=` and `&&=`.
struct Operator {
    op: AssignOp,
    at: (u32, u32),
}

impl Lowering {
    pub(super) fn ivar_read(&mut self, node: &prism::InstanceVariableReadNode<'_>) -> Node {
        Node::IVar(symbol_of(&node.name()), Hint::default())
    }

    pub(super) fn gvar_read(&mut self, node: &prism::GlobalVariableReadNode<'_>) -> Node {
        Node::GVar(symbol_of(&node.name()))
    }

    pub(super) fn cvar_read(&mut self, node: &prism::ClassVariableReadNode<'_>) -> Node {
        let line = self.line(node.location().start());
        Node::CVar(symbol_of(&node.name()), line)
    }

    pub(super) fn ivar_write(&mut self, node: &prism::InstanceVariableWriteNode<'_>) -> Node {
        let value = self.node(&node.value());
        let target = Target::IVar(symbol_of(&node.name()), Hint::default());
        self.assign(target, value, &node.as_node())
    }

    pub(super) fn gvar_write(&mut self, node: &prism::GlobalVariableWriteNode<'_>) -> Node {
        let value = self.node(&node.value());
        self.assign(Target::GVar(symbol_of(&node.name())), value, &node.as_node())
    }

    pub(super) fn cvar_write(&mut self, node: &prism::ClassVariableWriteNode<'_>) -> Node {
        let value = self.node(&node.value());
        self.assign(Target::CVar(symbol_of(&node.name())), value, &node.as_node())
    }

    pub(super) fn constant_write(&mut self, node: &prism::ConstantWriteNode<'_>) -> Node {
        let value = self.node(&node.value());
        self.assign(Target::Const(None, symbol_of(&node.name())), value, &node.as_node())
    }

    pub(super) fn constant_path_write(&mut self, node: &prism::ConstantPathWriteNode<'_>) -> Node {
        let path = node.target();
        let scope = self.constant_scope(path.parent());
        let name = path.name().map_or(sym::EMPTY, |name| symbol_of(&name));
        let value = self.node(&node.value());
        self.assign(Target::Const(Some(Box::new(scope)), name), value, &node.as_node())
    }

    /// Assigns a value to a target; `node` gives the line where the tree has none and the assignment can raise or warn.
    pub(super) fn assign(&mut self, target: Target, value: Node, node: &prism::Node<'_>) -> Node {
        let lowered = match target {
            Target::Local(place) => return write_local(place, value),
            Target::Call(mut call) => {
                call.args.items.push(value);
                return Node::Call(call);
            }
            Target::IVar(name, hint) => Node::IAsgn(Box::new((name, hint, value))),
            Target::GVar(name) => Node::GAsgn(name, Box::new(value)),
            Target::CVar(name) => Node::CVarAsgn(name, Box::new(value)),
            Target::Const(scope, name) => Node::ConstAsgn(Box::new((scope.map(|scope| *scope), name, value))),
            Target::Multi(multi) => Node::MultiAsgn(Box::new((*multi, value))),
        };
        with_line(self.line_of(node), lowered)
    }

    pub(super) fn multi_write(&mut self, node: &prism::MultiWriteNode<'_>) -> Node {
        let targets = MultiTarget {
            pre: self.targets(&node.lefts()),
            rest: self.rest_target(node.rest()),
            post: self.targets(&node.rights()),
        };
        let value = self.node(&node.value());
        let plain = matches!(value, Node::Array(_) | Node::Call(_) | Node::Line(..));
        let lowered = Node::MultiAsgn(Box::new((targets, value)));
        if plain { lowered } else { with_line(self.line(node.location().start()), lowered) }
    }

    fn targets(&mut self, list: &prism::NodeList<'_>) -> Vec<Target> {
        list.iter().map(|target| self.target(&target)).collect()
    }

    fn rest_target(&mut self, rest: Option<prism::Node<'_>>) -> Option<Option<Target>> {
        let rest = rest?;
        let inner = rest.as_splat_node().and_then(|splat| splat.expression());
        Some(inner.map(|inner| self.target(&inner)))
    }

    pub(super) fn target(&mut self, node: &prism::Node<'_>) -> Target {
        if let Some(node) = node.as_local_variable_target_node() {
            return Target::Local(self.local(symbol_of(&node.name()), node.depth()));
        }
        if let Some(node) = node.as_instance_variable_target_node() {
            return Target::IVar(symbol_of(&node.name()), Hint::default());
        }
        if let Some(node) = node.as_call_target_node() {
            return self.call_target(&node);
        }
        if let Some(node) = node.as_index_target_node() {
            return self.index_target(&node);
        }
        if let Some(node) = node.as_multi_target_node() {
            if crate::stack::is_below(self.limit) {
                self.fail(node.location().start(), "nesting too deep");
                return Target::GVar(sym::EMPTY);
            }
            return Target::Multi(Box::new(MultiTarget {
                pre: self.targets(&node.lefts()),
                rest: self.rest_target(node.rest()),
                post: self.targets(&node.rights()),
            }));
        }
        if let Some(node) = node.as_global_variable_target_node() {
            return Target::GVar(symbol_of(&node.name()));
        }
        if let Some(node) = node.as_class_variable_target_node() {
            return Target::CVar(symbol_of(&node.name()));
        }
        if let Some(node) = node.as_constant_target_node() {
            return Target::Const(None, symbol_of(&node.name()));
        }
        if let Some(node) = node.as_constant_path_target_node() {
            let scope = self.constant_scope(node.parent());
            return Target::Const(Some(Box::new(scope)), node.name().map_or(sym::EMPTY, |name| symbol_of(&name)));
        }
        if let Some(node) = node.as_required_parameter_node() {
            return Target::Local(self.local(symbol_of(&node.name()), 0));
        }
        self.fail(node.location().start(), "syntax error, unexpected target of an assignment");
        Target::GVar(sym::EMPTY)
    }

    fn call_target(&mut self, node: &prism::CallTargetNode<'_>) -> Target {
        let recv = self.node(&node.receiver());
        let message = node.message_loc();
        let line = self.line_of(&node.receiver());
        Target::Call(Box::new(Call {
            name: symbol_of(&node.name()),
            args: Args::default(),
            block: BlockArg::None,
            line,
            span: span(&message),
            flags: CallFlags {
                safe_nav: node.is_safe_navigation(),
                vcall: false,
                self_recv: matches!(recv, Node::SelfRef),
                assignment: true,
                plain: false,
                indexed: false,
                attribute: false,
                keyworded: false,
            },
            recv: Some(recv),
            cache: InlineCache::default(),
        }))
    }

    fn index_target(&mut self, node: &prism::IndexTargetNode<'_>) -> Target {
        let recv = self.node(&node.receiver());
        let mut args = self.arguments(node.arguments().as_ref());
        keywords_to_hash(&mut args);
        let block = match node.block() {
            Some(block) => self.block_arg(Some(&block.as_node()), None),
            None => BlockArg::None,
        };
        let line = self.line_of(&node.receiver());
        Target::Call(Box::new(Call {
            name: sym::ASET,
            args,
            block,
            line,
            span: span(&node.opening_loc()),
            flags: CallFlags {
                safe_nav: false,
                vcall: false,
                self_recv: matches!(recv, Node::SelfRef),
                assignment: true,
                plain: false,
                indexed: false,
                attribute: false,
                keyworded: false,
            },
            recv: Some(recv),
            cache: InlineCache::default(),
        }))
    }

    fn read_place(&mut self, place: &Place, line: u32) -> Node {
        match *place {
            Place::Local(place) => read_local(place),
            Place::IVar(name) => Node::IVar(name, Hint::default()),
            Place::GVar(name) => Node::GVar(name),
            Place::CVar(name) => Node::CVar(name, line),
            Place::Const(name, span) => self.constant_read(name, line, span),
        }
    }

    fn operator_assign(
        &mut self,
        place: Place,
        operator: Operator,
        value: &prism::Node<'_>,
        node: &prism::Node<'_>,
    ) -> Node {
        let line = self.line_of(node);
        let read = self.read_place(&place, line);
        let value = self.node(value);
        let guarded = matches!(place, Place::GVar(_) | Place::CVar(_) | Place::Const(..));
        let target = match place {
            Place::Local(place) => Target::Local(place),
            Place::IVar(name) => Target::IVar(name, Hint::default()),
            Place::GVar(name) => Target::GVar(name),
            Place::CVar(name) => Target::CVar(name),
            Place::Const(name, _) => Target::Const(None, name),
        };
        match operator.op {
            AssignOp::Or if guarded => {
                Node::OpAssignVar(Box::new(OpAssignVar { target, read, op: AssignOp::Or, value, line }))
            }
            AssignOp::Or => Node::Or(Box::new((read, self.assign(target, value, node)))),
            AssignOp::And => Node::And(Box::new((read, self.assign(target, value, node)))),
            AssignOp::Call(name) => {
                let line = self.line(operator.at.0);
                let value = binary(name, read, value, line, operator.at);
                self.assign(target, value, node)
            }
        }
    }

    /// `X::Y op= value`; evaluates the scope once.
    fn path_assign(
        &mut self,
        path: &prism::ConstantPathNode<'_>,
        operator: Operator,
        value: &prism::Node<'_>,
        node: &prism::Node<'_>,
    ) -> Node {
        let line = self.line_of(node);
        let mut before = None;
        let name = path.name().map_or(sym::EMPTY, |name| symbol_of(&name));
        let (scope, again) = match path.parent() {
            None => (Node::ObjectClass, Node::ObjectClass),
            Some(parent) if parent.as_constant_read_node().is_some() => (self.node(&parent), self.node(&parent)),
            Some(parent) => {
                let value = self.node(&parent);
                let slot = self.hidden_slot();
                before = Some(Node::LAsgn(slot, Box::new(value)));
                (Node::LVar(slot), Node::LVar(slot))
            }
        };
        let read = self.scoped_constant(scope, path);
        let target = Target::Const(Some(Box::new(again)), name);
        let value = self.node(value);
        let assign = match operator.op {
            AssignOp::Call(method) => {
                let at = self.line(operator.at.0);
                let value = binary(method, read, value, at, operator.at);
                self.assign(target, value, node)
            }
            op => Node::OpAssignVar(Box::new(OpAssignVar { target, read, op, value, line })),
        };
        match before {
            Some(before) => Node::Seq(Box::new([before, assign])),
            None => assign,
        }
    }

    fn call_assign(&mut self, target: CallTarget<'_>, op: AssignOp, value: &prism::Node<'_>) -> Node {
        if let Some(block) = target.block {
            self.fail(block, "unexpected block argument given in index assignment; blocks are not allowed in index assignment expressions");
        }
        let lowered = target.recv.as_ref().map(|recv| self.node(recv));
        let line = match &target.recv {
            Some(recv) => self.receiver_line(recv, lowered.as_ref()),
            None => self.line_of(value),
        };
        let mut args = self.arguments(target.args.as_ref());
        keywords_to_hash(&mut args);
        let value = self.node(value);
        let (read, operator) = target.spans;
        Node::OpAssignCall(Box::new(OpAssignCall {
            self_recv: matches!(lowered, None | Some(Node::SelfRef)),
            recv: lowered,
            args,
            reader: target.names.0,
            writer: target.names.1,
            safe_nav: target.safe_nav,
            numeric: match op {
                AssignOp::Call(name) => super::call::bin_op(name),
                AssignOp::Or | AssignOp::And => None,
            },
            op,
            value,
            line,
            caches: Default::default(),
            spans: [
                read,
                (operator.0, operator.1.saturating_sub(1)),
                if read.1 == 0 { read } else { (read.0, operator.1) },
            ],
        }))
    }

    /// All forms of `op=`; None when the node is something else.
    pub(super) fn operator_write(&mut self, node: &prism::Node<'_>) -> Option<Node> {
        /// Lowers to `$place` the three nodes (`||=`, `&&=`, `op=`) of one kind of variable.
        macro_rules! variable {
            ($or:ident, $and:ident, $op:ident, $place:expr) => {
                if let Some(inner) = node.$or() {
                    let place = $place(&mut *self, symbol_of(&inner.name()), &inner.name_loc());
                    return Some(self.operator_assign(place, plain(AssignOp::Or), &inner.value(), node));
                }
                if let Some(inner) = node.$and() {
                    let place = $place(&mut *self, symbol_of(&inner.name()), &inner.name_loc());
                    return Some(self.operator_assign(place, plain(AssignOp::And), &inner.value(), node));
                }
                if let Some(inner) = node.$op() {
                    let place = $place(&mut *self, symbol_of(&inner.name()), &inner.name_loc());
                    let operator = method(&inner.binary_operator(), &inner.binary_operator_loc());
                    return Some(self.operator_assign(place, operator, &inner.value(), node));
                }
            };
        }
        if let Some(lowered) = self.local_operator_write(node) {
            return Some(lowered);
        }
        variable!(
            as_instance_variable_or_write_node,
            as_instance_variable_and_write_node,
            as_instance_variable_operator_write_node,
            |_: &mut Lowering, name, _: &prism::Location<'_>| Place::IVar(name)
        );
        variable!(
            as_global_variable_or_write_node,
            as_global_variable_and_write_node,
            as_global_variable_operator_write_node,
            |_: &mut Lowering, name, _: &prism::Location<'_>| Place::GVar(name)
        );
        variable!(
            as_class_variable_or_write_node,
            as_class_variable_and_write_node,
            as_class_variable_operator_write_node,
            |_: &mut Lowering, name, _: &prism::Location<'_>| Place::CVar(name)
        );
        variable!(
            as_constant_or_write_node,
            as_constant_and_write_node,
            as_constant_operator_write_node,
            |_: &mut Lowering, name, at: &prism::Location<'_>| Place::Const(name, span(at))
        );
        if let Some(inner) = node.as_constant_path_or_write_node() {
            return Some(self.path_assign(&inner.target(), plain(AssignOp::Or), &inner.value(), node));
        }
        if let Some(inner) = node.as_constant_path_and_write_node() {
            return Some(self.path_assign(&inner.target(), plain(AssignOp::And), &inner.value(), node));
        }
        if let Some(inner) = node.as_constant_path_operator_write_node() {
            let operator = method(&inner.binary_operator(), &inner.binary_operator_loc());
            return Some(self.path_assign(&inner.target(), operator, &inner.value(), node));
        }
        self.call_operator_write(node)
    }

    fn local_operator_write(&mut self, node: &prism::Node<'_>) -> Option<Node> {
        if let Some(inner) = node.as_local_variable_or_write_node() {
            let place = Place::Local(self.local(symbol_of(&inner.name()), inner.depth()));
            return Some(self.operator_assign(place, plain(AssignOp::Or), &inner.value(), node));
        }
        if let Some(inner) = node.as_local_variable_and_write_node() {
            let place = Place::Local(self.local(symbol_of(&inner.name()), inner.depth()));
            return Some(self.operator_assign(place, plain(AssignOp::And), &inner.value(), node));
        }
        let inner = node.as_local_variable_operator_write_node()?;
        let place = Place::Local(self.local(symbol_of(&inner.name()), inner.depth()));
        let operator = method(&inner.binary_operator(), &inner.binary_operator_loc());
        Some(self.operator_assign(place, operator, &inner.value(), node))
    }

    fn call_operator_write(&mut self, node: &prism::Node<'_>) -> Option<Node> {
        /// What is assigned to, for the nodes of `x.y op= v` and those of `x[i] op= v`.
        macro_rules! attribute {
            ($n:expr, $operator:expr) => {
                CallTarget {
                    recv: $n.receiver(),
                    args: None,
                    block: None,
                    names: (symbol_of(&$n.read_name()), symbol_of(&$n.write_name())),
                    safe_nav: $n.is_safe_navigation(),
                    spans: (marked($n.call_operator_loc(), $n.message_loc()), span(&$operator)),
                }
            };
        }
        macro_rules! element {
            ($n:expr, $operator:expr) => {
                CallTarget {
                    recv: $n.receiver(),
                    args: $n.arguments(),
                    block: $n.block().map(|block| block.location().start()),
                    names: (sym::AREF, sym::ASET),
                    safe_nav: false,
                    spans: (($n.opening_loc().start(), $n.closing_loc().end()), span(&$operator)),
                }
            };
        }
        if let Some(n) = node.as_call_or_write_node() {
            return Some(self.call_assign(attribute!(n, n.operator_loc()), AssignOp::Or, &n.value()));
        }
        if let Some(n) = node.as_call_and_write_node() {
            return Some(self.call_assign(attribute!(n, n.operator_loc()), AssignOp::And, &n.value()));
        }
        if let Some(n) = node.as_call_operator_write_node() {
            let op = AssignOp::Call(symbol_of(&n.binary_operator()));
            return Some(self.call_assign(attribute!(n, n.binary_operator_loc()), op, &n.value()));
        }
        if let Some(n) = node.as_index_or_write_node() {
            return Some(self.call_assign(element!(n, n.operator_loc()), AssignOp::Or, &n.value()));
        }
        if let Some(n) = node.as_index_and_write_node() {
            return Some(self.call_assign(element!(n, n.operator_loc()), AssignOp::And, &n.value()));
        }
        let n = node.as_index_operator_write_node()?;
        let op = AssignOp::Call(symbol_of(&n.binary_operator()));
        Some(self.call_assign(element!(n, n.binary_operator_loc()), op, &n.value()))
    }
}

/// What `x.y op= v` or `x[i] op= v` assigns to.
struct CallTarget<'pr> {
    recv: Option<prism::Node<'pr>>,
    args: Option<prism::ArgumentsNode<'pr>>,
    /// Byte offset of a block argument, which an index may not have.
    block: Option<u32>,
    /// Reader and writer.
    names: (Symbol, Symbol),
    safe_nav: bool,
    /// Byte offsets of `y` or `[i]` (0 and 0 if errors do not mark it), and of `op=`.
    spans: ((u32, u32), (u32, u32)),
}

/// The name after a dot; nothing where MRI marks nothing: after `::`, or on another line.
fn marked(dot: Option<prism::Location<'_>>, name: Option<prism::Location<'_>>) -> (u32, u32) {
    match (dot, name) {
        (Some(dot), Some(name)) if dot.as_slice() != b"::" && dot.end() == name.start() => span(&name),
        (None, Some(name)) => span(&name),
        _ => (0, 0),
    }
}

fn plain(op: AssignOp) -> Operator {
    Operator { op, at: (0, 0) }
}

fn method(name: &prism::ConstantId<'_>, at: &prism::Location<'_>) -> Operator {
    // prism's location is that of `+=`; the method is `+`.
    Operator { op: AssignOp::Call(symbol_of(name)), at: (at.start(), at.end().saturating_sub(1)) }
}
