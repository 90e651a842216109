//! ARGF: the files in ARGV, one after the other, or standard input.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;

#[derive(Default)]
struct State {
    object: Value,
    current: Value,
    name: Value,
    started: bool,
    lineno: i64,
}

impl Vm {
    pub(crate) fn argf(&mut self) -> Value {
        self.extension::<State>().object.clone()
    }
}
/// The current file, opened if necessary; None at the end.
fn current(vm: &mut Vm) -> Res<Option<Value>> {
    let now = vm.extension::<State>().current.clone();
    if !now.is_nil() {
        return Ok(Some(now));
    }
    let argv = vm.const_own(ClassId::OBJECT, Symbol::intern_static("ARGV")).map(|constant| constant.value.clone());
    let next = match &argv {
        Some(Value::Array(names)) if !names.get(vm).items.is_empty() => Some(names.get_mut(vm).items.remove(0)),
        _ => None,
    };
    let started = std::mem::replace(&mut vm.extension::<State>().started, true);
    let (opened, name) = match next {
        Some(Value::Str(name)) if name.get(vm).bytes() == b"-" => (super::io::stdin(vm), Value::Str(name)),
        Some(name) => (vm.call(&Value::Class(ClassId::FILE), sym::NEW, std::slice::from_ref(&name))?, name),
        None if started => return Ok(None),
        None => (super::io::stdin(vm), Value::str("-")),
    };
    let state = vm.extension::<State>();
    state.current = opened.clone();
    state.name = name;
    Ok(Some(opened))
}
fn advance(vm: &mut Vm) -> Res<()> {
    let done = std::mem::take(&mut vm.extension::<State>().current);
    let standard = super::io::stdin(vm);
    if !done.is_nil() && !done.same(&standard) {
        vm.call_name(&done, "close", &[])?;
    }
    Ok(())
}
fn through(vm: &mut Vm, method: &'static str, args: Args<'_>) -> Res {
    while let Some(file) = current(vm)? {
        let found = vm.call_args(&file, Symbol::intern_static(method), args)?;
        if !found.is_nil() {
            return Ok(found);
        }
        advance(vm)?;
    }
    Ok(Value::Nil)
}
fn gets(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let line = through(vm, "gets", args)?;
    if !line.is_nil() {
        let state = vm.extension::<State>();
        state.lineno += 1;
        let number = state.lineno;
        vm.global_set(Symbol::intern_static("$."), Value::Int(number))?;
    }
    vm.global_set(sym::DOLLAR_UNDERSCORE, line.clone())?;
    Ok(line)
}
fn eof_error(vm: &mut Vm) -> crate::Error {
    vm.error(ClassId::EOF_ERROR, "end of file reached")
}
fn readline(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let line = gets(vm, this, args)?;
    if line.is_nil() { Err(eof_error(vm)) } else { Ok(line) }
}
fn readlines(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut lines = Vec::new();
    loop {
        let line = gets(vm, this, args)?;
        if line.is_nil() {
            return Ok(Value::array(lines));
        }
        lines.push(line);
    }
}
fn each_line(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_line", args) };
    loop {
        let line = gets(vm, this, args.with_block(None))?;
        if line.is_nil() {
            return Ok(this.clone());
        }
        vm.yield1(block, line)?;
    }
}
fn getc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    through(vm, "getc", args)
}
fn getbyte(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    through(vm, "getbyte", args)
}
fn readchar(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = getc(vm, this, args)?;
    if found.is_nil() { Err(eof_error(vm)) } else { Ok(found) }
}
fn readbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = getbyte(vm, this, args)?;
    if found.is_nil() { Err(eof_error(vm)) } else { Ok(found) }
}
fn each_with(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    next: fn(&mut Vm, &Value, Args<'_>) -> Res,
    name: &'static str,
) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, name, args) };
    loop {
        let found = next(vm, this, Args::none())?;
        if found.is_nil() {
            return Ok(this.clone());
        }
        vm.yield1(block, found)?;
    }
}
fn each_char(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    each_with(vm, this, args, getc, "each_char")
}
fn each_byte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    each_with(vm, this, args, getbyte, "each_byte")
}
fn read(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut limit = match args.at(0) {
        Value::Nil => None,
        count => Some(vm.to_int(count)?),
    };
    let mut out: Option<Value> = None;
    while let Some(file) = current(vm)? {
        let wanted = limit.map_or(Value::Nil, Value::Int);
        let got = vm.call_name(&file, "read", &[wanted])?;
        if let Value::Str(text) = &got {
            limit = limit.map(|limit| limit - text.get(vm).bytesize() as i64);
            out = Some(match out {
                None => got.clone(),
                Some(before) => vm.call(&before, sym::PLUS, &[got])?,
            });
            if limit.is_some_and(|limit| limit <= 0) {
                break;
            }
        }
        advance(vm)?;
    }
    Ok(out.unwrap_or_else(|| if args.at(0).is_nil() { Value::str("") } else { Value::Nil }))
}
fn eof(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    match current(vm)? {
        Some(file) => vm.call_name(&file, "eof?", &[]),
        None => Err(vm.error(ClassId::IO_ERROR, "ARGF is not opened for reading")),
    }
}
fn filename(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    current(vm)?;
    Ok(vm.extension::<State>().name.clone())
}
fn file(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(current(vm)?.unwrap_or_default())
}
fn lineno(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(vm.extension::<State>().lineno))
}
fn set_lineno(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let number = vm.to_int(args.at(0))?;
    vm.extension::<State>().lineno = number;
    Ok(args.at(0).clone())
}
fn argv(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(vm
        .const_own(ClassId::OBJECT, Symbol::intern_static("ARGV"))
        .map(|constant| constant.value.clone())
        .unwrap_or_default())
}
fn skip(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    advance(vm)?;
    Ok(this.clone())
}
fn close(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    current(vm)?;
    advance(vm)?;
    vm.extension::<State>().lineno = 0;
    Ok(this.clone())
}
fn closed(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(current(vm)?.is_none()))
}
fn to_s(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str("ARGF"))
}
fn on_current(vm: &mut Vm, method: &'static str, args: Args<'_>) -> Res {
    match current(vm)? {
        Some(file) => vm.call_args(&file, Symbol::intern_static(method), args),
        None => Err(vm.argument_error("no stream")),
    }
}
fn fileno(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    on_current(vm, "fileno", args)
}
fn pos(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    on_current(vm, "pos", args)
}
fn rewind(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    on_current(vm, "rewind", args)
}
fn seek(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    on_current(vm, "seek", args)
}

static METHODS: &[MethodDef] = &[
    any("gets", gets),
    any("readline", readline),
    any("readlines", readlines),
    any("to_a", readlines),
    any("each_line", each_line),
    any("each", each_line),
    def("getc", getc, 0),
    def("getbyte", getbyte, 0),
    def("readchar", readchar, 0),
    def("readbyte", readbyte, 0),
    def("each_char", each_char, 0),
    def("each_byte", each_byte, 0),
    opt("read", read, 0, 2),
    def("eof", eof, 0),
    def("eof?", eof, 0),
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
    def("rewind", rewind, 0),
    opt("seek", seek, 1, 2),
    def("to_s", to_s, 0),
    def("inspect", to_s, 0),
];
fn dollar_less(vm: &mut Vm, _: Symbol) -> Res {
    Ok(vm.argf())
}

pub(super) fn boot(vm: &mut Vm) {
    let argf = Value::object(ClassId::OBJECT);
    if let Some(class) = vm.singleton_class(&argf) {
        vm.include_module(class, ClassId::ENUMERABLE);
        vm.define_methods(class, METHODS);
    }
    vm.extension::<State>().object = argf.clone();
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("ARGF"), argf);
    vm.define_global("$<", dollar_less, None);
}
