//! Enumerator::Lazy: each Lazy has a source and an operation; running it runs the source with a block that applies the operation.

use super::data::{External, Size};
use super::next_or_nil;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::enumerable::packed;
use crate::core::natives::{item, itself, name, no_block};
use crate::error::Res;
use crate::frame::{Block, ProcKind, RProc};
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use num_bigint::BigInt;
use rchef_syntax::symbol::sym;
use std::cell::Cell;
use std::rc::Rc;

type Proc = Gc<RProc>;

/// The operation of a Lazy on the values of its source.
#[derive(Clone)]
enum Op {
    /// None: runs an iterator of the source with these arguments.
    Source(Symbol, Vec<Value>),
    /// Lazy.new: the block gets a Yielder and the values.
    Custom(Proc),
    Map(Proc),
    FlatMap(Proc),
    Select(Proc, bool),
    FilterMap(Proc),
    Grep(Value, bool, Option<Proc>),
    TakeWhile(Proc),
    DropWhile(Proc),
    Take(i64),
    Drop(i64),
    Zip(Vec<Value>),
    Uniq(Option<Proc>),
    Compact,
    WithIndex(Value, Option<Proc>),
}

impl Op {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        match self {
            Op::Source(_, values) | Op::Zip(values) => values.iter().for_each(&mut *visit),
            Op::Custom(block)
            | Op::Map(block)
            | Op::FlatMap(block)
            | Op::Select(block, _)
            | Op::FilterMap(block)
            | Op::TakeWhile(block)
            | Op::DropWhile(block) => visit(&Value::Proc(block.clone())),
            Op::Grep(value, _, block) | Op::WithIndex(value, block) => {
                visit(value);
                block.iter().for_each(|block| visit(&Value::Proc(block.clone())));
            }
            Op::Uniq(block) => block.iter().for_each(|block| visit(&Value::Proc(block.clone()))),
            Op::Take(_) | Op::Drop(_) | Op::Compact => {}
        }
    }
}

/// Source and operation of a Lazy.
#[derive(Clone)]
struct Parts {
    source: Value,
    op: Op,
    /// The operation in `inspect`.
    shown: Option<(Symbol, Vec<Value>)>,
    size: Size,
}
pub(super) struct LazyData {
    parts: Parts,
    /// State of `next` and related methods.
    pub(super) external: External,
}
impl NativeData for LazyData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        let Parts { source, op, shown, size } = &self.parts;
        visit(source);
        op.trace(visit);
        if let Some((_, args)) = shown {
            args.iter().for_each(&mut *visit);
        }
        size.trace(visit);
        self.external.trace(visit);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(LazyData { parts: self.parts.clone(), external: Default::default() }))
    }
}

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 1, 2).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    any("each", each),
    def("lazy", itself, 0),
    any("force", force),
    any("to_a", force),
    def("eager", eager, 0),
    def("size", size, 0),
    def("inspect", inspect, 0),
    def("map", map, 0),
    def("collect", map, 0),
    def("flat_map", flat_map, 0),
    def("collect_concat", flat_map, 0),
    def("select", select, 0),
    def("filter", select, 0),
    def("find_all", select, 0),
    def("reject", reject, 0),
    def("filter_map", filter_map, 0),
    def("grep", grep, 1),
    def("grep_v", grep_v, 1),
    def("take_while", take_while, 0),
    def("drop_while", drop_while, 0),
    def("take", take, 1),
    def("drop", drop_, 1),
    any("zip", zip),
    def("uniq", uniq, 0),
    def("compact", compact, 0),
    opt("with_index", with_index, 0, 1),
    any("chunk", through),
    any("chunk_while", through),
    any("slice_when", through),
    any("slice_before", through),
    any("slice_after", through),
];

/// Methods for which a Lazy's iterator runs the eager version.
const EAGER: &[&str] = &[
    "map",
    "collect",
    "flat_map",
    "collect_concat",
    "select",
    "find_all",
    "filter",
    "filter_map",
    "reject",
    "grep",
    "grep_v",
    "zip",
    "take",
    "take_while",
    "drop",
    "drop_while",
    "uniq",
    "with_index",
    "compact",
];

fn make(source: &Value, op: Op, shown: Option<(Symbol, Vec<Value>)>, size: Size) -> Value {
    let parts = Parts { source: source.clone(), op, shown, size };
    Value::data(ClassId::LAZY, LazyData { parts, external: Default::default() })
}
pub fn new_lazy_of(_: &mut Vm, source: &Value) -> Res {
    Ok(make(source, Op::Source(sym::EACH, Vec::new()), None, Size::Native))
}
/// A Lazy for an iterator of a Lazy.
pub(super) fn new_lazy_method(_: &mut Vm, receiver: &Value, method: Symbol, args: &[Value], size: Size) -> Value {
    make(receiver, Op::Source(method, args.to_vec()), Some((method, args.to_vec())), size)
}
/// Whether it is an initialised Lazy.
pub(super) fn is_ready(vm: &Vm, this: &Value) -> bool {
    vm.data::<LazyData>(this).is_some()
}
fn parts(vm: &mut Vm, this: &Value) -> Res<Parts> {
    match vm.data::<LazyData>(this) {
        Some(data) => Ok(data.parts.clone()),
        None => Err(vm.argument_error("uninitialized enumerator")),
    }
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if this.same(args.at(0)) {
        return Ok(this.clone());
    }
    let parts = parts(vm, args.at(0))?;
    if vm.data::<LazyData>(args.at(0)).is_some_and(|data| data.external.started()) {
        return Err(vm.type_error("can't copy execution context"));
    }
    vm.set_data(this, LazyData { parts, external: Default::default() });
    Ok(this.clone())
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let Some(block) = args.block else { return Err(vm.argument_error("tried to call lazy new without a block")) };
    let op = Op::Custom(vm.block_to_proc(block));
    let parts = Parts {
        source: args.at(0).clone(),
        op,
        shown: Some((sym::EACH, Vec::new())),
        size: Size::Value(args.at(1).clone()),
    };
    vm.set_data(this, LazyData { parts, external: Default::default() });
    Ok(this.clone())
}
/// Lazy#each: runs all operations.
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    let Some(block) = args.block else {
        return Ok(match parts.op {
            Op::Source(method, mut all) if !args.is_empty() => {
                all.extend_from_slice(args.pos);
                make(&parts.source, Op::Source(method, all), parts.shown, parts.size)
            }
            _ => this.clone(),
        });
    };
    if let Op::Source(method, own) = &parts.op {
        let mut all = own.clone();
        all.extend_from_slice(args.pos);
        let args = Args { pos: &all, keywords: args.keywords, block: Some(block) };
        // for a Lazy as source, run the eager version of the method
        if is_ready(vm, &parts.source)
            && EAGER.contains(&method.as_str())
            && let Some(id) = vm.find_method(ClassId::ENUMERATOR, *method)
        {
            return vm.invoke(id, &parts.source, *method, args);
        }
        return vm.call_args(&parts.source, *method, args);
    }
    if let Op::Take(0) = parts.op {
        return Ok(this.clone());
    }
    let out = vm.block_to_proc(block);
    let step = stage(vm, parts.op, out);
    vm.iterate(&parts.source, sym::EACH, &[], step)?;
    Ok(this.clone())
}
/// An operation for one run: a closure with the run's state, which passes results to `out`.
fn stage(vm: &mut Vm, op: Op, out: Proc) -> Box<dyn Fn(&mut Vm, Args<'_>) -> Res<bool>> {
    let count = Cell::new(0_i64);
    let seen = Gc::new(ClassId::HASH, RHash::default());
    let yielder = match &op {
        Op::Custom(_) => super::data::new_yielder(vm, Block::Proc(&out)),
        _ => Value::Nil,
    };
    let sources: Rc<std::cell::RefCell<Vec<Value>>> = Rc::default();
    Box::new(move |vm, args| {
        let give = |vm: &mut Vm, value: Value| vm.yield1(Block::Proc(&out), value).map(|_| true);
        match &op {
            Op::Source(..) => vm.yield_block(Block::Proc(&out), args).map(|_| true),
            Op::Custom(proc) => {
                let mut all = vec![yielder.clone()];
                all.extend_from_slice(args.pos);
                vm.call_proc(proc, Args::new(&all)).map(|_| true)
            }
            Op::Map(proc) => {
                let value = vm.yield_block(Block::Proc(proc), args)?;
                give(vm, value)
            }
            Op::FlatMap(proc) => {
                let value = vm.yield_block(Block::Proc(proc), args)?;
                flatten(vm, value, &out)
            }
            Op::Select(proc, keep) => {
                let value = packed(args);
                if vm.yield1(Block::Proc(proc), value.clone())?.truthy() == *keep { give(vm, value) } else { Ok(true) }
            }
            Op::FilterMap(proc) => {
                let value = vm.yield_block(Block::Proc(proc), args)?;
                if value.truthy() { give(vm, value) } else { Ok(true) }
            }
            Op::Grep(pattern, wanted, proc) => {
                let value = packed(args);
                if vm.call(pattern, sym::EQQ, std::slice::from_ref(&value))?.truthy() != *wanted {
                    return Ok(true);
                }
                match proc {
                    Some(proc) => {
                        let value = vm.yield1(Block::Proc(proc), value)?;
                        give(vm, value)
                    }
                    None => give(vm, value),
                }
            }
            Op::TakeWhile(proc) => {
                if !vm.yield_block(Block::Proc(proc), args)?.truthy() {
                    return Ok(false);
                }
                give(vm, packed(args))
            }
            Op::DropWhile(proc) => {
                if count.get() == 0 && vm.yield_block(Block::Proc(proc), args)?.truthy() {
                    return Ok(true);
                }
                count.set(1);
                give(vm, packed(args))
            }
            Op::Take(limit) => {
                count.set(count.get() + 1);
                give(vm, packed(args))?;
                Ok(count.get() < *limit)
            }
            Op::Drop(limit) => {
                if count.get() < *limit {
                    count.set(count.get() + 1);
                    return Ok(true);
                }
                give(vm, packed(args))
            }
            Op::Zip(others) => {
                if sources.borrow().is_empty() {
                    let mut made = Vec::new();
                    for other in others {
                        made.push(if let Value::Array(_) = other {
                            other.clone()
                        } else {
                            vm.call(other, sym::TO_ENUM, &[Value::Sym(sym::EACH)])?
                        });
                    }
                    *sources.borrow_mut() = made;
                }
                let mut row = vec![packed(args)];
                let list = sources.borrow().clone();
                for other in &list {
                    row.push(match other {
                        Value::Array(array) => item(vm, array, count.get() as usize).unwrap_or_default(),
                        other => next_or_nil(vm, other)?,
                    });
                }
                count.set(count.get() + 1);
                give(vm, Value::array(row))
            }
            Op::Uniq(proc) => {
                let key = match proc {
                    Some(proc) => vm.yield_block(Block::Proc(proc), args)?,
                    None => packed(args),
                };
                if vm.hash_find(&seen, &key)?.is_some() {
                    return Ok(true);
                }
                vm.hash_set(&seen, key, Value::Nil)?;
                give(vm, packed(args))
            }
            Op::Compact => {
                if packed(args).is_nil() {
                    return Ok(true);
                }
                give(vm, packed(args))
            }
            Op::WithIndex(offset, proc) => {
                let index = match offset {
                    Value::Int(offset) => Value::i128(i128::from(*offset) + i128::from(count.get())),
                    big => vm.call(big, sym::PLUS, &[Value::Int(count.get())])?,
                };
                count.set(count.get() + 1);
                let value = packed(args);
                match proc {
                    Some(proc) => {
                        vm.yield2(Block::Proc(proc), value.clone(), index)?;
                        give(vm, value)
                    }
                    // the next operation takes the pair as two arguments, a block at the end as an Array
                    None if matches!(out.get(vm).kind, ProcKind::Native(..)) => {
                        vm.yield2(Block::Proc(&out), value, index).map(|_| true)
                    }
                    None => give(vm, Value::array(vec![value, index])),
                }
            }
        }
    })
}
/// Yields the result of a flat_map block, element by element if it is an Array.
fn flatten(vm: &mut Vm, value: Value, out: &Proc) -> Res<bool> {
    let list = match &value {
        Value::Array(array) => Some(array.clone()),
        _ if vm.respond_to(&value, name("force"), false)? && vm.respond_to(&value, sym::EACH, false)? => {
            vm.call_with_block(&value, sym::EACH, &[], out)?;
            return Ok(true);
        }
        _ => vm.check_ary(&value)?,
    };
    match list {
        Some(array) => {
            let mut index = 0;
            while let Some(element) = item(vm, &array, index) {
                vm.yield1(Block::Proc(out), element)?;
                index += 1;
            }
        }
        None => {
            vm.yield1(Block::Proc(out), value)?;
        }
    }
    Ok(true)
}

fn force(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(crate::core::enumerable::collect(vm, this, args)?))
}
fn eager(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = super::data::Parts {
        receiver: this.clone(),
        method: sym::EACH,
        args: Vec::new(),
        keywords: false,
        size: Size::Native,
    }
    .into_data();
    Ok(Value::data(ClassId::ENUMERATOR, data))
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parts = parts(vm, this)?;
    match (&parts.op, &parts.size) {
        (Op::Source(method, args), Size::Native) => super::sizes::size_of(vm, &parts.source, *method, args),
        (_, Size::Value(value @ (Value::Proc(_) | Value::Object(_)))) => vm.call(&value.clone(), sym::CALL, &[]),
        (_, Size::Value(value)) => Ok(value.clone()),
        (Op::Source(_, args), Size::Block(proc)) => {
            let (proc, with) =
                (proc.clone(), crate::call::ProcOverride { slf: Some(&parts.source), ..Default::default() });
            vm.call_proc_with(&proc, Args::new(args), with)
        }
        (Op::Take(limit), _) => {
            let size = source_size(vm, &parts.source)?;
            Ok(match size {
                Value::Nil => Value::Nil,
                size if *limit == 0 => {
                    if size.is_nil() {
                        Value::Nil
                    } else {
                        Value::Int(0)
                    }
                }
                size => {
                    if vm.compare(&size, &Value::Int(*limit))?.is_lt() {
                        size
                    } else {
                        Value::Int(*limit)
                    }
                }
            })
        }
        (Op::Drop(limit), _) => {
            let size = source_size(vm, &parts.source)?;
            match &size {
                Value::Int(number) => Ok(Value::Int((number - limit).max(0))),
                Value::Big(gc) => Ok(Value::big(&gc.get(vm).0 - BigInt::from(*limit))),
                _ => Ok(size),
            }
        }
        (Op::Map(_) | Op::Zip(_) | Op::WithIndex(..), _) => source_size(vm, &parts.source),
        _ => Ok(Value::Nil),
    }
}
fn source_size(vm: &mut Vm, source: &Value) -> Res {
    if vm.respond_to(source, sym::SIZE, true)? { vm.call(source, sym::SIZE, &[]) } else { Ok(Value::Nil) }
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let Ok(parts) = parts(vm, this) else { return Ok(Value::str(format!("#<{class}: uninitialized>"))) };
    let text = crate::core::natives::once(vm, this, |vm| {
        let mut text = format!("#<{class}: {}", vm.inspect(&parts.source)?);
        if let Some((method, args)) = &parts.shown {
            text.push_str(&format!(":{method}"));
            let mut words = Vec::new();
            for arg in args {
                words.push(vm.inspect(arg)?);
            }
            if !words.is_empty() {
                text.push_str(&format!("({})", words.join(", ")));
            }
        }
        Ok(text + ">")
    })?;
    Ok(Value::str(text.unwrap_or_else(|| format!("#<{class}: ...>"))))
}

/// Adds an operation, shown under the name of the running native.
fn with(vm: &mut Vm, this: &Value, op: Op, args: &[Value]) -> Res {
    let method = called(vm);
    Ok(make(this, op, Some((method, args.to_vec())), Size::Native))
}
fn called(vm: &Vm) -> Symbol {
    vm.current_native_name().unwrap_or(sym::EACH)
}
fn needed(vm: &mut Vm, args: Args<'_>) -> Res<Proc> {
    match args.block {
        Some(block) => Ok(vm.block_to_proc(block)),
        None => {
            let method = match called(vm).as_str() {
                "collect" => "map",
                "collect_concat" => "flat_map",
                "filter" | "find_all" => "select",
                other => other,
            };
            Err(vm.argument_error(format!("tried to call lazy {method} without a block")))
        }
    }
}
fn map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let op = Op::Map(needed(vm, args)?);
    with(vm, this, op, &[])
}
fn flat_map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let op = Op::FlatMap(needed(vm, args)?);
    with(vm, this, op, &[])
}
fn select(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let op = Op::Select(needed(vm, args)?, true);
    with(vm, this, op, &[])
}
fn reject(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let op = Op::Select(needed(vm, args)?, false);
    with(vm, this, op, &[])
}
fn filter_map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let op = Op::FilterMap(needed(vm, args)?);
    with(vm, this, op, &[])
}
fn grep(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = args.block.map(|block| vm.block_to_proc(block));
    with(vm, this, Op::Grep(args.at(0).clone(), true, proc), args.pos)
}
fn grep_v(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = args.block.map(|block| vm.block_to_proc(block));
    with(vm, this, Op::Grep(args.at(0).clone(), false, proc), args.pos)
}
fn take_while(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let op = Op::TakeWhile(needed(vm, args)?);
    with(vm, this, op, &[])
}
fn drop_while(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let op = Op::DropWhile(needed(vm, args)?);
    with(vm, this, op, &[])
}
fn take(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    if count < 0 {
        return Err(vm.argument_error("attempt to take negative size"));
    }
    with(vm, this, Op::Take(count), &[Value::Int(count)])
}
fn drop_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    if count < 0 {
        return Err(vm.argument_error("attempt to drop negative size"));
    }
    with(vm, this, Op::Drop(count), &[Value::Int(count)])
}
fn zip(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_some() {
        return enumerable(vm, this, args);
    }
    for other in args.pos {
        if !matches!(other, Value::Array(_)) && !vm.respond_to(other, sym::EACH, false)? {
            let class = vm.class_name_of(other);
            return Err(vm.type_error(format!("wrong argument type {class} (must respond to :each)")));
        }
    }
    with(vm, this, Op::Zip(args.pos.to_vec()), args.pos)
}
fn uniq(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = args.block.map(|block| vm.block_to_proc(block));
    with(vm, this, Op::Uniq(proc), &[])
}
fn compact(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    with(vm, this, Op::Compact, &[])
}
fn with_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let offset = match args.at(0) {
        Value::Nil => Value::Int(0),
        offset => vm.to_integer(offset)?,
    };
    let proc = args.block.map(|block| vm.block_to_proc(block));
    with(vm, this, Op::WithIndex(offset.clone(), proc), &[offset])
}
/// Calls Enumerable's method with the same name.
fn enumerable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let method = called(vm);
    match vm.find_method(ClassId::ENUMERABLE, method) {
        Some(id) => vm.invoke(id, this, method, args),
        None => no_block(vm, this, args),
    }
}
/// Calls Enumerable's method with the same name, and makes the result lazy.
fn through(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let made = enumerable(vm, this, args)?;
    new_lazy_of(vm, &made)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::LAZY).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(ClassId::LAZY, METHODS);
}
