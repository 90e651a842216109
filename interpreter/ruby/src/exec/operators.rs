//! Binary operators and `x[y]`, with fast paths for core types unless one of their operators has been redefined.

use super::outcome::{Outcome, ok};
use crate::Vm;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::Cx;
use crate::heap;
use crate::value::Value;
use rchef_syntax::tree::{BinOp, Leaves, Node, OpCall};

impl Vm {
    /// A binary operator, with fast paths for core types unless one of their operators has been redefined.
    #[inline(never)]
    pub(super) fn walk_op(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        match self.op_near(call, cx) {
            Some(value) => Outcome::value(value),
            None if call.leaves == Leaves::Other => self.walk_op_operands(call, cx),
            None => self.walk_op_far(call, cx),
        }
    }

    /// An operator on locals of the current activation and literals that are both Integers or both Floats. None otherwise, as for
    /// [`Vm::int_near`].
    #[inline(always)]
    fn op_near(&self, call: &OpCall, cx: &Cx<'_>) -> Option<Value> {
        if self.redefined {
            return None;
        }
        match call.leaves {
            Leaves::LocalInt(slot, number) => match cx.slot(self, slot) {
                Value::Int(a) => int_op(call.op, *a, number),
                _ => None,
            },
            Leaves::Locals(left, right) => number_op(call.op, cx.slot(self, left), cx.slot(self, right)),
            Leaves::Far | Leaves::Text | Leaves::Other => None,
        }
    }

    /// An operator or `x[y]` whose operands have to be evaluated, or are in other variables.
    #[inline(never)]
    pub(super) fn walk_op_values(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        if call.op == BinOp::Aref {
            return self.walk_aref(call, cx);
        }
        self.walk_op_far(call, cx)
    }

    /// An operator whose operands are in other variables, or are Strings.
    #[inline(never)]
    fn walk_op_far(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        if call.leaves == Leaves::Far
            && !self.redefined
            && let Some(value) = self.op_far(call, cx)
        {
            return Outcome::value(value);
        }
        if call.leaves == Leaves::Text {
            return self.walk_op_text(call, cx);
        }
        self.walk_op_operands(call, cx)
    }

    /// `==` or `!=` with a String literal, which is not made if the receiver is a String.
    #[inline(never)]
    fn walk_op_text(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        let left = ok!(self.operand(&call.recv, cx));
        if let (Value::Str(text), Node::Str(literal)) = (&left, &call.arg)
            && text.class() == ClassId::STRING
            && !self.redefined
        {
            let holds = super::is_literal(text.get(self), literal) == (call.op == BinOp::Eq);
            left.give_up();
            return Outcome::value(Value::bool(holds));
        }
        let right = ok!(self.eval(&call.arg, cx));
        self.walk_op_mixed(call, Outcome::value(left), Outcome::value(right), cx)
    }

    /// Evaluates an operand of an operator, which is often an instance variable.
    #[inline(always)]
    fn op_operand(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        match node {
            Node::IVar(name, hint) => match self.ivar_ref_hinted(cx.slf, *name, hint) {
                Some(value) => Ok(value.clone()),
                None => self.walk_ivar_elsewhere(*name, hint, cx).res(),
            },
            node => self.argument(node, cx),
        }
    }

    /// An operator whose operands are evaluated first.
    #[inline(never)]
    pub(super) fn walk_op_operands(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        let left = ok!(self.op_operand(&call.recv, cx));
        let right = ok!(self.op_operand(&call.arg, cx));
        if !self.redefined {
            let done = match (&left, &right) {
                (Value::Int(_), Value::Int(_)) | (Value::Float(_), Value::Float(_)) => {
                    number_op(call.op, &left, &right)
                }
                (Value::Nil, _) if call.op == BinOp::Eq => Some(Value::bool(right.is_nil())),
                (Value::Nil, _) if call.op == BinOp::Ne => Some(Value::bool(!right.is_nil())),
                _ => None,
            };
            if let Some(value) = done {
                left.give_up();
                right.give_up();
                return Outcome::value(value);
            }
        }
        self.walk_op_mixed(call, Outcome::value(left), Outcome::value(right), cx)
    }

    /// `x[y]`, with a fast path for an Array in a variable and an Integer index.
    #[inline(never)]
    pub(super) fn walk_aref(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        if !self.redefined
            && let Some(Value::Array(gc)) = self.variable(&call.recv, cx)
            && gc.class() == ClassId::ARRAY
        {
            let index = match &call.arg {
                Node::Op(index) => self.int_near(index, cx).and_then(|(a, b)| match index.op {
                    BinOp::Add => a.checked_add(b),
                    BinOp::Sub => a.checked_sub(b),
                    _ => None,
                }),
                node => self.int_far(node, cx),
            };
            if let Some(index) = index {
                return Outcome::value(item(gc.get(self).items.as_slice(), index));
            }
        }
        if let Node::Sym(key) = call.arg
            && !self.redefined
            && let Some(Value::Hash(gc)) = self.variable(&call.recv, cx)
            && gc.class() == ClassId::HASH
            && !gc.flag(heap::BY_IDENTITY)
            && let Some(value) = self.hash_get_sym(gc, key)
        {
            return Outcome::value(value);
        }
        let left = ok!(self.operand(&call.recv, cx));
        let right = match &call.arg {
            Node::Sym(symbol) => Value::Sym(*symbol),
            node => ok!(self.operand(node, cx)),
        };
        if !self.redefined
            && let (Value::Array(gc), Value::Int(index)) = (&left, &right)
            && gc.class() == ClassId::ARRAY
        {
            return Outcome::value(item(gc.get(self).items.as_slice(), *index));
        }
        self.walk_op_mixed(call, Outcome::value(left), Outcome::value(right), cx)
    }

    #[inline(never)]
    pub(super) fn walk_op_mixed(&mut self, call: &OpCall, left: Outcome, right: Outcome, cx: &Cx<'_>) -> Outcome {
        let (left, right) = (ok!(left.res()), ok!(right.res()));
        if !self.redefined
            && let Some(done) = ok!(self.fast_op(call.op, &left, &right))
        {
            return Outcome::value(done);
        }
        if let Some(done) = self.same_by_site(call, &left, &right) {
            return Outcome::value(done);
        }
        let frameless = match (&left, call.op) {
            (Value::Hash(gc), BinOp::Aref) => gc.class() == ClassId::HASH,
            (Value::Array(gc), BinOp::Shl) => gc.frozen() && gc.class() == ClassId::ARRAY,
            (Value::Str(gc), BinOp::Shl) => {
                gc.frozen() && gc.class() == ClassId::STRING && matches!(right, Value::Str(_))
            }
            _ => false,
        };
        if frameless && !self.redefined {
            return self.op_without_frame(call, &left, &right, cx).into();
        }
        self.eval_op_call(call, left, right, cx).into()
    }

    /// What MRI does without a frame of the method: the value for a key that a Hash lacks, and the refusal of a frozen Array or String.
    #[inline(never)]
    fn op_without_frame(&mut self, call: &OpCall, left: &Value, right: &Value, cx: &Cx<'_>) -> Res {
        cx.line.set(call.line);
        if call.op == BinOp::Aref {
            return crate::core::hash::aref(self, left, right);
        }
        self.check_frozen(left)?;
        self.eval_op_call(call, left.clone(), right.clone(), cx)
    }

    /// The result of a comparison of locals and literals that are Integers; None otherwise.
    #[inline(always)]
    pub(super) fn test_near(&self, node: &Node, cx: &Cx<'_>) -> Option<bool> {
        let Node::Op(call) = node else { return None };
        let (a, b) = self.int_near(call, cx)?;
        comparison(call.op, &a, &b)
    }

    /// The operands if they are locals of the current activation or literals, and hold Integers, and no operator is redefined. None otherwise: they
    /// are evaluated as usual, and reading them twice has no effect. Calls no function, so callers need no stack frame for it.
    #[inline(always)]
    pub(super) fn int_near(&self, call: &OpCall, cx: &Cx<'_>) -> Option<(i64, i64)> {
        if self.redefined {
            return None;
        }
        if let Leaves::LocalInt(slot, number) = call.leaves {
            Some((self.int_local(cx, slot)?, number))
        } else if let Leaves::Locals(left, right) = call.leaves {
            Some((self.int_local(cx, left)?, self.int_local(cx, right)?))
        } else {
            None
        }
    }

    #[inline(always)]
    fn int_local(&self, cx: &Cx<'_>, slot: u16) -> Option<i64> {
        int_of(cx.slot(self, slot))
    }

    /// An operator on variables and Integer literals that are both Integers or both Floats; None otherwise. They are read without being copied.
    #[inline(never)]
    pub(super) fn op_far(&self, call: &OpCall, cx: &Cx<'_>) -> Option<Value> {
        if let Node::Int(b) = call.arg {
            return match self.variable(&call.recv, cx)? {
                Value::Int(a) => int_op(call.op, *a, b),
                a => self.same_by_site(call, a, &Value::Int(b)),
            };
        }
        if let Node::Int(a) = call.recv {
            return match self.variable(&call.arg, cx)? {
                Value::Int(b) => int_op(call.op, a, *b),
                _ => None,
            };
        }
        match (self.variable(&call.recv, cx)?, self.variable(&call.arg, cx)?) {
            (a @ Value::Int(_), b @ Value::Int(_)) | (a @ Value::Float(_), b @ Value::Float(_)) => {
                number_op(call.op, a, b)
            }
            (a, b) => self.same_by_site(call, a, b),
        }
    }

    /// The result of `BasicObject#==`, if that is what the site called last time for the receiver's class.
    #[inline(never)]
    pub(super) fn same_by_site(&self, call: &OpCall, left: &Value, right: &Value) -> Option<Value> {
        let (key, target) = call.cache.get();
        let same = target & super::calls::SAME != 0 && self.cache_key(self.class_of(left)) == key;
        same.then(|| Value::bool(left.same(right)))
    }

    /// The Integer in a literal or any variable; None if it is something else.
    #[inline(never)]
    fn int_far(&self, node: &Node, cx: &Cx<'_>) -> Option<i64> {
        match node {
            Node::Int(number) => Some(*number),
            Node::LVar(slot) => int_of(self.local_ref(cx, *slot)),
            Node::LVarUp(at) => int_of(self.local_up_ref(cx, *at)?),
            Node::IVar(name, hint) => int_of(self.ivar_ref_hinted(cx.slf, *name, hint)?),
            _ => None,
        }
    }

    #[inline(never)]
    fn fast_op(&mut self, op: BinOp, left: &Value, right: &Value) -> Res<Option<Value>> {
        Ok(Some(match (left, right) {
            (Value::Float(a), Value::Int(b)) if b.unsigned_abs() < 1 << 53 => {
                return Ok(float_op(op, a.get(), *b as f64));
            }
            (Value::Int(a), Value::Float(b)) if a.unsigned_abs() < 1 << 53 => {
                return Ok(float_op(op, *a as f64, b.get()));
            }
            (Value::Hash(gc), _) if op == BinOp::Aref && gc.class() == ClassId::HASH => {
                if gc.flag(heap::BY_IDENTITY) {
                    return Ok(None);
                }
                match self.hash_get(gc, right)? {
                    Some(value) => value,
                    None => {
                        let data = gc.get(self);
                        if data.default_proc.is_nil() { data.default.clone() } else { return Ok(None) }
                    }
                }
            }
            (Value::Array(gc), _) if op == BinOp::Shl && gc.class() == ClassId::ARRAY && !gc.frozen() => {
                gc.get_mut(self).items.push(right.clone());
                left.clone()
            }
            (Value::Sym(a), Value::Sym(b)) if op == BinOp::Eq => Value::bool(a == b),
            (Value::Sym(a), Value::Sym(b)) if op == BinOp::Ne => Value::bool(a != b),
            (Value::Str(a), Value::Str(b)) if op == BinOp::Eq && a.class() == ClassId::STRING => {
                Value::bool(a.same(b) || self.str_eq(a, b))
            }
            (Value::Str(a), Value::Str(b)) if op == BinOp::Ne && a.class() == ClassId::STRING => {
                Value::bool(!(a.same(b) || self.str_eq(a, b)))
            }
            (Value::Nil, _) if op == BinOp::Eq => Value::bool(right.is_nil()),
            (Value::Nil, _) if op == BinOp::Ne => Value::bool(!right.is_nil()),
            _ => return Ok(None),
        }))
    }
}

/// The element at an index, which may be negative.
#[inline(always)]
fn item(items: &[Value], index: i64) -> Value {
    let index = if index < 0 { index.wrapping_add(items.len() as i64) } else { index };
    usize::try_from(index).ok().and_then(|index| items.get(index)).cloned().unwrap_or_default()
}

#[inline(always)]
fn int_of(value: &Value) -> Option<i64> {
    if let Value::Int(number) = value { Some(*number) } else { None }
}

/// The result of an operator for two Integers or two Floats; None for all else, and where the method has to be called.
#[inline(always)]
pub(super) fn number_op(op: BinOp, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => int_op(op, *a, *b),
        (Value::Float(a), Value::Float(b)) => float_op(op, a.get(), b.get()),
        _ => None,
    }
}

/// The result of an operator for two Integers that fit 64 bits; None if the result does not fit, or the method has to be called.
#[inline(always)]
fn int_op(op: BinOp, a: i64, b: i64) -> Option<Value> {
    Some(match op {
        BinOp::Add => Value::Int(a.checked_add(b)?),
        BinOp::Sub => Value::Int(a.checked_sub(b)?),
        BinOp::Mul => Value::Int(a.checked_mul(b)?),
        BinOp::Mod if b > 0 => Value::Int(a.rem_euclid(b)),
        BinOp::Div if b > 0 => Value::Int(a.div_euclid(b)),
        BinOp::And => Value::Int(a & b),
        BinOp::Or => Value::Int(a | b),
        BinOp::Shr if (0..64).contains(&b) => Value::Int(a >> b),
        BinOp::Shl if (0..32).contains(&b) && a.unsigned_abs() < 1 << 30 => Value::Int(a << b),
        _ => Value::bool(comparison(op, &a, &b)?),
    })
}

/// The result of a comparison of two numbers; None for other operators.
#[inline(always)]
fn comparison<T: PartialOrd>(op: BinOp, a: &T, b: &T) -> Option<bool> {
    Some(match op {
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        _ => return None,
    })
}

#[inline(always)]
fn float_op(op: BinOp, a: f64, b: f64) -> Option<Value> {
    Some(match op {
        BinOp::Add => Value::float(a + b),
        BinOp::Sub => Value::float(a - b),
        BinOp::Mul => Value::float(a * b),
        BinOp::Div => Value::float(a / b),
        _ => Value::bool(comparison(op, &a, &b)?),
    })
}
