//! Class methods of File for the text of a path, and those that resolve paths.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::path::{fail_at, to_path, to_path_str};
use crate::error::Res;
use crate::string::RString;
use crate::value::Value;
use rchef_text::encoding::Encoding;

/// The length of a path without trailing slashes.
fn trim_end(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |at| at + 1);
    &path[..end]
}

/// `File.basename` without removing a suffix.
pub fn base(path: &[u8]) -> &[u8] {
    let trimmed = trim_end(path);
    if trimmed.is_empty() {
        return &path[..path.len().min(1)];
    }
    let start = trimmed.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
    &trimmed[start..]
}
/// The extension by MRI's rule: from the last dot, unless it is the first or last character.
pub fn extension(path: &[u8]) -> &[u8] {
    let name = path.iter().rposition(|&byte| byte == b'/').map_or(path, |at| &path[at + 1..]);
    let start = name.iter().take_while(|&&byte| byte == b'.').count();
    match name[start..].iter().rposition(|&byte| byte == b'.') {
        Some(at) => &name[start + at..],
        None => b"",
    }
}
/// `File.dirname` with levels.
pub fn dir(path: &[u8], levels: usize) -> Vec<u8> {
    let root = path.first() == Some(&b'/');
    let mut at = path;
    for _ in 0..levels {
        let trimmed = trim_end(at);
        at = match trimmed.iter().rposition(|&byte| byte == b'/') {
            Some(slash) => trim_end(&trimmed[..slash]),
            None => b"",
        };
        if at.is_empty() {
            break;
        }
    }
    match at {
        [] if root => b"/".to_vec(),
        [] => b".".to_vec(),
        at => {
            // several leading slashes count as one
            let slashes = at.iter().take_while(|&&byte| byte == b'/').count();
            at[slashes.saturating_sub(1)..].to_vec()
        }
    }
}

fn same_encoding(found: &RString, bytes: Vec<u8>) -> Value {
    Value::string(RString::new(bytes, found.encoding()))
}

pub(super) fn basename(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let suffix = match args.get(1) {
        Some(suffix) => Some(vm.to_str(suffix)?.get(vm).bytes().to_vec()),
        None => None,
    };
    let path = to_path_str(vm, args.at(0))?;
    let mut name = base(path.bytes());
    if let Some(suffix) = suffix {
        if suffix == b".*" {
            let at = name
                .iter()
                .rposition(|&byte| byte == b'.')
                .filter(|&at| at > 0 && name[..at].iter().any(|&byte| byte != b'.'));
            if let Some(at) = at {
                name = &name[..at];
            }
        } else if name.len() > suffix.len() && name.ends_with(&suffix) {
            name = &name[..name.len() - suffix.len()];
        }
    }
    Ok(same_encoding(&path, name.to_vec()))
}
pub(super) fn dirname(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path_str(vm, args.at(0))?;
    let levels = match args.get(1) {
        Some(levels) => vm.to_int(levels)?,
        None => 1,
    };
    if levels < 0 {
        return Err(vm.argument_error(format!("negative level: {levels}")));
    }
    if levels == 0 {
        return Ok(same_encoding(&path, path.bytes().to_vec()));
    }
    Ok(same_encoding(&path, dir(path.bytes(), levels as usize)))
}
pub(super) fn extname(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path_str(vm, args.at(0))?;
    let found =
        if path.bytes().last() == Some(&b'/') { extension(trim_end(path.bytes())) } else { extension(path.bytes()) };
    Ok(same_encoding(&path, found.to_vec()))
}
pub(super) fn split(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path_str(vm, args.at(0))?;
    let (folder, name) = (dir(path.bytes(), 1), base(path.bytes()).to_vec());
    Ok(Value::array(vec![same_encoding(&path, folder), same_encoding(&path, name)]))
}
/// `File.path`: the path unchanged, converted with `to_path`.
pub(super) fn path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let found = to_path_str(vm, args.at(0))?;
    Ok(Value::string(found))
}

/// Joins parts with exactly one slash between them.
fn join_into(vm: &mut Vm, parts: &[Value], out: &mut RString, first: &mut bool) -> Res<()> {
    for part in parts {
        let text = match part {
            Value::Str(text) => text.get(vm).clone(),
            Value::Array(array) => {
                if part.flag(crate::heap::BUSY) {
                    return Err(vm.argument_error("recursive array"));
                }
                let items = array.get(vm).items.clone();
                part.set_flag(crate::heap::BUSY, true);
                let mut inner = RString::new(Vec::new(), out.encoding());
                let mut inner_first = true;
                let result = join_into(vm, &items, &mut inner, &mut inner_first);
                part.set_flag(crate::heap::BUSY, false);
                result?;
                inner
            }
            other => to_path_str(vm, other)?,
        };
        if text.bytes().contains(&0) {
            return Err(vm.argument_error("string contains null byte"));
        }
        if *first {
            *first = false;
            *out = text;
            continue;
        }
        let starts = text.bytes().first() == Some(&b'/');
        let ends = out.bytes().last() == Some(&b'/');
        let encoding = match rchef_text::encoding::compatible(
            rchef_text::encoding::Operand::bytes(out.bytes(), out.encoding()),
            rchef_text::encoding::Operand::bytes(text.bytes(), text.encoding()),
        ) {
            Some(encoding) => encoding,
            None => {
                let (a, b) = (out.encoding().name(), text.encoding().name());
                return Err(
                    vm.error(ClassId::COMPATIBILITY_ERROR, format!("incompatible character encodings: {a} and {b}"))
                );
            }
        };
        if starts {
            let end = trim_end(out.bytes()).len();
            out.bytes_mut().truncate(end);
        } else if !ends {
            out.bytes_mut().push(b'/');
        }
        out.bytes_mut().extend_from_slice(text.bytes());
        out.set_encoding(encoding);
    }
    Ok(())
}
pub(super) fn join(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut out = RString::new(Vec::new(), if args.is_empty() { Encoding::UsAscii } else { Encoding::Utf8 });
    let mut first = true;
    join_into(vm, args.pos, &mut out, &mut first)?;
    Ok(Value::string(out))
}

/// The home directory of a user (empty name: the current user); ArgumentError if there is none.
pub fn home(vm: &mut Vm, user: &[u8]) -> Res<Vec<u8>> {
    let host = vm.host.clone();
    if user.is_empty() {
        let found = match host.env(b"HOME") {
            Some(home) => Some(home),
            None => host.user_by_id(host.uids().0).ok().flatten().map(|user| user.dir),
        };
        return match found {
            Some(home) => Ok(home),
            None => Err(vm.argument_error("couldn't find HOME environment -- expanding `~'")),
        };
    }
    match host.user_by_name(user) {
        Ok(Some(user)) => Ok(user.dir),
        _ => Err(vm.argument_error(format!("user {} doesn't exist", String::from_utf8_lossy(user)))),
    }
}
/// Removes `.`, `..` and repeated slashes from an absolute path. Slashes at the start are kept, unless `..` leads back to them from a name.
pub fn normalise(path: &[u8]) -> Vec<u8> {
    let front = path.iter().take_while(|&&byte| byte == b'/').count();
    let mut full = Vec::with_capacity(path.len());
    full.extend_from_slice(&path[..front]);
    descend(&mut full, &path[front..]);
    full
}
/// Goes on from an absolute path without `.` and `..` by a relative one.
fn descend(full: &mut Vec<u8>, path: &[u8]) {
    for part in path.split(|&byte| byte == b'/') {
        match (part, full.iter().rposition(|&byte| byte == b'/')) {
            (b"" | b".", _) => {}
            (b"..", Some(slash)) if slash + 1 < full.len() => {
                full.truncate(slash);
                if full.iter().all(|&byte| byte == b'/') {
                    full.clear();
                    full.push(b'/');
                }
            }
            (b"..", _) => {}
            (part, _) => {
                if full.last() != Some(&b'/') {
                    full.push(b'/');
                }
                full.extend_from_slice(part);
            }
        }
    }
}
/// `File.expand_path`; without `tilde`, `File.absolute_path`.
pub fn expand(vm: &mut Vm, path: &[u8], base: Option<&Value>, tilde: bool) -> Res<Vec<u8>> {
    if tilde && path.first() == Some(&b'~') {
        let end = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
        let mut full = home(vm, &path[1..end])?;
        if full.first() != Some(&b'/') {
            return Err(match end {
                1 => vm.argument_error("non-absolute home"),
                _ => vm.argument_error(format!("non-absolute home of {}", String::from_utf8_lossy(&path[1..end]))),
            });
        }
        full.extend_from_slice(&path[end..]);
        return Ok(normalise(&full));
    }
    if path.first() == Some(&b'/') {
        return Ok(normalise(path));
    }
    let mut full = match base {
        Some(base) if !base.is_nil() => {
            let base = to_path(vm, base)?;
            expand(vm, &base, None, tilde)?
        }
        _ => vm.host.getcwd().map_err(|error| fail_at(vm, &error, "rb_dir_getwd", b""))?,
    };
    descend(&mut full, path);
    Ok(full)
}
fn expanded(vm: &mut Vm, args: Args<'_>, tilde: bool) -> Res {
    let path = to_path_str(vm, args.at(0))?;
    let full = expand(vm, path.bytes(), args.get(1), tilde)?;
    let encoding = if path.encoding() == Encoding::UsAscii { Encoding::Utf8 } else { path.encoding() };
    Ok(Value::string(RString::new(full, encoding)))
}
pub(super) fn expand_path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    expanded(vm, args, true)
}
pub(super) fn absolute_path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    expanded(vm, args, false)
}
pub(super) fn is_absolute_path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path(vm, args.at(0))?;
    Ok(Value::bool(path.first() == Some(&b'/')))
}
pub(super) fn realpath(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    const ENOTDIR: i32 = 20;
    let path = to_path_str(vm, args.at(0))?;
    let full = expand_keeping(vm, path.bytes(), args.get(1))?;
    let found = match vm.host.realpath(&full) {
        // for `..` after a file MRI removes both textually
        Err(error) if error.errno == ENOTDIR && full.windows(3).any(|part| part == b"/..") => {
            vm.host.realpath(&normalise(&full))
        }
        other => other,
    };
    let found = found.map_err(|error| fail_at(vm, &error, "rb_check_realpath_internal", &full))?;
    Ok(same_encoding(&path, found))
}
/// Makes a path absolute, with `..` left for the host, because a component may be a symlink.
fn expand_keeping(vm: &mut Vm, path: &[u8], base: Option<&Value>) -> Res<Vec<u8>> {
    if path.first() == Some(&b'/') {
        return Ok(path.to_vec());
    }
    let base = match base {
        Some(base) if !base.is_nil() => {
            let base = to_path(vm, base)?;
            expand(vm, &base, None, false)?
        }
        _ => vm.host.getcwd().map_err(|error| vm.host_error(&error))?,
    };
    Ok(rchef_host::files::absolute(&base, path))
}
/// Like `realpath`, but the last component need not exist.
pub(super) fn realdirpath(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = to_path_str(vm, args.at(0))?;
    let mut full = expand_keeping(vm, path.bytes(), args.get(1))?;
    for _ in 0..40 {
        if let Ok(found) = vm.host.realpath(&full) {
            return Ok(same_encoding(&path, found));
        }
        if let Ok(target) = vm.host.readlink(&full) {
            full = rchef_host::files::absolute(&dir(&full, 1), &target);
            continue;
        }
        let folder = dir(&full, 1);
        let found =
            vm.host.realpath(&folder).map_err(|error| fail_at(vm, &error, "rb_check_realpath_internal", &folder))?;
        return Ok(same_encoding(&path, rchef_host::files::join(&found, base(&full))));
    }
    Err(vm.errno(40, Some(&format!("@ rb_check_realpath_internal - {}", String::from_utf8_lossy(&full)))))
}
pub(super) fn fnmatch(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let flags = match args.get(2) {
        Some(flags) => vm.to_int(flags)?,
        None => 0,
    };
    let pattern = vm.to_str(args.at(0))?;
    let path = to_path(vm, args.at(1))?;
    let pattern = pattern.get(vm).bytes().to_vec();
    if pattern.contains(&0) {
        return Err(vm.argument_error("string contains null byte"));
    }
    Ok(Value::bool(rchef_text::fnmatch::fnmatch(&pattern, &path, flags as u32)))
}
