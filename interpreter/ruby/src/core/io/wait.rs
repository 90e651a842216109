//! Waiting until streams are ready: `IO.select`, `IO#wait` and its like.

use super::handle::{stream_of, to_stream};
use super::scheduled;
use super::stream::Stream;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use std::rc::Rc;
use std::time::Duration;

/// Converts a timeout in seconds; None for nil, ArgumentError for a negative number.
pub fn timeout_arg(vm: &mut Vm, value: &Value) -> Res<Option<Duration>> {
    if value.is_nil() {
        return Ok(None);
    }
    let seconds = match value {
        Value::Int(number) => *number as f64,
        Value::Float(number) => number.get(),
        other if vm.is_a(other, ClassId::NUMERIC) => vm.to_f64(other)?,
        other => {
            let class = vm.class_name_of(other);
            return Err(vm.type_error(format!("can't convert {class} into time interval")));
        }
    };
    if seconds < 0.0 {
        return Err(vm.argument_error("time interval must not be negative"));
    }
    Ok(Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(u64::from(u32::MAX)))))
}
/// Waits until streams are ready; returns which readers and writers are.
fn poll(
    vm: &mut Vm,
    readers: &[Rc<Stream>],
    writers: &[Rc<Stream>],
    timeout: Option<Duration>,
) -> Res<(Vec<bool>, Vec<bool>)> {
    let mut reads: Vec<bool> = readers.iter().map(|stream| stream.held() > 0).collect();
    let mut writes = vec![false; writers.len()];
    let ready_now = reads.iter().any(|&ready| ready);
    let mut handles = Vec::new();
    for stream in readers {
        handles.push((stream.reading(vm)?, true));
    }
    for stream in writers {
        handles.push((stream.writing(vm)?, false));
    }
    let items: Vec<_> = handles
        .iter()
        .map(|(handle, read)| rchef_host::streams::PollItem { handle: &**handle, read: *read, write: !*read })
        .collect();
    let deadline =
        timeout.map(|timeout| vm.host.monotonic_ns() + timeout.as_nanos().min(u128::from(u64::MAX / 2)) as u64);
    if crate::core::thread::has_others(vm) && !ready_now {
        let closed = || readers.iter().chain(writers).any(|stream| stream.closed());
        crate::core::thread::block_on_host(vm, deadline, |vm| {
            Ok(closed() || vm.host.poll(&items, Some(Duration::ZERO)).is_ok_and(|ready| !ready.is_empty()))
        })?;
        if closed() {
            return Err(vm.error(ClassId::IO_ERROR, "stream closed in another thread"));
        }
    }
    loop {
        let left = if ready_now {
            Some(Duration::ZERO)
        } else {
            deadline.map(|deadline| Duration::from_nanos(deadline.saturating_sub(vm.host.monotonic_ns())))
        };
        match vm.host.poll(&items, left) {
            Ok(found) => {
                for ready in found {
                    if ready.item < readers.len() {
                        reads[ready.item] = true;
                    } else {
                        writes[ready.item - readers.len()] = true;
                    }
                }
                return Ok((reads, writes));
            }
            Err(error) if error.errno == 4 => vm.run_interrupts()?,
            Err(error) => return Err(vm.host_error(&error)),
        }
    }
}
/// Waits until a stream can be read (or written), while other threads and signal handlers run. False on timeout.
pub fn wait_for(vm: &mut Vm, stream: &Rc<Stream>, write: bool, timeout: Option<Duration>) -> Res<bool> {
    if !timeout.is_some_and(|timeout| timeout.is_zero()) {
        let events = if write { scheduled::WRITABLE } else { scheduled::READABLE };
        if let Some(found) = wait_scheduled(vm, stream, events, timeout)? {
            return Ok(found.truthy());
        }
    }
    let one = std::slice::from_ref(stream);
    let (reads, writes) = if write { poll(vm, &[], one, timeout)? } else { poll(vm, one, &[], timeout)? };
    Ok(reads.iter().chain(&writes).any(|&ready| ready))
}
/// Waits for events of a stream with the scheduler of the running fiber: those that have come, or what else the hook gives; None where none is
/// responsible.
fn wait_scheduled(vm: &mut Vm, stream: &Stream, events: i64, timeout: Option<Duration>) -> Res<Option<Value>> {
    let limit = timeout.map_or(Value::Nil, |timeout| Value::float(timeout.as_secs_f64()));
    scheduled::io_wait(vm, stream, events, limit)
}
pub(super) fn select(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let timeout = timeout_arg(vm, args.at(3))?;
    let mut lists = Vec::new();
    for index in 0..3 {
        let mut streams = Vec::new();
        if !args.at(index).is_nil() {
            let Value::Array(array) = args.at(index) else {
                let described = vm.describe(args.at(index));
                return Err(vm.type_error(format!("wrong argument type {described} (expected Array)")));
            };
            for value in array.get(vm).items.clone() {
                let stream = to_stream(vm, &value)?;
                stream.check_open(vm)?;
                streams.push((value, stream));
            }
        }
        lists.push(streams);
    }
    let streams = |list: &[(Value, Rc<Stream>)]| list.iter().map(|(_, stream)| stream.clone()).collect::<Vec<_>>();
    let (reads, writes) = poll(vm, &streams(&lists[0]), &streams(&lists[1]), timeout)?;
    if !reads.iter().chain(&writes).any(|&ready| ready) {
        return Ok(Value::Nil);
    }
    let chosen = |list: &[(Value, Rc<Stream>)], ready: &[bool]| {
        Value::array(list.iter().zip(ready).filter(|(_, ready)| **ready).map(|((value, _), _)| value.clone()).collect())
    };
    Ok(Value::array(vec![chosen(&lists[0], &reads), chosen(&lists[1], &writes), Value::array(Vec::new())]))
}
pub(super) fn wait_readable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let timeout = timeout_arg(vm, args.at(0))?;
    let stream = stream_of(vm, this)?;
    if stream.held() > 0 && stream.readable.get() {
        return Ok(Value::True);
    }
    if let Some(found) = wait_scheduled(vm, &stream, scheduled::READABLE, timeout)? {
        return Ok(if found.truthy() { this.clone() } else { Value::Nil });
    }
    let (reads, _) = poll(vm, &[stream], &[], timeout)?;
    Ok(if reads[0] { this.clone() } else { Value::Nil })
}
pub(super) fn wait_writable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let timeout = timeout_arg(vm, args.at(0))?;
    let stream = stream_of(vm, this)?;
    if let Some(found) = wait_scheduled(vm, &stream, scheduled::WRITABLE, timeout)? {
        return Ok(if found.truthy() { this.clone() } else { Value::Nil });
    }
    let (_, writes) = poll(vm, &[], &[stream], timeout)?;
    Ok(if writes[0] { this.clone() } else { Value::Nil })
}
/// `wait(events, timeout)`, or a timeout and names of events in any order: the stream, `true` if bytes have been read ahead, or `nil`.
pub(super) fn wait(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    use scheduled::{READABLE, WRITABLE};
    let stream = stream_of(vm, this)?;
    let mut events = 0;
    let mut timeout = None;
    match args.pos {
        [mask, limit] if !matches!(mask, Value::Sym(_)) && !matches!(limit, Value::Sym(_)) => {
            events = vm.to_int(mask)?;
            if events <= 0 {
                return Err(vm.argument_error("Events must be positive integer!"));
            }
            timeout = Some(timeout_arg(vm, limit)?);
        }
        words => {
            for word in words {
                let Value::Sym(name) = word else {
                    if timeout.is_some() {
                        return Err(vm.argument_error("timeout given more than once"));
                    }
                    timeout = Some(timeout_arg(vm, word)?);
                    continue;
                };
                events |= match name.as_str() {
                    "r" | "read" | "readable" => READABLE,
                    "w" | "write" | "writable" => WRITABLE,
                    "rw" | "read_write" | "readable_writable" => READABLE | WRITABLE,
                    other => return Err(vm.argument_error(format!("unsupported mode: {other}"))),
                };
            }
        }
    }
    stream.check_open(vm)?;
    let reads = events == 0 || events & READABLE != 0;
    if reads && stream.held() > 0 {
        return Ok(Value::True);
    }
    let asked = if events == 0 { READABLE } else { events };
    if let Some(found) = wait_scheduled(vm, &stream, asked, timeout.flatten())? {
        return Ok(if found.truthy() { this.clone() } else { Value::Nil });
    }
    let sides = |wanted: bool| if wanted { std::slice::from_ref(&stream) } else { &[] };
    let readers = sides(reads && stream.readable.get());
    let writers = sides(events & WRITABLE != 0 && stream.writable.get());
    let (reads, writes) = poll(vm, readers, writers, timeout.flatten())?;
    Ok(if reads.contains(&true) || writes.contains(&true) { this.clone() } else { Value::Nil })
}
