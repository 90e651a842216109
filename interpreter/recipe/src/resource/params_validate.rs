//! `Chef::Mixin::ParamsValidate`: `validate`, `set_or_return` and `lazy` for the code of cookbooks, with the validation of properties.

use super::property;
use super::validate::{Nil, Subject, check_one, failed, from_options};
use crate::names::N;
use crate::run::{about, chef_error};
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::{Args, Block, MethodDef, Res, Symbol, Value, Vm, at_least, def, opt, sym};

const NAME: &str = "Chef::Mixin::ParamsValidate";

/// The messages that the object was given for options (`validation_message`), by key.
const MESSAGES: &str = "@validation_message";

static METHODS: &[MethodDef] = &[
    def("validate", validate, 2),
    at_least("set_or_return", set_or_return, 3),
    opt("lazy", super::lazy::lazy, 0, 1),
    def("_pv_opts_lookup", opts_lookup, 2).private(),
    def("_validation_message", validation_message, 2).private(),
];

/// Registers the methods, which can also be called on the module itself.
pub fn boot(vm: &mut Vm) {
    if let Some(module) = vm.class_named(NAME) {
        vm.define_methods(module, METHODS);
        vm.define_singleton_methods(module, METHODS);
        if let Some(resource) = crate::run::process_mut(vm).classes.resource {
            vm.include_module(resource, module);
        }
    }
}

/// `set_or_return(name, value, checks)` of old custom resources.
pub fn set_or_return(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let options = checks_of(vm, args.at(2))?.into_iter().collect();
    let id = crate::resource::class::id_of(&Value::Class(vm.real_class_of(this)));
    let made = std::rc::Rc::new(property::from_options(vm, name, id, None, options, None)?);
    if args.at(1).is_nil() {
        let value = property::get(vm, this, &made)?;
        if vm.ivar_get(this, made.ivar).is_none() {
            vm.ivar_set(this, made.ivar, value.clone());
        }
        return Ok(value);
    }
    property::set(vm, this, &made, args.at(1).clone())
}

/// `validate(options, map)`: the options with missing defaults added; raises ValidationFailed for the first check that fails.
pub fn validate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let map = match super::chef_property::of(vm, args.at(1)) {
        Some(_) => vm.call_name(args.at(1), "validation_options", &[])?,
        None => args.at(1).clone(),
    };
    if !matches!(args.at(0), Value::Hash(_)) {
        return Err(vm.argument_error("Options must be a hash"));
    }
    let Value::Hash(map) = map else { return Err(vm.argument_error("Validation Map must be a hash")) };
    let map: Vec<(Value, Value)> = map.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (key, checks) in map {
        if !matches!(key, Value::Sym(_) | Value::Str(_)) {
            return Err(vm.argument_error("Validation map keys must be symbols or strings!"));
        }
        keep_message(vm, this, &key, &checks)?;
        let checks = match checks {
            Value::True => vec![(N.required, Value::True)],
            other => checks_of(vm, &other)?,
        };
        let message = kept_message(vm, this, &key)?;
        let option = Checked { options: args.at(0), name: vm.to_name(&key)?, key, message };
        for (check, argument) in checks {
            option.check(vm, this, check, argument)?;
        }
    }
    Ok(args.at(0).clone())
}

/// Moves the message of an option from its checks to the object, which keeps it for later calls, as Chef does.
fn keep_message(vm: &mut Vm, this: &Value, key: &Value, checks: &Value) -> Res<()> {
    let Value::Hash(hash) = checks else { return Ok(()) };
    let name = Value::Sym(N.validation_message);
    if vm.hash_get(hash, &name)?.is_none() {
        return Ok(());
    }
    let message = vm.call_name(checks, "delete", &[name])?;
    let slot = Symbol::intern_static(MESSAGES);
    let messages = match vm.ivar_get(this, slot) {
        Some(known) => known,
        None => {
            let made = vm.new_hash(Vec::new())?;
            vm.ivar_set(this, slot, made.clone());
            made
        }
    };
    vm.call(&messages, sym::ASET, &[key.clone(), message]).map(drop)
}
fn kept_message(vm: &mut Vm, this: &Value, key: &Value) -> Res<Option<Value>> {
    match vm.ivar_get(this, Symbol::intern_static(MESSAGES)) {
        Some(Value::Hash(messages)) => vm.hash_get(&messages, key),
        _ => Ok(None),
    }
}

/// `_validation_message(key, default)`, for the `_pv_` methods of cookbooks.
fn validation_message(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(kept_message(vm, this, args.at(0))?.unwrap_or_else(|| args.at(1).clone()))
}
/// `_pv_opts_lookup(options, key)`: the value under the key as a String or a Symbol, or nil.
fn opts_lookup(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(1))?;
    for key in [Value::str(name.as_str()), Value::Sym(name)] {
        if vm.call_name(args.at(0), "key?", std::slice::from_ref(&key))?.truthy() {
            return vm.call(args.at(0), sym::AREF, &[key]);
        }
    }
    Ok(Value::Nil)
}

/// The pairs of a Hash of checks; empty for any other value.
fn checks_of(vm: &mut Vm, checks: &Value) -> Res<Vec<(Symbol, Value)>> {
    let Value::Hash(hash) = checks else { return Ok(Vec::new()) };
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    pairs.into_iter().map(|(key, value)| Ok((vm.to_name(&key)?, value))).collect()
}

/// An option with its checks.
struct Checked<'a> {
    options: &'a Value,
    /// Its key in the map of checks; the options may use a String or a Symbol.
    key: Value,
    name: Symbol,
    message: Option<Value>,
}

impl Checked<'_> {
    /// The key under which the option is given, and its value.
    fn given(&self, vm: &mut Vm) -> Res<Option<(Value, Value)>> {
        let Value::Hash(options) = self.options else { return Ok(None) };
        for key in [Value::str(self.name.as_str()), Value::Sym(self.name)] {
            if let Some(value) = vm.hash_get(options, &key)? {
                return Ok(Some((key, value)));
            }
        }
        Ok(None)
    }

    fn set(&self, vm: &mut Vm, key: &Value, value: Value) -> Res<()> {
        vm.call(self.options, sym::ASET, &[key.clone(), value]).map(drop)
    }

    fn check(&self, vm: &mut Vm, this: &Value, check: Symbol, argument: Value) -> Res<()> {
        let given = self.given(vm)?;
        let value = given.as_ref().map_or(Value::Nil, |(_, value)| value.clone());
        let subject =
            Subject { name: self.name, message: self.message.as_ref(), default_is_nil: false, is_legacy: false };
        if check == N.validation_message {
            return Ok(());
        }
        if check == N.required {
            if argument.truthy() && value.is_nil() {
                let text = format!("Required argument {} is missing!", vm.inspect(&self.key)?);
                let error = failed(vm, &subject, text);
                return Err(about(vm, error, crate::run::Subject::Required));
            }
            return Ok(());
        }
        if check == N.default {
            if value.is_nil() {
                if !property::is_lazy(vm, &argument)? {
                    property::freeze_default(vm, &argument);
                }
                self.set(vm, &self.key, argument)?;
            }
            return Ok(());
        }
        if check == N.name_property || check == N.name_attribute {
            if argument.truthy() && value.is_nil() {
                not_of_the_module(vm, this, "name_property cannot be evaluated without a resource.")?;
                let name = vm.ivar_get(this, Symbol::intern_static("@name")).unwrap_or_default();
                self.set(vm, &self.key, name)?;
            }
            return Ok(());
        }
        if check == N.coerce {
            let (Some((key, value)), Value::Proc(coercer)) = (given, &argument) else { return Ok(()) };
            not_of_the_module(vm, this, "coerce must be evaluated for each resource.")?;
            let made = vm.call_block_as(Block::Proc(coercer), this, None, Args::new(&[value]))?;
            return self.set(vm, &key, made);
        }
        if check == N.is && given.is_none() {
            return Ok(());
        }
        if let Some(own) = own_check(vm, this, check) {
            // such a check may change the options
            return vm.call(this, own, &[self.options.clone(), self.key.clone(), argument]).map(drop);
        }
        let single: OrderedMap<Symbol, Value> = [(check, argument)].into_iter().collect();
        for validator in from_options(vm, &single)? {
            if matches!(&validator, super::validate::Validator::Is(list) if list.iter().any(|one| matches!(one, Value::Proc(_))))
            {
                not_of_the_module(vm, this, "is: proc { } must be evaluated once for each resource")?;
            }
            check_one(vm, this, &subject, &validator, &value, Nil::Checked)?;
        }
        Ok(())
    }
}

/// The method `_pv_NAME` of the object that makes a check; None for Chef's own checks.
fn own_check(vm: &mut Vm, this: &Value, check: Symbol) -> Option<Symbol> {
    if [N.is, N.equal_to, N.kind_of, N.regex, N.callbacks, N.respond_to, N.cannot_be].contains(&check) {
        return None;
    }
    let method = Symbol::intern(&format!("_pv_{check}"));
    let class = vm.class_of(this);
    vm.find_method(class, method).map(|_| method)
}

/// Raises CannotValidateStaticallyError if `validate` is called on the module itself.
fn not_of_the_module(vm: &mut Vm, this: &Value, text: &str) -> Res<()> {
    let module = vm.class_named(NAME);
    if matches!(this, Value::Class(class) if Some(*class) == module) {
        return Err(chef_error(vm, "CannotValidateStaticallyError", text));
    }
    Ok(())
}
