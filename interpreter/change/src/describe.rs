//! The common form of all changes: subject, old and new values, and reason.

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Type of the change: `"write_file"`, `"packages"`.
    pub kind: &'static str,
    /// The subject: a path, a name, a command.
    pub subject: String,
    pub aspects: Vec<Aspect>,
    pub why: Why,
}

/// One changed property of the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aspect {
    /// `"content"`, `"mode"`, `"version"`.
    pub name: String,
    /// The current value; None if there is none.
    pub from: Option<String>,
    /// The wanted value; None if nothing is to remain.
    pub to: Option<String>,
}

/// The reason of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The wanted object does not exist.
    Absent,
    /// The unwanted object exists.
    Present,
    /// The object exists with other properties.
    Differs,
    /// The action always acts.
    Asked,
}

impl Why {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Why::Absent => "absent",
            Why::Present => "present",
            Why::Differs => "differs",
            Why::Asked => "asked",
        }
    }
}

impl Description {
    pub fn new(kind: &'static str, subject: impl Into<String>, why: Why) -> Description {
        Description { kind, subject: subject.into(), aspects: Vec::new(), why }
    }
    /// Adds an aspect.
    pub fn with(mut self, name: impl Into<String>, from: Option<String>, to: Option<String>) -> Description {
        self.aspects.push(Aspect { name: name.into(), from, to });
        self
    }
    pub fn to_json(&self) -> Value {
        let aspects: Vec<Value> = self
            .aspects
            .iter()
            .map(|aspect| json!({ "name": aspect.name, "from": aspect.from, "to": aspect.to }))
            .collect();
        json!({ "change": self.kind, "subject": self.subject, "why": self.why.as_str(), "aspects": aspects })
    }
}
