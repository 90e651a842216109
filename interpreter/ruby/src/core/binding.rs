//! Binding.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::{Cref, Definee, Env};
use crate::heap::Gc;
use crate::method::{MethodDef, def, opt};
use crate::value::{NativeData, Value};
use rchef_syntax::tree::Code;
use std::rc::Rc;
use std::sync::Arc;

/// A Binding: its innermost scope. An eval that defines variables adds an inner scope with them.
#[derive(Clone)]
pub struct BindingData {
    pub env: Gc<Env>,
    /// The line where it was created.
    pub line: u32,
    /// The code in which it was created: an eval that defines variables does not change where a Binding is from.
    pub code: Arc<Code>,
}
impl NativeData for BindingData {
    fn scope(&self) -> Option<&Gc<Env>> {
        Some(&self.env)
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static BINDING: &[MethodDef] = &[
    opt("eval", eval, 1, 3),
    def("local_variable_get", get, 1),
    def("local_variable_set", set, 2),
    def("local_variable_defined?", defined, 1),
    def("local_variables", names, 0),
    def("receiver", receiver, 0),
    def("source_location", source_location, 0),
];
static FUNCTIONS: &[MethodDef] = &[def("binding", binding, 0), def("local_variables", local_variables, 0)];

/// Creates a Binding of a captured scope; with line 0 it is from where that scope is.
pub fn make(vm: &Vm, env: Gc<Env>, line: u32) -> Value {
    let code = env.get(vm).code.clone();
    Value::data(ClassId::BINDING, BindingData { env, line, code })
}
/// The Binding of a Method's Proc: the receiver's, without variables; from the place of the method (an Array, or nil for a native one).
pub(super) fn of_method(vm: &mut Vm, receiver: &Value, place: &Value) -> Res {
    let (mut file, mut line) = ("(binding)".to_string(), 1);
    if let Value::Array(place) = place
        && let [path, Value::Int(number)] = place.get(vm).items.clone().as_slice()
    {
        (file, line) = (vm.to_s_text(path)?, *number as u32);
    }
    let class = vm.class_of(receiver);
    let made = vm.run_string_as(b"::Kernel.binding", &file, receiver, Definee::Module(class))?;
    if let Some(data) = vm.data_mut::<BindingData>(&made) {
        data.line = line;
    }
    Ok(made)
}
fn binding(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let found = vm.with_caller(|vm, cx| cx.map(|cx| (vm.capture(cx), cx.line())));
    match found {
        Some((env, line)) => Ok(make(vm, env, line)),
        None => Err(vm.runtime_error("Can't create Binding Object on top of Fiber or Thread")),
    }
}
fn env_of(vm: &mut Vm, this: &Value) -> Res<Gc<Env>> {
    match vm.data::<BindingData>(this) {
        Some(data) => Ok(data.env.clone()),
        None => Err(vm.type_error("wrong argument type (expected binding)")),
    }
}
fn eval(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.eval_string(args.pos, None, Some(this))
}
fn visible(name: Symbol) -> bool {
    name.as_bytes().first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80)
}
/// Names of the locals of a scope and its enclosing scopes.
fn scope_names(vm: &Vm, env: &Gc<Env>) -> Value {
    let mut found = Vec::new();
    let mut at = Some(env);
    while let Some(env) = at {
        let data = env.get(vm);
        for name in data.code.locals.iter().filter(|name| visible(**name)) {
            if !found.iter().any(|known: &Value| known.same(&Value::Sym(*name))) {
                found.push(Value::Sym(*name));
            }
        }
        at = data.parent.as_ref();
    }
    Value::array(found)
}
fn names(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let env = env_of(vm, this)?;
    Ok(scope_names(vm, &env))
}
fn local_variables(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let env = vm.with_caller(|vm, cx| cx.map(|cx| vm.capture(cx)));
    Ok(env.map_or_else(|| Value::array(Vec::new()), |env| scope_names(vm, &env)))
}
fn find(vm: &Vm, env: &Gc<Env>, name: Symbol) -> Option<(Gc<Env>, usize)> {
    let mut at = Some(env);
    while let Some(env) = at {
        let data = env.get(vm);
        if let Some(slot) = data.code.locals.iter().rposition(|known| *known == name) {
            return Some((env.clone(), slot));
        }
        at = data.parent.as_ref();
    }
    None
}
fn local_name(vm: &mut Vm, this: &Value, value: &Value) -> Res<Symbol> {
    let name = vm.to_name(value)?;
    let bytes = name.as_bytes();
    let fine = visible(name)
        && !bytes[0].is_ascii_uppercase()
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    if fine {
        return Ok(name);
    }
    let shown = vm.inspect(this)?;
    Err(vm.name_error(format!("wrong local variable name `{name}' for {shown}"), this, name))
}
fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = local_name(vm, this, args.at(0))?;
    let env = env_of(vm, this)?;
    match find(vm, &env, name) {
        Some((env, slot)) => Ok(env.get(vm).vars.get(slot).cloned().unwrap_or_default()),
        None => {
            let shown = vm.inspect(this)?;
            Err(vm.name_error(format!("local variable `{name}' is not defined for {shown}"), this, name))
        }
    }
}
fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = local_name(vm, this, args.at(0))?;
    let env = env_of(vm, this)?;
    let mut place = find(vm, &env, name);
    if place.is_none() {
        // like a variable defined by eval, a new variable lives in an inner scope of the Binding
        let source = Value::str(format!("{name} = nil"));
        vm.eval_string(&[source], None, Some(this))?;
        let env = env_of(vm, this)?;
        place = find(vm, &env, name);
    }
    if let Some((env, slot)) = place
        && let Some(held) = env.get_mut(vm).vars.get_mut(slot)
    {
        *held = args.at(1).clone();
    }
    Ok(args.at(1).clone())
}
fn defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = local_name(vm, this, args.at(0))?;
    let env = env_of(vm, this)?;
    Ok(Value::bool(find(vm, &env, name).is_some()))
}
fn receiver(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let env = env_of(vm, this)?;
    Ok(env.get(vm).slf.clone())
}
fn source_location(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let env = env_of(vm, this)?;
    let Some(data) = vm.data::<BindingData>(this) else { return Ok(Value::Nil) };
    let line = if data.line == 0 { env.get(vm).line } else { data.line };
    Ok(Value::array(vec![Value::str(&data.code.file.path), Value::Int(i64::from(line))]))
}

impl Vm {
    /// TOPLEVEL_BINDING: the scope of the main program.
    pub(crate) fn toplevel_binding(&mut self) -> Value {
        let name = Symbol::intern_static("TOPLEVEL_BINDING");
        let count = self.stacks.ruby_frame_count();
        let env = self.with_nth_caller(count.saturating_sub(1), |vm, cx| cx.map(|cx| vm.capture(cx)));
        let made = env.map(|env| make(self, env, 0)).unwrap_or_default();
        self.const_set(ClassId::OBJECT, name, made.clone());
        made
    }
}

/// Runs evaluated code in a Binding; variables that it defines stay in the Binding.
pub(crate) fn eval_in_binding(
    vm: &mut Vm,
    code: &Arc<Code>,
    binding: &Value,
    env: &Gc<Env>,
    slf: &Value,
    cref: &Rc<Cref>,
) -> Res {
    let binding = binding.clone();
    vm.run_in_env_with(code, env, slf, cref, |vm, inner| {
        if let Some(data) = vm.data_mut::<BindingData>(&binding) {
            data.env = inner;
        }
    })
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::BINDING, BINDING);
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
}
