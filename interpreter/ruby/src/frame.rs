//! Activations: frames on the native stack, environments on the heap, blocks and procs.
//!
//! A running method, block or class body is a [`Cx`] on the native stack; its locals are on the VM's value stack. A block that is passed to a call
//! refers to its `Cx` and needs no allocation. When a Proc or Binding is created, [`Vm::capture`] moves the locals of that activation (and of the
//! enclosing ones) to a heap [`Env`], which the activation uses from then on.
//!
//! Natives have no `Cx`. Those that need their caller's (`binding`, `block_given?`, `private`, `$~`) use [`Vm::with_caller`]: the VM's list of frames
//! has the address of each live `Cx`. The `unsafe` code of this module accesses that list.

mod callers;
mod capture;
mod specials;
mod stack;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap::{Gc, Heap, Visit};
use crate::method::{Arity, MethodId, NativeClosure, Visibility};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::tree::Code;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The class or object to which `def` adds methods.
#[derive(Clone)]
pub enum Definee {
    /// A class or module.
    Module(ClassId),
    /// The singleton class of an object (`instance_eval`), created when needed.
    SingletonOf(Value),
}

/// A lexical scope, used for constants, `def`, `private` and class variables.
pub struct Cref {
    /// The innermost `class` or `module`.
    pub module: ClassId,
    /// Where `def` puts methods.
    pub definee: Definee,
    /// The enclosing scope; None at the top level.
    pub outer: Option<Rc<Cref>>,
    /// Whether it was created by `instance_eval` or `class_eval` with a block: constants are looked up in `outer`.
    pub transparent: bool,
    /// The default visibility, set by `private` etc. without arguments.
    pub visibility: Cell<Visibility>,
    /// Whether `module_function` was called without arguments.
    pub module_function: Cell<bool>,
    /// Active refinements: (refined class, refinement module), latest first.
    pub refinements: RefCell<Vec<(ClassId, ClassId)>>,
}

impl Cref {
    /// The scope of a class body.
    pub fn new(module: ClassId, outer: Option<Rc<Cref>>) -> Rc<Cref> {
        let refinements = outer.as_ref().map(|outer| outer.refinements.borrow().clone()).unwrap_or_default();
        Rc::new(Cref {
            module,
            definee: Definee::Module(module),
            outer,
            transparent: false,
            visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            refinements: RefCell::new(refinements),
        })
    }
    /// A copy of the scope, with a default visibility of its own.
    pub fn again(&self) -> Rc<Cref> {
        Rc::new(Cref {
            module: self.module,
            definee: self.definee.clone(),
            outer: self.outer.clone(),
            transparent: self.transparent,
            visibility: self.visibility.clone(),
            module_function: self.module_function.clone(),
            refinements: self.refinements.clone(),
        })
    }
    /// The scope of a block evaluated with another definee.
    pub fn with_definee(outer: &Rc<Cref>, definee: Definee) -> Rc<Cref> {
        let module = match &definee {
            Definee::Module(module) => *module,
            Definee::SingletonOf(_) => outer.module,
        };
        Rc::new(Cref {
            module,
            definee,
            outer: Some(outer.clone()),
            transparent: true,
            visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            refinements: RefCell::new(outer.refinements.borrow().clone()),
        })
    }
    /// The scope of a String evaluated by `instance_eval`: constants are looked up in `seen`, `def` adds methods to `definee`.
    pub fn of_instance(seen: ClassId, definee: Definee, outer: Rc<Cref>) -> Rc<Cref> {
        let refinements = RefCell::new(outer.refinements.borrow().clone());
        Rc::new(Cref {
            module: seen,
            definee,
            outer: Some(outer),
            transparent: false,
            visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            refinements,
        })
    }
    /// Whether it is the scope of a String evaluated by `instance_eval`.
    pub fn is_of_instance(&self) -> bool {
        !self.transparent && matches!(self.definee, Definee::SingletonOf(_))
    }
    /// The innermost scope for constant lookup.
    pub fn lexical(self: &Rc<Cref>) -> &Rc<Cref> {
        let mut at = self;
        while at.transparent {
            match &at.outer {
                Some(outer) => at = outer,
                None => break,
            }
        }
        at
    }
    pub fn nesting(self: &Rc<Cref>) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut at = Some(self);
        while let Some(cref) = at {
            if !cref.transparent && cref.outer.is_some() {
                found.push(cref.module);
            }
            at = cref.outer.as_ref();
        }
        found
    }
}

/// `$~` and `$_` of a method, shared with its blocks.
#[derive(Default)]
pub struct Specials {
    pub last_match: Value,
    pub last_line: Value,
}

/// The variables of a fiber's or thread's own block: they are not those of the method that the block is from, which may run on.
struct RootSpecials {
    /// The id of the method's activation.
    home: u64,
    specials: Rc<RefCell<Specials>>,
}

/// The scope enclosing an activation.
#[derive(Clone, Copy)]
pub enum Parent<'a> {
    /// None: a method, class body or file.
    None,
    /// An activation on the native stack.
    Stack(&'a Cx<'a>),
    /// A captured activation.
    Heap(&'a Gc<Env>),
}

/// The address of an activation's first local: on the value stack, from [`Activation::enter`] on, and in its [`Env`] once it is captured, whose
/// variables do not move. When the value stack moves, [`Stacks::grow`] changes the addresses of all live activations on it.
pub(crate) struct Locals(Cell<*mut Value>);

/// The line that an activation is at, once it is another than the one that its code begins on.
pub(crate) struct Line(Cell<u32>);

impl Line {
    /// No line of a file; negative lines, which `eval` can be given, are the greatest numbers.
    const NONE: u32 = 1 << 31;

    #[inline(always)]
    const fn unset() -> Line {
        Line(Cell::new(Line::NONE))
    }
    #[inline(always)]
    pub(crate) fn set(&self, line: u32) {
        self.0.set(line);
    }
}

pub struct Cx<'a> {
    pub slf: &'a Value,
    pub code: &'a Arc<Code>,
    pub cref: &'a Rc<Cref>,
    /// The enclosing scope.
    pub parent: Parent<'a>,
    /// The running method (also for a block that runs as a method).
    pub method: Option<MethodId>,
    /// The block given to the method (only used without a parent).
    pub block: Option<Block<'a>>,
    /// Unique id of the activation: the target of `return`.
    pub id: u64,
    /// Tag of the call that a `break` in this block ends; 0 for none.
    pub tag: u64,
    /// Whether `return` ends this activation: a lambda, or a proc that runs as a method.
    pub lambda: bool,
    /// Index of its first local on the value stack.
    pub base: usize,
    /// The number of frames below its own.
    pub(crate) depth: Cell<usize>,
    /// The address of its first local.
    pub(crate) locals: Locals,
    /// Its locals, once captured.
    pub env: OnceCell<Gc<Env>>,
    /// The current line, set by the statements and calls that change it; [`Cx::line`] reads it.
    pub(crate) line: Line,
    /// The number of running `while` loops in this activation: `break` ends the innermost one.
    pub loops: Cell<u32>,
    /// `$~` and `$_`, once used (only used without a parent).
    pub specials: OnceCell<Rc<RefCell<Specials>>>,
}

impl<'a> Cx<'a> {
    /// An activation without method, block and id; the callers set what they need.
    #[inline(always)]
    pub(crate) fn new(
        slf: &'a Value,
        code: &'a Arc<Code>,
        cref: &'a Rc<Cref>,
        parent: Parent<'a>,
        base: usize,
    ) -> Cx<'a> {
        Cx {
            slf,
            code,
            cref,
            parent,
            method: None,
            block: None,
            id: 0,
            tag: 0,
            lambda: false,
            base,
            depth: Cell::new(0),
            locals: Locals(Cell::new(std::ptr::null_mut())),
            env: OnceCell::new(),
            line: Line::unset(),
            loops: Cell::new(0),
            specials: OnceCell::new(),
        }
    }

    /// The current line.
    pub(crate) fn line(&self) -> u32 {
        match self.line.0.get() {
            Line::NONE => self.code.line,
            line => line,
        }
    }

    /// A local of this activation. The tree's slots are resolved when it is made, so each is below the number of the code's locals.
    #[inline(always)]
    pub(crate) fn slot<'v>(&'v self, _vm: &'v Vm, slot: u16) -> &'v Value {
        debug_assert!(usize::from(slot) < self.code.locals.len());
        // SAFETY: the address is that of as many values as the code has locals (see `Locals`); writing them needs `&mut Vm`.
        unsafe { &*self.locals.0.get().add(usize::from(slot)) }
    }

    /// [`Cx::slot`], mutable.
    #[inline(always)]
    pub(crate) fn slot_mut<'v>(&'v self, _vm: &'v mut Vm, slot: u16) -> &'v mut Value {
        debug_assert!(usize::from(slot) < self.code.locals.len());
        // SAFETY: as in `slot`; `&mut Vm` excludes any other borrow of the value stack and of captured scopes.
        unsafe { &mut *self.locals.0.get().add(usize::from(slot)) }
    }

    /// Finds the end of the chain of enclosing scopes on the native stack.
    #[inline(always)]
    pub(crate) fn outermost<'c>(&'c self) -> Outermost<'c> {
        let mut at: &'c Cx<'c> = self;
        loop {
            match at.parent {
                Parent::Stack(parent) => at = parent,
                Parent::None => return Outermost::Live(at),
                Parent::Heap(env) => return Outermost::Captured(env),
            }
        }
    }
}

/// The end of an activation's chain of scopes on the native stack.
pub(crate) enum Outermost<'c> {
    /// The activation of the method itself.
    Live(&'c Cx<'c>),
    /// A captured scope, whose [`Home`] has the data of the method.
    Captured(&'c Gc<Env>),
}

/// The data of a method that its captured scopes use.
pub struct Home {
    pub id: u64,
    /// The block given to the method.
    pub block: Option<Gc<RProc>>,
    /// `$~` and `$_`; shared with the activation, so the garbage collector does not clear them.
    pub specials: Rc<RefCell<Specials>>,
}

pub struct Env {
    /// The locals; their number does not change.
    pub vars: Vec<Value>,
    /// The enclosing scope.
    pub parent: Option<Gc<Env>>,
    pub slf: Value,
    pub cref: Rc<Cref>,
    /// The code with these locals.
    pub code: Arc<Code>,
    /// The running method.
    pub method: Option<MethodId>,
    /// The id of a lambda's activation, which `return` ends; 0 otherwise.
    pub lambda_id: u64,
    /// Tag for `break`.
    pub tag: u64,
    pub home: Gc<Home>,
    /// The line at the time of capture.
    pub line: u32,
}

impl Heap for Env {
    fn trace<V: Visit>(&self, visit: &mut V) {
        self.vars.iter().for_each(|value| visit.value(value));
        if let Some(parent) = &self.parent {
            visit.cell(parent);
        }
        visit.value(&self.slf);
        visit.scope(&self.cref);
        visit.cell(&self.home);
    }
    /// `cref` and `home` are kept: through them only objects are reachable that drop their own references.
    fn hollow(&mut self) {
        self.vars = Vec::new();
        self.parent = None;
        self.slf = Value::Nil;
    }
}

impl Heap for Home {
    fn trace<V: Visit>(&self, visit: &mut V) {
        if let Some(block) = &self.block {
            visit.cell(block);
        }
    }
    fn hollow(&mut self) {
        self.block = None;
    }
}

/// A block passed to a call.
#[derive(Clone, Copy)]
pub enum Block<'a> {
    /// A literal block of a live activation.
    Ruby {
        code: &'a Arc<Code>,
        /// The enclosing activation.
        cx: &'a Cx<'a>,
        /// Tag of the call that `break` ends.
        tag: u64,
    },
    Proc(&'a Gc<RProc>),
}

/// The code of a Proc.
#[derive(Clone)]
pub enum ProcKind {
    /// Ruby code and its enclosing scope.
    Ruby {
        code: Arc<Code>,
        env: Gc<Env>,
        /// Tag for `break`.
        tag: u64,
    },
    /// A native closure; its `self` argument is the receiver under instance_exec, else nil.
    Native(NativeClosure, Arity),
    /// Native code with the values that it works on, for any arguments.
    Held(Rc<dyn Held>),
    /// `method(:x).to_proc`: receiver and method.
    Method(Value, MethodId, Symbol),
    Symbol(Symbol),
}

/// What a native Proc does with values that a collection can follow, unlike those that a closure has captured.
pub trait Held {
    fn call(&self, vm: &mut Vm, args: Args<'_>) -> Res;
    /// Visits each value that it owns, once.
    fn trace(&self, visit: &mut dyn FnMut(&Value));
}

/// Contents of a Proc.
pub struct RProc {
    pub kind: ProcKind,
    pub lambda: bool,
}

impl Heap for RProc {
    fn trace<V: Visit>(&self, visit: &mut V) {
        match &self.kind {
            ProcKind::Ruby { env, .. } => visit.cell(env),
            ProcKind::Method(receiver, ..) => visit.value(receiver),
            // copies of the Proc share the values, which are in use as long as there are any
            ProcKind::Held(held) if Rc::strong_count(held) == 1 => held.trace(&mut |value| visit.value(value)),
            // the captured values of a closure cannot be visited
            ProcKind::Held(_) | ProcKind::Native(..) | ProcKind::Symbol(_) => {}
        }
    }
    fn hollow(&mut self) {
        self.kind = ProcKind::Symbol(rchef_syntax::symbol::sym::CALL);
    }
}

/// An entry of the VM's list of frames. It is private to this module: code that dereferences the addresses relies on [`Activation::enter`] being the
/// only code that adds `Ruby`.
#[derive(Clone, Copy)]
enum Frame {
    Ruby(*const Cx<'static>),
    Native(MethodId),
    /// A clause of the Ruby code below, and that code's line while the clause runs.
    Clause(Clause, u32),
}

/// A part of Ruby code with a frame of its own in backtraces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clause {
    /// `rescue`
    Rescue,
    /// `ensure` that runs because of an exception or a jump.
    Ensure,
}

/// A frame as passed to the visitor of [`Vm::walk_frames`].
pub(crate) enum Visited<'a, 'c> {
    Ruby(&'a Cx<'c>),
    Native(MethodId),
    /// A clause of the Ruby code that is visited next.
    Clause(Clause, u32),
}

/// The stacks of a coroutine, which are exchanged when fibers switch. The frames have addresses on the coroutine's native stack, so these stacks may
/// only be the VM's while the coroutine runs.
pub(crate) struct Stacks {
    values: Vec<Value>,
    frames: Vec<Frame>,
    /// Tags of the running calls with a literal block.
    pub(crate) tags: Vec<u64>,
    /// The lowest permitted address of the native stack.
    pub(crate) limit: usize,
    /// What the coroutine's own block has in place of its method's `$~` and `$_`.
    root: Option<RootSpecials>,
}

thread_local! {
    static DISCARDING: Cell<bool> = const { Cell::new(false) };
}
/// Whether a suspended coroutine is being dropped: its stack is being unwound, belongs to no running code, and may outlive its VM.
pub(crate) fn discarding_coroutine() -> bool {
    DISCARDING.try_with(Cell::get).unwrap_or(false)
}
/// Runs `body`, which drops a suspended coroutine.
pub(crate) fn discard(body: impl FnOnce()) {
    let outer = DISCARDING.try_with(|flag| flag.replace(true));
    body();
    if let Ok(outer) = outer {
        let _ = DISCARDING.try_with(|flag| flag.set(outer));
    }
}

/// The depths of a coroutine's stacks.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    values: usize,
    frames: usize,
    tags: usize,
}

impl Stacks {
    /// The stacks of a new coroutine with a lowest native stack address, and capacity for `frames` frames.
    pub(crate) fn new(limit: usize, frames: usize) -> Stacks {
        Stacks { values: Vec::new(), frames: Vec::with_capacity(frames), tags: Vec::new(), limit, root: None }
    }
    /// Adds the frame of a native method.
    #[inline(always)]
    pub(crate) fn push_native(&mut self, method: MethodId) {
        self.frames.push(Frame::Native(method));
    }
    /// Removes the frame of a native method.
    #[inline(always)]
    pub(crate) fn pop_native(&mut self) {
        self.frames.pop();
    }
    /// The native method that is running, if the innermost frame is native.
    pub(crate) fn native(&self) -> Option<MethodId> {
        match self.frames.last() {
            Some(Frame::Native(method)) => Some(*method),
            _ => None,
        }
    }
    /// Adds the frame of a clause of the running Ruby code, and that code's line while the clause runs.
    pub(crate) fn push_clause(&mut self, clause: Clause, line: u32) {
        self.frames.push(Frame::Clause(clause, line));
    }
    #[inline]
    pub(crate) fn frame_count(&self) -> usize {
        self.frames.len()
    }
    /// The number of frames of Ruby code.
    pub(crate) fn ruby_frame_count(&self) -> usize {
        self.frames.iter().filter(|frame| matches!(frame, Frame::Ruby(_))).count()
    }
    /// Removes all but the first `count` frames.
    #[inline]
    pub(crate) fn cut_frames(&mut self, count: usize) {
        self.frames.truncate(count);
    }
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }
    /// The number of values.
    #[inline(always)]
    pub(crate) fn height(&self) -> usize {
        self.values.len()
    }
    #[inline(always)]
    pub(crate) fn push(&mut self, value: Value) {
        if self.values.len() == self.values.capacity() {
            self.grow(1);
        }
        self.values.push(value);
    }
    /// Adds two values.
    #[inline(always)]
    pub(crate) fn push_two(&mut self, one: Value, two: Value) {
        let at = self.values.len();
        if self.values.capacity() - at < 2 {
            self.grow(2);
        }
        // SAFETY: there is room for two values from the length on, which are written before they count.
        unsafe {
            let end = self.values.as_mut_ptr().add(at);
            end.write(one);
            end.add(1).write(two);
            self.values.set_len(at + 2);
        }
    }
    pub(crate) fn push_all(&mut self, values: &[Value]) {
        if self.values.capacity() - self.values.len() < values.len() {
            self.grow(values.len());
        }
        self.values.extend_from_slice(values);
    }
    /// Removes the values from an index on and returns them.
    pub(crate) fn take_from(&mut self, base: usize) -> std::vec::Drain<'_, Value> {
        self.values.drain(base..)
    }
    pub(crate) fn value_mut(&mut self, index: usize) -> Option<&mut Value> {
        self.values.get_mut(index)
    }
    /// Makes room for more values, and tells the live activations where their locals are now.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow(&mut self, more: usize) {
        self.values.reserve(more);
        let first = self.values.as_mut_ptr();
        for frame in &self.frames {
            if let Frame::Ruby(cx) = frame {
                // SAFETY: as in `Vm::with_caller`; the reference does not leave the loop.
                let cx = unsafe { &**cx };
                if cx.env.get().is_none() {
                    cx.locals.0.set(first.wrapping_add(cx.base));
                }
            }
        }
    }
    /// Removes all but the first `count` values.
    #[inline(always)]
    pub(crate) fn cut_values(&mut self, count: usize) {
        let len = self.values.len();
        if len <= count {
            return;
        }
        // SAFETY: `count` is less than the length, and the values from it on are no longer the Vec's: each is read once, here. Dropping a value runs
        // no Ruby code, so nothing is pushed meanwhile.
        unsafe {
            let first = self.values.as_mut_ptr();
            let mut at = first.add(len);
            let first = first.add(count);
            self.values.set_len(count);
            loop {
                at = at.sub(1);
                at.read().give_up();
                if at == first {
                    break;
                }
            }
        }
    }
    /// Sets the locals up to an index to nil.
    #[inline(always)]
    pub(crate) fn fill(&mut self, end: usize) {
        let at = self.values.len();
        if at >= end {
            return;
        }
        if self.values.capacity() < end {
            self.grow(end - at);
        }
        // SAFETY: the capacity is at least `end`, and the value below each new length is written.
        unsafe {
            self.values.as_mut_ptr().add(at).write(Value::Nil);
            self.values.set_len(at + 1);
        }
        if at + 1 < end {
            self.fill_rest(end);
        }
    }
    /// [`Stacks::fill`] for more than one value; there is room for them.
    #[inline(never)]
    fn fill_rest(&mut self, end: usize) {
        self.values.resize_with(end, Value::default);
    }
    pub(crate) fn depth(&self) -> Depth {
        Depth { values: self.values.len(), frames: self.frames.len(), tags: self.tags.len() }
    }
    /// Truncates the stacks to earlier depths.
    pub(crate) fn cut(&mut self, depth: Depth) {
        self.values.truncate(depth.values);
        self.frames.truncate(depth.frames);
        self.tags.truncate(depth.tags);
    }
}

/// A running activation. While this exists, the VM's list of frames has the address of the borrowed `Cx`; the frame and the locals are removed at the
/// end: by [`Activation::leave`], or by drop when a panic unwinds.
pub(crate) struct Activation<'v> {
    vm: &'v mut Vm,
    cx: &'v Cx<'v>,
}

impl<'v> Activation<'v> {
    /// Adds the frame. The locals are the values from `cx.base` on: the arguments that are there already, and nil for the others.
    #[inline(always)]
    pub(crate) fn enter(vm: &'v mut Vm, cx: &'v Cx<'v>) -> Activation<'v> {
        vm.stacks.fill(cx.base + cx.code.locals.len());
        cx.locals.0.set(vm.stacks.values.as_mut_ptr().wrapping_add(cx.base));
        cx.depth.set(vm.stacks.frames.len());
        vm.stacks.frames.push(Frame::Ruby(std::ptr::from_ref(cx).cast()));
        Activation { vm, cx }
    }
    #[inline(always)]
    pub(crate) fn leave(mut self) {
        self.end();
        std::mem::forget(self);
    }
    #[inline(always)]
    fn end(&mut self) {
        self.vm.stacks.frames.truncate(self.cx.depth.get());
        self.vm.stacks.cut_values(self.cx.base);
    }
}

impl Drop for Activation<'_> {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        // an abandoned coroutine unwinds while the VM has other stacks, or has been dropped: its own stacks are dropped as a whole
        if !discarding_coroutine() {
            self.end();
        }
    }
}

impl std::ops::Deref for Activation<'_> {
    type Target = Vm;
    #[inline(always)]
    fn deref(&self) -> &Vm {
        self.vm
    }
}

impl std::ops::DerefMut for Activation<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vm {
        self.vm
    }
}

impl Vm {
    /// Runs `body` with the innermost activation of Ruby code, if there is one.
    pub fn with_caller<R>(&mut self, body: impl for<'x> FnOnce(&mut Vm, Option<&'x Cx<'x>>) -> R) -> R {
        let found = self.stacks.frames.iter().rev().find_map(|frame| match frame {
            Frame::Ruby(cx) => Some(*cx),
            Frame::Native(_) | Frame::Clause(..) => None,
        });
        // SAFETY: an entry is pushed by `Activation::enter`, which borrows the `Cx` until the entry is popped; the closure is generic over the
        // lifetime, so the reference cannot outlive this call, during which the frames below stay.
        body(self, found.map(|cx| unsafe { &*cx }))
    }

    /// Runs `body` with the nth activation of Ruby code, counted from the innermost (0).
    pub fn with_nth_caller<R>(&mut self, nth: usize, body: impl for<'x> FnOnce(&mut Vm, Option<&'x Cx<'x>>) -> R) -> R {
        let found = (self.stacks.frames.iter().rev())
            .filter_map(|frame| match frame {
                Frame::Ruby(cx) => Some(*cx),
                Frame::Native(_) | Frame::Clause(..) => None,
            })
            .nth(nth);
        // SAFETY: as in `with_caller`.
        body(self, found.map(|cx| unsafe { &*cx }))
    }

    /// Runs `body` with the activation of Ruby code that has so many frames below it.
    pub(crate) fn with_frame_above<R>(
        &mut self,
        below: usize,
        body: impl for<'x> FnOnce(&mut Vm, Option<&'x Cx<'x>>) -> R,
    ) -> R {
        let found = match self.stacks.frames.get(below) {
            Some(Frame::Ruby(cx)) => Some(*cx),
            _ => None,
        };
        // SAFETY: as in `with_caller`.
        body(self, found.map(|cx| unsafe { &*cx }))
    }

    /// The innermost activation of Ruby code.
    pub(crate) fn innermost(&self) -> Option<&Cx<'_>> {
        self.stacks.frames.iter().rev().find_map(|frame| match frame {
            // SAFETY: as in `with_caller`; the reference borrows the VM, so no frame is popped while it is live.
            Frame::Ruby(cx) => Some(unsafe { &**cx }),
            Frame::Native(_) | Frame::Clause(..) => None,
        })
    }

    /// Visits all frames, innermost first.
    pub(crate) fn walk_frames(&self, mut each: impl FnMut(Visited<'_, '_>)) {
        for frame in self.stacks.frames.iter().rev() {
            match frame {
                // SAFETY: as in `with_caller`; the reference does not leave the call.
                Frame::Ruby(cx) => each(Visited::Ruby(unsafe { &**cx })),
                Frame::Native(method) => each(Visited::Native(*method)),
                Frame::Clause(clause, line) => each(Visited::Clause(*clause, *line)),
            }
        }
    }
}
