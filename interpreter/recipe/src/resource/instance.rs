//! Instances of `Chef::Resource`: creation, common methods, guards (SPEC-compile 4.1, 4.4).

use super::class;
use super::def::{Type, prop};
use super::property;
use super::state::{self, Slot, read};
use super::{notify, text};
use crate::names::N;
use crate::run::{Subject, about, chef_error};
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::embed::method::MethodBody;
use rchef_ruby::{Args, Block, ClassId, MethodDef, Res, Symbol, Value, Vm, any, at_least, def, opt, sym};

/// Methods of all objects with properties.
pub(super) static PROPERTY_METHODS: &[MethodDef] = &[
    def("property_is_set?", property_is_set, 1),
    def("reset_property", reset_property, 1),
    any("copy_properties_from", copy_properties_from),
];
static COMMON: &[super::def::PropertyDef] = &[
    prop("name", &[Type::Str]).coerce(name_text).desired_state(false).required().doc("The resource's name."),
    prop("retries", &[Type::Int])
        .default(Type::LitInt(0))
        .desired_state(false)
        .doc("How often a failed action is repeated."),
    prop("retry_delay", &[Type::Int]).default(Type::LitInt(2)).desired_state(false).doc("Seconds between attempts."),
    prop("sensitive", &[Type::Bool])
        .default(Type::False)
        .desired_state(false)
        .doc("Keeps contents out of logs and reports."),
    prop("compile_time", &[Type::Bool])
        .default(Type::False)
        .desired_state(false)
        .doc("Runs the action while the recipe is compiled."),
    prop("umask", &[Type::Str, Type::Int])
        .desired_state(false)
        .doc("File mode creation mask during the action.")
        .since("16.2"),
    prop("ignore_failure", &[Type::True, Type::False, Type::LitSym("quiet"), Type::LitStr("quiet")])
        .default(Type::False)
        .desired_state(false)
        .doc("Goes on when the action fails."),
];

/// Names of the properties that every resource has.
pub const COMMON_NAMES: [&str; 7] =
    ["name", "retries", "retry_delay", "sensitive", "compile_time", "umask", "ignore_failure"];

static METHODS: &[MethodDef] = &[
    at_least("initialize", initialize, 0).private(),
    opt("action", action, 0, 1),
    def("action=", action, 1),
    any("only_if", only_if),
    any("not_if", not_if),
    opt("guard_interpreter", guard_interpreter, 0, 1),
    def("default_guard_interpreter", default_guard_interpreter, 0),
    opt("run_actions", run_actions, 0, 1),
    def("node", node, 0),
    def("run_context", run_context, 0),
    def("run_context=", set_run_context, 1),
    def("cookbook_name", cookbook_name, 0),
    def("cookbook_name=", set_cookbook_name, 1),
    def("recipe_name", recipe_name, 0),
    def("recipe_name=", set_recipe_name, 1),
    def("source_line", source_line, 0),
    def("source_line=", set_source_line, 1),
    def("source_line_file", source_line_file, 0),
    def("source_line_number", source_line_number, 0),
    def("declared_type", declared_type, 0),
    def("declared_type=", set_declared_type, 1),
    def("declared_key", declared_key, 0),
    def("enclosing_provider", enclosing_provider, 0),
    def("enclosing_provider=", set_enclosing_provider, 1),
    def("params", params, 0),
    def("params=", set_params, 1),
    opt("allowed_actions", allowed_actions, 0, 1),
    def("allowed_actions=", set_allowed_actions, 1),
    def("resource_name", resource_name, 0),
    def("updated", updated, 0),
    def("updated?", updated, 0),
    def("updated_by_last_action", set_updated, 1),
    def("updated_by_last_action?", updated_by_last_action, 0),
    def("elapsed_time", elapsed_time, 0),
    def("after_created", after_created, 0),
    def("defined_at", defined_at, 0),
    def("current_value_does_not_exist!", current_value_does_not_exist, 0),
    opt("lazy", super::lazy::lazy, 0, 1),
    at_least("set_or_return", super::params_validate::set_or_return, 3),
    def("validate", super::params_validate::validate, 2),
    def("events", events, 0),
    def("logger", logger, 0),
    def("cookbook_version", cookbook_version, 0),
    def("suppress_up_to_date_messages?", no, 0),
    def("executed_by_runner", executed_by_runner, 0),
    def("load_from", load_from, 1),
];

fn name_text(vm: &mut Vm, _: &Value, value: &Value) -> Res {
    match value {
        Value::Array(list) => {
            let mut parts = Vec::new();
            for item in list.get(vm).items.clone() {
                parts.push(vm.to_s_text(&item)?);
            }
            Ok(Value::str(parts.join(", ")))
        }
        Value::Str(_) => Ok(value.clone()),
        other => Ok(Value::Str(vm.to_s(other)?)),
    }
}

pub(super) fn ivar(vm: &Vm, this: &Value, name: Symbol) -> Value {
    vm.ivar_get(this, name).unwrap_or_default()
}

/// `initialize(name, run_context = nil)`
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let id = vm.real_class_of(this);
    let (name, context) = (args.at(0), args.at(1));
    vm.ivar_reserve(this, 8);
    let listing = class::listing(vm, id);
    for init in &listing.inits_first {
        init(vm, this, name)?;
    }
    if !name.is_nil() {
        let class = vm.class_of(this);
        let fast =
            vm.find_method(class, N.name).is_some_and(|id| matches!(vm.method(id).body, MethodBody::Closure(..)));
        if fast && matches!(name, Value::Str(_)) {
            vm.ivar_set(this, N.i_name, name.clone());
        } else {
            vm.call(this, N.name, std::slice::from_ref(name))?;
        }
    }
    let (logger, others) = (crate::chef_class::logger_value(vm)?, vm.ivar_count(this));
    if let Some(state) = state::state_mut(vm, this) {
        state.start(listing.clone(), context.clone(), logger, others);
    }
    for init in &listing.inits {
        init(vm, this, name)?;
    }
    Ok(Value::Nil)
}

fn action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        return Ok(read(vm, this, Slot::Action));
    }
    let allowed = allowed_list(vm, this)?;
    let mut list = Vec::new();
    for item in vm.to_array(args.at(0))? {
        let name = vm.to_name(&item)?;
        if !allowed.contains(&name) {
            let shown: Vec<String> = allowed.iter().map(|name| format!(":{name}")).collect();
            return Err(no_action(vm, &shown, name));
        }
        list.push(Value::Sym(name));
    }
    let list = Value::array(list);
    state::write(vm, this, Slot::Action, list.clone());
    Ok(list)
}

/// The actions that a resource allows: its own list, else its class's.
pub fn allowed_list(vm: &mut Vm, this: &Value) -> Res<Vec<Symbol>> {
    match state::state(vm, this).and_then(|state| state.own_actions()) {
        Some(Value::Array(list)) => {
            let mut names = Vec::new();
            for item in list.get(vm).items.clone() {
                names.push(vm.to_name(&item)?);
            }
            Ok(names)
        }
        _ => {
            let id = vm.real_class_of(this);
            Ok(class::allowed_actions(vm, id))
        }
    }
}
fn allowed_actions(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(list) = args.get(0) {
        return set_allowed_actions(vm, this, Args::new(std::slice::from_ref(list)));
    }
    Ok(read(vm, this, Slot::AllowedActions))
}
fn set_allowed_actions(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = Value::array(vm.to_array(args.at(0))?);
    state::write(vm, this, Slot::AllowedActions, list.clone());
    Ok(list)
}

pub use super::state::context_of;

fn guard(vm: &mut Vm, this: &Value, args: Args<'_>, positive: bool) -> Res {
    let slot = if positive { Slot::OnlyIf } else { Slot::NotIf };
    let list = match read(vm, this, slot) {
        list @ Value::Array(_) => list,
        _ => {
            let made = Value::array(Vec::new());
            state::write(vm, this, slot, made.clone());
            made
        }
    };
    if !args.at(0).truthy() && args.block.is_none() {
        return Ok(list);
    }
    let made = super::guard::create(vm, this, args, positive)?;
    if let Value::Array(items) = &list {
        items.get_mut(vm).items.push(made);
    }
    Ok(list)
}
fn only_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    guard(vm, this, args, true)
}
fn not_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    guard(vm, this, args, false)
}
fn guard_interpreter(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        Value::Nil => match read(vm, this, Slot::GuardInterpreter) {
            Value::Nil => Ok(read(vm, this, Slot::DefaultGuardInterpreter)),
            value => Ok(value),
        },
        value @ Value::Sym(_) => {
            state::write(vm, this, Slot::GuardInterpreter, value.clone());
            Ok(value.clone())
        }
        other => {
            let shown = vm.inspect(other)?;
            Err(chef_error(
                vm,
                "ValidationFailed",
                format!("Option guard_interpreter must be a kind of [Symbol]!  You passed {shown}."),
            ))
        }
    }
}
fn default_guard_interpreter(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(read(vm, this, Slot::DefaultGuardInterpreter))
}

/// `run_actions :immediately` (mission document 002).
fn run_actions(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.get(0) {
        None => {
            let given = state::state(vm, this).and_then(|state| state.run_actions);
            Ok(Value::Sym(given.unwrap_or(N.delayed)))
        }
        Some(value) => {
            let text = vm.to_s_text(value)?;
            let mode = match text.as_str() {
                "immediately" | "immediate" => N.immediately,
                "delayed" => N.delayed,
                _ => {
                    let shown = vm.inspect(value)?;
                    return Err(chef_error(
                        vm,
                        "ValidationFailed",
                        format!(
                            "Option run_actions must be equal to one of: :delayed, :immediately!  You passed {shown}."
                        ),
                    ));
                }
            };
            if let Some(state) = state::state_mut(vm, this) {
                state.run_actions = Some(mode);
            }
            Ok(Value::Sym(mode))
        }
    }
}

fn node(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let context = read(vm, this, Slot::RunContext);
    crate::run::node_of(vm, &context)
}
fn no(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::False)
}

macro_rules! accessors {
    ($($reader:ident $writer:ident $slot:ident),* $(,)?) => {
        $(
            fn $reader(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
                Ok(read(vm, this, Slot::$slot))
            }
            fn $writer(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
                state::write(vm, this, Slot::$slot, args.at(0).clone());
                Ok(args.at(0).clone())
            }
        )*
    };
}
accessors! {
    run_context set_run_context RunContext,
    cookbook_name set_cookbook_name CookbookName,
    recipe_name set_recipe_name RecipeName,
    source_line set_source_line SourceLine,
    declared_type set_declared_type DeclaredType,
    enclosing_provider set_enclosing_provider EnclosingProvider,
    params set_params Params,
}

/// The `file:line` part of `source_line`.
pub fn source_place(vm: &mut Vm, this: &Value) -> Res<Option<String>> {
    let source = read(vm, this, Slot::SourceLine);
    if source.is_nil() {
        return Ok(None);
    }
    let mut text = vm.to_s_text(&source)?;
    if let Some(at) = memchr::memmem::find(text.as_bytes(), b":in ") {
        text.truncate(at);
    }
    Ok(Some(text).filter(|text| text.contains(':')))
}
/// The file and line of a resource's declaration.
pub fn source_of(vm: &mut Vm, this: &Value) -> Res<Option<(String, String)>> {
    let place = source_place(vm, this)?;
    Ok(place.and_then(|place| place.rsplit_once(':').map(|(file, line)| (file.to_string(), line.to_string()))))
}
fn source_line_file(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(source_of(vm, this)?.map(|(file, _)| Value::str(file)).unwrap_or_default())
}
fn source_line_number(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(source_of(vm, this)?.map(|(_, line)| Value::str(line)).unwrap_or_default())
}
fn declared_key(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let kind = read(vm, this, Slot::DeclaredType);
    if kind.is_nil() {
        return Ok(Value::Str(vm.to_s(this)?));
    }
    let name = ivar(vm, this, N.i_name);
    Ok(Value::str(format!("{}[{}]", vm.to_s_text(&kind)?, vm.to_s_text(&name)?)))
}
/// `resource_name` of the instance, else of its class.
pub fn name_of_type(vm: &mut Vm, this: &Value) -> Res {
    match read(vm, this, Slot::ResourceName) {
        Value::Nil => {
            let id = vm.real_class_of(this);
            Ok(class::resource_name(vm, id).map(Value::Sym).unwrap_or_default())
        }
        name => Ok(name),
    }
}
fn resource_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    name_of_type(vm, this)
}
fn updated(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(is_updated(vm, this)))
}
fn set_updated(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    mark_updated(vm, this, args.at(0).truthy());
    Ok(args.at(0).clone())
}
/// `updated_by_last_action(true)`
pub fn mark_updated(vm: &mut Vm, this: &Value, updated: bool) {
    if let Some(state) = state::state_mut(vm, this) {
        state.updated |= updated;
        state.updated_by_last_action = updated;
    }
}
/// Whether any of its actions changed anything.
pub fn is_updated(vm: &Vm, this: &Value) -> bool {
    state::state(vm, this).is_some_and(|state| state.updated)
}
/// Whether its last action changed anything.
pub fn is_updated_by_last_action(vm: &Vm, this: &Value) -> bool {
    state::state(vm, this).is_some_and(|state| state.updated_by_last_action)
}
/// Whether the run has executed the resource at its own position, and not only by a notification or `run_action`.
pub fn is_run(vm: &Vm, this: &Value) -> bool {
    state::state(vm, this).is_some_and(|state| state.executed_by_runner)
}
/// The actions of a resource in order. Code that sets `@action` itself may put in anything; an action is then what it is as text.
pub fn actions(vm: &mut Vm, resource: &Value) -> Res<Vec<Symbol>> {
    let list = vm.call(resource, N.action, &[])?;
    let mut names = Vec::new();
    for item in vm.to_array(&list)? {
        names.push(match &item {
            Value::Sym(name) => *name,
            other => Symbol::intern(&vm.to_s_text(other)?),
        });
    }
    Ok(names)
}
/// Marks the resource as executed at its own position.
pub fn mark_run(vm: &mut Vm, this: &Value) {
    if let Some(state) = state::state_mut(vm, this) {
        state.executed_by_runner = true;
    }
}
fn updated_by_last_action(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(is_updated_by_last_action(vm, this)))
}
fn elapsed_time(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(read(vm, this, Slot::ElapsedTime))
}
fn executed_by_runner(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(is_run(vm, this)))
}
fn after_created(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = vm.real_class_of(this);
    for ancestor in class::lineage(vm, id) {
        if let Some(hook) = class::shipped(vm, ancestor).and_then(|shipped| shipped.after_created) {
            hook(vm, this)?;
            break;
        }
    }
    Ok(Value::Nil)
}

/// The place of the declaration as "CB::REC line N", "FILE line N" or "dynamically defined".
pub fn place_of(vm: &mut Vm, this: &Value) -> Res<String> {
    let (cookbook, recipe) = (read(vm, this, Slot::CookbookName), read(vm, this, Slot::RecipeName));
    let Some((file, line)) = source_of(vm, this)? else { return Ok("dynamically defined".into()) };
    if cookbook.is_nil() || recipe.is_nil() {
        return Ok(format!("{file} line {line}"));
    }
    Ok(format!("{}::{} line {line}", vm.to_s_text(&cookbook)?, vm.to_s_text(&recipe)?))
}
fn defined_at(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(place_of(vm, this)?))
}

fn named_property(vm: &mut Vm, this: &Value, name: &Value) -> Res<std::rc::Rc<property::Property>> {
    let name = vm.to_name(name)?;
    let id = vm.real_class_of(this);
    match class::find_property(vm, id, name) {
        Some(property) => Ok(property),
        None => {
            let shown = vm.to_s_text(this)?;
            Err(vm.argument_error(format!("Property {name} is not defined in class {shown}")))
        }
    }
}
fn property_is_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = named_property(vm, this, args.at(0))?;
    Ok(Value::bool(vm.ivar_get(this, property.ivar).is_some()))
}
fn reset_property(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let property = named_property(vm, this, args.at(0))?;
    Ok(vm.ivar_remove(this, property.ivar).unwrap_or_default())
}
fn copy_properties_from(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, keywords) = args.split();
    let other = pos.first().cloned().unwrap_or_default();
    let mut only = Vec::new();
    for name in pos.iter().skip(1) {
        for item in vm.to_array(name)? {
            only.push(vm.to_name(&item)?);
        }
    }
    let mut exclude = vec![N.name];
    if let Some(hash) = keywords
        && let Some(list) = vm.hash_get_sym(hash, Symbol::intern_static("exclude"))
    {
        exclude.clear();
        for item in vm.to_array(&list)? {
            exclude.push(vm.to_name(&item)?);
        }
    }
    let id = vm.real_class_of(&other);
    for property in class::all_properties(vm, id).iter() {
        let wanted = if only.is_empty() { !exclude.contains(&property.name) } else { only.contains(&property.name) };
        if wanted && vm.ivar_get(&other, property.ivar).is_some() {
            let value = vm.call(&other, property.name, &[])?;
            vm.call(this, property.name, &[value])?;
        }
    }
    Ok(this.clone())
}
fn current_value_does_not_exist(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Err(chef_error(vm, "CurrentValueDoesNotExist", "Chef::Exceptions::CurrentValueDoesNotExist"))
}
fn events(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    crate::chef_class::events_value(vm)
}
/// The error for an action that a resource does not allow; `shown` are those it allows.
pub(super) fn no_action(vm: &mut Vm, shown: &[String], name: Symbol) -> rchef_ruby::Error {
    let text = format!("Option action must be equal to one of: {}!  You passed :{name}.", shown.join(", "));
    let error = chef_error(vm, "ValidationFailed", text);
    crate::run::about(vm, error, crate::run::Subject::Action(name.to_string()))
}
fn logger(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    crate::chef_class::logger_value(vm)
}
fn cookbook_version(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let name = read(vm, this, Slot::CookbookName);
    if name.is_nil() || vm.to_s_text(&name)? == "@recipe_files" {
        return Ok(Value::Nil);
    }
    let collection = crate::cookbook::collection_value(vm)?;
    vm.call(&collection, sym::AREF, &[name])
}
fn load_from(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for slot in vm.ivar_names(args.at(0)) {
        if !["@source_line", "@action", "@not_if", "@only_if"].contains(&slot.as_str()) {
            let value = ivar(vm, args.at(0), slot);
            vm.ivar_set(this, slot, value);
        }
    }
    Ok(Value::Nil)
}

/// Ruby 3.1 appends the source line to the message of a NoMethodError, here a line of one of Chef's own files. Programs and logs compare the
/// message with it, so it is part of the text.
pub const RAISED: &str =
    "\n\n        raise NoMethodError, \"undefined method `#{method_symbol}' for #{self.class}\"\n        ^^^^^";

/// Forwards unknown methods to the enclosing provider.
fn forward_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let provider = read(vm, this, Slot::EnclosingProvider);
    if !provider.is_nil() && vm.respond_to(&provider, name, true)? {
        return vm.call_args(&provider, name, args.from(1));
    }
    let shown = vm.class_name_of(this);
    let data = rchef_ruby::embed::error::ExceptionData {
        message: Value::str(format!("undefined method `{name}' for {shown}{RAISED}")),
        ..rchef_ruby::embed::error::empty()
    };
    let exception = vm.new_exception_with(ClassId::NO_METHOD_ERROR, data);
    let resource = name_of_type(vm, this).and_then(|name| vm.to_s_text(&name)).unwrap_or_default();
    let subject = Subject::Property { class: vm.real_class_of(this), resource, name: name.to_string() };
    Err(about(vm, rchef_ruby::Unwind::Raise(exception).into(), subject))
}

/// Evaluates a block with the resource as self; in an action, the action's resource is the block's argument.
pub fn eval_block(vm: &mut Vm, resource: &Value, block: Block<'_>) -> Res<()> {
    let provider = read(vm, resource, Slot::EnclosingProvider);
    if provider.is_nil() {
        return instance_exec(vm, resource, block, Args::none());
    }
    let outer = crate::provider::state::new_resource(vm, &provider);
    instance_exec(vm, resource, block, Args::new(&[outer]))
}

/// Calls a block with the resource as self; what it defines by `def` are methods of this resource only.
pub fn instance_exec(vm: &mut Vm, resource: &Value, block: Block<'_>, args: Args<'_>) -> Res<()> {
    vm.call_block_as(block, resource, Some(Definee::SingletonOf(resource.clone())), args).map(drop)
}

/// Registers the instance methods and common properties of `Chef::Resource`.
pub fn boot(vm: &mut Vm, resource: ClassId) -> Res<()> {
    vm.class_mut(resource).allocator = Some(|_, class| Ok(Value::data(class, state::ResourceState::default())));
    for table in [METHODS, PROPERTY_METHODS, notify::METHODS, text::METHODS] {
        vm.define_methods(resource, table);
    }
    for common in COMMON {
        let made = property::from_def(common, resource);
        class::add_property(vm, resource, made)?;
    }
    vm.define_closure(
        resource,
        sym::METHOD_MISSING,
        rchef_ruby::embed::method::Arity::ANY,
        std::rc::Rc::new(forward_missing),
    );
    Ok(())
}
