//! File::Stat.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::path::{fail_at, to_path};
use crate::error::Res;
use crate::method::{MethodDef, def};
use crate::value::{NativeData, Value};
use rchef_host::{FileKind, Stat};
use std::cell::Cell;

/// A File::Stat; None until it is initialised.
pub struct StatData(pub Option<Stat>);
impl NativeData for StatData {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(StatData(self.0.clone())))
    }
}

thread_local! {
    static CLASS: Cell<ClassId> = const { Cell::new(ClassId::OBJECT) };
}

/// A File::Stat object.
pub fn object(stat: Stat) -> Value {
    Value::data(CLASS.with(Cell::get), StatData(Some(stat)))
}

fn stat<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<Stat> {
    match vm.data::<StatData>(this).and_then(|data| data.0.clone()) {
        Some(stat) => Ok(stat),
        None => Err(vm.type_error("uninitialized File::Stat")),
    }
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    let stat = vm.host.stat(&path).map_err(|error| fail_at(vm, &error, "rb_file_s_stat", &path))?;
    vm.set_data(this, StatData(Some(stat)));
    Ok(Value::Nil)
}

/// Whether the permission bits permit access `want` (4 read, 2 write, 1 execute) to a user and group id; root may read and write anything.
pub fn allowed(vm: &mut Vm, stat: &Stat, uid: u32, gid: u32, want: u32) -> bool {
    if uid == 0 {
        return want != 1 || stat.mode & 0o111 != 0 || stat.is_dir();
    }
    let shift = if stat.uid == uid {
        6
    } else if stat.gid == gid || vm.host.supplementary_groups().is_ok_and(|groups| groups.contains(&stat.gid)) {
        3
    } else {
        0
    };
    stat.mode >> shift & want != 0
}
fn effective(vm: &mut Vm, this: &Value, want: u32) -> Res {
    let stat = stat(vm, this)?;
    let (uid, gid) = (vm.host.uids().1, vm.host.gids().1);
    Ok(Value::bool(allowed(vm, &stat, uid, gid, want)))
}
fn real(vm: &mut Vm, this: &Value, want: u32) -> Res {
    let stat = stat(vm, this)?;
    let (uid, gid) = (vm.host.uids().0, vm.host.gids().0);
    Ok(Value::bool(allowed(vm, &stat, uid, gid, want)))
}

macro_rules! numbers {
    ($($name:ident $field:ident),* $(,)?) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            Ok(Value::u64(stat(vm, this)?.$field as u64))
        })*
    };
}
numbers! { dev dev, ino ino, mode mode, nlink nlink, uid uid, gid gid, rdev rdev, size size, blksize blksize, blocks blocks }

macro_rules! times {
    ($($name:ident),*) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            let at = stat(vm, this)?.$name;
            Ok(crate::core::time::at_host(vm, at))
        })*
    };
}
times! { atime, mtime, ctime }

macro_rules! kinds {
    ($($name:ident $kind:ident),* $(,)?) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            Ok(Value::bool(stat(vm, this)?.kind() == FileKind::$kind))
        })*
    };
}
kinds! { is_directory Directory, is_file File, is_symlink Symlink, is_pipe Fifo, is_socket Socket, is_chardev CharDevice, is_blockdev BlockDevice }

macro_rules! bits {
    ($($name:ident $bit:literal),* $(,)?) => {
        $(fn $name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
            Ok(Value::bool(stat(vm, this)?.mode & $bit != 0))
        })*
    };
}
bits! { is_setuid 0o4000, is_setgid 0o2000, is_sticky 0o1000 }

fn major(device: u64) -> u64 {
    ((device >> 8) & 0xfff) | ((device >> 32) & !0xfff)
}
fn minor(device: u64) -> u64 {
    (device & 0xff) | ((device >> 12) & 0xffff_ff00)
}
fn dev_major(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::u64(major(stat(vm, this)?.dev)))
}
fn dev_minor(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::u64(minor(stat(vm, this)?.dev)))
}
fn rdev_major(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::u64(major(stat(vm, this)?.rdev)))
}
fn rdev_minor(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::u64(minor(stat(vm, this)?.rdev)))
}
fn ftype(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(stat(vm, this)?.kind().ftype()))
}
fn readable(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    effective(vm, this, 4)
}
fn writable(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    effective(vm, this, 2)
}
fn executable(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    effective(vm, this, 1)
}
fn readable_real(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    real(vm, this, 4)
}
fn writable_real(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    real(vm, this, 2)
}
fn executable_real(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    real(vm, this, 1)
}
fn world(vm: &mut Vm, this: &Value, bit: u32) -> Res {
    let mode = stat(vm, this)?.mode;
    Ok(if mode & bit != 0 { Value::Int(i64::from(mode & 0o777)) } else { Value::Nil })
}
fn world_readable(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    world(vm, this, 0o004)
}
fn world_writable(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    world(vm, this, 0o002)
}
fn is_zero(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(stat(vm, this)?.size == 0))
}
fn size_p(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let size = stat(vm, this)?.size;
    Ok(if size == 0 { Value::Nil } else { Value::u64(size) })
}
fn owned(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stat = stat(vm, this)?;
    Ok(Value::bool(stat.uid == vm.host.uids().1))
}
fn grpowned(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stat = stat(vm, this)?;
    let member =
        stat.gid == vm.host.gids().1 || vm.host.supplementary_groups().is_ok_and(|groups| groups.contains(&stat.gid));
    Ok(Value::bool(member))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let this = stat(vm, this)?;
    let Some(Some(other)) = vm.data::<StatData>(args.at(0)).map(|data| data.0.clone()) else { return Ok(Value::Nil) };
    Ok(Value::Int(this.mtime.cmp(&other.mtime) as i64))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(found) = vm.data::<StatData>(this).and_then(|data| data.0.clone()) else {
        return Ok(Value::str(format!("#<{}: uninitialized>", vm.class_name_of(this))));
    };
    let mut parts = vec![
        format!("dev=0x{:x}", found.dev),
        format!("ino={}", found.ino),
        format!("mode=0{:o}", found.mode),
        format!("nlink={}", found.nlink),
        format!("uid={}", found.uid),
        format!("gid={}", found.gid),
        format!("rdev=0x{:x}", found.rdev),
        format!("size={}", found.size),
        format!("blksize={}", found.blksize),
        format!("blocks={}", found.blocks),
    ];
    for (name, at) in [("atime", found.atime), ("mtime", found.mtime), ("ctime", found.ctime)] {
        let time = crate::core::time::at_host(vm, at);
        parts.push(format!("{name}={}", vm.inspect(&time)?));
    }
    let class = vm.class_name_of(this);
    Ok(Value::str(format!("#<{class} {}>", parts.join(", "))))
}

static METHODS: &[MethodDef] = &[
    def("initialize", initialize, 1).private(),
    def("<=>", compare, 1),
    def("dev", dev, 0),
    def("dev_major", dev_major, 0),
    def("dev_minor", dev_minor, 0),
    def("ino", ino, 0),
    def("mode", mode, 0),
    def("nlink", nlink, 0),
    def("uid", uid, 0),
    def("gid", gid, 0),
    def("rdev", rdev, 0),
    def("rdev_major", rdev_major, 0),
    def("rdev_minor", rdev_minor, 0),
    def("size", size, 0),
    def("blksize", blksize, 0),
    def("blocks", blocks, 0),
    def("atime", atime, 0),
    def("mtime", mtime, 0),
    def("ctime", ctime, 0),
    def("inspect", inspect, 0),
    def("ftype", ftype, 0),
    def("directory?", is_directory, 0),
    def("readable?", readable, 0),
    def("readable_real?", readable_real, 0),
    def("world_readable?", world_readable, 0),
    def("writable?", writable, 0),
    def("writable_real?", writable_real, 0),
    def("world_writable?", world_writable, 0),
    def("executable?", executable, 0),
    def("executable_real?", executable_real, 0),
    def("file?", is_file, 0),
    def("zero?", is_zero, 0),
    def("size?", size_p, 0),
    def("owned?", owned, 0),
    def("grpowned?", grpowned, 0),
    def("pipe?", is_pipe, 0),
    def("symlink?", is_symlink, 0),
    def("socket?", is_socket, 0),
    def("blockdev?", is_blockdev, 0),
    def("chardev?", is_chardev, 0),
    def("setuid?", is_setuid, 0),
    def("setgid?", is_setgid, 0),
    def("sticky?", is_sticky, 0),
];

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::FILE, "Stat", ClassId::OBJECT);
    CLASS.with(|cell| cell.set(class));
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::data(class, StatData(None))));
    vm.include_module(class, ClassId::COMPARABLE);
    vm.define_methods(class, METHODS);
}
