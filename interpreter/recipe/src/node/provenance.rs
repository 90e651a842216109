//! Who wrote which attribute where: one small record a write, in order.

use super::attribute;
use super::classes::Component;
use super::track::Path;
use rchef_ruby::{Res, Value, Vm};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A value was stored under a key.
    Write,
    /// Reading a component made an empty map.
    Vivify,
    /// A key or element was removed.
    Delete,
    /// The whole component was assigned.
    Assign,
    /// A tree was merged onto the component; the value is that tree.
    Merge,
    /// The container at the path was changed in place (`<<`, `merge!`, `select!` …); the value is the container.
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

/// Source of Ohai's data.
pub const OHAI: &str = "ohai";
/// Source of what Chef itself puts into every node.
pub const CHEF: &str = "chef";
/// Source of the JSON attributes.
pub const JSON: &str = "json attributes";

const NOWHERE: u32 = u32::MAX;

#[derive(Clone)]
pub struct Write {
    /// Position in the order of all writes.
    pub seq: usize,
    pub component: Component,
    pub act: Act,
    /// Keys from the top.
    pub path: Vec<Value>,
    /// What was stored; a container is the live one.
    pub value: Value,
    /// Ruby file, or the source that the embedder named; None when nobody did.
    pub file: Option<Rc<str>>,
    /// Line; 0 for a named source.
    pub line: u32,
}

/// Names what writes now (a role file, "ohai", "-j FILE"); None: the Ruby code that runs does.
pub fn set_source(vm: &mut Vm, source: Option<&str>) {
    vm.extension::<Log>().source = source.map(Rc::from);
}

/// From now on values are kept as they are when they are written: a container is copied.
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

/// Every write to a node, in order.
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

/// All writes to a node at or below a path, in order; those to something above it too when `enclosing`.
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
