//! Input and output of a fiber that has a scheduler: the hooks `io_wait`, `io_read` and `io_write`, which are given the IO itself.

use super::buffer;
use super::stream::{IoData, Stream};
use crate::Symbol;
use crate::Vm;
use crate::core::fiber::scheduler::{call_if_defined, current};
use crate::error::Res;
use crate::value::Value;
use rchef_host::HostError;

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
/// Calls `io_read` or `io_write` with a buffer of these bytes, none of which has to be moved at once: what it gives, and the bytes. None if the hook is
/// left out, none is responsible, or no IO has the stream.
pub(crate) fn io_transfer(
    vm: &mut Vm,
    hook: &'static str,
    stream: &Stream,
    bytes: &[u8],
) -> Res<Option<(Result<usize, HostError>, Vec<u8>)>> {
    let Some(scheduler) = current(vm) else { return Ok(None) };
    if !vm.respond_to(&scheduler, Symbol::intern_static(hook), true)? {
        return Ok(None);
    }
    let Some(io) = io_of(vm, stream) else { return Ok(None) };
    let buffer = buffer::lent(vm, bytes.to_vec());
    let given = vm.call_name(&scheduler, hook, &[io, buffer.clone(), Value::Int(0)]);
    let bytes = buffer::taken_back(vm, &buffer);
    let given = given?;
    let count = vm.to_int(&given)?;
    let result = match usize::try_from(count) {
        Ok(count) => Ok(count.min(bytes.len())),
        Err(_) => Err(HostError::new(count.saturating_neg().min(i64::from(i32::MAX)) as i32, hook)),
    };
    Ok(Some((result, bytes)))
}
/// The IO object of a stream. The first search goes through all objects.
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
