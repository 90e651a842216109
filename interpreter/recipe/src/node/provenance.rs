//! The log of attribute writes with their places: one small record for each write, in order.

use super::attribute;
use super::classes::Component;
use super::track::Path;
use rchef_ruby::{Res, Value, Vm};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A value was stored under a key.
    Write,
    /// Reading a component created an empty map.
    Vivify,
    /// A key or element was removed.
    Delete,
    /// The whole component was assigned.
    Assign,
    /// A tree was merged into the component; the value is that tree.
    Merge,
    /// The container at the path was modified in place (`<<`, `merge!`, `select!` …); the value is the container.
    Mutate,
}

struct Entry {
    node: u32,
    component: Component,
    act: Act,
    path: Path,
    value: Value,
    file: u32,
    line: u32,
}

#[derive(Default)]
struct Log {
    entries: Vec<Entry>,
    files: Vec<Rc<str>>,
    source: Option<Rc<str>>,
    keeps: bool,
}

/// Source name of Ohai's data.
pub const OHAI: &str = "ohai";
/// Source name of attributes that Chef itself sets in every node.
pub const CHEF: &str = "chef";
/// Source name of the JSON attributes.
pub const JSON: &str = "json attributes";

const NOWHERE: u32 = u32::MAX;

#[derive(Clone)]
pub struct Write {
    /// Index in the order of all writes.
    pub seq: usize,
    pub component: Component,
    pub act: Act,
    /// The keys, outermost first.
    pub path: Vec<Value>,
    /// The stored value; a container is the live object.
    pub value: Value,
    /// The Ruby file or the named source; None if unknown.
    pub file: Option<Rc<str>>,
    /// The line; 0 for a named source.
    pub line: u32,
}

/// Sets the source name of the following writes (a role file, "ohai", "-j FILE"); None means the running Ruby code.
pub fn set_source(vm: &mut Vm, source: Option<&str>) {
    vm.extension::<Log>().source = source.map(Rc::from);
}

/// From now on, records copy written containers instead of referring to the live ones.
pub fn keep_values(vm: &mut Vm) {
    vm.extension::<Log>().keeps = true;
}

pub(crate) fn note(vm: &mut Vm, node: u32, component: Component, path: Path, mut value: Value, act: Act) {
    if vm.extension::<Log>().keeps
        && matches!(value, Value::Hash(_) | Value::Array(_))
        && let Ok(copy) = super::immutable::plain(vm, &value)
    {
        value = copy;
    }
    let place = match vm.extension::<Log>().source.clone() {
        Some(source) => Some((source, 0)),
        None => vm.current_location(),
    };
    let log = vm.extension::<Log>();
    let (file, line) = match place {
        None => (NOWHERE, 0),
        Some((file, line)) => {
            let known = log.files.iter().rposition(|known| *known == file);
            let index = known.unwrap_or_else(|| {
                log.files.push(file);
                log.files.len() - 1
            });
            (index as u32, line)
        }
    };
    log.entries.push(Entry { node, component, act, path, value, file, line });
}

/// All writes to a node, in order.
pub fn all(vm: &mut Vm, node: &Value) -> Vec<Write> {
    let Some(owner) = attribute::owner(vm, node) else { return Vec::new() };
    let log = vm.extension::<Log>();
    (log.entries.iter().enumerate())
        .filter(|(_, entry)| entry.node == owner.id)
        .map(|(seq, entry)| Write {
            seq,
            component: entry.component,
            act: entry.act,
            path: keys(&entry.path),
            value: entry.value.clone(),
            file: log.files.get(entry.file as usize).cloned(),
            line: entry.line,
        })
        .collect()
}

fn keys(path: &Path) -> Vec<Value> {
    let mut keys = Vec::new();
    let mut at = path;
    while let Some(step) = at {
        keys.push(step.key.clone());
        at = &step.parent;
    }
    keys.reverse();
    keys
}

/// The writes to a node at or below a path, in order; with `enclosing` also those above it.
pub fn writes(vm: &mut Vm, node: &Value, below: &[Value], enclosing: bool) -> Res<Vec<Write>> {
    let Some(owner) = attribute::owner(vm, node) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let count = vm.extension::<Log>().entries.len();
    for seq in 0..count {
        let log = vm.extension::<Log>();
        let Some(entry) = log.entries.get(seq) else { continue };
        if entry.node != owner.id {
            continue;
        }
        let path = keys(&entry.path);
        let (component, act, value, line) = (entry.component, entry.act, entry.value.clone(), entry.line);
        let file = log.files.get(entry.file as usize).cloned();
        let shared = path.len().min(below.len());
        if path.len() < below.len() && !enclosing {
            continue;
        }
        let mut same = true;
        for (a, b) in path[..shared].iter().zip(below) {
            same = same && vm.eql(a, b)?;
        }
        if same {
            found.push(Write { seq, component, act, path, value, file, line });
        }
    }
    Ok(found)
}
