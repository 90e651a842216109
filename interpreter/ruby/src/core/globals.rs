//! Global variables: ordinary and special ones, and aliases.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, opt};
use crate::value::Value;
use crate::vm::{Global, GlobalGetter, GlobalSetter};
use rchef_syntax::symbol::sym;

impl Vm {
    fn global_resolve(&self, name: Symbol) -> Symbol {
        let mut at = name;
        while let Some(Global::Alias(to)) = self.globals.get(&at) {
            at = *to;
        }
        at
    }
    /// Reads a global variable; nil when it is not set.
    pub fn global_get(&mut self, name: Symbol) -> Res {
        let name = self.global_resolve(name);
        match self.globals.get(&name) {
            Some(Global::Plain(value)) => Ok(value.clone()),
            Some(Global::Special(getter, _)) => getter(self, name),
            _ => Ok(Value::Nil),
        }
    }
    /// The same for a variable in Ruby code; with `-w`, warns if it was never assigned.
    pub(crate) fn global_read(&mut self, given: Symbol) -> Res {
        let name = self.global_resolve(given);
        match self.globals.get(&name) {
            Some(Global::Plain(value)) => Ok(value.clone()),
            Some(Global::Special(getter, _)) => getter(self, name),
            _ => self.warn_verbose(&format!("global variable `{given}' not initialized")).map(|()| Value::Nil),
        }
    }
    /// Gives the program a name (`$0`, `$PROGRAM_NAME`). Unlike an assignment in Ruby code it leaves alone what `ps` shows.
    pub fn name_program(&mut self, name: &str) {
        let name = Value::str(name);
        name.set_flag(crate::heap::FROZEN, true);
        store(self, sym::DOLLAR_ZERO, name);
    }
    /// Writes a global variable; NameError for read-only ones.
    pub fn global_set(&mut self, given: Symbol, value: Value) -> Res<()> {
        let name = self.global_resolve(given);
        if !self.traced.is_empty() {
            return self.global_set_traced(given, name, value);
        }
        self.global_set_plainly(given, name, value)
    }
    fn global_set_plainly(&mut self, given: Symbol, name: Symbol, value: Value) -> Res<()> {
        match self.globals.get(&name) {
            Some(Global::Special(_, Some(setter))) => setter(self, name, value),
            Some(Global::Special(_, None)) => {
                let object = self.main.clone();
                Err(self.name_error(format!("{given} is a read-only variable"), &object, given))
            }
            _ => {
                self.globals.insert(name, Global::Plain(value));
                Ok(())
            }
        }
    }
    /// The same if there may be hooks of `trace_var`.
    #[cold]
    fn global_set_traced(&mut self, given: Symbol, name: Symbol, value: Value) -> Res<()> {
        self.global_set_plainly(given, name, value.clone())?;
        let hooks: Vec<Value> =
            self.traced.iter().rev().filter(|(of, _)| *of == name).map(|(_, hook)| hook.clone()).collect();
        // a hook is not called for its own assignments to the variable
        if hooks.is_empty() || self.tracing.contains(&name) {
            return Ok(());
        }
        self.tracing.push(name);
        let result = hooks.iter().try_for_each(|hook| match hook {
            Value::Str(source) => {
                let source = source.get(self).bytes().to_vec();
                self.run_string(&source, "(eval)", 1).map(drop)
            }
            _ => self.call(hook, sym::CALL, std::slice::from_ref(&value)).map(drop),
        });
        self.tracing.retain(|known| *known != name);
        result
    }
    /// Whether a global variable has been set.
    pub fn global_defined(&self, name: Symbol) -> bool {
        self.globals.contains_key(&self.global_resolve(name))
    }
    pub fn global_alias(&mut self, new: Symbol, old: Symbol) {
        if new != self.global_resolve(old) {
            self.globals.insert(new, Global::Alias(old));
        }
    }
    /// Defines a special global variable.
    pub fn define_global(&mut self, name: &'static str, getter: GlobalGetter, setter: Option<GlobalSetter>) {
        self.globals.insert(Symbol::intern_static(name), Global::Special(getter, setter));
    }
    /// Sets a special variable that is stored, without the checks and warnings of an assignment: what a command line says of it.
    pub fn preset_global(&mut self, name: &'static str, value: Value) {
        store(self, Symbol::intern_static(name), value);
    }
    /// Names of all global variables.
    pub fn global_names(&self) -> Vec<Symbol> {
        self.globals.keys().copied().collect()
    }
}

static FUNCTIONS: &[MethodDef] = &[opt("trace_var", trace, 1, 2), opt("untrace_var", untrace, 1, 2)];

fn trace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let hook = match (args.get(1), args.block) {
        (Some(Value::Nil), _) => return untrace(vm, this, Args::new(&args.pos[..1])),
        (Some(hook), _) => hook.clone(),
        (None, Some(block)) => Value::Proc(vm.block_to_proc(block)),
        (None, None) => return Err(vm.argument_error("tried to create Proc object without a block")),
    };
    let name = vm.global_resolve(name);
    vm.traced.push((name, hook));
    Ok(Value::Nil)
}
/// Removes one or all hooks of a variable; returns the removed ones.
fn untrace(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let given = vm.to_name(args.at(0))?;
    let name = vm.global_resolve(given);
    if !vm.globals.contains_key(&name) && vm.traced.iter().all(|(of, _)| *of != name) {
        let object = vm.main.clone();
        return Err(vm.name_error(format!("undefined global variable {given}"), &object, given));
    }
    let only = args.get(1).cloned();
    let (mut kept, mut taken) = (Vec::new(), Vec::new());
    for (of, hook) in std::mem::take(&mut vm.traced) {
        if of == name && only.as_ref().is_none_or(|only| only.same(&hook)) {
            taken.push(hook);
        } else {
            kept.push((of, hook));
        }
    }
    vm.traced = kept;
    taken.reverse();
    Ok(if only.is_some() && taken.is_empty() { Value::Nil } else { Value::array(taken) })
}

fn last_match(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.last_match())
}
fn set_last_match(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    if !value.is_nil() && !vm.is_a(&value, ClassId::MATCH_DATA) {
        let described = vm.describe(&value);
        return Err(vm.type_error(format!("wrong argument type {described} (expected MatchData)")));
    }
    vm.set_last_match(value);
    Ok(())
}
fn last_line(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.with_caller(|vm, cx| cx.map(|cx| vm.specials_of(cx).borrow().last_line.clone()).unwrap_or_default()))
}
fn set_last_line(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    vm.with_caller(|vm, cx| {
        if let Some(cx) = cx {
            vm.specials_of(cx).borrow_mut().last_line = value;
        }
    });
    Ok(())
}
fn errinfo(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.current_exception())
}
fn error_position(vm: &mut Vm, _: Symbol) -> Res {
    let current = vm.current_exception();
    if current.is_nil() { Ok(Value::Nil) } else { super::exception::checked_backtrace(vm, &current) }
}
fn set_error_position(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    let current = vm.current_exception();
    if current.is_nil() {
        return Err(vm.argument_error("$! not set"));
    }
    vm.call(&current, sym::SET_BACKTRACE, &[value]).map(drop)
}
fn process_id(vm: &mut Vm, _: Symbol) -> Res {
    Ok(Value::Int(i64::from(vm.host.pid())))
}

/// Values of special variables without further meaning.
#[derive(Default)]
struct Stored(Vec<(Symbol, Value)>);

fn stored(vm: &mut Vm, name: Symbol) -> Res {
    let found = vm.extension::<Stored>().0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    Ok(found.unwrap_or_default())
}
fn store(vm: &mut Vm, name: Symbol, value: Value) {
    let stored = &mut vm.extension::<Stored>().0;
    match stored.iter_mut().find(|(known, _)| *known == name) {
        Some((_, slot)) => *slot = value,
        None => stored.push((name, value)),
    }
}
fn verbose(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.verbose.map_or(Value::Nil, Value::bool))
}
/// Sets `$VERBOSE`, converting to nil, false or true.
fn set_verbose(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    vm.verbose = (!value.is_nil()).then(|| value.truthy());
    Ok(())
}
/// Sets `$DEBUG`: while it is true, each exception that is raised is written to `$stderr`.
fn set_debug(vm: &mut Vm, name: Symbol, value: Value) -> Res<()> {
    super::trace_point::set_debug(vm, value.truthy());
    store(vm, name, value);
    Ok(())
}
fn warning_level(vm: &mut Vm, _: Symbol) -> Res {
    Ok(Value::Int(match vm.verbose {
        None => 0,
        Some(false) => 1,
        Some(true) => 2,
    }))
}
fn check_string(vm: &mut Vm, name: Symbol, value: &Value) -> Res<()> {
    match value {
        Value::Str(_) | Value::Nil => Ok(()),
        _ => Err(vm.type_error(format!("value of {name} must be String"))),
    }
}
fn set_string(vm: &mut Vm, name: Symbol, value: Value) -> Res<()> {
    check_string(vm, name, &value)?;
    if !value.is_nil() {
        vm.deprecated(name.as_str());
        vm.warn_deprecated(&format!("`{name}' is deprecated"))?;
    }
    store(vm, name, value);
    Ok(())
}
fn set_separator(vm: &mut Vm, name: Symbol, value: Value) -> Res<()> {
    if !(matches!(value, Value::Str(_) | Value::Nil) || (name.as_str() == "$;" && vm.is_a(&value, ClassId::REGEXP))) {
        let wanted = if name.as_str() == "$;" { "String or Regexp" } else { "String" };
        return Err(vm.type_error(format!("value of {name} must be {wanted}")));
    }
    if !value.is_nil() {
        vm.warn_deprecated(&format!("`{name}' is deprecated"))?;
    }
    store(vm, name, value);
    Ok(())
}
fn set_program_name(vm: &mut Vm, name: Symbol, value: Value) -> Res<()> {
    let text = vm.to_str(&value)?;
    // keeps the name that the program was started by
    super::process::argv0(vm, &Value::Nil, Args::none())?;
    let copy = Value::string(text.get(vm).clone());
    copy.set_flag(crate::heap::FROZEN, true);
    store(vm, name, copy);
    super::process::set_title(vm, &value)
}

/// `RUBY_VERSION` etc.: the version of Ruby that is implemented.
const RUBY: [(&str, &str); 8] = [
    ("RUBY_VERSION", "3.1.7"),
    ("RUBY_ENGINE", "ruby"),
    ("RUBY_ENGINE_VERSION", "3.1.7"),
    ("RUBY_PLATFORM", "x86_64-linux-gnu"),
    ("RUBY_RELEASE_DATE", "2025-03-26"),
    ("RUBY_REVISION", "0a3704f218f0aec7f92f3a46a2293175b0a7d2b3"),
    ("RUBY_COPYRIGHT", "ruby - Copyright (C) 1993-2025 Yukihiro Matsumoto"),
    ("RUBY_DESCRIPTION", "ruby 3.1.7p261 (2025-03-26 revision 0a3704f218) [x86_64-linux-gnu]"),
];

pub fn ruby_version() -> &'static str {
    RUBY[0].1
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
    for (name, text) in RUBY {
        let value = Value::str(text);
        value.set_flag(crate::heap::FROZEN, true);
        vm.const_set(ClassId::OBJECT, Symbol::intern_static(name), value);
    }
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("RUBY_PATCHLEVEL"), Value::Int(261));
    vm.define_global("$~", last_match, Some(set_last_match));
    vm.define_global("$_", last_line, Some(set_last_line));
    vm.define_global("$!", errinfo, None);
    vm.define_global("$@", error_position, Some(set_error_position));
    vm.define_global("$$", process_id, None);
    vm.define_global("$VERBOSE", verbose, Some(set_verbose));
    vm.define_global("$0", stored, Some(set_program_name));
    for (name, setter) in
        [("$,", set_separator as GlobalSetter), ("$;", set_separator), ("$/", set_string), ("$\\", set_string)]
    {
        vm.define_global(name, stored, Some(setter));
    }
    vm.define_global("$-W", warning_level, None);
    // like `$/`, but errors have this name
    vm.define_global(
        "$-0",
        |vm, _| vm.global_get(Symbol::intern_static("$/")),
        Some(|vm, name, value| {
            check_string(vm, name, &value)?;
            vm.global_set(Symbol::intern_static("$/"), value)
        }),
    );
    let newline = Value::str("\n");
    newline.set_flag(crate::heap::FROZEN, true);
    store(vm, Symbol::intern_static("$/"), newline);
    vm.define_global("$DEBUG", stored, Some(set_debug));
    store(vm, sym::DOLLAR_DEBUG, Value::False);
    for (alias, name) in
        [("$-v", "$VERBOSE"), ("$-w", "$VERBOSE"), ("$-d", "$DEBUG"), ("$-F", "$;"), ("$PROGRAM_NAME", "$0")]
    {
        vm.globals.insert(Symbol::intern_static(alias), Global::Alias(Symbol::intern_static(name)));
    }
    for name in ["$-p", "$-l", "$-a"] {
        vm.define_global(name, |_, _| Ok(Value::False), None);
    }
}
