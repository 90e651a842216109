//! The state of a run, kept in the machine: reach it with [`run`] and [`run_mut`].

use crate::resource::def::ResourceDef;
use crate::resource::registry::Registry;
use rchef_ruby::{ClassId, Res, Value, Vm};
use std::rc::Rc;

/// What runs of resources' actions do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ActionMode {
    /// Providers plan and apply.
    #[default]
    Converge,
    /// Providers plan and report.
    WhyRun,
    /// `compile --expand`: actions of cookbook-defined resources run, built-in resources do nothing, guards are ignored.
    Expand,
    /// `compile --immediate=record`: actions that recipes run at compile time are listed and do nothing.
    Record,
    /// `compile`: actions that recipes run at compile time run on the overlay, so that code after them sees their effect. What an
    /// overlay cannot stand in for (packages, services, users) is listed.
    Overlay,
}

impl ActionMode {
    /// Whether changes are made, to the machine or to the overlay that stands for it.
    pub fn applies(self) -> bool {
        matches!(self, ActionMode::Converge | ActionMode::Overlay)
    }
}

/// What became of a resource that a recipe ran at compile time (SPEC-compile 6.3, `executed`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executed {
    /// Listed only.
    No,
    /// Ran on the overlay.
    Overlay,
    /// Said what it would do.
    WhyRun,
    /// Ran on the machine.
    Run,
}

/// A finding about the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lint {
    /// File, as Ruby sees it.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Code.
    pub code: &'static str,
    /// What and what to do.
    pub text: String,
}

/// Classes of the model, by their Ruby names.
#[derive(Clone, Copy, Default)]
#[allow(missing_docs)] // each is the class of its name
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

/// State of a run.
#[derive(Default)]
pub struct Run {
    /// Classes.
    pub classes: Classes,
    /// DSL names and who provides them.
    pub registry: Registry,
    /// The registry as it was before `Chef.reset!` was first called.
    pub first_registry: Option<Registry>,
    /// The chef-repo directory.
    pub repo: String,
    /// The node.
    pub node: Value,
    /// The root run context.
    pub root: Value,
    /// What actions do.
    pub mode: ActionMode,
    /// Recipes of the run list are evaluated.
    pub compiling: bool,
    /// Findings, in order of discovery.
    pub lints: Vec<Lint>,
    /// Descriptions of shipped resources, by class name.
    pub defs: Vec<&'static ResourceDef>,
    /// `def`initions of the classic kind: name, defaults, block.
    pub definitions: Vec<(rchef_ruby::Symbol, Value, Value)>,
    /// What resources declared in actions that were expanded: (outer resource, action, context).
    pub expansions: Vec<Expansion>,
    /// Outer resources of the actions under way, outermost first.
    pub acting: Vec<Value>,
    /// Prefixes of paths that are shortened to `cookbook/…` in dumps: (absolute cookbook directory, cookbook name).
    pub cookbook_roots: Vec<(String, String)>,
    /// Files of the classes that cookbooks' resources and providers made, as `cookbook/path`.
    pub class_files: rustc_hash::FxHashMap<ClassId, String>,
    /// The policy of the run.
    pub policy: Option<crate::data::policy::Policy>,
    /// The expanded run list.
    pub expansion: crate::data::role::Expansion,
    /// Where events go: formatters and handlers.
    pub events: Vec<Rc<dyn crate::events::Sink>>,
}

/// What one action of a cookbook-defined resource declared.
#[derive(Clone)]
pub struct Expansion {
    /// The resource whose action ran.
    pub resource: Value,
    /// The action.
    pub action: rchef_ruby::Symbol,
    /// The run context its resources are in.
    pub context: Value,
    /// The exception that ended it.
    pub error: Option<Value>,
    /// Whether it was converged within the one before it of the same resource: an action that calls another, `notifying_block`.
    pub nested: bool,
}

/// The state of the run.
pub fn run_mut(vm: &mut Vm) -> &mut Run {
    vm.extension::<Run>()
}

/// A class of the model; NameError if the model is not loaded.
pub fn class(vm: &mut Vm, pick: fn(&Classes) -> Option<ClassId>) -> Res<ClassId> {
    match pick(&run_mut(vm).classes) {
        Some(id) => Ok(id),
        None => Err(vm.runtime_error("the Chef model is not loaded")),
    }
}

/// An exception of a class under `Chef::Exceptions`.
pub fn chef_error(vm: &mut Vm, name: &str, text: impl AsRef<str>) -> rchef_ruby::Error {
    let class = vm.class_named(&format!("Chef::Exceptions::{name}")).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, text)
}

/// Records a finding at the current line, once a place.
pub fn lint(vm: &mut Vm, code: &'static str, text: impl Into<String>) {
    let (file, line) = vm.current_location().map_or_else(Default::default, |(file, line)| (file.to_string(), line));
    let found = Lint { file, line, code, text: text.into() };
    let run = run_mut(vm);
    if !run.lints.contains(&found) {
        run.lints.push(found);
    }
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
