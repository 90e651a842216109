//! `sysctl`: kernel parameters, now and in a file under /etc/sysctl.d.

use super::support::*;
use rchef_change::{Assertion, Command, Task, Why};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct Sysctl;

/// What a `sysctl` resource asks for.
pub(crate) struct Desired {
    apply: bool,
    key: String,
    value: String,
    ignore_error: bool,
    comment: Vec<String>,
    folder: String,
}

impl Desired {
    fn path(&self) -> String {
        format!("{}/99-chef-{}.conf", self.folder, self.key.replace('/', "."))
    }

    fn content(&self) -> String {
        let mut lines: Vec<String> = self.comment.iter().map(|line| format!("# {}", line.trim())).collect();
        lines.push(format!("{} = {}\n", self.key, self.value));
        lines.join("\n")
    }

    /// The kernel's value, if the file has the same one; None otherwise.
    fn settled(&self, host: &dyn Host) -> Looked<Option<String>> {
        let Ok(file) = compose::read_file(host, self.path().as_bytes()) else { return Ok(None) };
        let file = lossy(&file);
        // the value follows the last " = " of the first line that has one
        let Some((_, stored)) = file.lines().find_map(|line| line.rsplit_once(" = ")) else { return Ok(None) };
        let shown = Command::system(["sysctl", "-n", "-e", &self.key]).query(host)?;
        let live = lossy(&shown.stdout).replace('\t', " ").trim().to_string();
        Ok((shown.status.success() && live == stored).then_some(live))
    }

    /// Makes the kernel reload its parameters from the files.
    fn reload(&self, ignore_error: bool) -> Child {
        let command = if ignore_error { "sysctl -e -p" } else { "sysctl -p" };
        Child::new("execute", "Load sysctl values").text("command", command).flag("default_env", true).action("run")
    }
}

/// The method of the provider, spelled as in Chef.
pub(crate) static METHODS: &[MethodDef] = &[def("contruct_sysctl_content", content, 0)];

fn content(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    Ok(Value::str(Sysctl::read(vm, &resource, "apply")?.content()))
}

impl Composite for Sysctl {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["apply", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        Ok(Desired {
            apply: action == "apply",
            key: text(vm, resource, "key")?,
            value: text(vm, resource, "value")?,
            ignore_error: flag(vm, resource, "ignore_error")?,
            comment: list(vm, resource, "comment")?,
            folder: text(vm, resource, "conf_dir")?,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit("ArgumentError", "kernel parameter", &desired.key).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let path = desired.path();
        if !desired.apply {
            let host = children.host();
            if !compose::exists(&*host, path.as_bytes()) {
                return Ok(());
            }
            let line = format!("removing sysctl config at {path}");
            return children.converge(Task::new("sysctl", &desired.key, Why::Present, line), |children| {
                children.declare(Child::new("file", &path).action("delete"))?;
                children.declare(desired.reload(false)).map(drop)
            });
        }
        let current = children.look(|host| desired.settled(host))?;
        let current =
            current.map(|value| vec![("value", Value::str(value)), ("conf_dir", Value::str(&desired.folder))]);
        let Some(task) = children.differences("sysctl", current, &[])? else { return Ok(()) };
        children.converge(task, |children| {
            let mut words = vec!["sysctl".to_string()];
            words.extend(desired.ignore_error.then(|| "-e".to_string()));
            let line = format!("{} -w \"{}={}\"", words.join(" "), desired.key, desired.value);
            words.extend(["-w".to_string(), format!("{}={}", desired.key, desired.value)]);
            children.look(|host| Command { line: Some(line), ..Command::system(words) }.run(host))?;
            children.declare(Child::new("directory", &desired.folder))?;
            let content = children.replaced_text("contruct_sysctl_content", &[])?;
            let content = content.unwrap_or_else(|| desired.content());
            children.declare(Child::new("file", &path).text("content", content))?;
            children.declare(desired.reload(desired.ignore_error)).map(drop)
        })
    }
}
