//! Notifications between resources: their timing, which of them are equal, and cycles.
//!
//! - [`graph`]: the notifications of a run context: declared, waiting and sent;
//! - [`chain`]: the immediate notifications being sent, and cycles among them;
//! - [`ledger`]: the notifications that a run owes, written to disk for the next run.
//!
//! This module does not depend on resources: senders are keys, and notifications are compared by [`Notice`].

pub mod chain;
pub mod graph;
pub mod ledger;

pub use chain::Chain;
pub use graph::{Graph, Late, Queued};

/// When a notified action runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Timing {
    /// Before the sender, if the sender would change something.
    Before,
    /// Right after the sender.
    Immediate,
    /// At the end of the run.
    Delayed,
}

impl Timing {
    /// All timings, in the order in which the notifications of a sender are processed.
    pub const ALL: [Timing; 3] = [Timing::Before, Timing::Immediate, Timing::Delayed];

    /// The timing with this name in a recipe.
    pub fn parse(text: &str) -> Option<Timing> {
        match text {
            "before" => Some(Timing::Before),
            "immediate" | "immediately" => Some(Timing::Immediate),
            "delayed" => Some(Timing::Delayed),
            _ => None,
        }
    }

    /// The name in Chef's dumps and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Timing::Before => "before",
            Timing::Immediate => "immediately",
            Timing::Delayed => "delayed",
        }
    }

    /// The name in Chef's log.
    pub fn in_log(self) -> &'static str {
        if self == Timing::Immediate { "immediate" } else { self.as_str() }
    }
}

/// What the rules need to know about a notification.
pub trait Notice {
    fn timing(&self) -> Timing;
    /// Whether the other notification has the same target and action.
    fn has_target_of(&self, other: &Self) -> bool;
    /// Whether the other notification has the same sender.
    fn has_sender_of(&self, other: &Self) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_timings() {
        for (text, expected) in [
            ("before", Some(Timing::Before)),
            ("immediate", Some(Timing::Immediate)),
            ("immediately", Some(Timing::Immediate)),
            ("delayed", Some(Timing::Delayed)),
            ("later", None),
        ] {
            assert_eq!(Timing::parse(text), expected, "{text}");
        }
        for timing in Timing::ALL {
            assert_eq!(Timing::parse(timing.as_str()), Some(timing));
            assert_eq!(Timing::parse(timing.in_log()), Some(timing));
        }
    }
}
