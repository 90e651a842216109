//! What a converge needs: how actions run and which are under way. Kept in the machine; reach it with [`converge_mut`].

use rchef_ruby::{Res, Value, Vm};
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
    /// `rchef plan`: providers plan, and what they plan is taken as made on an overlay of this machine.
    Plan,
}

impl ActionMode {
    /// Whether changes are made, to the machine or to the overlay that stands for it.
    pub fn applies(self) -> bool {
        matches!(self, ActionMode::Converge | ActionMode::Overlay | ActionMode::Plan)
    }
}

/// What became of a resource that a recipe ran at compile time (SPEC-compile 6.3, `executed`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executed {
    No,
    /// Ran on the overlay.
    Overlay,
    /// Said what it would do.
    WhyRun,
    /// Ran on the machine.
    Run,
}

/// What one action of a cookbook-defined resource declared.
#[derive(Clone)]
pub struct Expansion {
    /// The resource whose action ran.
    pub resource: Value,
    pub action: rchef_ruby::Symbol,
    /// The run context its resources are in.
    pub context: Value,
    /// The exception that ended it.
    pub error: Option<Value>,
    /// Whether it was converged within the one before it of the same resource: an action that calls another, `notifying_block`.
    pub nested: bool,
}

/// What a gate is asked about: a resource, its action, and what is about to be done.
pub type Gate = Rc<dyn Fn(&mut Vm, &Value, rchef_ruby::Symbol, Proposed<'_>) -> Res<bool>>;

/// What is about to be done.
#[derive(Clone, Copy)]
pub enum Proposed<'a> {
    Change(&'a rchef_change::Change),
    /// What Ruby code does (`converge_by`), in its own words.
    Lines(&'a [rchef_change::render::Line]),
}

/// Whether a resource of the root collection runs, given its place there and itself.
pub type Chosen = Rc<dyn Fn(usize, &Value) -> bool>;

/// Whether what is proposed is done.
///
/// # Errors
/// The gate ends the run.
pub fn is_let_through(vm: &mut Vm, resource: &Value, action: rchef_ruby::Symbol, proposed: Proposed<'_>) -> Res<bool> {
    if converge_mut(vm).mode != ActionMode::Converge {
        return Ok(true);
    }
    let Some(gate) = converge_mut(vm).gate.clone() else { return Ok(true) };
    let answer = gate(vm, resource, action, proposed);
    if let Err(error) = &answer {
        converge_mut(vm).refused = error.exception().cloned();
    }
    answer
}

/// State of a converge.
#[derive(Default)]
pub struct Converge {
    pub mode: ActionMode,
    /// Actions that cannot run here are not looked for before the converge.
    pub skip_preflight: bool,
    /// Immediate notifications that are under way.
    pub sending: rchef_model::notification::Chain<crate::notification::Step>,
    /// Resources whose actions are under way and will notify; one that code runs by itself (`run_action`) does not.
    pub notifying: Vec<Value>,
    /// Outer resources of the actions under way, outermost first.
    pub acting: Vec<Value>,
    /// What resources declared in actions that were expanded, in order.
    pub expansions: Vec<Expansion>,
    /// Whether the blocks of guards decide if an action is expanded. Commands of guards do not: nobody answers them.
    pub heeds_guards: bool,
    /// Asked before each change of a run: whether it is made. Its error ends the run.
    pub gate: Option<Gate>,
    /// The exception by which the gate ends the run. Neither `ignore_failure` nor `retries` nor a `rescue` of a cookbook takes it.
    pub refused: Option<Value>,
    /// Which resources of the root collection run; all of them where it is absent.
    pub chosen: Option<Chosen>,
    /// The resource of the root collection that the converge has reached, and its place in the collection.
    pub reached: Option<(usize, Value)>,
    /// Addresses of resources of which a guard stopped every action so far.
    pub stopped: Vec<usize>,
    /// `throw :end_client_run_early` has ended the converge.
    pub ended_early: bool,
}

/// The state of the converge.
pub fn converge_mut(vm: &mut Vm) -> &mut Converge {
    vm.extension::<Converge>()
}
