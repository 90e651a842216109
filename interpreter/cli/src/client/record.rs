//! Fields of an action's record that the run's report and the plan share: source of the resource, notifier, reason for skipping.

use rchef_recipe::resource::instance;
use rchef_recipe::resource::state::{Slot, read};
use rchef_ruby::{Symbol, Value, Vm};
use serde_json::{Map, Value as Json, json};

/// `to_s` of a value; empty if it raises.
pub fn to_s(vm: &mut Vm, value: &Value) -> String {
    vm.to_s_text(value).unwrap_or_default()
}

/// Adds `type` and `name` of a resource to its record.
pub fn put_name(vm: &mut Vm, record: &mut Map<String, Json>, resource: &Value) {
    let kind = instance::name_of_type(vm, resource).unwrap_or_default();
    record.insert("type".into(), to_s(vm, &kind).into());
    let name = vm.call_name(resource, "name", &[]).unwrap_or_default();
    record.insert("name".into(), to_s(vm, &name).into());
}

/// Adds cookbook and recipe (under the given keys), `source` and `notified` of an action to its record, if known.
pub fn put_origin(
    vm: &mut Vm,
    record: &mut Map<String, Json>,
    resource: &Value,
    [cookbook, recipe]: [&str; 2],
    notified: Option<(Symbol, &Value)>,
) {
    for (key, slot) in [(cookbook, Slot::CookbookName), (recipe, Slot::RecipeName)] {
        let value = read(vm, resource, slot);
        if !value.is_nil() {
            record.insert(key.into(), to_s(vm, &value).into());
        }
    }
    if let Some(place) = place(vm, resource) {
        record.insert("source".into(), place);
    }
    if let Some((timing, sender)) = notified {
        let mut notified = json!({"by": to_s(vm, sender), "timing": timing.as_str()});
        if let (Some(fields), Some(place)) = (notified.as_object_mut(), place(vm, sender)) {
            fields.insert("source".into(), place);
        }
        record.insert("notified".into(), notified);
    }
}

/// Where a resource is declared.
fn place(vm: &mut Vm, resource: &Value) -> Option<Json> {
    let (file, line) = instance::source_of(vm, resource).ok()??;
    Some(json!({"file": file, "line": line.parse::<u32>().unwrap_or_default()}))
}

pub fn is_sensitive(vm: &mut Vm, resource: &Value) -> bool {
    vm.call_name(resource, "sensitive", &[]).is_ok_and(|value| value.truthy())
}

/// Why an action was skipped: the guard (for a sensitive resource only its kind) or, without a guard, the action itself (`:nothing`).
pub fn reason_of_skip(vm: &mut Vm, resource: &Value, action: Symbol, conditional: &Value) -> String {
    if conditional.is_nil() {
        return format!("action :{action}");
    }
    if is_sensitive(vm, resource) {
        return "[sensitive]".into();
    }
    let shown = vm.call_name(conditional, "to_text", &[]).unwrap_or_default();
    to_s(vm, &shown)
}
