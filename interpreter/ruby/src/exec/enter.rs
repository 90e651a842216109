//! Plain calls: only positional arguments, no splat, no block. If the site's cache has a method written in Ruby that accepts them, the arguments are
//! evaluated directly to the callee's locals on the value stack, without copying. Blocks are entered in the same way by `yield`.

use super::outcome::{Outcome, ok};
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::core::trace_point::event as trace_point;
use crate::error::{Error, Res, Unwind};
use crate::frame::{Activation, Block, Cx, Outermost, Parent};
use crate::method::{MethodBody, MethodId, RubyMethod};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Args as ArgNodes, BinOp, Call, Code, InlineCache, Node, Params};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// Flag in a site's cache, beside the method's id: the method is written in Ruby, and the site's arguments can be pushed to the slots of its
/// parameters.
const PUSHED: u64 = 1 << 32;

/// Flag in a site's cache: the method is an `attr_reader` or a native that [`Vm::look`] knows.
const READ: u64 = 1 << 33;

/// Flag in a site's cache, beside [`PUSHED`]: the method has as many parameters, all required, as the site has arguments.
const EXACT: u64 = 1 << 34;

/// First bit of the index in a site's cache at which the variable of an `attr_reader` or `attr_writer` was last found.
pub(super) const HINT: u32 = 35;

impl Vm {
    /// A call with positional arguments only.
    #[inline(never)]
    pub(super) fn walk_plain_call(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        if call.cache.get().1 & PUSHED == 0 {
            return if call.cache.get().1 & READ != 0 { self.call_read(call, cx) } else { self.call_any(call, cx) };
        }
        match &call.recv {
            None | Some(Node::SelfRef) => self.call_pushed(call, cx.slf, cx),
            Some(node) => self.call_pushed_on(node, call, cx),
        }
    }

    #[inline(never)]
    fn call_pushed_on(&mut self, recv: &Node, call: &Call, cx: &Cx<'_>) -> Outcome {
        let recv = ok!(self.operand(recv, cx));
        self.call_pushed(call, &recv, cx)
    }

    /// A call whose cache has the flag `PUSHED`.
    #[inline(never)]
    fn call_pushed(&mut self, call: &Call, recv: &Value, cx: &Cx<'_>) -> Outcome {
        let base = self.stacks.height();
        match call.args.items.as_slice() {
            [] => {}
            [one] => {
                let one = ok!(self.argument(one, cx));
                self.stacks.push(one);
            }
            [one, two] => {
                let one = ok!(self.argument(one, cx));
                let two = ok!(self.argument(two, cx));
                self.stacks.push_two(one, two);
            }
            many => {
                if let Some(error) = self.push_args(many, cx) {
                    return Outcome::error(error);
                }
            }
        }
        cx.line.set(call.line);
        let Some((id, method)) = self.cached_method(call, recv, EXACT) else {
            return self.call_inexact(call, recv, base, cx);
        };
        match self.enter_method(id, &method, recv, base, None).res() {
            Err(error) => self.call_failed(error, call, cx),
            done => done.into(),
        }
    }

    /// The cached method, if it is valid for the receiver and the site's cache has the flag for it, which says how the site's arguments fit.
    #[inline(always)]
    fn cached_method(&self, call: &Call, recv: &Value, flag: u64) -> Option<(MethodId, Rc<RubyMethod>)> {
        let (key, target) = call.cache.get();
        if self.cache_key(self.class_of(recv)) != key || target & flag == 0 {
            return None;
        }
        let id = MethodId(target as u32);
        match &self.method(id).body {
            MethodBody::Ruby(method) => Some((id, method.clone())),
            _ => None,
        }
    }

    /// A call with positional arguments and a literal block.
    #[inline(never)]
    pub(super) fn call_with_literal(&mut self, call: &Call, recv: &Value, code: &Arc<Code>, cx: &Cx<'_>) -> Outcome {
        if call.cache.get().1 & PUSHED == 0 {
            return self.call_any_with_literal(call, recv, code, cx);
        }
        let base = self.stacks.height();
        if !call.args.items.is_empty()
            && let Some(error) = self.push_args(&call.args.items, cx)
        {
            return Outcome::error(error);
        }
        cx.line.set(call.line);
        let Some((id, method)) = self.cached_method(call, recv, PUSHED) else {
            let pos: SmallVec<[Value; 4]> = self.stacks.take_from(base).collect();
            return self.dispatch_with_block(recv, call, Args::new(&pos), kind_of(call), code, cx).into();
        };
        let tag = self.fresh_id();
        self.stacks.tags.push(tag);
        let result = self.invoke_pushed(id, &method, recv, base, Some(Block::Ruby { code, cx, tag }));
        self.stacks.tags.pop();
        match result.res() {
            Err(error) => super::calls::catch_break(error, tag).into(),
            done => done.into(),
        }
    }

    /// A call with positional arguments and a literal block, of any method.
    #[inline(never)]
    fn call_any_with_literal(&mut self, call: &Call, recv: &Value, code: &Arc<Code>, cx: &Cx<'_>) -> Outcome {
        let result = if call.args.items.is_empty() {
            cx.line.set(call.line);
            ok!(self.dispatch_with_block(recv, call, Args::none(), kind_of(call), code, cx))
        } else {
            let mut pos: SmallVec<[Value; 4]> = SmallVec::new();
            for node in &call.args.items {
                pos.push(ok!(self.operand(node, cx)));
            }
            cx.line.set(call.line);
            ok!(self.dispatch_with_block(recv, call, Args::new(&pos), kind_of(call), code, cx))
        };
        let (key, target) = call.cache.get();
        if self.cache_key(self.class_of(recv)) == key
            && let MethodBody::Ruby(method) = &self.method(MethodId(target as u32)).body
        {
            note_pushed(call, &method.code.params, true);
        }
        Outcome::value(result)
    }

    /// For methods with optional parameters. If the receiver has another class or the method has changed, pops the arguments and makes a normal call.
    #[inline(never)]
    fn call_inexact(&mut self, call: &Call, recv: &Value, base: usize, cx: &Cx<'_>) -> Outcome {
        if let Some((id, method)) = self.cached_method(call, recv, PUSHED) {
            return match self.enter_optional(id, &method, recv, base, None).res() {
                Err(error) => self.call_failed(error, call, cx),
                done => done.into(),
            };
        }
        let pos: SmallVec<[Value; 4]> = self.stacks.take_from(base).collect();
        self.call_site(call, recv, Args::new(&pos), kind_of(call), cx)
    }

    /// Records the place of the call in an error without one.
    #[cold]
    #[inline(never)]
    pub(super) fn call_failed(&mut self, error: Error, call: &Call, cx: &Cx<'_>) -> Outcome {
        Outcome::error(self.note_span(error, call.span, cx))
    }

    /// Evaluates an operand that is often an operator call or a Float.
    #[inline(always)]
    pub(super) fn argument(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        match node {
            Node::Op(call) if call.op == BinOp::Aref => self.walk_aref(call, cx).res(),
            Node::Op(call) => self.walk_op(call, cx).res(),
            Node::Float(number) => Ok(Value::float(*number)),
            node => self.operand(node, cx),
        }
    }

    /// Evaluates arguments to the value stack; after an error they are removed.
    #[inline(never)]
    pub(super) fn push_args(&mut self, nodes: &[Node], cx: &Cx<'_>) -> Option<Error> {
        for (done, node) in nodes.iter().enumerate() {
            match self.argument(node, cx) {
                Ok(value) => self.stacks.push(value),
                Err(error) => {
                    self.stacks.cut_values(self.stacks.height() - done);
                    return Some(error);
                }
            }
        }
        None
    }

    /// A call with the flag `READ` on a variable, without copying the receiver. Here is what needs no other function: an object whose
    /// variable is where it was last time.
    #[inline(never)]
    fn call_read(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        let recv = match &call.recv {
            None | Some(Node::SelfRef) => Some(cx.slf),
            Some(node) => self.variable(node, cx),
        };
        let (key, target) = call.cache.get();
        if let Some(Value::Object(gc)) = recv
            && self.cache_key(gc.class()) == key
            && let MethodBody::Reader(name) = &self.method(MethodId(target as u32)).body
            && let Some(value) = gc.get(self).ivars.at((target >> HINT) as usize, *name)
        {
            cx.line.set(call.line);
            return Outcome::value(value.clone());
        }
        self.call_read_any(call, cx)
    }

    #[inline(never)]
    fn call_read_any(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        let recv = match &call.recv {
            None | Some(Node::SelfRef) => Some(cx.slf),
            Some(node) => self.variable(node, cx),
        };
        if let Some(recv) = recv {
            let (key, target) = call.cache.get();
            if self.cache_key(self.class_of(recv)) == key {
                let method = self.method(MethodId(target as u32));
                match &method.body {
                    MethodBody::Reader(name) => {
                        cx.line.set(call.line);
                        return Outcome::value(self.read_attribute(&call.cache, recv, *name));
                    }
                    MethodBody::Native(..) => {
                        if let Some(value) = self.look(call, recv, cx) {
                            cx.line.set(call.line);
                            return Outcome::value(value);
                        }
                    }
                    _ => {}
                }
            }
        }
        self.call_any(call, cx)
    }

    /// The result of a native that only looks at its receiver and calls no code: `nil?`, `equal?` with a variable, and an Array's `length`, `size`
    /// and `empty?`.
    #[inline(always)]
    fn look(&self, call: &Call, recv: &Value, cx: &Cx<'_>) -> Option<Value> {
        match (call.name, recv, call.args.items.as_slice()) {
            (sym::NIL_P, ..) => Some(Value::bool(recv.is_nil())),
            (sym::EQUAL, _, [other]) => Some(Value::bool(recv.same(self.variable(other, cx)?))),
            (sym::LENGTH | sym::SIZE, Value::Array(gc), _) => Some(Value::len(gc.get(self).items.len())),
            (sym::EMPTY_P, Value::Array(gc), _) => Some(Value::bool(gc.get(self).items.is_empty())),
            _ => None,
        }
    }

    /// A plain call of any method.
    #[inline(never)]
    fn call_any(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        let holder;
        let recv = match &call.recv {
            None | Some(Node::SelfRef) => cx.slf,
            Some(node) => {
                holder = ok!(self.operand(node, cx));
                &holder
            }
        };
        match call.args.items.as_slice() {
            [] => self.call_site(call, recv, Args::none(), kind_of(call), cx),
            [one] => {
                let one = ok!(self.operand(one, cx));
                self.call_site(call, recv, Args::new(std::slice::from_ref(&one)), kind_of(call), cx)
            }
            many => self.call_many(call, many, recv, cx),
        }
    }

    #[inline(never)]
    fn call_many(&mut self, call: &Call, nodes: &[Node], recv: &Value, cx: &Cx<'_>) -> Outcome {
        let mut pos: SmallVec<[Value; 4]> = SmallVec::new();
        for node in nodes {
            pos.push(ok!(self.operand(node, cx)));
        }
        self.call_site(call, recv, Args::new(&pos), kind_of(call), cx)
    }

    /// Calls the cached method, or looks it up.
    #[inline(never)]
    pub(super) fn call_site(
        &mut self,
        call: &Call,
        recv: &Value,
        args: Args<'_>,
        kind: CallKind,
        cx: &Cx<'_>,
    ) -> Outcome {
        cx.line.set(call.line);
        let class = self.class_of(recv);
        let (key, target) = call.cache.get();
        let result = if self.cache_key(class) == key {
            let id = MethodId(target as u32);
            match &self.method(id).body {
                MethodBody::Native(function, arity) if arity.takes(args.len()) => {
                    let function = *function;
                    self.invoke_native(id, function, recv, args)
                }
                MethodBody::Reader(name) if args.is_empty() => {
                    return Outcome::value(self.read_attribute(&call.cache, recv, *name));
                }
                MethodBody::Writer(name) if args.len() == 1 => {
                    let name = *name;
                    return self.write_attribute(call, recv, name, args.at(0), cx);
                }
                MethodBody::Ruby(method) => {
                    note_pushed(call, &method.code.params, false);
                    let method = method.clone();
                    self.invoke_ruby(id, &method, recv, args).res()
                }
                _ => self.invoke(id, recv, call.name, args),
            }
        } else {
            let result = self.dispatch_miss(recv, class, call.name, args, kind, &call.cache, cx);
            self.note_read(call);
            result
        };
        match result {
            Err(error) => self.call_failed(error, call, cx),
            done => done.into(),
        }
    }

    /// Sets the flag `READ` in a site's cache if it applies to the method.
    fn note_read(&self, call: &Call) {
        let (key, target) = call.cache.get();
        if key == 0 || !call.flags.plain {
            return;
        }
        let method = self.method(MethodId(target as u32));
        let reads = match (&method.body, call.args.items.as_slice()) {
            (MethodBody::Reader(_), []) => true,
            (MethodBody::Native(..), args) if method.name == call.name => match (call.name, args) {
                (sym::NIL_P, []) => [ClassId::KERNEL, ClassId::NIL].contains(&method.owner),
                (sym::LENGTH | sym::SIZE | sym::EMPTY_P, []) => method.owner == ClassId::ARRAY,
                (sym::EQUAL, [_]) => method.owner == ClassId::BASIC_OBJECT,
                _ => false,
            },
            _ => false,
        };
        if reads {
            call.cache.set(key, target | READ);
        }
    }

    /// The result of an `attr_reader`.
    #[inline(always)]
    pub(super) fn read_attribute(&self, cache: &InlineCache, recv: &Value, name: Symbol) -> Value {
        let (key, target) = cache.get();
        if let Value::Object(gc) = recv {
            let ivars = &gc.get(self).ivars;
            if let Some(value) = ivars.at((target >> HINT) as usize, name) {
                return value.clone();
            }
            if let Some(index) = ivars.position(name) {
                cache.set(key, target & ((1 << HINT) - 1) | (index as u64) << HINT);
                return ivars.values()[index].clone();
            }
        }
        self.ivar_get(recv, name).unwrap_or_default()
    }

    /// An `attr_writer`. Returns the value, except for an assignment, which has it already.
    #[inline(always)]
    fn write_attribute(&mut self, call: &Call, recv: &Value, name: Symbol, value: &Value, cx: &Cx<'_>) -> Outcome {
        if self.put_attribute(&call.cache, recv, name, value) {
            return Outcome::value(if call.flags.attribute { Value::Nil } else { value.clone() });
        }
        let target = call.cache.get().1;
        match self.invoke(MethodId(target as u32), recv, call.name, Args::new(std::slice::from_ref(value))) {
            Err(error) => self.call_failed(error, call, cx),
            done => done.into(),
        }
    }

    /// Runs a method written in Ruby for which `Params::takes_pushed` is true; its arguments are on the value stack from `base` on.
    #[inline(never)]
    pub(crate) fn invoke_pushed(
        &mut self,
        id: MethodId,
        method: &RubyMethod,
        recv: &Value,
        base: usize,
        block: Option<Block<'_>>,
    ) -> Outcome {
        if method.code.params.simple {
            self.enter_method(id, method, recv, base, block)
        } else {
            self.enter_optional(id, method, recv, base, block)
        }
    }

    #[inline(always)]
    fn enter_method(
        &mut self,
        id: MethodId,
        method: &RubyMethod,
        recv: &Value,
        base: usize,
        block: Option<Block<'_>>,
    ) -> Outcome {
        self.enter_bound(id, method, recv, base, block, |_, _| Ok(()))
    }

    /// The same for methods with optional parameters, some of which have no argument.
    #[inline(always)]
    fn enter_optional(
        &mut self,
        id: MethodId,
        method: &RubyMethod,
        recv: &Value,
        base: usize,
        block: Option<Block<'_>>,
    ) -> Outcome {
        let given = self.stacks.height() - base;
        self.enter_bound(id, method, recv, base, block, |vm, cx| vm.bind_defaults(cx, given, 0))
    }

    /// Runs a method whose arguments are already in the slots of its locals; `bind` binds the remaining parameters.
    #[inline(always)]
    pub(super) fn enter_bound(
        &mut self,
        id: MethodId,
        method: &RubyMethod,
        recv: &Value,
        base: usize,
        block: Option<Block<'_>>,
        bind: impl FnOnce(&mut Vm, &Cx<'_>) -> Res<()>,
    ) -> Outcome {
        if let Err(error) = self.check_stack().and_then(|()| self.tick()) {
            self.stacks.cut_values(base);
            return Outcome::error(error);
        }
        let code = &method.code;
        let cx =
            Cx { method: Some(id), block, id: self.step_id(), ..Cx::new(recv, code, &method.cref, Parent::None, base) };
        let mut entered = Activation::enter(self, &cx);
        let vm = &mut *entered;
        let result = match bind(vm, &cx) {
            Ok(()) => vm.method_body(code, &cx),
            Err(error) => Outcome::error(error),
        };
        entered.leave();
        match result.res() {
            Err(error) => self.walk_ended(error, cx.id),
            done => done.into(),
        }
    }

    /// Runs the body of a method, with events for trace points if needed.
    #[inline(always)]
    pub(crate) fn method_body(&mut self, code: &Arc<Code>, cx: &Cx<'_>) -> Outcome {
        if self.traced_events & trace_point::BODIES == 0 {
            self.tail(&code.body, cx)
        } else {
            self.walk_traced(code, cx)
        }
    }

    #[cold]
    #[inline(never)]
    fn walk_traced(&mut self, code: &Arc<Code>, cx: &Cx<'_>) -> Outcome {
        self.traced_body(code, cx).into()
    }

    #[cold]
    #[inline(never)]
    fn walk_ended(&mut self, error: Error, id: u64) -> Outcome {
        self.end_of_method(error, id).into()
    }

    /// Runs a block of a live activation whose parameters are all required; the same number of arguments is on the value stack from `base` on.
    #[inline(never)]
    pub(crate) fn yield_pushed(&mut self, code: &Arc<Code>, outer: &Cx<'_>, tag: u64, base: usize) -> Outcome {
        match self.check_entry() {
            Ok(false) => {}
            Ok(true) => return self.yield_traced(code, outer, tag, base),
            Err(error) => {
                self.stacks.cut_values(base);
                return Outcome::error(error);
            }
        }
        if let Err(error) = self.tick() {
            self.stacks.cut_values(base);
            return Outcome::error(error);
        }
        let cx = Cx { tag, ..Cx::new(outer.slf, code, outer.cref, Parent::Stack(outer), base) };
        let mut entered = Activation::enter(self, &cx);
        let vm = &mut *entered;
        let result = match vm.tail(&code.body, &cx).res() {
            Err(error) => vm.block_jumped(error, &cx),
            done => done.into(),
        };
        entered.leave();
        result
    }

    /// The same with events for trace points.
    #[cold]
    #[inline(never)]
    fn yield_traced(&mut self, code: &Arc<Code>, outer: &Cx<'_>, tag: u64, base: usize) -> Outcome {
        if let Err(error) = self.tick() {
            self.stacks.cut_values(base);
            return Outcome::error(error);
        }
        let cx = Cx { tag, ..Cx::new(outer.slf, code, outer.cref, Parent::Stack(outer), base) };
        let mut entered = Activation::enter(self, &cx);
        let vm = &mut *entered;
        let result = match vm.block_begins(&cx) {
            Ok(()) => {
                let result = match vm.walk(&code.body, &cx).res() {
                    Err(error) => vm.block_jumped(error, &cx).res(),
                    done => done,
                };
                let whole = result.is_ok();
                vm.block_ends(&cx, result, whole)
            }
            Err(error) => Err(error),
        };
        entered.leave();
        result.into()
    }

    /// Handles an error or jump out of a block's body: `next` is the block's result, `redo` runs it again.
    #[cold]
    #[inline(never)]
    fn block_jumped(&mut self, mut error: Error, cx: &Cx<'_>) -> Outcome {
        loop {
            match *error.0 {
                Unwind::Next(value) => return Outcome::value(value),
                Unwind::Redo => match self.redo(cx) {
                    Err(again) => error = again,
                    done => return done.into(),
                },
                other => return Outcome::error(other.into()),
            }
        }
    }

    /// Runs a block's body again, without the assignments to the index of a `for`.
    #[cold]
    pub(crate) fn redo(&mut self, cx: &Cx<'_>) -> Res {
        self.tick()?;
        let skipped = usize::from(cx.code.params.index_statements);
        let Node::Seq(nodes) = &cx.code.body else { return self.tail(&cx.code.body, cx).res() };
        let mut value = Value::Nil;
        for node in nodes.iter().skip(skipped) {
            value = self.walk(node, cx).res()?;
        }
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn walk_yield(&mut self, call: &(ArgNodes, u32), cx: &Cx<'_>) -> Outcome {
        let (args, line) = call;
        if !args.has_splat
            && args.keywords.is_none()
            && let Outermost::Live(Cx { block: Some(Block::Ruby { code, cx: outer, tag }), .. }) = cx.outermost()
            && code.params.simple
            && usize::from(code.params.required) == args.items.len()
        {
            let base = self.stacks.height();
            if let Some(error) = self.push_args(&args.items, cx) {
                return Outcome::error(error);
            }
            cx.line.set(*line);
            return self.yield_pushed(code, outer, *tag, base);
        }
        self.eval_yield(call, cx).into()
    }
}

/// Sets the flags `PUSHED` and `EXACT` in a site's cache if its arguments fit the parameters of the method in it; `block` says whether it has a
/// literal block.
fn note_pushed(call: &Call, params: &Params, block: bool) {
    let (key, target) = call.cache.get();
    let count = call.args.items.len();
    if params.takes_exactly(count) {
        call.cache.set(key, target | PUSHED | EXACT);
    } else if params.takes_pushed(count, block) {
        call.cache.set(key, target | PUSHED);
    }
}

/// The form of a call, for visibility.
#[inline(always)]
pub(super) fn kind_of(call: &Call) -> CallKind {
    match &call.recv {
        None if call.flags.vcall => CallKind::Variable,
        None => CallKind::Function,
        Some(_) if call.flags.self_recv => CallKind::Function,
        Some(_) => CallKind::Method,
    }
}
