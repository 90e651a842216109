//! `Chef::ResourceBuilder`: makes a resource that is in no collection (facts: lib/chef/resource_builder.rb). The DSL does not go through it.

use super::resources::{Builder, Target, build};
use crate::names::N;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def};

/// The keywords of `new`, each of which is kept in the instance variable of its name and has a reader.
const GIVEN: [&str; 9] = [
    "type",
    "name",
    "created_at",
    "params",
    "run_context",
    "cookbook_name",
    "recipe_name",
    "enclosing_provider",
    "new_resource",
];

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("build", build_resource, 0),
    def("type", reader, 0),
    def("name", reader, 0),
    def("created_at", reader, 0),
    def("params", reader, 0),
    def("run_context", reader, 0),
    def("cookbook_name", reader, 0),
    def("recipe_name", reader, 0),
    def("enclosing_provider", reader, 0),
    def("new_resource", reader, 0),
    def("resource", reader, 0),
];

fn variable(name: &str) -> Symbol {
    Symbol::intern(&format!("@{name}"))
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, values) = args.take_keywords(vm, GIVEN.map(Symbol::intern))?;
    if !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    for (name, value) in GIVEN.iter().zip(values) {
        vm.ivar_set(this, variable(name), value.unwrap_or_default());
    }
    Ok(Value::Nil)
}

fn given(vm: &Vm, this: &Value, name: &str) -> Value {
    vm.ivar_get(this, variable(name)).unwrap_or_default()
}

fn reader(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let name = vm.current_native_name().unwrap_or(N.nothing);
    Ok(given(vm, this, name.as_str()))
}

fn build_resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let kind = given(vm, this, "type");
    let (kind, name) = (vm.to_name(&kind)?, given(vm, this, "name"));
    let target = Target {
        created_at: Some(given(vm, this, "created_at")),
        builder: Some(Builder {
            enclosing_provider: given(vm, this, "enclosing_provider"),
            new_resource: given(vm, this, "new_resource"),
        }),
        ..Target::of(&given(vm, this, "run_context"))
    };
    let made = build(vm, this, kind, &name, &target, args.block)?;
    vm.ivar_set(this, variable("resource"), made.clone());
    Ok(made)
}

pub fn boot(vm: &mut Vm, chef: ClassId) {
    let class = vm.define_class(chef, "ResourceBuilder", ClassId::OBJECT);
    vm.define_methods(class, METHODS);
}
