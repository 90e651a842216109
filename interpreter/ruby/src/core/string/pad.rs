//! Padding to a width.

use super::common::me;
use super::compatible;
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::method::{MethodDef, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_text::encoding as enc;

pub(super) static METHODS: &[MethodDef] =
    &[opt("center", center, 1, 2), opt("ljust", ljust, 1, 2), opt("rjust", rjust, 1, 2)];

enum Side {
    Left,
    Right,
    Both,
}

fn center(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    pad(vm, this, args, Side::Both)
}
fn ljust(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    pad(vm, this, args, Side::Right)
}
fn rjust(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    pad(vm, this, args, Side::Left)
}
/// Appends `count` characters of the padding, repeating it.
fn fill(pad: &RString, chars: usize, count: usize, out: &mut Vec<u8>) {
    for _ in 0..count / chars {
        out.extend_from_slice(pad.bytes());
    }
    if let Some((_, to)) = super::common::span(pad, 0, (count % chars) as i64) {
        out.extend_from_slice(&pad.bytes()[..to]);
    }
}
fn pad(vm: &mut Vm, this: &Value, args: Args<'_>, side: Side) -> Res {
    let me = me(vm, this)?;
    let width = vm.to_int(args.at(0))?;
    let with = match args.get(1) {
        Some(value) => vm.to_str(value)?,
        None => vm.to_str(&Value::string(RString::ascii(" ")))?,
    };
    let encoding = if args.len() > 1 { compatible(vm, me, &with)? } else { me.get(vm).encoding() };
    let chars = with.get(vm).char_count();
    if chars == 0 {
        return Err(vm.argument_error("zero width padding"));
    }
    let len = me.get(vm).char_count();
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(len);
    if missing == 0 {
        return Ok(Value::string(me.get(vm).clone()));
    }
    match (missing / chars + 1).checked_mul(with.get(vm).bytesize()) {
        Some(size) if size < i64::MAX as usize / 2 => vm.check_size(size)?,
        _ => return Err(vm.argument_error("argument too big")),
    }
    let (left, right) = match side {
        Side::Left => (missing, 0),
        Side::Right => (0, missing),
        Side::Both => (missing / 2, missing - missing / 2),
    };
    let (string, with) = (me.get(vm), with.get(vm));
    let mut out = Vec::with_capacity(string.bytesize() + missing);
    fill(with, chars, left, &mut out);
    out.extend_from_slice(string.bytes());
    fill(with, chars, right, &mut out);
    let range = (string.is_ascii() && with.is_ascii()).then_some(enc::CodeRange::Ascii);
    Ok(Value::string(RString::with_range(out, encoding, range)))
}
