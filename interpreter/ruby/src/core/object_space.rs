//! ObjectSpace: classes and modules can be listed; other objects are not tracked.

use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::core::natives::no_block;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;

static FUNCTIONS: &[MethodDef] = &[
    opt("each_object", each_object, 0, 1),
    opt("garbage_collect", super::gc::start, 0, 1),
    opt("count_objects", count_objects, 0, 1),
    any("define_finalizer", define_finalizer),
    def("undefine_finalizer", itself, 1),
];

/// ObjectSpace.each_object: for Class, Module and singleton classes of classes.
fn each_object(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let wanted = match args.at(0) {
        Value::Class(class) => *class,
        Value::Nil => return Err(vm.not_implemented("ObjectSpace.each_object is only built for classes and modules")),
        _ => return Err(vm.type_error("class or module required")),
    };
    let listable = wanted == ClassId::CLASS || wanted == ClassId::MODULE || vm.class(wanted).is_singleton();
    if !listable {
        return Err(vm.not_implemented("ObjectSpace.each_object is only built for classes and modules"));
    }
    let mut count = 0;
    // the latest first, as MRI mostly has it
    for index in (0..vm.classes.len() as u32).rev() {
        let id = ClassId(index);
        let value = Value::Class(id);
        if !matches!(vm.class(id).kind, ClassKind::Class | ClassKind::Module) || !vm.is_a(&value, wanted) {
            continue;
        }
        count += 1;
        vm.yield1(block, value)?;
    }
    Ok(Value::Int(count))
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
/// Finalizers are accepted; they run when the program ends (see MRI: no other moment is promised).
fn define_finalizer(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if args.is_empty() || args.len() > 2 {
        return Err(vm.arity_error(args.len(), "1..2"));
    }
    let object = args.at(0);
    vm.check_frozen(object)?;
    let action = match (args.get(1), args.block) {
        (Some(action), _) => action.clone(),
        (None, Some(block)) => Value::Proc(vm.block_to_proc(block)),
        (None, None) => return Err(vm.argument_error("tried to create Proc object without a block")),
    };
    if !vm.respond_to(&action, rchef_syntax::symbol::sym::CALL, true)? {
        let class = vm.class_name_of(&action);
        return Err(vm.argument_error(format!("wrong type argument {class} (should be callable)")));
    }
    let id = Value::Int(vm.object_id(object));
    let run = vm.native_proc(crate::method::Arity { min: 0, max: None }, false, {
        let action = action.clone();
        move |vm, _, _| vm.call(&action, rchef_syntax::symbol::sym::CALL, std::slice::from_ref(&id))
    });
    vm.at_exit.insert(0, Value::Proc(run));
    Ok(Value::array(vec![Value::Int(0), action]))
}
fn itself(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(args.at(0).clone())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::OBJECT_SPACE, FUNCTIONS);
}
