//! Array: each, and methods that call a block for every element.

use super::common::{ary, modify};
use crate::Vm;
use crate::args::Args;
use crate::core::natives::{item, no_block};
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;

pub(super) static METHODS: &[MethodDef] = &[
    def("each", each, 0),
    def("each_index", each_index, 0),
    def("reverse_each", reverse_each, 0),
    def("map", map, 0),
    def("collect", map, 0),
    def("map!", map_bang, 0),
    def("collect!", map_bang, 0),
    def("select", select, 0),
    def("filter", select, 0),
    def("reject", reject, 0),
    opt("find_index", index, 0, 1),
    opt("index", index, 0, 1),
    opt("rindex", rindex, 0, 1),
    def("include?", is_included, 1),
    opt("count", count, 0, 1),
    opt("all?", all, 0, 1),
    opt("any?", any_, 0, 1),
    opt("none?", none, 0, 1),
    opt("one?", one, 0, 1),
    def("take_while", take_while, 0),
    def("drop_while", drop_while, 0),
    opt("cycle", cycle, 0, 1),
    def("assoc", assoc, 1),
    def("rassoc", rassoc, 1),
];

fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        vm.yield1(block, element)?;
        index += 1;
    }
    Ok(this.clone())
}
fn each_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut index = 0;
    while index < array.get(vm).items.len() {
        vm.yield1(block, Value::len(index))?;
        index += 1;
    }
    Ok(this.clone())
}
fn reverse_each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut left = array.get(vm).items.len();
    while left > 0 {
        left -= 1;
        match item(vm, array, left) {
            Some(element) => {
                vm.yield1(block, element)?;
            }
            None => left = array.get(vm).items.len(),
        }
    }
    Ok(this.clone())
}
fn map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut out = Vec::with_capacity(array.get(vm).items.len());
    while let Some(element) = item(vm, array, out.len()) {
        let value = vm.yield1(block, element)?;
        out.push(value);
    }
    Ok(Value::array(out))
}
fn map_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = modify(vm, this)?;
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        let value = vm.yield1(block, element)?;
        super::access::put(vm, array, index as i64, value)?;
        index += 1;
    }
    Ok(this.clone())
}
fn choose(vm: &mut Vm, this: &Value, args: Args<'_>, keep: bool) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut out = Vec::new();
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        if vm.yield1(block, element.clone())?.truthy() == keep {
            out.push(element);
        }
        index += 1;
    }
    Ok(Value::array(out))
}
fn select(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    choose(vm, this, args, true)
}
fn reject(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    choose(vm, this, args, false)
}
/// Index of the first element that is equal to the argument, or for which the block is true.
fn index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    if args.is_empty() && args.block.is_none() {
        return no_block(vm, this, args);
    }
    if args.block.is_some() && !args.is_empty() {
        vm.warn("given block not used")?;
    }
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        let hit = match (args.get(0), args.block) {
            (Some(wanted), _) => vm.equal(&element, wanted)?,
            (None, Some(block)) => vm.yield1(block, element)?.truthy(),
            (None, None) => false,
        };
        if hit {
            return Ok(Value::len(index));
        }
        index += 1;
    }
    Ok(Value::Nil)
}
fn rindex(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    if args.is_empty() && args.block.is_none() {
        return no_block(vm, this, args);
    }
    if args.block.is_some() && !args.is_empty() {
        vm.warn("given block not used")?;
    }
    let mut left = array.get(vm).items.len();
    while left > 0 {
        left -= 1;
        let Some(element) = item(vm, array, left) else {
            left = array.get(vm).items.len();
            continue;
        };
        let hit = match (args.get(0), args.block) {
            (Some(wanted), _) => vm.equal(&element, wanted)?,
            (None, Some(block)) => vm.yield1(block, element)?.truthy(),
            (None, None) => false,
        };
        if hit {
            return Ok(Value::len(left));
        }
    }
    Ok(Value::Nil)
}
fn is_included(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        if vm.equal(&element, args.at(0))? {
            return Ok(Value::True);
        }
        index += 1;
    }
    Ok(Value::False)
}
fn count(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    if args.is_empty() && args.block.is_none() {
        return Ok(Value::len(array.get(vm).items.len()));
    }
    if args.block.is_some() && !args.is_empty() {
        vm.warn("given block not used")?;
    }
    let (mut index, mut hits) = (0, 0);
    while let Some(element) = item(vm, array, index) {
        let hit = match (args.get(0), args.block) {
            (Some(wanted), _) => vm.equal(&element, wanted)?,
            (None, Some(block)) => vm.yield1(block, element)?.truthy(),
            (None, None) => true,
        };
        hits += usize::from(hit);
        index += 1;
    }
    Ok(Value::len(hits))
}
/// Counts matching elements (by pattern, block or truthiness) until `enough` is true.
fn matching(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    enough: fn(hit: bool, hits: usize) -> bool,
) -> Res<(usize, bool)> {
    let array = ary(vm, this)?;
    if args.block.is_some() && !args.is_empty() {
        vm.warn("given block not used")?;
    }
    let (mut index, mut hits) = (0, 0);
    while let Some(element) = item(vm, array, index) {
        let hit = match (args.get(0), args.block) {
            (Some(pattern), _) => vm.call(pattern, sym::EQQ, &[element])?.truthy(),
            (None, Some(block)) => vm.yield1(block, element)?.truthy(),
            (None, None) => element.truthy(),
        };
        hits += usize::from(hit);
        if enough(hit, hits) {
            return Ok((hits, true));
        }
        index += 1;
    }
    Ok((hits, false))
}
fn all(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!matching(vm, this, args, |hit, _| !hit)?.1))
}
fn any_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(matching(vm, this, args, |hit, _| hit)?.1))
}
fn none(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!matching(vm, this, args, |hit, _| hit)?.1))
}
fn one(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(matching(vm, this, args, |_, hits| hits > 1)?.0 == 1))
}
fn take_while(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut out = Vec::new();
    while let Some(element) = item(vm, array, out.len()) {
        if !vm.yield1(block, element.clone())?.truthy() {
            break;
        }
        out.push(element);
    }
    Ok(Value::array(out))
}
fn drop_while(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        if !vm.yield1(block, element)?.truthy() {
            break;
        }
        index += 1;
    }
    Ok(Value::array(array.get(vm).items.iter().skip(index).cloned().collect()))
}
fn cycle(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = ary(vm, this)?;
    let mut rounds = match args.get(0) {
        None | Some(Value::Nil) => i64::MAX,
        Some(count) => vm.to_int(count)?,
    };
    while rounds > 0 && !array.get(vm).items.is_empty() {
        let mut index = 0;
        while let Some(element) = item(vm, array, index) {
            vm.yield1(block, element)?;
            index += 1;
        }
        if rounds != i64::MAX {
            rounds -= 1;
        }
    }
    Ok(Value::Nil)
}
fn assoc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        if let Some(pair) = vm.check_ary(&element)?
            && let Some(key) = item(vm, &pair, 0)
            && vm.equal(&key, args.at(0))?
        {
            return Ok(Value::Array(pair));
        }
        index += 1;
    }
    Ok(Value::Nil)
}
fn rassoc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        if let Value::Array(pair) = &element
            && let Some(value) = item(vm, pair, 1)
            && vm.equal(&value, args.at(0))?
        {
            return Ok(element);
        }
        index += 1;
    }
    Ok(Value::Nil)
}
