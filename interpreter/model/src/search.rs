//! The query language of `search` as local mode answers it: which documents a query matches.
//!
//! What chef-zero answered is recorded in `tests/data/search.json`. A term matches whole words and ignores case; the names of nested keys are joined by
//! `_`; a range compares texts, and of several values looks at the first only.

use crate::Map;
use rustc_hash::FxHashMap as HashMap;
use serde_json::Value as Json;

/// A query.
#[derive(Clone, Debug)]
pub struct Query(Node);

#[derive(Clone, Debug)]
enum Node {
    Words(Vec<Term>),
    Range { from: String, to: String, from_in: bool, to_in: bool },
    Not(Box<Node>),
    Both(Box<Node>, Box<Node>),
    Either(Box<Node>, Box<Node>),
    Field(Box<Node>, Box<Node>),
    Group(Box<Node>),
}

#[derive(Clone, Debug)]
struct Term(Vec<Piece>);
#[derive(Clone, Copy, Debug)]
enum Piece {
    Char(char),
    One,
    Many,
}

impl Term {
    fn literal(&self) -> Option<String> {
        self.0.iter().map(|piece| if let Piece::Char(found) = piece { Some(*found) } else { None }).collect()
    }
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || "@._':-".contains(char)
}
fn same(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

/// Every end of a match of `pieces` at `from`.
fn ends(pieces: &[Piece], text: &[char], from: usize) -> Vec<usize> {
    let mut at = vec![from];
    for piece in pieces {
        let mut next = Vec::new();
        for &index in &at {
            match piece {
                Piece::Char(wanted) if text.get(index).is_some_and(|found| same(*found, *wanted)) => {
                    next.push(index + 1)
                }
                Piece::One if text.get(index).is_some_and(|found| is_word(*found)) => next.push(index + 1),
                Piece::Many => {
                    next.push(index);
                    next.extend((index..text.len()).take_while(|&index| is_word(text[index])).map(|index| index + 1));
                }
                _ => {}
            }
        }
        next.sort_unstable();
        next.dedup();
        at = next;
    }
    at
}
fn words_match(terms: &[Term], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let starts = (0..=text.len()).filter(|&index| index == 0 || !is_word(text[index - 1]));
    for start in starts {
        let mut at = vec![start];
        for (number, term) in terms.iter().enumerate() {
            let mut next = Vec::new();
            for index in at {
                let mut begins = vec![index];
                if number > 0 {
                    begins =
                        (index..text.len()).take_while(|&index| !is_word(text[index])).map(|index| index + 1).collect();
                }
                for begin in begins {
                    next.extend(ends(&term.0, &text, begin));
                }
            }
            next.sort_unstable();
            next.dedup();
            at = next;
        }
        if at.iter().any(|&end| end == text.len() || !is_word(text[end])) {
            return true;
        }
    }
    false
}

/// Puts `high` over `low`: maps key by key, everything else is replaced; nil replaces nothing.
fn overlay(low: &mut Json, high: &Json) {
    match (low, high) {
        (Json::Object(low), Json::Object(high)) => {
            for (key, value) in high {
                overlay(low.entry(key.clone()).or_insert(Json::Null), value);
            }
        }
        (_, Json::Null) => {}
        (low, high) => *low = high.clone(),
    }
}

/// A saved node as search sees it: its attributes merged, and what belongs to the node itself.
pub fn node(saved: &Json, name: &str) -> Json {
    let mut merged = Json::Object(Map::new());
    for level in ["default", "normal", "override", "automatic"] {
        overlay(&mut merged, saved.get(level).unwrap_or(&Json::Null));
    }
    if let Json::Object(map) = &mut merged {
        let list = |from: Option<&Json>| from.cloned().unwrap_or_else(|| Json::Array(Vec::new()));
        let (recipes, roles) = (list(map.get("recipes")), list(map.get("roles")));
        map.insert("recipe".into(), recipes);
        map.insert("role".into(), roles);
        map.insert("name".into(), name.into());
        map.insert("chef_type".into(), "node".into());
        let environment = saved.get("chef_environment").cloned().unwrap_or_else(|| "_default".into());
        map.insert("chef_environment".into(), environment);
        map.insert("run_list".into(), list(saved.get("run_list")));
    }
    merged
}

/// The field that is a document's id.
const ID: &str = "X_CHEF_id_CHEF_X";

/// A document's fields: every key, nested keys also joined by `_`, with the text of its value.
#[derive(Clone, Debug, Default)]
pub struct Document(Vec<(String, String)>);

/// A value as Ruby's `to_s` shows it.
fn shown(value: &Json) -> String {
    fn inner(value: &Json) -> String {
        match value {
            Json::Null => "nil".into(),
            Json::Array(items) => format!("[{}]", items.iter().map(inner).collect::<Vec<_>>().join(", ")),
            Json::Object(map) => format!(
                "{{{}}}",
                map.iter().map(|(key, value)| format!("{key:?}=>{}", inner(value))).collect::<Vec<_>>().join(", ")
            ),
            other => other.to_string(),
        }
    }
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => inner(other),
    }
}

impl Document {
    /// The fields of a JSON object, and its id.
    pub fn new(value: &Json, id: &str) -> Document {
        let mut found = Document::default();
        found.add(None, value, 0);
        found.0.push((ID.into(), id.into()));
        found
    }
    fn add(&mut self, prefix: Option<&str>, value: &Json, depth: usize) {
        if depth > 200 {
            return;
        }
        match value {
            Json::Object(map) => {
                for (key, child) in map {
                    self.0.push((key.clone(), shown(child)));
                    match prefix {
                        Some(prefix) => self.add(Some(&format!("{prefix}_{key}")), child, depth + 1),
                        None if child.is_object() || child.is_array() => self.add(Some(key), child, depth + 1),
                        None => {}
                    }
                }
            }
            Json::Array(items) => items.iter().for_each(|item| self.add(prefix, item, depth + 1)),
            other => self.0.push((prefix.unwrap_or("text").to_string(), shown(other))),
        }
    }
    /// The first value of a field; empty when there is none.
    pub fn field(&self, name: &str) -> String {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default()
    }
    fn values(&self, wanted: impl Fn(&str) -> bool) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for (key, value) in &self.0 {
            if wanted(key) && !found.contains(&value.as_str()) {
                found.push(value);
            }
        }
        found
    }
}

/// Documents as text, with their fields, so that a query looks only at the values it asks for: thousands of nodes fit in little memory.
#[derive(Debug, Default)]
pub struct Corpus {
    ids: Vec<String>,
    text: String,
    /// Where each document begins in the text.
    starts: Vec<usize>,
    /// For every field its place in `values`.
    fields: HashMap<String, usize>,
    /// The values of each field, in the order of the documents.
    values: Vec<Vec<Place>>,
}

/// Where a value stands: its document, and the bytes of it.
#[derive(Clone, Copy, Debug)]
struct Place {
    document: u32,
    start: u32,
    end: u32,
}

/// A number of bytes or documents; what is beyond four thousand millions is nowhere.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Corpus {
    /// Puts a document in.
    pub fn push(&mut self, id: &str, document: &Json) {
        self.starts.push(self.text.len());
        self.ids.push(id.to_string());
        self.add(None, document, 0);
    }
    /// The ids, in the order of the documents.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }
    /// One of the documents.
    pub fn document(&self, at: usize) -> Json {
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        let text = self.starts.get(at).and_then(|start| self.text.get(*start..end));
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }
    /// How far into the present document the text goes.
    fn here(&self) -> u32 {
        small(self.text.len() - self.starts.last().copied().unwrap_or_default())
    }
    /// Writes a value, and notes the same fields as [`Document::add`] gives.
    fn add(&mut self, prefix: Option<&str>, value: &Json, depth: usize) {
        match value {
            Json::Object(map) if depth <= 200 => {
                self.text.push('{');
                for (at, (key, child)) in map.iter().enumerate() {
                    if at > 0 {
                        self.text.push(',');
                    }
                    self.text.push_str(&Json::from(key.as_str()).to_string());
                    self.text.push(':');
                    let noted = self.note(key);
                    match prefix {
                        Some(prefix) => self.add(Some(&format!("{prefix}_{key}")), child, depth + 1),
                        None if child.is_object() || child.is_array() => self.add(Some(key), child, depth + 1),
                        None => self.text.push_str(&child.to_string()),
                    }
                    self.close(noted);
                }
                self.text.push('}');
            }
            Json::Array(items) if depth <= 200 => {
                self.text.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.text.push(',');
                    }
                    self.add(prefix, item, depth + 1);
                }
                self.text.push(']');
            }
            other if depth <= 200 => {
                let noted = self.note(prefix.unwrap_or("text"));
                self.text.push_str(&other.to_string());
                self.close(noted);
            }
            other => self.text.push_str(&other.to_string()),
        }
    }
    /// Notes that a value of a field begins here.
    fn note(&mut self, field: &str) -> (usize, usize) {
        let next = self.values.len();
        let at = match self.fields.get(field) {
            Some(at) => *at,
            None => {
                self.fields.insert(field.to_string(), next);
                self.values.push(Vec::new());
                next
            }
        };
        let start = self.here();
        let values = &mut self.values[at];
        values.push(Place { document: small(self.ids.len() - 1), start, end: start });
        (at, values.len() - 1)
    }
    /// The value that was noted ends here.
    fn close(&mut self, (field, at): (usize, usize)) {
        self.values[field][at].end = self.here();
    }
    /// A value as it is compared.
    fn shown(&self, place: Place) -> String {
        let start = self.starts.get(place.document as usize).copied().unwrap_or_default();
        let text = self.text.get(start + place.start as usize..start + place.end as usize).unwrap_or_default();
        shown(&serde_json::from_str(text).unwrap_or_default())
    }
    /// For each document whether its values of a field fit.
    fn fitting(&self, field: &str, fits: &dyn Fn(&[&str]) -> bool) -> Vec<bool> {
        if field == ID {
            return self.ids.iter().map(|id| fits(&[id.as_str()])).collect();
        }
        let mut found = vec![fits(&[]); self.ids.len()];
        let values = self.fields.get(field).map_or(&[][..], |at| self.values[*at].as_slice());
        for values in values.chunk_by(|a, b| a.document == b.document) {
            let mut texts: Vec<String> = Vec::with_capacity(values.len());
            for place in values {
                let text = self.shown(*place);
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            if let Some(found) = values.first().and_then(|place| found.get_mut(place.document as usize)) {
                *found = fits(&texts);
            }
        }
        found
    }
}

impl Query {
    /// The places of the documents that match.
    pub fn matching(&self, corpus: &Corpus) -> Vec<usize> {
        let fit = self.0.corpus(corpus);
        (0..fit.len()).filter(|at| fit[*at]).collect()
    }
    /// Reads a query; the error is the parser's text.
    pub fn parse(text: &str) -> Result<Query, String> {
        let mut parser = Parser { text: text.chars().collect(), at: 0, depth: 0 };
        let found = parser.expression()?;
        match parser.next() {
            None => Ok(Query(found)),
            Some(token) => Err(parser.error(Some(&token), "Unexpected end paren")),
        }
    }
    /// Whether a document matches.
    pub fn matches(&self, document: &Document) -> bool {
        self.0.document(document)
    }
}

impl Node {
    /// For each document whether it matches.
    fn corpus(&self, corpus: &Corpus) -> Vec<bool> {
        let both = |left: &Node, right: &Node, join: fn(bool, bool) -> bool| -> Vec<bool> {
            left.corpus(corpus).into_iter().zip(right.corpus(corpus)).map(|(left, right)| join(left, right)).collect()
        };
        match self {
            Node::Words(_) | Node::Range { .. } => corpus.fitting("text", &|values| self.values(values)),
            Node::Not(inner) => inner.corpus(corpus).into_iter().map(|fits| !fits).collect(),
            Node::Both(left, right) => both(left, right, |left, right| left && right),
            Node::Either(left, right) => both(left, right, |left, right| left || right),
            Node::Group(inner) => inner.corpus(corpus),
            Node::Field(left, right) => match left.name() {
                Some(name) => corpus.fitting(&name, &|values| right.values(values)),
                // every document has an id, and anything matches `*`
                None if left.is_anything() && right.is_anything() => vec![true; corpus.ids.len()],
                None => {
                    let ids = corpus.ids.iter().enumerate();
                    ids.map(|(at, id)| self.document(&Document::new(&corpus.document(at), id))).collect()
                }
            },
        }
    }
    /// The name of a field, where it is written out.
    fn name(&self) -> Option<String> {
        match self {
            Node::Words(terms) if terms.len() == 1 => terms[0].literal(),
            _ => None,
        }
    }
    fn is_anything(&self) -> bool {
        matches!(self, Node::Words(terms) if matches!(terms.as_slice(), [Term(pieces)] if matches!(pieces[..], [Piece::Many])))
    }
    fn document(&self, document: &Document) -> bool {
        match self {
            Node::Words(_) | Node::Range { .. } => self.values(&document.values(|key| key == "text")),
            Node::Not(inner) => !inner.document(document),
            Node::Both(left, right) => left.document(document) && right.document(document),
            Node::Either(left, right) => left.document(document) || right.document(document),
            Node::Group(inner) => inner.document(document),
            Node::Field(left, right) => {
                let literal = left.name();
                let values = document.values(|key| match &literal {
                    Some(name) => key == name,
                    None => left.values(&[key]),
                });
                right.values(&values)
            }
        }
    }
    fn values(&self, values: &[&str]) -> bool {
        match self {
            Node::Words(terms) => values.iter().any(|value| words_match(terms, value)),
            Node::Range { from, to, from_in, to_in } => values.first().is_some_and(|value| {
                let low = from == "*" || from.as_str() > *value || (from.as_str() == *value && *from_in);
                let high = to == "*" || *value < to.as_str() || (*value == to.as_str() && *to_in);
                low && high
            }),
            Node::Not(inner) => !inner.values(values),
            Node::Both(left, right) => left.values(values) && right.values(values),
            Node::Either(left, right) => left.values(values) || right.values(values),
            Node::Field(left, _) => left.values(values),
            Node::Group(inner) => inner.values(values),
        }
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

fn precedence(operator: &str) -> u8 {
    match operator {
        "^" => 4,
        ":" => 3,
        "AND" | "&&" => 2,
        _ => 1,
    }
}
fn is_binary(token: &str) -> bool {
    matches!(token, "AND" | "OR" | "&&" | "||" | "^" | ":")
}
fn combine(left: Node, operator: &str, right: Node) -> Node {
    let (left, right) = (Box::new(left), Box::new(right));
    match operator {
        "AND" | "&&" => Node::Both(left, right),
        // A boost changes only the order of relevance, which local mode does not have.
        "^" => Node::Group(left),
        ":" => Node::Field(left, right),
        _ => Node::Either(left, right),
    }
}

impl Parser {
    fn error(&self, token: Option<&str>, text: &str) -> String {
        let query: String = self.text.iter().collect();
        format!("Error on token '{}' at {} of '{query}': {text}", token.unwrap_or_default(), self.at)
    }
    fn operator(&self) -> Option<String> {
        let first = *self.text.get(self.at)?;
        if "\"+-!(){}[]^:".contains(first) {
            return Some(first.to_string());
        }
        let two: String = self.text[self.at..].iter().take(2).collect();
        matches!(two.as_str(), "&&" | "||").then_some(two)
    }
    fn next(&mut self) -> Option<String> {
        while self.text.get(self.at).is_some_and(|char| char.is_ascii_whitespace()) {
            self.at += 1;
        }
        if self.at >= self.text.len() {
            return None;
        }
        if let Some(found) = self.operator() {
            self.at += found.len();
            return Some(found);
        }
        let start = self.at;
        loop {
            if self.text.get(self.at) == Some(&'\\') {
                self.at += 1;
            }
            self.at = (self.at + 1).min(self.text.len());
            let more = self.text.get(self.at).is_some_and(|char| !char.is_ascii_whitespace())
                && self.operator().is_none_or(|found| found == "-");
            if !more {
                return Some(self.text[start..self.at].iter().collect());
            }
        }
    }
    fn peek(&mut self) -> Option<String> {
        let start = self.at;
        let found = self.next();
        if found.is_some() {
            self.at = start;
        }
        found
    }
    fn expression(&mut self) -> Result<Node, String> {
        let mut result = self.single()?;
        let mut last: Option<String> = None;
        while let Some(token) = self.peek().filter(|token| token != ")") {
            let operator = if is_binary(&token) {
                self.next();
                token
            } else {
                "OR".to_string()
            };
            let right = self.single()?;
            let tighter = last.as_ref().is_some_and(|last| precedence(&operator) > precedence(last));
            result = match result {
                Node::Both(first, second) if tighter => Node::Both(first, Box::new(combine(*second, &operator, right))),
                Node::Either(first, second) if tighter => {
                    Node::Either(first, Box::new(combine(*second, &operator, right)))
                }
                other => {
                    last = Some(operator.clone());
                    combine(other, &operator, right)
                }
            };
        }
        Ok(result)
    }
    fn single(&mut self) -> Result<Node, String> {
        self.depth += 1;
        let found = if self.depth > 200 { Err(self.error(None, "Too deeply nested")) } else { self.single_inner() };
        self.depth -= 1;
        found
    }
    fn single_inner(&mut self) -> Result<Node, String> {
        let Some(token) = self.next() else { return Err(self.error(None, "Expected expression!")) };
        match token.as_str() {
            "NOT" | "-" | "!" => Ok(Node::Not(Box::new(self.single()?))),
            "+" => Err("+ not supported yet, because it is hard.".into()),
            "\"" => {
                let mut terms = Vec::new();
                loop {
                    match self.next() {
                        None => return Err(self.error(None, "Expected '\"'")),
                        Some(token) if token == "\"" => return Ok(Node::Words(terms)),
                        Some(token) => terms.push(term(&token)?),
                    }
                }
            }
            "{" | "[" => self.range(token == "["),
            "(" => {
                let inner = self.expression()?;
                let close = self.next();
                if close.as_deref() != Some(")") {
                    return Err(self.error(close.as_deref(), "Expected ')'"));
                }
                Ok(Node::Group(Box::new(inner)))
            }
            "}" | "]" | ")" => Err(self.error(Some(&token), "Unexpected end paren")),
            other if is_binary(other) => Err(self.error(Some(other), "Unexpected binary operator")),
            other => {
                let left = Node::Words(vec![term(other)?]);
                if self.peek().as_deref() == Some(":") {
                    self.next();
                    let right = self.single()?;
                    return Ok(combine(left, ":", right));
                }
                Ok(left)
            }
        }
    }
    fn range(&mut self, from_in: bool) -> Result<Node, String> {
        let Some(from) = self.next() else { return Err(self.error(None, "Expected left term in range query")) };
        if self.next().as_deref() != Some("TO") {
            return Err(self.error(Some(&from), "Expected TO in range query"));
        }
        let Some(to) = self.next() else { return Err(self.error(None, "Expected left term in range query")) };
        match self.next().as_deref() {
            Some("]") => Ok(Node::Range { from, to, from_in, to_in: true }),
            Some("}") => Ok(Node::Range { from, to, from_in, to_in: false }),
            other => {
                let end = other.unwrap_or_default().to_string();
                Err(self.error(Some(&to), &format!("Expected end range '{end}'")))
            }
        }
    }
}

fn term(text: &str) -> Result<Term, String> {
    let (mut pieces, mut chars) = (Vec::new(), text.chars());
    while let Some(char) = chars.next() {
        pieces.push(match char {
            '*' => Piece::Many,
            '?' => Piece::One,
            '~' => return Err("~ unsupported".into()),
            '\\' => match chars.next() {
                Some(escaped) => Piece::Char(escaped),
                None => return Err(format!("Backslash at end of string '{text}'")),
            },
            other => Piece::Char(other),
        });
    }
    Ok(Term(pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_saved_node_is_searched_by_its_merged_attributes() {
        let saved = json!({
            "default": { "a": { "x": 1, "y": 1 } }, "override": { "a": { "x": 2 } }, "automatic": { "recipes": ["b"] },
            "chef_environment": "prod"
        });
        let found = node(&saved, "n1");
        assert_eq!(found["a"], json!({ "x": 2, "y": 1 }));
        let document = Document::new(&found, "n1");
        for (query, expected) in
            [("a_x:2", true), ("recipe:b", true), ("chef_environment:prod AND NOT name:n2", true), ("a_x:1", false)]
        {
            assert_eq!(Query::parse(query).unwrap().matches(&document), expected, "{query}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        let text = format!("{}a{}", "(".repeat(5000), ")".repeat(5000));
        assert!(Query::parse(&text).is_err());
        assert!(Query::parse(&"NOT ".repeat(5000)).is_err());
    }
}
