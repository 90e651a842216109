//! `service`: by systemd where it runs, else by the scripts of /etc/init.d and update-rc.d (SPEC-converge 3.4).

use super::shell;
use super::support::*;
use rchef_host::queries::Topic;
use rchef_host::{CommandSpec, compose};
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_recipe::run::chef_error;
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `service`.
pub(crate) struct Service;

/// What is known of the service.
#[derive(Clone, Default)]
struct State {
    systemd: bool,
    running: bool,
    enabled: bool,
    masked: bool,
    /// Static or indirect: enabling it means nothing.
    fixed: bool,
    /// The init script.
    script: String,
    has_script: bool,
}

impl Provider for Service {
    fn actions(&self) -> &'static [&'static str] {
        &["enable", "disable", "start", "stop", "restart", "reload", "mask", "unmask"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        let name = text(vm, resource, "service_name")?;
        let shown = vm.to_s_text(resource)?;
        let state = look(vm, resource, action, &name, &shown)?;
        let verb = action.as_str();
        if !state.systemd {
            init_requirements(vm, resource, action, &state, &shown)?;
        }
        let due = match verb {
            "enable" => !state.enabled && !state.masked && !state.fixed,
            "disable" => state.enabled && !state.masked && !state.fixed,
            "mask" => !state.masked,
            "unmask" => state.masked,
            "start" => !state.running,
            "stop" | "reload" => state.running,
            _ => true,
        };
        if !due {
            return Ok(Vec::new());
        }
        let verb = verb.to_string();
        Ok(vec![step(format!("{verb} service {shown}"), move |vm, resource| {
            let result = act(vm, resource, &verb, &name, &state);
            vm.host.invalidate(Topic::Services);
            result
        })])
    }
}

fn timeout(vm: &mut Vm, resource: &Value) -> Res<Option<f64>> {
    let value = get(vm, resource, "timeout")?;
    Ok(if value.is_nil() { None } else { Some(vm.to_f64(&value)?) })
}

fn look(vm: &mut Vm, resource: &Value, action: Symbol, name: &str, shown: &str) -> Res<State> {
    let mut state = State { systemd: vm.host.systemd_running(), ..State::default() };
    let status = match text_opt(vm, resource, "status_command")? {
        Some(line) => {
            let ok = shell::run(vm, &CommandSpec::shell(line.as_str()).captured(), None)?.status.success();
            let assume = [
                format!("Failed to determine status of {shown}, using command {line}."),
                "Assuming service would have been installed and is disabled".into(),
            ];
            if !ok && state.systemd && why_run(vm) {
                require(vm, resource, action, false, "Service", &assume[0], &assume)?;
            }
            Some(ok)
        }
        None => None,
    };
    if state.systemd {
        systemd_state(vm, resource, name, &mut state)?;
    } else {
        state.script = text_opt(vm, resource, "init_command")?.unwrap_or_else(|| format!("/etc/init.d/{name}"));
        let script = state.script.clone();
        state.has_script = on(vm, |host| Ok(compose::exists(host, script.as_bytes())))?;
        state.enabled = enabled_by_links(vm, name)?;
        if status.is_none() {
            state.running = init_running(vm, resource, &state)?;
        }
    }
    if let Some(status) = status {
        state.running = status;
    }
    Ok(state)
}

fn systemd_state(vm: &mut Vm, resource: &Value, name: &str, state: &mut State) -> Res<()> {
    let (active, unit_file) = if flag(vm, resource, "user")? {
        let mut argv = systemctl(vm, resource)?;
        argv.0.extend(["show", "-p", "UnitFileState", "-p", "ActiveState", name].map(String::from));
        let output = user_command(vm, argv)?;
        let text = lossy(&output);
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().to_string();
        (value("ActiveState="), value("UnitFileState="))
    } else {
        let found = on(vm, |host| host.services(&[name]))?;
        match found.get(name) {
            Some(found) => (found.active.clone(), found.unit_file.clone()),
            None => Default::default(),
        }
    };
    state.running = active == "active";
    state.enabled = match unit_file.as_str() {
        "bad" => shell::query(vm, &["systemctl", "--system", "is-enabled", name, "--quiet"])?.status.success(),
        other => ["enabled", "static", "generated", "alias", "indirect"].contains(&other),
    };
    state.masked = unit_file == "masked";
    state.fixed = matches!(unit_file.as_str(), "static" | "indirect");
    Ok(())
}

/// `systemctl` with its scope, and the user's number for the services of a user.
fn systemctl(vm: &mut Vm, resource: &Value) -> Res<(Vec<String>, Option<(u32, u32)>)> {
    let Some(user) = text_opt(vm, resource, "user")? else {
        return Ok((vec!["systemctl".into(), "--system".into()], None));
    };
    match on(vm, |host| host.user_by_name(user.as_bytes()))? {
        Some(found) => Ok((vec!["systemctl".into(), "--user".into()], Some((found.uid, found.gid)))),
        None => Err(vm.argument_error(format!("can't find user for {user}"))),
    }
}

fn user_command(vm: &mut Vm, (argv, user): (Vec<String>, Option<(u32, u32)>)) -> Res<Vec<u8>> {
    let mut spec = CommandSpec::argv(argv.iter().map(|word| word.as_bytes().to_vec())).captured();
    if let Some((uid, gid)) = user {
        spec.uid = Some(uid);
        spec.gid = Some(gid);
        spec = spec.with_env("DBUS_SESSION_BUS_ADDRESS", &format!("unix:path=/run/user/{uid}/bus"));
    }
    spec.until_exit = true;
    let output = shell::run(vm, &spec, None)?;
    match shell::failure(vm, &spec, &output, &[0], false) {
        Some(error) => Err(error),
        None => Ok(output.stdout),
    }
}

fn supports(vm: &mut Vm, resource: &Value, what: &str) -> Res<bool> {
    let Value::Hash(hash) = get(vm, resource, "supports")? else { return Ok(false) };
    Ok(vm.hash_get_sym(&hash, Symbol::intern(what)).is_some_and(|value| value.truthy()))
}

/// Running by the script's `status` where it is supported, else by the process table.
fn init_running(vm: &mut Vm, resource: &Value, state: &State) -> Res<bool> {
    if supports(vm, resource, "status")? {
        return Ok(state.has_script && shell::query(vm, &[&state.script, "status"])?.status.success());
    }
    let pattern = text(vm, resource, "pattern")?;
    let table = on(vm, |host| {
        let mut lines = Vec::new();
        for entry in host.readdir(b"/proc")? {
            if !entry.name.iter().all(u8::is_ascii_digit) {
                continue;
            }
            let path = [b"/proc/", &entry.name[..], b"/cmdline"].concat();
            let line = compose::read_file(host, &path).unwrap_or_default();
            lines.push(line.iter().map(|byte| if *byte == 0 { b' ' } else { *byte }).collect::<Vec<u8>>());
        }
        Ok(lines)
    })?;
    let table: Vec<String> = table
        .iter()
        .map(|line| lossy(line))
        .filter(|line| !line.contains("rchef") && !line.contains("chef-client"))
        .collect();
    let Some(regexp) = vm.class_named("Regexp") else { return Ok(false) };
    let regexp = vm.call_name(&Value::Class(regexp), "new", &[Value::str(pattern)])?;
    Ok(vm.call_name(&regexp, "match?", &[Value::str(table.join("\n"))])?.truthy())
}

/// Whether a start link is in the run levels 2 to 5.
fn enabled_by_links(vm: &mut Vm, name: &str) -> Res<bool> {
    on(vm, |host| {
        Ok((2..=5).any(|level| {
            let dir = format!("/etc/rc{level}.d");
            host.readdir(dir.as_bytes()).is_ok_and(|entries| {
                entries.iter().any(|entry| {
                    let text = lossy(&entry.name);
                    text.strip_prefix('S')
                        .is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()) == name)
                })
            })
        }))
    })
}

fn init_requirements(vm: &mut Vm, resource: &Value, action: Symbol, state: &State, shown: &str) -> Res<()> {
    let verb = action.as_str();
    if matches!(verb, "mask" | "unmask") {
        return Err(chef_error(vm, "UnsupportedAction", format!("{shown} does not support :{verb}")));
    }
    if matches!(verb, "enable" | "disable") {
        let there = on(vm, |host| Ok(compose::exists(host, b"/usr/sbin/update-rc.d")))?;
        return require(vm, resource, action, there, "Service", "/usr/sbin/update-rc.d does not exist!", &[]).map(drop);
    }
    let own = text_opt(vm, resource, &format!("{verb}_command"))?.is_some();
    let assume =
        format!("Init script '{}' doesn't exist, assuming a prior action would have created it.", state.script);
    require(
        vm,
        resource,
        action,
        own || state.has_script,
        "Service",
        &format!("{} does not exist!", state.script),
        &[assume],
    )
    .map(drop)
}

fn act(vm: &mut Vm, resource: &Value, verb: &str, name: &str, state: &State) -> Res<()> {
    let limit = timeout(vm, resource)?;
    if matches!(verb, "start" | "stop" | "restart" | "reload")
        && let Some(line) = text_opt(vm, resource, &format!("{verb}_command"))?
    {
        return shell::line(vm, &line, limit).map(drop);
    }
    if state.systemd {
        let mut argv = systemctl(vm, resource)?;
        argv.0.extend([verb.to_string(), name.to_string()]);
        return user_command(vm, argv).map(drop);
    }
    let script = |vm: &mut Vm, verb: &str| shell::line(vm, &format!("{} {verb}", state.script), limit).map(drop);
    let links = |vm: &mut Vm, words: &[&str]| {
        shell::system_line(vm, &format!("/usr/sbin/update-rc.d {}", words.join(" ")), limit).map(drop)
    };
    match verb {
        "restart" if !supports(vm, resource, "restart")? => {
            script(vm, "stop")?;
            let host = vm.host.clone();
            host.sleep(std::time::Duration::from_secs(1)).map_err(|error| vm.host_error(&error))?;
            script(vm, "start")
        }
        // as Chef: said to be done, and nothing is run, where the script is not known to reload
        "reload" if !supports(vm, resource, "reload")? => Ok(()),
        "enable" | "disable" => {
            let priority = get(vm, resource, "priority")?;
            links(vm, &["-f", name, "remove"])?;
            if let Value::Hash(levels) = &priority {
                links(vm, &[name, "defaults"])?;
                let levels: Vec<(Value, Value)> =
                    levels.get(vm).iter().map(|(level, order)| (level.clone(), order.clone())).collect();
                for (level, order) in levels {
                    let (level, order) = (vm.to_s_text(&level)?, vm.to_array(&order)?);
                    let starts = matches!(order.first(), Some(Value::Sym(name)) if name.as_str() == "start");
                    links(vm, &[name, if starts { "enable" } else { "disable" }, &level])?;
                }
                return Ok(());
            }
            if verb == "disable" {
                links(vm, &[name, "defaults"])?;
                return links(vm, &[name, "disable"]);
            }
            let start = match priority {
                Value::Int(number) => number,
                _ => 20,
            };
            links(vm, &[name, "defaults", &start.to_string(), &(100 - start).to_string()])
        }
        other => script(vm, other),
    }
}
