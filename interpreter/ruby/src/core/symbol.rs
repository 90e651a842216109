//! Symbol.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::itself;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;

use std::collections::BTreeMap;

static METHODS: &[MethodDef] = &[
    def("to_s", to_s, 0),
    def("id2name", to_s, 0),
    def("name", name, 0),
    def("to_sym", itself, 0),
    def("intern", itself, 0),
    def("to_proc", to_proc, 0),
    def("inspect", inspect, 0),
    def("==", equal, 1),
    def("===", equal, 1),
    def("<=>", compare, 1),
    def("casecmp", casecmp, 1),
    def("casecmp?", casecmp_p, 1),
    def("=~", matches, 1),
    any("match", match_),
    opt("match?", match_p, 1, 2),
    opt("[]", aref, 1, 2),
    opt("slice", aref, 1, 2),
    any("start_with?", start_with),
    any("end_with?", end_with),
    def("length", length, 0),
    def("size", length, 0),
    def("empty?", empty, 0),
    def("encoding", encoding, 0),
    any("upcase", upcase),
    any("downcase", downcase),
    any("capitalize", capitalize),
    any("swapcase", swapcase),
    def("succ", succ, 0),
    def("next", succ, 0),
];
static SINGLETON: &[MethodDef] = &[def("all_symbols", all_symbols, 0)];

fn symbol(this: &Value) -> Symbol {
    match this {
        Value::Sym(symbol) => *symbol,
        _ => sym::EMPTY,
    }
}
fn string(this: &Value) -> Value {
    Value::string(RString::of_symbol(symbol(this)))
}
fn to_s(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(string(this))
}

/// The Strings returned by Symbol#name, which returns the same one each time.
#[derive(Default)]
struct Names(BTreeMap<u32, Value>);

fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = symbol(this).id();
    if let Some(known) = vm.extension::<Names>().0.get(&id) {
        return Ok(known.clone());
    }
    let made = string(this);
    vm.freeze(&made);
    vm.extension::<Names>().0.insert(id, made.clone());
    Ok(made)
}
fn to_proc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.to_proc(this)?.map_or(Value::Nil, Value::Proc))
}
fn inspect(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let own = RString::of_symbol(symbol(this)).encoding();
    let shown = rchef_text::inspect::inspect_symbol(symbol(this).as_bytes(), own);
    // a name in quotes is what String#inspect gives, which has the default encoding
    let encoding = if shown.starts_with(b":\"") { Encoding::Utf8 } else { own };
    Ok(Value::string(RString::new(shown, encoding)))
}
fn equal(_: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this.same(args.at(0))))
}
/// Calls a method of String with the names; nil if the other is not a Symbol.
fn with_symbol(vm: &mut Vm, this: &Value, method: Symbol, other: &Value) -> Res {
    match other {
        Value::Sym(_) => vm.call(&string(this), method, &[string(other)]),
        _ => Ok(Value::Nil),
    }
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    with_symbol(vm, this, sym::CMP, args.at(0))
}
fn casecmp(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    with_symbol(vm, this, Symbol::intern_static("casecmp"), args.at(0))
}
fn casecmp_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    with_symbol(vm, this, Symbol::intern_static("casecmp?"), args.at(0))
}
fn forward(vm: &mut Vm, this: &Value, method: Symbol, args: Args<'_>) -> Res {
    vm.call_args(&string(this), method, args)
}
fn matches(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    forward(vm, this, sym::MATCH, args)
}
fn match_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    forward(vm, this, Symbol::intern_static("match"), args)
}
fn match_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    forward(vm, this, Symbol::intern_static("match?"), args)
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    forward(vm, this, sym::AREF, args)
}
fn start_with(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    forward(vm, this, Symbol::intern_static("start_with?"), args)
}
fn end_with(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    forward(vm, this, Symbol::intern_static("end_with?"), args)
}
fn length(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(RString::of_symbol(symbol(this)).char_count()))
}
fn empty(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(symbol(this).as_bytes().is_empty()))
}
fn encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = RString::of_symbol(symbol(this)).encoding();
    Ok(super::encoding::object(vm, found))
}
fn derived(vm: &mut Vm, this: &Value, method: Symbol, args: Args<'_>) -> Res {
    let made = forward(vm, this, method, args)?;
    Ok(Value::Sym(vm.to_name(&made)?))
}
fn upcase(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    derived(vm, this, Symbol::intern_static("upcase"), args)
}
fn downcase(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    derived(vm, this, Symbol::intern_static("downcase"), args)
}
fn capitalize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    derived(vm, this, Symbol::intern_static("capitalize"), args)
}
fn swapcase(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    derived(vm, this, Symbol::intern_static("swapcase"), args)
}
fn succ(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    derived(vm, this, sym::SUCC, args)
}
fn all_symbols(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    vm.enter_all();
    Ok(Value::array((0..Symbol::count() as u32).filter_map(Symbol::from_id).map(Value::Sym).collect()))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::SYMBOL, METHODS);
    vm.define_singleton_methods(ClassId::SYMBOL, SINGLETON);
    vm.include_module(ClassId::SYMBOL, ClassId::COMPARABLE);
}
