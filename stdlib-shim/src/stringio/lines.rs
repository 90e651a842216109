//! Reading lines from a StringIO.

use super::{Shared, end_of_file, read_encoding, reading, taken};
use memchr::{memchr, memmem};
use rchef_ruby::text::encoding as enc;
use rchef_ruby::{Args, Gc, RString, Res, Symbol, Value, Vm, sym};
use std::cell::RefCell;

/// The line separator.
enum Separator {
    /// None: everything is one line.
    None,
    Paragraph,
    Bytes(Vec<u8>),
}
/// Arguments of `gets` and related methods.
struct How {
    separator: Separator,
    /// Maximum number of bytes, rounded up to whole characters.
    limit: Option<usize>,
    chomp: bool,
}

/// `(separator = $/, limit = nil, chomp: false)`
fn how(vm: &mut Vm, args: Args<'_>) -> Res<How> {
    let (pos, [chomp]) = args.take_keywords(vm, [sym::CHOMP])?;
    let chomp = chomp.is_some_and(|value| value.truthy());
    let (separator, limit) = match pos {
        [] => (None, None),
        [Value::Nil] => (Some(Value::Nil), None),
        [one] => match vm.check_str(one)? {
            Some(text) => (Some(Value::Str(text)), None),
            None => (None, Some(one.clone())),
        },
        [separator, limit] => (Some(separator.clone()), Some(limit.clone()).filter(|limit| !limit.is_nil())),
        _ => return Err(vm.arity_error(pos.len(), "0..2")),
    };
    let separator = match separator {
        Some(separator) => separator,
        None => vm.global_get(sym::DOLLAR_SLASH)?,
    };
    let separator = match &separator {
        Value::Nil => Separator::None,
        value => {
            let text = vm.to_str(value)?;
            let bytes = text.get(vm).bytes();
            if bytes.is_empty() { Separator::Paragraph } else { Separator::Bytes(bytes.to_vec()) }
        }
    };
    let limit = match limit {
        Some(limit) => usize::try_from(vm.to_int(&limit)?).ok(),
        None => None,
    };
    Ok(How { separator, limit, chomp })
}

/// The length of the line end at the end of `bytes`.
fn newline_width(bytes: &[u8]) -> usize {
    match bytes {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n'] => 1,
        _ => 0,
    }
}
/// The next line in `bytes`: its start (paragraphs skip empty lines), the end of its text, and the start of the next line; None at the end.
fn cut(bytes: &[u8], end: usize, how: &How) -> Option<(usize, usize, usize)> {
    let rest = &bytes[..end];
    match &how.separator {
        Separator::None => {
            let width = if how.chomp { newline_width(rest) } else { 0 };
            Some((0, end - width, end))
        }
        Separator::Paragraph => {
            let start = rest.iter().position(|byte| *byte != b'\n')?;
            let mut at = start;
            let mut stop = end;
            while let Some(found) = memchr(b'\n', &rest[at..]) {
                at += found + 1;
                match &rest[at..] {
                    [b'\n', ..] => {
                        stop = at + 1;
                        break;
                    }
                    [b'\r', b'\n', ..] => {
                        stop = at + 2;
                        break;
                    }
                    _ => {}
                }
            }
            let width = if how.chomp { newline_width(&rest[start..stop]) } else { 0 };
            Some((start, stop - width, stop))
        }
        Separator::Bytes(separator) => {
            let found = match separator.as_slice() {
                [byte] => memchr(*byte, rest),
                many => memmem::find(rest, many),
            };
            let Some(at) = found else { return Some((0, end, end)) };
            let stop = at + separator.len();
            let width = match (how.chomp, separator.as_slice()) {
                (false, _) => 0,
                (true, [_]) => 1 + usize::from(at > 0 && rest[at - 1] == b'\r'),
                (true, many) => many.len(),
            };
            Some((0, stop - width, stop))
        }
    }
}
fn next_line(vm: &mut Vm, found: &RefCell<Shared>, string: &Gc<RString>, how: &How) -> Option<Value> {
    let at = found.borrow().pos;
    let encoding = read_encoding(vm, found, string);
    let bytes = string.get(vm).bytes();
    let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
    let mut end = rest.len();
    if let Some(limit) = how.limit
        && limit < end
    {
        end = limit;
        if encoding != enc::Encoding::Binary {
            // round up to a whole character
            let mut walk = limit.saturating_sub(encoding.max_len());
            while walk > 0 && rest[walk] & 0xc0 == 0x80 {
                walk -= 1;
            }
            while walk < limit {
                walk += enc::char_len_at(rest, walk, encoding).len().max(1);
            }
            end = walk.min(rest.len());
        }
    }
    let (start, stop, next) = cut(rest, end, how)?;
    let mut state = found.borrow_mut();
    state.pos = at + next;
    state.lineno += 1;
    drop(state);
    Some(taken(vm, found, string, at + start, at + stop))
}

/// `gets`: sets `$_`.
pub(super) fn gets(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let how = how(vm, args)?;
    let (found, string) = reading(vm, this)?;
    let line = match how.limit {
        Some(0) => Some(Value::string(RString::new(Vec::new(), read_encoding(vm, &found, &string)))),
        _ => next_line(vm, &found, &string, &how),
    };
    let line = Value::or_nil(line);
    vm.global_set(sym::DOLLAR_UNDERSCORE, line.clone())?;
    Ok(line)
}
pub(super) fn readline(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match vm.call_args(this, Symbol::intern_static("gets"), args)? {
        Value::Nil => Err(end_of_file(vm)),
        line => Ok(line),
    }
}
pub(super) fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else {
        let all: Vec<Value> = std::iter::once(Value::sym("each_line")).chain(args.pos.iter().cloned()).collect();
        return vm.call_args(this, Symbol::intern_static("to_enum"), Args { pos: &all, ..args });
    };
    reading(vm, this)?;
    let how = how(vm, args)?;
    if how.limit == Some(0) {
        return Err(vm.argument_error("invalid limit: 0 for each_line"));
    }
    loop {
        let (found, string) = reading(vm, this)?;
        match next_line(vm, &found, &string, &how) {
            Some(line) => vm.yield1(block, line)?,
            None => return Ok(this.clone()),
        };
    }
}
pub(super) fn readlines(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (found, string) = reading(vm, this)?;
    let how = how(vm, args)?;
    if how.limit == Some(0) {
        return Err(vm.argument_error("invalid limit: 0 for readlines"));
    }
    let mut items = Vec::new();
    while let Some(line) = next_line(vm, &found, &string, &how) {
        items.push(line);
    }
    Ok(Value::array(items))
}
