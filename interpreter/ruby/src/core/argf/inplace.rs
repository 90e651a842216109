//! In-place mode: what is printed while a file is read becomes its new content.

use super::{Argf, Global, InPlace, of};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::io::{self, Stream, mode::Mode};
use crate::error::Res;
use crate::string::RString;
use crate::value::Value;
use rchef_host::OpenFlags;

/// The path of the backup: the suffix is converted to the encoding of the path where that is possible.
fn backup_path(vm: &mut Vm, path: &RString, suffix: &Value) -> Res<Vec<u8>> {
    let suffix = vm.to_str(suffix)?;
    let converted = if suffix.get(vm).encoding() == path.encoding() {
        None
    } else {
        let to = crate::core::encoding::object(vm, path.encoding());
        let encode = |vm: &mut Vm| vm.call_name(&Value::Str(suffix.clone()), "encode", &[to]).map(Some);
        vm.rescue(ClassId::ENCODING_ERROR, encode, |_, _| Ok(None))?
    };
    let suffix = match converted {
        Some(converted) => vm.to_str(&converted)?,
        None => suffix,
    };
    let mut bytes = path.bytes().to_vec();
    bytes.extend_from_slice(suffix.get(vm).bytes());
    Ok(bytes)
}

/// Moves a file that has been opened for reading out of the way and makes `$stdout` a new file in its place; None, after a warning, if it cannot be moved.
pub(super) fn begin(vm: &mut Vm, argf: &Argf, path: &RString, from: &Stream) -> Res<Option<Value>> {
    let binary = io::finish_redirected(vm)?;
    let shown = path.to_text().into_owned();
    let old = from.handle(vm)?.stat().map_err(|error| from.fail_path(vm, &error))?;
    let mode = argf.inplace.borrow().clone();
    let mut backup = shown.clone();
    let moved = match &mode {
        InPlace::Suffix(suffix) => {
            let to = backup_path(vm, path, suffix)?;
            backup = String::from_utf8_lossy(&to).into_owned();
            let renamed = vm.host.rename(path.bytes(), &to);
            renamed.map_err(|error| format!("Can't rename {shown} to {backup}: {}, skipping file", error.message()))
        }
        _ => {
            let removed = vm.host.unlink(path.bytes());
            removed.map_err(|error| format!("Can't remove {shown}: {}, skipping file", error.message()))
        }
    };
    if let Err(text) = moved {
        vm.warn(&text)?;
        from.close(vm)?;
        return Ok(None);
    }
    let flags = (OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC).0;
    let writer = io::class::open_path(vm, path.bytes(), &Mode { flags, binary, ..Mode::default() })?;
    let handle = writer.handle(vm)?;
    // as in MRI, a file whose mode cannot be set is written nevertheless
    let _ = handle.chmod(old.perm());
    let new = handle.stat().map_err(|error| writer.fail_path(vm, &error))?;
    if (old.uid, old.gid) != (new.uid, new.gid)
        && let Err(error) = handle.chown(Some(old.uid), Some(old.gid))
        && new.uid == 0
    {
        let text = format!("Can't set owner/group of {shown} to same as {backup}: {}, skipping file", error.message());
        vm.warn(&text)?;
        from.close(vm)?;
        writer.close(vm)?;
        vm.host.unlink(path.bytes()).map_err(|error| vm.host_error(&error))?;
        return Ok(None);
    }
    let writer = io::object(ClassId::FILE, writer);
    vm.global_set(Symbol::intern_static("$stdout"), writer.clone())?;
    Ok(Some(writer))
}

fn mode_of(vm: &Vm, argf: &Argf) -> Value {
    match &*argf.inplace.borrow() {
        InPlace::Off => Value::Nil,
        InPlace::Without => Value::str(""),
        InPlace::Suffix(Value::Str(suffix)) => Value::string(suffix.get(vm).clone()),
        InPlace::Suffix(other) => other.clone(),
    }
}
fn change_mode(vm: &mut Vm, argf: &Argf, value: &Value) -> Res<()> {
    let mode = if value.truthy() {
        let suffix = vm.to_str(value)?;
        let text = suffix.get(vm);
        let width = text.encoding().min_len();
        if text.bytes().chunks(width).any(|unit| unit.iter().all(|byte| *byte == 0)) {
            let what = if width > 1 { "string contains null char" } else { "string contains null byte" };
            return Err(vm.argument_error(what));
        }
        if text.bytes().is_empty() { InPlace::Without } else { InPlace::Suffix(Value::string(text.clone())) }
    } else {
        InPlace::Off
    };
    argf.inplace.replace(mode);
    Ok(())
}
pub(super) fn mode(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let argf = of(vm, this);
    Ok(mode_of(vm, &argf))
}
pub(super) fn set_mode(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let argf = of(vm, this);
    change_mode(vm, &argf, args.at(0))?;
    Ok(this.clone())
}
pub(super) fn to_write_io(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let argf = of(vm, this);
    if !argf.writer.borrow().is_nil() {
        return Ok(argf.writer.borrow().clone());
    }
    if argf.current.borrow().is_nil() {
        return Err(vm.error(ClassId::IO_ERROR, "not opened for writing"));
    }
    Ok(argf.current.borrow().clone())
}
pub(super) fn write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let target = to_write_io(vm, this, Args::none())?;
    vm.call_args(&target, rchef_syntax::symbol::sym::WRITE, args)
}

pub(super) fn boot(vm: &mut Vm) {
    let get: fn(&mut Vm, Symbol) -> Res = |vm, _| {
        let argf = vm.extension::<Global>().argf.clone();
        Ok(mode_of(vm, &argf))
    };
    let set: fn(&mut Vm, Symbol, Value) -> Res<()> = |vm, _, value| {
        let argf = vm.extension::<Global>().argf.clone();
        change_mode(vm, &argf, &value)
    };
    vm.define_global("$-i", get, Some(set));
}
