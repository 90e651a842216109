//! Global variables: plain ones, special ones, aliases. The cache of constants' values.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use crate::vm::{Global, GlobalGetter, GlobalSetter};

#[derive(Default)]
pub(crate) struct ConstCache {
    values: Vec<Value>,
    serial: u64,
}

impl Vm {
    /// Values that constant sites remember by index.
    #[inline]
    pub(crate) fn const_cache(&self) -> &[Value] {
        &self.const_values.values
    }
    pub(crate) fn remember_const(&mut self, value: Value) -> usize {
        if self.const_values.serial != self.const_serial {
            self.const_values.values.clear();
            self.const_values.serial = self.const_serial;
        }
        self.const_values.values.push(value);
        self.const_values.values.len() - 1
    }

    fn global_resolve(&self, name: Symbol) -> Symbol {
        let mut at = name;
        while let Some(Global::Alias(to)) = self.globals.get(&at) {
            at = *to;
        }
        at
    }
    /// Reads a global variable; nil when it is not set.
    pub fn global_get(&mut self, name: Symbol) -> Res {
        let name = self.global_resolve(name);
        match self.globals.get(&name) {
            Some(Global::Plain(value)) => Ok(value.clone()),
            Some(Global::Special(getter, _)) => getter(self, name),
            _ => Ok(Value::Nil),
        }
    }
    /// Writes a global variable; NameError for read-only ones.
    pub fn global_set(&mut self, name: Symbol, value: Value) -> Res<()> {
        let name = self.global_resolve(name);
        match self.globals.get(&name) {
            Some(Global::Special(_, Some(setter))) => setter(self, name, value),
            Some(Global::Special(_, None)) => {
                let object = self.main.clone();
                Err(self.name_error(format!("{name} is a read-only variable"), &object, name))
            }
            _ => {
                self.globals.insert(name, Global::Plain(value));
                Ok(())
            }
        }
    }
    /// Whether a global variable has been set.
    pub fn global_defined(&self, name: Symbol) -> bool {
        self.globals.contains_key(&self.global_resolve(name))
    }
    /// `alias $new $old`
    pub fn global_alias(&mut self, new: Symbol, old: Symbol) {
        if new != self.global_resolve(old) {
            self.globals.insert(new, Global::Alias(old));
        }
    }
    /// Defines a special global variable.
    pub fn define_global(&mut self, name: &'static str, getter: GlobalGetter, setter: Option<GlobalSetter>) {
        self.globals.insert(Symbol::intern_static(name), Global::Special(getter, setter));
    }
    /// Names of all global variables.
    pub fn global_names(&self) -> Vec<Symbol> {
        self.globals.keys().copied().collect()
    }
}

fn last_match(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.last_match())
}
fn set_last_match(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    if !value.is_nil() && !vm.is_a(&value, ClassId::MATCH_DATA) {
        let described = vm.describe(&value);
        return Err(vm.type_error(format!("wrong argument type {described} (expected MatchData)")));
    }
    vm.set_last_match(value);
    Ok(())
}
fn last_line(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.with_caller(|vm, cx| cx.map(|cx| vm.specials_of(cx).borrow().last_line.clone()).unwrap_or_default()))
}
fn set_last_line(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    vm.with_caller(|vm, cx| {
        if let Some(cx) = cx {
            vm.specials_of(cx).borrow_mut().last_line = value;
        }
    });
    Ok(())
}
fn errinfo(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.current_exception())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_global("$~", last_match, Some(set_last_match));
    vm.define_global("$_", last_line, Some(set_last_line));
    vm.define_global("$!", errinfo, None);
    for (name, value) in [("$VERBOSE", Value::False), ("$DEBUG", Value::False), ("$,", Value::Nil), ("$;", Value::Nil), ("$/", Value::str("\n"))] {
        vm.globals.insert(Symbol::intern_static(name), Global::Plain(value));
    }
}
