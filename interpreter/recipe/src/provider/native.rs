//! Providers of shipped resources: the trait they implement, their registry, and the Ruby classes under `Chef::Provider` that stand for them.
//!
//! A provider *plans*, then *applies*: [`Provider::plan`] looks at the machine and gives [`Change`]s; why-run prints the very changes that a run applies.

use crate::names::N;
use crate::run::{chef_error, class, converge_mut};
use rchef_ruby::method::Arity;
use rchef_ruby::{Args, ClassId, Res, Symbol, Value, Vm};
use std::rc::Rc;

/// One change to the machine: what is said of it, and how it is made.
pub trait Change {
    /// What it does, in the lines that Chef prints (the first is the headline; why-run puts "Would" before it).
    fn describe(&self) -> Vec<String>;
    /// Makes it.
    fn apply(&self, vm: &mut Vm, resource: &Value) -> Res<()>;
}

/// What a provider's plan gives.
pub type Plan = Vec<Box<dyn Change>>;

/// The provider of one shipped resource.
pub trait Provider {
    /// The actions it can run here.
    fn actions(&self) -> &'static [&'static str];
    /// Looks at the machine and says what an action would change. Nothing is changed.
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan>;
    /// Plans whose later steps depend on earlier ones being made give them here, after each applied plan; empty ends.
    fn then(&self, _vm: &mut Vm, _resource: &Value, _action: Symbol, _round: usize) -> Res<Plan> {
        Ok(Vec::new())
    }
    /// A Ruby object with what is there now (`current_resource`); nil when there is nothing to show.
    fn current(&self, _vm: &mut Vm, _resource: &Value) -> Res {
        Ok(Value::Nil)
    }
}

/// Providers by `resource_name`.
#[derive(Default)]
pub struct Natives(Vec<(&'static str, Rc<dyn Provider>)>);

/// Registers the provider of a resource name.
pub fn register(vm: &mut Vm, resource_name: &'static str, provider: Rc<dyn Provider>) {
    vm.extension::<Natives>().0.push((resource_name, provider));
}

fn find(vm: &mut Vm, resource: &Value) -> Option<Rc<dyn Provider>> {
    let id = vm.real_class_of(resource);
    for ancestor in crate::resource::class::lineage(vm, id) {
        if let Some(name) = crate::resource::class::shipped(vm, ancestor).map(|shipped| shipped.name)
            && let Some((_, found)) = vm.extension::<Natives>().0.iter().find(|(known, _)| *known == name)
        {
            return Some(found.clone());
        }
    }
    None
}

/// The name of the native provider that a resource has; None when there is none that can run anything.
pub fn name_for(vm: &mut Vm, resource: &Value) -> Option<&'static str> {
    let id = vm.real_class_of(resource);
    for ancestor in crate::resource::class::lineage(vm, id) {
        if let Some(name) = crate::resource::class::shipped(vm, ancestor).map(|shipped| shipped.name)
            && let Some((known, found)) = vm.extension::<Natives>().0.iter().find(|(known, _)| *known == name)
        {
            return (!found.actions().is_empty()).then_some(*known);
        }
    }
    None
}

/// The class under `Chef::Provider` for a shipped resource: of the same name as the resource's class.
pub fn class_for(vm: &mut Vm, resource: &Value) -> Res {
    let base = class(vm, |classes| classes.provider)?;
    let id = vm.real_class_of(resource);
    let shipped =
        crate::resource::class::lineage(vm, id).into_iter().find_map(|id| crate::resource::class::shipped(vm, id));
    let Some(shipped) = shipped else { return Ok(Value::Class(base)) };
    super::names::load(vm)?;
    let native = native_base(vm)?;
    let class = vm.define_class(base, shipped.class, native);
    Ok(Value::Class(class))
}

/// The common ancestor of the classes that stand for native providers.
pub(super) fn native_base(vm: &mut Vm) -> Res<ClassId> {
    let base = class(vm, |classes| classes.provider)?;
    if let Some(Value::Class(found)) =
        vm.const_own(base, Symbol::intern_static("Native")).map(|constant| constant.value.clone())
    {
        return Ok(found);
    }
    let made = vm.define_class(base, "Native", base);
    let none = Arity { min: 0, max: Some(0) };
    vm.define_closure(made, N.load_current_resource, none, Rc::new(load_current_resource));
    let any_number = Arity { min: 0, max: None };
    vm.define_closure(made, rchef_ruby::sym::METHOD_MISSING, any_number, Rc::new(action_missing));
    vm.define_closure(
        made,
        rchef_ruby::sym::RESPOND_TO_MISSING,
        any_number,
        Rc::new(|vm, this, args| {
            let name = vm.to_name(args.at(0))?;
            let resource = vm.ivar_get(this, N.i_new_resource).unwrap_or_default();
            let Some(action) = name.as_str().strip_prefix("action_") else { return Ok(Value::False) };
            Ok(Value::bool(find(vm, &resource).is_some_and(|provider| provider.actions().contains(&action))))
        }),
    );
    Ok(made)
}

/// Whether a provider object stands for a native provider.
pub fn is_native(vm: &mut Vm, provider: &Value) -> bool {
    native_base(vm).is_ok_and(|base| vm.is_a(provider, base))
}

fn load_current_resource(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = vm.ivar_get(this, N.i_new_resource).unwrap_or_default();
    let current = match find(vm, &resource) {
        Some(provider) => provider.current(vm, &resource)?,
        None => Value::Nil,
    };
    vm.ivar_set(this, N.i_current_resource, current.clone());
    Ok(current)
}

/// `action_x` of a native provider: plan, then apply (or in why-run only say).
fn action_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let resource = vm.ivar_get(this, N.i_new_resource).unwrap_or_default();
    let Some(action) = name.as_str().strip_prefix("action_") else {
        return Err(vm.no_method_error(this, name, args.from(1).pos, rchef_ruby::call::CallKind::Method, None));
    };
    let shown = vm.to_s_text(&resource)?;
    let named = super::names::resource_of(vm, this).and_then(|name| {
        vm.extension::<Natives>().0.iter().find(|(known, _)| *known == name).map(|(_, found)| found.clone())
    });
    let Some(provider) = named.or_else(|| find(vm, &resource)) else {
        return Err(chef_error(
            vm,
            "UnsupportedAction",
            format!(
                "{shown}: rchef has no provider for this resource on this platform, so it cannot be converged here"
            ),
        ));
    };
    if !provider.actions().contains(&action) {
        return Err(chef_error(
            vm,
            "UnsupportedAction",
            format!("{shown}: rchef's provider cannot run the action :{action}"),
        ));
    }
    let action = Symbol::intern(action);
    let plan = provider.plan(vm, &resource, action)?;
    carry_out(vm, this, &resource, plan)?;
    for round in 0.. {
        let plan = provider.then(vm, &resource, action, round)?;
        if plan.is_empty() {
            break;
        }
        carry_out(vm, this, &resource, plan)?;
    }
    Ok(Value::Nil)
}

fn carry_out(vm: &mut Vm, provider: &Value, resource: &Value, plan: Plan) -> Res<()> {
    for change in plan {
        if converge_mut(vm).mode.applies() {
            change.apply(vm, resource)?;
        }
        super::class::report_change(vm, provider, &change.describe())?;
    }
    Ok(())
}
