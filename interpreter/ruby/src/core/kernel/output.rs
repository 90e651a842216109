//! Output: `puts`, `print`, `p`, `putc`, `warn`.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::warning::category_name;
use crate::error::Res;
use crate::method::{MethodDef, any, def};
use crate::value::Value;
use rchef_host::StandardStream;
use rchef_syntax::symbol::sym;

pub(super) static FUNCTIONS: &[MethodDef] =
    &[any("puts", puts), any("print", print), any("p", p), def("putc", putc, 1), any("warn", warn)];

impl Vm {
    /// Writes bytes to `$stdout`, which may be any Ruby object.
    pub fn write_stdout(&mut self, bytes: &[u8]) -> Res<()> {
        let stream = self.global_get(sym::DOLLAR_STDOUT)?;
        if !stream.is_nil() {
            self.call(&stream, sym::WRITE, &[Value::bytes(bytes)])?;
            return Ok(());
        }
        write_host(self, StandardStream::Output, bytes)
    }
}
/// Writes bytes to a standard stream of the host.
pub fn write_host(vm: &mut Vm, stream: StandardStream, bytes: &[u8]) -> Res<()> {
    let host = vm.host.clone();
    let result = host.standard(stream).and_then(|handle| rchef_host::compose::write_all(&*handle, bytes));
    result.map_err(|error| vm.host_error(&error))
}

/// Appends the output of `puts` for its arguments.
pub fn puts_bytes(vm: &mut Vm, values: &[Value], out: &mut Vec<u8>) -> Res<()> {
    if values.is_empty() {
        out.push(b'\n');
    }
    for value in values {
        if let Some(array) = vm.check_ary(value)? {
            if value.flag(crate::heap::BUSY) {
                out.extend_from_slice(b"[...]\n");
                continue;
            }
            value.set_flag(crate::heap::BUSY, true);
            let items = array.get(vm).items.clone();
            let result = if items.is_empty() { Ok(()) } else { puts_bytes(vm, &items, out) };
            value.set_flag(crate::heap::BUSY, false);
            result?;
            continue;
        }
        let text = vm.to_s(value)?;
        let bytes = text.get(vm).bytes();
        out.extend_from_slice(bytes);
        if bytes.last() != Some(&b'\n') {
            out.push(b'\n');
        }
    }
    Ok(())
}
fn puts(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let stream = vm.global_get(sym::DOLLAR_STDOUT)?;
    if !stream.is_nil() {
        return vm.call(&stream, sym::PUTS, args.pos);
    }
    let mut out = Vec::new();
    puts_bytes(vm, args.pos, &mut out)?;
    vm.write_stdout(&out)?;
    Ok(Value::Nil)
}
fn print(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut out = Vec::new();
    for value in args.pos {
        let text = vm.to_s(value)?;
        out.extend_from_slice(text.get(vm).bytes());
    }
    vm.write_stdout(&out)?;
    Ok(Value::Nil)
}
fn p(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut out = Vec::new();
    for value in args.pos {
        let text = vm.inspect_str(value)?;
        out.extend_from_slice(text.get(vm).bytes());
        out.push(b'\n');
    }
    vm.write_stdout(&out)?;
    Ok(match args.pos {
        [] => Value::Nil,
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    })
}
fn putc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let bytes = match args.at(0) {
        Value::Str(text) => {
            let text = text.get(vm).to_text();
            text.chars().next().map(|c| c.to_string().into_bytes()).unwrap_or_default()
        }
        other => vec![vm.to_int(other)? as u8],
    };
    vm.write_stdout(&bytes)?;
    Ok(args.at(0).clone())
}

fn warn(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [uplevel, category]) =
        args.take_keywords(vm, [Symbol::intern_static("uplevel"), Symbol::intern_static("category")])?;
    if vm.is_silent() || pos.is_empty() {
        return Ok(Value::Nil);
    }
    let mut out = Vec::new();
    if let Some(uplevel) = uplevel
        && !uplevel.is_nil()
    {
        let level = vm.to_int(&uplevel)?;
        if level < 0 {
            return Err(vm.argument_error(format!("negative level ({level})")));
        }
        let trace = vm.backtrace(1);
        let text = match trace.get(level as usize) {
            Some(entry) => match &entry.code {
                Some(code) => format!("{}:{}: warning: ", code.file.path, entry.line),
                None => "warning: ".to_string(),
            },
            None => "warning: ".to_string(),
        };
        out.extend_from_slice(text.as_bytes());
    }
    let category = match category {
        None | Some(Value::Nil) => None,
        Some(value) => {
            let value = match value {
                Value::Sym(_) => value,
                other => Value::Sym(vm.to_name(&other)?),
            };
            category_name(vm, &value)?;
            Some(value)
        }
    };
    let mut body = Vec::new();
    puts_bytes(vm, pos, &mut body)?;
    if body.is_empty() {
        return Ok(Value::Nil);
    }
    out.extend_from_slice(&body);
    // `super` in a `Warning.warn` of Ruby code comes here.
    if matches!(this, Value::Class(ClassId::WARNING)) {
        vm.write_stderr(&out)?;
        return Ok(Value::Nil);
    }
    vm.deliver_warning(Value::bytes(out), category)?;
    Ok(Value::Nil)
}
