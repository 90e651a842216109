//! Method and UnboundMethod.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::{ClassId, ClassKind};
use crate::core::object::refined_in_class;
use crate::error::Res;
use crate::frame::{ProcKind, RProc};
use crate::heap::Gc;
use crate::method::{Arity, AttributePlaces, MethodBody, MethodDef, MethodId, Visibility, any, def, opt};
use crate::value::{NativeData, Value};
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Code, KwRest};
use std::sync::Arc;

/// A Method or UnboundMethod.
#[derive(Clone)]
pub struct MethodData {
    /// Receiver; `Undef` for an UnboundMethod.
    pub receiver: Value,
    /// The method; None if only `respond_to_missing?` says that there is one.
    pub id: Option<MethodId>,
    /// The name it was requested by.
    pub name: Symbol,
    /// The class or module that has it in its table.
    pub owner: ClassId,
    /// The class in which it was looked up.
    pub class: ClassId,
}
impl NativeData for MethodData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.receiver);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static OBJECT: &[MethodDef] = &[
    def("method", object_method, 1),
    def("public_method", object_public_method, 1),
    def("singleton_method", object_singleton_method, 1),
];
static METHOD: &[MethodDef] = &[
    any("call", call),
    any("()", call),
    any("===", call),
    any("[]", call),
    def("to_proc", to_proc, 0),
    def("receiver", receiver, 0),
    def("unbind", unbind, 0),
    opt("curry", curry, 0, 1),
    def(">>", compose_right, 1),
    def("<<", compose_left, 1),
];
static UNBOUND: &[MethodDef] = &[def("bind", bind, 1), any("bind_call", bind_call)];
static BOTH: &[MethodDef] = &[
    def("name", name, 0),
    def("original_name", original_name, 0),
    def("owner", owner, 0),
    def("arity", arity, 0),
    def("parameters", parameters, 0),
    def("source_location", source_location, 0),
    def("super_method", super_method, 0),
    def("inspect", inspect, 0),
    def("to_s", inspect, 0),
    def("==", equal, 1),
    def("eql?", equal, 1),
    def("hash", hash, 0),
    def("public?", is_public, 0),
    def("private?", is_private, 0),
    def("protected?", is_protected, 0),
];

fn state(vm: &mut Vm, value: &Value) -> Res<MethodData> {
    match vm.data::<MethodData>(value) {
        Some(data) => Ok(data.clone()),
        None => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("wrong argument type {described} (expected method)")))
        }
    }
}

/// The method of a Method or UnboundMethod.
pub(crate) fn id_of(vm: &Vm, value: &Value) -> Option<MethodId> {
    vm.data::<MethodData>(value).and_then(|data| data.id)
}

/// The code of a Proc; None for a native one.
pub(crate) fn code_of_proc(vm: &Vm, proc: &Gc<RProc>) -> Option<Arc<Code>> {
    match &proc.get(vm).kind {
        ProcKind::Ruby { code, .. } => Some(code.clone()),
        _ => None,
    }
}
/// The code of a method; None for a native one.
pub(crate) fn code_of(vm: &Vm, id: MethodId) -> Option<Arc<Code>> {
    match &vm.method(id).body {
        MethodBody::Ruby(method) => Some(method.code.clone()),
        MethodBody::Proc(proc) => code_of_proc(vm, proc),
        _ => None,
    }
}

/// The Method of an object; None if there is none and `respond_to_missing?` is false.
pub(crate) fn lookup(vm: &mut Vm, receiver: &Value, name: Symbol) -> Res<Option<MethodData>> {
    let class = vm.class_of(receiver);
    if let Some(id) = refined_in_class(vm, class, name) {
        let owner = vm.method(id).owner;
        return Ok(Some(MethodData { receiver: receiver.clone(), id: Some(id), name, owner, class }));
    }
    if let Some(id) = vm.find_method(class, name) {
        let owner = vm.method_holder(class, name).unwrap_or(class);
        return Ok(Some(MethodData { receiver: receiver.clone(), id: Some(id), name, owner, class }));
    }
    if let Some(id) = vm.find_method(class, sym::RESPOND_TO_MISSING)
        && !matches!(vm.method(id).body, MethodBody::Native(..))
        && vm.invoke(id, receiver, sym::RESPOND_TO_MISSING, Args::new(&[Value::Sym(name), Value::True]))?.truthy()
    {
        return Ok(Some(MethodData { receiver: receiver.clone(), id: None, name, owner: vm.real_class(class), class }));
    }
    Ok(None)
}
pub(crate) fn unbound(vm: &mut Vm, class: ClassId, name: Symbol) -> Res {
    if let Some(id) = refined_in_class(vm, class, name) {
        let owner = vm.method(id).owner;
        let data = MethodData { receiver: Value::Undef, id: Some(id), name, owner, class };
        return Ok(Value::data(ClassId::UNBOUND_METHOD, data));
    }
    let Some(id) = vm.find_method(class, name) else { return Err(vm.undefined_method_for_class(class, name)) };
    let owner = vm.method_holder(class, name).unwrap_or(class);
    Ok(Value::data(ClassId::UNBOUND_METHOD, MethodData { receiver: Value::Undef, id: Some(id), name, owner, class }))
}

fn object_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    match lookup(vm, this, name)? {
        Some(data) => Ok(Value::data(ClassId::METHOD, data)),
        None => {
            let class = match this {
                Value::Class(_) => vm.class_of(this),
                _ => vm.real_class_of(this),
            };
            let shown = match this {
                Value::Class(id) => format!("#<Class:{}>", vm.class_name(*id)),
                _ => vm.class_name(class),
            };
            Err(vm.name_error(format!("undefined method `{name}' for class `{shown}'"), this, name))
        }
    }
}
/// NameError unless a method, found by a name in a class or module of this kind and name, is public.
pub(crate) fn check_public(
    vm: &mut Vm,
    this: &Value,
    id: MethodId,
    (name, kind, shown): (Symbol, &str, &str),
) -> Res<()> {
    let visibility = match vm.method(id).visibility {
        Visibility::Public => return Ok(()),
        Visibility::Private => "private",
        Visibility::Protected => "protected",
    };
    Err(vm.name_error(format!("method `{name}' for {kind} `{shown}' is {visibility}"), this, name))
}
fn object_public_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let class = vm.class_of(this);
    if let Some(id) = refined_in_class(vm, class, name).or_else(|| vm.find_method(class, name)) {
        let shown = vm.class_name(vm.real_class(class));
        check_public(vm, this, id, (name, "class", &shown))?;
    }
    object_method(vm, this, args)
}
fn object_singleton_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let class = vm.class_of(this);
    if vm.class(class).is_singleton()
        && (!matches!(this, Value::Class(id) if vm.class(*id).meta != Some(class)))
        && let Some(id) = vm.own_method(class, name)
        && !matches!(vm.method(id).body, MethodBody::Undefined)
    {
        return Ok(Value::data(
            ClassId::METHOD,
            MethodData { receiver: this.clone(), id: Some(id), name, owner: class, class },
        ));
    }
    let shown = vm.inspect(this)?;
    Err(vm.name_error(format!("undefined singleton method `{name}' for `{shown}'"), this, name))
}

impl Vm {
    /// Calls the method of a Method object.
    pub fn call_method_object(&mut self, data: &MethodData, args: Args<'_>) -> Res {
        match data.id {
            Some(id) => self.invoke(id, &data.receiver, data.name, args),
            None => self.method_missing(&data.receiver, data.name, args, CallKind::Method),
        }
    }
}
fn call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = state(vm, this)?;
    vm.call_method_object(&data, args)
}
fn to_proc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let kind = match data.id {
        Some(id) => ProcKind::Method(data.receiver.clone(), id, data.name),
        None => {
            let data = data.clone();
            ProcKind::Native(
                std::rc::Rc::new(move |vm: &mut Vm, _: &Value, args: Args<'_>| vm.call_method_object(&data, args)),
                Arity::ANY,
            )
        }
    };
    Ok(Value::Proc(Gc::new(ClassId::PROC, RProc { kind, lambda: true })))
}
fn receiver(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(state(vm, this)?.receiver)
}
fn unbind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(Value::data(ClassId::UNBOUND_METHOD, MethodData { receiver: Value::Undef, ..data }))
}
fn curry(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = to_proc(vm, this, Args::none())?;
    super::proc::curry(vm, &proc, args)
}
fn compose_right(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    super::proc::compose(vm, this, args.at(0), true, true)
}
fn compose_left(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    super::proc::compose(vm, args.at(0), this, false, true)
}

/// TypeError unless a method can be bound to objects of a class.
fn check_bind(vm: &mut Vm, data: &MethodData, class: ClassId) -> Res<()> {
    let owner = data.id.map_or(data.owner, |id| vm.method(id).owner);
    let owner = if vm.class(data.owner).is_module() { data.owner } else { owner };
    let owner = super::module::refinements::refined_by(vm, owner).unwrap_or(owner);
    if vm.class(owner).is_module() || vm.is_subclass(class, owner) {
        return Ok(());
    }
    if vm.class(owner).is_singleton() {
        return Err(vm.type_error("singleton method called for a different object"));
    }
    let shown = vm.class_name(owner);
    Err(vm.type_error(format!("bind argument must be an instance of {shown}")))
}
fn bind(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let class = vm.class_of(args.at(0));
    check_bind(vm, &data, class)?;
    let bound = bound_to(vm, data, args.at(0), class);
    Ok(Value::data(ClassId::METHOD, bound))
}
/// A method bound to an object of a class: that of the nearest place of its module among the ancestors.
fn bound_to(vm: &mut Vm, data: MethodData, receiver: &Value, class: ClassId) -> MethodData {
    let bound = MethodData { receiver: receiver.clone(), class, ..data };
    let Some(id) = bound.id else { return bound };
    let (owner, name) = (vm.method(id).owner, vm.method(id).name);
    let (module, ancestors) = (vm.module_behind(owner), vm.class(class).mro.clone());
    match ancestors.iter().find(|ancestor| vm.module_behind(**ancestor) == module) {
        Some(nearest) if *nearest != owner => match vm.own_method(*nearest, name) {
            Some(own) => MethodData { id: Some(own), ..bound },
            None => bound,
        },
        _ => bound,
    }
}
fn bind_call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(receiver) = args.get(0) else { return Err(vm.arity_error(0, "1+")) };
    let data = state(vm, this)?;
    let class = vm.class_of(receiver);
    check_bind(vm, &data, class)?;
    let data = bound_to(vm, data, receiver, class);
    vm.call_method_object(&data, args.from(1))
}

/// The body that `define_method` takes from a Method or UnboundMethod.
pub(crate) fn body_for(vm: &mut Vm, value: &Value, class: ClassId) -> Res<MethodBody> {
    let Some(data) = vm.data::<MethodData>(value).cloned() else {
        let described = vm.describe(value);
        return Err(vm.type_error(format!("wrong argument type {described} (expected Proc/Method/UnboundMethod)")));
    };
    let owner = data.owner;
    if !vm.class(owner).is_module() && !vm.is_subclass(class, owner) {
        if vm.class(owner).is_singleton() {
            return Err(vm.type_error("can't bind singleton method to a different class"));
        }
        let shown = vm.class_name(owner);
        return Err(vm.type_error(format!("bind argument must be a subclass of {shown}")));
    }
    Ok(match data.id {
        Some(id) => vm.method(id).body.clone(),
        None => {
            let data = data.clone();
            MethodBody::Closure(
                std::rc::Rc::new(move |vm: &mut Vm, this: &Value, args: Args<'_>| {
                    vm.method_missing(this, data.name, args, CallKind::Method)
                }),
                Arity::ANY,
            )
        }
    })
}

/// The name by which a Method or UnboundMethod was defined.
pub(crate) fn source_name(vm: &Vm, value: &Value) -> Option<Symbol> {
    let id = vm.data::<MethodData>(value)?.id?;
    Some(vm.method(id).name)
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Sym(state(vm, this)?.name))
}
fn original_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(Value::Sym(data.id.map_or(data.name, |id| vm.method(id).name)))
}
fn owner(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    // an entry that only changes the visibility has the owner of the original
    if let Some(id) = data.id
        && vm.method(id).name == data.name
    {
        return Ok(Value::Class(vm.module_behind(vm.method(id).owner)));
    }
    Ok(Value::Class(vm.module_behind(data.owner)))
}
fn arity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(Value::Int(data.id.map_or(-1, |id| vm.method_arity(id))))
}
fn parameters(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    match data.id {
        Some(id) => Ok(method_parameters(vm, id)),
        None => Ok(native_parameters(Arity::ANY, true)),
    }
}
pub(super) fn method_parameters(vm: &Vm, id: MethodId) -> Value {
    match &vm.method(id).body {
        MethodBody::Ruby(method) => code_parameters(&method.code, true),
        MethodBody::Proc(proc) => proc_parameters(vm, proc, true),
        MethodBody::Native(_, arity) | MethodBody::Closure(_, arity) => native_parameters(*arity, true),
        MethodBody::Writer(_) => native_parameters(Arity { min: 1, max: Some(1) }, true),
        MethodBody::Reader(_) | MethodBody::Undefined => Value::array(Vec::new()),
    }
}
pub(crate) fn proc_parameters(vm: &Vm, proc: &Gc<RProc>, lambda: bool) -> Value {
    let data = proc.get(vm);
    match &data.kind {
        ProcKind::Ruby { code, .. } => code_parameters(code, lambda),
        ProcKind::Native(_, arity) => native_parameters(*arity, lambda),
        ProcKind::Held(_) => native_parameters(Arity::ANY, lambda),
        ProcKind::Method(_, id, _) => method_parameters(vm, *id),
        ProcKind::Symbol(_) => Value::array(vec![pair("req", None), pair("rest", None)]),
    }
}
fn pair(kind: &'static str, name: Option<Symbol>) -> Value {
    let mut items = vec![Value::Sym(Symbol::intern_static(kind))];
    items.extend(name.map(Value::Sym));
    Value::array(items)
}
/// Like C functions in MRI, natives have a fixed number of parameters or any.
fn native_parameters(arity: Arity, lambda: bool) -> Value {
    if arity.max == Some(arity.min) {
        return Value::array((0..arity.min).map(|_| pair(if lambda { "req" } else { "opt" }, None)).collect());
    }
    Value::array(vec![pair("rest", None)])
}
pub(super) fn code_parameters(code: &Code, lambda: bool) -> Value {
    let params = &code.params;
    let named = |slot: u16| code.locals.get(usize::from(slot)).copied().filter(|name| !name.as_bytes().is_empty());
    let mut items = Vec::new();
    let required = |slot: u16| match named(slot) {
        Some(name) if params.numbered > 0 || !name.as_bytes().is_empty() => {
            pair(if lambda { "req" } else { "opt" }, Some(name))
        }
        _ if lambda => pair("req", None),
        _ => Value::array(vec![Value::Sym(Symbol::intern_static("opt")), Value::Nil]),
    };
    items.extend((0..params.required).map(required));
    items.extend(params.optional.iter().map(|(slot, _)| pair("opt", named(*slot))));
    let anonymous = |slot: u16, hidden: Symbol, shown: &'static str| match named(slot) {
        Some(name) if name == hidden => params.forward_all.then(|| Symbol::intern_static(shown)),
        other => other,
    };
    if let Some(slot) = params.rest {
        items.push(pair("rest", anonymous(slot, sym::ANON_REST, "*")));
    }
    items.extend((params.post_start..params.post_start + params.post).map(required));
    for required in [true, false] {
        items.extend(
            params
                .keywords
                .iter()
                .filter(|keyword| keyword.default.is_none() == required)
                .map(|keyword| pair(if required { "keyreq" } else { "key" }, Some(keyword.name))),
        );
    }
    match params.kwrest {
        KwRest::Slot(slot) => items.push(pair("keyrest", anonymous(slot, sym::ANON_KWREST, "**"))),
        KwRest::Nil => items.push(pair("nokey", None)),
        KwRest::None => {}
    }
    if let Some(slot) = params.block {
        let name = match named(slot) {
            Some(name) if name == sym::ANON_BLOCK => Some(Symbol::intern_static("&")),
            other => other,
        };
        items.push(pair("block", name));
    }
    Value::array(items)
}
/// File and line of code, as an Array.
pub(crate) fn location(code: &Code) -> Value {
    Value::array(vec![Value::str(&code.file.path), Value::Int(i64::from(code.line))])
}
pub(super) fn body_location(vm: &Vm, id: MethodId) -> Value {
    match &vm.method(id).body {
        MethodBody::Ruby(method) => location(&method.code),
        MethodBody::Proc(proc) => super::proc::location_of(vm, proc),
        MethodBody::Reader(_) | MethodBody::Writer(_) => {
            match vm.extension_ref::<AttributePlaces>().and_then(|places| places.of(id)) {
                Some((file, line)) => Value::array(vec![Value::str(file), Value::Int(i64::from(line))]),
                None => Value::Nil,
            }
        }
        _ => Value::Nil,
    }
}
fn source_location(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(data.id.map(|id| body_location(vm, id)).unwrap_or_default())
}
fn super_method(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let Some(id) = data.id else { return Ok(Value::Nil) };
    let name = vm.method(id).name;
    match vm.find_super_method(data.class, data.owner, name) {
        Some(id) => {
            let owner = vm.method(id).owner;
            let class = vm.class_name(vm.real_class_of(this));
            let of = if class == "Method" { ClassId::METHOD } else { ClassId::UNBOUND_METHOD };
            // an unbound method is that of the class it was found in; the ancestors of a module are still those of the class
            let asked = data.receiver.is_undef() && !vm.class(owner).is_module();
            let class = if asked { owner } else { data.class };
            Ok(Value::data(of, MethodData { id: Some(id), owner, class, ..data }))
        }
        None => Ok(Value::Nil),
    }
}
fn shown_parameters(vm: &mut Vm, list: &Value, forward_all: bool) -> String {
    let Value::Array(list) = list else { return String::new() };
    let items = list.get(vm).items.clone();
    let mut parts = Vec::new();
    for item in &items {
        let Value::Array(pair) = item else { continue };
        let pair = pair.get(vm);
        let (Some(Value::Sym(kind)), name) = (pair.items.first(), pair.items.get(1)) else { continue };
        let name = match name {
            Some(Value::Sym(name)) => name.as_str(),
            _ => "",
        };
        let or_underscore = if name.is_empty() { "_" } else { name };
        parts.push(match kind.as_str() {
            "req" => or_underscore.to_string(),
            "opt" => format!("{or_underscore}=..."),
            "keyreq" => format!("{name}:"),
            "key" => format!("{name}: ..."),
            "rest" => format!("*{}", name.trim_start_matches('*')),
            "keyrest" => format!("**{}", name.trim_start_matches('*')),
            "block" => format!("&{}", name.trim_start_matches('&')),
            _ => "**nil".to_string(),
        });
    }
    let text = parts.join(", ");
    if forward_all { text.trim_end_matches("*, **, &").to_string() + "..." } else { text }
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let kind = vm.class_name_of(this);
    let mut out = format!("#<{kind}: ");
    let defined = data.id.map_or(data.owner, |id| vm.method(id).owner);
    let bound = !data.receiver.is_undef();
    if let (Value::Class(id), ClassKind::Meta(of)) = (&data.receiver, vm.class(data.owner).kind) {
        out.push_str(&vm.class_name(*id));
        if of != *id {
            out.push_str(&format!("({})", vm.class_name(of)));
        }
        out.push('.');
    } else if bound && vm.class(data.owner).kind == ClassKind::Singleton {
        out.push_str(&vm.inspect(&data.receiver)?);
        out.push('.');
    } else {
        let from = if let (true, Value::Class(id)) = (bound, &data.receiver) {
            format!("#<Class:{}>", vm.class_name(*id))
        } else if bound {
            vm.class_name(vm.real_class(data.class))
        } else {
            vm.class_name(data.class)
        };
        let own = vm.class_name(defined);
        out.push_str(&if own == from { from } else { format!("{from}({own})") });
        out.push('#');
    }
    out.push_str(data.name.as_str());
    if let Some(id) = data.id {
        let original = vm.method(id).name;
        if original != data.name {
            out.push_str(&format!("({original})"));
        }
        let list = method_parameters(vm, id);
        let forward_all = matches!(&vm.method(id).body, MethodBody::Ruby(method) if method.code.params.forward_all);
        out.push_str(&format!("({})", shown_parameters(vm, &list, forward_all)));
        if let Value::Array(place) = body_location(vm, id)
            && let [file, Value::Int(line)] = place.get(vm).items.clone().as_slice()
        {
            out.push_str(&format!(" {}:{line}", vm.to_s_text(file)?));
        }
    } else {
        out.push_str("(*)");
    }
    out.push('>');
    Ok(Value::str(out))
}
pub(crate) fn same_body(a: &MethodBody, b: &MethodBody) -> bool {
    match (a, b) {
        (MethodBody::Ruby(a), MethodBody::Ruby(b)) => std::rc::Rc::ptr_eq(a, b),
        (MethodBody::Native(a, _), MethodBody::Native(b, _)) => std::ptr::fn_addr_eq(*a, *b),
        (MethodBody::Closure(a, _), MethodBody::Closure(b, _)) => std::rc::Rc::ptr_eq(a, b),
        (MethodBody::Proc(a), MethodBody::Proc(b)) => a.same(b),
        (MethodBody::Reader(a), MethodBody::Reader(b)) | (MethodBody::Writer(a), MethodBody::Writer(b)) => a == b,
        _ => false,
    }
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.class_of(this) != vm.class_of(args.at(0)) {
        return Ok(Value::False);
    }
    let (Some(a), Some(b)) = (vm.data::<MethodData>(this), vm.data::<MethodData>(args.at(0))) else {
        return Ok(Value::False);
    };
    let same_receiver = a.receiver.same(&b.receiver) && (!a.receiver.is_undef() || a.class == b.class);
    let same = match (a.id, b.id) {
        (Some(x), Some(y)) => {
            (x == y || same_body(&vm.method(x).body, &vm.method(y).body)) && vm.method(x).owner == vm.method(y).owner
        }
        (None, None) => a.name == b.name,
        _ => false,
    };
    Ok(Value::bool(same_receiver && same))
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let body = data.id.map_or(0, |id| match &vm.method(id).body {
        // aliases are equal but have ids of their own, so ids cannot be used; addresses must not be visible
        MethodBody::Ruby(method) => u64::from(method.code.line) + 1,
        MethodBody::Native(..) => 2,
        MethodBody::Proc(_) => 3,
        _ => 4,
    });
    let own = if data.receiver.is_undef() { 1 } else { vm.object_id(&data.receiver) as u64 };
    Ok(Value::Int(crate::coerce::mix(own, body) as i64 >> 2))
}
fn visibility(vm: &mut Vm, this: &Value, wanted: crate::method::Visibility) -> Res {
    let data = state(vm, this)?;
    Ok(Value::bool(data.id.map_or(crate::method::Visibility::Public, |id| vm.method(id).visibility) == wanted))
}
fn is_public(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    visibility(vm, this, crate::method::Visibility::Public)
}
fn is_private(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    visibility(vm, this, crate::method::Visibility::Private)
}
fn is_protected(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    visibility(vm, this, crate::method::Visibility::Protected)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::KERNEL, OBJECT);
    vm.define_methods(ClassId::METHOD, METHOD);
    vm.define_methods(ClassId::METHOD, BOTH);
    vm.define_methods(ClassId::UNBOUND_METHOD, UNBOUND);
    vm.define_methods(ClassId::UNBOUND_METHOD, BOTH);
}
