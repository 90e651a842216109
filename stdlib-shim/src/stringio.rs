//! `stringio` 3.0.1, the version in Ruby 3.1. Copies of a StringIO share string and position.

mod encodings;
mod lines;

use rchef_ruby::embed::encoding::{default_external, object as encoding_object};
use rchef_ruby::embed::io::mode::open_mode;
use rchef_ruby::embed::io::puts_into;
use rchef_ruby::embed::regexp::part;
use rchef_ruby::embed::string::append;
use rchef_ruby::text::encoding::{self as enc, Encoding};
use rchef_ruby::{
    Args, ClassId, Error, Gc, MethodDef, NativeData, RString, Res, Symbol, Value, Vm, any, at_least, def, opt, sym,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    any("reopen", reopen),
    def("string", string, 0),
    def("string=", set_string, 1),
    def("close", close, 0),
    def("close_read", close_read, 0),
    def("close_write", close_write, 0),
    def("closed?", is_closed, 0),
    def("closed_read?", is_closed_read, 0),
    def("closed_write?", is_closed_write, 0),
    def("eof", is_eof, 0),
    def("eof?", is_eof, 0),
    def("lineno", lineno, 0),
    def("lineno=", set_lineno, 1),
    def("pos", pos, 0),
    def("tell", pos, 0),
    def("pos=", set_pos, 1),
    def("rewind", rewind, 0),
    opt("seek", seek, 1, 2),
    def("size", size, 0),
    def("length", size, 0),
    def("truncate", truncate, 1),
    opt("read", read, 0, 2),
    any("write", write),
    def("putc", putc, 1),
    def("getc", getc, 0),
    def("getbyte", getbyte, 0),
    def("ungetc", ungetc, 1),
    def("ungetbyte", ungetbyte, 1),
    def("each_char", each_char, 0),
    def("each_byte", each_byte, 0),
    def("each_codepoint", each_codepoint, 0),
    any("gets", lines::gets),
    any("each", lines::each),
    any("each_line", lines::each),
    any("readlines", lines::readlines),
    def("sync", always_true, 0),
    def("sync=", set_sync, 1),
    def("fsync", fsync, 0),
    def("flush", itself, 0),
    def("fileno", always_nil, 0),
    def("pid", always_nil, 0),
    def("isatty", always_false, 0),
    def("tty?", always_false, 0),
    any("fcntl", fcntl),
    def("binmode", encodings::binmode, 0),
    def("external_encoding", encodings::external_encoding, 0),
    def("internal_encoding", encodings::internal_encoding, 0),
    opt("set_encoding", encodings::set_encoding, 1, 3),
    def("set_encoding_by_bom", encodings::set_encoding_by_bom, 0),
];
static SINGLETON: &[MethodDef] = &[any("new", new), any("open", open)];
/// `IO::generic_readable`
static READABLE: &[MethodDef] = &[
    def("readchar", readchar, 0),
    def("readbyte", readbyte, 0),
    any("readline", lines::readline),
    opt("sysread", sysread, 0, 2),
    opt("readpartial", sysread, 1, 2),
    opt("read_nonblock", read_nonblock, 1, 3),
];
/// `IO::generic_writable`
static WRITABLE: &[MethodDef] = &[
    def("<<", push, 1),
    any("print", print),
    at_least("printf", printf, 0),
    any("puts", puts),
    def("syswrite", syswrite, 1),
    opt("write_nonblock", syswrite, 1, 2),
];

struct Shared {
    /// None after the end of the block of `open`.
    string: Option<Gc<RString>>,
    pos: usize,
    lineno: i64,
    append: bool,
    /// The encoding of results, if it is not that of the string.
    encoding: Option<Encoding>,
    readable: bool,
    writable: bool,
}
struct StringIo {
    shared: Rc<RefCell<Shared>>,
    readable: Cell<bool>,
    writable: Cell<bool>,
}
impl NativeData for StringIo {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Some(string) = &self.shared.borrow().string {
            visit(&Value::Str(string.clone()));
        }
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(StringIo {
            shared: self.shared.clone(),
            readable: self.readable.clone(),
            writable: self.writable.clone(),
        }))
    }
}

pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let class = vm.define_class(ClassId::OBJECT, "StringIO", ClassId::OBJECT);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.include_module(class, ClassId::ENUMERABLE);
    for (name, table) in [("generic_readable", READABLE), ("generic_writable", WRITABLE)] {
        let module = vm.define_module(ClassId::IO, name);
        vm.define_methods(module, table);
        vm.include_module(class, module);
    }
    vm.define_methods(class, METHODS);
    vm.define_singleton_methods(class, SINGLETON);
    let version = Value::str("3.0.1.2");
    vm.freeze(&version);
    vm.const_set(class, Symbol::intern_static("VERSION"), version);
    Ok(())
}

#[cold]
fn io_error(vm: &mut Vm, text: &str) -> Error {
    vm.error(ClassId::IO_ERROR, text)
}
#[cold]
fn end_of_file(vm: &mut Vm) -> Error {
    vm.error(ClassId::EOF_ERROR, "end of file reached")
}
const EINVAL: i32 = 22;
const EACCES: i32 = 13;

/// The shared state; nothing is read or written of a frozen StringIO.
fn shared(vm: &mut Vm, this: &Value) -> Res<Rc<RefCell<Shared>>> {
    vm.check_frozen(this)?;
    match vm.data::<StringIo>(this) {
        Some(io) => Ok(io.shared.clone()),
        None => Err(io_error(vm, "uninitialized stream")),
    }
}
/// Whether it is open for (reading, writing).
fn access(vm: &Vm, this: &Value) -> (bool, bool) {
    vm.data::<StringIo>(this).map_or((false, false), |io| {
        let shared = io.shared.borrow();
        (shared.readable && io.readable.get(), shared.writable && io.writable.get())
    })
}
/// The shared state and the string; an IOError unless it is open for reading.
fn reading(vm: &mut Vm, this: &Value) -> Res<(Rc<RefCell<Shared>>, Gc<RString>)> {
    let found = shared(vm, this)?;
    let string = found.borrow().string.clone();
    match string {
        Some(string) if access(vm, this).0 => Ok((found, string)),
        _ => Err(io_error(vm, "not opened for reading")),
    }
}
/// The same for writing; the string must not be frozen.
fn writing(vm: &mut Vm, this: &Value) -> Res<(Rc<RefCell<Shared>>, Gc<RString>)> {
    let found = shared(vm, this)?;
    let string = found.borrow().string.clone();
    match string {
        Some(string) if access(vm, this).1 => {
            if string.frozen() {
                return Err(io_error(vm, "not modifiable string"));
            }
            Ok((found, string))
        }
        _ => Err(io_error(vm, "not opened for writing")),
    }
}
/// The encoding of results.
fn read_encoding(vm: &Vm, shared: &RefCell<Shared>, string: &Gc<RString>) -> Encoding {
    shared.borrow().encoding.unwrap_or_else(|| string.get(vm).encoding())
}
/// A part of the string, in the encoding of results.
fn taken(vm: &Vm, shared: &RefCell<Shared>, string: &Gc<RString>, from: usize, to: usize) -> Value {
    let contents = string.get(vm);
    match shared.borrow().encoding {
        Some(encoding) if encoding != contents.encoding() => {
            Value::string(RString::new(contents.bytes()[from..to].to_vec(), encoding))
        }
        _ => part(contents, from, to),
    }
}

fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Class(class) = this else { return Ok(Value::Nil) };
    if args.block.is_some() {
        let name = vm.class_name(*class);
        vm.warn(&format!("{name}::new() does not take block; use {name}::open() instead"))?;
    }
    let made = vm.call_name(this, "allocate", &[])?;
    vm.call_args(&made, sym::INITIALIZE, Args { block: None, ..args })?;
    Ok(made)
}
fn open(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let made = vm.call_args(this, sym::NEW, Args { block: None, ..args })?;
    let Some(block) = args.block else { return Ok(made) };
    vm.ensure(
        |vm| vm.yield1(block, made.clone()),
        |vm| {
            let found = shared(vm, &made)?;
            let mut found = found.borrow_mut();
            found.string = None;
            found.readable = false;
            found.writable = false;
            Ok(())
        },
    )
}
/// Sets string and mode from the arguments of `new` and `reopen`.
fn set_up(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<()> {
    const APPEND: i32 = 0o2000;
    const TRUNCATE: i32 = 0o1000;
    let (pos, options) = args.split();
    if pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "0..2"));
    }
    let string = match pos.first() {
        Some(given) => Some(vm.to_str(given)?),
        None => None,
    };
    let mode = open_mode(vm, pos.get(1).unwrap_or(&Value::Nil), &Value::Nil, options)?;
    let string = match string {
        Some(string) => string,
        None => {
            let encoding = default_external(vm);
            Gc::new(ClassId::STRING, RString::new(Vec::new(), encoding))
        }
    };
    let frozen = string.frozen();
    let (readable, writable) = if mode.given { (mode.readable(), mode.writable()) } else { (true, !frozen) };
    if frozen && writable {
        return Err(vm.errno(EACCES, None));
    }
    let flags = if mode.given { mode.flags } else { 0 };
    if flags & TRUNCATE != 0 {
        vm.check_frozen(&Value::Str(string.clone()))?;
        string.get_mut(vm).bytes_mut().clear();
    }
    let mut encoding = mode.external;
    if encoding.is_none() && mode.binary {
        encoding = Some(Encoding::Binary);
    }
    let new =
        Shared { string: Some(string), pos: 0, lineno: 0, append: flags & APPEND != 0, encoding, readable, writable };
    match vm.data::<StringIo>(this) {
        Some(io) => {
            *io.shared.borrow_mut() = new;
            io.readable.set(readable);
            io.writable.set(writable);
        }
        None => vm.set_data(
            this,
            StringIo {
                shared: Rc::new(RefCell::new(new)),
                readable: Cell::new(readable),
                writable: Cell::new(writable),
            },
        ),
    }
    if mode.bom {
        encodings::skip_bom(vm, this)?;
    }
    Ok(())
}
/// `new(string = "", mode = "r+")`
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_up(vm, this, args)?;
    Ok(this.clone())
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    let found = shared(vm, other)?;
    let (readable, writable) = access(vm, other);
    vm.set_data(this, StringIo { shared: found, readable: Cell::new(readable), writable: Cell::new(writable) });
    Ok(this.clone())
}
fn reopen(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    if args.len() == 1 && !matches!(args.at(0), Value::Str(_)) {
        let other = match vm.data::<StringIo>(args.at(0)) {
            Some(_) => args.at(0).clone(),
            None => match vm.try_convert(args.at(0), Symbol::intern_static("to_strio"))? {
                Some(other) => other,
                None => {
                    let described = vm.describe(args.at(0));
                    return Err(vm.type_error(format!("can't convert {described} into StringIO")));
                }
            },
        };
        return initialize_copy(vm, this, Args::new(&[other]));
    }
    set_up(vm, this, args)?;
    Ok(this.clone())
}
fn string(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = shared(vm, this)?;
    let string = found.borrow().string.clone();
    Ok(string.map(Value::Str).unwrap_or_default())
}
fn set_string(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let string = vm.to_str(args.at(0))?;
    set_up(vm, this, Args::new(&[Value::Str(string.clone())]))?;
    Ok(Value::Str(string))
}

fn set_closed(vm: &mut Vm, this: &Value, read: bool, write: bool) {
    if let Some(io) = vm.data::<StringIo>(this) {
        io.readable.set(io.readable.get() && !read);
        io.writable.set(io.writable.get() && !write);
    }
}
fn close(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    set_closed(vm, this, true, true);
    Ok(Value::Nil)
}
fn close_read(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = shared(vm, this)?;
    if !found.borrow().readable {
        return Err(io_error(vm, "closing non-duplex IO for reading"));
    }
    set_closed(vm, this, true, false);
    Ok(Value::Nil)
}
fn close_write(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = shared(vm, this)?;
    if !found.borrow().writable {
        return Err(io_error(vm, "closing non-duplex IO for writing"));
    }
    set_closed(vm, this, false, true);
    Ok(Value::Nil)
}
fn is_closed(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(access(vm, this) == (false, false)))
}
fn is_closed_read(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(!access(vm, this).0))
}
fn is_closed_write(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(!access(vm, this).1))
}
fn is_eof(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (found, string) = reading(vm, this)?;
    Ok(Value::bool(found.borrow().pos >= string.get(vm).bytesize()))
}
fn lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(shared(vm, this)?.borrow().lineno))
}
fn set_lineno(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let number = vm.to_int(args.at(0))?;
    shared(vm, this)?.borrow_mut().lineno = number;
    Ok(args.at(0).clone())
}
fn pos(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(shared(vm, this)?.borrow().pos))
}
fn set_pos(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let at = vm.to_int(args.at(0))?;
    let Ok(at) = usize::try_from(at) else { return Err(vm.errno(EINVAL, None)) };
    shared(vm, this)?.borrow_mut().pos = at;
    Ok(args.at(0).clone())
}
fn rewind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = shared(vm, this)?;
    let mut found = found.borrow_mut();
    (found.pos, found.lineno) = (0, 0);
    Ok(Value::Int(0))
}
/// `seek(offset, whence = IO::SEEK_SET)`
fn seek(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if access(vm, this) == (false, false) {
        return Err(io_error(vm, "closed stream"));
    }
    let amount = vm.to_int(args.at(0))?;
    let whence = match args.get(1) {
        None | Some(Value::Nil) => 0,
        Some(Value::Sym(symbol)) => match symbol.as_str() {
            "SET" => 0,
            "CUR" => 1,
            "END" => 2,
            _ => -1,
        },
        Some(value) => vm.to_int(value)?,
    };
    let found = shared(vm, this)?;
    let base = match whence {
        0 => 0,
        1 => found.borrow().pos as i64,
        2 => found.borrow().string.as_ref().map_or(0, |string| string.get(vm).bytesize()) as i64,
        _ => return Err(vm.errno(EINVAL, Some("invalid whence"))),
    };
    let at = base.checked_add(amount).and_then(|at| usize::try_from(at).ok());
    let Some(at) = at else { return Err(vm.errno(EINVAL, None)) };
    found.borrow_mut().pos = at;
    Ok(Value::Int(0))
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = shared(vm, this)?;
    let string = found.borrow().string.clone();
    match string {
        Some(string) => Ok(Value::len(string.get(vm).bytesize())),
        None => Err(io_error(vm, "not opened")),
    }
}
fn truncate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (_, string) = writing(vm, this)?;
    let len = vm.to_int(args.at(0))?;
    let Ok(size) = usize::try_from(len) else { return Err(vm.errno(EINVAL, Some("negative length"))) };
    let held = string.get(vm).bytesize();
    vm.check_growth(held, size.saturating_sub(held))?;
    string.get_mut(vm).bytes_mut().resize(size, 0);
    Ok(args.at(0).clone())
}

/// `read(length = nil, buffer = nil)`
fn read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (found, string) = reading(vm, this)?;
    let buffer = match args.get(1) {
        None | Some(Value::Nil) => None,
        Some(buffer) => {
            let buffer = vm.to_str(buffer)?;
            vm.check_frozen(&Value::Str(buffer.clone()))?;
            Some(buffer)
        }
    };
    let wanted = match args.at(0) {
        Value::Nil => None,
        value => {
            let wanted = vm.to_int(value)?;
            let Ok(count) = usize::try_from(wanted) else {
                return Err(vm.argument_error(format!("negative length {wanted} given")));
            };
            Some(count)
        }
    };
    // determined only now, because converting the arguments may have changed the string
    let end = string.get(vm).bytesize();
    let at = found.borrow().pos;
    let left = end.saturating_sub(at);
    if wanted.is_some_and(|count| count > 0) && left == 0 {
        if let Some(buffer) = buffer {
            buffer.get_mut(vm).bytes_mut().clear();
        }
        return Ok(Value::Nil);
    }
    let count = wanted.unwrap_or(left).min(left);
    let from = at.min(end);
    found.borrow_mut().pos = if count > 0 { at + count } else { at };
    if let Some(buffer) = buffer {
        let bytes = string.get(vm).bytes()[from..from + count].to_vec();
        let encoding = if wanted.is_some() { Encoding::Binary } else { string.get(vm).encoding() };
        buffer.get_mut(vm).replace(RString::new(bytes, encoding));
        return Ok(Value::Str(buffer));
    }
    Ok(match wanted {
        Some(_) => Value::string(RString::binary(string.get(vm).bytes()[from..from + count].to_vec())),
        None => taken(vm, &found, &string, from, from + count),
    })
}

/// Converts text to the encoding of the string; unchanged if that is not possible.
fn converted(vm: &mut Vm, text: Gc<RString>, to: Encoding) -> Gc<RString> {
    let contents = text.get(vm);
    let from = contents.encoding();
    if from == to
        || from == Encoding::Binary
        || matches!(to, Encoding::Binary | Encoding::UsAscii)
        || (contents.is_ascii() && to.is_ascii_compatible())
    {
        return text;
    }
    match enc::transcode(contents.bytes(), from, to, &mut enc::Options::default()) {
        Ok(bytes) => Gc::new(ClassId::STRING, RString::new(bytes, to)),
        Err(_) => text,
    }
}
/// Writes text at the position; returns the number of bytes.
fn write_text(vm: &mut Vm, this: &Value, value: &Value) -> Res<usize> {
    let text = vm.to_s(value)?;
    let (found, string) = writing(vm, this)?;
    let encoding = read_encoding(vm, &found, &string);
    let text = converted(vm, text, encoding);
    let count = text.get(vm).bytesize();
    if count == 0 {
        return Ok(0);
    }
    let end = string.get(vm).bytesize();
    let at = if found.borrow().append { end } else { found.borrow().pos };
    vm.check_growth(end, at.saturating_add(count).saturating_sub(end))?;
    let binary = encoding == Encoding::Binary || text.get(vm).encoding() == Encoding::Binary;
    if at == end && !binary && !text.same(&string) {
        append(vm, &string, &text)?;
    } else {
        let range = text.get(vm).known_range();
        let bytes = text.get(vm).bytes().to_vec();
        let contents = string.get_mut(vm);
        if at == end {
            contents.push_bytes(&bytes, range);
        } else {
            let mut target = contents.bytes_mut();
            if target.len() < at + count {
                target.resize(at + count, 0);
            }
            target[at..at + count].copy_from_slice(&bytes);
        }
    }
    found.borrow_mut().pos = at + count;
    Ok(count)
}
fn write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut total = 0;
    for value in args.pos {
        total += write_text(vm, this, value)?;
    }
    if args.is_empty() {
        writing(vm, this)?;
    }
    Ok(Value::len(total))
}
fn putc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    writing(vm, this)?;
    let text = match args.at(0) {
        Value::Str(text) => {
            let contents = text.get(vm);
            let end = enc::char_len_at(contents.bytes(), 0, contents.encoding()).len();
            part(contents, 0, end)
        }
        value => {
            let byte = vm.to_int(value)? as u8;
            Value::string(RString::binary(vec![byte]))
        }
    };
    vm.call(this, sym::WRITE, &[text])?;
    Ok(args.at(0).clone())
}

/// The next character; None at the end.
fn next_char(vm: &mut Vm, this: &Value) -> Res<Option<Value>> {
    let (found, string) = reading(vm, this)?;
    let at = found.borrow().pos;
    let encoding = read_encoding(vm, &found, &string);
    let bytes = string.get(vm).bytes();
    if at >= bytes.len() {
        return Ok(None);
    }
    let end = (at + enc::char_len_at(bytes, at, encoding).len().max(1)).min(bytes.len());
    found.borrow_mut().pos = end;
    Ok(Some(taken(vm, &found, &string, at, end)))
}
fn next_byte(vm: &mut Vm, this: &Value) -> Res<Option<Value>> {
    let (found, string) = reading(vm, this)?;
    let at = found.borrow().pos;
    let byte = string.get(vm).bytes().get(at).copied();
    if byte.is_some() {
        found.borrow_mut().pos = at + 1;
    }
    Ok(byte.map(|byte| Value::Int(i64::from(byte))))
}
fn getc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::or_nil(next_char(vm, this)?))
}
fn getbyte(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::or_nil(next_byte(vm, this)?))
}
fn readchar(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    or_end(vm, this, "getc", Args::none())
}
fn readbyte(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    or_end(vm, this, "getbyte", Args::none())
}
/// The result of another method; EOFError if it is nil.
fn or_end(vm: &mut Vm, this: &Value, name: &'static str, args: Args<'_>) -> Res {
    match vm.call_args(this, Symbol::intern_static(name), args)? {
        Value::Nil => Err(end_of_file(vm)),
        found => Ok(found),
    }
}
fn sysread(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    or_end(vm, this, "read", args)
}
fn read_nonblock(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [exception]) = args.take_keywords(vm, [Symbol::intern_static("exception")])?;
    match vm.call_name(this, "read", pos)? {
        Value::Nil if matches!(exception, Some(Value::False)) => Ok(Value::Nil),
        Value::Nil => Err(end_of_file(vm)),
        found => Ok(found),
    }
}
fn each_char(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else {
        return Ok(vm.enumerator_of(this, Symbol::intern_static("each_char"), args.pos));
    };
    while let Some(found) = next_char(vm, this)? {
        vm.yield1(block, found)?;
    }
    Ok(this.clone())
}
fn each_byte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else {
        return Ok(vm.enumerator_of(this, Symbol::intern_static("each_byte"), args.pos));
    };
    while let Some(found) = next_byte(vm, this)? {
        vm.yield1(block, found)?;
    }
    Ok(this.clone())
}
fn each_codepoint(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else {
        return Ok(vm.enumerator_of(this, Symbol::intern_static("each_codepoint"), args.pos));
    };
    while let Some(found) = next_char(vm, this)? {
        let code = vm.call_name(&found, "ord", &[])?;
        vm.yield1(block, code)?;
    }
    Ok(this.clone())
}

/// Pushes bytes back before the position: overwrites the bytes there, or inserts them at the start if there are not enough.
fn unget(vm: &mut Vm, this: &Value, bytes: &[u8]) -> Res {
    let (found, string) = writing_back(vm, this)?;
    let at = found.borrow().pos;
    let held = string.get(vm).bytesize();
    vm.check_growth(held, at.saturating_sub(held).saturating_add(bytes.len()))?;
    let mut contents = string.get_mut(vm).bytes_mut();
    let start = if bytes.len() > at {
        let end = at.min(contents.len());
        contents.splice(0..end, bytes.iter().copied());
        0
    } else {
        if contents.len() < at {
            contents.resize(at, 0);
        }
        let start = at - bytes.len();
        contents[start..at].copy_from_slice(bytes);
        start
    };
    found.borrow_mut().pos = start;
    Ok(Value::Nil)
}
fn writing_back(vm: &mut Vm, this: &Value) -> Res<(Rc<RefCell<Shared>>, Gc<RString>)> {
    let (found, string) = reading(vm, this)?;
    if string.frozen() {
        return Err(io_error(vm, "not modifiable string"));
    }
    Ok((found, string))
}
fn ungetc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (found, string) = reading(vm, this)?;
    if args.at(0).is_nil() {
        return Ok(Value::Nil);
    }
    let encoding = read_encoding(vm, &found, &string);
    let text = match args.at(0) {
        Value::Int(code) => {
            let encoding = encoding_object(vm, encoding);
            let made = vm.call_name(&Value::Int(*code), "chr", &[encoding])?;
            vm.to_str(&made)?
        }
        value => vm.to_str(value)?,
    };
    let text = converted(vm, text, encoding);
    let bytes = text.get(vm).bytes().to_vec();
    if bytes.is_empty() { Ok(Value::Nil) } else { unget(vm, this, &bytes) }
}
fn ungetbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    reading(vm, this)?;
    let bytes = match args.at(0) {
        Value::Nil => return Ok(Value::Nil),
        Value::Int(byte) => vec![*byte as u8],
        Value::Big(_) => {
            let low = vm.call_name(args.at(0), "&", &[Value::Int(255)])?;
            vec![vm.to_int(&low)? as u8]
        }
        value => {
            let text = vm.to_str(value)?;
            text.get(vm).bytes().to_vec()
        }
    };
    if bytes.is_empty() { Ok(Value::Nil) } else { unget(vm, this, &bytes) }
}

fn push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.call(this, sym::WRITE, args.pos)?;
    Ok(this.clone())
}
fn syswrite(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.call(this, sym::WRITE, &args.pos[..1])
}
fn puts(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    puts_into(vm, this, args.pos)?;
    Ok(Value::Nil)
}
fn print(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (field, record) = (vm.global_get(sym::DOLLAR_COMMA)?, vm.global_get(Symbol::intern_static("$\\"))?);
    if args.is_empty() {
        let line = vm.global_get(sym::DOLLAR_UNDERSCORE)?;
        vm.call(this, sym::WRITE, &[line])?;
    }
    for (index, value) in args.pos.iter().enumerate() {
        if index > 0 && !field.is_nil() {
            vm.call(this, sym::WRITE, std::slice::from_ref(&field))?;
        }
        vm.call(this, sym::WRITE, std::slice::from_ref(value))?;
    }
    if !record.is_nil() {
        vm.call(this, sym::WRITE, &[record])?;
    }
    Ok(Value::Nil)
}
fn printf(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Ok(Value::Nil);
    }
    let text = vm.call_name(&Value::Class(ClassId::KERNEL), "format", args.pos)?;
    vm.call(this, sym::WRITE, &[text])?;
    Ok(Value::Nil)
}

fn itself(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
fn always_true(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    shared(vm, this)?;
    Ok(Value::True)
}
fn always_false(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    shared(vm, this)?;
    Ok(Value::False)
}
fn always_nil(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    shared(vm, this)?;
    Ok(Value::Nil)
}
fn set_sync(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    shared(vm, this)?;
    Ok(args.at(0).clone())
}
fn fsync(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    shared(vm, this)?;
    Ok(Value::Int(0))
}
fn fcntl(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Err(vm.not_implemented("fcntl() function is unimplemented on this machine"))
}
