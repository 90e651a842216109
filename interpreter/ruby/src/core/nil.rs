//! NilClass, TrueClass, FalseClass.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{nothing, yes};
use crate::error::Res;
use crate::hash::RHash;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_text::encoding::Encoding;

static NIL: &[MethodDef] = &[
    def("&", always_false, 1),
    def("|", truth, 1),
    def("^", truth, 1),
    def("===", same, 1),
    def("=~", nothing, 1),
    def("inspect", inspect, 0),
    def("nil?", yes, 0),
    opt("rationalize", rationalize, 0, 1),
    def("to_a", to_a, 0),
    def("to_c", to_c, 0),
    def("to_f", to_f, 0),
    def("to_h", to_h, 0),
    def("to_i", to_i, 0),
    def("to_r", to_r, 0),
    def("to_s", to_s, 0),
];
static TRUE: &[MethodDef] = &[
    def("&", truth, 1),
    def("|", always_true, 1),
    def("^", falsehood, 1),
    def("===", same, 1),
    def("inspect", to_s, 0),
    def("to_s", to_s, 0),
];
static FALSE: &[MethodDef] = &[
    def("&", always_false, 1),
    def("|", truth, 1),
    def("^", truth, 1),
    def("===", same, 1),
    def("inspect", to_s, 0),
    def("to_s", to_s, 0),
];

fn always_false(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::False)
}
fn always_true(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::True)
}
fn truth(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(args.at(0).truthy()))
}
fn falsehood(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!args.at(0).truthy()))
}
fn same(_: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this.same(args.at(0))))
}
fn inspect(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::string(RString::ascii("nil")))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text: &[u8] = match this {
        Value::True => b"true",
        Value::False => b"false",
        _ => b"",
    };
    Ok(vm.interned_string(text, Encoding::UsAscii))
}
fn to_a(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(Vec::new()))
}
fn to_h(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::hash(RHash::default()))
}
fn to_i(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(0))
}
fn to_f(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(0.0))
}
fn to_r(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(super::rational::new(0.into(), 1.into()))
}
fn rationalize(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(super::rational::new(0.into(), 1.into()))
}
fn to_c(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(super::complex::new(Value::Int(0), Value::Int(0)))
}

pub(super) fn boot(vm: &mut Vm) {
    for (class, table) in [(ClassId::NIL, NIL), (ClassId::TRUE, TRUE), (ClassId::FALSE, FALSE)] {
        super::numeric::without_new(vm, class);
        vm.define_methods(class, table);
    }
}
