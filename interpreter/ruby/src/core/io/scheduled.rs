//! Input and output of a fiber that has a scheduler: the hooks `io_wait`, `io_read` and `io_write`, which are given the IO itself.

use super::buffer;
use super::stream::{IoData, Stream};
use crate::Symbol;
use crate::Vm;
use crate::core::fiber::scheduler::{call_if_defined, current};
use crate::error::Res;
use crate::string::RString;
use crate::value::Value;
use rchef_host::HostError;
use rchef_text::encoding::Encoding;

/// `IO::READABLE`
pub(crate) const READABLE: i64 = 1;
/// `IO::WRITABLE`
pub(crate) const WRITABLE: i64 = 4;

/// Waits for events of a stream by the hook `io_wait`: the events that have come; None where no scheduler is responsible, or no IO has the stream.
pub(crate) fn io_wait(vm: &mut Vm, stream: &Stream, events: i64, limit: Value) -> Res<Option<Value>> {
    let Some(scheduler) = current(vm) else { return Ok(None) };
    let Some(io) = io_of(vm, stream) else { return Ok(None) };
    vm.call_name(&scheduler, "io_wait", &[io, Value::Int(events), limit]).map(Some)
}
/// Calls a hook for input and output that the scheduler of the running fiber may leave out; None if it does, or none is responsible.
pub(crate) fn io_hook(vm: &mut Vm, hook: &'static str, args: &[Value]) -> Res<Option<Value>> {
    let Some(scheduler) = current(vm) else { return Ok(None) };
    call_if_defined(vm, &scheduler, hook, args)
}
/// Reads by the hook `io_read`, which is given a buffer with this room and may read less: the bytes. None if the hook is left out, none is responsible, or
/// no IO has the stream.
pub(crate) fn io_read(vm: &mut Vm, stream: &Stream, room: usize) -> Res<Option<Result<Vec<u8>, HostError>>> {
    Ok(io_transfer(vm, "io_read", stream, || buffer::Lent::Room(room))?.map(|(result, mut bytes)| {
        bytes.truncate(result?);
        Ok(bytes)
    }))
}
/// Writes by the hook `io_write`, which is given what is left of all bytes and may write less: the number. The String that holds them is kept from one call
/// to the next.
pub(crate) fn io_write(
    vm: &mut Vm,
    stream: &Stream,
    held: &mut Option<Value>,
    (all, done): (&[u8], usize),
) -> Res<Option<Result<usize, HostError>>> {
    let made = || {
        let text = held.get_or_insert_with(|| Value::string(RString::new(all.to_vec(), Encoding::Binary)));
        buffer::Lent::Rest { text: text.clone(), from: done, size: all.len() - done }
    };
    let count = io_transfer(vm, "io_write", stream, made)?.map(|(result, _)| result);
    Ok(count.map(|count| Ok(count?.min(all.len() - done))))
}
/// Calls such a hook with a buffer: what it gives, and the bytes of a buffer that was lent as room.
fn io_transfer(
    vm: &mut Vm,
    hook: &'static str,
    stream: &Stream,
    made: impl FnOnce() -> buffer::Lent,
) -> Res<Option<(Result<usize, HostError>, Vec<u8>)>> {
    let Some(scheduler) = current(vm) else { return Ok(None) };
    if !vm.respond_to(&scheduler, Symbol::intern_static(hook), true)? {
        return Ok(None);
    }
    let Some(io) = io_of(vm, stream) else { return Ok(None) };
    let buffer = buffer::lend(vm, made());
    let given = vm.call_name(&scheduler, hook, &[io, buffer.clone(), Value::Int(0)]);
    let bytes = buffer::take_back(vm, &buffer);
    let (given, bytes) = (given?, bytes?);
    let count = vm.to_c_int(&given)?;
    let result = usize::try_from(count).map_err(|_| HostError::new(count.saturating_neg(), hook));
    Ok(Some((result, bytes)))
}
/// Remembers the IO object of a stream that is used in a fiber of a scheduler, for whose hooks it need not be searched for then.
pub(super) fn note_io(vm: &mut Vm, stream: &Stream, io: &Value) {
    if stream.object.get() == 0 && current(vm).is_some() {
        stream.object.set(vm.object_id(io) as u64);
    }
}
/// The IO object of a stream. A search goes through all objects.
fn io_of(vm: &mut Vm, stream: &Stream) -> Option<Value> {
    let is_of = |vm: &Vm, io: &Value| vm.data::<IoData>(io).is_some_and(|data| std::ptr::eq(&*data.0, stream));
    if stream.object.get() != 0
        && let Some(io) = vm.numbered_object(stream.object.get())
        && is_of(vm, &io)
    {
        return Some(io);
    }
    let all = vm.pooled_objects(|_, ext| ext.is_some_and(|ext| ext.data.is_some()));
    let found = all.into_iter().find(|io| is_of(vm, io))?;
    let number = vm.object_id(&found);
    stream.object.set(number as u64);
    Some(found)
}
