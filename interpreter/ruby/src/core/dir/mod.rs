//! Dir.

mod glob;

use super::path::{fail_at, path_value, to_path, to_path_str};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_host::{FileHandle, OpenFlags};
use rchef_text::encoding::Encoding;
use std::rc::Rc;

/// A Dir; its entries are read when it is opened.
#[derive(Default)]
pub struct DirData {
    path: Option<Vec<u8>>,
    path_encoding: Encoding,
    encoding: Encoding,
    /// The open directory, for `fileno`.
    handle: Option<Rc<dyn FileHandle>>,
    entries: Vec<Vec<u8>>,
    at: usize,
    closed: bool,
}
impl NativeData for DirData {}

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 1, 2).private(),
    def("fileno", fileno, 0),
    def("path", path, 0),
    def("to_path", path, 0),
    def("inspect", inspect, 0),
    def("read", read, 0),
    def("each", each, 0),
    def("children", children, 0),
    def("each_child", each_child, 0),
    def("rewind", rewind, 0),
    def("pos", pos, 0),
    def("tell", pos, 0),
    def("pos=", set_pos, 1),
    def("seek", seek, 1),
    def("close", close, 0),
];
static SINGLETON: &[MethodDef] = &[
    opt("open", open, 1, 2),
    opt("foreach", foreach, 1, 2),
    opt("entries", entries_class, 1, 2),
    opt("children", children_class, 1, 2),
    opt("each_child", each_child_class, 1, 2),
    def("exist?", exist, 1),
    def("exists?", exists, 1),
    def("empty?", empty, 1),
    opt("mkdir", mkdir, 1, 2),
    def("rmdir", rmdir, 1),
    def("delete", rmdir, 1),
    def("unlink", rmdir, 1),
    opt("chdir", chdir, 0, 1),
    def("pwd", pwd, 0),
    def("getwd", pwd, 0),
    opt("home", home, 0, 1),
    any("glob", glob::glob),
    any("[]", glob::aref),
];

/// The names in a directory, beginning with `.` and `..`.
fn list(vm: &mut Vm, path: &[u8]) -> Res<Vec<Vec<u8>>> {
    let mut names = vec![b".".to_vec(), b"..".to_vec()];
    names.extend(names_in(vm, path)?);
    Ok(names)
}
fn names_in(vm: &mut Vm, path: &[u8]) -> Res<Vec<Vec<u8>>> {
    let entries = vm.host.readdir(path).map_err(|error| fail_at(vm, &error, "dir_initialize", path))?;
    Ok(entries.into_iter().map(|entry| entry.name).collect())
}
/// The path, and the encoding of names.
fn path_and_options(vm: &mut Vm, args: Args<'_>) -> Res<(RString, Encoding)> {
    // an Enumerator passes keywords as a Hash
    let args = if args.len() == 2 && matches!(args.at(1), Value::Hash(_)) { args.with_keywords(true) } else { args };
    let (pos, [encoding]) = args.take_keywords(vm, [rchef_syntax::symbol::sym::ENCODING])?;
    let encoding = match encoding {
        Some(encoding) => super::io::mode::encoding_arg(vm, &encoding)?,
        None => None,
    };
    match pos {
        [path] => Ok((to_path_str(vm, path)?, encoding.unwrap_or(Encoding::Utf8))),
        _ => Err(vm.arity_error(pos.len(), "1")),
    }
}
/// A name as a String, converted to the default internal encoding if possible.
fn name_value(vm: &mut Vm, name: Vec<u8>, encoding: Encoding) -> Value {
    let value = Value::string(RString::new(name, encoding));
    let Some(internal) = super::encoding::default_internal(vm).filter(|internal| *internal != encoding) else {
        return value;
    };
    let to = super::encoding::object(vm, internal);
    let convert = |vm: &mut Vm| vm.call_name(&value, "encode", &[to]);
    vm.rescue(ClassId::STANDARD_ERROR, convert, |_, _| Ok(value.clone())).unwrap_or_else(|_| value.clone())
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (path, encoding) = path_and_options(vm, args)?;
    let entries = list(vm, path.bytes())?;
    let path_encoding = path.encoding();
    vm.set_data(
        this,
        DirData { path: Some(path.into_bytes()), path_encoding, encoding, handle: None, entries, at: 0, closed: false },
    );
    Ok(this.clone())
}
fn open_data<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut DirData> {
    let state = vm.data::<DirData>(this).map(|data| (data.path.is_some(), data.closed));
    match state {
        Some((true, false)) => {}
        Some((true, true)) => return Err(vm.error(ClassId::IO_ERROR, "closed directory")),
        _ => return Err(vm.error(ClassId::IO_ERROR, "uninitialized Dir")),
    }
    match vm.data_mut::<DirData>(this) {
        Some(data) => Ok(data),
        None => unreachable!("checked above"),
    }
}
fn path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let path =
        vm.data::<DirData>(this).and_then(|data| data.path.clone().map(|path| RString::new(path, data.path_encoding)));
    Ok(path.map_or(Value::Nil, Value::string))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let path = vm.data::<DirData>(this).and_then(|data| data.path.clone());
    Ok(Value::str(match path {
        Some(path) => format!("#<{class}:{}>", String::from_utf8_lossy(&path)),
        None => format!("#<{class}: uninitialized>"),
    }))
}
fn read(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = open_data(vm, this)?;
    let Some(name) = data.entries.get(data.at).cloned() else { return Ok(Value::Nil) };
    data.at += 1;
    let encoding = data.encoding;
    Ok(name_value(vm, name, encoding))
}
fn fileno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = open_data(vm, this)?;
    let (known, path) = (data.handle.clone(), data.path.clone().unwrap_or_default());
    let handle = match known {
        Some(handle) => handle,
        None => {
            let opened = vm
                .host
                .open(&path, OpenFlags::RDONLY | OpenFlags::DIRECTORY, 0)
                .map_err(|error| fail_at(vm, &error, "dir_initialize", &path))?;
            let handle: Rc<dyn FileHandle> = Rc::from(opened);
            open_data(vm, this)?.handle = Some(handle.clone());
            handle
        }
    };
    Ok(Value::Int(i64::from(super::io::stream::number_of(vm, &handle))))
}
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each", args) };
    open_data(vm, this)?.at = 0;
    loop {
        let name = read(vm, this, Args::none())?;
        if name.is_nil() {
            return Ok(this.clone());
        }
        vm.yield1(block, name)?;
    }
}
fn is_dot(name: &[u8]) -> bool {
    name == b"." || name == b".."
}
/// The remaining names without `.` and `..`.
fn children(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = open_data(vm, this)?;
    let (names, encoding) = (data.entries.clone(), data.encoding);
    data.at = data.entries.len();
    Ok(values(vm, names.into_iter().filter(|name| !is_dot(name)).collect(), encoding))
}
fn values(vm: &mut Vm, names: Vec<Vec<u8>>, encoding: Encoding) -> Value {
    Value::array(names.into_iter().map(|name| name_value(vm, name, encoding)).collect())
}
fn each_child(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_child", args) };
    open_data(vm, this)?.at = 0;
    loop {
        let data = open_data(vm, this)?;
        let Some(name) = data.entries.get(data.at).cloned() else { return Ok(this.clone()) };
        data.at += 1;
        let encoding = data.encoding;
        if !is_dot(&name) {
            let name = name_value(vm, name, encoding);
            vm.yield1(block, name)?;
        }
    }
}
fn rewind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = open_data(vm, this)?;
    data.at = 0;
    let path = data.path.clone().unwrap_or_default();
    if let Ok(entries) = list(vm, &path) {
        open_data(vm, this)?.entries = entries;
    }
    Ok(this.clone())
}
fn pos(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(open_data(vm, this)?.at))
}
fn set_pos(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    seek(vm, this, args)?;
    Ok(args.at(0).clone())
}
fn seek(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let at = vm.to_int(args.at(0))?;
    open_data(vm, this)?.at = usize::try_from(at).unwrap_or(0);
    Ok(this.clone())
}
fn close(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if vm.data::<DirData>(this).is_none_or(|data| data.path.is_none()) {
        return Err(vm.error(ClassId::IO_ERROR, "uninitialized Dir"));
    }
    if let Some(data) = vm.data_mut::<DirData>(this) {
        data.closed = true;
    }
    Ok(Value::Nil)
}

fn open(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let opened = crate::core::construct::new(vm, this, args.with_block(None))?;
    let Some(block) = args.block else { return Ok(opened) };
    let result = vm.yield1(block, opened.clone());
    if let Some(data) = vm.data_mut::<DirData>(&opened) {
        data.closed = true;
    }
    result
}
fn foreach(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "foreach", args) };
    let (path, encoding) = path_and_options(vm, args)?;
    for name in list(vm, path.bytes())? {
        let name = name_value(vm, name, encoding);
        vm.yield1(block, name)?;
    }
    Ok(Value::Nil)
}
fn entries_class(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (path, encoding) = path_and_options(vm, args)?;
    let names = list(vm, path.bytes())?;
    Ok(values(vm, names, encoding))
}
fn children_class(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (path, encoding) = path_and_options(vm, args)?;
    let names = names_in(vm, path.bytes())?;
    Ok(values(vm, names, encoding))
}
fn each_child_class(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_child", args) };
    let (path, encoding) = path_and_options(vm, args)?;
    for name in names_in(vm, path.bytes())? {
        let name = name_value(vm, name, encoding);
        vm.yield1(block, name)?;
    }
    Ok(Value::Nil)
}
fn exist(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if vm.is_a(args.at(0), ClassId::IO) {
        let stream = super::io::stream_of(vm, args.at(0))?;
        let handle = stream.handle(vm)?;
        return Ok(Value::bool(handle.stat().is_ok_and(|stat| stat.is_dir())));
    }
    let path = to_path(vm, args.at(0))?;
    Ok(Value::bool(vm.host.stat(&path).is_ok_and(|stat| stat.is_dir())))
}
/// `Dir.exists?`, removed in Ruby 3.2, is used by old cookbooks.
fn exists(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    const TEXT: &str = "Dir.exists? is deprecated; use Dir.exist? instead";
    vm.deprecated(TEXT);
    vm.warn_deprecated(TEXT)?;
    exist(vm, this, args)
}
fn empty(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    const ENOTDIR: i32 = 20;
    match vm.host.readdir(&path) {
        Ok(entries) => Ok(Value::bool(entries.is_empty())),
        Err(error) if error.errno == ENOTDIR => Ok(Value::False),
        Err(error) => Err(fail_at(vm, &error, "rb_dir_s_empty_p", &path)),
    }
}
fn mkdir(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mode = match args.get(1) {
        Some(mode) => vm.to_int(mode)? as u32,
        None => 0o777,
    };
    let path = to_path(vm, args.at(0))?;
    vm.host.mkdir(&path, mode).map_err(|error| fail_at(vm, &error, "dir_s_mkdir", &path))?;
    Ok(Value::Int(0))
}
fn rmdir(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    vm.host.rmdir(&path).map_err(|error| fail_at(vm, &error, "dir_s_rmdir", &path))?;
    Ok(Value::Int(0))
}
/// The number of running blocks of `chdir`, and the thread that has called the first.
#[derive(Default)]
struct Blocks {
    running: u32,
    thread: Value,
}

fn chdir(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = match args.get(0) {
        Some(path) => to_path(vm, path)?,
        None => {
            let host = vm.host.clone();
            match host.env(b"HOME").or_else(|| host.env(b"LOGDIR")) {
                Some(home) => home,
                None => return Err(vm.argument_error("HOME/LOGDIR not set")),
            }
        }
    };
    let thread = super::thread::current(vm);
    let blocks = vm.extension::<Blocks>();
    if blocks.running > 0 {
        const CONFLICT: &str = "conflicting chdir during another chdir block";
        if !blocks.thread.same(&thread) {
            return Err(vm.runtime_error(CONFLICT));
        }
        if args.block.is_none() {
            vm.warn(CONFLICT)?;
        }
    }
    let before = if args.block.is_some() { vm.host.getcwd().ok() } else { None };
    vm.host.chdir(&path).map_err(|error| fail_at(vm, &error, "dir_s_chdir", &path))?;
    let Some(block) = args.block else { return Ok(Value::Int(0)) };
    let blocks = vm.extension::<Blocks>();
    *blocks = Blocks { running: blocks.running + 1, thread };
    let result = vm.yield1(block, path_value(path));
    vm.extension::<Blocks>().running -= 1;
    if let Some(before) = before {
        let back = vm.host.chdir(&before);
        if result.is_ok() {
            back.map_err(|error| fail_at(vm, &error, "dir_chdir", &before))?;
        }
    }
    result
}
fn pwd(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let found = vm.host.getcwd().map_err(|error| fail_at(vm, &error, "rb_dir_getwd", b""))?;
    Ok(path_value(found))
}
fn home(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let user = match args.get(0) {
        Some(user) if !user.is_nil() => vm.to_str(user)?.get(vm).bytes().to_vec(),
        _ => Vec::new(),
    };
    let found = super::file::home(vm, &user)?;
    if found.first() != Some(&b'/') {
        return Err(vm.argument_error("non-absolute home"));
    }
    Ok(path_value(found))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::DIR).allocator = Some(|_, class| Ok(Value::data(class, DirData::default())));
    vm.include_module(ClassId::DIR, ClassId::ENUMERABLE);
    vm.define_methods(ClassId::DIR, METHODS);
    vm.define_singleton_methods(ClassId::DIR, SINGLETON);
}
