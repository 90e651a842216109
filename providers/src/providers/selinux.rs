//! `selinux_boolean`, `selinux_port`, `selinux_permissive`, `selinux_fcontext`: the SELinux policy's booleans, port types, permissive domains and
//! file contexts. Commands run without a shell.

use super::support::*;
use rchef_change::{Assertion, ChangeError, Command, Task, Why};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

/// The output of getenforce(8): `disabled`, `permissive` or `enforcing`.
pub(super) fn state(host: &dyn Host) -> Looked<String> {
    known_state(&lossy(&Command::system(["getenforce"]).run(host)?.stdout))
}

/// The mode that getenforce(8) tells.
pub(super) fn known_state(told: &str) -> Looked<String> {
    let found = told.trim().to_lowercase();
    if matches!(found.as_str(), "disabled" | "permissive" | "enforcing") {
        return Ok(found);
    }
    Err(ChangeError::raise("RuntimeError", format!("Got unknown SELinux state {found}")))
}

/// Whether SELinux is disabled; if so, logs a warning that `what` is not possible.
pub(super) fn is_off(children: &mut Children<'_>, what: &str) -> Res<bool> {
    let off = children.look(state)? == "disabled";
    if off {
        children.log("warn", format!("Unable to {what} as SELinux is disabled"));
    }
    Ok(off)
}

/// Rejects words that a program would take for options.
pub(super) fn refused<'a>(words: impl IntoIterator<Item = (&'static str, &'a str)>) -> Vec<Assertion> {
    words.into_iter().find_map(|(what, word)| unfit("ArgumentError", what, word)).into_iter().collect()
}

/// The steps of an action: `:manage` is `:add` followed by `:modify`.
pub(super) fn steps(action: &'static str) -> &'static [&'static str] {
    match action {
        "manage" | "addormodify" => &["add", "modify"],
        "add" => &["add"],
        "modify" => &["modify"],
        _ => &["delete"],
    }
}

pub(super) fn warn_old(children: &mut Children<'_>, kind: &str, action: &str) {
    if action == "addormodify" {
        let text = format!(
            "The :addormodify action for {kind} is deprecated and will be removed in a future release. Use the :manage action instead."
        );
        children.log("warn", text);
    }
}

pub(crate) struct SelinuxBoolean;

/// What a `selinux_boolean` resource asks for.
pub(crate) struct BooleanDesired {
    name: String,
    boolean: String,
    value: String,
    persistent: bool,
}

impl Composite for SelinuxBoolean {
    type Desired = BooleanDesired;
    const ACTIONS: &'static [&'static str] = &["set"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<BooleanDesired> {
        Ok(BooleanDesired {
            name: text(vm, resource, "name")?,
            boolean: text(vm, resource, "boolean")?,
            value: text(vm, resource, "value")?,
            persistent: flag(vm, resource, "persistent")?,
        })
    }

    fn requirements(desired: &BooleanDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(refused([("SELinux boolean", desired.boolean.as_str())]))
    }

    fn declare(desired: &BooleanDesired, children: &mut Children<'_>) -> Res<()> {
        let shown = children.look(|host| Command::system(["getsebool", &desired.boolean]).run(host))?;
        let shown = lossy(&shown.stdout);
        let current = shown.rsplit("-->").next().map(|value| Value::str(value.trim())).unwrap_or_default();
        if is_off(children, &format!("set SELinux boolean {}", desired.name))? {
            return Ok(());
        }
        let Some(task) = children.differences("selinux_boolean", Some(vec![("value", current)]), &["value"])? else {
            return Ok(());
        };
        let kept: &[&str] = if desired.persistent { &["-P"] } else { &[] };
        let words = ["setsebool"].iter().chain(kept).copied().chain([desired.boolean.as_str(), &desired.value]);
        children.change(task.run(Command::system(words)))
    }
}

pub(crate) struct SelinuxPermissive;

/// What a `selinux_permissive` resource asks for.
pub(crate) struct PermissiveDesired {
    action: &'static str,
    context: String,
}

impl Composite for SelinuxPermissive {
    type Desired = PermissiveDesired;
    const ACTIONS: &'static [&'static str] = &["add", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<PermissiveDesired> {
        Ok(PermissiveDesired { action, context: text(vm, resource, "context")? })
    }

    fn requirements(desired: &PermissiveDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(refused([("SELinux context", desired.context.as_str())]))
    }

    fn declare(desired: &PermissiveDesired, children: &mut Children<'_>) -> Res<()> {
        let context = &desired.context;
        let known = children.look(|host| Command::system(["semanage", "permissive", "-ln"]).run(host))?;
        let is_there = lossy(&known.stdout).lines().any(|line| line == context);
        if is_there == (desired.action == "add") {
            return Ok(());
        }
        let (verb, option, why) =
            if is_there { ("deleting", "-d", Why::Present) } else { ("adding", "-a", Why::Absent) };
        let task = Task::new("selinux_permissive", context, why, format!("{verb} permissive context {context}"));
        children.change(task.run(Command::system(["semanage", "permissive", option, context])))
    }
}

pub(crate) struct SelinuxPort;

/// What a `selinux_port` resource asks for.
pub(crate) struct PortDesired {
    action: &'static str,
    name: String,
    port: String,
    protocol: String,
    context: String,
}

impl PortDesired {
    /// The types of this port alone; those of port ranges and of reserved ports are left out.
    fn contexts(&self, host: &dyn Host) -> Looked<Vec<String>> {
        let asked = format!("--portcon={}", self.port);
        let shown = Command::system(["seinfo", &asked]).with_any_status().run(host)?;
        let wanted = format!("portcon {}", self.protocol);
        let found = lossy(&shown.stdout);
        let lines = found.lines().filter(|line| line.contains(&wanted));
        let contexts = lines.filter_map(|line| {
            let parts: Vec<&str> = line.split(':').collect();
            let kind = parts.get(parts.len().checked_sub(2)?)?;
            let range = parts.len().checked_sub(4).and_then(|at| parts.get(at)).is_some_and(|part| part.contains('-'));
            (!kind.ends_with("reserved_port_t") && !range).then(|| (*kind).to_string())
        });
        Ok(contexts.collect())
    }
}

impl Composite for SelinuxPort {
    type Desired = PortDesired;
    const ACTIONS: &'static [&'static str] = &["manage", "addormodify", "add", "modify", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<PortDesired> {
        Ok(PortDesired {
            action,
            name: text(vm, resource, "name")?,
            port: text(vm, resource, "port")?,
            protocol: text(vm, resource, "protocol")?,
            context: text(vm, resource, "secontext")?,
        })
    }

    fn requirements(desired: &PortDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(refused([("port", desired.port.as_str()), ("SELinux context", &desired.context)]))
    }

    fn declare(desired: &PortDesired, children: &mut Children<'_>) -> Res<()> {
        let PortDesired { name, port, protocol, context, .. } = desired;
        warn_old(children, "selinux_port", desired.action);
        for action in steps(desired.action) {
            if is_off(children, &format!("{action} SELinux port {name}"))? {
                continue;
            }
            let known = children.look(|host| desired.contexts(host))?;
            let subject = format!("{port}/{protocol}");
            let task = |why, line: String| Task::new("selinux_port", &subject, why, line);
            let set = |option| Command::system(["semanage", "port", option, "-t", context, "-p", protocol, port]);
            let task = match *action {
                "add" if known.is_empty() => {
                    task(Why::Absent, format!("Adding context {context} to port {subject}")).run(set("-a"))
                }
                "modify" if !known.is_empty() && !known.contains(context) => {
                    task(Why::Differs, format!("Modifying context {context} to port {subject}")).run(set("-m"))
                }
                "delete" if !known.is_empty() => task(Why::Present, format!("Deleting context from port {subject}"))
                    .run(Command::system(["semanage", "port", "-d", "-p", protocol, port])),
                _ => continue,
            };
            children.change(task)?;
        }
        Ok(())
    }
}

pub(crate) struct SelinuxFcontext;

/// What a `selinux_fcontext` resource asks for.
pub(crate) struct FcontextDesired {
    action: &'static str,
    name: String,
    spec: String,
    context: String,
    kind: String,
}

/// File types by their names in the output of semanage.
const KINDS: &[(&str, &str)] = &[
    ("a", "all files"),
    ("f", "regular file"),
    ("d", "directory"),
    ("c", "character device"),
    ("b", "block device"),
    ("s", "socket"),
    ("l", "symbolic link"),
    ("p", "named pipe"),
];

/// The directory below which files can match a pattern.
fn common(spec: &str) -> &str {
    let special = |c: char| "[]{}()|-*.\\?+^$# \n\t\r\x0b\x0c".contains(c);
    let common = match spec.find(special) {
        None => spec,
        Some(end) => match spec[..end].rfind('/') {
            Some(0) => "/",
            Some(slash) => &spec[..slash],
            None => ".",
        },
    };
    if common.starts_with('/') { common } else { "/" }
}

/// The methods of the provider of `selinux_fcontext`.
pub(crate) static FCONTEXT_METHODS: &[MethodDef] = &[def("relabel_files", relabel_files, 0)];

/// Relabels the files that match the resource's pattern; nil if their directory is not there.
fn relabel_files(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let spec = text(vm, &resource, "file_spec")?;
    let folder = common(&spec);
    if !compose::exists(&*vm.host.clone(), folder.as_bytes()) {
        return Ok(Value::Nil);
    }
    let words = relabelling(folder, &spec).iter().map(Value::str).collect();
    vm.call_name(this, "shell_out!", &[Value::array(words)])
}

/// The command that relabels the files below a directory that match a pattern: find(1) with restorecon(8).
fn relabelling<'a>(folder: &'a str, spec: &'a str) -> [&'a str; 13] {
    [
        "find",
        folder,
        "-ignore_readdir_race",
        "-regextype",
        "posix-egrep",
        "-regex",
        spec,
        "-prune",
        "-exec",
        "restorecon",
        "-iRv",
        "{}",
        "+",
    ]
}

impl FcontextDesired {
    /// The type that the policy has for the pattern.
    fn current(&self, host: &dyn Host) -> Looked<Option<String>> {
        let listed = lossy(&Command::system(["semanage", "fcontext", "-l"]).run(host)?.stdout);
        let kind = KINDS.iter().find(|(short, _)| *short == self.kind).map_or("", |(_, long)| *long);
        let label = |line: &str| {
            let rest = line.strip_prefix(&self.spec)?;
            let after = rest.trim_start();
            if after.len() == rest.len() {
                return None;
            }
            let context = after.strip_prefix(kind)?.split_whitespace().next_back()?;
            context.split(':').nth(2).map(str::to_string)
        };
        Ok(listed.lines().find_map(label))
    }

    fn set(&self, option: &str) -> Command {
        Command::system(["semanage", "fcontext", option, "-f", &self.kind, "-t", &self.context, &self.spec])
    }

    /// Adds the command that relabels the existing files.
    fn relabel(&self, task: Task, host: &dyn Host) -> Task {
        let folder = common(&self.spec);
        if !compose::exists(host, folder.as_bytes()) {
            return task;
        }
        task.run(Command::system(relabelling(folder, &self.spec)))
    }
}

impl Composite for SelinuxFcontext {
    type Desired = FcontextDesired;
    const ACTIONS: &'static [&'static str] = &["manage", "addormodify", "add", "modify", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<FcontextDesired> {
        Ok(FcontextDesired {
            action,
            name: text(vm, resource, "name")?,
            spec: text(vm, resource, "file_spec")?,
            context: text(vm, resource, "secontext")?,
            kind: text(vm, resource, "file_type")?,
        })
    }

    fn requirements(desired: &FcontextDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(refused([("SELinux file specification", desired.spec.as_str()), ("SELinux context", &desired.context)]))
    }

    fn declare(desired: &FcontextDesired, children: &mut Children<'_>) -> Res<()> {
        let FcontextDesired { name, spec, context, kind, .. } = desired;
        warn_old(children, "selinux_fcontext", desired.action);
        for action in steps(desired.action) {
            if is_off(children, &format!("{action} SELinux fcontext {name}"))? {
                continue;
            }
            let current = children.look(|host| desired.current(host))?;
            let task = |why, line: String| Task::new("selinux_fcontext", spec, why, line);
            let task = match (*action, &current) {
                ("add", None) => task(Why::Absent, format!("adding label {context} to {spec}")).run(desired.set("-a")),
                ("modify", Some(found)) if found != context => {
                    task(Why::Differs, format!("modifying label {context} to {spec}")).run(desired.set("-m"))
                }
                ("delete", Some(_)) => task(Why::Present, format!("deleting label for {spec}"))
                    .run(Command::system(["semanage", "fcontext", "-d", "-f", kind, spec])),
                _ => continue,
            };
            let host = children.host();
            children.change(desired.relabel(task, &*host))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn folders_of_patterns() {
        for (spec, folder) in [
            ("/var/www/moodle(/.*)?", "/var/www"),
            ("/var/www(/.*)?", "/var"),
            ("/var/www/site", "/var/www/site"),
            ("/(.*)", "/"),
            ("relative/.*", "/"),
            (".*", "/"),
        ] {
            assert_eq!(common(spec), folder, "{spec}");
        }
    }
}
