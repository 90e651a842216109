//! The class methods of resources: `property`, `action`, `provides` and others (SPEC-compile 1.8, 4.6, 4.7).

use super::chef_property;
use super::class::{
    add_dsl_name, add_property, all_properties, allowed_actions, declare_action_class, default_action, find_property,
    fits_chef_version, from_file, id_of, identity_of, is_unified, peek, resource_name, state, state_of,
};
use super::property::{self, Property};
use super::registry::{Entry, Filters, Given};
use crate::names::N;
use crate::run::{process_mut, run_mut};
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::embed::method::{Arity, Method, MethodBody, Visibility};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, at_least, def, opt};
use std::rc::Rc;

/// What declares properties, also of classes that are no resources.
pub(super) static PROPERTY_METHODS: &[MethodDef] = &[
    at_least("property", property_method, 1),
    at_least("attribute", property_method, 1),
    any("property_type", property_type),
    opt("properties", properties, 0, 1),
    at_least("deprecated_property_alias", deprecated_property_alias, 2),
    any("state_properties", state_properties),
    any("identity_properties", identity_properties),
    opt("lazy", super::lazy::lazy, 0, 1),
];
static CLASS_METHODS: &[MethodDef] = &[
    any("state_attrs", state_attrs),
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
    if pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    // a Hash in braces is a type that only matches an equal Hash
    let mut types = pos.get(1).cloned();
    // a `property_type` is the template for the property
    let model = types.as_ref().and_then(|given| chef_property::of(vm, given));
    if model.is_some() {
        types = None;
    }
    if let Some(hash) = keywords {
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in pairs {
            options.insert(vm.to_name(&key)?, value);
        }
    }
    let Some(name) = pos.first() else { return Err(vm.arity_error(0, "1+")) };
    let name = vm.to_name(name)?;
    let base = find_property(vm, id, name);
    if base.is_none() && redefines_method(vm, id, name) {
        let shown = resource_name(vm, id).map_or_else(String::new, |name| name.to_string());
        return Err(vm.argument_error(format!("Property `{name}` of resource `{shown}` overwrites an existing method. A different name should be used for this property.")));
    }
    let made = property::from_options(vm, name, id, types, options, model.or(base).as_deref())?;
    property::check_default(vm, &made)?;
    add_property(vm, id, made)?;
    Ok(Value::Sym(name))
}

/// Whether a property would override a public method of Object, Kernel or Chef::Resource that is not a property.
fn redefines_method(vm: &mut Vm, id: ClassId, name: Symbol) -> bool {
    let Some(method) = vm.find_method(id, name) else { return false };
    if vm.method(method).visibility == Visibility::Private {
        return false;
    }
    let owner = vm.method(method).owner;
    let base = process_mut(vm).classes.resource;
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
            crate::chef_class::deprecate(vm, &text)?;
            vm.call_args(this, to, args)
        }),
    );
    let from_setter = Symbol::intern(&format!("{from}="));
    vm.define_closure(
        id_of(this),
        from_setter,
        Arity { min: 1, max: Some(1) },
        Rc::new(move |vm, this, args| {
            crate::chef_class::deprecate(vm, &message)?;
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

/// Makes exactly these properties state (or identity) properties; unknown names are added as properties.
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

fn action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = id_of(this);
    let name = vm.to_name(args.at(0))?;
    let action_class = declare_action_class(vm, id)?;
    super::described::note(vm, action_class, name, &args)?;
    if let Some(block) = args.block {
        let proc = vm.block_to_proc(block);
        let add_action = crate::process::hook(vm, |hooks| hooks.add_action)?;
        add_action(vm, action_class, name, proc)?;
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
        Method { name, owner: id_of(this), visibility: Visibility::Public, body: MethodBody::Proc(proc) },
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
        let given = Given::read(vm, &value)?;
        match key.as_str() {
            "os" => found.os = given,
            "platform_family" => found.platform_family = given,
            "platform" => found.platform = given,
            "platform_version" => found.platform_version = given,
            "override" => found.overriding = value.truthy(),
            "chef_version" => {
                let allows =
                    |constraint: &String| rchef_model::gem::satisfies(crate::process::CHEF_VERSION, constraint);
                if !given.texts.iter().all(allows) {
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
    if !provides_for_this_chef(vm, id, &args)? {
        return Ok(Value::True);
    }
    if let Some(filters) = filters(vm, &args)? {
        add_dsl_name(vm, name, Entry { class: id, filters })?;
    }
    Ok(Value::True)
}

/// Whether `chef_version_for_provides` allows a `provides`; it does not apply to one with its own `chef_version:`.
fn provides_for_this_chef(vm: &mut Vm, class: ClassId, args: &Args<'_>) -> Res<bool> {
    if let Some(options) = args.split().1
        && vm.hash_get(options, &Value::sym("chef_version"))?.is_some()
    {
        return Ok(true);
    }
    fits_chef_version(vm, class)
}

fn provides_query(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(1))?;
    let node = args.at(0).clone();
    for entry in crate::resource::registry::registry_mut(vm).entries(name) {
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

/// `Chef::Resource::LWRPBase.build_from_file(cookbook, path, run_context)`
fn build_from_file(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (cookbook, path) = (vm.to_s_text(args.at(0))?, vm.to_path(args.at(1))?);
    let source = crate::run::read_file(vm, &path)?;
    from_file(vm, &cookbook, &path, &source).map(Value::Class)
}

fn text_option(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // one implementation for several methods: the name of the called method is the key of the text
    let key = vm.current_native_name().unwrap_or(N.description);
    if let Some(value) = args.get(0) {
        state(vm, id_of(this)).texts.insert(key, value.clone());
    }
    let unset = if key.as_str() == "preview_resource" { Value::False } else { Value::Nil };
    Ok(peek(vm, id_of(this)).and_then(|data| data.texts.get(&key).cloned()).unwrap_or(unset))
}

/// `use '_part'`: evaluates `_part.rb`, beside the current file, in the class body. `core::securable` and other core partials are shipped.
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
    let source = crate::run::read_file(vm, &path)?;
    crate::run::evaluate(vm, &source, &path, this, Definee::Module(id_of(this)))
}

fn resource_for_node(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    super::registry::class_for(vm, name).map(Value::Class)
}

/// `node` in the body of a resource file.
fn node(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(run_mut(vm).node.clone())
}

fn run_context(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(run_mut(vm).root.clone())
}

/// Registers the class methods of `Chef::Resource`, and `Chef::Property`.
pub fn boot(vm: &mut Vm, resource: ClassId) {
    if let Some(chef) = process_mut(vm).classes.chef {
        chef_property::boot(vm, chef);
        if let Some(evaluator) = process_mut(vm).classes.delayed_evaluator {
            super::lazy::boot(vm, evaluator);
        }
    }
    vm.define_singleton_methods(resource, PROPERTY_METHODS);
    vm.define_singleton_methods(resource, CLASS_METHODS);
    vm.define_singleton_methods(resource, super::described::METHODS);
}
