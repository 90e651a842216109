//! Assignments that call: `x.y = v` and `x[i] = v`, and both with an operator. What needs no method is written where the caches of the site found it
//! last time, or to the Array or Hash itself.

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
use rchef_syntax::tree::{AssignOp, BinOp, Call, InlineCache, Node, OpAssignCall};
use smallvec::SmallVec;

impl Vm {
    /// `x[i] = v`; `Undef` unless the value is `USED`.
    #[inline(never)]
    pub(super) fn walk_indexed<const USED: bool>(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        let recv = match &call.recv {
            None | Some(Node::SelfRef) => cx.slf.clone(),
            Some(node) => ok!(self.operand(node, cx)),
        };
        let [index, value] = call.args.items.as_slice() else { return Outcome::value(Value::Nil) };
        let index = ok!(self.argument(index, cx));
        let value = ok!(self.argument(value, cx));
        if let Some(slot) = self.element_slot(&recv, &index) {
            let result = if USED { value.clone() } else { Value::Undef };
            slot.put(value);
            recv.give_up();
            return Outcome::value(result);
        }
        self.assign_indexed(call, [recv, index, value], USED, cx)
    }

    /// `x[i] = v` for anything but existing elements of an Array.
    #[inline(never)]
    fn assign_indexed(&mut self, call: &Call, [recv, index, value]: [Value; 3], used: bool, cx: &Cx<'_>) -> Outcome {
        cx.line.set(call.line);
        if !ok!(self.store_by_key(&recv, &index, &value)) {
            let pair = [index, value.clone()];
            ok!(self.call_site(call, &recv, Args::new(&pair), super::enter::kind_of(call), cx).res());
        }
        Outcome::value(if used { value } else { Value::Undef })
    }

    /// An existing element of an Array, if assigning it needs no method.
    #[inline(always)]
    fn element_slot<'a>(&'a mut self, recv: &'a Value, index: &Value) -> Option<&'a mut Value> {
        let (Value::Array(gc), Value::Int(at)) = (recv, index) else { return None };
        if self.redefined || gc.class() != ClassId::ARRAY || gc.frozen() {
            return None;
        }
        gc.get_mut(self).items.get_mut(usize::try_from(*at).ok()?)
    }

    /// Assigns a Hash's value for a Symbol, an Integer or a String, if that needs no method; false otherwise.
    fn store_by_key(&mut self, recv: &Value, key: &Value, value: &Value) -> Res<bool> {
        let (Value::Hash(gc), Value::Sym(_) | Value::Int(_) | Value::Str(_)) = (recv, key) else {
            return self.refuse_frozen(recv, key);
        };
        if self.redefined || gc.class() != ClassId::HASH || gc.frozen() || gc.get(self).iterating != 0 {
            return self.refuse_frozen(recv, key);
        }
        self.hash_set(gc, key.clone(), value.clone())?;
        Ok(true)
    }

    /// MRI refuses the assignment to an element of a frozen Array or Hash without a frame of the method; false where there is nothing to refuse.
    fn refuse_frozen(&mut self, recv: &Value, key: &Value) -> Res<bool> {
        let own = match (recv, key) {
            (Value::Array(gc), Value::Int(_)) => gc.class() == ClassId::ARRAY,
            (Value::Hash(gc), _) => gc.class() == ClassId::HASH,
            _ => false,
        };
        if own && !self.redefined {
            self.check_frozen(recv)?;
        }
        Ok(false)
    }

    /// `x.y = v`; `Undef` unless the value is `USED`.
    #[inline(never)]
    pub(super) fn walk_attribute<const USED: bool>(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        let recv = match &call.recv {
            None | Some(Node::SelfRef) => cx.slf.clone(),
            Some(node) => {
                let recv = ok!(self.operand(node, cx));
                if call.flags.safe_nav && recv.is_nil() {
                    return Outcome::value(if USED { Value::Nil } else { Value::Undef });
                }
                recv
            }
        };
        let [value] = call.args.items.as_slice() else { return Outcome::value(Value::Nil) };
        let value = ok!(self.argument(value, cx));
        if let Some(slot) = self.slot_by_site(&call.cache, &recv) {
            let result = if USED { value.clone() } else { Value::Undef };
            slot.put(value);
            recv.give_up();
            return Outcome::value(result);
        }
        self.assign_by_call(call, [recv, value], USED, cx)
    }

    /// `x.y = v` for anything but a variable that the object has where the site found it last time.
    #[inline(never)]
    fn assign_by_call(&mut self, call: &Call, [recv, value]: [Value; 2], used: bool, cx: &Cx<'_>) -> Outcome {
        if !self.put_by_site(&call.cache, &recv, &value) {
            ok!(self
                .call_site(call, &recv, Args::new(std::slice::from_ref(&value)), super::enter::kind_of(call), cx)
                .res());
        }
        Outcome::value(if used { value } else { Value::Undef })
    }

    /// The variable that the `attr_writer` of a site would write, if the object has it where the site found it last time and is not frozen.
    #[inline(always)]
    pub(super) fn slot_by_site<'a>(&'a mut self, cache: &InlineCache, recv: &'a Value) -> Option<&'a mut Value> {
        let (key, target) = cache.get();
        let Value::Object(gc) = recv else { return None };
        if self.cache_key(gc.class()) != key {
            return None;
        }
        let MethodBody::Writer(name) = self.method(MethodId(target as u32)).body else { return None };
        self.ivar_slot_at(recv, (target >> HINT) as usize, name)
    }

    /// Writes the variable of the `attr_writer` that a site called last time, if it would again; false otherwise.
    #[inline(always)]
    pub(super) fn put_by_site(&mut self, cache: &InlineCache, recv: &Value, value: &Value) -> bool {
        let (key, target) = cache.get();
        if self.cache_key(self.class_of(recv)) == key
            && let MethodBody::Writer(name) = self.method(MethodId(target as u32)).body
        {
            return self.put_attribute(cache, recv, name, value);
        }
        false
    }

    /// Writes the variable of an `attr_writer` if the object is not frozen and has the variable; false otherwise.
    #[inline(always)]
    pub(super) fn put_attribute(&mut self, cache: &InlineCache, recv: &Value, name: Symbol, value: &Value) -> bool {
        let (key, target) = cache.get();
        if let Some(slot) = self.ivar_slot_at(recv, (target >> HINT) as usize, name) {
            slot.put(value.clone());
            return true;
        }
        let Value::Object(gc) = recv else { return false };
        if gc.frozen() {
            return false;
        }
        let ivars = &mut gc.get_mut(self).ivars;
        let Some(index) = ivars.position(name) else { return false };
        cache.set(key, target & ((1 << HINT) - 1) | (index as u64) << HINT);
        match ivars.at_mut(index, name) {
            Some(slot) => {
                slot.put(value.clone());
                true
            }
            None => false,
        }
    }

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
            let new = match self.number_op(assign.numeric, &old, &value) {
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
        if let Some(slot) = self.element_slot(recv, &index) {
            slot.put(new.clone());
            return Ok(new);
        }
        if self.store_by_key(recv, &index, &new)? {
            return Ok(new);
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

    /// The result of the assignment's operator for two numbers of a kind, unless an operator has been redefined.
    #[inline(always)]
    fn number_op(&self, operator: Option<BinOp>, left: &Value, right: &Value) -> Option<Value> {
        if self.redefined { None } else { super::operators::number_op(operator?, left, right) }
    }

    #[inline(never)]
    fn operate(&mut self, assign: &OpAssignCall, left: &Value, operator: Symbol, right: Value, cx: &Cx<'_>) -> Res {
        if let Some(new) = self.number_op(assign.numeric, left, &right) {
            return Ok(new);
        }
        let args = Args::new(std::slice::from_ref(&right));
        let result = self.dispatch(left, operator, args, CallKind::Method, &assign.caches[1], cx).res();
        result.map_err(|error| self.note_span(error, assign.spans[1], cx))
    }

    /// Calls the reader.
    fn read_by_call(&mut self, assign: &OpAssignCall, recv: &Value, args: Args<'_>, cx: &Cx<'_>) -> Res {
        if let (Value::Hash(gc), [key]) = (recv, args.pos)
            && gc.class() == ClassId::HASH
            && !self.redefined
            && assign.reader == sym::AREF
            && !args.keywords
        {
            return crate::core::hash::aref(self, recv, key);
        }
        let result = self.dispatch(recv, assign.reader, args, kind_of(assign), &assign.caches[0], cx).res();
        result.map_err(|error| self.note_span(error, assign.spans[0], cx))
    }

    /// Calls the writer with the arguments of the index and the new value.
    fn write_by_call(&mut self, assign: &OpAssignCall, recv: &Value, args: &[Value], cx: &Cx<'_>) -> Res {
        if let [key, _] = args {
            self.refuse_frozen(recv, key)?;
        }
        let args = Args::new(args);
        let result = self.dispatch(recv, assign.writer, args, kind_of(assign), &assign.caches[2], cx).res();
        result.map_err(|error| self.note_span(error, assign.spans[2], cx))
    }
}

fn kind_of(assign: &OpAssignCall) -> CallKind {
    if assign.self_recv { CallKind::Function } else { CallKind::Method }
}
