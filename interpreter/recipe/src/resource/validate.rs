//! Validation of property values, with Chef's messages (SPEC-compile 4.6, `Chef::Mixin::ParamsValidate`).

use super::def::{Callback, Type};
use super::property::{Property, literal_value};
use crate::names::N;
use crate::run::chef_error;
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::{Args, Block, ClassId, Error, Res, Symbol, Value, Vm, sym};

#[derive(Clone)]
pub enum Validator {
    /// The types and literals of a shipped resource.
    Types(&'static [Type]),
    /// `is:` and the positional type.
    Is(Vec<Value>),
    /// An Array, shared with the cookbook: it may be long, and that of many properties.
    EqualTo(Value),
    KindOf(Vec<Value>),
    Regex(Value),
    /// `regex:` of a shipped resource.
    Matches(&'static str),
    Callbacks(Value),
    /// Callbacks of a shipped resource.
    NativeCallbacks(&'static [Callback]),
    RespondTo(Vec<Value>),
    CannotBe(Value),
    /// Any other option calls the method `_pv_NAME` of the resource.
    Other(Symbol, Value),
}

/// Whether an option is a check.
pub fn is_check(key: Symbol) -> bool {
    ![
        N.declared_in,
        N.name,
        N.instance_variable_name,
        N.desired_state,
        N.identity,
        N.default,
        N.name_property,
        N.coerce,
        N.required,
        N.nillable,
        N.sensitive,
        N.description,
        N.introduced,
        N.deprecated,
        N.default_description,
        N.skip_docs,
        N.validation_message,
    ]
    .contains(&key)
}

/// The validators in a property's options, in order.
pub fn from_options(vm: &mut Vm, options: &OrderedMap<Symbol, Value>) -> Res<Vec<Validator>> {
    let mut found = Vec::new();
    let mut last = None;
    for (key, value) in options {
        if !is_check(*key) {
            continue;
        }
        let key = *key;
        let list = |vm: &mut Vm| vm.to_array(value);
        if key == N.is {
            last = Some(Validator::Is(match value {
                Value::Array(_) => list(vm)?,
                other => vec![other.clone()],
            }));
        } else if key == N.equal_to {
            found.push(Validator::EqualTo(match value {
                Value::Array(_) => value.clone(),
                other => Value::array(vm.to_array(other)?),
            }));
        } else if key == N.kind_of {
            found.push(Validator::KindOf(list(vm)?));
        } else if key == N.regex {
            found.push(Validator::Regex(value.clone()));
        } else if key == N.callbacks {
            found.push(Validator::Callbacks(value.clone()));
        } else if key == N.respond_to {
            found.push(Validator::RespondTo(list(vm)?));
        } else if key == N.cannot_be {
            found.push(Validator::CannotBe(value.clone()));
        } else {
            found.push(Validator::Other(key, value.clone()));
        }
    }
    found.extend(last);
    Ok(found)
}

/// Whether a type check accepts nil.
pub fn accepts_nil(vm: &mut Vm, validator: &Validator) -> Res<bool> {
    match validator {
        Validator::Types(types) => Ok(types.contains(&Type::Nil)),
        Validator::Is(list) => {
            for item in list {
                if !matches!(item, Value::Proc(_)) && vm.call(item, sym::EQQ, &[Value::Nil])?.truthy() {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => Ok(false),
    }
}

/// The property or option being validated: its name, its own message instead of Chef's, and whether its default is nil.
pub(super) struct Subject<'a> {
    pub name: Symbol,
    pub message: Option<&'a Value>,
    pub default_is_nil: bool,
    /// Chef declares it by `set_or_return` with `kind_of:`.
    pub is_legacy: bool,
}

/// The ValidationFailed error with this message, or with the subject's own.
#[cold]
pub(super) fn failed(vm: &mut Vm, subject: &Subject<'_>, text: String) -> Error {
    let text = match subject.message {
        Some(message) => vm.to_s_text(message).unwrap_or(text),
        None => text,
    };
    chef_error(vm, "ValidationFailed", text)
}

fn shown_list(vm: &mut Vm, items: &[Value]) -> Res<String> {
    let mut shown = Vec::new();
    for item in items {
        shown.push(vm.inspect(item)?);
    }
    Ok(shown.join(", "))
}

fn type_matches(vm: &mut Vm, kind: Type, value: &Value) -> Res<bool> {
    Ok(match kind {
        Type::Str => matches!(value, Value::Str(_)),
        Type::Sym => matches!(value, Value::Sym(_)),
        Type::Int => matches!(value, Value::Int(_) | Value::Big(_)),
        Type::Float => matches!(value, Value::Float(_)),
        Type::Bool => matches!(value, Value::True | Value::False),
        Type::Array => matches!(value, Value::Array(_)),
        Type::Hash => matches!(value, Value::Hash(_)),
        Type::Nil => value.is_nil(),
        Type::Proc => matches!(value, Value::Proc(_)),
        Type::Class(path) => match vm.class_named(path) {
            Some(class) => vm.is_a(value, class),
            None => false,
        },
        Type::Matches(source) => match value {
            Value::Str(_) => regexp_matches(vm, source, value)?,
            _ => false,
        },
        literal => vm.eq(&literal_value(literal), value)?,
    })
}

/// The compiled patterns of shipped resources, each with the last text that matched, since owners and modes repeat.
#[derive(Default)]
struct Compiled(rustc_hash::FxHashMap<&'static str, (Value, Option<String>)>);

fn regexp_matches(vm: &mut Vm, source: &'static str, value: &Value) -> Res<bool> {
    let text = vm.to_s_text(value)?;
    let regexp = match vm.extension::<Compiled>().0.get(source) {
        Some((_, Some(last))) if *last == text => return Ok(true),
        Some((regexp, _)) => regexp.clone(),
        None => vm.call(&Value::Class(ClassId::REGEXP), sym::NEW, &[Value::str(source)])?,
    };
    let subject = vm.to_s(value)?;
    let matched = vm.call_name(&regexp, "match?", &[Value::Str(subject)])?.truthy();
    vm.extension::<Compiled>().0.insert(source, (regexp, matched.then_some(text)));
    Ok(matched)
}

/// A type in a message.
pub fn type_text(kind: &Type) -> String {
    match kind {
        Type::Str => "String".into(),
        Type::Sym => "Symbol".into(),
        Type::Int => "Integer".into(),
        Type::Float => "Float".into(),
        Type::Bool => "TrueClass, FalseClass".into(),
        Type::Array => "Array".into(),
        Type::Hash => "Hash".into(),
        Type::Nil => "nil".into(),
        Type::Proc => "Proc".into(),
        Type::Class(path) => (*path).into(),
        Type::Matches(source) => format!("/{source}/"),
        Type::LitStr(text) => format!("{text:?}"),
        Type::LitSym(name) => format!(":{name}"),
        Type::LitInt(number) => number.to_string(),
        Type::True => "true".into(),
        Type::False => "false".into(),
    }
}

/// Validates a value with all validators of a property.
pub fn check(vm: &mut Vm, resource: &Value, property: &Property, value: &Value) -> Res<()> {
    check_as(vm, resource, property, value, Nil::Default)
}

/// How a nil value is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Nil {
    /// nil is the declared default and accepted.
    Default,
    /// nil must be accepted by the types like any other value.
    Checked,
}

/// Like [`check`]; `nil` says how nil is treated, since a declared default is validated, too.
pub fn check_as(vm: &mut Vm, resource: &Value, property: &Property, value: &Value, nil: Nil) -> Res<()> {
    check_named(vm, resource, property, property.name, value, nil)
}

/// Like [`check_as`], with the name by which messages call the value.
fn check_named(vm: &mut Vm, resource: &Value, property: &Property, name: Symbol, value: &Value, nil: Nil) -> Res<()> {
    let subject = Subject {
        name,
        message: property.validation_message.as_ref(),
        default_is_nil: matches!(property.default, super::property::PropertyDefault::Value(Value::Nil)),
        is_legacy: property.legacy,
    };
    for validator in &property.validators {
        check_one(vm, resource, &subject, validator, value, nil)?;
    }
    Ok(())
}

/// Validates a value with one validator. Procs and `_pv_` methods are called on the resource, or the object in its place.
pub(super) fn check_one(
    vm: &mut Vm,
    resource: &Value,
    subject: &Subject<'_>,
    validator: &Validator,
    value: &Value,
    nil: Nil,
) -> Res<()> {
    if value.is_nil() && !matches!(validator, Validator::Types(_) | Validator::Is(_) | Validator::Other(..)) {
        return Ok(());
    }
    match validator {
        Validator::Types(types) => of_types(vm, subject, types, value, nil),
        Validator::Is(list) => is(vm, resource, subject, list, value),
        Validator::EqualTo(list) => equal_to(vm, subject, list, value),
        Validator::KindOf(list) => kind_of(vm, subject, list, value),
        Validator::Matches(source) => {
            let matched = regexp_matches(vm, source, value)?;
            if matched { Ok(()) } else { no_match(vm, subject, value, &format!("/{source}/")) }
        }
        Validator::Regex(regexps) => regex(vm, subject, regexps, value),
        Validator::Callbacks(callbacks) => of_callbacks(vm, subject, callbacks, value),
        Validator::NativeCallbacks(callbacks) => {
            for (message, callback) in *callbacks {
                if !callback(vm, value)? {
                    return not_met(vm, subject, value, message);
                }
            }
            Ok(())
        }
        Validator::RespondTo(methods) => {
            for method in methods {
                let method = vm.to_name(method)?;
                if !vm.respond_to(value, method, false)? {
                    return Err(failed(vm, subject, format!("Option {} must have a {method} method!", subject.name)));
                }
            }
            Ok(())
        }
        Validator::CannotBe(predicates) => cannot_be(vm, subject, predicates, value),
        Validator::Other(option, argument) => {
            let method = Symbol::intern(&format!("_pv_{option}"));
            if !vm.respond_to(resource, method, true)? {
                return Err(vm.argument_error(format!("Validation map has unknown check: {option}")));
            }
            let options = vm.new_hash(vec![(Value::Sym(subject.name), value.clone())])?;
            vm.call(resource, method, &[options, Value::Sym(subject.name), argument.clone()])?;
            Ok(())
        }
    }
}

fn of_types(vm: &mut Vm, subject: &Subject<'_>, types: &[Type], value: &Value, nil: Nil) -> Res<()> {
    for kind in types {
        if type_matches(vm, *kind, value)? {
            return Ok(());
        }
    }
    if value.is_nil() && nil == Nil::Default && subject.default_is_nil {
        return Ok(());
    }
    let types: Vec<String> = types.iter().map(type_text).collect();
    if subject.is_legacy {
        let (types, shown, name) = (types.join(", "), vm.inspect(value)?, subject.name);
        return Err(failed(vm, subject, format!("Option {name} must be a kind of [{types}]!  You passed {shown}.")));
    }
    none_of(vm, subject, &types.join(", "), value, &[])
}

/// The error for a value that matches none of the alternatives, with the messages of properties among these.
fn none_of(vm: &mut Vm, subject: &Subject<'_>, alternatives: &str, value: &Value, errors: &[String]) -> Res<()> {
    let shown = vm.inspect(value)?;
    let mut text = format!("Property {} must be one of: {alternatives}!  You passed {shown}.", subject.name);
    if !errors.is_empty() {
        let lines: Vec<String> = errors.iter().map(|line| format!("- {line}")).collect();
        text.push_str(&format!(" Errors:\n{}", lines.join("\n")));
    }
    Err(failed(vm, subject, text))
}

fn is(vm: &mut Vm, resource: &Value, subject: &Subject<'_>, list: &[Value], value: &Value) -> Res<()> {
    let mut errors = Vec::new();
    for item in list {
        let passed = match (item, super::chef_property::of(vm, item)) {
            (Value::Proc(proc), _) => {
                let args = Args::new(std::slice::from_ref(value));
                vm.call_block_as(Block::Proc(proc), resource, None, args)?.truthy()
            }
            (_, Some(inner)) if list.len() == 1 => {
                check_named(vm, resource, &inner, subject.name, value, Nil::Default)?;
                true
            }
            (_, Some(inner)) => match refusal(vm, resource, &inner, subject.name, value)? {
                None => true,
                Some(error) => {
                    errors.push(error);
                    false
                }
            },
            (_, None) => vm.call(item, sym::EQQ, std::slice::from_ref(value))?.truthy(),
        };
        if passed {
            return Ok(());
        }
    }
    let alternatives = shown_list(vm, list)?;
    none_of(vm, subject, &alternatives, value, &errors)
}

/// The message with which a property rejects a value.
fn refusal(vm: &mut Vm, resource: &Value, property: &Property, name: Symbol, value: &Value) -> Res<Option<String>> {
    let class = vm.class_named("Chef::Exceptions::ValidationFailed").unwrap_or(ClassId::STANDARD_ERROR);
    let outcome = vm.rescue(
        class,
        |vm| check_named(vm, resource, property, name, value, Nil::Default).map(|()| None),
        |_, error| Ok(Some(error)),
    )?;
    let Some(error) = outcome else { return Ok(None) };
    let text = vm.call(&error, sym::MESSAGE, &[])?;
    vm.to_s_text(&text).map(Some)
}

fn equal_to(vm: &mut Vm, subject: &Subject<'_>, list: &Value, value: &Value) -> Res<()> {
    let Value::Array(items) = list else { return Ok(()) };
    let mut at = 0;
    while let Some(item) = items.get(vm).items.get(at).cloned() {
        if vm.eq(&item, value)? {
            return Ok(());
        }
        at += 1;
    }
    let items = items.get(vm).items.clone();
    let (alternatives, shown, name) = (shown_list(vm, &items)?, vm.inspect(value)?, subject.name);
    let text = format!("Option {name} must be equal to one of: {alternatives}!  You passed {shown}.");
    Err(failed(vm, subject, text))
}

fn kind_of(vm: &mut Vm, subject: &Subject<'_>, list: &[Value], value: &Value) -> Res<()> {
    for item in list {
        let Value::Class(class) = item else { return Err(vm.type_error("class or module required")) };
        if vm.is_a(value, *class) {
            return Ok(());
        }
    }
    let (alternatives, shown, name) = (shown_list(vm, list)?, vm.inspect(value)?, subject.name);
    Err(failed(vm, subject, format!("Option {name} must be a kind of [{alternatives}]!  You passed {shown}.")))
}

fn regex(vm: &mut Vm, subject: &Subject<'_>, regexps: &Value, value: &Value) -> Res<()> {
    let text = vm.to_s(value)?;
    for regexp in flatten(vm, regexps)? {
        if vm.call_name(&regexp, "match?", &[Value::Str(text.clone())])?.truthy() {
            return Ok(());
        }
    }
    let shown = vm.inspect(regexps)?;
    no_match(vm, subject, value, &shown)
}

fn no_match(vm: &mut Vm, subject: &Subject<'_>, value: &Value, regexp: &str) -> Res<()> {
    let (shown, name) = (vm.to_s_text(value)?, subject.name);
    Err(failed(vm, subject, format!("Property {name}'s value {shown} does not match regular expression {regexp}")))
}

fn of_callbacks(vm: &mut Vm, subject: &Subject<'_>, callbacks: &Value, value: &Value) -> Res<()> {
    let Value::Hash(hash) = callbacks else { return Err(vm.argument_error("Callback list must be a hash!")) };
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (message, callback) in pairs {
        if !vm.call(&callback, sym::CALL, std::slice::from_ref(value))?.truthy() {
            let message = vm.to_s_text(&message)?;
            return not_met(vm, subject, value, &message);
        }
    }
    Ok(())
}

/// The error for a callback, described by `message`, that rejects the value.
fn not_met(vm: &mut Vm, subject: &Subject<'_>, value: &Value, message: &str) -> Res<()> {
    let shown = vm.to_s_text(value)?;
    Err(failed(vm, subject, format!("Option {}'s value {shown} {message}!", subject.name)))
}

fn cannot_be(vm: &mut Vm, subject: &Subject<'_>, predicates: &Value, value: &Value) -> Res<()> {
    for predicate in vm.to_array(predicates)? {
        let method = Symbol::intern(&format!("{}?", vm.to_name(&predicate)?));
        if vm.respond_to(value, method, false)? && vm.call(value, method, &[])?.truthy() {
            let shown = vm.to_s_text(predicates)?;
            return Err(failed(vm, subject, format!("Option {} cannot be {shown}", subject.name)));
        }
    }
    Ok(())
}

fn flatten(vm: &mut Vm, value: &Value) -> Res<Vec<Value>> {
    match value {
        Value::Array(array) => {
            let mut all = Vec::new();
            for item in array.get(vm).items.clone() {
                all.extend(flatten(vm, &item)?);
            }
            Ok(all)
        }
        other => Ok(vec![other.clone()]),
    }
}
