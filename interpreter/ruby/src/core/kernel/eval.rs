//! `eval`, and running source: Strings, files, the main program.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::trace_point::{Tracing, event as trace_point};
use crate::error::Res;
use crate::frame::{Cref, Definee, Env};
use crate::heap::Gc;
use crate::method::{MethodDef, Visibility, opt};
use crate::value::Value;
use rchef_host::StandardStream;
use rchef_syntax::lower::{ParseKind, ParseRequest, Parsed, parse};
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Code, CodeKind, LitEncoding};
use std::sync::Arc;

pub(super) static FUNCTIONS: &[MethodDef] = &[opt("eval", eval, 1, 4)];

fn eval(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let binding = args.get(1).filter(|value| !value.is_nil()).cloned();
    let mut pos = vec![args.at(0).clone()];
    pos.extend(args.pos.iter().skip(2).cloned());
    vm.eval_string(&pos, None, binding.as_ref())
}

/// The codes of an activation and of those around it, the innermost first.
fn codes_around(vm: &Vm, env: &Gc<Env>) -> Vec<Arc<Code>> {
    let around = std::iter::successors(Some(env), |env| env.get(vm).parent.as_ref());
    around.map(|env| env.get(vm).code.clone()).collect()
}

/// Whether an activation is that of a method, or of a block in one.
fn is_in_method(vm: &Vm, env: &Gc<Env>) -> bool {
    std::iter::successors(Some(env), |env| env.get(vm).parent.as_ref()).any(|env| env.get(vm).method.is_some())
}

impl Vm {
    /// `eval(string, file, line)` in the scope of the caller or a Binding, optionally with another self and definee.
    pub(crate) fn eval_string(
        &mut self,
        args: &[Value],
        under: Option<(&Value, Definee)>,
        binding: Option<&Value>,
    ) -> Res {
        let vm = self;
        let source = vm.to_str(&args[0])?;
        let encoding = LitEncoding::named(source.get(vm).encoding().name().to_ascii_lowercase().as_bytes());
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
            Some(binding) => match vm.data::<crate::core::binding::BindingData>(binding) {
                Some(data) => Some(data.env.clone()),
                None => {
                    let described = vm.describe(binding);
                    return Err(vm.type_error(format!("wrong argument type {described} (expected binding)")));
                }
            },
            None => vm.with_caller(|vm, cx| cx.map(|cx| vm.capture(cx))),
        };
        // a native was called without any Ruby code: use the top level
        let Some(env) = env else {
            return match under {
                Some((slf, definee)) => vm.run_string_as(&source, &path, slf, definee),
                None => vm.run_string(&source, &path, line),
            };
        };
        let codes = codes_around(vm, &env);
        let scopes: Vec<_> = codes.iter().rev().map(|code| code.locals.clone()).collect();
        let method = codes.iter().zip(1..).find(|(code, _)| code.kind == CodeKind::Method);
        let request = ParseRequest {
            source: &source,
            path: &path,
            first_line: line,
            kind: ParseKind::Eval,
            scopes: &scopes,
            method: method.map(|(code, depth)| (depth, &code.params)),
            frozen_string_literal: None,
            encoding,
            marks: false,
            branches: false,
            regexps: false,
            loops: None,
        };
        let parsed = vm.parse(request)?;
        vm.warn_of_source(&parsed)?;
        if vm.traced_events & trace_point::SCRIPT_COMPILED != 0 {
            let value = args[0].clone();
            vm.fire(trace_point::SCRIPT_COMPILED, trace_point::About { value, ..Default::default() })?;
        }
        let (own_self, own_cref) = (env.get(vm).slf.clone(), env.get(vm).cref.clone());
        let (slf, cref) = match under {
            Some((slf, definee)) => {
                // constants of the class are visible in the String
                let cref = match &definee {
                    Definee::Module(id) => Cref::new(*id, Some(own_cref)),
                    Definee::SingletonOf(_) => Cref::of_instance(vm.class_of(slf), definee, own_cref),
                };
                (slf.clone(), cref)
            }
            None => {
                // `private` etc. without arguments only apply within the String
                let cref = own_cref.again();
                if binding.is_some() && is_in_method(vm, &env) {
                    cref.visibility.set(Visibility::Public);
                    cref.module_function.set(false);
                }
                (own_self, cref)
            }
        };
        let Some(binding) = binding else { return vm.run_in_env(&parsed.code, &env, &slf, &cref) };
        let result = if parsed.code.locals.is_empty() {
            vm.run_in_env(&parsed.code, &env, &slf, &cref)
        } else {
            crate::core::binding::eval_in_binding(vm, &parsed.code, binding, &env, &slf, &cref)
        };
        // `using` in the String applies to the scope of the Binding
        let scope = env.get(vm).cref.clone();
        if scope.module == cref.module && *scope.refinements.borrow() != *cref.refinements.borrow() {
            scope.refinements.replace(cref.refinements.borrow().clone());
        }
        result
    }

    /// SyntaxError with the parser's message.
    pub fn syntax_error(&mut self, error: &rchef_syntax::error::SyntaxError) -> crate::error::Error {
        let (path, line, early) = (error.path.clone(), error.line, error.early);
        self.error_for(ClassId::SYNTAX_ERROR, &error.message, Some(crate::error::Reason::Syntax { path, line, early }))
    }
    /// The `Errno` exception of a failed host call; the path has MRI's form for this operation.
    pub fn host_error(&mut self, error: &rchef_host::HostError) -> crate::error::Error {
        let path = error.path.as_deref().map(|path| String::from_utf8_lossy(path).into_owned());
        self.errno(error.errno, path.as_deref())
    }
    pub fn write_stderr(&mut self, bytes: &[u8]) -> Res<()> {
        let stream = self.global_get(sym::DOLLAR_STDERR)?;
        if !stream.is_nil() {
            self.call(&stream, sym::WRITE, &[Value::bytes(bytes)])?;
            return Ok(());
        }
        super::write_host(self, StandardStream::Error, bytes)
    }
    /// Writes `file:line: warning: text` to `$stderr`, unless `$VERBOSE` is nil.
    pub fn warn(&mut self, text: &str) -> Res<()> {
        let (file, line) = self.current_location().unwrap_or_else(|| ("ruby".into(), 0));
        self.warn_at(&file, line, text)
    }
    /// The same if `$VERBOSE` is true (MRI's rb_warning).
    pub fn warn_verbose(&mut self, text: &str) -> Res<()> {
        if self.is_verbose() { self.warn(text) } else { Ok(()) }
    }
    /// The same with another place.
    pub fn warn_at(&mut self, file: &str, line: u32, text: &str) -> Res<()> {
        if self.is_silent() {
            return Ok(());
        }
        let text = Value::str(format!("{file}:{line}: warning: {text}\n"));
        self.call_name(&Value::Class(ClassId::WARNING), "warn", &[text]).map(drop)
    }
    /// Parses source. SyntaxError if it is invalid; NoMemoryError if the parser would need too much memory, because its C heap is not counted and
    /// running out of it ends the process.
    pub(super) fn parse(&mut self, mut request: ParseRequest<'_>) -> Res<Parsed> {
        if request.frozen_string_literal.is_none() {
            request.frozen_string_literal = self.extension::<super::program::Literals>().frozen;
        }
        request.marks |= self.traced_events & (trace_point::LINE | trace_point::COVER_LINES) != 0
            || self.may_trace_lines(request.source);
        request.regexps = self.is_verbose();
        /// Maximum memory of prism and the tree per byte of source.
        const FACTOR: usize = 100;
        self.check_left(request.source.len().saturating_mul(FACTOR))?;
        parse(request).map_err(|error| self.syntax_error(&error))
    }
    /// Whether the lines of a source may be traced: it may do so, or one that was parsed before it does.
    fn may_trace_lines(&mut self, source: &[u8]) -> bool {
        if self.extension_ref::<Tracing>().is_some_and(|tracing| tracing.expected) {
            return true;
        }
        let (own, others) = traces_lines(source);
        if others {
            self.extension::<Tracing>().expected = true;
        }
        own
    }
    /// Parses and runs source at the top level, like a loaded file.
    pub fn run_string(&mut self, source: &[u8], path: &str, line: i32) -> Res {
        let mut request = ParseRequest::file(source, path, ParseKind::File);
        request.first_line = line;
        let parsed = self.parse(request)?;
        self.warn_of_source(&parsed)?;
        let (main, cref) = (self.main.clone(), Cref::new(ClassId::OBJECT, None));
        cref.visibility.set(crate::method::Visibility::Private);
        self.run_body(&parsed.code, &main, &cref)
    }
    /// Parses a program without running it, and writes the parser's warnings; SyntaxError if it is invalid.
    pub fn check_syntax(&mut self, source: &[u8], path: &str) -> Res<()> {
        self.check_source(ParseRequest::file(source, path, ParseKind::Main))
    }
    pub(crate) fn check_source(&mut self, request: ParseRequest<'_>) -> Res<()> {
        let parsed = self.parse(request)?;
        self.warn_of_source(&parsed)
    }
    /// Writes the parser's warnings about valid source.
    fn warn_of_source(&mut self, parsed: &Parsed) -> Res<()> {
        if parsed.warnings.is_empty() && parsed.regexps.is_empty() {
            return Ok(());
        }
        for literal in &parsed.regexps {
            crate::core::regexp::literal_ahead(self, &parsed.code.file.path, literal)?;
        }
        let verbose = self.is_verbose();
        for warning in parsed.warnings.iter().filter(|warning| verbose || !warning.verbose) {
            self.warn_at(&parsed.code.file.path, warning.line, &warning.text)?;
        }
        Ok(())
    }
    /// Parses a required or loaded file, to be run at the top level.
    pub(crate) fn parse_required(
        &mut self,
        source: &[u8],
        path: &str,
    ) -> Res<std::sync::Arc<rchef_syntax::tree::Code>> {
        let branches = self.covers_branches();
        let mut parsed = self.parse(ParseRequest { branches, ..ParseRequest::file(source, path, ParseKind::File) })?;
        self.warn_of_source(&parsed)?;
        self.note_covered(&parsed);
        if let Some(code) = std::sync::Arc::get_mut(&mut parsed.code) {
            code.name = sym::TOP_REQUIRED;
        }
        Ok(parsed.code)
    }
    /// Parses and runs the main program.
    pub fn run_main(&mut self, source: &[u8], path: &str) -> Res {
        self.run_program(source, path, super::program::Program::default())
    }
    /// Runs what was parsed as the main program.
    pub(super) fn run_main_parsed(&mut self, source: &[u8], path: &str, parsed: &Parsed) -> Res {
        self.warn_of_source(parsed)?;
        match parsed.data {
            // what was read too far belongs to the program
            Some(offset) if path == "-" => {
                let input = crate::core::io::stdin(self);
                if let Some(data) = self.data::<crate::core::io::IoData>(&input) {
                    data.0.unread(source.get(offset..).unwrap_or_default());
                }
                self.const_set(ClassId::OBJECT, crate::Symbol::intern_static("DATA"), input);
            }
            Some(offset) => self.define_data(path, offset)?,
            None => {}
        }
        let (main, cref) = (self.main.clone(), self.top_cref.clone());
        self.run_body(&parsed.code, &main, &cref)
    }
    /// Defines `DATA`: the program's file, positioned after `__END__`. Not defined for source that is not a file.
    fn define_data(&mut self, path: &str, offset: usize) -> Res<()> {
        let file = match self.call_name(&Value::Class(ClassId::FILE), "open", &[Value::str(path)]) {
            Ok(file) => file,
            Err(error) if matches!(*error.0, crate::error::Unwind::Raise(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.call_name(&file, "seek", &[Value::len(offset)])?;
        self.const_set(ClassId::OBJECT, crate::Symbol::intern_static("DATA"), file);
        Ok(())
    }
    /// Runs source with another self and definee, with constants looked up at the top level: recipes, attribute files, resource files.
    pub fn run_string_as(&mut self, source: &[u8], path: &str, slf: &Value, definee: Definee) -> Res {
        self.run_string_within(source, path, slf, definee, &[])
    }
    /// Like `run_string_as`, but constants are looked up in these modules (outermost first) as well: the lexical scope of the method that calls
    /// `instance_eval` in Ruby. Constants of the class of `slf` are looked up last.
    pub fn run_string_within(
        &mut self,
        source: &[u8],
        path: &str,
        slf: &Value,
        definee: Definee,
        lexical: &[ClassId],
    ) -> Res {
        let parsed = self.parse(ParseRequest::file(source, path, ParseKind::Evaluated))?;
        self.run_parsed(parsed, slf, definee, lexical)
    }
    /// Like `run_string_as` for a source without an encoding (ASCII-8BIT), which may contain any bytes.
    pub fn run_bytes_as(&mut self, source: &[u8], path: &str, slf: &Value, definee: Definee) -> Res {
        let request = ParseRequest::file(source, path, ParseKind::Evaluated);
        let parsed = self.parse(ParseRequest { encoding: LitEncoding::Binary, ..request })?;
        self.run_parsed(parsed, slf, definee, &[])
    }
    fn run_parsed(&mut self, mut parsed: Parsed, slf: &Value, definee: Definee, lexical: &[ClassId]) -> Res {
        // the method in backtraces is the one that reads such files in Chef
        if let Some(code) = std::sync::Arc::get_mut(&mut parsed.code) {
            let reader = if matches!(definee, Definee::Module(_)) { "class_from_file" } else { "from_file" };
            code.name = crate::Symbol::intern_static(reader);
        }
        let mut scope = Cref::new(ClassId::OBJECT, None);
        for module in lexical {
            scope = Cref::new(*module, Some(scope));
        }
        let cref = match definee {
            Definee::Module(id) => Cref::new(id, Some(scope)),
            Definee::SingletonOf(owner) if !lexical.is_empty() => match self.singleton_class(&owner) {
                Some(own) => Cref::of_instance(own, Definee::SingletonOf(owner), scope),
                None => Cref::with_definee(&scope, Definee::SingletonOf(owner)),
            },
            other => Cref::with_definee(&scope, other),
        };
        self.run_body(&parsed.code, slf, &cref)
    }
}

/// Whether a source may trace lines, and whether it says so, for which others are traced too.
fn traces_lines(source: &[u8]) -> (bool, bool) {
    let has = |text: &[u8]| memchr::memmem::find(source, text).is_some();
    let function = has(b"set_trace_func");
    let point = !function && has(b"TracePoint");
    (function || point && has(b"line"), function || point && has(b":line"))
}
