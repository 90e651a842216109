//! BasicObject, and the instance methods of Object (defined in Kernel, as in MRI).

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::core::natives::{itself, nothing};
use crate::error::Res;
use crate::frame::Definee;
use crate::method::{MethodBody, MethodDef, Visibility, any, at_least, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;

static BASIC: &[MethodDef] = &[
    def("initialize", nothing, 0).private(),
    def("==", equal, 1),
    def("equal?", equal, 1),
    def("!", not, 0),
    def("!=", not_equal, 1),
    def("__id__", object_id, 0),
    at_least("__send__", send, 0),
    any("instance_eval", instance_eval),
    any("instance_exec", instance_exec),
    any("method_missing", method_missing).private(),
    def("singleton_method_added", nothing, 1).private(),
    def("singleton_method_removed", nothing, 1).private(),
    def("singleton_method_undefined", nothing, 1).private(),
];

static OBJECT: &[MethodDef] = &[
    def("===", case_equal, 1),
    def("=~", match_nil, 1),
    def("!~", not_match, 1),
    def("eql?", equal, 1),
    def("<=>", compare, 1),
    def("hash", hash, 0),
    def("object_id", object_id, 0),
    def("class", class, 0),
    def("nil?", is_nil, 0),
    def("is_a?", is_a, 1),
    def("kind_of?", is_a, 1),
    def("instance_of?", instance_of, 1),
    at_least("send", send, 0),
    at_least("public_send", public_send, 0),
    opt("respond_to?", respond_to, 1, 2),
    def("respond_to_missing?", respond_to_missing, 2).private(),
    def("freeze", freeze, 0),
    def("frozen?", frozen, 0),
    def("itself", itself, 0),
    def("taint", marked, 0),
    def("untaint", marked, 0),
    def("trust", marked, 0),
    def("untrust", marked, 0),
    def("tainted?", unmarked, 0),
    def("untrusted?", unmarked, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
];

/// Warns of the running method of Object, which Ruby 3.2 removed.
fn going(vm: &mut Vm) -> Res<()> {
    let name = vm.current_native_name().map_or_else(String::new, |name| name.to_string());
    vm.warn_deprecated(&format!("Object#{name} is deprecated and will be removed in Ruby 3.2"))
}
/// `taint` etc. are deprecated and have no effect.
fn marked(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.deprecated("Object#taint");
    going(vm)?;
    Ok(this.clone())
}
fn unmarked(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    vm.deprecated("Object#tainted?");
    going(vm)?;
    Ok(Value::False)
}
fn equal(_: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this.same(args.at(0))))
}
fn not(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(!this.truthy()))
}
fn not_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!vm.call(this, sym::EQ, args.pos)?.truthy()))
}
fn case_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this.same(args.at(0)) || vm.eq(this, args.at(0))?))
}
fn match_nil(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.deprecated("Object#=~");
    let class = vm.class_name_of(this);
    vm.warn_deprecated(&format!("deprecated Object#=~ is called on {class}; it always returns nil"))?;
    Ok(Value::Nil)
}
fn not_match(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!vm.call(this, sym::MATCH, args.pos)?.truthy()))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(if this.same(args.at(0)) || vm.eq(this, args.at(0))? { Value::Int(0) } else { Value::Nil })
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(match vm.hash_core(this, crate::coerce::Hashed::Shown) {
        Some(number) => number as i64,
        None => crate::coerce::mix(8, vm.object_id(this) as u64) as i64 >> 2,
    }))
}
fn object_id(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(vm.object_id(this)))
}
fn class(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Class(vm.real_class_of(this)))
}
fn is_nil(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this.is_nil()))
}
fn class_arg(vm: &mut Vm, value: &Value) -> Res<ClassId> {
    match value {
        Value::Class(id) => Ok(*id),
        _ => Err(vm.type_error("class or module required")),
    }
}
fn is_a(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = class_arg(vm, args.at(0))?;
    Ok(Value::bool(vm.is_a(this, class)))
}
fn instance_of(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = class_arg(vm, args.at(0))?;
    Ok(Value::bool(vm.real_class_of(this) == class))
}
/// The method that a refinement active at the caller defines for an object, to find it by its name: one that is undefined there hides no other.
fn refined(vm: &mut Vm, this: &Value, name: Symbol) -> Option<crate::method::MethodId> {
    let class = vm.class_of(this);
    refined_in_class(vm, class, name)
}
/// The same for objects of a class.
pub(crate) fn refined_in_class(vm: &mut Vm, class: ClassId, name: Symbol) -> Option<crate::method::MethodId> {
    let found = vm.with_caller(|vm, cx| vm.find_refined(class, name, cx?));
    found.filter(|id| !matches!(vm.method(*id).body, MethodBody::Undefined))
}
fn send(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(name) = args.get(0) else { return Err(vm.argument_error("no method name given")) };
    let name = vm.to_name(name)?;
    if let Some(id) = refined(vm, this, name) {
        return vm.invoke_refined(id, this, name, args.from(1), CallKind::Function, None);
    }
    vm.call_args(this, name, args.from(1))
}
fn public_send(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(name) = args.get(0) else { return Err(vm.argument_error("no method name given")) };
    let name = vm.to_name(name)?;
    if let Some(id) = refined(vm, this, name) {
        return vm.invoke_refined(id, this, name, args.from(1), CallKind::Method, None);
    }
    vm.call_public(this, name, args.from(1))
}
fn respond_to(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    if let Some(id) = refined(vm, this, name) {
        return Ok(Value::bool(args.at(1).truthy() || vm.method(id).visibility == Visibility::Public));
    }
    Ok(Value::bool(vm.basic_respond_to(this, name, args.at(1).truthy())?))
}
fn respond_to_missing(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::False)
}
fn freeze(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.freeze(this);
    Ok(this.clone())
}
fn frozen(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.frozen(this)))
}
/// What Kernel#to_s and #inspect return: a binary String unless there is text in it that is not ASCII.
fn shown(text: &str) -> Value {
    Value::string(RString::about(text, Encoding::Binary))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if this.same(&vm.main.clone()) {
        return Ok(shown("main"));
    }
    Ok(shown(&vm.default_to_s(this)))
}
/// Kernel#inspect: class, number and instance variables; without instance variables the same as to_s.
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let names = vm.ivar_names(this);
    if this.same(&vm.main.clone()) {
        return Ok(shown("main"));
    }
    if names.is_empty() {
        return Ok(shown(&vm.default_to_s(this)));
    }
    let head = vm.default_to_s(this);
    let head = head.trim_end_matches('>').to_string();
    if this.flag(crate::heap::BUSY) {
        return Ok(shown(&format!("{head} ...>")));
    }
    vm.check_stack()?;
    this.set_flag(crate::heap::BUSY, true);
    let mut parts = Vec::new();
    for name in names {
        let value = vm.ivar_get(this, name).unwrap_or_default();
        // MRI writes the classes of these three as it writes their objects
        let text = match value {
            Value::Class(ClassId::NIL) => Ok("nil".to_string()),
            Value::Class(ClassId::TRUE) => Ok("true".to_string()),
            Value::Class(ClassId::FALSE) => Ok("false".to_string()),
            value => vm.inspect(&value),
        };
        match text {
            Ok(text) => parts.push(format!("{name}={text}")),
            Err(error) => {
                this.set_flag(crate::heap::BUSY, false);
                return Err(error);
            }
        }
    }
    this.set_flag(crate::heap::BUSY, false);
    Ok(shown(&format!("{head} {}>", parts.join(", "))))
}
fn method_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(name) = args.get(0) else { return Err(vm.argument_error("no method name given")) };
    let Value::Sym(name) = *name else {
        let class = vm.class_name_of(name);
        return Err(vm.argument_error(format!("method name must be a Symbol but {class} is given")));
    };
    let kind = vm.missing;
    // what `super` in a `method_missing` of Ruby code reports: a method that could not be called from there
    let class = vm.class_of(this);
    let found = vm.find_method(class, name).filter(|_| kind == CallKind::Method);
    let found = found.map(|id| vm.method(id).visibility);
    Err(vm.no_method_error(this, name, args.from(1).pos, kind, found))
}
fn instance_exec(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.error(ClassId::LOCAL_JUMP_ERROR, "no block given")) };
    vm.call_block_as(block, this, Some(Definee::SingletonOf(this.clone())), args.with_block(None))
}
fn instance_eval(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(block) = args.block {
        if !args.is_empty() {
            return Err(vm.arity_error(args.len(), "0"));
        }
        return vm.call_block_as(
            block,
            this,
            Some(Definee::SingletonOf(this.clone())),
            Args::new(std::slice::from_ref(this)),
        );
    }
    if args.is_empty() || args.len() > 3 {
        return Err(vm.arity_error(args.len(), "1..3"));
    }
    vm.eval_string(args.pos, Some((this, Definee::SingletonOf(this.clone()))), None)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::BASIC_OBJECT).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(ClassId::BASIC_OBJECT, BASIC);
    vm.define_methods(ClassId::KERNEL, OBJECT);
}
