//! Properties: declaration, reading, writing, defaults (SPEC-compile 4.6, Chef's `Chef::Property`).
//!
//! As in Chef, the value of a property is the instance variable of its name, so that Ruby code can read `@path`.

use super::def::{Default_, PropertyDef, Required, Type};
use super::state;
use super::validate::{self, Validator};
use crate::names::N;
use crate::run::{chef_error, class};
use crate::secrets;
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::{Args, Block, ClassId, Gc, RProc, Res, Symbol, Value, Vm, sym};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone)]
pub enum PropertyDefault {
    None,
    Value(Value),
    /// `lazy { }`: a DelayedEvaluator.
    Lazy(Value),
    Native(super::def::LazyDefault),
    Name,
}

#[derive(Clone)]
pub enum Coercion {
    None,
    Native(super::def::Coerce),
    Ruby(Gc<RProc>),
}

#[derive(Clone)]
pub enum Requirement {
    No,
    Always,
    /// For these actions.
    For(Vec<Symbol>),
}

/// A property of a resource class.
pub struct Property {
    pub name: Symbol,
    pub ivar: Symbol,
    /// The class that declared it.
    pub declared_in: ClassId,
    pub default: PropertyDefault,
    pub name_property: bool,
    pub identity: bool,
    pub desired_state: bool,
    pub sensitive: bool,
    /// [`PropertyDef::rendered`]
    pub rendered: bool,
    pub required: Requirement,
    pub coerce: Coercion,
    /// The validators in declaration order, that of the type last.
    pub validators: Vec<Validator>,
    pub validation_message: Option<Value>,
    pub deprecated: Option<Value>,
    /// The options as Ruby values.
    pub options: OrderedMap<Symbol, Value>,
    pub doc: &'static str,
    /// Defined with `set_or_return`: setting nil reads.
    pub legacy: bool,
    /// Its `Chef::Property` object, created on first use.
    pub object: RefCell<Option<Value>>,
    /// The static default after coercion and validation.
    checked_default: RefCell<Option<Value>>,
}

impl Property {
    pub fn has_default(&self) -> bool {
        !matches!(self.default, PropertyDefault::None)
    }
    /// Whether a value is required for these actions.
    fn is_required(&self, actions: &[Symbol]) -> bool {
        match &self.required {
            Requirement::No => false,
            Requirement::Always => true,
            Requirement::For(listed) => listed.iter().any(|action| actions.contains(action)),
        }
    }
}

/// A property from its definition in a shipped resource.
pub fn from_def(def: &'static PropertyDef, declared_in: ClassId) -> Property {
    let name = Symbol::intern_static(def.name);
    let default = if def.name_property {
        PropertyDefault::Name
    } else {
        match def.default {
            Default_::None => PropertyDefault::None,
            Default_::Lit(literal) => PropertyDefault::Value(literal_value(literal)),
            Default_::Empty(Type::Array) => PropertyDefault::Value(Value::array(Vec::new())),
            Default_::Empty(_) => PropertyDefault::Value(Value::hash(Default::default())),
            Default_::StrList(items) => PropertyDefault::Value(Value::array(items.iter().map(Value::str).collect())),
            Default_::Lazy(lazy) => PropertyDefault::Native(lazy),
        }
    };
    let mut validators = Vec::new();
    if !def.equal_to.is_empty() {
        let values = def.equal_to.iter().map(|literal| literal_value(*literal)).collect();
        validators.push(Validator::EqualTo(Value::array(values)));
    }
    if let Some(regex) = def.regex {
        validators.push(Validator::Matches(regex));
    }
    if !def.callbacks.is_empty() {
        validators.push(Validator::NativeCallbacks(def.callbacks));
    }
    if !def.types.is_empty() {
        validators.push(Validator::Types(def.types));
    }
    let keeps_message = !is_static_default(&default, &validators, def.coerce.is_some());
    Property {
        name,
        ivar: Symbol::intern(&format!("@{}", def.name)),
        declared_in,
        default,
        name_property: def.name_property,
        identity: def.identity,
        desired_state: def.desired_state.unwrap_or(!def.name_property),
        sensitive: def.sensitive,
        rendered: def.rendered,
        required: match def.required {
            Required::No => Requirement::No,
            Required::Always => Requirement::Always,
            Required::For(actions) => {
                Requirement::For(actions.iter().map(|action| Symbol::intern_static(action)).collect())
            }
        },
        coerce: def.coerce.map_or(Coercion::None, Coercion::Native),
        validators,
        validation_message: def.message.map(Value::str).filter(|_| keeps_message),
        deprecated: def.deprecated.map(Value::str),
        options: OrderedMap::default(),
        doc: def.doc,
        legacy: def.legacy,
        object: RefCell::new(None),
        checked_default: RefCell::new(None),
    }
}

/// The value of a literal in a definition.
pub fn literal_value(literal: Type) -> Value {
    match literal {
        Type::LitStr(text) => {
            let value = Value::str(text);
            value.set_flag(rchef_ruby::embed::heap::FROZEN, true);
            value
        }
        Type::LitSym(name) => Value::Sym(Symbol::intern_static(name)),
        Type::LitInt(number) => Value::Int(number),
        Type::True => Value::True,
        Type::False => Value::False,
        Type::Str => Value::Class(ClassId::STRING),
        Type::Sym => Value::Class(ClassId::SYMBOL),
        Type::Int => Value::Class(ClassId::INTEGER),
        Type::Float => Value::Class(ClassId::FLOAT),
        Type::Array => Value::Class(ClassId::ARRAY),
        Type::Hash => Value::Class(ClassId::HASH),
        Type::Proc => Value::Class(ClassId::PROC),
        _ => Value::Nil,
    }
}

/// A property from the arguments of `property :x, TYPE, **options`; `base` is the inherited property that a declaration without a type modifies.
pub fn from_options(
    vm: &mut Vm,
    name: Symbol,
    declared_in: ClassId,
    types: Option<Value>,
    options: OrderedMap<Symbol, Value>,
    base: Option<&Property>,
) -> Res<Property> {
    let mut all: OrderedMap<Symbol, Value> = OrderedMap::default();
    let redefaults = [N.name_property, N.name_attribute, N.default].iter().any(|key| options.contains_key(key));
    let mut native_types = None;
    if let Some(base) = base.filter(|_| types.is_none()) {
        for (key, value) in &base.options {
            if !(redefaults && (*key == N.default || *key == N.name_property || *key == N.name_attribute)) {
                all.insert(*key, value.clone());
            }
        }
        native_types = Some(base);
    }
    for (key, value) in options {
        all.insert(key, value);
    }
    if let Some(types) = types {
        let merged = match all.get(&N.is) {
            Some(more) => {
                let mut list = vm.to_array(&types)?;
                list.extend(vm.to_array(more)?);
                Value::array(list)
            }
            None => types,
        };
        all.shift_remove(&N.is);
        all.insert(N.is, merged);
    }
    if let Some(value) = all.shift_remove(&N.name_attribute) {
        if all.contains_key(&N.name_property) {
            let name = full_name(vm, name, declared_in);
            return Err(vm.argument_error(format!("name_attribute and name_property are functionally identical and both cannot be specified on a property at once. Use just one on property {name}")));
        }
        all.insert(N.name_property, value);
    }
    let name_property = all.get(&N.name_property).is_some_and(Value::truthy);
    if name_property && all.contains_key(&N.default) {
        let name = full_name(vm, name, declared_in);
        return Err(vm.argument_error(format!("A property cannot be both a name_property/name_attribute and have a default value. Use one or the other on property {name}")));
    }
    let default = match all.get(&N.default) {
        _ if name_property => PropertyDefault::Name,
        Some(value) if is_lazy(vm, value)? => PropertyDefault::Lazy(value.clone()),
        Some(value) => {
            freeze_default(vm, value);
            PropertyDefault::Value(value.clone())
        }
        None => native_types.filter(|_| !redefaults).map_or(PropertyDefault::None, |base| base.default.clone()),
    };
    let required = match all.get(&N.required) {
        Some(Value::Array(list)) => {
            let mut actions = Vec::new();
            for item in list.get(vm).items.clone() {
                actions.push(vm.to_name(&item)?);
            }
            Requirement::For(actions)
        }
        Some(value) if value.truthy() => Requirement::Always,
        Some(_) => Requirement::No,
        None => native_types.map_or(Requirement::No, |base| base.required.clone()),
    };
    let coerce = match all.get(&N.coerce) {
        Some(Value::Proc(proc)) => Coercion::Ruby(proc.clone()),
        Some(_) => Coercion::None,
        None => native_types.map_or(Coercion::None, |base| base.coerce.clone()),
    };
    let mut validators = validate::from_options(vm, &all)?;
    if let Some(base) = native_types
        && base.options.is_empty()
    {
        validators.extend(base.validators.iter().cloned());
    }
    let flag =
        |key: Symbol, inherited: bool, all: &OrderedMap<Symbol, Value>| all.get(&key).map_or(inherited, Value::truthy);
    let keeps_message = !is_static_default(&default, &validators, !matches!(coerce, Coercion::None));
    Ok(Property {
        name,
        ivar: Symbol::intern(&format!("@{name}")),
        declared_in,
        default,
        name_property,
        identity: flag(N.identity, native_types.is_some_and(|base| base.identity), &all),
        desired_state: flag(N.desired_state, native_types.map_or(!name_property, |base| base.desired_state), &all),
        sensitive: flag(N.sensitive, native_types.is_some_and(|base| base.sensitive), &all),
        rendered: native_types.is_some_and(|base| base.rendered),
        required,
        coerce,
        validators,
        validation_message: all.get(&N.validation_message).filter(|_| keeps_message).cloned(),
        deprecated: all.get(&N.deprecated).filter(|value| value.truthy()).cloned(),
        options: all,
        doc: "",
        legacy: false,
        object: RefCell::new(None),
        checked_default: RefCell::new(None),
    })
}

/// A property's name in messages, with its resource.
fn full_name(vm: &Vm, name: Symbol, declared_in: ClassId) -> String {
    // the class of a file in `resources/` only gets its name after the file has been read
    let resource = super::class::resource_name(vm, declared_in);
    format!("{name} of resource {}", resource.map(|resource| resource.to_string()).unwrap_or_default())
}

/// Validates a static default at the declaration, unless the validation needs a resource.
pub fn check_default(vm: &mut Vm, property: &Property) -> Res<()> {
    let is_coerced = !matches!(property.coerce, Coercion::None);
    match &property.default {
        PropertyDefault::Value(value) if is_static_default(&property.default, &property.validators, is_coerced) => {
            validate::check_as(vm, &Value::Nil, property, value, validate::Nil::Checked)
        }
        _ => Ok(()),
    }
}

/// Whether Chef validates the default once, without a resource. In doing so it uses up the property's `validation_message`, so that later
/// failures have the text of the check.
fn is_static_default(default: &PropertyDefault, validators: &[Validator], is_coerced: bool) -> bool {
    let PropertyDefault::Value(value) = default else { return false };
    let by_resource = validators.iter().any(|validator| match validator {
        Validator::Other(..) => true,
        Validator::Is(list) => list.iter().any(|item| matches!(item, Value::Proc(_))),
        _ => false,
    });
    // nil is never coerced, so it can be validated even if the property has a coercion
    !by_resource && (value.is_nil() || !is_coerced)
}

pub(super) fn freeze_default(vm: &mut Vm, value: &Value) {
    if !matches!(value, Value::Class(_)) {
        vm.freeze(value);
    }
}

/// Whether a value is a DelayedEvaluator (`lazy { }`).
pub fn is_lazy(vm: &mut Vm, value: &Value) -> Res<bool> {
    if !matches!(value, Value::Proc(_)) {
        return Ok(false);
    }
    let id = class(vm, |classes| classes.delayed_evaluator)?;
    Ok(vm.is_a(value, id))
}

/// Calls a proc like Chef's exec_in_resource: if the proc takes one more argument, the resource is the first one, otherwise it is self.
pub fn exec_in_resource(vm: &mut Vm, resource: &Value, proc: &Gc<RProc>, args: &[Value]) -> Res {
    if vm.proc_arity(proc, false) > args.len() as i64 {
        let mut all = vec![resource.clone()];
        all.extend_from_slice(args);
        return vm.call_proc(proc, Args::new(&all));
    }
    vm.call_block_as(Block::Proc(proc), resource, None, Args::new(args))
}

fn convert(vm: &mut Vm, resource: &Value, property: &Property, value: Value) -> Res {
    if value.is_nil() {
        return Ok(value);
    }
    match &property.coerce {
        Coercion::None => Ok(value),
        Coercion::Native(coerce) => coerce(vm, resource, &value),
        Coercion::Ruby(proc) => exec_in_resource(vm, resource, proc, &[value]),
    }
}

pub fn convert_and_validate(vm: &mut Vm, resource: &Value, property: &Property, value: Value) -> Res {
    let value = convert(vm, resource, property, value)?;
    if !value.is_nil() || property.has_default() {
        validate::check(vm, resource, property, &value)?;
    }
    Ok(value)
}

/// The current value of a `lazy { }`.
pub fn evaluate_lazy(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    match value {
        Value::Proc(proc) => exec_in_resource(vm, resource, proc, &[]),
        _ => Ok(Value::Nil),
    }
}

fn actions_of(vm: &mut Vm, resource: &Value) -> Vec<Symbol> {
    match state::read(vm, resource, state::Slot::Action) {
        Value::Array(list) => list
            .get(vm)
            .items
            .iter()
            .filter_map(|item| if let Value::Sym(symbol) = item { Some(*symbol) } else { None })
            .collect(),
        Value::Sym(symbol) => vec![symbol],
        _ => Vec::new(),
    }
}

#[cold]
fn required_missing(vm: &mut Vm, property: &Property) -> rchef_ruby::Error {
    let error = chef_error(vm, "ValidationFailed", format!("{} is a required property", property.name));
    crate::run::about(vm, error, crate::run::Subject::Required)
}

/// Whether a native provider reads all its properties.
#[derive(Default)]
struct ReadAtOnce(bool);

/// Reads properties for a native provider. In Chef, reading a property that has a mutable default sets it, so that messages list it; Chef's providers
/// read each property when they need it, a native one reads all of them first, which must not set those that Chef's would not have read yet.
pub fn read_at_once<T>(vm: &mut Vm, read: impl FnOnce(&mut Vm) -> Res<T>) -> Res<T> {
    let before = std::mem::replace(&mut vm.extension::<ReadAtOnce>().0, true);
    let result = read(vm);
    vm.extension::<ReadAtOnce>().0 = before;
    result
}

/// Reads a property.
pub fn get(vm: &mut Vm, resource: &Value, property: &Rc<Property>) -> Res {
    if let Some(value) = vm.ivar_get(resource, property.ivar) {
        let value = if is_lazy(vm, &value)? {
            let value = evaluate_lazy(vm, resource, &value)?;
            if property.sensitive {
                secrets::remember_property(vm, &value);
            }
            convert_and_validate(vm, resource, property, value)?
        } else {
            value
        };
        return checked_required(vm, resource, property, value);
    }
    let value = match &property.default {
        PropertyDefault::None => Value::Nil,
        default => {
            let value = default_value(vm, resource, property, default)?;
            let is_fixed = matches!(default, PropertyDefault::Value(_) | PropertyDefault::Native(_));
            let is_kept = !value.is_nil() && !vm.frozen(&value);
            if is_kept && (!is_fixed || !vm.extension::<ReadAtOnce>().0) {
                store(vm, resource, property.ivar, value.clone());
            }
            value
        }
    };
    checked_required(vm, resource, property, value)
}

fn checked_required(vm: &mut Vm, resource: &Value, property: &Property, value: Value) -> Res {
    if value.is_nil() && !matches!(property.required, Requirement::No) {
        let actions = actions_of(vm, resource);
        if property.is_required(&actions) {
            return Err(required_missing(vm, property));
        }
    }
    Ok(value)
}

fn default_value(vm: &mut Vm, resource: &Value, property: &Property, default: &PropertyDefault) -> Res {
    match default {
        PropertyDefault::None => Ok(Value::Nil),
        PropertyDefault::Value(value) => {
            let known = property.checked_default.borrow().clone();
            let checked = match (&property.coerce, known) {
                (_, Some(known)) => known,
                (Coercion::None, None) if value.is_nil() => Value::Nil,
                _ => {
                    let checked = convert_and_validate(vm, resource, property, value.clone())?;
                    if matches!(property.coerce, Coercion::None) {
                        property.checked_default.replace(Some(checked.clone()));
                    }
                    checked
                }
            };
            deep_dup(vm, &checked)
        }
        PropertyDefault::Lazy(lazy) => {
            let value = evaluate_lazy(vm, resource, lazy)?;
            convert_and_validate(vm, resource, property, value)
        }
        PropertyDefault::Native(lazy) => {
            let value = lazy(vm, resource)?;
            convert_and_validate(vm, resource, property, value)
        }
        PropertyDefault::Name => {
            let name = vm.call(resource, N.name, &[])?;
            convert_and_validate(vm, resource, property, name)
        }
    }
}

/// A deep copy of Strings, Arrays and Hashes.
pub fn deep_dup(vm: &mut Vm, value: &Value) -> Res {
    match value {
        Value::Str(text) => {
            let copy = text.get(vm).clone();
            Ok(Value::Str(Gc::new(vm.real_class_of(value), copy)))
        }
        Value::Array(array) => {
            let items = array.get(vm).items.clone();
            let mut copies = Vec::with_capacity(items.len());
            for item in &items {
                copies.push(deep_dup(vm, item)?);
            }
            Ok(Value::array_of(vm.real_class_of(value), copies))
        }
        Value::Hash(_) => {
            let copy = vm.call(value, sym::DUP, &[])?;
            if let Value::Hash(hash) = &copy {
                for slot in 0..hash.get(vm).slots() {
                    let Some(inner) = hash.get(vm).slot(slot).map(|entry| entry.value.clone()) else { continue };
                    let inner = deep_dup(vm, &inner)?;
                    hash.get_mut(vm).set_value_at(slot, inner);
                }
            }
            Ok(copy)
        }
        _ => Ok(value.clone()),
    }
}

/// A shipped resource's computed default as a `lazy { }`, which is computed on every read.
fn delayed(vm: &mut Vm, lazy: fn(&mut Vm, &Value) -> Res) -> Res {
    let one = rchef_ruby::embed::method::Arity { min: 1, max: Some(1) };
    let body = vm.native_proc(one, false, move |vm, _, args| lazy(vm, args.at(0)));
    let class = class(vm, |classes| classes.delayed_evaluator)?;
    vm.call_with_block(&Value::Class(class), sym::NEW, &[], &body)
}

/// Whether the property accepts nil as a value (otherwise setting nil sets the default).
pub fn accepts_nil(vm: &mut Vm, property: &Property) -> Res<bool> {
    if !matches!(property.coerce, Coercion::None) {
        return Ok(true);
    }
    for validator in &property.validators {
        if let Validator::Types(_) | Validator::Is(_) = validator {
            return validate::accepts_nil(vm, validator);
        }
    }
    Ok(false)
}

/// Writes a property.
pub fn set(vm: &mut Vm, resource: &Value, property: &Rc<Property>, value: Value) -> Res {
    let mut value = value;
    if property.sensitive {
        // before the validation, whose error message must not show the value
        secrets::remember_property(vm, &value);
    }
    if value.is_nil() && !accepts_nil(vm, property)? {
        value = match &property.default {
            PropertyDefault::None => Value::Nil,
            PropertyDefault::Value(value) | PropertyDefault::Lazy(value) => value.clone(),
            PropertyDefault::Name => vm.call(resource, N.name, &[])?,
            PropertyDefault::Native(lazy) => delayed(vm, *lazy)?,
        };
    }
    if !is_lazy(vm, &value)? {
        value = convert_and_validate(vm, resource, property, value)?;
    }
    store(vm, resource, property.ivar, value.clone());
    if let Some(message) = &property.deprecated {
        let text = vm.to_s_text(message)?;
        crate::chef_class::deprecate(vm, &text)?;
    }
    checked_required(vm, resource, property, value)
}

/// The order in which a class's instance variables were first set in any instance; MRI lists the variables of all instances in that order.
#[derive(Default)]
struct FirstSet(FxHashMap<ClassId, Vec<Symbol>>);

/// Sets the instance variable of a property, or of an accessor that is listed like one.
pub fn store(vm: &mut Vm, resource: &Value, ivar: Symbol, value: Value) {
    let class = vm.real_class_of(resource);
    let known = vm.extension::<FirstSet>().0.entry(class).or_default();
    if !known.contains(&ivar) {
        known.push(ivar);
    }
    vm.ivar_set(resource, ivar, value);
}

/// The instance variables of a class's properties, in the order in which they were first set.
pub(super) fn first_set(vm: &mut Vm, class: ClassId) -> Vec<Symbol> {
    vm.extension::<FirstSet>().0.get(&class).cloned().unwrap_or_default()
}

/// The accessor: reads without an argument, sets with one.
pub fn access(vm: &mut Vm, this: &Value, args: Args<'_>, property: &Rc<Property>) -> Res {
    if args.block.is_some() {
        let (name, shown) = (property.name, vm.to_s_text(this)?);
        return Err(vm.runtime_error(format!(
            "Property `{name}` of `{shown}` was incorrectly passed a block. Possible property-resource collision. To call a resource named `{name}` either rename the property or else use `declare_resource(:{name}, ...)`"
        )));
    }
    match args.get(0) {
        None => get(vm, this, property),
        Some(value) if is_not_passed(vm, value) => get(vm, this, property),
        Some(Value::Nil) if property.legacy => get(vm, this, property),
        Some(value) => set(vm, this, property, value.clone()),
    }
}

fn is_not_passed(vm: &mut Vm, value: &Value) -> bool {
    match value {
        Value::Object(_) => super::class::not_passed(vm).same(value),
        _ => false,
    }
}

/// Properties whose whole value is secret in a sensitive resource. In other properties (a path, an owner) only values of keys that name a secret
/// are.
const CONTENTS: [&str; 4] = ["content", "command", "code", "message"];

/// Registers the value of a property of a sensitive resource, or of a sensitive property, as secret.
pub fn remember_sensitive(vm: &mut Vm, property: &Property, value: &Value) {
    if property.sensitive {
        secrets::remember_property(vm, value);
    } else if CONTENTS.contains(&property.name.as_str()) {
        secrets::remember_document(vm, value);
    } else {
        secrets::remember_named(vm, value);
    }
}

/// Whether a resource is sensitive: as set, else by the default of its class.
pub fn is_sensitive(vm: &mut Vm, resource: &Value) -> bool {
    if let Some(value) = vm.ivar_get(resource, N.i_sensitive) {
        return value.truthy();
    }
    let class = vm.real_class_of(resource);
    let listing = super::class::listing(vm, class);
    let property = listing.by_ivar.get(&N.i_sensitive).and_then(|at| listing.properties.get(*at));
    property.is_some_and(|property| match &property.default {
        PropertyDefault::Value(value) | PropertyDefault::Lazy(value) => value.truthy(),
        _ => false,
    })
}

/// Registers the secrets of a resource that was declared sensitive, including its name if that is the command or the message.
pub fn remember_declared(vm: &mut Vm, resource: &Value) {
    if !is_sensitive(vm, resource) {
        return;
    }
    let id = vm.real_class_of(resource);
    let properties = super::class::listing(vm, id).properties.clone();
    let is_content = |property: &Property| CONTENTS.contains(&property.name.as_str());
    let mut is_name = properties.iter().any(|property| property.name_property && is_content(property));
    for property in properties.iter() {
        if let Some(value) = vm.ivar_get(resource, property.ivar) {
            is_name &= !is_content(property);
            remember_sensitive(vm, property, &value);
        }
    }
    if let Some(name) = vm.ivar_get(resource, N.i_name).filter(|_| is_name) {
        secrets::remember_name(vm, &name);
    }
}
