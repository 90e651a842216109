//! Notifications between resources: when they are sent, which of them are the same, and what is wrong with a chain of them.
//!
//! - [`graph`]: what the resources of a run context send, what waits, and what has been sent;
//! - [`chain`]: the immediate notifications that are under way, and the circle that they may make;
//! - [`ledger`]: what a run owes, written down so that the next run knows of it.
//!
//! Nothing here knows a resource: senders are keys, and what a notification refers to is compared by its own [`Notice`].

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
    /// All, in the order in which a sender's are considered.
    pub const ALL: [Timing; 3] = [Timing::Before, Timing::Immediate, Timing::Delayed];

    /// As recipes name it.
    pub fn parse(text: &str) -> Option<Timing> {
        match text {
            "before" => Some(Timing::Before),
            "immediate" | "immediately" => Some(Timing::Immediate),
            "delayed" => Some(Timing::Delayed),
            _ => None,
        }
    }

    /// As Chef's dumps and messages name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Timing::Before => "before",
            Timing::Immediate => "immediately",
            Timing::Delayed => "delayed",
        }
    }

    /// As Chef's log names it.
    pub fn in_log(self) -> &'static str {
        if self == Timing::Immediate { "immediate" } else { self.as_str() }
    }
}

/// What the rules ask of a notification.
pub trait Notice {
    /// When it is sent.
    fn timing(&self) -> Timing;
    /// Whether another one asks the same target for the same action.
    fn has_target_of(&self, other: &Self) -> bool;
    /// Whether another one has the same sender.
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
