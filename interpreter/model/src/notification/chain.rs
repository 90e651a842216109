//! The chain of immediate notifications that are being sent, each by a resource that the previous one notified.

use std::fmt;

/// The notifications being sent, outermost first. `S` is a sender, a target and an action.
#[derive(Clone, Debug)]
pub struct Chain<S>(Vec<S>);

impl<S> Default for Chain<S> {
    fn default() -> Self {
        Chain(Vec::new())
    }
}

impl<S: PartialEq + Clone> Chain<S> {
    /// Begins to send a notification.
    ///
    /// # Errors
    /// The notification is already being sent: the cycle, beginning with it. Since every resource in it was updated each time, the cycle would never
    /// end.
    pub fn enter(&mut self, step: S) -> Result<(), Vec<S>> {
        if let Some(at) = self.0.iter().position(|known| *known == step) {
            return Err(self.0.get(at..).unwrap_or_default().to_vec());
        }
        self.0.push(step);
        Ok(())
    }

    /// Ends the innermost notification.
    pub fn leave(&mut self) {
        self.0.pop();
    }

    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.0.iter()
    }
}

/// A cycle of notifications. Displays as the error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The first sender.
    pub from: String,
    /// Actions and targets in order; the last target is the first sender.
    pub steps: Vec<(String, String)>,
}

impl fmt::Display for Circle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Notifications go round in a circle, and every round changes something: {}", self.from)?;
        for (action, to) in &self.steps {
            write!(out, " -> :{action} {to}")?;
        }
        write!(out, ". Send one of them :delayed, or give one of the resources a guard.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_begins_at_the_repeated_step() {
        let mut chain = Chain::default();
        for step in ["a to b", "b to c", "c to b"] {
            assert_eq!(chain.enter(step), Ok(()));
        }
        assert_eq!(chain.enter("b to c"), Err(vec!["b to c", "c to b"]));
        chain.leave();
        chain.leave();
        assert_eq!(chain.enter("b to c"), Ok(()));
        assert_eq!(chain.iter().count(), 2);
    }

    #[test]
    fn the_message_names_the_chain() {
        let steps = vec![("run".to_string(), "execute[b]".to_string()), ("run".to_string(), "execute[a]".to_string())];
        let text = Circle { from: "execute[a]".into(), steps }.to_string();
        assert!(text.contains("execute[a] -> :run execute[b] -> :run execute[a]."), "{text}");
    }
}
