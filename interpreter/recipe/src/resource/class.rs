//! Resource classes: the state of a class in `Chef::Resource`, and how classes are made (SPEC-compile 1.8, 4.6, 4.7).

use super::def::ResourceDef;
use super::property::{self, Property};
use super::registry::{Entry, Filters};
use crate::names::N;
use crate::run::{class, process_mut};
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::embed::method::{Arity, Method, MethodBody, Visibility};
use rchef_ruby::{ClassId, NativeData, Res, Symbol, Value, Vm, sym};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Default)]
pub struct ResourceClass {
    /// The class's own properties in order.
    pub properties: OrderedMap<Symbol, Rc<Property>>,
    /// `default_action`, if this class sets it.
    pub default_action: Option<Vec<Symbol>>,
    /// `allowed_actions`, if this class has its own list.
    pub allowed_actions: Option<Vec<Symbol>>,
    pub resource_name: Option<Symbol>,
    /// The action class, once it is made.
    pub action_class: Option<ClassId>,
    pub unified_mode: Option<bool>,
    /// The definition of a shipped resource.
    pub def: Option<&'static ResourceDef>,
    /// The cookbook and file of a class made from a file.
    pub from_file: Option<(String, String)>,
    pub chef_version: Option<Value>,
    /// `description`, `introduced`, `examples`, `deprecated` and similar texts, by name.
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

/// The state of a class, created on first use (for library classes derived from `Chef::Resource`).
pub fn state(vm: &mut Vm, class: ClassId) -> &mut ResourceClass {
    vm.extension::<Listed>().0.clear();
    if vm.class(class).data.is_none() {
        vm.class_mut(class).data = Some(Box::new(ResourceClass::default()));
    }
    let holder = Value::Class(class);
    // the state was created above; the holder has no data of another type, since it is a resource class
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
    let top = process_mut(vm).classes.resource;
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

pub(super) fn peek(vm: &Vm, class: ClassId) -> Option<&ResourceClass> {
    vm.class(class).data.as_deref().and_then(|data| (data as &dyn std::any::Any).downcast_ref())
}

/// Lists the properties of all classes anew when they are next asked for: a class or module has included one with properties.
pub(super) fn list_anew(vm: &mut Vm) {
    vm.extension::<Listed>().0.clear();
}

/// A property by its name, including those of superclasses and of modules (`Chef::Mixin::Properties`).
pub fn find_property(vm: &mut Vm, class: ClassId, name: Symbol) -> Option<Rc<Property>> {
    vm.class(class).mro.iter().find_map(|id| peek(vm, *id)?.properties.get(&name).cloned())
}

/// The class's own and inherited data.
pub struct Listing {
    /// All properties, inherited ones first; a redeclared property keeps its position.
    pub properties: Rc<[Rc<Property>]>,
    /// Their indices by instance variable.
    pub by_ivar: FxHashMap<Symbol, usize>,
    pub default_action: Vec<Symbol>,
    pub allowed_actions: Vec<Symbol>,
    /// Whether the class itself is shipped with Chef.
    pub is_shipped: bool,
    pub default_guard_interpreter: Symbol,
    /// Hooks of shipped classes for a new resource before its name is set, starting at the most general class.
    pub inits_first: Vec<super::def::Init>,
    /// Hooks of shipped classes for a new resource, starting at the most general class.
    pub inits: Vec<super::def::Init>,
}

/// A cache of listings, emptied by every change of a class.
#[derive(Default)]
struct Listed(FxHashMap<ClassId, Rc<Listing>>);

pub fn listing(vm: &mut Vm, class: ClassId) -> Rc<Listing> {
    if let Some(known) = vm.extension::<Listed>().0.get(&class) {
        return known.clone();
    }
    let properties = list_properties(vm, class);
    let by_ivar = properties.iter().enumerate().map(|(at, property)| (property.ivar, at)).collect();
    let ancestors: Vec<_> = lineage(vm, class).into_iter().rev().filter_map(|ancestor| shipped(vm, ancestor)).collect();
    let inits_first = ancestors.iter().filter_map(|shipped| shipped.init_first).collect();
    let inits = ancestors.iter().filter_map(|shipped| shipped.init).collect();
    let (default_action, allowed_actions) = (default_action(vm, class), allowed_actions(vm, class));
    let is_shipped = is_shipped(vm, class);
    let interpreters = lineage(vm, class).into_iter().filter_map(|id| shipped(vm, id));
    let named = interpreters.map(|shipped| shipped.default_guard_interpreter).find(|name| !name.is_empty());
    let listed = Rc::new(Listing {
        properties,
        by_ivar,
        default_action,
        allowed_actions,
        is_shipped,
        default_guard_interpreter: named.map_or(N.default, Symbol::intern_static),
        inits_first,
        inits,
    });
    vm.extension::<Listed>().0.insert(class, listed.clone());
    listed
}

/// All properties, inherited ones first; a redeclared property keeps its position.
pub fn all_properties(vm: &mut Vm, class: ClassId) -> Rc<[Rc<Property>]> {
    listing(vm, class).properties.clone()
}

fn list_properties(vm: &mut Vm, class: ClassId) -> Rc<[Rc<Property>]> {
    let mut found: OrderedMap<Symbol, Rc<Property>> = OrderedMap::default();
    for id in vm.class(class).mro.iter().rev() {
        if let Some(state) = peek(vm, *id) {
            for (name, property) in &state.properties {
                found.insert(*name, property.clone());
            }
        }
    }
    found.into_values().collect()
}

pub fn allowed_actions(vm: &mut Vm, class: ClassId) -> Vec<Symbol> {
    lineage(vm, class)
        .into_iter()
        .find_map(|id| peek(vm, id)?.allowed_actions.clone())
        .unwrap_or_else(|| vec![N.nothing])
}

pub fn default_action(vm: &mut Vm, class: ClassId) -> Vec<Symbol> {
    lineage(vm, class)
        .into_iter()
        .find_map(|id| peek(vm, id)?.default_action.clone())
        .unwrap_or_else(|| vec![N.nothing])
}

/// The `resource_name` that this class itself sets.
pub fn resource_name(vm: &Vm, class: ClassId) -> Option<Symbol> {
    peek(vm, class)?.resource_name
}

/// The definition of a class, if it is itself shipped.
pub fn shipped(vm: &Vm, class: ClassId) -> Option<&'static ResourceDef> {
    peek(vm, class)?.def
}

/// Whether a class is shipped with Chef.
pub fn is_shipped(vm: &Vm, class: ClassId) -> bool {
    shipped(vm, class).is_some()
}

/// Adds a property to a class and defines its accessors.
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

#[derive(Default)]
struct Shipped(Vec<&'static ResourceDef>);

/// The definitions of the shipped resources, in order of registration.
pub fn shipped_defs(vm: &mut Vm) -> &[&'static ResourceDef] {
    &vm.extension::<Shipped>().0
}

/// Makes the class of a shipped resource and registers its names.
pub fn register(vm: &mut Vm, shipped: &'static ResourceDef) -> Res<ClassId> {
    vm.extension::<Shipped>().0.push(shipped);
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
    for (name, texts) in shipped.lists {
        let list = Value::array(texts.iter().map(Value::str).collect());
        let list = vm.call_name(&list, "freeze", &[])?;
        vm.const_set(id, Symbol::intern_static(name), list);
    }
    for provides in shipped.provides {
        let name = Symbol::intern_static(provides.name);
        add_dsl_name(vm, name, Entry { class: id, filters: Filters::of(provides) })?;
    }
    Ok(id)
}

/// A class by its path relative to another.
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

/// Registers a class for a DSL name and defines the DSL method.
pub fn add_dsl_name(vm: &mut Vm, name: Symbol, entry: Entry) -> Res<()> {
    let known = crate::resource::registry::registry_mut(vm).knows(name);
    crate::resource::registry::registry_mut(vm).add(name, entry);
    if !known {
        let module = class(vm, |classes| classes.dsl_resources)?;
        let body = MethodBody::Closure(
            Rc::new(move |vm, this, args| {
                let declare = crate::process::hook(vm, |hooks| hooks.declare)?;
                declare(vm, this, name, args)
            }),
            Arity::ANY,
        );
        vm.add_method(module, name, Method { name, owner: module, visibility: Visibility::Public, body });
    }
    Ok(())
}

/// The properties that are part of the state.
pub fn state_of(vm: &mut Vm, id: ClassId) -> Vec<Rc<Property>> {
    all_properties(vm, id).iter().filter(|property| property.desired_state).cloned().collect()
}
/// The identity properties: those marked as such, else the name property, else `name`.
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

/// The instance variable of an action class with its resource class.
pub const OF_ACTION_CLASS: &str = "@resource_class";

/// The action class of a resource class, made if necessary as a subclass of the superclass's if that is a custom resource.
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
        None => {
            let action_base = crate::process::hook(vm, |hooks| hooks.action_base)?;
            action_base(vm, id)?
        }
    };
    let made = vm.new_class(base);
    vm.ivar_set(&Value::Class(made), Symbol::intern_static(OF_ACTION_CLASS), Value::Class(id));
    state(vm, id).action_class = Some(made);
    Ok(made)
}
/// The action class of a class or its nearest ancestor that has one.
pub fn action_class_of(vm: &mut Vm, id: ClassId) -> Option<ClassId> {
    lineage(vm, id).into_iter().find_map(|id| peek(vm, id)?.action_class)
}

/// Whether the actions of a class use unified mode: as the class says, else `resource_unified_mode_default`, which is true.
pub fn is_unified(vm: &mut Vm, id: ClassId) -> bool {
    let said = lineage(vm, id).into_iter().find_map(|id| peek(vm, id)?.unified_mode);
    said.unwrap_or_else(|| {
        let configured = crate::chef_class::setting(vm, "resource_unified_mode_default");
        configured.map_or(true, |value| value.is_nil() || value.truthy())
    })
}

/// Whether the class's `chef_version_for_provides`, if it has one, allows this version of Chef.
pub fn fits_chef_version(vm: &mut Vm, id: ClassId) -> Res<bool> {
    let Some(constraints) = peek(vm, id).and_then(|data| data.chef_version.clone()) else { return Ok(true) };
    for constraint in vm.to_array(&constraints)? {
        let constraint = vm.to_s_text(&constraint)?;
        if !rchef_model::gem::satisfies(crate::CHEF_VERSION, &constraint) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes the class of a custom resource from a file in `resources/` (SPEC-compile 1.8).
pub fn from_file(vm: &mut Vm, cookbook: &str, path: &str, source: &[u8]) -> Res<ClassId> {
    let base = class(vm, |classes| classes.lwrp_resource)?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let file = file.strip_suffix(".rb").unwrap_or(file);
    let name = Symbol::intern(&dsl_name(cookbook, file));
    let id = vm.new_class(base);
    vm.call(&Value::Class(base), sym::INHERITED, &[Value::Class(id)])?;
    state(vm, id).from_file = Some((cookbook.to_string(), path.to_string()));
    crate::run::evaluate(vm, source, path, &Value::Class(id), Definee::Module(id))?;
    // code of the file itself still sees a class without a name
    vm.class_mut(id).name = Some(Rc::from(format!("Custom resource {name} from cookbook {cookbook}")));
    // the automatic name applies to every node, even if the file also has a `provides` of it with filters
    let own = crate::resource::registry::registry_mut(vm).names_of(id);
    if !crate::resource::registry::registry_mut(vm).provides_everywhere(id, name) && fits_chef_version(vm, id)? {
        add_dsl_name(vm, name, Entry { class: id, filters: Filters::default() })?;
    }
    if resource_name(vm, id).is_none() {
        state(vm, id).resource_name = Some(own.first().copied().unwrap_or(name));
    }
    Ok(id)
}

/// `cookbook_file`, with other than word characters replaced by underscores and leading underscores removed; for the file `default` it is the
/// cookbook's name.
pub fn dsl_name(cookbook: &str, file: &str) -> String {
    let full = if file == "default" { cookbook.to_string() } else { format!("{cookbook}_{file}") };
    let clean: String = full.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    clean.trim_start_matches('_').to_string()
}
