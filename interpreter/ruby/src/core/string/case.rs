//! Upper and lower case, and comparison ignoring case.

use super::common::me;
use super::common::pair;
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def};
use crate::string::RString;
use crate::value::Value;
use rchef_text::case::{self, CaseMap, CaseOption};
use rchef_text::encoding::{self as enc, CodeRange};

pub(super) static METHODS: &[MethodDef] = &[
    any("upcase", upcase),
    any("upcase!", upcase_bang),
    any("downcase", downcase),
    any("downcase!", downcase_bang),
    any("capitalize", capitalize),
    any("capitalize!", capitalize_bang),
    any("swapcase", swapcase),
    any("swapcase!", swapcase_bang),
    def("casecmp", casecmp, 1),
    def("casecmp?", casecmp_p, 1),
];

/// The options of a case method.
fn options(vm: &mut Vm, args: Args<'_>, map: CaseMap) -> Res<CaseOption> {
    if args.is_empty() {
        return Ok(CaseOption::Full);
    }
    if args.len() > 2 {
        return Err(vm.argument_error("too many options"));
    }
    let mut names = [""; 2];
    for (name, value) in names.iter_mut().zip(args.pos) {
        if let Value::Sym(symbol) = value {
            *name = symbol.as_str();
        }
    }
    let two = args.len() == 2;
    if two && !matches!(names[0], "turkic" | "lithuanian") {
        return Err(vm.argument_error("too many options"));
    }
    match names[0] {
        "turkic" if two && names[1] != "lithuanian" => Err(vm.argument_error("invalid second option")),
        "lithuanian" if two && names[1] != "turkic" => Err(vm.argument_error("invalid second option")),
        "turkic" => Ok(CaseOption::Turkic),
        "lithuanian" => Ok(if two { CaseOption::Turkic } else { CaseOption::Full }),
        "ascii" => Ok(CaseOption::Ascii),
        "fold" if map == CaseMap::Down => Ok(CaseOption::Fold),
        "fold" => Err(vm.argument_error("option :fold only allowed for downcasing")),
        _ => Err(vm.argument_error("invalid option")),
    }
}
/// The contents with another case; None if they are unchanged.
pub(crate) fn mapped(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>, map: CaseMap) -> Res<Option<RString>> {
    let option = options(vm, args, map)?;
    let string = me.get(vm);
    let (encoding, range) = (string.encoding(), string.range());
    if range == CodeRange::Broken && option != CaseOption::Ascii && !encoding.is_single_byte() {
        return Err(vm.argument_error("input string invalid"));
    }
    let made = case::convert(string.bytes(), encoding, map, option);
    if made == string.bytes() {
        return Ok(None);
    }
    let range = if option != CaseOption::Turkic && range == CodeRange::Ascii { Some(range) } else { None };
    Ok(Some(RString::with_range(made, encoding, range)))
}
fn up(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    mapped(vm, me, args, CaseMap::Up)
}
fn down(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    mapped(vm, me, args, CaseMap::Down)
}
fn title(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    mapped(vm, me, args, CaseMap::Capitalize)
}
fn swap(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    mapped(vm, me, args, CaseMap::Swap)
}
pair!(upcase upcase_bang up, downcase downcase_bang down, capitalize capitalize_bang title, swapcase swapcase_bang swap);

/// The other operand of a comparison; None if it is not a String or not compatible.
fn comparable(vm: &mut Vm, me: &Gc<RString>, other: &Value) -> Res<Option<Gc<RString>>> {
    let Some(other) = vm.check_str(other)? else { return Ok(None) };
    let fits = enc::compatible(super::operand(me.get(vm)), super::operand(other.get(vm))).is_some();
    Ok(fits.then_some(other))
}
fn casecmp(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(match comparable(vm, me, args.at(0))? {
        Some(other) => Value::Int(case::casecmp(me.get(vm).bytes(), other.get(vm).bytes()) as i64),
        None => Value::Nil,
    })
}
fn casecmp_p(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let Some(other) = comparable(vm, me, args.at(0))? else { return Ok(Value::Nil) };
    let (a, b) = (me.get(vm), other.get(vm));
    if [a, b].iter().any(|string| string.range() == CodeRange::Broken && string.encoding().is_unicode()) {
        return Err(vm.argument_error("input string invalid"));
    }
    Ok(Value::bool(case::casecmp_p(a.bytes(), a.encoding(), b.bytes(), b.encoding())))
}
