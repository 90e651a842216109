//! ARGF: the files in ARGV, one after the other, or standard input.

mod inplace;
mod reading;

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::io::{IoData, Stream};
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use rchef_text::encoding::Encoding;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Where an ARGF is in its list.
#[derive(Clone, Copy, Default, PartialEq)]
enum Place {
    /// Nothing has been read yet.
    #[default]
    New,
    /// The next name of the list is to be opened.
    Next,
    /// A file of the list is being read.
    File,
    /// The list was empty: standard input is being read.
    Input,
}

/// How in-place mode keeps the old content of a file.
#[derive(Clone, Default)]
enum InPlace {
    /// Files are only read.
    #[default]
    Off,
    /// The old content is removed.
    Without,
    /// The old file gets this suffix.
    Suffix(Value),
}

/// The encodings that `set_encoding` has set, for the files that follow as well.
#[derive(Clone)]
struct Encodings {
    external: Option<Encoding>,
    internal: Option<Encoding>,
    replace: (bool, bool, Option<crate::RString>),
}

/// The state of ARGF, or of another object of its class.
#[derive(Default)]
pub struct Argf {
    argv: RefCell<Value>,
    /// The file being read, or the last one; nil before the first.
    current: RefCell<Value>,
    name: RefCell<Value>,
    place: Cell<Place>,
    /// Whether `current` was closed here.
    closed: Cell<bool>,
    lineno: Cell<i64>,
    /// Of ARGF itself: `$.`, the number of the last line read from any stream.
    last_line: Cell<i64>,
    inplace: RefCell<InPlace>,
    /// In in-place mode: where output goes.
    writer: RefCell<Value>,
    binmode: Cell<bool>,
    encodings: RefCell<Option<Encodings>>,
}

impl Argf {
    /// Whether this stream is the file being read.
    fn reads(&self, vm: &Vm, stream: &Stream) -> bool {
        vm.data::<IoData>(&self.current.borrow()).is_some_and(|data| std::ptr::eq(&*data.0, stream))
    }
}

struct ArgfData(Rc<Argf>);
impl NativeData for ArgfData {}

/// The object ARGF.
#[derive(Default)]
struct Global {
    object: Value,
    argf: Rc<Argf>,
}

impl Vm {
    pub(crate) fn argf(&mut self) -> Value {
        self.extension::<Global>().object.clone()
    }
    /// Sets the arguments of the program: the elements of ARGV.
    pub fn set_argv(&mut self, arguments: Vec<Value>) {
        let argf = self.extension::<Global>().argf.clone();
        if let Value::Array(argv) = &*argf.argv.borrow() {
            argv.get_mut(self).items = arguments.into();
        }
    }
    /// Sets the in-place mode of ARGF: the suffix of backups, which may be empty.
    pub fn set_inplace_mode(&mut self, suffix: &str) {
        let argf = self.extension::<Global>().argf.clone();
        argf.inplace.replace(if suffix.is_empty() { InPlace::Without } else { InPlace::Suffix(Value::str(suffix)) });
    }
    /// A line of the stream was read, its `lineno`th: `$.` is the number of the line among all of ARGF's if ARGF reads the stream.
    pub(super) fn line_was_read(&mut self, stream: &Stream, lineno: i64) {
        let argf = self.extension::<Global>().argf.clone();
        if argf.reads(self, stream) {
            argf.lineno.set(argf.lineno.get() + 1);
            argf.last_line.set(argf.lineno.get());
        } else {
            argf.last_line.set(lineno);
        }
    }
    /// A stream that had read so many lines is at its start again.
    pub(super) fn lines_were_rewound(&mut self, stream: &Stream, lines: i64) {
        let argf = self.extension::<Global>().argf.clone();
        if argf.reads(self, stream) {
            argf.lineno.set(argf.lineno.get() - lines);
        }
    }
}
fn of(vm: &Vm, this: &Value) -> Rc<Argf> {
    vm.data::<ArgfData>(this).map(|data| data.0.clone()).unwrap_or_default()
}
fn is_global(vm: &mut Vm, argf: &Rc<Argf>) -> bool {
    Rc::ptr_eq(&vm.extension::<Global>().argf, argf)
}
/// Sets the number of lines read, for ARGF itself also `$.`.
fn count_lines(argf: &Argf, lineno: i64) {
    argf.lineno.set(lineno);
    argf.last_line.set(lineno);
}
/// Takes the next name off the list.
fn shift(vm: &mut Vm, argf: &Argf) -> Option<Value> {
    match &*argf.argv.borrow() {
        Value::Array(names) if !names.get(vm).items.is_empty() => Some(names.get_mut(vm).items.remove(0)),
        _ => None,
    }
}
fn has_names(vm: &Vm, argf: &Argf) -> bool {
    matches!(&*argf.argv.borrow(), Value::Array(names) if !names.get(vm).items.is_empty())
}
/// Closes the current file, but not standard input.
fn close_current(vm: &mut Vm, argf: &Argf) -> Res<()> {
    let file = argf.current.borrow().clone();
    if file.same(&super::io::stdin(vm)) {
        return Ok(());
    }
    argf.writer.take();
    if !file.is_nil() && vm.respond_to(&file, Symbol::intern_static("close"), true)? {
        vm.call_name(&file, "close", &[])?;
    }
    argf.closed.set(true);
    Ok(())
}
/// Makes sure that there is a current file; false at the end of the list.
fn advance(vm: &mut Vm, argf: &Argf) -> Res<bool> {
    let named = has_names(vm, argf);
    match argf.place.get() {
        Place::New | Place::Input => argf.place.set(if named { Place::Next } else { Place::Input }),
        Place::Next | Place::File => {}
    }
    match argf.place.get() {
        Place::Next => {
            if !argf.closed.get() {
                close_current(vm, argf)?;
            }
            loop {
                let Some(name) = shift(vm, argf) else { return Ok(false) };
                if open(vm, argf, &name)? {
                    break;
                }
            }
            argf.place.set(Place::File);
        }
        Place::Input => {
            argf.current.replace(super::io::stdin(vm));
            argf.name.replace(Value::str("-"));
            if !matches!(*argf.inplace.borrow(), InPlace::Off) {
                vm.warn("Can't do inplace edit for stdio")?;
                super::io::restore_stdout(vm);
            }
        }
        Place::New | Place::File => {}
    }
    argf.closed.set(false);
    Ok(true)
}
/// Opens a file of the list as the current one; false if it is skipped.
fn open(vm: &mut Vm, argf: &Argf, name: &Value) -> Res<bool> {
    let path = super::path::to_path_str(vm, name)?;
    argf.name.replace(Value::string(path.clone()));
    let edits = !matches!(*argf.inplace.borrow(), InPlace::Off);
    if path.bytes() == b"-" {
        argf.current.replace(super::io::stdin(vm));
        if edits {
            vm.warn("Can't do inplace edit for stdio; skipping")?;
            return Ok(false);
        }
    } else {
        let stream = super::io::class::open_path(vm, path.bytes(), &super::io::mode::Mode::read())?;
        if edits {
            match inplace::begin(vm, argf, &path, &stream)? {
                Some(writer) => drop(argf.writer.replace(writer)),
                None => return Ok(false),
            }
        }
        argf.current.replace(super::io::object(ClassId::FILE, stream));
    }
    let current = argf.current.borrow().clone();
    if argf.binmode.get() {
        vm.call_name(&current, "binmode", &[])?;
    }
    if let (Some(encodings), Some(data)) = (&*argf.encodings.borrow(), vm.data::<IoData>(&current)) {
        data.0.external.set(encodings.external);
        data.0.internal.set(encodings.internal);
        data.0.replace.replace(encodings.replace.clone());
    }
    Ok(true)
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = Argf { argv: RefCell::new(Value::array(args.pos.to_vec())), ..Argf::default() };
    vm.set_data(this, ArgfData(Rc::new(argf)));
    Ok(Value::Nil)
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let from = of(vm, args.at(0));
    let argv = match &*from.argv.borrow() {
        Value::Array(names) => Value::array(names.get(vm).items.to_vec()),
        _ => Value::Nil,
    };
    let copy = Argf {
        argv: RefCell::new(argv),
        current: from.current.clone(),
        name: from.name.clone(),
        place: from.place.clone(),
        closed: from.closed.clone(),
        lineno: from.lineno.clone(),
        last_line: Cell::default(),
        inplace: from.inplace.clone(),
        writer: from.writer.clone(),
        binmode: from.binmode.clone(),
        encodings: from.encodings.clone(),
    };
    vm.set_data(this, ArgfData(Rc::new(copy)));
    Ok(this.clone())
}
fn filename(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let argf = of(vm, this);
    advance(vm, &argf)?;
    Ok(argf.name.borrow().clone())
}
fn file(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let argf = of(vm, this);
    advance(vm, &argf)?;
    Ok(argf.current.borrow().clone())
}
fn lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(of(vm, this).lineno.get()))
}
fn set_lineno(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (argf, number) = (of(vm, this), vm.to_int(args.at(0))?);
    count_lines(&argf, number);
    Ok(Value::Nil)
}
fn argv(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(of(vm, this).argv.borrow().clone())
}
fn skip(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let argf = of(vm, this);
    if argf.place.get() == Place::File {
        close_current(vm, &argf)?;
        argf.place.set(Place::Next);
    }
    Ok(this.clone())
}
fn close(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let argf = of(vm, this);
    advance(vm, &argf)?;
    close_current(vm, &argf)?;
    if argf.place.get() != Place::Input {
        argf.place.set(Place::Next);
    }
    argf.lineno.set(0);
    Ok(this.clone())
}
/// Calls a method of the current file.
fn on_current(vm: &mut Vm, argf: &Argf, method: &'static str, args: Args<'_>) -> Res {
    let current = argf.current.borrow().clone();
    vm.call_args(&current, Symbol::intern_static(method), args)
}
/// The same if there is a current file, else ArgumentError.
fn on_stream(vm: &mut Vm, this: &Value, method: &'static str, purpose: &str, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    if !advance(vm, &argf)? {
        return Err(vm.argument_error(format!("no stream{purpose}")));
    }
    on_current(vm, &argf, method, args)
}
fn closed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    advance(vm, &argf)?;
    on_current(vm, &argf, "closed?", args)
}
fn to_s(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str("ARGF"))
}
fn fileno(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    on_stream(vm, this, "fileno", "", args)
}
fn pos(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    on_stream(vm, this, "pos", " to tell", args)
}
fn set_pos(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    on_stream(vm, this, "pos=", " to set position", args)
}
fn seek(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    on_stream(vm, this, "seek", " to seek", args)
}
fn rewind(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    let lines = match (advance(vm, &argf)?, vm.data::<IoData>(&argf.current.borrow())) {
        (true, Some(data)) => data.0.lineno.get(),
        _ => 0,
    };
    let result = on_stream(vm, this, "rewind", " to rewind", args)?;
    if !is_global(vm, &argf) {
        argf.lineno.set(argf.lineno.get() - lines);
    }
    Ok(result)
}
fn binmode(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    argf.binmode.set(true);
    advance(vm, &argf)?;
    on_current(vm, &argf, "binmode", args)?;
    Ok(this.clone())
}
fn is_binmode(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(of(vm, this).binmode.get()))
}
fn encoding_of(vm: &mut Vm, this: &Value, method: &'static str) -> Res {
    let argf = of(vm, this);
    if argf.current.borrow().is_nil() {
        let encoding = super::encoding::default_external(vm);
        return Ok(super::encoding::object(vm, encoding));
    }
    on_current(vm, &argf, method, Args::none())
}
fn external_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    encoding_of(vm, this, "external_encoding")
}
fn internal_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    encoding_of(vm, this, "internal_encoding")
}
fn set_encoding(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    on_stream(vm, this, "set_encoding", " to set encoding", args)?;
    let argf = of(vm, this);
    if let Some(data) = vm.data::<IoData>(&argf.current.borrow()) {
        let stream = &data.0;
        argf.encodings.replace(Some(Encodings {
            external: stream.external.get(),
            internal: stream.internal.get(),
            replace: stream.replace.borrow().clone(),
        }));
    }
    Ok(this.clone())
}

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    any("gets", reading::gets),
    any("readline", reading::readline),
    any("readlines", reading::readlines),
    any("to_a", reading::readlines),
    any("each_line", reading::each_line),
    any("each", reading::each_line),
    def("getc", reading::getc, 0),
    def("getbyte", reading::getbyte, 0),
    def("readchar", reading::readchar, 0),
    def("readbyte", reading::readbyte, 0),
    def("each_char", reading::each_char, 0),
    def("each_byte", reading::each_byte, 0),
    def("each_codepoint", reading::each_codepoint, 0),
    opt("read", reading::read, 0, 2),
    opt("readpartial", reading::readpartial, 1, 2),
    opt("read_nonblock", reading::read_nonblock, 1, 3),
    def("eof", reading::eof, 0),
    def("eof?", reading::eof, 0),
    def("filename", filename, 0),
    def("path", filename, 0),
    def("file", file, 0),
    def("to_io", file, 0),
    def("lineno", lineno, 0),
    def("lineno=", set_lineno, 1),
    def("argv", argv, 0),
    def("skip", skip, 0),
    def("close", close, 0),
    def("closed?", closed, 0),
    def("fileno", fileno, 0),
    def("to_i", fileno, 0),
    def("pos", pos, 0),
    def("tell", pos, 0),
    def("pos=", set_pos, 1),
    def("rewind", rewind, 0),
    opt("seek", seek, 1, 2),
    def("binmode", binmode, 0),
    def("binmode?", is_binmode, 0),
    def("external_encoding", external_encoding, 0),
    def("internal_encoding", internal_encoding, 0),
    opt("set_encoding", set_encoding, 1, 3),
    def("inplace_mode", inplace::mode, 0),
    def("inplace_mode=", inplace::set_mode, 1),
    def("to_write_io", inplace::to_write_io, 0),
    def("write", inplace::write, 1),
    any("print", super::io::output::print),
    def("putc", super::io::output::putc, 1),
    any("puts", super::io::output::puts),
    any("printf", super::io::output::printf),
    def("to_s", to_s, 0),
    def("inspect", to_s, 0),
];

fn set_last_line(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    let number = vm.to_int(&value)?;
    let argf = vm.extension::<Global>().argf.clone();
    count_lines(&argf, number);
    Ok(())
}

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.new_class(ClassId::OBJECT);
    vm.class_mut(class).name = Some(Rc::from("ARGF.class"));
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::data(class, ArgfData(Rc::default()))));
    vm.include_module(class, ClassId::ENUMERABLE);
    vm.define_methods(class, METHODS);
    let arguments = Value::array(Vec::new());
    let argf = Rc::new(Argf { argv: RefCell::new(arguments.clone()), ..Argf::default() });
    let object = Value::data(class, ArgfData(argf.clone()));
    *vm.extension::<Global>() = Global { object: object.clone(), argf };
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("ARGF"), object);
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("ARGV"), arguments);
    vm.define_global("$<", |vm, _| Ok(vm.argf()), None);
    let get: fn(&mut Vm, Symbol) -> Res = |vm, _| {
        let object = vm.argf();
        vm.call_name(&object, "argv", &[])
    };
    vm.define_global("$*", get, None);
    vm.define_global("$.", |vm, _| Ok(Value::Int(vm.extension::<Global>().argf.last_line.get())), Some(set_last_line));
    let get: fn(&mut Vm, Symbol) -> Res = |vm, _| {
        let object = vm.argf();
        vm.call_name(&object, "filename", &[])
    };
    vm.define_global("$FILENAME", get, None);
    inplace::boot(vm);
}
