//! The state of a converge: how actions run and which are running. Kept in the VM; [`converge_mut`] gives it.

use rchef_ruby::{Res, Value, Vm};
use std::rc::Rc;

/// What running a resource's action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ActionMode {
    /// Providers plan changes and apply them.
    #[default]
    Converge,
    /// Providers plan changes and only report them.
    WhyRun,
    /// `compile --expand`: actions of custom resources run, those of built-in resources do nothing, and guards are ignored.
    Expand,
    /// `compile --immediate=record`: actions that recipes run at compile time are recorded and do nothing.
    Record,
    /// `compile`: actions that recipes run at compile time change the overlay, so that later code sees their effect. Changes that an overlay cannot
    /// simulate (packages, services, users) are recorded.
    Overlay,
    /// `rchef plan`: providers plan changes, which are applied to an overlay of this machine.
    Plan,
}

impl ActionMode {
    /// Whether changes are applied, to the machine or its overlay.
    pub fn applies(self) -> bool {
        matches!(self, ActionMode::Converge | ActionMode::Overlay | ActionMode::Plan)
    }
}

/// How an action that a recipe ran at compile time was executed (SPEC-compile 6.3, `executed`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executed {
    No,
    /// Ran on the overlay.
    Overlay,
    /// Only reported.
    WhyRun,
    /// Ran on the machine.
    Run,
}

/// What of a resource an expansion evaluates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// The action's own code.
    #[default]
    Action,
    /// A guard with a block.
    Guard,
    /// A lazy value of a property.
    Lazy,
}

/// The resources that an action of a custom resource declared, or what failed before the action.
#[derive(Clone)]
pub struct Expansion {
    /// The resource whose action ran.
    pub resource: Value,
    pub action: rchef_ruby::Symbol,
    /// The run context of these resources.
    pub context: Value,
    /// The exception that ended the action.
    pub error: Option<Value>,
    /// Whether it ran inside the previous expansion of the same resource: an action that calls another one, or `notifying_block`.
    pub nested: bool,
    pub part: Part,
    /// The first exception of a block of `converge_by` or `converge_if_changed`.
    pub change_error: Option<Value>,
}

impl Expansion {
    /// An expansion of an action that has declared nothing and not failed.
    pub fn new(resource: &Value, action: rchef_ruby::Symbol, context: &Value) -> Expansion {
        Expansion {
            resource: resource.clone(),
            action,
            context: context.clone(),
            error: None,
            nested: false,
            part: Part::Action,
            change_error: None,
        }
    }
}

/// Decides whether a change is made, given the resource, its action and the change.
pub type Gate = Rc<dyn Fn(&mut Vm, &Value, rchef_ruby::Symbol, Proposed<'_>) -> Res<bool>>;

/// A change that is about to be made.
#[derive(Clone, Copy)]
pub enum Proposed<'a> {
    Change(&'a rchef_change::Change),
    /// The description of a `converge_by` block.
    Lines(&'a [rchef_change::render::Line]),
}

/// Decides whether a resource of the root collection runs, given its index and the resource.
pub type Chosen = Rc<dyn Fn(usize, &Value) -> bool>;

/// Whether the gate lets a change pass.
///
/// # Errors
/// The gate ends the run.
pub fn is_let_through(vm: &mut Vm, resource: &Value, action: rchef_ruby::Symbol, proposed: Proposed<'_>) -> Res<bool> {
    if converge_mut(vm).mode != ActionMode::Converge {
        return Ok(true);
    }
    let Some(gate) = converge_mut(vm).gate.clone() else { return Ok(true) };
    let answer = gate(vm, resource, action, proposed);
    converge_mut(vm).declined |= matches!(answer, Ok(false));
    if let Err(error) = &answer {
        converge_mut(vm).refused = error.exception().cloned();
    }
    answer
}

#[derive(Default)]
pub struct Converge {
    pub mode: ActionMode,
    /// Skip the check before the converge for actions that are not supported here.
    pub skip_preflight: bool,
    /// The immediate notifications that are being sent.
    pub sending: rchef_model::notification::Chain<crate::notification::Step>,
    /// Resources whose running actions will send notifications; an action that code runs itself (`run_action`) sends none.
    pub notifying: Vec<Value>,
    /// Enclosing resources of the running actions, outermost first.
    pub acting: Vec<Value>,
    /// The expanded actions, in order.
    pub expansions: Vec<Expansion>,
    /// Whether the compile's dump will have the expansions (`--expand`).
    pub expands: bool,
    /// Whether what an action declares becomes an expansion although the compile still runs: the action is one of a resource with `compile_time`.
    pub records_expansions: bool,
    /// Whether an expansion evaluates a block of `converge_by` or `converge_if_changed`: a run declares these resources only if something has to change.
    pub in_change: bool,
    /// Whether guards with a block decide if an action is expanded. Guards with a command never do, since no command runs.
    pub heeds_guards: bool,
    /// Asked before each change; its error ends the run.
    pub gate: Option<Gate>,
    /// The gate has kept a change of the current action from being made.
    pub declined: bool,
    /// The exception with which the gate ended the run. It cannot be caught by `ignore_failure`, `retries` or a cookbook's `rescue`.
    pub refused: Option<Value>,
    /// Selects the resources of the root collection that run; None for all.
    pub chosen: Option<Chosen>,
    /// The index of the current resource in the root collection, and the resource.
    pub reached: Option<(usize, Value)>,
    /// Resources whose actions `check` came to (`heeds_guards`), in order, in a collection or not.
    pub ran: Vec<Value>,
    /// Addresses of resources whose guards stopped every action so far.
    pub stopped: Vec<usize>,
    /// `throw :end_client_run_early` has ended the converge.
    pub ended_early: bool,
}

pub fn converge_mut(vm: &mut Vm) -> &mut Converge {
    vm.extension::<Converge>()
}
