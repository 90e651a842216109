//! Enumerator and related classes.
//!
//! - here: Enumerator itself, Generator and Yielder, Kernel#to_enum, Enumerator.produce; - `sizes`: sizes of the core's iterators;
//! - `chain`: Chain; - `sequence`: ArithmeticSequence; - `lazy`: Lazy; - `external`: next and related methods, on a fiber.

mod chain;
pub(crate) mod data;
mod external;
mod lazy;
mod sequence;
mod sizes;

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::no_block;
use crate::error::Res;
use crate::frame::{Block, RProc};
use crate::heap::Gc;
use crate::method::{Arity, MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
pub use data::{EnumeratorData, Size};
pub(crate) use data::{Parts, YielderData};
use rchef_syntax::symbol::sym;
use std::cell::Cell;
use std::rc::Rc;

pub use chain::chain_of;
pub use external::next_or_nil;
pub use lazy::new_lazy_of;
pub use sequence::{new_sequence, sequence_parts};

/// The block of Enumerator.new, or a native producer.
struct GeneratorData {
    proc: Option<Gc<RProc>>,
    native: Option<Producer>,
}
impl NativeData for GeneratorData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.proc.iter().for_each(|proc| visit(&Value::Proc(proc.clone())));
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(GeneratorData { proc: self.proc.clone(), native: self.native.clone() }))
    }
}
type Producer = Rc<dyn Fn(&mut Vm, Block<'_>) -> Res>;

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    any("each", each),
    opt("with_index", with_index, 0, 1),
    def("each_with_index", each_with_index, 0),
    def("with_object", with_object, 1),
    def("each_with_object", with_object, 1),
    def("size", size, 0),
    def("+", plus, 1),
    def("inspect", inspect, 0),
];
static SINGLETON: &[MethodDef] = &[opt("produce", produce, 0, 1)];
static KERNEL: &[MethodDef] = &[any("to_enum", to_enum), any("enum_for", to_enum)];
static GENERATOR: &[MethodDef] =
    &[opt("initialize", generator_initialize, 0, 1).private(), any("each", generator_each)];
static YIELDER: &[MethodDef] = &[
    def("initialize", yielder_initialize, 0).private(),
    any("yield", yielder_yield),
    def("<<", yielder_push, 1),
    def("to_proc", yielder_to_proc, 0),
];

impl Vm {
    /// An Enumerator for a native iterator called without a block; its size is determined by the core's rules.
    pub fn enumerator_of(&mut self, receiver: &Value, method: Symbol, args: &[Value]) -> Value {
        with_size(self, receiver, method, args, Size::Native)
    }
    /// The same for the arguments of a call, whose last one may be its keywords.
    pub(crate) fn enumerator_for(&mut self, receiver: &Value, method: Symbol, args: Args<'_>) -> Value {
        let made = self.enumerator_of(receiver, method, args.pos);
        if let Some(data) = self.data_mut::<EnumeratorData>(&made) {
            data.keywords = args.keywords;
        }
        made
    }
}
/// An Enumerator for an iterator, with an explicit size.
pub fn with_size(vm: &mut Vm, receiver: &Value, method: Symbol, args: &[Value], size: Size) -> Value {
    if vm.is_a(receiver, ClassId::LAZY) {
        return lazy::new_lazy_method(vm, receiver, method, args, size);
    }
    let data = EnumeratorData {
        receiver: receiver.clone(),
        method,
        args: args.to_vec(),
        keywords: false,
        size,
        external: Default::default(),
    };
    Value::data(ClassId::ENUMERATOR, data)
}
/// An Enumerator over the values yielded by a native producer.
pub fn from_native(vm: &mut Vm, producer: impl Fn(&mut Vm, Block<'_>) -> Res + 'static) -> Res {
    let generator = Value::data(ClassId::GENERATOR, GeneratorData { proc: None, native: Some(Rc::new(producer)) });
    Ok(with_size(vm, &generator, sym::EACH, &[], Size::Value(Value::Nil)))
}

/// Kernel#to_enum: the block returns the size.
fn to_enum(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let method = match args.get(0) {
        Some(name @ (Value::Sym(_) | Value::Str(_))) => vm.to_name(name)?,
        Some(name) if vm.check_str(name)?.is_some() => vm.to_name(name)?,
        Some(other) => {
            let shown = vm.inspect(other)?;
            return Err(vm.type_error(format!("{shown} is not a symbol")));
        }
        None => sym::EACH,
    };
    let size = match args.block {
        Some(block) => Size::Block(vm.block_to_proc(block)),
        None => Size::Value(Value::Nil),
    };
    let rest = args.from(1);
    let made = with_size(vm, this, method, rest.pos, size);
    if rest.keywords
        && let Some(data) = vm.data_mut::<EnumeratorData>(&made)
    {
        data.keywords = !data.args.is_empty();
    }
    Ok(made)
}
/// Enumerator.new(size = nil) { |yielder| … }
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let Some(block) = args.block else { return Err(vm.argument_error("tried to create Proc object without a block")) };
    let proc = vm.block_to_proc(block);
    let size = args.at(0).clone();
    let callable =
        matches!(size, Value::Proc(_)) || matches!(size, Value::Object(_)) && vm.respond_to(&size, sym::CALL, false)?;
    let size = match &size {
        Value::Nil => size,
        Value::Float(number) if number.get().is_infinite() => size,
        _ if callable => size,
        other => vm.to_integer(other)?,
    };
    let generator = Value::data(ClassId::GENERATOR, GeneratorData { proc: Some(proc), native: None });
    let data = EnumeratorData {
        receiver: generator,
        method: sym::EACH,
        args: Vec::new(),
        keywords: false,
        size: Size::Value(size),
        external: Default::default(),
    };
    vm.set_data(this, data);
    Ok(this.clone())
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if this.same(args.at(0)) {
        return Ok(this.clone());
    }
    let parts = parts_of(vm, args.at(0))?;
    if vm.data::<EnumeratorData>(args.at(0)).is_some_and(|data| data.external.started()) {
        return Err(vm.type_error("can't copy execution context"));
    }
    vm.set_data(this, parts.into_data());
    Ok(this.clone())
}

/// Enumerator#each: runs the iterator, with additional arguments.
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut parts = parts_of(vm, this)?;
    if !args.is_empty() {
        parts.args.extend_from_slice(args.pos);
        parts.keywords = args.keywords;
        parts.size = Size::Value(Value::Nil);
    }
    match args.block {
        Some(_) => parts.run(vm, args.block),
        None if args.is_empty() => Ok(this.clone()),
        None => {
            let class = vm.real_class_of(this);
            Ok(Value::data(class, parts.into_data()))
        }
    }
}
fn indexed(vm: &mut Vm, this: &Value, block: Block<'_>, offset: Value) -> Res {
    let parts = parts_of(vm, this)?;
    let block = vm.block_to_proc(block);
    let small = Rc::new(Cell::new(0_i64));
    let proc = vm.native_proc(Arity::ANY, false, move |vm, _, args| {
        let at = small.get();
        small.set(at + 1);
        let index = match &offset {
            Value::Int(offset) => Value::i128(i128::from(*offset) + i128::from(at)),
            big => vm.call(big, sym::PLUS, &[Value::Int(at)])?,
        };
        let value = crate::core::enumerable::packed(args);
        vm.yield2(Block::Proc(&block), value, index)
    });
    parts.run(vm, Some(Block::Proc(&proc)))
}
fn with_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let offset = match args.at(0) {
        Value::Nil => Value::Int(0),
        offset => vm.to_integer(offset)?,
    };
    indexed(vm, this, block, offset)
}
fn each_with_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    indexed(vm, this, block, Value::Int(0))
}
fn with_object(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let parts = parts_of(vm, this)?;
    let (block, memo) = (vm.block_to_proc(block), args.at(0).clone());
    let given = memo.clone();
    let proc = vm.native_proc(Arity::ANY, false, move |vm, _, args| {
        let value = crate::core::enumerable::packed(args);
        vm.yield2(Block::Proc(&block), value, given.clone())
    });
    parts.run(vm, Some(Block::Proc(&proc)))?;
    Ok(memo)
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parts = parts_of(vm, this)?;
    match &parts.size {
        Size::Native => sizes::size_of(vm, &parts.receiver, parts.method, &parts.args),
        Size::Block(proc) => {
            let proc = proc.clone();
            let with = crate::call::ProcOverride { slf: Some(&parts.receiver), ..Default::default() };
            vm.call_proc_with(&proc, Args::new(&parts.args), with)
        }
        Size::Value(value @ (Value::Proc(_) | Value::Object(_))) => vm.call(&value.clone(), sym::CALL, &parts.args),
        Size::Value(value) => Ok(value.clone()),
    }
}
fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    chain_of(vm, vec![this.clone(), args.at(0).clone()])
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let Ok(parts) = parts_of(vm, this) else { return Ok(Value::str(format!("#<{class}: uninitialized>"))) };
    let text = crate::core::natives::once(vm, this, |vm| {
        let mut text = format!("#<{class}: {}:{}", vm.inspect(&parts.receiver)?, parts.method);
        let (mut pos, mut keywords) = (parts.args.as_slice(), None);
        if let Some((Value::Hash(hash), rest)) = pos.split_last()
            && !hash.get(vm).is_empty()
            && hash.get(vm).iter().all(|(key, _)| matches!(key, Value::Sym(_)))
        {
            pos = rest;
            keywords = Some(hash.clone());
        }
        let mut shown = Vec::new();
        for arg in pos {
            shown.push(vm.inspect(arg)?);
        }
        if let Some(hash) = keywords {
            let pairs: Vec<_> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            for (key, value) in pairs {
                let (key, value) = (vm.to_s_text(&key)?, vm.inspect(&value)?);
                shown.push(format!("{key}: {value}"));
            }
        }
        if !shown.is_empty() {
            text.push_str(&format!("({})", shown.join(", ")));
        }
        text.push('>');
        Ok(text)
    })?;
    Ok(Value::str(text.unwrap_or_else(|| format!("#<{class}: ...>"))))
}

/// Enumerator.produce(initial) { |last| … }: ends at StopIteration.
fn produce(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("no block given")) };
    let (next, initial) = (vm.block_to_proc(block), args.get(0).cloned());
    let producer = move |vm: &mut Vm, block: Block<'_>| {
        let (next, initial) = (next.clone(), initial.clone());
        vm.rescue(
            ClassId::STOP_ITERATION,
            |vm| {
                let mut value = match initial {
                    Some(value) => value,
                    None => vm.call_proc(&next, Args::none())?,
                };
                loop {
                    vm.yield1(block, value.clone())?;
                    value = vm.call_proc(&next, Args::new(&[value]))?;
                }
            },
            |_, _| Ok(Value::Nil),
        )
    };
    let made = from_native(vm, producer)?;
    if let Some(data) = vm.data_mut::<EnumeratorData>(&made) {
        data.size = Size::Value(Value::float(f64::INFINITY));
    }
    Ok(made)
}

fn generator_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = match (args.get(0), args.block) {
        (Some(Value::Proc(proc)), _) => proc.clone(),
        (Some(other), _) => {
            let class = vm.class_name_of(other);
            return Err(vm.type_error(format!("wrong argument type {class} (expected Proc)")));
        }
        (None, Some(block)) => vm.block_to_proc(block),
        (None, None) => return Err(vm.no_block()),
    };
    vm.check_frozen(this)?;
    vm.set_data(this, GeneratorData { proc: Some(proc), native: None });
    Ok(Value::Nil)
}
fn generator_each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (proc, native) = match vm.data::<GeneratorData>(this) {
        Some(data) => (data.proc.clone(), data.native.clone()),
        None => return Err(vm.argument_error("uninitialized generator")),
    };
    let Some(block) = args.block else { return Err(vm.no_block()) };
    if let Some(native) = native {
        return native(vm, block);
    }
    let yielder = Value::data(ClassId::YIELDER, YielderData(vm.block_to_proc(block)));
    let mut all = vec![yielder];
    all.extend_from_slice(args.pos);
    match proc {
        Some(proc) => vm.call_proc(&proc, Args { pos: &all, keywords: args.keywords, block: None }),
        None => Err(vm.argument_error("uninitialized generator")),
    }
}
fn yielder_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.no_block()) };
    let proc = vm.block_to_proc(block);
    vm.set_data(this, YielderData(proc));
    Ok(this.clone())
}
fn target(vm: &mut Vm, this: &Value) -> Res<Gc<RProc>> {
    match vm.data::<YielderData>(this) {
        Some(data) => Ok(data.0.clone()),
        None => Err(vm.argument_error("uninitialized yielder")),
    }
}
fn yielder_yield(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = target(vm, this)?;
    vm.yield_block(Block::Proc(&proc), args)
}
fn yielder_push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = target(vm, this)?;
    vm.yield_block(Block::Proc(&proc), args)?;
    Ok(this.clone())
}
fn yielder_to_proc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = target(vm, this)?;
    let made = vm.native_proc(Arity::ANY, true, move |vm, _, args| vm.yield_block(Block::Proc(&proc), args));
    Ok(Value::Proc(made))
}

fn empty_data() -> EnumeratorData {
    EnumeratorData {
        receiver: Value::Undef,
        method: sym::EACH,
        args: Vec::new(),
        keywords: false,
        size: Size::Value(Value::Nil),
        external: Default::default(),
    }
}

/// The iterator and arguments of any kind of Enumerator.
fn parts_of(vm: &mut Vm, this: &Value) -> Res<Parts> {
    match vm.data::<EnumeratorData>(this) {
        Some(data) if !data.receiver.is_undef() => Ok(Parts {
            receiver: data.receiver.clone(),
            method: data.method,
            args: data.args.clone(),
            keywords: data.keywords,
            size: data.size.clone(),
        }),
        Some(_) => Err(vm.argument_error("uninitialized enumerator")),
        // these run their own `each`
        None if lazy::is_ready(vm, this) || chain::is_ready(vm, this) || sequence_parts(vm, this).is_some() => {
            Ok(Parts {
                receiver: this.clone(),
                method: sym::EACH,
                args: Vec::new(),
                keywords: false,
                size: Size::Native,
            })
        }
        None => Err(vm.argument_error("uninitialized enumerator")),
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::ENUMERATOR).allocator = Some(|_, class| Ok(Value::data(class, empty_data())));
    vm.class_mut(ClassId::GENERATOR).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.class_mut(ClassId::YIELDER).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.include_module(ClassId::ENUMERATOR, ClassId::ENUMERABLE);
    vm.include_module(ClassId::GENERATOR, ClassId::ENUMERABLE);
    vm.define_methods(ClassId::ENUMERATOR, METHODS);
    vm.define_singleton_methods(ClassId::ENUMERATOR, SINGLETON);
    vm.define_methods(ClassId::KERNEL, KERNEL);
    vm.define_methods(ClassId::GENERATOR, GENERATOR);
    vm.define_methods(ClassId::YIELDER, YIELDER);
    external::boot(vm);
    chain::boot(vm);
    sequence::boot(vm);
    lazy::boot(vm);
}
