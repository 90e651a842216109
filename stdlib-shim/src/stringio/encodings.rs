//! Encodings of StringIO, and byte order marks.

use super::{access, read_encoding, shared};
use rchef_ruby::embed::encoding;
use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{Args, Res, Value, Vm};

/// Sets the encoding of results, and that of the string itself if it may be changed.
fn give_encoding(vm: &mut Vm, this: &Value, encoding: Encoding) -> Res<()> {
    let found = shared(vm, this)?;
    found.borrow_mut().encoding = Some(encoding);
    let string = found.borrow().string.clone();
    if let Some(string) = string
        && access(vm, this).1
        && !string.frozen()
    {
        string.get_mut(vm).set_encoding(encoding);
    }
    Ok(())
}
pub(super) fn binmode(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    give_encoding(vm, this, Encoding::Binary)?;
    Ok(this.clone())
}
pub(super) fn external_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = shared(vm, this)?;
    let string = found.borrow().string.clone();
    let Some(string) = string else { return Ok(Value::Nil) };
    let encoding = read_encoding(vm, &found, &string);
    Ok(encoding::object(vm, encoding))
}
pub(super) fn internal_encoding(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}
pub(super) fn set_encoding(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let encoding = match args.at(0) {
        Value::Nil => encoding::default_external(vm),
        Value::Str(name) if name.get(vm).bytes().contains(&b':') => {
            let name = name.get(vm).to_text().split(':').next().unwrap_or_default().to_string();
            encoding::to_encoding(vm, &Value::str(name))?
        }
        value => encoding::to_encoding(vm, value)?,
    };
    give_encoding(vm, this, encoding)?;
    Ok(this.clone())
}
/// Skips a byte order mark and sets its encoding.
pub(super) fn skip_bom(vm: &mut Vm, this: &Value) -> Res<Option<Encoding>> {
    let found = shared(vm, this)?;
    let string = found.borrow().string.clone();
    let Some(string) = string else { return Ok(None) };
    let (encoding, len) = match string.get(vm).bytes() {
        [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
        [0xFF, 0xFE, 0, 0, ..] => (Encoding::Utf32Le, 4),
        [0xFF, 0xFE, ..] => (Encoding::Utf16Le, 2),
        [0xFE, 0xFF, ..] => (Encoding::Utf16Be, 2),
        [0, 0, 0xFE, 0xFF, ..] => (Encoding::Utf32Be, 4),
        _ => return Ok(None),
    };
    give_encoding(vm, this, encoding)?;
    found.borrow_mut().pos = len;
    Ok(Some(encoding))
}
pub(super) fn set_encoding_by_bom(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    Ok(match skip_bom(vm, this)? {
        Some(encoding) => encoding::object(vm, encoding),
        None => Value::Nil,
    })
}
