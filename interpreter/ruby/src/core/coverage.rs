//! Coverage: how often lines and branches run and methods are called, of files that are loaded while it is set up.

use super::trace_point::event::{COVER_LINES, COVER_METHODS};
use super::trace_point::{Tracing, renew};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::library::Library;
use crate::method::{MethodBody, MethodDef, any, def, opt};
use crate::value::Value;
use indexmap::IndexMap;
use rchef_syntax::lower::{Branches, Parsed, Place};
use rchef_syntax::tree::{Code, SourceFile};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Idle,
    /// Files are noted, nothing is counted.
    Suspended,
    Running,
}
/// What is counted of a file.
struct Covered {
    file: Arc<SourceFile>,
    /// By line; None where no statement begins.
    lines: Vec<Option<i64>>,
    /// Lines in the order in which they ran first, since they were last told.
    first: Vec<i64>,
    branches: Vec<Branches>,
    /// By the number of the branch.
    counts: Vec<i64>,
}
#[derive(Default)]
struct Coverage {
    state: State,
    /// `lines`, `oneshot_lines`, `branches`, `methods`; with none of them the result is the lines alone.
    lines: bool,
    oneshot: bool,
    branches: bool,
    methods: bool,
    /// Whether the result is the lines of each file alone: it was set up without an argument.
    plain: bool,
    /// By the address of the file, which is kept so that no other file gets it.
    files: IndexMap<*const SourceFile, Covered, FxBuildHasher>,
    /// Calls, by the address of the code, which is kept so that no other code gets it.
    calls: FxHashMap<usize, (Arc<Code>, i64)>,
}

impl Vm {
    /// A file has been parsed to be loaded.
    pub(crate) fn note_covered(&mut self, parsed: &Parsed) {
        if self.extension_ref::<Coverage>().is_none_or(|coverage| coverage.state == State::Idle) {
            return;
        }
        let file = parsed.code.file.clone();
        let last = file.source.is_empty() || file.source.ends_with(b"\n");
        let count = file.line_starts.len() - usize::from(last && !file.line_starts.is_empty());
        let lines = not_run(count, &parsed.marks);
        let branches = parsed.branches.clone();
        let counts = vec![0; branches.iter().map(|node| node.of.len()).sum()];
        let covered = Covered { file, lines, first: Vec::new(), branches, counts };
        self.extension::<Coverage>().files.insert(Arc::as_ptr(&covered.file), covered);
    }
    /// Whether the branches of files that are loaded are counted.
    pub(crate) fn covers_branches(&self) -> bool {
        self.extension_ref::<Coverage>().is_some_and(|coverage| coverage.branches && coverage.state != State::Idle)
    }
    /// What is counted of a file, while anything is.
    fn covered_mut(&mut self, file: &Arc<SourceFile>) -> Option<&mut Covered> {
        let coverage = self.extension::<Coverage>();
        if coverage.state != State::Running {
            return None;
        }
        coverage.files.get_mut(&Arc::as_ptr(file))
    }
    /// A branch of a file runs.
    pub(crate) fn count_branch(&mut self, file: &Arc<SourceFile>, number: u32) {
        if let Some(count) = self.covered_mut(file).and_then(|covered| covered.counts.get_mut(number as usize)) {
            *count += 1;
        }
    }
    /// A marked statement runs.
    pub(crate) fn count_line(&mut self, file: &Arc<SourceFile>, line: u32) {
        let Some(covered) = self.covered_mut(file) else { return };
        if let Some(Some(count)) = covered.lines.get_mut((line as usize).wrapping_sub(1)) {
            if *count == 0 {
                covered.first.push(i64::from(line));
            }
            *count += 1;
        }
    }
    /// A method is called.
    pub(crate) fn count_call(&mut self, code: &Arc<Code>) {
        let calls = &mut self.extension::<Coverage>().calls;
        calls.entry(Arc::as_ptr(code) as usize).or_insert_with(|| (code.clone(), 0)).1 += 1;
    }
}
/// The counts of a file's lines before anything has run; None where no statement begins.
fn not_run(count: usize, marks: &[u32]) -> Vec<Option<i64>> {
    let mut lines = vec![None; count];
    for line in marks {
        if let Some(slot) = lines.get_mut((*line as usize).wrapping_sub(1)) {
            *slot = Some(0);
        }
    }
    lines
}
fn apply(vm: &mut Vm) {
    let coverage = vm.extension::<Coverage>();
    let running = coverage.state == State::Running;
    let mut events = 0;
    if coverage.state != State::Idle && (coverage.lines || coverage.oneshot) {
        events |= COVER_LINES;
    }
    if running && coverage.methods {
        events |= COVER_METHODS;
    }
    vm.extension::<Tracing>().covered = events;
    renew(vm);
}
fn refuse<T>(vm: &mut Vm, why: &str) -> Res<T> {
    Err(vm.runtime_error(format!("coverage measurement is {why}")))
}
fn setup(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if vm.extension::<Coverage>().state != State::Idle {
        return refuse(vm, "already setup");
    }
    let mut made = Coverage { state: State::Suspended, ..Coverage::default() };
    match args.get(0) {
        None => (made.lines, made.plain) = (true, true),
        Some(Value::Sym(name)) if name.as_str() == "all" => {
            (made.lines, made.methods, made.branches) = (true, true, true);
        }
        Some(options) => {
            let Value::Hash(options) = options else { return Err(vm.type_error("no implicit conversion into Hash")) };
            let given =
                |name| vm.hash_get_sym(options, Symbol::intern_static(name)).is_some_and(|value| value.truthy());
            let (lines, oneshot) = (given("lines"), given("oneshot_lines"));
            (made.methods, made.branches) = (given("methods"), given("branches"));
            if lines && oneshot {
                return Err(vm.runtime_error("cannot enable lines and oneshot_lines simultaneously"));
            }
            (made.lines, made.oneshot) = (lines, oneshot);
            if !(lines || oneshot || made.methods || made.branches) {
                (made.lines, made.plain) = (true, true);
            }
        }
    }
    *vm.extension::<Coverage>() = made;
    apply(vm);
    Ok(Value::Nil)
}
fn resume(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    match vm.extension::<Coverage>().state {
        State::Idle => return refuse(vm, "not set up yet"),
        State::Running => return refuse(vm, "already running"),
        State::Suspended => vm.extension::<Coverage>().state = State::Running,
    }
    apply(vm);
    Ok(Value::Nil)
}
fn suspend(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    if vm.extension::<Coverage>().state != State::Running {
        return refuse(vm, "not running");
    }
    vm.extension::<Coverage>().state = State::Suspended;
    apply(vm);
    Ok(Value::Nil)
}
fn start(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    setup(vm, this, args)?;
    resume(vm, this, Args::none())
}
fn is_running(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.extension::<Coverage>().state == State::Running))
}
fn state(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let name = match vm.extension::<Coverage>().state {
        State::Idle => "idle",
        State::Suspended => "suspended",
        State::Running => "running",
    };
    Ok(Value::sym(name))
}
fn put(vm: &mut Vm, hash: &Gc<RHash>, name: &'static str, value: Value) -> Res<()> {
    vm.hash_set(hash, Value::sym(name), value)
}
/// The methods of a file with how often they were called.
fn methods_of(vm: &mut Vm, file: &Arc<SourceFile>) -> Res {
    let mut found: Vec<(ClassId, Symbol, Arc<Code>)> = Vec::new();
    for method in vm.all_methods() {
        if let MethodBody::Ruby(ruby) = &method.body
            && Arc::ptr_eq(&ruby.code.file, file)
            && !found.iter().any(|(_, _, code)| Arc::ptr_eq(code, &ruby.code))
        {
            found.push((method.owner, method.name, ruby.code.clone()));
        }
    }
    // those defined last come first, as in MRI
    found.reverse();
    let hash = Gc::new(ClassId::HASH, RHash::default());
    let places = super::ruby_vm::definitions(file);
    for (owner, name, code) in found {
        let columns = places.iter().find(|place| (place.0, place.2) == (code.line as usize, code.end_line as usize));
        let (first, last) = columns.map_or((0, 0), |place| (place.1, place.3));
        let count = vm.extension::<Coverage>().calls.get(&(Arc::as_ptr(&code) as usize)).map_or(0, |(_, count)| *count);
        let key = vec![
            Value::Class(owner),
            Value::Sym(name),
            Value::Int(i64::from(code.line)),
            Value::len(first),
            Value::Int(i64::from(code.end_line)),
            Value::len(last),
        ];
        vm.hash_set(&hash, Value::array(key), Value::Int(count))?;
    }
    Ok(Value::Hash(hash))
}
/// The branches of a file with how often they ran, numbered as they are told.
fn branches_of(vm: &mut Vm, branches: &[Branches], counts: &[i64]) -> Res {
    let mut number = 0;
    let mut key = |kind: &'static str, place: &Place| {
        let place = place.iter().map(|part| Value::Int(i64::from(*part)));
        let key = Value::array([Value::sym(kind), Value::Int(number)].into_iter().chain(place).collect());
        number += 1;
        key
    };
    let result = Gc::new(ClassId::HASH, RHash::default());
    for node in branches {
        let name = key(node.kind, &node.place);
        let of = Gc::new(ClassId::HASH, RHash::default());
        for (kind, place, index) in &node.of {
            let count = counts.get(*index as usize).copied().unwrap_or_default();
            vm.hash_set(&of, key(kind, place), Value::Int(count))?;
        }
        vm.hash_set(&result, name, Value::Hash(of))?;
    }
    Ok(Value::Hash(result))
}
fn peek(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    if vm.extension::<Coverage>().state == State::Idle {
        return refuse(vm, "not enabled");
    }
    let result = Gc::new(ClassId::HASH, RHash::default());
    let coverage = vm.extension::<Coverage>();
    let (plain, lines, oneshot, methods) = (coverage.plain, coverage.lines, coverage.oneshot, coverage.methods);
    let branches = coverage.branches;
    let files: Vec<_> = (coverage.files.values())
        .map(|covered| {
            let of_branches = (covered.branches.clone(), covered.counts.clone());
            (covered.file.clone(), covered.lines.clone(), covered.first.clone(), of_branches)
        })
        .collect();
    for (file, counts, first, of_branches) in files {
        let counts = counts.into_iter().map(|count| count.map_or(Value::Nil, Value::Int)).collect();
        let counts = Value::array(counts);
        let value = if plain {
            counts
        } else {
            let parts = Gc::new(ClassId::HASH, RHash::default());
            if lines {
                put(vm, &parts, "lines", counts)?;
            }
            if oneshot {
                put(vm, &parts, "oneshot_lines", Value::array(first.into_iter().map(Value::Int).collect()))?;
            }
            if branches {
                let found = branches_of(vm, &of_branches.0, &of_branches.1)?;
                put(vm, &parts, "branches", found)?;
            }
            if methods {
                let called = methods_of(vm, &file)?;
                put(vm, &parts, "methods", called)?;
            }
            Value::Hash(parts)
        };
        vm.hash_set(&result, Value::str(&file.path), value)?;
    }
    Ok(Value::Hash(result))
}
fn result(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (_, [stop, clear]) = args.take_keywords(vm, ["stop", "clear"].map(Symbol::intern_static))?;
    if vm.extension::<Coverage>().state == State::Idle {
        return refuse(vm, "not enabled");
    }
    let (stop, clear) = (stop.is_none_or(|stop| stop.truthy()), clear.is_none_or(|clear| clear.truthy()));
    if stop && !clear {
        vm.warn("stop implies clear")?;
    }
    let found = peek(vm, this, Args::none())?;
    let coverage = vm.extension::<Coverage>();
    if clear || stop {
        let oneshot = coverage.oneshot;
        for covered in coverage.files.values_mut() {
            covered.first.clear();
            covered.counts.fill(0);
            if !oneshot {
                covered.lines.iter_mut().flatten().for_each(|count| *count = 0);
            }
        }
        coverage.calls.clear();
    }
    if stop {
        *coverage = Coverage::default();
        apply(vm);
    }
    Ok(found)
}
/// The lines of a file, as they are before anything has run.
fn line_stub(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = vm.to_path(args.at(0))?;
    let source = super::ruby_vm::read(vm, &path)?;
    let request = rchef_syntax::ParseRequest {
        marks: true,
        ..rchef_syntax::ParseRequest::file(&source, &path, rchef_syntax::ParseKind::File)
    };
    let parsed = rchef_syntax::parse(request).map_err(|error| vm.syntax_error(&error))?;
    let count = source.split_inclusive(|byte| *byte == b'\n').count();
    let lines = not_run(count, &parsed.marks).into_iter().map(|line| line.map_or(Value::Nil, Value::Int));
    Ok(Value::array(lines.collect()))
}

static FUNCTIONS: &[MethodDef] = &[
    opt("setup", setup, 0, 1),
    opt("start", start, 0, 1),
    def("resume", resume, 0),
    def("suspend", suspend, 0),
    def("running?", is_running, 0),
    def("state", state, 0),
    def("peek_result", peek, 0),
    any("result", result),
];
static SINGLETON: &[MethodDef] = &[def("line_stub", line_stub, 1)];
fn init(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "Coverage");
    vm.define_module_functions(module, FUNCTIONS);
    vm.define_singleton_methods(module, SINGLETON);
    Ok(())
}
pub(super) fn boot(vm: &mut Vm) {
    vm.libraries.insert("coverage", Library::Native(init));
}
