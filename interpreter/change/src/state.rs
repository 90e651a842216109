//! The current state that a provider found, as values for reports and `current_resource`.

use serde_json::Value;

/// The current value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Nil,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<String>),
}

impl State {
    /// A text, or Nil for None.
    pub fn text(text: Option<String>) -> State {
        text.map_or(State::Nil, State::Text)
    }
    pub fn to_json(&self) -> Value {
        match self {
            State::Nil => Value::Null,
            State::Bool(flag) => (*flag).into(),
            State::Int(number) => (*number).into(),
            State::Text(text) => text.clone().into(),
            State::List(texts) => texts.clone().into(),
        }
    }
}
