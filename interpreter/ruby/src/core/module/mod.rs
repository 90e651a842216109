//! Module and Class: names, inclusion and hooks, evaluation.
//!
//! - `constants`: constants and class variables by name; `methods`: definition, visibility, attributes;
//! - `reflection`: lists and predicates; `refinements`: `refine` and `using`.

pub(crate) mod constants;
pub(crate) mod methods;
pub(crate) mod refinements;
mod reflection;

use crate::Vm;
use crate::args::Args;
use crate::class::{ClassData, ClassId, ClassKind, Label};
use crate::class::{no_allocator, this_class};
use crate::core::construct;
use crate::core::natives::nothing;
use crate::error::Res;
use crate::frame::Definee;
use crate::method::{Method, MethodBody, MethodDef, Visibility, any, at_least, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;

static MODULE: &[MethodDef] = &[
    def("initialize", module_initialize, 0).private(),
    def("name", name, 0),
    def("to_s", to_s, 0),
    def("inspect", to_s, 0),
    def("===", case_equal, 1),
    def("==", equal, 1),
    any("include", include),
    any("prepend", prepend),
    def("append_features", append_features, 1).private(),
    def("prepend_features", prepend_features, 1).private(),
    def("extend_object", extend_object, 1).private(),
    def("included", nothing, 1).private(),
    def("extended", nothing, 1).private(),
    def("prepended", nothing, 1).private(),
    def("method_added", nothing, 1).private(),
    def("method_removed", nothing, 1).private(),
    def("method_undefined", nothing, 1).private(),
    def("const_added", nothing, 1).private(),
    def("const_missing", const_missing, 1),
    any("class_eval", class_eval),
    any("module_eval", class_eval),
    any("class_exec", class_exec),
    any("module_exec", class_exec),
];
static CLASS: &[MethodDef] = &[
    any("new", construct::new),
    def("allocate", construct::allocate, 0),
    def("superclass", superclass, 0),
    def("subclasses", subclasses, 0),
    def("inherited", nothing, 1).private(),
    opt("initialize", class_initialize, 0, 1).private(),
];
static MAIN: &[MethodDef] = &[
    any("public", main_public).private(),
    any("private", main_private).private(),
    any("include", main_include).private(),
    def("using", refinements::main_using, 1).private(),
    opt("define_method", main_define_method, 1, 2).private(),
    at_least("ruby2_keywords", main_ruby2_keywords, 1).private(),
];

fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class(this_class(this));
    if class.is_singleton() {
        return Ok(Value::Nil);
    }
    let temporary = match &class.label {
        Some(Label::Temporary(name)) => Some(name.clone()),
        _ => None,
    };
    Ok(match class.name.clone().or(temporary) {
        Some(name) => {
            vm.interned_string(name.as_bytes(), if name.is_ascii() { Encoding::UsAscii } else { Encoding::Utf8 })
        }
        None => Value::Nil,
    })
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = this_class(this);
    let named = vm.class(class).name.is_some() || vm.class(class).is_singleton();
    let encoding = if named { Encoding::UsAscii } else { Encoding::Binary };
    Ok(Value::string(RString::about(&vm.class_name(class), encoding)))
}
fn case_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(vm.is_a(args.at(0), this_class(this))))
}
fn equal(_: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this.same(args.at(0))))
}
pub(crate) fn module_arg(vm: &mut Vm, value: &Value) -> Res<ClassId> {
    match value {
        Value::Class(id) if vm.class(*id).is_module() => Ok(*id),
        _ => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("wrong argument type {described} (expected Module)")))
        }
    }
}
/// Checks the arguments of `include`, `prepend` and `extend`, which must be modules but not refinements.
pub(crate) fn module_args(vm: &mut Vm, args: Args<'_>) -> Res<()> {
    if args.is_empty() {
        return Err(vm.argument_error("wrong number of arguments (given 0, expected 1+)"));
    }
    for module in args.pos {
        let id = module_arg(vm, module)?;
        if refinements::refined_by(vm, id).is_some() {
            return Err(vm.argument_error("refinement module is not allowed"));
        }
    }
    Ok(())
}
fn include(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    module_args(vm, args)?;
    for module in args.pos.iter().rev() {
        vm.call(module, sym::APPEND_FEATURES, std::slice::from_ref(this))?;
        vm.call(module, sym::INCLUDED, std::slice::from_ref(this))?;
    }
    Ok(this.clone())
}
fn prepend(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    module_args(vm, args)?;
    for module in args.pos.iter().rev() {
        vm.call(module, sym::PREPEND_FEATURES, std::slice::from_ref(this))?;
        vm.call(module, sym::PREPENDED, std::slice::from_ref(this))?;
    }
    Ok(this.clone())
}
/// TypeError for a class: these methods of Module are not available for Class.
fn check_module(vm: &mut Vm, this: &Value) -> Res<()> {
    if vm.class(this_class(this)).is_module() {
        return Ok(());
    }
    let described = vm.describe(this);
    Err(vm.type_error(format!("wrong argument type {described} (expected Module)")))
}
fn append_features(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_module(vm, this)?;
    let Value::Class(into) = args.at(0) else {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("wrong argument type {described} (expected Class or Module)")));
    };
    let (module, into) = (this_class(this), *into);
    vm.check_class_frozen(into)?;
    if vm.is_cyclic(into, module) {
        return Err(vm.argument_error("cyclic include detected"));
    }
    vm.include_module(into, module);
    Ok(this.clone())
}
fn prepend_features(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_module(vm, this)?;
    let Value::Class(to) = args.at(0) else {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("wrong argument type {described} (expected Class or Module)")));
    };
    let (module, to) = (this_class(this), *to);
    vm.check_class_frozen(to)?;
    if vm.is_cyclic(to, module) {
        return Err(vm.argument_error("cyclic prepend detected"));
    }
    vm.prepend_module(to, module);
    Ok(this.clone())
}
fn extend_object(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_module(vm, this)?;
    let Some(singleton) = vm.singleton_class(args.at(0)) else { return Err(vm.type_error("can't define singleton")) };
    vm.check_singleton_frozen(args.at(0))?;
    vm.include_module(singleton, this_class(this));
    Ok(args.at(0).clone())
}
fn const_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let class = this_class(this);
    let full = if class == ClassId::OBJECT { name.to_string() } else { format!("{}::{name}", vm.class_name(class)) };
    // the backtrace does not include const_missing itself
    let error = vm.name_error(format!("uninitialized constant {full}"), this, name);
    vm.drop_top_frame(&error);
    Err(error)
}
fn class_eval(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    if let Some(block) = args.block {
        if !args.is_empty() {
            return Err(vm.arity_error(args.len(), "0"));
        }
        return vm.call_block_as(block, this, Some(Definee::Module(class)), Args::new(std::slice::from_ref(this)));
    }
    if args.is_empty() || args.len() > 3 {
        let given = args.len();
        return Err(vm.arity_error(given, "1..3"));
    }
    vm.eval_string(args.pos, Some((this, Definee::Module(class))), None)
}
fn class_exec(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.error(ClassId::LOCAL_JUMP_ERROR, "no block given")) };
    vm.call_block_as(block, this, Some(Definee::Module(this_class(this))), args.with_block(None))
}

fn superclass(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = this_class(this);
    if vm.class(class).superclass.is_none() && class != ClassId::BASIC_OBJECT {
        return Err(vm.type_error("uninitialized class"));
    }
    Ok(vm.real_superclass(class).map(Value::Class).unwrap_or_default())
}
fn subclasses(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = this_class(this);
    if class == ClassId::SYSTEM_CALL_ERROR {
        vm.all_errno_classes();
    }
    let found = vm
        .class(class)
        .dependents
        .iter()
        .rev()
        .filter(|id| vm.class(**id).kind == ClassKind::Class && vm.class(**id).superclass == Some(class));
    Ok(Value::array(found.map(|id| Value::Class(*id)).collect()))
}

/// Sets the class of a module, for subclasses of Module.
pub(crate) fn set_module_class(vm: &mut Vm, module: ClassId, class: ClassId) {
    let meta = vm.meta(module);
    vm.class_mut(meta).superclass = Some(class);
    vm.class_mut(class).dependents.insert(meta);
    vm.rebuild_mro(meta);
}
fn allocate_module(vm: &mut Vm, class: ClassId) -> Res {
    let module = vm.new_module();
    if class != ClassId::MODULE {
        set_module_class(vm, module, class);
    }
    Ok(Value::Class(module))
}
fn allocate_class(vm: &mut Vm, _: ClassId) -> Res {
    let mut data = ClassData::new(ClassKind::Class, None);
    data.allocator = None;
    let id = vm.push_class(data);
    vm.rebuild_mro(id);
    Ok(Value::Class(id))
}
fn module_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.block {
        Some(block) => vm.call_block_as(
            block,
            this,
            Some(Definee::Module(this_class(this))),
            Args::new(std::slice::from_ref(this)),
        ),
        None => Ok(Value::Nil),
    }
}
fn class_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = this_class(this);
    if vm.class(class).superclass.is_some() || class == ClassId::BASIC_OBJECT {
        return Err(vm.type_error("already initialized class"));
    }
    let superclass = match args.get(0) {
        None => ClassId::OBJECT,
        Some(Value::Class(id)) if !vm.class(*id).is_module() => *id,
        Some(other) => {
            let described = vm.class_name_of(other);
            return Err(
                vm.type_error(format!("superclass must be an instance of Class (given an instance of {described})"))
            );
        }
    };
    if vm.class(superclass).is_singleton() {
        return Err(vm.type_error("can't make subclass of singleton class"));
    }
    if superclass == ClassId::CLASS {
        return Err(vm.type_error("can't make subclass of Class"));
    }
    if vm.class(superclass).superclass.is_none() && superclass != ClassId::BASIC_OBJECT {
        return Err(vm.type_error("can't inherit uninitialized class"));
    }
    vm.class_mut(class).superclass = Some(superclass);
    vm.class_mut(superclass).dependents.insert(class);
    vm.rebuild_mro(class);
    vm.call(&Value::Class(superclass), sym::INHERITED, std::slice::from_ref(this))?;
    module_initialize(vm, this, args)?;
    Ok(this.clone())
}

fn main_public(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    methods::set_visibility(vm, &Value::Class(ClassId::OBJECT), args, Visibility::Public)
}
fn main_private(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    methods::set_visibility(vm, &Value::Class(ClassId::OBJECT), args, Visibility::Private)
}
fn main_include(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    include(vm, &Value::Class(ClassId::OBJECT), args)
}
fn main_ruby2_keywords(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    vm.call_args(&Value::Class(ClassId::OBJECT), Symbol::intern_static("ruby2_keywords"), args)
}
fn main_define_method(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let method = methods::method_given(vm, ClassId::OBJECT, name, Visibility::Public, args)?;
    vm.add_method_named(ClassId::OBJECT, name, method)?;
    Ok(Value::Sym(name))
}

impl Vm {
    /// Removes a method from a class's table, without calling hooks.
    pub fn remove_method(&mut self, class: ClassId, name: Symbol) {
        self.take_own_method(class, name);
        self.note_redefinition(class, Some(name));
        self.touch(class, name);
        self.update_stand_ins(class, name);
    }
    /// Invalidates lookups in a class and its descendants.
    pub(crate) fn invalidate(&mut self, class: ClassId) {
        self.rebuild_mro(class);
        self.const_serial += 1;
    }
    /// Assigns a constant like `X = …`, with the check for frozen modules and the warning about existing constants.
    pub(crate) fn set_const_checked(&mut self, module: ClassId, name: Symbol, value: Value) -> Res<()> {
        self.assign_const_in(module, name, value)
    }
    /// Removes `new` and `allocate` from a class.
    pub(crate) fn undefine_new(&mut self, class: ClassId) {
        let (owner, name) = (self.meta(class), sym::NEW);
        let (visibility, body) = (Visibility::Public, MethodBody::Undefined);
        self.add_method(owner, name, Method { name, owner, visibility, body });
        self.class_mut(class).allocator = Some(no_allocator);
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::MODULE).allocator = Some(allocate_module);
    vm.class_mut(ClassId::CLASS).allocator = Some(allocate_class);
    vm.define_methods(ClassId::MODULE, MODULE);
    vm.define_methods(ClassId::MODULE, constants::METHODS);
    vm.define_methods(ClassId::MODULE, methods::METHODS);
    vm.define_methods(ClassId::MODULE, reflection::METHODS);
    vm.define_methods(ClassId::MODULE, refinements::METHODS);
    vm.define_singleton_methods(ClassId::MODULE, constants::SINGLETON);
    vm.define_singleton_methods(ClassId::MODULE, refinements::SINGLETON);
    vm.define_methods(ClassId::CLASS, CLASS);
    for name in ["append_features", "prepend_features", "extend_object", "module_function", "refine"] {
        let name = Symbol::intern_static(name);
        vm.add_method(
            ClassId::CLASS,
            name,
            Method { name, owner: ClassId::CLASS, visibility: Visibility::Public, body: MethodBody::Undefined },
        );
    }
    refinements::boot(vm);
    for class in [
        ClassId::NIL,
        ClassId::TRUE,
        ClassId::FALSE,
        ClassId::INTEGER,
        ClassId::FLOAT,
        ClassId::SYMBOL,
        ClassId::METHOD,
        ClassId::UNBOUND_METHOD,
        ClassId::BINDING,
    ] {
        vm.undefine_new(class);
    }
    let main = vm.main.clone();
    if let Some(singleton) = vm.singleton_class(&main) {
        vm.class_mut(singleton).label = Some(Label::Object("main".into()));
        vm.define_methods(singleton, MAIN);
    }
}
