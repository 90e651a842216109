//! Event sink that records a simulated run: one record per action, in the order in which actions start.

use super::document::{Assumption, Document};
use crate::client::record::{self, to_s};
use rchef_host::DoubtKind;
use rchef_recipe::context;
use rchef_recipe::events::{Change, Line, Sink};
use rchef_recipe::notification::{self, Timing};
use rchef_recipe::resource::{guard, instance};
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::{Symbol, Value, Vm, sym};
use serde_json::{Map, Value as Json, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub struct Collector {
    document: Rc<RefCell<Document>>,
    /// The actions in progress, outermost first.
    under_way: RefCell<Vec<Begun>>,
    /// Depth of why-runs that precede `:before` notifications; their records are not part of the plan.
    rehearsals: Cell<usize>,
    policy: Option<String>,
}

/// An action in progress.
#[derive(Clone, Copy)]
struct Begun {
    /// Index of its record in the document.
    at: usize,
    sensitive: bool,
}

/// The text of a doubt.
fn words(kind: DoubtKind, subject: &str, unseen: usize) -> String {
    let unseen = match unseen {
        1 => "the change that is planned before it".to_string(),
        count => format!("the {count} changes that are planned before it"),
    };
    match kind {
        DoubtKind::NotRun => format!("`{subject}` was not run: taken to print nothing and to succeed"),
        DoubtKind::Unseen => {
            format!("`{subject}` was answered by the machine as it is now, which has none of {unseen}")
        }
        DoubtKind::GuardNotAsked => format!("the guard `{subject}` was not asked: the action is taken to go on"),
        DoubtKind::NotVerified => format!("`{subject}` was not run: the content is taken to pass it"),
        DoubtKind::Effects => {
            format!("what {subject} does is not known: what follows is planned as if it changed nothing else")
        }
        DoubtKind::Lists => {
            format!("`{subject}` renews the package lists: packages are planned as they are on offer now")
        }
        DoubtKind::Contents => format!("not known: {subject}; what it brings is taken as not there"),
        DoubtKind::GuardMet => {
            format!("the guard `{subject}` is taken to succeed once the command that it guards has run")
        }
        DoubtKind::Version => format!("it is taken that {subject}"),
        DoubtKind::NotPlanned => format!("could not be planned: {subject}"),
    }
}

/// Whether the subject of a doubt is a command line, which is hidden for sensitive resources.
fn is_command(kind: DoubtKind) -> bool {
    match kind {
        DoubtKind::NotRun
        | DoubtKind::Unseen
        | DoubtKind::GuardNotAsked
        | DoubtKind::NotVerified
        | DoubtKind::Lists
        | DoubtKind::GuardMet => true,
        DoubtKind::Effects | DoubtKind::Contents | DoubtKind::Version | DoubtKind::NotPlanned => false,
    }
}

impl Collector {
    /// `policy`: the name of one of several policies.
    pub fn new(document: Rc<RefCell<Document>>, policy: Option<String>) -> Collector {
        Collector { document, under_way: RefCell::default(), rehearsals: Cell::new(0), policy }
    }

    fn is_rehearsal(&self, vm: &mut Vm) -> bool {
        self.rehearsals.get() > 0 || converge_mut(vm).mode == ActionMode::WhyRun
    }

    fn on_top(&self, change: impl FnOnce(&mut Map<String, Json>)) {
        let Some(Begun { at, .. }) = self.under_way.borrow().last().copied() else { return };
        if let Some(record) = self.document.borrow_mut().records.get_mut(at) {
            change(record);
        }
    }

    fn append(&self, key: &str, item: Json) {
        self.on_top(|record| push(record, key, item));
    }

    fn status(&self, status: &str) {
        self.on_top(|record| {
            // `unknown` and `failed` are final
            if record.get("status").is_none_or(|known| known != "unknown" && known != "failed") {
                record.insert("status".into(), status.into());
            }
        });
    }

    fn assume(&self, kind: &'static str, text: String) {
        let at = self.under_way.borrow().last().map(|begun| begun.at);
        let mut document = self.document.borrow_mut();
        let resource = at
            .and_then(|at| document.records.get(at))
            .map(|record| (record["resource"].as_str().unwrap_or_default().to_string(), record.get("source").cloned()));
        let id = document.assumptions.len() + 1;
        let (resource, source) = resource.map_or((None, None), |(resource, source)| (Some(resource), source));
        document.assumptions.push(Assumption { id, kind, text, resource, source });
        if let Some(record) = at.and_then(|at| document.records.get_mut(at)) {
            push(record, "assumptions", id.into());
        }
    }

    /// Takes the overlay's new doubts and adds them to the action in progress.
    pub fn look(&self, vm: &mut Vm) {
        let host = vm.host.clone();
        let Some(overlay) = host.as_overlay() else { return };
        for doubt in overlay.take_doubts() {
            if doubt.kind == DoubtKind::NotPlanned {
                self.on_top(|record| {
                    record.insert("status".into(), "unknown".into());
                });
            }
            let hides = self.under_way.borrow().iter().any(|begun| begun.sensitive) && is_command(doubt.kind);
            let subject = if hides { "[sensitive]" } else { &doubt.subject };
            self.assume(doubt.kind.as_str(), words(doubt.kind, subject, doubt.unseen));
        }
    }

    /// The notifications of an updated resource, as `{to, action, timing}`.
    fn notifies(&self, vm: &mut Vm, resource: &Value) -> Vec<Json> {
        let mut found = Vec::new();
        let Ok(context) = instance::context_of(vm, resource) else { return found };
        for timing in [Timing::Before, Timing::Immediate, Timing::Delayed] {
            for sent in notification::notifications(vm, &context, resource, timing).unwrap_or_default() {
                let target = notification::resolve_target(vm, &context, &sent).ok().flatten();
                let to = to_s(vm, &target.unwrap_or(sent.resource.clone()));
                let action = to_s(vm, &sent.action);
                found.push(json!({"to": to, "action": action, "timing": timing.as_str(), "source": sent.source}));
            }
        }
        found
    }
}

fn push(record: &mut Map<String, Json>, key: &str, item: Json) {
    if let Some(list) = record.entry(key).or_insert_with(|| json!([])).as_array_mut() {
        list.push(item);
    }
}

impl Sink for Collector {
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) {
        if self.is_rehearsal(vm) {
            self.rehearsals.set(self.rehearsals.get() + 1);
            return;
        }
        self.look(vm);
        let mut record = Map::new();
        let sensitive = record::is_sensitive(vm, resource);
        record.insert("resource".into(), to_s(vm, resource).into());
        record::put_name(vm, &mut record, resource);
        record.insert("action".into(), action.as_str().into());
        record::put_origin(vm, &mut record, resource, ["cookbook", "recipe"], notified);
        if let Some(policy) = &self.policy {
            record.insert("policy".into(), policy.as_str().into());
        }
        record.insert("nesting".into(), self.under_way.borrow().len().into());
        record.insert("status".into(), "unprocessed".into());
        let mut document = self.document.borrow_mut();
        document.records.push(record);
        self.under_way.borrow_mut().push(Begun { at: document.records.len() - 1, sensitive });
    }

    fn resource_change(&self, vm: &mut Vm, _: &Value, _: Symbol, change: &Change) {
        if !self.is_rehearsal(vm) {
            self.append("changes", change.to_json());
        }
    }

    fn resource_update_applied(&self, vm: &mut Vm, _: &Value, _: Symbol, lines: &[Line]) {
        if self.is_rehearsal(vm) {
            return;
        }
        let mut target = None;
        for line in lines {
            match line {
                Line::Step(text) => self.append("steps", text.as_str().into()),
                Line::Detail(text) => {
                    // the second header of Chef's diff names a temporary file, which a plan does not have
                    let shown = match target.take().filter(|_| text.starts_with("+++ ")) {
                        Some(path) => format!("+++ {path}\tplanned"),
                        None => text.clone(),
                    };
                    target = text.strip_prefix("--- ").and_then(|header| header.split('\t').next());
                    self.append("diff", shown.into());
                }
            }
        }
    }

    fn resource_skipped(&self, vm: &mut Vm, resource: &Value, action: Symbol, conditional: &Value) {
        if self.is_rehearsal(vm) {
            return;
        }
        self.look(vm);
        self.status("skipped");
        let shown = record::reason_of_skip(vm, resource, action, conditional);
        self.on_top(|record| {
            record.insert("guard".into(), shown.into());
        });
    }

    fn resource_up_to_date(&self, vm: &mut Vm, _: &Value, _: Symbol) {
        if !self.is_rehearsal(vm) {
            self.status("up_to_date");
        }
    }

    fn resource_updated(&self, vm: &mut Vm, resource: &Value, _: Symbol) {
        if self.is_rehearsal(vm) {
            return;
        }
        self.status("change");
        for guard in guard::texts(vm, resource) {
            self.append("guards", guard.into());
        }
        for target in self.notifies(vm, resource) {
            self.append("notifies", target);
        }
    }

    fn whyrun_assumption(&self, vm: &mut Vm, _: Symbol, _: &Value, text: &str) {
        if !self.is_rehearsal(vm) {
            self.assume("requirement_taken_as_met", text.to_string());
        }
    }

    fn resource_failed(&self, vm: &mut Vm, _: &Value, _: Symbol, exception: &Value) {
        if self.is_rehearsal(vm) {
            return;
        }
        let message = vm.call(exception, sym::MESSAGE, &[]).unwrap_or_default();
        let error = json!({"class": vm.class_name_of(exception), "message": to_s(vm, &message)});
        self.on_top(|record| {
            record.insert("status".into(), "failed".into());
            record.insert("error".into(), error);
        });
    }

    fn resource_completed(&self, vm: &mut Vm, _: &Value) {
        if self.rehearsals.get() > 0 {
            self.rehearsals.set(self.rehearsals.get() - 1);
            return;
        }
        self.look(vm);
        self.under_way.borrow_mut().pop();
    }
}

/// The keys (`type[name]`) of the resources of a root collection, in order.
///
/// # Errors
/// A name that cannot be converted to text.
pub fn keys(vm: &mut Vm, root: &Value) -> rchef_ruby::Res<Vec<String>> {
    let all = context::resources(vm, root)?;
    all.iter().map(|resource| context::declared_key(vm, resource)).collect()
}
