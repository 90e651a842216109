//! `require`, `require_relative`, `load`, `autoload`; `$LOAD_PATH` and `$LOADED_FEATURES`.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, ExceptionData, Res, Unwind, empty};
use crate::frame::Cref;
use crate::heap::Gc;
use crate::library::{Library, Text};
use crate::method::{MethodDef, def, opt};
use crate::value::{RArray, Value};
use rchef_host::compose;
use rchef_host::files::absolute;
use rchef_syntax::symbol::sym;
use rustc_hash::FxHashMap;
use std::rc::Rc;

static FUNCTIONS: &[MethodDef] = &[
    def("require", require_function, 1),
    def("require_relative", require_relative, 1),
    opt("load", load_function, 1, 2),
    def("autoload", autoload, 2),
    opt("autoload?", autoload_p, 1, 2),
];

/// `$LOAD_PATH`, `$LOADED_FEATURES`, and the files being loaded.
struct LoadState {
    path: Gc<RArray>,
    features: Gc<RArray>,
    /// The real path of each required file, and the path it was required by.
    real: FxHashMap<Vec<u8>, String>,
    /// Paths being loaded, and the loading threads.
    loading: Vec<(String, Value)>,
    /// Constants that a file being loaded has assigned in place of their autoloads: (file, module, name). Other threads see them when it is done.
    assigned: Vec<(String, ClassId, Symbol)>,
    fallback: Option<RequireFallback>,
}
impl Default for LoadState {
    fn default() -> LoadState {
        let list = || Gc::new(ClassId::ARRAY, RArray::default());
        LoadState {
            path: list(),
            features: list(),
            real: FxHashMap::default(),
            loading: Vec::new(),
            assigned: Vec::new(),
            fallback: None,
        }
    }
}

/// The progress of an autoload.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AutoloadState {
    /// The file has not been loaded, or another thread is loading it.
    Waits,
    /// This thread is loading the file.
    Under,
    /// The file was loaded but did not define the constant.
    Done,
}

/// The progress of the autoload of a path.
pub(crate) fn autoload_state(vm: &mut Vm, path: &str) -> Res<AutoloadState> {
    if vm.libraries.get(path).is_some() {
        return Ok(AutoloadState::Waits);
    }
    let Some(file) = resolve(vm, path)? else { return Ok(AutoloadState::Waits) };
    if let Some((_, thread)) = vm.extension::<LoadState>().loading.iter().find(|(known, _)| *known == file) {
        let thread = thread.clone();
        let own = thread.same(&super::thread::current(vm));
        return Ok(if own { AutoloadState::Under } else { AutoloadState::Waits });
    }
    if is_named_here(vm, path)? {
        return Ok(AutoloadState::Under);
    }
    let real = real_path(vm, &file);
    let done = provided(vm, &file, &real) || listed(vm, path, true)?;
    Ok(if done { AutoloadState::Done } else { AutoloadState::Waits })
}
/// Whether the code that asks for a feature is in a file being loaded that the feature may name: some folder of `$LOAD_PATH` has it under that name.
fn is_named_here(vm: &mut Vm, feature: &str) -> Res<bool> {
    if vm.extension::<LoadState>().loading.is_empty() {
        return Ok(false);
    }
    let Some((here, _)) = vm.current_location() else { return Ok(false) };
    let name = feature.strip_suffix(".rb").unwrap_or(feature);
    let folder =
        here.strip_suffix(".rb").and_then(|rest| rest.strip_suffix(name)).and_then(|rest| rest.strip_suffix('/'));
    let Some(folder) = folder else { return Ok(false) };
    if !vm.extension::<LoadState>().loading.iter().any(|(known, _)| **known == *here) {
        return Ok(false);
    }
    for entry in vm.load_path().get(vm).items.clone() {
        if vm.to_path(&entry)?.trim_end_matches('/') == folder {
            return Ok(true);
        }
    }
    Ok(false)
}
/// Sets a constant. If this thread is loading the file of its autoload, other threads see it when the file is done.
pub(crate) fn define_constant(vm: &mut Vm, module: ClassId, name: Symbol, value: Value) {
    match file_under_way(vm, module, name) {
        Some((file, path)) => {
            vm.extension::<LoadState>().assigned.push((file, module, name));
            vm.const_set_under(module, name, value, Some(path));
        }
        None => vm.const_set(module, name, value),
    }
}
/// If this thread is loading the file of a constant's autoload: the file, and the path in the autoload.
fn file_under_way(vm: &mut Vm, module: ClassId, name: Symbol) -> Option<(String, Rc<str>)> {
    let path = vm.const_own(module, name)?.autoload.clone()?;
    if vm.extension::<LoadState>().loading.is_empty() || autoload_state(vm, &path).ok()? != AutoloadState::Under {
        return None;
    }
    let file = resolve(vm, &path).ok()??;
    if vm.extension::<LoadState>().loading.iter().any(|(known, _)| *known == file) {
        return Some((file, path));
    }
    let (here, _) = vm.current_location()?;
    Some((here.to_string(), path))
}
/// Makes the constants assigned by a file visible to all threads.
fn publish(vm: &mut Vm, file: &str) {
    let assigned = std::mem::take(&mut vm.extension::<LoadState>().assigned);
    let (of_file, others): (Vec<_>, Vec<_>) = assigned.into_iter().partition(|(of, ..)| of == file);
    vm.extension::<LoadState>().assigned = others;
    for (_, module, name) in of_file {
        if let Some(constant) = vm.class_mut(module).consts.get_mut(&name)
            && !constant.value.is_undef()
        {
            constant.autoload = None;
        }
        vm.const_serial += 1;
    }
}

/// Called if no file is found for a feature; returns true if it has added one to `$LOAD_PATH`.
pub type RequireFallback = fn(&mut Vm, &str) -> Res<bool>;

/// Sets the fallback of `require`.
pub fn set_require_fallback(vm: &mut Vm, fallback: RequireFallback) {
    vm.extension::<LoadState>().fallback = Some(fallback);
}

impl Vm {
    pub fn load_path(&mut self) -> Gc<RArray> {
        self.extension::<LoadState>().path.clone()
    }
    fn loaded_features(&mut self) -> Gc<RArray> {
        self.extension::<LoadState>().features.clone()
    }
    /// Converts a path argument with `to_path` or `to_str`. ArgumentError for a NUL byte.
    pub fn to_path(&mut self, value: &Value) -> Res<String> {
        let value = match value {
            Value::Str(_) => value.clone(),
            _ => match self.try_convert(value, sym::TO_PATH)? {
                Some(path) => path,
                None => value.clone(),
            },
        };
        let text = self.to_text(&value)?;
        if text.contains('\0') {
            return Err(self.argument_error("string contains null byte"));
        }
        Ok(text)
    }
    #[cold]
    fn load_error(&mut self, text: String, feature: &str) -> Error {
        let data = ExceptionData { message: Value::str(text), detail: Value::str(feature), ..empty() };
        let exception = self.new_exception_with(ClassId::LOAD_ERROR, data);
        self.ivar_set(&exception, Symbol::intern_static("@path"), Value::str(feature));
        Unwind::Raise(exception).into()
    }
}

fn require_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = vm.to_path(args.at(0))?;
    Ok(Value::bool(require(vm, &path)?))
}
fn require_relative(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = vm.to_path(args.at(0))?;
    let Some((file, _)) = vm.current_location() else {
        return Err(vm.load_error("cannot infer basepath".into(), &path));
    };
    let base = match super::location::absolute(vm, &file) {
        Some(base) => base,
        // `-e` counts as a file in the working directory
        None if &*file == "-e" || &*file == "-" => {
            let cwd = vm.host.getcwd().unwrap_or_default();
            format!("{}/-e", String::from_utf8_lossy(&cwd))
        }
        None => return Err(vm.load_error("cannot infer basepath".into(), &path)),
    };
    let full = super::file::path::normalise(&absolute(rchef_host::files::dirname(base.as_bytes()), path.as_bytes()));
    let full = String::from_utf8_lossy(&full).into_owned();
    Ok(Value::bool(require(vm, &full)?))
}

/// The file of a feature: absolute, with its extension.
fn resolve(vm: &mut Vm, feature: &str) -> Res<Option<String>> {
    let host = vm.host.clone();
    let is_file = |path: &[u8]| host.stat(path).is_ok_and(|stat| !stat.is_dir());
    let candidates: Vec<String> =
        if feature.ends_with(".rb") { vec![feature.to_string()] } else { vec![format!("{feature}.rb")] };
    let cwd = host.getcwd().unwrap_or_else(|_| b"/".to_vec());
    let expanded = match feature.strip_prefix("~/") {
        Some(_) => host.env(b"HOME").map(|home| String::from_utf8_lossy(&home).into_owned()),
        None => None,
    };
    if feature.starts_with('/') || feature.starts_with("./") || feature.starts_with("../") || feature.starts_with("~/")
    {
        for candidate in candidates {
            let candidate = match &expanded {
                Some(home) => format!("{home}{}", &candidate[1..]),
                None => candidate,
            };
            let path = super::file::path::normalise(&absolute(&cwd, candidate.as_bytes()));
            if is_file(&path) {
                return Ok(Some(String::from_utf8_lossy(&path).into_owned()));
            }
        }
        return Ok(None);
    }
    let folders = vm.load_path().get(vm).items.clone();
    for folder in &folders {
        let folder = vm.to_path(folder)?;
        let folder = absolute(&cwd, folder.as_bytes());
        for candidate in &candidates {
            let path = super::file::path::normalise(&absolute(&folder, candidate.as_bytes()));
            if !is_file(&path) {
                continue;
            }
            // symlinks in the load path are resolved, those in the feature's name are not
            let path = match host.realpath(&folder) {
                Ok(real) => super::file::path::normalise(&absolute(&real, candidate.as_bytes())),
                Err(_) => path,
            };
            if is_file(&path) {
                return Ok(Some(String::from_utf8_lossy(&path).into_owned()));
            }
        }
    }
    Ok(None)
}

/// Whether a file is loaded, by this path or another one with the same real path.
fn provided(vm: &mut Vm, path: &str, real: &[u8]) -> bool {
    let features = vm.loaded_features();
    let has = |vm: &Vm, path: &str| {
        let items = &features.get(vm).items;
        items.iter().any(|item| matches!(item, Value::Str(text) if text.get(vm).bytes() == path.as_bytes()))
    };
    if has(vm, path) {
        return true;
    }
    vm.extension::<LoadState>().real.get(real).cloned().is_some_and(|known| known != path && has(vm, &known))
}
/// Whether a feature is in `$LOADED_FEATURES`, by its name or below a directory of `$LOAD_PATH`.
fn listed(vm: &mut Vm, feature: &str, found: bool) -> Res<bool> {
    if feature.starts_with('/') || feature.starts_with('~') {
        return Ok(false);
    }
    let with_extension = feature.ends_with(".rb") || feature.ends_with(".so");
    let mut names = vec![if with_extension { feature.to_string() } else { format!("{feature}.rb") }];
    if !found && !with_extension {
        names.extend([feature.to_string(), format!("{feature}.so")]);
    }
    let features: Vec<String> = vm
        .loaded_features()
        .get(vm)
        .items
        .iter()
        .filter_map(|item| match item {
            Value::Str(text) => Some(text.get(vm)),
            _ => None,
        })
        .filter(|item| names.iter().any(|name| item.bytes().ends_with(name.as_bytes())))
        .map(|item| item.to_text().into_owned())
        .collect();
    if features.is_empty() {
        return Ok(false);
    }
    if features.iter().any(|item| names.contains(item)) {
        return Ok(true);
    }
    let host = vm.host.clone();
    let cwd = host.getcwd().unwrap_or_else(|_| b"/".to_vec());
    for folder in vm.load_path().get(vm).items.clone() {
        let folder = vm.to_path(&folder)?;
        let folder = absolute(&cwd, folder.as_bytes());
        let folder = host.realpath(&folder).unwrap_or(folder);
        let folder = String::from_utf8_lossy(&folder).into_owned();
        let under = |item: &String| {
            names.iter().any(|name| {
                item.strip_suffix(name.as_str()).and_then(|head| head.strip_suffix('/')) == Some(folder.as_str())
            })
        };
        if features.iter().any(under) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `require`: returns whether something was loaded; LoadError if there is no such feature.
pub fn require(vm: &mut Vm, feature: &str) -> Res<bool> {
    let native = feature.ends_with(".so");
    let stem = feature.strip_suffix(".rb").or_else(|| feature.strip_suffix(".so")).unwrap_or(feature);
    // A native half may be a library of its own; otherwise the whole library stands for it.
    let name = if native && vm.libraries.get(feature).is_some() { feature } else { stem };
    if let Some(library) = vm.libraries.get(name) {
        if vm.loaded.iter().any(|known| known == name) {
            return Ok(false);
        }
        // A gem's Ruby half that asks for its native half is on the load path itself.
        if !native && let Some(path) = instead(vm, feature, library)? {
            let real = real_path(vm, &path);
            return require_file(vm, path, real);
        }
        vm.loaded.push(name.to_string());
        let features = vm.loaded_features();
        let suffix = if name.ends_with(".so") { "" } else { ".rb" };
        features.get_mut(vm).items.push(Value::str(format!("{name}{suffix}")));
        match library {
            Library::Native(init) => init(vm)?,
            Library::Source(source) | Library::Core(source) | Library::Gem(source) => {
                run_embedded(vm, source, name)?;
            }
        }
        return Ok(true);
    }
    let found = find(vm, feature)?;
    let Some(path) = found else {
        if listed(vm, feature, false)? {
            return Ok(false);
        }
        return Err(vm.load_error(format!("cannot load such file -- {feature}"), feature));
    };
    let real = real_path(vm, &path);
    if provided(vm, &path, &real) || listed(vm, feature, true)? {
        return Ok(false);
    }
    require_file(vm, path, real)
}
/// Runs an embedded source under the name that its backtraces have.
pub fn run_embedded(vm: &mut Vm, source: Text, name: &str) -> Res<()> {
    let bytes = source.bytes().map_err(|damaged| vm.runtime_error(format!("{damaged}: {name}")))?;
    vm.run_string(&bytes, &format!("<internal:{name}>"), 1)?;
    Ok(())
}
fn real_path(vm: &Vm, path: &str) -> Vec<u8> {
    vm.host.realpath(path.as_bytes()).unwrap_or_else(|_| path.as_bytes().to_vec())
}
/// The file of a feature: on the load path, or where the fallback has added one.
fn find(vm: &mut Vm, feature: &str) -> Res<Option<String>> {
    let found = resolve(vm, feature)?;
    if found.is_none()
        && let Some(fallback) = vm.extension::<LoadState>().fallback
        && fallback(vm, feature)?
    {
        return resolve(vm, feature);
    }
    Ok(found)
}
/// The file that has precedence over a built-in library: as in Ruby one on the load path; for a gem's library also that of an installed gem.
fn instead(vm: &mut Vm, feature: &str, library: Library) -> Res<Option<String>> {
    match library {
        Library::Gem(_) => find(vm, feature),
        Library::Native(_) | Library::Source(_) => resolve(vm, feature),
        Library::Core(_) => Ok(None),
    }
}
/// Loads a file unless it is loaded already.
fn require_file(vm: &mut Vm, path: String, real: Vec<u8>) -> Res<bool> {
    let thread = super::thread::current(vm);
    loop {
        if provided(vm, &path, &real) {
            return Ok(false);
        }
        let state = vm.extension::<LoadState>();
        match state.loading.iter().find(|(known, _)| *known == path) {
            None => break,
            Some((_, by)) if by.same(&thread) => return Ok(false),
            // another thread is loading it: wait, and try again if it fails
            Some(_) => {
                let wanted = path.clone();
                super::thread::block(vm, None, move |vm| {
                    Ok(vm.extension::<LoadState>().loading.iter().all(|(known, _)| *known != wanted))
                })?;
            }
        }
    }
    vm.extension::<LoadState>().loading.push((path.clone(), thread));
    let result = load_file(vm, &path);
    vm.extension::<LoadState>().loading.retain(|(known, _)| *known != path);
    publish(vm, &path);
    result?;
    vm.loaded.push(path.clone());
    vm.extension::<LoadState>().real.insert(real, path.clone());
    let features = vm.loaded_features();
    let entry = Value::str(&path);
    entry.set_flag(crate::heap::FROZEN, true);
    features.get_mut(vm).items.push(entry);
    Ok(true)
}

/// Reads a file and runs it at the top level.
pub fn load_file(vm: &mut Vm, path: &str) -> Res<()> {
    if run_loaded_iseq(vm, path)? {
        return Ok(());
    }
    let source = read(vm, path)?;
    let code = vm.parse_required(&source, path)?;
    if vm.traced_events & super::trace_point::event::SCRIPT_COMPILED != 0 {
        vm.fire(super::trace_point::event::SCRIPT_COMPILED, Default::default())?;
    }
    let (main, cref) = (vm.main.clone(), Cref::new(ClassId::OBJECT, None));
    cref.visibility.set(crate::method::Visibility::Private);
    vm.run_body(&code, &main, &cref)?;
    Ok(())
}
/// Runs what `RubyVM::InstructionSequence.load_iseq` gives for the file; false if no code has defined it, or it gives nil. Caches and coverage tools
/// replace a file's code with it.
fn run_loaded_iseq(vm: &mut Vm, path: &str) -> Res<bool> {
    let Some(class) = vm.class_named("RubyVM::InstructionSequence") else { return Ok(false) };
    let (class, hook) = (Value::Class(class), Symbol::intern_static("load_iseq"));
    let singleton = vm.class_of(&class);
    if vm.find_method(singleton, hook).is_none() {
        return Ok(false);
    }
    let sequence = vm.call(&class, hook, &[Value::str(path)])?;
    if sequence.is_nil() {
        return Ok(false);
    }
    vm.call(&sequence, Symbol::intern_static("eval"), &[]).map(|_| true)
}
fn read(vm: &mut Vm, path: &str) -> Res<Vec<u8>> {
    let host = vm.host.clone();
    compose::read_file(&*host, path.as_bytes())
        .map_err(|error| vm.load_error(format!("cannot load such file -- {path} ({})", error.message()), path))
}

/// `load(path, wrap = false)`
fn load_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let given = vm.to_path(args.at(0))?;
    let host = vm.host.clone();
    let is_file = |path: &[u8]| host.stat(path).is_ok_and(|stat| !stat.is_dir());
    let cwd = host.getcwd().unwrap_or_else(|_| b"/".to_vec());
    let mut found = None;
    if !given.starts_with('/') && !given.starts_with("./") && !given.starts_with("../") {
        for folder in vm.load_path().get(vm).items.clone() {
            let folder = vm.to_path(&folder)?;
            let path = super::file::path::normalise(&absolute(&absolute(&cwd, folder.as_bytes()), given.as_bytes()));
            if is_file(&path) {
                found = Some(String::from_utf8_lossy(&path).into_owned());
                break;
            }
        }
    }
    let given_expanded = match (given.strip_prefix("~/"), host.env(b"HOME")) {
        (Some(rest), Some(home)) => format!("{}/{rest}", String::from_utf8_lossy(&home)),
        _ => given.clone(),
    };
    let path = match found {
        Some(path) => path,
        None => {
            let path = super::file::path::normalise(&absolute(&cwd, given_expanded.as_bytes()));
            if !is_file(&path) {
                return Err(vm.load_error(format!("cannot load such file -- {given}"), &given));
            }
            String::from_utf8_lossy(&path).into_owned()
        }
    };
    match args.at(1) {
        Value::Nil | Value::False => load_file(vm, &path)?,
        wrap => {
            let module = match wrap {
                Value::Class(id) if vm.class(*id).is_module() => *id,
                _ => vm.new_module(),
            };
            let source = read(vm, &path)?;
            let code = vm.parse_required(&source, &path)?;
            let main = vm.main.clone();
            let slf = vm.shallow_copy(&main)?;
            vm.copy_singleton(&main, &slf);
            if let Some(singleton) = vm.singleton_class(&slf) {
                vm.include_module(singleton, module);
            }
            let cref = Cref::new(module, Some(Cref::new(ClassId::OBJECT, None)));
            cref.visibility.set(crate::method::Visibility::Private);
            vm.run_body(&code, &slf, &cref)?;
        }
    }
    Ok(Value::True)
}
/// Kernel#autoload: in the scope of the caller. (For classes and modules there is Module#autoload.)
fn autoload(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let scope = Value::Class(vm.caller_cref().module);
    super::module::constants::autoload(vm, &scope, args)
}
fn autoload_p(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let scope = Value::Class(vm.caller_cref().module);
    super::module::constants::autoload_p(vm, &scope, args)
}
static LOAD_PATH: &[MethodDef] = &[def("resolve_feature_path", resolve_feature_path, 1)];

/// `$LOAD_PATH`, whose singleton method is defined when it is first used.
fn path_getter(vm: &mut Vm, _: Symbol) -> Res {
    let path = Value::Array(vm.load_path());
    if !vm.class(vm.class_of(&path)).is_singleton()
        && let Some(singleton) = vm.singleton_class(&path)
    {
        vm.define_methods(singleton, LOAD_PATH);
    }
    Ok(path)
}
/// `$LOAD_PATH.resolve_feature_path(feature)`: the path that `require` would load, and its type. A built-in library has no file: its name with the
/// suffix asked for stands for the path.
fn resolve_feature_path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let feature = vm.to_path(args.at(0))?;
    let name = feature.strip_suffix(".rb").or_else(|| feature.strip_suffix(".so")).unwrap_or(&feature);
    let suffix = if feature.ends_with(".so") { "so" } else { "rb" };
    let (suffix, found) = match vm.libraries.get(name) {
        Some(library) => match instead(vm, &feature, library)? {
            Some(path) => ("rb", Some(path)),
            None => (suffix, Some(format!("{name}.{suffix}"))),
        },
        None => ("rb", find(vm, &feature)?),
    };
    Ok(match found {
        Some(path) => Value::array(vec![Value::sym(suffix), Value::str(path)]),
        None => Value::Nil,
    })
}
fn features_getter(vm: &mut Vm, _: Symbol) -> Res {
    Ok(Value::Array(vm.loaded_features()))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
    for name in ["$LOAD_PATH", "$:", "$-I"] {
        vm.define_global(name, path_getter, None);
    }
    for name in ["$LOADED_FEATURES", "$\""] {
        vm.define_global(name, features_getter, None);
    }
}
