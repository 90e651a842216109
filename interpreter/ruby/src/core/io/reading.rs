//! Reading bytes.

use super::handle::stream_of;
use super::mode::text_value;
use super::stream::room;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::string::RString;
use crate::value::Value;
use std::time::Duration;

/// Stores the bytes in the buffer argument, or creates a String.
fn deliver(vm: &mut Vm, buffer: &Value, bytes: Vec<u8>) -> Res {
    if buffer.is_nil() {
        return Ok(Value::string(RString::binary(bytes)));
    }
    let target = vm.to_str(buffer)?;
    let target = Value::Str(target);
    vm.check_frozen(&target)?;
    if let Value::Str(text) = &target {
        *text.get_mut(vm).bytes_mut() = bytes;
    }
    Ok(target)
}
/// Checks a buffer argument before reading.
fn check_buffer(vm: &mut Vm, buffer: &Value) -> Res<()> {
    if !buffer.is_nil() {
        let target = Value::Str(vm.to_str(buffer)?);
        vm.check_frozen(&target)?;
    }
    Ok(())
}
fn length(vm: &mut Vm, value: &Value) -> Res<usize> {
    let length = vm.to_int(value)?;
    usize::try_from(length).map_err(|_| vm.argument_error(format!("negative length {length} given")))
}
pub(super) fn is_quiet(vm: &mut Vm, exception: Option<Value>) -> Res<bool> {
    match exception {
        None | Some(Value::True) => Ok(false),
        Some(Value::False) => Ok(true),
        Some(other) => {
            let shown = vm.inspect(&other)?;
            Err(vm.argument_error(format!("expected true or false as exception: {shown}")))
        }
    }
}
/// A length argument for a single system call.
fn raw_length(vm: &mut Vm, value: &Value) -> Res<usize> {
    let length = vm.to_int(value)?;
    usize::try_from(length).map_err(|_| vm.argument_error("negative string size (or size too big)"))
}
/// The result of reading 0 bytes: the unchanged buffer.
fn nothing(vm: &mut Vm, buffer: &Value) -> Res {
    if buffer.is_nil() { deliver(vm, buffer, Vec::new()) } else { Ok(buffer.clone()) }
}
fn eof_error(vm: &mut Vm) -> crate::Error {
    vm.error(ClassId::EOF_ERROR, "end of file reached")
}

pub(super) fn read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let buffer = args.at(1);
    if args.at(0).is_nil() {
        check_buffer(vm, buffer)?;
        let bytes = stream.read_to_end(vm)?;
        let text = text_value(vm, &stream, bytes);
        if buffer.is_nil() {
            return Ok(text);
        }
        let found = vm.to_str(&text)?.get(vm).clone();
        let target = vm.to_str(buffer)?;
        *target.get_mut(vm) = found;
        return Ok(buffer.clone());
    }
    let count = length(vm, args.at(0))?;
    check_buffer(vm, buffer)?;
    stream.reading(vm)?;
    let bytes = stream.read_exactly(vm, count)?;
    if bytes.is_empty() && count > 0 {
        if !buffer.is_nil() {
            deliver(vm, buffer, bytes)?;
        }
        return Ok(Value::Nil);
    }
    deliver(vm, buffer, bytes)
}
/// `readpartial`: buffered bytes, or else the result of one read.
pub(super) fn readpartial(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let count = length(vm, args.at(0))?;
    check_buffer(vm, args.at(1))?;
    stream.reading(vm)?;
    if count == 0 {
        return deliver(vm, args.at(1), Vec::new());
    }
    let bytes = stream.read_some(vm, count)?;
    let ended = bytes.is_empty();
    let found = deliver(vm, args.at(1), bytes)?;
    if ended { Err(eof_error(vm)) } else { Ok(found) }
}
pub(super) fn read_nonblock(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [exception]) = args.take_keywords(vm, [Symbol::intern_static("exception")])?;
    let quiet = is_quiet(vm, exception)?;
    let stream = stream_of(vm, this)?;
    let count = length(vm, pos.first().unwrap_or(&Value::Nil))?;
    let buffer = pos.get(1).unwrap_or(&Value::Nil);
    check_buffer(vm, buffer)?;
    let handle = stream.reading(vm)?;
    if count == 0 {
        return deliver(vm, buffer, Vec::new());
    }
    let bytes = stream.take_bytes(vm, count)?;
    if !bytes.is_empty() {
        return deliver(vm, buffer, bytes);
    }
    let mut bytes = vec![0; room(vm, &*handle, count)?];
    if !buffer.is_nil() {
        deliver(vm, buffer, Vec::new())?;
    }
    match handle.read(&mut bytes, Some(Duration::ZERO)) {
        Ok(0) if quiet => Ok(Value::Nil),
        Ok(0) => Err(eof_error(vm)),
        Ok(got) => {
            bytes.truncate(got);
            deliver(vm, buffer, bytes)
        }
        Err(error) if error.errno == 11 && quiet => Ok(Value::sym("wait_readable")),
        Err(error) if error.errno == 11 => {
            Err(super::handle::would_block(vm, "EAGAINWaitReadable", "read would block"))
        }
        Err(error) => Err(stream.fail_read(vm, &error)),
    }
}
pub(super) fn sysread(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let count = raw_length(vm, args.at(0))?;
    check_buffer(vm, args.at(1))?;
    if count == 0 {
        return nothing(vm, args.at(1));
    }
    let handle = stream.reading(vm)?;
    if stream.held() > 0 {
        return Err(vm.error(ClassId::IO_ERROR, "sysread for buffered IO"));
    }
    let mut bytes = vec![0; room(vm, &*handle, count)?];
    let got = stream.read_raw(vm, &*handle, &mut bytes)?.map_err(|error| stream.fail_read(vm, &error))?;
    bytes.truncate(got);
    let found = deliver(vm, args.at(1), bytes)?;
    if got == 0 { Err(eof_error(vm)) } else { Ok(found) }
}
pub(super) fn pread(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let count = raw_length(vm, args.at(0))?;
    let offset = vm.to_int(args.at(1))?;
    check_buffer(vm, args.at(2))?;
    let handle = stream.reading(vm)?;
    if count == 0 {
        return nothing(vm, args.at(2));
    }
    let offset = u64::try_from(offset).map_err(|_| vm.errno(22, None))?;
    let mut bytes = vec![0; room(vm, &*handle, count)?];
    let got = handle.pread(&mut bytes, offset).map_err(|error| stream.fail_path(vm, &error))?;
    if got == 0 {
        return Err(eof_error(vm));
    }
    bytes.truncate(got);
    deliver(vm, args.at(2), bytes)
}
pub(super) fn pwrite(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let text = vm.to_s(args.at(0))?;
    let offset = vm.to_int(args.at(1))?;
    let handle = stream.writing(vm)?;
    let offset = u64::try_from(offset).map_err(|_| vm.errno(22, None))?;
    let bytes = text.get(vm).bytes().to_vec();
    let filtered = stream.filtered(vm, &bytes);
    let count = handle.pwrite(filtered.as_deref().unwrap_or(&bytes), offset);
    let count = count.map_err(|error| stream.fail_path(vm, &error))?;
    // the filtered text may have another length, which would reveal that it was replaced
    Ok(Value::len(if filtered.is_some() { bytes.len() } else { count }))
}
