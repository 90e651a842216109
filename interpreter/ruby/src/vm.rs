//! The VM: its state, creation, limits, and the data of embedders.

use crate::class::{ClassData, ClassId, OrderedMap};
use crate::error::{Error, Reason, Res};
use crate::frame::{Cref, Stacks};
use crate::library::Libraries;
use crate::method::{Method, MethodId};
use crate::value::Value;
use rchef_host::Host;
use rchef_syntax::Symbol;
use rchef_text::encoding::Encoding;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::cell::Cell;
use std::rc::Rc;

/// Smaller allocations in bytes are not checked against the remaining memory; the next safepoint does that.
const SMALL: usize = 64 << 10;

/// Limits, signals and other threads are checked once per this many steps.
const STEPS_A_TICK: u64 = 1 << 10;

/// Ids that are no number of steps are greater than this.
const FIRST_TAG: u64 = 1 << 63;

pub use crate::native_stack::on_large_stack;

thread_local! {
    static LIVE: Cell<bool> = const { Cell::new(false) };
}

pub use crate::library::Text;

/// Defines the constants and methods of a native library.
pub type NativeLibrary = fn(&mut Vm) -> Res<()>;

/// A library in the binary.
#[derive(Clone, Copy)]
pub enum Library {
    Native(NativeLibrary),
    /// Embedded Ruby source.
    Source(Text),
    /// Embedded Ruby source of what MRI has loaded before any program starts: files on the load path do not replace it, nor mix with it.
    Core(Text),
    /// Embedded Ruby source that replaces a gem; if the gem is installed, its own files are used.
    Gem(Text),
}

/// Returns replacement output for a text, or None to write it unchanged.
pub type OutputFilter = fn(&mut Vm, &[u8]) -> Option<Vec<u8>>;

/// Limits on the resources of a script; each has an error that names it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of calls and loop iterations; None: unlimited.
    pub steps: Option<u64>,
    /// The deadline in nanoseconds of `Clock::unsimulated_ns`; None: unlimited.
    pub wall_time: Option<u64>,
    /// Bytes allocated by this thread (see [`crate::memory`]); None: unlimited.
    pub memory: Option<usize>,
    /// Maximum size of an object in bytes; for Array and Hash, 16 bytes per element.
    pub size: usize,
    /// Maximum depth of Ruby calls.
    pub depth: usize,
    /// The names of the limits in error messages.
    pub names: LimitNames,
}

/// The names of limits in error messages: the command line options that set them.
#[derive(Clone, Copy, Debug)]
pub struct LimitNames {
    /// For [`Limits::steps`].
    pub steps: &'static str,
    /// For [`Limits::wall_time`].
    pub wall_time: &'static str,
    /// For [`Limits::memory`].
    pub memory: &'static str,
}

impl Default for LimitNames {
    fn default() -> LimitNames {
        LimitNames { steps: "limits.steps", wall_time: "limits.wall_time", memory: "limits.memory" }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        let names = LimitNames::default();
        Limits { steps: None, wall_time: None, memory: None, size: 1 << 32, depth: 24_000, names }
    }
}

impl Limits {
    /// Limits for a separate program: half of the available memory (of the machine or the container) or two thirds of what is left of a limited address
    /// space, at most 4 GiB, and a quarter of that per object. Wall time and steps are unlimited: a converge may take hours.
    pub fn of_machine(host: &dyn Host) -> Limits {
        const MOST: u64 = 4 << 30;
        const ADDRESS_SPACE: i32 = 9;
        /// Bytes mapped before Ruby code runs: the main stack and the program.
        const MAPPED: u64 = 1280 << 20;
        let number = |path: &str| -> Option<u64> {
            let text = rchef_host::compose::read_file(host, path.as_bytes()).ok()?;
            let text = String::from_utf8_lossy(&text);
            let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:")).unwrap_or(&text);
            let unit = if line.trim_end().ends_with("kB") { 1024 } else { 1 };
            line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|number| number.saturating_mul(unit))
        };
        let found = [
            number("/proc/meminfo"),
            number("/sys/fs/cgroup/memory.max"),
            number("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        ];
        // no other process has a part of the address space
        let mapped = host.limit(ADDRESS_SPACE).map_or(MOST, |(soft, _)| soft.saturating_sub(MAPPED) / 3 * 2);
        let halves = found.into_iter().flatten().map(|all| all / 2);
        let memory = halves.chain([mapped, MOST]).min().unwrap_or(MOST).max(64 << 20);
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        Limits { memory: Some(memory), size: memory / 4, ..Limits::default() }
    }
}

/// Reads a special global (`$~`, `$!` …).
pub type GlobalGetter = fn(&mut Vm, Symbol) -> Res;
/// Writes a special global, or raises an error.
pub type GlobalSetter = fn(&mut Vm, Symbol, Value) -> Res<()>;

#[derive(Clone)]
pub enum Global {
    Plain(Value),
    /// A special variable; read-only without a setter.
    Special(GlobalGetter, Option<GlobalSetter>),
    Alias(Symbol),
}

/// Cached values of constants, by the index stored at each site; valid until a constant changes.
#[derive(Default)]
pub(crate) struct ConstCache {
    values: Vec<Value>,
    serial: u64,
}

/// A use of a removed or deprecated API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    pub text: String,
    pub file: Rc<str>,
    pub line: u32,
    /// The method or constant that the code names.
    pub name: String,
}

/// What is called after a native method: with the method, its receiver and its result, for the result of the call.
pub type AfterNative = fn(&mut Vm, MethodId, &Value, Res) -> Res;

/// The Ruby VM. At most one per thread.
pub struct Vm {
    pub(crate) classes: Vec<ClassData>,
    /// For each class its number and, in the lower half, a count that changes whenever the result of a method lookup may change: the key of inline
    /// caches. Never 0.
    pub(crate) class_keys: Vec<u64>,
    /// The number of the last link in a chain of ancestors.
    pub(crate) links: u64,
    pub(crate) methods: Vec<Method>,
    /// Changes whenever the result of a constant lookup may change.
    pub(crate) const_serial: u64,
    pub(crate) next_object_id: u64,
    pub(crate) next_tag: u64,
    /// The running coroutine's stacks.
    pub(crate) stacks: Stacks,
    /// The machine that code runs on.
    pub host: Rc<dyn Host>,
    pub(crate) globals: OrderedMap<Symbol, Global>,
    /// Hooks of `trace_var`.
    pub(crate) traced: Vec<(Symbol, Value)>,
    /// Variables whose hooks are running.
    pub(crate) tracing: Vec<Symbol>,
    /// The lexical scope of the top level.
    pub top_cref: Rc<Cref>,
    pub main: Value,
    pub(crate) errinfo: Value,
    /// `Encoding.default_external` and `default_internal`.
    pub(crate) default_external: Encoding,
    pub(crate) default_internal: Option<Encoding>,
    /// The form of the call that ran a `method_missing` of Ruby code last: what its `super` reports.
    pub(crate) missing: crate::method::CallKind,
    /// Whether core operators have been redefined, which disables fast paths.
    pub(crate) redefined: bool,
    /// Compiled regexp literals, by literal id.
    pub(crate) literals: FxHashMap<u32, Value>,
    /// Frozen String literals, with the numbers that they get when they are first evaluated and lie here by.
    pub(crate) string_literals: Vec<(u32, Value)>,
    /// Ids of registered `END` blocks.
    pub(crate) post_exe: Vec<u32>,
    /// `at_exit` blocks, in order of registration.
    pub at_exit: Vec<Value>,
    /// Libraries that `require` finds without a file.
    pub libraries: Libraries<Library>,
    /// Features and absolute paths that have been required.
    pub loaded: Vec<String>,
    pub limits: Limits,
    /// Whether the error of a limit has been raised.
    limit_passed: bool,
    passed_limit: Option<(&'static str, String)>,
    /// The memory limit that was exceeded, until half of it is free again.
    memory_passed: Option<usize>,
    pub steps: u64,
    /// The number of steps at the last check of limits and interrupts.
    looked_at: u64,
    /// [`crate::memory::growths`] at that check.
    growths: u32,
    /// Set by a signal handler or timer; checked every few hundred calls.
    pub(crate) interrupt: Rc<Cell<bool>>,
    /// Uses of removed or deprecated APIs, for `check`.
    pub deprecations: Vec<Deprecation>,
    /// Whether an object's number was put into a text (where Kernel#to_s in MRI puts an address): such text is not meaningful elsewhere.
    pub addresses_shown: Cell<bool>,
    /// Events that trace points are enabled for.
    pub(crate) traced_events: u16,
    /// `$VERBOSE`: None for nil.
    pub(crate) verbose: Option<bool>,
    /// Whether a fiber scheduler has been set: before that nothing looks for one.
    pub(crate) has_schedulers: bool,
    /// Called after each native method, while its caller is innermost: sets the place of the method's effects on the host, and tells trace points of
    /// the return.
    pub after_native: Option<AfterNative>,
    /// Classes under `Errno`, created when needed, by number.
    pub(crate) errno_classes: FxHashMap<i32, ClassId>,
    /// Filters what Ruby code writes to standard output and standard error.
    pub output_filter: Option<OutputFilter>,
    /// Whether [`Vm::in_bulk`] is running.
    pub(crate) in_bulk: bool,
    /// The first of the methods without native frames in backtraces: see [`Vm::hide_later_natives`].
    pub(crate) hidden_from: u32,
    pub(crate) const_values: ConstCache,
    extensions: FxHashMap<TypeId, Box<dyn Any>>,
    /// Hasher for String keys of Hashes.
    pub(crate) keyed: rchef_syntax::keyed::Keyed,
    /// Must be the last field: its drop frees the heap's memory after everything else is gone.
    pub(crate) collections: crate::heap::Collections,
}

impl Vm {
    /// A VM whose classes have no methods yet. None if this thread already has a live VM.
    pub(crate) fn bare(host: Rc<dyn Host>) -> Option<Vm> {
        if LIVE.with(|live| live.replace(true)) {
            return None;
        }
        let mut vm = Vm {
            classes: Vec::with_capacity(512),
            class_keys: Vec::with_capacity(512),
            links: 0,
            methods: Vec::with_capacity(1024),
            const_serial: 1,
            next_object_id: 8,
            next_tag: FIRST_TAG,
            stacks: Stacks::new(crate::native_stack::stack_limit(), 1024),
            host,
            globals: OrderedMap::default(),
            traced: Vec::new(),
            tracing: Vec::new(),
            top_cref: Cref::new(ClassId::OBJECT, None),
            main: Value::Nil,
            errinfo: Value::Nil,
            default_external: Encoding::default(),
            default_internal: None,
            missing: crate::method::CallKind::Method,
            redefined: false,
            literals: FxHashMap::default(),
            string_literals: Vec::new(),
            post_exe: Vec::new(),
            at_exit: Vec::new(),
            libraries: Libraries::default(),
            loaded: Vec::new(),
            limits: Limits::default(),
            limit_passed: false,
            passed_limit: None,
            memory_passed: None,
            steps: 0,
            looked_at: 0,
            growths: 0,
            interrupt: Rc::new(Cell::new(false)),
            deprecations: Vec::new(),
            addresses_shown: Cell::new(false),
            traced_events: 0,
            verbose: Some(false),
            has_schedulers: false,
            after_native: None,
            errno_classes: FxHashMap::default(),
            output_filter: None,
            in_bulk: false,
            hidden_from: u32::MAX,
            const_values: Default::default(),
            extensions: FxHashMap::default(),
            keyed: Default::default(),
            collections: Default::default(),
        };
        vm.top_cref.visibility.set(crate::method::Visibility::Private);
        vm.boot_classes();
        vm.main = Value::object(ClassId::OBJECT);
        Some(vm)
    }

    /// Data of an embedder or native library, by its type; created when first used.
    pub fn extension<T: Default + 'static>(&mut self) -> &mut T {
        let slot = self.extensions.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default());
        match slot.downcast_mut::<T>() {
            Some(found) => found,
            None => unreachable_extension(),
        }
    }
    /// [`Vm::extension`] read-only; None if it was not created.
    pub fn extension_ref<T: 'static>(&self) -> Option<&T> {
        self.extensions.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// Cached values of constants, by index.
    #[inline]
    pub(crate) fn const_cache(&self) -> &[Value] {
        &self.const_values.values
    }
    /// Caches a value; returns its index.
    pub(crate) fn remember_const(&mut self, value: Value) -> usize {
        if self.const_values.serial != self.const_serial {
            self.const_values.values.clear();
            self.const_values.serial = self.const_serial;
        }
        self.const_values.values.push(value);
        self.const_values.values.len() - 1
    }

    pub fn current_exception(&self) -> Value {
        self.errinfo.clone()
    }

    /// A unique id for an activation or a call with a block. Activations that begin with a [`Vm::tick`] have [`Vm::step_id`].
    #[inline(always)]
    pub(crate) fn fresh_id(&mut self) -> u64 {
        self.next_tag += 1;
        self.next_tag
    }

    /// A unique id for an activation that has just counted its step: the number of steps. Where other threads may have counted steps meanwhile,
    /// [`Vm::tick`] has counted one more.
    #[inline(always)]
    pub(crate) fn step_id(&self) -> u64 {
        self.steps
    }

    /// Records that a core operator may have been redefined.
    #[inline]
    pub(crate) fn note_redefinition(&mut self, class: ClassId, name: Option<Symbol>) {
        const WATCHED: [ClassId; 12] = [
            ClassId::INTEGER,
            ClassId::FLOAT,
            ClassId::STRING,
            ClassId::ARRAY,
            ClassId::HASH,
            ClassId::SYMBOL,
            ClassId::NIL,
            ClassId::TRUE,
            ClassId::FALSE,
            ClassId::PROC,
            ClassId::RANGE,
            ClassId::REGEXP,
        ];
        const MODULES: [ClassId; 3] = [ClassId::COMPARABLE, ClassId::KERNEL, ClassId::OBJECT];
        if self.redefined || !(WATCHED.contains(&class) || MODULES.contains(&class)) {
            return;
        }
        let operator = name.is_none_or(|name| name.id() <= rchef_syntax::symbol::sym::ASET.id());
        if operator && (WATCHED.contains(&class) || name == Some(rchef_syntax::symbol::sym::NOT)) {
            self.note_operator();
        }
    }

    /// The name of the running native method.
    pub fn current_native_name(&self) -> Option<Symbol> {
        self.stacks.native().map(|method| self.method(method).name)
    }

    /// The current file and line of Ruby code.
    pub fn current_location(&self) -> Option<(Rc<str>, u32)> {
        self.innermost().map(|cx| (Rc::from(cx.code.file.path.as_str()), cx.line()))
    }

    /// Records that the running native method is a removed or deprecated one, at the current line, once per place.
    pub fn deprecated(&mut self, text: &str) {
        let name = self.current_native_name().map_or_else(String::new, |name| name.to_string());
        self.deprecated_name(text, name);
    }

    /// Records the use of a removed or deprecated name at the current line, once per place.
    pub(crate) fn deprecated_name(&mut self, text: &str, name: String) {
        let Some((file, line)) = self.current_location() else { return };
        let used = Deprecation { text: text.to_string(), file, line, name };
        if !self.deprecations.contains(&used) {
            self.deprecations.push(used);
        }
    }

    /// Counts a step, and periodically checks limits and interrupts.
    #[inline(always)]
    pub(crate) fn tick(&mut self) -> Res<()> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_A_TICK) || crate::memory::growths() != self.growths {
            self.slow_tick()
        } else {
            Ok(())
        }
    }
    /// Counts `units` steps for a native's work, and checks limits and interrupts as often as for Ruby code. Natives with loops that are not bounded
    /// by work that Ruby code did before must call this. A unit is about the cost of one Array element. Other threads and signal handlers may run
    /// Ruby code during the call.
    #[inline]
    pub fn tick_by(&mut self, units: usize) -> Res<()> {
        let before = self.steps;
        self.steps = before.saturating_add(units as u64);
        if before / STEPS_A_TICK != self.steps / STEPS_A_TICK || crate::memory::growths() != self.growths {
            self.slow_tick()
        } else {
            Ok(())
        }
    }
    /// Checks the memory limit, for natives that create large structures without counting steps.
    ///
    /// # Errors
    /// NoMemoryError if the limit is exceeded.
    #[inline]
    pub fn check_memory(&mut self) -> Res<()> {
        match self.limits.memory {
            Some(limit) if crate::memory::live() > limit => self.slow_tick(),
            _ => Ok(()),
        }
    }
    #[cold]
    #[inline(never)]
    fn slow_tick(&mut self) -> Res<()> {
        self.growths = crate::memory::growths();
        let looked = std::mem::replace(&mut self.looked_at, self.steps);
        if self.collects_often() && looked / STEPS_A_TICK == self.steps / STEPS_A_TICK {
            // only called early because of `Vm::collect_every`
            return Ok(());
        }
        self.collect_if_due();
        if self.limits.steps.is_some() || self.limits.wall_time.is_some() || self.limits.memory.is_some() {
            self.check_limits()?;
        }
        self.host.ran(STEPS_A_TICK);
        self.interrupt.set(false);
        let done = self.run_interrupts();
        // activations of other threads may have the present number as their id (`step_id`)
        self.steps += 1;
        done
    }
    /// Handles pending signals and timers now. Natives that work long without running Ruby call this where they can be interrupted.
    ///
    /// # Errors
    /// Errors raised by handlers, and the exception of a signal without a handler.
    pub fn serve_interrupts(&mut self) -> Res<()> {
        self.run_interrupts()
    }
    /// Whether `steps` more steps are within the limits on steps and time, for natives that cannot raise at this point.
    pub fn may_go_on(&self, steps: usize) -> bool {
        let within = |limit: Option<u64>, used: u64| limit.is_none_or(|limit| used <= limit);
        within(self.limits.steps, self.steps.saturating_add(steps as u64))
            && (self.limits.wall_time.is_none() || within(self.limits.wall_time, self.host.unsimulated_ns()))
    }
    /// Checks the limits on steps, time and memory. The error is raised once, with some slack for `ensure`; after that the script is ended without
    /// `rescue`. Once half of the memory limit is free again, its error can be raised again.
    fn check_limits(&mut self) -> Res<()> {
        const GRACE_STEPS: u64 = 100_000;
        const GRACE_TIME: u64 = 200_000_000;
        if let Some(limit) = self.memory_passed
            && crate::memory::live() < limit / 2
        {
            // the memory has been freed: the script may continue normally
            (self.limits.memory, self.limit_passed, self.memory_passed) = (Some(limit), false, None);
        }
        let names = self.limits.names;
        if self.limits.memory.is_some_and(|limit| crate::memory::live() > limit) {
            self.collect_cycles();
        }
        let passed = if let Some(limit) = self.limits.steps
            && self.steps > limit
        {
            self.limits.steps = Some(self.steps + GRACE_STEPS);
            (names.steps, format!("the limit of {limit} steps is used up ({})", names.steps))
        } else if let Some(limit) = self.limits.wall_time
            && self.host.unsimulated_ns() > limit
        {
            self.limits.wall_time = Some(self.host.unsimulated_ns() + GRACE_TIME);
            (names.wall_time, format!("the time is used up ({})", names.wall_time))
        } else if let Some(limit) = self.limits.memory
            && crate::memory::live() > limit
        {
            if !self.limit_passed {
                self.memory_passed = Some(limit);
            }
            self.limits.memory = Some(limit.saturating_add(limit / 4).max(crate::memory::live()));
            let text = format!("failed to allocate memory: the limit of {limit} bytes is used up ({})", names.memory);
            (names.memory, text)
        } else {
            return Ok(());
        };
        if std::mem::replace(&mut self.limit_passed, true) {
            return Err(crate::error::Unwind::Abandon.into());
        }
        self.passed_limit = Some(passed.clone());
        Err(self.limit_error(&passed))
    }
    /// The name and message of the limit that was passed last: a script that goes on after its error ends without an exception.
    pub fn passed_limit(&self) -> Option<&(&'static str, String)> {
        self.passed_limit.as_ref()
    }
    /// The error of a limit that is passed, by its name and message.
    #[cold]
    pub fn limit_error(&mut self, (name, text): &(&'static str, String)) -> Error {
        self.error_for(ClassId::NO_MEMORY_ERROR, text, Some(Reason::Limit(name)))
    }
    /// NoMemoryError if a new object would exceed the maximum size or the remaining memory (in bytes).
    #[inline]
    pub fn check_size(&mut self, bytes: usize) -> Res<()> {
        self.check_growth(0, bytes)
    }
    /// NoMemoryError if new objects would together exceed the remaining memory (in bytes).
    #[inline]
    pub fn check_left(&mut self, bytes: usize) -> Res<()> {
        match self.limits.memory {
            Some(limit) if bytes >= SMALL && bytes > limit.saturating_sub(crate::memory::live()) => {
                Err(self.would_pass(limit))
            }
            _ => Ok(()),
        }
    }
    #[cold]
    fn would_pass(&mut self, limit: usize) -> Error {
        let name = self.limits.names.memory;
        let text = format!("failed to allocate memory: the limit of {limit} bytes would be passed ({name})");
        self.limit_error(&(name, text))
    }
    /// The same for an object of `held` bytes, already allocated, that grows by `added`.
    #[inline]
    pub fn check_growth(&mut self, held: usize, added: usize) -> Res<()> {
        let left = match self.limits.memory {
            Some(limit) if added >= SMALL => limit.saturating_sub(crate::memory::live()),
            _ => usize::MAX,
        };
        if held.saturating_add(added) > self.limits.size {
            Err(self.error(ClassId::NO_MEMORY_ERROR, "failed to allocate memory"))
        } else if let Some(limit) = self.limits.memory.filter(|_| added > left) {
            Err(self.would_pass(limit))
        } else {
            Ok(())
        }
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        LIVE.with(|live| live.set(false));
    }
}

#[cold]
fn unreachable_extension() -> ! {
    unreachable!("an extension is stored under its own type")
}
