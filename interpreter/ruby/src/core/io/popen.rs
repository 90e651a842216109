//! `IO.popen`.

use super::handle::stream_of;
use super::mode::{Mode, open_mode};
use super::stream::{Stream, flush_all};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::process::spawn;
use crate::error::Res;
use crate::value::Value;
use rchef_host::{CommandSpec, Program, Stdio};
use std::rc::Rc;

/// Starts a command with pipes for the mode.
fn start(vm: &mut Vm, mut spec: CommandSpec, mode: &Mode) -> Res<Rc<Stream>> {
    if mode.readable() {
        spec.stdout = Stdio::Pipe;
    }
    if mode.writable() {
        spec.stdin = Stdio::Pipe;
    }
    flush_all(vm)?;
    spawn::inherit_reopened(vm, &mut spec);
    let spawned = vm.host.spawn(&spec).map_err(|error| vm.host_error(&error))?;
    let stream = Stream::pair(spawned.stdout.map(Rc::from), spawned.stdin.map(Rc::from));
    mode.apply(&stream);
    stream.sync.set(true);
    stream.pid.set(spawned.pid);
    Ok(stream)
}
/// The stream for `IO.read("|command")` etc.
pub(super) fn on_command(vm: &mut Vm, command: &[u8], mode: &Mode) -> Res<Rc<Stream>> {
    start(vm, CommandSpec::new(Program::Line(command.to_vec())), mode)
}
/// `popen([env,] command, mode = "r", **options)`
pub(super) fn popen(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, options) = args.split();
    let mut options = options.cloned();
    let mut pos = pos.to_vec();
    let mut env = Value::Nil;
    // options may be a Hash that is no keywords
    if options.is_none()
        && pos.len() > 1
        && let Some(last) = pos.last().cloned()
        && let Some(hash) = vm.check_hash(&last)?
    {
        options = Some(hash);
        pos.pop();
    }
    if let Some(first) = pos.first().cloned()
        && let Some(hash) = vm.check_hash(&first)?
    {
        env = Value::Hash(hash);
        pos.remove(0);
    }
    if pos.is_empty() || pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    let (open_options, spawn_options) = spawn::split_options(vm, options.as_ref())?;
    let mode = open_mode(vm, pos.get(1).unwrap_or(&Value::Nil), &Value::Nil, open_options.as_ref())?;
    let mut spec = match vm.check_ary(&pos[0])? {
        Some(array) => {
            let mut items = array.get(vm).items.clone();
            let mut options = spawn_options;
            if let Some(Value::Hash(hash)) = items.last().cloned() {
                items.pop();
                options = Some(hash);
            }
            if let Some(Value::Hash(hash)) = items.first().cloned() {
                items.remove(0);
                env = Value::Hash(hash);
            }
            // an Array is never run by a shell
            let mut spec = spawn::command(vm, &items, true)?;
            if let Some(options) = options {
                spawn::apply_options(vm, &mut spec, &options)?;
            }
            spec
        }
        None => {
            let line = vm.to_str(&pos[0])?;
            if line.get(vm).bytes() == b"-" {
                return of_itself(vm, this, &mode, args);
            }
            let mut spec = spawn::command(vm, &pos[..1], false)?;
            if let Some(options) = spawn_options {
                spawn::apply_options(vm, &mut spec, &options)?;
            }
            spec
        }
    };
    if !env.is_nil() {
        spawn::apply_env(vm, &mut spec, &env)?;
    }
    let stream = start(vm, spec, &mode)?;
    hand_out(vm, this, stream, args)
}
/// `popen("-")`: forks this program, connected by pipes. In the child the block gets nil, or popen returns nil.
fn of_itself(vm: &mut Vm, this: &Value, mode: &Mode, args: Args<'_>) -> Res {
    let mut pipe = |wanted: bool| -> Res<_> {
        if !wanted {
            return Ok((None, None));
        }
        let (read, write) = vm.host.pipe().map_err(|error| vm.host_error(&error))?;
        Ok((Some(Rc::from(read)), Some(Rc::from(write))))
    };
    let (from_child, childs_output) = pipe(mode.readable())?;
    let (childs_input, to_child) = pipe(mode.writable())?;
    if let Some(pid) = crate::core::process::fork_process(vm)? {
        drop((childs_output, childs_input));
        let stream = Stream::pair(from_child, to_child);
        mode.apply(&stream);
        stream.sync.set(true);
        stream.pid.set(pid);
        return hand_out(vm, this, stream, args);
    }
    drop((from_child, to_child));
    for (name, end) in [("$stdout", Stream::pair(None, childs_output)), ("$stdin", Stream::pair(childs_input, None))] {
        if end.readable.get() || end.writable.get() {
            end.label.set(Some(if name == "$stdin" { "<STDIN>" } else { "<STDOUT>" }));
            let end = super::handle::object(crate::ClassId::IO, end);
            let standard = vm.global_get(crate::Symbol::intern_static(name))?;
            vm.call_name(&standard, "reopen", &[end])?;
        }
    }
    let Some(block) = args.block else { return Ok(Value::Nil) };
    let result = vm.yield1(block, Value::Nil);
    Err(vm.end_of_child(result.map(drop)))
}
/// Yields the stream's object to the block and closes it afterwards, or returns it.
fn hand_out(vm: &mut Vm, this: &Value, stream: Rc<Stream>, args: Args<'_>) -> Res {
    let class = if let Value::Class(class) = this { *class } else { crate::ClassId::IO };
    let io = super::handle::object(class, stream);
    let Some(block) = args.block else { return Ok(io) };
    let result = vm.yield1(block, io.clone());
    let closed = close(vm, &io, Args::none());
    let result = result?;
    closed?;
    Ok(result)
}
/// Waits for the child of a closed stream, and sets `$?`.
pub(super) fn reap(vm: &mut Vm, stream: &Stream) -> Res<()> {
    let pid = stream.pid.replace(0);
    if pid != 0 {
        const ECHILD: i32 = 10;
        // it is not an error if the program has waited for the child itself
        let gone = vm.errno_class(ECHILD);
        let wait = |vm: &mut Vm| crate::core::process::wait_for(vm, rchef_host::WaitTarget::Pid(pid), false);
        if let Some(status) = vm.rescue(gone, wait, |_, _| Ok(None))? {
            crate::core::process::set_last_status(vm, status);
        }
    }
    Ok(())
}

/// Closes a stream, and waits for the child of `popen`.
pub fn close(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = stream_of(vm, this)?;
    if !stream.opened.get() {
        return Err(vm.error(ClassId::IO_ERROR, "uninitialized stream"));
    }
    if stream.closed() {
        return Ok(Value::Nil);
    }
    let result = stream.close(vm);
    reap(vm, &stream)?;
    result.map(|()| Value::Nil)
}
