//! Steps that only the Ruby engine can execute, as data like other changes.

use crate::{Description, Why};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineStep {
    /// The block of a `ruby_block`.
    RubyBlock {
        name: String,
        /// Whether it runs in a why-run, too.
        safe: bool,
    },
    /// A log message, in a why-run, too.
    Log {
        /// `"info"`, `"warn"`.
        level: String,
        message: String,
        /// Whether it counts as an update.
        counts: bool,
    },
    /// A request to a server.
    Request {
        /// `"GET"`, `"POST"`.
        method: String,
        /// The description to show.
        words: String,
    },
    /// A gem for the Ruby code of recipes.
    Gem {
        /// `"install"` or `"uninstall"`.
        verb: String,
        name: String,
        /// The description to show.
        words: String,
    },
    /// Only marks the resource as updated, so that notifications are sent.
    Notify,
    /// A step of a single resource type, with the line that Chef prints.
    Own {
        /// The type in descriptions.
        kind: &'static str,
        subject: String,
        text: String,
        /// It ends or pauses the run, or has effects outside of the machine: a plan only reports it.
        is_outside: bool,
    },
    /// Adds a handler to the lists that run at the end of the run, or removes it, in a why-run, too. It does not count as an update.
    Handler {
        /// The handler's class.
        class: String,
        /// `"report"`, `"exception"`, `"start"`.
        lists: Vec<String>,
        /// Add rather than remove.
        enable: bool,
    },
}

impl EngineStep {
    /// The type in descriptions.
    pub fn kind(&self) -> &'static str {
        match self {
            EngineStep::RubyBlock { .. } => "ruby_block",
            EngineStep::Log { .. } => "log",
            EngineStep::Request { .. } => "request",
            EngineStep::Gem { .. } => "gem",
            EngineStep::Notify => "notify",
            EngineStep::Own { kind, .. } => kind,
            EngineStep::Handler { .. } => "handler",
        }
    }
    /// Whether a why-run executes it.
    pub fn runs_in_why_run(&self) -> bool {
        match self {
            EngineStep::RubyBlock { safe, .. } => *safe,
            EngineStep::Log { .. } | EngineStep::Handler { .. } => true,
            EngineStep::Request { .. } | EngineStep::Gem { .. } | EngineStep::Notify | EngineStep::Own { .. } => false,
        }
    }
    /// Whether the resource counts as updated.
    pub fn is_update(&self) -> bool {
        match self {
            EngineStep::RubyBlock { .. }
            | EngineStep::Request { .. }
            | EngineStep::Gem { .. }
            | EngineStep::Notify
            | EngineStep::Own { .. } => true,
            EngineStep::Log { counts, .. } => *counts,
            EngineStep::Handler { .. } => false,
        }
    }
    pub(crate) fn describe(&self) -> Description {
        match self {
            EngineStep::RubyBlock { name, .. } => Description::new("ruby_block", name, Why::Asked),
            EngineStep::Log { level, message, .. } => {
                Description::new("log", message, Why::Asked).with("level", None, Some(level.clone()))
            }
            EngineStep::Request { method, words } => {
                Description::new("request", words, Why::Asked).with("method", None, Some(method.clone()))
            }
            EngineStep::Gem { verb, name, .. } => {
                let why = if verb == "install" { Why::Absent } else { Why::Present };
                Description::new("gem", name, why).with("action", None, Some(verb.clone()))
            }
            EngineStep::Notify => Description::new("notify", "", Why::Asked),
            EngineStep::Own { kind, subject, .. } => Description::new(kind, subject, Why::Asked),
            EngineStep::Handler { class, lists, enable } => {
                let lists = Some(lists.join(", "));
                let (from, to) = if *enable { (None, lists) } else { (lists, None) };
                Description::new("handler", class, Why::Asked).with("lists", from, to)
            }
        }
    }
}
