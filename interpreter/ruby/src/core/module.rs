//! Module and Class.

use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::error::Res;
use crate::frame::Definee;
use crate::method::{Method, MethodBody, MethodDef, Visibility, any, def, opt};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;

static MODULE: &[MethodDef] = &[
    def("name", name, 0),
    def("to_s", to_s, 0),
    def("inspect", to_s, 0),
    def("===", case_equal, 1),
    def("==", equal, 1),
    any("attr_reader", attr_reader),
    any("attr_writer", attr_writer),
    any("attr_accessor", attr_accessor),
    any("include", include),
    any("prepend", prepend),
    def("append_features", append_features, 1).private(),
    def("prepend_features", prepend_features, 1).private(),
    def("included", nothing, 1).private(),
    def("extended", nothing, 1).private(),
    def("prepended", nothing, 1).private(),
    def("method_added", nothing, 1).private(),
    def("method_removed", nothing, 1).private(),
    def("method_undefined", nothing, 1).private(),
    def("const_missing", const_missing, 1),
    any("public", public),
    any("private", private),
    any("protected", protected),
    any("module_function", module_function),
    opt("define_method", define_method, 1, 2),
    def("alias_method", alias_method, 2),
    any("class_eval", class_eval),
    any("module_eval", class_eval),
    any("class_exec", class_exec),
    any("module_exec", class_exec),
];
static CLASS: &[MethodDef] = &[any("new", new), def("allocate", allocate, 0), def("superclass", superclass, 0), def("inherited", nothing, 1).private()];

/// The class or module that a method of Module was called on.
pub(crate) fn this_class(this: &Value) -> ClassId {
    match this {
        Value::Class(id) => *id,
        _ => ClassId::OBJECT,
    }
}
fn nothing(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.class(this_class(this)).name.as_deref().map(Value::str).unwrap_or_default())
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(vm.class_name(this_class(this))))
}
fn case_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(vm.is_a(args.at(0), this_class(this))))
}
fn equal(_: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this.same(args.at(0))))
}
fn attr(vm: &mut Vm, this: &Value, args: Args<'_>, reader: bool, writer: bool) -> Res {
    let class = this_class(this);
    let cref = vm.caller_cref();
    let visibility = if cref.module == class { cref.visibility.get() } else { Visibility::Public };
    let mut made = Vec::new();
    for arg in args.pos {
        let name = vm.to_name(arg)?;
        let ivar = Symbol::intern(&format!("@{name}"));
        if reader {
            vm.add_method_hooked(class, name, Method { name, owner: class, visibility, body: MethodBody::Reader(ivar), ruby2_keywords: false })?;
            made.push(Value::Sym(name));
        }
        if writer {
            let setter = Symbol::intern(&format!("{name}="));
            vm.add_method_hooked(class, setter, Method { name: setter, owner: class, visibility, body: MethodBody::Writer(ivar), ruby2_keywords: false })?;
            made.push(Value::Sym(setter));
        }
    }
    Ok(Value::array(made))
}
fn attr_reader(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    attr(vm, this, args, true, false)
}
fn attr_writer(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    attr(vm, this, args, false, true)
}
fn attr_accessor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    attr(vm, this, args, true, true)
}
fn module_arg(vm: &mut Vm, value: &Value) -> Res<ClassId> {
    match value {
        Value::Class(id) if vm.class(*id).is_module() => Ok(*id),
        _ => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("wrong argument type {described} (expected module)")))
        }
    }
}
fn include(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for module in args.pos {
        module_arg(vm, module)?;
    }
    for module in args.pos.iter().rev() {
        vm.call(module, sym::APPEND_FEATURES, std::slice::from_ref(this))?;
        vm.call(module, sym::INCLUDED, std::slice::from_ref(this))?;
    }
    Ok(this.clone())
}
fn prepend(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for module in args.pos {
        module_arg(vm, module)?;
    }
    for module in args.pos.iter().rev() {
        vm.call(module, sym::PREPEND_FEATURES, std::slice::from_ref(this))?;
        vm.call(module, sym::PREPENDED, std::slice::from_ref(this))?;
    }
    Ok(this.clone())
}
fn append_features(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (module, into) = (this_class(this), this_class(args.at(0)));
    if vm.is_subclass(module, into) {
        return Err(vm.argument_error("cyclic include detected"));
    }
    vm.include_module(into, module);
    Ok(this.clone())
}
fn prepend_features(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.prepend_module(this_class(args.at(0)), this_class(this));
    Ok(this.clone())
}
fn const_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let class = this_class(this);
    let full = if class == ClassId::OBJECT { name.to_string() } else { format!("{}::{name}", vm.class_name(class)) };
    Err(vm.name_error(format!("uninitialized constant {full}"), this, name))
}
fn set_visibility(vm: &mut Vm, this: &Value, args: Args<'_>, visibility: Visibility) -> Res {
    let class = this_class(this);
    if args.is_empty() {
        let cref = vm.caller_cref();
        cref.visibility.set(visibility);
        cref.module_function.set(false);
        return Ok(Value::Nil);
    }
    let list = match args.pos {
        [Value::Array(array)] => array.get(vm).items.clone(),
        many => many.to_vec(),
    };
    for name in &list {
        let name = vm.to_name(name)?;
        vm.change_visibility(class, name, visibility)?;
    }
    Ok(if args.len() == 1 { args.at(0).clone() } else { Value::array(args.pos.to_vec()) })
}
impl Vm {
    /// Gives a method another visibility in a class (which gets an entry of its own for an inherited one).
    pub fn change_visibility(&mut self, class: ClassId, name: Symbol, visibility: Visibility) -> Res<()> {
        let mut found = self.find_method(class, name);
        if found.is_none() && self.class(class).is_module() {
            found = self.find_method(ClassId::OBJECT, name);
        }
        let Some(id) = found else { return Err(self.undefined_method_for_class(class, name)) };
        let mut method = self.method(id).clone();
        method.visibility = visibility;
        self.add_method(class, name, method);
        Ok(())
    }
}
fn public(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_visibility(vm, this, args, Visibility::Public)
}
fn private(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_visibility(vm, this, args, Visibility::Private)
}
fn protected(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_visibility(vm, this, args, Visibility::Protected)
}
fn module_function(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let module = this_class(this);
    if args.is_empty() {
        let cref = vm.caller_cref();
        cref.module_function.set(true);
        cref.visibility.set(Visibility::Private);
        return Ok(Value::Nil);
    }
    let list = match args.pos {
        [Value::Array(array)] => array.get(vm).items.clone(),
        many => many.to_vec(),
    };
    let meta = vm.meta(module);
    for name in &list {
        let name = vm.to_name(name)?;
        let Some(id) = vm.find_method(module, name) else { return Err(vm.undefined_method_for_class(module, name)) };
        let method = vm.method(id).clone();
        vm.change_visibility(module, name, Visibility::Private)?;
        vm.add_method(meta, name, Method { visibility: Visibility::Public, owner: meta, ..method });
    }
    Ok(if args.len() == 1 { args.at(0).clone() } else { Value::array(args.pos.to_vec()) })
}
fn define_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    let name = vm.to_name(args.at(0))?;
    let body = match (args.get(1), args.block) {
        (Some(Value::Proc(proc)), _) => MethodBody::Proc(proc.clone()),
        (Some(method), _) => match super::proc::method_body(vm, method) {
            Some(body) => body,
            None => {
                let described = vm.describe(method);
                return Err(vm.type_error(format!("wrong argument type {described} (expected Proc/Method/UnboundMethod)")));
            }
        },
        (None, Some(block)) => MethodBody::Proc(vm.block_to_proc(block)),
        (None, None) => return Err(vm.argument_error("tried to create Proc object without a block")),
    };
    let cref = vm.caller_cref();
    let visibility = if cref.module == class && !cref.transparent { cref.visibility.get() } else { Visibility::Public };
    vm.add_method_hooked(class, name, Method { name, owner: class, visibility, body, ruby2_keywords: false })?;
    Ok(Value::Sym(name))
}
fn alias_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (new, old) = (vm.to_name(args.at(0))?, vm.to_name(args.at(1))?);
    vm.alias_method(this_class(this), new, old)?;
    Ok(Value::Sym(new))
}
fn class_eval(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    if let Some(block) = args.block {
        return vm.call_block_as(block, this, Some(Definee::Module(class)), Args::new(std::slice::from_ref(this)));
    }
    if args.is_empty() {
        return Err(vm.argument_error("wrong number of arguments (given 0, expected 1..3)"));
    }
    super::kernel::eval_string(vm, args.pos, Some((this, Definee::Module(class))), None)
}
fn class_exec(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.no_block()) };
    vm.call_block_as(block, this, Some(Definee::Module(this_class(this))), args.with_block(None))
}

fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let object = allocate(vm, this, Args::none())?;
    let class = vm.class_of(&object);
    match vm.find_method(class, sym::INITIALIZE) {
        Some(id) => vm.invoke(id, &object, sym::INITIALIZE, args)?,
        None => Value::Nil,
    };
    Ok(object)
}
fn allocate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = this_class(this);
    if let ClassKind::Meta(_) | ClassKind::Singleton = vm.class(class).kind {
        return Err(vm.type_error("can't create instance of singleton class"));
    }
    match vm.allocator(class) {
        Some(allocator) => allocator(vm, class),
        None => {
            let shown = vm.class_name(class);
            Err(vm.type_error(format!("allocator undefined for {shown}")))
        }
    }
}
fn superclass(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.real_superclass(this_class(this)).map(Value::Class).unwrap_or_default())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::MODULE, MODULE);
    vm.define_methods(ClassId::CLASS, CLASS);
}
