//! The state of a shell: variables, functions, parameters and options, as far as they are known.

use crate::brought::sh::Node;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Unset,
    NotKnown,
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::NotKnown, Self::Text)
    }
}

/// The positional parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parameters {
    /// The first ones; None for unknown values.
    pub(super) first: Vec<Option<String>>,
    /// There may be more of them.
    pub(super) more: bool,
}

impl Parameters {
    /// All parameters, if they are known.
    pub(super) fn all(&self) -> Option<Vec<String>> {
        self.first.iter().cloned().collect::<Option<Vec<String>>>().filter(|_| !self.more)
    }

    /// A parameter by its number, from 1.
    pub(super) fn get(&self, number: usize) -> Value {
        match self.first.get(number - 1) {
            Some(found) => found.clone().into(),
            None if self.more => Value::NotKnown,
            None => Value::Unset,
        }
    }

    /// Removes the first ones; false if there are fewer.
    pub(super) fn shift(&mut self, count: usize) -> bool {
        let there = count <= self.first.len();
        self.first.drain(..count.min(self.first.len()));
        there || self.more
    }

    fn blur(&mut self, before: &Self) {
        if self.first.len() != before.first.len() {
            self.more = true;
            let both = self.first.len().min(before.first.len());
            self.first.truncate(both);
        }
        self.more |= before.more;
        for (now, then) in self.first.iter_mut().zip(&before.first) {
            if now != then {
                *now = None;
            }
        }
    }
}

#[derive(Clone)]
pub(super) struct State {
    /// Variables that are missing here come from the environment and are unknown.
    variables: BTreeMap<String, Value>,
    /// Functions; None for an unknown body.
    functions: BTreeMap<String, Option<Rc<Node>>>,
    pub(super) parameters: Parameters,
    /// Names of readonly variables.
    pub(super) kept: BTreeSet<String>,
    /// Open descriptors apart from the three standard ones.
    pub(super) descriptors: BTreeSet<String>,
    /// `set -e`; None if unknown.
    pub(super) ends_on_failure: Option<bool>,
    /// `set -u`.
    pub(super) needs_values: bool,
}

impl State {
    pub(super) fn new(variables: &[(&str, &str)], parameters: &[&str]) -> Self {
        let text = |value: &str| Value::Text(value.to_string());
        Self {
            variables: variables.iter().map(|(name, value)| ((*name).to_string(), text(value))).collect(),
            functions: BTreeMap::new(),
            parameters: Parameters {
                first: parameters.iter().map(|word| Some((*word).to_string())).collect(),
                more: false,
            },
            kept: BTreeSet::new(),
            descriptors: BTreeSet::new(),
            ends_on_failure: Some(false),
            needs_values: false,
        }
    }

    pub(super) fn variable(&self, name: &str) -> Value {
        self.variables.get(name).cloned().unwrap_or(Value::NotKnown)
    }

    /// Whether the script has set a variable, even to an unknown value.
    pub(super) fn has_set(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.variables.insert(name.into(), value);
    }

    /// A function with its body, if known.
    pub(super) fn function(&self, name: &str) -> Option<Option<Rc<Node>>> {
        self.functions.get(name).cloned()
    }

    pub(super) fn define(&mut self, name: &str, body: Option<Rc<Node>>) {
        self.functions.insert(name.into(), body);
    }

    pub(super) fn undefine(&mut self, name: &str) {
        self.functions.remove(name);
    }

    /// Makes the whole state unknown.
    pub(super) fn forget(&mut self) {
        self.variables.clear();
        self.functions.values_mut().for_each(|body| *body = None);
        self.parameters = Parameters { first: Vec::new(), more: true };
        self.descriptors.clear();
        self.ends_on_failure = None;
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        let same = |one: &Option<Rc<Node>>, other: &Option<Rc<Node>>| match (one, other) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        self.variables == other.variables
            && self.parameters == other.parameters
            && self.kept == other.kept
            && self.descriptors == other.descriptors
            && self.ends_on_failure == other.ends_on_failure
            && self.needs_values == other.needs_values
            && self.functions.len() == other.functions.len()
            && self.functions.iter().all(|(name, body)| other.functions.get(name).is_some_and(|it| same(body, it)))
    }

    /// Makes everything unknown that differs from an earlier state, because either may apply.
    pub(super) fn blur(&mut self, before: &Self) {
        let names: BTreeSet<String> = self.variables.keys().chain(before.variables.keys()).cloned().collect();
        for name in names {
            if self.variable(&name) != before.variable(&name) {
                self.set(&name, Value::NotKnown);
            }
        }
        let names: BTreeSet<String> = self.functions.keys().chain(before.functions.keys()).cloned().collect();
        for name in names {
            let same = match (self.function(&name), before.function(&name)) {
                (Some(Some(one)), Some(Some(other))) => Rc::ptr_eq(&one, &other),
                _ => false,
            };
            if !same {
                self.define(&name, None);
            }
        }
        self.parameters.blur(&before.parameters);
        self.kept.extend(before.kept.iter().cloned());
        self.descriptors.retain(|descriptor| before.descriptors.contains(descriptor));
        if self.ends_on_failure != before.ends_on_failure {
            self.ends_on_failure = None;
        }
        self.needs_values |= before.needs_values;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_not_known() {
        let before = State::new(&[("A", "a"), ("B", "b")], &["x", "y"]);
        let mut after = before.clone();
        after.set("B", Value::Text("c".into()));
        after.set("C", Value::Text("c".into()));
        assert!(after.parameters.shift(1) && !after.is(&before));
        after.blur(&before);
        assert_eq!(after.variable("A"), Value::Text("a".into()));
        assert_eq!((after.variable("B"), after.variable("C")), (Value::NotKnown, Value::NotKnown));
        assert_eq!((after.parameters.get(1), after.parameters.get(2)), (Value::NotKnown, Value::NotKnown));
        assert_eq!(before.parameters.get(3), Value::Unset);
        assert!(!before.clone().parameters.shift(3));
        let mut none = before.clone();
        none.forget();
        assert_eq!((none.variable("A"), none.parameters.get(1)), (Value::NotKnown, Value::NotKnown));
        assert!(before.is(&before.clone()));
    }
}
