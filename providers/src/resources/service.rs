use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "service",
    class: "Service",
    doc: "Starts, stops and enables services of the init system.",
    provides: &[Provides::always("service")],
    actions: &["enable", "disable", "start", "stop", "restart", "reload", "mask", "unmask"],
    default_action: &["nothing"],
    mixins: &["ChefUtils::DSL::Service", "Chef::Platform::ServiceHelpers"],
    properties: &[
        prop("supports", &[Hash])
            .coerce(coerce::true_set)
            .lazy(no_support)
            .doc("Which of restart, reload and status the service's script understands."),
        prop("service_name", &[Str]).name_property().doc("Name in the init system."),
        prop("pattern", &[Str])
            .desired_state(false)
            .lazy(own_service_name)
            .doc("What to look for in the process table when there is no status command."),
        prop("start_command", &[Str, Nil, FALSE_CLASS]).desired_state(false).doc("Command that starts it."),
        prop("stop_command", &[Str, Nil, FALSE_CLASS]).desired_state(false).doc("Command that stops it."),
        prop("status_command", &[Str, Nil, FALSE_CLASS])
            .desired_state(false)
            .doc("Command that tells whether it runs, by exit code."),
        prop("restart_command", &[Str, Nil, FALSE_CLASS]).desired_state(false).doc("Command that restarts it."),
        prop("reload_command", &[Str, Nil, FALSE_CLASS])
            .desired_state(false)
            .doc("Command that makes it read its configuration again."),
        prop("init_command", &[Str]).desired_state(false).doc("Path of its init script."),
        prop("enabled", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Starts at boot, as found."),
        prop("running", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Runs, as found."),
        prop("masked", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Is masked, as found."),
        prop("static", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Is static (cannot be enabled), as found."),
        prop("indirect", &[TRUE_CLASS, FALSE_CLASS]).hidden().doc("Is indirectly enabled, as found."),
        prop("options", &[Array, Str])
            .coerce(coerce::shellsplit)
            .doc("Extra options for the tool that controls services."),
        prop("priority", &[Int, Str, Hash]).doc("Start and stop order, one for all or per run level (Debian)."),
        prop("timeout", &[Int]).desired_state(false).default(LitInt(900)).doc("Seconds to wait for a change of state."),
        prop("parameters", &[Hash]).doc("Parameters of an upstart job."),
        prop("run_levels", &[Array]).doc("SysV run levels to be on in."),
        prop("user", &[Str]).since("12.21").doc("User whose systemd instance is meant."),
    ],
    manages: Manages::Object(Object { ending: ".service", ..Object::new("service", "service_name") }),
    ..ResourceDef::DEFAULT
};

fn own_service_name(vm: &mut Vm, resource: &Value) -> Res {
    coerce::read(vm, resource, "service_name")
}

fn no_support(vm: &mut Vm, _resource: &Value) -> Res {
    coerce::symbol_hash(vm, &[("restart", Value::Nil), ("reload", Value::Nil), ("status", Value::Nil)])
}
