//! Assertions of a provider about the machine before a change (Chef's resource requirements).

/// A failed assertion.
///
/// A run raises it. A why-run prints it, and continues if [`Assertion::assumptions`] say how an earlier resource of the run may have made it true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The full name of the Ruby exception class.
    pub class: &'static str,
    /// The message; if empty, a run ignores the assertion.
    pub message: String,
    /// What a why-run assumes instead; if empty, it fails, too.
    pub assumptions: Vec<String>,
    /// If the why-run continues, it skips the action (Chef's `block_action!`).
    pub blocks: bool,
}

impl Assertion {
    /// An assertion that fails in a why-run, too.
    pub fn new(class: &'static str, message: impl Into<String>) -> Assertion {
        Assertion { class, message: message.into(), assumptions: Vec::new(), blocks: false }
    }
    /// An assertion that only a why-run reports.
    pub fn advice() -> Assertion {
        Assertion::new("", "")
    }
    /// Lets a why-run continue and print this text.
    pub fn assuming(mut self, text: impl Into<String>) -> Assertion {
        self.assumptions.push(text.into());
        self
    }
    /// Lets a why-run that continues skip the action.
    pub fn blocking(mut self) -> Assertion {
        self.blocks = true;
        self
    }
}
