//! Sizes of the core's iterators: `Enumerator#size` for an iterator that was called without a block.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::Signed;
use rchef_syntax::symbol::sym;

/// Iterators that the block ends, or whose number of iterations is unknown.
const UNKNOWN: &[&str] = &[
    "find",
    "detect",
    "find_index",
    "index",
    "rindex",
    "take_while",
    "drop_while",
    "bsearch",
    "bsearch_index",
    "each_line",
    "first",
    "all?",
    "any?",
    "step",
    "gsub",
    "scan",
    "chunk_while",
    "slice_when",
    "foreach",
    "each_child",
];

/// The size for a receiver, iterator and arguments; nil if it is unknown.
pub(super) fn size_of(vm: &mut Vm, receiver: &Value, method: Symbol, args: &[Value]) -> Res {
    let text = method.as_str();
    if UNKNOWN.contains(&text) {
        return Ok(Value::Nil);
    }
    match (receiver, text) {
        (_, "loop") => return Ok(Value::float(f64::INFINITY)),
        (Value::Int(count), "times") => return Ok(Value::Int((*count).max(0))),
        (Value::Big(_), "times") => return Ok(receiver.clone()),
        (Value::Int(_) | Value::Big(_) | Value::Float(_), "upto") => return between(vm, receiver, args.first(), 1),
        (Value::Int(_) | Value::Big(_) | Value::Float(_), "downto") => return between(vm, receiver, args.first(), -1),
        (Value::Str(gc), "each_byte" | "bytes") => return Ok(Value::len(gc.get(vm).bytesize())),
        (Value::Str(_), "each_grapheme_cluster") => {
            let clusters = vm.call_name(receiver, "grapheme_clusters", &[])?;
            return vm.call(&clusters, sym::SIZE, &[]);
        }
        (Value::Str(_), "each_char" | "each_codepoint") => {
            return vm.call(receiver, sym::SIZE, &[]);
        }
        (Value::Str(_) | Value::Sym(_), _) => return Ok(Value::Nil),
        (Value::Array(gc), "combination" | "permutation" | "repeated_combination" | "repeated_permutation") => {
            let len = gc.get(vm).items.len() as i64;
            return choices(vm, text, len, args.first());
        }
        _ => {}
    }
    if vm.is_a(receiver, ClassId::ENUMERATOR)
        && matches!(text, "with_index" | "each_with_index" | "with_object" | "each_with_object")
    {
        return vm.call(receiver, sym::SIZE, &[]);
    }
    if !vm.respond_to(receiver, sym::SIZE, true)? {
        return Ok(Value::Nil);
    }
    let size = vm.call_args(receiver, sym::SIZE, Args::none())?;
    match (text, args.first()) {
        ("each_slice", Some(by)) => parts(vm, &size, by, true),
        ("each_cons", Some(by)) => parts(vm, &size, by, false),
        ("cycle", rounds) => cycles(vm, &size, rounds),
        _ => Ok(size),
    }
}
fn between(vm: &mut Vm, from: &Value, to: Option<&Value>, step: i64) -> Res {
    let to = to.cloned().unwrap_or_default();
    if !vm.is_a(&to, ClassId::NUMERIC) {
        return Err(vm.comparison_failed(from, &to));
    }
    crate::core::range::interval_size(vm, from, &to, &Value::Int(step), false)
}
fn parts(vm: &mut Vm, size: &Value, by: &Value, slices: bool) -> Res {
    let by = vm.to_integer(by)?;
    if !matches!(size, Value::Int(_) | Value::Big(_)) {
        return Ok(size.clone());
    }
    let (size, by) = (vm.to_bigint(size)?, vm.to_bigint(&by)?);
    // it was checked when the iterator was called, but `to_int` may return a different number now
    if !by.is_positive() {
        return Err(vm.argument_error(if slices { "invalid slice size" } else { "invalid size" }));
    }
    if slices {
        return Ok(Value::big((size + &by - 1) / by));
    }
    let count: BigInt = size - by + 1;
    Ok(Value::big(count.max(BigInt::from(0))))
}
fn cycles(vm: &mut Vm, size: &Value, rounds: Option<&Value>) -> Res {
    let rounds = match rounds.filter(|rounds| !rounds.is_nil()) {
        Some(rounds) => Some(vm.to_int(rounds)?.max(0)),
        None => None,
    };
    if size.is_nil() || matches!(size, Value::Int(0)) {
        return Ok(size.clone());
    }
    let Some(rounds) = rounds else { return Ok(Value::float(f64::INFINITY)) };
    vm.call(size, sym::STAR, &[Value::Int(rounds)])
}
fn choices(vm: &mut Vm, text: &str, len: i64, count: Option<&Value>) -> Res {
    let count = match count {
        None => len,
        Some(count) => vm.to_int(count)?,
    };
    let falling = |from: i64, count: i64| (0..count).fold(BigInt::from(1), |product, at| product * (from - at));
    let choose = |from: i64, count: i64| {
        if count > from || count < 0 {
            return BigInt::from(0);
        }
        let count = count.min(from - count);
        falling(from, count) / falling(count, count)
    };
    if count > 1 << 20 {
        return Ok(if text.starts_with("repeated") { Value::float(f64::INFINITY) } else { Value::Int(0) });
    }
    Ok(Value::big(match text {
        "combination" => choose(len, count),
        "permutation" if count < 0 || count > len => BigInt::from(0),
        "permutation" => falling(len, count),
        "repeated_combination" if count < 0 => BigInt::from(0),
        "repeated_combination" if count == 0 => BigInt::from(1),
        "repeated_combination" => choose(len + count - 1, count),
        _ if count < 0 => BigInt::from(0),
        _ => (0..count).fold(BigInt::from(1), |product, _| product * len),
    }))
}
