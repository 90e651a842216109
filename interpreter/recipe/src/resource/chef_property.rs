//! `Chef::Property`: a property as Ruby object, from `Chef::Resource.properties`, `property_type` or `new` (facts: lib/chef/property.rb).

use super::property::{self, Coercion, Property, PropertyDefault, Requirement};
use super::{class, validate};
use crate::names::N;
use crate::run::process_mut;
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Symbol, Value, Vm, any, at_least, def, opt};
use std::rc::Rc;

struct Held(Option<Rc<Property>>);
impl NativeData for Held {}

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("name", name, 0),
    def("instance_variable_name", instance_variable_name, 0),
    def("declared_in", declared_in, 0),
    def("description", option, 0),
    def("introduced", option, 0),
    def("default_description", option, 0),
    def("equal_to", option, 0),
    def("default", default, 0),
    def("has_default?", has_default, 0),
    def("identity?", identity, 0),
    def("desired_state?", desired_state, 0),
    def("name_property?", name_property, 0),
    def("sensitive?", sensitive, 0),
    def("skip_docs?", skip_docs, 0),
    opt("required?", required, 0, 1),
    def("options", options, 0),
    def("validation_options", validation_options, 0),
    opt("call", call, 1, 2),
    at_least("get", get, 1),
    def("set", set, 2),
    def("is_set?", is_set, 1),
    def("reset", reset, 1),
    def("coerce", coerce, 2),
    def("validate", validate_value, 2),
    any("derive", derive),
    def("explicitly_accepts_nil?", accepts_nil, 1),
    def("to_s", to_s, 0),
    def("get_value", get_value, 1),
    def("set_value", set_value, 2),
    def("value_is_set?", is_set, 1),
    def("reset_value", reset, 1),
    def("emit_dsl", emit_dsl, 0),
];

pub fn boot(vm: &mut Vm, chef: ClassId) {
    let id = vm.define_class(chef, "Property", ClassId::OBJECT);
    vm.class_mut(id).allocator = Some(|_, class| Ok(Value::data(class, Held(None))));
    vm.define_methods(id, METHODS);
    process_mut(vm).classes.property = Some(id);
}

/// The property of a `Chef::Property` object; None for any other object.
pub fn of(vm: &mut Vm, value: &Value) -> Option<Rc<Property>> {
    vm.data::<Held>(value).and_then(|held| held.0.clone())
}
/// The `Chef::Property` object of a property, always the same one.
pub fn value(vm: &mut Vm, property: &Rc<Property>) -> Value {
    if let Some(known) = &*property.object.borrow() {
        return known.clone();
    }
    let id = process_mut(vm).classes.property.unwrap_or(ClassId::OBJECT);
    let made = Value::data(id, Held(Some(property.clone())));
    property.object.replace(Some(made.clone()));
    made
}

fn held(vm: &mut Vm, this: &Value) -> Res<Rc<Property>> {
    match of(vm, this) {
        Some(property) => Ok(property),
        None => Err(vm.type_error("uninitialized Chef::Property")),
    }
}
fn pairs(vm: &mut Vm, args: &Args<'_>) -> Res<OrderedMap<Symbol, Value>> {
    let mut found = OrderedMap::default();
    if let Some(hash) = args.split().1 {
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in pairs {
            found.insert(vm.to_name(&key)?, value);
        }
    }
    Ok(found)
}
fn make(vm: &mut Vm, mut options: OrderedMap<Symbol, Value>, base: Option<&Property>) -> Res<Property> {
    let name = match options.get(&N.name).cloned() {
        Some(name) => vm.to_name(&name)?,
        None => base.map_or_else(|| Symbol::intern_static("property_type"), |base| base.name),
    };
    let owner = match options.get(&N.declared_in) {
        Some(Value::Class(id)) => *id,
        _ => base.map_or(ClassId::OBJECT, |base| base.declared_in),
    };
    options.shift_remove(&N.name);
    options.shift_remove(&N.declared_in);
    property::from_options(vm, name, owner, None, options, base)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let options = pairs(vm, &args)?;
    let made = make(vm, options, None)?;
    property::check_default(vm, &made)?;
    let made = Rc::new(made);
    made.object.replace(Some(this.clone()));
    if let Some(slot) = vm.data_mut::<Held>(this) {
        slot.0 = Some(made);
    }
    Ok(Value::Nil)
}
fn derive(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let base = held(vm, this)?;
    let options = pairs(vm, &args)?;
    let made = make(vm, options, Some(&base))?;
    Ok(value(vm, &Rc::new(made)))
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Sym(held(vm, this)?.name))
}
fn instance_variable_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Sym(held(vm, this)?.ivar))
}
fn declared_in(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Class(held(vm, this)?.declared_in))
}
fn option(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let property = held(vm, this)?;
    let key = vm.current_native_name().unwrap_or(N.description);
    Ok(match property.options.get(&key) {
        Some(value) => value.clone(),
        None if key == N.description && !property.doc.is_empty() => Value::str(property.doc),
        None => Value::Nil,
    })
}
fn default(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let property = held(vm, this)?;
    Ok(match &property.default {
        PropertyDefault::Value(value) | PropertyDefault::Lazy(value) => value.clone(),
        PropertyDefault::None | PropertyDefault::Native(_) | PropertyDefault::Name => Value::Nil,
    })
}
fn has_default(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(held(vm, this)?.has_default()))
}
fn identity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(held(vm, this)?.identity))
}
fn desired_state(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(held(vm, this)?.desired_state))
}
fn name_property(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(held(vm, this)?.name_property))
}
fn sensitive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(held(vm, this)?.sensitive))
}
fn skip_docs(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(held(vm, this)?.options.get(&N.skip_docs).is_some_and(Value::truthy)))
}
fn required(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    let Requirement::For(listed) = &property.required else {
        return Ok(Value::bool(matches!(property.required, Requirement::Always)));
    };
    if args.at(0).is_nil() {
        return Ok(Value::True);
    }
    for action in vm.to_array(args.at(0))? {
        if listed.contains(&vm.to_name(&action)?) {
            return Ok(Value::True);
        }
    }
    Ok(Value::False)
}
fn options(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let property = held(vm, this)?;
    let mut found = vec![
        (Value::Sym(N.name), Value::Sym(property.name)),
        (Value::Sym(N.declared_in), Value::Class(property.declared_in)),
    ];
    found.extend(property.options.iter().map(|(key, value)| (Value::Sym(*key), value.clone())));
    vm.new_hash(found)
}
fn validation_options(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let property = held(vm, this)?;
    let found = property
        .options
        .iter()
        .filter(|(key, _)| validate::is_check(**key) || **key == N.validation_message)
        .map(|(key, value)| (Value::Sym(*key), value.clone()))
        .collect();
    vm.new_hash(found)
}
fn call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    match args.get(1) {
        Some(value) if !class::not_passed(vm).same(value) => property::set(vm, args.at(0), &property, value.clone()),
        _ => property::get(vm, args.at(0), &property),
    }
}
fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    property::get(vm, args.at(0), &property)
}
fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    property::set(vm, args.at(0), &property, args.at(1).clone())
}
fn is_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    Ok(Value::bool(vm.ivar_get(args.at(0), property.ivar).is_some()))
}
fn reset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    if vm.ivar_get(args.at(0), property.ivar).is_some() {
        return vm.call_name(args.at(0), "remove_instance_variable", &[Value::Sym(property.ivar)]);
    }
    Ok(Value::Nil)
}
/// The value of the instance variable: neither default nor coercion.
fn get_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    Ok(vm.ivar_get(args.at(0), property.ivar).unwrap_or_default())
}
fn set_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    vm.ivar_set(args.at(0), property.ivar, args.at(1).clone());
    Ok(args.at(1).clone())
}
/// Gives the class the property's methods.
fn emit_dsl(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let property = held(vm, this)?;
    let same = make(vm, OrderedMap::default(), Some(&property))?;
    class::add_property(vm, property.declared_in, same)?;
    Ok(Value::Nil)
}
fn coerce(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    match &property.coerce {
        Coercion::Ruby(proc) if !args.at(1).is_nil() => {
            property::exec_in_resource(vm, args.at(0), proc, &[args.at(1).clone()])
        }
        Coercion::Native(native) if !args.at(1).is_nil() => native(vm, args.at(0), args.at(1)),
        _ => Ok(args.at(1).clone()),
    }
}
fn validate_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = held(vm, this)?;
    if !args.at(1).is_nil() || property.has_default() {
        validate::check(vm, args.at(0), &property, args.at(1))?;
    }
    Ok(Value::Nil)
}
fn accepts_nil(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let property = held(vm, this)?;
    Ok(Value::bool(property::accepts_nil(vm, &property)?))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let property = held(vm, this)?;
    Ok(match class::resource_name(vm, property.declared_in) {
        Some(resource) => Value::str(format!("{} of resource {resource}", property.name)),
        None => Value::str(property.name.as_str()),
    })
}
