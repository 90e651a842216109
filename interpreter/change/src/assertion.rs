//! What a provider asserts about a machine before it changes it (Chef's resource requirements).

/// An assertion that does not hold. One that holds leaves nothing to say, so none is made.
///
/// A run raises it. A why-run prints it and goes on where [`Assertion::assumptions`] say why an earlier resource of the
/// run may have made it true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The full name of the Ruby class that is raised.
    pub class: &'static str,
    /// The message; empty: a run says nothing and goes on.
    pub message: String,
    /// What a why-run assumes instead; empty: it fails too.
    pub assumptions: Vec<String>,
    /// In a why-run that goes on, the action is left out (Chef's `block_action!`).
    pub blocks: bool,
}

impl Assertion {
    /// One that fails in a why-run too.
    pub fn new(class: &'static str, message: impl Into<String>) -> Assertion {
        Assertion { class, message: message.into(), assumptions: Vec::new(), blocks: false }
    }
    /// One that only a why-run speaks of.
    pub fn advice() -> Assertion {
        Assertion::new("", "")
    }
    /// A why-run goes on and prints this.
    pub fn assuming(mut self, text: impl Into<String>) -> Assertion {
        self.assumptions.push(text.into());
        self
    }
    /// A why-run that goes on leaves the action out.
    pub fn blocking(mut self) -> Assertion {
        self.blocks = true;
        self
    }
}
