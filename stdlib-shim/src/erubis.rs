//! The ERB dialect of Erubis 2.7, used in Chef's templates; converts a template to Ruby source (Erubis' `Basic::Converter`).

use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

/// A tag of a template.
#[derive(Clone, Copy)]
struct Tag<'a> {
    /// Byte range in the template.
    span: (usize, usize),
    /// `=`, `==`, `-`, `#`, `%` or empty.
    indicator: &'a [u8],
    code: &'a [u8],
    tail: &'a [u8],
    /// Blanks and the line end after the tag.
    space: Option<&'a [u8]>,
}

/// Options of the conversion, as properties of `Erubis::Eruby.new`.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// Opening and closing of a tag.
    pub tags: (Vec<u8>, Vec<u8>),
    /// Whether a statement alone on its lines leaves no blanks and line ends in the output.
    pub trim: bool,
    /// Whether `<%=` escapes and `<%==` does not; else the other way round.
    pub escape: bool,
    /// The function for escaping.
    pub escape_by: &'static str,
    /// The variable that collects the output.
    pub buffer: String,
    /// The beginning of the source, which creates the buffer.
    pub preamble: Vec<u8>,
    /// The end of the source, which returns the output.
    pub postamble: Vec<u8>,
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect {
            tags: (b"<%".to_vec(), b"%>".to_vec()),
            trim: true,
            escape: false,
            escape_by: "::Erubis::XmlHelper.escape_xml",
            buffer: "_buf".to_string(),
            preamble: b"_buf = ::String.new('');".to_vec(),
            postamble: b"\n_buf.to_s\n".to_vec(),
        }
    }
}

fn find(haystack: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    haystack.get(from..)?.windows(needle.len()).position(|window| window == needle).map(|at| at + from)
}

/// The blanks and line end at `at`, if a line end follows the blanks.
fn line_end(input: &[u8], at: usize) -> Option<&[u8]> {
    let mut end = at;
    while matches!(input.get(end), Some(b' ' | b'\t')) {
        end += 1;
    }
    if input.get(end) == Some(&b'\r') && input.get(end + 1) == Some(&b'\n') {
        return input.get(at..end + 2);
    }
    (input.get(end) == Some(&b'\n')).then(|| &input[at..=end])
}

/// The next tag at or after `from`.
fn next_tag<'a>(input: &'a [u8], from: usize, (open, shut): &(Vec<u8>, Vec<u8>)) -> Option<Tag<'a>> {
    let start = find(input, open, from)?;
    let inner = start + open.len();
    let marks = match input.get(inner) {
        Some(b'=') => input[inner..].iter().take_while(|byte| **byte == b'=').count(),
        Some(b'-' | b'#' | b'%') => 1,
        _ => 0,
    };
    // an indicator that is part of the closing mark is not an indicator
    let (marks, close) = match find(input, shut, inner + marks) {
        Some(close) => (marks, close),
        None => (0, find(input, shut, inner)?),
    };
    let mut code = &input[inner + marks..close];
    let mut tail: &[u8] = b"";
    if let [rest @ .., b'-' | b'='] = code {
        tail = &code[rest.len()..];
        code = rest;
    }
    let space = line_end(input, close + shut.len());
    Some(Tag {
        span: (start, close + shut.len() + space.map_or(0, <[u8]>::len)),
        indicator: &input[inner..inner + marks],
        code,
        tail,
        space,
    })
}

fn push_text(out: &mut Vec<u8>, buffer: &str, text: &[u8]) {
    if text.is_empty() {
        return;
    }
    out.extend_from_slice(format!(" {buffer} << '").as_bytes());
    for byte in text {
        if matches!(byte, b'\'' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.extend_from_slice(b"';");
}

fn statement(out: &mut Vec<u8>, code: &[&[u8]]) {
    let start = out.len();
    for part in code {
        out.extend_from_slice(part);
    }
    if out.len() == start || out.last() != Some(&b'\n') {
        out.push(b';');
    }
}

fn expression(out: &mut Vec<u8>, dialect: &Dialect, indicator: &[u8], code: &[u8]) {
    let Dialect { buffer, escape_by, escape, .. } = dialect;
    let escaped = match indicator {
        b"=" => *escape,
        b"==" => !escape,
        _ => return,
    };
    let (open, close) = if escaped {
        (format!(" {buffer} << {escape_by}(("), ").to_s);")
    } else {
        (format!(" {buffer} << ("), ").to_s;")
    };
    out.extend_from_slice(open.as_bytes());
    out.extend_from_slice(code);
    out.extend_from_slice(close.as_bytes());
}

/// The number of blanks before a tag, if there is nothing else before it on its line.
fn indent(before: &[u8], at_line_start: bool) -> Option<usize> {
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let rest = before.len() - blanks;
    match before[..rest].last() {
        Some(b'\n') => Some(blanks),
        Some(_) => None,
        None => at_line_start.then_some(blanks),
    }
}

/// The Ruby source of a template; evaluating it returns the output. It has the same line numbers as the template.
#[must_use]
pub fn compile(input: &[u8], dialect: &Dialect) -> Vec<u8> {
    let text = |out: &mut Vec<u8>, part: &[u8]| push_text(out, &dialect.buffer, part);
    let mut out = dialect.preamble.clone();
    let (mut at, mut at_line_start) = (0, true);
    while let Some(tag) = next_tag(input, at, &dialect.tags) {
        let before = &input[at..tag.span.0];
        let is_expression = tag.indicator.first() == Some(&b'=');
        let blanks = if is_expression { None } else { indent(before, at_line_start) };
        let (before, left) = before.split_at(before.len() - blanks.unwrap_or(0));
        at_line_start = tag.space.is_some();
        text(&mut out, before);
        let alone = dialect.trim && blanks.is_some() && tag.space.is_some();
        let right = tag.space.unwrap_or(b"");
        match tag.indicator.first() {
            Some(b'=') => {
                expression(&mut out, dialect, tag.indicator, tag.code);
                let newline: &[u8] = if tag.tail.is_empty() { right } else { b"" };
                text(&mut out, newline);
                if !tag.tail.is_empty() && tag.space.is_some() {
                    out.push(b'\n');
                }
            }
            Some(b'#') => {
                let lines = tag.code.iter().filter(|byte| **byte == b'\n').count() + usize::from(alone);
                if !alone {
                    text(&mut out, left);
                }
                statement(&mut out, &[&b"\n".repeat(lines)]);
                if !alone {
                    text(&mut out, right);
                }
            }
            Some(b'%') => {
                let (open, shut) = &dialect.tags;
                text(&mut out, &[left, open, tag.code, tag.tail, shut, right].concat());
            }
            _ if alone => statement(&mut out, &[left, tag.code, right]),
            _ => {
                text(&mut out, left);
                statement(&mut out, &[tag.code]);
                text(&mut out, right);
            }
        }
        at = tag.span.1;
    }
    text(&mut out, &input[at..]);
    out.extend_from_slice(&dialect.postamble);
    out
}

static ERUBY: &[MethodDef] = &[def("compile", compile_text, 7)];

/// Defines the native part of `erubis`.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "Erubis");
    let class = vm.define_class(module, "Eruby", ClassId::OBJECT);
    vm.define_singleton_methods(class, ERUBY);
    Ok(())
}

/// `Erubis::Eruby.compile(text, opening, closing, trim, escape, bufvar, ambles)`: the same source as `convert`.
fn compile_text(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let input = vm.to_str(args.at(0))?;
    let encoding = input.get(vm).encoding();
    let input = input.get(vm).bytes().to_vec();
    let buffer = vm.to_text(args.at(5))?;
    let mut ambles = [format!("{buffer} = '';").into_bytes(), format!("\n{buffer}.to_s\n").into_bytes()];
    for (amble, given) in ambles.iter_mut().zip(vm.to_array(args.at(6))?) {
        if given.truthy() {
            *amble = vm.to_str(&given)?.get(vm).bytes().to_vec();
        }
    }
    let [preamble, postamble] = ambles;
    let open = vm.to_str(args.at(1))?.get(vm).bytes().to_vec();
    let shut = vm.to_str(args.at(2))?.get(vm).bytes().to_vec();
    if open.is_empty() || shut.is_empty() {
        return Err(vm.argument_error("a pattern has an opening and a closing tag"));
    }
    let (trim, escape) = (args.at(3).truthy(), args.at(4).truthy());
    let dialect = Dialect { tags: (open, shut), trim, escape, buffer, preamble, postamble, ..Dialect::default() };
    Ok(Value::string(rchef_ruby::RString::new(compile(&input, &dialect), encoding)))
}

#[cfg(test)]
mod tests {
    use super::{Dialect, compile};

    /// Recorded from Erubis: what each template keeps of the text around its tags.
    #[test]
    fn tags_and_space() {
        for (template, source) in [
            ("a<%= 1 %>\nb", " _buf << 'a'; _buf << ( 1 ).to_s; _buf << '\n'; _buf << 'b';"),
            ("<% x %>\n", " x \n"),
            ("  <% x -%>\nb", "   x \n _buf << 'b';"),
            ("a <% x %>\n", " _buf << 'a '; x ; _buf << '\n';"),
            ("<%= 1 -%>\nb", " _buf << ( 1 ).to_s;\n _buf << 'b';"),
            ("<%# c\n %>\nb", "\n\n _buf << 'b';"),
            ("<%% x %>", " _buf << '<% x %>';"),
            ("it's\\", " _buf << 'it\\'s\\\\';"),
        ] {
            let expected = format!("_buf = ::String.new('');{source}\n_buf.to_s\n");
            assert_eq!(
                String::from_utf8_lossy(&compile(template.as_bytes(), &Dialect::default())),
                expected,
                "{template:?}"
            );
        }
    }
}
