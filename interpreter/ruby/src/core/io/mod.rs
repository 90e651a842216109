//! IO: streams and their buffers, reading and writing; the standard streams; Kernel's functions for streams.

pub(crate) mod buffer;
pub(crate) mod class;
mod conversion;
pub(crate) mod handle;
mod kernel;
pub(crate) mod lines;
pub mod mode;
pub(crate) mod output;
pub mod popen;
mod reading;
mod scheduled;
mod standard;
pub mod stream;
pub(crate) mod wait;

pub use class::handle_of_fd;
pub use handle::{object, stream_of, to_stream};
pub use output::puts_into;
pub use popen::close;
pub use standard::{finish_redirected, restore_stdout, stdin};
pub use stream::{IoData, Stream, collect_locked, flush_all, keep_loose};
pub use wait::wait_for;

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_host::{FileHandle, Seek};
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    any("initialize", class::initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    def("<<", output::append, 1),
    any("write", output::write),
    any("print", output::print),
    any("puts", output::puts),
    any("printf", output::printf),
    def("putc", output::putc, 1),
    def("syswrite", output::syswrite, 1),
    opt("write_nonblock", output::write_nonblock, 1, 2),
    opt("read", reading::read, 0, 2),
    opt("readpartial", reading::readpartial, 1, 2),
    opt("read_nonblock", reading::read_nonblock, 1, 3),
    opt("sysread", reading::sysread, 1, 2),
    opt("pread", reading::pread, 2, 3),
    def("pwrite", reading::pwrite, 2),
    any("gets", lines::gets),
    any("readline", lines::readline),
    any("readlines", lines::readlines),
    any("each_line", lines::each_line),
    any("each", lines::each_line),
    def("getc", lines::getc, 0),
    def("readchar", lines::readchar, 0),
    def("getbyte", lines::getbyte, 0),
    def("readbyte", lines::readbyte, 0),
    def("each_byte", lines::each_byte, 0),
    def("each_char", lines::each_char, 0),
    def("each_codepoint", lines::each_codepoint, 0),
    def("ungetbyte", lines::ungetbyte, 1),
    def("ungetc", lines::ungetc, 1),
    def("eof", eof, 0),
    def("eof?", eof, 0),
    def("close", close, 0),
    def("closed?", closed, 0),
    def("close_read", close_read, 0),
    def("close_write", close_write, 0),
    def("flush", flush, 0),
    def("fsync", fsync, 0),
    def("fdatasync", fdatasync, 0),
    def("sync", sync, 0),
    def("sync=", set_sync, 1),
    def("fileno", fileno, 0),
    def("to_i", fileno, 0),
    def("tty?", tty, 0),
    def("isatty", tty, 0),
    def("pid", pid, 0),
    def("pos", pos, 0),
    def("tell", pos, 0),
    def("pos=", set_pos, 1),
    opt("seek", seek, 1, 2),
    opt("sysseek", sysseek, 1, 2),
    def("rewind", rewind, 0),
    def("lineno", lineno, 0),
    def("lineno=", set_lineno, 1),
    def("binmode", binmode, 0),
    def("binmode?", is_binmode, 0),
    def("external_encoding", external_encoding, 0),
    def("internal_encoding", internal_encoding, 0),
    opt("set_encoding", set_encoding, 1, 3),
    def("set_encoding_by_bom", set_encoding_by_bom, 0),
    def("to_io", to_io_self, 0),
    def("inspect", inspect, 0),
    def("stat", stat, 0),
    any("reopen", class::reopen),
    def("autoclose?", autoclose, 0),
    def("autoclose=", set_autoclose, 1),
    def("close_on_exec?", close_on_exec, 0),
    def("close_on_exec=", set_close_on_exec, 1),
    opt("advise", advise, 1, 3),
    any("wait", wait::wait),
    opt("wait_readable", wait::wait_readable, 0, 1),
    opt("wait_writable", wait::wait_writable, 0, 1),
    opt("fcntl", fcntl, 1, 2),
    opt("ioctl", ioctl, 1, 2),
];

fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let from = to_stream(vm, args.at(0))?;
    from.check_open(vm)?;
    from.flush(vm)?;
    let dup = |vm: &mut Vm, handle: &dyn FileHandle| {
        handle.dup().map(Rc::<dyn FileHandle>::from).map_err(|error| vm.host_error(&error))
    };
    from.handle(vm)?;
    let (reader, writer) = (from.reader.borrow().clone(), from.writer.borrow().clone());
    let same = matches!((&reader, &writer), (Some(a), Some(b)) if Rc::ptr_eq(a, b));
    let reader = match reader {
        Some(handle) => Some(dup(vm, &*handle)?),
        None => None,
    };
    let writer = match writer {
        Some(_) if same => reader.clone(),
        Some(handle) => Some(dup(vm, &*handle)?),
        None => None,
    };
    let ahead = from.ahead();
    if ahead > 0
        && let Some(handle) = &reader
    {
        // the file offset is shared, but bytes read ahead are not
        if handle.seek(Seek::Current(-(ahead as i64))).is_ok() {
            from.forget_read_ahead();
        }
    }
    let stream = Stream::pair(reader, writer);
    stream.path.replace(from.path.borrow().clone());
    stream.label.set(from.label.get());
    stream.shows.set(from.shows.get());
    stream.sync.set(from.sync.get());
    stream.binmode.set(from.binmode.get());
    stream.external.set(from.external.get());
    stream.internal.set(from.internal.get());
    stream.universal.set(from.universal.get());
    stream.newline.set(from.newline.get());
    stream.replace.replace(from.replace.borrow().clone());
    stream.lineno.set(from.lineno.get());
    stream.flags.set(from.flags.get());
    vm.set_data(this, IoData(stream));
    Ok(this.clone())
}
fn eof(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.reading(vm)?;
    Ok(Value::bool(stream.at_end(vm)?))
}
fn closed(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    if !stream.opened.get() {
        return Err(vm.error(ClassId::IO_ERROR, "uninitialized stream"));
    }
    Ok(Value::bool(stream.closed()))
}
fn close_read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    if stream.opened.get() && (stream.closed() || (stream.pid.get() != 0 && stream.reader.borrow().is_none())) {
        return Ok(Value::Nil);
    }
    if stream.reader.borrow().is_some() && stream.writer.borrow().is_none() {
        return close(vm, this, args);
    }
    let shared = matches!((&*stream.reader.borrow(), &*stream.writer.borrow()), (Some(a), Some(b)) if Rc::ptr_eq(a, b));
    if shared {
        return Err(vm.error(ClassId::IO_ERROR, "closing non-duplex IO for reading"));
    }
    if !stream.readable.get() {
        return Err(vm.error(ClassId::IO_ERROR, "closing non-duplex IO for reading"));
    }
    stream.close_read();
    Ok(Value::Nil)
}
fn close_write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    if stream.opened.get() && (stream.closed() || (stream.writer.borrow().is_none() && stream.pid.get() != 0)) {
        return Ok(Value::Nil);
    }
    if stream.reader.borrow().is_none() && stream.writable.get() {
        return close(vm, this, args);
    }
    let shared = matches!((&*stream.reader.borrow(), &*stream.writer.borrow()), (Some(a), Some(b)) if Rc::ptr_eq(a, b));
    if shared || !stream.writable.get() {
        return Err(vm.error(ClassId::IO_ERROR, "closing non-duplex IO for writing"));
    }
    stream.close_write(vm)?;
    Ok(Value::Nil)
}
fn flush(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    stream.flush(vm)?;
    Ok(this.clone())
}
fn sync_with(vm: &mut Vm, this: &Value, data_only: bool) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    stream.flush(vm)?;
    let handle = stream.handle(vm)?;
    handle.sync(data_only).map_err(|error| stream.fail_path(vm, &error))?;
    Ok(Value::Int(0))
}
fn fsync(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    sync_with(vm, this, false)
}
fn fdatasync(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    sync_with(vm, this, true)
}
fn sync(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(Value::bool(stream.sync.get()))
}
fn set_sync(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    stream.sync.set(args.at(0).truthy());
    stream.flush(vm)?;
    Ok(args.at(0).clone())
}
fn fileno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(Value::Int(i64::from(stream.fileno(vm)?)))
}
fn tty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(Value::bool(stream.is_tty(vm)?))
}
fn pid(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(if stream.pid.get() == 0 { Value::Nil } else { Value::Int(i64::from(stream.pid.get())) })
}
fn pos(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(Value::Int(stream.tell(vm)?))
}
fn set_pos(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let offset = vm.to_int(args.at(0))?;
    stream.check_open(vm)?;
    let offset = u64::try_from(offset).map_err(|_| vm.errno(22, None))?;
    Ok(Value::u64(stream.seek(vm, Seek::Set(offset))?))
}
fn whence(vm: &mut Vm, offset: &Value, whence: Option<&Value>) -> Res<Seek> {
    let offset = vm.to_int(offset)?;
    let kind = match whence {
        None => 0,
        Some(Value::Sym(name)) => match name.as_str() {
            "SET" => 0,
            "CUR" => 1,
            "END" => 2,
            "DATA" => 3,
            "HOLE" => 4,
            _ => return Err(vm.type_error("no implicit conversion of Symbol into Integer")),
        },
        Some(value) => vm.to_int(value)?,
    };
    match kind {
        0 => u64::try_from(offset).map(Seek::Set).map_err(|_| vm.errno(22, None)),
        1 => Ok(Seek::Current(offset)),
        2 => Ok(Seek::End(offset)),
        3 => Ok(Seek::Data(offset)),
        4 => Ok(Seek::Hole(offset)),
        _ => Err(vm.errno(22, None)),
    }
}
fn seek(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    let to = whence(vm, args.at(0), args.get(1))?;
    stream.seek(vm, to)?;
    Ok(Value::Int(0))
}
fn sysseek(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    let to = whence(vm, args.at(0), args.get(1))?;
    if stream.readable.get() && stream.held() > 0 {
        return Err(vm.error(ClassId::IO_ERROR, "sysseek for buffered IO"));
    }
    if stream.has_pending() {
        vm.warn("sysseek for buffered IO")?;
    }
    Ok(Value::u64(stream.seek(vm, to)?))
}
fn rewind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    stream.seek(vm, Seek::Set(0))?;
    vm.lines_were_rewound(&stream, stream.lineno.take());
    Ok(Value::Int(0))
}
fn lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.reading(vm)?;
    Ok(Value::Int(stream.lineno.get()))
}
fn set_lineno(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.reading(vm)?;
    let number = vm.to_int(args.at(0))?;
    if i32::try_from(number).is_err() {
        return Err(vm.range_error(format!(
            "integer {number} too {} to convert to `int'",
            if number > 0 { "big" } else { "small" }
        )));
    }
    stream.lineno.set(number);
    Ok(args.at(0).clone())
}
fn binmode(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    stream.binmode.set(true);
    stream.universal.set(false);
    stream.newline.set(None);
    stream.external.set(Some(rchef_text::encoding::Encoding::Binary));
    stream.internal.set(None);
    stream.converts(vm);
    Ok(this.clone())
}
fn is_binmode(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(Value::bool(stream.binmode.get()))
}
fn external_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    match stream.external.get() {
        Some(encoding) => Ok(super::encoding::object(vm, encoding)),
        // a write-only stream has none
        None if stream.writable.get() => Ok(Value::Nil),
        None => {
            let encoding = mode::default_external(vm);
            Ok(super::encoding::object(vm, encoding))
        }
    }
}
fn internal_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let found = match stream.internal.get() {
        Some(encoding) => Some(encoding).filter(|encoding| Some(*encoding) != stream.external.get()),
        None if stream.readable.get() && stream.external.get() != Some(rchef_text::encoding::Encoding::Binary) => {
            let external = stream.read_encoding(vm);
            super::encoding::default_internal(vm).filter(|internal| *internal != external)
        }
        None => None,
    };
    Ok(match found {
        Some(encoding) => super::encoding::object(vm, encoding),
        None => Value::Nil,
    })
}
fn set_encoding(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    let (pos, options) = args.split();
    let mut found = mode::Mode::read();
    match pos {
        [Value::Nil] | [Value::Nil, Value::Nil] => {}
        [Value::Str(text)] => {
            let text = text.get(vm).to_text().into_owned();
            mode::encoding_pair(vm, &text, &mut found)?;
        }
        [one] => match vm.data::<super::encoding::EncodingData>(one) {
            Some(data) => found.external = Some(data.0),
            None => {
                let text = vm.to_text(one)?;
                mode::encoding_pair(vm, &text, &mut found)?;
            }
        },
        [external, internal, ..] => {
            found.external = mode::encoding_arg(vm, external)?;
            found.internal = match internal {
                Value::Str(text) if text.get(vm).bytes() == b"-" => found.external,
                other => mode::encoding_arg(vm, other)?,
            };
        }
        [] => {}
    }
    if let Some(options) = options {
        let with = mode::open_mode(vm, &Value::Nil, &Value::Nil, Some(options))?;
        stream.newline.set(with.newline.filter(|_| stream.writable.get()));
        stream.universal.set(with.universal && stream.readable.get());
        *stream.replace.borrow_mut() = with.replace;
    }
    mode::check_wide(vm, &found, stream.readable.get() && !stream.binmode.get())?;
    stream.external.set(found.external);
    stream.internal.set(found.internal);
    stream.converts(vm);
    if found.bom {
        class::skip_bom(vm, &stream)?;
    }
    Ok(this.clone())
}
fn set_encoding_by_bom(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    if !stream.binmode.get() {
        return Err(vm.argument_error("ASCII incompatible encoding needs binmode"));
    }
    if stream.internal.get().is_some_and(|internal| Some(internal) != stream.external.get()) {
        return Err(vm.argument_error("encoding conversion is set"));
    }
    if let Some(encoding) = stream.external.get().filter(|encoding| *encoding != rchef_text::encoding::Encoding::Binary)
    {
        return Err(vm.argument_error(format!("encoding is set to {} already", encoding.name())));
    }
    match class::skip_bom(vm, &stream)? {
        Some(encoding) => {
            stream.external.set(Some(encoding));
            Ok(super::encoding::object(vm, encoding))
        }
        None => Ok(Value::Nil),
    }
}
fn to_io_self(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let Some(data) = vm.data::<IoData>(this) else { return Ok(Value::str(vm.default_to_s(this))) };
    let stream = data.0.clone();
    if !stream.opened.get() {
        return Ok(Value::str(vm.default_to_s(this)));
    }
    let path = stream.path.borrow().clone().map(|path| String::from_utf8_lossy(&path).into_owned());
    let shown = match path.or_else(|| stream.label.get().map(str::to_string)) {
        Some(shown) if stream.closed() => format!("{shown} (closed)"),
        Some(shown) => shown,
        None if stream.closed() => "(closed)".to_string(),
        None => format!("fd {}", stream.fileno(vm)?),
    };
    Ok(Value::str(format!("#<{class}:{shown}>")))
}
fn stat(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    let handle = stream.handle(vm)?;
    let stat = handle.stat().map_err(|error| stream.fail_path(vm, &error))?;
    Ok(super::file::stat::object(stat))
}
fn autoclose(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(Value::bool(stream.autoclose.get()))
}
fn set_autoclose(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    stream.autoclose.set(args.at(0).truthy());
    Ok(args.at(0).clone())
}
fn close_on_exec(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    Ok(Value::bool(stream.close_on_exec.get()))
}
fn set_close_on_exec(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    stream.close_on_exec.set(args.at(0).truthy());
    Ok(args.at(0).clone())
}
fn advise(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let Value::Sym(advice) = args.at(0) else {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error_of(args.at(0), format!("no implicit conversion of {described} into Symbol")));
    };
    for value in args.pos.iter().skip(1) {
        vm.to_int(value)?;
    }
    stream.check_open(vm)?;
    if !["normal", "sequential", "random", "willneed", "dontneed", "noreuse"].contains(&advice.as_str()) {
        return Err(vm.not_implemented(format!("Unsupported advice: :{advice}")));
    }
    Ok(Value::Nil)
}
/// `fcntl(command, argument = 0)`: a String is the structure that the command reads and writes. A simulated host has no descriptors, so that there
/// only the close-on-exec flag and the file flags are known.
fn fcntl(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    use rchef_host::files::fcntl::{GET_FD, GET_FLAGS, SET_FD};
    const ENOSYS: i32 = 38;
    const LONGEST: usize = 256;
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    let command = vm.to_int(args.at(0))?;
    let Ok(command) = i32::try_from(command) else {
        return Err(vm.range_error(format!("integer {command} too big to convert to `int'")));
    };
    match command {
        GET_FD => Ok(Value::Int(i64::from(stream.close_on_exec.get()))),
        SET_FD => {
            let flag = vm.to_int(args.at(1))?;
            stream.close_on_exec.set(flag & 1 != 0);
            Ok(Value::Int(0))
        }
        // code whose effects are only recorded must not change the descriptors of the process
        other if other != GET_FLAGS && vm.host.is_simulated() => {
            Err(vm.not_implemented(format!("fcntl({command}) is not supported")))
        }
        _ => {
            let handle = stream.handle(vm)?;
            let result = match args.at(1) {
                Value::Str(text) => {
                    vm.check_frozen(args.at(1))?;
                    let mut bytes = text.get(vm).bytes().to_vec();
                    bytes.resize(bytes.len().max(LONGEST), 0);
                    let result = handle.fcntl_bytes(command, &mut bytes);
                    *text.get_mut(vm).bytes_mut() = bytes;
                    result
                }
                argument => {
                    let argument = control_number(vm, argument)?;
                    handle.fcntl(command, argument)
                }
            };
            match result {
                Ok(result) => Ok(Value::Int(result.into())),
                Err(error) if error.errno == ENOSYS && command == GET_FLAGS => {
                    Ok(Value::Int(i64::from(stream.flags.get())))
                }
                Err(error) if error.errno == ENOSYS => {
                    Err(vm.not_implemented(format!("fcntl({command}) is not supported")))
                }
                Err(error) => Err(stream.fail_path(vm, &error)),
            }
        }
    }
}

/// The argument of `fcntl` and `ioctl` as a number.
fn control_number(vm: &mut Vm, value: &Value) -> Res<i64> {
    match value {
        Value::Nil | Value::False => Ok(0),
        Value::True => Ok(1),
        number => vm.to_int(number),
    }
}

/// `ioctl(request, argument = 0)`: a String is the structure that the device reads and writes; it is made as long as MRI makes it.
fn ioctl(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    const SHORTEST: usize = 256;
    let stream = stream_of(vm, this)?;
    let handle = stream.handle(vm)?;
    let request = vm.to_int(args.at(0))? as u64 & 0xffff_ffff;
    if vm.host.is_simulated() {
        return Err(vm.not_implemented(format!("ioctl({request}) is not supported")));
    }
    let number = match args.at(1) {
        Value::Str(text) => {
            vm.check_frozen(args.at(1))?;
            let mut bytes = text.get(vm).bytes().to_vec();
            let size = (request >> 16 & 0x3fff) as usize;
            bytes.resize(bytes.len().max(size.max(SHORTEST) + 1), 0);
            let result = handle.control_bytes(request, &mut bytes).map_err(|error| vm.host_error(&error))?;
            *text.get_mut(vm).bytes_mut() = bytes;
            return Ok(Value::Int(result.into()));
        }
        number => control_number(vm, number)?,
    };
    let result = handle.control(request, number).map_err(|error| vm.host_error(&error))?;
    Ok(Value::Int(result.into()))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::IO).allocator = Some(|_, class| Ok(object(class, Rc::new(Stream::default()))));
    vm.include_module(ClassId::IO, ClassId::ENUMERABLE);
    vm.define_methods(ClassId::IO, METHODS);
    class::boot(vm);
    buffer::boot(vm);
    standard::boot(vm);
    kernel::boot(vm);
}

impl Vm {
    /// The Enumerator that an iterator without a block returns.
    pub(crate) fn enumerator(&mut self, this: &Value, method: &'static str, args: Args<'_>) -> Res {
        let method = Symbol::intern_static(method);
        if !args.keywords {
            return Ok(self.enumerator_of(this, method, args.pos));
        }
        let mut pos = vec![Value::Sym(method)];
        pos.extend_from_slice(args.pos);
        self.call_args(this, rchef_syntax::symbol::sym::TO_ENUM, Args::new(&pos).with_keywords(true))
    }
}
