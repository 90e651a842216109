//! The state of the process: the classes of the model. Kept in the VM; [`process_mut`] gives it.

use rchef_host::Host;
use rchef_ruby::{Args, ClassId, Gc, RProc, Res, Symbol, Value, Vm};
use serde_json::{Map, Value as Json};

/// The functions that collect native facts.
#[derive(Clone, Copy)]
pub struct Natives {
    /// Collects all facts of the machine, or those of the plugins with an attribute; None if no plugin has it.
    pub collect: fn(&mut Vm, Option<&str>) -> Option<Map<String, Json>>,
    /// Whether a plugin of Ohai itself provides an attribute on any platform.
    pub knows: fn(&str) -> bool,
}

/// The version of Chef that rchef reports.
pub const CHEF_VERSION: &str = chef_version!();

#[derive(Clone, Copy, Default)]
pub struct Classes {
    pub chef: Option<ClassId>,
    pub resource: Option<ClassId>,
    pub provider: Option<ClassId>,
    pub recipe: Option<ClassId>,
    pub run_context: Option<ClassId>,
    pub child_run_context: Option<ClassId>,
    pub collection: Option<ClassId>,
    pub notification: Option<ClassId>,
    pub conditional: Option<ClassId>,
    pub delayed_evaluator: Option<ClassId>,
    pub action_class: Option<ClassId>,
    pub lwrp_resource: Option<ClassId>,
    pub lwrp_provider: Option<ClassId>,
    pub dsl_recipe: Option<ClassId>,
    pub dsl_resources: Option<ClassId>,
    pub dsl_universal: Option<ClassId>,
    pub exceptions: Option<ClassId>,
    pub definition: Option<ClassId>,
    pub property: Option<ClassId>,
}

/// Functions of higher modules that lower modules call; set when the model is loaded.
#[derive(Clone, Copy, Default)]
pub struct Hooks {
    /// The implementation of DSL methods: declares a resource of that type in the recipe or provider.
    pub declare: Option<fn(&mut Vm, &Value, Symbol, Args<'_>) -> Res>,
    /// Adds an action to an action class: its name and its block.
    pub add_action: Option<fn(&mut Vm, ClassId, Symbol, Gc<RProc>) -> Res<()>>,
    /// The superclass of the action class that Ruby code asks a resource class for.
    pub action_base: Option<fn(&mut Vm, ClassId) -> Res<ClassId>>,
    /// Runs an action of a notified resource together with its own notifications: target, action, timing and sender.
    pub run_notified: Option<fn(&mut Vm, &Value, Symbol, (Symbol, &Value)) -> Res<()>>,
    /// Called for each resource of a context that an expanding run reaches.
    pub reached: Option<fn(&mut Vm, &Value, &Value) -> Res<()>>,
    /// Checks that the resources of a context can be converged, before the first one runs.
    pub ready: Option<fn(&mut Vm, &Value) -> Res<()>>,
}

/// One of [`Hooks`]; raises RuntimeError if the model is not loaded.
pub fn hook<F>(vm: &mut Vm, pick: fn(&Hooks) -> Option<F>) -> Res<F> {
    match pick(&process_mut(vm).hooks) {
        Some(found) => Ok(found),
        None => Err(vm.runtime_error("the Chef model is not loaded")),
    }
}

#[derive(Default)]
pub struct Process {
    pub hooks: Hooks,
    /// None if no native facts can be collected.
    pub natives: Option<Natives>,
    /// The shipped provider classes of DSL names.
    pub provider_names: &'static [crate::resource::def::ProviderName],
    pub classes: Classes,
    /// The files of custom resources' and providers' classes, as `cookbook/path`.
    pub class_files: rustc_hash::FxHashMap<ClassId, String>,
}

pub fn process_mut(vm: &mut Vm) -> &mut Process {
    vm.extension::<Process>()
}

/// A class of the model; raises NameError if the model is not loaded.
pub fn class(vm: &mut Vm, pick: fn(&Classes) -> Option<ClassId>) -> Res<ClassId> {
    match pick(&process_mut(vm).classes) {
        Some(id) => Ok(id),
        None => Err(vm.runtime_error("the Chef model is not loaded")),
    }
}

/// An exception of a class in `Chef::Exceptions`.
pub fn chef_error(vm: &mut Vm, name: &str, text: impl AsRef<str>) -> rchef_ruby::Error {
    let class = vm.class_named(&format!("Chef::Exceptions::{name}")).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, text)
}

/// Raises an exception object that was made with `new`: sets its backtrace and wraps it in an error.
pub fn raised(vm: &mut Vm, exception: Value) -> rchef_ruby::Error {
    match vm.call_name(&Value::Class(ClassId::KERNEL), "raise", std::slice::from_ref(&exception)) {
        Ok(_) => rchef_ruby::Unwind::Raise(exception).into(),
        Err(error) => error,
    }
}

/// The content of a file that Chef reads by `IO.read`, or MRI's error.
pub fn read_file(vm: &mut Vm, path: &str) -> Res<Vec<u8>> {
    let host = vm.host.clone();
    rchef_host::compose::read_file(&*host, path.as_bytes())
        .map_err(|error| vm.errno(error.errno, Some(&format!("@ rb_sysopen - {path}"))))
}

/// Evaluates a cookbook's file as Chef's FromFile mixin does: constants of Chef, Chef::Mixin and Chef::Mixin::FromFile are visible without prefix.
pub fn evaluate(
    vm: &mut Vm,
    source: &[u8],
    path: &str,
    this: &Value,
    definee: rchef_ruby::embed::frame::Definee,
) -> Res {
    let lexical: Vec<ClassId> =
        ["Chef", "Chef::Mixin", "Chef::Mixin::FromFile"].into_iter().filter_map(|name| vm.class_named(name)).collect();
    vm.run_string_within(source, path, this, definee, &lexical)
}

/// A random UUID (version 4).
pub fn uuid(host: &dyn Host) -> String {
    let mut bytes = [0; 16];
    let _ = host.fill(&mut bytes);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = rchef_ruby::text::digest::hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
