//! Characters, bytes, code points, grapheme clusters; `upto`.

use super::common::me;
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_text::encoding::{self as enc, CodeRange, Encoding};
use unicode_segmentation::UnicodeSegmentation;

pub(super) static METHODS: &[MethodDef] = &[
    def("each_char", each_char, 0),
    def("chars", chars, 0),
    def("each_byte", each_byte, 0),
    def("bytes", bytes, 0),
    def("each_codepoint", each_codepoint, 0),
    def("codepoints", codepoints, 0),
    def("each_grapheme_cluster", each_grapheme_cluster, 0),
    def("grapheme_clusters", grapheme_clusters, 0),
    opt("upto", upto, 1, 2),
];

/// Yields each item and returns the receiver; without a block returns an Array.
pub(super) fn each_or_array(vm: &mut Vm, this: &Value, args: Args<'_>, items: Vec<Value>) -> Res {
    match args.block {
        None => Ok(Value::array(items)),
        Some(block) => {
            for item in items {
                vm.yield1(block, item)?;
            }
            Ok(this.clone())
        }
    }
}
/// NoMemoryError if there is not enough memory for `count` Strings.
pub(super) fn check_pieces(vm: &mut Vm, count: usize) -> Res<()> {
    /// Memory of a short String and its place in an Array, in bytes.
    const PIECE: usize = 112;
    vm.check_size(count.saturating_mul(16))?;
    vm.check_left(count.saturating_mul(PIECE))
}
fn char_values(string: &RString) -> Vec<Value> {
    let (encoding, range) = (string.encoding(), string.range());
    let known = if range == CodeRange::Ascii { Some(range) } else { None };
    enc::chars(string.bytes(), encoding)
        .map(|cut| Value::string(RString::with_range(&string.bytes()[cut], encoding, known)))
        .collect()
}
fn each_char(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "each_char", args);
    }
    chars(vm, this, args)
}
fn chars(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let count = me.get(vm).char_count();
    check_pieces(vm, count)?;
    let items = char_values(me.get(vm));
    each_or_array(vm, this, args, items)
}
fn each_byte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_byte", args) };
    let me = me(vm, this)?;
    let mut at = 0;
    // the block may change the text
    while let Some(&byte) = me.get(vm).bytes().get(at) {
        vm.yield1(block, Value::Int(i64::from(byte)))?;
        at += 1;
    }
    Ok(this.clone())
}
fn bytes(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_some() {
        return each_byte(vm, this, args);
    }
    let me = me(vm, this)?;
    let count = me.get(vm).bytesize();
    vm.check_size(count.saturating_mul(16))?;
    Ok(Value::array(me.get(vm).bytes().iter().map(|byte| Value::Int(i64::from(*byte))).collect()))
}
fn code_values(vm: &mut Vm, me: &Gc<RString>) -> (Vec<Value>, Option<String>) {
    let string = me.get(vm);
    if matches!(string.encoding(), Encoding::Utf16 | Encoding::Utf32) {
        return (string.bytes().iter().map(|byte| Value::Int(i64::from(*byte))).collect(), None);
    }
    let mut codes = Vec::with_capacity(string.bytesize());
    let mut pos = 0;
    while pos < string.bytesize() {
        match enc::codepoint_at(string.bytes(), pos, string.encoding()) {
            Ok((code, len)) => {
                codes.push(Value::Int(i64::from(code)));
                pos += len;
            }
            Err(error) => return (codes, Some(error.to_string())),
        }
    }
    (codes, None)
}
fn each_codepoint(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "each_codepoint", args);
    }
    codepoints(vm, this, args)
}
fn codepoints(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let count = me.get(vm).bytesize();
    vm.check_size(count.saturating_mul(16))?;
    let (codes, broken) = code_values(vm, me);
    match (broken, args.block) {
        (None, _) => each_or_array(vm, this, args, codes),
        (Some(text), block) => {
            if block.is_some() {
                each_or_array(vm, this, args, codes)?;
            }
            Err(vm.argument_error(text))
        }
    }
}
/// Grapheme clusters of Unicode text; in other encodings (and in invalid text) the characters.
fn cluster_values(string: &RString) -> Vec<Value> {
    if string.encoding() == Encoding::Utf8
        && let Ok(text) = std::str::from_utf8(string.bytes())
    {
        return text.graphemes(true).map(Value::str).collect();
    }
    if string.encoding().is_unicode() && string.is_valid() {
        let mut values = Vec::new();
        let text: String = enc::chars(string.bytes(), string.encoding())
            .filter_map(|cut| enc::to_unicode(&string.bytes()[cut], string.encoding()))
            .collect();
        for cluster in text.graphemes(true) {
            let mut out = Vec::new();
            for c in cluster.chars() {
                enc::from_unicode(c, string.encoding(), &mut out);
            }
            values.push(Value::string(RString::new(out, string.encoding())));
        }
        return values;
    }
    char_values(string)
}
fn each_grapheme_cluster(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return vm.enumerator(this, "each_grapheme_cluster", args);
    }
    grapheme_clusters(vm, this, args)
}
fn grapheme_clusters(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let count = me.get(vm).bytesize();
    check_pieces(vm, count)?;
    let items = cluster_values(me.get(vm));
    each_or_array(vm, this, args, items)
}

/// `succ` of a String's contents.
pub fn succ_of(string: &RString) -> RString {
    RString::new(rchef_text::succ::succ(string.bytes(), string.encoding()), string.encoding())
}
/// Calls `each` with every String from `from` to `to`, as in `String#upto` and `Range#each`, until it returns false.
pub fn upto_each(
    vm: &mut Vm,
    from: &Gc<RString>,
    to: &Gc<RString>,
    exclusive: bool,
    each: &mut dyn FnMut(&mut Vm, Value) -> Res<bool>,
) -> Res<()> {
    super::compatible(vm, from, to)?;
    let (a, b) = (from.get(vm).bytes().to_vec(), to.get(vm).bytes().to_vec());
    let ascii = from.get(vm).is_ascii() && to.get(vm).is_ascii();
    if let ([first], [last], true) = (a.as_slice(), b.as_slice(), ascii) {
        let mut code = *first;
        while code < *last || (code == *last && !exclusive) {
            let item = Value::string(RString::with_range(vec![code], from.get(vm).encoding(), Some(CodeRange::Ascii)));
            if !each(vm, item)? || code == *last {
                break;
            }
            code += 1;
        }
        return Ok(());
    }
    let digits = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit);
    if ascii && digits(&a) && digits(&b) && a.len() <= 36 && b.len() <= 36 {
        let number = |bytes: &[u8]| bytes.iter().fold(0i128, |sum, byte| sum * 10 + i128::from(byte - b'0'));
        let (mut at, end, width) = (number(&a), number(&b), a.len());
        while at < end || (at == end && !exclusive) {
            let text = format!("{at:0width$}");
            if !each(vm, Value::string(RString::ascii(&text)))? {
                break;
            }
            at += 1;
        }
        return Ok(());
    }
    let order = super::compare::order(vm, from, to);
    if order.is_gt() || (exclusive && order.is_eq()) {
        return Ok(());
    }
    let after = succ_of(to.get(vm));
    let mut current = from.get(vm).clone();
    let longest = to.get(vm).bytesize();
    while current.bytes() != after.bytes() {
        let last = current.bytes() == to.get(vm).bytes();
        if exclusive && last {
            break;
        }
        let next = succ_of(&current);
        if !each(vm, Value::string(current))? || (!exclusive && last) {
            break;
        }
        current = next;
        if current.bytesize() > longest || current.bytes().is_empty() {
            break;
        }
    }
    Ok(())
}
fn upto(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "upto", args) };
    let me = me(vm, this)?;
    let to = vm.to_str(args.at(0))?;
    upto_each(vm, me, &to, args.at(1).truthy(), &mut |vm, item| vm.yield1(block, item).map(|_| true))?;
    Ok(this.clone())
}
