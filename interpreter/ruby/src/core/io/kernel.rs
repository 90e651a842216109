//! Functions of Kernel for streams: `puts`, `print`, `p`, `printf`, `putc`, `display`, `gets`, `readline(s)`, `open`, `select`.

use super::output::{formatted, puts_into, write_value};
use super::standard;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;

static FUNCTIONS: &[MethodDef] = &[
    any("puts", puts),
    any("print", print),
    any("p", p),
    any("printf", printf),
    def("putc", putc, 1),
    any("gets", gets),
    any("readline", readline),
    any("readlines", readlines),
    any("open", open),
    opt("select", super::wait::select, 1, 4),
];
static OBJECT: &[MethodDef] = &[opt("display", display, 0, 1)];

fn puts(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let out = standard::stdout(vm);
    let class = vm.class_of(&out);
    // an object without a `puts` of its own has this function
    let own = this.same(&out);
    if own || vm.data::<super::IoData>(&out).is_some() && vm.is_native_method(class, sym::PUTS) {
        puts_into(vm, &out, args.pos)?;
        return Ok(Value::Nil);
    }
    vm.call(&out, sym::PUTS, args.pos)
}
fn print(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let out = standard::stdout(vm);
    super::output::print(vm, &out, args)
}
fn p(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let out = standard::stdout(vm);
    for value in args.pos {
        let text = vm.inspect_str(value)?;
        let mut line = text.get(vm).clone();
        line.push_bytes(b"\n", None);
        write_value(vm, &out, Value::string(line))?;
    }
    if let Some(data) = vm.data::<super::IoData>(&out) {
        data.0.clone().flush(vm)?;
    }
    Ok(match args.pos {
        [] => Value::Nil,
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    })
}
fn printf(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(first) = args.get(0) else { return Ok(Value::Nil) };
    if matches!(first, Value::Str(_)) {
        let out = standard::stdout(vm);
        let text = formatted(vm, args.pos)?;
        write_value(vm, &out, text)?;
    } else {
        let text = formatted(vm, args.from(1).pos)?;
        write_value(vm, first, text)?;
    }
    Ok(Value::Nil)
}
fn putc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let out = standard::stdout(vm);
    if vm.data::<super::IoData>(&out).is_some() {
        return super::output::putc(vm, &out, args);
    }
    vm.call(&out, Symbol::intern_static("putc"), args.pos)
}
fn display(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let out = match args.get(0) {
        Some(port) => port.clone(),
        None => standard::stdout(vm),
    };
    write_value(vm, &out, this.clone())?;
    Ok(Value::Nil)
}
/// Reads from ARGF: the files in ARGV, or standard input.
fn through_argf(vm: &mut Vm, method: &'static str, args: Args<'_>) -> Res {
    let argf = vm.argf();
    let found = vm.call_args(&argf, Symbol::intern_static(method), args)?;
    if method != "readlines" {
        vm.global_set(sym::DOLLAR_UNDERSCORE, found.clone())?;
    }
    Ok(found)
}
fn gets(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    through_argf(vm, "gets", args)
}
fn readline(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    through_argf(vm, "readline", args)
}
fn readlines(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    through_argf(vm, "readlines", args)
}
/// `open`: calls `to_open` of the argument, runs a command after `|`, or opens a file.
fn open(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(target) = args.get(0) else { return Err(vm.arity_error(0, "1+")) };
    let to_open = Symbol::intern_static("to_open");
    if !matches!(target, Value::Str(_)) && vm.respond_to(target, to_open, true)? {
        let opened = vm.call_args(target, to_open, args.from(1).with_block(None))?;
        return match args.block {
            Some(block) => vm.yield1(block, opened),
            None => Ok(opened),
        };
    }
    let path = crate::core::path::to_path_str(vm, target)?;
    if let Some(command) = path.bytes().strip_prefix(b"|") {
        let mut pos = args.pos.to_vec();
        pos[0] = Value::bytes(command);
        return vm.call_args(&Value::Class(ClassId::IO), Symbol::intern_static("popen"), Args { pos: &pos, ..args });
    }
    // a redefined `File.open` is not asked
    super::class::open(vm, &Value::Class(ClassId::FILE), args)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
    vm.define_methods(ClassId::KERNEL, OBJECT);
}
