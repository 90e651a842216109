//! Guards: `only_if` and `not_if` (SPEC-compile 4.4, Chef::Resource::Conditional).

use super::state::{Slot, read};
use crate::names::N;
use crate::run::class;
use rchef_ruby::{Args, Block, ClassId, Gc, MethodDef, NativeData, RProc, Res, Value, Vm, at_least, def};

/// The data of a Conditional.
#[derive(Default)]
pub struct Guard {
    pub positive: bool,
    /// The command: a String or an Array; nil for a block.
    pub command: Value,
    pub options: Value,
    pub block: Option<Gc<RProc>>,
    pub resource: Value,
    /// The place of its declaration.
    pub source: String,
}
impl NativeData for Guard {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        [&self.command, &self.options, &self.resource].into_iter().for_each(&mut *visit);
        self.block.iter().for_each(|block| visit(&Value::Proc(block.clone())));
    }
}

/// Creates a guard of a resource.
pub fn create(vm: &mut Vm, resource: &Value, args: Args<'_>, positive: bool) -> Res {
    let kind = class(vm, |classes| classes.conditional)?;
    let made = read_guard(vm, resource, args, positive)?;
    Ok(Value::data(kind, made))
}

/// The guard that the arguments `(command, options)` and the block of a declaration mean.
fn read_guard(vm: &mut Vm, resource: &Value, args: Args<'_>, positive: bool) -> Res<Guard> {
    let (pos, keywords) = args.split();
    let options = match (pos.get(1), keywords) {
        (Some(options), _) => options.clone(),
        (None, Some(hash)) => Value::Hash(hash.clone()),
        (None, None) => vm.new_hash(Vec::new())?,
    };
    let command = pos.first().cloned().unwrap_or_default();
    let block = match args.block {
        Some(block) if !command.truthy() => Some(vm.block_to_proc(block)),
        _ => None,
    };
    let source = vm.current_location().map(|(file, line)| format!("{file}:{line}")).unwrap_or_default();
    Ok(Guard { positive, command, options, block, resource: resource.clone(), source })
}

/// `Conditional.only_if(resource, command = nil, options = {}) { … }` and `not_if`.
fn only_if(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let resource = args.at(0).clone();
    create(vm, &resource, args.from(1), true)
}
fn not_if(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let resource = args.at(0).clone();
    create(vm, &resource, args.from(1), false)
}

/// `Conditional.new(positivity, resource, command, options) { … }`.
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let is_negative = matches!(args.at(0), Value::Sym(word) if word.as_str() == "not_if");
    let resource = args.at(1).clone();
    let made = read_guard(vm, &resource, args.from(2), !is_negative)?;
    if made.block.is_none() && !made.command.truthy() {
        return Err(vm.argument_error("only_if/not_if requires either a command or a block"));
    }
    if let Some(data) = vm.data_mut::<Guard>(this) {
        *data = made;
    }
    Ok(Value::Nil)
}

/// Raises if the guard is a block and the resource has a guard interpreter.
fn configure(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = guard(vm, this)?;
    let (resource, is_block) = (data.resource.clone(), data.block.is_some());
    if is_block {
        refuse_interpreter(vm, &resource)?;
    }
    Ok(Value::Nil)
}

/// The command lines of a resource's `not_if` guards, which succeed once the resource has done its work.
pub fn commands_met(vm: &mut Vm, resource: &Value) -> Vec<String> {
    let list = super::state::state(vm, resource).and_then(|state| state.not_if.made().cloned());
    let Some(Value::Array(list)) = list else { return Vec::new() };
    let mut lines = Vec::new();
    for item in list.get(vm).items.clone() {
        let Some(command) = vm.data::<Guard>(&item).map(|guard| guard.command.clone()) else { continue };
        if let Value::Str(text) = &command {
            lines.push(String::from_utf8_lossy(text.get(vm).bytes()).into_owned());
        }
    }
    lines
}

/// The texts of a resource's guards, `only_if` first; of a sensitive resource only their kinds.
pub fn texts(vm: &mut Vm, resource: &Value) -> Vec<String> {
    let Some(state) = super::state::state(vm, resource) else { return Vec::new() };
    let lists = [state.only_if.made().cloned(), state.not_if.made().cloned()];
    if lists.iter().all(Option::is_none) {
        return Vec::new();
    }
    let is_sensitive = vm.call(resource, N.sensitive, &[]).is_ok_and(|value| value.truthy());
    let mut found = Vec::new();
    for (list, word) in lists.into_iter().zip(["only_if", "not_if"]) {
        let Some(Value::Array(list)) = list else { continue };
        for item in list.get(vm).items.clone() {
            found.push(if is_sensitive { word.to_string() } else { shown(vm, &item).unwrap_or_default() });
        }
    }
    found
}

fn guard<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a Guard> {
    if vm.data::<Guard>(this).is_none() {
        return Err(vm.type_error("not a guard"));
    }
    match vm.data::<Guard>(this) {
        Some(data) => Ok(data),
        None => unreachable!("checked above"),
    }
}

/// Whether the guard lets the action continue.
pub fn goes_on(vm: &mut Vm, this: &Value) -> Res<bool> {
    let data = guard(vm, this)?;
    let (positive, command, block, resource, options) =
        (data.positive, data.command.clone(), data.block.clone(), data.resource.clone(), data.options.clone());
    let answer = match block {
        Some(block) => {
            refuse_interpreter(vm, &resource)?;
            let own = guard_self(vm, &block, &resource);
            let value = vm.call_block_as(Block::Proc(&block), &own, None, Args::none())?;
            warn_of_string(vm, &resource, positive, &value)?;
            value.truthy()
        }
        None => command_succeeds(vm, &resource, &command, &options)?,
    };
    Ok(answer == positive)
}

/// Raises if the recipe sets a guard interpreter for a guard with a block, which has no command.
fn refuse_interpreter(vm: &mut Vm, resource: &Value) -> Res<()> {
    let given = read(vm, resource, Slot::GuardInterpreter);
    if given.is_nil() {
        return Ok(());
    }
    let usual = vm.call_name(resource, "default_guard_interpreter", &[])?;
    if given.same(&usual) {
        return Ok(());
    }
    let (name, given) = (vm.call(resource, N.name, &[])?, vm.to_s_text(&given)?);
    let name = vm.to_s_text(&name)?;
    Err(vm.argument_error(format!(
        "{name} was given a guard_interpreter of {given}, but not given a command as a string. guard_interpreter does not support blocks (because they just contain ruby)."
    )))
}

/// Warns of a block that returns a String: it is always true, and probably was meant as a command.
fn warn_of_string(vm: &mut Vm, resource: &Value, positive: bool, value: &Value) -> Res<()> {
    let Value::Str(text) = value else { return Ok(()) };
    if text.get(vm).bytes().is_empty() {
        return Ok(());
    }
    let word = if positive { "only_if" } else { "not_if" };
    let hidden = vm.call(resource, N.sensitive, &[])?.truthy();
    let (owner, shown) = (vm.to_s_text(resource)?, vm.inspect(value)?);
    let text = if hidden {
        format!("{word} block for {owner} returned a string, did you mean to run a command?")
    } else {
        format!(
            "{word} block for {owner} returned {shown}, did you mean to run a command? If so use '{word} {shown}' in your code."
        )
    };
    crate::chef_class::say(vm, "warn", &text)
}

/// The lines of a block of a guard, without their margins.
pub fn lines_of(vm: &Vm, block: &Gc<RProc>) -> Option<Vec<String>> {
    let rchef_ruby::embed::frame::ProcKind::Ruby { code, .. } = &block.get(vm).kind else { return None };
    let line = |number| code.file.line(number).map(|line| String::from_utf8_lossy(line).trim().to_string());
    (code.line..=code.end_line.max(code.line)).map(line).collect()
}

/// The self of a guard's block: the one where the block was written.
fn guard_self(vm: &mut Vm, block: &Gc<RProc>, resource: &Value) -> Value {
    match &block.get(vm).kind {
        rchef_ruby::embed::frame::ProcKind::Ruby { env, .. } => env.get(vm).slf.clone(),
        _ => resource.clone(),
    }
}

fn command_succeeds(vm: &mut Vm, resource: &Value, command: &Value, options: &Value) -> Res<bool> {
    let interpreter = vm.call_name(resource, "guard_interpreter", &[])?;
    if !matches!(command, Value::Str(_) | Value::Array(_)) {
        let (shown, kind) = (vm.inspect(command)?, vm.class_name_of(command));
        return Err(vm.argument_error(format!("Invalid only_if/not_if command, expected a string: {shown} ({kind})")));
    }
    crate::provider::command::guard_succeeds(vm, resource, &interpreter, command, options)
}

static CLASS_METHODS: &[MethodDef] = &[at_least("only_if", only_if, 1), at_least("not_if", not_if, 1)];
static METHODS: &[MethodDef] = &[
    at_least("initialize", initialize, 2).private(),
    def("configure", configure, 0),
    def("continue?", continue_, 0),
    def("evaluate", evaluate, 0),
    def("command", command, 0),
    def("command_opts", options, 0),
    def("block", block, 0),
    def("positivity", positivity, 0),
    def("to_text", to_text, 0),
    def("description", description, 0),
];
fn continue_(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(goes_on(vm, this)?))
}
fn evaluate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let positive = guard(vm, this)?.positive;
    Ok(Value::bool(goes_on(vm, this)? == positive))
}
fn command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(guard(vm, this)?.command.clone())
}
fn options(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(guard(vm, this)?.options.clone())
}
fn block(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(guard(vm, this)?.block.clone().map(Value::Proc).unwrap_or_default())
}
fn positivity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::sym(if guard(vm, this)?.positive { "only_if" } else { "not_if" }))
}
/// The text of a guard: `not_if { #code block }` or `only_if "command"`.
pub fn shown(vm: &mut Vm, this: &Value) -> Res<String> {
    let data = guard(vm, this)?;
    let (word, command, is_block) =
        (if data.positive { "only_if" } else { "not_if" }, data.command.clone(), data.block.is_some());
    if is_block {
        return Ok(format!("{word} {{ #code block }}"));
    }
    let shown = vm.inspect(&command)?;
    Ok(format!("{word} {shown}"))
}
fn to_text(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(shown(vm, this)?))
}
fn description(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = guard(vm, this)?;
    let (word, command, is_block, resource) = (
        if data.positive { "only_if" } else { "not_if" },
        data.command.clone(),
        data.block.is_some(),
        data.resource.clone(),
    );
    if is_block {
        return Ok(Value::str(format!("{word} ruby block")));
    }
    let sensitive = vm.call(&resource, N.sensitive, &[])?.truthy();
    let shown = if sensitive { "(sensitive)".to_string() } else { vm.to_s_text(&command)? };
    Ok(Value::str(format!("{word} command `{shown}`")))
}

pub fn boot(vm: &mut Vm, resource: ClassId) {
    let kind = vm.define_class(resource, "Conditional", ClassId::OBJECT);
    vm.class_mut(kind).allocator = Some(|_, class| Ok(Value::data(class, Guard::default())));
    vm.define_methods(kind, METHODS);
    vm.define_singleton_methods(kind, CLASS_METHODS);
    crate::run::process_mut(vm).classes.conditional = Some(kind);
}
