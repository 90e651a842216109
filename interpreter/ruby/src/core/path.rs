//! Path arguments: `to_path`, `to_str`, no NUL bytes; and errors that name paths.

use crate::Vm;
use crate::error::{Error, Res};
use crate::string::RString;
use crate::value::Value;
use rchef_host::HostError;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;

/// The bytes of a path argument: a String, or the result of `to_path` or `to_str`. TypeError for other objects, ArgumentError for NUL bytes.
pub fn to_path(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(to_path_str(vm, value)?.into_bytes())
}

/// The same with its encoding.
pub fn to_path_str(vm: &mut Vm, value: &Value) -> Res<RString> {
    let string = match value {
        Value::Str(gc) => gc.clone(),
        _ => {
            let converted = if matches!(
                value,
                Value::Nil | Value::Int(_) | Value::True | Value::False | Value::Float(_) | Value::Sym(_)
            ) {
                None
            } else {
                vm.try_convert(value, sym::TO_PATH)?
            };
            vm.to_str(converted.as_ref().unwrap_or(value))?
        }
    };
    let found = string.get(vm).clone();
    if !found.encoding().is_ascii_compatible() {
        let name = found.encoding().name();
        return Err(vm.error(
            crate::ClassId::COMPATIBILITY_ERROR,
            format!("path name must be ASCII-compatible string ({name}): {}", found.to_text()),
        ));
    }
    if found.bytes().contains(&0) {
        return Err(vm.argument_error("string contains null byte"));
    }
    Ok(found)
}

/// A path as a String in the file system encoding.
pub fn path_value(bytes: impl Into<Vec<u8>>) -> Value {
    Value::string(RString::new(bytes.into(), Encoding::Utf8))
}

/// `Errno::X` with MRI's message "text @ function - path".
#[cold]
pub fn fail_at(vm: &mut Vm, error: &HostError, function: &str, path: &[u8]) -> Error {
    let path = String::from_utf8_lossy(path);
    let what = if path.is_empty() { format!("@ {function}") } else { format!("@ {function} - {path}") };
    // in MRI's message an empty path is "@ rb_sysopen - "
    let what = if path.is_empty() { format!("{what} - ") } else { what };
    vm.errno(error.errno, Some(&what))
}

/// `Errno::X` with the message "text @ function - (a, b)".
#[cold]
pub fn fail_two(vm: &mut Vm, error: &HostError, function: &str, a: &[u8], b: &[u8]) -> Error {
    const EEXIST: i32 = 17;
    if error.errno == EEXIST {
        return fail_at(vm, error, "syserr_fail2_in", b);
    }
    let what = format!("@ {function} - ({}, {})", String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    vm.errno(error.errno, Some(&what))
}
