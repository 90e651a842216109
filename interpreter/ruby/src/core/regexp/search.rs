//! Searching a String for a Regexp or a literal String.

use super::{MatchInfo, RegexpData, match_error, view};
use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::heap::{FROZEN, Gc};
use crate::string::RString;
use crate::value::Value;
use memchr::memmem;
use rchef_regexp::{Captures, MatchError, Regexp, TextKind, Watched};
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{self as enc, CodeRange, Encoding};
use std::cell::Cell;
use std::rc::Rc;

/// What to search for.
pub(crate) enum Pattern {
    /// A Regexp object and its compiled pattern.
    Regexp(Value, Rc<Regexp>),
    /// A literal String.
    Text(Gc<RString>),
}

/// The data of a Regexp; TypeError if it was not initialised.
pub(crate) fn state(vm: &mut Vm, regexp: &Value) -> Res<RegexpData> {
    match vm.data::<RegexpData>(regexp) {
        Some(data) => Ok(data.clone()),
        None => Err(vm.type_error("uninitialized Regexp")),
    }
}
/// The pattern of a Regexp, and the kind of the text. ArgumentError for invalid text, Encoding::CompatibilityError if the encodings are not
/// compatible.
pub fn prepare(vm: &mut Vm, regexp: &Value, text: &Gc<RString>) -> Res<(Rc<Regexp>, TextKind)> {
    let (pattern, _, kind) = checked(vm, regexp, text)?;
    Ok((pattern, kind))
}
/// The same for a search that sees other encodings through UTF-8.
pub(crate) fn ready(vm: &mut Vm, regexp: &Value, text: &Gc<RString>) -> Res<(Rc<Regexp>, TextKind)> {
    let (pattern, seen, kind) = checked(vm, regexp, text)?;
    if !seen {
        return Ok((pattern, kind));
    }
    let data = state(vm, regexp)?;
    Ok((view::pattern(vm, &data)?, TextKind::Utf8Valid))
}
fn checked(vm: &mut Vm, regexp: &Value, text: &Gc<RString>) -> Res<(Rc<Regexp>, bool, TextKind)> {
    let Some(data) = vm.data::<RegexpData>(regexp) else { return Err(vm.type_error("uninitialized Regexp")) };
    let string = text.get(vm);
    let (range, encoding) = (string.range(), string.encoding());
    let pattern = data.regexp.clone();
    let of_pattern = data.encoding;
    if range == CodeRange::Ascii && of_pattern.is_ascii_compatible() {
        return Ok((pattern, false, TextKind::Ascii));
    }
    let fixed = data.regexp.options().fixed_encoding();
    if range == CodeRange::Broken {
        return Err(vm.argument_error(format!("invalid byte sequence in {}", encoding.name())));
    }
    let differs = of_pattern != encoding;
    if differs && (fixed || !encoding.is_ascii_compatible() || !of_pattern.is_ascii_compatible()) {
        let text = format!(
            "incompatible encoding regexp match ({} regexp with {} string)",
            of_pattern.name(),
            encoding.name()
        );
        return Err(vm.error(ClassId::COMPATIBILITY_ERROR, text));
    }
    if !fixed && pattern.options().no_encoding() && encoding != Encoding::Binary {
        vm.warn(&format!("historical binary regexp match /.../n against {} string", encoding.name()))?;
    }
    let kind = if encoding == Encoding::Utf8 { TextKind::Utf8Valid } else { TextKind::BinaryOrBroken };
    Ok((pattern, view::is_seen(encoding), kind))
}
/// Finds the first match at or after `start`.
#[inline]
pub(crate) fn find(
    vm: &mut Vm,
    regexp: &Regexp,
    kind: TextKind,
    text: &Gc<RString>,
    start: usize,
    groups: &mut Captures,
) -> Res<bool> {
    view::search(vm, regexp, kind, text, start, groups, |regexp, bytes, kind, start, groups| {
        regexp.match_at(bytes, kind, start, groups)
    })
}
/// Runs a search that limits and signals can interrupt. Many steps of it count as steps of Ruby code.
///
/// # Errors
/// RegexpError if the engine aborts; the error of an exceeded limit; what a signal handler raises.
pub fn watched(
    vm: &mut Vm,
    regexp: &Regexp,
    mut search: impl FnMut(&Vm, Watched<'_>) -> Result<bool, MatchError>,
) -> Res<bool> {
    let mut served = false;
    loop {
        let spent = Cell::new(0);
        let found = {
            let vm: &Vm = vm;
            let go_on = |steps: usize| {
                spent.set(spent.get() + steps);
                vm.may_go_on(spent.get()) && (served || !vm.host.stop_asked())
            };
            search(vm, regexp.watched(&go_on))
        };
        if spent.get() > 0 {
            vm.tick_by(spent.get())?;
        }
        match found {
            Ok(found) => return Ok(found),
            Err(MatchError::Stopped) => {
                // if the handler raises nothing, the search starts again
                vm.serve_interrupts()?;
                served = true;
            }
            Err(error) => return Err(match_error(vm, &error)),
        }
    }
}
/// A frozen copy of a String, or the String itself if it is frozen.
pub(crate) fn snapshot(vm: &Vm, text: &Gc<RString>) -> Gc<RString> {
    if text.frozen() && text.class() == ClassId::STRING {
        return text.clone();
    }
    let copy = Gc::new(ClassId::STRING, text.get(vm).clone());
    copy.set_flag(FROZEN, true);
    copy
}
/// Creates a MatchData and sets the caller's `$~`.
pub(crate) fn remember(
    vm: &mut Vm,
    pattern: Value,
    regexp: Option<Rc<Regexp>>,
    text: Gc<RString>,
    groups: Captures,
) -> Value {
    let made = Value::data(ClassId::MATCH_DATA, MatchInfo { pattern, regexp, text, groups });
    vm.set_last_match(made.clone());
    made
}
/// Searches for a Regexp and sets `$~` to the match or nil.
pub(crate) fn search(vm: &mut Vm, regexp: &Value, text: &Gc<RString>, start: usize) -> Res<Option<Value>> {
    let (pattern, kind) = ready(vm, regexp, text)?;
    let mut groups = Captures::new();
    if find(vm, &pattern, kind, text, start, &mut groups)? {
        let text = snapshot(vm, text);
        return Ok(Some(remember(vm, regexp.clone(), Some(pattern), text, groups)));
    }
    vm.set_last_match(Value::Nil);
    Ok(None)
}
/// Searches backwards from `start`, and sets `$~`.
pub(crate) fn search_back(vm: &mut Vm, regexp: &Value, text: &Gc<RString>, start: usize) -> Res<Option<Value>> {
    let (pattern, kind) = ready(vm, regexp, text)?;
    let mut groups = Captures::new();
    let found = view::search(vm, &pattern, kind, text, start, &mut groups, |regexp, bytes, kind, start, groups| {
        regexp.rmatch(bytes, kind, start, groups)
    })?;
    if found {
        let text = snapshot(vm, text);
        return Ok(Some(remember(vm, regexp.clone(), Some(pattern), text, groups)));
    }
    vm.set_last_match(Value::Nil);
    Ok(None)
}
/// Matches at the start of the text only, and sets `$~`.
pub(crate) fn search_prefix(vm: &mut Vm, regexp: &Value, text: &Gc<RString>) -> Res<Option<Value>> {
    let (pattern, kind) = ready(vm, regexp, text)?;
    let mut groups = Captures::new();
    let found = view::search(vm, &pattern, kind, text, 0, &mut groups, |regexp, bytes, kind, start, groups| {
        regexp.match_anchored_at(bytes, kind, start, groups)
    })?;
    if found {
        let text = snapshot(vm, text);
        return Ok(Some(remember(vm, regexp.clone(), Some(pattern), text, groups)));
    }
    vm.set_last_match(Value::Nil);
    Ok(None)
}
/// The byte offset of a character index (negative: from the end); None if it is out of range.
pub(crate) fn offset(vm: &Vm, text: &Gc<RString>, position: i64) -> Option<usize> {
    if position == 0 {
        return Some(0);
    }
    let string = text.get(vm);
    let (bytes, encoding, range) = (string.bytes(), string.encoding(), string.range());
    match usize::try_from(position) {
        Ok(position) => enc::byte_index(bytes, encoding, range, position),
        Err(_) => {
            let back = usize::try_from(position.unsigned_abs()).ok()?;
            enc::byte_index_from_end(bytes, encoding, range, back)
        }
    }
}
/// The character index of a byte offset.
pub fn position(string: &RString, offset: usize) -> Value {
    Value::len(enc::char_index(string.bytes(), string.encoding(), string.range(), offset))
}
/// The character index at which a match begins.
pub(crate) fn begins(vm: &Vm, found: &Value) -> Value {
    vm.data::<MatchInfo>(found).map(|info| position(info.text.get(vm), info.whole().0)).unwrap_or_default()
}
/// The end of the character that begins at `at`.
#[inline]
pub(crate) fn next_char(string: &RString, at: usize) -> usize {
    let bytes = string.bytes();
    match bytes.get(at) {
        None => at + 1,
        Some(first) if *first < 0x80 && string.encoding() == Encoding::Utf8 => at + 1,
        Some(_) => at + enc::char_len_at(bytes, at, string.encoding()).len().max(1),
    }
}

/// The text for a match: a String, the name of a Symbol, or the result of `to_str`; None for other values.
pub(crate) fn operand(vm: &mut Vm, value: &Value) -> Res<Option<Gc<RString>>> {
    match value {
        Value::Str(gc) => Ok(Some(gc.clone())),
        Value::Sym(symbol) => Ok(Some(symbol_text(*symbol))),
        _ => vm.check_str(value),
    }
}
/// A Symbol's name as a frozen String.
pub(crate) fn symbol_text(symbol: Symbol) -> Gc<RString> {
    let made = Gc::new(ClassId::STRING, crate::string::RString::of_symbol(symbol));
    made.set_flag(FROZEN, true);
    made
}
/// [`operand`], or TypeError for other values.
pub(crate) fn operand_or_error(vm: &mut Vm, value: &Value) -> Res<Gc<RString>> {
    match operand(vm, value)? {
        Some(text) => Ok(text),
        None => {
            let described = vm.describe(value);
            Err(vm.type_error_of(value, format!("no implicit conversion of {described} into String")))
        }
    }
}
#[cold]
fn wrong_pattern(vm: &mut Vm, value: &Value) -> Error {
    let described = vm.describe(value);
    vm.type_error(format!("wrong argument type {described} (expected Regexp)"))
}
/// A Regexp, or a new one from the source in a String; TypeError for other values.
pub(crate) fn to_regexp(vm: &mut Vm, value: &Value) -> Res {
    if vm.data::<RegexpData>(value).is_some() {
        return Ok(value.clone());
    }
    if vm.is_a(value, ClassId::REGEXP) {
        return Err(vm.type_error("uninitialized Regexp"));
    }
    match vm.check_str(value)? {
        Some(source) => {
            let source = source.get(vm).clone();
            let data = super::compile(vm, &source, rchef_regexp::Options::none())?;
            Ok(Value::data(ClassId::REGEXP, data))
        }
        None => Err(wrong_pattern(vm, value)),
    }
}

/// A pattern prepared for searching a text.
pub(crate) struct Search {
    pattern: Pattern,
    kind: TextKind,
    range: CodeRange,
}

impl Search {
    /// Checks a pattern (a Regexp or a literal String) against the text.
    pub(crate) fn new(vm: &mut Vm, value: &Value, text: &Gc<RString>) -> Res<Search> {
        if vm.is_a(value, ClassId::REGEXP) {
            let (regexp, kind) = ready(vm, value, text)?;
            return Ok(Search { pattern: Pattern::Regexp(value.clone(), regexp), kind, range: CodeRange::Ascii });
        }
        let Some(needle) = vm.check_str(value)? else { return Err(wrong_pattern(vm, value)) };
        crate::core::string::join::compatible(vm, text, &needle)?;
        if !needle.get(vm).is_valid() {
            super::quoted(vm, &needle)?;
        }
        // the String becomes part of the MatchData, where later changes must not be visible
        let needle = snapshot(vm, &needle);
        let string = text.get(vm);
        Ok(Search { pattern: Pattern::Text(needle), kind: TextKind::Ascii, range: string.range() })
    }
    /// The Regexp's pattern; None for a String.
    pub(crate) fn regexp(&self) -> Option<&Rc<Regexp>> {
        match &self.pattern {
            Pattern::Regexp(_, regexp) => Some(regexp),
            Pattern::Text(_) => None,
        }
    }
    /// Finds the first match at or after `start`.
    #[inline]
    pub(crate) fn find(&self, vm: &mut Vm, text: &Gc<RString>, start: usize, groups: &mut Captures) -> Res<bool> {
        match &self.pattern {
            Pattern::Regexp(_, regexp) => find(vm, regexp, self.kind, text, start, groups),
            Pattern::Text(needle) => Ok(self.find_text(text.get(vm), needle.get(vm), start, groups)),
        }
    }
    fn find_text(&self, string: &RString, needle: &RString, mut start: usize, groups: &mut Captures) -> bool {
        let (bytes, needle) = (string.bytes(), needle.bytes());
        while let Some(at) = bytes.get(start..).and_then(|rest| memmem::find(rest, needle)) {
            let from = start + at;
            if self.range == CodeRange::Ascii || enc::is_char_start(bytes, string.encoding(), self.range, from) {
                groups.clear();
                groups.push(Some((from, from + needle.len())));
                return true;
            }
            start = from + 1;
        }
        false
    }
    /// Creates a MatchData and sets `$~`.
    pub(crate) fn remember(&self, vm: &mut Vm, text: Gc<RString>, groups: Captures) -> Value {
        match &self.pattern {
            Pattern::Regexp(object, regexp) => remember(vm, object.clone(), Some(regexp.clone()), text, groups),
            Pattern::Text(needle) => remember(vm, Value::Str(needle.clone()), None, text, groups),
        }
    }
}

/// `value =~ text` for a value that is neither a Regexp nor a String.
pub(crate) fn ask(vm: &mut Vm, value: &Value, text: &Value) -> Res {
    vm.call(value, sym::MATCH, std::slice::from_ref(text))
}
/// The replacement for a match in a Hash, as a String.
pub(crate) fn looked_up(vm: &mut Vm, hash: &Value, matched: Value) -> Res<Gc<RString>> {
    let found = vm.call(hash, sym::AREF, &[matched])?;
    vm.to_s(&found)
}
