//! `split` by text, by whitespace, into characters.

use super::common::{is_regexp, me, part_value};
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, opt};
use crate::string::RString;
use crate::value::Value;
use memchr::memmem;
use rchef_syntax::symbol::sym;
use rchef_text::encoding as enc;

pub(super) static METHODS: &[MethodDef] = &[opt("split", split, 0, 2)];

/// Splits at whitespace, ignoring it at the beginning.
fn at_blanks(string: &RString, limit: Option<usize>) -> Vec<(usize, usize)> {
    let bytes = string.bytes();
    if !string.encoding().is_ascii_compatible() {
        return at_wide_blanks(string, limit);
    }
    let blank = |byte: u8| matches!(byte, b' ' | 9..=13);
    let mut cuts = Vec::new();
    let mut at = 0;
    loop {
        while at < bytes.len() && blank(bytes[at]) {
            at += 1;
        }
        if limit.is_some_and(|limit| cuts.len() + 1 == limit) {
            cuts.push((at, bytes.len()));
            return cuts;
        }
        if at == bytes.len() {
            cuts.push((at, at));
            return cuts;
        }
        let start = at;
        while at < bytes.len() && !blank(bytes[at]) {
            at += 1;
        }
        cuts.push((start, at));
        if at == bytes.len() {
            return cuts;
        }
    }
}
/// The same where a character has more than one byte.
fn at_wide_blanks(string: &RString, limit: Option<usize>) -> Vec<(usize, usize)> {
    let (bytes, encoding) = (string.bytes(), string.encoding());
    let mut cuts = Vec::new();
    let mut start = None;
    for cut in enc::chars(bytes, encoding) {
        let blank = matches!(enc::decode(&bytes[cut.clone()], encoding), 32 | 9..=13);
        match (start, blank) {
            (None, false) => {
                if limit.is_some_and(|limit| cuts.len() + 1 == limit) {
                    cuts.push((cut.start, bytes.len()));
                    return cuts;
                }
                start = Some(cut.start);
            }
            (Some(from), true) => {
                cuts.push((from, cut.start));
                start = None;
            }
            _ => {}
        }
    }
    cuts.push((start.unwrap_or(bytes.len()), bytes.len()));
    cuts
}
fn at_text(string: &RString, text: &[u8], limit: Option<usize>) -> Vec<(usize, usize)> {
    let bytes = string.bytes();
    let (encoding, range) = (string.encoding(), string.range());
    let (mut cuts, mut start, mut from) = (Vec::new(), 0, 0);
    let finder = memmem::Finder::new(text);
    while limit.is_none_or(|limit| cuts.len() + 1 < limit) {
        let Some(found) = bytes.get(from..).and_then(|rest| finder.find(rest)) else { break };
        let at = from + found;
        if !enc::is_char_start(bytes, encoding, range, at) {
            from = at + 1;
            continue;
        }
        cuts.push((start, at));
        start = at + text.len();
        from = start;
    }
    cuts.push((start, bytes.len()));
    cuts
}
fn at_chars(string: &RString, limit: Option<usize>) -> Vec<(usize, usize)> {
    let mut cuts = Vec::new();
    let mut end = 0;
    for cut in enc::chars(string.bytes(), string.encoding()) {
        if limit.is_some_and(|limit| cuts.len() + 1 == limit) {
            break;
        }
        end = cut.end;
        cuts.push((cut.start, cut.end));
    }
    cuts.push((end, string.bytesize()));
    cuts
}
/// `split(pattern = $;, limit = 0)`
fn split(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let mut pattern = args.at(0).clone();
    if pattern.is_nil() {
        pattern = vm.global_get(sym::DOLLAR_SEMICOLON)?;
        if !pattern.is_nil() {
            vm.warn_deprecated("$; is set to non-nil value")?;
        }
    }
    if is_regexp(vm, &pattern) {
        let pos: Vec<Value> = std::iter::once(pattern).chain(args.get(1).cloned()).collect();
        return super::regexp::split(vm, this, Args::new(&pos).with_block(args.block));
    }
    let limit = match args.get(1) {
        Some(limit) => vm.to_int(limit)?,
        None => 0,
    };
    if i32::try_from(limit).is_err() {
        let size = if limit > 0 { "big" } else { "small" };
        return Err(vm.range_error(format!("integer {limit} too {size} to convert to `int'")));
    }
    if limit == 1 && args.block.is_none() {
        let whole = me.get(vm);
        let items = if whole.bytes().is_empty() { Vec::new() } else { vec![Value::string(whole.clone())] };
        return Ok(Value::array(items));
    }
    let text = match &pattern {
        Value::Nil => None,
        other => match vm.check_str(other)? {
            Some(text) => Some(text),
            None => {
                let described = vm.describe(other);
                return Err(vm.type_error(format!("wrong argument type {described} (expected Regexp)")));
            }
        },
    };
    let items = pieces(vm, me, text.as_ref(), limit)?;
    super::iterate::each_or_array(vm, this, args, items)
}
fn pieces(vm: &mut Vm, me: &Gc<RString>, text: Option<&Gc<RString>>, limit: i64) -> Res<Vec<Value>> {
    let at_most = usize::try_from(limit).ok().filter(|limit| *limit > 0);
    if me.get(vm).bytes().is_empty() {
        return Ok(Vec::new());
    }
    if at_most == Some(1) {
        return Ok(vec![Value::string(me.get(vm).clone())]);
    }
    let blanks = text.is_none_or(|text| text.get(vm).bytes() == b" ");
    if let Some(text) = text.filter(|_| !blanks) {
        super::compatible(vm, me, text)?;
        for string in [me, text] {
            let string = string.get(vm);
            if !string.is_valid() {
                let message = format!("invalid byte sequence in {}", string.encoding().name());
                return Err(vm.argument_error(message));
            }
        }
    }
    if blanks && !me.get(vm).is_valid() {
        let message = format!("invalid byte sequence in {}", me.get(vm).encoding().name());
        return Err(vm.argument_error(message));
    }
    let string = me.get(vm);
    let mut cuts = match text.map(|text| text.get(vm).bytes()) {
        None | Some(b" ") => at_blanks(string, at_most),
        Some(b"") => at_chars(string, at_most),
        Some(text) => at_text(string, text, at_most),
    };
    if limit == 0 {
        while cuts.last().is_some_and(|(from, to)| from == to) {
            cuts.pop();
        }
    }
    super::iterate::check_pieces(vm, cuts.len())?;
    let string = me.get(vm);
    Ok(cuts.into_iter().map(|(from, to)| part_value(string, from, to)).collect())
}
