//! Events of a run, for formatters and handlers. Every method has an empty default.

use rchef_ruby::{Symbol, Value, Vm};
use std::rc::Rc;

pub use rchef_change::Change;
pub use rchef_change::file::checksum;
pub use rchef_change::render::Line;

/// Receives events. Methods take `&self`: a sink keeps its state in cells.
#[allow(unused_variables)] // the defaults do nothing
pub trait Sink {
    fn run_start(&self, vm: &mut Vm, version: &str) {}
    /// The cookbooks of the expanded run list are about to be resolved.
    fn cookbook_resolution_start(&self, vm: &mut Vm, recipes: &[String]) {}
    /// A cookbook is missing.
    fn cookbook_resolution_failed(&self, vm: &mut Vm, recipes: &[String], exception: &Value) {}
    /// The run list names a role that does not exist.
    fn run_list_expand_failed(&self, vm: &mut Vm, run_list: &str, exception: &Value) {}
    /// The number of cookbooks in use.
    fn cookbook_sync_start(&self, vm: &mut Vm, count: usize) {}
    /// A cookbook in use.
    fn synchronized_cookbook(&self, vm: &mut Vm, name: &str, version: &str) {}
    fn cookbook_sync_complete(&self, vm: &mut Vm) {}
    /// The cookbooks' gems are about to be installed.
    fn cookbook_gem_start(&self, vm: &mut Vm, gems: &[String]) {}
    /// The cookbooks' gems are installed.
    fn cookbook_gem_finished(&self, vm: &mut Vm) {}
    /// Libraries are about to be loaded: the compile phase starts.
    fn library_load_start(&self, vm: &mut Vm, count: usize) {}
    /// A cookbook's file raised; no path if a recipe of the run list does not exist.
    fn file_load_failed(&self, vm: &mut Vm, path: Option<&str>, exception: &Value) {}
    /// The converge of the collection starts.
    fn converge_start(&self, vm: &mut Vm, count: usize) {}
    /// The converge and the delayed notifications have ended.
    fn converge_complete(&self, vm: &mut Vm) {}
    fn converge_failed(&self, vm: &mut Vm, exception: &Value) {}
    /// Handlers are about to run.
    fn handlers_start(&self, vm: &mut Vm, count: usize) {}
    /// A handler has run.
    fn handler_executed(&self, vm: &mut Vm, handler: &Value) {}
    fn handlers_completed(&self, vm: &mut Vm) {}
    /// The run was successful.
    fn run_completed(&self, vm: &mut Vm) {}
    fn run_failed(&self, vm: &mut Vm, exception: &Value) {}
    /// A message was logged at level `info`, `warn`, `error` or `fatal`.
    fn logged(&self, vm: &mut Vm, level: &str, text: &str) {}
    /// A resource's action starts; for a notification, with its timing and sender.
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) {
    }
    /// A guard stopped the action.
    fn resource_skipped(&self, vm: &mut Vm, resource: &Value, action: Symbol, conditional: &Value) {}
    /// The provider has loaded the current state.
    fn resource_current_state_loaded(&self, vm: &mut Vm, resource: &Value, action: Symbol, current: &Value) {}
    /// The provider cannot load the current state in a why-run.
    fn resource_current_state_load_bypassed(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// A change is about to be made (or would be, in a why-run), as data.
    fn resource_change(&self, vm: &mut Vm, resource: &Value, action: Symbol, change: &Change) {}
    /// The resource is up to date.
    fn resource_up_to_date(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// A change was made (or would be, in a why-run).
    fn resource_update_applied(&self, vm: &mut Vm, resource: &Value, action: Symbol, lines: &[Line]) {}
    /// The action changed something.
    fn resource_updated(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// An attempt failed and will be repeated.
    fn resource_failed_retriable(&self, vm: &mut Vm, resource: &Value, action: Symbol, left: i64, exception: &Value) {}
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, action: Symbol, exception: &Value) {}
    /// The action has ended, successfully or not.
    fn resource_completed(&self, vm: &mut Vm, resource: &Value) {}
    /// The provider does not support why-run, so the whole action is skipped.
    fn resource_bypassed(&self, vm: &mut Vm, resource: &Value, action: Symbol, provider: &Value) {}
    /// A part of a command's output.
    fn stream_output(&self, vm: &mut Vm, resource: &Value, bytes: &[u8]) {}
    /// Progress of a download: bytes so far, total bytes, and the step in percent between reports.
    fn resource_update_progress(&self, vm: &mut Vm, resource: &Value, current: u64, total: Option<u64>, step: u64) {}
    fn whyrun_assumption(&self, vm: &mut Vm, action: Symbol, resource: &Value, text: &str) {}
    /// An assertion of a provider failed.
    fn provider_requirement_failed(
        &self,
        vm: &mut Vm,
        action: Symbol,
        resource: &Value,
        exception: &Value,
        text: &str,
    ) {
    }
    /// The run of one of several policies is about to end, in its own process.
    fn policy_ending(&self, vm: &mut Vm) {}
    /// One of several policies has ended, in its own process.
    fn policy_completed(&self, vm: &mut Vm, policy: &PolicyEnd) {}
    /// A deprecated feature was used.
    fn deprecation(&self, vm: &mut Vm, text: &str, location: &str) {}
}

/// The result of one of several policies.
#[derive(Clone, Debug, Default)]
pub struct PolicyEnd {
    pub name: String,
    /// Number of updated resources.
    pub updated: usize,
    pub total: usize,
    /// Deprecated features that were used, each with its place.
    pub deprecations: Vec<(String, String)>,
}

/// The event sinks of the run: formatters and handlers.
#[derive(Default)]
struct Sinks {
    list: Vec<Rc<dyn Sink>>,
    states: bool,
}

pub fn sinks(vm: &mut Vm) -> &mut Vec<Rc<dyn Sink>> {
    &mut vm.extension::<Sinks>().list
}

/// Says that Ruby code observes the states of resources: native providers then create `current_resource`, and set what Chef's report of a resource
/// (`diff`, `owner` ...).
pub fn observe_states(vm: &mut Vm) {
    vm.extension::<Sinks>().states = true;
}
pub fn states_are_observed(vm: &mut Vm) -> bool {
    vm.extension::<Sinks>().states
}

/// Sends an event to every sink of the run.
pub fn emit(vm: &mut Vm, tell: impl Fn(&dyn Sink, &mut Vm)) {
    let sinks = crate::events::sinks(vm).clone();
    for sink in &sinks {
        tell(&**sink, vm);
    }
}

/// Reports an error that a cookbook's file raised, and passes it on.
pub fn loading<T>(vm: &mut Vm, path: Option<&str>, result: rchef_ruby::Res<T>) -> rchef_ruby::Res<T> {
    if let Err(error) = &result
        && let Some(exception) = error.exception().cloned()
    {
        emit(vm, |sink, vm| sink.file_load_failed(vm, path, &exception));
    }
    result
}
