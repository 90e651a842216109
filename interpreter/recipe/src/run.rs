//! The state of a compile: the node, the repository, findings. Kept in the VM; [`run_mut`] gives it.
//!
//! The state of the process is in [`crate::process`] and that of a converge in [`crate::converge`]; state that only a higher module uses (event
//! sinks, the policy, the registry of DSL names) is kept there.

pub use crate::converge::{ActionMode, Executed, Expansion, converge_mut};
pub use crate::process::{Classes, chef_error, class, evaluate, process_mut, raised, read_file};
pub use crate::subject::{Subject, about, not_json, subject};
use rchef_model::code::Code;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};

/// A finding about the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lint {
    /// The path, as Ruby code sees it.
    pub file: String,
    pub line: u32,
    pub code: Code,
    /// The finding and how to fix it.
    pub text: String,
    /// What the line names that it is about; empty if that is not known.
    pub name: String,
}

/// A request to a Chef server that the repository's files answer here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// `search`, `data_bag` or `data_bag_item`.
    pub kind: &'static str,
    /// Index and query, or bag, or bag and item.
    pub subject: String,
    /// The number of objects in the answer.
    pub found: usize,
    /// The path, as Ruby code sees it.
    pub file: String,
    pub line: u32,
    /// The calling places, innermost first.
    pub callers: Vec<(String, u32)>,
}

#[derive(Default)]
pub struct Run {
    pub repo: String,
    pub node: Value,
    /// The root run context.
    pub root: Value,
    /// Whether recipes are being evaluated.
    pub compiling: bool,
    /// Whether the node's facts are those of this machine.
    pub live_facts: bool,
    /// Findings, in order of discovery.
    pub lints: Vec<Lint>,
    /// The requests to a server, once for each place.
    pub asked: Vec<Asked>,
    /// Configured answers to searches: index, query, objects.
    pub answers: Vec<(String, String, Vec<serde_json::Value>)>,
    /// Definitions: name, defaults, block.
    pub definitions: Vec<(rchef_ruby::Symbol, Value, Value)>,
    /// Cookbook directories, whose paths are shortened to `cookbook/…` in dumps: (absolute path, cookbook name).
    pub cookbook_roots: Vec<(String, String)>,
}

pub fn run_mut(vm: &mut Vm) -> &mut Run {
    vm.extension::<Run>()
}

/// The node of a run context; that of the run without one.
pub fn node_of(vm: &mut Vm, context: &Value) -> Res {
    let run = run_mut(vm);
    if context.is_nil() || context.same(&run.root) {
        return Ok(run.node.clone());
    }
    vm.call(context, crate::names::N.node, &[])
}

/// Records a request to a server at the current line.
pub fn asked(vm: &mut Vm, kind: &'static str, subject: String, found: usize) {
    let (file, line) = vm.current_location().map_or_else(Default::default, |(file, line)| (file.to_string(), line));
    let callers = vm.places().into_iter().map(|(file, line)| (file.to_string(), line)).collect();
    let asked = Asked { kind, subject, found, file, line, callers };
    let run = run_mut(vm);
    if !run.asked.contains(&asked) {
        run.asked.push(asked);
    }
}

/// Records a finding at the current line, once for each place.
pub fn lint(vm: &mut Vm, code: Code, text: impl Into<String>) {
    lint_about(vm, code, text, "");
}

/// Records a finding about a name at the current line, once for each place.
pub fn lint_about(vm: &mut Vm, code: Code, text: impl Into<String>, name: &str) {
    let (file, line) = vm.current_location().map_or_else(Default::default, |(file, line)| (file.to_string(), line));
    let found = Lint { file, line, code, text: text.into(), name: name.to_string() };
    let run = run_mut(vm);
    if !run.lints.contains(&found) {
        run.lints.push(found);
    }
}

/// A class by its full name; autoloads it if necessary.
pub fn constant(vm: &mut Vm, name: &str) -> Res {
    let mut at = ClassId::OBJECT;
    for part in name.split("::") {
        match vm.const_resolve(at, Symbol::intern(part))? {
            Some(Value::Class(id)) => at = id,
            _ => return Err(vm.not_implemented(name)),
        }
    }
    Ok(Value::Class(at))
}
