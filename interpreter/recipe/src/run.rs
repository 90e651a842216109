//! What a compile needs: the node, the repository, findings. Kept in the machine; reach it with [`run_mut`].
//!
//! Below it lie what the process needs whatever it runs ([`crate::process`]) and what a converge needs ([`crate::converge`]); parts
//! of the state that are a higher module's own (event sinks, the policy, the registry of DSL names) are kept there.

pub use crate::converge::{ActionMode, Executed, Expansion, converge_mut};
pub use crate::process::{
    Classes, Subject, about, chef_error, class, evaluate, not_json, process_mut, raised, subject,
};
use rchef_model::code::Code;
use rchef_ruby::{Value, Vm};

/// A finding about the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lint {
    /// File, as Ruby sees it.
    pub file: String,
    pub line: u32,
    pub code: Code,
    /// What was found, and what to do.
    pub text: String,
}

/// Something that a Chef server answers, and that files of the repository answer here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// `search`, `data_bag`, `data_bag_item`.
    pub kind: &'static str,
    /// Index and query, bag, bag and item.
    pub subject: String,
    /// How many objects the answer has.
    pub found: usize,
    /// File, as Ruby sees it.
    pub file: String,
    pub line: u32,
    /// The calls that led there, innermost first.
    pub callers: Vec<(String, u32)>,
}

/// State of a compile.
#[derive(Default)]
pub struct Run {
    pub repo: String,
    pub node: Value,
    /// The root run context.
    pub root: Value,
    /// Recipes of the run list are evaluated.
    pub compiling: bool,
    /// The node's facts are this machine's own.
    pub live_facts: bool,
    /// Findings, in order of discovery.
    pub lints: Vec<Lint>,
    /// What was asked of a server, once a place.
    pub asked: Vec<Asked>,
    /// Answers to searches that somebody gave in place of the objects: index, query, what is found.
    pub answers: Vec<(String, String, Vec<serde_json::Value>)>,
    /// `def`initions of the classic kind: name, defaults, block.
    pub definitions: Vec<(rchef_ruby::Symbol, Value, Value)>,
    /// Prefixes of paths that are shortened to `cookbook/…` in dumps: (absolute cookbook directory, cookbook name).
    pub cookbook_roots: Vec<(String, String)>,
}

/// The state of the compile.
pub fn run_mut(vm: &mut Vm) -> &mut Run {
    vm.extension::<Run>()
}

/// Records what is asked of a server at the current line.
pub fn asked(vm: &mut Vm, kind: &'static str, subject: String, found: usize) {
    let (file, line) = vm.current_location().map_or_else(Default::default, |(file, line)| (file.to_string(), line));
    let callers = vm.places().into_iter().map(|(file, line)| (file.to_string(), line)).collect();
    let asked = Asked { kind, subject, found, file, line, callers };
    let run = run_mut(vm);
    if !run.asked.contains(&asked) {
        run.asked.push(asked);
    }
}

/// Records a finding at the current line, once a place.
pub fn lint(vm: &mut Vm, code: Code, text: impl Into<String>) {
    let (file, line) = vm.current_location().map_or_else(Default::default, |(file, line)| (file.to_string(), line));
    let found = Lint { file, line, code, text: text.into() };
    let run = run_mut(vm);
    if !run.lints.contains(&found) {
        run.lints.push(found);
    }
}
