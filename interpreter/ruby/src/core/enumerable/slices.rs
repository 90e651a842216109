//! Enumerable: slices, consecutive elements, chunks, zip, cycle, chain, lazy.

use super::drive::{drive, packed, pass};
use crate::Vm;
use crate::args::Args;
use crate::core::enumerator;
use crate::core::natives::no_block;
use crate::error::Res;
use crate::frame::Block;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;

pub(super) static METHODS: &[MethodDef] = &[
    def("each_slice", each_slice, 1),
    def("each_cons", each_cons, 1),
    any("zip", zip),
    opt("cycle", cycle, 0, 1),
    any("chain", chain),
    def("lazy", lazy, 0),
    def("chunk", chunk, 0),
    def("chunk_while", chunk_while, 0),
    def("slice_when", slice_when, 0),
    opt("slice_before", slice_before, 0, 1),
    opt("slice_after", slice_after, 0, 1),
];

fn size_arg(vm: &mut Vm, value: &Value, what: &str) -> Res<usize> {
    let size = vm.to_int(value)?;
    match usize::try_from(size) {
        Ok(size) if size > 0 => Ok(size),
        _ => Err(vm.argument_error(what)),
    }
}
fn each_slice(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let size = size_arg(vm, args.at(0), "invalid slice size")?;
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let rest = drive(vm, this, args.from(1), Vec::new(), move |vm, part: &mut Vec<Value>, block, args| {
        part.push(packed(args));
        if part.len() == size
            && let Some(block) = block
        {
            let part = std::mem::take(part);
            vm.yield1(block, Value::array(part))?;
        }
        Ok(true)
    })?;
    if !rest.is_empty() {
        vm.yield1(block, Value::array(rest))?;
    }
    Ok(this.clone())
}
fn each_cons(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let size = size_arg(vm, args.at(0), "invalid size")?;
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    drive(vm, this, args.from(1), Vec::new(), move |vm, part: &mut Vec<Value>, block, args| {
        if part.len() == size {
            part.remove(0);
        }
        part.push(packed(args));
        if part.len() == size
            && let Some(block) = block
        {
            vm.yield1(block, Value::array(part.clone()))?;
        }
        Ok(true)
    })?;
    Ok(this.clone())
}
/// Enumerable#zip: Arrays by index, other objects with an external enumerator.
fn zip(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut sources = Vec::new();
    let mut arrays = true;
    for source in args.pos {
        match vm.check_ary(source)? {
            Some(array) => sources.push(Value::Array(array)),
            None => {
                arrays = false;
                break;
            }
        }
    }
    if !arrays {
        sources.clear();
        for source in args.pos {
            if !vm.respond_to(source, sym::EACH, false)? {
                let class = vm.class_name_of(source);
                return Err(vm.type_error(format!("wrong argument type {class} (must respond to :each)")));
            }
            sources.push(vm.call(source, sym::TO_ENUM, &[Value::Sym(sym::EACH)])?);
        }
    }
    let has_block = args.block.is_some();
    let (_, out) =
        drive(vm, this, Args::none().with_block(args.block), (0_usize, Vec::new()), move |vm, state, block, args| {
            let mut row = vec![packed(args)];
            for source in &sources {
                let next = match source {
                    Value::Array(array) => crate::core::natives::item(vm, array, state.0).unwrap_or_default(),
                    other => enumerator::next_or_nil(vm, other)?,
                };
                row.push(next);
            }
            state.0 += 1;
            match block {
                Some(block) => {
                    let count = row.len();
                    pass(vm, block, count, &Value::array(row))?;
                }
                None => state.1.push(Value::array(row)),
            }
            Ok(true)
        })?;
    Ok(if has_block { Value::Nil } else { Value::array(out) })
}
fn cycle(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let mut rounds = match args.get(0) {
        None | Some(Value::Nil) => i64::MAX,
        Some(count) => vm.to_int(count)?,
    };
    if rounds <= 0 {
        return Ok(Value::Nil);
    }
    let list = drive(
        vm,
        this,
        Args::none().with_block(args.block),
        Vec::new(),
        |vm, out: &mut Vec<(usize, Value)>, block, args| {
            let value = packed(args);
            out.push((args.len(), value.clone()));
            if let Some(block) = block {
                super::drive::pass(vm, block, args.len(), &value)?;
            }
            Ok(true)
        },
    )?;
    if list.is_empty() {
        return Ok(Value::Nil);
    }
    loop {
        if rounds != i64::MAX {
            rounds -= 1;
        }
        if rounds <= 0 {
            return Ok(Value::Nil);
        }
        for (count, value) in &list {
            super::drive::pass(vm, block, *count, value)?;
        }
    }
}
fn chain(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut parts = vec![this.clone()];
    parts.extend_from_slice(args.pos);
    enumerator::chain_of(vm, parts)
}
fn lazy(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    enumerator::new_lazy_of(vm, this)
}

/// An Enumerator over what `produce` yields.
fn made(vm: &mut Vm, this: &Value, produce: impl Fn(&mut Vm, &Value, Block<'_>) -> Res<()> + 'static) -> Res {
    let source = this.clone();
    enumerator::from_native(vm, move |vm, block| {
        produce(vm, &source, block)?;
        Ok(Value::Nil)
    })
}
/// Yields a complete group to the block.
fn give(vm: &mut Vm, block: Option<Block<'_>>, group: Vec<Value>) -> Res<()> {
    if let Some(block) = block {
        vm.yield1(block, Value::array(group))?;
    }
    Ok(())
}
fn chunk(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let key_of = vm.block_to_proc(block);
    let (drop_key, alone) = (Symbol::intern_static("_separator"), Symbol::intern_static("_alone"));
    made(vm, this, move |vm, source, out| {
        let key_of = key_of.clone();
        type State = Option<(Value, Vec<Value>)>;
        let rest =
            drive(vm, source, Args::none().with_block(Some(out)), None, move |vm, state: &mut State, out, args| {
                let value = packed(args);
                let key = super::drive::pass(vm, Block::Proc(&key_of), args.len(), &value)?;
                if let Value::Sym(symbol) = &key {
                    if *symbol == alone {
                        if let Some((key, group)) = state.take() {
                            give(vm, out, vec![key, Value::array(group)])?;
                        }
                        give(vm, out, vec![key, Value::array(vec![value])])?;
                        return Ok(true);
                    }
                    if *symbol != drop_key && symbol.as_bytes().first() == Some(&b'_') {
                        return Err(vm.runtime_error("symbols beginning with an underscore are reserved"));
                    }
                }
                if key.is_nil() || matches!(&key, Value::Sym(symbol) if *symbol == drop_key) {
                    if let Some((key, group)) = state.take() {
                        give(vm, out, vec![key, Value::array(group)])?;
                    }
                    return Ok(true);
                }
                match state.take() {
                    Some((old, mut group)) => {
                        if vm.equal(&old, &key)? {
                            group.push(value);
                            *state = Some((old, group));
                        } else {
                            give(vm, out, vec![old, Value::array(group)])?;
                            *state = Some((key, vec![value]));
                        }
                    }
                    None => *state = Some((key, vec![value])),
                }
                Ok(true)
            })?;
        if let Some((key, group)) = rest {
            give(vm, Some(out), vec![key, Value::array(group)])?;
        }
        Ok(())
    })
}
fn between(vm: &mut Vm, this: &Value, args: Args<'_>, split_when: bool) -> Res {
    let Some(block) = args.block else {
        return Err(vm.argument_error("tried to create Proc object without a block"));
    };
    let test = vm.block_to_proc(block);
    made(vm, this, move |vm, source, out| {
        let test: Gc<_> = test.clone();
        let rest = drive(
            vm,
            source,
            Args::none().with_block(Some(out)),
            Vec::new(),
            move |vm, group: &mut Vec<Value>, out, args| {
                let value = packed(args);
                if let Some(last) = group.last().cloned() {
                    let answer = vm.yield2(Block::Proc(&test), last, value.clone())?.truthy();
                    if answer == split_when {
                        let group = std::mem::take(group);
                        give(vm, out, group)?;
                    }
                }
                group.push(value);
                Ok(true)
            },
        )?;
        if !rest.is_empty() {
            give(vm, Some(out), rest)?;
        }
        Ok(())
    })
}
fn slice_when(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    between(vm, this, args, true)
}
fn chunk_while(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    between(vm, this, args, false)
}
/// The pattern or block of slice_before and slice_after as a predicate.
fn slice_test(vm: &mut Vm, args: Args<'_>) -> Res<impl Fn(&mut Vm, &Value) -> Res<bool> + Clone + 'static> {
    let proc = match (args.pos, args.block) {
        ([_], Some(_)) => return Err(vm.argument_error("both pattern and block are given")),
        ([], None) => return Err(vm.arity_error(0, "1")),
        (_, block) => block.map(|block| vm.block_to_proc(block)),
    };
    let pattern = args.at(0).clone();
    Ok(move |vm: &mut Vm, value: &Value| match &proc {
        Some(proc) => Ok(vm.yield1(Block::Proc(proc), value.clone())?.truthy()),
        None => Ok(vm.call(&pattern, sym::EQQ, std::slice::from_ref(value))?.truthy()),
    })
}
fn slice_before(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let test = slice_test(vm, args)?;
    made(vm, this, move |vm, source, out| {
        let test = test.clone();
        let rest = drive(
            vm,
            source,
            Args::none().with_block(Some(out)),
            Vec::new(),
            move |vm, group: &mut Vec<Value>, out, args| {
                let value = packed(args);
                if test(vm, &value)? && !group.is_empty() {
                    let group = std::mem::take(group);
                    give(vm, out, group)?;
                }
                group.push(value);
                Ok(true)
            },
        )?;
        if !rest.is_empty() {
            give(vm, Some(out), rest)?;
        }
        Ok(())
    })
}
fn slice_after(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let test = slice_test(vm, args)?;
    made(vm, this, move |vm, source, out| {
        let test = test.clone();
        let rest = drive(
            vm,
            source,
            Args::none().with_block(Some(out)),
            Vec::new(),
            move |vm, group: &mut Vec<Value>, out, args| {
                let value = packed(args);
                group.push(value.clone());
                if test(vm, &value)? {
                    let group = std::mem::take(group);
                    give(vm, out, group)?;
                }
                Ok(true)
            },
        )?;
        if !rest.is_empty() {
            give(vm, Some(out), rest)?;
        }
        Ok(())
    })
}
