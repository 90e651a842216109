//! Commands: the arguments of `spawn`, `system`, backticks, `exec` and `popen`, and running them.

use super::status::{last_status, set_last_status};
use super::wait_for;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::io::mode::Mode;
use crate::core::io::{IoData, flush_all, stream_of};
use crate::core::path::to_path;
use crate::error::Res;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::string::RString;
use crate::value::Value;
use rchef_host::{
    CommandSpec, ExitStatus, FileHandle, OpenFlags, ProcessGroup, Program, StandardStream, Stdio, WaitTarget,
};
use rchef_syntax::symbol::sym;
use std::rc::Rc;

/// The bytes of a String for the system: an error if there is a NUL among them.
pub(super) fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    let found = vm.to_str(value)?.get(vm).bytes().to_vec();
    if found.contains(&0) {
        return Err(vm.argument_error("string contains null byte"));
    }
    Ok(found)
}
/// A command from its arguments: a single String is a command line unless `literal`; `[program, argv0]` sets argv[0].
pub fn command(vm: &mut Vm, words: &[Value], literal: bool) -> Res<CommandSpec> {
    let Some(first) = words.first() else { return Err(vm.arity_error(0, "1+")) };
    let mut argv0 = None;
    let first = match first {
        Value::Array(_) => Some(vm.to_ary(first)?),
        Value::Str(_) => None,
        other => vm.check_ary(other)?,
    }
    .map_or(Ok(first.clone()), |pair| {
        let items = pair.get(vm).items.clone();
        let [program, name] = items.as_slice() else { return Err(vm.argument_error("wrong first argument")) };
        argv0 = Some(bytes(vm, name)?);
        Ok(program.clone())
    })?;
    if words.len() == 1 && argv0.is_none() && !literal {
        return Ok(CommandSpec::new(Program::Line(bytes(vm, &first)?)));
    }
    let mut argv = vec![bytes(vm, &first)?];
    for word in &words[1..] {
        argv.push(bytes(vm, word)?);
    }
    let mut spec = CommandSpec::new(Program::Argv(argv));
    spec.argv0 = argv0;
    Ok(spec)
}
/// Applies a Hash of environment changes.
pub fn apply_env(vm: &mut Vm, spec: &mut CommandSpec, env: &Value) -> Res<()> {
    let hash = vm.to_hash(env)?;
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    for (name, value) in pairs {
        let name = bytes(vm, &name)?;
        if name.contains(&b'=') {
            let shown = String::from_utf8_lossy(&name).into_owned();
            return Err(vm.argument_error(format!("environment name contains a equal : {shown}")));
        }
        let value = if value.is_nil() { None } else { Some(bytes(vm, &value)?) };
        spec.env.insert(name, value);
    }
    Ok(())
}
/// Whether an option's key is a redirection.
fn is_descriptor(vm: &Vm, key: &Value) -> bool {
    match key {
        Value::Int(_) | Value::Array(_) => true,
        Value::Sym(name) => matches!(name.as_str(), "in" | "out" | "err"),
        other => vm.is_a(other, ClassId::IO),
    }
}
const SPAWN_KEYS: &[&str] = &[
    "chdir",
    "unsetenv_others",
    "pgroup",
    "new_pgroup",
    "umask",
    "close_others",
    "in",
    "out",
    "err",
    "exception",
    "uid",
    "gid",
];

/// Splits the options of `popen` into those for opening and those for spawning.
pub fn split_options(vm: &mut Vm, options: Option<&Gc<RHash>>) -> Res<(Option<Gc<RHash>>, Option<Gc<RHash>>)> {
    let Some(options) = options else { return Ok((None, None)) };
    let (mut open, mut spawn) = (Vec::new(), Vec::new());
    let pairs: Vec<(Value, Value)> = options.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (key, value) in pairs {
        let for_spawn = is_descriptor(vm, &key)
            || matches!(&key, Value::Sym(name) if SPAWN_KEYS.contains(&name.as_str()) || name.as_str().starts_with("rlimit_"));
        if for_spawn { spawn.push((key, value)) } else { open.push((key, value)) }
    }
    let mut made = |pairs: Vec<(Value, Value)>| -> Res<Option<Gc<RHash>>> {
        if pairs.is_empty() {
            return Ok(None);
        }
        match vm.new_hash(pairs)? {
            Value::Hash(hash) => Ok(Some(hash)),
            _ => Ok(None),
        }
    };
    Ok((made(open)?, made(spawn)?))
}
/// The number of a descriptor in the child.
fn descriptor(vm: &mut Vm, key: &Value) -> Res<i32> {
    match key {
        Value::Sym(name) => match name.as_str() {
            "in" => Ok(0),
            "out" => Ok(1),
            "err" => Ok(2),
            _ => Err(vm.argument_error("wrong exec redirect action")),
        },
        Value::Int(number) => match i32::try_from(*number) {
            Ok(number) if number >= 0 => Ok(number),
            _ => Err(vm.argument_error("negative file descriptor")),
        },
        other => {
            let stream = stream_of(vm, other)?;
            stream.fileno(vm)
        }
    }
}
/// The handle of a descriptor of this process.
fn own_handle(vm: &mut Vm, number: i32) -> Res<Rc<dyn FileHandle>> {
    let standard = match number {
        0 => Some("STDIN"),
        1 => Some("STDOUT"),
        2 => Some("STDERR"),
        _ => None,
    };
    if let Some(name) = standard
        && let Some(constant) =
            vm.const_own(ClassId::OBJECT, Symbol::intern_static(name)).map(|constant| constant.value.clone())
        && let Some(data) = vm.data::<IoData>(&constant)
    {
        let stream = data.0.clone();
        if !stream.closed() {
            return stream.handle(vm);
        }
    }
    Ok(crate::core::io::handle_of_fd(vm, i64::from(number))?.0)
}
/// A file for a descriptor of the child. A named pipe whose other end another thread of this program may have to open is opened here, while they run;
/// for reading, once there is something to read.
fn file(vm: &mut Vm, path: Vec<u8>, flags: OpenFlags, mode: u32) -> Res<Stdio> {
    let waits = crate::core::thread::has_others(vm)
        && vm.host.stat(&path).is_ok_and(|stat| stat.kind() == rchef_host::FileKind::Fifo);
    if !waits {
        return Ok(Stdio::File { path, flags, mode });
    }
    let how = Mode { flags: flags.0, perm: Some(mode), ..Mode::default() };
    let opened = crate::core::io::class::open_blocking(vm, &path, &how)?;
    let handle: Rc<dyn FileHandle> = opened.map(Rc::from).map_err(|error| vm.host_error(&error))?;
    if flags.readable() {
        crate::core::thread::block_on_host(vm, None, |vm| {
            let item = rchef_host::streams::PollItem { handle: &*handle, read: true, write: false };
            Ok(vm.host.poll(&[item], Some(std::time::Duration::ZERO)).is_ok_and(|ready| !ready.is_empty()))
        })?;
    }
    handle.fcntl(rchef_host::files::fcntl::SET_FLAGS, i64::from(flags.0)).map_err(|error| vm.host_error(&error))?;
    Ok(Stdio::Handle(handle))
}
fn target(vm: &mut Vm, key: &Value, value: &Value, spec: &CommandSpec) -> Res<Stdio> {
    match value {
        Value::Sym(name) if name.as_str() == "close" => return Ok(Stdio::Closed),
        Value::Sym(_) | Value::Int(_) => {
            let number = descriptor(vm, value)?;
            return Ok(Stdio::Handle(own_handle(vm, number)?));
        }
        Value::Array(array) => {
            let items = array.get(vm).items.clone();
            if let [Value::Sym(name), of] = items.as_slice()
                && name.as_str() == "child"
            {
                let number = descriptor(vm, of)?;
                return Ok(match number {
                    0 => spec.stdin.clone(),
                    1 if matches!(key, Value::Sym(name) if name.as_str() == "err") || matches!(key, Value::Int(2)) => {
                        Stdio::Other
                    }
                    1 => spec.stdout.clone(),
                    2 if matches!(key, Value::Sym(name) if name.as_str() == "out") || matches!(key, Value::Int(1)) => {
                        Stdio::Other
                    }
                    _ => spec.stderr.clone(),
                });
            }
            let path = to_path(vm, items.first().unwrap_or(&Value::Nil))?;
            let mode = crate::core::io::mode::open_mode(
                vm,
                items.get(1).unwrap_or(&Value::Nil),
                items.get(2).unwrap_or(&Value::Nil),
                None,
            )?;
            return file(vm, path, mode.open_flags(), mode.perm.unwrap_or(0o644));
        }
        _ => {}
    }
    if vm.is_a(value, ClassId::IO) || (!matches!(value, Value::Str(_)) && vm.respond_to(value, sym::TO_IO, true)?) {
        let stream = crate::core::io::handle::to_stream(vm, value)?;
        stream.flush(vm)?;
        return Ok(Stdio::Handle(stream.handle(vm)?));
    }
    let path = to_path(vm, value)?;
    let reads = match key {
        Value::Array(array) => array.get(vm).items.first().is_some_and(|first| {
            matches!(first, Value::Int(0)) || matches!(first, Value::Sym(name) if name.as_str() == "in")
        }),
        Value::Sym(name) => name.as_str() == "in",
        Value::Int(number) => *number == 0,
        other => stream_of(vm, other)?.fileno(vm)? == 0,
    };
    let flags = if reads { OpenFlags::RDONLY } else { OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC };
    file(vm, path, flags, 0o644)
}
fn redirect(vm: &mut Vm, spec: &mut CommandSpec, key: &Value, value: &Value) -> Res<()> {
    let keys = match key {
        Value::Array(array) => array.get(vm).items.clone(),
        one => vec![one.clone()],
    };
    let mut stdio = target(vm, key, value, spec)?;
    if keys.len() > 1
        && let Stdio::File { path, flags, mode } = &stdio
    {
        // both descriptors share an open file
        let opened = vm.host.open(path, *flags, *mode).map_err(|error| vm.host_error(&error))?;
        stdio = Stdio::Handle(Rc::from(opened));
    }
    for key in keys {
        match descriptor(vm, &key)? {
            0 => spec.stdin = stdio.clone(),
            1 => spec.stdout = stdio.clone(),
            2 => spec.stderr = stdio.clone(),
            number => match &stdio {
                Stdio::Handle(handle) => spec.extra_fds.push((number, handle.clone())),
                Stdio::File { path, flags, mode } => {
                    let opened = vm.host.open(path, *flags, *mode).map_err(|error| vm.host_error(&error))?;
                    spec.extra_fds.push((number, Rc::from(opened)));
                }
                _ => {}
            },
        }
    }
    Ok(())
}
/// Applies redirections and other options; ArgumentError for unknown ones. Returns whether `exception: true` is among them.
pub fn apply_options(vm: &mut Vm, spec: &mut CommandSpec, options: &Gc<RHash>) -> Res<bool> {
    let pairs: Vec<(Value, Value)> = options.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut exception = false;
    let mut later = Vec::new();
    for (key, value) in pairs {
        if is_descriptor(vm, &key) {
            let child = matches!(&value, Value::Array(array) if matches!(array.get(vm).items.first(), Some(Value::Sym(name)) if name.as_str() == "child"));
            if child {
                later.push((key, value))
            } else {
                redirect(vm, spec, &key, &value)?
            }
            continue;
        }
        let Value::Sym(name) = &key else {
            let shown = vm.inspect(&key)?;
            return Err(vm.argument_error(format!("wrong exec option: {shown}")));
        };
        match name.as_str() {
            "chdir" => spec.cwd = Some(to_path(vm, &value)?),
            "unsetenv_others" => spec.clear_env = value.truthy(),
            "umask" => spec.umask = Some(vm.to_int(&value)? as u32),
            "pgroup" => {
                spec.group = match &value {
                    Value::Nil | Value::False => ProcessGroup::Inherit,
                    Value::True => ProcessGroup::New,
                    other => match vm.to_int(other)? {
                        0 => ProcessGroup::New,
                        number if number < 0 => {
                            return Err(vm.argument_error(format!("negative process group ID : {number}")));
                        }
                        number => ProcessGroup::Join(number as i32),
                    },
                };
            }
            "exception" => exception = value.truthy(),
            // descriptors are always close-on-exec
            "close_others" | "new_pgroup" => {}
            "uid" => spec.uid = Some(super::identity::user_arg(vm, &value)?),
            "gid" => spec.gid = Some(super::identity::group_arg(vm, &value)?),
            other => match super::limits::spawn_option(vm, other, &value)? {
                Some(limit) => spec.limits.push(limit),
                None => return Err(vm.argument_error(format!("wrong exec option symbol: {other}"))),
            },
        }
    }
    for (key, value) in later {
        redirect(vm, spec, &key, &value)?;
    }
    Ok(exception)
}
/// Makes the child inherit reopened standard streams.
pub fn inherit_reopened(vm: &mut Vm, spec: &mut CommandSpec) {
    for (name, which) in
        [("STDIN", StandardStream::Input), ("STDOUT", StandardStream::Output), ("STDERR", StandardStream::Error)]
    {
        let slot = match which {
            StandardStream::Input => &mut spec.stdin,
            StandardStream::Output => &mut spec.stdout,
            StandardStream::Error => &mut spec.stderr,
        };
        if !matches!(slot, Stdio::Inherit) {
            continue;
        }
        let constant =
            vm.const_own(ClassId::OBJECT, Symbol::intern_static(name)).map(|constant| constant.value.clone());
        let Some(stream) =
            constant.as_ref().and_then(|constant| vm.data::<IoData>(constant)).map(|data| data.0.clone())
        else {
            continue;
        };
        let handle = stream.reader.borrow().clone().or_else(|| stream.writer.borrow().clone());
        if let Some(handle) = handle
            && handle.fd() != Some(which as i32)
        {
            *slot = Stdio::Handle(handle);
        }
    }
}
/// Parses `([env,] command…, options)`; returns whether `exception: true` is set, too.
pub fn from_args(vm: &mut Vm, args: Args<'_>) -> Res<(CommandSpec, bool)> {
    let (pos, options) = args.split();
    let mut pos = pos.to_vec();
    let mut options = options.cloned();
    if options.is_none()
        && pos.len() > 1
        && let Some(last) = pos.last().cloned()
        && !matches!(last, Value::Str(_) | Value::Array(_))
        && let Some(hash) = vm.check_hash(&last)?
    {
        options = Some(hash);
        pos.pop();
    }
    let mut env = None;
    if let Some(first) = pos.first().cloned()
        && !matches!(first, Value::Str(_) | Value::Array(_))
        && let Some(hash) = vm.check_hash(&first)?
    {
        env = Some(Value::Hash(hash));
        pos.remove(0);
    }
    let mut spec = command(vm, &pos, false)?;
    if let Some(env) = env {
        apply_env(vm, &mut spec, &env)?;
    }
    let exception = match options {
        Some(options) => apply_options(vm, &mut spec, &options)?,
        None => false,
    };
    Ok((spec, exception))
}
/// Starts a command and returns the child's pid. If that fails, `$?` has status 127.
fn start(vm: &mut Vm, mut spec: CommandSpec) -> Res<i32> {
    flush_all(vm)?;
    inherit_reopened(vm, &mut spec);
    match vm.host.spawn(&spec) {
        Ok(spawned) => Ok(spawned.pid),
        Err(error) => Err(not_started(vm, &spec, &error)),
    }
}
/// The error of a command that could not be started, with the name of the program, or of what it could not become.
fn not_started(vm: &mut Vm, spec: &CommandSpec, error: &rchef_host::HostError) -> crate::Error {
    set_last_status(vm, ExitStatus::exited(0, 127));
    let argv = spec.program.to_argv();
    let folder = spec.cwd.as_ref().filter(|folder| vm.host.stat(folder).map_or(true, |found| !found.is_dir()));
    let refused = error.path.as_deref().filter(|call| matches!(*call, b"setuid" | b"setgid"));
    let named = refused.or(folder.or(argv.first()).map(Vec::as_slice));
    let program = named.map(|name| String::from_utf8_lossy(name).into_owned()).unwrap_or_default();
    vm.errno(error.errno, Some(&program))
}
/// `spawn`: returns the child's pid.
pub(super) fn spawn(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (spec, exception) = from_args(vm, args)?;
    if exception {
        return Err(vm.argument_error("exception option is not allowed"));
    }
    Ok(Value::Int(i64::from(start(vm, spec)?)))
}
/// `system`: true if the status is 0, false if not, nil if the command could not be started.
pub(super) fn system(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (spec, exception) = from_args(vm, args)?;
    let shown = match &spec.program {
        Program::Line(line) | Program::Shell(line) => line.clone(),
        Program::Argv(argv) => argv.first().cloned().unwrap_or_default(),
    };
    let started = if exception {
        start(vm, spec).map(Some)?
    } else {
        vm.rescue(ClassId::SYSTEM_CALL_ERROR, |vm| start(vm, spec).map(Some), |_, _| Ok(None))?
    };
    let Some(pid) = started else { return Ok(Value::Nil) };
    let Some(status) = wait_for(vm, WaitTarget::Pid(pid), false)? else { return Ok(Value::Nil) };
    set_last_status(vm, status);
    if exception && !status.success() {
        let described = {
            let last = last_status(vm);
            vm.to_s_text(&last)?
        };
        let described = described
            .split_once(' ')
            .and_then(|(_, rest)| rest.split_once(' '))
            .map_or(String::new(), |(_, rest)| rest.to_string());
        let shown = String::from_utf8_lossy(&shown).into_owned();
        return Err(vm.runtime_error(format!("Command failed with {described}: {shown}")));
    }
    Ok(Value::bool(status.code() == Some(0)))
}
/// Backticks: returns the output of the command.
pub(super) fn backtick(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let line = bytes(vm, args.at(0))?;
    let mut spec = CommandSpec::new(Program::Line(line));
    spec.stdout = Stdio::Pipe;
    flush_all(vm)?;
    inherit_reopened(vm, &mut spec);
    let spawned = match vm.host.spawn(&spec) {
        Ok(spawned) => spawned,
        Err(error) => return Err(not_started(vm, &spec, &error)),
    };
    let mut output = Vec::new();
    if let Some(handle) = spawned.stdout {
        let stream = crate::core::io::Stream::on(Rc::from(handle), true, false);
        output = stream.read_to_end(vm)?;
    }
    if let Some(status) = wait_for(vm, WaitTarget::Pid(spawned.pid), false)? {
        set_last_status(vm, status);
    }
    let encoding = crate::core::encoding::default_external(vm);
    Ok(Value::string(RString::new(output, encoding)))
}
/// `exec`: returns only if it fails.
pub(super) fn exec(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (mut spec, _) = from_args(vm, args)?;
    flush_all(vm)?;
    inherit_reopened(vm, &mut spec);
    let error = vm.host.exec(&spec);
    Err(vm.host_error(&error))
}
