//! Constants by name: `const_get`, `const_set`, `constants`, `private_constant` …, and class variables by name.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::this_class;
use crate::class::{ClassId, Constant};
use crate::core::load::{AutoloadState, autoload_state};
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;

pub(super) static METHODS: &[MethodDef] = &[
    opt("const_get", const_get, 1, 2),
    def("const_set", const_set, 2),
    opt("const_defined?", const_defined, 1, 2),
    opt("const_source_location", const_source_location, 1, 2),
    opt("constants", constants, 0, 1),
    def("remove_const", remove_const, 1).private(),
    any("private_constant", private_constant),
    any("public_constant", public_constant),
    any("deprecate_constant", deprecate_constant),
    def("autoload", autoload, 2),
    opt("autoload?", autoload_p, 1, 2),
    def("class_variable_get", cvar_get, 1),
    def("class_variable_set", cvar_set, 2),
    def("class_variable_defined?", cvar_defined, 1),
    opt("class_variables", cvars, 0, 1),
    def("remove_class_variable", cvar_remove, 1),
];
pub(super) static SINGLETON: &[MethodDef] = &[opt("constants", all_constants, 0, 1), def("nesting", nesting, 0)];

/// Whether it is a valid name of a constant.
pub(crate) fn is_const_name(name: &str) -> bool {
    let mut chars = name.chars();
    // title case (`ǲ`) counts as upper case, and all that is not ASCII as a letter
    let upper = |c: char| c.is_uppercase() || c.to_lowercase().ne(std::iter::once(c));
    chars.next().is_some_and(upper) && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii())
}
fn const_name(vm: &mut Vm, this: &Value, value: &Value) -> Res<Symbol> {
    let name = vm.to_name(value)?;
    if is_const_name(name.as_str()) {
        Ok(name)
    } else {
        Err(vm.name_error(format!("wrong constant name {name}"), this, name))
    }
}
fn inherit(args: Args<'_>) -> bool {
    args.get(1).is_none_or(Value::truthy)
}

/// The parts of a path of constants given to `const_get` etc.; NameError if it is invalid.
fn path_parts(vm: &mut Vm, this: &Value, value: &Value) -> Res<(bool, Vec<Symbol>)> {
    let text = match value {
        Value::Sym(symbol) => {
            const_name(vm, this, value)?;
            return Ok((false, vec![*symbol]));
        }
        Value::Str(text) if std::str::from_utf8(text.get(vm).bytes()).is_err() => {
            return Ok((false, vec![const_name(vm, this, value)?]));
        }
        _ => Symbol::intern(&vm.to_text(value)?).as_str(),
    };
    let (top, rest) = match text.strip_prefix("::") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut parts = Vec::new();
    for part in rest.split("::") {
        if !is_const_name(part) {
            let wrong = if part.is_empty() { text } else { part };
            return Err(vm.name_error(format!("wrong constant name {wrong}"), this, Symbol::intern(wrong)));
        }
        parts.push(Symbol::intern(part));
    }
    Ok((top, parts))
}

fn const_get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (top, parts) = path_parts(vm, this, args.at(0))?;
    let inherit = inherit(args);
    let mut at = if top { ClassId::OBJECT } else { this_class(this) };
    let last = parts.len() - 1;
    let mut value = Value::Nil;
    for (index, name) in parts.into_iter().enumerate() {
        let found = if !inherit { vm.const_resolve(at, name)? } else { vm.const_get_from(at, name, index == 0)? };
        value = match found {
            Some(value) => value,
            None => vm.const_missing(at, name)?,
        };
        if index < last {
            let Value::Class(id) = value else {
                let shown = vm.inspect(&value)?;
                return Err(vm.type_error(format!("{shown} does not refer to class/module")));
            };
            at = id;
        }
    }
    Ok(value)
}
fn const_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = const_name(vm, this, args.at(0))?;
    vm.set_const_checked(this_class(this), name, args.at(1).clone())?;
    Ok(args.at(1).clone())
}
fn const_defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (top, parts) = path_parts(vm, this, args.at(0))?;
    let mut at = if top { ClassId::OBJECT } else { this_class(this) };
    let last = parts.len() - 1;
    for (index, name) in parts.into_iter().enumerate() {
        if index == last {
            return Ok(Value::bool(holder(vm, at, name, inherit(args), index == 0).is_some()));
        }
        let found = if inherit(args) { vm.const_get_from(at, name, index == 0)? } else { vm.const_resolve(at, name)? };
        match found {
            Some(Value::Class(id)) => at = id,
            Some(other) => {
                let shown = vm.inspect(&other)?;
                return Err(vm.type_error(format!("{shown} does not refer to class/module")));
            }
            None => return Ok(Value::False),
        }
    }
    Ok(Value::False)
}
/// Whether a class or module has a constant, including autoloads.
fn has(vm: &mut Vm, module: ClassId, name: Symbol) -> bool {
    let Some(constant) = vm.const_own(module, name) else { return false };
    let is_set = !constant.value.is_undef();
    match constant.autoload.clone() {
        None => is_set,
        Some(path) => match autoload_state(vm, &path) {
            Ok(AutoloadState::Under) => is_set,
            Ok(AutoloadState::Done) => false,
            Ok(AutoloadState::Waits) | Err(_) => true,
        },
    }
}
/// The class or module with a constant, including autoloads.
fn holder(vm: &mut Vm, module: ClassId, name: Symbol, inherit: bool, top: bool) -> Option<ClassId> {
    if module == ClassId::ERRNO {
        vm.errno_constant(name);
    }
    if has(vm, module, name) {
        return Some(module);
    }
    if !inherit {
        return None;
    }
    let mro = vm.class(module).mro.clone();
    let found = mro.iter().copied().find(|ancestor| (top || *ancestor != ClassId::OBJECT) && has(vm, *ancestor, name));
    match found {
        Some(found) => Some(found),
        None if top && vm.class(module).is_module() => holder(vm, ClassId::OBJECT, name, true, true),
        None => None,
    }
}
fn const_source_location(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (top, parts) = path_parts(vm, this, args.at(0))?;
    let mut at = if top { ClassId::OBJECT } else { this_class(this) };
    let last = parts.len() - 1;
    for (index, name) in parts.into_iter().enumerate() {
        if index < last {
            match vm.const_get_from(at, name, index == 0)? {
                Some(Value::Class(id)) => at = id,
                Some(other) => {
                    let shown = vm.inspect(&other)?;
                    return Err(vm.type_error(format!("{shown} does not refer to class/module")));
                }
                None => return Ok(Value::Nil),
            }
            continue;
        }
        let Some(holder) = holder(vm, at, name, inherit(args), index == 0) else { return Ok(Value::Nil) };
        return Ok(match vm.const_own(holder, name).and_then(|constant| constant.location.clone()) {
            Some((file, line)) => Value::array(vec![Value::str(file), Value::Int(i64::from(line))]),
            None => Value::array(Vec::new()),
        });
    }
    Ok(Value::Nil)
}
fn own_constants(vm: &Vm, module: ClassId, out: &mut Vec<Value>) {
    for (name, constant) in &vm.class(module).consts {
        let symbol = Value::Sym(*name);
        if !constant.private && !out.iter().any(|known| known.same(&symbol)) {
            out.push(symbol);
        }
    }
}
fn constants(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let module = this_class(this);
    if module == ClassId::ERRNO {
        vm.all_errno_classes();
    }
    let mut names = Vec::new();
    if args.get(0).is_none_or(Value::truthy) {
        for ancestor in vm.class(module).mro.clone().iter() {
            if *ancestor == ClassId::OBJECT && module != ClassId::OBJECT {
                break;
            }
            own_constants(vm, *ancestor, &mut names);
        }
    } else {
        own_constants(vm, module, &mut names);
    }
    // created when first used
    let binding = Value::sym("TOPLEVEL_BINDING");
    if module == ClassId::OBJECT && !names.iter().any(|name| name.same(&binding)) {
        names.push(binding);
    }
    Ok(Value::array(names))
}
/// Module.constants: the constants visible at the caller.
fn all_constants(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !args.is_empty() || !this.same(&Value::Class(ClassId::MODULE)) {
        return constants(vm, this, args);
    }
    let cref = vm.caller_cref();
    let mut names = Vec::new();
    for module in cref.nesting() {
        own_constants(vm, module, &mut names);
    }
    for ancestor in vm.class(cref.lexical().module).mro.clone().iter().chain([&ClassId::OBJECT]) {
        own_constants(vm, *ancestor, &mut names);
    }
    Ok(Value::array(names))
}
fn nesting(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let cref = vm.caller_cref();
    Ok(Value::array(cref.nesting().into_iter().map(Value::Class).collect()))
}
fn full_name(vm: &Vm, module: ClassId, name: Symbol) -> String {
    if module == ClassId::OBJECT { name.to_string() } else { format!("{}::{name}", vm.class_name(module)) }
}
fn remove_const(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let module = this_class(this);
    if !is_const_name(name.as_str()) {
        return Err(vm.name_error(format!("`{name}' is not allowed as a constant name"), this, name));
    }
    vm.check_frozen(this)?;
    match vm.class_mut(module).consts.shift_remove(&name) {
        Some(constant) => {
            vm.const_serial += 1;
            Ok(if constant.value.is_undef() { Value::Nil } else { constant.value })
        }
        None => {
            let full = full_name(vm, module, name);
            Err(vm.name_error(format!("constant {full} not defined"), this, name))
        }
    }
}
fn mark(vm: &mut Vm, this: &Value, args: Args<'_>, change: impl Fn(&mut Constant)) -> Res {
    let module = this_class(this);
    vm.check_class_frozen(module)?;
    if args.is_empty() {
        let name = vm.current_native_name().map_or_else(String::new, |name| name.to_string());
        vm.warn_verbose(&format!("{name} with no argument is just ignored"))?;
    }
    for arg in args.pos {
        let name = const_name(vm, this, arg)?;
        match vm.class_mut(module).consts.get_mut(&name) {
            Some(constant) => change(constant),
            None => {
                let full = full_name(vm, module, name);
                return Err(vm.name_error(format!("constant {full} not defined"), this, name));
            }
        }
        vm.const_serial += 1;
    }
    Ok(Value::Nil)
}
fn private_constant(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    mark(vm, this, args, |constant| constant.private = true)
}
fn public_constant(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    mark(vm, this, args, |constant| constant.private = false)
}
fn deprecate_constant(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    mark(vm, this, args, |constant| constant.deprecated = true)?;
    Ok(this.clone())
}

/// Registers an autoload, unless the constant exists.
pub(crate) fn set_autoload(vm: &mut Vm, module: ClassId, name: Symbol, path: &str) -> Res<()> {
    if path.is_empty() {
        return Err(vm.argument_error("empty file name"));
    }
    if vm.const_own(module, name).is_some_and(|constant| !constant.value.is_undef()) {
        return Ok(());
    }
    let location = vm.current_location();
    let constant =
        Constant { value: Value::Undef, private: false, deprecated: false, autoload: Some(path.into()), location };
    vm.class_mut(module).consts.insert(name, constant);
    vm.const_serial += 1;
    Ok(())
}
pub(crate) fn autoload(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    if !is_const_name(name.as_str()) {
        return Err(vm.name_error(format!("autoload must be constant name: {name}"), this, name));
    }
    let path = vm.to_path(args.at(1))?;
    vm.check_frozen(this)?;
    set_autoload(vm, this_class(this), name, &path)?;
    Ok(Value::Nil)
}
/// The path of a constant's autoload.
pub(crate) fn autoload_path(vm: &mut Vm, module: ClassId, name: Symbol, inherit: bool) -> Option<String> {
    let holder = holder(vm, module, name, inherit, false)?;
    let path = vm.const_own(holder, name)?.autoload.clone()?;
    matches!(autoload_state(vm, &path), Ok(AutoloadState::Waits) | Err(_)).then(|| path.to_string())
}
pub(crate) fn autoload_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    Ok(autoload_path(vm, this_class(this), name, inherit(args)).map(Value::str).unwrap_or_default())
}

fn cvar_name(vm: &mut Vm, this: &Value, value: &Value) -> Res<Symbol> {
    let name = vm.to_name(value)?;
    let bytes = name.as_bytes();
    let fine = bytes.len() > 2
        && bytes.starts_with(b"@@")
        && !bytes[2].is_ascii_digit()
        && bytes[2..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    if fine {
        Ok(name)
    } else {
        Err(vm.name_error(format!("`{name}' is not allowed as a class variable name"), this, name))
    }
}
fn cvar_get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = cvar_name(vm, this, args.at(0))?;
    let class = this_class(this);
    match vm.cvar_holder(class, name) {
        Some(holder) => {
            vm.check_overtaken(class, name, holder)?;
            Ok(vm.cvar_value(holder, name).unwrap_or_default())
        }
        None => {
            let shown = vm.class_name(class);
            Err(vm.name_error(format!("uninitialized class variable {name} in {shown}"), this, name))
        }
    }
}
fn cvar_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = cvar_name(vm, this, args.at(0))?;
    vm.cvar_set(this_class(this), name, args.at(1).clone())?;
    Ok(args.at(1).clone())
}
fn cvar_defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = cvar_name(vm, this, args.at(0))?;
    Ok(Value::bool(vm.cvar_holder(this_class(this), name).is_some()))
}
fn cvars(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    let mro =
        if args.get(0).is_none_or(Value::truthy) { vm.class(class).mro.clone() } else { std::rc::Rc::from([class]) };
    let mut names = Vec::new();
    for ancestor in mro.iter() {
        for (name, _) in &vm.class(*ancestor).cvars {
            let symbol = Value::Sym(*name);
            if !names.iter().any(|known: &Value| known.same(&symbol)) {
                names.push(symbol);
            }
        }
    }
    Ok(Value::array(names))
}
fn cvar_remove(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = cvar_name(vm, this, args.at(0))?;
    vm.check_frozen(this)?;
    let class = this_class(this);
    let index = vm.class(class).cvars.iter().position(|(key, _)| *key == name);
    match index {
        Some(index) => Ok(vm.class_mut(class).cvars.remove(index).1),
        None => {
            let shown = vm.class_name(class);
            let text = if vm.cvar_holder(class, name).is_some() {
                format!("cannot remove {name} for {shown}")
            } else {
                format!("class variable {name} not defined for {shown}")
            };
            Err(vm.name_error(text, this, name))
        }
    }
}
