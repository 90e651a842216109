//! Reflection on classes and modules: ancestors, method lists, comparisons, `instance_method`, visibility predicates.

use super::module_arg;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::this_class;
use crate::class::{ClassId, ClassKind};
use crate::error::Res;
use crate::method::{MethodBody, MethodDef, MethodId, Visibility, def, opt};
use crate::value::Value;

pub(super) static METHODS: &[MethodDef] = &[
    def("ancestors", ancestors, 0),
    def("included_modules", included_modules, 0),
    def("include?", include_p, 1),
    def("<", less, 1),
    def("<=", less_equal, 1),
    def(">", greater, 1),
    def(">=", greater_equal, 1),
    def("<=>", compare, 1),
    opt("instance_methods", instance_methods, 0, 1),
    opt("public_instance_methods", public_instance_methods, 0, 1),
    opt("private_instance_methods", private_instance_methods, 0, 1),
    opt("protected_instance_methods", protected_instance_methods, 0, 1),
    opt("method_defined?", method_defined, 1, 2),
    opt("public_method_defined?", public_method_defined, 1, 2),
    opt("private_method_defined?", private_method_defined, 1, 2),
    opt("protected_method_defined?", protected_method_defined, 1, 2),
    def("instance_method", instance_method, 1),
    def("public_instance_method", public_instance_method, 1),
    def("singleton_class?", singleton_class_p, 0),
    def("freeze", freeze, 0),
    def("hash", hash, 0),
];

fn ancestors(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mro = &vm.class(this_class(this)).mro;
    Ok(Value::array(mro.iter().map(|id| Value::Class(vm.module_behind(*id))).collect()))
}
fn included_modules(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = this_class(this);
    Ok(Value::array(
        vm.class(class)
            .mro
            .iter()
            .filter(|id| **id != class && vm.class(**id).is_module())
            .map(|id| Value::Class(vm.module_behind(*id)))
            .collect(),
    ))
}
fn include_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let module = module_arg(vm, args.at(0))?;
    let class = this_class(this);
    Ok(Value::bool(class != module && vm.class(class).mro.contains(&module)))
}
fn other_class(vm: &mut Vm, value: &Value) -> Res<ClassId> {
    match value {
        Value::Class(id) => Ok(*id),
        _ => Err(vm.type_error("compared with non class/module")),
    }
}
fn relation(vm: &Vm, a: ClassId, b: ClassId) -> Option<bool> {
    if vm.is_subclass(a, b) {
        Some(true)
    } else if vm.is_subclass(b, a) {
        Some(false)
    } else {
        None
    }
}
fn less(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = (this_class(this), other_class(vm, args.at(0))?);
    Ok(if a == b { Value::False } else { relation(vm, a, b).map_or(Value::Nil, Value::bool) })
}
fn less_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = (this_class(this), other_class(vm, args.at(0))?);
    Ok(relation(vm, a, b).map_or(Value::Nil, Value::bool))
}
fn greater(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = (this_class(this), other_class(vm, args.at(0))?);
    Ok(if a == b { Value::False } else { relation(vm, b, a).map_or(Value::Nil, Value::bool) })
}
fn greater_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (a, b) = (this_class(this), other_class(vm, args.at(0))?);
    Ok(relation(vm, b, a).map_or(Value::Nil, Value::bool))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Class(b) = args.at(0) else { return Ok(Value::Nil) };
    let a = this_class(this);
    if a == *b {
        return Ok(Value::Int(0));
    }
    Ok(relation(vm, a, *b).map_or(Value::Nil, |below| Value::Int(if below { -1 } else { 1 })))
}

impl Vm {
    /// Names of methods in these tables whose first entry has a wanted visibility, in order.
    pub(crate) fn method_names(&mut self, tables: &[ClassId], wanted: impl Fn(Visibility) -> bool) -> Vec<Symbol> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut names = Vec::new();
        for class in tables {
            let own: Vec<_> = self.own_methods(*class).iter().map(|(name, id)| (*name, *id)).collect();
            for (name, id) in own {
                if !seen.insert(name) {
                    continue;
                }
                let method = self.method(id);
                if !matches!(method.body, MethodBody::Undefined) && wanted(method.visibility) {
                    names.push(name);
                }
            }
        }
        names
    }
    /// The class or module of whose instances a protected method may be called: where it was made protected, which may be below its owner.
    pub(crate) fn protected_in(&mut self, class: ClassId, name: Symbol, id: MethodId) -> ClassId {
        let owner = self.method(id).owner;
        if self.own_method(owner, name) == Some(id) {
            return owner;
        }
        self.method_holder(class, name).unwrap_or(owner)
    }
    /// The class or module in which a method is found.
    pub fn method_holder(&mut self, class: ClassId, name: Symbol) -> Option<ClassId> {
        let mro = self.class(class).mro.clone();
        mro.iter().find(|ancestor| self.own_method(**ancestor, name).is_some()).copied()
    }
}

fn list(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: impl Fn(Visibility) -> bool) -> Res {
    let class = this_class(this);
    let tables: Vec<ClassId> =
        if args.get(0).is_none_or(Value::truthy) { vm.class(class).mro.to_vec() } else { vec![class] };
    let names = vm.method_names(&tables, wanted);
    Ok(Value::array(names.into_iter().map(Value::Sym).collect()))
}
fn instance_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    list(vm, this, args, |visibility| visibility != Visibility::Private)
}
fn public_instance_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    list(vm, this, args, |visibility| visibility == Visibility::Public)
}
fn private_instance_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    list(vm, this, args, |visibility| visibility == Visibility::Private)
}
fn protected_instance_methods(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    list(vm, this, args, |visibility| visibility == Visibility::Protected)
}
fn question(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: impl Fn(Visibility) -> bool) -> Res {
    let name = vm.to_name(args.at(0))?;
    let class = this_class(this);
    // without the ancestors, prepended modules do not count either
    let found = match args.get(1) {
        Some(Value::Nil | Value::False) => vm.own_method(class, name),
        _ => vm.find_method(class, name),
    };
    Ok(Value::bool(found.is_some_and(|id| {
        let method = vm.method(id);
        !matches!(method.body, MethodBody::Undefined) && wanted(method.visibility)
    })))
}
fn method_defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    question(vm, this, args, |visibility| visibility != Visibility::Private)
}
fn public_method_defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    question(vm, this, args, |visibility| visibility == Visibility::Public)
}
fn private_method_defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    question(vm, this, args, |visibility| visibility == Visibility::Private)
}
fn protected_method_defined(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    question(vm, this, args, |visibility| visibility == Visibility::Protected)
}
fn instance_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    crate::core::method::unbound(vm, this_class(this), name)
}
fn public_instance_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let class = this_class(this);
    if let Some(id) = crate::core::object::refined_in_class(vm, class, name).or_else(|| vm.find_method(class, name)) {
        let (kind, shown) = (if vm.class(class).is_module() { "module" } else { "class" }, vm.class_name(class));
        crate::core::method::check_public(vm, this, id, (name, kind, &shown))?;
    }
    crate::core::method::unbound(vm, class, name)
}
fn singleton_class_p(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(matches!(vm.class(this_class(this)).kind, ClassKind::Meta(_) | ClassKind::Singleton)))
}
fn freeze(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.freeze(this);
    if let Some(meta) = vm.class(this_class(this)).meta {
        vm.class_mut(meta).frozen = true;
    }
    Ok(this.clone())
}
fn hash(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(crate::coerce::mix(6, this_class(this).0) as i64 >> 2))
}
