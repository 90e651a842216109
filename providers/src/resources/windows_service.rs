use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_service",
    class: "WindowsService",
    parent: "Service",
    provider: "Service::Windows",
    doc: "Services of Windows.",
    introduced: "12.0",
    provides: &[Provides::when("windows_service", coerce::anywhere), Provides::os("service", &["windows"])],
    actions: &[
        "enable",
        "disable",
        "start",
        "stop",
        "restart",
        "reload",
        "mask",
        "unmask",
        "configure_startup",
        "create",
        "delete",
        "configure",
    ],
    mixins: &["Chef::Win32ServiceConstants"],
    properties: &[
        prop("timeout", &[Int]).desired_state(false).default(LitInt(60)).doc("Seconds to wait for a change of state."),
        prop("display_name", &[Str])
            .regex(r"^.{1,256}$")
            .message("The display_name can only be a maximum of 256 characters!")
            .since("14.0")
            .doc("Name for people."),
        prop("desired_access", &[Int])
            .default(LitInt(983551))
            .since("14.0")
            .doc("Access rights asked for, as a number."),
        prop("service_type", &[Int]).default(LitInt(16)).since("14.0").doc("Type of the service, as a number."),
        prop("startup_type", &[Sym])
            .coerce(startup_type)
            .default(LitSym("automatic"))
            .equal_to(&[LitSym("automatic"), LitSym("manual"), LitSym("disabled")])
            .doc("When it starts."),
        prop("delayed_start", &[TRUE_CLASS, FALSE_CLASS])
            .coerce(delayed_start)
            .default(False)
            .since("14.0")
            .doc("Start a while after boot."),
        prop("error_control", &[Int])
            .default(LitInt(1))
            .since("14.0")
            .doc("What Windows does if it fails at boot, as a number."),
        prop("binary_path_name", &[Str]).since("14.0").doc("The program with its arguments."),
        prop("load_order_group", &[Str]).since("14.0").doc("Group that it is started with."),
        prop("dependencies", &[Str, Array]).since("14.0").doc("Services that must run first."),
        prop("description", &[Str]).since("14.0").doc("What it is for."),
        prop("run_as_user", &[Str]).coerce(coerce::downcase).default(LitStr("localsystem")).doc("Account to run as."),
        prop("run_as_password", &[Str]).default(LitStr("")).sensitive().doc("Password of that account."),
    ],
    ..ResourceDef::DEFAULT
};

/// A start type number of Windows as its name; unknown numbers mean `:automatic`.
fn startup_type(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    Ok(match value {
        Value::Int(3) => Value::sym("manual"),
        Value::Int(4) => Value::sym("disabled"),
        Value::Int(_) => Value::sym("automatic"),
        _ => coerce::string_to_sym(vm, resource, value)?,
    })
}

/// An Integer as true or false.
fn delayed_start(_vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match value {
        Value::Int(number) => Value::bool(*number != 0),
        _ => value.clone(),
    })
}
