//! [`Stream`]: an open file, pipe or standard stream with its buffers. Streams are used through `Rc<Stream>` with interior mutability, so Ruby code
//! may run while a stream is in use.

use super::conversion::{Amount, Conversion};
use super::scheduled;
use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::core::fiber::scheduler;
use crate::error::Res;
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_host::{FileHandle, HostError, Seek, StandardStream};
use rchef_text::encoding::Encoding;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Duration;

/// Size of the read and write buffers in bytes.
const BUFFER: usize = 64 * 1024;

/// EINTR on Linux.
const EINTR: i32 = 4;
/// EAGAIN on Linux.
const EAGAIN: i32 = 11;
/// EPIPE on Linux.
const EPIPE: i32 = 32;
const SIGPIPE: i64 = 13;
/// The hidden variable of an exception for the signal by which the program ends if nothing rescues it: nobody reads standard output any more.
pub(crate) const ENDS_BY: &str = "__signal";

/// The stream of an IO object.
pub struct IoData(pub Rc<Stream>);
impl NativeData for IoData {}

/// An open file, pipe or standard stream; initially not open.
#[derive(Default)]
pub struct Stream {
    /// The handle for reading; for a file also for writing.
    pub reader: RefCell<Option<Rc<dyn FileHandle>>>,
    /// The handle for writing.
    pub writer: RefCell<Option<Rc<dyn FileHandle>>>,
    /// Whether `initialize` has run.
    pub opened: Cell<bool>,
    /// Where the handle goes when nothing refers to the stream any longer, while it has a lock of flock(2).
    locked: RefCell<Option<Forgotten>>,
    /// Whether it is open for reading.
    pub readable: Cell<bool>,
    /// Whether it is open for writing.
    pub writable: Cell<bool>,
    /// The path it was opened with.
    pub path: RefCell<Option<Vec<u8>>>,
    pub path_encoding: Cell<Encoding>,
    /// The name to show if there is no path: `<STDOUT>`.
    pub label: Cell<Option<&'static str>>,
    /// Whether it writes to standard output or standard error, so that `Vm::output_filter` applies.
    pub shows: Cell<bool>,
    /// The standard stream that it represents, whose handle is obtained when first used.
    pub standard: Cell<Option<StandardStream>>,
    rbuf: RefCell<Vec<u8>>,
    rpos: Cell<usize>,
    /// Where text is converted: the converter, with the bytes that it has not had yet. `rbuf` then has what it made.
    pub(super) conversion: RefCell<Option<Box<Conversion>>>,
    wbuf: RefCell<Vec<u8>>,
    /// Whether writes are unbuffered.
    pub sync: Cell<bool>,
    tty: Cell<Option<bool>>,
    /// Whether `binmode` was called or the mode contains `b`.
    pub binmode: Cell<bool>,
    /// Whether all newlines are converted to `\n`.
    pub universal: Cell<bool>,
    /// What is written for `\n`, if it is something else.
    pub newline: Cell<Option<&'static [u8]>>,
    /// External encoding, if one was set.
    pub external: Cell<Option<Encoding>>,
    /// Internal encoding, if one was set.
    pub internal: Cell<Option<Encoding>>,
    /// Conversion options: `(invalid: :replace, undef: :replace, replace:)`.
    pub replace: RefCell<(bool, bool, Option<RString>)>,
    /// The number of lines read.
    pub lineno: Cell<i64>,
    /// The child of `popen`; 0 if there is none.
    pub pid: Cell<i32>,
    /// The number that `fileno` returns if the handle has no descriptor.
    number: Cell<i32>,
    pub autoclose: Cell<bool>,
    pub close_on_exec: Cell<bool>,
    /// The `O_*` flags it was opened with.
    pub flags: Cell<i32>,
    /// The `object_id` of its IO, where the hook of a scheduler has been given that; else 0.
    pub(crate) object: Cell<u64>,
}

/// Streams that may have buffered output, and numbers of handles.
#[derive(Default)]
pub(super) struct Registry {
    writers: Vec<Weak<Stream>>,
    handles: Vec<(i32, WeakHandle)>,
    /// Handles of `IO.sysopen` that belong to no IO object yet.
    loose: Vec<(i32, Rc<dyn FileHandle>)>,
    forgotten: Forgotten,
    next: i32,
}
type WeakHandle = Weak<dyn FileHandle>;
/// Handles of streams that had a lock of flock(2) when the last reference to them went: MRI's lock lasts until the stream is collected.
type Forgotten = Rc<RefCell<Vec<Rc<dyn FileHandle>>>>;

/// What is read at a time where nothing says that more will come.
const LARGE: usize = 1 << 22;

/// A length is a limit, not a size: only one that no machine has memory for fails by itself.
fn check_length(vm: &mut Vm, count: usize) -> Res<()> {
    if count > 1 << 36 { vm.check_size(count) } else { Ok(()) }
}
/// The room that a single read of at most `count` bytes needs.
pub fn room(vm: &mut Vm, handle: &dyn FileHandle, count: usize) -> Res<usize> {
    check_length(vm, count)?;
    let held = match handle.stat() {
        Ok(stat) if count > LARGE && stat.is_file() => usize::try_from(stat.size).unwrap_or(usize::MAX),
        _ => 0,
    };
    let room = count.min(held.max(LARGE));
    vm.check_size(room)?;
    Ok(room)
}

impl Stream {
    /// A stream for a handle.
    pub fn on(handle: Rc<dyn FileHandle>, readable: bool, writable: bool) -> Rc<Stream> {
        let stream = Stream::default();
        stream.open_with(handle, readable, writable);
        Rc::new(stream)
    }
    /// A stream with separate handles for reading and writing.
    pub fn pair(reader: Option<Rc<dyn FileHandle>>, writer: Option<Rc<dyn FileHandle>>) -> Rc<Stream> {
        let stream = Stream::default();
        stream.readable.set(reader.is_some());
        stream.writable.set(writer.is_some());
        *stream.reader.borrow_mut() = reader;
        *stream.writer.borrow_mut() = writer;
        stream.opened.set(true);
        stream.autoclose.set(true);
        stream.close_on_exec.set(true);
        Rc::new(stream)
    }
    pub fn standard(which: StandardStream) -> Rc<Stream> {
        let stream = Stream::default();
        stream.standard.set(Some(which));
        stream.opened.set(true);
        stream.autoclose.set(true);
        let input = which == StandardStream::Input;
        stream.readable.set(input);
        stream.writable.set(!input);
        stream.shows.set(!input);
        stream.sync.set(which == StandardStream::Error);
        stream.label.set(Some(match which {
            StandardStream::Input => "<STDIN>",
            StandardStream::Output => "<STDOUT>",
            StandardStream::Error => "<STDERR>",
        }));
        Rc::new(stream)
    }
    /// Opens it with a handle.
    pub fn open_with(&self, handle: Rc<dyn FileHandle>, readable: bool, writable: bool) {
        self.readable.set(readable);
        self.writable.set(writable);
        if writable {
            *self.writer.borrow_mut() = Some(handle.clone());
        }
        if readable || !writable {
            *self.reader.borrow_mut() = Some(handle);
        }
        self.opened.set(true);
        self.autoclose.set(true);
        self.close_on_exec.set(true);
    }
    /// Whether it is closed or was never opened.
    pub fn closed(&self) -> bool {
        self.standard.get().is_none() && self.reader.borrow().is_none() && self.writer.borrow().is_none()
    }
    fn attach(&self, vm: &mut Vm) -> Res<()> {
        if let Some(which) = self.standard.get()
            && self.reader.borrow().is_none()
            && self.writer.borrow().is_none()
        {
            let handle: Rc<dyn FileHandle> =
                vm.host.standard(which).map(Rc::from).map_err(|error| vm.host_error(&error))?;
            if self.readable.get() {
                *self.reader.borrow_mut() = Some(handle.clone());
            }
            if self.writable.get() {
                *self.writer.borrow_mut() = Some(handle);
            }
        }
        Ok(())
    }
    /// IOError if it is closed.
    pub fn check_open(&self, vm: &mut Vm) -> Res<()> {
        if !self.opened.get() {
            return Err(vm.error(ClassId::IO_ERROR, "uninitialized stream"));
        }
        if self.closed() {
            return Err(vm.error(ClassId::IO_ERROR, "closed stream"));
        }
        Ok(())
    }
    /// The handle, for metadata.
    pub fn handle(&self, vm: &mut Vm) -> Res<Rc<dyn FileHandle>> {
        self.check_open(vm)?;
        self.attach(vm)?;
        let found = self.reader.borrow().clone().or_else(|| self.writer.borrow().clone());
        found.ok_or_else(|| vm.error(ClassId::IO_ERROR, "closed stream"))
    }
    /// The handle for reading; IOError if it is not readable. Writes buffered output first.
    pub fn reading(&self, vm: &mut Vm) -> Res<Rc<dyn FileHandle>> {
        self.check_open(vm)?;
        if !self.readable.get() || (self.standard.get().is_none() && self.reader.borrow().is_none()) {
            return Err(vm.error(ClassId::IO_ERROR, "not opened for reading"));
        }
        if !self.wbuf.borrow().is_empty() {
            self.flush(vm)?;
        }
        self.attach(vm)?;
        let found = self.reader.borrow().clone();
        found.ok_or_else(|| vm.error(ClassId::IO_ERROR, "not opened for reading"))
    }
    /// The handle for writing; IOError if it is not writable.
    pub fn writing(&self, vm: &mut Vm) -> Res<Rc<dyn FileHandle>> {
        self.check_open(vm)?;
        if !self.writable.get() || (self.standard.get().is_none() && self.writer.borrow().is_none()) {
            return Err(vm.error(ClassId::IO_ERROR, "not opened for writing"));
        }
        self.attach(vm)?;
        let found = self.writer.borrow().clone();
        found.ok_or_else(|| vm.error(ClassId::IO_ERROR, "not opened for writing"))
    }
    pub fn is_tty(&self, vm: &mut Vm) -> Res<bool> {
        if let Some(known) = self.tty.get() {
            return Ok(known);
        }
        let tty = self.handle(vm)?.is_tty();
        self.tty.set(Some(tty));
        Ok(tty)
    }
    /// `fileno`: the descriptor, or an assigned number for a file in memory.
    pub fn fileno(&self, vm: &mut Vm) -> Res<i32> {
        if let Some(which) = self.standard.get() {
            return Ok(which as i32);
        }
        let handle = self.handle(vm)?;
        if self.number.get() == 0 {
            let number = match handle.fd() {
                Some(fd) => fd,
                None => {
                    let registry = vm.extension::<Registry>();
                    registry.next += 1;
                    100_000 + registry.next
                }
            };
            self.number.set(number);
            let registry = vm.extension::<Registry>();
            registry.handles.retain(|(known, handle)| *known != number && handle.strong_count() > 0);
            registry.handles.push((number, Rc::downgrade(&handle)));
        }
        Ok(self.number.get())
    }

    /// Returns buffered bytes, or else the result of one read without reading ahead; at most `count` bytes. Empty at the end.
    pub fn read_some(&self, vm: &mut Vm, count: usize) -> Res<Vec<u8>> {
        let handle = self.reading(vm)?;
        let ahead = self.take_bytes(vm, count)?;
        if !ahead.is_empty() {
            return Ok(ahead);
        }
        let mut bytes = vec![0; room(vm, &*handle, count)?];
        let got = self.read_raw(vm, &*handle, &mut bytes)?.map_err(|error| self.fail_read(vm, &error))?;
        bytes.truncate(got);
        Ok(bytes)
    }
    /// A single read that waits for data, while signal handlers and other threads run. IOError if another thread closes the stream.
    pub fn read_raw(&self, vm: &mut Vm, handle: &dyn FileHandle, buffer: &mut [u8]) -> Res<Result<usize, HostError>> {
        loop {
            if self.closed() {
                return Err(vm.error(ClassId::IO_ERROR, "stream closed in another thread"));
            }
            // the thread that sends the data may be one of this process; what makes a TLS connection ready need not be data
            let shared = crate::core::thread::has_others(vm) || scheduler::current(vm).is_some();
            let result = match scheduled::io_read(vm, self, buffer.len())? {
                Some(result) => result.map(|bytes| {
                    buffer[..bytes.len()].copy_from_slice(&bytes);
                    bytes.len()
                }),
                None => handle.read(buffer, shared.then_some(Duration::ZERO)),
            };
            match result {
                Err(error) if error.errno == EINTR => vm.run_interrupts()?,
                Err(error) if error.errno == EAGAIN && shared => self.wait_ready(vm, handle, true)?,
                Err(error) if error.errno == EAGAIN => {
                    let item = rchef_host::streams::PollItem { handle, read: true, write: false };
                    let _ = vm.host.poll(&[item], None);
                }
                other => return Ok(other),
            }
        }
    }
    /// Lets other fibers of a scheduler, or other threads, run until a handle is ready to be read or written.
    fn wait_ready(&self, vm: &mut Vm, handle: &dyn FileHandle, read: bool) -> Res<()> {
        let is_ready = |vm: &mut Vm| {
            let item = rchef_host::streams::PollItem { handle, read, write: !read };
            self.closed() || vm.host.poll(&[item], Some(Duration::ZERO)).is_ok_and(|ready| !ready.is_empty())
        };
        if scheduler::current(vm).is_some() && !is_ready(vm) {
            let events = if read { scheduled::READABLE } else { scheduled::WRITABLE };
            if scheduled::io_wait(vm, self, events, Value::Nil)?.is_some() {
                return Ok(());
            }
        }
        if crate::core::thread::has_others(vm) {
            crate::core::thread::block_on_host(vm, None, |vm| Ok(is_ready(vm)))?;
        }
        Ok(())
    }
    /// The number of bytes read ahead.
    pub fn buffered(&self) -> usize {
        self.rbuf.borrow().len() - self.rpos.get()
    }
    /// Calls `body` with the bytes read ahead.
    pub fn with_buffer<R>(&self, body: impl FnOnce(&[u8]) -> R) -> R {
        body(&self.rbuf.borrow()[self.rpos.get()..])
    }
    /// Takes up to `count` bytes read ahead.
    pub fn take(&self, count: usize) -> Vec<u8> {
        let at = self.rpos.get();
        let mut buffer = self.rbuf.borrow_mut();
        let end = (at + count).min(buffer.len());
        let taken =
            if at == 0 && end == buffer.len() { std::mem::take(&mut *buffer) } else { buffer[at..end].to_vec() };
        drop(buffer);
        self.consume(taken.len());
        taken
    }
    /// Skips `count` bytes read ahead.
    pub fn consume(&self, count: usize) {
        let at = self.rpos.get() + count;
        let mut buffer = self.rbuf.borrow_mut();
        if at >= buffer.len() {
            buffer.clear();
            self.rpos.set(0);
        } else {
            self.rpos.set(at);
        }
    }
    /// Puts bytes before those that are read next.
    pub fn unread(&self, bytes: &[u8]) {
        let at = self.rpos.get();
        let mut buffer = self.rbuf.borrow_mut();
        if at >= bytes.len() {
            buffer[at - bytes.len()..at].copy_from_slice(bytes);
            self.rpos.set(at - bytes.len());
        } else {
            let mut joined = bytes.to_vec();
            joined.extend_from_slice(&buffer[at..]);
            *buffer = joined;
            self.rpos.set(0);
        }
    }
    /// Reads more text into the buffer, at least a line; false at the end.
    pub fn fill(&self, vm: &mut Vm) -> Res<bool> {
        self.fill_with(vm, Amount::LINE)
    }
    /// The same with another amount of text.
    pub(super) fn fill_with(&self, vm: &mut Vm, amount: Amount) -> Res<bool> {
        self.reading(vm)?;
        if self.converts(vm) { self.fill_converted(vm, amount) } else { self.fill_plain(vm) }
    }
    fn fill_plain(&self, vm: &mut Vm) -> Res<bool> {
        let handle = self.reading(vm)?;
        if self.rpos.get() > 0 {
            self.rbuf.borrow_mut().drain(..self.rpos.get());
            self.rpos.set(0);
        }
        let held = self.rbuf.borrow().len();
        vm.check_growth(held, BUFFER)?;
        vm.tick_by(BUFFER / 64)?;
        let mut chunk = std::mem::take(&mut *self.rbuf.borrow_mut());
        let start = chunk.len();
        chunk.resize(start + BUFFER, 0);
        let result = match self.read_raw(vm, &*handle, &mut chunk[start..]) {
            Ok(result) => result,
            Err(error) => {
                chunk.truncate(start);
                *self.rbuf.borrow_mut() = chunk;
                return Err(error);
            }
        };
        chunk.truncate(start + *result.as_ref().unwrap_or(&0));
        let more = chunk.len() > start;
        let result = result.map(|_| more);
        if chunk.capacity() > 2 * BUFFER && chunk.len() < 256 {
            chunk.shrink_to(1024);
        } else if chunk.len() < 1024 {
            chunk.shrink_to_fit();
        }
        *self.rbuf.borrow_mut() = chunk;
        result.map_err(|error| self.fail_read(vm, &error))
    }
    /// The next bytes of the handle; empty at the end.
    pub(super) fn chunk(&self, vm: &mut Vm) -> Res<Vec<u8>> {
        let handle = self.reading(vm)?;
        vm.check_growth(self.held(), BUFFER)?;
        vm.tick_by(BUFFER / 64)?;
        let mut chunk = vec![0; BUFFER];
        let got = self.read_raw(vm, &*handle, &mut chunk)?.map_err(|error| self.fail_read(vm, &error))?;
        chunk.truncate(got);
        Ok(chunk)
    }
    /// Adds bytes to those that are read next.
    pub(super) fn append(&self, bytes: &[u8]) {
        self.rbuf.borrow_mut().extend_from_slice(bytes);
    }
    /// The error of a failed read, with MRI's message.
    pub fn fail_read(&self, vm: &mut Vm, error: &HostError) -> crate::Error {
        let path = self.path.borrow().clone();
        match path {
            Some(path) if error.errno == 21 => super::super::path::fail_at(vm, error, "io_fread", &path),
            Some(path) => vm.errno(error.errno, Some(&String::from_utf8_lossy(&path))),
            None => vm.errno(error.errno, self.label.get()),
        }
    }
    /// Reads to the end.
    pub fn read_to_end(&self, vm: &mut Vm) -> Res<Vec<u8>> {
        let handle = self.reading(vm)?;
        if self.converts(vm) {
            let mut data = Vec::new();
            loop {
                vm.check_growth(data.len(), self.buffered())?;
                data.extend(self.take(usize::MAX >> 1));
                if !self.fill_with(vm, Amount::All)? {
                    return Ok(data);
                }
            }
        }
        let mut data = self.take(usize::MAX >> 1);
        // the size is only a hint, because files in /proc have size 0
        let hint = handle.stat().map_or(0, |stat| if stat.is_file() { stat.size } else { 0 }).min(1 << 28) as usize;
        let mut filled = data.len();
        vm.check_growth(filled, hint)?;
        data.resize(filled + hint.max(4095) + 1, 0);
        loop {
            if filled == data.len() {
                let more = filled.clamp(4096, 1 << 24);
                vm.check_growth(filled, more)?;
                vm.tick_by(more / 64)?;
                data.resize(filled + more, 0);
            }
            match self.read_raw(vm, &*handle, &mut data[filled..])? {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) => return Err(self.fail_read(vm, &error)),
            }
        }
        data.truncate(filled);
        data.shrink_to_fit();
        Ok(data)
    }
    /// Reads `count` bytes, or fewer at the end.
    pub fn read_exactly(&self, vm: &mut Vm, count: usize) -> Res<Vec<u8>> {
        self.reading(vm)?;
        check_length(vm, count)?;
        let mut data = self.take_bytes(vm, count)?;
        // as in MRI, a read with a length does not read ahead
        while data.len() < count {
            let handle = self.reading(vm)?;
            let start = data.len();
            let step = (count - start).min(LARGE);
            vm.check_growth(start, step)?;
            data.resize(start + step, 0);
            match self.read_raw(vm, &*handle, &mut data[start..])? {
                Ok(got) => data.truncate(start + got),
                Err(error) => return Err(self.fail_read(vm, &error)),
            }
            if data.len() == start {
                break;
            }
        }
        Ok(data)
    }

    /// The replacement for these bytes by the output filter, if any.
    pub fn filtered(&self, vm: &mut Vm, bytes: &[u8]) -> Option<Vec<u8>> {
        vm.output_filter.filter(|_| self.shows.get()).and_then(|filter| filter(vm, bytes))
    }
    /// If the output filter replaces the bytes, writes the whole replacement unbuffered. False if the bytes are to be written unchanged.
    pub fn write_filtered(&self, vm: &mut Vm, handle: &dyn FileHandle, bytes: &[u8]) -> Res<bool> {
        match self.filtered(vm, bytes) {
            Some(instead) => self.write_through(vm, handle, &instead).map(|()| true),
            None => Ok(false),
        }
    }
    /// Writes to the buffer.
    pub fn write(self: &Rc<Self>, vm: &mut Vm, bytes: &[u8]) -> Res<()> {
        let handle = self.writing(vm)?;
        self.drop_read_ahead();
        let filtered = self.filtered(vm, bytes);
        let bytes = filtered.as_deref().unwrap_or(bytes);
        let converted;
        let bytes = if let Some(newline) = self.newline.get().filter(|_| bytes.contains(&b'\n')) {
            let mut out = Vec::with_capacity(bytes.len() + 16);
            for &byte in bytes {
                match byte {
                    b'\n' => out.extend_from_slice(newline),
                    _ => out.push(byte),
                }
            }
            converted = out;
            &converted[..]
        } else {
            bytes
        };
        let direct = self.sync.get() || self.is_tty(vm)?;
        if direct && self.wbuf.borrow().is_empty() {
            return self.write_through(vm, &*handle, bytes);
        }
        if self.wbuf.borrow().is_empty() {
            let registry = vm.extension::<Registry>();
            if registry.writers.len() > 64 {
                registry.writers.retain(|writer| writer.strong_count() > 0);
            }
            if !registry.writers.iter().any(|writer| std::ptr::eq(writer.as_ptr(), Rc::as_ptr(self))) {
                registry.writers.push(Rc::downgrade(self));
            }
        }
        self.wbuf.borrow_mut().extend_from_slice(bytes);
        if direct || self.wbuf.borrow().len() >= BUFFER {
            self.flush(vm)?;
        }
        Ok(())
    }
    fn write_through(&self, vm: &mut Vm, handle: &dyn FileHandle, all: &[u8]) -> Res<()> {
        let (mut bytes, mut held) = (all, None);
        while !bytes.is_empty() {
            let shared = crate::core::thread::has_others(vm) || scheduler::current(vm).is_some();
            let result = match scheduled::io_write(vm, self, &mut held, (all, all.len() - bytes.len()))? {
                Some(result) => result,
                None if shared && !handle.stat().is_ok_and(|stat| stat.is_file()) => {
                    // write no more than a pipe that is ready accepts without blocking, because its reader may be another thread of this process
                    self.wait_ready(vm, handle, false)?;
                    handle.write(&bytes[..bytes.len().min(4096)], None)
                }
                None => handle.write(bytes, None),
            };
            match result {
                Ok(0) => return Err(vm.errno(5, None)),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.errno == EINTR => vm.run_interrupts()?,
                Err(error) if error.errno == EAGAIN && shared => self.wait_ready(vm, handle, false)?,
                Err(error) if error.errno == EAGAIN => {
                    let item = rchef_host::streams::PollItem { handle, read: false, write: true };
                    let _ = vm.host.poll(&[item], None);
                }
                Err(error) => {
                    let path = self.path.borrow().clone().map(|path| String::from_utf8_lossy(&path).into_owned());
                    let what = path.or_else(|| self.label.get().map(str::to_string));
                    let failed = vm.errno(error.errno, what.as_deref());
                    if let (EPIPE, Some("<STDOUT>"), crate::error::Unwind::Raise(exception)) =
                        (error.errno, self.label.get(), &*failed.0)
                    {
                        vm.ivar_set(exception, Symbol::intern_static(ENDS_BY), Value::Int(SIGPIPE));
                    }
                    return Err(failed);
                }
            }
        }
        Ok(())
    }
    /// Writes buffered output.
    pub fn flush(&self, vm: &mut Vm) -> Res<()> {
        if self.wbuf.borrow().is_empty() {
            return Ok(());
        }
        self.attach(vm)?;
        let Some(handle) = self.writer.borrow().clone() else { return Ok(()) };
        let pending = std::mem::take(&mut *self.wbuf.borrow_mut());
        let result = self.write_through(vm, &*handle, &pending);
        if result.is_err() {
            // what could not be written stays in the buffer: the next flush fails again
            *self.wbuf.borrow_mut() = pending;
        }
        result
    }
    /// Whether there is buffered output.
    pub fn has_pending(&self) -> bool {
        !self.wbuf.borrow().is_empty()
    }
    /// Discards bytes read ahead, and moves a file's offset back to Ruby's position.
    pub fn drop_read_ahead(&self) {
        let ahead = self.ahead();
        if ahead > 0 && self.writer.borrow().is_some() && self.reader.borrow().is_some() {
            if let Some(handle) = &*self.reader.borrow()
                && handle.seek(Seek::Current(-(ahead as i64))).is_err()
            {
                return;
            }
            self.forget_read_ahead();
        }
    }
    /// Seeks, after writing and discarding buffers.
    pub fn seek(&self, vm: &mut Vm, to: Seek) -> Res<u64> {
        let handle = self.handle(vm)?;
        self.flush(vm)?;
        let to = match to {
            Seek::Current(by) => Seek::Current(by.saturating_sub(self.ahead() as i64)),
            other => other,
        };
        let at = handle.seek(to).map_err(|error| self.fail_path(vm, &error))?;
        self.forget_read_ahead();
        Ok(at)
    }
    /// The position of the next read or write.
    /// It is negative where more was put back than had been read.
    pub fn tell(&self, vm: &mut Vm) -> Res<i64> {
        let handle = self.handle(vm)?;
        self.flush(vm)?;
        let at = handle.seek(Seek::Current(0)).map_err(|error| self.fail_path(vm, &error))?;
        Ok(at as i64 - self.ahead() as i64)
    }
    /// The error of a failed call, with the path.
    pub fn fail_path(&self, vm: &mut Vm, error: &HostError) -> crate::Error {
        let path = self.path.borrow().clone().map(|path| String::from_utf8_lossy(&path).into_owned());
        let what = path.or_else(|| self.label.get().map(str::to_string));
        vm.errno(error.errno, what.as_deref())
    }
    /// Flushes the stream and drops the handles. The caller waits for the child of `popen`, if any.
    pub fn close(&self, vm: &mut Vm) -> Res<()> {
        let flushed = self.flush(vm);
        self.reader.borrow_mut().take();
        self.writer.borrow_mut().take();
        self.locked.borrow_mut().take();
        self.standard.set(None);
        self.number.set(0);
        self.forget_read_ahead();
        self.wbuf.borrow_mut().clear();
        flushed
    }
    /// Closes it for reading.
    pub fn close_read(&self) {
        self.reader.borrow_mut().take();
        self.readable.set(false);
        self.forget_read_ahead();
    }
    /// Closes it for writing.
    pub fn close_write(&self, vm: &mut Vm) -> Res<()> {
        let flushed = self.flush(vm);
        self.writer.borrow_mut().take();
        self.writable.set(false);
        flushed
    }
    /// Takes over the handles and attributes of another stream, for `reopen`.
    pub fn become_like(&self, other: &Stream, reader: Option<Rc<dyn FileHandle>>, writer: Option<Rc<dyn FileHandle>>) {
        self.forget_read_ahead();
        self.tty.set(None);
        *self.reader.borrow_mut() = reader;
        *self.writer.borrow_mut() = writer;
        self.locked.borrow_mut().take();
        self.readable.set(other.readable.get());
        self.writable.set(other.writable.get());
        // a stream without label and path does not replace the label
        if other.label.get().is_some() || other.path.borrow().is_some() {
            self.label.set(other.label.get());
        }
        self.shows.set(other.shows.get());
        *self.path.borrow_mut() = other.path.borrow().clone();
        self.lineno.set(other.lineno.get());
        self.opened.set(true);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(handle) = self.writer.get_mut().as_ref() {
            let _ = rchef_host::compose::write_all(&**handle, self.wbuf.get_mut());
        }
        if let Some(forgotten) = self.locked.get_mut().take() {
            /// Up to this number of locks is kept, so that not all of a process's handles are used up.
            const MOST: usize = 64;
            let mut forgotten = forgotten.borrow_mut();
            if forgotten.len() >= MOST {
                forgotten.clear();
            }
            forgotten.extend(self.reader.get_mut().take().or_else(|| self.writer.get_mut().take()));
        }
    }
}

/// Writes the buffered output of all streams: before a child is started, and at the end of the program.
pub fn flush_all(vm: &mut Vm) -> Res<()> {
    let writers: Vec<Rc<Stream>> =
        vm.extension::<Registry>().writers.drain(..).filter_map(|writer| writer.upgrade()).collect();
    let mut result = Ok(());
    for stream in writers {
        let flushed = stream.flush(vm);
        if result.is_ok() {
            result = flushed;
        }
    }
    result
}

/// Notes that a stream has taken a lock of flock(2) or given it up.
pub fn note_lock(vm: &mut Vm, stream: &Stream, locked: bool) {
    *stream.locked.borrow_mut() = locked.then(|| vm.extension::<Registry>().forgotten.clone());
}
/// Gives up the locks of streams that nothing refers to any longer.
pub fn collect_locked(vm: &mut Vm) {
    vm.extension::<Registry>().forgotten.borrow_mut().clear();
}

/// The handle with this number, if an IO object or `sysopen` has opened it.
pub(super) fn handle_by_number(vm: &mut Vm, number: i32) -> Option<Rc<dyn FileHandle>> {
    let registry = vm.extension::<Registry>();
    if let Some(at) = registry.loose.iter().position(|(known, _)| *known == number) {
        return Some(registry.loose.remove(at).1);
    }
    registry.handles.iter().rev().find(|(known, _)| *known == number).and_then(|(_, handle)| handle.upgrade())
}

/// The number of a handle that belongs to no stream (e.g. of a directory), valid in `for_fd` while the handle lives.
pub fn number_of(vm: &mut Vm, handle: &Rc<dyn FileHandle>) -> i32 {
    let stream = Stream::default();
    *stream.reader.borrow_mut() = Some(handle.clone());
    stream.opened.set(true);
    stream.fileno(vm).unwrap_or(-1)
}
/// Keeps a handle open that is only referred to by its number; returns the number.
pub fn keep_loose(vm: &mut Vm, handle: Rc<dyn FileHandle>) -> i32 {
    let registry = vm.extension::<Registry>();
    let number = handle.fd().unwrap_or_else(|| {
        registry.next += 1;
        100_000 + registry.next
    });
    registry.loose.push((number, handle));
    number
}
