//! Expansion of words: POSIX, Shell Command Language 2.6, as far as values of variables and output of commands are known.

use super::Shell;
use crate::brought::sh::{Node, parse};
use rchef_text::shell::{Part, Word};

impl Shell<'_> {
    /// The words that words become; absent where they are not known.
    pub(super) fn fields(&mut self, words: &[Word]) -> Option<Vec<String>> {
        let mut fields = Vec::new();
        for word in words {
            if let Some(text) = word.plain() {
                fields.push(text);
                continue;
            }
            let mut field: Option<String> = None;
            for part in &word.parts {
                match part {
                    Part::Text(text) => field.get_or_insert_default().push_str(text),
                    Part::Pattern(_) => return None,
                    Part::Substitution { text, quoted: true } if text == "$@" => {
                        let parameters: Option<Vec<String>> = self.parameters.iter().cloned().collect();
                        fields.extend(parameters?);
                    }
                    Part::Substitution { text, quoted: true } => {
                        let value = self.value(text)?;
                        field.get_or_insert_default().push_str(&value);
                    }
                    Part::Substitution { text, quoted: false } => {
                        let value = self.value(text)?;
                        for (at, piece) in value.split_whitespace().enumerate() {
                            if at > 0 || value.starts_with(char::is_whitespace) {
                                fields.extend(field.take());
                            }
                            field.get_or_insert_default().push_str(piece);
                        }
                        if value.ends_with(char::is_whitespace) {
                            fields.extend(field.take());
                        }
                    }
                }
            }
            fields.extend(field);
        }
        Some(fields)
    }

    /// The text of a word that is not split: a value that is assigned, where something is led to.
    pub(super) fn text(&mut self, word: &Word) -> Option<String> {
        let mut text = String::new();
        for part in &word.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Pattern('~') => return None,
                Part::Pattern(c) => text.push(*c),
                Part::Substitution { text: source, .. } => text.push_str(&self.value(source)?),
            }
        }
        Some(text)
    }

    /// A pattern of `case`, as `fnmatch` takes it.
    pub(super) fn pattern(&mut self, word: &Word) -> Option<String> {
        let plain = |text: &str| text.chars().flat_map(|c| ['\\', c]).collect::<String>();
        let mut pattern = String::new();
        for part in &word.parts {
            match part {
                Part::Text(text) => pattern.push_str(&plain(text)),
                Part::Pattern('[') => return None,
                Part::Pattern(c @ ('*' | '?')) => pattern.push(*c),
                Part::Pattern(c) => pattern.push_str(&plain(&c.to_string())),
                Part::Substitution { text, .. } => pattern.push_str(&plain(&self.value(text)?)),
            }
        }
        Some(pattern)
    }

    /// What a substitution gives.
    fn value(&mut self, source: &str) -> Option<String> {
        if let Some(inner) = source.strip_prefix('`').and_then(|inner| inner.strip_suffix('`')) {
            return self.output_of(&inner.replace("\\`", "`").replace("\\$", "$").replace("\\\\", "\\"));
        }
        let name = source.strip_prefix('$')?;
        if let Some(inner) = name.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            return if inner.starts_with('(') { None } else { self.output_of(inner) };
        }
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        let (name, how) = if end == 0 { (name, "") } else { name.split_at(end) };
        let value = match name {
            "#" => Some(self.parameters.len().to_string()),
            "*" | "@" => self.parameters.iter().cloned().collect::<Option<Vec<String>>>().map(|words| words.join(" ")),
            _ => match name.parse::<usize>() {
                Ok(0) => None,
                Ok(number) => self.parameters.get(number - 1).cloned().unwrap_or(Some(String::new())),
                Err(_) => self.variables.get(name).cloned().flatten(),
            },
        };
        match how {
            "" => value,
            _ => {
                let other = |shell: &mut Self, from: usize| {
                    let source = format!("\"{}\"", &how[from..]);
                    let list = parse(&format!(": {source}"))?;
                    let Some(Node::Simple { words, .. }) = list.first() else { return None };
                    words.get(1).and_then(|word| shell.text(word))
                };
                match (&how[..how.len().min(2)], value?) {
                    (":-", value) if value.is_empty() => other(self, 2),
                    (":+", value) if value.is_empty() => Some(String::new()),
                    (":+", _) => other(self, 2),
                    (":-", value) => Some(value),
                    (two, value) if two.starts_with('-') => Some(value),
                    _ => None,
                }
            }
        }
    }

    /// What commands write, without the ends of lines at its end.
    fn output_of(&mut self, source: &str) -> Option<String> {
        let list = parse(source)?;
        let before = self.output.replace(String::new());
        let variables = self.variables.clone();
        self.list(&list);
        self.variables = variables;
        let written = std::mem::replace(&mut self.output, before);
        written.map(|text| text.trim_end_matches('\n').to_string())
    }
}
