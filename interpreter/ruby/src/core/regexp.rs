//! Regexp and MatchData.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap;
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_regexp::{Options, Regexp, SourceKind};
use rchef_text::encoding::Encoding;
use std::rc::Rc;

/// State of a Regexp.
pub struct RegexpData {
    /// Pattern.
    pub regexp: Rc<Regexp>,
    /// Encoding of the source.
    pub encoding: Encoding,
}
impl NativeData for RegexpData {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(RegexpData { regexp: self.regexp.clone(), encoding: self.encoding }))
    }
}

/// State of a MatchData.
pub struct MatchInfo {
    /// The pattern.
    pub regexp: Rc<Regexp>,
    /// The Regexp object.
    pub regexp_object: Value,
    /// A frozen copy of what was matched.
    pub text: RString,
    /// Byte offsets of each group.
    pub groups: Vec<Option<(usize, usize)>>,
}
impl NativeData for MatchInfo {}

impl MatchInfo {
    /// The text of a group.
    pub fn group(&self, index: usize) -> Option<RString> {
        let (from, to) = (*self.groups.get(index)?)?;
        Some(RString::new(self.text.bytes()[from..to].to_vec(), self.text.encoding()))
    }
}

fn make(vm: &mut Vm, source: &RString, bits: u8) -> Res {
    let kind = if source.encoding() == Encoding::Binary && !source.is_ascii() { SourceKind::Binary } else { SourceKind::Utf8 };
    let options = Options::from_bits(u32::from(bits));
    match Regexp::new(source.bytes(), options, kind) {
        Ok(regexp) => {
            let encoding = if source.is_ascii() { Encoding::UsAscii } else { source.encoding() };
            let made = Value::data(ClassId::REGEXP, RegexpData { regexp: Rc::new(regexp), encoding });
            made.set_flag(heap::FROZEN, true);
            Ok(made)
        }
        Err(error) => {
            let text = String::from_utf8_lossy(&error.with_source(source.bytes(), options)).into_owned();
            Err(vm.error(ClassId::REGEXP_ERROR, text))
        }
    }
}
/// A literal without interpolation.
pub(crate) fn literal(vm: &mut Vm, source: &[u8], options: u8) -> Res {
    make(vm, &RString::utf8(source.to_vec()), options)
}
/// A literal with interpolation.
pub(crate) fn dynamic(vm: &mut Vm, source: RString, options: u8) -> Res {
    make(vm, &source, options)
}
/// `$1` …
pub(crate) fn nth_match(vm: &mut Vm, last: &Value, index: i64) -> Value {
    let group = vm.data::<MatchInfo>(last).and_then(|info| info.group(usize::try_from(index).ok()?));
    group.map(Value::string).unwrap_or_default()
}
/// `$&`, `` $` ``, `$'`, `$+`
pub(crate) fn back_reference(vm: &mut Vm, last: &Value, kind: u8) -> Value {
    let Some(info) = vm.data::<MatchInfo>(last) else { return Value::Nil };
    let Some(Some((from, to))) = info.groups.first().copied() else { return Value::Nil };
    let bytes = info.text.bytes();
    let part = match kind {
        b'&' => &bytes[from..to],
        b'`' => &bytes[..from],
        b'\'' => &bytes[to..],
        _ => match info.groups.iter().skip(1).rev().flatten().next() {
            Some(&(from, to)) => &bytes[from..to],
            None => return Value::Nil,
        },
    };
    Value::string(RString::new(part.to_vec(), info.text.encoding()))
}
/// A group by its name: of several with the name, the last that matched.
pub(crate) fn named_match(vm: &mut Vm, last: &Value, name: Symbol) -> Value {
    let Some(info) = vm.data::<MatchInfo>(last) else { return Value::Nil };
    let indices = info.regexp.named_groups().iter().find(|(known, _)| known == name.as_str()).map(|(_, indices)| indices.clone()).unwrap_or_default();
    indices.iter().rev().find_map(|&index| info.group(index)).map(Value::string).unwrap_or_default()
}

pub(super) fn boot(_vm: &mut Vm) {}
