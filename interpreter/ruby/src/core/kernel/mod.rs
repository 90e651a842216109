//! Kernel's functions: output, raise, loops, procs, catch and throw, eval; `exit`: the end of the program.

pub(crate) mod exit;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Res, Unwind};
use crate::frame::{Block, Cref, Definee};
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_host::StandardStream;
use rchef_syntax::Symbol;
use rchef_syntax::lower::{ParseKind, ParseRequest, parse};
use rchef_syntax::symbol::sym;

static FUNCTIONS: &[MethodDef] = &[
    any("puts", puts),
    any("print", print),
    any("p", p),
    any("raise", raise),
    any("fail", raise),
    def("loop", loop_, 0),
    def("lambda", lambda, 0),
    def("proc", proc, 0),
    def("block_given?", block_given, 0),
    opt("catch", catch, 0, 1),
    opt("throw", throw, 1, 2),
    opt("eval", eval, 1, 4),
    any("warn", warn),
];

/// Writes bytes to `$stdout` (a Ruby object if it was replaced).
pub fn write_stdout(vm: &mut Vm, bytes: &[u8]) -> Res<()> {
    let stream = vm.global_get(sym::DOLLAR_STDOUT)?;
    if !stream.is_nil() {
        vm.call(&stream, sym::WRITE, &[Value::bytes(bytes)])?;
        return Ok(());
    }
    write_host(vm, StandardStream::Output, bytes)
}
/// Writes bytes to a standard stream of the host.
pub fn write_host(vm: &mut Vm, stream: StandardStream, bytes: &[u8]) -> Res<()> {
    let host = vm.host.clone();
    let result = host.standard(stream).and_then(|handle| rchef_host::compose::write_all(&*handle, bytes));
    result.map_err(|error| vm.host_error(&error))
}

/// What `puts` writes for its arguments.
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
    write_stdout(vm, &out)?;
    Ok(Value::Nil)
}
fn print(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut out = Vec::new();
    for value in args.pos {
        let text = vm.to_s(value)?;
        out.extend_from_slice(text.get(vm).bytes());
    }
    write_stdout(vm, &out)?;
    Ok(Value::Nil)
}
fn p(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut out = Vec::new();
    for value in args.pos {
        let text = vm.inspect_str(value)?;
        out.extend_from_slice(text.get(vm).bytes());
        out.push(b'\n');
    }
    write_stdout(vm, &out)?;
    Ok(match args.pos {
        [] => Value::Nil,
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    })
}
/// Kernel#raise in all its forms.
pub(crate) fn raise(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, keywords) = args.split();
    let mut pos = pos.to_vec();
    let mut cause = Value::Undef;
    if let Some(hash) = keywords {
        let mut rest = hash.get(vm).clone();
        let cause_key = Symbol::intern_static("cause");
        if let Some(found) = vm.hash_get_sym(hash, cause_key) {
            cause = found;
            let holder = crate::heap::Gc::new(ClassId::HASH, rest);
            vm.hash_delete(&holder, &Value::Sym(cause_key))?;
            rest = holder.get(vm).clone();
        }
        if !rest.is_empty() {
            pos.push(Value::hash(rest));
        }
        if pos.is_empty() && !cause.is_undef() {
            return Err(vm.argument_error("only cause is given with no arguments"));
        }
    }
    let exception = match pos.as_slice() {
        [] => {
            let current = vm.current_exception();
            if current.is_nil() { vm.new_exception(ClassId::RUNTIME_ERROR, "unhandled exception") } else { current }
        }
        [Value::Str(message)] => {
            let message = Value::Str(message.clone());
            vm.call(&Value::Class(ClassId::RUNTIME_ERROR), sym::NEW, &[message])?
        }
        [from, rest @ ..] => {
            if !vm.respond_to(from, sym::EXCEPTION, true)? {
                return Err(vm.type_error("exception class/object expected"));
            }
            let made = vm.call_args(from, sym::EXCEPTION, Args::new(&rest[..rest.len().min(1)]).with_keywords(false))?;
            if !vm.is_a(&made, ClassId::EXCEPTION) {
                return Err(vm.type_error("exception object expected"));
            }
            if let Some(backtrace) = rest.get(1)
                && !backtrace.is_nil()
            {
                vm.call(&made, sym::SET_BACKTRACE, std::slice::from_ref(backtrace))?;
            }
            made
        }
    };
    super::exception::prepare(vm, &exception, cause)?;
    Err(Unwind::Raise(exception).into())
}
fn loop_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return super::proc::enumerator(vm, this, sym::LOOP, &[]) };
    vm.rescue(
        ClassId::STOP_ITERATION,
        |vm| loop {
            vm.yield_block(block, Args::none())?;
        },
        |vm, exception| Ok(vm.data::<crate::error::ExceptionData>(&exception).map(|data| data.detail.clone()).unwrap_or_default()),
    )
}
fn lambda(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match args.block {
        Some(Block::Proc(proc)) => Ok(Value::Proc(proc.clone())),
        Some(block) => {
            let proc = vm.block_to_proc(block);
            proc.get_mut(vm).lambda = true;
            Ok(Value::Proc(proc))
        }
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }
}
fn proc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match args.block {
        Some(block) => Ok(Value::Proc(vm.block_to_proc(block))),
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }
}
fn block_given(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.caller_block_given()))
}
fn catch(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let tag = args.get(0).cloned().unwrap_or_else(|| Value::object(ClassId::OBJECT));
    let Some(block) = args.block else { return Err(vm.no_block()) };
    let depth = (vm.stacks.values.len(), vm.stacks.frames.len(), vm.stacks.tags.len());
    vm.extension::<Catches>().0.push(tag.clone());
    let result = vm.yield1(block, tag.clone());
    vm.extension::<Catches>().0.pop();
    match result {
        Ok(value) => Ok(value),
        Err(error) => match *error.0 {
            Unwind::Throw(at, value) if at.same(&tag) => {
                vm.stacks.values.truncate(depth.0);
                vm.stacks.frames.truncate(depth.1);
                vm.stacks.tags.truncate(depth.2);
                Ok(value)
            }
            other => Err(other.into()),
        },
    }
}
#[derive(Default)]
struct Catches(Vec<Value>);

fn throw(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let tag = args.at(0).clone();
    if !vm.extension::<Catches>().0.iter().any(|known| known.same(&tag)) {
        let shown = vm.inspect(&tag)?;
        let data = crate::error::ExceptionData {
            message: Value::str(format!("uncaught throw {shown}")),
            detail: tag,
            extra: args.at(1).clone(),
            ..crate::error::empty()
        };
        return Err(Unwind::Raise(vm.new_exception_with(ClassId::UNCAUGHT_THROW_ERROR, data)).into());
    }
    Err(Unwind::Throw(tag, args.at(1).clone()).into())
}
fn warn(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, _) = args.split();
    if pos.is_empty() {
        return Ok(Value::Nil);
    }
    let mut out = Vec::new();
    puts_bytes(vm, pos, &mut out)?;
    vm.write_stderr(&out)?;
    Ok(Value::Nil)
}
fn eval(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let binding = args.get(1).filter(|value| !value.is_nil()).cloned();
    let mut pos = vec![args.at(0).clone()];
    pos.extend(args.pos.iter().skip(2).cloned());
    eval_string(vm, &pos, None, binding.as_ref())
}

/// `eval(string, file, line)` in the caller's scope or a Binding's, optionally under another self and definee.
pub(crate) fn eval_string(vm: &mut Vm, args: &[Value], under: Option<(&Value, Definee)>, binding: Option<&Value>) -> Res {
    let source = vm.to_str(&args[0])?;
    let source = source.get(vm).bytes().to_vec();
    let path = match args.get(1) {
        Some(path) if !path.is_nil() => Some(vm.to_text(path)?),
        _ => None,
    };
    let line = match args.get(2) {
        Some(line) => vm.to_int(line)? as i32,
        None => 1,
    };
    let path = path.unwrap_or_else(|| "(eval)".to_string());
    let env = match binding {
        Some(binding) => match vm.data::<super::binding::BindingData>(binding) {
            Some(data) => Some(data.env.clone()),
            None => {
                let described = vm.describe(binding);
                return Err(vm.type_error(format!("wrong argument type {described} (expected binding)")));
            }
        },
        None => vm.with_caller(|vm, cx| cx.map(|cx| vm.capture(cx))),
    };
    let Some(env) = env else { return vm.run_string(&source, &path, line) };
    let mut scopes = Vec::new();
    let mut at = Some(env.clone());
    while let Some(scope) = at {
        let data = scope.get(vm);
        scopes.push(data.code.locals.clone());
        at = data.parent.clone();
    }
    scopes.reverse();
    let request = ParseRequest { source: &source, path: &path, first_line: line, kind: ParseKind::Eval, scopes: &scopes, method: None, frozen_string_literal: None };
    let parsed = match parse(request) {
        Ok(parsed) => parsed,
        Err(error) => return Err(vm.syntax_error(&error)),
    };
    let (own_self, own_cref) = (env.get(vm).slf.clone(), env.get(vm).cref.clone());
    let (slf, cref) = match under {
        Some((slf, definee)) => {
            // a string sees constants of the class it is evaluated in
            let cref = match &definee {
                Definee::Module(id) => Cref::new(*id, Some(own_cref)),
                Definee::SingletonOf(_) => Cref::with_definee(&own_cref, definee),
            };
            (slf.clone(), cref)
        }
        None => (own_self, own_cref),
    };
    if let Some(binding) = binding
        && !parsed.code.locals.is_empty()
    {
        return super::binding::eval_in_binding(vm, &parsed.code, binding, &env, &slf, &cref);
    }
    vm.run_in_env(&parsed.code, &env, &slf, &cref)
}

impl Vm {
    /// SyntaxError with the parser's text.
    pub fn syntax_error(&mut self, error: &rchef_syntax::error::SyntaxError) -> crate::error::Error {
        self.error(ClassId::SYNTAX_ERROR, &error.message)
    }
    /// The `Errno` exception of a failed host call; the path is named as MRI does for this operation.
    pub fn host_error(&mut self, error: &rchef_host::HostError) -> crate::error::Error {
        let path = error.path.as_deref().map(|path| String::from_utf8_lossy(path).into_owned());
        self.errno(error.errno, path.as_deref())
    }
    /// Writes to `$stderr`.
    pub fn write_stderr(&mut self, bytes: &[u8]) -> Res<()> {
        let stream = self.global_get(sym::DOLLAR_STDERR)?;
        if !stream.is_nil() {
            self.call(&stream, sym::WRITE, &[Value::bytes(bytes)])?;
            return Ok(());
        }
        write_host(self, StandardStream::Error, bytes)
    }
    /// `file:line: warning: text` on `$stderr`, unless `$VERBOSE` is nil.
    pub fn warn(&mut self, text: &str) -> Res<()> {
        let (file, line) = self.current_location().unwrap_or_else(|| ("ruby".into(), 0));
        self.warn_at(&file, line, text)
    }
    /// The same for another place.
    pub fn warn_at(&mut self, file: &str, line: u32, text: &str) -> Res<()> {
        if self.global_get(sym::DOLLAR_VERBOSE)?.is_nil() {
            return Ok(());
        }
        self.write_stderr(format!("{file}:{line}: warning: {text}\n").as_bytes())
    }
    /// Parses and runs source at the top level, as a file that was loaded.
    pub fn run_string(&mut self, source: &[u8], path: &str, line: i32) -> Res {
        let mut request = ParseRequest::file(source, path, ParseKind::File);
        request.first_line = line;
        let parsed = match parse(request) {
            Ok(parsed) => parsed,
            Err(error) => return Err(self.syntax_error(&error)),
        };
        let (main, cref) = (self.main.clone(), Cref::new(ClassId::OBJECT, None));
        cref.visibility.set(crate::method::Visibility::Private);
        self.run_body(&parsed.code, &main, &cref)
    }
    /// Parses and runs the main program.
    pub fn run_main(&mut self, source: &[u8], path: &str) -> Res {
        let parsed = match parse(ParseRequest::file(source, path, ParseKind::Main)) {
            Ok(parsed) => parsed,
            Err(error) => return Err(self.syntax_error(&error)),
        };
        let (main, cref) = (self.main.clone(), self.top_cref.clone());
        self.run_body(&parsed.code, &main, &cref)
    }
    /// Runs source with another self and definee, constants looked up at the top level: recipes, attribute files, resource files.
    pub fn run_string_as(&mut self, source: &[u8], path: &str, slf: &Value, definee: Definee) -> Res {
        let parsed = match parse(ParseRequest::file(source, path, ParseKind::File)) {
            Ok(parsed) => parsed,
            Err(error) => return Err(self.syntax_error(&error)),
        };
        let top = Cref::new(ClassId::OBJECT, None);
        let cref = match definee {
            Definee::Module(id) => Cref::new(id, Some(top)),
            other => Cref::with_definee(&top, other),
        };
        self.run_body(&parsed.code, slf, &cref)
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
    vm.define_module_functions(ClassId::KERNEL, exit::FUNCTIONS);
}
