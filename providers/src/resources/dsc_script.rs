use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, ClassId, Error, MethodDef, any, opt, sym};

pub static DEF: ResourceDef = ResourceDef {
    name: "dsc_script",
    class: "DscScript",
    doc: "Runs a script of PowerShell's DSC (Windows).",
    provides: &[Provides::always("dsc_script")],
    actions: &["run"],
    default_action: &["run"],
    properties: &[
        prop("flags", &[Hash]).doc("Parameters of the configuration."),
        prop("cwd", &[Str]).doc("Directory to run in."),
        prop("environment", &[Hash]).doc("Environment variables."),
        prop("timeout", &[Int]).desired_state(false).doc("Seconds to let it run."),
    ],
    init: Some(init),
    methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    opt("code", code, 0, 1),
    opt("command", command, 0, 1),
    opt("configuration_name", configuration_name, 0, 1),
    opt("configuration_data", configuration_data, 0, 1),
    opt("configuration_data_script", configuration_data_script, 0, 1),
    any("imports", imports),
];

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    let imports = vm.new_hash(Vec::new())?;
    coerce::put(vm, resource, "@imports", imports);
    Ok(())
}

fn clash(vm: &mut Vm, first: &str, second: &str) -> Error {
    vm.error(ClassId::ARGUMENT_ERROR, format!("The '{first}' and '{second}' properties may not be used together"))
}

fn given(vm: &mut Vm, this: &Value, ivar: &'static str) -> bool {
    coerce::take(vm, this, ivar).truthy()
}

/// Accessor of a String value: reads it without an argument, else sets it.
fn access(vm: &mut Vm, this: &Value, args: &Args<'_>, name: &str, ivar: &'static str) -> Res {
    let value = args.at(0);
    if value.is_nil() {
        return Ok(coerce::take(vm, this, ivar));
    }
    if !matches!(value, Value::Str(_)) {
        let shown = vm.inspect(value)?;
        return Err(coerce::chef_error(
            vm,
            "ValidationFailed",
            format!("Option {name} must be a kind of [String]!  You passed {shown}."),
        ));
    }
    coerce::put(vm, this, ivar, value.clone());
    Ok(value.clone())
}

fn code(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).truthy() && given(vm, this, "@command") {
        return Err(vm.argument_error("Only one of 'code' and 'command' properties may be specified"));
    }
    if args.at(0).truthy() && given(vm, this, "@configuration_name") {
        return Err(clash(vm, "code", "command"));
    }
    access(vm, this, &args, "code", "@code")
}

/// Path of the script that defines the configuration.
fn command(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).truthy() && given(vm, this, "@code") {
        return Err(clash(vm, "code", "command"));
    }
    access(vm, this, &args, "command", "@command")
}

fn configuration_name(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).truthy() && given(vm, this, "@code") {
        return Err(vm.argument_error("Property `configuration_name` may not be set if `code` is set"));
    }
    access(vm, this, &args, "configuration_name", "@configuration_name")
}

fn configuration_data(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).truthy() && given(vm, this, "@configuration_data_script") {
        return Err(clash(vm, "configuration_data", "configuration_data_script"));
    }
    access(vm, this, &args, "configuration_data", "@configuration_data")
}

/// Path of a script that gives the configuration data.
fn configuration_data_script(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).truthy() && given(vm, this, "@configuration_data") {
        return Err(clash(vm, "configuration_data", "configuration_data_script"));
    }
    access(vm, this, &args, "configuration_data_script", "@configuration_data_script")
}

/// Imports resources of a module (all of them if none is named); without arguments, gives the imports.
fn imports(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let imports = coerce::take(vm, this, "@imports");
    let (Some((module, resources)), Value::Hash(hash)) = (args.pos.split_first(), &imports) else { return Ok(imports) };
    let mut list = match vm.hash_get(hash, module)? {
        Some(list) => vm.to_array(&list)?,
        None => Vec::new(),
    };
    match resources {
        [] => list.push(Value::str("*")),
        _ => list.extend_from_slice(resources),
    }
    vm.call(&imports, sym::ASET, &[module.clone(), Value::array(list)])
}
