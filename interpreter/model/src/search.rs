//! The query language of `search`, with the results of local mode: which documents match a query.
//!
//! Expected results of chef-zero are recorded in `tests/data/search.json`. A term matches whole words and ignores case; nested keys are joined by
//! `_`; a range compares Strings, and only the first of several values.

use crate::{Map, skim};
use rustc_hash::FxHashMap as HashMap;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::ops::Range;

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

/// All positions where a match of `pieces` that begins at `from` can end.
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
/// Whether a text contains a word, ignoring the case of ASCII letters.
fn contains(text: &[u8], word: &[u8]) -> bool {
    let Some(first) = word.first() else { return true };
    let (small, large) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == small || *byte == large) {
        if rest.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word)) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}
/// Whether a text contains a whole word; both are ASCII.
fn word_matches(word: &[u8], text: &[u8]) -> bool {
    let inside = |at: usize| text.get(at).is_some_and(|byte| is_word(char::from(*byte)));
    let fits = |at: usize| (at == 0 || !inside(at - 1)) && !inside(at + word.len());
    text.windows(word.len()).enumerate().any(|(at, part)| part.eq_ignore_ascii_case(word) && fits(at))
}
fn words_match(terms: &[Term], text: &str) -> bool {
    if let [term] = terms
        && text.is_ascii()
        && let Some(word) = term.literal().filter(|word| word.is_ascii() && !word.is_empty())
    {
        return word_matches(word.as_bytes(), text.as_bytes());
    }
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

/// Deep merge of `high` into `low`: Hashes are merged by key, other values replaced; nil replaces nothing.
fn overlay(low: &mut Json, high: Json) {
    match (low, high) {
        (Json::Object(low), Json::Object(high)) => {
            for (key, value) in high {
                overlay(low.entry(key).or_insert(Json::Null), value);
            }
        }
        (_, Json::Null) => {}
        (low, high) => *low = high,
    }
}

/// The document that search sees of a saved node: its merged attributes, and the fields of the node itself.
pub fn node(mut saved: Json, name: &str) -> Json {
    let mut merged = Json::Object(Map::new());
    for level in ["default", "normal", "override", "automatic"] {
        overlay(&mut merged, saved.get_mut(level).map(Json::take).unwrap_or_default());
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

/// The field that holds the document's id.
pub const ID: &str = "X_CHEF_id_CHEF_X";

/// A value converted by Ruby's `to_s`.
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

/// The location of a value: its document, and the start and end of its byte range. An array, because a list of zeroes takes no memory until it is
/// filled.
type Place = [u32; 3];

/// A number of bytes or documents; larger ones saturate.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Documents collected for a [`Corpus`], as text with an index of fields. Every key is a field, and so are nested keys joined by `_`.
#[derive(Debug, Default)]
pub struct Documents {
    ids: Vec<String>,
    text: Vec<u8>,
    /// The offset of each document in the text.
    starts: Vec<usize>,
    /// The numbers of the fields.
    fields: HashMap<String, u32>,
    /// The field's number, start and end of every value, ordered by document and start.
    values: Vec<[u32; 3]>,
    /// The number of values before each document.
    before: Vec<usize>,
}

impl Documents {
    /// Adds a document.
    pub fn push(&mut self, id: &str, document: &Json) {
        self.starts.push(self.text.len());
        self.before.push(self.values.len());
        self.ids.push(id.to_string());
        self.add(&mut String::new(), true, document, 0);
    }
    /// The length of the current document so far.
    fn here(&self) -> u32 {
        small(self.text.len() - self.starts.last().copied().unwrap_or_default())
    }
    /// Writes a value and records its fields; `path` has the joined keys that lead to it.
    fn add(&mut self, path: &mut String, top: bool, value: &Json, depth: usize) {
        match value {
            Json::Object(map) if depth <= 200 => {
                self.text.push(b'{');
                for (at, (key, child)) in map.iter().enumerate() {
                    if at > 0 {
                        self.text.push(b',');
                    }
                    self.write(&Json::from(key.as_str()));
                    self.text.push(b':');
                    let noted = self.note(key);
                    let length = path.len();
                    if !top {
                        path.push('_');
                    }
                    path.push_str(key);
                    if top && !child.is_object() && !child.is_array() {
                        self.write(child);
                    } else {
                        self.add(path, false, child, depth + 1);
                    }
                    path.truncate(length);
                    self.close(noted);
                }
                self.text.push(b'}');
            }
            Json::Array(items) if depth <= 200 => {
                self.text.push(b'[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.text.push(b',');
                    }
                    self.add(path, top, item, depth + 1);
                }
                self.text.push(b']');
            }
            other if depth <= 200 => {
                let noted = self.note(if top { "text" } else { path });
                self.write(other);
                self.close(noted);
            }
            other => self.write(other),
        }
    }
    fn write(&mut self, value: &Json) {
        // writing to memory cannot fail
        let _ = serde_json::to_writer(&mut self.text, value);
    }
    /// Records that a value of a field begins here.
    fn note(&mut self, field: &str) -> usize {
        let number = match self.fields.get(field) {
            Some(number) => *number,
            None => {
                let next = small(self.fields.len());
                self.fields.insert(field.to_string(), next);
                next
            }
        };
        self.values.push([number, self.here(), self.here()]);
        self.values.len() - 1
    }
    /// Records the end of a value.
    fn close(&mut self, noted: usize) {
        self.values[noted][2] = self.here();
    }
}

/// Documents for queries. Only the values of the queried fields are parsed, and thousands of nodes fit in little memory.
#[derive(Debug, Default)]
pub struct Corpus {
    ids: Vec<String>,
    texts: Vec<Vec<u8>>,
    /// The location of each document: the part, and the byte range in its text.
    places: Vec<(usize, Range<usize>)>,
    /// For each field the range of its values in `values`.
    fields: HashMap<String, Range<usize>>,
    /// The values of all fields; those of a field are in the order of the documents.
    values: Vec<Place>,
}

impl Corpus {
    /// Joins documents that were collected in several parts.
    pub fn new(parts: Vec<Documents>) -> Corpus {
        let mut all = Corpus::default();
        let mut counts: Vec<usize> = Vec::new();
        let mut numbers: Vec<Vec<usize>> = Vec::new();
        let mut fields: HashMap<String, usize> = HashMap::default();
        for part in &parts {
            let mut own = vec![0; part.fields.len()];
            // the order of the field numbers here has no effect on the result
            part.fields.iter().for_each(|(field, number)| {
                let next = fields.len();
                own[*number as usize] = *fields.entry(field.clone()).or_insert(next);
            });
            counts.resize(fields.len(), 0);
            part.values.iter().for_each(|[field, ..]| counts[own[*field as usize]] += 1);
            numbers.push(own);
        }
        let mut next = Vec::with_capacity(counts.len());
        let mut sum = 0;
        for count in &counts {
            next.push(sum);
            sum += count;
        }
        all.fields = fields.into_iter().map(|(field, at)| (field, next[at]..next[at] + counts[at])).collect();
        all.values = vec![[0; 3]; sum];
        for (part, numbers) in parts.into_iter().zip(numbers) {
            let ends = part.before.iter().skip(1).copied().chain([part.values.len()]);
            for (own, (from, to)) in part.before.iter().zip(ends).enumerate() {
                let document = small(all.ids.len() + own);
                for [field, start, end] in part.values.get(*from..to).unwrap_or_default() {
                    let at = &mut next[numbers[*field as usize]];
                    all.values[*at] = [document, *start, *end];
                    *at += 1;
                }
            }
            drop(part.values);
            all.ids.extend(part.ids);
            let ends = part.starts.iter().skip(1).copied().chain([part.text.len()]);
            let at = all.texts.len();
            all.places.extend(part.starts.iter().zip(ends).map(|(start, end)| (at, *start..end)));
            all.texts.push(part.text);
        }
        all
    }
    pub fn one(id: &str, document: &Json) -> Corpus {
        let mut documents = Documents::default();
        documents.push(id, document);
        Corpus::new(vec![documents])
    }
    pub fn ids(&self) -> &[String] {
        &self.ids
    }
    /// A document as JSON text.
    fn text_of(&self, at: usize) -> &[u8] {
        let text = self.places.get(at).and_then(|(part, place)| self.texts.get(*part)?.get(place.clone()));
        text.unwrap_or_default()
    }
    pub fn document(&self, at: usize) -> Json {
        serde_json::from_slice(self.text_of(at)).unwrap_or_default()
    }
    /// The value under a path of keys in a document.
    pub fn at_path(&self, at: usize, path: &[String]) -> Option<Json> {
        skim::at_path(self.text_of(at), path).and_then(|text| serde_json::from_slice(text).ok())
    }
    fn values(&self, field: &str) -> &[Place] {
        self.fields.get(field).and_then(|at| self.values.get(at.clone())).unwrap_or_default()
    }
    /// The first value of a field in a document; empty if there is none.
    pub fn first(&self, at: usize, field: &str) -> String {
        if field == ID {
            return self.ids.get(at).cloned().unwrap_or_default();
        }
        let values = self.values(field);
        let place = values.get(values.partition_point(|[document, ..]| *document < small(at)));
        place
            .filter(|[document, ..]| *document == small(at))
            .map(|place| self.shown(*place).into_owned())
            .unwrap_or_default()
    }
    /// A value as JSON text.
    fn text_at(&self, [document, start, end]: Place) -> &[u8] {
        self.text_of(document as usize).get(start as usize..end as usize).unwrap_or_default()
    }
    /// A value as the String that queries compare.
    fn shown(&self, place: Place) -> Cow<'_, str> {
        let text = self.text_at(place);
        if let [b'"', plain @ .., b'"'] = text
            && !plain.contains(&b'\\')
            && let Ok(plain) = std::str::from_utf8(plain)
        {
            return Cow::Borrowed(plain);
        }
        Cow::Owned(shown(&serde_json::from_slice(text).unwrap_or_default()))
    }
    /// For each document, whether its values of a field match.
    fn of_field(&self, field: &str, query: &Node) -> Vec<bool> {
        let (values, fits) = (self.values(field), |values: &[&str]| query.values(values));
        // a value whose text does not contain the word need not be parsed
        let written = |byte: u8| byte.is_ascii_graphic() && byte != b'\\' && byte != b'"';
        let plain = |word: &String| word.bytes().all(written) && !word.is_empty() && !word.eq_ignore_ascii_case("nil");
        match query.name().filter(plain) {
            Some(word) => {
                let has = |place: &&Place| {
                    let text = self.text_at(**place);
                    !text.is_ascii() || contains(text, word.as_bytes())
                };
                let values: Vec<Place> = values.iter().filter(has).copied().collect();
                self.fitting(&values, field == ID, &fits)
            }
            None => self.fitting(values, field == ID, &fits),
        }
    }
    /// The values of the fields with matching names, in document order.
    fn named(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<Place> {
        let fields = self.fields.keys().filter(|field| wanted(field));
        let mut found: Vec<Place> = fields.flat_map(|field| self.values(field).iter().copied()).collect();
        found.sort_unstable_by_key(|[document, start, _]| (*document, *start));
        found
    }
    /// For each document, whether its values among `places`, and also its id if `ids`, match.
    fn fitting(&self, places: &[Place], ids: bool, fits: &dyn Fn(&[&str]) -> bool) -> Vec<bool> {
        let mut all = places.chunk_by(|a, b| a[0] == b[0]).peekable();
        let none = !ids && fits(&[]);
        let of_document = |(at, id): (usize, &String)| {
            let own = all.next_if(|places| places.first().is_some_and(|place| place[0] == small(at)));
            if own.is_none() && !ids {
                return none;
            }
            let mut texts: Vec<Cow<'_, str>> = Vec::new();
            for place in own.unwrap_or_default() {
                let text = self.shown(*place);
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            let mut texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            if ids && !texts.contains(&id.as_str()) {
                texts.push(id);
            }
            fits(&texts)
        };
        self.ids.iter().enumerate().map(of_document).collect()
    }
}

impl Query {
    /// The indices of the matching documents.
    pub fn matching(&self, corpus: &Corpus) -> Vec<usize> {
        let fit = self.0.corpus(corpus);
        (0..fit.len()).filter(|at| fit[*at]).collect()
    }
    /// Parses a query; the error is the parser's message.
    pub fn parse(text: &str) -> Result<Query, String> {
        let mut parser = Parser { text: text.chars().collect(), at: 0, depth: 0 };
        let found = parser.expression()?;
        match parser.next() {
            None => Ok(Query(found)),
            Some(token) => Err(parser.error(Some(&token), "Unexpected end paren")),
        }
    }
}

impl Node {
    /// For each document, whether it matches.
    fn corpus(&self, corpus: &Corpus) -> Vec<bool> {
        let both = |left: &Node, right: &Node, join: fn(bool, bool) -> bool| -> Vec<bool> {
            left.corpus(corpus).into_iter().zip(right.corpus(corpus)).map(|(left, right)| join(left, right)).collect()
        };
        match self {
            Node::Words(_) | Node::Range { .. } => corpus.of_field("text", self),
            Node::Not(inner) => inner.corpus(corpus).into_iter().map(|fits| !fits).collect(),
            Node::Both(left, right) => both(left, right, |left, right| left && right),
            Node::Either(left, right) => both(left, right, |left, right| left || right),
            Node::Group(inner) => inner.corpus(corpus),
            Node::Field(left, right) => match left.name() {
                Some(name) => corpus.of_field(&name, right),
                // every document has an id, and `*` matches anything
                None if left.is_anything() && right.is_anything() => vec![true; corpus.ids.len()],
                None => {
                    let wanted = |field: &str| left.values(&[field]);
                    corpus.fitting(&corpus.named(&wanted), wanted(ID), &|values| right.values(values))
                }
            },
        }
    }
    /// The field's name, unless it is a pattern.
    fn name(&self) -> Option<String> {
        match self {
            Node::Words(terms) if terms.len() == 1 => terms[0].literal(),
            _ => None,
        }
    }
    fn is_anything(&self) -> bool {
        matches!(self, Node::Words(terms) if matches!(terms.as_slice(), [Term(pieces)] if matches!(pieces[..], [Piece::Many])))
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
        // A boost only changes the order by relevance, which local mode does not use.
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
        let found = node(saved, "n1");
        assert_eq!(found["a"], json!({ "x": 2, "y": 1 }));
        let corpus = Corpus::one("n1", &found);
        for (query, expected) in
            [("a_x:2", true), ("recipe:b", true), ("chef_environment:prod AND NOT name:n2", true), ("a_x:1", false)]
        {
            assert_eq!(Query::parse(query).unwrap().matching(&corpus).len(), usize::from(expected), "{query}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        let text = format!("{}a{}", "(".repeat(5000), ")".repeat(5000));
        assert!(Query::parse(&text).is_err());
        assert!(Query::parse(&"NOT ".repeat(5000)).is_err());
    }
}
