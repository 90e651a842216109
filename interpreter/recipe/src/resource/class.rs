//! Resource classes: what a class under `Chef::Resource` knows, and the class-body DSL of custom resources (SPEC-compile 1.8, 4.6, 4.7).

use super::chef_property;
use super::def::ResourceDef;
use super::property::{self, Property};
use super::registry::{Entry, Filters};
use crate::names::N;
use crate::run::{class, run_mut};
use rchef_ruby::class::OrderedMap;
use rchef_ruby::frame::Definee;
use rchef_ruby::method::{Arity, Method, MethodBody, Visibility};
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Symbol, Value, Vm, any, at_least, def, opt, sym};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// State of a resource class.
#[derive(Default)]
pub struct ResourceClass {
    /// Own properties in order.
    pub properties: OrderedMap<Symbol, Rc<Property>>,
    /// `default_action`, if this class sets it.
    pub default_action: Option<Vec<Symbol>>,
    /// `allowed_actions`, if this class has its own list.
    pub allowed_actions: Option<Vec<Symbol>>,
    /// `resource_name`
    pub resource_name: Option<Symbol>,
    /// Action class, once made.
    pub action_class: Option<ClassId>,
    /// `unified_mode`
    pub unified_mode: Option<bool>,
    /// The description of a shipped resource.
    pub def: Option<&'static ResourceDef>,
    /// For classes made from files: cookbook and file.
    pub from_file: Option<(String, String)>,
    /// `chef_version_for_provides`
    pub chef_version: Option<Value>,
    /// `description`, `introduced`, `examples`, `deprecated` and their like, by name.
    pub texts: OrderedMap<Symbol, Value>,
}
impl NativeData for ResourceClass {}

#[derive(Default)]
struct Singletons {
    not_passed: Option<Value>,
}

/// `Chef::NOT_PASSED`
pub fn not_passed(vm: &mut Vm) -> Value {
    if let Some(value) = &vm.extension::<Singletons>().not_passed {
        return value.clone();
    }
    let value = Value::object(ClassId::OBJECT);
    vm.extension::<Singletons>().not_passed = Some(value.clone());
    value
}

pub(crate) fn id_of(value: &Value) -> ClassId {
    match value {
        Value::Class(id) => *id,
        _ => ClassId::OBJECT,
    }
}

/// A class's state, made now if it has none (library classes that descend from `Chef::Resource`).
pub fn state(vm: &mut Vm, class: ClassId) -> &mut ResourceClass {
    vm.extension::<Listed>().0.clear();
    if vm.class(class).data.is_none() {
        vm.class_mut(class).data = Some(Box::new(ResourceClass::default()));
    }
    let holder = Value::Class(class);
    // the payload was made above, or is of this type because only resource classes come here
    if vm.data::<ResourceClass>(&holder).is_none() {
        vm.class_mut(class).data = Some(Box::new(ResourceClass::default()));
    }
    match vm.class_mut(class).data.as_deref_mut().and_then(|data| (data as &mut dyn std::any::Any).downcast_mut()) {
        Some(state) => state,
        None => unreachable!("a resource class's payload was just made"),
    }
}

/// The classes from this one up to `Chef::Resource`.
pub fn lineage(vm: &mut Vm, class: ClassId) -> Vec<ClassId> {
    let top = run_mut(vm).classes.resource;
    let mut found = Vec::new();
    let mut at = Some(class);
    while let Some(id) = at {
        if !vm.class(id).is_singleton() {
            found.push(id);
        }
        if Some(id) == top {
            break;
        }
        at = vm.class(id).superclass;
    }
    found
}

fn peek(vm: &Vm, class: ClassId) -> Option<&ResourceClass> {
    vm.class(class).data.as_deref().and_then(|data| (data as &dyn std::any::Any).downcast_ref())
}

/// A property by its name, inherited ones included.
pub fn find_property(vm: &mut Vm, class: ClassId, name: Symbol) -> Option<Rc<Property>> {
    lineage(vm, class).into_iter().find_map(|id| peek(vm, id)?.properties.get(&name).cloned())
}

/// What a class has with what it inherits.
pub struct Listing {
    /// All properties, inherited first; a redeclared one keeps its place.
    pub properties: Rc<[Rc<Property>]>,
    /// Their places by instance variable.
    pub by_ivar: FxHashMap<Symbol, usize>,
    /// `default_action`
    pub default_action: Vec<Symbol>,
    /// Hooks that shipped classes run for a new resource, from the most general down.
    pub inits: Vec<super::def::Init>,
}

/// Listings of classes that were asked for since the last declaration.
#[derive(Default)]
struct Listed(FxHashMap<ClassId, Rc<Listing>>);

/// What a class has with what it inherits.
pub fn listing(vm: &mut Vm, class: ClassId) -> Rc<Listing> {
    if let Some(known) = vm.extension::<Listed>().0.get(&class) {
        return known.clone();
    }
    let properties = list_properties(vm, class);
    let by_ivar = properties.iter().enumerate().map(|(at, property)| (property.ivar, at)).collect();
    let ancestors = lineage(vm, class).into_iter().rev();
    let inits = ancestors.filter_map(|ancestor| shipped(vm, ancestor)?.init).collect();
    let default_action = default_action(vm, class);
    let listed = Rc::new(Listing { properties, by_ivar, default_action, inits });
    vm.extension::<Listed>().0.insert(class, listed.clone());
    listed
}

/// All properties, inherited first; a redeclared one keeps its place.
pub fn all_properties(vm: &mut Vm, class: ClassId) -> Rc<[Rc<Property>]> {
    listing(vm, class).properties.clone()
}

fn list_properties(vm: &mut Vm, class: ClassId) -> Rc<[Rc<Property>]> {
    let mut found: OrderedMap<Symbol, Rc<Property>> = OrderedMap::default();
    for id in lineage(vm, class).into_iter().rev() {
        if let Some(state) = peek(vm, id) {
            for (name, property) in &state.properties {
                found.insert(*name, property.clone());
            }
        }
    }
    found.into_values().collect()
}

/// `allowed_actions`
pub fn allowed_actions(vm: &mut Vm, class: ClassId) -> Vec<Symbol> {
    lineage(vm, class)
        .into_iter()
        .find_map(|id| peek(vm, id)?.allowed_actions.clone())
        .unwrap_or_else(|| vec![N.nothing])
}

/// `default_action`
pub fn default_action(vm: &mut Vm, class: ClassId) -> Vec<Symbol> {
    lineage(vm, class)
        .into_iter()
        .find_map(|id| peek(vm, id)?.default_action.clone())
        .unwrap_or_else(|| vec![N.nothing])
}

/// `resource_name` of this very class.
pub fn resource_name(vm: &Vm, class: ClassId) -> Option<Symbol> {
    peek(vm, class)?.resource_name
}

/// The description of the nearest shipped class, if the class itself is shipped.
pub fn shipped(vm: &Vm, class: ClassId) -> Option<&'static ResourceDef> {
    peek(vm, class)?.def
}

/// Whether a class is one that Chef ships.
pub fn is_shipped(vm: &Vm, class: ClassId) -> bool {
    shipped(vm, class).is_some()
}

/// Defines the accessors of a property and remembers it.
pub fn add_property(vm: &mut Vm, class: ClassId, property: Property) -> Res<()> {
    let property = Rc::new(property);
    let name = property.name;
    let reader = property.clone();
    vm.define_closure(
        class,
        name,
        Arity { min: 0, max: Some(1) },
        Rc::new(move |vm, this, args| property::access(vm, this, args, &reader)),
    );
    let writer = property.clone();
    let setter = Symbol::intern(&format!("{name}="));
    vm.define_closure(
        class,
        setter,
        Arity { min: 1, max: Some(1) },
        Rc::new(move |vm, this, args| property::set(vm, this, &writer, args.at(0).clone())),
    );
    state(vm, class).properties.insert(name, property);
    Ok(())
}

/// Makes the class of a shipped resource and registers its names.
pub fn register(vm: &mut Vm, shipped: &'static ResourceDef) -> Res<ClassId> {
    let base = class(vm, |classes| classes.resource)?;
    let parent = if shipped.parent.is_empty() {
        base
    } else {
        match nested_class(vm, base, shipped.parent)? {
            Some(id) => id,
            None => {
                return Err(
                    vm.runtime_error(format!("{} is registered before its parent {}", shipped.class, shipped.parent))
                );
            }
        }
    };
    let (outer, short) = match shipped.class.rsplit_once("::") {
        Some((path, short)) => match nested_class(vm, base, path)? {
            Some(outer) => (outer, short),
            None => return Err(vm.runtime_error(format!("{} is registered before {path}", shipped.class))),
        },
        None => (base, shipped.class),
    };
    let id = vm.define_class(outer, short, parent);
    for mixin in shipped.mixins {
        if let Some(module) = vm.class_named(mixin) {
            vm.include_module(id, module);
        }
    }
    let actions = if shipped.actions.is_empty() {
        allowed_actions(vm, parent)
    } else {
        std::iter::once(N.nothing).chain(shipped.actions.iter().map(|action| Symbol::intern_static(action))).collect()
    };
    let data = state(vm, id);
    data.def = Some(shipped);
    data.resource_name = Some(Symbol::intern_static(shipped.name));
    data.allowed_actions = Some(actions);
    if !shipped.default_action.is_empty() {
        data.default_action = Some(shipped.default_action.iter().map(|action| Symbol::intern_static(action)).collect());
    }
    let own = shipped.properties.iter();
    for def in own.chain(shipped.shared.iter().flat_map(|table| table.iter())) {
        let property = property::from_def(def, id);
        add_property(vm, id, property)?;
    }
    for (from, to, message) in shipped.deprecated_aliases {
        let to = Symbol::intern_static(to);
        for (name, target) in [
            (Symbol::intern_static(from), to),
            (Symbol::intern(&format!("{from}=")), Symbol::intern(&format!("{to}="))),
        ] {
            vm.define_closure(
                id,
                name,
                Arity { min: 0, max: Some(1) },
                Rc::new(move |vm, this, args| {
                    vm.deprecated(message);
                    vm.call_args(this, target, args)
                }),
            );
        }
    }
    vm.define_methods(id, shipped.methods);
    for (new, old) in shipped.aliases {
        vm.define_alias(id, new, old);
    }
    if !shipped.class_methods.is_empty() {
        vm.define_singleton_methods(id, shipped.class_methods);
    }
    for provides in shipped.provides {
        let name = Symbol::intern_static(provides.name);
        add_dsl_name(vm, name, Entry { class: id, filters: Filters::of(provides) })?;
    }
    run_mut(vm).defs.push(shipped);
    Ok(id)
}

/// A class by its path below another.
fn nested_class(vm: &mut Vm, base: ClassId, path: &str) -> Res<Option<ClassId>> {
    let mut at = base;
    for part in path.split("::") {
        match vm.const_resolve(at, Symbol::intern(part))? {
            Some(Value::Class(id)) => at = id,
            _ => return Ok(None),
        }
    }
    Ok(Some(at))
}

/// Registers a class for a DSL name and makes the DSL method.
pub fn add_dsl_name(vm: &mut Vm, name: Symbol, entry: Entry) -> Res<()> {
    let known = run_mut(vm).registry.knows(name);
    run_mut(vm).registry.add(name, entry);
    if !known {
        let module = class(vm, |classes| classes.dsl_resources)?;
        let body = MethodBody::Closure(
            Rc::new(move |vm, this, args| crate::dsl::resources::declare_by_method(vm, this, name, args)),
            Arity { min: 0, max: None },
        );
        vm.add_method(
            module,
            name,
            Method { name, owner: module, visibility: Visibility::Public, body, ruby2_keywords: false },
        );
    }
    Ok(())
}

static CLASS_METHODS: &[MethodDef] = &[
    at_least("property", property_method, 1),
    at_least("attribute", property_method, 1),
    any("property_type", property_type),
    opt("properties", properties, 0, 1),
    at_least("deprecated_property_alias", deprecated_property_alias, 2),
    any("state_properties", state_properties),
    any("state_attrs", state_attrs),
    any("identity_properties", identity_properties),
    opt("identity_property", identity_property, 0, 1),
    opt("identity_attr", identity_attr, 0, 1),
    opt("reset_property", reset_property, 1, 1),
    at_least("action", action, 1),
    any("actions", actions_method),
    any("allowed_actions", allowed_actions_method),
    def("allowed_actions=", set_allowed_actions, 1),
    any("default_action", default_action_method),
    def("default_action=", set_default_action, 1),
    any("action_class", action_class_method),
    def("declare_action_class", declare_action_class_method, 0),
    def("load_current_value", load_current_value, 0),
    opt("unified_mode", unified_mode, 0, 1),
    opt("resource_name", resource_name_method, 0, 1),
    def("resource_name=", resource_name_method, 1),
    at_least("provides", provides, 1),
    def("provides?", provides_query, 2),
    opt("chef_version_for_provides", chef_version_for_provides, 0, 1),
    opt("lazy", lazy, 0, 1),
    def("custom_resource?", is_custom, 0),
    opt("description", text_option, 0, 1),
    opt("introduced", text_option, 0, 1),
    opt("examples", text_option, 0, 1),
    opt("deprecated", text_option, 0, 1),
    opt("skip_docs", text_option, 0, 1),
    opt("default_description", text_option, 0, 1),
    opt("target_mode", text_option, 0, 1),
    opt("preview_resource", text_option, 0, 1),
    def("use", use_partial, 1),
    opt("resource_for_node", resource_for_node, 2, 2),
    def("node", node, 0),
    def("run_context", run_context, 0),
    at_least("build_from_file", build_from_file, 2),
];

/// `property :name, TYPE, **options`
fn property_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    let (pos, keywords) = args.split();
    let mut options: OrderedMap<Symbol, Value> = OrderedMap::default();
    let mut types = pos.get(1).cloned();
    let hash = match (keywords, pos.get(2), &types) {
        (Some(hash), ..) => Some(hash.clone()),
        (None, Some(Value::Hash(hash)), _) => Some(hash.clone()),
        (None, None, Some(Value::Hash(hash))) => {
            let hash = hash.clone();
            types = None;
            Some(hash)
        }
        _ => None,
    };
    if let Some(hash) = hash {
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in pairs {
            options.insert(vm.to_name(&key)?, value);
        }
    }
    let Some(name) = pos.first() else { return Err(vm.arity_error(0, "1+")) };
    let name = vm.to_name(name)?;
    let base = find_property(vm, id, name);
    if base.is_none() && redefines_method(vm, id, name) {
        let shown = resource_name(vm, id).map_or_else(|| vm.class_name(id), |name| name.to_string());
        return Err(vm.argument_error(format!("Property `{name}` of resource `{shown}` overwrites an existing method. A different name should be used for this property.")));
    }
    let made = property::from_options(vm, name, id, types, options, base.as_deref())?;
    property::check_default(vm, &made)?;
    add_property(vm, id, made)?;
    Ok(Value::Sym(name))
}

/// Whether a property would hide a method of Object, Kernel or Chef::Resource that is not a property.
fn redefines_method(vm: &mut Vm, id: ClassId, name: Symbol) -> bool {
    let Some(method) = vm.find_method(id, name) else { return false };
    if vm.method(method).visibility == Visibility::Private {
        return false;
    }
    let owner = vm.method(method).owner;
    let base = run_mut(vm).classes.resource;
    [Some(ClassId::OBJECT), Some(ClassId::BASIC_OBJECT), Some(ClassId::KERNEL), base].contains(&Some(owner))
}

fn property_type(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut options = OrderedMap::default();
    if let Some(hash) = args.split().1 {
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in pairs {
            options.insert(vm.to_name(&key)?, value);
        }
    }
    let made = property::from_options(vm, Symbol::intern_static("property_type"), id_of(this), None, options, None)?;
    property::check_default(vm, &made)?;
    Ok(chef_property::value(vm, &Rc::new(made)))
}

/// `Chef::Resource.properties`: name → Chef::Property.
fn properties(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let all = all_properties(vm, id_of(this));
    let pairs = all.iter().map(|property| (Value::Sym(property.name), chef_property::value(vm, property))).collect();
    vm.new_hash(pairs)
}

fn deprecated_property_alias(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (from, to) = (vm.to_name(args.at(0))?, vm.to_name(args.at(1))?);
    let message = match args.get(2) {
        Some(text) => vm.to_s_text(text)?,
        None => format!("{from} is deprecated, use {to}"),
    };
    let setter = Symbol::intern(&format!("{to}="));
    let text = message.clone();
    vm.define_closure(
        id_of(this),
        from,
        Arity { min: 0, max: Some(1) },
        Rc::new(move |vm, this, args| {
            crate::chef_api::deprecate(vm, &text)?;
            vm.call_args(this, to, args)
        }),
    );
    let from_setter = Symbol::intern(&format!("{from}="));
    vm.define_closure(
        id_of(this),
        from_setter,
        Arity { min: 1, max: Some(1) },
        Rc::new(move |vm, this, args| {
            crate::chef_api::deprecate(vm, &message)?;
            vm.call_args(this, setter, args)
        }),
    );
    Ok(Value::Sym(from))
}

fn names_of(vm: &mut Vm, args: &[Value]) -> Res<Vec<Symbol>> {
    let mut names = Vec::new();
    for arg in args {
        for item in vm.to_array(arg)? {
            names.push(vm.to_name(&item)?);
        }
    }
    Ok(names)
}

/// Marks which properties are state (or identity); none given: asks.
fn mark(vm: &mut Vm, id: ClassId, names: &[Symbol], identity: bool) -> Res<()> {
    for property in all_properties(vm, id).iter() {
        let on = names.contains(&property.name);
        let current = if identity { property.identity } else { property.desired_state };
        if on == current {
            continue;
        }
        let mut options = property.options.clone();
        options.insert(if identity { N.identity } else { N.desired_state }, Value::bool(on));
        let changed = property::from_options(vm, property.name, id, None, options, Some(property))?;
        add_property(vm, id, changed)?;
    }
    for name in names {
        if find_property(vm, id, *name).is_none() {
            let mut options = OrderedMap::default();
            options.insert(if identity { N.identity } else { N.desired_state }, Value::True);
            let made = property::from_options(vm, *name, id, None, options, None)?;
            state(vm, id).properties.insert(*name, Rc::new(made));
        }
    }
    Ok(())
}

/// Properties of the desired state.
pub fn state_of(vm: &mut Vm, id: ClassId) -> Vec<Rc<Property>> {
    all_properties(vm, id).iter().filter(|property| property.desired_state).cloned().collect()
}
/// Properties of the identity: marked ones, else the name property, else `name`.
pub fn identity_of(vm: &mut Vm, id: ClassId) -> Vec<Rc<Property>> {
    let all = all_properties(vm, id);
    let marked: Vec<_> = all.iter().filter(|property| property.identity).cloned().collect();
    if !marked.is_empty() {
        return marked;
    }
    let named: Vec<_> = all.iter().filter(|property| property.name_property).cloned().collect();
    if !named.is_empty() {
        return named;
    }
    all.iter().filter(|property| property.name == N.name).cloned().collect()
}
fn property_values(vm: &mut Vm, properties: &[Rc<Property>]) -> Res {
    Ok(Value::array(properties.iter().map(|property| chef_property::value(vm, property)).collect()))
}
fn state_properties(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    if !args.is_empty() {
        let names = names_of(vm, args.pos)?;
        mark(vm, id, &names, false)?;
    }
    let found = state_of(vm, id);
    property_values(vm, &found)
}
fn state_attrs(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    state_properties(vm, this, args)?;
    Ok(Value::array(state_of(vm, id_of(this)).iter().map(|property| Value::Sym(property.name)).collect()))
}
fn identity_properties(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    if !args.is_empty() {
        let names = names_of(vm, args.pos)?;
        mark(vm, id, &names, true)?;
    }
    let found = identity_of(vm, id);
    property_values(vm, &found)
}
fn identity_property(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    identity_properties(vm, this, args)?;
    let found = identity_of(vm, id_of(this));
    if found.len() > 1 {
        let names: Vec<&str> = found.iter().map(|property| property.name.as_str()).collect();
        return Err(crate::run::chef_error(
            vm,
            "MultipleIdentityError",
            format!(
                "identity_property cannot be called on an object with more than one identity property ({}).",
                names.join(", ")
            ),
        ));
    }
    let list = property_values(vm, &found)?;
    vm.call_name(&list, "first", &[])
}
fn identity_attr(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    identity_property(vm, this, args)?;
    Ok(identity_of(vm, id_of(this)).first().map(|property| Value::Sym(property.name)).unwrap_or_default())
}
fn reset_property(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    state(vm, id_of(this)).properties.shift_remove(&name);
    Ok(Value::Nil)
}

/// `action :name do … end`
fn action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    let name = vm.to_name(args.at(0))?;
    let action_class = declare_action_class(vm, id)?;
    if let Some(block) = args.block {
        let proc = vm.block_to_proc(block);
        crate::provider::class::add_action(vm, action_class, name, proc)?;
    }
    let mut allowed = allowed_actions(vm, id);
    if !allowed.contains(&name) {
        allowed.push(name);
    }
    state(vm, id).allowed_actions = Some(allowed);
    if default_action(vm, id) == [N.nothing] {
        state(vm, id).default_action = Some(vec![name]);
    }
    Ok(Value::Nil)
}

/// The action class of a resource class, made now if need be: below the superclass's if that is a custom resource.
pub fn declare_action_class(vm: &mut Vm, id: ClassId) -> Res<ClassId> {
    if let Some(found) = state(vm, id).action_class {
        return Ok(found);
    }
    let inherited = match vm.class(id).superclass {
        Some(superclass) => action_class_of(vm, superclass),
        None => None,
    };
    let base = match inherited {
        Some(found) => found,
        None => class(vm, |classes| classes.action_class)?,
    };
    let made = vm.new_class(base);
    vm.ivar_set(&Value::Class(made), Symbol::intern_static("@resource_class"), Value::Class(id));
    state(vm, id).action_class = Some(made);
    Ok(made)
}
/// The action class of a class or of the nearest ancestor that has one.
pub fn action_class_of(vm: &mut Vm, id: ClassId) -> Option<ClassId> {
    lineage(vm, id).into_iter().find_map(|id| peek(vm, id)?.action_class)
}

fn actions_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    if !args.is_empty() {
        let names = names_of(vm, args.pos)?;
        let lwrp = state(vm, id).allowed_actions.clone();
        let mut list = lwrp.unwrap_or_else(|| vec![N.nothing]);
        list.extend(names.into_iter().filter(|name| !list.contains(name)).collect::<Vec<_>>());
        state(vm, id).allowed_actions = Some(list);
    }
    symbols(allowed_actions(vm, id))
}
fn symbols(list: Vec<Symbol>) -> Res {
    Ok(Value::array(list.into_iter().map(Value::Sym).collect()))
}
fn allowed_actions_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    if !args.is_empty() {
        let mut list = allowed_actions(vm, id);
        for name in names_of(vm, args.pos)? {
            if !list.contains(&name) {
                list.push(name);
            }
        }
        state(vm, id).allowed_actions = Some(list);
    }
    symbols(allowed_actions(vm, id))
}
fn set_allowed_actions(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut list: Vec<Symbol> = Vec::new();
    for name in names_of(vm, args.pos)? {
        if !list.contains(&name) {
            list.push(name);
        }
    }
    state(vm, id_of(this)).allowed_actions = Some(list);
    Ok(args.at(0).clone())
}
fn default_action_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    if !args.is_empty() {
        let names = names_of(vm, args.pos)?;
        let mut allowed = allowed_actions(vm, id);
        for name in &names {
            if !allowed.contains(name) {
                allowed.push(*name);
            }
        }
        let data = state(vm, id);
        data.allowed_actions = Some(allowed);
        data.default_action = Some(names);
    }
    symbols(default_action(vm, id))
}
fn set_default_action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    default_action_method(vm, this, args)
}
fn action_class_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let made = declare_action_class(vm, id_of(this))?;
    let holder = Value::Class(made);
    if let Some(block) = args.block {
        vm.call_block_as(block, &holder, Some(Definee::Module(made)), Args::new(std::slice::from_ref(&holder)))?;
    }
    Ok(holder)
}
fn declare_action_class_method(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Class(declare_action_class(vm, id_of(this))?))
}
fn load_current_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("load_current_value needs a block")) };
    let proc = vm.block_to_proc(block);
    let name = N.load_current_value;
    vm.add_method(
        id_of(this),
        name,
        Method {
            name,
            owner: id_of(this),
            visibility: Visibility::Public,
            body: MethodBody::Proc(proc),
            ruby2_keywords: false,
        },
    );
    Ok(Value::Sym(name))
}
fn unified_mode(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    if let Some(flag) = args.get(0)
        && !flag.is_nil()
    {
        state(vm, id).unified_mode = Some(flag.truthy());
    }
    Ok(Value::bool(is_unified(vm, id)))
}
/// Whether actions of a class run their resources at once: Chef 18's default is yes.
pub fn is_unified(vm: &mut Vm, id: ClassId) -> bool {
    lineage(vm, id).into_iter().find_map(|id| peek(vm, id)?.unified_mode).unwrap_or(true)
}
fn resource_name_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    if let Some(name) = args.get(0) {
        let name = if name.is_nil() { None } else { Some(vm.to_name(name)?) };
        state(vm, id).resource_name = name;
    }
    Ok(resource_name(vm, id).map(Value::Sym).unwrap_or_default())
}

/// The filters of a `provides` call.
pub fn filters(vm: &mut Vm, args: &Args<'_>) -> Res<Option<Filters>> {
    let mut found = Filters::default();
    if let Some(block) = args.block {
        found.block = Some(Value::Proc(vm.block_to_proc(block)));
    }
    let Some(hash) = args.split().1 else { return Ok(Some(found)) };
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (key, value) in pairs {
        let key = vm.to_name(&key)?;
        let mut list = Vec::new();
        if key != N.platform_version && !value.is_nil() {
            for item in vm.to_array(&value)? {
                list.push(vm.to_s_text(&item)?);
            }
        }
        match key.as_str() {
            "os" => found.os = list,
            "platform_family" => found.platform_family = list,
            "platform" => found.platform = list,
            "platform_version" => found.platform_version = Some(value),
            "override" => found.overriding = value.truthy(),
            "chef_version" => {
                if !list.iter().all(|constraint| {
                    constraint.split(',').all(|part| crate::version::satisfies(crate::CHEF_VERSION, part))
                }) {
                    return Ok(None);
                }
            }
            "target_mode" | "agent_mode" | "allow_cookbook_override" => {}
            other => return Err(vm.argument_error(format!("unknown keyword: :{other}"))),
        }
    }
    Ok(Some(found))
}

fn provides(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    let name = vm.to_name(args.at(0))?;
    if resource_name(vm, id).is_none() {
        state(vm, id).resource_name = Some(name);
    }
    if let Some(filters) = filters(vm, &args)? {
        add_dsl_name(vm, name, Entry { class: id, filters })?;
    }
    Ok(Value::True)
}
fn provides_query(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(1))?;
    let node = args.at(0).clone();
    for entry in run_mut(vm).registry.entries(name) {
        if entry.class == id_of(this) && super::registry::matches(vm, &entry.filters, &node)? {
            return Ok(Value::True);
        }
    }
    Ok(Value::False)
}
fn chef_version_for_provides(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(version) = args.get(0) {
        state(vm, id_of(this)).chef_version = Some(version.clone());
    }
    Ok(peek(vm, id_of(this)).and_then(|data| data.chef_version.clone()).unwrap_or_default())
}
/// `lazy { }`: a DelayedEvaluator.
pub fn lazy(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("lazy needs a block")) };
    let proc = vm.block_to_proc(block);
    let id = class(vm, |classes| classes.delayed_evaluator)?;
    let made = Value::object(id);
    vm.ivar_set(&made, Symbol::intern_static("@proc"), Value::Proc(proc));
    Ok(made)
}
static EVALUATOR: &[MethodDef] = &[def("initialize", evaluator_initialize, 0).private(), any("call", evaluator_call)];
fn evaluator_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("tried to create Proc object without a block")) };
    let proc = vm.block_to_proc(block);
    vm.ivar_set(this, Symbol::intern_static("@proc"), Value::Proc(proc));
    Ok(Value::Nil)
}
fn evaluator_call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = vm.ivar_get(this, Symbol::intern_static("@proc")).unwrap_or_default();
    vm.call_args(&proc, sym::CALL, args)
}
/// `Chef::Resource::LWRPBase.build_from_file(cookbook, path, run_context)`
fn build_from_file(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (cookbook, path) = (vm.to_s_text(args.at(0))?, vm.to_path(args.at(1))?);
    let host = vm.host.clone();
    let source = rchef_host::compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))?;
    from_file(vm, &cookbook, &path, &source).map(Value::Class)
}
fn is_custom(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(action_class_of(vm, id_of(this)).is_some()))
}
fn text_option(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // the texts are kept for documentation; which one follows from the method that was called
    let key = vm.current_native_name().unwrap_or(N.description);
    if let Some(value) = args.get(0) {
        state(vm, id_of(this)).texts.insert(key, value.clone());
    }
    Ok(peek(vm, id_of(this)).and_then(|data| data.texts.get(&key).cloned()).unwrap_or_default())
}

/// `use '_part'`: evaluates `_part.rb` beside the file that uses it in the class body. `core::securable` and its like are shipped.
fn use_partial(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_text(args.at(0))?;
    if let Some(core) = name.strip_prefix("core::") {
        return crate::resource::partials::apply(vm, id_of(this), core).map(|()| Value::Nil);
    }
    let (dir, base) = name.rsplit_once('/').map_or(("", name.as_str()), |(dir, base)| (dir, base));
    let base = base.strip_suffix(".rb").unwrap_or(base);
    let base = base.strip_prefix('_').unwrap_or(base);
    let from = vm.current_location().map(|(file, _)| file.to_string()).unwrap_or_default();
    let beside = from.rsplit_once('/').map_or("", |(dir, _)| dir);
    let path = [beside, dir, &format!("_{base}.rb")]
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join("/");
    let host = vm.host.clone();
    let source = rchef_host::compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))?;
    crate::run::evaluate(vm, &source, &path, this, Definee::Module(id_of(this)))
}
fn resource_for_node(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    crate::dsl::resources::class_for(vm, name).map(Value::Class)
}

/// The node, in the body of a resource file.
fn node(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(run_mut(vm).node.clone())
}
fn run_context(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(run_mut(vm).root.clone())
}

/// Makes a custom resource's class from a file in `resources/` (SPEC-compile 1.8).
pub fn from_file(vm: &mut Vm, cookbook: &str, path: &str, source: &[u8]) -> Res<ClassId> {
    let base = class(vm, |classes| classes.lwrp_resource)?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let file = file.strip_suffix(".rb").unwrap_or(file);
    let name = Symbol::intern(&dsl_name(cookbook, file));
    let id = vm.new_class(base);
    vm.call(&Value::Class(base), sym::INHERITED, &[Value::Class(id)])?;
    state(vm, id).from_file = Some((cookbook.to_string(), path.to_string()));
    vm.class_mut(id).name = Some(Rc::from(format!("Custom resource {name} from cookbook {cookbook}")));
    crate::run::evaluate(vm, source, path, &Value::Class(id), Definee::Module(id))?;
    // the automatic name, unless the file's own `provides` took it or another class has it
    let own = run_mut(vm).registry.names_of(id);
    if !own.contains(&name) {
        add_dsl_name(vm, name, Entry { class: id, filters: Filters::default() })?;
    }
    if resource_name(vm, id).is_none() {
        state(vm, id).resource_name = Some(own.first().copied().unwrap_or(name));
    }
    Ok(id)
}

/// `cookbook_file`, with what is not a word character turned into underscores and leading ones removed; `default` is the cookbook's name alone.
pub fn dsl_name(cookbook: &str, file: &str) -> String {
    let full = if file == "default" { cookbook.to_string() } else { format!("{cookbook}_{file}") };
    let clean: String = full.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    clean.trim_start_matches('_').to_string()
}

/// Registers the class methods of `Chef::Resource`, and `Chef::Property`.
pub fn boot(vm: &mut Vm, resource: ClassId) {
    if let Some(chef) = run_mut(vm).classes.chef {
        chef_property::boot(vm, chef);
        if let Some(evaluator) = run_mut(vm).classes.delayed_evaluator {
            vm.define_methods(evaluator, EVALUATOR);
        }
    }
    vm.define_singleton_methods(resource, CLASS_METHODS);
}
