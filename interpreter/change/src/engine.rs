//! Steps that the Ruby engine carries out, listed as data like any other change.

use crate::{Description, Why};

/// A step of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineStep {
    /// The block of a `ruby_block`; one that is safe in a why-run runs there too.
    RubyBlock {
        name: String,
        /// It runs in a why-run.
        safe: bool,
    },
    /// A line for the log, in a why-run too.
    Log {
        /// `"info"`, `"warn"`.
        level: String,
        message: String,
        /// It counts as an update.
        counts: bool,
    },
    /// A request to a server.
    Request {
        /// `"GET"`, `"POST"`.
        method: String,
        /// What is done, as it is shown.
        words: String,
    },
    /// A gem for Ruby code of recipes.
    Gem {
        /// `"install"` or `"uninstall"`.
        verb: String,
        name: String,
        /// What is done, as it is shown.
        words: String,
    },
    /// Nothing but the update, so that notifications go out.
    Notify,
    /// What one resource alone does in the engine, with the line that Chef prints.
    Own {
        /// Its word in descriptions.
        kind: &'static str,
        /// What it is about.
        subject: String,
        text: String,
        /// It ends or stops the run, or reaches out of it: a plan only speaks of it.
        is_outside: bool,
    },
    /// A handler is put on the lists of the run's end, or taken off them, in a why-run too. It is not an update.
    Handler {
        /// Class of the handler.
        class: String,
        /// `"report"`, `"exception"`, `"start"`.
        lists: Vec<String>,
        /// On, not off.
        enable: bool,
    },
}

impl EngineStep {
    /// Its word in descriptions.
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
    /// Whether a why-run carries it out.
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
