//! Notifications in a dump, one entry for each edge (SPEC-compile 6.5).

use super::effects::Finding;
use super::record::Edge;
use super::{Declared, short_place};
use crate::context::{self, Timing};
use crate::resource::{instance, state};
use rchef_model::code::Code;
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use rchef_ruby::{Res, Symbol, Value, Vm};
use rustc_hash::FxHashMap as HashMap;

/// The place of a resource in the collections.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) id: String,
    /// Address of its run context.
    pub(super) context: usize,
    /// Its index in the collection.
    pub(super) index: usize,
}

/// Collects edges and findings while records are written; places are keyed by the resource's address.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) edges: Vec<Json>,
    pub(super) ids: HashMap<usize, Place>,
    pub(super) declared: Declared,
    pub(super) findings: Vec<Finding>,
    pub(super) expanded: Option<HashMap<usize, Vec<usize>>>,
    pub(super) natives: super::record::Natives,
}

impl Writer {
    /// Adds a finding, with its place shortened.
    pub(super) fn find(&mut self, source: Option<&str>, code: Code, text: String) {
        let (file, line) = source.and_then(|source| source.rsplit_once(':')).unwrap_or_default();
        let line = line.parse().unwrap_or(0);
        self.findings.push(Finding { file: file.to_string(), line, code, text });
    }
}

/// The resolution of an edge.
struct Outcome {
    resolves: &'static str,
    direction: &'static str,
    reason: Option<String>,
    will_fail: bool,
}

fn outcome(
    vm: &mut Vm,
    writer: &Writer,
    context: &Value,
    sender: &Value,
    edge: &Edge,
    target: Option<&Value>,
) -> Res<Outcome> {
    let Some(target) = target else {
        return Ok(Outcome {
            resolves: "no",
            direction: "forward",
            reason: Some("no such resource in the collection".into()),
            will_fail: true,
        });
    };
    let (from, to) = (writer.ids.get(&sender.address()), writer.ids.get(&target.address()));
    let direction = match (from, to) {
        _ if sender.same(target) => "self",
        (Some(from), Some(to)) if from.context == to.context && to.index > from.index => "forward",
        _ => "backward",
    };
    let mut resolves = match (from, to) {
        (Some(from), Some(to)) if from.context != to.context => "outer",
        _ => "yes",
    };
    let executed = state::state(vm, sender).is_some_and(|state| state.executed.is_some());
    let in_action = !context::data(vm, context)?.owner.is_nil();
    if direction == "forward" && edge.notification.timing == Timing::Immediate && in_action {
        resolves = "parked";
    }
    if executed && direction == "forward" && edge.notification.timing != Timing::Delayed && !in_action {
        resolves = "late";
    }
    let allowed = instance::allowed_list(vm, target)?;
    let action = match &edge.notification.action {
        Value::Nil => None,
        action => Some(vm.to_name(action)?),
    };
    if let Some(action) = action.filter(|action| !allowed.contains(action)) {
        return Ok(Outcome {
            resolves,
            direction,
            reason: Some(format!("the target has no action :{action}")),
            will_fail: true,
        });
    }
    let reason = (resolves == "late").then(|| "the sender ran before the target was declared".to_string());
    Ok(Outcome { resolves, direction, reason, will_fail: resolves == "late" })
}

/// Adds the notifications that a resource sends.
pub(super) fn of(
    vm: &mut Vm,
    writer: &mut Writer,
    context: &Value,
    resource: &Value,
    names: (&str, &str),
    edges: Vec<Edge>,
) -> Res<()> {
    let (id, key) = names;
    for edge in edges {
        let (target, several) = match context::resolve_target(vm, context, &edge.notification) {
            Ok(target) => (target, false),
            Err(error) => {
                let exception = vm.error_value(error);
                (None, vm.class_name_of(&exception) == "Chef::Exceptions::InvalidResourceReference")
            }
        };
        let mut outcome = outcome(vm, writer, context, resource, &edge, target.as_ref())?;
        if several {
            outcome.reason = Some("matches several resources; only one is allowed".into());
        }
        let mut map = Map::new();
        map.insert("from".into(), json!(key));
        map.insert("from_id".into(), json!(id));
        let source = edge.facets.get("source").and_then(Json::as_str).map(str::to_string);
        let to = edge.facets.get("to").and_then(Json::as_str).unwrap_or_default().to_string();
        for (name, value) in edge.facets {
            let is_target = name == "to";
            map.insert(name, value);
            if is_target && let Some(place) = target.as_ref().and_then(|target| writer.ids.get(&target.address())) {
                map.insert("to_id".into(), json!(place.id));
            }
        }
        map.insert("direction".into(), json!(outcome.direction));
        map.insert("resolves".into(), json!(outcome.resolves));
        map.insert("will_fail".into(), json!(outcome.will_fail));
        if outcome.resolves == "parked" {
            let text =
                format!("{key} notifies {to} before it is declared: the notification waits for that declaration");
            writer.find(source.as_deref(), Code::NotificationParked, text);
        }
        if let Some(reason) = outcome.reason {
            if outcome.will_fail {
                let code =
                    if outcome.resolves == "no" { Code::NotificationUnresolved } else { Code::NotificationFails };
                writer.find(source.as_deref(), code, format!("{key} notifies {to}: {reason}; the run fails there"));
            }
            map.insert("reason".into(), json!(reason));
        }
        writer.edges.push(Json::Object(map));
    }
    Ok(())
}

/// Adds subscriptions to resources that are not in the collection; they never fire.
pub(super) fn unheard(vm: &mut Vm, writer: &mut Writer, context: &Value) -> Res<()> {
    let collection = context::collection(vm, context)?;
    let mut silent = Vec::new();
    for timing in Timing::ALL {
        let senders = context::data(vm, context)?.notifications.senders(timing);
        let listed: Vec<_> = senders.map(|(key, list)| (key.to_string(), list.to_vec())).collect();
        let known = vm.data::<context::CollectionData>(&collection);
        silent.extend(listed.into_iter().filter(|(key, _)| known.is_none_or(|known| !known.keys.contains_key(key))));
    }
    for (key, list) in silent {
        for notification in list.into_iter().filter(|notification| notification.subscribed) {
            let to = vm.to_s_text(&notification.resource)?;
            let action = vm.to_s_text(&notification.action)?;
            let place = short_place(vm, &notification.source);
            let text = format!("{to} subscribes to {key}, which is not in the collection: it never fires");
            writer.find(Some(&place), Code::SubscriptionUnresolved, text);
            let mut map = Map::new();
            map.insert("from".into(), json!(key));
            map.insert("to".into(), json!(to));
            if let Some(known) = writer.ids.get(&notification.resource.address()) {
                map.insert("to_id".into(), json!(known.id));
            }
            for (name, value) in [
                ("action", json!(action)),
                ("timing", json!(notification.timing.as_str())),
                ("declared_as", json!("subscribes")),
                ("source", json!(place)),
                ("direction", json!("forward")),
                ("resolves", json!("no")),
                ("will_fail", json!(false)),
                ("reason", json!("the subscribed resource is not in the collection: it never fires")),
            ] {
                map.insert(name.into(), value);
            }
            writer.edges.push(Json::Object(map));
        }
    }
    Ok(())
}

/// The delayed notifications that are queued at the end of the compile.
pub(super) fn queue(vm: &mut Vm, root: &Value) -> Res<Vec<Json>> {
    if root.is_nil() {
        return Ok(Vec::new());
    }
    let waiting = context::data(vm, root)?.notifications.waiting().to_vec();
    let mut list = Vec::new();
    for notification in waiting {
        let (from, to) = (vm.to_s_text(&notification.notifying)?, vm.to_s_text(&notification.resource)?);
        let action: Symbol = vm.to_name(&notification.action)?;
        list.push(json!({ "from": from, "to": to, "action": action.as_str(), "source": short_place(vm, &notification.source) }));
    }
    Ok(list)
}
