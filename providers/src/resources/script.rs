use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, opt};

pub static DEF: ResourceDef = ResourceDef {
    name: "script",
    class: "Script",
    parent: "Execute",
    doc: "Runs a text with an interpreter; parent of bash, perl, python and the like.",
    provides: &[Provides::always("script")],
    properties: &[
        prop("name", &[Str])
            .identity()
            .desired_state(false)
            .required()
            .coerce(coerce::resource_name)
            .doc("Name of the resource."),
        prop("code", &[Str]).required().doc("The script."),
        prop("interpreter", &[Str]).doc("Program that reads the script."),
        prop("flags", &[Str]).doc("Options for the interpreter."),
    ],
    init: Some(init),
    default_guard_interpreter: "default",
    methods: METHODS,
    overlay: true,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[opt("command", command, 0, 1)];

/// A script has no default command: `code` is what runs.
fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@command", Value::Nil);
    Ok(())
}

/// Reads `command` of the parent class; setting it is an error, since `code` is what runs.
fn command(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        return Ok(coerce::take(vm, this, "@command"));
    }
    let name = coerce::read(vm, this, "resource_name")?;
    let name = vm.to_s_text(&name)?;
    Err(coerce::chef_error(
        vm,
        "Script",
        format!("Do not use the command property on a {name} resource, use the 'code' property instead."),
    ))
}
