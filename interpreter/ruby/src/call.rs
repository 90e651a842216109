//! Calls: finds and runs methods, yields to blocks, calls procs.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res, Unwind};
use crate::exec::Outcome;
use crate::frame::{Activation, Block, Cref, Cx, Definee, Env, Parent, ProcKind, RProc};
use crate::heap::Gc;
use crate::method::{Arity, MethodBody, MethodId, RubyMethod, Visibility};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Code, CodeKind};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

pub use crate::method::CallKind;

/// What replaces self, definee and method of a proc for a call.
#[derive(Clone, Copy, Default)]
pub struct ProcOverride<'a> {
    pub slf: Option<&'a Value>,
    pub cref: Option<&'a Rc<Cref>>,
    /// Run as this method (define_method): `return` ends it and `super` works.
    pub method: Option<MethodId>,
    /// Whether arguments are bound as for a lambda.
    pub lambda: bool,
}

impl Vm {
    /// Calls a public or private method.
    #[inline]
    pub fn call(&mut self, recv: &Value, name: Symbol, args: &[Value]) -> Res {
        self.call_args(recv, name, Args::new(args))
    }
    /// The same by the name as text.
    pub fn call_name(&mut self, recv: &Value, name: &str, args: &[Value]) -> Res {
        self.call_args(recv, Symbol::intern(name), Args::new(args))
    }
    /// Calls a public or private method with any kind of arguments.
    pub fn call_args(&mut self, recv: &Value, name: Symbol, args: Args<'_>) -> Res {
        let class = self.class_of(recv);
        match self.find_method(class, name) {
            Some(id) => self.invoke(id, recv, name, args),
            None => self.method_missing(recv, name, args, CallKind::Function),
        }
    }
    /// Calls a method with a Proc as its block.
    pub fn call_with_block(&mut self, recv: &Value, name: Symbol, args: &[Value], block: &Gc<RProc>) -> Res {
        self.call_args(recv, name, Args::new(args).with_block(Some(Block::Proc(block))))
    }
    /// Calls a method with a native closure as its block. See [`Vm::iterate`] for a closure that may stop the iteration.
    pub fn call_with_native_block(
        &mut self,
        recv: &Value,
        name: Symbol,
        args: &[Value],
        closure: impl Fn(&mut Vm, Args<'_>) -> Res + 'static,
    ) -> Res {
        let proc = self.native_proc(crate::method::Arity::ANY, false, move |vm, _, args| closure(vm, args));
        self.call_with_block(recv, name, args, &proc)
    }
    /// Calls `each` (or another iterator) with a native closure, which returns `Ok(false)` to stop.
    pub fn iterate(
        &mut self,
        recv: &Value,
        name: Symbol,
        args: &[Value],
        closure: impl Fn(&mut Vm, Args<'_>) -> Res<bool> + 'static,
    ) -> Res<()> {
        let tag = self.fresh_id();
        self.stacks.tags.push(tag);
        let result = self.call_with_native_block(recv, name, args, move |vm, args| {
            vm.tick()?;
            if closure(vm, args)? { Ok(Value::Nil) } else { Err(Unwind::Break(tag, Value::Nil).into()) }
        });
        self.stacks.tags.pop();
        match result {
            Err(error) if matches!(*error.0, Unwind::Break(at, _) if at == tag) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }
    /// Calls a public method, like `public_send`.
    pub fn call_public(&mut self, recv: &Value, name: Symbol, args: Args<'_>) -> Res {
        self.call_kind(recv, name, args, CallKind::Method, None)
    }
    /// Calls a method by the rules of a call's form. `caller_self` is used for protected methods.
    pub fn call_kind(
        &mut self,
        recv: &Value,
        name: Symbol,
        args: Args<'_>,
        kind: CallKind,
        caller_self: Option<&Value>,
    ) -> Res {
        let class = self.class_of(recv);
        match self.find_method(class, name) {
            Some(id) => {
                if kind == CallKind::Method {
                    match self.visibility(id) {
                        Visibility::Public => {}
                        Visibility::Private => {
                            return self.method_missing_visibility(recv, name, args, Visibility::Private);
                        }
                        Visibility::Protected => {
                            let holder = self.protected_in(class, name, id);
                            if !caller_self.is_some_and(|caller| self.is_a(caller, holder)) {
                                return self.method_missing_visibility(recv, name, args, Visibility::Protected);
                            }
                        }
                    }
                }
                self.invoke(id, recv, name, args)
            }
            None => self.method_missing(recv, name, args, kind),
        }
    }

    /// `respond_to?` for natives: uses redefined `respond_to?` and `respond_to_missing?`.
    pub fn respond_to(&mut self, value: &Value, name: Symbol, include_private: bool) -> Res<bool> {
        let class = self.class_of(value);
        if let Some(id) = self.find_method(class, sym::RESPOND_TO)
            && !matches!(self.method(id).body, MethodBody::Native(..))
        {
            let args = [Value::Sym(name), Value::bool(include_private)];
            let count = match self.method_arity(id) {
                1 => 1,
                more @ 3.. => {
                    let text = format!("respond_to? must accept 1 or 2 arguments (requires {more})");
                    return Err(self.argument_error(text));
                }
                _ => 2,
            };
            return Ok(self.invoke(id, value, sym::RESPOND_TO, Args::new(&args[..count]))?.truthy());
        }
        self.basic_respond_to(value, name, include_private)
    }
    pub fn basic_respond_to(&mut self, value: &Value, name: Symbol, include_private: bool) -> Res<bool> {
        let class = self.class_of(value);
        if let Some(id) = self.find_method(class, name)
            && (include_private || self.visibility(id) == Visibility::Public)
        {
            return Ok(true);
        }
        match self.find_method(class, sym::RESPOND_TO_MISSING) {
            Some(id) if !matches!(self.method(id).body, MethodBody::Native(..)) => Ok(self
                .invoke(
                    id,
                    value,
                    sym::RESPOND_TO_MISSING,
                    Args::new(&[Value::Sym(name), Value::bool(include_private)]),
                )?
                .truthy()),
            _ => Ok(false),
        }
    }

    /// Calls a method after lookup.
    pub fn invoke(&mut self, id: MethodId, recv: &Value, name: Symbol, args: Args<'_>) -> Res {
        match &self.method(id).body {
            MethodBody::Ruby(method) => {
                let method = method.clone();
                self.invoke_ruby(id, &method, recv, args).res()
            }
            MethodBody::Native(function, arity) => {
                let (function, arity) = (*function, *arity);
                if !arity.takes(args.len()) {
                    let args = self.drop_empty_keywords(args);
                    if !arity.takes(args.len()) {
                        self.stacks.push_native(id);
                        let error = self.arity_error(args.len(), arity.expected());
                        self.stacks.pop_native();
                        return Err(error);
                    }
                    return self.invoke_native(id, function, recv, args);
                }
                self.invoke_native(id, function, recv, args)
            }
            MethodBody::Closure(closure, arity) => {
                let (closure, arity) = (closure.clone(), *arity);
                self.stacks.push_native(id);
                let result = if arity.takes(args.len()) {
                    self.check_stack().and_then(|()| closure(self, recv, args))
                } else {
                    Err(self.arity_error(args.len(), arity.expected()))
                };
                self.stacks.pop_native();
                result
            }
            MethodBody::Proc(proc) => {
                let proc = proc.clone();
                if args.keywords {
                    args.forget_splat(recv);
                }
                self.call_proc_with(
                    &proc,
                    args,
                    ProcOverride { slf: Some(recv), cref: None, method: Some(id), lambda: true },
                )
            }
            MethodBody::Reader(ivar) => {
                let ivar = *ivar;
                if !args.is_empty() {
                    return Err(self.arity_error(args.len(), "0"));
                }
                Ok(self.ivar_get(recv, ivar).unwrap_or_default())
            }
            MethodBody::Writer(ivar) => {
                let ivar = *ivar;
                if args.len() != 1 {
                    return Err(self.arity_error(args.len(), "1"));
                }
                self.check_frozen(recv)?;
                self.ivar_set(recv, ivar, args.at(0).clone());
                Ok(args.at(0).clone())
            }
            MethodBody::Undefined => self.method_missing(recv, name, args, CallKind::Function),
        }
    }

    #[inline(always)]
    pub(crate) fn invoke_native(
        &mut self,
        id: MethodId,
        function: crate::method::NativeFn,
        recv: &Value,
        args: Args<'_>,
    ) -> Res {
        if self.check_entry()? {
            return self.invoke_native_traced(id, function, recv, args);
        }
        if args.keywords {
            args.forget_splat(recv);
        }
        self.stacks.push_native(id);
        let result = function(self, recv, args);
        self.stacks.pop_native();
        match self.after_native {
            Some(after) => after(self, id, recv, result),
            None => result,
        }
    }

    fn drop_empty_keywords<'a>(&self, args: Args<'a>) -> Args<'a> {
        match args.split() {
            (rest, Some(hash)) if hash.get(self).is_empty() => Args { pos: rest, keywords: false, block: args.block },
            _ => args,
        }
    }

    /// Calls a method written in Ruby.
    #[inline(never)]
    pub(crate) fn invoke_ruby(&mut self, id: MethodId, method: &RubyMethod, recv: &Value, args: Args<'_>) -> Outcome {
        let params = &method.code.params;
        let plain = params.takes_exactly(args.len());
        if !args.keywords && (plain || params.takes_pushed(args.len(), args.block.is_some())) {
            let base = self.stacks.height();
            self.stacks.push_all(args.pos);
            return self.invoke_pushed(id, method, recv, base, args.block);
        }
        self.invoke_bound(id, method, recv, args).into()
    }

    /// Calls a method written in Ruby with arguments that need binding.
    #[inline(never)]
    fn invoke_bound(&mut self, id: MethodId, method: &RubyMethod, recv: &Value, args: Args<'_>) -> Res {
        self.check_stack()?;
        self.tick()?;
        let code = &method.code;
        let proc;
        let mut block = args.block;
        if code.params.block.is_some()
            && !code.params.block_passed
            && let Some(given) = block
        {
            proc = self.block_to_proc(given);
            block = Some(Block::Proc(&proc));
        }
        let base = self.stacks.height();
        let cx = Cx {
            method: Some(id),
            block,
            id: self.fresh_id(),
            ..Cx::new(recv, code, &method.cref, Parent::None, base)
        };
        let mut entered = Activation::enter(self, &cx);
        let vm = &mut *entered;
        let bound = if code.params.simple && !args.keywords {
            Err(vm.arity_error(args.len(), code.params.required.to_string()))
        } else {
            vm.bind_params(&cx, code, Args { block, ..args }, true)
        };
        if let Err(error) = bound {
            entered.leave();
            // the default value of a parameter may contain `return`
            return self.end_of_method(error, cx.id);
        }
        let result = vm.method_body(code, &cx).res();
        entered.leave();
        match result {
            Ok(value) => Ok(value),
            Err(error) => self.end_of_method(error, cx.id),
        }
    }

    #[inline(never)]
    pub(crate) fn end_of_method(&mut self, error: Error, id: u64) -> Res {
        match *error.0 {
            Unwind::Return(target, value) if target == id => Ok(value),
            _ => Err(error),
        }
    }

    /// Yields to a block.
    #[inline]
    pub fn yield_block(&mut self, block: Block<'_>, args: Args<'_>) -> Res {
        match block {
            Block::Ruby { code, cx, tag } => self.yield_ruby(code, cx, tag, args),
            Block::Proc(proc) => self.call_proc_with(proc, args, ProcOverride::default()),
        }
    }
    /// Yields one value: a block with several parameters destructures an Array.
    #[inline]
    pub fn yield1(&mut self, block: Block<'_>, value: Value) -> Res {
        if let Block::Ruby { code, cx, tag } = block
            && code.params.simple
            && code.params.required <= 1
        {
            let base = self.stacks.height();
            if code.params.required == 1 {
                self.stacks.push(value);
            }
            return self.yield_pushed(code, cx, tag, base).res();
        }
        self.yield_block(block, Args::new(&[value]))
    }
    /// Yields two values.
    #[inline]
    pub fn yield2(&mut self, block: Block<'_>, a: Value, b: Value) -> Res {
        self.yield_block(block, Args::new(&[a, b]))
    }
    /// Yields any number of values.
    pub fn yield_values(&mut self, block: Block<'_>, values: &[Value]) -> Res {
        self.yield_block(block, Args::new(values))
    }

    fn yield_ruby(&mut self, code: &Arc<Code>, outer: &Cx<'_>, tag: u64, args: Args<'_>) -> Res {
        let required = usize::from(code.params.required);
        if code.params.simple && args.block.is_none() && (required == 0 || (required == args.len() && !args.keywords)) {
            let base = self.stacks.height();
            self.stacks.push_all(&args.pos[..required]);
            return self.yield_pushed(code, outer, tag, base).res();
        }
        self.run_block(
            code,
            Parent::Stack(outer),
            outer.slf,
            outer.cref,
            args,
            BlockTraits { tag, lambda: false, method: None, strict: false },
        )
    }

    fn run_block(
        &mut self,
        code: &Arc<Code>,
        parent: Parent<'_>,
        slf: &Value,
        cref: &Rc<Cref>,
        args: Args<'_>,
        traits: BlockTraits,
    ) -> Res {
        if self.check_entry()? {
            return self.run_block_traced(code, parent, slf, cref, args, traits);
        }
        self.run_block_as::<false>(code, parent, slf, cref, args, traits)
    }
    /// The same with events for trace points.
    #[cold]
    #[inline(never)]
    fn run_block_traced(
        &mut self,
        code: &Arc<Code>,
        parent: Parent<'_>,
        slf: &Value,
        cref: &Rc<Cref>,
        args: Args<'_>,
        traits: BlockTraits,
    ) -> Res {
        self.run_block_as::<true>(code, parent, slf, cref, args, traits)
    }
    #[inline(always)]
    fn run_block_as<const TRACED: bool>(
        &mut self,
        code: &Arc<Code>,
        parent: Parent<'_>,
        slf: &Value,
        cref: &Rc<Cref>,
        args: Args<'_>,
        traits: BlockTraits,
    ) -> Res {
        self.tick()?;
        let base = self.stacks.height();
        let proc;
        let mut block = args.block;
        if code.params.block.is_some()
            && let Some(given) = block
        {
            proc = self.block_to_proc(given);
            block = Some(Block::Proc(&proc));
        }
        let cx = Cx {
            method: traits.method,
            block,
            id: if traits.lambda { self.fresh_id() } else { 0 },
            tag: traits.tag,
            lambda: traits.lambda,
            ..Cx::new(slf, code, cref, parent, base)
        };
        let params = &code.params;
        let plain = params.simple && args.len() == usize::from(params.required) && !args.keywords;
        if plain {
            self.stacks.push_all(args.pos);
        }
        let mut entered = Activation::enter(self, &cx);
        let vm = &mut *entered;
        // a block without parameters accepts any arguments
        let takes_all = params.simple && params.required == 0 && !traits.strict;
        if !plain && !takes_all {
            let bound = if traits.strict {
                vm.bind_params(&cx, code, Args { block, ..args }, true)
            } else {
                vm.bind_block_params(&cx, code, Args { block, ..args })
            };
            if let Err(error) = bound {
                entered.leave();
                return if traits.lambda { self.end_of_method(error, cx.id) } else { Err(error) };
            }
        }
        if TRACED {
            vm.block_begins(&cx)?;
        }
        let mut whole = true;
        // while traced, a `return` has to be seen
        let mut result = if TRACED { vm.walk(&code.body, &cx).res() } else { vm.tail(&code.body, &cx).res() };
        let result = loop {
            match result {
                Err(error) => match *error.0 {
                    Unwind::Next(value) => break Ok(value),
                    Unwind::Redo => result = vm.redo(&cx),
                    Unwind::Return(target, value) if traits.lambda && target == cx.id => {
                        whole = false;
                        break Ok(value);
                    }
                    Unwind::Break(at, value) if traits.lambda && at == traits.tag => break Ok(value),
                    other => break Err(other.into()),
                },
                done => break done,
            }
        };
        let result = if TRACED {
            whole &= result.is_ok();
            vm.block_ends(&cx, result, whole)
        } else {
            result
        };
        entered.leave();
        result
    }

    /// Calls a Proc.
    #[inline]
    pub fn call_proc(&mut self, proc: &Gc<RProc>, args: Args<'_>) -> Res {
        self.call_proc_with(proc, args, ProcOverride::default())
    }

    /// Calls a Proc with another self, scope or method.
    pub fn call_proc_with(&mut self, proc: &Gc<RProc>, args: Args<'_>, with: ProcOverride<'_>) -> Res {
        let data = proc.get(self);
        match &data.kind {
            ProcKind::Ruby { code, env, tag } => {
                let (code, env, tag) = (code.clone(), env.clone(), *tag);
                let strict = data.lambda || with.lambda;
                let scope = env.get(self);
                let (own_self, own_cref) = (scope.slf.clone(), scope.cref.clone());
                let slf = with.slf.unwrap_or(&own_self);
                let cref = with.cref.unwrap_or(&own_cref);
                let lambda = strict;
                // `break` in a lambda ends the lambda, which gets a tag of its own
                let tag = if lambda { self.fresh_id() } else { tag };
                let flagged;
                let args = if args.keywords && code.params.ruby2_keywords() {
                    flagged = self.flag_keywords(args);
                    Args { pos: &flagged, keywords: false, block: args.block }
                } else {
                    args
                };
                self.run_block(
                    &code,
                    Parent::Heap(&env),
                    slf,
                    cref,
                    args,
                    BlockTraits { tag, lambda, method: with.method, strict },
                )
            }
            ProcKind::Native(closure, arity) => {
                let (closure, arity, lambda) = (closure.clone(), *arity, data.lambda);
                self.check_stack()?;
                self.tick()?;
                if lambda && !arity.takes(args.len()) {
                    return Err(self.arity_error(args.len(), arity.expected()));
                }
                closure(self, with.slf.unwrap_or(&Value::Nil), args)
            }
            ProcKind::Held(held) => {
                let held = held.clone();
                self.check_stack()?;
                self.tick()?;
                held.call(self, args)
            }
            ProcKind::Method(receiver, id, name) => {
                let (receiver, id, name) = (receiver.clone(), *id, *name);
                self.invoke(id, &receiver, name, args)
            }
            ProcKind::Symbol(name) => {
                let name = *name;
                match args.pos.split_first() {
                    None => Err(self.argument_error("no receiver given")),
                    Some((receiver, _)) => {
                        let caller = Value::Nil;
                        self.call_kind(receiver, name, args.from(1), CallKind::Method, Some(&caller))
                    }
                }
            }
        }
    }

    fn flag_keywords(&mut self, args: Args<'_>) -> Vec<Value> {
        let mut pos = args.pos.to_vec();
        if let Some(Value::Hash(hash)) = pos.pop()
            && !hash.get(self).is_empty()
        {
            let copy = Gc::new(ClassId::HASH, hash.get(self).clone());
            copy.set_flag(crate::heap::KEYWORDS, true);
            pos.push(Value::Hash(copy));
        }
        pos
    }

    /// Calls a block with another self, like `instance_exec`.
    pub fn call_block_as(&mut self, block: Block<'_>, slf: &Value, definee: Option<Definee>, args: Args<'_>) -> Res {
        match block {
            Block::Ruby { code, cx, tag } => {
                let cref = match definee {
                    Some(definee) => Cref::with_definee(cx.cref, definee),
                    None => cx.cref.clone(),
                };
                self.run_block(
                    code,
                    Parent::Stack(cx),
                    slf,
                    &cref,
                    args,
                    BlockTraits { tag, lambda: false, method: None, strict: false },
                )
            }
            Block::Proc(proc) => {
                let cref = match (&proc.get(self).kind, definee) {
                    (ProcKind::Ruby { env, .. }, Some(definee)) => {
                        Some(Cref::with_definee(&env.get(self).cref, definee))
                    }
                    _ => None,
                };
                let lambda = proc.get(self).lambda;
                self.call_proc_with(
                    proc,
                    args,
                    ProcOverride { slf: Some(slf), cref: cref.as_ref(), method: None, lambda },
                )
            }
        }
    }

    /// Calls a block with another self and lexical scope.
    pub(crate) fn call_block_in(&mut self, block: Block<'_>, slf: &Value, cref: &Rc<Cref>, args: Args<'_>) -> Res {
        match block {
            Block::Ruby { code, cx, tag } => self.run_block(
                code,
                Parent::Stack(cx),
                slf,
                cref,
                args,
                BlockTraits { tag, lambda: false, method: None, strict: false },
            ),
            Block::Proc(proc) => self.call_proc_with(
                proc,
                args,
                ProcOverride { slf: Some(slf), cref: Some(cref), method: None, lambda: false },
            ),
        }
    }

    /// Runs code in a captured scope, and passes the scope of its own variables to `keep`, even after an error.
    pub(crate) fn run_in_env_with(
        &mut self,
        code: &Arc<Code>,
        env: &Gc<Env>,
        slf: &Value,
        cref: &Rc<Cref>,
        keep: impl FnOnce(&mut Vm, Gc<Env>),
    ) -> Res {
        self.check_stack()?;
        let (tag, method) = (env.get(self).tag, env.get(self).method);
        let base = self.stacks.height();
        let cx = Cx { method, tag, ..Cx::new(slf, code, cref, Parent::Heap(env), base) };
        let mut entered = Activation::enter(self, &cx);
        let vm = &mut *entered;
        let result = vm.protect(|vm| vm.statement(&code.body, &cx));
        let inner = vm.capture(&cx);
        keep(vm, inner);
        entered.leave();
        match result {
            Err(error) => match *error.0 {
                Unwind::Next(value) => Ok(value),
                other => Err(other.into()),
            },
            done => done,
        }
    }

    /// Runs code in a captured scope: `eval` with a Binding.
    pub(crate) fn run_in_env(&mut self, code: &Arc<Code>, env: &Gc<Env>, slf: &Value, cref: &Rc<Cref>) -> Res {
        let (tag, method) = (env.get(self).tag, env.get(self).method);
        self.run_block(
            code,
            Parent::Heap(env),
            slf,
            cref,
            Args::none(),
            BlockTraits { tag, lambda: false, method, strict: false },
        )
    }
    /// Runs code without outer locals: a file or class body.
    pub(crate) fn run_body(&mut self, code: &Arc<Code>, slf: &Value, cref: &Rc<Cref>) -> Res {
        self.run_body_as(code, slf, cref, None)
    }

    /// The same; `home` is the id of the activation that a `return` in it ends.
    pub(crate) fn run_body_as(&mut self, code: &Arc<Code>, slf: &Value, cref: &Rc<Cref>, home: Option<u64>) -> Res {
        self.check_stack()?;
        let base = self.stacks.height();
        let cx = Cx { id: home.unwrap_or_else(|| self.fresh_id()), ..Cx::new(slf, code, cref, Parent::None, base) };
        let mut entered = Activation::enter(self, &cx);
        let vm = &mut *entered;
        let result = vm.protect(|vm| match code.kind {
            CodeKind::Class | CodeKind::Module => vm.class_body(code, &cx),
            _ => vm.statement(&code.body, &cx),
        });
        entered.leave();
        match result {
            Err(error) if home.is_none() => self.end_of_method(error, cx.id),
            done => done,
        }
    }

    /// Calls `method_missing`, or raises NoMethodError (NameError for a bare name).
    #[cold]
    pub fn method_missing(&mut self, recv: &Value, name: Symbol, args: Args<'_>, kind: CallKind) -> Res {
        let class = self.class_of(recv);
        if name != sym::METHOD_MISSING
            && let Some(id) = self.find_method(class, sym::METHOD_MISSING)
            && !matches!(self.method(id).body, MethodBody::Native(..))
        {
            let mut with_name: SmallVec<[Value; 8]> = SmallVec::with_capacity(args.len() + 1);
            with_name.push(Value::Sym(name));
            with_name.extend(args.pos.iter().cloned());
            self.missing = kind;
            return self.invoke(id, recv, sym::METHOD_MISSING, Args { pos: &with_name, ..args });
        }
        Err(self.no_method_error(recv, name, args.pos, kind, None))
    }
    #[cold]
    pub(crate) fn method_missing_visibility(
        &mut self,
        recv: &Value,
        name: Symbol,
        args: Args<'_>,
        visibility: Visibility,
    ) -> Res {
        let class = self.class_of(recv);
        if let Some(id) = self.find_method(class, sym::METHOD_MISSING)
            && !matches!(self.method(id).body, MethodBody::Native(..))
        {
            return self.method_missing(recv, name, args, CallKind::Method);
        }
        Err(self.no_method_error(recv, name, args.pos, CallKind::Method, Some(visibility)))
    }

    /// `Method#arity`
    pub fn method_arity(&self, id: MethodId) -> i64 {
        match &self.method(id).body {
            MethodBody::Ruby(method) => crate::params::arity(&method.code.params, true),
            // like C functions in MRI, natives have a fixed number of arguments or any
            MethodBody::Native(_, arity) if arity.max != Some(arity.min) => -1,
            MethodBody::Native(_, arity) | MethodBody::Closure(_, arity) => arity.as_number(),
            MethodBody::Proc(proc) => self.proc_arity(proc, true),
            MethodBody::Reader(_) => 0,
            MethodBody::Writer(_) => 1,
            MethodBody::Undefined => 0,
        }
    }
    /// `Proc#arity`; with `lambda` by the rule for lambdas.
    pub fn proc_arity(&self, proc: &Gc<RProc>, lambda: bool) -> i64 {
        let data = proc.get(self);
        match &data.kind {
            ProcKind::Ruby { code, .. } => crate::params::arity(&code.params, lambda || data.lambda),
            ProcKind::Native(_, arity) => arity.as_number(),
            ProcKind::Held(_) => Arity::ANY.as_number(),
            ProcKind::Method(_, id, _) => self.method_arity(*id),
            ProcKind::Symbol(_) => -2,
        }
    }
}

struct BlockTraits {
    tag: u64,
    lambda: bool,
    method: Option<MethodId>,
    strict: bool,
}
