use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "sudo",
    class: "Sudo",
    doc: "Keeps a file under sudoers.d.",
    introduced: "14.0",
    provides: &[Provides::when("sudo", coerce::anywhere)],
    actions: &["create", "install", "remove", "delete"],
    default_action: &["create"],
    properties: &[
        prop("filename", &[Str]).name_property().coerce(filename).doc("Name of the file."),
        prop("users", &[Str, Array])
            .coerce(coerce::split_commas)
            .default_empty(Array)
            .doc("Users that the rule is for."),
        prop("groups", &[Str, Array]).coerce(coerce_groups).default_empty(Array).doc("Groups that the rule is for."),
        prop("commands", &[Array]).default_list(&["ALL"]).doc("Commands that may be run."),
        prop("host", &[Str]).default(LitStr("ALL")).doc("Hosts where the rule holds."),
        prop("runas", &[Str]).default(LitStr("ALL")).doc("User to become."),
        prop("nopasswd", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Do not ask for a password."),
        prop("noexec", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Keep the command from starting others."),
        prop("template", &[Str]).doc("Template of the cookbook to use instead."),
        prop("variables", &[Hash, Nil]).default(Nil).doc("Variables for that template."),
        prop("defaults", &[Array]).default_empty(Array).doc("Defaults lines."),
        prop("command_aliases", &[Array])
            .default_empty(Array)
            .doc("Aliases for commands, as Hashes of `name` and `command_list`."),
        prop("setenv", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Let users keep their environment."),
        prop("env_keep_add", &[Array]).default_empty(Array).doc("Variables to keep."),
        prop("env_keep_subtract", &[Array]).default_empty(Array).doc("Variables to drop."),
        prop("visudo_path", &[Str]).deprecated("use visudo_binary").doc("Formerly: the visudo program."),
        prop("visudo_binary", &[Str]).default(LitStr("/usr/sbin/visudo")).doc("Program that checks the file."),
        prop("config_prefix", &[Str]).lazy(config_prefix).doc("Directory above sudoers.d."),
    ],
    aliases: &[("user", "users"), ("group", "groups")],
    after_created: Some(after_created),
    ..ResourceDef::DEFAULT
};

/// Replaces `.` and `~`, since sudo skips files whose names contain them.
fn filename(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let text = vm.to_text(value)?;
    Ok(Value::str(text.replace(['.', '~'], "__")))
}

/// Group names, each with a leading `%`.
fn coerce_groups(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let list = coerce::split_commas(vm, resource, value)?;
    let mut groups = Vec::new();
    for group in vm.to_array(&list)? {
        let text = vm.to_s_text(&group)?;
        groups.push(if text.starts_with('%') { text } else { format!("%{text}") });
    }
    Ok(coerce::strings(groups))
}

/// The parent directory of sudoers.d, by platform.
fn config_prefix(vm: &mut Vm, resource: &Value) -> Res {
    Ok(Value::str(match coerce::node_text(vm, resource, "platform_family")?.as_str() {
        "smartos" => "/opt/local/etc",
        "mac_os_x" => "/private/etc",
        "freebsd" => "/usr/local/etc",
        _ => "/etc",
    }))
}

/// Rejects a property of the former sudo cookbook.
fn after_created(vm: &mut Vm, resource: &Value) -> Res<()> {
    if !coerce::read(vm, resource, "visudo_path")?.truthy() {
        return Ok(());
    }
    Err(vm.runtime_error(
        "sudo: visudo_path is no longer a property; if visudo cannot be found, give its full path as visudo_binary",
    ))
}
