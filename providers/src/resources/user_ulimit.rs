use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "user_ulimit",
    class: "UserUlimit",
    doc: "Keeps limits of users under security/limits.d.",
    introduced: "16.0",
    provides: &[Provides::always("user_ulimit")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("username", &[Str]).name_property().doc("User, group with `@`, or `*`."),
        prop("as_limit", &[Str, Int]).doc("Limit of address space."),
        prop("as_soft_limit", &[Str, Int]).doc("Soft limit of address space."),
        prop("as_hard_limit", &[Str, Int]).doc("Hard limit of address space."),
        prop("filehandle_limit", &[Str, Int]).doc("Limit of open files."),
        prop("filehandle_soft_limit", &[Str, Int]).doc("Soft limit of open files."),
        prop("filehandle_hard_limit", &[Str, Int]).doc("Hard limit of open files."),
        prop("process_limit", &[Str, Int]).doc("Limit of processes."),
        prop("process_soft_limit", &[Str, Int]).doc("Soft limit of processes."),
        prop("process_hard_limit", &[Str, Int]).doc("Hard limit of processes."),
        prop("locks_limit", &[Str, Int]).doc("Limit of locked memory."),
        prop("memory_limit", &[Str, Int]).doc("Limit of locked-in memory."),
        prop("maxlogins_limit", &[Str, Int]).doc("Limit of logins."),
        prop("maxlogins_soft_limit", &[Str, Int]).doc("Soft limit of logins."),
        prop("maxlogins_hard_limit", &[Str, Int]).doc("Hard limit of logins."),
        prop("msgqueue_limit", &[Str, Int]).doc("Limit of message queues."),
        prop("msgqueue_soft_limit", &[Str, Int]).doc("Soft limit of message queues."),
        prop("msgqueue_hard_limit", &[Str, Int]).doc("Hard limit of message queues."),
        prop("core_limit", &[Str, Int]).doc("Limit of core files."),
        prop("core_soft_limit", &[Str, Int]).doc("Soft limit of core files."),
        prop("core_hard_limit", &[Str, Int]).doc("Hard limit of core files."),
        prop("cpu_limit", &[Str, Int]).doc("Limit of CPU time."),
        prop("cpu_soft_limit", &[Str, Int]).doc("Soft limit of CPU time."),
        prop("cpu_hard_limit", &[Str, Int]).doc("Hard limit of CPU time."),
        prop("sigpending_limit", &[Str, Int]).doc("Limit of pending signals."),
        prop("sigpending_soft_limit", &[Str, Int]).doc("Soft limit of pending signals."),
        prop("sigpending_hard_limit", &[Str, Int]).doc("Hard limit of pending signals."),
        prop("stack_limit", &[Str, Int]).doc("Limit of stack."),
        prop("stack_soft_limit", &[Str, Int]).doc("Soft limit of stack."),
        prop("stack_hard_limit", &[Str, Int]).doc("Hard limit of stack."),
        prop("rss_limit", &[Str, Int]).doc("Limit of resident memory."),
        prop("rss_soft_limit", &[Str, Int]).doc("Soft limit of resident memory."),
        prop("rss_hard_limit", &[Str, Int]).doc("Hard limit of resident memory."),
        prop("rtprio_limit", &[Str, Int]).doc("Limit of real-time priority."),
        prop("rtprio_soft_limit", &[Str, Int]).doc("Soft limit of real-time priority."),
        prop("rtprio_hard_limit", &[Str, Int]).doc("Hard limit of real-time priority."),
        prop("virt_limit", &[Str, Int]).doc("Limit of virtual memory."),
        prop("filename", &[Str]).coerce(dot_conf).lazy(limits_file).doc("Name of the file."),
    ],
    ..ResourceDef::DEFAULT
};

fn limits_file(vm: &mut Vm, resource: &Value) -> Res {
    let user = coerce::read(vm, resource, "username")?;
    let user = vm.to_s_text(&user)?;
    Ok(Value::str(if user == "*" { "00_all_limits.conf".to_string() } else { format!("{user}_limits.conf") }))
}

/// Adds `.conf`: pam_limits reads no other files.
fn dot_conf(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let suffix = Value::str(".conf");
    if vm.call_name(value, "end_with?", std::slice::from_ref(&suffix))?.truthy() {
        return Ok(value.clone());
    }
    vm.call_name(value, "+", &[suffix])
}
