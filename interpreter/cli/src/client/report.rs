//! The report of a run as JSON: the outcome of every action and every change as data (SPEC-converge 4.6).
//!
//! The fields are those of Chef's data collector (`run_converge`). Added are the source of a resource, who notified the action, and `changes`:
//! old and new values with the reason ([`Change::to_json`]).

use super::log::timestamp;
use super::record::{self, to_s};
use super::save::PRIVATE;
use crate::formatter::error;
use rchef_host::compose;
use rchef_recipe::chef_class::log_line;
use rchef_recipe::events::{Change, Line, PolicyEnd, Sink};
use rchef_recipe::run::{ActionMode, converge_mut, run_mut};
use rchef_recipe::secrets;
use rchef_recipe::unsent::Owed;
use rchef_ruby::{Symbol, Value, Vm, sym};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What is known of a run before it starts.
pub struct Run {
    pub node_name: String,
    pub why_run: bool,
}

/// Event sink that collects the records.
struct Report {
    run: Run,
    id: String,
    started: (String, u64),
    expanded: RefCell<Vec<String>>,
    done: RefCell<Vec<Json>>,
    /// Unsent notifications from the child processes of several policies.
    unsent: RefCell<Vec<Json>>,
    /// Actions in progress, outermost first: the record, and the start time in nanoseconds.
    pending: RefCell<Vec<(Map<String, Json>, u64)>>,
    updated: Cell<usize>,
    deprecations: RefCell<Vec<Json>>,
}

/// The current report and its file; a child process of several policies has no file.
#[derive(Default)]
struct Kept(Option<(Rc<Report>, Option<String>)>);

/// Starts a report, which goes to a file or, without a path, to the parent process.
pub fn begin(vm: &mut Vm, path: Option<&str>, run: Run) {
    let report = Rc::new(Report::new(vm, run));
    rchef_recipe::events::sinks(vm).push(report.clone());
    vm.extension::<Kept>().0 = Some((report, path.map(str::to_string)));
}

/// The part of the report that one of several policies contributes; Null if there is no report.
pub fn part(vm: &mut Vm, unsent: &[Owed]) -> Json {
    let Some((report, _)) = vm.extension::<Kept>().0.clone() else { return Json::Null };
    let mut part = json!({
        "expanded_run_list": *report.expanded.borrow(),
        "resources": *report.done.borrow(),
        "unsent_notifications": unsent.iter().map(Owed::shown).collect::<Vec<_>>(),
    });
    // the parent does not know the secrets of this process
    mask(vm, &mut part);
    part
}

/// Adds a policy's [`part`] to the report.
pub fn add(vm: &mut Vm, policy: &str, mut part: Json) {
    let Some((report, _)) = vm.extension::<Kept>().0.clone() else { return };
    let mut list = |key: &str| part[key].as_array_mut().map(std::mem::take).unwrap_or_default();
    for mut resource in list("resources") {
        if let Some(record) = resource.as_object_mut() {
            record.insert("policy_name".into(), policy.into());
        }
        if resource["status"] == "updated" {
            report.updated.set(report.updated.get() + 1);
        }
        report.done.borrow_mut().push(resource);
    }
    let names = list("expanded_run_list").into_iter();
    report.expanded.borrow_mut().extend(names.filter_map(|name| name.as_str().map(str::to_string)));
    report.unsent.borrow_mut().extend(list("unsent_notifications"));
}

/// The node's saved run list.
fn run_list(vm: &mut Vm) -> Vec<String> {
    let node = run_mut(vm).node.clone();
    if node.is_nil() {
        return Vec::new();
    }
    let items = vm.call_name(&node, "primary_runlist", &[]).and_then(|list| vm.to_array(&list)).unwrap_or_default();
    items.iter().map(|item| to_s(vm, item)).collect()
}

/// Finishes the report, if there is one, and writes it; `failure` ended the run.
pub fn end(vm: &mut Vm, failure: Option<&Value>, unsent: &[Owed]) {
    let Some((report, path)) = vm.extension::<Kept>().0.clone() else { return };
    let Some(path) = path else { return };
    if let Err(error) = report.write(vm, &path, failure, unsent) {
        log_line(vm, "error", format!("Cannot write the report: {error}"));
    }
}

fn milliseconds(nanoseconds: u64) -> String {
    (nanoseconds / 1_000_000).to_string()
}

impl Report {
    fn new(vm: &mut Vm, run: Run) -> Report {
        Report {
            run,
            id: rchef_recipe::subscribers::run_id(vm),
            started: (timestamp(vm), vm.host.monotonic_ns()),
            expanded: RefCell::default(),
            done: RefCell::default(),
            unsent: RefCell::default(),
            pending: RefCell::default(),
            updated: Cell::default(),
            deprecations: RefCell::default(),
        }
    }

    fn last(&self, change: impl FnOnce(&mut Map<String, Json>)) {
        if let Some((record, _)) = self.pending.borrow_mut().last_mut() {
            change(record);
        }
    }
    fn append(&self, key: &str, item: Json) {
        self.last(|record| {
            if let Some(list) = record.entry(key).or_insert_with(|| json!([])).as_array_mut() {
                list.push(item);
            }
        });
    }
    fn status(&self, status: &str) {
        self.last(|record| {
            record.insert("status".into(), status.into());
        });
    }

    fn write(&self, vm: &mut Vm, path: &str, failure: Option<&Value>, unsent: &[Owed]) -> rchef_host::Result<()> {
        let Run { node_name, why_run } = &self.run;
        let run_list = run_list(vm);
        let mut owed = self.unsent.borrow().clone();
        owed.extend(unsent.iter().map(|owed| Json::from(owed.shown())));
        let resources = self.done.borrow();
        let mut document = json!({
            "message_type": "run_converge",
            "message_version": "1.1.0",
            "source": "chef_solo",
            "run_id": self.id,
            "id": self.id,
            "node_name": node_name,
            "why_run": why_run,
            "status": if failure.is_some() { "failure" } else { "success" },
            "start_time": self.started.0,
            "end_time": timestamp(vm),
            "duration": milliseconds(vm.host.monotonic_ns().saturating_sub(self.started.1)),
            "run_list": run_list,
            "expanded_run_list": *self.expanded.borrow(),
            "total_resource_count": resources.len(),
            "updated_resource_count": self.updated.get(),
            "resources": *resources,
            "deprecations": *self.deprecations.borrow(),
            "unsent_notifications": owed,
        });
        if let (Some(exception), Some(fields)) = (failure, document.as_object_mut()) {
            let error = json!({
                "class": vm.class_name_of(exception),
                "message": error::message(vm, exception),
                "backtrace": error::backtrace(vm, exception),
            });
            fields.insert("error".into(), error);
        }
        mask(vm, &mut document);
        let host = vm.host.clone();
        compose::atomic_write(&*host, path.as_bytes(), format!("{document:#}\n").as_bytes(), PRIVATE)
    }
}

/// Masks the secrets in every text.
pub fn mask(vm: &mut Vm, json: &mut Json) {
    match json {
        Json::String(text) => {
            if let Cow::Owned(masked) = secrets::shown(vm, text) {
                *text = masked;
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| mask(vm, item)),
        Json::Object(fields) => fields.values_mut().for_each(|field| mask(vm, field)),
        _ => {}
    }
}

impl Sink for Report {
    fn cookbook_resolution_start(&self, _: &mut Vm, recipes: &[String]) {
        *self.expanded.borrow_mut() = recipes.to_vec();
    }
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) {
        let mut record = Map::new();
        record::put_name(vm, &mut record, resource);
        let identity = vm.call_name(resource, "identity", &[]).unwrap_or_default();
        record.insert("id".into(), to_s(vm, &identity).into());
        record.insert("result".into(), action.as_str().into());
        record::put_origin(vm, &mut record, resource, ["cookbook_name", "recipe_name"], notified);
        let ignores = vm.call_name(resource, "ignore_failure", &[]).is_ok_and(|value| value.truthy());
        record.insert("ignore_failure".into(), ignores.into());
        record.insert("status".into(), "unprocessed".into());
        record.insert("nesting".into(), self.pending.borrow().len().into());
        // the why-run before a `:before` notification, which Chef reports too
        if !self.run.why_run && converge_mut(vm).mode == ActionMode::WhyRun {
            record.insert("why_run".into(), true.into());
        }
        let now = vm.host.monotonic_ns();
        self.pending.borrow_mut().push((record, now));
    }
    fn resource_change(&self, _: &mut Vm, _: &Value, _: Symbol, change: &Change) {
        self.append("changes", change.to_json());
    }
    fn resource_update_applied(&self, _: &mut Vm, _: &Value, _: Symbol, lines: &[Line]) {
        for line in lines {
            match line {
                Line::Step(text) => self.append("steps", text.as_str().into()),
                Line::Detail(text) => self.append("delta", text.as_str().into()),
            }
        }
    }
    fn resource_skipped(&self, vm: &mut Vm, resource: &Value, action: Symbol, conditional: &Value) {
        self.status("skipped");
        let shown = record::reason_of_skip(vm, resource, action, conditional);
        self.last(|record| {
            record.insert("conditional".into(), shown.into());
        });
    }
    fn resource_up_to_date(&self, _: &mut Vm, _: &Value, _: Symbol) {
        self.status("up-to-date");
    }
    fn resource_updated(&self, _: &mut Vm, _: &Value, _: Symbol) {
        self.status("updated");
        self.updated.set(self.updated.get() + 1);
    }
    fn whyrun_assumption(&self, _: &mut Vm, _: Symbol, _: &Value, text: &str) {
        self.append("assumptions", text.into());
    }
    fn resource_failed(&self, vm: &mut Vm, _: &Value, _: Symbol, exception: &Value) {
        self.status("failed");
        let message = vm.call(exception, sym::MESSAGE, &[]).unwrap_or_default();
        let (class, message) = (vm.class_name_of(exception), to_s(vm, &message));
        self.last(|record| {
            record.insert("error".into(), json!({"class": class, "message": message}));
            record.insert("error_message".into(), message.into());
        });
    }
    fn resource_completed(&self, vm: &mut Vm, _: &Value) {
        let ended = self.pending.borrow_mut().pop();
        if let Some((mut record, started)) = ended {
            let time = vm.host.monotonic_ns().saturating_sub(started);
            record.insert("duration".into(), milliseconds(time).into());
            self.done.borrow_mut().push(Json::Object(record));
        }
    }
    fn policy_completed(&self, vm: &mut Vm, policy: &PolicyEnd) {
        for (text, location) in &policy.deprecations {
            self.deprecation(vm, text, location);
        }
    }
    fn deprecation(&self, _: &mut Vm, text: &str, location: &str) {
        self.deprecations.borrow_mut().push(json!({"message": text, "location": location}));
    }
}
