//! Symbols, inspect, dump, Unicode normalisation.

use super::common::me;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_text::encoding::{CodeRange, Encoding};
use rchef_text::{inspect as show, normalize};

pub(super) static METHODS: &[MethodDef] = &[
    def("to_sym", to_sym, 0),
    def("intern", to_sym, 0),
    def("inspect", inspect, 0),
    def("dump", dump, 0),
    def("undump", undump, 0),
    opt("unicode_normalize", unicode_normalize, 0, 1),
    opt("unicode_normalize!", unicode_normalize_bang, 0, 1),
    opt("unicode_normalized?", unicode_normalized, 0, 1),
    any("unpack", unpack),
    any("unpack1", unpack1),
    any("sum", sum),
];

fn to_sym(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let string = me(vm, this)?.get(vm);
    if string.range() == CodeRange::Broken {
        let shown = show::inspect(string.bytes(), string.encoding());
        let text =
            format!("invalid symbol in encoding {} :{}", string.encoding().name(), String::from_utf8_lossy(&shown));
        return Err(vm.error(ClassId::ENCODING_ERROR, text));
    }
    Ok(Value::Sym(Symbol::intern_bytes(string.bytes())))
}
/// NoMemoryError if the String would be too long when all of it has to be escaped.
fn check_escaped(vm: &mut Vm, this: &Value) -> Res<()> {
    /// The length of `\u0000`.
    const LONGEST: usize = 6;
    let size = me(vm, this)?.get(vm).bytesize();
    vm.check_size(size.saturating_mul(LONGEST))?;
    vm.tick_by(size / 64)
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let result = super::super::encoding::result_encoding(vm);
    check_escaped(vm, this)?;
    let string = me(vm, this)?.get(vm);
    let mut out = Vec::with_capacity(string.bytesize() + 2);
    show::inspect_into(string.bytes(), string.encoding(), result, &mut out);
    Ok(Value::string(RString::new(out, result)))
}
fn dump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    check_escaped(vm, this)?;
    let string = me(vm, this)?.get(vm);
    let dumped = show::dump(string.bytes(), string.encoding());
    let encoding = if string.encoding().is_ascii_compatible() { string.encoding() } else { Encoding::Binary };
    Ok(Value::string(RString::new(dumped, encoding)))
}
fn undump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me(vm, this)?;
    crate::core::conversions::check_ascii(vm, me)?;
    let string = me.get(vm);
    match show::undump(string.bytes(), string.encoding()) {
        Ok((bytes, encoding)) => Ok(Value::string(RString::new(bytes, encoding))),
        Err(error) => Err(vm.runtime_error(error.to_string())),
    }
}

/// The text in a normalisation form.
fn normalized(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<RString> {
    let form = match args.get(0) {
        None => normalize::Form::Nfc,
        Some(Value::Sym(name)) => match normalize::Form::find(name.as_str()) {
            Some(form) => form,
            None => return Err(vm.argument_error(format!("Invalid normalization form {name}."))),
        },
        Some(other) => {
            let shown = vm.to_s_text(other)?;
            return Err(vm.argument_error(format!("Invalid normalization form {shown}.")));
        }
    };
    let string = me.get(vm);
    let encoding = string.encoding();
    if encoding == Encoding::UsAscii {
        return Ok(string.clone());
    }
    if !encoding.is_unicode() {
        return Err(vm.error(
            ClassId::COMPATIBILITY_ERROR,
            format!("Unicode Normalization not appropriate for {}", encoding.name()),
        ));
    }
    let utf8 = if encoding == Encoding::Utf8 {
        string.bytes().to_vec()
    } else {
        super::encode::transcoded(vm, me, encoding, Encoding::Utf8)?
    };
    let Ok(text) = std::str::from_utf8(&utf8) else {
        return Err(vm.argument_error(format!("invalid byte sequence in {}", encoding.name())));
    };
    let made = RString::utf8(normalize::normalize(text, form).into_bytes());
    if encoding == Encoding::Utf8 {
        return Ok(made);
    }
    let holder = Gc::new(ClassId::STRING, made);
    Ok(RString::new(super::encode::transcoded(vm, &holder, Encoding::Utf8, encoding)?, encoding))
}
fn unicode_normalize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(Value::string(normalized(vm, me, args)?))
}
fn unicode_normalize_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = super::common::me_mut(vm, this)?;
    let made = normalized(vm, me, args)?;
    me.get_mut(vm).replace(made);
    Ok(this.clone())
}
fn unicode_normalized(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let made = normalized(vm, me, args)?;
    Ok(Value::bool(made.bytes() == me.get(vm).bytes()))
}
fn unpack(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    super::pack::unpack(vm, this, args)
}
fn unpack1(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    super::pack::unpack1(vm, this, args)
}
fn sum(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let bits = match args.pos {
        [] => 16,
        [bits] => vm.to_int(bits)?,
        _ => return Err(vm.arity_error(args.len(), "0..1")),
    };
    Ok(super::numbers::int(rchef_text::digest::sum(me.get(vm).bytes(), bits)))
}
