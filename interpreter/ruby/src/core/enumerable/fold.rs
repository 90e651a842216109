//! Enumerable: inject, sums, extremes, sorting, grouping.

use super::drive::{collect, drive, packed, pass};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::array::order::{Sum, compare_by, extreme, sort_by_keys, sort_values};
use crate::core::array::select::select;
use crate::core::natives::no_block;
use crate::error::Res;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::cmp::Ordering;

pub(super) static METHODS: &[MethodDef] = &[
    opt("inject", inject, 0, 2),
    opt("reduce", inject, 0, 2),
    opt("sum", sum, 0, 1),
    opt("min", min, 0, 1),
    opt("max", max, 0, 1),
    def("minmax", minmax, 0),
    opt("min_by", min_by, 0, 1),
    opt("max_by", max_by, 0, 1),
    def("minmax_by", minmax_by, 0),
    def("sort", sort, 0),
    def("sort_by", sort_by, 0),
    def("group_by", group_by, 0),
    opt("tally", tally, 0, 1),
];

/// Enumerable#inject without block and operation: an error if there is more than one element.
fn inject_nothing(vm: &mut Vm, this: &Value) -> Res {
    let mut list = collect(vm, this, Args::none())?;
    if list.len() > 1 {
        return Err(vm.error(ClassId::LOCAL_JUMP_ERROR, "no block given"));
    }
    Ok(list.pop().unwrap_or_default())
}
fn inject(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (init, operation) = match (args.pos, args.block) {
        ([], None) => return inject_nothing(vm, this),
        ([], Some(_)) => (None, None),
        ([init], Some(_)) => (Some(init.clone()), None),
        ([operation], None) => (None, Some(vm.to_name(operation)?)),
        ([init, operation, ..], block) => {
            if block.is_some() {
                vm.warn("given block not used")?;
            }
            (Some(init.clone()), Some(vm.to_name(operation)?))
        }
    };
    let result = drive(
        vm,
        this,
        Args::none().with_block(args.block),
        init,
        move |vm, memo: &mut Option<Value>, block, args| {
            let value = packed(args);
            let Some(so_far) = memo.take() else {
                *memo = Some(value);
                return Ok(true);
            };
            let next = match (operation, block) {
                (Some(sym::PLUS), _)
                    if matches!((&so_far, &value), (Value::Int(_), Value::Int(_))) && !vm.redefined =>
                {
                    match (&so_far, &value) {
                        (Value::Int(a), Value::Int(b)) => Value::i128(i128::from(*a) + i128::from(*b)),
                        _ => Value::Nil,
                    }
                }
                (Some(operation), _) => vm.call_public(&so_far, operation, Args::new(&[value]))?,
                (None, Some(block)) => vm.yield2(block, so_far, value)?,
                (None, None) => value,
            };
            *memo = Some(next);
            Ok(true)
        },
    )?;
    Ok(result.unwrap_or_default())
}
fn sum(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let init = args.get(0).cloned().unwrap_or(Value::Int(0));
    if let (Value::Range(range), None) = (this, args.block)
        && !matches!(init, Value::Float(_))
        && let (first @ (Value::Int(_) | Value::Big(_)), last @ (Value::Int(_) | Value::Big(_)), exclusive) = {
            let range = range.get(vm);
            (range.begin.clone(), range.end.clone(), range.exclusive)
        }
    {
        // the sum of a Range of Integers has a closed form
        let (first, last) = (vm.to_bigint(&first)?, vm.to_bigint(&last)? - i32::from(exclusive));
        if last < first {
            return Ok(init);
        }
        let row = (&first + &last) * (last - first + 1) / 2;
        if let Value::Int(_) | Value::Big(_) = init {
            return Ok(Value::big(vm.to_bigint(&init)? + row));
        }
        // MRI adds by the coercion of the Integer, whatever `+` the initial value has
        let pair = vm.call(&Value::big(row), sym::COERCE, &[init])?;
        let pair = if let Value::Array(pair) = pair { pair.get(vm).items.to_vec() } else { Vec::new() };
        let [first, second] = pair.as_slice() else { return Err(vm.type_error("coerce must return [x, y]")) };
        return vm.call(first, sym::PLUS, std::slice::from_ref(second));
    }
    let sum = Sum::from(vm, &init);
    let total = drive(vm, this, Args::none().with_block(args.block), Some(sum), |vm, sum, block, args| {
        let value = match block {
            Some(block) => vm.yield1(block, packed(args))?,
            None => packed(args),
        };
        if let Some(so_far) = sum.take() {
            *sum = Some(so_far.add(vm, &value)?);
        }
        Ok(true)
    })?;
    Ok(total.map(Sum::value).unwrap_or_default())
}
fn min(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = collect(vm, this, Args::none())?;
    extreme(vm, list, args.get(0), args.block, Ordering::Less)
}
fn max(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = collect(vm, this, Args::none())?;
    extreme(vm, list, args.get(0), args.block, Ordering::Greater)
}
fn minmax(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = collect(vm, this, Args::none())?;
    let mut list = list.into_iter();
    let Some(first) = list.next() else { return Ok(Value::array(vec![Value::Nil, Value::Nil])) };
    let (mut least, mut greatest) = (first.clone(), first);
    for element in list {
        if compare_by(vm, args.block, &element, &least)? == Ordering::Less {
            least = element.clone();
        }
        if compare_by(vm, args.block, &element, &greatest)? == Ordering::Greater {
            greatest = element;
        }
    }
    Ok(Value::array(vec![least, greatest]))
}
/// Every element with the block's result for it.
fn keyed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<Vec<(Value, Value)>> {
    drive(vm, this, Args::none().with_block(args.block), Vec::new(), |vm, out, block, args| {
        let value = packed(args);
        if let Some(block) = block {
            let key = pass(vm, block, args.len(), &value)?;
            out.push((key, value));
        }
        Ok(true)
    })
}
fn extreme_by(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: Ordering) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let pairs = keyed(vm, this, args)?;
    if let Some(count) = args.get(0)
        && !count.is_nil()
    {
        let first = select(vm, pairs, count, wanted, &mut |vm, a, b| vm.compare(&a.0, &b.0))?;
        return Ok(Value::array(first.into_iter().map(|pair| pair.1).collect()));
    }
    let mut pairs = pairs.into_iter();
    let Some(mut best) = pairs.next() else { return Ok(Value::Nil) };
    for pair in pairs {
        if vm.compare(&pair.0, &best.0)? == wanted {
            best = pair;
        }
    }
    Ok(best.1)
}
fn min_by(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    extreme_by(vm, this, args, Ordering::Less)
}
fn max_by(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    extreme_by(vm, this, args, Ordering::Greater)
}
fn minmax_by(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let mut pairs = keyed(vm, this, args)?.into_iter();
    let Some(first) = pairs.next() else { return Ok(Value::array(vec![Value::Nil, Value::Nil])) };
    let (mut least, mut greatest) = (first.clone(), first);
    for pair in pairs {
        if vm.compare(&pair.0, &least.0)? == Ordering::Less {
            least = pair.clone();
        }
        if vm.compare(&pair.0, &greatest.0)? == Ordering::Greater {
            greatest = pair;
        }
    }
    Ok(Value::array(vec![least.1, greatest.1]))
}
fn sort(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut list = collect(vm, this, Args::none())?;
    sort_values(vm, &mut list, args.block)?;
    Ok(Value::array(list))
}
fn sort_by(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let pairs = keyed(vm, this, args)?;
    Ok(Value::array(sort_by_keys(vm, pairs)?))
}
fn group_by(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let hash = Gc::new(ClassId::HASH, RHash::default());
    let groups = hash.clone();
    drive(vm, this, args, (), move |vm, _, block, args| {
        let value = packed(args);
        let Some(block) = block else { return Ok(false) };
        let key = pass(vm, block, args.len(), &value)?;
        match vm.hash_get(&groups, &key)? {
            Some(Value::Array(group)) => group.get_mut(vm).items.push(value),
            _ => vm.hash_set(&groups, key, Value::array(vec![value]))?,
        }
        Ok(true)
    })?;
    Ok(Value::Hash(hash))
}
/// Enumerable#tally, optionally into a given Hash.
fn tally(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = match args.get(0) {
        Some(into) => {
            let hash = vm.to_hash(into)?;
            vm.check_frozen(&Value::Hash(hash.clone()))?;
            hash
        }
        None => Gc::new(ClassId::HASH, RHash::default()),
    };
    let counts = hash.clone();
    drive(vm, this, Args::none(), (), move |vm, _, _, args| {
        let key = packed(args);
        let next = match vm.hash_get(&counts, &key)? {
            None => Value::Int(1),
            Some(Value::Int(count)) => Value::i128(i128::from(count) + 1),
            Some(big @ Value::Big(_)) => vm.call(&big, sym::PLUS, &[Value::Int(1)])?,
            Some(other) => {
                let class = vm.describe(&other);
                return Err(vm.type_error(format!("wrong argument type {class} (expected Integer)")));
            }
        };
        vm.hash_set(&counts, key, next)?;
        Ok(true)
    })?;
    Ok(Value::Hash(hash))
}
