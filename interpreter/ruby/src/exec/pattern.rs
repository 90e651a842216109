//! Pattern matching: `case … in`, `=>`, `in`.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, ExceptionData, Res, Unwind};
use crate::frame::Cx;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodBody, Visibility};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{
    ArrayPattern, CaseIn, FindPattern, HashPattern, HashPatternRest, InlineCache, LocalRef, Node, Pattern,
};

impl Vm {
    pub(super) fn eval_case_in(&mut self, case: &CaseIn, cx: &Cx<'_>) -> Res {
        let subject = self.eval(&case.subject, cx)?;
        if !matches!(subject, Value::Object(_)) {
            return self.run_clauses(case, &subject, cx);
        }
        self.extension::<Deconstructed>().0.push((subject.clone(), None));
        let result = self.run_clauses(case, &subject, cx);
        self.extension::<Deconstructed>().0.pop();
        result
    }

    fn run_clauses(&mut self, case: &CaseIn, subject: &Value, cx: &Cx<'_>) -> Res {
        for clause in &case.clauses {
            if !self.match_pattern(&clause.pattern, subject, cx)? {
                continue;
            }
            if let Some(guard) = &clause.guard
                && !self.eval(guard, cx)?.truthy()
            {
                self.mismatch(|| Why::Guard);
                continue;
            }
            return self.eval(&clause.body, cx);
        }
        match &case.otherwise {
            Some(node) => self.eval(node, cx),
            None => {
                if let Some(number) = case.missed {
                    self.count_branch(&cx.code.file, number);
                }
                cx.line.set(case.line);
                if case.clauses.len() == 1 {
                    return Err(self.no_match(subject));
                }
                // where several patterns were tried, the value itself is the message
                let data = ExceptionData { message: subject.clone(), ..crate::error::empty() };
                Err(Unwind::Raise(self.new_exception_with(ClassId::NO_MATCHING_PATTERN_ERROR, data)).into())
            }
        }
    }

    pub(super) fn eval_match_required(&mut self, value: &Node, pattern: &Pattern, line: u32, cx: &Cx<'_>) -> Res {
        let value = self.eval(value, cx)?;
        if self.match_pattern(pattern, &value, cx)? {
            return Ok(Value::Nil);
        }
        cx.line.set(line);
        Err(self.no_match(&value))
    }

    fn mismatch(&mut self, why: impl FnOnce() -> Why) -> bool {
        let why = why();
        self.extension::<Mismatch>().0 = Some(why);
        false
    }

    /// NoMatchingPatternError for a single pattern, with what did not match.
    #[cold]
    fn no_match(&mut self, subject: &Value) -> Error {
        match self.no_match_text(subject) {
            Ok((text, None)) => self.error(ClassId::NO_MATCHING_PATTERN_ERROR, text),
            Ok((text, Some((receiver, key)))) => {
                let data = ExceptionData {
                    message: Value::str(text),
                    receiver,
                    detail: Value::Sym(key),
                    ..crate::error::empty()
                };
                Unwind::Raise(self.new_exception_with(ClassId::NO_MATCHING_PATTERN_KEY_ERROR, data)).into()
            }
            Err(error) => error,
        }
    }

    fn no_match_text(&mut self, subject: &Value) -> Res<(String, Option<(Value, Symbol)>)> {
        let shown = self.inspect(subject)?;
        let Some(why) = self.extension::<Mismatch>().0.take() else { return Ok((shown, None)) };
        let text = match why {
            Why::Guard => "guard clause does not return true".to_string(),
            Why::Value(pattern, value) => {
                format!("{} === {} does not return true", self.inspect(&pattern)?, self.inspect(&value)?)
            }
            Why::Length(value, given, least, open) => {
                format!(
                    "{} length mismatch (given {given}, expected {least}{})",
                    self.inspect(&value)?,
                    if open { "+" } else { "" }
                )
            }
            Why::NoAnswer(value, method) => format!("{} does not respond to #{method}", self.inspect(&value)?),
            Why::NotEmpty(value) => format!("{} is not empty", self.inspect(&value)?),
            Why::Rest(value) => format!("rest of {} is not empty", self.inspect(&value)?),
            Why::Find(value) => format!("{} does not match to find pattern", self.inspect(&value)?),
            Why::Key(value, key) => {
                let text = format!("{shown}: key not found: {}", self.inspect(&Value::Sym(key))?);
                return Ok((text, Some((value, key))));
            }
        };
        Ok((format!("{shown}: {text}"), None))
    }

    fn bind(&mut self, at: LocalRef, value: Value, cx: &Cx<'_>) {
        if at.depth == 0 { self.set_local(cx, at.slot, value) } else { self.set_local_up(cx, at, value) }
    }

    fn pattern_eq(&mut self, pattern: &Value, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        let matched = self.case_eq(pattern, value, &InlineCache::default(), cx)?;
        Ok(matched || self.mismatch(|| Why::Value(pattern.clone(), value.clone())))
    }

    /// Whether a value matches; variables are assigned during the match.
    pub(super) fn match_pattern(&mut self, pattern: &Pattern, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        self.check_stack()?;
        match pattern {
            Pattern::Value(node) => {
                let expected = self.eval(node, cx)?;
                self.pattern_eq(&expected, value, cx)
            }
            Pattern::Bind(at) => {
                self.bind(*at, value.clone(), cx);
                Ok(true)
            }
            Pattern::Alt(patterns) => {
                for pattern in patterns {
                    if self.match_pattern(pattern, value, cx)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pattern::Capture(pattern, at) => {
                let matched = self.match_pattern(pattern, value, cx)?;
                if matched {
                    self.bind(*at, value.clone(), cx);
                }
                Ok(matched)
            }
            Pattern::Array(pattern) => self.match_array(pattern, value, cx),
            Pattern::Find(pattern) => self.match_find(pattern, value, cx),
            Pattern::Hash(pattern) => self.match_hash(pattern, value, cx),
        }
    }

    fn constant_matches(&mut self, constant: Option<&Node>, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        match constant {
            Some(node) => {
                let constant = self.eval(node, cx)?;
                self.pattern_eq(&constant, value, cx)
            }
            None => Ok(true),
        }
    }

    /// `respond_to?` with one argument, as pattern matching calls it.
    fn answers_to(&mut self, value: &Value, name: Symbol, cx: &Cx<'_>) -> Res<bool> {
        let class = self.class_of(value);
        if let Some(id) = self.find_refined(class, name, cx) {
            let method = self.method(id);
            return Ok(method.visibility == Visibility::Public && !matches!(method.body, MethodBody::Undefined));
        }
        if self.is_native_method(class, sym::RESPOND_TO) {
            return self.basic_respond_to(value, name, false);
        }
        Ok(self.call(value, sym::RESPOND_TO, &[Value::Sym(name)])?.truthy())
    }

    fn deconstruct(&mut self, value: &Value, cx: &Cx<'_>) -> Res<Option<Vec<Value>>> {
        if let Value::Array(gc) = value
            && gc.class() == ClassId::ARRAY
            && cx.cref.refinements.borrow().is_empty()
        {
            return Ok(Some(gc.get(self).items.clone()));
        }
        if let Some((subject, Some(items))) = self.extension::<Deconstructed>().0.last()
            && subject.same(value)
        {
            return Ok(Some(items.clone()));
        }
        if !self.answers_to(value, sym::DECONSTRUCT, cx)? {
            return Ok(None);
        }
        let Value::Array(gc) = self.call_with_refinements(value, sym::DECONSTRUCT, &[], cx)? else {
            return Err(self.type_error("deconstruct must return Array"));
        };
        let items = gc.get(self).items.clone();
        if let Some((subject, kept)) = self.extension::<Deconstructed>().0.last_mut()
            && subject.same(value)
        {
            *kept = Some(items.clone());
        }
        Ok(Some(items))
    }

    fn match_array(&mut self, pattern: &ArrayPattern, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        if !self.constant_matches(pattern.constant.as_ref(), value, cx)? {
            return Ok(false);
        }
        let Some(items) = self.deconstruct(value, cx)? else {
            return Ok(self.mismatch(|| Why::NoAnswer(value.clone(), "deconstruct")));
        };
        let least = pattern.pre.len() + pattern.post.len();
        if items.len() < least || (pattern.rest.is_none() && items.len() > least) {
            let open = pattern.rest.is_some();
            return Ok(self.mismatch(|| Why::Length(Value::array(items.clone()), items.len(), least, open)));
        }
        for (pattern, item) in pattern.pre.iter().zip(&items) {
            if !self.match_pattern(pattern, item, cx)? {
                return Ok(false);
            }
        }
        let rest_end = items.len() - pattern.post.len();
        if let Some(Some(at)) = pattern.rest {
            self.bind(at, Value::array(items[pattern.pre.len()..rest_end].to_vec()), cx);
        }
        for (pattern, item) in pattern.post.iter().zip(&items[rest_end..]) {
            if !self.match_pattern(pattern, item, cx)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn match_find(&mut self, pattern: &FindPattern, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        if !self.constant_matches(pattern.constant.as_ref(), value, cx)? {
            return Ok(false);
        }
        let Some(items) = self.deconstruct(value, cx)? else {
            return Ok(self.mismatch(|| Why::NoAnswer(value.clone(), "deconstruct")));
        };
        let width = pattern.middle.len();
        if items.len() < width {
            return Ok(self.mismatch(|| Why::Length(Value::array(items.clone()), items.len(), width, true)));
        }
        for start in 0..(items.len() + 1).saturating_sub(width) {
            let mut all = true;
            for (pattern, item) in pattern.middle.iter().zip(&items[start..]) {
                if !self.match_pattern(pattern, item, cx)? {
                    all = false;
                    break;
                }
            }
            if all {
                if let Some(at) = pattern.left {
                    self.bind(at, Value::array(items[..start].to_vec()), cx);
                }
                if let Some(at) = pattern.right {
                    self.bind(at, Value::array(items[start + width..].to_vec()), cx);
                }
                return Ok(true);
            }
        }
        Ok(self.mismatch(|| Why::Find(Value::array(items.clone()))))
    }

    /// The value of a key in a Hash by its methods: `key?`, then `delete` where the rest counts, else `[]`.
    fn ask_for_key(&mut self, hash: &Value, key: Symbol, takes: bool) -> Res<Option<Value>> {
        let key = [Value::Sym(key)];
        if !self.call_name(hash, "key?", &key)?.truthy() {
            return Ok(None);
        }
        self.call_name(hash, if takes { "delete" } else { "[]" }, &key).map(Some)
    }
    fn match_hash(&mut self, pattern: &HashPattern, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        if !self.constant_matches(pattern.constant.as_ref(), value, cx)? {
            return Ok(false);
        }
        let hash = match value {
            Value::Hash(gc) if gc.class() == ClassId::HASH && cx.cref.refinements.borrow().is_empty() => gc.clone(),
            _ => {
                if !self.answers_to(value, sym::DECONSTRUCT_KEYS, cx)? {
                    return Ok(self.mismatch(|| Why::NoAnswer(value.clone(), "deconstruct_keys")));
                }
                // all keys are asked for where the rest counts, and by `{}`
                let keys = match pattern.rest {
                    HashPatternRest::None if pattern.pairs.is_empty() => Value::Nil,
                    HashPatternRest::None | HashPatternRest::Anonymous => {
                        Value::array(pattern.pairs.iter().map(|(key, _)| Value::Sym(*key)).collect())
                    }
                    HashPatternRest::Nil | HashPatternRest::Bind(_) => Value::Nil,
                };
                match self.call_with_refinements(value, sym::DECONSTRUCT_KEYS, &[keys], cx)? {
                    Value::Hash(gc) => gc,
                    _ => return Err(self.type_error("deconstruct_keys must return Hash")),
                }
            }
        };
        // a Hash of another class is asked, as its methods may find keys under other names
        let plain = hash.class() == ClassId::HASH;
        let keeps_rest = matches!(pattern.rest, HashPatternRest::Nil | HashPatternRest::Bind(_));
        let hash = match !plain && keeps_rest {
            true => match self.call_name(&Value::Hash(hash), "dup", &[])? {
                Value::Hash(copy) => copy,
                _ => return Err(self.type_error("deconstruct_keys must return Hash")),
            },
            false => hash,
        };
        for (key, pattern) in &pattern.pairs {
            let found = match plain {
                true => self.hash_get_sym(&hash, *key),
                false => self.ask_for_key(&Value::Hash(hash.clone()), *key, keeps_rest)?,
            };
            let Some(found) = found else {
                return Ok(self.mismatch(|| Why::Key(Value::Hash(hash.clone()), *key)));
            };
            if !self.match_pattern(pattern, &found, cx)? {
                return Ok(false);
            }
        }
        if !plain && let HashPatternRest::Bind(at) = pattern.rest {
            self.bind(at, Value::Hash(hash), cx);
            return Ok(true);
        }
        let others = || {
            hash.get(self)
                .entries()
                .filter(
                    |entry| !matches!(&entry.key, Value::Sym(name) if pattern.pairs.iter().any(|(key, _)| key == name)),
                )
                .cloned()
                .collect::<Vec<_>>()
        };
        match pattern.rest {
            // `in {}` only matches an empty Hash
            HashPatternRest::None => Ok(!pattern.pairs.is_empty()
                || hash.get(self).is_empty()
                || self.mismatch(|| Why::NotEmpty(Value::Hash(hash.clone())))),
            HashPatternRest::Anonymous => Ok(true),
            HashPatternRest::Nil => {
                let mut rest = RHash::default();
                for entry in others() {
                    rest.push(entry.hash, entry.key, entry.value);
                }
                Ok(rest.is_empty() || self.mismatch(|| Why::Rest(Value::hash(rest))))
            }
            HashPatternRest::Bind(at) => {
                let mut rest = RHash::default();
                for entry in others() {
                    rest.push(entry.hash, entry.key, entry.value);
                }
                self.bind(at, Value::Hash(Gc::new(ClassId::HASH, rest)), cx);
                Ok(true)
            }
        }
    }
}

/// Subjects of running `case … in` with the results of `deconstruct`, which is called once.
#[derive(Default)]
struct Deconstructed(Vec<(Value, Option<Vec<Value>>)>);

/// Why the last pattern did not match, for the error message.
#[derive(Default)]
struct Mismatch(Option<Why>);

enum Why {
    Guard,
    Value(Value, Value),
    Length(Value, usize, usize, bool),
    NoAnswer(Value, &'static str),
    NotEmpty(Value),
    Rest(Value),
    Find(Value),
    Key(Value, Symbol),
}
