//! IO: class methods, open and reopen.

use super::handle::{object, stream_of, to_io, to_stream};
use super::lines::{LineArgs, each, line_args};
use super::mode::{Mode, open_mode, text_value};
use super::stream::{IoData, Stream, handle_by_number, keep_loose};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::path::{fail_at, to_path, to_path_str};
use crate::error::{Res, Unwind};
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodDef, any, at_least, def, opt};
use crate::value::Value;
use rchef_host::{FileHandle, OpenFlags, Seek, StandardStream};
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;
use std::rc::Rc;

static SINGLETON: &[MethodDef] = &[
    any("open", open),
    any("for_fd", for_fd),
    any("sysopen", sysopen),
    any("pipe", pipe),
    any("popen", super::popen::popen),
    at_least("read", read, 1),
    opt("binread", binread, 1, 3),
    at_least("write", write, 2),
    at_least("binwrite", binwrite, 2),
    at_least("readlines", readlines, 1),
    at_least("foreach", foreach, 1),
    opt("select", super::wait::select, 1, 4),
    opt("copy_stream", copy_stream, 2, 4),
    def("try_convert", try_convert, 1),
];

/// Opens a path; errors have MRI's message for `rb_sysopen`.
pub fn open_path(vm: &mut Vm, path: &[u8], mode: &Mode) -> Res<Rc<Stream>> {
    let stream = Stream::default();
    open_into(vm, &stream, path, mode)?;
    Ok(Rc::new(stream))
}
/// Opens a path. If there are other threads, waits for the other end of a named pipe while they run, because one of them may have to open it.
pub(crate) fn open_blocking(vm: &mut Vm, path: &[u8], mode: &Mode) -> Res<rchef_host::Result<Box<dyn FileHandle>>> {
    const ENXIO: i32 = 6;
    let (flags, perm) = (mode.open_flags(), mode.perm.unwrap_or(0o666));
    let waits = crate::core::thread::has_others(vm)
        && !flags.has(OpenFlags::NONBLOCK)
        && vm.host.stat(path).is_ok_and(|stat| stat.kind() == rchef_host::FileKind::Fifo);
    if !waits {
        return Ok(vm.host.open(path, flags, perm));
    }
    let mut opened = None;
    crate::core::thread::block_on_host(vm, None, |vm| {
        let tried = vm.host.open(path, flags | OpenFlags::NONBLOCK, perm);
        if matches!(&tried, Err(error) if error.errno == ENXIO) {
            return Ok(false);
        }
        opened = Some(tried);
        Ok(true)
    })?;
    Ok(opened.unwrap_or_else(|| vm.host.open(path, flags, perm)))
}
/// Whether a file is standard output or standard error under another name: `/dev/stdout`, `/proc/self/fd/1`, the terminal, or the file they are
/// redirected to.
fn leads_out(vm: &Vm, handle: &dyn FileHandle) -> bool {
    if vm.output_filter.is_none() {
        return false;
    }
    if handle.is_tty() {
        return true;
    }
    let Ok(own) = handle.stat() else { return false };
    [StandardStream::Output, StandardStream::Error].into_iter().any(|which| {
        let there = vm.host.standard(which).and_then(|handle| handle.stat());
        there.is_ok_and(|there| (there.dev, there.ino, there.kind()) == (own.dev, own.ino, own.kind()))
    })
}
/// Opens a path for a new stream.
pub fn open_into(vm: &mut Vm, stream: &Stream, path: &[u8], mode: &Mode) -> Res<()> {
    let opened = open_blocking(vm, path, mode)?;
    let handle: Rc<dyn FileHandle> = opened.map(Rc::from).map_err(|error| fail_at(vm, &error, "rb_sysopen", path))?;
    stream.shows.set(mode.writable() && leads_out(vm, &*handle));
    stream.open_with(handle, mode.readable(), mode.writable());
    *stream.path.borrow_mut() = Some(path.to_vec());
    mode.apply(stream);
    if mode.bom
        && let Some(encoding) = skip_bom(vm, stream)?
    {
        stream.external.set(Some(encoding));
    }
    Ok(())
}
/// Skips a byte order mark; returns its encoding.
pub(super) fn skip_bom(vm: &mut Vm, stream: &Stream) -> Res<Option<Encoding>> {
    if !stream.readable.get() {
        return Ok(None);
    }
    let mut start = Vec::new();
    while start.len() < 4 && stream.fill_bytes(vm)? {
        start.extend(stream.take_bytes(vm, usize::MAX >> 1)?);
    }
    let found = match start.as_slice() {
        [0xef, 0xbb, 0xbf, ..] => Some((3, Encoding::Utf8)),
        [0xff, 0xfe, 0, 0, ..] => Some((4, "UTF-32LE")).and_then(named),
        [0, 0, 0xfe, 0xff, ..] => Some((4, "UTF-32BE")).and_then(named),
        [0xff, 0xfe, ..] => Some((2, "UTF-16LE")).and_then(named),
        [0xfe, 0xff, ..] => Some((2, "UTF-16BE")).and_then(named),
        _ => None,
    };
    fn named((len, name): (usize, &str)) -> Option<(usize, Encoding)> {
        Encoding::find(name).map(|encoding| (len, encoding))
    }
    stream.unread_bytes(vm, &start[found.map_or(0, |(len, _)| len)..]);
    Ok(found.map(|(_, encoding)| encoding))
}

/// The handle of a file descriptor.
pub fn handle_of_fd(vm: &mut Vm, fd: i64) -> Res<(Rc<dyn FileHandle>, Option<StandardStream>)> {
    let number = i32::try_from(fd).unwrap_or(-1);
    if let Some(handle) = handle_by_number(vm, number) {
        return Ok((handle, None));
    }
    let which = match number {
        0 => StandardStream::Input,
        1 => StandardStream::Output,
        2 => StandardStream::Error,
        _ => {
            let handle = vm.host.inherited(number).map_err(|error| vm.host_error(&error))?;
            return Ok((Rc::from(handle), None));
        }
    };
    let handle = vm.host.standard(which).map_err(|error| vm.host_error(&error))?;
    Ok((Rc::from(handle), Some(which)))
}

/// `IO#initialize(fd, mode = "r", **options)`, also for `File.new(fd)`.
pub fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, options) = args.split();
    if pos.is_empty() || pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    if args.block.is_some() {
        let class = vm.class_name_of(this);
        vm.warn(&format!("{class}::new() does not take block; use {class}::open() instead"))?;
    }
    let fd = vm.to_int(&pos[0])?;
    let mut mode = open_mode(vm, pos.get(1).unwrap_or(&Value::Nil), &Value::Nil, options)?;
    if fd < 0 {
        return Err(vm.errno(9, None));
    }
    let (handle, which) = handle_of_fd(vm, fd)?;
    if let Some(open) = handle.open_flags().filter(|_| mode.given)
        && (mode.readable() && !open.readable() || mode.writable() && !open.writable())
    {
        // a descriptor that belongs to no stream stays open
        if Rc::strong_count(&handle) == 1 {
            keep_loose(vm, handle);
        }
        return Err(vm.errno(22, None));
    }
    if !mode.given {
        // without a mode: that of the descriptor, if it is known
        mode.flags |= match which {
            Some(StandardStream::Output | StandardStream::Error) => OpenFlags::WRONLY.0,
            Some(StandardStream::Input) => 0,
            None => match handle.open_flags() {
                Some(flags) if flags.writable() && flags.readable() => OpenFlags::RDWR.0,
                Some(flags) if flags.writable() => OpenFlags::WRONLY.0,
                _ => 0,
            },
        };
    }
    let stream = Stream::default();
    let shows = matches!(which, Some(StandardStream::Output | StandardStream::Error));
    stream.shows.set(shows || mode.writable() && leads_out(vm, &*handle));
    stream.open_with(handle, mode.readable(), mode.writable());
    mode.apply(&stream);
    if let Some(options) = options
        && let Some(path) = vm.hash_get_sym(options, Symbol::intern_static("path"))
    {
        *stream.path.borrow_mut() = Some(to_path(vm, &path)?);
    }
    stream.fileno(vm)?;
    vm.set_data(this, IoData(Rc::new(stream)));
    Ok(this.clone())
}
/// `open`: `new`, and with a block, the block's value and `close` afterwards.
pub fn open(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // a `new` that code defines is not asked
    let opened = crate::core::construct::new(vm, this, args.with_block(None))?;
    with_close(vm, opened, args)
}
fn with_close(vm: &mut Vm, opened: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Ok(opened) };
    let result = vm.yield1(block, opened.clone());
    let open = vm.data::<IoData>(&opened).is_none_or(|data| !data.0.closed());
    if open {
        let close = |vm: &mut Vm| vm.call(&opened, Symbol::intern_static("close"), &[]).map(drop);
        // it is not an error if the block has closed the file
        let closed =
            vm.rescue(ClassId::IO_ERROR, close, |vm, exception| match vm.call_name(&exception, "message", &[])? {
                Value::Str(text) if text.get(vm).bytes() == b"closed stream" => Ok(()),
                _ => Err(Unwind::Raise(exception).into()),
            });
        if result.is_ok() {
            closed?;
        }
    }
    result
}
fn for_fd(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    crate::core::construct::new(vm, this, args)
}
fn sysopen(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, _) = args.split();
    if pos.is_empty() || pos.len() > 3 {
        return Err(vm.arity_error(pos.len(), "1..3"));
    }
    let path = to_path(vm, &pos[0])?;
    let mode = open_mode(vm, pos.get(1).unwrap_or(&Value::Nil), pos.get(2).unwrap_or(&Value::Nil), None)?;
    let opened = vm.host.open(&path, mode.open_flags(), mode.perm.unwrap_or(0o666));
    let handle = opened.map_err(|error| fail_at(vm, &error, "rb_sysopen", &path))?;
    Ok(Value::Int(i64::from(keep_loose(vm, Rc::from(handle)))))
}
fn pipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Class(class) = this else { return Ok(Value::Nil) };
    let (pos, options) = args.split();
    let mut mode = Mode::read();
    match pos {
        [] => {}
        [Value::Str(text)] => {
            let text = text.get(vm).to_text().into_owned();
            super::mode::encoding_pair(vm, &text, &mut mode)?;
        }
        [one] => {
            mode.external = super::mode::encoding_arg(vm, one)?;
        }
        [external, internal, ..] => {
            mode.external = super::mode::encoding_arg(vm, external)?;
            mode.internal = super::mode::encoding_arg(vm, internal)?;
        }
    }
    let options = open_mode(vm, &Value::Nil, &Value::Nil, options)?;
    let (reader, writer) = vm.host.pipe().map_err(|error| vm.host_error(&error))?;
    let reader = Stream::on(Rc::from(reader), true, false);
    reader.external.set(mode.external.or(if options.binary { Some(Encoding::Binary) } else { None }));
    reader.internal.set(mode.internal);
    reader.binmode.set(options.binary);
    reader.universal.set(options.universal || options.text);
    reader.replace.replace(options.replace.clone());
    let writer = Stream::on(Rc::from(writer), false, true);
    writer.sync.set(true);
    writer.flags.set(OpenFlags::WRONLY.0);
    if options.binary {
        writer.binmode.set(true);
        writer.external.set(Some(Encoding::Binary).filter(|_| mode.external.is_none()));
    }
    let (reader, writer) = (object(*class, reader), object(*class, writer));
    let pair = Value::array(vec![reader.clone(), writer.clone()]);
    let Some(block) = args.block else { return Ok(pair) };
    let result = vm.yield1(block, pair);
    for end in [reader, writer] {
        let stream = stream_of(vm, &end)?;
        stream.close(vm)?;
    }
    result
}

/// Opens the argument of a class method for reading or writing: a path, or for IO itself a command after `|`.
fn open_named(vm: &mut Vm, this: &Value, name: &Value, mode: &Mode) -> Res<Rc<Stream>> {
    let path = to_path_str(vm, name)?;
    if matches!(this, Value::Class(ClassId::IO))
        && let Some(command) = path.bytes().strip_prefix(b"|")
    {
        return super::popen::on_command(vm, command, mode);
    }
    open_path(vm, path.bytes(), mode)
}
fn finish<R>(vm: &mut Vm, stream: &Rc<Stream>, result: Res<R>) -> Res<R> {
    let closed = stream.close(vm);
    super::popen::reap(vm, stream)?;
    let result = result?;
    closed?;
    Ok(result)
}
/// The mode in the options of a class method; `open_args:` replaces all other options.
fn class_mode(vm: &mut Vm, options: Option<&Gc<RHash>>) -> Res<Mode> {
    let open_args = options.and_then(|options| vm.hash_get_sym(options, Symbol::intern_static("open_args")));
    if let Some(open_args) = open_args.filter(|value| !value.is_nil()) {
        let mut items = vm.to_ary(&open_args)?.get(vm).items.clone();
        let mut last = None;
        if let Some(Value::Hash(hash)) = items.last().cloned() {
            items.pop();
            last = Some(hash);
        }
        let mut mode =
            open_mode(vm, items.first().unwrap_or(&Value::Nil), items.get(1).unwrap_or(&Value::Nil), last.as_ref())?;
        mode.given = true;
        return Ok(mode);
    }
    open_mode(vm, &Value::Nil, &Value::Nil, options)
}
/// `File.read`
fn read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, options) = args.split();
    if pos.is_empty() || pos.len() > 3 {
        return Err(vm.arity_error(pos.len(), "1..3"));
    }
    let mode = class_mode(vm, options)?;
    if !mode.readable() {
        return Err(vm.error(ClassId::IO_ERROR, "not opened for reading"));
    }
    read_named(vm, this, pos, &mode)
}
fn read_named(vm: &mut Vm, this: &Value, pos: &[Value], mode: &Mode) -> Res {
    let length = pos.get(1).filter(|value| !value.is_nil());
    let length = match length {
        Some(value) => {
            let length = vm.to_int(value)?;
            Some(usize::try_from(length).map_err(|_| vm.argument_error(format!("negative length {length} given")))?)
        }
        None => None,
    };
    let offset = match pos.get(2).filter(|value| !value.is_nil()) {
        Some(value) => vm.to_int(value)?,
        None => 0,
    };
    if offset < 0 {
        let shown = to_path(vm, &pos[0])?;
        return Err(vm.errno(22, Some(&String::from_utf8_lossy(&shown))));
    }
    let stream = open_named(vm, this, &pos[0], mode)?;
    let result = (|| {
        if offset > 0 {
            stream.seek(vm, Seek::Set(offset as u64))?;
        }
        match length {
            None => {
                let bytes = stream.read_to_end(vm)?;
                Ok(text_value(vm, &stream, bytes))
            }
            Some(count) => {
                let bytes = stream.read_exactly(vm, count)?;
                if bytes.is_empty() && count > 0 {
                    return Ok(Value::Nil);
                }
                Ok(Value::string(crate::RString::binary(bytes)))
            }
        }
    })();
    finish(vm, &stream, result)
}
fn binread(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mode = Mode { binary: true, ..Mode::read() };
    read_named(vm, this, args.pos, &mode)
}
fn write_named(vm: &mut Vm, this: &Value, args: Args<'_>, binary: bool) -> Res {
    let (pos, options) = args.split();
    if pos.len() < 2 || pos.len() > 3 {
        return Err(vm.arity_error(pos.len(), "2..3"));
    }
    let offset = pos.get(2).filter(|value| !value.is_nil());
    let mut mode = class_mode(vm, options)?;
    if !mode.given {
        mode.flags |= (OpenFlags::WRONLY | OpenFlags::CREAT).0;
        if offset.is_none() {
            mode.flags |= OpenFlags::TRUNC.0;
        }
    }
    mode.binary |= binary;
    let text = vm.to_s(&pos[1])?;
    let offset = match offset {
        Some(value) => Some(u64::try_from(vm.to_int(value)?).map_err(|_| vm.errno(22, None))?),
        None => None,
    };
    let stream = open_named(vm, this, &pos[0], &mode)?;
    let result = (|| {
        if let Some(offset) = offset {
            stream.seek(vm, Seek::Set(offset))?;
        }
        stream.writing(vm)?;
        let bytes = super::mode::bytes_to_write(vm, &stream, &text)?;
        stream.write(vm, &bytes)?;
        Ok(Value::len(bytes.len()))
    })();
    finish(vm, &stream, result)
}
fn write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    write_named(vm, this, args, false)
}
fn binwrite(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    write_named(vm, this, args, true)
}
/// The arguments of `foreach` and `readlines`: the name, how to split lines, and how to open.
fn named_lines(vm: &mut Vm, args: Args<'_>) -> Res<(Value, LineArgs, Mode)> {
    let (pos, options) = args.split();
    if pos.is_empty() || pos.len() > 3 {
        return Err(vm.arity_error(pos.len(), "1..3"));
    }
    let chomp = options.and_then(|options| vm.hash_get_sym(options, sym::CHOMP)).is_some_and(|value| value.truthy());
    let mode = class_mode(vm, options)?;
    let how = line_args(vm, &pos[1..], chomp)?;
    Ok((pos[0].clone(), how, mode))
}
fn readlines(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (name, how, mode) = named_lines(vm, args)?;
    let stream = open_named(vm, this, &name, &mode)?;
    let mut lines = Vec::new();
    let result = each(vm, &stream, &how, "readlines", |_, line| {
        lines.push(line);
        Ok(())
    });
    finish(vm, &stream, result)?;
    Ok(Value::array(lines))
}
fn foreach(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "foreach", args) };
    let (name, how, mode) = named_lines(vm, args)?;
    let stream = open_named(vm, this, &name, &mode)?;
    let result = each(vm, &stream, &how, "foreach", |vm, line| vm.yield1(block, line).map(drop));
    finish(vm, &stream, result)?;
    vm.global_set(sym::DOLLAR_UNDERSCORE, Value::Nil)?;
    Ok(Value::Nil)
}
fn try_convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let value = args.at(0);
    if vm.is_a(value, ClassId::IO) {
        return Ok(value.clone());
    }
    match vm.try_convert(value, sym::TO_IO)? {
        None | Some(Value::Nil) => Ok(Value::Nil),
        Some(_) => to_io(vm, value),
    }
}

/// `reopen(io)` or `reopen(path, mode)`.
pub(super) fn reopen(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, options) = args.split();
    if pos.is_empty() || pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    let stream = stream_of(vm, this)?;
    let other = if vm.is_a(&pos[0], ClassId::IO) { Some(pos[0].clone()) } else { vm.try_convert(&pos[0], sym::TO_IO)? };
    if let (Some(other), 1) = (&other, pos.len()) {
        let other_io = to_io(vm, other)?;
        let from = stream_of(vm, &other_io)?;
        if Rc::ptr_eq(&from, &stream) {
            return Ok(this.clone());
        }
        from.check_open(vm)?;
        stream.check_open(vm)?;
        stream.flush(vm)?;
        from.flush(vm)?;
        from.handle(vm)?;
        let (reader, writer) = (from.reader.borrow().clone(), from.writer.borrow().clone());
        // both share the offset of the file, which is where the other is
        for (own, ahead) in [(&stream, stream.ahead()), (&from, from.ahead())] {
            let handle = own.reader.borrow().clone();
            if let (Some(handle), true) = (handle, ahead > 0) {
                let _ = handle.seek(Seek::Current(-(ahead as i64)));
            }
        }
        stream.become_like(&from, reader, writer);
        stream.sync.set(from.sync.get());
        let class = vm.class_of(&other_io);
        if let Value::Object(gc) = this {
            gc.set_class(vm.real_class(class));
        }
        return Ok(this.clone());
    }
    let path = to_path(vm, &pos[0])?;
    let mut mode = open_mode(vm, pos.get(1).unwrap_or(&Value::Nil), &Value::Nil, options)?;
    if !mode.given {
        mode.flags = stream.flags.get() & !(OpenFlags::EXCL.0);
        if stream.writable.get() && !stream.readable.get() {
            mode.flags |= (OpenFlags::WRONLY | OpenFlags::CREAT).0;
        }
    }
    if !stream.closed() {
        stream.flush(vm)?;
    }
    let fresh = open_path(vm, &path, &mode)?;
    let (reader, writer) = (fresh.reader.borrow().clone(), fresh.writer.borrow().clone());
    stream.become_like(&fresh, reader, writer);
    mode.apply(&stream);
    Ok(this.clone())
}

/// A source or destination of `copy_stream`: a stream, or an object with `read`, `readpartial` or `write`.
enum End {
    Stream(Rc<Stream>, bool),
    Object(Value),
}
fn end(vm: &mut Vm, value: &Value, write: bool) -> Res<End> {
    if vm.is_a(value, ClassId::IO) {
        return Ok(End::Stream(stream_of(vm, value)?, false));
    }
    let names: &[&'static str] = if write { &["write"] } else { &["readpartial", "read"] };
    let is_path = matches!(value, Value::Str(_)) || vm.respond_to(value, sym::TO_PATH, true)?;
    if is_path && !matches!(value, Value::Str(_)) && vm.respond_to(value, sym::TO_IO, true)? {
        return Ok(End::Stream(to_stream(vm, value)?, false));
    }
    if !is_path {
        for name in names {
            if vm.respond_to(value, Symbol::intern_static(name), true)? {
                return Ok(End::Object(value.clone()));
            }
        }
    }
    let path = to_path(vm, value)?;
    let mut mode = Mode::read();
    if write {
        mode.flags = (OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC).0;
    }
    Ok(End::Stream(open_path(vm, &path, &mode)?, true))
}
/// `IO.copy_stream(src, dst, length = nil, offset = nil)`: returns the number of bytes.
fn copy_stream(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    const CHUNK: usize = 64 * 1024;
    let mut left = match args.at(2) {
        Value::Nil => None,
        value => {
            let count = vm.to_int(value)?;
            Some(usize::try_from(count).map_err(|_| vm.argument_error(format!("negative length {count} given")))?)
        }
    };
    let source = end(vm, args.at(0), false)?;
    let target = end(vm, args.at(1), true)?;
    let mut offset = match args.at(3) {
        Value::Nil => None,
        value => Some(vm.to_int(value)? as u64),
    };
    if offset.is_some() && matches!(source, End::Object(_)) {
        return Err(vm.argument_error("cannot specify src_offset for non-IO"));
    }
    let mut total = 0;
    let result = (|| loop {
        let count = left.map_or(CHUNK, |left| left.min(CHUNK));
        if count == 0 {
            break Ok(());
        }
        let bytes = match &source {
            End::Stream(stream, _) => match &mut offset {
                Some(offset) => {
                    let handle = stream.reading(vm)?;
                    let mut bytes = vec![0; count];
                    let got = handle.pread(&mut bytes, *offset).map_err(|error| stream.fail_read(vm, &error))?;
                    bytes.truncate(got);
                    *offset += got as u64;
                    bytes
                }
                None => {
                    stream.reading(vm)?;
                    if stream.fill_bytes(vm)? { stream.take_bytes(vm, count)? } else { Vec::new() }
                }
            },
            End::Object(value) => object_read(vm, value, count)?,
        };
        if bytes.is_empty() {
            break Ok(());
        }
        match &target {
            End::Stream(stream, _) => stream.write(vm, &bytes)?,
            End::Object(value) => {
                vm.call(value, sym::WRITE, &[Value::string(crate::RString::binary(bytes.clone()))])?;
            }
        }
        total += bytes.len();
        left = left.map(|left| left.saturating_sub(bytes.len()));
    })();
    for end in [&source, &target] {
        match end {
            End::Stream(stream, true) => stream.close(vm)?,
            End::Stream(stream, false) if stream.writable.get() && !stream.closed() => stream.flush(vm)?,
            _ => {}
        }
    }
    result.map(|()| Value::len(total))
}
fn object_read(vm: &mut Vm, value: &Value, count: usize) -> Res<Vec<u8>> {
    let readpartial = Symbol::intern_static("readpartial");
    let arguments = [Value::len(count), Value::string(crate::RString::binary(Vec::new()))];
    let got = if vm.respond_to(value, readpartial, true)? {
        vm.rescue(ClassId::EOF_ERROR, |vm| vm.call(value, readpartial, &arguments), |_, _| Ok(Value::Nil))?
    } else {
        vm.call(value, Symbol::intern_static("read"), &arguments)?
    };
    match got {
        Value::Nil => Ok(Vec::new()),
        other => Ok(vm.to_str(&other)?.get(vm).bytes().to_vec()),
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_singleton_methods(ClassId::IO, SINGLETON);
    for (name, value) in [
        ("SEEK_SET", 0),
        ("SEEK_CUR", 1),
        ("SEEK_END", 2),
        ("SEEK_DATA", 3),
        ("SEEK_HOLE", 4),
        ("READABLE", 1),
        ("PRIORITY", 2),
        ("WRITABLE", 4),
    ] {
        vm.const_set(ClassId::IO, Symbol::intern_static(name), Value::Int(value));
    }
    let readable = vm.define_module(ClassId::IO, "WaitReadable");
    let writable = vm.define_module(ClassId::IO, "WaitWritable");
    for (class, errno, module) in [
        ("EAGAINWaitReadable", 11, readable),
        ("EAGAINWaitWritable", 11, writable),
        ("EINPROGRESSWaitReadable", 115, readable),
        ("EINPROGRESSWaitWritable", 115, writable),
    ] {
        let superclass = vm.errno_class(errno);
        let id = vm.define_class(ClassId::IO, class, superclass);
        vm.include_module(id, module);
    }
    for (alias, class) in
        [("EWOULDBLOCKWaitReadable", "EAGAINWaitReadable"), ("EWOULDBLOCKWaitWritable", "EAGAINWaitWritable")]
    {
        if let Some(id) = vm.class_named(&format!("IO::{class}")) {
            vm.const_set(ClassId::IO, Symbol::intern_static(alias), Value::Class(id));
        }
    }
}
