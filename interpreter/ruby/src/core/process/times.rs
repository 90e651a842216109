//! Process::Tms, the result of `Process.times`.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;

const FIELDS: [&str; 4] = ["@utime", "@stime", "@cutime", "@cstime"];

fn get(vm: &mut Vm, this: &Value, index: usize) -> Res {
    Ok(vm.ivar_get(this, Symbol::intern_static(FIELDS[index])).unwrap_or_default())
}
fn set(vm: &mut Vm, this: &Value, index: usize, value: &Value) -> Res {
    vm.check_frozen(this)?;
    vm.ivar_set(this, Symbol::intern_static(FIELDS[index]), value.clone());
    Ok(value.clone())
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for (index, value) in args.pos.iter().enumerate() {
        set(vm, this, index, value)?;
    }
    Ok(Value::Nil)
}
macro_rules! fields {
    ($($get:ident $set:ident $index:literal),*) => {
        $(fn $get(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            get(vm, this, $index)
        }
        fn $set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
            set(vm, this, $index, args.at(0))
        })*
    };
}
fields! { utime set_utime 0, stime set_stime 1, cutime set_cutime 2, cstime set_cstime 3 }

fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut items = Vec::new();
    for index in 0..FIELDS.len() {
        items.push(get(vm, this, index)?);
    }
    Ok(Value::array(items))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.real_class_of(this) != vm.real_class_of(args.at(0)) {
        return Ok(Value::False);
    }
    let (a, b) = (to_a(vm, this, Args::none())?, to_a(vm, args.at(0), Args::none())?);
    Ok(Value::bool(vm.eq(&a, &b)?))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut parts = Vec::new();
    for (index, field) in FIELDS.iter().enumerate() {
        let value = get(vm, this, index)?;
        parts.push(format!("{}={}", &field[1..], vm.inspect(&value)?));
    }
    Ok(Value::str(format!("#<struct Process::Tms {}>", parts.join(", "))))
}

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 4).private(),
    def("utime", utime, 0),
    def("utime=", set_utime, 1),
    def("stime", stime, 0),
    def("stime=", set_stime, 1),
    def("cutime", cutime, 0),
    def("cutime=", set_cutime, 1),
    def("cstime", cstime, 0),
    def("cstime=", set_cstime, 1),
    def("to_a", to_a, 0),
    def("==", equal, 1),
    def("inspect", inspect, 0),
    def("to_s", inspect, 0),
];

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::PROCESS, "Tms", ClassId::STRUCT);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(class, METHODS);
    let meta = vm.meta(class);
    vm.define_methods(meta, SINGLETON);
}
/// Overrides the `new` of Struct, which creates classes.
static SINGLETON: &[MethodDef] = &[crate::method::any("new", new), crate::method::any("[]", new)];
fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Class(class) = this else { return Ok(Value::Nil) };
    let made = Value::object(*class);
    if args.len() > FIELDS.len() {
        return Err(vm.argument_error("struct size differs"));
    }
    initialize(vm, &made, args)?;
    Ok(made)
}
