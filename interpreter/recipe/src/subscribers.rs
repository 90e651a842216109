//! Ruby objects that subscribe to a run's events: handlers of `Chef.event_handler`, formatters of cookbooks and subscribers of
//! `Chef::EventDispatch`, with Chef's event names and arguments (chef: lib/chef/event_dispatch/base.rb).

use crate::chef_class::events_value;
use crate::data::{json_value, to_json};
use crate::events::{Line, Sink, emit};
use crate::run::{constant, run_mut};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, at_least, def, sym};
use serde_json::Value as Json;
use std::rc::Rc;

/// The subscribers' state in the VM.
#[derive(Default)]
struct State {
    attended: bool,
    /// An exception of a subscriber: the run fails with it at the next action or file.
    raised: Option<rchef_ruby::Error>,
    run_status: Option<Value>,
    run_id: Option<String>,
    /// The `Chef::Deprecated` of the deprecation that is being sent.
    deprecated: Option<Value>,
    records: Vec<Record>,
    pending: Vec<Record>,
}

/// The result of an action.
#[derive(Clone)]
struct Record {
    resource: Value,
    action: Symbol,
    nesting: usize,
    status: &'static str,
    current: Value,
    exception: Value,
    conditional: Value,
}

/// The possible results of an action.
const STATUSES: [&str; 4] = ["updated", "up_to_date", "skipped", "failed"];

impl Record {
    fn new(resource: Value, action: Symbol, nesting: usize, status: &'static str) -> Record {
        let (current, exception, conditional) = (Value::Nil, Value::Nil, Value::Nil);
        Record { resource, action, nesting, status, current, exception, conditional }
    }
}

fn state(vm: &mut Vm) -> &mut State {
    vm.extension::<State>()
}

/// Forwards every event of the run to the run's dispatcher.
struct Subscribers;

/// Calls the dispatcher; the first error is kept for [`raised`].
fn call(vm: &mut Vm, event: &'static str, args: &[Value]) {
    let result = events_value(vm).and_then(|dispatcher| {
        let mut all = vec![Value::sym(event)];
        all.extend_from_slice(args);
        vm.call_name(&dispatcher, "enqueue", &all)
    });
    if let Err(error) = result {
        state(vm).raised.get_or_insert(error);
    }
}

/// Returns the first error of a subscriber, once.
pub fn raised(vm: &mut Vm) -> Res<()> {
    match state(vm).raised.take() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Whether Ruby code has subscribed to the run's events.
pub fn attended(vm: &mut Vm) -> bool {
    state(vm).attended
}

/// Sends an event that only Ruby subscribers get; `args` is only called if there are any.
pub fn tell(vm: &mut Vm, event: &'static str, args: impl FnOnce(&mut Vm) -> Res<Vec<Value>>) -> Res<()> {
    if !state(vm).attended {
        return Ok(());
    }
    let args = args(vm)?;
    call(vm, event, &args);
    raised(vm)
}

/// Sends an event without arguments that only Ruby subscribers get.
pub fn tell_plain(vm: &mut Vm, event: &'static str) -> Res<()> {
    tell(vm, event, |_| Ok(Vec::new()))
}

/// Reports that a recipe raised or does not exist.
pub fn recipe_failed(vm: &mut Vm, path: Option<&str>, recipe: &str, exception: &Value) -> Res<()> {
    match path {
        Some(path) => {
            tell(vm, "recipe_file_load_failed", |_| Ok(vec![Value::str(path), exception.clone(), Value::str(recipe)]))
        }
        None => tell(vm, "recipe_not_found", |_| Ok(vec![exception.clone()])),
    }
}

/// Reports that a cookbook's file was loaded or raised.
pub fn file<T>(vm: &mut Vm, kind: Kind, path: &str, result: Res<T>) -> Res<T> {
    let (loaded, failed) = kind.events();
    match result {
        Ok(value) => {
            tell(vm, loaded, |_| Ok(vec![Value::str(path)]))?;
            Ok(value)
        }
        Err(error) => {
            if let Some(exception) = error.exception().cloned() {
                tell(vm, failed, |_| Ok(vec![Value::str(path), exception]))?;
            }
            crate::events::loading(vm, Some(path), Err(error))
        }
    }
}

/// Types of files whose loading is reported.
#[derive(Clone, Copy)]
pub enum Kind {
    Library,
    Attribute,
    Lwrp,
    Definition,
}
impl Kind {
    fn events(self) -> (&'static str, &'static str) {
        match self {
            Kind::Library => ("library_file_loaded", "library_file_load_failed"),
            Kind::Attribute => ("attribute_file_loaded", "attribute_file_load_failed"),
            Kind::Lwrp => ("lwrp_file_loaded", "lwrp_file_load_failed"),
            Kind::Definition => ("definition_file_loaded", "definition_file_load_failed"),
        }
    }
}

/// Subscribes the run's dispatcher to the run's events.
pub fn attend(vm: &mut Vm) {
    if !state(vm).attended {
        state(vm).attended = true;
        crate::events::observe_states(vm);
        crate::events::sinks(vm).push(Rc::new(Subscribers));
    }
}

fn strings(list: &[String]) -> Value {
    Value::array(list.iter().map(Value::str).collect())
}

/// The guard that is shown for `:nothing`.
fn not_nothing(vm: &mut Vm, action: Symbol) -> Res {
    let resource = crate::run::class(vm, |classes| classes.resource)?;
    let name = Symbol::intern_static("ConditionalActionNotNothing");
    let class = vm.const_get_from(resource, name, false)?.unwrap_or_default();
    vm.call(&class, sym::NEW, &[Value::Sym(action)])
}

impl Sink for Subscribers {
    fn cookbook_resolution_start(&self, vm: &mut Vm, recipes: &[String]) {
        call(vm, "cookbook_resolution_start", &[strings(recipes)]);
    }
    fn cookbook_resolution_failed(&self, vm: &mut Vm, recipes: &[String], exception: &Value) {
        call(vm, "cookbook_resolution_failed", &[strings(recipes), exception.clone()]);
    }
    fn run_list_expand_failed(&self, vm: &mut Vm, _: &str, exception: &Value) {
        let node = run_mut(vm).node.clone();
        call(vm, "run_list_expand_failed", &[node, exception.clone()]);
    }
    fn cookbook_sync_start(&self, vm: &mut Vm, count: usize) {
        call(vm, "cookbook_sync_start", &[Value::len(count)]);
    }
    fn synchronized_cookbook(&self, vm: &mut Vm, name: &str, _: &str) {
        let cookbook = crate::cookbook::version_value(vm, name).unwrap_or_default();
        call(vm, "synchronized_cookbook", &[Value::str(name), cookbook]);
    }
    fn cookbook_sync_complete(&self, vm: &mut Vm) {
        call(vm, "cookbook_sync_complete", &[]);
    }
    fn cookbook_gem_start(&self, vm: &mut Vm, gems: &[String]) {
        call(vm, "cookbook_gem_start", &[strings(gems)]);
    }
    fn cookbook_gem_finished(&self, vm: &mut Vm) {
        call(vm, "cookbook_gem_finished", &[]);
    }
    fn converge_start(&self, vm: &mut Vm, _: usize) {
        let root = run_mut(vm).root.clone();
        call(vm, "converge_start", &[root]);
    }
    fn converge_complete(&self, vm: &mut Vm) {
        call(vm, "converge_complete", &[]);
    }
    fn converge_failed(&self, vm: &mut Vm, exception: &Value) {
        call(vm, "converge_failed", std::slice::from_ref(exception));
    }
    fn handlers_start(&self, vm: &mut Vm, count: usize) {
        call(vm, "handlers_start", &[Value::len(count)]);
    }
    fn handler_executed(&self, vm: &mut Vm, handler: &Value) {
        call(vm, "handler_executed", std::slice::from_ref(handler));
    }
    fn handlers_completed(&self, vm: &mut Vm) {
        call(vm, "handlers_completed", &[]);
    }
    fn run_completed(&self, vm: &mut Vm) {
        let (node, status) = (run_mut(vm).node.clone(), run_status(vm).unwrap_or_default());
        call(vm, "run_completed", &[node, status]);
    }
    fn run_failed(&self, vm: &mut Vm, exception: &Value) {
        let status = run_status(vm).unwrap_or_default();
        call(vm, "run_failed", &[exception.clone(), status]);
    }
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, notified: Option<(Symbol, &Value)>) {
        let (timing, sender) =
            notified.map_or((Value::Nil, Value::Nil), |(timing, sender)| (Value::Sym(timing), sender.clone()));
        call(vm, "resource_action_start", &[resource.clone(), Value::Sym(action), timing, sender]);
    }
    fn resource_skipped(&self, vm: &mut Vm, resource: &Value, action: Symbol, conditional: &Value) {
        let guard =
            if conditional.is_nil() { not_nothing(vm, action).unwrap_or_default() } else { conditional.clone() };
        call(vm, "resource_skipped", &[resource.clone(), Value::Sym(action), guard]);
    }
    fn resource_current_state_loaded(&self, vm: &mut Vm, resource: &Value, action: Symbol, current: &Value) {
        call(vm, "resource_current_state_loaded", &[resource.clone(), Value::Sym(action), current.clone()]);
    }
    fn resource_up_to_date(&self, vm: &mut Vm, resource: &Value, action: Symbol) {
        call(vm, "resource_up_to_date", &[resource.clone(), Value::Sym(action)]);
    }
    fn resource_update_applied(&self, vm: &mut Vm, resource: &Value, action: Symbol, lines: &[Line]) {
        let mut update = Vec::new();
        let mut details = Vec::new();
        for line in lines {
            match line {
                Line::Step(text) => update.push(Value::str(text)),
                Line::Detail(text) => details.push(Value::str(text)),
            }
        }
        if !details.is_empty() {
            update.push(Value::array(details));
        }
        call(vm, "resource_update_applied", &[resource.clone(), Value::Sym(action), Value::array(update)]);
    }
    fn resource_updated(&self, vm: &mut Vm, resource: &Value, action: Symbol) {
        call(vm, "resource_updated", &[resource.clone(), Value::Sym(action)]);
    }
    fn resource_failed_retriable(&self, vm: &mut Vm, resource: &Value, action: Symbol, left: i64, exception: &Value) {
        let args = [resource.clone(), Value::Sym(action), Value::Int(left), exception.clone()];
        call(vm, "resource_failed_retriable", &args);
    }
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, action: Symbol, exception: &Value) {
        call(vm, "resource_failed", &[resource.clone(), Value::Sym(action), exception.clone()]);
    }
    fn resource_completed(&self, vm: &mut Vm, resource: &Value) {
        call(vm, "resource_completed", std::slice::from_ref(resource));
    }
    fn resource_current_state_load_bypassed(&self, vm: &mut Vm, resource: &Value, action: Symbol) {
        call(vm, "resource_current_state_load_bypassed", &[resource.clone(), Value::Sym(action), Value::Nil]);
    }
    fn resource_bypassed(&self, vm: &mut Vm, resource: &Value, action: Symbol, provider: &Value) {
        call(vm, "resource_bypassed", &[resource.clone(), Value::Sym(action), provider.clone()]);
    }
    fn stream_output(&self, vm: &mut Vm, resource: &Value, bytes: &[u8]) {
        let stream = Value::sym("stdout");
        let options = vm.new_hash(vec![(Value::sym("name"), resource.clone())]).unwrap_or_default();
        call(vm, "stream_output", &[stream, Value::bytes(bytes.to_vec()), options]);
    }
    fn resource_update_progress(&self, vm: &mut Vm, resource: &Value, current: u64, total: Option<u64>, step: u64) {
        let total = total.map_or(Value::Nil, |total| Value::Int(total as i64));
        let args = [resource.clone(), Value::Int(current as i64), total, Value::Int(step as i64)];
        call(vm, "resource_update_progress", &args);
    }
    fn whyrun_assumption(&self, vm: &mut Vm, action: Symbol, resource: &Value, text: &str) {
        call(vm, "whyrun_assumption", &[Value::Sym(action), resource.clone(), Value::str(text)]);
    }
    fn provider_requirement_failed(
        &self,
        vm: &mut Vm,
        action: Symbol,
        resource: &Value,
        exception: &Value,
        text: &str,
    ) {
        let args = [Value::Sym(action), resource.clone(), exception.clone(), Value::str(text)];
        call(vm, "provider_requirement_failed", &args);
    }
    fn deprecation(&self, vm: &mut Vm, text: &str, location: &str) {
        let message = state(vm).deprecated.take().unwrap_or_else(|| Value::str(text));
        call(vm, "deprecation", &[message, Value::str(location)]);
    }
}

/// Records the results of all actions for report handlers (`run_context.action_collection`).
pub struct Recorder;

fn last(vm: &mut Vm, change: impl FnOnce(&mut Record)) {
    if let Some(record) = state(vm).pending.last_mut() {
        change(record);
    }
}

impl Sink for Recorder {
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, _: Option<(Symbol, &Value)>) {
        let pending = &mut state(vm).pending;
        pending.push(Record::new(resource.clone(), action, pending.len(), ""));
    }
    fn resource_current_state_loaded(&self, vm: &mut Vm, _: &Value, _: Symbol, current: &Value) {
        last(vm, |record| record.current = current.clone());
    }
    fn resource_skipped(&self, vm: &mut Vm, _: &Value, _: Symbol, conditional: &Value) {
        last(vm, |record| {
            record.status = "skipped";
            record.conditional = conditional.clone();
        });
    }
    fn resource_up_to_date(&self, vm: &mut Vm, _: &Value, _: Symbol) {
        last(vm, |record| record.status = "up_to_date");
    }
    fn resource_updated(&self, vm: &mut Vm, _: &Value, _: Symbol) {
        last(vm, |record| record.status = "updated");
    }
    fn resource_failed(&self, vm: &mut Vm, _: &Value, _: Symbol, exception: &Value) {
        last(vm, |record| {
            record.status = "failed";
            record.exception = exception.clone();
        });
    }
    fn resource_completed(&self, vm: &mut Vm, _: &Value) {
        if let Some(record) = state(vm).pending.pop() {
            state(vm).records.push(record);
        }
    }
}

/// `run_context.action_collection`: a `Chef::ActionCollection` of the actions so far, including those that a failed run did not reach.
pub fn action_collection(vm: &mut Vm, context: &Value) -> Res {
    let records = state(vm).records.clone();
    let mut rows = Vec::with_capacity(records.len());
    for record in records {
        let status = if record.status.is_empty() { Value::Nil } else { Value::sym(record.status) };
        rows.push(Value::array(vec![
            record.resource,
            Value::Sym(record.action),
            Value::len(record.nesting),
            status,
            record.current,
            record.exception,
            record.conditional,
        ]));
    }
    let (class, events) = (collection_class(vm)?, events_value(vm)?);
    vm.call_name(&class, "of_run", &[events, context.clone(), Value::array(rows)])
}

fn collection_class(vm: &mut Vm) -> Res {
    let chef = crate::run::class(vm, |classes| classes.chef)?;
    Ok(vm.const_get_from(chef, Symbol::intern_static("ActionCollection"), false)?.unwrap_or_default())
}

/// The resources and actions of one of several policies (`Chef::ActionCollection#told`).
pub fn told_actions(vm: &mut Vm) -> Res<Json> {
    let root = run_mut(vm).root.clone();
    if root.is_nil() {
        return Ok(Json::Null);
    }
    let actions = action_collection(vm, &root)?;
    let told = vm.call_name(&actions, "told", &[])?;
    to_json(vm, &told)
}

/// Adds the result of [`told_actions`] for a policy to the resources and actions of this run.
pub fn add_told_actions(vm: &mut Vm, told: &Json) -> Res<()> {
    if told.is_null() {
        return Ok(());
    }
    let (class, root) = (collection_class(vm)?, run_mut(vm).root.clone());
    let whole = json_value(vm, told)?;
    let made = vm.call_name(&class, "told_resources", &[root, whole])?;
    let made = vm.to_array(&made)?;
    for record in told["records"].as_array().into_iter().flatten() {
        let index = |at: usize| record[at].as_u64().and_then(|number| usize::try_from(number).ok());
        let status = STATUSES.into_iter().find(|status| record[3] == **status).unwrap_or_default();
        if let (Some(resource), Some(action)) = (index(0).and_then(|at| made.get(at)), record[1].as_str()) {
            let nesting = index(2).unwrap_or(0);
            let record = Record::new(resource.clone(), Symbol::intern(action), nesting, status);
            state(vm).records.push(record);
        }
    }
    Ok(())
}

/// The UUID by which reports name the run.
pub fn run_id(vm: &mut Vm) -> String {
    if state(vm).run_id.is_none() {
        let id = crate::process::uuid(&*vm.host.clone());
        state(vm).run_id = Some(id);
    }
    state(vm).run_id.clone().unwrap_or_default()
}

/// The run's `Chef::RunStatus`; its clock starts on first use.
pub fn run_status(vm: &mut Vm) -> Res {
    if let Some(found) = &state(vm).run_status {
        return Ok(found.clone());
    }
    let chef = crate::run::class(vm, |classes| classes.chef)?;
    let class = vm.const_get_from(chef, Symbol::intern_static("RunStatus"), false)?.unwrap_or_default();
    let events = events_value(vm)?;
    let (node, root) = (run_mut(vm).node.clone(), run_mut(vm).root.clone());
    let made = vm.call(&class, sym::NEW, &[node, events])?;
    vm.call_name(&made, "run_context=", &[root])?;
    let id = run_id(vm);
    vm.call_name(&made, "run_id=", &[Value::str(id)])?;
    vm.call_name(&made, "start_clock", &[])?;
    state(vm).run_status = Some(made.clone());
    Ok(made)
}

/// Sends `run_start`.
pub fn start(vm: &mut Vm) -> Res<()> {
    if state(vm).attended {
        let status = run_status(vm)?;
        call(vm, "run_start", &[Value::str(crate::process::CHEF_VERSION), status]);
    }
    raised(vm)
}

fn expanded_recipes(vm: &mut Vm) -> Vec<String> {
    crate::data::expanded::of_run(vm).recipes.names().map(str::to_string).collect()
}

/// The expanded run list of the node as an object: a `Chef::RunList::RunListExpansion`, or what Chef has in its place for a policy.
fn expansion(vm: &mut Vm, node: &Value) -> Res {
    if vm.call_name(node, "policy_name", &[])?.is_nil() {
        let list = vm.call_name(node, "run_list", &[])?;
        let environment = vm.call_name(node, "chef_environment", &[])?;
        return vm.call_name(&list, "expand", &[environment, Value::str("disk")]);
    }
    let recipes = strings(&expanded_recipes(vm));
    let class = constant(vm, "Chef::PolicyBuilder::Policyfile::RunListExpansionIsh")?;
    vm.call(&class, sym::NEW, &[recipes, Value::array(Vec::new())])
}

/// Called when the node is built: runs the start handlers and sends the events.
pub fn started(vm: &mut Vm) -> Res<()> {
    let waiting = handlers(vm, "start_handlers")?;
    if has_handlers(vm)? {
        crate::events::observe_states(vm);
    }
    if waiting.is_empty() && !state(vm).attended && client(vm).is_none() {
        return Ok(());
    }
    let status = run_status(vm)?;
    let (node, root) = (run_mut(vm).node.clone(), run_mut(vm).root.clone());
    vm.call_name(&status, "node=", std::slice::from_ref(&node))?;
    vm.call_name(&status, "run_context=", &[root])?;
    tell(vm, "ohai_completed", |_| Ok(vec![node.clone()]))?;
    tell(vm, "node_load_success", |_| Ok(vec![node.clone()]))?;
    tell(vm, "run_list_expanded", |vm| Ok(vec![expansion(vm, &node)?]))?;
    tell(vm, "node_load_completed", |vm| {
        let recipes = expanded_recipes(vm);
        let config = vm.class_named("Chef::Config").map(Value::Class).unwrap_or_default();
        Ok(vec![node.clone(), strings(&recipes), config])
    })?;
    notify_client(vm, "start", &status)?;
    if !waiting.is_empty() {
        crate::chef_class::log_line(vm, "info", "Running start handlers");
        for handler in waiting {
            run_handler(vm, &handler, &status)?;
        }
        crate::chef_class::log_line(vm, "info", "Start handlers complete.");
    }
    tell(vm, "run_started", |_| Ok(vec![status]))
}

/// `Chef::Client`, if code has used it.
fn client(vm: &mut Vm) -> Option<Value> {
    vm.class_named("Chef::Client").map(Value::Class)
}
/// Calls the blocks of `Chef::Client.when_run_starts` and similar methods.
fn notify_client(vm: &mut Vm, kind: &'static str, status: &Value) -> Res<()> {
    match client(vm) {
        Some(client) => vm.call_name(&client, "notify", &[Value::sym(kind), status.clone()]).map(drop),
        None => Ok(()),
    }
}

/// The handlers of a setting.
fn handlers(vm: &mut Vm, setting: &str) -> Res<Vec<Value>> {
    let list = crate::chef_class::setting(vm, setting)?;
    if list.is_nil() { Ok(Vec::new()) } else { vm.to_array(&list) }
}

/// Whether the configuration has report or exception handlers.
pub fn has_handlers(vm: &mut Vm) -> Res<bool> {
    Ok(!handlers(vm, "report_handlers")?.is_empty() || !handlers(vm, "exception_handlers")?.is_empty())
}

fn run_handler(vm: &mut Vm, handler: &Value, status: &Value) -> Res {
    let chef = crate::run::class(vm, |classes| classes.chef)?;
    let class = vm.const_get_from(chef, Symbol::intern_static("Handler"), false)?.unwrap_or_default();
    let handler = vm.call_name(&class, "resolve_handler_instance", std::slice::from_ref(handler))?;
    vm.call_name(&handler, "run_report_safely", std::slice::from_ref(status))?;
    Ok(handler)
}

/// Called at the end of the run: runs the report handlers or, with an exception, the exception handlers.
pub fn ended(vm: &mut Vm, exception: Option<&Value>) -> Res<()> {
    let setting = if exception.is_some() { "exception_handlers" } else { "report_handlers" };
    let waiting = handlers(vm, setting)?;
    let mut status = Value::Nil;
    if !waiting.is_empty() || state(vm).attended || client(vm).is_some() {
        status = run_status(vm)?;
        let (node, root) = (run_mut(vm).node.clone(), run_mut(vm).root.clone());
        vm.call_name(&status, "node=", &[node])?;
        vm.call_name(&status, "run_context=", &[root])?;
        vm.call_name(&status, "stop_clock", &[])?;
        if let Some(exception) = exception {
            vm.call_name(&status, "exception=", std::slice::from_ref(exception))?;
        }
    }
    emit(vm, |sink, vm| sink.handlers_start(vm, waiting.len()));
    let (level, kind) = if exception.is_some() { ("error", "exception") } else { ("info", "report") };
    crate::chef_class::log_line(vm, level, format!("Running {kind} handlers"));
    for handler in &waiting {
        let handler = run_handler(vm, handler, &status)?;
        emit(vm, |sink, vm| sink.handler_executed(vm, &handler));
    }
    emit(vm, |sink, vm| sink.handlers_completed(vm));
    notify_client(vm, kind, &status)?;
    let kind = if exception.is_some() { "Exception" } else { "Report" };
    crate::chef_class::log_line(vm, level, format!("{kind} handlers complete"));
    raised(vm)
}

/// Whether the configuration names a place for messages to a data collector. Its group of settings is there once code has used it.
pub fn has_data_collector(vm: &mut Vm) -> bool {
    let Some(groups) = vm.class_named("Chef::Config::Groups") else { return false };
    let Ok(group) = vm.call_name(&Value::Class(groups), "data_collector", &[]) else { return false };
    let mut is_set = |key: &str| vm.call(&group, sym::AREF, &[Value::sym(key)]).is_ok_and(|value| value.truthy());
    is_set("server_url") || is_set("output_locations")
}

/// Registers the reporter that sends messages to the data collector, if the configuration names one.
pub fn report_to_data_collector(vm: &mut Vm) -> Res<()> {
    if !has_data_collector(vm) {
        return Ok(());
    }
    let class = constant(vm, "Chef::DataCollector::Reporter")?;
    let events = events_value(vm)?;
    let reporter = vm.call(&class, sym::NEW, std::slice::from_ref(&events))?;
    vm.call_name(&events, "register", &[reporter]).map(drop)
}

/// Registers the subscribers of the configuration (`Chef::Config[:event_handlers]`).
pub fn configured(vm: &mut Vm) -> Res<()> {
    for subscriber in handlers(vm, "event_handlers")? {
        let events = events_value(vm)?;
        vm.call_name(&events, "register", &[subscriber])?;
    }
    Ok(())
}

static EVENT_DISPATCH: &[MethodDef] = &[def("attend", attend_method, 1), at_least("relay", relay, 2)];

/// `Chef::EventDispatch.attend(dispatcher)`: called after a subscription; true for the run's own dispatcher, which gets the run's events from now
/// on.
fn attend_method(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let own = events_value(vm)?.same(args.at(0));
    if own {
        attend(vm);
    }
    Ok(Value::bool(own))
}

/// `Chef::EventDispatch.relay(dispatcher, event, *args)`: passes an event from Ruby code to the formatters, too; false if they do not show it.
fn relay(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if !events_value(vm)?.same(args.at(0)) {
        return Ok(Value::False);
    }
    let event = vm.to_name(args.at(1))?;
    let (resource, action) = (args.at(2).clone(), args.at(3).clone());
    match event.as_str() {
        "resource_update_applied" => {
            let mut lines = Vec::new();
            for item in vm.to_array(args.at(4))? {
                match item {
                    Value::Array(details) => {
                        for detail in details.get(vm).items.clone() {
                            lines.push(Line::Detail(vm.to_s_text(&detail)?));
                        }
                    }
                    step => lines.push(Line::Step(vm.to_s_text(&step)?)),
                }
            }
            let action = vm.to_name(&action)?;
            emit(vm, |sink, vm| sink.resource_update_applied(vm, &resource, action, &lines));
        }
        "resource_bypassed" => {
            let action = vm.to_name(&action)?;
            let provider = args.at(4).clone();
            emit(vm, |sink, vm| sink.resource_bypassed(vm, &resource, action, &provider));
        }
        "provider_requirement_failed" | "whyrun_assumption" => {
            let (action, resource) = (vm.to_name(&resource)?, action);
            let failed = event.as_str() == "provider_requirement_failed";
            let message = args.at(if failed { 5 } else { 4 }).clone();
            let given = if message.is_nil() { Vec::new() } else { vm.to_array(&message)? };
            for line in given {
                let line = vm.to_s_text(&line)?;
                if failed {
                    let exception = args.at(4).clone();
                    emit(vm, |sink, vm| sink.provider_requirement_failed(vm, action, &resource, &exception, &line));
                } else {
                    emit(vm, |sink, vm| sink.whyrun_assumption(vm, action, &resource, &line));
                }
            }
        }
        "deprecation" => {
            let (message, mut place) = (resource, vm.to_s_text(&action)?);
            let mut text = vm.to_s_text(&message)?;
            if vm.respond_to(&message, sym::MESSAGE, false)? {
                let told = [vm.call(&message, sym::MESSAGE, &[])?, vm.call_name(&message, "location", &[])?];
                (text, place) = (vm.to_s_text(&told[0])?, vm.to_s_text(&told[1])?);
            }
            deprecation(vm, message, &text, &place);
        }
        _ => return Ok(Value::False),
    }
    raised(vm)?;
    Ok(Value::True)
}

/// Sends a deprecation: subscribers get `message` (a `Chef::Deprecated`, or a text), the others its text.
pub fn deprecation(vm: &mut Vm, message: Value, text: &str, place: &str) {
    if state(vm).attended {
        state(vm).deprecated = Some(message);
    }
    emit(vm, |sink, vm| sink.deprecation(vm, text, place));
}

/// Registers the native methods of `Chef::EventDispatch`.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    let module = vm.define_module(chef, "EventDispatch");
    vm.define_singleton_methods(module, EVENT_DISPATCH);
}
