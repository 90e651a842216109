//! Instance variables and singleton methods by name: `instance_variable_get`, `define_singleton_method`, `methods`, `extend` …

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::error::Res;
use crate::method::{MethodDef, Visibility, any, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;

static METHODS: &[MethodDef] = &[
    def("instance_variable_get", get, 1),
    def("instance_variable_set", set, 2),
    def("instance_variable_defined?", defined, 1),
    def("instance_variables", names, 0),
    def("remove_instance_variable", remove, 1),
    def("singleton_class", singleton_class, 0),
    opt("define_singleton_method", define_singleton_method, 1, 2),
    opt("methods", methods, 0, 1),
    opt("public_methods", public_methods, 0, 1),
    opt("private_methods", private_methods, 0, 1),
    opt("protected_methods", protected_methods, 0, 1),
    opt("singleton_methods", singleton_methods, 0, 1),
    any("extend", extend),
    def("tap", tap, 0),
    def("then", then, 0),
    def("yield_self", then, 0),
    opt("display", display, 0, 1),
];

fn ivar_name(vm: &mut Vm, this: &Value, value: &Value) -> Res<Symbol> {
    let name = vm.to_name(value)?;
    let bytes = name.as_bytes();
    let fine = bytes.len() > 1
        && bytes[0] == b'@'
        && bytes[1] != b'@'
        && !bytes[1].is_ascii_digit()
        && bytes[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    if fine {
        Ok(name)
    } else {
        Err(vm.name_error(format!("`{name}' is not allowed as an instance variable name"), this, name))
    }
}
fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = ivar_name(vm, this, args.at(0))?;
    Ok(vm.ivar_get(this, name).unwrap_or_default())
}
fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = ivar_name(vm, this, args.at(0))?;
    vm.check_frozen(this)?;
    vm.ivar_set(this, name, args.at(1).clone());
    Ok(args.at(1).clone())
}
fn defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = ivar_name(vm, this, args.at(0))?;
    Ok(Value::bool(vm.ivar_get(this, name).is_some()))
}
fn names(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    // natives use names that are not valid in Ruby code for hidden instance variables
    let named = vm.ivar_names(this).into_iter().filter(|name| name.as_bytes().first() == Some(&b'@'));
    Ok(Value::array(named.map(Value::Sym).collect()))
}
fn remove(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = ivar_name(vm, this, args.at(0))?;
    vm.check_frozen(this)?;
    match vm.ivar_remove(this, name) {
        Some(value) => Ok(value),
        None => {
            let shown = vm.inspect(this)?;
            Err(vm.name_error(format!("instance variable {name} not defined for {shown}"), this, name))
        }
    }
}
fn singleton_class(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match vm.singleton_class(this) {
        Some(id) => Ok(Value::Class(id)),
        None => Err(vm.type_error("can't define singleton")),
    }
}
fn define_singleton_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(class) = vm.singleton_class(this) else { return Err(vm.type_error("can't define singleton")) };
    let name = vm.to_name(args.at(0))?;
    let method = super::module::methods::method_given(vm, class, name, Visibility::Public, args)?;
    vm.check_singleton_frozen(this)?;
    vm.add_method(class, name, method);
    vm.call_hook(this, sym::SINGLETON_METHOD_ADDED, name)?;
    Ok(Value::Sym(name))
}

fn collect(vm: &mut Vm, this: &Value, wanted: impl Fn(Visibility) -> bool, all: bool) -> Value {
    let class = vm.class_of(this);
    let mut up_to = Vec::new();
    for ancestor in vm.class(class).mro.clone().iter() {
        up_to.push(*ancestor);
        // without `all`, up to the first class that is not a singleton class
        if !all && !vm.class(*ancestor).is_singleton() && !vm.class(*ancestor).is_module() {
            break;
        }
    }
    let names = vm.method_names(&up_to, wanted);
    Value::array(names.into_iter().map(Value::Sym).collect())
}
fn methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.get(0).is_some_and(|all| !all.truthy()) {
        return singleton_methods(vm, this, Args::new(&[Value::False]));
    }
    Ok(collect(vm, this, |visibility| visibility != Visibility::Private, true))
}
fn all(args: Args<'_>) -> bool {
    args.get(0).is_none_or(Value::truthy)
}
fn public_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(collect(vm, this, |visibility| visibility == Visibility::Public, all(args)))
}
fn private_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(collect(vm, this, |visibility| visibility == Visibility::Private, all(args)))
}
fn protected_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(collect(vm, this, |visibility| visibility == Visibility::Protected, all(args)))
}
fn singleton_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = vm.class_of(this);
    let all = all(args);
    let mut up_to = Vec::new();
    match this {
        Value::Class(id) => {
            let own = vm.class(*id).meta;
            for ancestor in vm.class(class).mro.clone().iter() {
                let data = vm.class(*ancestor);
                if data.is_singleton() {
                    if !all && Some(*ancestor) != own {
                        break;
                    }
                    up_to.push(*ancestor);
                } else if data.is_module() && all {
                    up_to.push(*ancestor);
                } else if !data.is_module() {
                    break;
                }
            }
        }
        _ => {
            if vm.class(class).kind == ClassKind::Singleton {
                for ancestor in vm.class(class).mro.clone().iter() {
                    let data = vm.class(*ancestor);
                    if data.is_singleton() || (data.is_module() && all) {
                        up_to.push(*ancestor);
                    } else if !data.is_module() {
                        break;
                    }
                }
            }
        }
    }
    let names = vm.method_names(&up_to, |visibility| visibility != Visibility::Private);
    Ok(Value::array(names.into_iter().map(Value::Sym).collect()))
}
fn extend(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    super::module::module_args(vm, args)?;
    for module in args.pos.iter().rev() {
        vm.call(module, sym::EXTEND_OBJECT, std::slice::from_ref(this))?;
        vm.call(module, sym::EXTENDED, std::slice::from_ref(this))?;
    }
    Ok(this.clone())
}
fn tap(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.no_block()) };
    vm.yield1(block, this.clone())?;
    Ok(this.clone())
}
fn then(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.block {
        Some(block) => vm.yield1(block, this.clone()),
        None => {
            let (name, size) = (Symbol::intern_static("then"), super::enumerator::Size::Value(Value::Int(1)));
            Ok(super::enumerator::with_size(vm, this, name, &[], size))
        }
    }
}
fn display(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.get(0) {
        Some(port) => {
            vm.call(port, sym::WRITE, std::slice::from_ref(this))?;
        }
        None => {
            let text = vm.to_s(this)?;
            let bytes = text.get(vm).bytes().to_vec();
            vm.write_stdout(&bytes)?;
        }
    }
    Ok(Value::Nil)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::KERNEL, METHODS);
}
