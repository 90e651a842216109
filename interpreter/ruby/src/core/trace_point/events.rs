//! What happens where trace points look: the events, which trace points wait for one, and how their blocks are called.

use super::event::{
    About, B_CALL, B_RETURN, C_CALL, C_RETURN, CALL, CLASS, COVER_METHODS, END, ENTRIES, EVENTS, FIBER_SWITCH, LINE,
    NATIVE, RAISE, RETURN, SCRIPT_COMPILED, THREAD_BEGIN, THREAD_END,
};
use super::{Target, TracePoint};
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::error::Res;
use crate::frame::{Cx, RProc, Visited};
use crate::heap::Gc;
use crate::method::{MethodId, NativeFn};
use crate::value::Value;
use crate::vm::AfterNative;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Code, CodeKind};
use std::rc::Rc;
use std::sync::Arc;

/// The event that a running block of a trace point handles.
#[derive(Clone)]
pub(super) struct Happening {
    pub(super) event: u16,
    pub(super) slf: Value,
    pub(super) method: Option<MethodId>,
    /// The result, the exception, or the text that was compiled.
    pub(super) value: Value,
    pub(super) place: Option<(Rc<str>, u32)>,
    /// The code of the frame.
    pub(super) code: Option<Arc<Code>>,
    /// Whether the frame is that of a lambda, or of a block that is a method.
    pub(super) lambda: bool,
    /// The number of frames below that in which it happened.
    pub(super) frame: Option<usize>,
}

/// Enabled trace points and functions, and whether a block of one is running, which suppresses events.
#[derive(Default)]
pub(crate) struct Tracing {
    pub(super) points: Vec<Value>,
    /// What Coverage waits for.
    pub(crate) covered: u16,
    /// What `set_trace_func` was given, for a thread (nil: for all).
    pub(super) functions: Vec<(Value, Value)>,
    pub(super) inside: bool,
    /// Whether raised exceptions are written to `$stderr` (`$DEBUG`).
    pub(super) debug: bool,
    /// An exception is being asked for its message to be written: those that are raised meanwhile are not written.
    writes: bool,
    /// A source that was parsed may trace lines: those that are parsed after it tell theirs.
    pub(crate) expected: bool,
    /// The limit of the depth of calls while entries to code are looked at; `Limits::depth` is 0 then, so that each entry takes the way of those
    /// that go too deep.
    depth: Option<usize>,
    /// The limit of the native stack while the first entry on it is awaited.
    first: Option<usize>,
    /// Whether an operator is redefined; while natives are traced, `Vm::redefined` is set.
    pub(crate) redefined: bool,
    /// What is called after each native beside the trace; while natives are traced, `Vm::after_native` is the trace's.
    after_native: Option<AfterNative>,
    /// The class TracePoint.
    pub(super) class: Option<ClassId>,
}

impl Vm {
    /// An operator is redefined, also after natives have been traced.
    pub(crate) fn note_operator(&mut self) {
        self.redefined = true;
        self.extension::<Tracing>().redefined = true;
    }
    /// While entries to code are looked at, the first one on a new stack, below which no depth counts, is made to be refused as well.
    pub(crate) fn look_at_first_entry(&mut self) {
        if self.traced_events & ENTRIES != 0 {
            let limit = std::mem::replace(&mut self.stacks.limit, usize::MAX);
            self.extension::<Tracing>().first = Some(limit);
        }
    }
    /// Takes back what [`Vm::look_at_first_entry`] has done.
    pub(crate) fn first_entry_seen(&mut self) {
        if self.traced_events & ENTRIES != 0
            && let Some(limit) = self.extension::<Tracing>().first.take()
        {
            self.stacks.limit = limit;
        }
    }
    /// Calls the block of a thread with the events of its beginning and end.
    pub(crate) fn run_traced_thread(&mut self, thread: &Value, proc: &Gc<RProc>, args: &[Value]) -> Res {
        let about = || About { slf: Some(thread), ..Default::default() };
        if self.traced_events & THREAD_BEGIN != 0 {
            self.fire(THREAD_BEGIN, about())?;
        }
        self.look_at_first_entry();
        let result = self.call_proc(proc, Args::new(args));
        if self.traced_events & THREAD_END != 0 {
            self.fire(THREAD_END, about())?;
        }
        result
    }
    /// The depth of calls at which SystemStackError is raised.
    pub(crate) fn depth_limit(&self) -> usize {
        self.extension_ref::<Tracing>().and_then(|tracing| tracing.depth).unwrap_or(self.limits.depth)
    }
    /// Changes that depth, without changing whether entries are looked at.
    pub(crate) fn set_depth_limit(&mut self, depth: usize) {
        let tracing = self.extension::<Tracing>();
        if tracing.depth.is_some() {
            tracing.depth = Some(depth);
        } else {
            self.limits.depth = depth;
        }
    }
    /// Sets which events are waited for.
    pub(super) fn set_traced(&mut self, events: u16) {
        let before = std::mem::replace(&mut self.traced_events, events);
        let wanted = events & ENTRIES != 0;
        let limit = self.limits.depth;
        let tracing = self.extension::<Tracing>();
        match tracing.depth {
            None if wanted => {
                tracing.depth = Some(limit);
                self.limits.depth = 0;
            }
            Some(depth) if !wanted => {
                tracing.depth = None;
                self.limits.depth = depth;
            }
            _ => {}
        }
        let natives = events & NATIVE != 0;
        if (before & NATIVE != 0) != natives {
            // sites must not take their short ways past natives and readers
            self.trace_natives(natives);
        }
    }
    /// While natives are traced, operators have no fast paths and call sites remember nothing.
    fn trace_natives(&mut self, on: bool) {
        if on {
            self.in_bulk(|_| ());
            let (redefined, after) = (self.redefined, self.after_native);
            let tracing = self.extension::<Tracing>();
            (tracing.redefined, tracing.after_native) = (redefined, after);
            self.redefined = true;
            self.after_native = Some(Vm::native_begun_before);
        } else {
            let tracing = self.extension::<Tracing>();
            let (redefined, after) = (tracing.redefined, tracing.after_native.take());
            (self.redefined, self.after_native) = (redefined, after);
        }
    }
    /// `check_stack` where natives and blocks are entered: true if trace points look at entries.
    #[inline(always)]
    pub(crate) fn check_entry(&mut self) -> Res<bool> {
        let here = 0u8;
        if (std::ptr::from_ref(&here) as usize) < self.stacks.limit || self.stacks.frame_count() > self.limits.depth {
            self.entry_refused()
        } else {
            Ok(false)
        }
    }
    /// While entries are traced, each of them comes here: it is only refused if it really is too deep.
    #[cold]
    #[inline(never)]
    pub(crate) fn entry_refused(&mut self) -> Res<bool> {
        self.first_entry_seen();
        let here = 0u8;
        let room = (std::ptr::from_ref(&here) as usize) >= self.stacks.limit;
        if room && self.stacks.frame_count() <= self.depth_limit() { Ok(true) } else { Err(self.stack_overflow()) }
    }
    /// Calls the trace points enabled for an event.
    #[cold]
    #[inline(never)]
    pub(crate) fn fire(&mut self, event: u16, about: About<'_>) -> Res<()> {
        let vm = self;
        if vm.extension::<Tracing>().inside {
            return Ok(());
        }
        let happening = vm.happening(event, about);
        let (points, functions) = {
            let tracing = vm.extension::<Tracing>();
            (tracing.points.clone(), tracing.functions.clone())
        };
        vm.extension::<Tracing>().inside = true;
        let mut result = super::function::call(vm, &functions, &happening);
        // the latest comes first
        for point in points.iter().rev() {
            if result.is_err() {
                break;
            }
            if vm.data::<TracePoint>(point).is_none_or(|data| data.events & event == 0) || !vm.meets(point, &happening)
            {
                continue;
            }
            let Some(data) = vm.data_mut::<TracePoint>(point) else { continue };
            let outer = data.happening.replace(happening.clone());
            let block = data.block.clone();
            let called = vm.call(&block, sym::CALL, std::slice::from_ref(point));
            if let Some(data) = vm.data_mut::<TracePoint>(point) {
                data.happening = outer;
            }
            result = called.map(|_| ());
        }
        vm.extension::<Tracing>().inside = false;
        result
    }
    /// Gathers what is known of an event.
    fn happening(&mut self, event: u16, about: About<'_>) -> Happening {
        let (mut slf, mut method, mut place, mut code, mut frame) = (None, about.method, None, None, None);
        let mut lambda = false;
        // a thread that begins or ends is nowhere in its code
        let outside = event & (THREAD_BEGIN | THREAD_END) != 0;
        if event & (SCRIPT_COMPILED | FIBER_SWITCH) != 0 {
            method = self.stacks.native();
        }
        let mut done = outside;
        self.walk_frames(|visited| {
            if let (false, Visited::Ruby(cx)) = (done, visited) {
                done = true;
                slf = Some(cx.slf.clone());
                method = method.or_else(|| if about.slf.is_some() { None } else { self.method_of(cx) });
                let path = about.file.unwrap_or(cx.code.file.path.as_str());
                place = Some((Rc::from(path), about.line.unwrap_or(cx.line())));
                code = Some(cx.code.clone());
                lambda = cx.lambda;
                frame = Some(cx.depth.get());
            }
        });
        let slf = about.slf.cloned().or(slf).unwrap_or_default();
        Happening { event, slf, method, value: about.value, place, code, lambda, frame }
    }
    /// Whether an event is one of the code, line and thread that a trace point is limited to.
    fn meets(&mut self, point: &Value, happening: &Happening) -> bool {
        let Some(data) = self.data::<TracePoint>(point) else { return false };
        if let Some(target) = &data.target
            && !happening.code.as_ref().is_some_and(|code| target.has(code))
        {
            return false;
        }
        if let Some(line) = data.target_line
            && happening.event & (LINE | RETURN | B_RETURN | END) != 0
            && happening.place.as_ref().is_none_or(|(_, at)| *at != line)
        {
            return false;
        }
        let thread = data.thread.clone();
        thread.is_nil() || crate::core::thread::current(self).same(&thread)
    }

    /// The body of a class or module, with `class` and `end` events, of which the second comes for an error, too.
    pub(crate) fn class_body(&mut self, code: &Arc<Code>, cx: &Cx<'_>) -> Res {
        let about = |line| About { slf: Some(cx.slf), line, ..About::default() };
        if self.traced_events & CLASS != 0 {
            self.fire(CLASS, about(Some(code.line)))?;
        }
        let result = self.statement(&code.body, cx);
        // the body may have switched the trace point on
        if self.traced_events & END != 0 {
            self.fire(END, about(result.is_ok().then_some(code.end_line)))?;
        }
        result
    }
    /// The body of a method, with `call` and `return` events.
    #[cold]
    pub(crate) fn traced_body(&mut self, code: &Arc<Code>, cx: &Cx<'_>) -> Res {
        if self.traced_events & COVER_METHODS != 0 {
            self.count_call(code);
        }
        if self.traced_events & CALL != 0 {
            self.fire(CALL, About { line: Some(code.line), ..About::default() })?;
        }
        let result = self.statement(&code.body, cx);
        let (result, line) = match result {
            Ok(value) => (Ok(value), Some(code.end_line)),
            Err(error) => (self.end_of_method(error, cx.id), None),
        };
        if self.traced_events & RETURN != 0 {
            let value = result.as_ref().cloned().unwrap_or_default();
            self.fire(RETURN, About { value, line, ..About::default() })?;
        }
        result
    }
    /// The beginning of a block.
    #[cold]
    pub(crate) fn block_begins(&mut self, cx: &Cx<'_>) -> Res<()> {
        if !matches!(cx.code.kind, CodeKind::Block | CodeKind::Lambda) {
            return Ok(());
        }
        for event in [CALL, B_CALL] {
            if self.traced_events & event != 0 && (event == B_CALL || cx.method.is_some()) {
                self.fire(event, About { line: Some(cx.code.line), ..About::default() })?;
            }
        }
        Ok(())
    }
    /// The end of a block; `whole` if it has run to its end.
    #[cold]
    pub(crate) fn block_ends(&mut self, cx: &Cx<'_>, result: Res, whole: bool) -> Res {
        if !matches!(cx.code.kind, CodeKind::Block | CodeKind::Lambda) {
            return result;
        }
        let value = match &result {
            Ok(value) => value.clone(),
            Err(error) => match &*error.0 {
                crate::error::Unwind::Break(_, value) => value.clone(),
                _ => Value::Nil,
            },
        };
        let line = whole.then_some(cx.code.end_line);
        for event in [B_RETURN, RETURN] {
            if self.traced_events & event != 0 && (event == B_RETURN || cx.method.is_some()) {
                self.fire(event, About { value: value.clone(), line, ..About::default() })?;
            }
        }
        result
    }
    /// A native, with `c_call` and `c_return` events.
    #[cold]
    #[inline(never)]
    pub(crate) fn invoke_native_traced(
        &mut self,
        id: MethodId,
        function: NativeFn,
        recv: &Value,
        args: Args<'_>,
    ) -> Res {
        if args.keywords {
            args.forget_splat(recv);
        }
        self.trace_native(id, recv, |vm| {
            vm.stacks.push_native(id);
            let result = function(vm, recv, args);
            vm.stacks.pop_native();
            match vm.extension_ref::<Tracing>().and_then(|tracing| tracing.after_native) {
                Some(after) => after(vm, id, recv, result),
                None => result,
            }
        })
    }
    /// Runs something as a native method, with `c_call` and `c_return` events; `call` and `return` for what MRI has in Ruby.
    pub(crate) fn trace_native(&mut self, id: MethodId, recv: &Value, run: impl FnOnce(&mut Vm) -> Res) -> Res {
        if self.passes_on(id) {
            return run(self);
        }
        let file = self.file_in_mri(id);
        let call = if file.is_some() { CALL } else { C_CALL };
        if self.traced_events & call != 0 {
            self.fire(call, About { slf: Some(recv), method: Some(id), file, ..About::default() })?;
        }
        let result = run(self);
        self.native_ends(id, recv, result)
    }
    /// Tells of the end of a native.
    fn native_ends(&mut self, id: MethodId, recv: &Value, result: Res) -> Res {
        let name = self.method(id).name;
        // where a constant is missing, the place in the source is not known yet
        let raised = result.as_ref().err().and_then(|error| error.exception()).cloned();
        let raised = raised.filter(|_| name != sym::CONST_MISSING);
        let raise = ["raise", "fail"].contains(&name.as_str()) && self.method(id).owner == ClassId::KERNEL;
        if !raise {
            self.note_raised(raised.clone())?;
        }
        let file = self.file_in_mri(id);
        let back = if file.is_some() { RETURN } else { C_RETURN };
        if self.traced_events & back != 0 {
            let value = result.as_ref().cloned().unwrap_or_default();
            self.fire(back, About { slf: Some(recv), method: Some(id), value, file, ..About::default() })?;
        }
        if let Some(exception) = raised.filter(|_| raise) {
            // MRI asks whether there is a backtrace before it makes one
            self.call_name(&exception, "backtrace", &[])?;
            self.note_raised(Some(exception))?;
        }
        result
    }
    /// What [`Vm::after_native`] is while natives are traced: those that end here began before, since the others take the way of
    /// [`Vm::invoke_native_traced`].
    fn native_begun_before(vm: &mut Vm, id: MethodId, recv: &Value, result: Res) -> Res {
        let outer = vm.extension_ref::<Tracing>().and_then(|tracing| tracing.after_native);
        let result = match outer {
            Some(after) => after(vm, id, recv, result),
            None => result,
        };
        if vm.passes_on(id) { result } else { vm.native_ends(id, recv, result) }
    }
    /// The file of a method that MRI has in Ruby and that is native here.
    fn file_in_mri(&self, id: MethodId) -> Option<&'static str> {
        const KERNEL: &[&str] = &["class", "clone", "Float", "frozen?", "tap", "then", "yield_self", "warn"];
        const INTEGER: &[&str] = &[
            "-@",
            "~",
            "abs",
            "bit_length",
            "even?",
            "integer?",
            "magnitude",
            "odd?",
            "ord",
            "to_i",
            "to_int",
            "zero?",
            "size",
            "succ",
            "numerator",
            "denominator",
        ];
        let method = self.method(id);
        let name = method.name.as_str();
        let (names, file): (&[&str], _) = match method.owner {
            ClassId::KERNEL => (KERNEL, if name == "warn" { "<internal:warning>" } else { "<internal:kernel>" }),
            ClassId::INTEGER => (INTEGER, "<internal:numeric>"),
            ClassId::ARRAY => (&["pack", "sample", "shuffle", "shuffle!"], "<internal:array>"),
            ClassId::STRING => (&["unpack", "unpack1"], "<internal:pack>"),
            of => {
                let of = if let ClassKind::Meta(of) = self.class(of).kind { of } else { of };
                let own = Some(of) == self.extension_ref::<Tracing>().and_then(|tracing| tracing.class);
                return own.then_some("<internal:trace_point>");
            }
        };
        names.contains(&name).then_some(file)
    }
    /// A native has raised an exception, unless that is known already. `raise` tells of it itself.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_raised(&mut self, exception: Option<Value>) -> Res<()> {
        let Some(exception) = exception else { return Ok(()) };
        if self.traced_events & RAISE == 0 || self.extension::<Tracing>().inside {
            return Ok(());
        }
        match self.data_mut::<crate::error::ExceptionData>(&exception) {
            Some(data) if !data.told => data.told = true,
            _ => return Ok(()),
        }
        self.write_raised(&exception)?;
        let native = (self.data::<crate::error::ExceptionData>(&exception))
            .and_then(|data| data.trace.as_ref()?.first())
            .and_then(|entry| match entry.label {
                crate::error::TraceLabel::Native(method) => Some(method),
                crate::error::TraceLabel::Ruby(..) => None,
            });
        let about = About { method: native, value: exception, ..About::default() };
        self.fire(RAISE, about)
    }
    /// With `$DEBUG`: writes an exception that is raised to `$stderr`, with the place of the raise.
    fn write_raised(&mut self, exception: &Value) -> Res<()> {
        let tracing = self.extension::<Tracing>();
        if !tracing.debug || tracing.writes || self.is_a(exception, ClassId::SYSTEM_EXIT) {
            return Ok(());
        }
        self.extension::<Tracing>().writes = true;
        let text = self.to_s_text(exception);
        self.extension::<Tracing>().writes = false;
        let (class, text) = (self.class_name_of(exception), text?);
        let place = self.current_location().map_or(String::new(), |(file, line)| format!(" at {file}:{line}"));
        self.write_stderr(format!("Exception `{class}'{place} - {text}\n").as_bytes())
    }
    /// `raise` raises an exception.
    #[cold]
    pub(crate) fn raised(&mut self, exception: &Value) -> Res<()> {
        if let Some(data) = self.data_mut::<crate::error::ExceptionData>(exception) {
            data.told = true;
        }
        self.write_raised(exception)?;
        self.fire(RAISE, About { value: exception.clone(), ..About::default() })
    }
}

impl Target {
    /// The code itself, or what is within it.
    fn has(&self, code: &Arc<Code>) -> bool {
        let own = &self.code;
        let lines = own.line..=own.end_line;
        let inside = Arc::ptr_eq(&own.file, &code.file) && lines.contains(&code.line) && lines.contains(&code.end_line);
        Arc::ptr_eq(own, code) || inside && (own.line, own.end_line) != (code.line, code.end_line)
    }
}

/// The name of an event in the form of `set_trace_func`.
pub(super) fn old_name(event: u16) -> Symbol {
    let name = EVENTS.iter().find(|(_, known)| *known == event).map_or("", |(name, _)| name);
    Symbol::intern(&name.replace('_', "-"))
}
