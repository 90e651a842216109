//! The source line with carets that error_highlight 0.3 (Ruby 3.1) appends to the message of a NameError.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, ExceptionData, Res};
use crate::frame::Cx;
use crate::value::Value;
use rchef_syntax::tree::SourceFile;

impl Vm {
    /// Records the place of a call in an error raised by it, if the error has the same code as its first frame.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_span(&mut self, error: Error, span: (u32, u32), cx: &Cx<'_>) -> Error {
        if let Some(exception) = error.exception().cloned()
            && let Some(data) = self.data_mut::<ExceptionData>(&exception)
            && data.span.is_none()
            && data
                .trace
                .as_ref()
                .and_then(|trace| trace.first())
                .and_then(|entry| entry.code.as_ref())
                .is_some_and(|code| std::sync::Arc::ptr_eq(code, cx.code))
        {
            data.span = Some(span);
        }
        if self.traced_events & crate::core::trace_point::event::RAISE != 0
            && let Err(other) = self.note_raised(error.exception().cloned())
        {
            return other;
        }
        error
    }
}

/// What the module ErrorHighlight tells the engine about itself.
#[derive(Default)]
pub(crate) struct Highlighter {
    /// Whether the module is the engine's own.
    pub(crate) own: bool,
    /// The formatter that has been set, or nil.
    pub(crate) formatter: Value,
}
/// What a message ends with to show its place: by the formatter that ErrorHighlight has, if one was set. None where another library of that name
/// does so.
pub(super) fn shown(vm: &mut Vm, exception: &Value) -> Res<Option<String>> {
    let name = Symbol::intern_static("ErrorHighlight");
    let module = match vm.const_own(ClassId::OBJECT, name).map(|constant| constant.value.clone()) {
        Some(module @ Value::Class(_)) => module,
        _ => return Ok(snippet(vm, exception)),
    };
    let highlighter = vm.extension::<Highlighter>();
    let (own, formatter) = (highlighter.own, highlighter.formatter.clone());
    if !own {
        return Ok(None);
    }
    if formatter.is_nil() {
        return Ok(snippet(vm, exception));
    }
    let spot = vm.call_name(&module, "spot", std::slice::from_ref(exception))?;
    if spot.is_nil() {
        return Ok(None);
    }
    let text = vm.call_name(&formatter, "message_for", &[spot])?;
    vm.to_s_text(&text).map(Some)
}

/// The source line and the line with carets, if the place is known.
fn snippet(vm: &Vm, exception: &Value) -> Option<String> {
    if !vm.is_a(exception, ClassId::NAME_ERROR) {
        return None;
    }
    let data = vm.data::<ExceptionData>(exception)?;
    let (from, to) = data.span?;
    let entry = data.trace.as_ref()?.first()?;
    let file = &entry.code.as_ref()?.file;
    if file.evaluated {
        return None;
    }
    let name = match &data.detail {
        Value::Sym(name) => Some(*name),
        _ => None,
    };
    render(file, from as usize, to as usize, name)
}

fn render(file: &SourceFile, from: usize, to: usize, name: Option<Symbol>) -> Option<String> {
    let source = &file.source;
    let (from, to) = widen(source, from, to, name)?;
    let (line, column) = file.position(from as u32);
    let text = file.line(line)?;
    if !text.is_ascii() || from >= to {
        return None;
    }
    let column = column as usize;
    let indent: String = text.get(..column)?.iter().map(|&byte| if byte == b'\t' { '\t' } else { ' ' }).collect();
    Some(format!("\n\n{}\n{indent}{}", String::from_utf8_lossy(text), "^".repeat(to - from)))
}

/// Extends the range of a name to the marked range: with its dot, with `=` of an attribute, with the brackets of an index.
fn widen(source: &[u8], mut from: usize, mut to: usize, name: Option<Symbol>) -> Option<(usize, usize)> {
    if to > source.len() || from >= to {
        return None;
    }
    let blank = |byte: u8| byte == b' ' || byte == b'\t';
    if source[from] == b'[' {
        let mut depth = 0;
        for (at, byte) in source.iter().enumerate().skip(from) {
            match byte {
                b'[' => depth += 1,
                b']' => {
                    depth -= 1;
                    if depth == 0 {
                        to = to.max(at + 1);
                        break;
                    }
                }
                b'\n' => return None,
                _ => {}
            }
        }
    } else {
        let mut at = from;
        while at > 0 && blank(source[at - 1]) {
            at -= 1;
        }
        if at > 0 && source[at - 1] == b'.' && !(at > 1 && source[at - 2] == b'.') {
            from = if at > 1 && source[at - 2] == b'&' { at - 2 } else { at - 1 };
        } else if at > 1 && source[at - 1] == b':' && source[at - 2] == b':' && source[from].is_ascii_uppercase() {
            from = at - 2;
        }
    }
    let assigns = name.is_some_and(|name| {
        let bytes = name.as_bytes();
        bytes.len() > 1
            && bytes.ends_with(b"=")
            && (bytes[0].is_ascii_alphabetic() || bytes[0] == b'_' || bytes[0] == b'[')
    });
    if assigns && source[to - 1] != b'=' {
        let mut at = to;
        while at < source.len() && blank(source[at]) {
            at += 1;
        }
        if source.get(at) == Some(&b'=') && source.get(at + 1) != Some(&b'=') {
            to = at + 1;
        }
    }
    Some((from, to))
}
