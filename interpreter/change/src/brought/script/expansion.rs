//! Word expansion (POSIX, Shell Command Language 2.6), as far as values of variables and output of commands are known.

use super::state::Value;
use super::{BLOCK, DEPTH, LONGEST, Shell, WORDS};
use crate::brought::sh::{Node, parse};
use rchef_text::shell::{Part, Word};

/// Characters that make a value a file name pattern.
const OF_PATTERNS: [char; 4] = ['*', '?', '[', '\\'];

/// Characters of the default `IFS`.
const BLANKS: [char; 3] = [' ', '\t', '\n'];

/// The expanded words of a command.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// None for unknown words.
    pub(super) words: Vec<Option<String>>,
    /// Number of leading words with a certain position: an unquoted unknown value may become several words, or none.
    pub(super) placed: usize,
}

/// Whether a word expands to exactly one word.
fn is_one(word: &Word) -> bool {
    word.parts.iter().all(|part| match part {
        Part::Text(_) => true,
        Part::Pattern(_) => false,
        Part::Substitution { text, quoted } => *quoted && !text.starts_with("$@") && !text.starts_with("${@"),
    })
}

impl Shell<'_> {
    /// Expands the words of a command one by one.
    pub(super) fn words(&mut self, words: &[Word]) -> Fields {
        let (mut fields, mut is_open) = (Fields::default(), false);
        for word in words {
            match self.fields(std::slice::from_ref(word)) {
                Some(found) => fields.words.extend(found.into_iter().map(Some)),
                None => {
                    is_open |= !is_one(word);
                    if !is_open {
                        fields.placed = fields.words.len() + 1;
                    }
                    fields.words.push(None);
                }
            }
            if !is_open {
                fields.placed = fields.words.len();
            }
        }
        fields
    }

    /// Expands words; None if the result is not known.
    pub(super) fn fields(&mut self, words: &[Word]) -> Option<Vec<String>> {
        let mut fields = Vec::new();
        for word in words {
            match word.plain() {
                Some(text) => fields.push(text),
                None => self.split(word, &mut fields)?,
            }
            let length: usize = fields.iter().map(String::len).sum();
            if fields.len() > WORDS || length > LONGEST {
                return None;
            }
        }
        Some(fields)
    }

    fn split(&mut self, word: &Word, fields: &mut Vec<String>) -> Option<()> {
        let is_all =
            |part: &Part| matches!(part, Part::Substitution { text, quoted: true } if text == "$@" || text == "${@}");
        // `"$@"` without parameters expands to no word
        let only_all = word.parts.iter().all(|part| is_all(part) || *part == Part::Text(String::new()));
        if only_all && word.parts.iter().filter(|part| !is_all(part)).count() > 1 {
            return None;
        }
        // expand all parts even if one is unknown: they may have side effects
        let mut values = Vec::new();
        for part in &word.parts {
            values.push(match part {
                Part::Substitution { text, quoted } if !is_all(part) => self.value(text, *quoted),
                _ => None,
            });
        }
        let mut field: Option<String> = None;
        for (part, value) in word.parts.iter().zip(values) {
            match part {
                Part::Text(text) if only_all && text.is_empty() => {}
                Part::Text(text) => field.get_or_insert_default().push_str(text),
                Part::Pattern(_) => return None,
                Part::Substitution { .. } if is_all(part) => {
                    for (at, parameter) in self.state.parameters.all()?.into_iter().enumerate() {
                        if at > 0 {
                            fields.extend(field.take());
                        }
                        field.get_or_insert_default().push_str(&parameter);
                    }
                }
                Part::Substitution { quoted: true, .. } => field.get_or_insert_default().push_str(&value?),
                Part::Substitution { quoted: false, .. } => {
                    let value = value?;
                    if value.contains(OF_PATTERNS) || !self.splits_at_blanks() {
                        return None;
                    }
                    for (at, piece) in value.split(BLANKS).filter(|piece| !piece.is_empty()).enumerate() {
                        if at > 0 || value.starts_with(BLANKS) {
                            fields.extend(field.take());
                        }
                        field.get_or_insert_default().push_str(piece);
                    }
                    if value.ends_with(BLANKS) {
                        fields.extend(field.take());
                    }
                }
            }
        }
        fields.extend(field);
        Some(())
    }

    /// Whether `IFS` has its default value.
    fn splits_at_blanks(&self) -> bool {
        match self.state.variable("IFS") {
            Value::Text(text) => text == " \t\n",
            Value::Unset => true,
            Value::NotKnown => false,
        }
    }

    /// The text of a word without field splitting, as in an assignment or redirection.
    pub(super) fn text(&mut self, word: &Word) -> Option<String> {
        let (mut text, mut is_known) = (String::new(), true);
        for part in &word.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Pattern('~') => is_known = false,
                Part::Pattern(c) => text.push(*c),
                Part::Substitution { text: source, quoted } => match self.value(source, *quoted) {
                    Some(value) => text.push_str(&value),
                    None => is_known = false,
                },
            }
            if text.len() > LONGEST {
                (text, is_known) = (String::new(), false);
            }
        }
        self.steps += text.len() / BLOCK;
        is_known.then_some(text)
    }

    /// A pattern of `case` in the syntax of `fnmatch`.
    pub(super) fn pattern(&mut self, word: &Word) -> Option<String> {
        let plain = |text: &str| text.chars().flat_map(|c| ['\\', c]).collect::<String>();
        let mut pattern = String::new();
        for part in &word.parts {
            match part {
                Part::Text(text) => pattern.push_str(&plain(text)),
                Part::Pattern('[') => return None,
                Part::Pattern(c @ ('*' | '?')) => pattern.push(*c),
                Part::Pattern(c) => pattern.push_str(&plain(&c.to_string())),
                Part::Substitution { text, quoted } => {
                    let value = self.value(text, *quoted)?;
                    if !quoted && value.contains(OF_PATTERNS) {
                        return None;
                    }
                    pattern.push_str(&plain(&value));
                }
            }
        }
        Some(pattern)
    }

    /// The value of a substitution.
    fn value(&mut self, source: &str, quoted: bool) -> Option<String> {
        if let Some(inner) = source.strip_prefix('`').and_then(|inner| inner.strip_suffix('`')) {
            let inner = if quoted { inner.replace("\\\"", "\"") } else { inner.to_string() };
            return self.output_of(&inner.replace("\\`", "`").replace("\\$", "$").replace("\\\\", "\\"));
        }
        let name = source.strip_prefix('$')?;
        if let Some(inner) = name.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            if inner.starts_with('(') {
                // an arithmetic expression may assign
                if inner.contains('=') || inner.contains("++") || inner.contains("--") || inner.contains("$(") {
                    self.forget();
                }
                return None;
            }
            return self.output_of(inner);
        }
        let braced = name.strip_prefix('{').and_then(|name| name.strip_suffix('}'));
        let inner = braced.unwrap_or(name);
        let of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match inner.chars().next()? {
            c if c.is_ascii_digit() => inner.find(|c: char| !c.is_ascii_digit()).unwrap_or(inner.len()),
            c if of_name(c) => inner.find(|c: char| !of_name(c)).unwrap_or(inner.len()),
            c => c.len_utf8(),
        };
        let (name, how) = inner.split_at(end);
        let value = match name {
            "#" if how.is_empty() => Some(self.state.parameters.all()?.len().to_string()).into(),
            "?" => self.status.map(|code| code.to_string()).into(),
            "*" if !self.splits_at_blanks() => Value::NotKnown,
            // with an alternative word these may still be several words
            "@" if !how.is_empty() => Value::NotKnown,
            "*" | "@" => self.state.parameters.all().map(|words| words.join(" ")).into(),
            name => match name.parse::<usize>() {
                Ok(0) => Value::NotKnown,
                Ok(number) => self.state.parameters.get(number),
                Err(_) => self.state.variable(name),
            },
        };
        self.of_value(name, value, how)
    }

    /// The value of a parameter with the modifier after its name, such as `:-word`.
    fn of_value(&mut self, name: &str, value: Value, how: &str) -> Option<String> {
        let (colon, form) = how.strip_prefix(':').map_or((false, how), |form| (true, form));
        let mut form = form.chars();
        let operator = form.next();
        let is_there = match &value {
            Value::Text(text) => Some(!(colon && text.is_empty())),
            Value::Unset => Some(false),
            Value::NotKnown => None,
        };
        let text = match value {
            Value::Text(text) => Some(text),
            Value::Unset => Some(String::new()),
            Value::NotKnown => None,
        };
        match (operator, is_there) {
            (None, Some(false)) if self.state.needs_values && !matches!(name, "@" | "*") => {
                self.not_known();
                None
            }
            (None, _) => text,
            (Some('-' | '=' | '?'), Some(true)) => text,
            (Some('+'), Some(false)) => Some(String::new()),
            (Some('-'), Some(false)) | (Some('+'), Some(true)) => self.other(form.as_str()),
            (Some('='), Some(false)) => {
                let other = self.other(form.as_str());
                self.assign(name, other.clone().into());
                other
            }
            (Some('='), None) => {
                self.state.set(name, Value::NotKnown);
                self.perhaps_other(form.as_str())
            }
            // an unset parameter ends the shell
            (Some('?'), _) => {
                self.not_known();
                None
            }
            (Some('-' | '+'), None) => self.perhaps_other(form.as_str()),
            _ => {
                if how.contains("$(") || how.contains('`') || how.contains(":=") {
                    self.not_known();
                }
                None
            }
        }
    }

    /// The alternative word of a modifier.
    fn other(&mut self, source: &str) -> Option<String> {
        if source.is_empty() || source == "\"\"" || source == "''" {
            return Some(String::new());
        }
        if source.contains(['"', '\'', '\\', '*', '?', '[', '~']) {
            return self.perhaps_other(source);
        }
        let list = parse(&format!(": \"{source}\""))?;
        let Some(Node::Simple { words, .. }) = list.first() else { return None };
        let word = words.get(1)?.clone();
        self.text(&word)
    }

    /// An alternative word that may not be used; commands in it may run.
    fn perhaps_other(&mut self, source: &str) -> Option<String> {
        if source.contains("$(") || source.contains('`') || source.contains(":=") {
            self.not_known();
        }
        None
    }

    /// The output of a command substitution, without trailing newlines.
    fn output_of(&mut self, source: &str) -> Option<String> {
        let Some(list) = parse(source) else {
            self.forget();
            self.substituted = Some(None);
            return None;
        };
        if self.depth == DEPTH {
            self.forget();
            self.substituted = Some(None);
            return None;
        }
        self.depth += 1;
        let before = self.output.replace(String::new());
        let (state, status) = (self.state.clone(), self.status);
        let locals = self.locals.last().map_or(0, Vec::len);
        self.captures += 1;
        // under `set -e`, a failing command ends the subshell in dash but not in bash
        let may_end = !self.is_bash && self.state.ends_on_failure != Some(false);
        let mut ended = false;
        self.tested += 1;
        for (at, node) in list.iter().enumerate() {
            let flow = self.node(node);
            if flow != super::Flow::Next {
                break;
            }
            ended |= may_end && at + 1 < list.len() && self.status != Some(0);
        }
        self.tested -= 1;
        self.captures -= 1;
        self.depth -= 1;
        self.state = state;
        if let Some(of_function) = self.locals.last_mut() {
            of_function.truncate(locals);
        }
        self.substituted = Some(self.status.filter(|_| !ended));
        // in dash, `$?` keeps its value until the whole command has run
        if !self.is_bash {
            self.status = status;
        }
        let written = std::mem::replace(&mut self.output, before);
        written.filter(|_| !ended).map(|text| text.trim_end_matches('\n').to_string())
    }
}
