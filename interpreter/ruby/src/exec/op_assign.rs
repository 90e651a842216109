//! Operator assignment to calls: `x.y op= v` and `x[i] op= v`.

use super::enter::HINT;
use super::outcome::{Outcome, ok};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::Cx;
use crate::heap;
use crate::method::{MethodBody, MethodId};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{AssignOp, InlineCache, Node, OpAssignCall};
use smallvec::SmallVec;

impl Vm {
    /// `recv.name op= value` and `recv[args] op= value`; `Undef` unless the value is `USED`.
    #[inline(never)]
    pub(super) fn walk_op_assign<const USED: bool>(&mut self, assign: &OpAssignCall, cx: &Cx<'_>) -> Outcome {
        let recv = match &assign.recv {
            None | Some(Node::SelfRef) => cx.slf.clone(),
            Some(node) => ok!(self.argument(node, cx)),
        };
        if let Some(old) = self.attribute_by_site(&assign.caches[0], &recv)
            && let AssignOp::Call(operator) = assign.op
            && assign.args.items.is_empty()
        {
            let old = old.clone();
            cx.line.set(assign.line);
            let value = ok!(self.argument(&assign.value, cx));
            cx.line.set(assign.line);
            let new = match number_op(operator, &old, &value).filter(|_| !self.redefined) {
                Some(new) => new,
                None => ok!(self.operate(assign, &old, operator, value, cx)),
            };
            let Some(slot) = self.slot_by_site(&assign.caches[2], &recv) else {
                return self.write_attribute_by_call(assign, [recv, new], USED, cx);
            };
            let result = if USED { new.clone() } else { Value::Undef };
            slot.put(new);
            recv.give_up();
            return Outcome::value(result);
        }
        let result = match assign.args.items.as_slice() {
            [index] if !assign.safe_nav && assign.args.keywords.is_none() && !assign.args.has_splat => {
                self.op_assign_indexed(assign, &recv, index, cx)
            }
            _ => self.op_assign_any(assign, &recv, cx),
        };
        match result {
            Ok(_) if !USED => Outcome::value(Value::Undef),
            done => done.into(),
        }
    }

    /// The variable that the `attr_reader` of a site reads, if the object has it where the site found it last time.
    #[inline(always)]
    fn attribute_by_site<'a>(&'a self, cache: &InlineCache, recv: &'a Value) -> Option<&'a Value> {
        let (key, target) = cache.get();
        let Value::Object(gc) = recv else { return None };
        if self.cache_key(gc.class()) != key {
            return None;
        }
        let MethodBody::Reader(name) = self.method(MethodId(target as u32)).body else { return None };
        gc.get(self).ivars.at((target >> HINT) as usize, name)
    }

    /// Writes an attribute that is not where it was last time, or calls its writer.
    #[inline(never)]
    fn write_attribute_by_call(
        &mut self,
        assign: &OpAssignCall,
        [recv, new]: [Value; 2],
        used: bool,
        cx: &Cx<'_>,
    ) -> Outcome {
        if !self.put_by_site(&assign.caches[2], &recv, &new) {
            ok!(self.write_by_call(assign, &recv, std::slice::from_ref(&new), cx));
        }
        Outcome::value(if used { new } else { Value::Undef })
    }

    /// `recv[index] op= value`, with a fast path for existing elements of Arrays, and for keys of Hashes that need no Ruby code.
    fn op_assign_indexed(&mut self, assign: &OpAssignCall, recv: &Value, index: &Node, cx: &Cx<'_>) -> Res {
        let index = self.argument(index, cx)?;
        let Some(old) = self.element(recv, &index)? else {
            return self.op_assign_with(assign, recv, std::slice::from_ref(&index), false, cx);
        };
        cx.line.set(assign.line);
        let new = match self.operated(assign, &old, cx)? {
            Some(new) => new,
            None => return Ok(old),
        };
        cx.line.set(assign.line);
        if !self.redefined {
            match (recv, &index) {
                (Value::Array(gc), Value::Int(at)) if !gc.frozen() => {
                    if let Ok(at) = usize::try_from(*at)
                        && let Some(slot) = gc.get_mut(self).items.get_mut(at)
                    {
                        slot.put(new.clone());
                        return Ok(new);
                    }
                }
                (Value::Hash(gc), _) if !gc.frozen() && gc.get(self).iterating == 0 => {
                    self.hash_set(gc, index, new.clone())?;
                    return Ok(new);
                }
                _ => {}
            }
        }
        let pair = [index, new.clone()];
        self.write_by_call(assign, recv, &pair, cx)?;
        Ok(new)
    }

    /// An element that an Array has at an index that is not negative, or a Hash has for a Symbol, an Integer or a String; None for all else.
    fn element(&mut self, recv: &Value, index: &Value) -> Res<Option<Value>> {
        if self.redefined {
            return Ok(None);
        }
        match (recv, index) {
            (Value::Array(gc), Value::Int(at)) if gc.class() == ClassId::ARRAY => {
                Ok(usize::try_from(*at).ok().and_then(|at| gc.get(self).items.as_slice().get(at).cloned()))
            }
            (Value::Hash(gc), Value::Sym(_) | Value::Int(_) | Value::Str(_))
                if gc.class() == ClassId::HASH && !gc.flag(heap::BY_IDENTITY) =>
            {
                self.hash_get(gc, index)
            }
            _ => Ok(None),
        }
    }

    /// What is assigned; None where `||=` or `&&=` assigns nothing.
    fn operated(&mut self, assign: &OpAssignCall, old: &Value, cx: &Cx<'_>) -> Res<Option<Value>> {
        match assign.op {
            AssignOp::Or if old.truthy() => Ok(None),
            AssignOp::And if !old.truthy() => Ok(None),
            AssignOp::Or | AssignOp::And => self.eval(&assign.value, cx).map(Some),
            AssignOp::Call(operator) => {
                let value = self.argument(&assign.value, cx)?;
                cx.line.set(assign.line);
                self.operate(assign, old, operator, value, cx).map(Some)
            }
        }
    }

    /// Any other assignment.
    #[inline(never)]
    fn op_assign_any(&mut self, assign: &OpAssignCall, recv: &Value, cx: &Cx<'_>) -> Res {
        if assign.safe_nav && recv.is_nil() {
            return Ok(Value::Nil);
        }
        let mut pos = SmallVec::<[Value; 4]>::new();
        let keywords = self.eval_args(&assign.args, &mut pos, cx)?;
        self.op_assign_with(assign, recv, &pos, keywords, cx)
    }

    /// The same with the arguments of the index.
    fn op_assign_with(
        &mut self,
        assign: &OpAssignCall,
        recv: &Value,
        index: &[Value],
        keywords: bool,
        cx: &Cx<'_>,
    ) -> Res {
        cx.line.set(assign.line);
        let old = self.read_by_call(assign, recv, Args { pos: index, keywords, block: None }, cx)?;
        self.note_attribute(&assign.caches[0], recv);
        let Some(new) = self.operated(assign, &old, cx)? else { return Ok(old) };
        cx.line.set(assign.line);
        if index.is_empty() && self.put_by_site(&assign.caches[2], recv, &new) {
            return Ok(new);
        }
        let mut pos = SmallVec::<[Value; 4]>::from(index);
        pos.push(new.clone());
        self.write_by_call(assign, recv, &pos, cx)?;
        Ok(new)
    }

    /// Records where the `attr_reader` that a site has called found its variable.
    fn note_attribute(&self, cache: &InlineCache, recv: &Value) {
        let (key, target) = cache.get();
        if self.cache_key(self.class_of(recv)) == key
            && let MethodBody::Reader(name) = self.method(MethodId(target as u32)).body
        {
            self.read_attribute(cache, recv, name);
        }
    }

    #[inline(never)]
    fn operate(&mut self, assign: &OpAssignCall, left: &Value, operator: Symbol, right: Value, cx: &Cx<'_>) -> Res {
        if let Some(new) = number_op(operator, left, &right).filter(|_| !self.redefined) {
            return Ok(new);
        }
        let args = Args::new(std::slice::from_ref(&right));
        let result = self.dispatch(left, operator, args, CallKind::Method, &assign.caches[1], cx).res();
        result.map_err(|error| self.note_span(error, assign.spans[1], cx))
    }

    /// Calls the reader.
    fn read_by_call(&mut self, assign: &OpAssignCall, recv: &Value, args: Args<'_>, cx: &Cx<'_>) -> Res {
        let result = self.dispatch(recv, assign.reader, args, kind_of(assign), &assign.caches[0], cx).res();
        result.map_err(|error| self.note_span(error, assign.spans[0], cx))
    }

    /// Calls the writer with the arguments of the index and the new value.
    fn write_by_call(&mut self, assign: &OpAssignCall, recv: &Value, args: &[Value], cx: &Cx<'_>) -> Res {
        let args = Args::new(args);
        let result = self.dispatch(recv, assign.writer, args, kind_of(assign), &assign.caches[2], cx).res();
        result.map_err(|error| self.note_span(error, assign.spans[2], cx))
    }
}

fn kind_of(assign: &OpAssignCall) -> CallKind {
    if assign.self_recv { CallKind::Function } else { CallKind::Method }
}

/// The sum or difference of two Integers or two Floats; None for all else.
#[inline(always)]
fn number_op(operator: Symbol, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) if operator == sym::PLUS => a.checked_add(*b).map(Value::Int),
        (Value::Int(a), Value::Int(b)) if operator == sym::MINUS => a.checked_sub(*b).map(Value::Int),
        (Value::Float(a), Value::Float(b)) if operator == sym::PLUS => Some(Value::float(a.get() + b.get())),
        (Value::Float(a), Value::Float(b)) if operator == sym::MINUS => Some(Value::float(a.get() - b.get())),
        _ => None,
    }
}
