//! The common form of all changes: what, from what, to what, why.

use serde_json::{Value, json};

/// A change in its common form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Kind of the change: `"write_file"`, `"packages"`.
    pub kind: &'static str,
    /// What it is about: a path, a name, a command.
    pub subject: String,
    /// What is to be different.
    pub aspects: Vec<Aspect>,
    /// Why it is to be made.
    pub why: Why,
}

/// One thing that is to be different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aspect {
    /// `"content"`, `"mode"`, `"version"`.
    pub name: String,
    /// What is there; absent where nothing is.
    pub from: Option<String>,
    /// What is wanted; absent where nothing is to remain.
    pub to: Option<String>,
}

/// Why a change is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// What is wanted is not there.
    Absent,
    /// What is not wanted is there.
    Present,
    /// It is there, but otherwise.
    Differs,
    /// The action acts each time.
    Asked,
}

impl Why {
    /// Its word in JSON.
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
    /// With one more aspect.
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
