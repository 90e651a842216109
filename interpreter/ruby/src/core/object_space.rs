//! ObjectSpace: lists objects in pools; finalizers.

use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::core::natives::no_block;
use crate::error::{Error, Res};
use crate::heap::{WEAK, holders};
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use indexmap::IndexMap;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rustc_hash::FxBuildHasher;

static FUNCTIONS: &[MethodDef] = &[
    opt("each_object", each_object, 0, 1),
    opt("garbage_collect", super::gc::start, 0, 1),
    opt("count_objects", count_objects, 0, 1),
    any("define_finalizer", define_finalizer),
    def("undefine_finalizer", undefine_finalizer, 1),
    def("_id2ref", id_to_object, 1),
];

/// `each_object(class)`: objects in pools, classes and modules. Strings and big Integers cannot be listed, so classes with such instances are
/// rejected.
fn each_object(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let wanted = match args.at(0) {
        Value::Class(class) => *class,
        Value::Nil => ClassId::BASIC_OBJECT,
        _ => return Err(vm.type_error("class or module required")),
    };
    let unlisted = [ClassId::STRING, ClassId::INTEGER];
    if unlisted.into_iter().any(|class| vm.is_subclass(class, wanted) || vm.is_subclass(wanted, class)) {
        let text = "ObjectSpace.each_object does not list Strings and Integers, ask for another class";
        return Err(vm.not_implemented(text));
    }
    if vm.is_subclass(ClassId::CLASS, wanted) {
        vm.all_errno_classes();
    }
    let mut found = listed_classes(vm, wanted);
    found.extend(vm.pooled_objects(|class, _| vm.is_subclass(class, wanted)));
    for value in &found {
        vm.yield1(block, value.clone())?;
    }
    Ok(Value::len(found.len()))
}
/// The classes and modules that are instances of `wanted`, latest first, as mostly in MRI. A singleton class is included if it has a singleton class
/// itself, or if it belongs to an object.
fn listed_classes(vm: &Vm, wanted: ClassId) -> Vec<Value> {
    if ![ClassId::CLASS, ClassId::MODULE].into_iter().any(|class| vm.is_subclass(wanted, class))
        && ![ClassId::CLASS, ClassId::MODULE].into_iter().any(|class| vm.is_subclass(class, wanted))
    {
        return Vec::new();
    }
    // classes are never freed, so a singleton class only counts while its object exists
    let mut singletons = Vec::new();
    vm.pooled_objects(|class, _| {
        if vm.class(class).kind == ClassKind::Singleton {
            singletons.push(class);
        }
        false
    });
    let is_there = |id: ClassId| match vm.class(id).kind {
        ClassKind::Class | ClassKind::Module => vm.module_behind(id) == id,
        ClassKind::Meta(of) => vm.class(of).kind == ClassKind::Module || vm.class(id).meta.is_some(),
        ClassKind::Singleton => singletons.contains(&id),
    };
    let ids = (0..vm.classes.len() as u64).rev().map(ClassId);
    ids.filter(|id| is_there(*id)).map(Value::Class).filter(|value| vm.is_a(value, wanted)).collect()
}
/// `_id2ref(object_id)`
fn id_to_object(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let id = vm.to_integer(args.at(0))?;
    let found = match id {
        Value::Int(0) => Some(Value::False),
        Value::Int(8) => Some(Value::Nil),
        Value::Int(20) => Some(Value::True),
        Value::Int(odd) if odd & 1 == 1 => Some(Value::Int(odd >> 1)),
        Value::Int(word) if word & 3 == 2 => crate::value::float_of_id(word).map(Value::float),
        Value::Int(number) => found_by_number(vm, number),
        _ => None,
    };
    if let Some(found) = found {
        return Ok(found);
    }
    let was = matches!(id, Value::Int(number) if number >= 0 && number as u64 <= vm.next_object_id);
    let shown = vm.to_s(&id)?;
    let shown = shown.get(vm).to_text().into_owned();
    let rest = if was { "is recycled object" } else { "is not id value" };
    Err(vm.error(ClassId::RANGE_ERROR, format!("{shown:?} {rest}")))
}
fn found_by_number(vm: &mut Vm, number: i64) -> Option<Value> {
    let symbol = if number & 255 == 12 { u32::try_from(number >> 8).ok().and_then(Symbol::from_id) } else { None };
    if let Some(symbol) = symbol {
        return Some(Value::Sym(symbol));
    }
    let cell = vm.numbered_object(u64::try_from(number).ok()?);
    cell.or_else(|| vm.class_with_id(number).map(Value::Class))
}
fn count_objects(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let classes = vm.classes.iter().filter(|class| class.kind == ClassKind::Class).count();
    let modules = vm.classes.iter().filter(|class| class.kind == ClassKind::Module).count();
    vm.new_hash(vec![
        (Value::sym("TOTAL"), Value::len(vm.classes.len())),
        (Value::sym("FREE"), Value::Int(0)),
        (Value::sym("T_CLASS"), Value::len(classes)),
        (Value::sym("T_MODULE"), Value::len(modules)),
    ])
}
/// Objects that have finalizers, by id, in the order in which they got their first, and these finalizers.
#[derive(Default)]
struct Finalizers {
    /// Each with a [`Held`] object.
    of: IndexMap<i64, (Value, Vec<Value>), FxBuildHasher>,
    /// The number of collections when it was last looked for objects that are gone.
    looked: i64,
}
/// Keeps an object with finalizers until a collection finds that nothing else refers to it: as in MRI it can be found by its id until then.
struct Held(Value);
impl Held {
    fn cell(object: &Value) -> Value {
        let cell = Value::data(ClassId::OBJECT, Held(object.clone()));
        cell.set_flag(WEAK, true);
        cell
    }
}
impl NativeData for Held {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.0);
    }
}

/// Frees the objects with finalizers that nothing else refers to, and runs these, if there was a collection since the last call.
pub(crate) fn finalize_unreferenced(vm: &mut Vm) {
    let runs = super::gc::runs(vm);
    let Some(found) = vm.extension_ref::<Finalizers>() else { return };
    if found.looked == runs || found.of.is_empty() {
        return;
    }
    let is_gone =
        |cell: &Value| vm.data::<Held>(cell).and_then(|held| holders(&held.0)).is_some_and(|count| count <= 1);
    let gone: Vec<i64> = found.of.iter().filter(|(_, (cell, _))| is_gone(cell)).map(|(id, _)| *id).collect();
    let all = vm.extension::<Finalizers>();
    all.looked = runs;
    let mut due = Vec::with_capacity(gone.len());
    let mut next = gone.into_iter().peekable();
    all.of.retain(|id, (_, actions)| {
        let stays = next.next_if_eq(id).is_none();
        if !stays {
            due.push((*id, std::mem::take(actions)));
        }
        stays
    });
    for (id, actions) in due {
        finalize(vm, id, actions);
    }
}
/// Runs all finalizers at the end of the program, those defined meanwhile too.
pub(crate) fn run_finalizers(vm: &mut Vm) {
    while !vm.extension::<Finalizers>().of.is_empty() {
        for (id, (_, actions)) in std::mem::take(&mut vm.extension::<Finalizers>().of) {
            finalize(vm, id, actions);
        }
    }
}
/// Runs the finalizers of an object. An error in one is a warning.
fn finalize(vm: &mut Vm, id: i64, actions: Vec<Value>) {
    for action in actions {
        if let Err(error) = vm.call(&action, sym::CALL, &[Value::Int(id)]) {
            let _ = warn_of_error(vm, &action, error);
        }
    }
}
fn warn_of_error(vm: &mut Vm, action: &Value, error: Error) -> Res<()> {
    let exception = vm.error_value(error);
    if vm.is_silent() {
        return Ok(());
    }
    let (action, program) = (vm.inspect(action)?, vm.global_get(sym::DOLLAR_ZERO)?);
    let mut text = format!("{}: warning: Exception in finalizer {action}\n", vm.to_s_text(&program)?);
    text.push_str(&vm.error_report(&exception, false));
    vm.write_stderr(text.as_bytes())
}

/// Adds a finalizer, unless the object already has an equal one. Returns 0 and the finalizer.
fn define_finalizer(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if args.is_empty() || args.len() > 2 {
        return Err(vm.arity_error(args.len(), "1..2"));
    }
    let object = args.at(0);
    if matches!(object, Value::Nil | Value::True | Value::False | Value::Int(_) | Value::Float(_) | Value::Sym(_)) {
        let class = vm.class_name_of(object);
        return Err(vm.argument_error(format!("cannot define finalizer for {class}")));
    }
    vm.check_frozen(object)?;
    let action = match (args.get(1), args.block) {
        (Some(action), _) => action.clone(),
        (None, Some(block)) => Value::Proc(vm.block_to_proc(block)),
        (None, None) => return Err(vm.argument_error("tried to create Proc object without a block")),
    };
    if !vm.respond_to(&action, sym::CALL, true)? {
        let class = vm.class_name_of(&action);
        return Err(vm.argument_error(format!("wrong type argument {class} (should be callable)")));
    }
    let id = vm.object_id(object);
    let known = vm.extension::<Finalizers>().of.get(&id).map(|(_, actions)| actions.clone()).unwrap_or_default();
    for known in known {
        if vm.equal(&known, &action)? {
            return Ok(Value::array(vec![Value::Int(0), known]));
        }
    }
    let entry = vm.extension::<Finalizers>().of.entry(id).or_insert_with(|| (Held::cell(object), Vec::new()));
    entry.1.push(action.clone());
    Ok(Value::array(vec![Value::Int(0), action]))
}
fn undefine_finalizer(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(args.at(0))?;
    let id = vm.object_id(args.at(0));
    // a place in the middle is only emptied: closing the gap would move all that follow
    if let Some((_, actions)) = vm.extension::<Finalizers>().of.get_mut(&id) {
        actions.clear();
    }
    Ok(args.at(0).clone())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::OBJECT_SPACE, FUNCTIONS);
}
