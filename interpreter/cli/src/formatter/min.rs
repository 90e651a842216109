//! The `min` formatter (SPEC-converge 4.2).

use super::error::{self, Description};
use super::{Output, raw};
use rchef_recipe::events::{Line, PolicyEnd, Sink};
use rchef_ruby::{Symbol, Value, Vm};
use std::cell::{Cell, RefCell};

pub struct Min {
    out: Output,
    /// Updated resources, with the first line of each step.
    updated: RefCell<Vec<(String, Vec<String>)>>,
    /// Number of resources that the child processes of policies updated.
    of_policies: Cell<usize>,
    pending: RefCell<Vec<(String, Vec<String>)>>,
}

impl Min {
    pub fn new(vm: &mut Vm, colour: bool) -> Min {
        Min {
            out: Output::new(vm, colour),
            updated: RefCell::default(),
            of_policies: Cell::new(0),
            pending: RefCell::default(),
        }
    }
    fn show(&self, vm: &mut Vm, description: &Description) {
        self.out.puts(vm, "", None);
        description.display(vm, &self.out);
    }
    fn take(&self, vm: &mut Vm, resource: &Value) -> (String, Vec<String>) {
        let name = vm.to_s_text(resource).unwrap_or_default();
        let mut pending = self.pending.borrow_mut();
        match pending.iter().rposition(|(known, _)| *known == name) {
            Some(at) => pending.remove(at),
            None => (name, Vec::new()),
        }
    }
}

impl Sink for Min {
    fn run_start(&self, vm: &mut Vm, version: &str) {
        raw(vm, &format!("{version}\nInfra Phase starting\n"));
    }
    fn run_list_expand_failed(&self, vm: &mut Vm, run_list: &str, exception: &Value) {
        let description = error::run_list(vm, run_list, exception);
        self.show(vm, &description);
    }
    fn cookbook_resolution_start(&self, vm: &mut Vm, recipes: &[String]) {
        let list: Vec<String> = recipes.iter().map(|name| format!("{name:?}")).collect();
        raw(vm, &format!("Resolving cookbooks for run list: [{}]\n", list.join(", ")));
    }
    fn cookbook_resolution_failed(&self, vm: &mut Vm, recipes: &[String], exception: &Value) {
        let description = error::cookbooks(vm, recipes, exception);
        self.show(vm, &description);
    }
    fn cookbook_sync_start(&self, vm: &mut Vm, _: usize) {
        raw(vm, "Synchronizing cookbooks");
    }
    fn synchronized_cookbook(&self, vm: &mut Vm, _: &str, _: &str) {
        raw(vm, ".");
    }
    fn cookbook_sync_complete(&self, vm: &mut Vm) {
        raw(vm, "done.\n");
    }
    fn library_load_start(&self, vm: &mut Vm, count: usize) {
        raw(vm, &format!("Compiling cookbooks{}done.\n", ".".repeat(count)));
    }
    fn file_load_failed(&self, vm: &mut Vm, path: Option<&str>, exception: &Value) {
        let description = error::compile(vm, path, exception);
        self.show(vm, &description);
    }
    fn converge_start(&self, vm: &mut Vm, count: usize) {
        raw(vm, &format!("Converging {count} resources\n"));
    }
    fn converge_complete(&self, vm: &mut Vm) {
        let mut text = "\nSystem converged.\n".to_string();
        let updated = self.updated.borrow();
        if updated.is_empty() {
            text.push_str("no resources updated\n");
        } else {
            text.push_str("\nresources updated this run:\n");
            for (name, steps) in updated.iter() {
                text.push_str(&format!("* {name}\n"));
                for step in steps {
                    text.push_str(&format!("  - {step}\n"));
                }
                text.push('\n');
            }
        }
        raw(vm, &text);
    }
    fn resource_action_start(&self, vm: &mut Vm, _: &Value, _: Symbol, _: Option<(Symbol, &Value)>) {
        super::flush(vm);
    }
    fn resource_skipped(&self, vm: &mut Vm, _: &Value, _: Symbol, _: &Value) {
        raw(vm, "S");
    }
    fn resource_up_to_date(&self, vm: &mut Vm, _: &Value, _: Symbol) {
        raw(vm, ".");
    }
    fn resource_update_applied(&self, vm: &mut Vm, resource: &Value, _: Symbol, lines: &[Line]) {
        let (name, mut steps) = self.take(vm, resource);
        if let Some(Line::Step(text)) = lines.first() {
            steps.push(text.clone());
        }
        self.pending.borrow_mut().push((name, steps));
    }
    fn resource_updated(&self, vm: &mut Vm, resource: &Value, _: Symbol) {
        raw(vm, "U");
        let entry = self.take(vm, resource);
        self.updated.borrow_mut().push(entry);
    }
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, action: Symbol, exception: &Value) {
        let description = error::resource(vm, resource, action, exception);
        self.show(vm, &description);
    }
    fn policy_completed(&self, vm: &mut Vm, policy: &PolicyEnd) {
        self.of_policies.set(self.of_policies.get() + policy.updated);
        raw(vm, &format!("Policy {}: {} resources updated\n", policy.name, policy.updated));
    }
    fn run_completed(&self, vm: &mut Vm) {
        let updated = self.updated.borrow().len() + self.of_policies.get();
        raw(vm, &format!("Infra phase complete, {updated} resources updated\n"));
    }
    fn run_failed(&self, vm: &mut Vm, _: &Value) {
        let updated = self.updated.borrow().len() + self.of_policies.get();
        raw(vm, &format!("Infra phase failed. {updated} resources updated\n"));
    }
}
