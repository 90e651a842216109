//! Writes documents with the layout of libyaml's emitter: line breaks, permitted scalar styles, simple keys.

use super::tree::{Document, Kind, Style};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Columns per indentation level.
    pub indent: i64,
    /// Longer lines are folded; negative: never.
    pub width: i64,
    pub canonical: bool,
}

/// Writes documents in order.
pub(crate) fn emit(documents: &[Document], layout: Layout) -> String {
    let step = if (2..=9).contains(&layout.indent) { layout.indent } else { 2 };
    let width = match layout.width {
        width if width < 0 => i64::MAX,
        width if width <= step * 2 => 80,
        width => width,
    };
    let mut emitter = Emitter {
        out: String::new(),
        step,
        width,
        canonical: layout.canonical,
        indent: -1,
        column: 0,
        whitespace: true,
        indention: true,
        open_ended: false,
        flow: 0,
        handles: Vec::new(),
    };
    for document in documents {
        emitter.document(document);
    }
    if emitter.open_ended {
        emitter.indicator("...", true, false, false);
        emitter.newline();
    }
    emitter.out
}

/// The context of a node.
#[derive(Clone, Copy, Default)]
struct Place {
    mapping: bool,
    simple_key: bool,
}

struct Emitter {
    out: String,
    step: i64,
    width: i64,
    canonical: bool,
    indent: i64,
    column: i64,
    whitespace: bool,
    indention: bool,
    /// Whether the last scalar keeps trailing line breaks: `...` must end the document then.
    open_ended: bool,
    flow: u32,
    /// The tag handles of the document and their prefixes, in the order in which they are tried.
    handles: Vec<(String, String)>,
}

/// Tag handles that every document has.
const DEFAULT_HANDLES: [(&str, &str); 2] = [("!", "!"), ("!!", "tag:yaml.org,2002:")];

/// Which styles a scalar's text permits.
struct Analysis {
    multiline: bool,
    flow_plain: bool,
    block_plain: bool,
    single: bool,
    block: bool,
}

fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
fn is_blank_or_end(c: Option<char>) -> bool {
    c.is_none_or(|c| matches!(c, ' ' | '\t' | '\0') || is_break(c))
}
/// Whether libyaml writes a character unescaped; none outside the Basic Multilingual Plane.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | '\u{20}'..='\u{7e}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

fn analyze(text: &str) -> Analysis {
    if text.is_empty() {
        return Analysis { multiline: false, flow_plain: false, block_plain: true, single: true, block: false };
    }
    let document_mark = text.starts_with("---") || text.starts_with("...");
    let (mut block_indicators, mut flow_indicators) = (document_mark, document_mark);
    let (mut breaks, mut special) = (false, false);
    let (mut leading, mut trailing_space, mut trailing_break) = (false, false, false);
    let (mut break_space, mut space_break) = (false, false);
    let (mut after_space, mut after_break, mut after_blank) = (false, false, true);
    let mut chars = text.chars().peekable();
    let mut first = true;
    while let Some(c) = chars.next() {
        let last = chars.peek().is_none();
        let before_blank = is_blank_or_end(chars.peek().copied());
        match c {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' if first => {
                (flow_indicators, block_indicators) = (true, true);
            }
            '-' if first && before_blank => (flow_indicators, block_indicators) = (true, true),
            '?' if first => {
                flow_indicators = true;
                block_indicators |= before_blank;
            }
            ':' => {
                flow_indicators = true;
                block_indicators |= before_blank;
            }
            ',' | '?' | '[' | ']' | '{' | '}' => flow_indicators = true,
            '#' if after_blank => (flow_indicators, block_indicators) = (true, true),
            _ => {}
        }
        special |= !is_printable(c);
        breaks |= is_break(c);
        if c == ' ' {
            leading |= first;
            trailing_space |= last;
            break_space |= after_break;
            (after_space, after_break) = (true, false);
        } else if is_break(c) {
            leading |= first;
            trailing_break |= last;
            space_break |= after_space;
            (after_space, after_break) = (false, true);
        } else {
            (after_space, after_break) = (false, false);
        }
        after_blank = is_blank_or_end(Some(c));
        first = false;
    }
    let ends = leading || trailing_space || trailing_break;
    let unsafe_text = space_break || special;
    Analysis {
        multiline: breaks,
        flow_plain: !(ends || break_space || unsafe_text || breaks || flow_indicators),
        block_plain: !(ends || break_space || unsafe_text || breaks || block_indicators),
        single: !(break_space || unsafe_text),
        block: !(trailing_space || unsafe_text),
    }
}

impl Emitter {
    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }
    fn line_break(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
    }
    fn indicator(&mut self, text: &str, need_space: bool, whitespace: bool, indention: bool) {
        if need_space && !self.whitespace {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.whitespace = whitespace;
        self.indention = self.indention && indention;
    }
    /// Begins a new line with the current indentation, unless the output is already there.
    fn newline(&mut self) {
        let indent = self.indent.max(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.line_break('\n');
        }
        while self.column < indent {
            self.put(' ');
        }
        self.whitespace = true;
        self.indention = true;
    }
    fn deeper(&self, flow: bool, indentless: bool) -> i64 {
        match self.indent {
            indent if indent < 0 => {
                if flow {
                    self.step
                } else {
                    0
                }
            }
            indent if indentless => indent,
            indent => indent + self.step,
        }
    }

    fn document(&mut self, document: &Document) {
        if (document.version.is_some() || !document.tags.is_empty()) && self.open_ended {
            self.indicator("...", true, false, false);
            self.newline();
        }
        self.open_ended = false;
        if let Some((major, minor)) = document.version {
            self.indicator("%YAML", true, false, false);
            self.indicator(&format!("{major}.{minor}"), true, false, false);
            self.newline();
        }
        self.handles.clone_from(&document.tags);
        for (handle, prefix) in DEFAULT_HANDLES {
            if !self.handles.iter().any(|(known, _)| known == handle) {
                self.handles.push((handle.to_string(), prefix.to_string()));
            }
        }
        for (handle, prefix) in &document.tags {
            self.indicator("%TAG", true, false, false);
            self.tag_handle(handle);
            self.put(' ');
            self.tag_content(prefix);
            self.newline();
        }
        let directives = document.version.is_some() || !document.tags.is_empty();
        let implicit = document.implicit && !directives && self.out.is_empty() && !self.canonical;
        if !implicit {
            self.newline();
            self.indicator("---", true, false, false);
            if self.canonical {
                self.newline();
            }
        }
        if !document.nodes.is_empty() {
            self.node(document, document.root, Place::default());
        }
        self.newline();
        if !document.implicit_end {
            self.indicator("...", true, false, false);
            self.open_ended = false;
            self.newline();
        }
    }

    fn node(&mut self, document: &Document, index: usize, place: Place) {
        let node = &document.nodes[index];
        if let Kind::Alias(name) = &node.kind {
            self.indicator("*", true, false, false);
            name.chars().for_each(|c| self.put(c));
            self.whitespace = false;
            self.indention = false;
            if place.simple_key {
                self.put(' ');
            }
            return;
        }
        match &node.kind {
            Kind::Scalar { text, style, plain, quoted } => {
                let tag = node.tag.as_deref().filter(|_| !plain && !quoted || self.canonical);
                let analysis = analyze(text);
                let style = self.style(text, *style, &analysis, place);
                let tagged = tag.is_some_and(|tag| !tag.is_empty());
                let style = if style == Style::Plain && !tagged && !plain { self.quoting(&analysis) } else { style };
                let marked = !tagged && !quoted && style != Style::Plain;
                self.anchor(node.anchor.as_deref());
                if marked {
                    self.tag_handle("!");
                } else if let Some(tag) = tag {
                    self.tag(tag);
                }
                let outer = self.indent;
                self.indent = self.deeper(true, false);
                self.scalar(text, style, !place.simple_key);
                self.indent = outer;
            }
            Kind::Sequence { items, implicit, flow } => {
                self.anchor(node.anchor.as_deref());
                self.collection_tag(node.tag.as_deref(), *implicit);
                if self.flow > 0 || self.canonical || *flow || items.is_empty() {
                    self.flow_sequence(document, items);
                } else {
                    self.block_sequence(document, items, place);
                }
            }
            Kind::Mapping { items, implicit, flow } => {
                self.anchor(node.anchor.as_deref());
                self.collection_tag(node.tag.as_deref(), *implicit);
                if self.flow > 0 || self.canonical || *flow || items.is_empty() {
                    self.flow_mapping(document, items);
                } else {
                    self.block_mapping(document, items);
                }
            }
            Kind::Alias(_) => {}
        }
    }

    fn anchor(&mut self, anchor: Option<&str>) {
        if let Some(name) = anchor {
            self.indicator("&", true, false, false);
            name.chars().for_each(|c| self.put(c));
            self.whitespace = false;
            self.indention = false;
        }
    }
    fn collection_tag(&mut self, tag: Option<&str>, implicit: bool) {
        if let Some(tag) = tag
            && (!implicit || self.canonical)
        {
            self.tag(tag);
        }
    }
    fn tag_handle(&mut self, handle: &str) {
        if !self.whitespace {
            self.put(' ');
        }
        handle.chars().for_each(|c| self.put(c));
        self.whitespace = false;
        self.indention = false;
    }
    fn tag_content(&mut self, text: &str) {
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_;/?:@&=+$,.~*'()[]!".contains(&byte) {
                self.put(char::from(byte));
            } else {
                format!("%{byte:02X}").chars().for_each(|c| self.put(c));
            }
        }
        self.whitespace = false;
        self.indention = false;
    }
    fn tag(&mut self, tag: &str) {
        let short = self.handles.iter().find_map(|(handle, prefix)| {
            let suffix = tag.strip_prefix(prefix.as_str())?;
            (!suffix.is_empty() || tag == "!").then(|| (handle.clone(), suffix))
        });
        if let Some((handle, suffix)) = short {
            self.tag_handle(&handle);
            self.tag_content(suffix);
        } else if !tag.is_empty() {
            self.indicator("!<", true, false, false);
            self.tag_content(tag);
            self.indicator(">", false, false, false);
        }
    }

    fn style(&self, text: &str, style: Style, analysis: &Analysis, place: Place) -> Style {
        let mut style = if style == Style::Any { Style::Plain } else { style };
        if self.canonical || (place.simple_key && analysis.multiline) {
            style = Style::Double;
        }
        if style == Style::Plain {
            let allowed = if self.flow > 0 { analysis.flow_plain } else { analysis.block_plain };
            if !allowed || (text.is_empty() && (self.flow > 0 || place.simple_key)) {
                style = Style::Single;
            }
        }
        if style == Style::Single && !analysis.single {
            style = Style::Double;
        }
        if matches!(style, Style::Literal | Style::Folded) && (!analysis.block || self.flow > 0 || place.simple_key) {
            style = Style::Double;
        }
        style
    }
    fn quoting(&self, analysis: &Analysis) -> Style {
        if analysis.single { Style::Single } else { Style::Double }
    }

    fn scalar(&mut self, text: &str, style: Style, folds: bool) {
        match style {
            Style::Single => self.single_quoted(text, folds),
            Style::Double => self.double_quoted(text, folds),
            Style::Literal => self.literal(text),
            Style::Folded => self.folded(text),
            Style::Plain | Style::Any => self.plain(text, folds),
        }
    }
    fn plain(&mut self, text: &str, folds: bool) {
        if !self.whitespace && (!text.is_empty() || self.flow > 0) {
            self.put(' ');
        }
        self.running_text(text, folds, false);
        self.whitespace = false;
        self.indention = false;
    }
    fn single_quoted(&mut self, text: &str, folds: bool) {
        self.indicator("'", true, false, false);
        if self.running_text(text, folds, true) {
            self.newline();
        }
        self.indicator("'", false, false, false);
        self.whitespace = false;
        self.indention = false;
    }
    /// Writes text, folding lines at single spaces if `folds`; line breaks in the text become empty lines. Returns whether it ends with a line break.
    fn running_text(&mut self, text: &str, folds: bool, quoted: bool) -> bool {
        let (mut spaces, mut breaks) = (false, false);
        let mut chars = text.chars().peekable();
        let mut first = true;
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            if c == ' ' {
                let inside = !quoted || (!first && next.is_some());
                if folds && !spaces && self.column > self.width && inside && next != Some(' ') {
                    self.newline();
                } else {
                    self.put(c);
                }
                spaces = true;
            } else if is_break(c) {
                if !breaks && c == '\n' {
                    self.line_break('\n');
                }
                self.line_break(c);
                self.indention = true;
                breaks = true;
            } else {
                if breaks {
                    self.newline();
                }
                if quoted && c == '\'' {
                    self.put('\'');
                }
                self.put(c);
                self.indention = false;
                spaces = false;
                breaks = false;
            }
            first = false;
        }
        breaks
    }
    fn double_quoted(&mut self, text: &str, folds: bool) {
        self.indicator("\"", true, false, false);
        let mut spaces = false;
        let mut chars = text.chars().peekable();
        let mut first = true;
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            if !is_printable(c) || is_break(c) || matches!(c, '"' | '\\') {
                escape(c).chars().for_each(|c| self.put(c));
                spaces = false;
            } else if c == ' ' {
                if folds && !spaces && self.column > self.width && !first && next.is_some() {
                    self.newline();
                    if next == Some(' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(c);
                }
                spaces = true;
            } else {
                self.put(c);
                spaces = false;
            }
            first = false;
        }
        self.indicator("\"", false, false, false);
        self.whitespace = false;
        self.indention = false;
    }
    /// Writes the indentation and chomping indicators of a block scalar.
    fn block_hints(&mut self, text: &str) {
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            let step = self.step.to_string();
            self.indicator(&step, false, false, false);
        }
        self.open_ended = false;
        let mut ends = text.chars().rev();
        let mark = match (ends.next(), ends.next()) {
            (Some(last), before) if is_break(last) => {
                if before.is_none_or(is_break) {
                    self.open_ended = true;
                    Some("+")
                } else {
                    None
                }
            }
            _ => Some("-"),
        };
        if let Some(mark) = mark {
            self.indicator(mark, false, false, false);
        }
    }
    fn literal(&mut self, text: &str) {
        self.indicator("|", true, false, false);
        self.block_hints(text);
        self.line_break('\n');
        self.indention = true;
        self.whitespace = true;
        let mut breaks = true;
        for c in text.chars() {
            if is_break(c) {
                self.line_break(c);
                self.indention = true;
                breaks = true;
            } else {
                if breaks {
                    self.newline();
                }
                self.put(c);
                self.indention = false;
                breaks = false;
            }
        }
    }
    fn folded(&mut self, text: &str) {
        self.indicator(">", true, false, false);
        self.block_hints(text);
        self.line_break('\n');
        self.indention = true;
        self.whitespace = true;
        let (mut breaks, mut leading_spaces) = (true, true);
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if is_break(c) {
                if !breaks && !leading_spaces && c == '\n' {
                    let after = rest.as_str().chars().find(|c| !is_break(*c));
                    if !is_blank_or_end(after) {
                        self.line_break('\n');
                    }
                }
                self.line_break(c);
                self.indention = true;
                breaks = true;
            } else {
                if breaks {
                    self.newline();
                    leading_spaces = matches!(c, ' ' | '\t');
                }
                if !breaks && c == ' ' && !rest.as_str().starts_with(' ') && self.column > self.width {
                    self.newline();
                } else {
                    self.put(c);
                }
                self.indention = false;
                breaks = false;
            }
        }
    }

    /// Whether a node is a simple key: on one line, at most 128 bytes with tag and anchor.
    fn simple_key(&self, document: &Document, index: usize) -> bool {
        let node = &document.nodes[index];
        let names = |tagged: bool| {
            let tag = node.tag.as_deref().filter(|_| tagged).unwrap_or("");
            let tag = tag.strip_prefix("tag:yaml.org,2002:").map_or(tag.len(), |suffix| suffix.len() + 2);
            tag + node.anchor.as_ref().map_or(0, String::len)
        };
        let length = match &node.kind {
            Kind::Alias(name) => name.len(),
            Kind::Scalar { text, plain, quoted, .. } => {
                if text.contains(is_break) {
                    return false;
                }
                text.len() + names(!plain && !quoted)
            }
            Kind::Sequence { items, implicit, .. } | Kind::Mapping { items, implicit, .. } => {
                if !items.is_empty() {
                    return false;
                }
                names(!implicit)
            }
        };
        length <= 128
    }

    fn block_sequence(&mut self, document: &Document, items: &[usize], place: Place) {
        let outer = self.indent;
        self.indent = self.deeper(false, place.mapping && !self.indention);
        for item in items {
            self.newline();
            self.indicator("-", true, false, true);
            self.node(document, *item, Place::default());
        }
        self.indent = outer;
    }
    fn block_mapping(&mut self, document: &Document, items: &[usize]) {
        let outer = self.indent;
        self.indent = self.deeper(false, false);
        for pair in items.chunks(2) {
            self.newline();
            let Some(key) = pair.first() else { continue };
            if self.simple_key(document, *key) {
                self.node(document, *key, Place { mapping: true, simple_key: true });
                self.indicator(":", false, false, false);
            } else {
                self.indicator("?", true, false, true);
                self.node(document, *key, Place { mapping: true, simple_key: false });
                self.newline();
                self.indicator(":", true, false, true);
            }
            if let Some(value) = pair.get(1) {
                self.node(document, *value, Place { mapping: true, simple_key: false });
            }
        }
        self.indent = outer;
    }
    fn flow_start(&mut self, sign: &str) -> i64 {
        self.indicator(sign, true, true, false);
        let outer = self.indent;
        self.indent = self.deeper(true, false);
        self.flow += 1;
        outer
    }
    fn flow_item(&mut self, first: bool) {
        if !first {
            self.indicator(",", false, false, false);
        }
        if self.canonical || self.column > self.width {
            self.newline();
        }
    }
    fn flow_end(&mut self, sign: &str, outer: i64, empty: bool) {
        self.flow -= 1;
        self.indent = outer;
        if self.canonical && !empty {
            self.indicator(",", false, false, false);
            self.newline();
        }
        self.indicator(sign, false, false, false);
    }
    fn flow_sequence(&mut self, document: &Document, items: &[usize]) {
        let outer = self.flow_start("[");
        for (index, item) in items.iter().enumerate() {
            self.flow_item(index == 0);
            self.node(document, *item, Place::default());
        }
        self.flow_end("]", outer, items.is_empty());
    }
    fn flow_mapping(&mut self, document: &Document, items: &[usize]) {
        let outer = self.flow_start("{");
        for (index, pair) in items.chunks(2).enumerate() {
            self.flow_item(index == 0);
            let Some(key) = pair.first() else { continue };
            if !self.canonical && self.simple_key(document, *key) {
                self.node(document, *key, Place { mapping: true, simple_key: true });
                self.indicator(":", false, false, false);
            } else {
                self.indicator("?", true, false, false);
                self.node(document, *key, Place { mapping: true, simple_key: false });
                if self.canonical || self.column > self.width {
                    self.newline();
                }
                self.indicator(":", true, false, false);
            }
            if let Some(value) = pair.get(1) {
                self.node(document, *value, Place { mapping: true, simple_key: false });
            }
        }
        self.flow_end("}", outer, items.is_empty());
    }
}

/// A character in a double-quoted scalar, escaped if necessary.
fn escape(c: char) -> String {
    let short = match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(c);
            return match code {
                0..=0xff => format!("\\x{code:02X}"),
                0x100..=0xffff => format!("\\u{code:04X}"),
                _ => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{short}")
}
