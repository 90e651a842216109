//! Events of a run: what formatters and handlers are told. Every method has an empty default.

use rchef_ruby::{Symbol, Value, Vm};
use std::rc::Rc;

pub use rchef_change::Change;
pub use rchef_change::file::checksum;
pub use rchef_change::render::Line;

/// Receives events. Calls take `&self`: a sink keeps its state in cells.
#[allow(unused_variables)] // the defaults do nothing
pub trait Sink {
    fn run_start(&self, vm: &mut Vm, version: &str) {}
    /// The cookbooks of the expanded run list are looked up.
    fn cookbook_resolution_start(&self, vm: &mut Vm, recipes: &[String]) {}
    /// A cookbook is missing.
    fn cookbook_resolution_failed(&self, vm: &mut Vm, recipes: &[String], exception: &Value) {}
    /// The run list names a role that there is not.
    fn run_list_expand_failed(&self, vm: &mut Vm, run_list: &str, exception: &Value) {}
    /// So many cookbooks will be used.
    fn cookbook_sync_start(&self, vm: &mut Vm, count: usize) {}
    /// One of them.
    fn synchronized_cookbook(&self, vm: &mut Vm, name: &str, version: &str) {}
    fn cookbook_sync_complete(&self, vm: &mut Vm) {}
    /// Gems of the cookbooks.
    fn cookbook_gem_start(&self, vm: &mut Vm, gems: &[String]) {}
    /// Done with gems.
    fn cookbook_gem_finished(&self, vm: &mut Vm) {}
    /// Libraries are loaded: the compile phase starts.
    fn library_load_start(&self, vm: &mut Vm, count: usize) {}
    /// A file of a cookbook raised; no path when a recipe of the run list does not exist.
    fn file_load_failed(&self, vm: &mut Vm, path: Option<&str>, exception: &Value) {}
    /// The collection will be converged.
    fn converge_start(&self, vm: &mut Vm, count: usize) {}
    /// It was, with the delayed notifications.
    fn converge_complete(&self, vm: &mut Vm) {}
    fn converge_failed(&self, vm: &mut Vm, exception: &Value) {}
    /// Handlers will run.
    fn handlers_start(&self, vm: &mut Vm, count: usize) {}
    /// One of them ran.
    fn handler_executed(&self, vm: &mut Vm, handler: &Value) {}
    fn handlers_completed(&self, vm: &mut Vm) {}
    /// The run ended well.
    fn run_completed(&self, vm: &mut Vm) {}
    fn run_failed(&self, vm: &mut Vm, exception: &Value) {}
    /// Something was logged: `info`, `warn`, `error`, `fatal`.
    fn logged(&self, vm: &mut Vm, level: &str, text: &str) {}
    /// A resource's action starts; with the timing and sender when it was notified.
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) {
    }
    /// A guard stopped the action.
    fn resource_skipped(&self, vm: &mut Vm, resource: &Value, action: Symbol, conditional: &Value) {}
    /// The provider has looked at the system.
    fn resource_current_state_loaded(&self, vm: &mut Vm, resource: &Value, action: Symbol, current: &Value) {}
    /// The provider cannot be asked in a why-run, so it has not looked at the system.
    fn resource_current_state_load_bypassed(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// A change is about to be made (or would be, in why-run), as data.
    fn resource_change(&self, vm: &mut Vm, resource: &Value, action: Symbol, change: &Change) {}
    /// Nothing to do.
    fn resource_up_to_date(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// One change was made (or would be, in why-run).
    fn resource_update_applied(&self, vm: &mut Vm, resource: &Value, action: Symbol, lines: &[Line]) {}
    /// The action changed something.
    fn resource_updated(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// An attempt failed and will be repeated.
    fn resource_failed_retriable(&self, vm: &mut Vm, resource: &Value, action: Symbol, left: i64, exception: &Value) {}
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, action: Symbol, exception: &Value) {}
    /// The action ended, however.
    fn resource_completed(&self, vm: &mut Vm, resource: &Value) {}
    /// The provider has no why-run support: the whole action is left out.
    fn resource_bypassed(&self, vm: &mut Vm, resource: &Value, action: Symbol, provider: &Value) {}
    /// Output of a command, as it comes.
    fn stream_output(&self, vm: &mut Vm, resource: &Value, bytes: &[u8]) {}
    /// So many bytes of a download are there, of how many; the step in percent that is worth a line.
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
    /// The run of one of several policies is about to end, in a process of its own.
    fn policy_ending(&self, vm: &mut Vm) {}
    /// One of several policies has ended, in a process of its own.
    fn policy_completed(&self, vm: &mut Vm, policy: &PolicyEnd) {}
    /// A deprecated thing was used.
    fn deprecation(&self, vm: &mut Vm, text: &str, location: &str) {}
}

/// What became of one of several policies.
#[derive(Clone, Debug, Default)]
pub struct PolicyEnd {
    pub name: String,
    /// How many resources it updated.
    pub updated: usize,
    pub total: usize,
    /// Deprecated things that it used, and where.
    pub deprecations: Vec<(String, String)>,
}

/// Where the events of a run go.
#[derive(Default)]
struct Sinks(Vec<Rc<dyn Sink>>);

/// Where the events of the run go: formatters and handlers.
pub fn sinks(vm: &mut Vm) -> &mut Vec<Rc<dyn Sink>> {
    &mut vm.extension::<Sinks>().0
}

/// Tells every sink of the run.
pub fn emit(vm: &mut Vm, tell: impl Fn(&dyn Sink, &mut Vm)) {
    let sinks = crate::events::sinks(vm).clone();
    for sink in &sinks {
        tell(&**sink, vm);
    }
}

/// Tells that a cookbook's file raised, and hands the error on.
pub fn loading<T>(vm: &mut Vm, path: Option<&str>, result: rchef_ruby::Res<T>) -> rchef_ruby::Res<T> {
    if let Err(error) = &result
        && let Some(exception) = error.exception().cloned()
    {
        emit(vm, |sink, vm| sink.file_load_failed(vm, path, &exception));
    }
    result
}
