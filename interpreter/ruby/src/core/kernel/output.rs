//! Output: `puts`, `print`, `p`, `putc`, `warn`; the Warning module.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodBody, MethodDef, any, def, opt};
use crate::value::Value;
use rchef_host::StandardStream;
use rchef_syntax::symbol::sym;

pub(super) static FUNCTIONS: &[MethodDef] =
    &[any("puts", puts), any("print", print), any("p", p), def("putc", putc, 1), any("warn", warn)];
static WARNING: &[MethodDef] = &[opt("warn", warning_warn, 1, 2)];
static WARNING_SINGLETON: &[MethodDef] = &[def("[]", category, 1), def("[]=", set_category, 2)];

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

/// The enabled warning categories: `Warning[category]`.
struct Categories {
    deprecated: bool,
    experimental: bool,
}
impl Default for Categories {
    fn default() -> Categories {
        Categories { deprecated: false, experimental: true }
    }
}
fn category_name(vm: &mut Vm, value: &Value) -> Res<&'static str> {
    match value {
        Value::Sym(name) if matches!(name.as_str(), "deprecated" | "experimental") => Ok(name.as_str()),
        Value::Sym(name) => Err(vm.argument_error(format!("unknown category: {name}"))),
        other => {
            let described = vm.describe(other);
            Err(vm.type_error(format!("wrong argument type {described} (expected Symbol)")))
        }
    }
}
fn category_on(vm: &mut Vm, name: &str) -> bool {
    let categories = vm.extension::<Categories>();
    if name == "deprecated" { categories.deprecated } else { categories.experimental }
}
fn category(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = category_name(vm, args.at(0))?;
    Ok(Value::bool(category_on(vm, name)))
}
fn set_category(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = category_name(vm, args.at(0))?;
    let on = args.at(1).truthy();
    let categories = vm.extension::<Categories>();
    if name == "deprecated" {
        categories.deprecated = on;
    } else {
        categories.experimental = on;
    }
    Ok(args.at(1).clone())
}
/// Warning#warn, which is called for all warnings.
fn warning_warn(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, [category]) = args.take_keywords(vm, [Symbol::intern_static("category")])?;
    let Some(Value::Str(text)) = pos.first() else {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("wrong argument type {described} (expected String)")));
    };
    if let Some(category) = category
        && !category.is_nil()
    {
        let name = category_name(vm, &category)?;
        if !category_on(vm, name) {
            return Ok(Value::Nil);
        }
    }
    let bytes = text.get(vm).bytes().to_vec();
    vm.write_stderr(&bytes)?;
    Ok(Value::Nil)
}
fn warn(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, [uplevel, category]) =
        args.take_keywords(vm, [Symbol::intern_static("uplevel"), Symbol::intern_static("category")])?;
    if vm.global_get(sym::DOLLAR_VERBOSE)?.is_nil() || pos.is_empty() {
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
    let text = Value::bytes(out);
    let warning = Value::Class(ClassId::WARNING);
    // an overridden `warn` with more parameters gets the category, even if it is nil
    let class = vm.class_of(&warning);
    let takes = match vm.find_method(class, Symbol::intern_static("warn")) {
        Some(id) if !matches!(vm.method(id).body, MethodBody::Native(..)) => vm.method_arity(id) != 1,
        _ => category.is_some(),
    };
    match takes.then(|| category.unwrap_or_default()) {
        Some(category) => {
            let keywords = vm.new_hash(vec![(Value::Sym(Symbol::intern_static("category")), category)])?;
            vm.call_args(&warning, Symbol::intern_static("warn"), Args::new(&[text, keywords]).with_keywords(true))?;
        }
        None => {
            vm.call_name(&warning, "warn", &[text])?;
        }
    }
    Ok(Value::Nil)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::WARNING, WARNING);
    vm.define_singleton_methods(ClassId::WARNING, WARNING_SINGLETON);
    let meta = vm.meta(ClassId::WARNING);
    vm.include_module(meta, ClassId::WARNING);
}
