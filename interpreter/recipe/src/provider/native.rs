//! Native providers by resource name, and the methods of their Ruby classes in `Chef::Provider`.
//!
//! `action_create` and the other actions are real methods of these classes, so that subclasses, prepended modules and aliases work. On a class that
//! is not modified, no Ruby code runs.

use super::composite::{Composite, Compound};
use super::contract::{self, AnyProvider, Erased, Provider};
use super::names;
use super::state::{self, Slot};
use crate::names::N;
use crate::resource::class as resource_class;
use crate::resource::def::ResourceDef;
use crate::run::class;
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def, sym};
use rustc_hash::FxHashMap;
use std::marker::PhantomData;
use std::rc::Rc;

/// Providers by `resource_name`, and their Ruby classes.
#[derive(Default)]
pub struct Natives {
    providers: Vec<(&'static str, Rc<dyn AnyProvider>)>,
    /// Classes with native methods, and the resource name of their provider; None: by the resource that the object is created for.
    classes: FxHashMap<ClassId, Option<&'static str>>,
    /// Classes whose actions are Ruby code that calls methods of subclasses.
    templates: Vec<ClassId>,
    /// Resources that are not supported, with the reason.
    refused: FxHashMap<&'static str, &'static str>,
    /// Cache of the provider classes by resource.
    of_resource: FxHashMap<&'static str, ClassId>,
}

/// Registers the provider for a resource name.
pub fn register<P: Provider>(vm: &mut Vm, resource_name: &'static str) {
    vm.extension::<Natives>().providers.push((resource_name, Rc::new(Erased::<P>(PhantomData))));
}

/// Registers the composite provider for a resource name.
pub fn register_composite<P: Composite>(vm: &mut Vm, resource_name: &'static str) {
    vm.extension::<Natives>().providers.push((resource_name, Rc::new(Compound::<P>(PhantomData))));
}

/// Registers that a resource is not supported, and why: a text that continues "rchef does not converge NAME: ". A parent's provider is not used for
/// it.
pub fn register_refused(vm: &mut Vm, resource_name: &'static str, why: &'static str) {
    let natives = vm.extension::<Natives>();
    natives.providers.push((resource_name, Rc::new(Absent)));
    natives.refused.insert(resource_name, why);
}

/// Why a resource has no provider, if it is registered as refused.
pub(super) fn refusal(vm: &mut Vm, resource: &Value) -> Option<(&'static str, &'static str)> {
    let id = vm.real_class_of(resource);
    let names = resource_class::lineage(vm, id).into_iter().filter_map(|id| resource_class::shipped(vm, id));
    let names: Vec<&'static str> = names.map(|shipped| shipped.name).collect();
    let refused = &vm.extension::<Natives>().refused;
    names.into_iter().find_map(|name| Some((name, *refused.get(name)?)))
}

/// A placeholder for resources that must not use their parent's provider.
struct Absent;

impl AnyProvider for Absent {
    fn actions(&self) -> &'static [&'static str] {
        &[]
    }
    fn act(&self, vm: &mut Vm, _: &Value, resource: &Value, _: &'static str) -> Res<()> {
        Err(contract::no_provider(vm, resource)?)
    }
}

fn named(vm: &mut Vm, name: &str) -> Option<Rc<dyn AnyProvider>> {
    let known = &vm.extension::<Natives>().providers;
    known.iter().find(|(known, _)| *known == name).map(|(_, provider)| provider.clone())
}

/// Whether the provider that is registered for a resource name supports any action; None if none is registered.
pub fn has_actions(vm: &mut Vm, name: &str) -> Option<bool> {
    named(vm, name).map(|provider| !provider.actions().is_empty())
}

/// The provider of the nearest shipped class in the resource's ancestry, with that class's resource name.
fn find(vm: &mut Vm, resource: &Value) -> Option<(&'static str, Rc<dyn AnyProvider>)> {
    let id = vm.real_class_of(resource);
    for ancestor in resource_class::lineage(vm, id) {
        if let Some(name) = resource_class::shipped(vm, ancestor).map(|shipped| shipped.name)
            && let Some(found) = named(vm, name)
        {
            return Some((name, found));
        }
    }
    serving(vm, id)
}

/// The provider of another resource that serves a shipped resource on the node's platform.
fn serving(vm: &mut Vm, id: ClassId) -> Option<(&'static str, Rc<dyn AnyProvider>)> {
    let name = resource_class::shipped(vm, id)?.name;
    let serves = |def: &&'static ResourceDef| def.serves.iter().any(|(served, _)| *served == name);
    let serving: Vec<_> = resource_class::shipped_defs(vm).iter().copied().filter(serves).collect();
    if serving.is_empty() {
        return None;
    }
    let node = crate::run::run_mut(vm).node.clone();
    if node.is_nil() {
        return None;
    }
    let platform = vm.call(&node, sym::AREF, &[Value::str("platform")]).ok()?;
    let platform = vm.to_s_text(&platform).ok()?;
    let found = serving.into_iter().find(|def| def.serves.contains(&(name, platform.as_str())))?;
    named(vm, found.name).map(|provider| (found.name, provider))
}

/// The name of the resource's native provider; None if none supports any action.
pub fn name_for(vm: &mut Vm, resource: &Value) -> Option<&'static str> {
    find(vm, resource).filter(|(_, provider)| !provider.actions().is_empty()).map(|(name, _)| name)
}

/// Whether a native provider supports an action of a resource. `:nothing` always is.
pub fn converges(vm: &mut Vm, resource: &Value, action: Symbol) -> bool {
    action == N.nothing || find(vm, resource).is_some_and(|(_, provider)| provider.actions().contains(&action.as_str()))
}

/// The class in `Chef::Provider` for a shipped resource: the one that its provider gives, else the one with the name of the resource's class.
pub fn class_for(vm: &mut Vm, resource: &Value) -> Res {
    let base = class(vm, |classes| classes.provider)?;
    let id = vm.real_class_of(resource);
    let shipped = resource_class::lineage(vm, id).into_iter().find_map(|id| resource_class::shipped(vm, id));
    let Some(shipped) = shipped else { return Ok(Value::Class(base)) };
    if let Some(known) = vm.extension::<Natives>().of_resource.get(shipped.name) {
        return Ok(Value::Class(*known));
    }
    names::load(vm)?;
    let path = match find(vm, resource) {
        Some((_, native)) => native.class(vm, resource)?,
        None => "",
    };
    let path = if path.is_empty() { shipped.provider_class() } else { path };
    let found = match names::below(vm, base, path) {
        Some(found) => found,
        None => custom(vm, base, path, shipped)?,
    };
    vm.extension::<Natives>().of_resource.insert(shipped.name, found);
    Ok(Value::Class(found))
}

/// `Chef::Resource.custom_resource?`
fn custom_resource(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Value::Class(id) = this else { return Ok(Value::False) };
    Ok(Value::bool(resource_class::action_class_of(vm, *id).is_some() || is_custom(vm, *id)))
}

/// Whether the actions of a resource class come from a resource that Chef ships as a custom resource. Its action class goes before what cookbooks
/// register for the name.
pub(crate) fn is_custom(vm: &mut Vm, resource_class: ClassId) -> bool {
    let mut lineage = resource_class::lineage(vm, resource_class).into_iter();
    let shipped = lineage.find_map(|id| resource_class::shipped(vm, id));
    shipped.is_some_and(|shipped| has_action_class(vm, shipped))
}

/// Whether Chef ships a resource as a custom resource: nothing in `Chef::Provider` is its provider, nor that of its parent.
fn has_action_class(vm: &mut Vm, shipped: &'static ResourceDef) -> bool {
    let mut at = Some(shipped);
    while let Some(def) = at {
        if def.provider_class().contains("::") || names::is_top(def.provider_class()) {
            return false;
        }
        at = resource_class::shipped_defs(vm).iter().find(|known| known.class == def.parent).copied();
    }
    true
}

/// The class with the actions of a resource that Chef ships as a custom resource.
fn custom(vm: &mut Vm, base: ClassId, path: &'static str, shipped: &'static ResourceDef) -> Res<ClassId> {
    let action_class = class(vm, |classes| classes.action_class)?;
    let short = path.rsplit("::").next().unwrap_or(path);
    let made = vm.define_class(base, short, action_class);
    let resources = class(vm, |classes| classes.resource)?;
    if let Some(resource) = names::below(vm, resources, shipped.class) {
        let slot = Symbol::intern_static(resource_class::OF_ACTION_CLASS);
        vm.ivar_set(&Value::Class(made), slot, Value::Class(resource));
    }
    define_methods(vm, made, shipped);
    Ok(made)
}

/// The superclass of the action class that Ruby code asks a resource class for: the class with the native actions if Chef ships the resource as a
/// custom resource, so that they stay.
pub(crate) fn action_base(vm: &mut Vm, resource_class: ClassId) -> Res<ClassId> {
    let base = class(vm, |classes| classes.provider)?;
    let action_class = class(vm, |classes| classes.action_class)?;
    let Some(shipped) = resource_class::shipped(vm, resource_class) else { return Ok(action_class) };
    if let Some(known) = vm.extension::<Natives>().of_resource.get(shipped.name).copied() {
        return Ok(if vm.is_subclass(known, action_class) { known } else { action_class });
    }
    if !has_action_class(vm, shipped) {
        return Ok(action_class);
    }
    names::load(vm)?;
    let made = custom(vm, base, shipped.provider_class(), shipped)?;
    vm.extension::<Natives>().of_resource.insert(shipped.name, made);
    Ok(made)
}

/// The actions of a shipped resource; the parent's if it has no list of its own.
fn actions_of(vm: &mut Vm, def: &'static ResourceDef) -> &'static [&'static str] {
    let mut def = def;
    while def.actions.is_empty() && !def.parent.is_empty() {
        match resource_class::shipped_defs(vm).iter().find(|known| known.class == def.parent) {
            Some(parent) => def = parent,
            None => break,
        }
    }
    def.actions
}

/// Defines the methods of a resource's provider in a class in `Chef::Provider`.
pub(super) fn define_methods(vm: &mut Vm, id: ClassId, def: &'static ResourceDef) {
    let none = Arity { min: 0, max: Some(0) };
    let native = named(vm, def.name);
    // without a provider of its own, the resource determines it: `package` is an `apt_package` on Debian
    let bound = native.is_some().then_some(def.name);
    let mut actions = actions_of(vm, def).to_vec();
    if let Some(native) = &native {
        let more: Vec<&'static str> =
            native.actions().iter().filter(|action| !actions.contains(action)).copied().collect();
        actions.extend(more);
        for name in native.helpers() {
            let name = *name;
            let run = move |vm: &mut Vm, this: &Value, args: Args<'_>| help(vm, this, bound, name, args);
            vm.define_closure(id, Symbol::intern_static(name), Arity::ANY, Rc::new(run));
        }
    }
    for mixin in def.provider_mixins {
        if let Some(module) = vm.class_named(mixin) {
            vm.include_module(id, module);
        }
    }
    vm.define_methods(id, def.provider_methods);
    for action in actions {
        let method = Symbol::intern(&format!("action_{action}"));
        let run = move |vm: &mut Vm, this: &Value, _: Args<'_>| act(vm, this, bound, action);
        vm.define_closure(id, method, none, Rc::new(run));
    }
    vm.define_closure(
        id,
        N.load_current_resource,
        none,
        Rc::new(move |vm, this, _| load_current_resource(vm, this, bound)),
    );
    vm.extension::<Natives>().classes.insert(id, bound);
}

/// Class methods of `Chef::Resource` that know the native action classes.
pub(crate) static RESOURCE_METHODS: &[MethodDef] = &[def("custom_resource?", custom_resource, 0)];

/// Marks a class as native.
pub(super) fn note(vm: &mut Vm, id: ClassId) {
    vm.extension::<Natives>().classes.insert(id, None);
}

/// Marks a class as native whose actions call methods that subclasses written in Ruby define.
pub(super) fn note_template(vm: &mut Vm, id: ClassId) {
    note(vm, id);
    vm.extension::<Natives>().templates.push(id);
}

/// What is missing to run an action.
pub(super) enum Lack {
    Provider,
    /// The provider does not support the action.
    Action,
}

/// What `class` lacks to run an action of a resource; None if nothing is known to be missing before it runs.
pub(super) fn lack(vm: &mut Vm, class: ClassId, resource: &Value, action: Symbol) -> Option<Lack> {
    let method = Symbol::intern(&format!("action_{action}"));
    let owner = match vm.find_method(class, method) {
        Some(found) => vm.method(found).owner,
        None => {
            // a class with `method_missing` may support the action
            let answers = vm.find_method(class, sym::METHOD_MISSING).map(|found| vm.method(found).owner);
            let base = crate::run::process_mut(vm).classes;
            let plain = [Some(ClassId::BASIC_OBJECT), base.action_class];
            if answers.is_some_and(|owner| !plain.contains(&Some(owner))) {
                return None;
            }
            return Some(if Some(class) == base.provider { Lack::Provider } else { Lack::Action });
        }
    };
    let natives = vm.extension::<Natives>();
    let bound = natives.classes.get(&owner).copied()?;
    if natives.templates.contains(&owner) && !natives.classes.contains_key(&class) {
        return None;
    }
    let native = bound.and_then(|name| named(vm, name)).or_else(|| find(vm, resource).map(|(_, native)| native));
    match native.map(|native| native.actions()) {
        None | Some([]) => Some(Lack::Provider),
        Some(actions) => (!actions.contains(&action.as_str())).then_some(Lack::Action),
    }
}

fn provider_of(vm: &mut Vm, resource: &Value, bound: Option<&'static str>) -> Res<Rc<dyn AnyProvider>> {
    let found = bound.and_then(|name| named(vm, name)).or_else(|| find(vm, resource).map(|(_, found)| found));
    match found {
        Some(found) if !found.actions().is_empty() => Ok(found),
        _ => Err(contract::no_provider(vm, resource)?),
    }
}

fn act(vm: &mut Vm, this: &Value, bound: Option<&'static str>, action: &'static str) -> Res {
    let resource = state::new_resource(vm, this);
    let native = provider_of(vm, &resource, bound)?;
    if !native.actions().contains(&action) {
        return Err(contract::no_action(vm, &resource, action)?);
    }
    native.act(vm, this, &resource, action).map(|()| Value::Nil)
}

/// Runs a helper method called by Ruby code: applies its changes; the caller reports them.
fn help(vm: &mut Vm, this: &Value, bound: Option<&'static str>, name: &'static str, args: Args<'_>) -> Res {
    let resource = state::new_resource(vm, this);
    let native = provider_of(vm, &resource, bound)?;
    for change in native.helper(vm, &resource, name, args.pos)? {
        contract::apply(vm, &resource, &change)?;
    }
    Ok(Value::Nil)
}

fn load_current_resource(vm: &mut Vm, this: &Value, bound: Option<&'static str>) -> Res {
    let resource = state::new_resource(vm, this);
    let asked = match state::read(vm, this, Slot::Action) {
        Value::Sym(action) => Some(action),
        _ => None,
    };
    let current = match provider_of(vm, &resource, bound) {
        Ok(native) => {
            let actions = native.actions();
            let action = actions.iter().find(|known| asked.is_some_and(|asked| asked.as_str() == **known));
            match action.or(actions.first()) {
                Some(action) => native.current(vm, &resource, action)?,
                None => Value::Nil,
            }
        }
        Err(_) => Value::Nil,
    };
    state::write(vm, this, Slot::CurrentResource, current.clone());
    Ok(current)
}

/// Whether the provider object's class is that of a native provider, or derived from one.
pub fn is_native(vm: &mut Vm, provider: &Value) -> bool {
    let mut at = Some(vm.real_class_of(provider));
    while let Some(id) = at {
        if vm.extension::<Natives>().classes.contains_key(&id) {
            return true;
        }
        at = vm.class(id).superclass;
    }
    false
}

/// Loads the current state if the provider has Ruby code that may read it; gives whether it did. Otherwise the native action does, if the states of
/// resources are observed.
pub fn load_current(vm: &mut Vm, provider: &Value, action: Symbol) -> Res<bool> {
    let id = vm.real_class_of(provider);
    if vm.extension::<Natives>().classes.contains_key(&id) {
        let method = Symbol::intern(&format!("action_{action}"));
        let overridden = [N.load_current_resource, N.define_resource_requirements, method]
            .into_iter()
            .any(|name| contract::is_overridden(vm, provider, name));
        if !overridden {
            return Ok(false);
        }
    }
    vm.call(provider, N.load_current_resource, &[])?;
    Ok(true)
}
