//! The Ruby class `Chef::Provider` and the action classes of custom resources (SPEC-compile 4.7).

use super::runner::{is_why_run, only_reporting};
use super::state::{ProviderState, Slot, read, state, state_mut, write};
use crate::context;
use crate::dsl::modes::Base;
use crate::events::{Line, emit};
use crate::names::N;
use crate::resource::instance;
use crate::resource::registry::Entry;
use crate::run::{ActionMode, class, converge_mut, process_mut};
use rchef_change::{Task, Why};
use rchef_ruby::embed::method::{Arity, Method, MethodBody, Visibility};
use rchef_ruby::{Args, ClassId, Gc, MethodDef, RProc, Res, Symbol, Unwind, Value, Vm, any, at_least, def, opt, sym};
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 2, 2).private(),
    def("new_resource", new_resource, 0),
    def("new_resource=", set_new_resource, 1),
    def("current_resource", current_resource, 0),
    def("current_resource=", set_current_resource, 1),
    def("after_resource", after_resource, 0),
    def("run_context", run_context, 0),
    def("run_context=", set_run_context, 1),
    def("action", action, 0),
    def("action=", set_action, 1),
    def("node", node, 0),
    def("cookbook_name", cookbook_name, 0),
    def("recipe_name", recipe_name, 0),
    def("load_current_resource", load_current_resource, 0),
    def("load_after_resource", load_after_resource, 0),
    def("define_resource_requirements", nothing, 0),
    def("check_resource_semantics!", nothing, 0),
    def("process_resource_requirements", nothing, 0),
    def("cleanup_after_converge", nothing, 0),
    def("whyrun_supported?", yes, 0),
    def("whyrun_mode?", whyrun_mode, 0),
    def("action_nothing", yes, 0),
    opt("run_action", run_action, 0, 1),
    opt("converge_by", converge_by, 1, 1),
    any("converge_if_changed", converge_if_changed),
    opt("compile_and_converge_action", compile_and_converge, 0, 0),
    opt("use_inline_resources", nothing, 0, 0),
    def("resource_updated?", resource_updated, 0),
    def("property_is_set?", property_is_set, 1),
    def("set_updated_status", nothing, 0),
    def("events", events, 0),
    def("logger", logger, 0),
    opt("recipe_eval", compile_and_converge, 0, 0),
    opt("description", description, 0, 1),
    opt("introduced", introduced, 0, 1),
    def("resource_collection", resource_collection, 0),
    def("validate_required_properties!", nothing, 0),
];

static CLASS_METHODS: &[MethodDef] = &[
    at_least("action", action_declaration, 1),
    at_least("provides", provides, 1),
    opt("provides?", provides_query, 2, 2),
    opt("supports?", supports, 2, 2),
    def("use_inline_resources", nothing, 0),
    def("resource_class", resource_class, 0),
    opt("include_resource_dsl", nothing, 0, 1),
    opt("lazy", crate::resource::lazy::lazy, 0, 1),
];

/// For native providers below a class that checks its subclasses' resources in Ruby.
pub(super) static UNCHECKED: &[MethodDef] =
    &[def("define_resource_requirements", nothing, 0), def("check_resource_semantics!", nothing, 0)];

fn ivar(vm: &Vm, this: &Value, name: Symbol) -> Value {
    vm.ivar_get(this, name).unwrap_or_default()
}
fn nothing(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}
fn yes(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::True)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    use crate::resource::state::{Slot as Of, read as of};
    let resource = args.at(0);
    let [action, recipe, cookbook] = [Of::Action, Of::RecipeName, Of::CookbookName].map(|slot| of(vm, resource, slot));
    let logger = crate::chef_class::logger_value(vm)?;
    for (slot, value) in [
        (Slot::NewResource, resource.clone()),
        (Slot::Action, action),
        (Slot::CurrentResource, Value::Nil),
        (Slot::AfterResource, Value::Nil),
        (Slot::RunContext, args.at(1).clone()),
        (Slot::ConvergeActions, Value::Nil),
        (Slot::Logger, logger),
        (Slot::RecipeName, recipe),
        (Slot::CookbookName, cookbook),
    ] {
        write(vm, this, slot, value);
    }
    Ok(Value::Nil)
}

macro_rules! readers {
    ($($name:ident $slot:ident),* $(,)?) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            Ok(read(vm, this, Slot::$slot))
        })*
    };
}
macro_rules! writers {
    ($($name:ident $slot:ident),* $(,)?) => {
        $(fn $name(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
            write(vm, this, Slot::$slot, args.at(0).clone());
            Ok(args.at(0).clone())
        })*
    };
}
readers! {
    new_resource NewResource, current_resource CurrentResource, after_resource AfterResource, run_context RunContext, action Action,
    cookbook_name CookbookName, recipe_name RecipeName,
}
writers! { set_new_resource NewResource, set_current_resource CurrentResource, set_run_context RunContext, set_action Action }

fn described(vm: &mut Vm, this: &Value, args: Args<'_>, slot: &'static str) -> Res {
    let slot = Symbol::intern_static(slot);
    if let Some(text) = args.get(0) {
        vm.ivar_set(this, slot, text.clone());
    }
    Ok(ivar(vm, this, slot))
}
fn description(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    described(vm, this, args, "@description")
}
fn introduced(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    described(vm, this, args, "@introduced")
}
fn resource_collection(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let context = read(vm, this, Slot::RunContext);
    if context.is_nil() { Ok(Value::Nil) } else { context::collection(vm, &context) }
}
fn node(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let context = read(vm, this, Slot::RunContext);
    crate::run::node_of(vm, &context)
}
fn whyrun_mode(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    is_why_run(vm).map(Value::bool)
}
fn events(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    crate::chef_class::events_value(vm)
}
fn logger(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    crate::chef_class::logger_value(vm)
}
fn resource_class(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, Symbol::intern_static(crate::resource::class::OF_ACTION_CLASS)).unwrap_or_default())
}

/// A resource of the same class with only the identity set, to be filled by `load_current_value`.
pub(super) fn shell_of(vm: &mut Vm, resource: &Value) -> Res {
    let id = vm.real_class_of(resource);
    let name = vm.ivar_get(resource, N.i_name).unwrap_or_default();
    let context = instance::context_of(vm, resource)?;
    let made = vm.call(&Value::Class(id), sym::NEW, &[name, context])?;
    for property in crate::resource::class::all_properties(vm, id).iter() {
        let carried = property.identity || property.name_property || !property.desired_state;
        if carried
            && property.name != N.name
            && let Some(value) = vm.ivar_get(resource, property.ivar)
        {
            vm.ivar_set(&made, property.ivar, value);
        }
    }
    Ok(made)
}

fn load_with(vm: &mut Vm, resource: &Value) -> Res {
    let made = shell_of(vm, resource)?;
    let class = vm.class_of(&made);
    let Some(id) = vm.find_method(class, N.load_current_value) else { return Ok(made) };
    let gone = vm.class_named("Chef::Exceptions::CurrentValueDoesNotExist").unwrap_or(ClassId::STANDARD_ERROR);
    let wants_new = vm.method_arity(id) > 0;
    let holder = made.clone();
    vm.rescue(
        gone,
        |vm| {
            let args = if wants_new { vec![resource.clone()] } else { Vec::new() };
            vm.call(&holder, N.load_current_value, &args)?;
            Ok(holder.clone())
        },
        |_, _| Ok(Value::Nil),
    )
}
/// `load_current_resource` of action classes: calls the resource's `load_current_value`.
fn load_current_resource(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = read(vm, this, Slot::NewResource);
    let is_action_class = process_mut(vm).classes.action_class.is_some_and(|id| vm.is_a(this, id));
    if !is_action_class {
        let lwrp = process_mut(vm).classes.lwrp_provider.is_some_and(|id| vm.is_a(this, id));
        if lwrp {
            return Ok(Value::Nil);
        }
        let shown = vm.class_name_of(this);
        return Err(crate::run::chef_error(
            vm,
            "Override",
            format!("You must override load_current_resource in {shown}"),
        ));
    }
    let loaded = load_with(vm, &resource)?;
    write(vm, this, Slot::CurrentResource, loaded.clone());
    Ok(loaded)
}
fn load_after_resource(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = read(vm, this, Slot::NewResource);
    let loaded = load_with(vm, &resource)?;
    write(vm, this, Slot::AfterResource, loaded);
    Ok(Value::Nil)
}

/// Runs the action: current state, requirements, the action's method, updated status.
fn run_action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(action) = args.get(0)
        && !action.is_nil()
    {
        write(vm, this, Slot::Action, action.clone());
    }
    let resource = read(vm, this, Slot::NewResource);
    let action = read(vm, this, Slot::Action);
    let action = match &action {
        Value::Array(list) => list.get(vm).items.first().cloned().unwrap_or(Value::Sym(N.nothing)),
        other => other.clone(),
    };
    let action = vm.to_name(&action)?;
    let steps = |vm: &mut Vm| runner_steps(vm, this, &resource, action);
    if is_why_run(vm)? {
        only_reporting(vm, steps)?
    } else {
        steps(vm)?
    }
    Ok(Value::Nil)
}

fn runner_steps(vm: &mut Vm, this: &Value, resource: &Value, action: Symbol) -> Res<()> {
    let class = vm.class_of(this);
    if !vm.is_native_method(class, N.check_resource_semantics) {
        vm.call(this, N.check_resource_semantics, &[])?;
    }
    let mode = converge_mut(vm).mode;
    let whyrun = mode == ActionMode::WhyRun;
    let supported = !whyrun || whyrun_supported(vm, this)?;
    if supported {
        let loaded = super::native::load_current(vm, this, action)?;
        if loaded || !crate::events::states_are_observed(vm) {
            let current = read(vm, this, Slot::CurrentResource);
            emit(vm, |sink, vm| sink.resource_current_state_loaded(vm, resource, action, &current));
        }
    } else {
        emit(vm, |sink, vm| sink.resource_current_state_load_bypassed(vm, resource, action));
    }
    vm.call(this, N.define_resource_requirements, &[])?;
    vm.call_name(this, "process_resource_requirements", &[])?;
    if !supported || whyrun && is_blocked(vm, this, action)? {
        if !supported {
            let line = [Line::Step(format!("execute action {action}"))];
            emit(vm, |sink, vm| sink.resource_update_applied(vm, resource, action, &line));
        }
        emit(vm, |sink, vm| sink.resource_bypassed(vm, resource, action, this));
    } else {
        let method = Symbol::intern(&format!("action_{action}"));
        vm.call(this, method, &[])?;
    }
    let sinks = crate::events::sinks(vm).clone();
    if state(vm, this).is_some_and(|state| state.converged) {
        instance::mark_updated(vm, resource, true);
    }
    let updated = instance::is_updated_by_last_action(vm, resource);
    for sink in &sinks {
        if updated {
            sink.resource_updated(vm, resource, action)
        } else {
            sink.resource_up_to_date(vm, resource, action)
        }
    }
    vm.call_name(this, "cleanup_after_converge", &[])?;
    Ok(())
}

/// Whether a failed assertion of the provider's Ruby code skips the action in a why-run (`block_action!`).
fn is_blocked(vm: &mut Vm, this: &Value, action: Symbol) -> Res<bool> {
    let requirements = ivar(vm, this, Symbol::intern_static("@requirements"));
    Ok(!requirements.is_nil() && vm.call_name(&requirements, "action_blocked?", &[Value::Sym(action)])?.truthy())
}

/// Whether a provider supports why-run. LWRP and library providers only do if they say so (DESIGN.md, C-10).
fn whyrun_supported(vm: &mut Vm, this: &Value) -> Res<bool> {
    let class = vm.class_of(this);
    let own = vm
        .find_method(class, N.whyrun_supported)
        .is_some_and(|id| !matches!(vm.method(id).body, MethodBody::Native(..)));
    if own {
        return Ok(vm.call(this, N.whyrun_supported, &[])?.truthy());
    }
    let action_class = process_mut(vm).classes.action_class.is_some_and(|id| vm.is_a(this, id));
    Ok(action_class || super::native::is_native(vm, this))
}

fn converge_by(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut lines = Vec::new();
    for item in vm.to_array(args.at(0))? {
        match item {
            Value::Nil => {}
            Value::Array(details) => {
                for detail in details.get(vm).items.clone() {
                    lines.push(Line::Detail(vm.to_s_text(&detail)?));
                }
            }
            step => lines.push(Line::Step(vm.to_s_text(&step)?)),
        }
    }
    let resource = read(vm, this, Slot::NewResource);
    let action = read(vm, this, Slot::Action);
    let action = vm.to_name(&action).unwrap_or(N.nothing);
    if !crate::converge::is_let_through(vm, &resource, action, crate::converge::Proposed::Lines(&lines))? {
        return Ok(Value::Nil);
    }
    let mode = converge_mut(vm).mode;
    let result = match (mode.applies(), args.block) {
        (false, Some(block)) if mode == ActionMode::Expand => super::expansion::on_change(vm, this, block)?,
        (true, Some(block)) if super::simulation::is_plan(vm) => {
            let mut given = Value::Nil;
            let shown = vm.to_s_text(&resource)?;
            super::simulation::tolerated(vm, &format!("the action {action} of {shown}"), |vm| {
                given = vm.yield_block(block, Args::none())?;
                Ok(())
            })?;
            given
        }
        (true, Some(block)) => super::contract::owing(vm, this, &resource, |vm| vm.yield_block(block, Args::none()))?,
        _ => Value::Nil,
    };
    report_lines(vm, this, &lines)?;
    Ok(result)
}

/// Reports a change of a provider's resource and marks it as updated.
pub fn report_lines(vm: &mut Vm, provider: &Value, lines: &[Line]) -> Res<()> {
    let resource = read(vm, provider, Slot::NewResource);
    let action = read(vm, provider, Slot::Action);
    let action = vm.to_name(&action).unwrap_or(N.nothing);
    if let Some(state) = state_mut(vm, provider) {
        state.converged = true;
    }
    let sinks = crate::events::sinks(vm).clone();
    for sink in &sinks {
        sink.resource_update_applied(vm, &resource, action, lines);
    }
    Ok(())
}

fn converge_if_changed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("converge_if_changed must be passed a block!")) };
    let resource = read(vm, this, Slot::NewResource);
    let current = read(vm, this, Slot::CurrentResource);
    let mut names = Vec::new();
    for arg in args.pos {
        for item in vm.to_array(arg)? {
            names.push(vm.to_name(&item)?);
        }
    }
    let Some(task) = differences(vm, "properties", &resource, &current, &names)? else { return Ok(Value::False) };
    let lines = Value::array(task.lines.iter().map(Value::str).collect());
    vm.call_args(this, N.converge_by, Args::new(&[lines]).with_block(Some(block)))?;
    Ok(Value::True)
}

/// The differences between the properties of a resource and of `current` (nil: nothing exists), in Chef's words and as data. Only properties that
/// are set or have a default are compared, and of these only `names` unless it is empty.
pub(super) fn differences(
    vm: &mut Vm,
    kind: &'static str,
    resource: &Value,
    current: &Value,
    names: &[Symbol],
) -> Res<Option<Task>> {
    let id = vm.real_class_of(resource);
    let properties: Vec<_> = if names.is_empty() {
        crate::resource::class::state_of(vm, id)
    } else {
        names.iter().filter_map(|name| crate::resource::class::find_property(vm, id, *name)).collect()
    };
    let specified: Vec<_> = properties
        .into_iter()
        .filter(|property| current.is_nil() || vm.ivar_get(resource, property.ivar).is_some() || property.has_default())
        .collect();
    let hidden = vm.call(resource, N.sensitive, &[])?.truthy();
    let mut changes = Vec::new();
    for property in &specified {
        let set = vm.ivar_get(resource, property.ivar).is_some();
        let wanted = vm.call(resource, property.name, &[])?;
        let masked = hidden || property.sensitive;
        let mut shown = if masked { "(suppressed sensitive property)".to_string() } else { vm.inspect(&wanted)? };
        let (mut from, to) = (None, shown.clone());
        if current.is_nil() {
            shown.push_str(if set { "" } else { " (default value)" });
        } else {
            let found = vm.call(current, property.name, &[])?;
            if vm.eq(&wanted, &found)? {
                continue;
            }
            if !masked {
                let found = vm.inspect(&found)?;
                shown.push_str(&format!(" (was {found})"));
                from = Some(found);
            }
        }
        changes.push((property.name, shown, from, to));
    }
    if changes.is_empty() && !current.is_nil() {
        return Ok(None);
    }
    let identity = vm.call(resource, N.identity, &[])?;
    let identity = vm.to_s_text(&identity)?;
    let (verb, why) = if current.is_nil() { ("create", Why::Absent) } else { ("update", Why::Differs) };
    let width = changes.iter().map(|(name, ..)| name.as_str().len()).max().unwrap_or(0);
    let mut task = Task::new(kind, &identity, why, format!("{verb} {identity}"));
    for (name, shown, from, to) in changes {
        let line = if width == 0 { String::new() } else { format!("  set {:width$} to {shown}", name.as_str()) };
        task.lines.push(line);
        task = task.with(name.as_str(), from, Some(to));
    }
    Ok(Some(task))
}

/// Evaluates a block in a child run context and converges the resources declared there; updates mark the action's resource.
fn compile_and_converge(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Ok(Value::Nil) };
    let proc = vm.block_to_proc(block);
    with_child(vm, this, move |vm, this| vm.call_block_as(rchef_ruby::Block::Proc(&proc), this, None, Args::none()))
}

/// Runs `body` with a child context as the provider's run context, converges the declared resources, and marks updates.
pub fn with_child(vm: &mut Vm, this: &Value, body: impl FnOnce(&mut Vm, &Value) -> Res) -> Res {
    let resource = read(vm, this, Slot::NewResource);
    let outer = read(vm, this, Slot::RunContext);
    let class_id = vm.real_class_of(&resource);
    let unified = crate::resource::class::is_unified(vm, class_id);
    let child = context::create(vm, &outer, unified, &resource)?;
    write(vm, this, Slot::RunContext, child.clone());
    let base = if unified { Base::Unified } else { Base::Delayed };
    let frames_before = crate::dsl::modes::push_base(vm, this, base);
    let action = read(vm, this, Slot::Action);
    let action = vm.to_name(&action).unwrap_or(N.nothing);
    let in_change = converge_mut(vm).in_change;
    if converge_mut(vm).mode == ActionMode::Expand || converge_mut(vm).records_expansions {
        let nested = converge_mut(vm).acting.last().is_some_and(|outer| outer.same(&resource));
        let made = crate::run::Expansion { nested, ..crate::run::Expansion::new(&resource, action, &child) };
        converge_mut(vm).expansions.push(made);
        // what another resource's action declares does not depend on this change any more
        converge_mut(vm).in_change = in_change && nested;
    }
    converge_mut(vm).acting.push(resource.clone());
    let result = body(vm, this).and_then(|value| {
        super::runner::converge(vm, &child)?;
        Ok(value)
    });
    // delayed notifications of the action run even if the body failed
    let result = super::runner::end_context(vm, &child, result);
    converge_mut(vm).acting.pop();
    converge_mut(vm).in_change = in_change;
    crate::dsl::modes::restore(vm, this, frames_before);
    write(vm, this, Slot::RunContext, outer);
    let any_updated = context::resources(vm, &child)?.iter().any(|inner| instance::is_updated(vm, inner));
    if any_updated {
        instance::mark_updated(vm, &resource, true);
    }
    result
}

fn property_is_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let resource = read(vm, this, Slot::NewResource);
    vm.call_name(&resource, "property_is_set?", args.pos)
}
fn resource_updated(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this).is_some_and(|state| state.converged)))
}

/// Defines `action :name do … end` in an action class: `compile_action_name` is the block, `action_name` runs it in a child context.
pub fn add_action(vm: &mut Vm, class: ClassId, name: Symbol, block: Gc<RProc>) -> Res<()> {
    let compile = Symbol::intern(&format!("compile_action_{name}"));
    vm.add_method(
        class,
        compile,
        Method { name: compile, owner: class, visibility: Visibility::Public, body: MethodBody::Proc(block) },
    );
    let run = Symbol::intern(&format!("action_{name}"));
    let body = MethodBody::Closure(
        Rc::new(move |vm: &mut Vm, this: &Value, _: Args<'_>| {
            with_child(vm, this, |vm, this| vm.call(this, compile, &[]))
        }),
        Arity { min: 0, max: Some(0) },
    );
    vm.add_method(class, run, Method { name: run, owner: class, visibility: Visibility::Public, body });
    Ok(())
}
fn action_declaration(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let Value::Class(id) = this else { return Ok(Value::Nil) };
    if let Some(block) = args.block {
        let proc = vm.block_to_proc(block);
        add_action(vm, *id, name, proc)?;
    }
    crate::resource::described::note(vm, *id, name, &args)?;
    Ok(Value::Nil)
}
fn provides(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    if let (Value::Class(id), Some(filters)) = (this, crate::resource::class_body::filters(vm, &args)?) {
        crate::resource::registry::registry_mut(vm).add_provider(name, Entry { class: *id, filters });
    }
    Ok(Value::True)
}
fn provides_query(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::True)
}
fn supports(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::True)
}

/// Forwards unknown methods to the resource, unless they are properties.
fn forward_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let resource = read(vm, this, Slot::NewResource);
    if !resource.is_nil() && forwards(vm, &resource, name) {
        return vm.call_args(&resource, name, args.from(1));
    }
    let kind = if args.len() == 1 && args.block.is_none() {
        rchef_ruby::embed::call::CallKind::Variable
    } else {
        rchef_ruby::embed::call::CallKind::Function
    };
    Err(vm.no_method_error(this, name, args.from(1).pos, kind, None))
}
fn forwards(vm: &mut Vm, resource: &Value, name: Symbol) -> bool {
    let class = vm.class_of(resource);
    let Some(id) = vm.find_method(class, name) else { return false };
    let owner = vm.method(id).owner;
    let base = process_mut(vm).classes.resource;
    let own =
        Some(owner) != base && base.is_some_and(|base| vm.is_subclass(owner, base) || vm.class(owner).is_module());
    let real = vm.real_class(class);
    own && vm.method(id).visibility != Visibility::Private
        && crate::resource::class::find_property(vm, real, name).is_none()
}
fn responds_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let resource = read(vm, this, Slot::NewResource);
    Ok(Value::bool(!resource.is_nil() && forwards(vm, &resource, name)))
}

/// `Chef::Provider::LWRPBase.build_from_file(cookbook, path, run_context)`
fn build_from_file(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (cookbook, path) = (vm.to_s_text(args.at(0))?, vm.to_path(args.at(1))?);
    let source = crate::run::read_file(vm, &path)?;
    from_file(vm, &cookbook, &path, &source).map(Value::Class)
}
/// Makes a provider class from a file in `providers/`.
pub fn from_file(vm: &mut Vm, cookbook: &str, path: &str, source: &[u8]) -> Res<ClassId> {
    let base = class(vm, |classes| classes.lwrp_provider)?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let file = file.strip_suffix(".rb").unwrap_or(file);
    let name = Symbol::intern(&crate::resource::class::dsl_name(cookbook, file));
    let id = vm.new_class(base);
    crate::run::evaluate(vm, source, path, &Value::Class(id), rchef_ruby::embed::frame::Definee::Module(id))?;
    vm.class_mut(id).name = Some(Rc::from(format!("LWRP provider {name} from cookbook {cookbook}")));
    crate::resource::registry::registry_mut(vm).add_provider(name, Entry { class: id, filters: Default::default() });
    Ok(id)
}

/// How an action class shows itself: by its resource class.
fn action_class_text(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let resource = resource_class(vm, this, args)?;
    Ok(Value::str(format!("{} action provider", vm.to_s_text(&resource)?)))
}

/// Turns an exception value into an error to return.
pub fn raise(exception: Value) -> rchef_ruby::Error {
    Unwind::Raise(exception).into()
}

/// Registers `Chef::Provider`, `Chef::Provider::LWRPBase` and the base of action classes.
pub fn boot(vm: &mut Vm, chef: ClassId, resource: ClassId) {
    let provider = vm.define_class(chef, "Provider", ClassId::OBJECT);
    vm.class_mut(provider).allocator = Some(|_, class| Ok(Value::data(class, ProviderState::default())));
    vm.define_methods(provider, METHODS);
    vm.define_singleton_methods(provider, CLASS_METHODS);
    vm.define_singleton_methods(provider, crate::resource::described::METHODS);
    let action_class = vm.define_class(resource, "ActionClass", provider);
    vm.define_closure(action_class, sym::METHOD_MISSING, Arity::ANY, Rc::new(forward_missing));
    vm.define_closure(action_class, sym::RESPOND_TO_MISSING, Arity::ANY, Rc::new(responds_missing));
    static ACTION_CLASS: &[MethodDef] = &[def("to_s", action_class_text, 0), def("inspect", action_class_text, 0)];
    vm.define_singleton_methods(action_class, ACTION_CLASS);
    vm.define_singleton_methods(resource, super::native::RESOURCE_METHODS);
    let lwrp = vm.define_class(provider, "LWRPBase", provider);
    static LWRP: &[MethodDef] = &[opt("build_from_file", build_from_file, 2, 3)];
    vm.define_singleton_methods(lwrp, LWRP);
    vm.define_module(provider, "InlineResources");
    let classes = &mut process_mut(vm).classes;
    classes.provider = Some(provider);
    classes.action_class = Some(action_class);
    classes.lwrp_provider = Some(lwrp);
}
