//! `refine`, `using`, and the Refinement class.

use super::module_arg;
use crate::Vm;
use crate::args::Args;
use crate::class::this_class;
use crate::class::{ClassId, Label};
use crate::error::Res;
use crate::frame::{Cref, Definee};
use crate::method::{Method, MethodBody, MethodDef, RubyMethod, any, def};
use crate::value::{NativeData, Value};
use rchef_syntax::symbol::sym;
use std::rc::Rc;

pub(super) static METHODS: &[MethodDef] = &[def("refine", refine, 1).private(), def("using", using, 1).private()];
pub(super) static SINGLETON: &[MethodDef] = &[def("used_modules", used_modules, 0)];
static REFINEMENT: &[MethodDef] =
    &[any("import_methods", import_methods).private(), def("refined_class", refined_class, 0)];

/// The data of a refinement module.
pub(crate) struct RefinementData {
    pub refined: ClassId,
    /// The module whose `refine` made it.
    owner: ClassId,
    /// The scopes of the blocks that were given to `refine`: refinements that the module gets later are active there, too.
    scopes: Vec<Rc<Cref>>,
}
impl NativeData for RefinementData {}

#[derive(Default)]
struct RefinementClass(Option<ClassId>);

fn data_of(vm: &Vm, module: ClassId) -> Option<&RefinementData> {
    let data = vm.class(module).data.as_deref()?;
    (data as &dyn std::any::Any).downcast_ref()
}
fn data_of_mut(vm: &mut Vm, module: ClassId) -> Option<&mut RefinementData> {
    let data = vm.class_mut(module).data.as_deref_mut()?;
    (data as &mut dyn std::any::Any).downcast_mut()
}
/// The class refined by a module, if it is a refinement.
pub(crate) fn refined_by(vm: &Vm, module: ClassId) -> Option<ClassId> {
    data_of(vm, module).map(|data| data.refined)
}
/// Module.used_modules: whose refinements are active where it is called, the latest first.
fn used_modules(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let cref = vm.caller_cref();
    let mut owners: Vec<ClassId> = Vec::new();
    for (_, refinement) in cref.refinements.borrow().iter() {
        if let Some(data) = data_of(vm, *refinement)
            && !owners.contains(&data.owner)
        {
            owners.push(data.owner);
        }
    }
    Ok(Value::array(owners.into_iter().map(Value::Class).collect()))
}

fn refine(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let owner = this_class(this);
    let Some(block) = args.block else { return Err(vm.argument_error("no block given")) };
    if let crate::frame::Block::Proc(_) = block {
        return Err(vm.argument_error("can't pass a Proc as a block to Module#refine"));
    }
    let Value::Class(refined) = args.at(0) else {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("wrong argument type {described} (expected Class or Module)")));
    };
    let refined = *refined;
    vm.check_frozen(this)?;
    let known =
        vm.class(owner).refinements.iter().find(|(class, _)| *class == refined).map(|(_, refinement)| *refinement);
    let refinement = match known {
        Some(refinement) => refinement,
        None => {
            let refinement = vm.new_module();
            vm.class_mut(refinement).data = Some(Box::new(RefinementData { refined, owner, scopes: Vec::new() }));
            vm.class_mut(refinement).label = Some(Label::Refinement(refined, owner));
            if let Some(class) = vm.extension::<RefinementClass>().0 {
                super::set_module_class(vm, refinement, class);
            }
            vm.class_mut(owner).refinements.insert(0, (refined, refinement));
            refinement
        }
    };
    let outer = match block {
        crate::frame::Block::Ruby { cx, .. } => cx.cref.clone(),
        crate::frame::Block::Proc(_) => vm.caller_cref(),
    };
    let cref = Cref::with_definee(&outer, Definee::Module(refinement));
    if let Some(data) = data_of_mut(vm, refinement) {
        data.scopes.push(cref.clone());
    }
    let own = vm.class(owner).refinements.clone();
    for scope in own.iter().filter_map(|(_, refinement)| data_of(vm, *refinement)).flat_map(|data| &data.scopes) {
        activate_all(scope, &own);
    }
    let slf = Value::Class(refinement);
    vm.call_block_in(block, &slf, &cref, Args::none())?;
    vm.invalidate(refined);
    // operators of a refined core class cannot use fast paths
    if !vm.class(refinement).methods.is_empty() {
        vm.note_redefinition(refined, None);
    }
    if vm.own_method(refinement, sym::NOT).is_some() {
        vm.note_redefinition(refined, Some(sym::NOT));
    }
    Ok(slf)
}

/// Activates the refinements of a module in a lexical scope, from here on: methods that it has already keep a scope without them.
pub(crate) fn activate(vm: &mut Vm, cref: &Rc<Cref>, module: ClassId) {
    let before = cref.again();
    for method in &mut vm.methods {
        if let MethodBody::Ruby(ruby) = &method.body
            && Rc::ptr_eq(&ruby.cref, cref)
        {
            method.body = MethodBody::Ruby(Rc::new(RubyMethod { code: ruby.code.clone(), cref: before.clone() }));
        }
    }
    let mut pairs = Vec::new();
    for ancestor in vm.class(module).mro.clone().iter() {
        pairs.extend(vm.class(*ancestor).refinements.iter().copied());
    }
    activate_all(cref, &pairs);
    for (refined, _) in pairs {
        vm.invalidate(refined);
    }
}
/// Makes refinements the first active ones of a scope, in their order.
fn activate_all(scope: &Cref, pairs: &[(ClassId, ClassId)]) {
    let mut active = scope.refinements.borrow_mut();
    for pair in pairs.iter().rev() {
        active.retain(|known| known != pair);
        active.insert(0, *pair);
    }
}
/// main.using
pub(super) fn main_using(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let cref = vm.caller_cref();
    if cref.module != ClassId::OBJECT && cref.outer.is_some() {
        return Err(vm.runtime_error("main.using is permitted only at toplevel"));
    }
    use_module(vm, args.at(0))?;
    Ok(this.clone())
}
fn using(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !vm.with_caller(|_, cx| cx.is_none_or(|cx| cx.slf.same(this))) {
        return Err(vm.runtime_error("Module#using is not called on self"));
    }
    use_module(vm, args.at(0))
}
fn use_module(vm: &mut Vm, module: &Value) -> Res {
    let module = module_arg(vm, module)?;
    if refined_by(vm, module).is_some() {
        return Err(vm.type_error("wrong argument type Class (expected Module)"));
    }
    let in_method = vm.with_caller(|vm, cx| cx.is_some_and(|cx| vm.method_of(cx).is_some()));
    if in_method {
        return Err(vm.runtime_error("Module#using is not permitted in methods"));
    }
    let cref = vm.caller_cref();
    activate(vm, &cref, module);
    Ok(Value::Class(cref.module))
}
fn import_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let refinement = this_class(this);
    let refined = refined_by(vm, refinement);
    for module in args.pos {
        module_arg(vm, module)?;
    }
    for module in args.pos {
        let module = module_arg(vm, module)?;
        if vm.class(module).mro.len() > 1 {
            let shown = vm.class_name(module);
            let text = format!("{shown} has ancestors, but Refinement#import_methods doesn't import their methods");
            vm.warn(&text)?;
        }
        let methods: Vec<_> = vm.own_methods(module).iter().map(|(name, id)| (*name, *id)).collect();
        for (name, id) in methods {
            let method = vm.method(id).clone();
            let MethodBody::Ruby(ruby) = &method.body else {
                let shown = vm.class_name(module);
                return Err(vm.argument_error(format!(
                    "Can't import method which is not defined with Ruby code: {shown}#{name}"
                )));
            };
            // the refinement is active in the copied methods, so that they see each other
            let cref = Cref::with_definee(&ruby.cref, Definee::Module(refinement));
            if let Some(refined) = refined {
                cref.refinements.borrow_mut().insert(0, (refined, refinement));
            }
            let body = MethodBody::Ruby(Rc::new(RubyMethod { code: ruby.code.clone(), cref }));
            vm.add_method(refinement, name, Method { owner: refinement, body, ..method });
        }
    }
    Ok(this.clone())
}
fn refined_class(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(refined_by(vm, this_class(this)).map(Value::Class).unwrap_or_default())
}

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::OBJECT, "Refinement", ClassId::MODULE);
    vm.extension::<RefinementClass>().0 = Some(class);
    vm.define_methods(class, REFINEMENT);
}
