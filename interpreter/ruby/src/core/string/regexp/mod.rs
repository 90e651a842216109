//! String's methods with a Regexp as the pattern. `index`, `rindex`, `[]`, `[]=`, `slice!`, `start_with?`, `split`, `partition` and `rpartition` are
//! called by the methods with these names (in [`super::search`], [`super::access`], [`super::split`]) for a Regexp.

mod substitute;

use super::common::{me, me_mut};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::regexp::search::{
    self, Search, next_char, offset, search, search_back, search_prefix, snapshot, to_regexp,
};
use crate::core::regexp::{MatchInfo, group_number, nth_group, part};
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_regexp::Captures;
use rchef_syntax::Symbol;

/// `=~`, `match`, `match?`, `scan`, `gsub`, `gsub!`, `sub`, `sub!`.
pub(super) static METHODS: &[MethodDef] = &[
    def("=~", matches, 1),
    any("match", match_),
    opt("match?", match_p, 1, 2),
    def("scan", scan, 1),
    opt("gsub", substitute::gsub, 1, 2),
    opt("gsub!", substitute::gsub_bang, 1, 2),
    any("sub", substitute::sub),
    any("sub!", substitute::sub_bang),
];

fn matches(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        Value::Str(_) => Err(vm.type_error("type mismatch: String given")),
        pattern if vm.class_of(pattern) == ClassId::REGEXP => {
            let me = me(vm, this)?;
            Ok(match search(vm, pattern, me, 0)? {
                Some(found) => search::begins(vm, &found),
                None => Value::Nil,
            })
        }
        other => search::ask(vm, other, this),
    }
}
/// Calls Regexp's method of the same name, with the receiver in place of the pattern.
fn ask_regexp(vm: &mut Vm, this: &Value, args: Args<'_>, name: &'static str, native: crate::method::NativeFn) -> Res {
    let regexp = to_regexp(vm, args.at(0))?;
    let own =
        vm.class_of(&regexp) == ClassId::REGEXP && vm.is_native_method(ClassId::REGEXP, Symbol::intern_static(name));
    if !own {
        let mut turned = args.pos.to_vec();
        turned[0] = this.clone();
        return vm.call_args(&regexp, Symbol::intern_static(name), Args::new(&turned));
    }
    if args.len() > 2 {
        return Err(vm.arity_error(args.len(), "1..2"));
    }
    let mut turned = [this.clone(), Value::Nil];
    if let Some(start) = args.get(1) {
        turned[1] = start.clone();
    }
    native(vm, &regexp, Args::new(&turned[..args.len()]))
}
fn match_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Err(vm.arity_error(0, "1..2"));
    }
    let found = ask_regexp(vm, this, args, "match", crate::core::regexp::match_)?;
    match args.block {
        Some(block) if !found.is_nil() => vm.yield1(block, found),
        _ => Ok(found),
    }
}
fn match_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    ask_regexp(vm, this, args, "match?", crate::core::regexp::match_p)
}

/// Detects whether a String's buffer has changed, for natives that yield, as in MRI.
pub(super) struct Unchanged(usize, usize);
impl Unchanged {
    pub(super) fn of(vm: &Vm, string: &Gc<RString>) -> Unchanged {
        let bytes = string.get(vm).bytes();
        Unchanged(bytes.as_ptr() as usize, bytes.len())
    }
    /// RuntimeError if the String was changed.
    pub(super) fn check(&self, vm: &mut Vm, string: &Gc<RString>) -> Res<()> {
        let bytes = string.get(vm).bytes();
        if bytes.as_ptr() as usize == self.0 && bytes.len() == self.1 { Ok(()) } else { Err(modified(vm)) }
    }
}
#[cold]
fn modified(vm: &mut Vm) -> Error {
    vm.runtime_error("string modified")
}

/// `scan(pattern)`
fn scan(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let pattern = Search::new(vm, args.at(0), me)?;
    if !me.get(vm).is_valid() {
        let message = format!("invalid byte sequence in {}", me.get(vm).encoding().name());
        return Err(vm.argument_error(message));
    }
    let text = if args.block.is_some() { snapshot(vm, me) } else { me.clone() };
    let unchanged = Unchanged::of(vm, me);
    let (mut groups, mut last) = (Captures::new(), Captures::new());
    let (mut start, mut found) = (0, Vec::new());
    while pattern.find(vm, &text, start, &mut groups)? {
        vm.tick()?;
        let string = text.get(vm);
        let (from, to) = groups.first().copied().flatten().unwrap_or_default();
        start = if from == to { next_char(string, to) } else { to };
        let item = match &groups[..] {
            [_] => part(string, from, to),
            many => Value::array(
                many[1..]
                    .iter()
                    .map(|group| group.map(|(from, to)| part(string, from, to)).unwrap_or_default())
                    .collect(),
            ),
        };
        match args.block {
            None => found.push(item),
            Some(block) => {
                pattern.remember(vm, text.clone(), groups.clone());
                vm.yield1(block, item)?;
                unchanged.check(vm, me)?;
            }
        }
        std::mem::swap(&mut groups, &mut last);
    }
    if last.is_empty() {
        vm.set_last_match(Value::Nil);
    } else {
        let text = snapshot(vm, &text);
        pattern.remember(vm, text, last);
    }
    Ok(if args.block.is_some() { this.clone() } else { Value::array(found) })
}

/// `index(regexp, from = 0)`
pub(super) fn index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let start = match args.get(1) {
        Some(start) => vm.to_int(start)?,
        None => 0,
    };
    let Some(start) = offset(vm, me, start) else {
        vm.set_last_match(Value::Nil);
        return Ok(Value::Nil);
    };
    Ok(match search(vm, args.at(0), me, start)? {
        Some(found) => search::begins(vm, &found),
        None => Value::Nil,
    })
}
/// `rindex(regexp, from = length)`
pub(super) fn rindex(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let end = me.get(vm).bytesize();
    let start = match args.get(1) {
        None => end,
        Some(start) => match vm.to_int(start)? {
            start if start < 0 => match offset(vm, me, start) {
                Some(start) => start,
                None => {
                    vm.set_last_match(Value::Nil);
                    return Ok(Value::Nil);
                }
            },
            start => offset(vm, me, start).unwrap_or(end),
        },
    };
    Ok(match search_back(vm, args.at(0), me, start)? {
        Some(found) => search::begins(vm, &found),
        None => Value::Nil,
    })
}
/// `[regexp]`, `[regexp, capture]`
pub(super) fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let Some(found) = search(vm, args.at(0), me, 0)? else { return Ok(Value::Nil) };
    let number = match args.get(1) {
        Some(group) => group_number(vm, &found, group)?,
        None => 0,
    };
    Ok(capture(vm, &found, number))
}
/// A group by number; a negative number counts from the end, without the whole match.
fn capture(vm: &Vm, found: &Value, number: i64) -> Value {
    let count = vm.data::<MatchInfo>(found).map_or(0, |info| info.groups.len()) as i64;
    if number < 0 && number + count <= 0 { Value::Nil } else { nth_group(vm, found, number) }
}
/// `[regexp] = text`, `[regexp, capture] = text`; the caller has checked that the String is not frozen.
pub(super) fn aset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let Some(found) = search(vm, args.at(0), me, 0)? else { return Err(vm.index_error("regexp not matched")) };
    let given = match args.len() {
        3 => group_number(vm, &found, args.at(1))?,
        _ => 0,
    };
    let groups = vm.data::<MatchInfo>(&found).map(|info| info.groups.clone()).unwrap_or_default();
    let count = groups.len() as i64;
    let number = if given < 0 { given + count } else { given };
    if number >= count || (given < 0 && number <= 0) {
        return Err(vm.index_error(format!("index {given} out of regexp")));
    }
    let Some((from, to)) = groups[number as usize] else {
        return Err(vm.index_error(format!("regexp group {number} not matched")));
    };
    let value = args.at(args.len() - 1);
    let with = vm.to_str(value)?;
    me_mut(vm, this)?;
    super::access::splice(vm, me, from, to, &with)?;
    Ok(value.clone())
}
/// `slice!(regexp)`, `slice!(regexp, capture)`; the caller has checked that the String is not frozen.
pub(super) fn slice_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let Some(found) = search(vm, args.at(0), me, 0)? else { return Ok(Value::Nil) };
    let number = match args.get(1) {
        Some(group) => group_number(vm, &found, group)?,
        None => 0,
    };
    let taken = capture(vm, &found, number);
    if taken.is_nil() {
        return Ok(taken);
    }
    let groups = vm.data::<MatchInfo>(&found).map(|info| info.groups.clone()).unwrap_or_default();
    let number = if number < 0 { number + groups.len() as i64 } else { number };
    if let Some((from, to)) = groups.get(number as usize).copied().flatten() {
        me.get_mut(vm).bytes_mut().drain(from..to);
    }
    Ok(taken)
}
/// `start_with?` with one Regexp.
pub(super) fn start_with(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(Value::bool(search_prefix(vm, args.at(0), me)?.is_some()))
}
/// `split(regexp, limit = 0)`, with or without a block
pub(super) fn split(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let limit = match args.get(1) {
        Some(limit) => match vm.to_int(limit)? {
            limit if i32::try_from(limit).is_ok() => limit,
            limit => {
                let size = if limit < 0 { "small" } else { "big" };
                return Err(vm.range_error(format!("integer {limit} too {size} to convert to `int'")));
            }
        },
        None => 0,
    };
    let items = pieces(vm, me, args.at(0), limit)?;
    super::iterate::each_or_array(vm, this, args, items)
}
fn pieces(vm: &mut Vm, me: &Gc<RString>, pattern: &Value, limit: i64) -> Res<Vec<Value>> {
    let len = me.get(vm).bytesize();
    if limit == 1 {
        return Ok(if len == 0 { Vec::new() } else { vec![Value::string(me.get(vm).clone())] });
    }
    let (regexp, kind) = search::ready(vm, pattern, me)?;
    let mut groups = Captures::new();
    let mut items = Vec::new();
    let (mut begin, mut start, mut count) = (0, 0, 1);
    let mut after_empty = false;
    let mut matched = false;
    while search::find(vm, &regexp, kind, me, start, &mut groups)? {
        let string = me.get(vm);
        let (from, to) = groups.first().copied().flatten().unwrap_or_default();
        matched = true;
        if start == from && from == to {
            if len == 0 {
                items.push(part(string, 0, 0));
                break;
            }
            if !after_empty {
                start = next_char(string, start);
                after_empty = true;
                matched = false;
                continue;
            }
            items.push(part(string, begin, start));
            begin = start;
        } else {
            items.push(part(string, begin, from));
            begin = to;
            start = to;
        }
        after_empty = false;
        for (from, to) in groups.iter().skip(1).flatten() {
            items.push(part(string, *from, *to));
        }
        count += 1;
        if limit > 0 && limit <= count {
            break;
        }
        matched = false;
    }
    let string = me.get(vm);
    if len > 0 && (limit != 0 || len > begin) {
        items.push(part(string, begin, len));
    }
    if limit == 0 {
        while matches!(items.last(), Some(Value::Str(text)) if text.get(vm).bytes().is_empty()) {
            items.pop();
        }
    }
    if matched {
        let text = snapshot(vm, me);
        search::remember(vm, pattern.clone(), Some(regexp), text, groups);
    } else {
        vm.set_last_match(Value::Nil);
    }
    Ok(items)
}
/// The text before the match, the match, and the text after it.
fn around(vm: &mut Vm, found: &Value) -> Value {
    let Some(info) = vm.data::<MatchInfo>(found) else { return Value::Nil };
    let (string, (from, to)) = (info.text.get(vm), info.whole());
    Value::array(vec![part(string, 0, from), part(string, from, to), part(string, to, string.bytesize())])
}
/// `partition(regexp)`
pub(super) fn partition(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(match search(vm, args.at(0), me, 0)? {
        Some(found) => around(vm, &found),
        None => Value::array(vec![Value::string(me.get(vm).clone()), Value::str(""), Value::str("")]),
    })
}
/// `rpartition(regexp)`
pub(super) fn rpartition(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let end = me.get(vm).bytesize();
    Ok(match search_back(vm, args.at(0), me, end)? {
        Some(found) => around(vm, &found),
        None => Value::array(vec![Value::str(""), Value::str(""), Value::string(me.get(vm).clone())]),
    })
}
