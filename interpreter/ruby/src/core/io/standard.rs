//! `$stdin`, `$stdout`, `$stderr`, and the constants.

use super::stream::Stream;
use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use rchef_host::StandardStream;
use rchef_syntax::symbol::sym;

#[derive(Default)]
struct Streams {
    input: Value,
    output: Value,
    error: Value,
    /// The standard output that `$stdout` is at the start.
    first_output: Value,
}

pub fn stdin(vm: &mut Vm) -> Value {
    vm.extension::<Streams>().input.clone()
}
pub fn stdout(vm: &mut Vm) -> Value {
    vm.extension::<Streams>().output.clone()
}
pub fn stderr(vm: &mut Vm) -> Value {
    vm.extension::<Streams>().error.clone()
}
/// Makes `$stdout` the standard output again.
pub fn restore_stdout(vm: &mut Vm) {
    let streams = vm.extension::<Streams>();
    streams.output = streams.first_output.clone();
}
/// Closes the file that `$stdout` is if it is not standard output; returns whether it was in binary mode.
pub fn finish_redirected(vm: &mut Vm) -> Res<bool> {
    let output = stdout(vm);
    let Some(data) = vm.data::<super::IoData>(&output) else { return Ok(false) };
    let stream = data.0.clone();
    if !output.same(&vm.extension::<Streams>().first_output) {
        stream.close(vm)?;
    }
    Ok(stream.binmode.get())
}
fn get_stdin(vm: &mut Vm, _: Symbol) -> Res {
    Ok(stdin(vm))
}
fn get_stdout(vm: &mut Vm, _: Symbol) -> Res {
    Ok(stdout(vm))
}
fn get_stderr(vm: &mut Vm, _: Symbol) -> Res {
    Ok(stderr(vm))
}
fn check(vm: &mut Vm, name: Symbol, value: &Value) -> Res<()> {
    if vm.respond_to(value, sym::WRITE, true)? {
        return Ok(());
    }
    let class = vm.class_name_of(value);
    Err(vm.type_error(format!("{name} must have write method, {class} given")))
}
fn set_stdin(vm: &mut Vm, _: Symbol, value: Value) -> Res<()> {
    vm.extension::<Streams>().input = value;
    Ok(())
}
fn set_stdout(vm: &mut Vm, name: Symbol, value: Value) -> Res<()> {
    check(vm, name, &value)?;
    vm.extension::<Streams>().output = value;
    Ok(())
}
fn set_stderr(vm: &mut Vm, name: Symbol, value: Value) -> Res<()> {
    check(vm, name, &value)?;
    vm.extension::<Streams>().error = value;
    Ok(())
}

pub(super) fn boot(vm: &mut Vm) {
    let make = |which| super::handle::object(ClassId::IO, Stream::standard(which));
    let streams = Streams {
        input: make(StandardStream::Input),
        output: make(StandardStream::Output),
        error: make(StandardStream::Error),
        first_output: Value::Nil,
    };
    let streams = Streams { first_output: streams.output.clone(), ..streams };
    for (name, value) in [("STDIN", &streams.input), ("STDOUT", &streams.output), ("STDERR", &streams.error)] {
        vm.const_set(ClassId::OBJECT, Symbol::intern_static(name), value.clone());
    }
    *vm.extension::<Streams>() = streams;
    vm.define_global("$stdin", get_stdin, Some(set_stdin));
    vm.define_global("$stdout", get_stdout, Some(set_stdout));
    vm.define_global("$>", get_stdout, Some(set_stdout));
    vm.define_global("$stderr", get_stderr, Some(set_stderr));
}
