//! `dup` and `clone`: copy contents, instance variables and payload; `clone` also the singleton class and the frozen state.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassData, ClassId, ClassKind};
use crate::error::Res;
use crate::frame::{Cref, Definee, RProc};
use crate::heap::{BY_IDENTITY, Gc};
use crate::method::{MethodBody, MethodDef, RubyMethod, any, at_least, def};
use crate::value::{NativeData, RArray, RRange, Value};
use rchef_syntax::symbol::sym;
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    def("dup", dup, 0),
    any("clone", clone),
    def("initialize_copy", initialize_copy, 1).private(),
    def("initialize_dup", initialize_dup, 1).private(),
    at_least("initialize_clone", initialize_clone, 1).private(),
];

fn special(value: &Value) -> bool {
    matches!(
        value,
        Value::Nil
            | Value::True
            | Value::False
            | Value::Int(_)
            | Value::Float(_)
            | Value::Sym(_)
            | Value::Big(_)
            | Value::Undef
    )
}

fn dup(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if special(this) {
        return Ok(this.clone());
    }
    let class = vm.real_class_of(this);
    if [ClassId::METHOD, ClassId::UNBOUND_METHOD, ClassId::ARITHMETIC_SEQUENCE].contains(&class) {
        let shown = vm.class_name(class);
        return Err(vm.type_error(format!("allocator undefined for {shown}")));
    }
    let copy = vm.shallow_copy(this)?;
    initialize(vm, &copy, this, sym::INITIALIZE_DUP, None)?;
    Ok(copy)
}

fn clone(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !args.is_empty() && !args.keywords {
        return Err(vm.arity_error(args.len(), "0"));
    }
    let class = vm.real_class_of(this);
    if !args.is_empty() && [ClassId::METHOD, ClassId::UNBOUND_METHOD, ClassId::PROC].contains(&class) {
        return Err(vm.arity_error(args.len(), "0"));
    }
    let (_, [freeze]) = args.take_keywords(vm, [sym::FREEZE])?;
    let freeze = match freeze {
        None | Some(Value::Nil) => None,
        Some(Value::True) => Some(true),
        Some(Value::False) => Some(false),
        Some(other) => {
            let class = vm.class_name_of(&other);
            return Err(vm.argument_error(format!("unexpected value for freeze: {class}")));
        }
    };
    if special(this) {
        if freeze == Some(false) {
            let class = vm.class_name_of(this);
            return Err(vm.argument_error(format!("can't unfreeze {class}")));
        }
        return Ok(this.clone());
    }
    let copy = vm.shallow_copy(this)?;
    vm.copy_singleton(this, &copy);
    initialize(vm, &copy, this, sym::INITIALIZE_CLONE, freeze)?;
    if freeze.unwrap_or_else(|| vm.frozen(this)) {
        vm.freeze(&copy);
    }
    Ok(copy)
}

/// Calls `initialize_dup` or `initialize_clone` if Ruby code defines it, else `initialize_copy` unless it is Object's.
fn initialize(vm: &mut Vm, copy: &Value, from: &Value, name: Symbol, freeze: Option<bool>) -> Res<()> {
    let class = vm.class_of(copy);
    if let Some(id) = vm.find_method(class, name)
        && !matches!(vm.method(id).body, MethodBody::Native(..))
    {
        match freeze {
            None => vm.invoke(id, copy, name, Args::new(std::slice::from_ref(from)))?,
            Some(freeze) => {
                let keywords = vm.new_hash(vec![(Value::Sym(sym::FREEZE), Value::bool(freeze))])?;
                vm.invoke(id, copy, name, Args::new(&[from.clone(), keywords]).with_keywords(true))?
            }
        };
        return Ok(());
    }
    call_initialize_copy(vm, copy, from)
}

fn call_initialize_copy(vm: &mut Vm, copy: &Value, from: &Value) -> Res<()> {
    let class = vm.class_of(copy);
    let Some(id) = vm.find_method(class, sym::INITIALIZE_COPY) else {
        return vm.call(copy, sym::INITIALIZE_COPY, std::slice::from_ref(from)).map(drop);
    };
    let native = matches!(vm.method(id).body, MethodBody::Native(..));
    // the contents of these have been copied already
    let copied = matches!(copy, Value::Str(_) | Value::Array(_) | Value::Hash(_) | Value::Range(_) | Value::Class(_));
    if native && (copied || vm.method(id).owner == ClassId::KERNEL) {
        return Ok(());
    }
    let class = if let Value::Class(class) = copy { Some(*class) } else { None };
    vm.extension::<Copied>().0.extend(class);
    let result = vm.invoke(id, copy, sym::INITIALIZE_COPY, Args::new(std::slice::from_ref(from)));
    if class.is_some() {
        vm.extension::<Copied>().0.pop();
    }
    result.map(drop)
}

/// Classes and modules that are being copied: `initialize_copy` may be called for them.
#[derive(Default)]
struct Copied(Vec<ClassId>);

/// Object#initialize_copy: checks that both have the same class.
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let from = args.at(0);
    if this.same(from) {
        return Ok(this.clone());
    }
    vm.check_frozen(this)?;
    if let Value::Class(id) = this
        && !vm.extension::<Copied>().0.contains(id)
    {
        let class = vm.class(*id);
        match class.kind {
            ClassKind::Module => return Err(vm.type_error("already initialized module")),
            _ if class.superclass.is_some() => return Err(vm.type_error("already initialized class")),
            _ => {}
        }
    }
    if vm.real_class_of(this) != vm.real_class_of(from) {
        return Err(vm.type_error("initialize_copy should take same class object"));
    }
    Ok(this.clone())
}
fn initialize_dup(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    call_initialize_copy(vm, this, args.at(0))?;
    Ok(this.clone())
}
fn initialize_clone(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [freeze]) = args.take_keywords(vm, [sym::FREEZE])?;
    if pos.len() != 1 {
        return Err(vm.arity_error(pos.len(), "1"));
    }
    match freeze {
        None | Some(Value::Nil | Value::True | Value::False) => {}
        Some(other) => {
            let class = vm.class_name_of(&other);
            return Err(vm.argument_error(format!("unexpected value for freeze: {class}")));
        }
    }
    call_initialize_copy(vm, this, &pos[0])?;
    Ok(this.clone())
}

impl Vm {
    /// A copy of contents, instance variables and payload, not frozen and without singleton class; does not call `initialize_copy`.
    pub fn shallow_copy(&mut self, value: &Value) -> Res {
        let class = self.real_class_of(value);
        let copy = match value {
            Value::Str(gc) => Value::Str(Gc::new(class, gc.get(self).clone())),
            Value::Array(gc) => Value::Array(Gc::new(class, RArray { items: gc.get(self).items.clone().into() })),
            Value::Hash(gc) => {
                let mut contents = gc.get(self).clone();
                contents.iterating = 0;
                let copy = Gc::new(class, contents);
                copy.set_flag(BY_IDENTITY, gc.flag(BY_IDENTITY));
                Value::Hash(copy)
            }
            Value::Range(gc) => {
                let RRange { begin, end, exclusive } = gc.get(self);
                let copy = Gc::new(class, RRange { begin: begin.clone(), end: end.clone(), exclusive: *exclusive });
                Value::Range(copy)
            }
            Value::Proc(gc) => {
                let RProc { kind, lambda } = gc.get(self);
                Value::Proc(Gc::new(class, RProc { kind: kind.clone(), lambda: *lambda }))
            }
            Value::Class(id) => return self.copy_class(*id).map(Value::Class),
            Value::Object(_) => match self.payload(value) {
                None => match self.allocator(class) {
                    Some(allocator) if class == ClassId::METHOD => allocator(self, class)?,
                    _ => Value::object(class),
                },
                Some(data) => match data.duplicate() {
                    Some(data) => Value::boxed_data(class, data),
                    None => match self.allocator(class) {
                        Some(allocator) => allocator(self, class)?,
                        None => Value::object(class),
                    },
                },
            },
            other => return Ok(other.clone()),
        };
        let ivars = self.ivars(value).cloned().unwrap_or_default();
        for (name, held) in ivars.iter() {
            self.ivar_set(&copy, name, held.clone());
        }
        if matches!(value, Value::Str(_) | Value::Array(_) | Value::Hash(_))
            && let Some(data) = self.payload(value).and_then(NativeData::duplicate)
        {
            self.set_payload(&copy, data);
        }
        Ok(copy)
    }

    /// Gives the copy a singleton class like that of the original.
    pub(crate) fn copy_singleton(&mut self, from: &Value, to: &Value) {
        let class = self.class_of(from);
        if matches!(from, Value::Class(_)) || self.class(class).kind != ClassKind::Singleton {
            return;
        }
        if let Some(singleton) = self.singleton_class(to) {
            self.class_mut(singleton).frozen = false;
            self.copy_tables(class, singleton);
            if let Some(meta) = self.class(class).meta {
                let copied = self.meta(singleton);
                self.copy_tables(meta, copied);
            }
        }
    }

    fn copy_tables(&mut self, from: ClassId, to: ClassId) {
        self.copy_chain(from, to);
        let methods: Vec<_> = self.own_methods(from).iter().map(|(name, id)| (*name, *id)).collect();
        for (name, id) in methods {
            let mut method = self.method(id).clone();
            if method.owner == from {
                method.owner = to;
            }
            // Methods of a copied class see the constants and class variables of the copy.
            if let MethodBody::Ruby(body) = &method.body
                && let Some(cref) = scope_in_copy(&body.cref, from, to)
            {
                method.body = MethodBody::Ruby(Rc::new(RubyMethod { code: body.code.clone(), cref }));
            }
            self.add_method(to, name, method);
        }
        let (consts, cvars) = (self.class(from).consts.clone(), self.class(from).cvars.clone());
        let class = self.class_mut(to);
        class.consts = consts;
        class.cvars = cvars;
        self.const_serial += 1;
    }

    fn copy_class(&mut self, id: ClassId) -> Res<ClassId> {
        let class = self.class(id);
        if class.is_singleton() {
            return Err(self.type_error("can't copy singleton class"));
        }
        if id == ClassId::BASIC_OBJECT {
            return Err(self.type_error("can't copy the root class"));
        }
        let (kind, superclass) = (class.kind, class.superclass);
        let mut data = ClassData::new(kind, superclass);
        data.allocator = class.allocator;
        data.ivars = class.ivars.clone();
        data.refinements = class.refinements.clone();
        data.data = class.data.as_ref().and_then(|data| data.duplicate());
        let copy = self.push_class(data);
        if let Some(superclass) = superclass {
            self.class_mut(superclass).dependents.insert(copy);
        }
        self.rebuild_mro(copy);
        self.copy_tables(id, copy);
        if let Some(meta) = self.class(id).meta {
            let superclass = self.class(meta).superclass;
            let copied = self.meta(copy);
            if self.class(copied).superclass != superclass
                && let Some(superclass) = superclass
            {
                self.class_mut(copied).superclass = Some(superclass);
                self.class_mut(superclass).dependents.insert(copied);
                self.rebuild_mro(copied);
            }
            self.copy_tables(meta, copied);
        }
        Ok(copy)
    }
}

/// The lexical scope as it is for a copy of the class: `from` is `to`. None where `from` is not in it.
fn scope_in_copy(cref: &Cref, from: ClassId, to: ClassId) -> Option<Rc<Cref>> {
    let outer = cref.outer.as_ref().and_then(|outer| scope_in_copy(outer, from, to));
    let is_from = cref.module == from;
    if !is_from && outer.is_none() {
        return None;
    }
    let definee = match &cref.definee {
        Definee::Module(module) if *module == from => Definee::Module(to),
        other => other.clone(),
    };
    Some(Rc::new(Cref {
        module: if is_from { to } else { cref.module },
        definee,
        outer: outer.or_else(|| cref.outer.clone()),
        transparent: cref.transparent,
        visibility: cref.visibility.clone(),
        module_function: cref.module_function.clone(),
        refinements: cref.refinements.clone(),
    }))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::KERNEL, METHODS);
}
