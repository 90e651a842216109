//! `alternatives`: symbolic links managed by `update-alternatives`, or by `alternatives` outside the Debian family.

use super::support::*;
use rchef_change::{Assertion, Change, Command, State, Task, Why};
use rchef_host::{Host, compose};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct Alternatives;

/// The exception class of an assertion that names none.
const FAILED: &str = "Chef::Mixin::WhyRun::ResourceRequirements::Assertion::AssertionFailure";

/// What an `alternatives` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    program: &'static str,
    /// Name of the alternative.
    name: String,
    /// The path of the link.
    link: String,
    /// The target of the link.
    path: Option<String>,
    priority: Option<i64>,
}

/// The state that the program reports.
pub(crate) struct Current {
    /// The current target of the link.
    target: Option<String>,
    /// The priority of the path, if it is among the choices.
    priority: Option<i64>,
}

impl Desired {
    fn run<const N: usize>(&self, words: [&str; N]) -> Command {
        Command::system(std::iter::once(self.program).chain(words))
    }
    /// A command whose exit status Chef ignores.
    fn try_to<const N: usize>(&self, words: [&str; N]) -> Command {
        self.run(words).with_any_status()
    }
    fn needs_path(&self) -> bool {
        matches!(self.action, "install" | "set" | "remove")
    }
    fn failed(&self, what: &str) -> Assertion {
        Assertion::new(FAILED, format!("Could not set alternatives for {}, {what}", self.name))
    }
}

impl Current {
    /// What `--display` says of a path; where none is given, of whichever comes last.
    fn of(display: &str, path: &str) -> Current {
        let mut current = Current { target: None, priority: None };
        for line in display.lines() {
            if let Some((_, target)) = line.split_once("link currently points to ") {
                current.target = Some(target.trim().to_string());
            } else if let Some((of, priority)) = line.split_once(" - priority ")
                && (of == path || path.is_empty())
            {
                let digits = priority.split(|c: char| !c.is_ascii_digit() && c != '-').next().unwrap_or_default();
                current.priority = Some(digits.parse().unwrap_or_default());
            }
        }
        current
    }
}

/// The program of a node's family.
fn program(vm: &mut Vm, this: &Value) -> Res<&'static str> {
    let is_debian = crate::coerce::node_text(vm, this, "platform_family")? == "debian";
    Ok(if is_debian { "update-alternatives" } else { "alternatives" })
}

/// The methods of the provider.
pub(crate) static METHODS: &[MethodDef] = &[
    def("alternatives_cmd", alternatives_cmd, 0),
    def("path_priority", path_priority, 0),
    def("current_path", current_path, 0),
    def("path_exists?", has_path, 0),
];

/// What the program displays now, asked by the provider's Ruby methods.
fn displayed(vm: &mut Vm, this: &Value) -> Res<Current> {
    let program = text(vm, this, "alternatives_cmd")?;
    let resource = new_resource(vm, this)?;
    let (name, path) = (text(vm, &resource, "link_name")?, text(vm, &resource, "path")?);
    let display = shell_out(vm, this, "shell_out", &[&program, "--display", &name])?;
    Ok(Current::of(&display, &path))
}

fn alternatives_cmd(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    program(vm, this).map(Value::str)
}
fn path_priority(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(displayed(vm, this)?.priority.map(Value::Int).unwrap_or_default())
}
fn current_path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(displayed(vm, this)?.target.map(Value::str).unwrap_or_default())
}
fn has_path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(displayed(vm, this)?.priority.is_some()))
}

impl Provider for Alternatives {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["install", "set", "remove", "auto", "refresh"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let priority = get(vm, resource, "priority")?;
        Ok(Desired {
            action,
            program: program(vm, resource)?,
            name: text(vm, resource, "link_name")?,
            link: text(vm, resource, "link")?,
            path: text_opt(vm, resource, "path")?,
            priority: if priority.is_nil() { None } else { Some(vm.to_int(&priority)?) },
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        if !desired.needs_path() || unfit("", "", &desired.name).is_some() {
            return Ok(Current { target: None, priority: None });
        }
        let query = Command { until_exit: false, ..desired.run(["--display", &desired.name]) };
        let text = lossy(&query.query(host)?.stdout);
        Ok(Current::of(&text, desired.path.as_deref().unwrap_or_default()))
    }

    fn requirements(desired: &Desired, _: &Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let words = [&desired.name, &desired.link].into_iter().chain(&desired.path);
        if let Some(failed) = words.into_iter().find_map(|word| unfit(FAILED, "alternative", word)) {
            return Ok(vec![failed]);
        }
        let mut failed = Vec::new();
        if desired.action == "install" && desired.priority.is_none() {
            failed.push(desired.failed("you must provide the :priority property"));
        }
        if desired.needs_path() {
            match &desired.path {
                None => failed.push(desired.failed("you must provide the :path property")),
                Some(path) if !compose::exists(host, path.as_bytes()) => {
                    let assume = format!("Assuming file {path} already exists or was created already");
                    failed.push(desired.failed(&format!("missing {path}")).assuming(assume));
                }
                Some(_) => {}
            }
        }
        Ok(failed)
    }

    fn plan(desired: &Desired, current: &Current, _: &dyn Host) -> Looked<Vec<Change>> {
        let Desired { name, link, .. } = desired;
        let path = desired.path.as_deref().unwrap_or_default();
        let task = |why: Why, line: String| Task::new("alternative", name, why, line);
        let number = |priority: Option<i64>| priority.map(|priority| priority.to_string());
        let task = match desired.action {
            "install" if current.priority == desired.priority => return Ok(Vec::new()),
            "install" => {
                let priority = number(desired.priority).unwrap_or_default();
                let why = if current.priority.is_some() { Why::Differs } else { Why::Absent };
                task(why, format!("adding alternative {link} {name} {path} {priority}"))
                    .with("priority", number(current.priority), Some(priority.clone()))
                    .run(desired.run(["--install", link, name, path, &priority]))
            }
            "set" if current.target.as_deref() == Some(path) => return Ok(Vec::new()),
            "set" => task(Why::Differs, format!("setting alternative {name} {path}"))
                .with("path", current.target.clone(), Some(path.to_string()))
                .run(desired.run(["--set", name, path])),
            "remove" if current.priority.is_none() => return Ok(Vec::new()),
            "remove" => task(Why::Present, format!("removing alternative {name} {path}"))
                .with("path", Some(path.to_string()), None)
                .run(desired.try_to(["--remove", name, path])),
            "auto" => {
                task(Why::Asked, format!("setting auto alternative {name}")).run(desired.try_to(["--auto", name]))
            }
            _ => task(Why::Asked, format!("refreshing alternative {name}")).run(desired.try_to(["--refresh", name])),
        };
        Ok(vec![Change::from(task)])
    }

    fn state(desired: &Desired, current: &Current, _host: &dyn Host) -> Vec<(&'static str, State)> {
        let priority = current.priority.map_or(State::Nil, State::Int);
        vec![
            ("link_name", State::Text(desired.name.clone())),
            ("path", State::text(current.target.clone())),
            ("priority", priority),
        ]
    }
}
