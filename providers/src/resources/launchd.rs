use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "launchd",
    class: "Launchd",
    doc: "Keeps daemons and agents of launchd (macOS).",
    introduced: "12.8",
    provides: &[Provides::os("launchd", &["darwin"])],
    actions: &["create", "create_if_missing", "delete", "enable", "disable", "restart"],
    default_action: &["create"],
    properties: &[
        prop("label", &[Str]).name_property().doc("Identifier of the job."),
        prop("backup", &[Int, FALSE_CLASS]).desired_state(false).doc("How many old versions of the file to keep."),
        prop("cookbook", &[Str]).desired_state(false).doc("Cookbook that holds `source`."),
        prop("group", &[Str, Int]).doc("Group to run as."),
        prop("plist_hash", &[Hash]).since("12.19").doc("The whole property list."),
        prop("mode", &[Str, Int]).doc("Mode of the file."),
        prop("owner", &[Str, Int]).doc("Owner of the file."),
        prop("path", &[Str]).doc("Path of the file."),
        prop("source", &[Str]).doc("Property list of the cookbook."),
        prop("session_type", &[Str]).doc("Session that launchctl loads into."),
        prop("start_calendar_interval", &[Hash, Array])
            .coerce(start_calendar_interval)
            .doc("Times to start, as in cron."),
        prop("type", &[Str]).coerce(job_type).default(LitStr("daemon")).doc("Daemon or agent."),
        prop("abandon_process_group", &[TRUE_CLASS, FALSE_CLASS]).doc("Leave the job's children alive when it ends."),
        prop("associated_bundle_identifiers", &[Array]).doc("Applications that the job belongs to."),
        prop("debug", &[TRUE_CLASS, FALSE_CLASS]).doc("Log more for this job."),
        prop("disabled", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Do not load."),
        prop("enable_globbing", &[TRUE_CLASS, FALSE_CLASS]).doc("Expand patterns in the arguments."),
        prop("enable_transactions", &[TRUE_CLASS, FALSE_CLASS]).doc("The job tells when it may be killed."),
        prop("environment_variables", &[Hash]).doc("Environment variables of the job."),
        prop("exit_timeout", &[Int]).doc("Seconds between stop and kill."),
        prop("hard_resource_limits", &[Hash]).doc("Hard limits."),
        prop("inetd_compatibility", &[Hash]).doc("Start as inetd would."),
        prop("init_groups", &[TRUE_CLASS, FALSE_CLASS]).doc("Take on the user's groups."),
        prop("keep_alive", &[TRUE_CLASS, FALSE_CLASS, Hash]).since("12.14").doc("Restart, always or under conditions."),
        prop("launch_events", &[Hash]).since("15.1").doc("Events that start the job."),
        prop("launch_only_once", &[TRUE_CLASS, FALSE_CLASS]).doc("Never start twice."),
        prop("ld_group", &[Str]).doc("Group to run as, under its name in the property list."),
        prop("limit_load_from_hosts", &[Array]).doc("Hosts where it is not loaded."),
        prop("limit_load_to_hosts", &[Array]).doc("Hosts where alone it is loaded."),
        prop("limit_load_to_session_type", &[Array, Str]).doc("Sessions where alone it is loaded."),
        prop("low_priority_io", &[TRUE_CLASS, FALSE_CLASS]).doc("Read and write at low priority."),
        prop("mach_services", &[Hash]).doc("Mach services that it offers."),
        prop("nice", &[Int]).callbacks(&[("should be a Integer between -20 and 19", coerce::nice)]).doc("Niceness."),
        prop("on_demand", &[TRUE_CLASS, FALSE_CLASS]).doc("Start on demand only."),
        prop("process_type", &[Str]).doc("Kind of process, for resource limits."),
        prop("program", &[Str]).doc("The program."),
        prop("program_arguments", &[Array]).coerce(program_arguments).doc("Program and arguments."),
        prop("queue_directories", &[Array]).doc("Start while these directories have content."),
        prop("root_directory", &[Str]).doc("Directory to chroot into."),
        prop("run_at_load", &[TRUE_CLASS, FALSE_CLASS]).doc("Start when loaded."),
        prop("sockets", &[Hash]).doc("Sockets that start it."),
        prop("soft_resource_limits", &[Array]).doc("Soft limits."),
        prop("standard_error_path", &[Str]).doc("File for standard error."),
        prop("standard_in_path", &[Str]).doc("File for standard input."),
        prop("standard_out_path", &[Str]).doc("File for standard output."),
        prop("start_interval", &[Int]).doc("Seconds between starts."),
        prop("start_on_mount", &[TRUE_CLASS, FALSE_CLASS]).doc("Start when a file system is mounted."),
        prop("throttle_interval", &[Int]).doc("Seconds that must lie between two starts."),
        prop("time_out", &[Int]).doc("Seconds of idleness until it is stopped."),
        prop("username", &[Str]).doc("User to run as."),
        prop("wait_for_debugger", &[TRUE_CLASS, FALSE_CLASS]).doc("Wait for a debugger before it starts."),
        prop("watch_paths", &[Array]).doc("Start when these paths change."),
        prop("working_directory", &[Str]).doc("Directory to run in."),
    ],
    ..ResourceDef::DEFAULT
};

const KEYS: [&str; 5] = ["Minute", "Hour", "Day", "Weekday", "Month"];

/// Accepts one Hash of Integers or an Array of them.
fn start_calendar_interval(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let entries = match value {
        Value::Array(list) => list.get(vm).items.clone(),
        _ => vec![value.clone()],
    };
    let fail = |vm: &mut Vm, text: String| Err(coerce::chef_error(vm, "ValidationFailed", text));
    if !entries.iter().all(|entry| matches!(entry, Value::Hash(_))) {
        return fail(vm, "start_calendar_interval must be a single hash or an array of hashes!".into());
    }
    for entry in &entries {
        let Value::Hash(hash) = entry else { continue };
        let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (key, value) in &pairs {
            if !coerce::text(vm, key).is_some_and(|key| KEYS.contains(&key.as_str())) {
                keys.push(vm.to_s_text(key)?);
            }
            if !matches!(value, Value::Int(_) | Value::Big(_)) {
                values.push(vm.to_s_text(value)?);
            }
        }
        if !keys.is_empty() {
            let text = format!(
                "The following key(s): {} are invalid for start_calendar_interval, must be one of: {}",
                keys.join(", "),
                KEYS.join(", ")
            );
            return fail(vm, text);
        }
        if !values.is_empty() {
            return fail(
                vm,
                format!(
                    "Invalid value(s) ({}) for start_calendar_interval item.  Values must be integers!",
                    values.join(", ")
                ),
            );
        }
    }
    Ok(match &entries[..] {
        [one] => one.clone(),
        _ => Value::array(entries),
    })
}

/// Accepts `daemon` or `agent`.
fn job_type(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let value = if value.truthy() { coerce::downcase(vm, resource, value)? } else { Value::str("daemon") };
    match coerce::text(vm, &value).as_deref() {
        Some("daemon" | "agent") => Ok(value),
        _ => Err(coerce::chef_error(vm, "ValidationFailed", "type must be daemon or agent")),
    }
}

fn program_arguments(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    coerce::map(vm, value, "to_s")
}
