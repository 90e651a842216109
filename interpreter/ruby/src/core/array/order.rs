//! Array: sorting, minimum and maximum, sums, searching, rotation and random choice.

use super::common::{ary, items, modify};
use super::select::select;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{item, name, no_block};
use crate::error::Res;
use crate::frame::Block;
use crate::heap::Gc;
use crate::method::{MethodDef, def, opt};
use crate::value::{RArray, Value};
use num_bigint::BigInt;
use rchef_syntax::symbol::sym;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

pub(super) static METHODS: &[MethodDef] = &[
    def("sort", sort, 0),
    def("sort!", sort_bang, 0),
    def("sort_by!", sort_by_bang, 0),
    opt("min", min, 0, 1),
    opt("max", max, 0, 1),
    def("minmax", minmax, 0),
    opt("sum", sum, 0, 1),
    def("bsearch", bsearch, 0),
    def("bsearch_index", bsearch_index, 0),
    def("reverse", reverse, 0),
    def("reverse!", reverse_bang, 0),
    opt("rotate", rotate, 0, 1),
    opt("rotate!", rotate_bang, 0, 1),
    opt("shuffle", shuffle, 0, 1),
    opt("shuffle!", shuffle_bang, 0, 1),
    opt("sample", sample, 0, 2),
];

/// A comparison that may call Ruby.
pub(crate) type Comparison<'a, T> = dyn FnMut(&mut Vm, &T, &T) -> Res<Ordering> + 'a;

/// Merge sort, stable, with the same sequence of comparisons as glibc's qsort_r, which MRI uses.
pub(crate) fn merge_sort<T: Clone>(vm: &mut Vm, list: &mut [T], compare: &mut Comparison<'_, T>) -> Res<()> {
    if list.len() <= 1 {
        return Ok(());
    }
    let middle = list.len() / 2;
    merge_sort(vm, &mut list[..middle], compare)?;
    merge_sort(vm, &mut list[middle..], compare)?;
    let mut merged = Vec::with_capacity(list.len());
    {
        let (left, right) = list.split_at(middle);
        let (mut a, mut b) = (0, 0);
        while a < left.len() && b < right.len() {
            if compare(vm, &left[a], &right[b])? == Ordering::Greater {
                merged.push(right[b].clone());
                b += 1;
            } else {
                merged.push(left[a].clone());
                a += 1;
            }
        }
        merged.extend_from_slice(&left[a..]);
        merged.extend_from_slice(&right[b..]);
    }
    list.clone_from_slice(&merged);
    Ok(())
}

/// Sorts values by `<=>` or a block.
pub(crate) fn sort_values(vm: &mut Vm, list: &mut [Value], block: Option<Block<'_>>) -> Res<()> {
    let Some(block) = block else {
        if !vm.redefined {
            if list.iter().all(|value| matches!(value, Value::Int(_))) {
                list.sort_by_key(|value| if let Value::Int(number) = value { *number } else { 0 });
                return Ok(());
            }
            if list.iter().all(|value| matches!(value, Value::Str(_))) {
                list.sort_by(|a, b| match (a, b) {
                    (Value::Str(a), Value::Str(b)) => a.get(vm).bytes().cmp(b.get(vm).bytes()),
                    _ => Ordering::Equal,
                });
                return Ok(());
            }
        }
        return merge_sort(vm, list, &mut |vm, a, b| vm.compare(a, b));
    };
    merge_sort(vm, list, &mut |vm, a, b| {
        let answer = vm.yield2(block, a.clone(), b.clone())?;
        vm.ordering(&answer, a, b)
    })
}
fn sort(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut list = items(vm, this)?;
    sort_values(vm, &mut list, args.block)?;
    Ok(Value::array(list))
}
fn sort_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let mut list = items(vm, this)?;
    sort_values(vm, &mut list, args.block)?;
    vm.check_frozen(this)?;
    array.get_mut(vm).items = list.into();
    Ok(this.clone())
}
/// Sorts values by keys.
pub(crate) fn sort_by_keys(vm: &mut Vm, mut pairs: Vec<(Value, Value)>) -> Res<Vec<Value>> {
    if !vm.redefined && pairs.iter().all(|pair| matches!(pair.0, Value::Int(_))) {
        pairs.sort_by_key(|pair| if let Value::Int(number) = pair.0 { number } else { 0 });
    } else {
        merge_sort(vm, &mut pairs, &mut |vm, a, b| vm.compare(&a.0, &b.0))?;
    }
    Ok(pairs.into_iter().map(|pair| pair.1).collect())
}
fn sort_by_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let array = modify(vm, this)?;
    let mut pairs = Vec::new();
    while let Some(element) = item(vm, array, pairs.len()) {
        let key = vm.yield1(block, element.clone())?;
        pairs.push((key, element));
    }
    let sorted = sort_by_keys(vm, pairs)?;
    vm.check_frozen(this)?;
    array.get_mut(vm).items = sorted.into();
    Ok(this.clone())
}
/// The comparison for `min`, `max` and `sort`: the block's result or `<=>`.
pub(crate) fn compare_by(vm: &mut Vm, block: Option<Block<'_>>, a: &Value, b: &Value) -> Res<Ordering> {
    match block {
        None => vm.compare(a, b),
        Some(block) => {
            let answer = vm.yield2(block, a.clone(), b.clone())?;
            vm.ordering(&answer, a, b)
        }
    }
}
/// The smallest (or largest) element, or the first n of them.
pub(crate) fn extreme(
    vm: &mut Vm,
    list: Vec<Value>,
    count: Option<&Value>,
    block: Option<Block<'_>>,
    wanted: Ordering,
) -> Res {
    if let Some(count) = count
        && !count.is_nil()
    {
        let first = select(vm, list, count, wanted, &mut |vm, a, b| compare_by(vm, block, a, b))?;
        return Ok(Value::array(first));
    }
    let mut list = list.into_iter();
    let Some(mut best) = list.next() else { return Ok(Value::Nil) };
    for element in list {
        if compare_by(vm, block, &element, &best)? == wanted {
            best = element;
        }
    }
    Ok(best)
}
/// Without block and count: the best element so far is the receiver of `<=>`, which shows in error messages.
fn plain_extreme(vm: &mut Vm, array: &Gc<RArray>, wanted: Ordering) -> Res {
    if !vm.redefined
        && let Some(found) = number_extreme(&array.get(vm).items, wanted)
    {
        return Ok(found);
    }
    let Some(mut best) = item(vm, array, 0) else { return Ok(Value::Nil) };
    let mut index = 1;
    while let Some(element) = item(vm, array, index) {
        if vm.compare(&best, &element)? == wanted.reverse() {
            best = element;
        }
        index += 1;
    }
    Ok(best)
}
/// The smallest (or largest) of nothing but Integers of a machine word, or of nothing but Floats without NaN.
fn number_extreme(items: &[Value], wanted: Ordering) -> Option<Value> {
    let mut rest = items.iter();
    match rest.next()? {
        Value::Int(first) => {
            let mut best = *first;
            for value in rest {
                let Value::Int(number) = value else { return None };
                best = if wanted == Ordering::Less { best.min(*number) } else { best.max(*number) };
            }
            Some(Value::Int(best))
        }
        first @ Value::Float(number) => {
            let (mut best, mut found) = (number.get(), first);
            for value in rest {
                let Value::Float(number) = value else { return None };
                if number.get().partial_cmp(&best)? == wanted {
                    (best, found) = (number.get(), value);
                }
            }
            (!best.is_nan()).then(|| found.clone())
        }
        _ => None,
    }
}
fn any_extreme(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: Ordering) -> Res {
    if args.block.is_none() && args.at(0).is_nil() {
        let array = ary(vm, this)?;
        return plain_extreme(vm, array, wanted);
    }
    let list = items(vm, this)?;
    extreme(vm, list, args.get(0), args.block, wanted)
}
fn min(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    any_extreme(vm, this, args, Ordering::Less)
}
fn max(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    any_extreme(vm, this, args, Ordering::Greater)
}
fn minmax(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let least = any_extreme(vm, this, args, Ordering::Less)?;
    Ok(Value::array(vec![least, any_extreme(vm, this, args, Ordering::Greater)?]))
}

/// A sum computed as in MRI: Integers exactly, Floats by Kahan-Babuska summation, other values by `+`.
pub(crate) enum Sum {
    /// Only Integers so far, and a sum of a machine word.
    Small(i64),
    /// Only Integers so far.
    Exact(BigInt),
    /// Floats: sum and compensation.
    Float(f64, f64),
    Other(Value),
}
impl Sum {
    /// Starts with an initial value.
    pub(crate) fn from(vm: &Vm, init: &Value) -> Sum {
        match init {
            Value::Int(number) => Sum::Small(*number),
            Value::Big(gc) => Sum::Exact(gc.get(vm).0.clone()),
            Value::Float(number) => Sum::Float(number.get(), 0.0),
            other => Sum::Other(other.clone()),
        }
    }
    /// The sum so far.
    pub(crate) fn value(self) -> Value {
        match self {
            Sum::Small(number) => Value::Int(number),
            Sum::Exact(number) => Value::big(number),
            Sum::Float(sum, rest) => Value::float(sum + rest),
            Sum::Other(value) => value,
        }
    }
    /// Adds an element.
    pub(crate) fn add(self, vm: &mut Vm, element: &Value) -> Res<Sum> {
        Ok(match (self, element) {
            (Sum::Small(sum), Value::Int(number)) => match sum.checked_add(*number) {
                Some(sum) => Sum::Small(sum),
                None => Sum::Exact(BigInt::from(sum) + number),
            },
            (Sum::Small(sum), _) => return Sum::Exact(BigInt::from(sum)).add(vm, element),
            (Sum::Exact(sum), Value::Int(number)) => Sum::Exact(sum + number),
            (Sum::Exact(sum), Value::Big(gc)) => Sum::Exact(sum + &gc.get(vm).0),
            (Sum::Exact(sum), Value::Float(number)) => {
                let sum = vm.to_f64(&Value::big(sum))?;
                Sum::Float(sum, 0.0).add_float(number.get())
            }
            (sum @ Sum::Float(..), Value::Float(number)) => sum.add_float(number.get()),
            (sum @ Sum::Float(..), Value::Int(number)) => sum.add_float(*number as f64),
            (sum @ Sum::Float(..), Value::Big(_)) => {
                let number = vm.to_f64(element)?;
                sum.add_float(number)
            }
            (sum @ Sum::Float(..), _) if vm.real_class_of(element) == ClassId::RATIONAL => {
                let number = vm.to_f64(element)?;
                sum.add_float(number)
            }
            (sum, _) => {
                let left = sum.value();
                let next = vm.call(&left, sym::PLUS, std::slice::from_ref(element))?;
                match next {
                    Value::Float(number) if matches!(left, Value::Object(_)) && vm.is_a(&left, ClassId::NUMERIC) => {
                        Sum::Float(number.get(), 0.0)
                    }
                    other => Sum::Other(other),
                }
            }
        })
    }
    fn add_float(self, x: f64) -> Sum {
        let Sum::Float(sum, rest) = self else { return self };
        if x.is_nan() || sum.is_nan() {
            return Sum::Float(f64::NAN, 0.0);
        }
        if x.is_infinite() {
            return Sum::Float(if sum.is_infinite() && (x < 0.0) != (sum < 0.0) { f64::NAN } else { x }, 0.0);
        }
        if sum.is_infinite() {
            return Sum::Float(sum, 0.0);
        }
        let total = sum + x;
        let lost = if sum.abs() >= x.abs() { (sum - total) + x } else { (x - total) + sum };
        Sum::Float(total, rest + lost)
    }
}
fn sum(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let init = args.get(0).cloned().unwrap_or(Value::Int(0));
    let mut sum = Sum::from(vm, &init);
    let mut index = 0;
    let mut next = |vm: &mut Vm| -> Res<Option<Value>> {
        let element = item(vm, array, index);
        index += 1;
        match (element, args.block) {
            (Some(element), Some(block)) => vm.yield1(block, element).map(Some),
            (element, _) => Ok(element),
        }
    };
    let mut element = next(vm)?;
    if let Sum::Other(_) = sum {
        // leading exact numbers are summed by themselves and `init` is added to them, whatever it is; a Float after them needs a Float
        let mut exact = None;
        while let Some(number) = &element
            && (matches!(number, Value::Int(_) | Value::Big(_)) || vm.real_class_of(number) == ClassId::RATIONAL)
        {
            exact = Some(exact.unwrap_or(Sum::Small(0)).add(vm, number)?);
            element = next(vm)?;
        }
        if let Some(exact) = exact {
            let value = vm.call(&exact.value(), sym::PLUS, &[init])?;
            sum = Sum::from(vm, &value);
        }
        if let (Some(Value::Float(_)), Sum::Other(value)) = (&element, &sum) {
            sum = Sum::Float(vm.to_c_double(value)?, 0.0);
        }
    }
    while let Some(value) = element {
        sum = sum.add(vm, &value)?;
        element = next(vm)?;
    }
    Ok(sum.value())
}

/// The meaning of a bsearch block's result.
pub(crate) enum Step {
    /// The element is found (find-any mode).
    Found,
    /// It may be this element or one to the left (find-minimum mode).
    Candidate,
    /// The element is to the left.
    Left,
    /// The element is to the right.
    Right,
}
/// Converts the result of a bsearch block.
pub(crate) fn search_step(vm: &mut Vm, answer: &Value) -> Res<Step> {
    Ok(match answer {
        Value::True => Step::Candidate,
        Value::False | Value::Nil => Step::Right,
        Value::Int(0) => Step::Found,
        _ if vm.is_a(answer, ClassId::NUMERIC) => match vm.compare(answer, &Value::Int(0))? {
            Ordering::Equal => Step::Found,
            Ordering::Less => Step::Left,
            Ordering::Greater => Step::Right,
        },
        _ => {
            let class = vm.class_name_of(answer);
            return Err(vm.type_error(format!("wrong argument type {class} (must be numeric, true, false or nil)")));
        }
    })
}
fn search(vm: &mut Vm, this: &Value, block: Block<'_>) -> Res<Option<usize>> {
    let array = ary(vm, this)?;
    let (mut low, mut high) = (0, array.get(vm).items.len());
    let mut found = None;
    while low < high {
        let middle = low + (high - low) / 2;
        let element = item(vm, array, middle).unwrap_or_default();
        let answer = vm.yield1(block, element)?;
        match search_step(vm, &answer)? {
            Step::Found => return Ok(Some(middle)),
            Step::Candidate => {
                found = Some(middle);
                high = middle;
            }
            Step::Left => high = middle,
            Step::Right => low = middle + 1,
        }
    }
    Ok(found)
}
fn bsearch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let found = search(vm, this, block)?;
    let array = ary(vm, this)?;
    Ok(found.and_then(|index| item(vm, array, index)).unwrap_or_default())
}
fn bsearch_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    Ok(search(vm, this, block)?.map_or(Value::Nil, Value::len))
}
fn reverse(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(ary(vm, this)?.get(vm).items.iter().rev().cloned().collect()))
}
fn reverse_bang(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    modify(vm, this)?.get_mut(vm).items.reverse();
    Ok(this.clone())
}
fn turn(vm: &mut Vm, list: &mut [Value], args: Args<'_>) -> Res<()> {
    let by = match args.get(0) {
        Some(count) => vm.to_int(count)?,
        None => 1,
    };
    if !list.is_empty() {
        list.rotate_left(by.rem_euclid(list.len() as i64) as usize);
    }
    Ok(())
}
fn rotate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut list = items(vm, this)?;
    turn(vm, &mut list, args)?;
    Ok(Value::array(list))
}
fn rotate_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let mut list = items(vm, this)?;
    turn(vm, &mut list, args)?;
    array.get_mut(vm).items = list.into();
    Ok(this.clone())
}
/// A random number below `limit` from `random:` or the default generator.
fn chance(vm: &mut Vm, generator: &Value, limit: usize) -> Res<usize> {
    let answer = vm.call_public(generator, name("rand"), Args::new(&[Value::len(limit)]))?;
    let number = vm.to_int(&answer)?;
    match usize::try_from(number) {
        Ok(number) if number < limit => Ok(number),
        Ok(_) => Err(vm.range_error(format!("random number too big {number}"))),
        Err(_) => Err(vm.range_error(format!("random number too small {number}"))),
    }
}
fn generator(random: Option<Value>) -> Value {
    random.unwrap_or(Value::Class(ClassId::RANDOM))
}
fn mix(vm: &mut Vm, list: &mut [Value], args: Args<'_>) -> Res<()> {
    let (pos, [random]) = args.take_keywords(vm, [sym::RANDOM])?;
    if !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    let generator = generator(random);
    let mut left = list.len();
    while left > 0 {
        let pick = chance(vm, &generator, left)?;
        left -= 1;
        list.swap(left, pick);
    }
    Ok(())
}
fn shuffle(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut list = items(vm, this)?;
    mix(vm, &mut list, args)?;
    Ok(Value::array(list))
}
fn shuffle_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let mut list = items(vm, this)?;
    mix(vm, &mut list, args)?;
    if array.get(vm).items.len() != list.len() {
        return Err(vm.runtime_error("modified during shuffle!"));
    }
    array.get_mut(vm).items = list.into();
    Ok(this.clone())
}
/// Array#sample: uses MRI's algorithm for each size, so that a seeded generator gives the same result.
fn sample(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [random]) = args.take_keywords(vm, [sym::RANDOM])?;
    if pos.len() > 1 {
        return Err(vm.arity_error(pos.len(), "0..1"));
    }
    let generator = generator(random);
    let len = ary(vm, this)?.get(vm).items.len();
    let Some(count) = pos.first() else {
        let pick = match len {
            0 => return Ok(Value::Nil),
            1 => 0,
            _ => chance(vm, &generator, len)?,
        };
        // the generator may have changed the Array
        return Ok(ary(vm, this)?.get(vm).items.get(pick).cloned().unwrap_or_default());
    };
    let count = vm.to_int(count)?;
    let Ok(count) = usize::try_from(count) else { return Err(vm.argument_error("negative sample number")) };
    let count = count.min(len);
    let picked: Vec<usize> = match count {
        0..=10 => {
            let (mut picked, mut sorted) = (Vec::with_capacity(count), Vec::with_capacity(count));
            for drawn in 0..count {
                // counts among the elements that are left: each that was taken at or before that place moves it on
                let mut pick = chance(vm, &generator, len - drawn)?;
                let mut at = 0;
                while sorted.get(at).is_some_and(|taken| pick >= *taken) {
                    (pick, at) = (pick + 1, at + 1);
                }
                sorted.insert(at, pick);
                picked.push(pick);
            }
            picked
        }
        // Places are swapped as if all were listed; only those that were are kept.
        _ if count < len / 8 => {
            let mut moved: FxHashMap<usize, usize> = FxHashMap::default();
            let mut picked = Vec::with_capacity(count);
            for index in 0..count {
                let pick = index + chance(vm, &generator, len - index)?;
                let here = moved.get(&index).copied().unwrap_or(index);
                picked.push(moved.insert(pick, here).unwrap_or(pick));
            }
            picked
        }
        _ => {
            let mut order: Vec<usize> = (0..len).collect();
            for index in 0..count {
                let pick = index + chance(vm, &generator, len - index)?;
                order.swap(index, pick);
            }
            order.truncate(count);
            order
        }
    };
    let list = &ary(vm, this)?.get(vm).items;
    Ok(Value::array(picked.into_iter().filter_map(|at| list.get(at).cloned()).collect()))
}
