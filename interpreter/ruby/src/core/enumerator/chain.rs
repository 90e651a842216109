//! Enumerator::Chain: several enumerables in sequence.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::Block;
use crate::method::{MethodDef, any, def};
use crate::value::{NativeData, Value};
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;

struct ChainData {
    parts: Vec<Value>,
    /// The number of parts that the last `each` has started.
    begun: usize,
}
impl NativeData for ChainData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.parts.iter().for_each(visit);
    }
}

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    any("each", each),
    def("size", size, 0),
    def("rewind", rewind, 0),
    def("inspect", inspect, 0),
    def("+", plus, 1),
    def("dup", dup, 0),
];

/// Creates a Chain.
pub fn new_chain(_: &mut Vm, parts: Vec<Value>) -> Value {
    Value::data(ClassId::CHAIN, ChainData { parts, begun: 0 })
}
/// The Chain of several enumerables; the Lazy over it if the first one is a Lazy.
pub fn chain_of(vm: &mut Vm, parts: Vec<Value>) -> Res {
    let is_lazy = parts.first().is_some_and(|first| vm.is_a(first, ClassId::LAZY));
    let chain = new_chain(vm, parts);
    if is_lazy { super::lazy::new_lazy_of(vm, &chain) } else { Ok(chain) }
}
/// Whether it is an initialised Chain.
pub(super) fn is_ready(vm: &Vm, this: &Value) -> bool {
    vm.data::<ChainData>(this).is_some()
}
fn parts(vm: &mut Vm, this: &Value) -> Res<Vec<Value>> {
    match vm.data::<ChainData>(this) {
        Some(data) => Ok(data.parts.clone()),
        None => Err(vm.argument_error("uninitialized chain")),
    }
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    vm.set_data(this, ChainData { parts: args.pos.to_vec(), begun: 0 });
    Ok(this.clone())
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let parts = parts(vm, args.at(0))?;
    vm.set_data(this, ChainData { parts, begun: 0 });
    Ok(this.clone())
}
fn dup(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    Ok(new_chain(vm, parts))
}
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    let Some(block) = args.block else {
        if args.is_empty() {
            return Ok(this.clone());
        }
        return Ok(vm.enumerator_of(this, sym::EACH, args.pos));
    };
    let proc = vm.block_to_proc(block);
    for (index, part) in parts.iter().enumerate() {
        if let Some(data) = vm.data_mut::<ChainData>(this) {
            data.begun = index + 1;
        }
        vm.call_args(part, sym::EACH, args.with_block(Some(Block::Proc(&proc))))?;
    }
    Ok(this.clone())
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut total = Value::Int(0);
    for part in parts(vm, this)? {
        let size = if vm.respond_to(&part, sym::SIZE, true)? { vm.call(&part, sym::SIZE, &[])? } else { Value::Nil };
        match size {
            Value::Nil => return Ok(Value::Nil),
            Value::Float(number) if number.get().is_infinite() => return Ok(size),
            Value::Int(_) | Value::Big(_) => total = vm.call(&total, sym::PLUS, &[size])?,
            _ => return Ok(size),
        }
    }
    Ok(total)
}
fn rewind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    let begun = vm.data::<ChainData>(this).map_or(0, |data| data.begun);
    let rewind = Symbol::intern_static("rewind");
    for part in parts.iter().take(begun).rev() {
        if vm.respond_to(part, rewind, true)? {
            vm.call(part, rewind, &[])?;
        }
    }
    if let Some(data) = vm.data_mut::<ChainData>(this) {
        data.begun = 0;
    }
    Ok(this.clone())
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let Ok(parts) = parts(vm, this) else { return Ok(Value::str(format!("#<{class}: uninitialized>"))) };
    let text = crate::core::natives::once(vm, this, |vm| {
        let mut shown = Vec::new();
        for part in &parts {
            shown.push(vm.inspect(part)?);
        }
        Ok(format!("#<{class}: [{}]>", shown.join(", ")))
    })?;
    Ok(Value::str(text.unwrap_or_else(|| format!("#<{class}: ...>"))))
}
fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    chain_of(vm, vec![this.clone(), args.at(0).clone()])
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::CHAIN).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(ClassId::CHAIN, METHODS);
    for name in ["feed", "next", "next_values", "peek", "peek_values"] {
        vm.undefine(ClassId::CHAIN, Symbol::intern_static(name));
    }
}
