//! `Chef::Mixin::Properties`: properties of classes that are no resources, and of modules that resources include.

use super::class::list_anew;
use super::class_body::PROPERTY_METHODS;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def};

static CLASS: &[MethodDef] = &[def("included", included, 1)];
/// For modules that include one with properties.
static NESTED: &[MethodDef] = &[def("included", included, 1)];

/// Gives a class or module that includes the mixin the methods that declare properties.
fn included(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = Symbol::intern_static("Chef::Mixin::Properties::ClassMethods");
    if let Some(methods) = vm.class_named(name.as_str()) {
        vm.call_name(args.at(0), "extend", &[Value::Class(methods)])?;
    }
    list_anew(vm);
    Ok(Value::Nil)
}

/// Registers `Chef::Mixin::Properties`.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    let mixin = vm.define_module(chef, "Mixin");
    let module = vm.define_module(mixin, "Properties");
    vm.define_singleton_methods(module, CLASS);
    let methods = vm.define_module(module, "ClassMethods");
    vm.define_methods(methods, PROPERTY_METHODS);
    vm.define_methods(methods, NESTED);
    vm.define_methods(module, super::instance::PROPERTY_METHODS);
}
