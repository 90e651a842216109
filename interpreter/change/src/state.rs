//! What a provider found, as values that reports and `current_resource` show.

use serde_json::Value;

/// The value of a property as it is on the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// There is none.
    Nil,
    /// Yes or no.
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<String>),
}

impl State {
    /// Text, or nothing.
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
