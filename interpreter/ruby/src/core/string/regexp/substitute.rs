//! `sub`, `gsub` and their replacements.

use super::Unchanged;
use crate::Vm;
use crate::args::Args;
use crate::core::regexp::part;
use crate::core::regexp::search::{Search, looked_up, next_char, snapshot};
use crate::core::string::common::{me, me_mut};
use crate::core::string::join::incompatible;
use crate::error::{Error, Res};
use crate::frame::Block;
use crate::heap::Gc;
use crate::string::RString;
use crate::value::Value;
use rchef_regexp::{Captures, Regexp};
use rchef_syntax::Symbol;
use rchef_text::encoding::{CodeRange, Encoding};

/// The replacement for a match.
enum With<'a> {
    /// A String without backslashes.
    Plain(Gc<RString>),
    /// A String with references to groups.
    Template(Gc<RString>),
    Hash(Value),
    Block(Block<'a>),
}

fn replacement<'a>(vm: &mut Vm, args: Args<'a>) -> Res<Option<With<'a>>> {
    let Some(value) = args.get(1) else { return Ok(args.block.map(With::Block)) };
    if !matches!(value, Value::Str(_))
        && let Some(hash) = vm.check_hash(value)?
    {
        return Ok(Some(With::Hash(Value::Hash(hash))));
    }
    let text = vm.to_str(value)?;
    let plain = !text.get(vm).bytes().contains(&b'\\');
    Ok(Some(if plain { With::Plain(text) } else { With::Template(text) }))
}

/// The result so far, and whether its encodings are compatible.
struct Out {
    bytes: Vec<u8>,
    encoding: Encoding,
    /// The encoding of the text.
    source: Encoding,
    /// Whether the text is only ASCII.
    ascii: bool,
    /// Whether all replacements are only ASCII.
    added_ascii: bool,
}

impl Out {
    fn add(&mut self, vm: &mut Vm, piece: &RString) -> Res<()> {
        if piece.is_ascii() {
            self.bytes.extend_from_slice(piece.bytes());
            return Ok(());
        }
        if piece.encoding() != self.encoding {
            if !self.bytes.is_ascii() {
                return Err(incompatible(vm, self.encoding, piece.encoding()));
            }
            self.encoding = piece.encoding();
        }
        self.added_ascii = false;
        self.bytes.extend_from_slice(piece.bytes());
        Ok(())
    }
    /// Appends a part of the text; false if it is not compatible with the replacements.
    #[inline]
    fn keep(&mut self, bytes: &[u8]) -> bool {
        self.bytes.extend_from_slice(bytes);
        self.encoding == self.source || self.ascii || bytes.is_ascii()
    }
    fn finish(self) -> RString {
        let range = (self.ascii && self.added_ascii).then_some(CodeRange::Ascii);
        RString::with_range(self.bytes, self.encoding, range)
    }
}

/// The text with the first match, or every match, replaced; None if there is no match. Sets `$~`.
fn substituted(vm: &mut Vm, me: &Gc<RString>, pattern: &Value, with: &With<'_>, all: bool) -> Res<Option<RString>> {
    let search = Search::new(vm, pattern, me)?;
    let yields = matches!(with, With::Block(_) | With::Hash(_));
    let mut groups = Captures::new();
    if !search.find(vm, me, 0, &mut groups)? {
        vm.set_last_match(Value::Nil);
        return Ok(None);
    }
    let text = if yields { snapshot(vm, me) } else { me.clone() };
    let unchanged = Unchanged::of(vm, me);
    let (len, encoding, ascii) = {
        let string = text.get(vm);
        (string.bytesize(), string.encoding(), string.is_ascii())
    };
    let mut out = Out { bytes: Vec::with_capacity(len + 16), encoding, source: encoding, ascii, added_ascii: true };
    let mut last = Captures::new();
    let mut copied = 0;
    loop {
        let (from, to) = groups.first().copied().flatten().unwrap_or_default();
        let mut fits = out.keep(&text.get(vm).bytes()[copied..from]);
        match with {
            With::Plain(piece) => {
                // clone the handle, so that the VM can be borrowed while the contents are read
                let string = piece.get(vm);
                if string.is_ascii() {
                    out.bytes.extend_from_slice(string.bytes());
                } else {
                    let string = string.clone();
                    out.add(vm, &string)?;
                }
            }
            With::Template(template) => expand(
                vm,
                template,
                text.get(vm).bytes().len(),
                &text,
                search.regexp().map(|regexp| &**regexp),
                &groups,
                &mut out,
            )?,
            With::Hash(_) | With::Block(_) => {
                let matched = part(text.get(vm), from, to);
                search.remember(vm, text.clone(), groups.clone());
                let piece = match with {
                    With::Hash(hash) => looked_up(vm, hash, matched)?,
                    With::Block(block) => {
                        let given = vm.yield1(*block, matched)?;
                        vm.to_s(&given)?
                    }
                    _ => continue,
                };
                unchanged.check(vm, me)?;
                let string = piece.get(vm);
                if string.is_ascii() {
                    out.bytes.extend_from_slice(string.bytes());
                } else {
                    let string = string.clone();
                    out.add(vm, &string)?;
                }
            }
        }
        copied = to;
        let mut start = to;
        if from == to {
            let string = text.get(vm);
            if to >= len {
                std::mem::swap(&mut groups, &mut last);
                break;
            }
            start = next_char(string, to);
            if all {
                fits &= out.keep(&string.bytes()[to..start.min(len)]);
                copied = start.min(len);
            }
        }
        std::mem::swap(&mut groups, &mut last);
        if !all {
            break;
        }
        if !fits {
            return Err(incompatible(vm, out.encoding, encoding));
        }
        vm.check_growth(out.bytes.len(), 0)?;
        if start > len || !search.find(vm, &text, start, &mut groups)? {
            break;
        }
    }
    if !out.keep(&text.get(vm).bytes()[copied.min(len)..]) {
        return Err(incompatible(vm, out.encoding, encoding));
    }
    let text = snapshot(vm, &text);
    search.remember(vm, text, last);
    Ok(Some(out.finish()))
}

#[cold]
fn undefined_group(vm: &mut Vm, name: &[u8]) -> Error {
    vm.index_error(format!("undefined group name reference: {}", String::from_utf8_lossy(name)))
}
/// Appends a template with its references resolved: `\1` … `\9`, `\0` and `\&`, `\+`, `\k<name>`, `` \` ``, `\'`, `\\`.
fn expand(
    vm: &mut Vm,
    template: &Gc<RString>,
    len: usize,
    text: &Gc<RString>,
    regexp: Option<&Regexp>,
    groups: &Captures,
    out: &mut Out,
) -> Res<()> {
    // numbered references are not available if groups have names
    let numbered = regexp.is_some_and(|regexp| regexp.named_groups().is_empty());
    let named = regexp.map_or(&[][..], Regexp::named_groups);
    let (from, to) = groups.first().copied().flatten().unwrap_or_default();
    let string = template.get(vm);
    if !string.is_ascii() {
        if string.encoding() != out.encoding && !out.ascii {
            let (a, b) = (out.encoding, string.encoding());
            return Err(incompatible(vm, a, b));
        }
        out.encoding = string.encoding();
        out.added_ascii = false;
    }
    let (template, bytes) = (string.bytes(), text.get(vm).bytes());
    let mut rest = template;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.bytes.extend_from_slice(&rest[..at]);
        let Some(&letter) = rest.get(at + 1) else {
            out.bytes.push(b'\\');
            return Ok(());
        };
        let mut after = &rest[at + 2..];
        let group = match letter {
            b'0' | b'&' => groups.first().copied().flatten(),
            b'1'..=b'9' => groups.get(usize::from(letter - b'0')).copied().flatten().filter(|_| numbered),
            b'+' => groups.iter().skip(1).rev().flatten().next().copied(),
            b'`' => Some((0, from)),
            b'\'' => Some((to, len)),
            b'k' if after.first() == Some(&b'<') => {
                let Some(end) = memchr::memchr(b'>', after) else {
                    return Err(vm.runtime_error("invalid group name reference format"));
                };
                let name = &after[1..end];
                let Some((_, indices)) = named.iter().find(|(known, _)| known.as_bytes() == name) else {
                    let name = name.to_vec();
                    return Err(undefined_group(vm, &name));
                };
                after = &after[end + 1..];
                indices.iter().rev().find_map(|index| groups.get(*index).copied().flatten())
            }
            b'\\' => {
                out.bytes.push(b'\\');
                None
            }
            other => {
                out.bytes.extend_from_slice(&[b'\\', other]);
                None
            }
        };
        if let Some((from, to)) = group {
            out.bytes.extend_from_slice(&bytes[from..to]);
        }
        rest = after;
    }
    out.bytes.extend_from_slice(rest);
    Ok(())
}

fn copied(vm: &mut Vm, this: &Value, args: Args<'_>, with: &With<'_>, all: bool) -> Res {
    let me = me(vm, this)?;
    let made = substituted(vm, me, args.at(0), with, all)?;
    Ok(Value::string(made.unwrap_or_else(|| me.get(vm).clone())))
}
fn in_place(vm: &mut Vm, this: &Value, args: Args<'_>, with: &With<'_>, all: bool) -> Res {
    let me = me_mut(vm, this)?;
    let Some(made) = substituted(vm, me, args.at(0), with, all)? else { return Ok(Value::Nil) };
    vm.check_frozen(this)?;
    me.get_mut(vm).replace(made);
    Ok(this.clone())
}
/// `sub(pattern, replacement)`, `sub(pattern, hash)`, `sub(pattern) { |match| … }`
pub(super) fn sub(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_sub_arity(vm, args)?;
    match replacement(vm, args)? {
        Some(with) => copied(vm, this, args, &with, false),
        None => Err(vm.arity_error(1, "2")),
    }
}
/// Without a block the replacement is needed.
fn check_sub_arity(vm: &mut Vm, args: Args<'_>) -> Res<()> {
    match (args.len(), args.block) {
        (2, _) | (1, Some(_)) => Ok(()),
        (given, Some(_)) => Err(vm.arity_error(given, "1..2")),
        (given, None) => Err(vm.arity_error(given, "2")),
    }
}
/// `sub!`: nil if there is no match.
pub(super) fn sub_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_sub_arity(vm, args)?;
    vm.check_frozen(this)?;
    match replacement(vm, args)? {
        Some(with) => in_place(vm, this, args, &with, false),
        None => Err(vm.arity_error(1, "2")),
    }
}
/// `gsub`: like `sub`, for every match; without replacement and block an Enumerator of the matches.
pub(super) fn gsub(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match replacement(vm, args)? {
        Some(with) => copied(vm, this, args, &with, true),
        None => Ok(vm.enumerator_of(this, Symbol::intern_static("gsub"), args.pos)),
    }
}
/// `gsub!`: nil if there is no match.
pub(super) fn gsub_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    match replacement(vm, args)? {
        Some(with) => in_place(vm, this, args, &with, true),
        None => Ok(vm.enumerator_of(this, Symbol::intern_static("gsub!"), args.pos)),
    }
}
