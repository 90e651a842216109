use super::common::me;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, any};
use crate::string::RString;
use crate::value::Value;
use memchr::memmem;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{self as enc, Encoding};

pub(super) static METHODS: &[MethodDef] = &[any("each_line", each_line), any("lines", lines)];

/// Byte ranges of lines ended by a separator, which is included unless `chomp`.
fn cut_at(string: &RString, separator: &[u8], chomp: bool) -> Vec<(usize, usize)> {
    let bytes = string.bytes();
    let (encoding, range) = (string.encoding(), string.range());
    let mut cuts = Vec::new();
    let (mut start, mut from) = (0, 0);
    let newline = separator == b"\n" && encoding.is_ascii_compatible();
    while let Some(found) = bytes
        .get(from..)
        .and_then(|rest| if newline { memchr::memchr(b'\n', rest) } else { memmem::find(rest, separator) })
    {
        let (at, end) = (from + found, from + found + separator.len());
        if !newline && !enc::is_char_start(bytes, encoding, range, at) {
            from = at + 1;
            continue;
        }
        let keep = match (chomp, newline) {
            (false, _) => end,
            (true, true) => at - usize::from(at > start && bytes[at - 1] == b'\r'),
            (true, false) => at,
        };
        cuts.push((start, keep));
        (start, from) = (end, end);
    }
    if start < bytes.len() {
        cuts.push((start, bytes.len()));
    }
    cuts
}
/// Byte ranges of paragraphs, with two line ends each (one with `chomp`); further empty lines are skipped.
fn cut_paragraphs(bytes: &[u8], chomp: bool) -> Vec<(usize, usize)> {
    let newline = |at: usize| match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\n'), _) => Some(at + 1),
        (Some(b'\r'), Some(b'\n')) => Some(at + 2),
        _ => None,
    };
    let mut cuts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let Some(first) = newline(at) else {
            at += 1;
            continue;
        };
        at = first;
        if let Some(second) = newline(first) {
            cuts.push((start, if chomp { first } else { second }));
            at = second;
            while let Some(next) = newline(at) {
                at = next;
            }
            start = at;
        }
    }
    if start < bytes.len() {
        let end =
            if chomp { start + super::strip::without_newline(&bytes[start..], Encoding::Utf8) } else { bytes.len() };
        cuts.push((start, end));
    }
    cuts
}
/// The lines selected by the arguments of `each_line(separator = $/, chomp: false)`.
fn cut(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<Vec<Value>> {
    let me = me(vm, this)?;
    let (pos, [chomp]) = args.take_keywords(vm, [sym::CHOMP])?;
    if pos.len() > 1 {
        return Err(vm.arity_error(pos.len(), "0..1"));
    }
    let chomp = chomp.is_some_and(|value| value.truthy());
    let separator = match pos.first() {
        Some(value) => value.clone(),
        None => vm.global_get(sym::DOLLAR_SLASH)?,
    };
    if separator.is_nil() {
        return Ok(vec![Value::string(me.get(vm).clone())]);
    }
    let mut separator = vm.to_str(&separator)?;
    let own = me.get(vm).encoding();
    if pos.is_empty() && !own.is_ascii_compatible() && separator.get(vm).bytes() == b"\n" {
        let wide = super::encode::transcoded(vm, &separator, Encoding::Utf8, own)?;
        separator = Gc::new(ClassId::STRING, RString::new(wide, own));
    }
    super::compatible(vm, me, &separator)?;
    let (string, text) = (me.get(vm), separator.get(vm).bytes());
    let cuts = if text.is_empty() { cut_paragraphs(string.bytes(), chomp) } else { cut_at(string, text, chomp) };
    super::iterate::check_pieces(vm, cuts.len())?;
    let string = me.get(vm);
    Ok(cuts.into_iter().map(|(from, to)| super::common::part_value(string, from, to)).collect())
}
fn each_line(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "each_line", args);
    }
    lines(vm, this, args)
}
fn lines(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let items = cut(vm, this, args)?;
    super::iterate::each_or_array(vm, this, args, items)
}
