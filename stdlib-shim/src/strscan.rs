//! `strscan`: StringScanner 3.0.1, the version in Ruby 3.1.
//!
//! Without `fixed_anchor` a pattern sees only the rest of the string: `\A` and `^` match at the position.

use rchef_ruby::embed::regexp::search::{position, prepare, watched};
use rchef_ruby::embed::regexp::{RegexpData, part};
use rchef_ruby::embed::string::{append, compatible};
use rchef_ruby::regexp::Regexp;
use rchef_ruby::text::encoding::{self as enc};
use rchef_ruby::{Args, ClassId, Error, Gc, MethodDef, NativeData, RString, Res, Symbol, Value, Vm, any, def, opt};
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    def("scan", scan, 1),
    def("match?", match_p, 1),
    def("skip", skip, 1),
    def("check", check, 1),
    def("scan_full", scan_full, 3),
    def("scan_until", scan_until, 1),
    def("exist?", exist_p, 1),
    def("skip_until", skip_until, 1),
    def("check_until", check_until, 1),
    def("search_full", search_full, 3),
    def("getch", getch, 0),
    def("get_byte", get_byte, 0),
    def("getbyte", get_byte, 0),
    def("peek", peek, 1),
    def("peep", peek, 1),
    def("unscan", unscan, 0),
    def("beginning_of_line?", beginning_of_line, 0),
    def("bol?", beginning_of_line, 0),
    def("eos?", is_eos, 0),
    def("empty?", is_eos, 0),
    def("rest?", has_rest, 0),
    def("rest", rest, 0),
    def("rest_size", rest_size, 0),
    def("restsize", rest_size, 0),
    def("matched?", is_matched, 0),
    def("matched", matched, 0),
    def("matched_size", matched_size, 0),
    def("[]", aref, 1),
    def("size", size, 0),
    def("captures", captures, 0),
    any("values_at", values_at),
    def("pre_match", pre_match, 0),
    def("post_match", post_match, 0),
    def("pos", pos, 0),
    def("pointer", pos, 0),
    def("pos=", set_pos, 1),
    def("pointer=", set_pos, 1),
    def("charpos", charpos, 0),
    def("reset", reset, 0),
    def("terminate", terminate, 0),
    def("clear", terminate, 0),
    def("string", string, 0),
    def("string=", set_string, 1),
    def("concat", concat, 1),
    def("<<", concat, 1),
    def("fixed_anchor?", is_fixed_anchor, 0),
    def("inspect", inspect, 0),
];
static SINGLETON: &[MethodDef] = &[opt("must_C_version", must_c_version, 0, 0)];

#[derive(Clone)]
struct Scanner {
    string: Gc<RString>,
    /// Byte offsets: where the last match was attempted, and the position.
    prev: usize,
    curr: usize,
    /// Groups of the last match, as offsets from `base`.
    groups: Vec<Option<(usize, usize)>>,
    base: usize,
    matched: bool,
    /// The Regexp of the last match.
    regexp: Option<Rc<Regexp>>,
    fixed_anchor: bool,
}
impl NativeData for Scanner {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Str(self.string.clone()));
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let class = vm.define_class(ClassId::OBJECT, "StringScanner", ClassId::OBJECT);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(class, METHODS);
    vm.define_singleton_methods(class, SINGLETON);
    let error = vm.define_class(class, "Error", ClassId::STANDARD_ERROR);
    let outer = Symbol::intern_static("ScanError");
    if vm.class_named("ScanError").is_none() {
        vm.const_set(ClassId::OBJECT, outer, Value::Class(error));
    }
    for (name, text) in [("Version", "3.0.1"), ("Id", "$Id$")] {
        let text = Value::str(text);
        vm.freeze(&text);
        vm.const_set(class, Symbol::intern_static(name), text);
    }
    Ok(())
}

#[cold]
fn uninitialized(vm: &mut Vm) -> Error {
    vm.argument_error("uninitialized StringScanner object")
}
/// Borrows the state together with the VM.
macro_rules! state {
    ($vm:ident, $this:ident) => {
        match $vm.data::<Scanner>($this) {
            Some(found) => found,
            None => return Err(uninitialized($vm)),
        }
    };
}
macro_rules! state_mut {
    ($vm:ident, $this:ident) => {
        match $vm.data_mut::<Scanner>($this) {
            Some(found) => found,
            None => return Err(uninitialized($vm)),
        }
    };
}

fn must_c_version(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
/// `new(string, fixed_anchor: false)`
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [fixed]) = args.take_keywords(vm, [Symbol::intern_static("fixed_anchor")])?;
    if !(1..=2).contains(&pos.len()) {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    let string = vm.to_str(&pos[0])?;
    let fixed_anchor = fixed.is_some_and(|value| value.truthy());
    let made =
        Scanner { string, prev: 0, curr: 0, groups: Vec::new(), base: 0, matched: false, regexp: None, fixed_anchor };
    vm.set_data(this, made);
    Ok(this.clone())
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    let copy = state!(vm, other).clone();
    vm.set_data(this, copy);
    Ok(this.clone())
}

/// What a scan method does and returns.
#[derive(Clone, Copy)]
struct Wants {
    /// Whether to move the position to the end of the match.
    advance: bool,
    /// Whether to return the text instead of its length.
    text: bool,
    /// Whether the match must begin at the position.
    head: bool,
}

/// Searches for a pattern; returns nil if there is no match, else the text from the position to the end of the match, or its length.
fn look(vm: &mut Vm, this: &Value, pattern: &Value, wants: Wants) -> Res {
    let scanner = state!(vm, this);
    let (string, curr, fixed) = (scanner.string.clone(), scanner.curr, scanner.fixed_anchor);
    let is_regexp = vm.data::<RegexpData>(pattern).is_some();
    if !is_regexp && !wants.head {
        let described = vm.describe(pattern);
        return Err(vm.type_error(format!("wrong argument type {described} (expected Regexp)")));
    }
    let len = string.get(vm).bytesize();
    // reuse the buffer
    let mut groups = std::mem::take(&mut state_mut!(vm, this).groups);
    let (found, base, regexp) = if is_regexp {
        let (regexp, kind) = prepare(vm, pattern, &string)?;
        let base = if fixed { 0 } else { curr };
        let start = curr.wrapping_sub(base);
        let found = curr <= len
            && watched(vm, &regexp, |vm, regexp| {
                let bytes = string.get(vm).bytes().get(base..).unwrap_or(&[]);
                match wants.head {
                    true => regexp.match_anchored_at(bytes, kind, start, &mut groups),
                    false => regexp.match_at(bytes, kind, start, &mut groups),
                }
            })?;
        (found, base, Some(regexp))
    } else {
        let needle = vm.to_str(pattern)?;
        compatible(vm, &string, &needle)?;
        let needle = needle.get(vm).bytes();
        let found = string.get(vm).bytes().get(curr..).is_some_and(|rest| rest.starts_with(needle));
        if found {
            groups.clear();
            groups.push(Some((0, needle.len())));
        }
        (found, curr, None)
    };
    let end = base + groups.first().copied().flatten().map_or(0, |(_, end)| end);
    let scanner = state_mut!(vm, this);
    scanner.groups = groups;
    scanner.matched = found;
    if regexp.is_some() {
        scanner.regexp = regexp;
    }
    if !found {
        return Ok(Value::Nil);
    }
    scanner.base = base;
    scanner.prev = curr;
    if wants.advance {
        scanner.curr = end;
    }
    Ok(if wants.text { part(string.get(vm), curr, end.max(curr)) } else { Value::len(end.saturating_sub(curr)) })
}
fn scan(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: true, text: true, head: true })
}
fn match_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: false, text: false, head: true })
}
fn skip(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: true, text: false, head: true })
}
fn check(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: false, text: true, head: true })
}
fn scan_full(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: args.at(1).truthy(), text: args.at(2).truthy(), head: true })
}
fn scan_until(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: true, text: true, head: false })
}
fn exist_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: false, text: false, head: false })
}
fn skip_until(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: true, text: false, head: false })
}
fn check_until(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: false, text: true, head: false })
}
fn search_full(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    look(vm, this, args.at(0), Wants { advance: args.at(1).truthy(), text: args.at(2).truthy(), head: false })
}

/// Takes a number of bytes, as if they were a match.
fn take(vm: &mut Vm, this: &Value, count: impl FnOnce(&RString, usize) -> usize) -> Res {
    let scanner = state!(vm, this);
    let (string, curr) = (scanner.string.clone(), scanner.curr);
    let contents = string.get(vm);
    let left = contents.bytesize().saturating_sub(curr);
    let count = if left == 0 { 0 } else { count(contents, curr).min(left) };
    let scanner = state_mut!(vm, this);
    scanner.matched = count > 0;
    if count == 0 {
        return Ok(Value::Nil);
    }
    scanner.groups.clear();
    scanner.groups.push(Some((0, count)));
    (scanner.prev, scanner.base) = (curr, curr);
    scanner.curr = curr + count;
    Ok(part(string.get(vm), curr, curr + count))
}
fn getch(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    take(vm, this, |string, at| enc::char_len_at(string.bytes(), at, string.encoding()).len())
}
fn get_byte(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    take(vm, this, |_, _| 1)
}
fn peek(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let scanner = state!(vm, this);
    let string = scanner.string.get(vm);
    let left = string.bytesize().saturating_sub(scanner.curr);
    if left == 0 {
        return Ok(part(string, 0, 0));
    }
    let Ok(count) = usize::try_from(count) else {
        return Err(vm.argument_error("negative string size (or size too big)"));
    };
    Ok(part(string, scanner.curr, scanner.curr + count.min(left)))
}
fn unscan(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state_mut!(vm, this);
    if !scanner.matched {
        let class = vm.class_named("StringScanner::Error").unwrap_or(ClassId::STANDARD_ERROR);
        return Err(vm.error(class, "unscan failed: previous match record not exist"));
    }
    scanner.curr = scanner.prev;
    scanner.matched = false;
    Ok(this.clone())
}

fn beginning_of_line(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state!(vm, this);
    let bytes = scanner.string.get(vm).bytes();
    if scanner.curr > bytes.len() {
        return Ok(Value::Nil);
    }
    Ok(Value::bool(scanner.curr == 0 || bytes.get(scanner.curr - 1) == Some(&b'\n')))
}
fn left(vm: &mut Vm, this: &Value) -> Res<usize> {
    let scanner = state!(vm, this);
    Ok(scanner.string.get(vm).bytesize().saturating_sub(scanner.curr))
}
fn is_eos(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(left(vm, this)? == 0))
}
fn has_rest(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(left(vm, this)? > 0))
}
fn rest(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state!(vm, this);
    let string = scanner.string.get(vm);
    let end = string.bytesize();
    Ok(part(string, scanner.curr.min(end), end))
}
fn rest_size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(left(vm, this)?))
}

impl Scanner {
    /// The byte range of a group of the last match, limited to the current length of the string.
    fn span(&self, vm: &Vm, index: usize) -> Option<(usize, usize)> {
        if !self.matched {
            return None;
        }
        let (from, to) = (*self.groups.get(index)?)?;
        let end = self.string.get(vm).bytesize();
        let from = self.base + from;
        (from <= end).then(|| (from, (self.base + to).min(end)))
    }
    fn group(&self, vm: &Vm, index: i64) -> Value {
        let index = if index < 0 { index + self.groups.len() as i64 } else { index };
        let found = usize::try_from(index).ok().and_then(|index| self.span(vm, index));
        found.map(|(from, to)| part(self.string.get(vm), from, to)).unwrap_or_default()
    }
}
fn is_matched(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state!(vm, this).matched))
}
fn matched(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(state!(vm, this).group(vm, 0))
}
fn matched_size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(state!(vm, this).span(vm, 0).map(|(from, to)| Value::len(to - from)).unwrap_or_default())
}
fn group_of(vm: &mut Vm, this: &Value, index: &Value) -> Res {
    let scanner = state!(vm, this);
    if !scanner.matched {
        return Ok(Value::Nil);
    }
    let name = match index {
        Value::Int(index) => return Ok(scanner.group(vm, *index)),
        Value::Sym(symbol) => symbol.as_bytes().to_vec(),
        Value::Str(text) => text.get(vm).bytes().to_vec(),
        _ => {
            let index = vm.to_int(index)?;
            return Ok(state!(vm, this).group(vm, index));
        }
    };
    let Some(regexp) = &scanner.regexp else { return Ok(Value::Nil) };
    let Some((_, indices)) = regexp.named_groups().iter().find(|(known, _)| known.as_bytes() == name) else {
        return Err(vm.index_error(format!("undefined group name reference: {}", String::from_utf8_lossy(&name))));
    };
    Ok(indices
        .iter()
        .rev()
        .map(|index| scanner.group(vm, *index as i64))
        .find(|found| !found.is_nil())
        .unwrap_or_default())
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    group_of(vm, this, args.at(0))
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state!(vm, this);
    Ok(if scanner.matched { Value::len(scanner.groups.len()) } else { Value::Nil })
}
/// `captures`: groups that did not participate are empty Strings, as in this version of strscan.
fn captures(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state!(vm, this);
    if !scanner.matched {
        return Ok(Value::Nil);
    }
    let string = scanner.string.get(vm);
    let items = (1..scanner.groups.len())
        .map(|index| match scanner.span(vm, index) {
            Some((from, to)) => part(string, from, to),
            None => part(string, 0, 0),
        })
        .collect();
    Ok(Value::array(items))
}
fn values_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !state!(vm, this).matched {
        return Ok(Value::Nil);
    }
    let mut items = Vec::with_capacity(args.len());
    for index in args.pos {
        items.push(group_of(vm, this, index)?);
    }
    Ok(Value::array(items))
}
fn pre_match(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state!(vm, this);
    Ok(scanner.span(vm, 0).map(|(from, _)| part(scanner.string.get(vm), 0, from)).unwrap_or_default())
}
fn post_match(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state!(vm, this);
    let string = scanner.string.get(vm);
    Ok(scanner.span(vm, 0).map(|(_, to)| part(string, to, string.bytesize())).unwrap_or_default())
}

fn pos(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state!(vm, this).curr))
}
fn set_pos(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let given = vm.to_int(args.at(0))?;
    let len = state!(vm, this).string.get(vm).bytesize() as i64;
    let at = if given < 0 { given + len } else { given };
    if at < 0 || at > len {
        return Err(vm.range_error("index out of range"));
    }
    state_mut!(vm, this).curr = at as usize;
    Ok(args.at(0).clone())
}
fn charpos(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state!(vm, this);
    Ok(position(scanner.string.get(vm), scanner.curr))
}
fn reset(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let scanner = state_mut!(vm, this);
    scanner.curr = 0;
    scanner.matched = false;
    Ok(this.clone())
}
fn terminate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let end = state!(vm, this).string.get(vm).bytesize();
    let scanner = state_mut!(vm, this);
    scanner.curr = end;
    scanner.matched = false;
    Ok(this.clone())
}
fn string(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Str(state!(vm, this).string.clone()))
}
fn set_string(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let string = vm.to_str(args.at(0))?;
    if vm.data::<Scanner>(this).is_none() {
        return initialize(vm, this, args).map(|_| args.at(0).clone());
    }
    let scanner = state_mut!(vm, this);
    scanner.string = string;
    scanner.curr = 0;
    scanner.matched = false;
    Ok(args.at(0).clone())
}
fn concat(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let string = state!(vm, this).string.clone();
    let more = vm.to_str(args.at(0))?;
    vm.check_frozen(&Value::Str(string.clone()))?;
    append(vm, &string, &more)?;
    Ok(this.clone())
}
fn is_fixed_anchor(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state!(vm, this).fixed_anchor))
}

/// The number of bytes that `inspect` shows before and after the position.
const SHOWN: usize = 5;
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let Some(scanner) = vm.data::<Scanner>(this) else { return Ok(Value::str(format!("#<{class} (uninitialized)>"))) };
    let string = scanner.string.get(vm);
    let (bytes, at, encoding) = (string.bytes(), scanner.curr, string.encoding());
    if at >= bytes.len() {
        return Ok(Value::str(format!("#<{class} fin>")));
    }
    let quoted = |parts: [&[u8]; 3]| rchef_ruby::text::inspect::inspect(&parts.concat(), encoding);
    let dots: &[u8] = b"...";
    let mut out = format!("#<{class} {at}/{} ", bytes.len()).into_bytes();
    if at > 0 {
        let from = at.saturating_sub(SHOWN);
        out.extend_from_slice(&quoted([if from > 0 { dots } else { b"" }, &bytes[from..at], b""]));
        out.push(b' ');
    }
    let to = (at + SHOWN).min(bytes.len());
    out.extend_from_slice(b"@ ");
    out.extend_from_slice(&quoted([b"", &bytes[at..to], if to < bytes.len() { dots } else { b"" }]));
    out.push(b'>');
    Ok(Value::bytes(out))
}
