//! Pattern matching: `case … in`, `=>`, `in`.

use crate::Vm;
use crate::class::ClassId;
use crate::error::{ExceptionData, Res, Unwind};
use crate::frame::Cx;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{ArrayPattern, CaseIn, FindPattern, HashPattern, HashPatternRest, InlineCache, LocalRef, Node, Pattern};

impl Vm {
    pub(super) fn eval_case_in(&mut self, case: &CaseIn, cx: &Cx<'_>) -> Res {
        let subject = self.eval(&case.subject, cx)?;
        for clause in &case.clauses {
            if !self.match_pattern(&clause.pattern, &subject, cx)? {
                continue;
            }
            if let Some(guard) = &clause.guard
                && !self.eval(guard, cx)?.truthy()
            {
                continue;
            }
            return self.eval(&clause.body, cx);
        }
        match &case.otherwise {
            Some(node) => self.eval(node, cx),
            None => {
                cx.line.set(case.line);
                let shown = self.inspect(&subject)?;
                Err(self.error(ClassId::NO_MATCHING_PATTERN_ERROR, shown))
            }
        }
    }

    pub(super) fn eval_match_required(&mut self, value: &Node, pattern: &Pattern, line: u32, cx: &Cx<'_>) -> Res {
        let value = self.eval(value, cx)?;
        if self.match_pattern(pattern, &value, cx)? {
            return Ok(Value::Nil);
        }
        cx.line.set(line);
        let shown = self.inspect(&value)?;
        if let (Pattern::Hash(pattern), Value::Hash(hash)) = (pattern, &value)
            && let Some((key, _)) = pattern.pairs.iter().find(|(key, _)| self.hash_get_sym(hash, *key).is_none())
        {
            let data = ExceptionData {
                message: Value::str(format!("{shown}: key not found: :{key}")),
                receiver: value.clone(),
                detail: Value::Sym(*key),
                ..crate::error::empty()
            };
            return Err(Unwind::Raise(self.new_exception_with(ClassId::NO_MATCHING_PATTERN_KEY_ERROR, data)).into());
        }
        Err(self.error(ClassId::NO_MATCHING_PATTERN_ERROR, shown))
    }

    fn bind(&mut self, at: LocalRef, value: Value, cx: &Cx<'_>) {
        if at.depth == 0 { self.set_local(cx, at.slot, value) } else { self.set_local_up(cx, at, value) }
    }

    fn pattern_eq(&mut self, pattern: &Value, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        self.case_eq(pattern, value, &InlineCache::default(), cx)
    }

    /// Whether a value matches; names are bound as the match goes.
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

    fn deconstruct(&mut self, value: &Value) -> Res<Option<Vec<Value>>> {
        if let Value::Array(gc) = value
            && gc.class() == ClassId::ARRAY
        {
            return Ok(Some(gc.get(self).items.clone()));
        }
        match self.try_convert(value, sym::DECONSTRUCT)? {
            Some(Value::Array(gc)) => Ok(Some(gc.get(self).items.clone())),
            Some(_) => Err(self.type_error("deconstruct must return Array")),
            None => Ok(None),
        }
    }

    fn match_array(&mut self, pattern: &ArrayPattern, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        if !self.constant_matches(pattern.constant.as_ref(), value, cx)? {
            return Ok(false);
        }
        let Some(items) = self.deconstruct(value)? else { return Ok(false) };
        let least = pattern.pre.len() + pattern.post.len();
        if items.len() < least || (pattern.rest.is_none() && items.len() > least) {
            return Ok(false);
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
        let Some(items) = self.deconstruct(value)? else { return Ok(false) };
        let width = pattern.middle.len();
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
        Ok(false)
    }

    fn match_hash(&mut self, pattern: &HashPattern, value: &Value, cx: &Cx<'_>) -> Res<bool> {
        if !self.constant_matches(pattern.constant.as_ref(), value, cx)? {
            return Ok(false);
        }
        let hash = match value {
            Value::Hash(gc) if gc.class() == ClassId::HASH => gc.clone(),
            _ => {
                if !self.respond_to(value, sym::DECONSTRUCT_KEYS, true)? {
                    return Ok(false);
                }
                let keys = match pattern.rest {
                    HashPatternRest::None | HashPatternRest::Nil if !matches!(pattern.rest, HashPatternRest::Nil) => {
                        Value::array(pattern.pairs.iter().map(|(key, _)| Value::Sym(*key)).collect())
                    }
                    _ => Value::Nil,
                };
                match self.call(value, sym::DECONSTRUCT_KEYS, &[keys])? {
                    Value::Hash(gc) => gc,
                    _ => return Err(self.type_error("deconstruct_keys must return Hash")),
                }
            }
        };
        for (key, pattern) in &pattern.pairs {
            let Some(found) = self.hash_get_sym(&hash, *key) else { return Ok(false) };
            if !self.match_pattern(pattern, &found, cx)? {
                return Ok(false);
            }
        }
        let others = || {
            hash.get(self).entries().filter(|entry| !matches!(&entry.key, Value::Sym(name) if pattern.pairs.iter().any(|(key, _)| key == name))).cloned().collect::<Vec<_>>()
        };
        match pattern.rest {
            // `in {}` matches only an empty hash
            HashPatternRest::None => Ok(!pattern.pairs.is_empty() || hash.get(self).is_empty()),
            HashPatternRest::Anonymous => Ok(true),
            HashPatternRest::Nil => Ok(others().is_empty()),
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
