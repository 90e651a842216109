//! Predicates for paths, in File and FileTest.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::path::{fail_at, to_path};
use crate::error::Res;
use crate::method::{MethodDef, def};
use crate::value::Value;
use rchef_host::{Access, FileKind, Stat};
use rchef_syntax::symbol::sym;

/// The stat of a path or an open file; None if it does not exist.
fn stat_of(vm: &mut Vm, value: &Value) -> Res<Option<Stat>> {
    if !matches!(value, Value::Str(_)) {
        let io = if vm.is_a(value, ClassId::IO) {
            Some(value.clone())
        } else if matches!(value, Value::Object(_)) {
            vm.try_convert(value, sym::TO_IO)?
        } else {
            None
        };
        if let Some(io) = io {
            let stream = crate::core::io::stream_of(vm, &io)?;
            let handle = stream.handle(vm)?;
            return Ok(handle.stat().ok());
        }
    }
    let path = to_path(vm, value)?;
    Ok(vm.host.stat(&path).ok())
}
/// The same; Errno error with the name of the function if it does not exist.
fn stat_or_fail(vm: &mut Vm, value: &Value, function: &str) -> Res<Stat> {
    if vm.is_a(value, ClassId::IO) {
        let stream = crate::core::io::stream_of(vm, value)?;
        let handle = stream.handle(vm)?;
        return handle.stat().map_err(|error| vm.host_error(&error));
    }
    let path = to_path(vm, value)?;
    vm.host.stat(&path).map_err(|error| fail_at(vm, &error, function, &path))
}

macro_rules! predicates {
    ($($name:ident |$stat:ident| $test:expr);* $(;)?) => {
        $(fn $name(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
            Ok(Value::bool(stat_of(vm, args.at(0))?.is_some_and(|$stat| $test)))
        })*
    };
}
predicates! {
    exist |_stat| true;
    is_file |stat| stat.is_file();
    is_directory |stat| stat.is_dir();
    is_zero |stat| stat.size == 0;
    is_pipe |stat| stat.kind() == FileKind::Fifo;
    is_socket |stat| stat.kind() == FileKind::Socket;
    is_blockdev |stat| stat.kind() == FileKind::BlockDevice;
    is_chardev |stat| stat.kind() == FileKind::CharDevice;
    is_setuid |stat| stat.mode & 0o4000 != 0;
    is_setgid |stat| stat.mode & 0o2000 != 0;
    is_sticky |stat| stat.mode & 0o1000 != 0;
}
/// `File.exists?`, removed in Ruby 3.2, is used by old cookbooks.
fn exists(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = if matches!(this, Value::Class(ClassId::FILE_TEST)) { "FileTest" } else { "File" };
    let text = format!("{class}.exists? is deprecated; use {class}.exist? instead");
    vm.deprecated(&text);
    vm.warn_deprecated(&text)?;
    exist(vm, this, args)
}
fn is_symlink(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    Ok(Value::bool(vm.host.lstat(&path).is_ok_and(|stat| stat.is_symlink())))
}
fn size(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut target = args.at(0).clone();
    if matches!(target, Value::Object(_))
        && !vm.is_a(&target, ClassId::IO)
        && let Some(io) = vm.try_convert(&target, sym::TO_IO)?
    {
        target = io;
    }
    if vm.is_a(&target, ClassId::IO) {
        let stream = crate::core::io::stream_of(vm, &target)?;
        stream.flush(vm)?;
    }
    Ok(Value::u64(stat_or_fail(vm, &target, "rb_file_s_size")?.size))
}
fn size_p(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let found = stat_of(vm, args.at(0))?;
    Ok(found.filter(|stat| stat.size > 0).map_or(Value::Nil, |stat| Value::u64(stat.size)))
}
fn access(vm: &mut Vm, value: &Value, want: Access, effective: bool) -> Res {
    let path = to_path(vm, value)?;
    Ok(Value::bool(vm.host.access(&path, want, effective).is_ok()))
}
fn readable(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    access(vm, args.at(0), Access::READ, true)
}
fn writable(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    access(vm, args.at(0), Access::WRITE, true)
}
fn executable(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    access(vm, args.at(0), Access::EXECUTE, true)
}
fn readable_real(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    access(vm, args.at(0), Access::READ, false)
}
fn writable_real(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    access(vm, args.at(0), Access::WRITE, false)
}
fn executable_real(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    access(vm, args.at(0), Access::EXECUTE, false)
}
fn world(vm: &mut Vm, value: &Value, bit: u32) -> Res {
    let found = stat_of(vm, value)?;
    Ok(found.filter(|stat| stat.mode & bit != 0).map_or(Value::Nil, |stat| Value::Int(i64::from(stat.mode & 0o777))))
}
fn world_readable(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    world(vm, args.at(0), 0o004)
}
fn world_writable(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    world(vm, args.at(0), 0o002)
}
fn owned(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let found = stat_of(vm, args.at(0))?;
    let uid = vm.host.uids().1;
    Ok(Value::bool(found.is_some_and(|stat| stat.uid == uid)))
}
fn grpowned(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(found) = stat_of(vm, args.at(0))? else { return Ok(Value::False) };
    let member =
        found.gid == vm.host.gids().1 || vm.host.supplementary_groups().is_ok_and(|groups| groups.contains(&found.gid));
    Ok(Value::bool(member))
}
fn identical(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (a, b) = (stat_of(vm, args.at(0))?, stat_of(vm, args.at(1))?);
    Ok(Value::bool(matches!((a, b), (Some(a), Some(b)) if a.dev == b.dev && a.ino == b.ino)))
}

/// Methods of both File and FileTest.
static METHODS: &[MethodDef] = &[
    def("exist?", exist, 1),
    def("exists?", exists, 1),
    def("file?", is_file, 1),
    def("directory?", is_directory, 1),
    def("symlink?", is_symlink, 1),
    def("zero?", is_zero, 1),
    def("empty?", is_zero, 1),
    def("size", size, 1),
    def("size?", size_p, 1),
    def("pipe?", is_pipe, 1),
    def("socket?", is_socket, 1),
    def("blockdev?", is_blockdev, 1),
    def("chardev?", is_chardev, 1),
    def("setuid?", is_setuid, 1),
    def("setgid?", is_setgid, 1),
    def("sticky?", is_sticky, 1),
    def("readable?", readable, 1),
    def("readable_real?", readable_real, 1),
    def("world_readable?", world_readable, 1),
    def("writable?", writable, 1),
    def("writable_real?", writable_real, 1),
    def("world_writable?", world_writable, 1),
    def("executable?", executable, 1),
    def("executable_real?", executable_real, 1),
    def("owned?", owned, 1),
    def("grpowned?", grpowned, 1),
    def("identical?", identical, 2),
];

pub(super) fn kernel_test(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let command = match args.at(0) {
        Value::Int(code) => u8::try_from(*code).unwrap_or(0),
        other => vm.to_str(other)?.get(vm).bytes().first().copied().unwrap_or(0),
    };
    let rest = args.from(1);
    let wanted = if b"=<>-".contains(&command) { 2 } else { 1 };
    if rest.len() != wanted {
        return Err(vm.arity_error(args.len(), (wanted + 1).to_string()));
    }
    let function = match command {
        b'e' => exist,
        b'f' => is_file,
        b'd' => is_directory,
        b'l' => is_symlink,
        b'z' => is_zero,
        b's' => size_p,
        b'p' => is_pipe,
        b'S' => is_socket,
        b'b' => is_blockdev,
        b'c' => is_chardev,
        b'u' => is_setuid,
        b'g' => is_setgid,
        b'k' => is_sticky,
        b'r' => readable,
        b'R' => readable_real,
        b'w' => writable,
        b'W' => writable_real,
        b'x' => executable,
        b'X' => executable_real,
        b'o' => owned,
        b'O' => owned,
        b'G' => grpowned,
        b'-' => identical,
        b'A' | b'C' | b'M' => {
            let stat = stat_or_fail(vm, rest.at(0), "rb_file_s_stat")?;
            let at = match command {
                b'A' => stat.atime,
                b'C' => stat.ctime,
                _ => stat.mtime,
            };
            return Ok(crate::core::time::at_host(vm, at));
        }
        b'=' | b'<' | b'>' => {
            let (a, b) =
                (stat_or_fail(vm, rest.at(0), "rb_file_s_stat")?, stat_or_fail(vm, rest.at(1), "rb_file_s_stat")?);
            return Ok(Value::bool(match command {
                b'=' => a.mtime == b.mtime,
                b'<' => a.mtime < b.mtime,
                _ => a.mtime > b.mtime,
            }));
        }
        other => return Err(vm.argument_error(format!("unknown command '{}'", char::from(other)))),
    };
    function(vm, this, rest)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_singleton_methods(ClassId::FILE, METHODS);
    vm.define_module_functions(ClassId::FILE_TEST, METHODS);
}
