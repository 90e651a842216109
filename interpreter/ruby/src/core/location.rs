//! `caller`, `caller_locations`, Thread::Backtrace::Location.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Res, TraceEntry, TraceLabel};
use crate::method::{MethodDef, def, opt};
use crate::value::{NativeData, Value};
use rchef_syntax::Symbol;

/// A frame, what it calls, and where in the source it does, as far as that is known.
struct LocationData(TraceEntry, Option<Callee>);
impl NativeData for LocationData {}

#[derive(Clone, Default)]
struct Callee {
    name: Option<Symbol>,
    span: Option<(u32, u32)>,
}

/// The place in a source of which a Location is.
pub(crate) struct Place {
    pub(crate) code: Option<std::sync::Arc<rchef_syntax::tree::Code>>,
    pub(crate) line: u32,
    /// The name of what is called there.
    pub(crate) name: Option<Symbol>,
    /// Where the name stands.
    pub(crate) span: Option<(u32, u32)>,
}
pub(crate) fn is_location(vm: &Vm, value: &Value) -> bool {
    vm.data::<LocationData>(value).is_some()
}
/// The place of a Location; None for other objects.
pub(crate) fn place(vm: &Vm, value: &Value) -> Option<Place> {
    let data = vm.data::<LocationData>(value)?;
    let callee = data.1.clone().unwrap_or_default();
    let native = match data.0.label {
        TraceLabel::Native(method) => Some(vm.method(method).name),
        TraceLabel::Ruby(..) => None,
    };
    Some(Place { code: data.0.code.clone(), line: data.0.line, name: native.or(callee.name), span: callee.span })
}

/// A Thread::Backtrace::Location object.
pub(crate) fn value(entry: TraceEntry) -> Value {
    Value::data(ClassId::LOCATION, LocationData(entry, None))
}

static FUNCTIONS: &[MethodDef] = &[
    opt("caller", caller, 0, 2),
    opt("caller_locations", caller_locations, 0, 2),
    def("__method__", current_method, 0),
    def("__callee__", called_name, 0),
    def("__dir__", dir, 0),
];
static LOCATION: &[MethodDef] = &[
    def("path", path, 0),
    def("absolute_path", absolute_path, 0),
    def("lineno", lineno, 0),
    def("label", label, 0),
    def("base_label", base_label, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
];

/// The frames selected by the arguments of `caller`; None if the start is out of range.
fn select(vm: &mut Vm, args: Args<'_>) -> Res<Option<Vec<TraceEntry>>> {
    // without the frame of `caller` itself
    let entries = vm.backtrace(1);
    let none = [Value::Int(1)];
    selected(vm, entries, if args.at(0).is_nil() { &none } else { args.pos })
}
/// The frames selected by `(start, length)` or a Range.
pub(crate) fn selected(vm: &mut Vm, mut entries: Vec<TraceEntry>, args: &[Value]) -> Res<Option<Vec<TraceEntry>>> {
    let (start, length) = match args.first() {
        None => (0, None),
        Some(Value::Range(range)) => {
            let (begin, end, exclusive) = {
                let range = range.get(vm);
                (range.begin.clone(), range.end.clone(), range.exclusive)
            };
            let count = entries.len() as i64;
            let begin = if begin.is_nil() { 0 } else { vm.to_int(&begin)? };
            let begin = if begin < 0 { begin + count } else { begin };
            let end = if end.is_nil() { -1 } else { vm.to_int(&end)? };
            let end = if end < 0 { end + count } else { end } + i64::from(!exclusive);
            (begin, Some((end - begin).max(0)))
        }
        Some(value) => {
            let start = vm.to_int(value)?;
            let length = match args.get(1) {
                None | Some(Value::Nil) => None,
                Some(value) => Some(vm.to_int(value)?),
            };
            (start, length)
        }
    };
    if start < 0 {
        return Err(vm.argument_error(format!("negative level ({start})")));
    }
    if let Some(length) = length
        && length < 0
    {
        return Err(vm.argument_error(format!("negative size ({length})")));
    }
    let start = start as usize;
    if start > entries.len() {
        return Ok(None);
    }
    entries.drain(..start);
    if let Some(length) = length {
        entries.truncate(length as usize);
    }
    Ok(Some(entries))
}
fn caller(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(match select(vm, args)? {
        Some(entries) => Value::array(entries.iter().map(|entry| Value::str(vm.trace_line(entry))).collect()),
        None => none(args),
    })
}
/// What there is above all frames: nil, or nothing of it where nothing was asked for.
fn none(args: Args<'_>) -> Value {
    if matches!(args.get(1), Some(Value::Int(0))) { Value::array(Vec::new()) } else { Value::Nil }
}
fn caller_locations(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(match select(vm, args)? {
        Some(entries) => locations(vm, entries),
        None => none(args),
    })
}
/// Location objects for frames, each with the name that the frame before it has.
pub(crate) fn locations(vm: &Vm, entries: Vec<TraceEntry>) -> Value {
    locations_from(vm, entries, None, None)
}
/// The same; `name` and `span` are those of what the first one calls.
pub(crate) fn locations_from(
    vm: &Vm,
    entries: Vec<TraceEntry>,
    mut name: Option<Symbol>,
    mut span: Option<(u32, u32)>,
) -> Value {
    let mut items = Vec::with_capacity(entries.len());
    for entry in entries {
        let callee = Callee { name, span };
        (name, span) = match entry.label {
            // a native stands on the line of what calls it
            TraceLabel::Native(method) => (Some(vm.method(method).name), span),
            TraceLabel::Ruby(method, 0, _) => (method, None),
            TraceLabel::Ruby(..) => (None, None),
        };
        items.push(Value::data(ClassId::LOCATION, LocationData(entry, Some(callee))));
    }
    Value::array(items)
}
fn current_method(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let id = vm.with_caller(|vm, cx| cx.and_then(|cx| vm.method_of(cx)));
    Ok(id.map(|id| Value::Sym(vm.method(id).name)).unwrap_or_default())
}
/// `__callee__`: like `__method__`, but with the alias that was called.
fn called_name(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let id = vm.with_caller(|vm, cx| cx.and_then(|cx| vm.method_of(cx)));
    Ok(id.map(|id| Value::Sym(vm.called_name(id))).unwrap_or_default())
}
/// `__dir__`: the directory of the calling file; nil in an eval.
fn dir(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let Some((file, _)) = vm.current_location() else { return Ok(Value::Nil) };
    let evaluated = vm.innermost().is_some_and(|cx| cx.code.kind == rchef_syntax::tree::CodeKind::Eval);
    if evaluated && &*file != "(eval)" {
        return Ok(Value::bytes(rchef_host::files::dirname(file.as_bytes())));
    }
    Ok(match absolute(vm, &file) {
        Some(path) => Value::bytes(rchef_host::files::dirname(path.as_bytes())),
        None => Value::Nil,
    })
}
/// The absolute path of a source file named in a backtrace; None if it is not a file.
pub(crate) fn absolute(vm: &Vm, file: &str) -> Option<String> {
    if file.starts_with('(') || file.starts_with('<') || file == "-e" || file == "-" {
        return None;
    }
    let host = vm.host.clone();
    // A file that was loaded by its absolute path keeps it where the working directory is gone.
    let cwd = if file.starts_with('/') { b"/".to_vec() } else { host.getcwd().ok()? };
    let path = rchef_host::files::absolute(&cwd, file.as_bytes());
    let path = host.realpath(&path).unwrap_or(path);
    Some(String::from_utf8_lossy(&path).into_owned())
}

fn entry(vm: &mut Vm, this: &Value) -> Res<TraceEntry> {
    match vm.data::<LocationData>(this) {
        Some(data) => Ok(data.0.clone()),
        None => Err(vm.type_error("uninitialized location")),
    }
}
fn path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let entry = entry(vm, this)?;
    Ok(entry.code.map(|code| Value::str(&code.file.path)).unwrap_or_default())
}
fn absolute_path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let entry = entry(vm, this)?;
    Ok(entry.code.and_then(|code| absolute(vm, &code.file.path)).map(Value::str).unwrap_or_default())
}
fn lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(entry(vm, this)?.line)))
}
fn label(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let entry = entry(vm, this)?;
    Ok(Value::str(vm.trace_label(&entry)))
}
fn base_label(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let entry = entry(vm, this)?;
    Ok(Value::str(match entry.label {
        TraceLabel::Native(id) => vm.method(id).name.to_string(),
        TraceLabel::Ruby(name, ..) => name.map_or("<main>", Symbol::as_str).to_string(),
    }))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let entry = entry(vm, this)?;
    Ok(Value::str(vm.trace_line(&entry)))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = to_s(vm, this, Args::none())?;
    Ok(Value::Str(vm.inspect_str(&text)?))
}

/// How many callers the report of an error shows, where that is limited.
#[derive(Default)]
struct BacktraceLimit(Option<i64>);

impl Vm {
    /// Limits the callers that the report of an error shows.
    pub fn set_backtrace_limit(&mut self, limit: i64) {
        self.extension::<BacktraceLimit>().0 = Some(limit);
    }
}
/// The limit, or -1.
pub(super) fn backtrace_limit(vm: &mut Vm) -> i64 {
    vm.extension::<BacktraceLimit>().0.unwrap_or(-1)
}
static BACKTRACE: &[MethodDef] = &[def("limit", limit, 0)];
fn limit(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(backtrace_limit(vm)))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
    let backtrace = vm.define_class(ClassId::THREAD, "Backtrace", ClassId::OBJECT);
    vm.define_singleton_methods(backtrace, BACKTRACE);
    let name = Symbol::intern_static("Location");
    if vm
        .const_own(ClassId::OBJECT, name)
        .is_some_and(|constant| matches!(constant.value, Value::Class(ClassId::LOCATION)))
    {
        vm.class_mut(ClassId::OBJECT).consts.shift_remove(&name);
    }
    vm.const_set(backtrace, name, Value::Class(ClassId::LOCATION));
    vm.define_methods(ClassId::LOCATION, LOCATION);
    vm.class_mut(ClassId::LOCATION).allocator = Some(crate::class::no_allocator);
}
