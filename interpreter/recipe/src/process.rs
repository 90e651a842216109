//! What a process needs whatever it runs: the classes of the model. Kept in the machine; reach it with [`process_mut`].

use rchef_ruby::error::ExceptionData;
use rchef_ruby::{Args, ClassId, Gc, NativeData, RProc, Res, Symbol, Value, Vm};
use serde_json::{Map, Value as Json};

/// How the facts that natives collect are reached.
#[derive(Clone, Copy)]
pub struct Natives {
    /// The facts of the machine: all, or those of the collectors of an attribute; none where no collector has it.
    pub collect: fn(&mut Vm, Option<&str>) -> Option<Map<String, Json>>,
    /// Whether Ohai's own plugins provide an attribute on some machine.
    pub knows: fn(&str) -> bool,
}

/// The version of Chef that is claimed.
pub const CHEF_VERSION: &str = chef_version!();

/// Classes of the model, by their Ruby names.
#[derive(Clone, Copy, Default)]
pub struct Classes {
    pub chef: Option<ClassId>,
    pub resource: Option<ClassId>,
    pub provider: Option<ClassId>,
    pub recipe: Option<ClassId>,
    pub run_context: Option<ClassId>,
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

/// Functions of higher modules that lower ones call. They are set when the model is loaded.
#[derive(Clone, Copy, Default)]
pub struct Hooks {
    /// What the method of a DSL name does: declares a resource of that name in the recipe or provider.
    pub declare: Option<fn(&mut Vm, &Value, Symbol, Args<'_>) -> Res>,
    /// Gives an action class an action: its name and what it declares.
    pub add_action: Option<fn(&mut Vm, ClassId, Symbol, Gc<RProc>) -> Res<()>>,
    /// Runs an action of a notified resource with its own notifications: the target, the action, timing and sender.
    pub run_notified: Option<fn(&mut Vm, &Value, Symbol, (Symbol, &Value)) -> Res<()>>,
    /// Told of each resource of a context that an expanding run reaches.
    pub reached: Option<fn(&mut Vm, &Value, &Value) -> Res<()>>,
    /// Looks whether the resources of a context can be converged, before the first of them is.
    pub ready: Option<fn(&mut Vm, &Value) -> Res<()>>,
}

/// One of [`Hooks`]; RuntimeError if the model is not loaded.
pub fn hook<F>(vm: &mut Vm, pick: fn(&Hooks) -> Option<F>) -> Res<F> {
    match pick(&process_mut(vm).hooks) {
        Some(found) => Ok(found),
        None => Err(vm.runtime_error("the Chef model is not loaded")),
    }
}

/// State of the process.
#[derive(Default)]
pub struct Process {
    /// What lower modules call.
    pub hooks: Hooks,
    /// How native facts are collected, if they can be.
    pub natives: Option<Natives>,
    pub classes: Classes,
    /// Files of the classes that cookbooks' resources and providers made, as `cookbook/path`.
    pub class_files: rustc_hash::FxHashMap<ClassId, String>,
}

/// The state of the process.
pub fn process_mut(vm: &mut Vm) -> &mut Process {
    vm.extension::<Process>()
}

/// A class of the model; NameError if the model is not loaded.
pub fn class(vm: &mut Vm, pick: fn(&Classes) -> Option<ClassId>) -> Res<ClassId> {
    match pick(&process_mut(vm).classes) {
        Some(id) => Ok(id),
        None => Err(vm.runtime_error("the Chef model is not loaded")),
    }
}

/// An exception of a class under `Chef::Exceptions`.
pub fn chef_error(vm: &mut Vm, name: &str, text: impl AsRef<str>) -> rchef_ruby::Error {
    let class = vm.class_named(&format!("Chef::Exceptions::{name}")).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, text)
}

/// What an exception is about, beside its message: what a hint needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A cookbook that is not there.
    Cookbook(String),
    /// A recipe that its cookbook does not have.
    Recipe {
        cookbook: String,
        /// The name after `::`.
        recipe: String,
    },
    /// The target of a notification, as it is declared.
    Target(String),
    /// The directory of a cookbook whose metadata has no name.
    Nameless(String),
    /// A property that is not given.
    Required,
    /// An action that the resource does not have.
    Action,
    /// A file that is not JSON.
    Json,
}
impl NativeData for Subject {}

/// The same error with its subject.
pub fn about(vm: &mut Vm, error: rchef_ruby::Error, subject: Subject) -> rchef_ruby::Error {
    let noted = Value::data(ClassId::OBJECT, subject);
    if let Some(exception) = error.exception().cloned()
        && let Some(data) = vm.data_mut::<ExceptionData>(&exception)
    {
        data.detail = noted;
    }
    error
}

/// The error of a file that is not JSON; `error` says where it is not.
pub fn not_json(vm: &mut Vm, path: &str, error: &serde_json::Error) -> rchef_ruby::Error {
    let made = vm.runtime_error(format!("{path} is not JSON: {error}"));
    about(vm, made, Subject::Json)
}

/// What an exception is about, where that was noted.
pub fn subject(vm: &Vm, exception: &Value) -> Option<Subject> {
    let noted = vm.data::<ExceptionData>(exception)?.detail.clone();
    vm.data::<Subject>(&noted).cloned()
}

/// The error of an exception that was made with `new`, raised here: it gets its backtrace.
pub fn raised(vm: &mut Vm, exception: Value) -> rchef_ruby::Error {
    match vm.call_name(&Value::Class(ClassId::KERNEL), "raise", std::slice::from_ref(&exception)) {
        Ok(_) => rchef_ruby::Unwind::Raise(exception).into(),
        Err(error) => error,
    }
}

/// Evaluates a cookbook's file as Chef's FromFile mixin does: constants of Chef, Chef::Mixin and Chef::Mixin::FromFile need no prefix in it.
pub fn evaluate(vm: &mut Vm, source: &[u8], path: &str, this: &Value, definee: rchef_ruby::frame::Definee) -> Res {
    let lexical: Vec<ClassId> =
        ["Chef", "Chef::Mixin", "Chef::Mixin::FromFile"].into_iter().filter_map(|name| vm.class_named(name)).collect();
    vm.run_string_within(source, path, this, definee, &lexical)
}
