//! IO::Buffer: bytes in memory, of a String, or of a mapped file, which schedulers' hooks read into and write from. Nothing is mapped here: a buffer of a
//! file reads and writes the file whenever its bytes are used.

mod values;

use super::handle::to_stream;
use super::stream::Stream;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_host::{FileHandle, HostError};
use rchef_text::encoding::Encoding;
use std::fmt::Write;
use std::rc::Rc;

const EXTERNAL: u32 = 1;
const INTERNAL: u32 = 2;
const MAPPED: u32 = 4;
const LOCKED: u32 = 32;
const PRIVATE: u32 = 64;
const READONLY: u32 = 128;
/// No flag of MRI's: the bytes are those of a String of the engine's own, lent to a scheduler's hook for the time of its call.
const LENT: u32 = 1 << 31;
const PAGE_SIZE: usize = 4096;
const DEFAULT_SIZE: usize = 65536;
/// What `inspect` shows the bytes of.
const SHOWN: usize = 256;
/// The addresses that a process can have on this machine: no more can be mapped.
const ADDRESSES: usize = 1 << 47;
/// The bytes that one call of read(2) transfers at most.
const MOST_READ: usize = 0x7fff_f000;
const EBADF: i64 = 9;
const ENOMEM: i32 = 12;
const EACCES: i32 = 13;
const EINVAL: i32 = 22;
const EOVERFLOW: i32 = 75;

/// Where the bytes of a buffer are.
enum Memory {
    /// Nowhere: a null buffer.
    Null,
    Own(Vec<u8>),
    /// From an offset in a String, or in another buffer.
    Part(Value, usize),
    /// From an offset in a file.
    File(Rc<dyn FileHandle>, u64),
}

struct BufferData {
    memory: Memory,
    size: usize,
    flags: u32,
}
impl NativeData for BufferData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Memory::Part(source, _) = &self.memory {
            visit(source);
        }
    }
}
impl BufferData {
    const NULL: BufferData = BufferData { memory: Memory::Null, size: 0, flags: 0 };
}

static SINGLETON: &[MethodDef] = &[def("for", of_string, 1), opt("map", of_file, 1, 4)];
static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 2).private(),
    def("size", size, 0),
    def("valid?", is_valid, 0),
    def("null?", is_null, 0),
    def("empty?", is_empty, 0),
    def("external?", |vm, this, _| has(vm, this, EXTERNAL), 0),
    def("internal?", |vm, this, _| has(vm, this, INTERNAL), 0),
    def("mapped?", |vm, this, _| has(vm, this, MAPPED), 0),
    def("locked?", |vm, this, _| has(vm, this, LOCKED), 0),
    def("readonly?", |vm, this, _| has(vm, this, READONLY), 0),
    def("locked", locked, 0),
    def("free", free, 0),
    def("transfer", transfer, 0),
    def("resize", resize, 1),
    def("slice", slice, 2),
    def("<=>", compare, 1),
    def("get_value", values::get, 2),
    def("set_value", values::set, 3),
    opt("get_string", get_string, 0, 3),
    opt("set_string", set_string, 1, 4),
    opt("copy", copy, 1, 4),
    opt("clear", clear, 0, 3),
    def("read", read, 2),
    def("pread", pread, 3),
    def("write", write, 2),
    def("pwrite", pwrite, 3),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("hexdump", hexdump, 0),
];

fn data<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut BufferData> {
    if vm.data::<BufferData>(this).is_none() {
        let described = vm.describe(this);
        return Err(vm.type_error(format!("wrong argument type {described} (expected IO::Buffer)")));
    }
    match vm.data_mut::<BufferData>(this) {
        Some(data) => Ok(data),
        None => Err(crate::error::Unwind::Abandon.into()),
    }
}
fn error(vm: &mut Vm, class: &str, text: &str) -> Error {
    let class = vm.class_named(&format!("IO::Buffer::{class}")).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, text)
}
/// A size or offset. MRI takes a negative one for a very large one.
fn size_arg(vm: &mut Vm, value: &Value) -> Res<usize> {
    Ok(vm.to_c_wide(value, true)? as usize)
}
fn has(vm: &mut Vm, this: &Value, flag: u32) -> Res {
    Ok(Value::bool(data(vm, this)?.flags & flag != 0))
}
fn refuse_locked(vm: &mut Vm, this: &Value, text: &str) -> Res<()> {
    if data(vm, this)?.flags & LOCKED != 0 { Err(error(vm, "LockedError", text)) } else { Ok(()) }
}
/// ArgumentError unless `length` bytes from `offset` are within a size.
fn check_range(vm: &mut Vm, size: usize, offset: usize, length: usize) -> Res<()> {
    match offset.checked_add(length) {
        Some(end) if end <= size => Ok(()),
        _ => Err(vm.argument_error("Specified offset+length exceeds data size!")),
    }
}
const fn flags_for(size: usize) -> u32 {
    if size >= PAGE_SIZE { MAPPED } else { INTERNAL }
}
/// New memory of zeros; with neither INTERNAL nor MAPPED nothing can be allocated.
fn allocate(vm: &mut Vm, size: usize, flags: u32) -> Res<BufferData> {
    if size == 0 {
        return Ok(BufferData::NULL);
    }
    if flags & (INTERNAL | MAPPED) == 0 {
        return Err(error(vm, "AllocationError", "Could not allocate buffer!"));
    }
    if size > ADDRESSES {
        return Err(vm.errno(ENOMEM, Some("io_buffer_map_memory:mmap")));
    }
    vm.check_size(size)?;
    Ok(BufferData { memory: Memory::Own(vec![0; size]), size, flags })
}
fn warn_experimental(vm: &mut Vm) -> Res<()> {
    #[derive(Default)]
    struct Warned(bool);
    if std::mem::replace(&mut vm.extension::<Warned>().0, true) {
        return Ok(());
    }
    vm.warn_experimental("IO::Buffer is experimental and both the Ruby and C interface may change in the future!")
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    warn_experimental(vm)?;
    let size = if args.is_empty() { DEFAULT_SIZE } else { size_arg(vm, args.at(0))? };
    let flags = match args.get(1) {
        Some(flags) => vm.to_c_unsigned(flags)? & !LENT,
        None => flags_for(size),
    };
    *data(vm, this)? = allocate(vm, size, flags)?;
    Ok(this.clone())
}
/// `IO::Buffer.for(string)`: the bytes of the String itself.
fn of_string(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    warn_experimental(vm)?;
    let text = vm.to_str(args.at(0))?;
    let size = text.get(vm).bytes().len();
    let source = Value::Str(text);
    let flags = EXTERNAL | if vm.frozen(&source) { READONLY } else { 0 };
    let made = BufferData { memory: Memory::Part(source, 0), size, flags };
    Ok(Value::data(crate::class::this_class(this), made))
}
/// `IO::Buffer.map(file, size = nil, offset = 0, flags = 0)`
fn of_file(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    warn_experimental(vm)?;
    let size = match args.at(1) {
        Value::Nil => vm.call_name(args.at(0), "size", &[])?,
        size => size.clone(),
    };
    let size = size_arg(vm, &size)?;
    let offset = if args.pos.len() > 2 { vm.to_int(args.at(2))? } else { 0 };
    let flags = if args.pos.len() > 3 { vm.to_c_unsigned(args.at(3))? } else { 0 };
    let stream = stream_arg(vm, args.at(0))?;
    let handle = stream.handle(vm)?;
    let place = u64::try_from(offset).map_err(|_| EOVERFLOW);
    let refused = if size == 0 || offset % PAGE_SIZE as i64 != 0 {
        Some(EINVAL)
    } else if size > ADDRESSES {
        Some(ENOMEM)
    } else if !stream.readable.get() || flags & READONLY == 0 && !stream.writable.get() {
        Some(EACCES)
    } else {
        place.err()
    };
    let offset = match (place, refused) {
        (Ok(offset), None) => offset,
        (_, errno) => return Err(vm.errno(errno.unwrap_or(EOVERFLOW), Some("io_buffer_map_file:mmap"))),
    };
    let flags = flags & (READONLY | PRIVATE) | MAPPED;
    let made = if flags & PRIVATE != 0 {
        let bytes = file_bytes(vm, &*handle, offset, size)?;
        BufferData { memory: Memory::Own(bytes), size, flags }
    } else {
        BufferData { memory: Memory::File(handle, offset), size, flags: flags | EXTERNAL }
    };
    Ok(Value::data(crate::class::this_class(this), made))
}
fn file_bytes(vm: &mut Vm, handle: &dyn FileHandle, offset: u64, size: usize) -> Res<Vec<u8>> {
    vm.check_size(size)?;
    let mut bytes = vec![0; size];
    let mut filled = 0;
    while filled < size {
        match handle.pread(&mut bytes[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(got) => filled += got,
            Err(error) => return Err(vm.host_error(&error)),
        }
    }
    Ok(bytes)
}

/// Bytes of a String or buffer from an offset; None if it has no such bytes (any more), or is a null buffer.
fn range(vm: &mut Vm, source: &Value, offset: usize, length: usize) -> Res<Option<Vec<u8>>> {
    let Some(end) = offset.checked_add(length) else { return Ok(None) };
    if let Value::Str(text) = source {
        return Ok(text.get(vm).bytes().get(offset..end).map(<[u8]>::to_vec));
    }
    let state = data(vm, source)?;
    if end > state.size {
        return Ok(None);
    }
    match &state.memory {
        Memory::Null => Ok(None),
        Memory::Own(bytes) => Ok(bytes.get(offset..end).map(<[u8]>::to_vec)),
        Memory::Part(source, from) => {
            let (source, from) = (source.clone(), *from + offset);
            range(vm, &source, from, length)
        }
        Memory::File(handle, from) => {
            let (handle, from) = (handle.clone(), *from + offset as u64);
            file_bytes(vm, &*handle, from, length).map(Some)
        }
    }
}
/// The bytes of a buffer; None if it is a null buffer, or what it is a part of has none for it.
fn bytes_if_valid(vm: &mut Vm, this: &Value) -> Res<Option<Vec<u8>>> {
    let size = data(vm, this)?.size;
    range(vm, this, 0, size)
}
fn is_null_now(vm: &mut Vm, this: &Value) -> Res<bool> {
    Ok(matches!(data(vm, this)?.memory, Memory::Null))
}
/// The size of a buffer that can be read.
fn check_readable(vm: &mut Vm, this: &Value) -> Res<usize> {
    if is_null_now(vm, this)? {
        return Err(error(vm, "AllocationError", "The buffer is not allocated!"));
    }
    if !valid(vm, this)? {
        return Err(error(vm, "InvalidatedError", "Buffer has been invalidated!"));
    }
    Ok(data(vm, this)?.size)
}
/// Bytes of a buffer that are within its size, to read them.
fn part(vm: &mut Vm, this: &Value, offset: usize, length: usize) -> Res<Vec<u8>> {
    match range(vm, this, offset, length)? {
        Some(bytes) => Ok(bytes),
        None => Err(error(vm, "InvalidatedError", "Buffer has been invalidated!")),
    }
}
/// All bytes of a buffer, to read them.
fn bytes(vm: &mut Vm, this: &Value) -> Res<Vec<u8>> {
    let size = check_readable(vm, this)?;
    part(vm, this, 0, size)
}
/// Whether a buffer can be written to: its size.
fn check_writable(vm: &mut Vm, this: &Value) -> Res<usize> {
    if data(vm, this)?.flags & READONLY != 0 {
        return Err(error(vm, "AccessError", "Buffer is not writable!"));
    }
    if is_null_now(vm, this)? {
        return Err(error(vm, "AllocationError", "The buffer is not allocated!"));
    }
    if !valid(vm, this)? {
        return Err(error(vm, "InvalidatedError", "Buffer is invalid!"));
    }
    Ok(data(vm, this)?.size)
}
/// Puts bytes at an offset, for which there is room.
fn put(vm: &mut Vm, this: &Value, at: usize, new: &[u8]) -> Res<()> {
    let state = data(vm, this)?;
    match &mut state.memory {
        Memory::Null => Ok(()),
        Memory::Own(bytes) => {
            if let Some(room) = bytes.get_mut(at..at + new.len()) {
                room.copy_from_slice(new);
            }
            Ok(())
        }
        Memory::Part(Value::Str(text), offset) => {
            let (text, from) = (text.clone(), *offset + at);
            if let Some(room) = text.get_mut(vm).bytes_mut().get_mut(from..from + new.len()) {
                room.copy_from_slice(new);
            }
            Ok(())
        }
        Memory::Part(source, offset) => {
            let (source, from) = (source.clone(), *offset + at);
            put(vm, &source, from, new)
        }
        Memory::File(handle, offset) => {
            let (handle, from) = (handle.clone(), *offset + at as u64);
            handle.pwrite(new, from).map_err(|error| vm.host_error(&error))?;
            Ok(())
        }
    }
}

fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(data(vm, this)?.size))
}
/// Whether what the buffer is a part of still has its bytes.
fn valid(vm: &mut Vm, this: &Value) -> Res<bool> {
    let state = data(vm, this)?;
    let Memory::Part(source, offset) = &state.memory else { return Ok(true) };
    let (source, end) = (source.clone(), *offset + state.size);
    match &source {
        Value::Str(text) => Ok(end <= text.get(vm).bytes().len()),
        buffer => Ok(!is_null_now(vm, buffer)? && end <= data(vm, buffer)?.size && valid(vm, buffer)?),
    }
}
fn is_valid(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(valid(vm, this)?))
}
fn is_null(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(is_null_now(vm, this)?))
}
fn is_empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(data(vm, this)?.size == 0))
}
fn locked(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    refuse_locked(vm, this, "Buffer already locked!")?;
    let Some(block) = args.block else { return Err(vm.error(ClassId::LOCAL_JUMP_ERROR, "no block given (yield)")) };
    data(vm, this)?.flags |= LOCKED;
    // as in MRI it stays locked when the block is left by an exception
    let result = vm.yield_block(block, Args::new(std::slice::from_ref(this)))?;
    data(vm, this)?.flags &= !LOCKED;
    Ok(result)
}
fn free(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    refuse_locked(vm, this, "Buffer is locked!")?;
    *data(vm, this)? = BufferData::NULL;
    Ok(this.clone())
}
fn transfer(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    refuse_locked(vm, this, "Cannot transfer ownership of locked buffer!")?;
    let moved = std::mem::replace(data(vm, this)?, BufferData::NULL);
    Ok(Value::data(vm.real_class_of(this), moved))
}
fn resize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let size = size_arg(vm, args.at(0))?;
    refuse_locked(vm, this, "Cannot resize locked buffer!")?;
    if is_null_now(vm, this)? {
        *data(vm, this)? = allocate(vm, size, flags_for(size))?;
        return Ok(this.clone());
    }
    if data(vm, this)?.flags & EXTERNAL != 0 {
        return Err(error(vm, "AccessError", "Cannot resize external buffer!"));
    }
    let mut all = bytes(vm, this)?;
    let flags = data(vm, this)?.flags;
    let flags = if flags & (INTERNAL | MAPPED) == 0 { flags_for(size) } else { flags };
    let mut made = allocate(vm, size, flags)?;
    if let Memory::Own(memory) = &mut made.memory {
        all.resize(size, 0);
        *memory = all;
    }
    *data(vm, this)? = made;
    Ok(this.clone())
}
fn slice(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (offset, size) = (size_arg(vm, args.at(0))?, size_arg(vm, args.at(1))?);
    let state = data(vm, this)?;
    let all = state.size;
    let (source, from) = match &state.memory {
        Memory::Part(source, from) => (source.clone(), *from),
        _ => (this.clone(), 0),
    };
    check_range(vm, all, offset, size)?;
    let made = BufferData { memory: Memory::Part(source, from + offset), size, flags: 0 };
    Ok(Value::data(vm.real_class_of(this), made))
}
/// Shorter buffers come first; of those of a size, the bytes count.
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (own, other) = (bytes(vm, this)?, bytes(vm, args.at(0))?);
    Ok(Value::Int(own.len().cmp(&other.len()).then_with(|| own.cmp(&other)) as i64))
}
fn get_string(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let size = check_readable(vm, this)?;
    let offset = if args.is_empty() { 0 } else { size_arg(vm, args.at(0))? };
    let length = match args.at(1) {
        Value::Nil => size.wrapping_sub(offset),
        length => size_arg(vm, length)?,
    };
    let encoding = match args.get(2) {
        Some(named) => crate::core::encoding::to_encoding(vm, named)?,
        None => Encoding::Binary,
    };
    check_range(vm, size, offset, length)?;
    let bytes = part(vm, this, offset, length)?;
    Ok(Value::string(RString::new(bytes, encoding)))
}
/// Copies bytes to `(offset, length, source_offset)`: their number.
fn copy_from(vm: &mut Vm, this: &Value, source: &[u8], args: &[Value]) -> Res {
    let offset = args.first().map_or(Ok(0), |offset| size_arg(vm, offset))?;
    let from = args.get(2).map_or(Ok(0), |from| size_arg(vm, from))?;
    if from > source.len() {
        return Err(vm.argument_error("The given source offset is bigger than the source itself!"));
    }
    let length = match args.get(1) {
        None | Some(Value::Nil) => source.len() - from,
        Some(length) => size_arg(vm, length)?,
    };
    let size = check_writable(vm, this)?;
    check_range(vm, size, offset, length)?;
    let Some(chosen) = from.checked_add(length).and_then(|end| source.get(from..end)) else {
        return Err(vm.argument_error("The computed source range exceeds the size of the source!"));
    };
    put(vm, this, offset, chosen)?;
    Ok(Value::len(length))
}
fn set_string(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = vm.to_str(args.at(0))?;
    let source = text.get(vm).bytes().to_vec();
    copy_from(vm, this, &source, &args.pos[1..])
}
fn copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let source = bytes(vm, args.at(0))?;
    copy_from(vm, this, &source, &args.pos[1..])
}
/// `clear(value = 0, offset = 0, length = all that follow)`
fn clear(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let value = if args.is_empty() { 0 } else { vm.to_c_unsigned(args.at(0))? as u8 };
    let offset = args.get(1).map_or(Ok(0), |offset| size_arg(vm, offset))?;
    let all = data(vm, this)?.size;
    let length = args.get(2).map_or(Ok(all.wrapping_sub(offset)), |length| size_arg(vm, length))?;
    let size = check_writable(vm, this)?;
    if offset.checked_add(length).is_none_or(|end| end > size) {
        return Err(vm.argument_error("The given offset + length out of bounds!"));
    }
    vm.check_size(length)?;
    put(vm, this, offset, &vec![value; length])?;
    Ok(this.clone())
}

/// The result of a call of the system: what it gave, or its error number, negative.
fn outcome(result: Result<usize, HostError>) -> Value {
    match result {
        Ok(count) => Value::len(count),
        Err(error) => Value::Int(-i64::from(error.errno)),
    }
}
/// One read into the buffer, of as many bytes as it has room for.
fn read_with(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    read: impl FnOnce(&dyn FileHandle, &mut [u8]) -> Result<usize, HostError>,
) -> Res {
    let length = size_arg(vm, args.at(1))?;
    let size = data(vm, this)?.size;
    check_range(vm, size, 0, length)?;
    let stream = stream_arg(vm, args.at(0))?;
    let size = check_writable(vm, this)?.min(MOST_READ);
    if !stream.readable.get() {
        return Ok(Value::Int(-EBADF));
    }
    let handle = stream.reading(vm)?;
    vm.check_size(size)?;
    let mut got = vec![0; size];
    let result = read(&*handle, &mut got);
    if let Ok(count) = result {
        put(vm, this, 0, &got[..count])?;
    }
    Ok(outcome(result))
}
/// One write of the first `length` bytes.
fn write_with(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    write: impl FnOnce(&dyn FileHandle, &[u8]) -> Result<usize, HostError>,
) -> Res {
    let length = size_arg(vm, args.at(1))?;
    let size = data(vm, this)?.size;
    check_range(vm, size, 0, length)?;
    let stream = stream_arg(vm, args.at(0))?;
    check_readable(vm, this)?;
    if !stream.writable.get() {
        return Ok(Value::Int(-EBADF));
    }
    stream.flush(vm)?;
    let handle = stream.writing(vm)?;
    let first = part(vm, this, 0, length)?;
    let filtered = stream.filtered(vm, &first);
    let written = write(&*handle, filtered.as_deref().unwrap_or(&first));
    // another length would reveal that the bytes were replaced
    Ok(outcome(written.map(|count| if filtered.is_some() { length } else { count })))
}
/// The offset for one call of the system, which refuses negative ones.
fn offset_of(offset: i64) -> Result<u64, HostError> {
    u64::try_from(offset).map_err(|_| HostError::new(EINVAL, "offset"))
}
/// The stream of an IO. What has no descriptor has no method for it.
fn stream_arg(vm: &mut Vm, value: &Value) -> Res<Rc<Stream>> {
    if !vm.is_a(value, ClassId::IO) {
        vm.call_name(value, "fileno", &[])?;
    }
    to_stream(vm, value)
}
/// What the scheduler's hook gives for a buffer's own call, if it has the hook.
fn scheduled(vm: &mut Vm, hook: &'static str, this: &Value, args: Args<'_>) -> Res<Option<Value>> {
    let mut words = vec![args.at(0).clone(), this.clone()];
    words.extend_from_slice(&args.pos[1..]);
    super::scheduled::io_hook(vm, hook, &words)
}
fn read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match scheduled(vm, "io_read", this, args)? {
        Some(result) => Ok(result),
        None => read_with(vm, this, args, |handle, room| handle.read(room, None)),
    }
}
fn pread(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(result) = scheduled(vm, "io_pread", this, args)? {
        return Ok(result);
    }
    let offset = vm.to_int(args.at(2))?;
    read_with(vm, this, args, |handle, room| handle.pread(room, offset_of(offset)?))
}
fn write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match scheduled(vm, "io_write", this, args)? {
        Some(result) => Ok(result),
        None => write_with(vm, this, args, |handle, bytes| handle.write(bytes, None)),
    }
}
fn pwrite(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(result) = scheduled(vm, "io_pwrite", this, args)? {
        return Ok(result);
    }
    let offset = vm.to_int(args.at(2))?;
    write_with(vm, this, args, |handle, bytes| handle.pwrite(bytes, offset_of(offset)?))
}

/// `#<IO::Buffer 0x…+SIZE FLAGS>`. The number stands for the object that has the memory, as all numbers that are shown do.
fn text(vm: &mut Vm, this: &Value) -> Res<String> {
    let class = vm.class_name_of(this);
    let state = data(vm, this)?;
    let (size, flags) = (state.size, state.flags);
    let (root, from) = match &state.memory {
        Memory::Null => (None, 0),
        Memory::Part(source, offset) => (Some(source.clone()), *offset as u64),
        Memory::Own(_) | Memory::File(..) => (Some(this.clone()), 0),
    };
    let is_part = flags & LENT == 0 && root.as_ref().is_some_and(|root| !root.same(this));
    let at = root.as_ref().map_or(0, |root| vm.shown_number(root) + from);
    let mut text = format!("#<{class} 0x{at:016x}+{size}");
    let words = [
        (root.is_none(), "NULL"),
        (flags & EXTERNAL != 0, "EXTERNAL"),
        (flags & INTERNAL != 0, "INTERNAL"),
        (flags & MAPPED != 0, "MAPPED"),
        (flags & LOCKED != 0, "LOCKED"),
        (flags & READONLY != 0, "READONLY"),
        (is_part, "SLICE"),
        (!valid(vm, this)?, "INVALID"),
    ];
    for (_, word) in words.iter().filter(|(holds, _)| *holds) {
        text.push(' ');
        text.push_str(word);
    }
    text.push('>');
    Ok(text)
}
/// Lines of sixteen bytes, in hexadecimal and as text.
fn dump(vm: &mut Vm, all: &[u8]) -> Res<String> {
    const LINE: usize = "0x00000000  ".len() + 16 * 4 + 2;
    let size = all.len().div_ceil(16) * LINE;
    vm.check_size(size)?;
    let mut text = String::with_capacity(size);
    for (index, row) in all.chunks(16).enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let codes: String = row.iter().map(|byte| format!(" {byte:02x}")).collect();
        let _ = write!(text, "0x{:08x} {codes:48} ", index * 16);
        text.extend(row.iter().map(|byte| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' }));
    }
    Ok(text)
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(text(vm, this)?))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut text = text(vm, this)?;
    if data(vm, this)?.size <= SHOWN
        && let Some(all) = bytes_if_valid(vm, this)?
        && !all.is_empty()
    {
        text.push('\n');
        text.push_str(&dump(vm, &all)?);
    }
    Ok(Value::str(text))
}
fn hexdump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match bytes_if_valid(vm, this)? {
        Some(all) => Ok(Value::str(dump(vm, &all)?)),
        None => Ok(Value::Nil),
    }
}

/// What a hook of a scheduler is given for a while.
pub(crate) enum Lent {
    /// Room for so many bytes.
    Room(usize),
    /// Bytes of a String from an offset on.
    Rest { text: Value, from: usize, size: usize },
}
/// A locked buffer for a hook, which [`take_back`] ends.
pub(crate) fn lend(vm: &mut Vm, lent: Lent) -> Value {
    let (memory, size) = match lent {
        Lent::Room(size) => (Memory::Own(vec![0; size]), size),
        Lent::Rest { text, from, size } => (Memory::Part(text, from), size),
    };
    let class = vm.class_named("IO::Buffer").unwrap_or(ClassId::OBJECT);
    Value::data(class, BufferData { memory, size, flags: LOCKED | LENT })
}
/// The bytes that were put where room was lent. The buffer is a null buffer from then on.
pub(crate) fn take_back(vm: &mut Vm, buffer: &Value) -> Res<Vec<u8>> {
    let lent = std::mem::replace(data(vm, buffer)?, BufferData::NULL);
    match lent.memory {
        // a hook can only have initialized it anew
        _ if lent.flags & LENT == 0 => Err(error(vm, "LockedError", "Buffer not locked!")),
        Memory::Own(bytes) => Ok(bytes),
        _ => Ok(Vec::new()),
    }
}

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::IO, "Buffer", ClassId::OBJECT);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::data(class, BufferData::NULL)));
    vm.include_module(class, ClassId::COMPARABLE);
    vm.define_singleton_methods(class, SINGLETON);
    vm.define_methods(class, METHODS);
    for name in ["LockedError", "AllocationError", "AccessError", "InvalidatedError"] {
        vm.define_class(class, name, ClassId::RUNTIME_ERROR);
    }
    const LITTLE_ENDIAN: i64 = 4;
    const BIG_ENDIAN: i64 = 8;
    let host = if cfg!(target_endian = "little") { LITTLE_ENDIAN } else { BIG_ENDIAN };
    for (name, value) in [
        ("EXTERNAL", i64::from(EXTERNAL)),
        ("INTERNAL", i64::from(INTERNAL)),
        ("MAPPED", i64::from(MAPPED)),
        ("LOCKED", i64::from(LOCKED)),
        ("PRIVATE", i64::from(PRIVATE)),
        ("READONLY", i64::from(READONLY)),
        ("LITTLE_ENDIAN", LITTLE_ENDIAN),
        ("BIG_ENDIAN", BIG_ENDIAN),
        ("HOST_ENDIAN", host),
        ("NETWORK_ENDIAN", BIG_ENDIAN),
        ("PAGE_SIZE", PAGE_SIZE as i64),
        ("DEFAULT_SIZE", DEFAULT_SIZE as i64),
    ] {
        vm.const_set(class, Symbol::intern_static(name), Value::Int(value));
    }
}
