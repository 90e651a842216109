//! The dump's document: a JSON tree that keeps the order of keys. Keys and words of the schema are borrowed, not copied, and maps are lists of pairs,
//! because a dump is written once from start to end and rarely searched.

use crate::Out;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::{self, Write};

/// A word of the schema (borrowed), or a String of the run.
pub type Text = Cow<'static, str>;

/// A JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    /// A finite number with a fraction or exponent.
    Float(f64),
    String(Text),
    Array(Vec<Value>),
    Object(Map),
}

/// Pairs with distinct keys, in order. Small maps are searched linearly; large ones get an index when first searched.
#[derive(Clone, Debug, Default)]
pub struct Map {
    pairs: Vec<(Text, Value)>,
    index: OnceCell<Box<FxHashMap<Text, usize>>>,
}

/// Maximum number of pairs that are searched linearly.
const SMALL: usize = 16;

const NULL: &Value = &Value::Null;

impl Map {
    pub fn new() -> Map {
        Map::default()
    }

    pub fn with_capacity(pairs: usize) -> Map {
        Map::from(Vec::with_capacity(pairs))
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.pairs.len() <= SMALL {
            return self.pairs.iter().position(|(known, _)| known == key);
        }
        let places = || self.pairs.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
        self.index.get_or_init(|| Box::new(places())).get(key).copied()
    }

    fn add(&mut self, key: Text, value: Value) {
        if let Some(index) = self.index.get_mut() {
            index.insert(key.clone(), self.pairs.len());
        }
        self.pairs.push((key, value));
    }

    /// Sets a key: replaces its value or appends the pair.
    pub fn insert(&mut self, key: Text, value: Value) {
        match self.position(&key) {
            Some(at) => self.pairs[at].1 = value,
            None => self.add(key, value),
        }
    }

    /// Appends a pair whose key must be new.
    pub fn push(&mut self, key: &'static str, value: Value) {
        self.add(Cow::Borrowed(key), value);
    }

    /// Removes and returns the value of a key.
    pub fn remove(&mut self, key: &str) {
        self.index = OnceCell::new();
        self.pairs.retain(|(known, _)| known != key);
    }
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).map(|at| &self.pairs[at].1)
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub fn keys(&self) -> impl Iterator<Item = &Text> {
        self.pairs.iter().map(|(key, _)| key)
    }

    /// Gives back the space for pairs that did not come.
    pub fn shrink_to_fit(&mut self) {
        self.pairs.shrink_to_fit();
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Value)> {
        self.pairs.iter().map(|(key, value)| (key, value))
    }

    /// Replaces each pair by the result of `change`.
    pub fn map(self, mut change: impl FnMut(Text, Value) -> (Text, Value)) -> Map {
        Map::from(self.pairs.into_iter().map(|(key, value)| change(key, value)).collect::<Vec<_>>())
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.pairs == other.pairs
    }
}

impl From<Vec<(Text, Value)>> for Map {
    /// The keys must be distinct.
    fn from(pairs: Vec<(Text, Value)>) -> Map {
        Map { pairs, index: OnceCell::new() }
    }
}

impl IntoIterator for Map {
    type Item = (Text, Value);
    type IntoIter = std::vec::IntoIter<(Text, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.pairs.into_iter()
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = &'a (Text, Value);
    type IntoIter = std::slice::Iter<'a, (Text, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.pairs.iter()
    }
}

impl<K: Into<Text>> FromIterator<(K, Value)> for Map {
    /// The keys must be distinct.
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(pairs: I) -> Map {
        Map::from(pairs.into_iter().map(|(key, value)| (key.into(), value)).collect::<Vec<_>>())
    }
}

impl Extend<(Text, Value)> for Map {
    /// The keys must be new.
    fn extend<I: IntoIterator<Item = (Text, Value)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(key, value)| self.add(key, value));
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Value {
        Value::Array(items.into_iter().collect())
    }
}

impl Value {
    /// A word of the schema.
    pub fn word(text: &'static str) -> Value {
        Value::String(Cow::Borrowed(text))
    }

    /// The value of a key; None if this is not a map or lacks the key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.get(key)
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&Vec<Value>> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Map> {
        match self {
            Value::Object(map) => Some(map),
            _ => None,
        }
    }

    pub fn is_array(&self) -> bool {
        matches!(self, Value::Array(_))
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// JSON with an indentation of two spaces.
    pub fn to_json(&self) -> String {
        let mut out = Out::whole();
        self.write_json(&mut out, Some(0));
        out.finish()
    }

    /// Writes JSON; compact if `indent` is None.
    pub fn write_json(&self, out: &mut Out<'_>, indent: Option<usize>) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Value::Int(number) => decimal(*number, out),
            Value::Float(number) => out.push_str(&float(*number)),
            Value::String(text) => quoted(text, out),
            Value::Array(items) if items.is_empty() => out.push_str("[]"),
            Value::Object(map) if map.is_empty() => out.push_str("{}"),
            Value::Array(items) => {
                let inner = indent.map(|indent| indent + 2);
                let mut separator = '[';
                for item in items {
                    out.push(separator);
                    line(out, inner);
                    item.write_json(out, inner);
                    out.may_end();
                    separator = ',';
                }
                line(out, indent);
                out.push(']');
            }
            Value::Object(map) => {
                let inner = indent.map(|indent| indent + 2);
                let mut separator = '{';
                for (key, value) in map {
                    out.push(separator);
                    line(out, inner);
                    quoted(key, out);
                    out.push_str(if indent.is_some() { ": " } else { ":" });
                    value.write_json(out, inner);
                    separator = ',';
                }
                line(out, indent);
                out.push('}');
            }
        }
    }
}

/// Begins a new line, unless the output is compact (`indent` is None).
fn line(out: &mut String, indent: Option<usize>) {
    const SPACES: &str = "\n                                                                ";
    let Some(indent) = indent else { return };
    match SPACES.get(..=indent) {
        Some(text) => out.push_str(text),
        None => {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
        }
    }
}

/// Appends an integer in decimal.
pub(crate) fn decimal(number: i64, out: &mut String) {
    // writing to a String cannot fail
    let _ = write!(out, "{number}");
}

/// A finite number in JSON, always with a point or an exponent.
pub(crate) fn float(number: f64) -> String {
    serde_json::Number::from_f64(number).map_or_else(|| "null".into(), |number| number.to_string())
}

/// Appends a JSON string: quotes, backslashes and control characters are escaped.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    let special = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
    // without a branch per byte, so that the compiler can vectorise the loop
    if !text.bytes().fold(false, |found, byte| found | special(byte)) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !special(byte) {
            continue;
        }
        out.push_str(&text[from..at]);
        from = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            other => {
                let _ = write!(out, "\\u{other:04x}");
            }
        }
    }
    out.push_str(&text[from..]);
    out.push('"');
}

impl fmt::Display for Value {
    /// JSON; with line breaks for `{:#}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Out::whole();
        self.write_json(&mut out, f.alternate().then_some(0));
        f.write_str(&out.finish())
    }
}

impl std::ops::Index<&str> for Value {
    type Output = Value;

    /// `null` if the key does not exist.
    fn index(&self, key: &str) -> &Value {
        self.get(key).unwrap_or(NULL)
    }
}

impl std::ops::Index<usize> for Value {
    type Output = Value;

    /// `null` if the element does not exist.
    fn index(&self, at: usize) -> &Value {
        self.as_array().and_then(|items| items.get(at)).unwrap_or(NULL)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::String(Cow::Owned(text))
    }
}

impl From<serde_json::Value> for Value {
    fn from(read: serde_json::Value) -> Value {
        match read {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(flag) => Value::Bool(flag),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(number) => Value::Int(number),
                None => number.as_f64().map_or(Value::Null, Value::Float),
            },
            serde_json::Value::String(text) => Value::from(text),
            serde_json::Value::Array(items) => items.into_iter().map(Value::from).collect(),
            serde_json::Value::Object(map) => {
                Value::Object(map.into_iter().map(|(key, value)| (key, Value::from(value))).collect())
            }
        }
    }
}

impl From<Value> for serde_json::Value {
    fn from(made: Value) -> serde_json::Value {
        match made {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => flag.into(),
            Value::Int(number) => number.into(),
            Value::Float(number) => number.into(),
            Value::String(text) => text.into(),
            Value::Array(items) => items.into_iter().map(serde_json::Value::from).collect(),
            Value::Object(map) => {
                map.into_iter().map(|(key, value)| (key.into_owned(), serde_json::Value::from(value))).collect()
            }
        }
    }
}

/// Conversion to a document, used by `json!`.
pub trait ToDoc {
    fn to_doc(&self) -> Value;
}

macro_rules! to_doc {
    ($($kind:ty, $given:ident => $made:expr;)*) => {
        $(impl ToDoc for $kind {
            fn to_doc(&self) -> Value {
                let $given = self;
                $made
            }
        })*
    };
}

/// A number that becomes a Float if it is too large for an i64.
fn unsigned(number: u64) -> Value {
    i64::try_from(number).map_or(Value::Float(number as f64), Value::Int)
}

to_doc! {
    bool, flag => Value::Bool(*flag);
    i64, number => Value::Int(*number);
    i32, number => Value::Int((*number).into());
    u8, number => Value::Int((*number).into());
    u32, number => Value::Int((*number).into());
    u64, number => unsigned(*number);
    usize, number => unsigned(*number as u64);
    f64, number => if number.is_finite() { Value::Float(*number) } else { Value::Null };
    str, text => Value::String(Cow::Owned(text.to_string()));
    String, text => Value::String(Cow::Owned(text.clone()));
    Text, text => Value::String(text.clone());
    Value, value => value.clone();
    Map, map => Value::Object(map.clone());
}

impl<T: ToDoc + ?Sized> ToDoc for &T {
    fn to_doc(&self) -> Value {
        (**self).to_doc()
    }
}

impl<T: ToDoc> ToDoc for [T] {
    fn to_doc(&self) -> Value {
        self.iter().map(ToDoc::to_doc).collect()
    }
}

impl<T: ToDoc> ToDoc for Vec<T> {
    fn to_doc(&self) -> Value {
        self.as_slice().to_doc()
    }
}

impl<T: ToDoc> ToDoc for Option<T> {
    fn to_doc(&self) -> Value {
        self.as_ref().map_or(Value::Null, ToDoc::to_doc)
    }
}

/// Builds a document from literals and [`ToDoc`](crate::document::ToDoc) expressions.
#[macro_export]
macro_rules! json {
    (null) => { $crate::document::Value::Null };
    ([$($item:tt),* $(,)?]) => { $crate::document::Value::Array(vec![$($crate::json!($item)),*]) };
    ({}) => { $crate::document::Value::Object($crate::document::Map::new()) };
    ({ $($key:literal : $value:tt),+ $(,)? }) => {{
        let pairs = vec![$(($crate::document::Text::Borrowed($key), $crate::json!($value))),+];
        $crate::document::Value::Object($crate::document::Map::from(pairs))
    }};
    ({ $($key:literal : $value:expr),+ $(,)? }) => {{
        let pairs = vec![$(($crate::document::Text::Borrowed($key), $crate::document::ToDoc::to_doc(&$value))),+];
        $crate::document::Value::Object($crate::document::Map::from(pairs))
    }};
    ($given:expr) => { $crate::document::ToDoc::to_doc(&$given) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_what_serde_json_writes() {
        let given = json!({
            "text": "a \"b\" \\ \n\t\r\u{8}\u{c}\u{1}é\u{2028}",
            "list": [1i64, 1.5, true, null, [], {}],
            "numbers": [(-3i64), 1e30, 2.0],
            "nested": { "a": { "b": ["x", "y"] } }
        });
        let pretty = given.to_json();
        let read: serde_json::Value = serde_json::from_str(&pretty).unwrap_or_default();
        assert_eq!(serde_json::to_string_pretty(&read).unwrap_or_default(), pretty);
        assert_eq!(read.to_string(), given.to_string());
    }

    #[test]
    fn a_large_map_finds_its_keys() {
        let mut map = Map::new();
        for round in 0..2i64 {
            for number in 0..100i64 {
                map.insert(format!("k{number}").into(), json!(number + round));
            }
        }
        assert_eq!(map.iter().count(), 100);
        assert!((0..100).all(|number| map.get(&format!("k{number}")) == Some(&Value::Int(number + 1))));
        assert_eq!(map.get("k100"), None);
    }

    #[test]
    fn a_key_set_again_keeps_its_place() {
        let mut map = Map::new();
        map.insert("a".into(), json!(1i64));
        map.insert("b".into(), json!(2i64));
        map.insert("a".into(), json!(3i64));
        assert_eq!(Value::Object(map).to_string(), r#"{"a":3,"b":2}"#);
    }
}
