//! The subset of YAML that `.rubocop.yml` needs: maps, lists and scalars.

use rchef_yaml::{Event, Events, Failure, Style};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A plain scalar.
    Text(String),
    /// A quoted or block scalar, which is always a string.
    Quoted(String),
    List(Vec<Value>),
    /// The pairs in order.
    Map(Vec<(String, Value)>),
}

/// The maximum nesting of a document.
const DEEPEST: usize = 64;
/// The most values that aliases may add to a document.
const MOST: usize = 100_000;

impl Value {
    /// Parses a document. Aliases stand for what their anchors mark, and `<<` takes over the pairs of another map.
    ///
    /// # Errors
    /// The reason why the document is invalid.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut events = Events::new(text.as_bytes()).ok_or("there is no memory left")?;
        loop {
            let (event, _) = events.next().map_err(|failure| described(&failure))?;
            match event {
                Event::Scalar { text, anchor, style: Style::Plain, .. } => parts.push(Part::Text(text, anchor)),
                Event::Scalar { text, anchor, .. } => parts.push(Part::Quoted(text, anchor)),
                Event::SequenceStart { anchor, .. } => parts.push(Part::List(anchor)),
                Event::MappingStart { anchor, .. } => parts.push(Part::Map(anchor)),
                Event::SequenceEnd | Event::MappingEnd => parts.push(Part::End),
                Event::Alias(anchor) => parts.push(Part::Alias(anchor)),
                // only the first document counts
                Event::DocumentEnd(_) | Event::StreamEnd => break,
                Event::StreamStart | Event::DocumentStart(..) => {}
            }
        }
        if parts.is_empty() {
            return Ok(Self::Map(Vec::new()));
        }
        let mut build = Build { parts: parts.into_iter(), anchors: BTreeMap::new(), added: 0 };
        build.value(0)?.ok_or_else(|| "it ends too early".to_string())
    }

    /// The number of values in it.
    fn size(&self) -> usize {
        1 + match self {
            Self::Text(_) | Self::Quoted(_) => 0,
            Self::List(list) => list.iter().map(Self::size).sum::<usize>(),
            Self::Map(pairs) => pairs.iter().map(|(_, value)| value.size()).sum(),
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(pairs) => pairs.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a scalar.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Quoted(text) => Some(text),
            _ => None,
        }
    }

    /// The texts of a list, or a scalar's text as the only one.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Text(text) | Self::Quoted(text) => vec![text.clone()],
            Self::List(list) => list.iter().filter_map(|item| item.text().map(str::to_string)).collect(),
            Self::Map(_) => Vec::new(),
        }
    }
}

/// Where and why a text is not YAML.
fn described(failure: &Failure) -> String {
    let Failure { problem, context, found, .. } = failure;
    let context = context.as_ref().map(|context| format!(" {context}")).unwrap_or_default();
    format!("line {found}: {problem}{context}")
}

/// A part of a document, with its anchor.
enum Part {
    Text(String, Option<String>),
    Quoted(String, Option<String>),
    List(Option<String>),
    Map(Option<String>),
    Alias(String),
    End,
}

struct Build<P> {
    parts: P,
    /// What anchors mark.
    anchors: BTreeMap<String, Value>,
    /// Number of values that aliases added.
    added: usize,
}

impl<P: Iterator<Item = Part>> Build<P> {
    /// The next value; None at the end of a list or map.
    fn value(&mut self, depth: usize) -> Result<Option<Value>, String> {
        if depth > DEEPEST {
            return Err("it is nested too deeply".into());
        }
        let (value, anchor) = match self.parts.next() {
            None => return Err("it ends too early".into()),
            Some(Part::End) => return Ok(None),
            Some(Part::Alias(anchor)) => {
                let value = self.anchors.get(&anchor).cloned().ok_or_else(|| format!("it has no anchor {anchor}"))?;
                self.added += value.size();
                if self.added > MOST {
                    return Err("its aliases stand for too much".into());
                }
                return Ok(Some(value));
            }
            Some(Part::Text(text, anchor)) => (Value::Text(text), anchor),
            Some(Part::Quoted(text, anchor)) => (Value::Quoted(text), anchor),
            Some(Part::List(anchor)) => {
                let mut list = Vec::new();
                while let Some(item) = self.value(depth + 1)? {
                    list.push(item);
                }
                (Value::List(list), anchor)
            }
            Some(Part::Map(anchor)) => (self.map(depth)?, anchor),
        };
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, value.clone());
        }
        Ok(Some(value))
    }

    /// The pairs up to the end of a map. Those that `<<` takes over come first, so that the map's own count.
    fn map(&mut self, depth: usize) -> Result<Value, String> {
        let (mut taken, mut pairs) = (Vec::new(), Vec::new());
        while let Some(key) = self.value(depth + 1)? {
            let Some(value) = self.value(depth + 1)? else { return Err("a key has no value".into()) };
            match (key, value) {
                (Value::Text(key), Value::Map(others)) if key == "<<" => taken.extend(others),
                (Value::Text(key), Value::List(maps)) if key == "<<" => {
                    // of several maps the first counts
                    for map in maps.into_iter().rev() {
                        if let Value::Map(others) = map {
                            taken.extend(others);
                        }
                    }
                }
                (key, value) => pairs.push((key.text().unwrap_or_default().to_string(), value)),
            }
        }
        taken.retain(|(key, _)| !pairs.iter().any(|(own, _)| own == key));
        taken.extend(pairs);
        Ok(Value::Map(taken))
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn anchors() {
        for (text, same) in [
            ("x: &a [1, 2]\ny: *a\n", "x: [1, 2]\ny: [1, 2]\n"),
            ("x: &a {b: 1, c: 2}\ny:\n  c: 3\n  <<: *a\n", "x: {b: 1, c: 2}\ny: {b: 1, c: 3}\n"),
            ("- &a {b: 1}\n- &c {b: 2, d: 3}\n- <<: [*a, *c]\n", "- {b: 1}\n- {b: 2, d: 3}\n- {b: 2, d: 3, b: 1}\n"),
            ("x: &a text\ny: *a\n", "x: text\ny: text\n"),
            // indentation does not count within brackets
            ("x:\n  y: [\n    a\n  ]\n  z: {\n  b: 1\n}\n", "x: {y: [a], z: {b: 1}}\n"),
        ] {
            assert_eq!(Value::parse(text).unwrap(), Value::parse(same).unwrap(), "{text}");
        }
        let mut bomb = "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_string();
        for level in 1..9 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            bomb += &format!("b{level}: &a{level} [{before}]\n");
        }
        assert!(Value::parse(&bomb).unwrap_err().contains("too much"));
    }
}
