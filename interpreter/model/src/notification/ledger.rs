//! The ledger of a run: notifications of changes that were made or are about to be made, until the notified actions have run.
//!
//! It has JSON lines: `{"owed": …}`, `{"sent": …}` and `{"withdrawn": …}`, each with an [`Owed`].

use super::Timing;
use serde_json::{Value, json};

/// A notification that is still to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owed {
    pub from: String,
    /// The target, in a form that can be looked up.
    pub to: String,
    pub action: String,
    /// `immediately` or `delayed`.
    pub timing: String,
    /// The resources whose actions contain the target, outermost first; empty if the target is in a recipe.
    pub within: Vec<String>,
}

impl Owed {
    /// The form in the ledger.
    pub fn to_json(&self) -> Value {
        json!({"from": self.from, "to": self.to, "action": self.action, "timing": self.timing, "within": self.within})
    }

    /// Parses an entry of the ledger.
    pub fn from_json(json: &Value) -> Option<Owed> {
        let text = |key: &str| json.get(key)?.as_str().map(str::to_string);
        let within = json.get("within")?.as_array()?.iter().filter_map(|name| name.as_str().map(str::to_string));
        let within = within.collect();
        Some(Owed { from: text("from")?, to: text("to")?, action: text("action")?, timing: text("timing")?, within })
    }

    /// Whether running the other notification's action satisfies this one: a delayed action runs once for all its senders.
    pub fn is_met_by(&self, other: &Owed) -> bool {
        let same = self.to == other.to && self.action == other.action && self.within == other.within;
        same && self.timing == other.timing && (self.timing == Timing::Delayed.as_str() || self.from == other.from)
    }

    /// The form in messages.
    pub fn shown(&self) -> String {
        let within = if self.within.is_empty() { String::new() } else { format!(" in {}", self.within.join(" > ")) };
        format!("{} -> :{} {}{within} ({})", self.from, self.action, self.to, self.timing)
    }
}

/// The kind of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A change will notify.
    Owed,
    /// The notified action has run.
    Sent,
    /// The change was not made.
    Withdrawn,
}

impl Kind {
    /// The key of the line.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Owed => "owed",
            Kind::Sent => "sent",
            Kind::Withdrawn => "withdrawn",
        }
    }

    /// A line of the ledger, with its newline.
    pub fn line(self, owed: &Owed) -> String {
        let mut map = serde_json::Map::new();
        map.insert(self.as_str().to_string(), owed.to_json());
        format!("{}\n", Value::Object(map))
    }
}

/// The notifications that are still owed at the end of a ledger. An incomplete last line, left by a killed run, is ignored.
pub fn read(text: &str) -> Vec<Owed> {
    let mut left: Vec<Owed> = Vec::new();
    for line in text.lines() {
        let Ok(json) = serde_json::from_str::<Value>(line) else { continue };
        let of = |kind: Kind| json.get(kind.as_str()).and_then(Owed::from_json);
        if let Some(owed) = of(Kind::Owed) {
            left.retain(|known| *known != owed);
            left.push(owed);
        } else if let Some(sent) = of(Kind::Sent) {
            left.retain(|known| !known.is_met_by(&sent));
        } else if let Some(withdrawn) = of(Kind::Withdrawn) {
            left.retain(|known| *known != withdrawn);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owed(from: &str, timing: &str) -> Owed {
        Owed {
            from: from.into(),
            to: "service[web]".into(),
            action: "restart".into(),
            timing: timing.into(),
            within: Vec::new(),
        }
    }

    #[test]
    fn a_delayed_action_meets_all_who_ask_for_it() {
        let (a, b) = (owed("file[a]", "delayed"), owed("file[b]", "delayed"));
        assert!(a.is_met_by(&b));
        assert!(!owed("file[a]", "immediately").is_met_by(&owed("file[b]", "immediately")));
        assert!(!a.is_met_by(&owed("file[a]", "immediately")));
    }

    #[test]
    fn lines_are_read_in_order() {
        let (a, b, c) = (owed("file[a]", "immediately"), owed("file[b]", "immediately"), owed("file[c]", "delayed"));
        let text = [Kind::Owed.line(&a), Kind::Owed.line(&b), Kind::Owed.line(&c)].concat();
        assert_eq!(read(&text), [a.clone(), b.clone(), c.clone()]);
        let text = format!("{text}{}{}{{\"sent\": {{", Kind::Sent.line(&b), Kind::Withdrawn.line(&c));
        assert_eq!(read(&text), [a]);
    }
}
