//! `failed-run-data.json` in the cache: what a failed run had converged, for debugging. A run that succeeds removes the file.

use super::Prepared;
use super::log::timestamp;
use super::save::PRIVATE;
use crate::formatter::error;
use rchef_host::compose;
use rchef_recipe::chef_class::log_line;
use rchef_recipe::events::Sink;
use rchef_recipe::resource::state::{Slot, read};
use rchef_recipe::secrets;
use rchef_ruby::{Symbol, Value, Vm};
use serde_json::{Value as Json, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

fn file(prepared: &Prepared) -> String {
    prepared.note("failed-run-data", "json")
}

/// Event sink that notes what actions did.
#[derive(Default)]
struct Notes {
    started: RefCell<String>,
    updated: RefCell<Vec<Json>>,
    failed: RefCell<Vec<Json>>,
    unchanged: Cell<usize>,
    skipped: Cell<usize>,
}

#[derive(Default)]
struct Kept(Option<Rc<Notes>>);

fn record(vm: &mut Vm, resource: &Value, action: Symbol) -> Json {
    let place = read(vm, resource, Slot::SourceLine);
    let place = if place.is_nil() { Json::Null } else { vm.to_s_text(&place).unwrap_or_default().into() };
    json!({ "resource": vm.to_s_text(resource).unwrap_or_default(), "action": action.to_string(), "declared_at": place })
}

impl Sink for Notes {
    fn resource_updated(&self, vm: &mut Vm, resource: &Value, action: Symbol) {
        let record = record(vm, resource, action);
        self.updated.borrow_mut().push(record);
    }
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, action: Symbol, _: &Value) {
        let record = record(vm, resource, action);
        self.failed.borrow_mut().push(record);
    }
    fn resource_up_to_date(&self, _: &mut Vm, _: &Value, _: Symbol) {
        self.unchanged.set(self.unchanged.get() + 1);
    }
    fn resource_skipped(&self, _: &mut Vm, _: &Value, _: Symbol, _: &Value) {
        self.skipped.set(self.skipped.get() + 1);
    }
}

pub fn begin(vm: &mut Vm) {
    let notes = Rc::new(Notes { started: RefCell::new(timestamp(vm)), ..Notes::default() });
    rchef_recipe::events::sinks(vm).push(notes.clone());
    vm.extension::<Kept>().0 = Some(notes);
}

/// After a successful run: removes the notes of an earlier one.
pub fn forget(vm: &mut Vm, prepared: &Prepared) {
    if vm.extension::<Kept>().0.take().is_some() {
        let _ = vm.host.clone().unlink(file(prepared).as_bytes());
    }
}

/// After a failed run: writes the notes to the cache.
pub fn leave(vm: &mut Vm, prepared: &Prepared, exception: &Value) {
    let Some(notes) = vm.extension::<Kept>().0.take() else { return };
    let (class, message) = (vm.class_name_of(exception), error::message(vm, exception));
    let backtrace = error::backtrace(vm, exception);
    let document = json!({
        "node": prepared.input.node_name,
        "success": false,
        "start_time": *notes.started.borrow(),
        "end_time": timestamp(vm),
        "updated_resources": *notes.updated.borrow(),
        "failed_resources": *notes.failed.borrow(),
        "up_to_date": notes.unchanged.get(),
        "skipped": notes.skipped.get(),
        "exception": format!("{class}: {message}"),
        "backtrace": backtrace,
    });
    let text = format!("{document:#}\n");
    let text = secrets::shown(vm, &text);
    let path = file(prepared);
    let host = vm.host.clone();
    let written = compose::create_dir_all(&*host, prepared.cache.as_bytes(), 0o755)
        .and_then(|_| compose::atomic_write(&*host, path.as_bytes(), text.as_bytes(), PRIVATE));
    match written {
        Ok(_) => log_line(vm, "info", format!("What was converged is in {path}")),
        Err(error) => log_line(vm, "warn", format!("Cannot write {path}: {error}")),
    }
}
