//! Methods of a class by name: `define_method`, `alias_method`, `remove_method`, visibility, `module_function`, attributes.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::class::this_class;
use crate::core::module::refinements::refined_by;
use crate::error::Res;
use crate::frame::{Cref, Cx, Parent};
use crate::method::{AttributePlaces, Method, MethodBody, MethodDef, MethodId, Visibility, any, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::CodeKind;
use std::rc::Rc;

pub(super) static METHODS: &[MethodDef] = &[
    any("attr", attr_old),
    any("attr_reader", attr_reader),
    any("attr_writer", attr_writer),
    any("attr_accessor", attr_accessor),
    any("public", public).private(),
    any("private", private).private(),
    any("protected", protected).private(),
    any("module_function", module_function).private(),
    any("public_class_method", public_class_method),
    any("private_class_method", private_class_method),
    opt("define_method", define_method, 1, 2),
    def("alias_method", alias_method, 2),
    any("remove_method", remove_method),
    any("undef_method", undef_method),
    any("ruby2_keywords", ruby2_keywords).private(),
];

fn attribute_name(vm: &mut Vm, this: &Value, value: &Value) -> Res<Symbol> {
    let name = vm.to_name(value)?;
    let bytes = name.as_bytes();
    let fine = bytes.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    if fine { Ok(name) } else { Err(vm.name_error(format!("invalid attribute name `{name}'"), this, name)) }
}
/// The scope whose default visibility holds for what the caller defines: that of the class body, or of the block evaluated in a class, where it
/// runs. None in a method, where methods are public unless told otherwise.
fn defining_scope(vm: &mut Vm) -> Option<Rc<Cref>> {
    vm.with_caller(|vm, cx| {
        let Some(cx) = cx else { return Some(vm.top_cref.clone()) };
        (!in_method(vm, cx)).then(|| cx.cref.clone())
    })
}
/// Whether code runs in a method, seen from the scope whose constants it sees. A String that is evaluated has a scope of its own.
pub(crate) fn in_method(vm: &Vm, cx: &Cx<'_>) -> bool {
    let mut at = cx;
    let mut env = loop {
        if !Rc::ptr_eq(at.cref, cx.cref) || at.code.kind == CodeKind::Eval {
            return false;
        }
        if at.method.is_some() {
            return true;
        }
        match at.parent {
            Parent::None => return false,
            Parent::Stack(parent) => at = parent,
            Parent::Heap(env) => break Some(env),
        }
    };
    while let Some(data) = env.map(|env| env.get(vm)) {
        if !Rc::ptr_eq(&data.cref, cx.cref) || data.code.kind == CodeKind::Eval {
            return false;
        }
        if data.method.is_some() {
            return true;
        }
        env = data.parent.as_ref();
    }
    false
}
fn attr(vm: &mut Vm, this: &Value, args: &[Value], reader: bool, writer: bool) -> Res {
    let class = this_class(this);
    let body = defining_scope(vm).filter(|body| body.module == class);
    let visibility = body.map_or(Visibility::Public, |body| body.visibility.get());
    let place = vm.innermost().map(|cx| (cx.code.file.clone(), cx.line()));
    let mut made = Vec::new();
    let mut define = |vm: &mut Vm, name: Symbol, body: MethodBody| -> Res<()> {
        let method = Method { name, owner: class, visibility, body };
        let id = vm.add_method_hooked(class, name, method)?;
        if let Some(place) = &place {
            vm.extension::<AttributePlaces>().note(id, place.clone());
        }
        made.push(Value::Sym(name));
        Ok(())
    };
    for arg in args {
        let name = attribute_name(vm, this, arg)?;
        vm.check_class_frozen(class)?;
        let ivar = Symbol::intern(&format!("@{name}"));
        if reader {
            define(vm, name, MethodBody::Reader(ivar))?;
        }
        if writer {
            define(vm, Symbol::intern(&format!("{name}=")), MethodBody::Writer(ivar))?;
        }
    }
    Ok(Value::array(made))
}
fn attr_old(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let [name, flag @ (Value::True | Value::False)] = args.pos {
        vm.deprecated("Module#attr with a boolean");
        vm.warn_verbose_deprecated("optional boolean argument is obsoleted")?;
        return attr(vm, this, std::slice::from_ref(name), true, flag.truthy());
    }
    attr(vm, this, args.pos, true, false)
}
fn attr_reader(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    attr(vm, this, args.pos, true, false)
}
fn attr_writer(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    attr(vm, this, args.pos, false, true)
}
fn attr_accessor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    attr(vm, this, args.pos, true, true)
}

fn name_list(vm: &Vm, args: Args<'_>) -> Vec<Value> {
    match args.pos {
        [Value::Array(array)] => array.get(vm).items.clone(),
        many => many.to_vec(),
    }
}
fn given_back(args: Args<'_>) -> Value {
    match args.pos {
        [] => Value::Nil,
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    }
}
/// Warns of `private` etc. without arguments in the body of a method, where they change the class around it.
fn warn_in_method(vm: &mut Vm) -> Res<()> {
    if !vm.with_caller(|_, cx| cx.is_some_and(|cx| cx.code.kind == CodeKind::Method)) {
        return Ok(());
    }
    let name = vm.current_native_name().map_or_else(String::new, |name| name.to_string());
    vm.warn(&format!("calling {name} without arguments inside a method may not have the intended effect"))
}
pub(crate) fn set_visibility(vm: &mut Vm, this: &Value, args: Args<'_>, visibility: Visibility) -> Res {
    let class = this_class(this);
    if args.is_empty() {
        warn_in_method(vm)?;
        let cref = vm.caller_cref();
        cref.visibility.set(visibility);
        cref.module_function.set(false);
        return Ok(Value::Nil);
    }
    vm.check_frozen(this)?;
    for name in name_list(vm, args) {
        let name = vm.to_name(&name)?;
        vm.change_visibility(class, name, visibility)?;
    }
    Ok(given_back(args))
}
/// Methods that are private wherever they are defined but in singleton classes.
pub(crate) fn special_name(name: Symbol) -> bool {
    [sym::INITIALIZE, sym::INITIALIZE_COPY, sym::INITIALIZE_CLONE, sym::INITIALIZE_DUP, sym::RESPOND_TO_MISSING]
        .contains(&name)
}

impl Vm {
    /// Looks up a method in the class and its ancestors, without prepended modules.
    fn find_below_prepended(&mut self, class: ClassId, name: Symbol) -> Option<MethodId> {
        let mro = self.class(class).mro.clone();
        let from = mro.iter().position(|ancestor| *ancestor == class)?;
        let id = mro[from..].iter().find_map(|ancestor| self.own_method(*ancestor, name))?;
        (!matches!(self.method(id).body, MethodBody::Undefined)).then_some(id)
    }
    /// Looks up a method in a class; for modules also in Object.
    pub(crate) fn find_method_for_module(&mut self, class: ClassId, name: Symbol) -> Res<MethodId> {
        let mut found = self.find_method(class, name);
        if found.is_none() && self.class(class).is_module() {
            found = self.find_method(ClassId::OBJECT, name);
        }
        match found {
            Some(id) => Ok(id),
            None => Err(self.undefined_method_for_class(class, name)),
        }
    }
    /// Changes the visibility of a method in a class (an inherited method gets an entry in the class).
    pub fn change_visibility(&mut self, class: ClassId, name: Symbol, visibility: Visibility) -> Res<()> {
        self.check_class_frozen(class)?;
        let id = match self.find_below_prepended(class, name) {
            Some(id) => id,
            None => match refined_by(self, class).and_then(|refined| self.find_method(refined, name)) {
                Some(id) => id,
                None => self.find_method_for_module(class, name)?,
            },
        };
        let inherited = self.own_method(class, name).is_none();
        if inherited && self.method(id).visibility == visibility {
            return Ok(());
        }
        let mut method = self.method(id).clone();
        method.visibility = visibility;
        self.add_method(class, name, method);
        if inherited {
            self.method_hook(class, name, sym::METHOD_ADDED, sym::SINGLETON_METHOD_ADDED)?;
        }
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
fn class_method_visibility(vm: &mut Vm, this: &Value, args: Args<'_>, visibility: Visibility) -> Res {
    let meta = vm.meta(this_class(this));
    for name in name_list(vm, args) {
        let name = vm.to_name(&name)?;
        vm.change_visibility(meta, name, visibility)?;
    }
    Ok(Value::Nil)
}
fn public_class_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    class_method_visibility(vm, this, args, Visibility::Public)
}
fn private_class_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    class_method_visibility(vm, this, args, Visibility::Private)
}
fn module_function(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let module = this_class(this);
    if !vm.class(module).is_module() {
        return Err(vm.type_error("module_function must be called for modules"));
    }
    if args.is_empty() {
        warn_in_method(vm)?;
        let cref = vm.caller_cref();
        cref.module_function.set(true);
        cref.visibility.set(Visibility::Private);
        return Ok(Value::Nil);
    }
    vm.check_frozen(this)?;
    let meta = vm.meta(module);
    for name in name_list(vm, args) {
        let name = vm.to_name(&name)?;
        let id = vm.find_method_for_module(module, name)?;
        let method = vm.method(id).clone();
        vm.change_visibility(module, name, Visibility::Private)?;
        vm.add_method_hooked(meta, name, Method { visibility: Visibility::Public, owner: meta, ..method })?;
    }
    Ok(given_back(args))
}

/// The method defined by `define_method` or `define_singleton_method`. A given method keeps its own name, for frames and `__method__`.
pub(crate) fn method_given(
    vm: &mut Vm,
    class: ClassId,
    name: Symbol,
    visibility: Visibility,
    args: Args<'_>,
) -> Res<Method> {
    let body = method_source(vm, class, args)?;
    let name = args.get(1).and_then(|given| crate::core::method::source_name(vm, given)).unwrap_or(name);
    Ok(Method { name, owner: class, visibility, body })
}
fn method_source(vm: &mut Vm, class: ClassId, args: Args<'_>) -> Res<MethodBody> {
    match (args.get(1), args.block) {
        (Some(Value::Proc(proc)), _) => Ok(MethodBody::Proc(proc.clone())),
        (Some(method), _) => crate::core::method::body_for(vm, method, class),
        (None, Some(block)) => Ok(MethodBody::Proc(vm.block_to_proc(block))),
        (None, None) => Err(vm.argument_error("tried to create Proc object without a block")),
    }
}
fn define_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    let name = vm.to_name(args.at(0))?;
    let mut method = method_given(vm, class, name, Visibility::Public, args)?;
    vm.check_class_frozen(class)?;
    let scope = defining_scope(vm).filter(|scope| scope.module == class);
    if special_name(name) && !vm.class(class).is_singleton() {
        method.visibility = Visibility::Private;
    } else if let Some(scope) = &scope {
        method.visibility = scope.visibility.get();
    }
    let body = method.body.clone();
    vm.add_method_named(class, name, method)?;
    if scope.is_some_and(|scope| scope.module_function.get()) {
        let owner = vm.meta(class);
        let method = Method { name, owner, visibility: Visibility::Public, body };
        vm.add_method_hooked(owner, name, method)?;
    }
    Ok(Value::Sym(name))
}
fn alias_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (new, old) = (vm.to_name(args.at(0))?, vm.to_name(args.at(1))?);
    vm.alias_method(this_class(this), new, old)?;
    Ok(Value::Sym(new))
}
fn remove_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    for arg in args.pos {
        let name = vm.to_name(arg)?;
        vm.check_class_frozen(class)?;
        let known = vm.own_method(class, name);
        match known {
            Some(id) if !matches!(vm.method(id).body, MethodBody::Undefined) => {
                if crate::method::needed_by_all(name) {
                    vm.warn_of_needed("removing", name)?;
                }
                vm.remove_method(class, name);
            }
            _ => {
                let shown = vm.class_name(class);
                return Err(vm.name_error(format!("method `{name}' not defined in {shown}"), this, name));
            }
        }
        vm.method_hook(class, name, sym::METHOD_REMOVED, sym::SINGLETON_METHOD_REMOVED)?;
    }
    Ok(this.clone())
}
fn undef_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for arg in args.pos {
        let name = vm.to_name(arg)?;
        vm.undef_method(this_class(this), name)?;
    }
    Ok(this.clone())
}
fn ruby2_keywords(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    if args.is_empty() {
        return Err(vm.argument_error("wrong number of arguments (given 0, expected 1+)"));
    }
    for arg in args.pos {
        let name = vm.to_name(arg)?;
        vm.check_class_frozen(class)?;
        let Some(id) = vm.own_method(class, name) else {
            let found = vm.find_method_for_module(class, name);
            found?;
            return Err(vm.name_error("method accessed is not defined in this module/class", this, name));
        };
        let fits = crate::core::method::code_of(vm, id).is_some_and(|code| code.params.set_ruby2_keywords());
        if !fits {
            vm.warn(&format!("Skipping set of ruby2_keywords flag for {name} (method accepts keywords or method does not accept argument splat)"))?;
        }
    }
    Ok(Value::Nil)
}
