//! Events of a run: what formatters and handlers are told. Every method has an empty default.

use rchef_ruby::{Symbol, Value, Vm};

/// Marks a line of a change that is printed as it is, without a dash or "Would" (the lines of a diff).
pub const RAW: char = '\u{1}';

/// The text of a line that is printed as it is; `None` for an ordinary one.
pub fn raw(line: &str) -> Option<&str> {
    line.strip_prefix(RAW)
}

/// Receives events. Calls take `&self`: a sink keeps its state in cells.
#[allow(unused_variables)] // the defaults do nothing
pub trait Sink {
    /// A resource's action starts; with the timing and sender when it was notified.
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) {}
    /// A guard stopped the action.
    fn resource_skipped(&self, vm: &mut Vm, resource: &Value, action: Symbol, conditional: &Value) {}
    /// The provider has looked at the system.
    fn resource_current_state_loaded(&self, vm: &mut Vm, resource: &Value, action: Symbol, current: &Value) {}
    /// Nothing to do.
    fn resource_up_to_date(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// One change was made (or would be, in why-run). Lines that begin with [`RAW`] are printed as they are.
    fn resource_update_applied(&self, vm: &mut Vm, resource: &Value, action: Symbol, lines: &[String]) {}
    /// The action changed something.
    fn resource_updated(&self, vm: &mut Vm, resource: &Value, action: Symbol) {}
    /// An attempt failed and will be repeated.
    fn resource_failed_retriable(&self, vm: &mut Vm, resource: &Value, action: Symbol, left: i64, exception: &Value) {}
    /// The action failed.
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, action: Symbol, exception: &Value) {}
    /// The action ended, however.
    fn resource_completed(&self, vm: &mut Vm, resource: &Value) {}
    /// The provider has no why-run support: the whole action is left out.
    fn resource_bypassed(&self, vm: &mut Vm, resource: &Value, action: Symbol, provider: &Value) {}
    /// Output of a command, as it comes.
    fn stream_output(&self, vm: &mut Vm, resource: &Value, bytes: &[u8]) {}
    /// A why-run assumption.
    fn whyrun_assumption(&self, vm: &mut Vm, action: Symbol, resource: &Value, text: &str) {}
    /// An assertion of a provider failed.
    fn provider_requirement_failed(&self, vm: &mut Vm, action: Symbol, resource: &Value, exception: &Value, text: &str) {}
    /// A deprecated thing was used.
    fn deprecation(&self, vm: &mut Vm, text: &str, location: &str) {}
}
