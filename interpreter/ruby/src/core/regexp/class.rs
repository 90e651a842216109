//! Regexp's methods.

use super::search::{self, begins, offset, operand, operand_or_error, search, state};
use super::{RegexpData, back_reference, compile, name_number, nth_group, quoted, view};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::name;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_regexp::{Captures, Options, UnionPart};
use rchef_syntax::Symbol;
use rchef_text::encoding::{CodeRange, Encoding};
use std::hash::{Hash, Hasher};

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    def("===", case_equal, 1),
    def("=~", matches, 1),
    def("~", matches_last_line, 0),
    opt("match", match_, 1, 2),
    opt("match?", match_p, 1, 2),
    def("source", source, 0),
    def("options", options, 0),
    def("casefold?", is_casefold, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("names", names, 0),
    def("named_captures", named_captures, 0),
    def("==", equal, 1),
    def("eql?", equal, 1),
    def("hash", hash, 0),
    def("encoding", encoding, 0),
    def("fixed_encoding?", is_fixed_encoding, 0),
];
static SINGLETON: &[MethodDef] = &[
    any("compile", compile_new),
    def("escape", escape, 1),
    def("quote", escape, 1),
    any("union", union),
    opt("last_match", last_match, 0, 1),
    def("try_convert", try_convert, 1),
];

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::REGEXP).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(ClassId::REGEXP, METHODS);
    vm.define_singleton_methods(ClassId::REGEXP, SINGLETON);
    for (name, bits) in
        [("IGNORECASE", 1), ("EXTENDED", 2), ("MULTILINE", 4), ("FIXEDENCODING", 16), ("NOENCODING", 32)]
    {
        vm.const_set(ClassId::REGEXP, Symbol::intern_static(name), Value::Int(bits));
    }
}

fn compile_new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.call_args(this, name("new"), args)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !(1..=3).contains(&args.len()) {
        return Err(vm.arity_error(args.len(), "1..3"));
    }
    vm.check_frozen(this)?;
    if vm.data::<RegexpData>(this).is_some() {
        return Err(vm.type_error("already initialized regexp"));
    }
    let given = args.at(0);
    let data = if vm.is_a(given, ClassId::REGEXP) {
        let data = state(vm, given)?;
        if args.len() > 1 {
            vm.warn("flags ignored")?;
        }
        data
    } else {
        let mut bits = match args.at(1) {
            Value::Int(bits) => (*bits & 0xff) as u32,
            Value::Nil | Value::False => 0,
            _ => Options::IGNORE_CASE.bits(),
        };
        let mut binary = false;
        if !args.at(2).is_nil() {
            let code = vm.to_str(args.at(2))?;
            let code = code.get(vm).to_text().into_owned();
            if code.starts_with(['n', 'N']) {
                binary = true;
                bits |= Options::NO_ENCODING.bits();
            } else {
                vm.warn(&format!("encoding option is ignored - {code}"))?;
            }
        }
        let text = vm.to_str(given)?;
        let text = text.get(vm);
        let text = if binary { RString::binary(text.bytes().to_vec()) } else { text.clone() };
        compile(vm, &text, Options::from_bits(bits))?
    };
    vm.set_data(this, data);
    Ok(this.clone())
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if this.same(args.at(0)) || vm.data::<RegexpData>(this).is_some() && vm.frozen(this) {
        return Ok(this.clone());
    }
    if !vm.is_a(args.at(0), ClassId::REGEXP) {
        return Err(vm.type_error("wrong argument type"));
    }
    let data = state(vm, args.at(0))?;
    vm.set_data(this, data);
    Ok(this.clone())
}

fn case_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match operand(vm, args.at(0))? {
        Some(text) => Ok(Value::bool(search(vm, this, &text, 0)?.is_some())),
        None => {
            vm.set_last_match(Value::Nil);
            Ok(Value::False)
        }
    }
}
fn matches(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        vm.set_last_match(Value::Nil);
        return Ok(Value::Nil);
    }
    let text = operand_or_error(vm, args.at(0))?;
    Ok(match search(vm, this, &text, 0)? {
        Some(found) => begins(vm, &found),
        None => Value::Nil,
    })
}
fn matches_last_line(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let line = vm.global_get(rchef_syntax::symbol::sym::DOLLAR_UNDERSCORE)?;
    match line {
        Value::Str(_) => matches(vm, this, Args::new(&[line])),
        _ => {
            vm.set_last_match(Value::Nil);
            Ok(Value::Nil)
        }
    }
}
/// `match(text, position = 0)`; a block gets the match.
pub(crate) fn match_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let start = match args.get(1) {
        Some(start) => vm.to_int(start)?,
        None => 0,
    };
    if args.at(0).is_nil() {
        state(vm, this)?;
        vm.set_last_match(Value::Nil);
        return Ok(Value::Nil);
    }
    let text = operand_or_error(vm, args.at(0))?;
    // a place beyond the end is the end
    let beyond = (start > 0).then(|| text.get(vm).bytesize());
    let found = match offset(vm, &text, start).or(beyond) {
        Some(start) => search(vm, this, &text, start)?,
        None => {
            vm.set_last_match(Value::Nil);
            None
        }
    };
    match (found, args.block) {
        (Some(found), Some(block)) => vm.yield1(block, found),
        (found, _) => Ok(Value::or_nil(found)),
    }
}
/// `match?(text, position = 0)`; does not set `$~`.
pub(crate) fn match_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        state(vm, this)?;
        return Ok(Value::False);
    }
    let text = operand_or_error(vm, args.at(0))?;
    let start = match args.get(1) {
        Some(start) => vm.to_int(start)?,
        None => 0,
    };
    let Some(start) = offset(vm, &text, start) else { return Ok(Value::False) };
    let (regexp, kind) = search::ready(vm, this, &text)?;
    let mut none = Captures::new();
    let found = view::search(vm, &regexp, kind, &text, start, &mut none, |regexp, bytes, kind, start, _| {
        regexp.is_match_at(bytes, kind, start)
    })?;
    Ok(Value::bool(found))
}

fn source(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(Value::string(RString::new(data.regexp.source(), data.encoding)))
}
fn options(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(state(vm, this)?.regexp.options().bits())))
}
fn is_casefold(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.regexp.options().ignore_case()))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let text = rchef_regexp::to_s(data.regexp.source(), data.regexp.options());
    Ok(Value::string(RString::new(text, data.encoding)))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(data) = vm.data::<RegexpData>(this) else { return Ok(Value::str(vm.default_to_s(this))) };
    let text = rchef_regexp::inspect(data.regexp.source(), data.regexp.options(), data.regexp.is_binary());
    let encoding = if text.is_ascii() { data.encoding } else { Encoding::Utf8 };
    Ok(Value::string(RString::new(text, encoding)))
}
fn names(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(Value::array(data.regexp.named_groups().iter().map(|(name, _)| Value::str(name)).collect()))
}
fn named_captures(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let pairs = (data.regexp.named_groups().iter())
        .map(|(name, groups)| (Value::str(name), Value::array(groups.iter().map(|group| Value::len(*group)).collect())))
        .collect();
    vm.new_hash(pairs)
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if this.same(args.at(0)) {
        return Ok(Value::True);
    }
    if !vm.is_a(args.at(0), ClassId::REGEXP) {
        return Ok(Value::False);
    }
    let (a, b) = (state(vm, this)?, state(vm, args.at(0))?);
    Ok(Value::bool(same(&a, &b)))
}
/// Whether two patterns have the same source, options and encoding.
pub(super) fn same(a: &RegexpData, b: &RegexpData) -> bool {
    let options = |data: &RegexpData| data.regexp.options().without(Options::NO_ENCODING);
    options(a) == options(b) && a.regexp.source() == b.regexp.source() && a.encoding == b.encoding
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    let mut hasher = rustc_hash::FxHasher::default();
    data.regexp.source().hash(&mut hasher);
    Ok(Value::Int(
        (crate::coerce::mix(u64::from(data.regexp.options().without(Options::NO_ENCODING).bits()), hasher.finish())
            >> 2) as i64,
    ))
}
fn encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let encoding = vm.data::<RegexpData>(this).map_or(Encoding::Binary, |data| data.encoding);
    Ok(crate::core::encoding::object(vm, encoding))
}
fn is_fixed_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.regexp.options().fixed_encoding()))
}

fn escape(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = operand_or_error(vm, args.at(0))?;
    let string = text.get(vm);
    let escaped = rchef_regexp::escape(string.bytes());
    let (encoding, range) = match string.range() {
        CodeRange::Ascii => (Encoding::UsAscii, Some(CodeRange::Ascii)),
        other => (string.encoding(), Some(other)),
    };
    Ok(Value::string(RString::with_range(escaped, encoding, range)))
}
/// `Regexp.try_convert`: a Regexp, the result of `to_regexp`, or None.
fn converted(vm: &mut Vm, value: &Value) -> Res<Option<Value>> {
    if vm.is_a(value, ClassId::REGEXP) {
        return Ok(Some(value.clone()));
    }
    match vm.try_convert(value, name("to_regexp"))? {
        None | Some(Value::Nil) => Ok(None),
        Some(found) if vm.is_a(&found, ClassId::REGEXP) => Ok(Some(found)),
        Some(other) => {
            let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&other));
            Err(vm.type_error(format!("can't convert {class} to Regexp ({class}#to_regexp gives {gave})")))
        }
    }
}
fn try_convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::or_nil(converted(vm, args.at(0))?))
}

enum Part {
    Text(Gc<RString>),
    Regexp(RegexpData),
}
fn union(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let given = match args.pos {
        [one] => match vm.check_ary(one)? {
            Some(array) => array.get(vm).items.clone(),
            None => vec![one.clone()],
        },
        many => many.to_vec(),
    };
    let mut parts = Vec::with_capacity(given.len());
    let mut fixed: Option<Encoding> = None;
    let (mut wide, mut ascii): (Option<Encoding>, bool) = (None, false);
    for value in &given {
        let (part, encoding) = match converted(vm, value)? {
            Some(found) if given.len() == 1 => return Ok(found),
            Some(found) => {
                let data = state(vm, &found)?;
                let is_fixed = data.regexp.options().fixed_encoding() || !data.encoding.is_ascii_compatible();
                let encoding = is_fixed.then_some(data.encoding);
                (Part::Regexp(data), encoding)
            }
            None => {
                let text = operand_or_error(vm, value)?;
                if given.len() == 1 {
                    return quoted(vm, &text);
                }
                let string = text.get(vm);
                let is_fixed = !string.is_ascii() || !string.encoding().is_ascii_compatible();
                let encoding = is_fixed.then_some(string.encoding());
                (Part::Text(text), encoding)
            }
        };
        match (wide, encoding) {
            (_, None) => ascii = true,
            (Some(a), Some(b)) if !b.is_ascii_compatible() && a != b => return Err(incompatible(vm, a, b)),
            (None, Some(b)) if !b.is_ascii_compatible() => wide = encoding,
            _ => {}
        }
        match (fixed, encoding) {
            (_, Some(b)) if !b.is_ascii_compatible() => {}
            (Some(a), Some(b)) if a != b => return Err(incompatible(vm, a, b)),
            (None, Some(_)) => fixed = encoding,
            _ => {}
        }
        parts.push(part);
    }
    if let Some(wide) = wide {
        if ascii {
            return Err(vm.argument_error(format!("ASCII incompatible encoding: {}", wide.name())));
        }
        if let Some(fixed) = fixed {
            return Err(incompatible(vm, wide, fixed));
        }
    }
    let pieces: Vec<UnionPart<'_>> = (parts.iter())
        .map(|part| match part {
            Part::Text(text) => UnionPart::Text(text.get(vm).bytes()),
            Part::Regexp(data) => UnionPart::Regexp(data.regexp.source(), data.regexp.options()),
        })
        .collect();
    let (source, options) = rchef_regexp::union(&pieces);
    let source = RString::new(source, fixed.unwrap_or(Encoding::UsAscii));
    let data = compile(vm, &source, options)?;
    Ok(Value::data(ClassId::REGEXP, data))
}
#[cold]
fn incompatible(vm: &mut Vm, a: Encoding, b: Encoding) -> Error {
    vm.argument_error(format!("incompatible encodings: {} and {}", a.name(), b.name()))
}
fn last_match(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let last = vm.last_match();
    let Some(group) = args.get(0) else { return Ok(last) };
    if last.is_nil() {
        return Ok(Value::Nil);
    }
    match group {
        Value::Int(0) => Ok(back_reference(vm, &last, b'&')),
        Value::Sym(_) | Value::Str(_) => {
            let index = name_number(vm, &last, group)?;
            Ok(nth_group(vm, &last, index as i64))
        }
        _ => {
            let index = vm.to_int(group)?;
            Ok(nth_group(vm, &last, index))
        }
    }
}
