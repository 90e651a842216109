//! File.

pub(crate) mod path;
pub mod stat;
mod test;

pub use path::{home, normalise};

use super::io::mode::open_mode;
use super::io::stream::{IoData, Stream, note_lock};
use super::io::{class as io_class, stream_of};
use super::path::{fail_at, fail_two, path_value, to_path, to_path_str};
use super::time::{at_host, to_host_time};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, at_least, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_host::{LockKind, OpenFlags, SetTime, Stat};
use rchef_syntax::symbol::sym;
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("path", file_path, 0),
    def("to_path", file_path, 0),
    def("lstat", file_lstat, 0),
    def("atime", file_atime, 0),
    def("mtime", file_mtime, 0),
    def("ctime", file_ctime, 0),
    def("birthtime", file_birthtime, 0),
    def("size", file_size, 0),
    def("chmod", file_chmod, 1),
    def("chown", file_chown, 2),
    def("truncate", file_truncate, 1),
    def("flock", file_flock, 1),
];
static SINGLETON: &[MethodDef] = &[
    any("join", path::join),
    opt("expand_path", path::expand_path, 1, 2),
    opt("absolute_path", path::absolute_path, 1, 2),
    def("absolute_path?", path::is_absolute_path, 1),
    opt("realpath", path::realpath, 1, 2),
    opt("realdirpath", path::realdirpath, 1, 2),
    opt("basename", path::basename, 1, 2),
    opt("dirname", path::dirname, 1, 2),
    def("extname", path::extname, 1),
    def("split", path::split, 1),
    def("path", path::path, 1),
    opt("fnmatch", path::fnmatch, 2, 3),
    opt("fnmatch?", path::fnmatch, 2, 3),
    def("stat", stat_class, 1),
    def("lstat", lstat_class, 1),
    def("ftype", ftype, 1),
    def("atime", atime, 1),
    def("mtime", mtime, 1),
    def("ctime", ctime, 1),
    def("birthtime", birthtime, 1),
    at_least("chmod", chmod, 1),
    at_least("lchmod", lchmod, 1),
    at_least("chown", chown, 2),
    at_least("lchown", lchown, 2),
    at_least("utime", utime, 2),
    at_least("lutime", lutime, 2),
    def("rename", rename, 2),
    any("delete", delete),
    any("unlink", delete),
    def("link", link, 2),
    def("symlink", symlink, 2),
    def("readlink", readlink, 1),
    opt("mkfifo", mkfifo, 1, 2),
    def("truncate", truncate, 2),
    opt("umask", umask, 0, 1),
];
static KERNEL: &[MethodDef] = &[opt("test", test::kernel_test, 2, 3)];

/// `File.new(path, mode = "r", perm = 0666, **options)`, or with a file descriptor.
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, options) = args.split();
    if vm.data::<IoData>(this).is_some_and(|data| data.0.opened.get()) {
        return Err(vm.runtime_error("reinitializing File"));
    }
    if pos.is_empty() || pos.len() > 3 {
        return Err(vm.arity_error(pos.len(), "1..3"));
    }
    let number = match &pos[0] {
        Value::Int(_) => true,
        Value::Str(_) => false,
        other => {
            !vm.respond_to(other, sym::TO_PATH, true)?
                && !vm.respond_to(other, sym::TO_STR, true)?
                && vm.respond_to(other, sym::TO_INT, true)?
        }
    };
    if number {
        return io_class::initialize(vm, this, args);
    }
    if args.block.is_some() {
        let class = vm.class_name_of(this);
        vm.warn(&format!("{class}::new() does not take block; use {class}::open() instead"))?;
    }
    let name = to_path_str(vm, &pos[0])?;
    let encoding = name.encoding();
    let path = name.into_bytes();
    let mode = open_mode(vm, pos.get(1).unwrap_or(&Value::Nil), pos.get(2).unwrap_or(&Value::Nil), options)?;
    let stream = Stream::default();
    io_class::open_into(vm, &stream, &path, &mode)?;
    stream.path_encoding.set(encoding);
    vm.set_data(this, IoData(Rc::new(stream)));
    Ok(this.clone())
}
fn file_path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    if stream.flags.get() & OpenFlags::TMPFILE.0 == OpenFlags::TMPFILE.0 {
        return Err(vm.error(ClassId::IO_ERROR, "File is unavailable (TMPFILE?)"));
    }
    let path = stream.path.borrow().clone();
    Ok(path.map_or(Value::Nil, |path| Value::string(RString::new(path, stream.path_encoding.get()))))
}
fn open_stat(vm: &mut Vm, this: &Value) -> Res<Stat> {
    let stream = stream_of(vm, this)?;
    let handle = stream.handle(vm)?;
    stream.flush(vm)?;
    handle.stat().map_err(|error| stream.fail_path(vm, &error))
}
fn file_lstat(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    let path = stream.path.borrow().clone();
    match path {
        Some(path) => lstat(vm, &path),
        None => Ok(stat::object(open_stat(vm, this)?)),
    }
}
fn file_atime(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let at = open_stat(vm, this)?.atime;
    Ok(at_host(vm, at))
}
fn file_mtime(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let at = open_stat(vm, this)?.mtime;
    Ok(at_host(vm, at))
}
fn file_ctime(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let at = open_stat(vm, this)?.ctime;
    Ok(at_host(vm, at))
}
fn file_birthtime(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    stream.check_open(vm)?;
    let path = stream.path.borrow().clone().unwrap_or_default();
    let at = vm.host.birthtime(&path).map_err(|error| birthtime_error(vm, &error, &path))?;
    Ok(at_host(vm, at))
}
fn file_size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::u64(open_stat(vm, this)?.size))
}
fn file_chmod(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mode = vm.to_int(args.at(0))? as u32;
    let stream = stream_of(vm, this)?;
    let handle = stream.handle(vm)?;
    handle.chmod(mode).map_err(|error| stream.fail_path(vm, &error))?;
    Ok(Value::Int(0))
}
fn id_arg(vm: &mut Vm, value: &Value) -> Res<Option<u32>> {
    if value.is_nil() {
        return Ok(None);
    }
    let id = vm.to_int(value)?;
    Ok(u32::try_from(id).ok())
}
fn file_chown(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (uid, gid) = (id_arg(vm, args.at(0))?, id_arg(vm, args.at(1))?);
    let stream = stream_of(vm, this)?;
    let handle = stream.handle(vm)?;
    handle.chown(uid, gid).map_err(|error| stream.fail_path(vm, &error))?;
    Ok(Value::Int(0))
}
fn length_arg(vm: &mut Vm, value: &Value, path: &[u8], function: &str) -> Res<u64> {
    let length = vm.to_int(value)?;
    u64::try_from(length).map_err(|_| fail_at(vm, &rchef_host::HostError::new(22, "truncate"), function, path))
}
fn file_truncate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    let path = stream.path.borrow().clone().unwrap_or_default();
    let length = length_arg(vm, args.at(0), &path, "rb_file_truncate")?;
    let handle = stream.writing(vm)?;
    stream.flush(vm)?;
    stream.drop_read_ahead();
    handle.truncate(length).map_err(|error| stream.fail_path(vm, &error))?;
    Ok(Value::Int(0))
}
fn file_flock(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let operation = vm.to_int(args.at(0))?;
    let stream = stream_of(vm, this)?;
    let handle = stream.handle(vm)?;
    stream.flush(vm)?;
    let kind = match operation & !4 {
        1 => LockKind::Shared,
        2 => LockKind::Exclusive,
        8 => LockKind::Unlock,
        _ => return Err(vm.errno(22, None)),
    };
    let waits = operation & 4 == 0;
    let lock = |vm: &mut Vm, waits| handle.flock(kind, waits).map_err(|error| stream.fail_path(vm, &error));
    let got = if waits && handle.fd().is_some() {
        // other threads run and timeouts end meanwhile
        crate::core::thread::block_on_host(vm, None, |vm| lock(vm, false))?
    } else {
        lock(vm, waits)?
    };
    if got {
        note_lock(vm, &stream, kind != LockKind::Unlock);
    }
    Ok(if got { Value::Int(0) } else { Value::False })
}

fn stat_at(vm: &mut Vm, value: &Value, function: &str) -> Res<Stat> {
    if vm.is_a(value, ClassId::IO) {
        return open_stat(vm, value);
    }
    let path = to_path(vm, value)?;
    vm.host.stat(&path).map_err(|error| fail_at(vm, &error, function, &path))
}
fn stat_class(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(stat::object(stat_at(vm, args.at(0), "rb_file_s_stat")?))
}
fn lstat(vm: &mut Vm, path: &[u8]) -> Res {
    let found = vm.host.lstat(path).map_err(|error| fail_at(vm, &error, "rb_file_s_lstat", path))?;
    Ok(stat::object(found))
}
fn lstat_class(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    lstat(vm, &path)
}
fn ftype(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    let found = vm.host.lstat(&path).map_err(|error| fail_at(vm, &error, "rb_file_s_ftype", &path))?;
    Ok(Value::str(found.kind().ftype()))
}
fn atime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let at = stat_at(vm, args.at(0), "rb_file_s_atime")?.atime;
    Ok(at_host(vm, at))
}
fn mtime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let at = stat_at(vm, args.at(0), "rb_file_s_mtime")?.mtime;
    Ok(at_host(vm, at))
}
fn ctime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let at = stat_at(vm, args.at(0), "rb_file_s_ctime")?.ctime;
    Ok(at_host(vm, at))
}
fn birthtime_error(vm: &mut Vm, error: &rchef_host::HostError, path: &[u8]) -> crate::Error {
    const EIO: i32 = 5;
    if error.errno == EIO {
        return vm.not_implemented("birthtime is unimplemented on this filesystem");
    }
    fail_at(vm, error, "rb_file_s_birthtime", path)
}
fn birthtime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    let at = vm.host.birthtime(&path).map_err(|error| birthtime_error(vm, &error, &path))?;
    Ok(at_host(vm, at))
}

/// Applies a change to each path; returns the number of paths.
fn each_path(vm: &mut Vm, paths: &[Value], mut change: impl FnMut(&mut Vm, &[u8]) -> rchef_host::Result<()>) -> Res {
    let mut bytes = Vec::new();
    for path in paths {
        bytes.push(to_path(vm, path)?);
    }
    for path in &bytes {
        change(vm, path).map_err(|error| fail_at(vm, &error, "apply2files", path))?;
    }
    Ok(Value::len(paths.len()))
}
fn chmod(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mode = vm.to_int(args.at(0))? as u32;
    each_path(vm, args.from(1).pos, |vm, path| vm.host.chmod(path, mode))
}
/// NotImplementedError: links have no permissions on Linux.
fn lchmod(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Err(vm.not_implemented("lchmod() function is unimplemented on this machine"))
}
fn chown(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (uid, gid) = (id_arg(vm, args.at(0))?, id_arg(vm, args.at(1))?);
    each_path(vm, args.from(2).pos, |vm, path| vm.host.chown(path, uid, gid, true))
}
fn lchown(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (uid, gid) = (id_arg(vm, args.at(0))?, id_arg(vm, args.at(1))?);
    each_path(vm, args.from(2).pos, |vm, path| vm.host.chown(path, uid, gid, false))
}
fn set_times(vm: &mut Vm, args: Args<'_>, follow: bool) -> Res {
    let mut time = |value: &Value| -> Res<SetTime> {
        if value.is_nil() { Ok(SetTime::Now) } else { Ok(SetTime::At(to_host_time(vm, value)?)) }
    };
    let (atime, mtime) = (time(args.at(0))?, time(args.at(1))?);
    each_path(vm, args.from(2).pos, |vm, path| vm.host.set_times(path, atime, mtime, follow))
}
fn utime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    set_times(vm, args, true)
}
fn lutime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    set_times(vm, args, false)
}
fn rename(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (from, to) = (to_path(vm, args.at(0))?, to_path(vm, args.at(1))?);
    vm.host.rename(&from, &to).map_err(|error| fail_two(vm, &error, "rb_file_s_rename", &from, &to))?;
    Ok(Value::Int(0))
}
fn delete(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    each_path(vm, args.pos, |vm, path| vm.host.unlink(path))
}
fn link(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (target, path) = (to_path(vm, args.at(0))?, to_path(vm, args.at(1))?);
    vm.host.link(&target, &path).map_err(|error| fail_two(vm, &error, "rb_file_s_link", &target, &path))?;
    Ok(Value::Int(0))
}
fn symlink(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (target, path) = (to_path(vm, args.at(0))?, to_path(vm, args.at(1))?);
    vm.host.symlink(&target, &path).map_err(|error| fail_two(vm, &error, "rb_file_s_symlink", &target, &path))?;
    Ok(Value::Int(0))
}
fn readlink(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    let target = vm.host.readlink(&path).map_err(|error| fail_at(vm, &error, "rb_readlink", &path))?;
    Ok(path_value(target))
}
fn mkfifo(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    let mode = match args.get(1) {
        Some(mode) => vm.to_int(mode)? as u32,
        None => 0o666,
    };
    vm.host.mkfifo(&path, mode).map_err(|error| fail_at(vm, &error, "rb_file_s_mkfifo", &path))?;
    Ok(Value::Int(0))
}
fn truncate(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    let length = length_arg(vm, args.at(1), &path, "rb_file_s_truncate")?;
    let result = vm.host.open(&path, OpenFlags::WRONLY, 0).and_then(|handle| handle.truncate(length));
    result.map_err(|error| fail_at(vm, &error, "rb_file_s_truncate", &path))?;
    Ok(Value::Int(0))
}
fn umask(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mask = match args.get(0) {
        Some(mask) => Some(vm.to_int(mask)? as u32 & 0o777),
        None => None,
    };
    Ok(Value::Int(i64::from(vm.host.umask(mask))))
}

/// `File::Constants`
const CONSTANTS: &[(&str, i64)] = &[
    ("RDONLY", OpenFlags::RDONLY.0 as i64),
    ("WRONLY", OpenFlags::WRONLY.0 as i64),
    ("RDWR", OpenFlags::RDWR.0 as i64),
    ("APPEND", OpenFlags::APPEND.0 as i64),
    ("CREAT", OpenFlags::CREAT.0 as i64),
    ("EXCL", OpenFlags::EXCL.0 as i64),
    ("NONBLOCK", OpenFlags::NONBLOCK.0 as i64),
    ("TRUNC", OpenFlags::TRUNC.0 as i64),
    ("NOCTTY", OpenFlags::NOCTTY.0 as i64),
    ("BINARY", 0),
    ("SHARE_DELETE", 0),
    ("SYNC", OpenFlags::SYNC.0 as i64),
    ("DSYNC", OpenFlags::DSYNC.0 as i64),
    ("RSYNC", OpenFlags::SYNC.0 as i64),
    ("NOFOLLOW", OpenFlags::NOFOLLOW.0 as i64),
    ("DIRECTORY", OpenFlags::DIRECTORY.0 as i64),
    ("TMPFILE", OpenFlags::TMPFILE.0 as i64),
    ("NOATIME", OpenFlags::NOATIME.0 as i64),
    ("DIRECT", OpenFlags::DIRECT.0 as i64),
    ("LOCK_SH", 1),
    ("LOCK_EX", 2),
    ("LOCK_NB", 4),
    ("LOCK_UN", 8),
    ("FNM_NOESCAPE", 1),
    ("FNM_PATHNAME", 2),
    ("FNM_DOTMATCH", 4),
    ("FNM_CASEFOLD", 8),
    ("FNM_EXTGLOB", 16),
    ("FNM_SYSCASE", 0),
    ("FNM_SHORTNAME", 0),
];

pub(super) fn boot(vm: &mut Vm) {
    let constants = vm.define_module(ClassId::FILE, "Constants");
    for (name, value) in CONSTANTS {
        vm.const_set(constants, Symbol::intern_static(name), Value::Int(*value));
    }
    let null = Value::str("/dev/null");
    null.set_flag(crate::heap::FROZEN, true);
    vm.const_set(constants, Symbol::intern_static("NULL"), null);
    vm.include_module(ClassId::IO, constants);
    for (name, text) in [("SEPARATOR", "/"), ("Separator", "/"), ("PATH_SEPARATOR", ":")] {
        let text = Value::str(text);
        text.set_flag(crate::heap::FROZEN, true);
        vm.const_set(ClassId::FILE, Symbol::intern_static(name), text);
    }
    vm.const_set(ClassId::FILE, Symbol::intern_static("ALT_SEPARATOR"), Value::Nil);
    vm.define_methods(ClassId::FILE, METHODS);
    vm.define_singleton_methods(ClassId::FILE, SINGLETON);
    vm.define_module_functions(ClassId::KERNEL, KERNEL);
    test::boot(vm);
    stat::boot(vm);
}
