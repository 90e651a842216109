//! Array: flatten, join, zip, product, transpose, combinations and permutations.

use super::common::{ary, items, modify};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::coerce::Trail;
use crate::core::natives::{check_room, item, no_block, once};
use crate::error::Res;
use crate::frame::Block;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::{RArray, Value};
use rchef_syntax::symbol::sym;

pub(super) static METHODS: &[MethodDef] = &[
    opt("flatten", flatten, 0, 1),
    opt("flatten!", flatten_bang, 0, 1),
    opt("join", join_, 0, 1),
    any("zip", zip),
    any("product", product),
    def("transpose", transpose, 0),
    def("combination", combination, 1),
    opt("permutation", permutation, 0, 1),
    def("repeated_combination", repeated_combination, 1),
    def("repeated_permutation", repeated_permutation, 1),
];

/// Appends the elements, flattening nested arrays; returns whether there were any. `depth` < 0: all levels.
pub(crate) fn flatten_into(
    vm: &mut Vm,
    list: Vec<Value>,
    depth: i64,
    out: &mut Vec<Value>,
    around: &mut Trail,
) -> Res<bool> {
    vm.check_stack()?;
    let mut nested = false;
    for element in list {
        if depth != 0
            && let Some(inner) = vm.check_ary(&element)?
        {
            if depth < 0 && around.contains(inner.address()) {
                return Err(vm.argument_error("tried to flatten recursive array"));
            }
            nested = true;
            around.push(inner.address());
            let list = inner.get(vm).items.clone();
            vm.check_size((out.len() + list.len()).saturating_mul(16))?;
            flatten_into(vm, list, depth.saturating_sub(1), out, around)?;
            around.pop();
            continue;
        }
        vm.tick_by(1)?;
        out.push(element);
    }
    Ok(nested)
}
fn flat(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<Option<Vec<Value>>> {
    let array = ary(vm, this)?;
    let depth = match args.get(0) {
        Some(Value::Nil) | None => -1,
        Some(depth) => vm.to_int(depth)?,
    };
    if depth == 0 {
        return Ok(None);
    }
    let mut out = Vec::new();
    let list = array.get(vm).items.clone();
    let mut around = Trail::default();
    around.push(array.address());
    let nested = flatten_into(vm, list, depth, &mut out, &mut around)?;
    Ok(nested.then_some(out))
}
fn flatten(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(match flat(vm, this, args)? {
        Some(out) => out,
        None => items(vm, this)?,
    }))
}
fn flatten_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    match flat(vm, this, args)? {
        Some(out) => {
            array.get_mut(vm).items = out.into();
            Ok(this.clone())
        }
        None => Ok(Value::Nil),
    }
}
fn join_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    join(vm, this, args.at(0))
}
/// Array#join, including nested arrays.
pub(crate) fn join(vm: &mut Vm, this: &Value, separator: &Value) -> Res {
    let separator = match separator {
        Value::Nil => {
            let default = vm.global_get(sym::DOLLAR_COMMA)?;
            if default.is_nil() {
                None
            } else {
                vm.warn_deprecated("$, is set to non-nil value")?;
                Some(vm.to_str(&default)?)
            }
        }
        // it does not matter what joins nothing
        _ if ary(vm, this)?.get(vm).items.is_empty() => None,
        given => Some(vm.to_str(given)?),
    };
    let array = ary(vm, this)?.clone();
    if array.get(vm).items.is_empty() {
        return Ok(Value::string(RString::ascii("")));
    }
    let mut out = RString::ascii("");
    let mut first = true;
    if once(vm, this, |vm| join_into(vm, &array, separator.as_ref(), &mut out, &mut first))?.is_none() {
        return Err(vm.argument_error("recursive array join"));
    }
    Ok(Value::string(out))
}
fn join_into(
    vm: &mut Vm,
    array: &Gc<RArray>,
    separator: Option<&Gc<RString>>,
    out: &mut RString,
    first: &mut bool,
) -> Res<()> {
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        if index > 0
            && let Some(separator) = separator
        {
            vm.append(out, separator)?;
        }
        index += 1;
        vm.tick_by(1)?;
        let text = match &element {
            Value::Str(text) => text.clone(),
            Value::Array(inner) => {
                join_nested(vm, &element, inner, separator, out, first)?;
                continue;
            }
            Value::Int(_) | Value::Sym(_) | Value::Nil | Value::Float(_) | Value::True | Value::False => {
                vm.to_s(&element)?
            }
            _ => match vm.check_str(&element)? {
                Some(text) => text,
                None => match vm.check_ary(&element)? {
                    Some(inner) => {
                        join_nested(vm, &element, &inner, separator, out, first)?;
                        continue;
                    }
                    None => vm.to_s(&element)?,
                },
            },
        };
        if *first {
            out.set_encoding(text.get(vm).encoding());
            *first = false;
        }
        vm.append(out, &text)?;
    }
    Ok(())
}
fn join_nested(
    vm: &mut Vm,
    value: &Value,
    inner: &Gc<RArray>,
    separator: Option<&Gc<RString>>,
    out: &mut RString,
    first: &mut bool,
) -> Res<()> {
    // the encoding of a nested Array's Strings is not taken over
    *first = false;
    match once(vm, value, |vm| join_into(vm, inner, separator, out, first))? {
        Some(()) => Ok(()),
        None => Err(vm.argument_error("recursive array join")),
    }
}
/// The arguments of `zip`: Arrays, or the elements taken from iterators.
fn zip_sources(vm: &mut Vm, args: &[Value], limit: usize) -> Res<Vec<Gc<RArray>>> {
    let mut out = Vec::new();
    for source in args {
        if let Some(array) = vm.check_ary(source)? {
            out.push(array);
            continue;
        }
        if !vm.respond_to(source, sym::EACH, false)? {
            let class = vm.class_name_of(source);
            return Err(vm.type_error(format!("wrong argument type {class} (must respond to :each)")));
        }
        let taken = crate::core::enumerable::take_first(vm, source, limit)?;
        out.push(Gc::new(ClassId::ARRAY, RArray { items: taken.into() }));
    }
    Ok(out)
}
/// Copies the first `limit` elements of those sources that are the arguments themselves.
fn copy_changeable(vm: &mut Vm, sources: &mut [Gc<RArray>], args: &[Value], limit: usize) -> Res<()> {
    vm.check_left(limit.saturating_mul(sources.len() * 16))?;
    for (source, given) in sources.iter_mut().zip(args) {
        if matches!(given, Value::Array(_)) {
            let items = source.get(vm).items.iter().take(limit).cloned().collect::<Vec<_>>();
            *source = Gc::new(ClassId::ARRAY, RArray { items: items.into() });
        }
    }
    Ok(())
}
/// Approximate memory of an Array without its elements, in bytes.
const ROW: usize = 96;

fn zip(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = items(vm, this)?;
    if list.is_empty() {
        return Ok(if args.block.is_some() { Value::Nil } else { Value::array(Vec::new()) });
    }
    let mut others = zip_sources(vm, args.pos, list.len())?;
    if args.block.is_none() {
        vm.check_left(list.len().saturating_mul((others.len() + 1) * 16 + ROW))?;
    } else {
        // the block may change the arguments, and the rows are those of before
        copy_changeable(vm, &mut others, args.pos, list.len())?;
    }
    let mut out = Vec::new();
    for (index, element) in list.into_iter().enumerate() {
        vm.tick_by(others.len() + 1)?;
        let mut row = vec![element];
        row.extend(others.iter().map(|other| other.get(vm).items.get(index).cloned().unwrap_or_default()));
        match args.block {
            Some(block) => {
                vm.yield1(block, Value::array(row))?;
            }
            None => out.push(Value::array(row)),
        }
    }
    Ok(if args.block.is_some() { Value::Nil } else { Value::array(out) })
}
fn product(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut lists = vec![items(vm, this)?];
    for other in args.pos {
        let other = vm.to_ary(other)?;
        lists.push(other.get(vm).items.clone());
    }
    let total = lists.iter().try_fold(1_i64, |total, list| total.checked_mul(list.len() as i64));
    if args.block.is_none() {
        match total {
            Some(total) if total <= i64::MAX / 16 => {
                let total = check_room(vm, total)?;
                vm.check_left(total.saturating_mul(lists.len() * 16 + ROW))?;
            }
            _ => return Err(vm.range_error("too big to product")),
        };
    }
    let mut out = Vec::new();
    let mut at = vec![0; lists.len()];
    if lists.iter().all(|list| !list.is_empty()) {
        'all: loop {
            vm.tick_by(lists.len())?;
            let row =
                Value::array(at.iter().zip(&lists).filter_map(|(index, list)| list.get(*index).cloned()).collect());
            match args.block {
                Some(block) => {
                    vm.yield1(block, row)?;
                }
                None => out.push(row),
            }
            let mut digit = lists.len();
            loop {
                if digit == 0 {
                    break 'all;
                }
                digit -= 1;
                at[digit] += 1;
                if at[digit] < lists[digit].len() {
                    break;
                }
                at[digit] = 0;
            }
        }
    }
    Ok(if args.block.is_some() { this.clone() } else { Value::array(out) })
}
fn transpose(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    // rows are shared, not copied, because the same row may occur a million times
    let mut rows: Vec<Gc<RArray>> = Vec::new();
    for row in items(vm, this)? {
        rows.push(vm.to_ary(&row)?);
    }
    let Some(width) = rows.first().map(|row| row.get(vm).items.len()) else { return Ok(Value::array(Vec::new())) };
    if let Some(odd) = rows.iter().map(|row| row.get(vm).items.len()).find(|length| *length != width) {
        return Err(vm.index_error(format!("element size differs ({odd} should be {width})")));
    }
    vm.check_left(width.saturating_mul(rows.len() * 16 + ROW))?;
    let mut columns = Vec::with_capacity(width);
    for at in 0..width {
        vm.tick_by(rows.len())?;
        columns.push(Value::array(rows.iter().filter_map(|row| item(vm, row, at)).collect()));
    }
    Ok(Value::array(columns))
}

/// Yields the elements at these indices.
fn give(vm: &mut Vm, list: &[Value], at: &[usize], block: Block<'_>) -> Res<()> {
    vm.tick_by(at.len() + 1)?;
    let row = at.iter().filter_map(|index| list.get(*index).cloned()).collect();
    vm.yield1(block, Value::array(row)).map(drop)
}
fn combination(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let list = items(vm, this)?;
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= list.len()) else { return Ok(this.clone()) };
    let mut at: Vec<usize> = (0..count).collect();
    loop {
        give(vm, &list, &at, block)?;
        let Some(digit) = (0..count).rev().find(|digit| at[*digit] < list.len() - count + digit) else { break };
        at[digit] += 1;
        for next in digit + 1..count {
            at[next] = at[next - 1] + 1;
        }
    }
    Ok(this.clone())
}
fn repeated_combination(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let list = items(vm, this)?;
    let Ok(count) = usize::try_from(count) else { return Ok(this.clone()) };
    if list.is_empty() && count > 0 {
        return Ok(this.clone());
    }
    check_room(vm, count as i64)?;
    let mut at = vec![0; count];
    loop {
        give(vm, &list, &at, block)?;
        let Some(digit) = (0..count).rev().find(|digit| at[*digit] + 1 < list.len()) else { break };
        let next = at[digit] + 1;
        at[digit..].fill(next);
    }
    Ok(this.clone())
}
fn permutation(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let list = items(vm, this)?;
    let count = match args.get(0) {
        None | Some(Value::Nil) => list.len() as i64,
        Some(count) => vm.to_int(count)?,
    };
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= list.len()) else { return Ok(this.clone()) };
    let mut at: Vec<usize> = Vec::with_capacity(count);
    let mut used = vec![false; list.len()];
    let mut from = 0;
    loop {
        if at.len() == count {
            give(vm, &list, &at, block)?;
        } else if let Some(next) = (from..list.len()).find(|index| !used[*index]) {
            used[next] = true;
            at.push(next);
            from = 0;
            continue;
        }
        let Some(last) = at.pop() else { break };
        used[last] = false;
        from = last + 1;
    }
    Ok(this.clone())
}
fn repeated_permutation(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let count = vm.to_int(args.at(0))?;
    let list = items(vm, this)?;
    let Ok(count) = usize::try_from(count) else { return Ok(this.clone()) };
    if list.is_empty() && count > 0 {
        return Ok(this.clone());
    }
    check_room(vm, count as i64)?;
    let mut at = vec![0; count];
    loop {
        give(vm, &list, &at, block)?;
        let Some(digit) = (0..count).rev().find(|digit| at[*digit] + 1 < list.len()) else { break };
        at[digit] += 1;
        at[digit + 1..].fill(0);
    }
    Ok(this.clone())
}
