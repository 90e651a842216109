//! Objects of classes: `Class#new` and `Class#allocate`.

use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind, Construction, this_class};
use crate::error::Res;
use crate::value::Value;
use rchef_syntax::symbol::sym;

/// Class#new; what MRI calls rb_class_new_instance.
pub(crate) fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    let key = vm.class_keys[class.0 as usize];
    if let Some(construction) = vm.class(class).construction
        && construction.key == key
    {
        let object = (construction.allocator)(vm, class)?;
        vm.ivar_reserve(&object, construction.variables);
        vm.invoke(construction.initialize, &object, sym::INITIALIZE, args)?;
        return Ok(object);
    }
    let object = instance(vm, class)?;
    let made = vm.class_of(&object);
    if let Some(id) = vm.find_method(made, sym::INITIALIZE) {
        vm.invoke(id, &object, sym::INITIALIZE, args)?;
        if made == class
            && let Some(allocator) = vm.allocator(class)
        {
            let variables = if let Value::Object(gc) = &object { gc.get(vm).ivars.len() } else { 0 };
            vm.class_mut(class).construction = Some(Construction { key, allocator, initialize: id, variables });
        }
    }
    Ok(object)
}
pub(super) fn allocate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = this_class(this);
    if vm.allocator(class).is_some() && without_allocate(vm, class) {
        return prohibited(vm, class);
    }
    instance(vm, class)
}
/// An object of a class by its allocator, which also a class has whose `allocate` is undefined.
fn instance(vm: &mut Vm, class: ClassId) -> Res {
    if let ClassKind::Meta(_) | ClassKind::Singleton = vm.class(class).kind {
        return Err(vm.type_error("can't create instance of singleton class"));
    }
    match vm.allocator(class) {
        Some(allocator) => allocator(vm, class),
        None if vm.class(class).superclass.is_none() && class != ClassId::BASIC_OBJECT => {
            Err(vm.type_error("can't instantiate uninitialized class"))
        }
        None => {
            let shown = vm.class_name(class);
            Err(vm.type_error(format!("allocator undefined for {shown}")))
        }
    }
}
/// The allocator of classes whose objects only functions create (Rational, Complex).
pub(super) fn prohibited(vm: &mut Vm, class: ClassId) -> Res {
    let shown = vm.class_name(class);
    Err(vm.type_error(format!("calling {shown}.allocate is prohibited")))
}
/// Whether `allocate` is undefined for a class.
fn without_allocate(vm: &mut Vm, class: ClassId) -> bool {
    let meta = vm.meta(class);
    vm.find_method(meta, sym::ALLOCATE).is_none()
}
