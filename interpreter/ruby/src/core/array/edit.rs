//! Array: adding and removing.

use super::common::{ary, modify, position};
use crate::Vm;
use crate::args::Args;
use crate::core::natives::{check_room, item, no_block};
use crate::error::Res;
use crate::frame::Block;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::value::{RArray, Value};

pub(super) static METHODS: &[MethodDef] = &[
    def("<<", append, 1),
    any("push", push),
    any("append", push),
    opt("pop", pop, 0, 1),
    opt("shift", shift, 0, 1),
    any("unshift", unshift),
    any("prepend", unshift),
    any("insert", insert),
    any("concat", concat),
    def("clear", clear, 0),
    def("compact", compact, 0),
    def("compact!", compact_bang, 0),
    def("delete", delete, 1),
    def("delete_at", delete_at, 1),
    def("delete_if", delete_if, 0),
    def("reject!", reject_bang, 0),
    def("select!", select_bang, 0),
    def("filter!", select_bang, 0),
    def("keep_if", keep_if, 0),
];

fn append(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    array.get_mut(vm).items.push(args.at(0).clone());
    Ok(this.clone())
}
fn push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    array.get_mut(vm).items.extend_from_slice(args.pos);
    Ok(this.clone())
}
fn count_arg(vm: &mut Vm, value: &Value) -> Res<usize> {
    let count = vm.to_int(value)?;
    usize::try_from(count).map_err(|_| vm.argument_error("negative array size"))
}
fn pop(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    match args.get(0) {
        None => Ok(array.get_mut(vm).items.pop().unwrap_or_default()),
        Some(count) => {
            let count = count_arg(vm, count)?;
            let items = &mut array.get_mut(vm).items;
            Ok(Value::array(items.split_off(items.len().saturating_sub(count))))
        }
    }
}
fn shift(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    match args.get(0) {
        None => {
            let items = &mut array.get_mut(vm).items;
            Ok(items.shift().unwrap_or_default())
        }
        Some(count) => {
            let count = count_arg(vm, count)?;
            let items = &mut array.get_mut(vm).items;
            let count = count.min(items.len());
            Ok(Value::array(items.drain(..count).collect()))
        }
    }
}
fn unshift(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    array.get_mut(vm).items.unshift(args.pos);
    Ok(this.clone())
}
fn insert(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Err(vm.arity_error(0, "1+"));
    }
    let array = modify(vm, this)?;
    let mut index = vm.to_int(args.at(0))?;
    if args.len() == 1 {
        return Ok(this.clone());
    }
    let len = array.get(vm).items.len() as i64;
    if index == -1 {
        index = len;
    } else if index < 0 {
        if index + len + 1 < 0 {
            return Err(vm.index_error(format!("index {index} too small for array; minimum: -{}", len + 1)));
        }
        index += 1;
    }
    super::access::splice(vm, array, index, 0, args.pos[1..].to_vec())?;
    Ok(this.clone())
}
fn concat(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let mut all = Vec::new();
    for other in args.pos {
        let other = vm.to_ary(other)?;
        all.extend_from_slice(&other.get(vm).items);
    }
    let count = array.get(vm).items.len() + all.len();
    check_room(vm, count as i64)?;
    array.get_mut(vm).items.extend(all);
    Ok(this.clone())
}
fn clear(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let old = std::mem::take(&mut array.get_mut(vm).items);
    drop(old);
    Ok(this.clone())
}
fn compact(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let items = &ary(vm, this)?.get(vm).items;
    Ok(Value::array(items.iter().filter(|item| !item.is_nil()).cloned().collect()))
}
fn compact_bang(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let items = &mut modify(vm, this)?.get_mut(vm).items;
    let before = items.len();
    items.retain(|item| !item.is_nil());
    Ok(if items.len() == before { Value::Nil } else { this.clone() })
}
fn delete(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let wanted = args.at(0);
    let mut found = None;
    let mut hits = Vec::new();
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        if vm.equal(&element, wanted)? {
            found = Some(element);
            hits.push(index);
        }
        index += 1;
    }
    let Some(found) = found else {
        return match args.block {
            Some(block) => vm.yield1(block, wanted.clone()),
            None => Ok(Value::Nil),
        };
    };
    vm.check_frozen(this)?;
    let items = &mut array.get_mut(vm).items;
    let (mut at, mut next) = (0, 0);
    items.retain(|_| {
        let hit = hits.get(next) == Some(&at);
        next += usize::from(hit);
        at += 1;
        !hit
    });
    Ok(found)
}
fn delete_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let index = vm.to_int(args.at(0))?;
    let len = ary(vm, this)?.get(vm).items.len();
    let Some(at) = position(index, len).filter(|at| *at < len) else { return Ok(Value::Nil) };
    Ok(modify(vm, this)?.get_mut(vm).items.remove(at))
}
/// Keeps the elements for which the block's result is `keep`; removals before an error or jump are kept.
fn retain(vm: &mut Vm, array: &Gc<RArray>, block: Block<'_>, keep: bool) -> Res<bool> {
    let (mut from, mut to) = (0, 0);
    let mut result = Ok(());
    while let Some(element) = item(vm, array, from) {
        match vm.yield1(block, element.clone()) {
            Ok(answer) => {
                if answer.truthy() == keep {
                    if let Some(slot) = array.get_mut(vm).items.get_mut(to) {
                        *slot = element;
                    }
                    to += 1;
                }
                from += 1;
            }
            Err(error) => {
                result = Err(error);
                break;
            }
        }
    }
    let items = &mut array.get_mut(vm).items;
    let changed = to < from.min(items.len());
    if changed {
        vm.check_frozen(&Value::Array(array.clone()))?;
        let items = &mut array.get_mut(vm).items;
        items.drain(to..from.min(items.len()));
    }
    result.map(|()| changed)
}
fn delete_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = modify(vm, this)?;
    retain(vm, array, block, false)?;
    Ok(this.clone())
}
fn reject_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = modify(vm, this)?;
    let changed = retain(vm, array, block, false)?;
    Ok(if changed { this.clone() } else { Value::Nil })
}
fn select_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = modify(vm, this)?;
    let changed = retain(vm, array, block, true)?;
    Ok(if changed { this.clone() } else { Value::Nil })
}
fn keep_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = modify(vm, this)?;
    retain(vm, array, block, true)?;
    Ok(this.clone())
}
