//! Several policies on one node (mission document 003): each runs in a child process with its own cookbooks, one after the other, and passes its
//! normal attributes to the next. The end of a run (saving the node, handlers, totals) happens once, in the parent.
//!
//! Parent and child exchange a file of mode 0600 each way, because attributes may be secret.

use super::{Prepared, child, report, save};
use crate::diagnostic;
use crate::formatter::raw;
use rchef_host::compose;
use rchef_recipe::chef_class::log_line;
use rchef_recipe::compile;
use rchef_recipe::data::policy::Choice;
use rchef_recipe::events::{PolicyEnd, Sink, emit};
use rchef_recipe::node::{self, Component};
use rchef_recipe::reboot;
use rchef_recipe::run::chef_error;
use rchef_recipe::subscribers;
use rchef_recipe::unsent::Owed;
use rchef_ruby::{Res, Symbol, Value, Vm, sym};
use serde_json::{Value as Json, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The parent's instructions to a child.
pub struct Told {
    pub policy: Choice,
    /// The previous policy, and the normal attributes that it left, as JSON text.
    pub carried: Option<(String, Vec<u8>)>,
    /// Path of the file for the result.
    pub result: String,
}

impl Told {
    /// Reads the file that the parent wrote.
    pub fn read(host: &dyn rchef_host::Host, path: &str) -> Result<Told, String> {
        let bytes =
            compose::read_file(host, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
        let json: Json = serde_json::from_slice(&bytes).map_err(|error| format!("{path}: {error}"))?;
        let text = |key: &str| json["policy"][key].as_str().map(str::to_string);
        let policy = Choice {
            name: text("name").unwrap_or_default(),
            group: text("group").unwrap_or_default(),
            named_run_list: text("named_run_list"),
            lock: text("lock"),
        };
        let carried = json["carried"]["policy"].as_str();
        let carried = carried.map(|policy| (policy.to_string(), json["carried"]["normal"].to_string().into_bytes()));
        Ok(Told { policy, carried, result: format!("{path}.result") })
    }
}

/// Event sink of a child: counts resources as the formatters do, and collects deprecations.
#[derive(Default)]
pub struct Counter {
    updated: Cell<usize>,
    others: Cell<usize>,
    deprecations: RefCell<Vec<(String, String)>>,
    /// The parent has handlers, so the result must list the actions.
    has_handlers: bool,
}
impl Counter {
    /// `has_handlers`: the parent has handlers, so the result must list the actions.
    pub fn new(has_handlers: bool) -> Counter {
        Counter { has_handlers, ..Counter::default() }
    }
}
impl Sink for Counter {
    fn resource_skipped(&self, _: &mut Vm, _: &Value, _: Symbol, _: &Value) {
        self.others.set(self.others.get() + 1);
    }
    fn resource_up_to_date(&self, _: &mut Vm, _: &Value, _: Symbol) {
        self.others.set(self.others.get() + 1);
    }
    fn resource_updated(&self, _: &mut Vm, _: &Value, _: Symbol) {
        self.updated.set(self.updated.get() + 1);
    }
    fn deprecation(&self, _: &mut Vm, text: &str, location: &str) {
        self.deprecations.borrow_mut().push((text.into(), location.into()));
    }
}

/// A requested reboot as JSON for the parent.
fn reboot_to_json(request: &reboot::Request) -> Json {
    json!({
        "delay": request.delay,
        "reason": request.reason,
        "details": request.details,
        "is_immediate": request.is_immediate,
    })
}

/// Reads the JSON of [`reboot_to_json`].
fn reboot_of(json: &Json) -> Option<reboot::Request> {
    let text = |key: &str| json[key].as_str().map(str::to_string);
    Some(reboot::Request {
        delay: text("delay")?,
        reason: text("reason")?,
        details: text("details")?,
        is_immediate: json["is_immediate"] == true,
    })
}

fn write_private(vm: &mut Vm, path: &str, json: &Json) -> Res<()> {
    let host = vm.host.clone();
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    compose::create_dir_all(&*host, folder.as_bytes(), 0o700)
        .and_then(|_| compose::atomic_write(&*host, path.as_bytes(), json.to_string().as_bytes(), save::PRIVATE))
        .map_err(|error| vm.host_error(&error))
}

/// Writes the child's result for the parent. Gives the exit status, which is `code` if the run failed.
pub fn leave_result(vm: &mut Vm, told: &Told, counter: &Rc<Counter>, (done, code): (Res<()>, u8), owed: &[Owed]) -> u8 {
    let failure = match done {
        Ok(()) => Json::Null,
        Err(error) => {
            let exception = vm.error_value(error);
            let lines = crate::formatter::error::backtrace(vm, &exception);
            json!({
                "class": vm.class_name_of(&exception),
                "message": crate::formatter::error::message(vm, &exception),
                "backtrace": lines,
            })
        }
    };
    let mut result = json!({
        "updated": counter.updated.get(),
        "total": counter.updated.get() + counter.others.get(),
        "deprecations": *counter.deprecations.borrow(),
        "report": report::part(vm, owed),
        "failure": failure,
    });
    if counter.has_handlers {
        match subscribers::told_actions(vm) {
            Ok(told) => result["actions"] = told,
            Err(error) => diagnostic::complain(&diagnostic::describe(vm, error)),
        }
    }
    let failed = !result["failure"].is_null();
    if !failed {
        let normal =
            compile::normal_attributes(vm).map(|bytes| serde_json::from_slice::<Json>(&bytes).unwrap_or_default());
        let saved = save::document(vm);
        match (normal, saved, reboot::requested(vm)) {
            (Ok(normal), Ok(saved), Ok(request)) => {
                result["normal"] = normal;
                result["saved"] = saved;
                result["reboot"] = request.as_ref().map_or(Json::Null, reboot_to_json);
            }
            (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)) => {
                diagnostic::complain(&diagnostic::describe(vm, error));
                return 1;
            }
        }
    }
    if let Err(error) = write_private(vm, &told.result, &result) {
        diagnostic::complain(&diagnostic::describe(vm, error));
        return 1;
    }
    if failed { code } else { 0 }
}

/// The result of all policies.
pub struct Finished {
    /// The node to be saved.
    pub node: Json,
    /// The reboot that was requested last.
    pub reboot: Option<reboot::Request>,
}

/// Runs the policies one after the other. The error is that of the first failing policy, whose exit status is stored in `status`.
pub fn run(vm: &mut Vm, prepared: &Prepared, status: &Cell<Option<u8>>) -> Res<Finished> {
    subscribers::configured(vm)?;
    subscribers::report_to_data_collector(vm)?;
    subscribers::start(vm)?;
    let node = compile::load_node(vm, &prepared.input)?;
    let names: Vec<&str> = prepared.policies.iter().map(|policy| policy.name.as_str()).collect();
    vm.call_name(&node, "policy_name", &[Value::array(names.iter().map(Value::str).collect())])?;
    subscribers::started(vm)?;
    let (mut carried, mut saved, mut reboot) = (Json::Null, Json::Null, None);
    for policy in &prepared.policies {
        raw(vm, &format!("\nConverge policy {}\n", policy.name));
        let path = format!("{}/policies/{}-{}.json", prepared.cache, policy.name, vm.host.pid());
        let told = json!({
            "policy": { "name": policy.name, "group": policy.group, "named_run_list": policy.named_run_list, "lock": policy.lock },
            "carried": carried,
        });
        write_private(vm, &path, &told)?;
        let result = one(vm, prepared, &path, status);
        let host = vm.host.clone();
        for leftover in [path.clone(), format!("{path}.result")] {
            let _ = host.unlink(leftover.as_bytes());
        }
        let mut result = result?;
        report::add(vm, &policy.name, result["report"].take());
        subscribers::add_told_actions(vm, &result["actions"])?;
        let count = |key: &str| result[key].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        let end = PolicyEnd {
            name: policy.name.clone(),
            updated: count("updated"),
            total: count("total"),
            deprecations: serde_json::from_value(result["deprecations"].take()).unwrap_or_default(),
        };
        emit(vm, |sink, vm| sink.policy_completed(vm, &end));
        if !result["failure"].is_null() {
            return Err(stand_in(vm, &result["failure"]));
        }
        let normal = result["normal"].take();
        let value = rchef_recipe::data::json_value(vm, &normal)?;
        node::set_component(vm, &node, Component::Normal, value)?;
        carried = json!({ "policy": policy.name, "normal": normal });
        saved = result["saved"].take();
        reboot = reboot_of(&result["reboot"]).or(reboot);
        if let Some(request) = reboot.as_ref().filter(|request| request.is_immediate) {
            log_line(
                vm,
                "warn",
                format!("No policy after {} is run: it ends for a reboot ({})", policy.name, request.reason),
            );
            break;
        }
    }
    saved["policy_name"] = names.into();
    Ok(Finished { node: saved, reboot })
}

/// Runs one policy in a child process; gives its result.
fn one(vm: &mut Vm, prepared: &Prepared, path: &str, status: &Cell<Option<u8>>) -> Res<Json> {
    let mut words = vec![prepared.command.clone(), "--policy-child".into(), path.into()];
    words.extend(prepared.words.iter().cloned());
    let pid = child::start(vm, &words).map_err(|text| vm.runtime_error(text))?;
    let host = vm.host.clone();
    let ended = child::wait(&*host, pid, |_| true).map_err(|text| vm.runtime_error(text))?;
    let bytes = compose::read_file(&*host, format!("{path}.result").as_bytes()).unwrap_or_default();
    let result: Option<Json> = serde_json::from_slice(&bytes).ok();
    let text = match (ended, result) {
        (child::Ended::Code(0), Some(result)) => return Ok(result),
        (child::Ended::Code(code), Some(result)) => {
            status.set(Some(code));
            return Ok(result);
        }
        (child::Ended::Code(code), None) => {
            status.set(Some(code));
            format!("Chef Infra Client run process exited unsuccessfully (exit code {code})")
        }
        (child::Ended::Signal(signal), _) => {
            let name = rchef_host::error::signal_name(signal).unwrap_or("unknown");
            format!("Chef Infra Client run process terminated by signal {signal} ({name})")
        }
    };
    Err(chef_error(vm, "ChildConvergeError", text))
}

/// The error of a child as an exception in this process, of the same class if it exists here.
fn stand_in(vm: &mut Vm, failure: &Json) -> rchef_ruby::Error {
    let text = |key: &str| failure[key].as_str().unwrap_or_default().to_string();
    let (class, message) = (text("class"), text("message"));
    let lines = failure["backtrace"].as_array().into_iter().flatten().filter_map(Json::as_str);
    let lines = Value::array(lines.map(Value::str).collect());
    let made = match vm.class_named(&class) {
        Some(id) => vm.call(&Value::Class(id), sym::NEW, &[Value::str(&message)]),
        None => Ok(Value::Nil),
    };
    let error = match made {
        Ok(exception) if !exception.is_nil() => rchef_recipe::provider::class::raise(exception),
        _ => chef_error(vm, "ChildConvergeError", format!("{class}: {message}")),
    };
    if let Some(exception) = error.exception().cloned() {
        let _ = vm.call_name(&exception, "set_backtrace", &[lines]);
    }
    error
}

/// What the policies manage differently, a line for each conflict, found by compiling all of them beforehand.
pub fn conflicts(vm: &mut Vm, prepared: &Prepared) -> Result<Vec<String>, String> {
    let real = rchef_host::RealHost::new();
    let names: Vec<&str> = prepared.policies.iter().map(|policy| policy.name.as_str()).collect();
    let mut words: Vec<String> =
        ["/proc/self/exe", "compile", "--live", "--expand", "--dump=json", "-N"].map(String::from).into();
    words.extend([prepared.input.node_name.clone(), "--policy-name".into(), names.join(",")]);
    words.extend(prepared.compile_words.iter().cloned());
    let _ = rchef_ruby::embed::io::flush_all(vm);
    let mut spec = rchef_host::CommandSpec::argv(words);
    spec.argv0 = Some(b"rchef".to_vec());
    (spec.stdout, spec.stderr) = (rchef_host::Stdio::Pipe, rchef_host::Stdio::Pipe);
    let done = rchef_host::Processes::run(&real, &spec, &mut |_| rchef_host::Flow::Continue);
    let done = done.map_err(|error| error.message().to_string())?;
    let document: Json = serde_json::from_slice(&done.stdout).unwrap_or_default();
    let Some(found) = document["conflicts"].as_array().filter(|_| document["status"] == "complete") else {
        return Err(String::from_utf8_lossy(&done.stderr).trim_end().to_string());
    };
    Ok(found.iter().map(line).collect())
}

/// Shortens a value for a line of the log.
fn shortened(text: String) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// `package nginx: version 1.0 (base, base/recipes/default.rb:3) and 2.0 (app, app/recipes/default.rb:1)`
fn line(conflict: &Json) -> String {
    let by = |at: usize| {
        let manager = &conflict["managed_by"][at];
        let text = |key: &str| manager[key].as_str().unwrap_or_default();
        format!("policy {}, {}", text("policy"), text("source"))
    };
    let differs: Vec<String> = conflict["differs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|each| {
            let what = each["what"].as_str().unwrap_or_default();
            let value = |at: usize| match &each["values"][at] {
                Json::String(text) => shortened(text.trim_end().replace('\n', "\\n")),
                other => shortened(other.to_string()),
            };
            format!("{what} {} ({}) and {} ({})", value(0), by(0), value(1), by(1))
        })
        .collect();
    format!("{}: {}", conflict["object"].as_str().unwrap_or_default(), differs.join("; "))
}

/// Logs the conflicts of `--check-conflicts`; gives whether there are any.
pub fn told_conflicts(vm: &mut Vm, found: &[String]) -> bool {
    for line in found {
        log_line(vm, "error", format!("Conflict: {line}"));
    }
    !found.is_empty()
}
