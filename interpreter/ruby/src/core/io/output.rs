//! Writing.

use super::handle::stream_of;
use super::mode::bytes_to_write;
use super::stream::{IoData, Stream};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::rc::Rc;

/// Writes a value's `to_s` to a stream; returns the number of bytes.
fn write_text(vm: &mut Vm, stream: &Rc<Stream>, value: &Value) -> Res<usize> {
    let text = vm.to_s(value)?;
    if stream.external.get().is_none() {
        let bytes = text.get(vm).bytes().to_vec();
        stream.write(vm, &bytes)?;
        return Ok(bytes.len());
    }
    let bytes = bytes_to_write(vm, stream, &text)?;
    stream.write(vm, &bytes)?;
    Ok(bytes.len())
}

/// The stream of an IO object with the native `write`, which then need not be called.
pub(super) fn direct(vm: &mut Vm, target: &Value) -> Option<Rc<Stream>> {
    let stream = vm.data::<IoData>(target)?.0.clone();
    let class = vm.class_of(target);
    vm.is_native_method(class, sym::WRITE).then_some(stream)
}

/// Writes to an IO, or to any object with `write`.
pub fn write_value(vm: &mut Vm, target: &Value, text: Value) -> Res<()> {
    match direct(vm, target) {
        Some(stream) => write_text(vm, &stream, &text).map(drop),
        None => vm.call(target, sym::WRITE, &[text]).map(drop),
    }
}

pub(super) fn write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let mut total = 0;
    if args.is_empty() {
        stream.writing(vm)?;
    }
    for value in args.pos {
        let text = vm.to_s(value)?;
        if text.get(vm).bytes().is_empty() {
            stream.check_open(vm)?;
            continue;
        }
        stream.writing(vm)?;
        total += write_text(vm, &stream, &Value::Str(text))?;
    }
    Ok(Value::len(total))
}
pub(super) fn append(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    write_value(vm, this, args.at(0).clone())?;
    Ok(this.clone())
}
/// `print`: `$_` if there are no arguments; `$,` between arguments and `$\` at the end.
pub(crate) fn print(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (field, record) = (vm.global_get(sym::DOLLAR_COMMA)?, vm.global_get(Symbol::intern_static("$\\"))?);
    if !field.is_nil() && args.len() > 1 {
        vm.warn_deprecated("$, is set to non-nil value")?;
    }
    if args.is_empty() {
        let line = vm.global_get(sym::DOLLAR_UNDERSCORE)?;
        write_value(vm, this, line)?;
    }
    for (index, value) in args.pos.iter().enumerate() {
        if index > 0 && !field.is_nil() {
            write_value(vm, this, field.clone())?;
        }
        write_value(vm, this, value.clone())?;
    }
    if !record.is_nil() {
        write_value(vm, this, record)?;
    }
    Ok(Value::Nil)
}

/// The lines that `puts` writes: (text, whether a newline follows).
fn puts_parts(vm: &mut Vm, value: &Value, out: &mut Vec<(Value, bool)>) -> Res<()> {
    let array = match value {
        Value::Str(_) => None,
        other => vm.check_ary(other)?,
    };
    if let Some(array) = array {
        let array = Value::Array(array);
        if value.flag(crate::heap::BUSY) {
            out.push((Value::str("[...]"), true));
            return Ok(());
        }
        vm.check_stack()?;
        value.set_flag(crate::heap::BUSY, true);
        let mut index = 0;
        let result = loop {
            let Value::Array(items) = &array else { break Ok(()) };
            let Some(item) = items.get(vm).items.get(index).cloned() else { break Ok(()) };
            index += 1;
            if let Err(error) = puts_parts(vm, &item, out) {
                break Err(error);
            }
        };
        value.set_flag(crate::heap::BUSY, false);
        return result;
    }
    vm.tick_by(1)?;
    vm.check_size(out.len().saturating_mul(32))?;
    let text = vm.to_s(value)?;
    let newline = text.get(vm).bytes().last() != Some(&b'\n');
    out.push((Value::Str(text), newline));
    Ok(())
}

/// Approximate number of bytes in which `puts` passes on the lines of an Array.
const CHUNK: usize = 1 << 20;

/// `puts` to an IO, or to any object with `write`.
pub fn puts_into(vm: &mut Vm, target: &Value, values: &[Value]) -> Res<()> {
    let newline = || Value::str("\n");
    if values.is_empty() {
        return write_value(vm, target, newline());
    }
    if let Some(stream) = direct(vm, target) {
        stream.writing(vm)?;
        if let ([Value::Str(text)], None) = (values, stream.external.get()) {
            let mut bytes = text.get(vm).bytes().to_vec();
            if bytes.last() != Some(&b'\n') {
                bytes.push(b'\n');
            }
            return stream.write(vm, &bytes);
        }
        for value in values {
            let mut parts = Vec::new();
            puts_parts(vm, value, &mut parts)?;
            let mut bytes = Vec::new();
            for (part, newline) in parts {
                if let Value::Str(part) = &part {
                    bytes.extend(bytes_to_write(vm, &stream, part)?);
                }
                if newline {
                    bytes.push(b'\n');
                }
                if bytes.len() >= CHUNK {
                    stream.write(vm, &bytes)?;
                    bytes.clear();
                }
            }
            stream.write(vm, &bytes)?;
        }
        return Ok(());
    }
    for value in values {
        let mut parts = Vec::new();
        puts_parts(vm, value, &mut parts)?;
        for (text, with_newline) in parts {
            let class = vm.class_of(target);
            let one_argument =
                with_newline && vm.find_method(class, sym::WRITE).is_some_and(|id| vm.method_arity(id) == 1);
            if one_argument {
                if vm.is_verbose() {
                    let class = vm.class_name_of(target);
                    vm.warn_deprecated(&format!(
                        "{class}#write is outdated interface which accepts just one argument"
                    ))?;
                }
                let mut joined = vm.to_str(&text)?.get(vm).clone();
                joined.push_bytes(b"\n", None);
                vm.call(target, sym::WRITE, &[Value::string(joined)])?;
            } else if with_newline {
                vm.call(target, sym::WRITE, &[text, newline()])?;
            } else {
                vm.call(target, sym::WRITE, &[text])?;
            }
        }
    }
    Ok(())
}
pub(crate) fn puts(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    puts_into(vm, this, args.pos)?;
    Ok(Value::Nil)
}
/// `Kernel#format`
pub(super) fn formatted(vm: &mut Vm, args: &[Value]) -> Res {
    vm.call(&Value::Class(ClassId::KERNEL), Symbol::intern_static("format"), args)
}
pub(crate) fn printf(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Ok(Value::Nil);
    }
    let text = formatted(vm, args.pos)?;
    write_value(vm, this, text)?;
    Ok(Value::Nil)
}
pub(crate) fn putc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = match args.at(0) {
        Value::Str(text) => {
            let encoding = text.get(vm).encoding();
            let bytes = text.get(vm).bytes();
            let len = if bytes.is_empty() { 0 } else { rchef_text::encoding::char_len_at(bytes, 0, encoding).len() };
            Value::string(crate::RString::new(&bytes[..len], encoding))
        }
        other => {
            let number = vm.to_integer(other)?;
            let low = vm.to_bigint(&number)?.to_signed_bytes_le().first().copied().unwrap_or(0);
            Value::string(crate::RString::binary(vec![low]))
        }
    };
    write_value(vm, this, text)?;
    Ok(args.at(0).clone())
}
pub(super) fn syswrite(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let text = vm.to_s(args.at(0))?;
    let handle = stream.writing(vm)?;
    if stream.has_pending() {
        vm.warn("syswrite for buffered IO")?;
        stream.flush(vm)?;
    }
    stream.drop_read_ahead();
    let bytes = text.get(vm).bytes().to_vec();
    if stream.write_filtered(vm, &*handle, &bytes)? {
        return Ok(Value::len(bytes.len()));
    }
    let count = handle.write(&bytes, None).map_err(|error| stream.fail_path(vm, &error))?;
    Ok(Value::len(count))
}
pub(super) fn write_nonblock(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [exception]) = args.take_keywords(vm, [Symbol::intern_static("exception")])?;
    let quiet = super::reading::is_quiet(vm, exception)?;
    let stream = stream_of(vm, this)?;
    let text = vm.to_s(pos.first().unwrap_or(&Value::Nil))?;
    let handle = stream.writing(vm)?;
    stream.flush(vm)?;
    stream.drop_read_ahead();
    let bytes = text.get(vm).bytes().to_vec();
    if stream.write_filtered(vm, &*handle, &bytes)? {
        return Ok(Value::len(bytes.len()));
    }
    match handle.write(&bytes, Some(std::time::Duration::ZERO)) {
        Ok(count) => Ok(Value::len(count)),
        Err(error) if error.errno == 11 => {
            if quiet {
                return Ok(Value::sym("wait_writable"));
            }
            Err(super::handle::would_block(vm, "EAGAINWaitWritable", "write would block"))
        }
        Err(error) => Err(stream.fail_path(vm, &error)),
    }
}
