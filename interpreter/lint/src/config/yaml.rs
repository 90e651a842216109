//! The subset of YAML that `.rubocop.yml` needs: maps, lists and scalars.

use saphyr_parser::{Event, Parser, ScalarStyle};

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

impl Value {
    /// Parses a document.
    ///
    /// # Errors
    /// The reason why the document is invalid.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut events = Vec::new();
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(|error| error.to_string())?;
            match event {
                Event::Scalar(text, ScalarStyle::Plain, ..) => events.push(Part::Text(text.to_string())),
                Event::Scalar(text, ..) => events.push(Part::Quoted(text.to_string())),
                Event::SequenceStart(..) => events.push(Part::List),
                Event::MappingStart(..) => events.push(Part::Map),
                Event::SequenceEnd | Event::MappingEnd => events.push(Part::End),
                Event::Alias(..) => events.push(Part::Text(String::new())),
                _ => {}
            }
        }
        if events.is_empty() {
            return Ok(Self::Map(Vec::new()));
        }
        build(&mut events.into_iter(), 0)?.ok_or_else(|| "it ends too early".to_string())
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

enum Part {
    Text(String),
    Quoted(String),
    List,
    Map,
    End,
}

fn build(parts: &mut impl Iterator<Item = Part>, depth: usize) -> Result<Option<Value>, String> {
    if depth > DEEPEST {
        return Err("it is nested too deeply".into());
    }
    Ok(Some(match parts.next() {
        None => return Err("it ends too early".into()),
        Some(Part::End) => return Ok(None),
        Some(Part::Text(text)) => Value::Text(text),
        Some(Part::Quoted(text)) => Value::Quoted(text),
        Some(Part::List) => {
            let mut list = Vec::new();
            while let Some(item) = build(parts, depth + 1)? {
                list.push(item);
            }
            Value::List(list)
        }
        Some(Part::Map) => {
            let mut pairs = Vec::new();
            while let Some(key) = build(parts, depth + 1)? {
                let Some(value) = build(parts, depth + 1)? else { return Err("a key has no value".into()) };
                pairs.push((key.text().unwrap_or_default().to_string(), value));
            }
            Value::Map(pairs)
        }
    }))
}
