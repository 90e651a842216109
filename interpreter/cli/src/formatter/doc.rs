//! The `doc` formatter (SPEC-converge 4.1).

use super::error::{self, Description};
use super::{Colour, Output, elapsed, live};
use rchef_host::RealHost;
use rchef_recipe::events::{Line, PolicyEnd, Sink};
use rchef_recipe::resource::state::{Slot, read};
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::{Symbol, Value, Vm};
use std::cell::{Cell, RefCell};

pub struct Doc {
    out: Output,
    started: Cell<u64>,
    updated: Cell<usize>,
    unchanged: Cell<usize>,
    skipped: Cell<usize>,
    recipe: RefCell<Option<String>>,
    /// Indentation before each action in progress.
    actions: RefCell<Vec<usize>>,
    /// Deprecations: message and places, in order of first use.
    deprecations: RefCell<Vec<(String, Vec<String>)>>,
    whyrun: bool,
    /// Shows only resources, no messages about the run (chef-apply).
    bare: bool,
    /// Percentage of the download that was shown last.
    progress: Cell<Option<u64>>,
}

impl Doc {
    pub fn new(vm: &mut Vm, colour: bool, whyrun: bool) -> Doc {
        Doc {
            out: Output::new(vm, colour),
            started: Cell::new(vm.host.monotonic_ns()),
            updated: Cell::default(),
            unchanged: Cell::default(),
            skipped: Cell::default(),
            recipe: RefCell::default(),
            actions: RefCell::default(),
            deprecations: RefCell::default(),
            whyrun,
            bare: false,
            progress: Cell::default(),
        }
    }
    /// A formatter that shows only resources, no messages about the run.
    pub fn bare(vm: &mut Vm, colour: bool, whyrun: bool) -> Doc {
        Doc { bare: true, ..Doc::new(vm, colour, whyrun) }
    }
    /// Shows how long commands have been running behind the open line.
    pub fn watch(&self, host: &RealHost) {
        live::watch(host, self.out.column());
    }
    /// Writes a line about the run.
    fn frame(&self, vm: &mut Vm, text: &str) {
        if !self.bare {
            self.out.puts_line(vm, text);
        }
    }
    fn list_deprecations(&self, vm: &mut Vm) {
        let list = self.deprecations.take();
        if list.is_empty() {
            return;
        }
        let major =
            rchef_recipe::CHEF_VERSION.split('.').next().and_then(|major| major.parse::<u32>().ok()).unwrap_or(0);
        let title =
            format!("Deprecation warnings that must be addressed before upgrading to Chef Infra Client {}:", major + 1);
        let mut lines = vec![String::new(), title, String::new()];
        for (text, places) in list {
            let count =
                if places.len() == 1 { "1 location".to_string() } else { format!("{} locations", places.len()) };
            lines.push(format!("  {text} at {count}:"));
            lines.extend(places.iter().map(|place| format!("    - {place}")));
            lines.push("   See https://docs.chef.io/chef_deprecations_client/ for further details.".into());
            lines.push(String::new());
        }
        for line in lines {
            self.out.puts(vm, &line, None);
        }
    }
    fn show(&self, vm: &mut Vm, description: &Description) {
        self.out.puts(vm, "", None);
        description.display(vm, &self.out);
    }
}

/// `COOKBOOK::RECIPE` of a resource.
fn recipe_of(vm: &mut Vm, resource: &Value) -> String {
    let (cookbook, recipe) = (read(vm, resource, Slot::CookbookName), read(vm, resource, Slot::RecipeName));
    if cookbook.is_nil() || recipe.is_nil() {
        return "<Dynamically Defined Resource>".into();
    }
    format!("{}::{}", vm.to_s_text(&cookbook).unwrap_or_default(), vm.to_s_text(&recipe).unwrap_or_default())
}

/// `only_if`, `not_if`, or `action :nothing` if there is no guard.
fn reason(vm: &mut Vm, conditional: &Value) -> String {
    if conditional.is_nil() {
        return "action :nothing".into();
    }
    vm.call_name(conditional, "positivity", &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default()
}

fn add(count: &Cell<usize>) {
    count.set(count.get() + 1);
}

impl Sink for Doc {
    fn run_start(&self, vm: &mut Vm, version: &str) {
        self.frame(vm, version);
        self.frame(vm, "Infra Phase starting");
    }
    fn run_list_expand_failed(&self, vm: &mut Vm, run_list: &str, exception: &Value) {
        let description = error::run_list(vm, run_list, exception);
        self.show(vm, &description);
    }
    fn cookbook_resolution_start(&self, vm: &mut Vm, recipes: &[String]) {
        let list: Vec<String> = recipes.iter().map(|name| format!("{name:?}")).collect();
        self.frame(vm, &format!("Resolving cookbooks for run list: [{}]", list.join(", ")));
    }
    fn cookbook_resolution_failed(&self, vm: &mut Vm, recipes: &[String], exception: &Value) {
        let description = error::cookbooks(vm, recipes, exception);
        self.show(vm, &description);
    }
    fn cookbook_sync_start(&self, vm: &mut Vm, _: usize) {
        self.frame(vm, "Synchronizing cookbooks:");
        self.out.indent();
    }
    fn synchronized_cookbook(&self, vm: &mut Vm, name: &str, version: &str) {
        self.out.puts_line(vm, &format!("- {name} ({version})"));
    }
    fn cookbook_sync_complete(&self, _: &mut Vm) {
        self.out.unindent();
    }
    fn cookbook_gem_start(&self, vm: &mut Vm, _: &[String]) {
        self.frame(vm, "Installing cookbook gem dependencies:");
        self.out.indent();
    }
    fn cookbook_gem_finished(&self, _: &mut Vm) {
        self.out.unindent();
    }
    fn library_load_start(&self, vm: &mut Vm, _: usize) {
        self.frame(vm, "Compiling cookbooks...");
    }
    fn file_load_failed(&self, vm: &mut Vm, path: Option<&str>, exception: &Value) {
        let description = error::compile(vm, path, exception);
        self.show(vm, &description);
    }
    fn converge_start(&self, vm: &mut Vm, count: usize) {
        self.frame(vm, &format!("Converging {count} resources"));
    }
    fn converge_complete(&self, vm: &mut Vm) {
        if self.recipe.borrow().is_some() {
            self.out.unindent();
        }
        super::flush(vm);
    }
    fn converge_failed(&self, vm: &mut Vm, _: &Value) {
        self.converge_complete(vm);
    }
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, _: Option<(Symbol, &Value)>) {
        let name = recipe_of(vm, resource);
        let enclosed = read(vm, resource, Slot::EnclosingProvider).truthy();
        if !enclosed && self.recipe.borrow().as_ref() != Some(&name) {
            if self.recipe.borrow().is_some() {
                self.out.unindent();
            }
            self.out.puts_line(vm, &format!("Recipe: {name}"));
            *self.recipe.borrow_mut() = Some(name);
            self.out.indent();
        }
        let shown = vm.to_s_text(resource).unwrap_or_default();
        self.progress.set(None);
        self.out.start_line(vm, &format!("* {shown} action {action}"), Some(resource), Colour::Plain);
        self.actions.borrow_mut().push(self.out.depth());
        self.out.indent();
        super::flush(vm);
    }
    /// Restores the indentation from before the action, whatever its outcome.
    fn resource_completed(&self, _: &mut Vm, _: &Value) {
        if let Some(depth) = self.actions.borrow_mut().pop() {
            self.out.set_depth(depth);
        }
    }
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, action: Symbol, exception: &Value) {
        let ignored =
            vm.call_name(resource, "ignore_failure", &[]).and_then(|value| vm.to_s_text(&value)).unwrap_or_default();
        if ignored != "quiet" {
            let description = error::resource(vm, resource, action, exception);
            self.show(vm, &description);
        }
        self.out.unindent();
    }
    fn resource_skipped(&self, vm: &mut Vm, resource: &Value, _: Symbol, conditional: &Value) {
        add(&self.skipped);
        let reason = reason(vm, conditional);
        self.out.puts(vm, &format!(" (skipped due to {reason})"), Some(resource));
        self.out.unindent();
    }
    fn resource_up_to_date(&self, vm: &mut Vm, resource: &Value, _: Symbol) {
        add(&self.unchanged);
        let silent = vm.call_name(resource, "suppress_up_to_date_messages?", &[]).is_ok_and(|answer| answer.truthy());
        if std::mem::take(&mut converge_mut(vm).declined) {
            self.out.puts(vm, "    (not made)", Some(resource));
        } else if !silent {
            self.out.puts(vm, " (up to date)", Some(resource));
        }
        self.out.unindent();
    }
    fn resource_bypassed(&self, vm: &mut Vm, resource: &Value, _: Symbol, provider: &Value) {
        let class = vm.class_name_of(provider);
        // anonymous classes are shown without a name
        let class = if class.contains(' ') { String::new() } else { class };
        self.out.puts(vm, &format!(" (Skipped: Why-Run not supported by provider {class})"), Some(resource));
    }
    fn resource_current_state_load_bypassed(&self, vm: &mut Vm, resource: &Value, _: Symbol) {
        let shown = vm.to_s_text(resource).unwrap_or_default();
        let text = format!("* Why-Run not supported for {shown}, bypassing load.");
        self.out.print(vm, &text, (true, true), None, Colour::Yellow);
    }
    fn resource_update_applied(&self, vm: &mut Vm, _: &Value, _: Symbol, lines: &[Line]) {
        let prefix = if converge_mut(vm).mode == ActionMode::WhyRun { "Would " } else { "" };
        for line in lines {
            match line {
                Line::Step(text) => self.out.start_line(vm, &format!("- {prefix}{text}"), None, Colour::Green),
                Line::Detail(text) => self.out.start_line(vm, text.trim_end_matches('\n'), None, Colour::White),
            }
        }
        super::flush(vm);
    }
    fn resource_updated(&self, vm: &mut Vm, _: &Value, _: Symbol) {
        add(&self.updated);
        self.out.unindent();
        self.out.puts(vm, "\n", None);
    }
    fn stream_output(&self, vm: &mut Vm, resource: &Value, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        // as in Chef, a command's output is a separate stream named `execute`
        let stream = vm.call_name(resource, "name", &[]).unwrap_or_default();
        self.out.print_named(vm, &text, (false, false), (Some(&stream), Some("execute")), Colour::Plain);
        super::flush(vm);
    }
    fn resource_update_progress(&self, vm: &mut Vm, _: &Value, current: u64, total: Option<u64>, step: u64) {
        let Some(total) = total.filter(|total| *total > 0) else { return };
        let percent = current.saturating_mul(100) / total;
        if self.progress.get().is_none_or(|last| percent > last) {
            self.progress.set(Some(percent));
            if percent.is_multiple_of(step.max(1)) {
                self.out.start_line(vm, &format!(" - Progress: {percent}%"), None, Colour::Green);
            }
        }
    }
    fn whyrun_assumption(&self, vm: &mut Vm, _: Symbol, _: &Value, text: &str) {
        self.out.start_line(vm, &format!("* {text}"), None, Colour::Yellow);
    }
    fn provider_requirement_failed(&self, vm: &mut Vm, _: Symbol, _: &Value, _: &Value, text: &str) {
        let colour = if self.whyrun { Colour::Yellow } else { Colour::Red };
        self.out.start_line(vm, &format!("* {text}"), None, colour);
    }
    fn handlers_start(&self, vm: &mut Vm, _: usize) {
        if !self.bare {
            self.out.puts(vm, "", None);
            self.out.puts(vm, "Running handlers:", None);
        }
        self.out.indent();
    }
    fn handler_executed(&self, vm: &mut Vm, handler: &Value) {
        let name = vm.class_name_of(handler);
        self.out.puts_line(vm, &format!("- {name}"));
    }
    fn handlers_completed(&self, vm: &mut Vm) {
        self.out.unindent();
        self.frame(vm, "Running handlers complete\n");
    }
    fn deprecation(&self, _: &mut Vm, text: &str, location: &str) {
        let mut known = self.deprecations.borrow_mut();
        let at = known.iter().position(|(other, _)| other == text).unwrap_or_else(|| {
            known.push((text.to_string(), Vec::new()));
            known.len() - 1
        });
        if let Some((_, places)) = known.get_mut(at)
            && !places.iter().any(|place| place == location)
        {
            places.push(location.to_string());
        }
    }
    fn policy_ending(&self, vm: &mut Vm) {
        self.out.start_line(vm, "", None, Colour::Plain);
    }
    fn policy_completed(&self, vm: &mut Vm, policy: &PolicyEnd) {
        let PolicyEnd { name, updated, total, deprecations } = policy;
        for (text, location) in deprecations {
            self.deprecation(vm, text, location);
        }
        self.updated.set(self.updated.get() + updated);
        self.unchanged.set(self.unchanged.get() + total.saturating_sub(*updated));
        let verb = if self.whyrun { "would have been updated" } else { "updated" };
        self.out.puts_line(vm, &format!("Policy {name}: {updated}/{total} resources {verb}"));
    }
    fn run_completed(&self, vm: &mut Vm) {
        self.list_deprecations(vm);
        let total = self.updated.get() + self.unchanged.get() + self.skipped.get();
        let time = elapsed(vm.host.monotonic_ns().saturating_sub(self.started.get()));
        let end = if self.whyrun {
            "resources would have been updated".to_string()
        } else {
            format!("resources updated in {time}")
        };
        self.frame(vm, &format!("Infra Phase complete, {}/{total} {end}", self.updated.get()));
    }
    fn run_failed(&self, vm: &mut Vm, _: &Value) {
        let time = elapsed(vm.host.monotonic_ns().saturating_sub(self.started.get()));
        let end = if self.whyrun {
            "resources would have been updated".to_string()
        } else {
            format!("resources updated in {time}")
        };
        self.frame(vm, &format!("Infra Phase failed. {} {end}", self.updated.get()));
    }
}
