//! Call sites: arguments, inline caches, blocks, super, yield, operator assignment to calls.

use super::outcome::{Outcome, ok};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::core::trace_point::event as trace_point;
use crate::error::{ExceptionData, Res, Unwind};
use crate::frame::{Block, Cx, Outermost, Parent, ProcKind, RProc};
use crate::hash::RHash;
use crate::heap::{self, Gc};
use crate::method::{MethodBody, MethodId, Visibility};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Args as ArgNodes, BinOp, BlockArg, Call, Code, HashElem, InlineCache, Node, OpCall};
use smallvec::SmallVec;
use std::sync::Arc;

pub(super) type ArgVec = SmallVec<[Value; 4]>;

/// Flag in the cache of an operator's site: the method is `BasicObject#==`.
pub(super) const SAME: u64 = 1 << 32;

impl Vm {
    #[inline(never)]
    pub(super) fn walk_call(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        if call.flags.indexed {
            return self.walk_indexed::<true>(call, cx);
        }
        if call.flags.attribute {
            return self.walk_attribute::<true>(call, cx);
        }
        let holder;
        let recv = match &call.recv {
            None | Some(Node::SelfRef) => cx.slf,
            Some(node) => {
                holder = ok!(self.operand(node, cx));
                if call.flags.safe_nav && holder.is_nil() {
                    return Outcome::value(Value::Nil);
                }
                &holder
            }
        };
        let result = match &call.block {
            BlockArg::Literal(code)
                if !call.args.has_splat && call.args.keywords.is_none() && !call.flags.assignment =>
            {
                self.call_with_literal(call, recv, code, cx).res()
            }
            BlockArg::None if call.flags.keyworded => self.call_keyworded(call, recv, None, cx).res(),
            BlockArg::Literal(code) if call.flags.keyworded => {
                let tag = self.fresh_id();
                self.stacks.tags.push(tag);
                let result = self.call_keyworded(call, recv, Some(Block::Ruby { code, cx, tag }), cx).res();
                self.stacks.tags.pop();
                result.or_else(|error| catch_break(error, tag))
            }
            _ => self.eval_call_args(call, recv, super::enter::kind_of(call), cx),
        };
        match result {
            Err(error) => Outcome::error(self.note_span(error, call.span, cx)),
            done => done.into(),
        }
    }

    /// Calls the method of a call with a receiver that has been evaluated.
    pub(super) fn call_on(&mut self, call: &Call, recv: &Value, cx: &Cx<'_>) -> Res {
        self.eval_call_args(call, recv, super::enter::kind_of(call), cx)
    }

    #[inline(never)]
    fn eval_call_args(&mut self, call: &Call, recv: &Value, kind: CallKind, cx: &Cx<'_>) -> Res {
        let mut pos = ArgVec::new();
        let keywords = self.eval_args(&call.args, &mut pos, cx)?;
        let args = Args { pos: &pos, keywords, block: None };
        match &call.block {
            BlockArg::None => {
                cx.line.set(call.line);
                let result = self.dispatch(recv, call.name, args, kind, &call.cache, cx).res()?;
                if call.flags.assignment {
                    return Ok(pos.pop().unwrap_or_default());
                }
                Ok(result)
            }
            BlockArg::Literal(code) => {
                cx.line.set(call.line);
                self.dispatch_with_block(recv, call, args, kind, code, cx)
            }
            BlockArg::Pass(node) => {
                let holder;
                let block = match Vm::passed_on(node, cx) {
                    Some(block) => block,
                    None => {
                        let passed = self.eval(node, cx)?;
                        cx.line.set(call.line);
                        holder = self.block_argument(&passed, cx)?;
                        holder.as_ref().map(Block::Proc)
                    }
                };
                cx.line.set(call.line);
                self.dispatch(recv, call.name, args.with_block(block), kind, &call.cache, cx).res()
            }
        }
    }

    /// The block of a live method, for `&block` where the parameter has no Proc: it is only passed on, and the activation is not captured. None if
    /// `&value` has to be evaluated.
    pub(super) fn passed_on<'c>(node: &Node, cx: &'c Cx<'c>) -> Option<Option<Block<'c>>> {
        let (slot, depth) = match node {
            Node::LVar(slot) => (*slot, 0),
            Node::LVarUp(place) => (place.slot, place.depth),
            _ => return None,
        };
        let mut owner = cx;
        for _ in 0..depth {
            let Parent::Stack(outer) = owner.parent else { return None };
            owner = outer;
        }
        let params = &owner.code.params;
        let unread = params.block_passed && params.block == Some(slot) && owner.env.get().is_none();
        unread.then_some(owner.block)
    }

    /// `&value`; a Symbol's Proc calls methods of active refinements.
    pub(super) fn block_argument(&mut self, passed: &Value, cx: &Cx<'_>) -> Res<Option<Gc<RProc>>> {
        if cx.cref.refinements.borrow().is_empty() {
            return self.to_proc(passed);
        }
        let Value::Sym(name) = passed else {
            let class = self.class_of(passed);
            let converted = match self.find_refined(class, sym::TO_PROC, cx) {
                Some(id) => self.invoke(id, passed, sym::TO_PROC, Args::none())?,
                None => passed.clone(),
            };
            return self.to_proc(&converted);
        };
        let (name, active) = (*name, cx.cref.refinements.borrow().clone());
        let arity = crate::method::Arity { min: 1, max: None };
        let proc = self.native_proc(arity, true, move |vm, _, args| {
            let Some((receiver, _)) = args.pos.split_first() else {
                return Err(vm.argument_error("no receiver given"));
            };
            let class = vm.class_of(receiver);
            let refined = vm.find_refined_in(class, name, &active);
            match refined.filter(|id| !matches!(vm.method(*id).body, MethodBody::Undefined)) {
                Some(id) => vm.invoke_refined(id, receiver, name, args.from(1), CallKind::Function, None),
                None => vm.call_kind(receiver, name, args.from(1), CallKind::Method, Some(&Value::Nil)),
            }
        });
        Ok(Some(proc))
    }

    #[inline(never)]
    pub(super) fn dispatch_with_block(
        &mut self,
        recv: &Value,
        call: &Call,
        args: Args<'_>,
        kind: CallKind,
        code: &Arc<Code>,
        cx: &Cx<'_>,
    ) -> Res {
        let tag = self.fresh_id();
        self.stacks.tags.push(tag);
        let block = Block::Ruby { code, cx, tag };
        let result = self.dispatch(recv, call.name, args.with_block(Some(block)), kind, &call.cache, cx).res();
        self.stacks.tags.pop();
        match result {
            Ok(value) => Ok(value),
            Err(error) => catch_break(error, tag),
        }
    }

    /// Evaluates arguments; true if the last one is the Hash of keywords.
    pub(super) fn eval_args(&mut self, args: &ArgNodes, out: &mut ArgVec, cx: &Cx<'_>) -> Res<bool> {
        let mut flagged = false;
        for node in &args.items {
            match node {
                Node::Splat(inner) => {
                    let value = self.eval(inner, cx)?;
                    let items = self.splat(&value)?;
                    flagged = matches!(items.last(), Some(Value::Hash(hash)) if hash.flag(heap::KEYWORDS));
                    out.extend(items);
                }
                _ => {
                    flagged = false;
                    out.push(self.operand(node, cx)?);
                }
            }
        }
        let Some(elements) = &args.keywords else {
            if flagged
                && args.has_splat
                && let Some(Value::Hash(hash)) = out.pop()
            {
                // a Hash flagged by `ruby2_keywords` is passed as keywords
                let copy = Gc::new(ClassId::HASH, hash.get(self).clone());
                if copy.get(self).is_empty() {
                    return Ok(false);
                }
                copy.set_flag(heap::FROM_SPLAT, true);
                out.push(Value::Hash(copy));
                return Ok(true);
            }
            return Ok(false);
        };
        let hash = self.eval_keywords(elements, cx)?;
        if hash.get(self).is_empty() {
            return Ok(false);
        }
        out.push(Value::Hash(hash));
        Ok(true)
    }

    fn eval_keywords(&mut self, elements: &[HashElem], cx: &Cx<'_>) -> Res<Gc<RHash>> {
        let hash = Gc::new(ClassId::HASH, RHash::with_capacity(elements.len()));
        for element in elements {
            match element {
                HashElem::Pair(Node::Sym(name), value) => {
                    let value = self.eval(value, cx)?;
                    self.hash_set(&hash, Value::Sym(*name), value)?;
                }
                HashElem::Pair(key, value) => {
                    let key = self.eval(key, cx)?;
                    let value = self.eval(value, cx)?;
                    self.hash_set(&hash, key, value)?;
                }
                HashElem::DoubleSplat(node) => {
                    let value = self.eval(node, cx)?;
                    if value.is_nil() {
                        return Err(self.type_error_of(&value, "no implicit conversion of nil into Hash"));
                    }
                    let other = self.to_hash(&value)?;
                    let pairs: Vec<_> =
                        other.get(self).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                    for (key, value) in pairs {
                        self.hash_set(&hash, key, value)?;
                    }
                }
            }
        }
        Ok(hash)
    }

    /// Looks up the method with the site's cache and calls it.
    #[inline(never)]
    pub(super) fn dispatch(
        &mut self,
        recv: &Value,
        name: Symbol,
        args: Args<'_>,
        kind: CallKind,
        cache: &InlineCache,
        cx: &Cx<'_>,
    ) -> Outcome {
        let class = self.class_of(recv);
        let key = self.cache_key(class);
        let (cached, target) = cache.get();
        if cached != key {
            return self.dispatch_miss(recv, class, name, args, kind, cache, cx).into();
        }
        let id = MethodId(target as u32);
        match &self.method(id).body {
            MethodBody::Ruby(method) => {
                let method = method.clone();
                self.invoke_ruby(id, &method, recv, args)
            }
            MethodBody::Native(function, arity) if arity.takes(args.len()) => {
                let function = *function;
                self.invoke_native(id, function, recv, args).into()
            }
            MethodBody::Reader(ivar) if args.is_empty() => {
                let ivar = *ivar;
                Outcome::value(self.ivar_get(recv, ivar).unwrap_or_default())
            }
            _ => self.invoke(id, recv, name, args).into(),
        }
    }

    #[inline(always)]
    pub(super) fn cache_key(&self, class: ClassId) -> u64 {
        self.class_keys[class.0 as usize]
    }

    #[inline(never)]
    pub(super) fn dispatch_miss(
        &mut self,
        recv: &Value,
        class: ClassId,
        name: Symbol,
        args: Args<'_>,
        kind: CallKind,
        cache: &InlineCache,
        cx: &Cx<'_>,
    ) -> Res {
        if let Some(id) = self.find_refined(class, name, cx) {
            return self.invoke_refined(id, recv, name, args, kind, Some(cx.slf));
        }
        match self.find_method(class, name) {
            Some(id) if kind != CallKind::Method || self.visibility(id) == Visibility::Public => {
                if self.traced_events & trace_point::NATIVE != 0 {
                    return self.invoke_attribute_traced(id, recv, name, args);
                }
                cache.set(self.cache_key(class), u64::from(id.0));
                self.invoke(id, recv, name, args)
            }
            _ => self.call_kind(recv, name, args, kind, Some(cx.slf)),
        }
    }

    /// Calls a method; those of attributes are natives for trace points.
    #[cold]
    #[inline(never)]
    fn invoke_attribute_traced(&mut self, id: MethodId, recv: &Value, name: Symbol, args: Args<'_>) -> Res {
        match self.method(id).body {
            MethodBody::Reader(_) | MethodBody::Writer(_) | MethodBody::Closure(..) => {
                self.trace_native(id, recv, |vm| vm.invoke(id, recv, name, args))
            }
            _ => self.invoke(id, recv, name, args),
        }
    }

    /// Calls an operator for operands without a fast path.
    #[inline(never)]
    pub(super) fn eval_op_call(&mut self, call: &OpCall, left: Value, right: Value, cx: &Cx<'_>) -> Res {
        cx.line.set(call.line);
        let kind = if call.self_recv { CallKind::Function } else { CallKind::Method };
        match self.dispatch(&left, call.name, Args::new(std::slice::from_ref(&right)), kind, &call.cache, cx).res() {
            Err(error) => Err(self.note_span(error, call.span, cx)),
            done => {
                self.note_same(call);
                done
            }
        }
    }

    /// Sets the flag [`SAME`] in a site's cache if it applies to the method.
    fn note_same(&self, call: &OpCall) {
        let (key, target) = call.cache.get();
        if call.op != BinOp::Eq || key == 0 {
            return;
        }
        let method = self.method(MethodId(target as u32));
        if matches!(method.body, MethodBody::Native(..))
            && method.owner == ClassId::BASIC_OBJECT
            && method.name == sym::EQ
        {
            call.cache.set(key, target | SAME);
        }
    }

    /// `yield`, with any arguments, to any block.
    #[inline(never)]
    pub(super) fn eval_yield(&mut self, call: &(ArgNodes, u32), cx: &Cx<'_>) -> Res {
        let mut pos = ArgVec::new();
        let mut keywords = self.eval_args(&call.0, &mut pos, cx)?;
        cx.line.set(call.1);
        let outermost = cx.outermost();
        if let Outermost::Live(Cx { block: Some(Block::Ruby { code, .. }), .. }) = &outermost
            && !keywords
            && call.0.keywords.is_some()
        {
            // keywords that turn out to be none keep a block from taking an Array apart, unless it has only required parameters
            if code.params.takes_keywords() {
                pos.push(Value::hash(RHash::default()));
                keywords = true;
            } else if let [array @ Value::Array(_)] = pos.as_mut_slice()
                && !code.params.only_required()
                && code.params.takes_apart()
            {
                *array = Value::array(vec![std::mem::take(array)]);
            }
        }
        let args = Args { pos: &pos, keywords, block: None };
        match outermost {
            Outermost::Live(cx) => match cx.block {
                Some(block) => self.yield_block(block, args),
                None => Err(self.no_block()),
            },
            Outermost::Captured(env) => match env.get(self).home.get(self).block.clone() {
                Some(proc) => self.call_proc(&proc, args),
                None => Err(self.no_block()),
            },
        }
    }

    /// LocalJumpError: no block given (yield)
    #[cold]
    pub fn no_block(&mut self) -> crate::error::Error {
        let data = ExceptionData {
            message: Value::str("no block given (yield)"),
            detail: Value::sym("noreason"),
            ..crate::error::empty()
        };
        Unwind::Raise(self.new_exception_with(ClassId::LOCAL_JUMP_ERROR, data)).into()
    }

    pub(super) fn eval_lambda(&mut self, code: &Arc<Code>, cx: &Cx<'_>) -> Value {
        let env = self.capture(cx);
        let kind = ProcKind::Ruby { code: code.clone(), env, tag: 0 };
        Value::Proc(Gc::new(ClassId::PROC, RProc { kind, lambda: true }))
    }
}

/// Ends a `break` at the call with the block's tag.
#[inline(never)]
pub(super) fn catch_break(error: crate::error::Error, tag: u64) -> Res {
    match *error.0 {
        Unwind::Break(at, value) if at == tag => Ok(value),
        other => Err(other.into()),
    }
}
