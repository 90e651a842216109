//! Backtraces: recorded as code and line, converted to MRI 3.1's text on demand. NoMethodError and related errors.

use crate::Symbol;
use crate::Vm;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::error::{Clauses, Error, ExceptionData, TraceEntry, TraceLabel, Unwind, empty};
use crate::frame::{Cx, Parent, Visited};
use crate::method::{MethodId, Visibility};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::CodeKind;
use std::rc::Rc;

impl Vm {
    /// The frames, innermost first, without the first `skip`.
    pub fn backtrace(&self, skip: usize) -> Vec<TraceEntry> {
        let mut entries: Vec<TraceEntry> = Vec::with_capacity(self.stacks.frame_count());
        let (mut natives, mut clauses) = (Vec::new(), Vec::new());
        // the method Array#each, while the frame inside the next one is of a block that this one may have called
        let mut each = None;
        self.walk_frames(|frame| match frame {
            Visited::Native(method) if method.0 >= self.hidden_from || self.passes_on(method) => {}
            Visited::Native(method) => {
                let left_out = each.take().filter(|_| self.calls_within_each(method));
                natives.extend(left_out.into_iter().chain([method]));
            }
            Visited::Clause(clause, line) => clauses.push((clause, line)),
            Visited::Ruby(cx) => {
                each = self.each_around(cx);
                // a native frame has the line of the Ruby code that called it
                let mut line = cx.line();
                for method in natives.drain(..) {
                    entries.push(TraceEntry { code: Some(cx.code.clone()), line, label: TraceLabel::Native(method) });
                }
                let (method, depth) = self.frame_label(cx);
                for inner in 0..=clauses.len() {
                    let label = TraceLabel::Ruby(method, depth, Clauses::of(&clauses[inner..]));
                    entries.push(TraceEntry { code: Some(cx.code.clone()), line, label });
                    line = clauses.get(inner).map_or(line, |(_, around)| *around);
                }
                clauses.clear();
            }
        });
        for method in natives {
            entries.push(TraceEntry { code: None, line: 0, label: TraceLabel::Native(method) });
        }
        entries.drain(..skip.min(entries.len()));
        entries
    }

    /// The method that MRI has a frame for between a block and a method of Enumerable that called it, which here goes through an Array, Hash or Range itself.
    fn each_around(&self, block: &Cx<'_>) -> Option<MethodId> {
        let is_block = matches!(block.code.kind, CodeKind::Block | CodeKind::Lambda) && block.method.is_none();
        if is_block { self.entered_method(ClassId::ARRAY, sym::EACH) } else { None }
    }

    /// Whether a native calls its block while `each` runs. The others have collected the elements before.
    fn calls_within_each(&self, method: MethodId) -> bool {
        let method = self.method(method);
        method.owner == ClassId::ENUMERABLE && !matches!(method.name.as_str(), "sort" | "reverse_each")
    }

    /// Whether a native only calls something else, so that MRI has no frame for it.
    pub(crate) fn passes_on(&self, method: MethodId) -> bool {
        let method = self.method(method);
        match method.owner {
            ClassId::BASIC_OBJECT => [sym::UNDERSCORE_SEND, sym::METHOD_MISSING].contains(&method.name),
            ClassId::KERNEL => method.name == sym::SEND,
            ClassId::PROC => [sym::CALL, sym::YIELD, sym::EQQ, sym::AREF].contains(&method.name),
            _ => false,
        }
    }

    /// The innermost frame of Ruby code, in the form of `caller`; None where none runs.
    pub fn current_frame_line(&self) -> Option<String> {
        let cx = self.innermost()?;
        let (method, depth) = self.frame_label(cx);
        let label = TraceLabel::Ruby(method, depth, Clauses::of(&[]));
        Some(self.trace_line(&TraceEntry { code: Some(cx.code.clone()), line: cx.line(), label }))
    }

    /// The places of running code, innermost first: a block is part of the enclosing code, and the list ends at the first file body.
    pub fn places(&self) -> Vec<(Rc<str>, u32)> {
        let mut found: Vec<(Rc<str>, u32)> = Vec::new();
        let mut around: Vec<*const Cx<'_>> = Vec::new();
        let mut captured: Vec<usize> = Vec::new();
        let mut done = false;
        self.walk_frames(|frame| {
            let Visited::Ruby(cx) = frame else { return };
            if done {
                return;
            }
            let inner = around.contains(&std::ptr::from_ref(cx).cast())
                || cx.env.get().is_some_and(|env| captured.contains(&env.address()));
            if !inner {
                found.push((Rc::from(cx.code.file.path.as_str()), cx.line()));
            }
            match cx.parent {
                Parent::Stack(parent) => around.push(std::ptr::from_ref(parent).cast()),
                Parent::Heap(env) => captured.push(env.address()),
                Parent::None => done = !matches!(cx.code.kind, CodeKind::Method | CodeKind::Block | CodeKind::Lambda),
            }
        });
        found
    }

    /// Native methods defined from now on do not appear in backtraces, like methods that MRI runs from files of a library.
    pub fn hide_later_natives(&mut self) {
        self.enter_all();
        self.hidden_from = self.methods.len() as u32;
    }

    /// The method name for an activation (None for a file or class body), and the number of blocks in between.
    fn frame_label(&self, cx: &Cx<'_>) -> (Option<Symbol>, u32) {
        let mut depth = 0;
        let mut at = cx;
        loop {
            if let Some(method) = at.method
                // a block that define_method made a method keeps the label of its place
                && !matches!(at.code.kind, CodeKind::Eval | CodeKind::Block | CodeKind::Lambda)
            {
                return (Some(self.method(method).name), depth);
            }
            match at.code.kind {
                CodeKind::Block | CodeKind::Lambda => depth += 1,
                CodeKind::Eval => {}
                _ => return (body_label(at.code.kind, at.code.name), depth),
            }
            match at.parent {
                Parent::Stack(parent) => at = parent,
                Parent::None => return (None, depth),
                Parent::Heap(env) => {
                    let mut env = env;
                    loop {
                        let data = env.get(self);
                        if let Some(method) = data.method
                            && !matches!(data.code.kind, CodeKind::Block | CodeKind::Lambda)
                        {
                            return (Some(self.method(method).name), depth);
                        }
                        match data.code.kind {
                            CodeKind::Block | CodeKind::Lambda => depth += 1,
                            CodeKind::Eval => {}
                            kind => return (body_label(kind, data.code.name), depth),
                        }
                        match &data.parent {
                            Some(parent) => env = parent,
                            None => return (None, depth),
                        }
                    }
                }
            }
        }
    }

    /// A frame in the form of `caller`: ``file:line:in `label'``.
    pub fn trace_line(&self, entry: &TraceEntry) -> String {
        match &entry.code {
            Some(code) => format!("{}:{}:in `{}'", code.file.path, entry.line, self.trace_label(entry)),
            None => format!("in `{}'", self.trace_label(entry)),
        }
    }
    /// A frame's label: the method's name, "block in x", "<main>" …
    pub fn trace_label(&self, entry: &TraceEntry) -> String {
        match entry.label {
            TraceLabel::Native(method) => self.method(method).name.to_string(),
            TraceLabel::Ruby(name, depth, clauses) => {
                let base = name.map_or("<main>", Symbol::as_str);
                match depth {
                    0 => format!("{clauses}{base}"),
                    1 => format!("{clauses}block in {base}"),
                    _ => format!("{clauses}block ({depth} levels) in {base}"),
                }
            }
        }
    }

    /// The receiver in NoMethodError's message: `nil:NilClass`, `main:Object`, `"x":String`, `#<Foo:0x…>`.
    pub(crate) fn describe_receiver(&mut self, recv: &Value) -> String {
        match recv {
            Value::Nil => "nil:NilClass".into(),
            Value::True => "true:TrueClass".into(),
            Value::False => "false:FalseClass".into(),
            Value::Class(_) => {
                let name = self.stated_name(recv);
                if name.starts_with('#') { name } else { format!("{name}:{}", self.class_name_of(recv)) }
            }
            _ if recv.same(&self.main.clone()) => "main:Object".into(),
            _ => {
                let shown = self.described_once(recv, |vm| vm.inspect(recv));
                if shown.starts_with('#') { shown } else { format!("{shown}:{}", self.class_name_of(recv)) }
            }
        }
    }

    /// What a class says that its name is, or what its `inspect` gives when it says nothing.
    fn stated_name(&mut self, class: &Value) -> String {
        self.described_once(class, |vm| {
            let name =
                vm.rescue(ClassId::STANDARD_ERROR, |vm| vm.call(class, sym::NAME, &[]), |_, _| Ok(Value::Nil))?;
            match name {
                Value::Nil => vm.inspect(class),
                Value::Str(name) => Ok(name.get(vm).to_text().into_owned()),
                _ => Ok(vm.default_to_s(class)),
            }
        })
    }

    /// A receiver's own description, or the default one where that fails.
    /// An error in the receiver's `inspect` would describe the same receiver again, endlessly: within it, the default stands.
    fn described_once(&mut self, recv: &Value, own: impl FnOnce(&mut Vm) -> crate::Res<String>) -> String {
        if std::mem::replace(&mut self.extension::<Describing>().0, true) {
            return match recv {
                Value::Class(id) => self.class_name(*id),
                _ => self.default_to_s(recv),
            };
        }
        let shown = self.rescue(ClassId::STANDARD_ERROR, own, |vm, _| Ok(vm.default_to_s(recv))).unwrap_or_default();
        self.extension::<Describing>().0 = false;
        // if exceptions refer to each other's receivers, their messages would double in length each time
        if shown.len() > MOST_SHOWN { self.default_to_s(recv) } else { shown }
    }

    /// Names of the local variables that are visible in the running code.
    fn locals_in_sight(&mut self) -> Vec<Symbol> {
        self.with_caller(|vm, cx| {
            let mut found: Vec<Symbol> = Vec::new();
            let mut add = |names: &[Symbol]| {
                for name in names.iter().filter(|name| {
                    name.as_bytes()
                        .first()
                        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80)
                }) {
                    if !found.contains(name) {
                        found.push(*name);
                    }
                }
            };
            let mut at = cx;
            while let Some(cx) = at {
                add(&cx.code.locals);
                at = match cx.parent {
                    Parent::Stack(parent) => Some(parent),
                    Parent::None => None,
                    Parent::Heap(env) => {
                        let mut env = Some(env);
                        while let Some(scope) = env {
                            let data = scope.get(vm);
                            add(&data.code.locals);
                            env = data.parent.as_ref();
                        }
                        None
                    }
                };
            }
            found
        })
    }

    /// NoMethodError or NameError for a call without a callable method.
    #[cold]
    pub fn no_method_error(
        &mut self,
        recv: &Value,
        name: Symbol,
        args: &[Value],
        kind: CallKind,
        visibility: Option<Visibility>,
    ) -> Error {
        let (class, before) = match (kind, visibility) {
            (_, Some(Visibility::Private)) => {
                (ClassId::NO_METHOD_ERROR, format!("private method `{name}' called for "))
            }
            (_, Some(Visibility::Protected)) => {
                (ClassId::NO_METHOD_ERROR, format!("protected method `{name}' called for "))
            }
            (CallKind::Variable, _) => {
                (ClassId::NAME_ERROR, format!("undefined local variable or method `{name}' for "))
            }
            (CallKind::Super, _) => (ClassId::NO_METHOD_ERROR, format!("super: no superclass method `{name}' for ")),
            _ => (ClassId::NO_METHOD_ERROR, format!("undefined method `{name}' for ")),
        };
        let data = ExceptionData {
            before_receiver: Some(before.into()),
            receiver: recv.clone(),
            detail: Value::Sym(name),
            extra: Value::array(args.to_vec()),
            private_call: matches!(kind, CallKind::Function),
            locals: (kind == CallKind::Variable).then(|| self.locals_in_sight()),
            ..empty()
        };
        Unwind::Raise(self.new_exception_with(class, data)).into()
    }
}

/// Maximum length of the receiver's `inspect` in an error message, in bytes.
const MOST_SHOWN: usize = 64 << 10;

/// Whether the receiver of a NoMethodError is being described.
#[derive(Default)]
struct Describing(bool);

fn body_label(kind: CodeKind, name: Symbol) -> Option<Symbol> {
    match kind {
        CodeKind::Class => Some(if name.as_bytes().is_empty() {
            Symbol::intern("singleton class")
        } else {
            Symbol::intern(&format!("<class:{name}>"))
        }),
        CodeKind::Module => Some(Symbol::intern(&format!("<module:{name}>"))),
        CodeKind::Top if !name.as_bytes().is_empty() => Some(name),
        _ => None,
    }
}
