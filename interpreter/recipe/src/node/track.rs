//! The state of a node, and the position of each container in it: node, component, path.

use super::classes::{Component, kinds, state};
use super::mash;
use super::provenance::{self, Act};
use rchef_ruby::{Gc, NativeData, RHash, Res, Value, Vm};
use std::cell::RefCell;
use std::rc::Rc;

/// The state that all containers of a node share: its merged view.
pub(crate) struct Owner {
    /// The node's number in the provenance log.
    pub(crate) id: u32,
    /// Merged values by top-level key.
    cache: Value,
    /// The full merged tree.
    full: RefCell<Option<Value>>,
}

impl Owner {
    pub(crate) fn new(vm: &mut Vm) -> Rc<Owner> {
        let class = kinds(vm).immutable_mash;
        let state = state(vm);
        state.owners += 1;
        Rc::new(Owner {
            id: state.owners,
            cache: Value::Hash(Gc::new(class, RHash::default())),
            full: RefCell::new(None),
        })
    }
    pub(crate) fn cached(&self, vm: &mut Vm, key: &Value) -> Res<Option<Value>> {
        match &self.cache {
            Value::Hash(cache) => mash::get(vm, cache, key),
            _ => Ok(None),
        }
    }
    pub(crate) fn keep(&self, vm: &mut Vm, key: Value, value: Value) -> Res<()> {
        match &self.cache {
            Value::Hash(cache) => vm.hash_set(cache, key, value),
            _ => Ok(()),
        }
    }
    /// The top-level keys whose merged value was read since their last write.
    pub(crate) fn asked_for(&self, vm: &Vm) -> Vec<Value> {
        match &self.cache {
            Value::Hash(cache) => cache.get(vm).iter().map(|(key, _)| key.clone()).collect(),
            _ => Vec::new(),
        }
    }
    pub(crate) fn full(&self) -> Option<Value> {
        self.full.borrow().clone()
    }
    pub(crate) fn keep_full(&self, value: Value) {
        *self.full.borrow_mut() = Some(value);
    }
    /// Invalidates the merged value of a top-level key; all of them without a key.
    pub(crate) fn reset(&self, vm: &mut Vm, key: Option<&Value>) -> Res<()> {
        let old = self.full.borrow_mut().take();
        drop(old);
        if let Value::Hash(cache) = &self.cache {
            match key {
                Some(key) => drop(vm.hash_delete(cache, key)?),
                None => cache.get_mut(vm).clear(),
            }
        }
        Ok(())
    }
}

/// The keys of a container in its component, innermost first.
pub(crate) type Path = Option<Rc<Step>>;
/// One key of a [`Path`].
pub(crate) struct Step {
    pub(crate) parent: Path,
    pub(crate) key: Value,
}
pub(crate) fn step(parent: &Path, key: Value) -> Path {
    Some(Rc::new(Step { parent: parent.clone(), key }))
}

/// The state of a VividMash or AttrArray.
#[derive(Clone, Default)]
pub(crate) struct Track {
    pub(crate) owner: Option<Rc<Owner>>,
    pub(crate) component: Option<Component>,
    pub(crate) path: Path,
    /// For a container outside of a node: the object whose `reset_cache` is called on changes, as in Chef's classes.
    pub(crate) root: Value,
    /// The last immutable form of the container; it is checked before it is reused.
    pub(crate) form: Value,
}
impl NativeData for Track {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.form);
        visit(&self.root);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}
impl Track {
    /// The state of the value of a key.
    pub(crate) fn below(&self, key: Value) -> Track {
        Track {
            owner: self.owner.clone(),
            component: self.component,
            path: step(&self.path, key),
            root: self.root.clone(),
            form: Value::Nil,
        }
    }
    /// Called after a write of `key` (or of the container itself): invalidates the merged view and records the write.
    pub(crate) fn changed(&self, vm: &mut Vm, key: Option<&Value>, value: &Value, act: Act) -> Res<()> {
        let mut first = key;
        let mut at = &self.path;
        while let Some(step) = at {
            first = Some(&step.key);
            at = &step.parent;
        }
        if !self.root.is_nil() {
            let first = Value::or_nil(first.cloned());
            vm.call_name(&self.root, "reset_cache", &[first])?;
        }
        let (Some(owner), Some(component)) = (&self.owner, self.component) else { return Ok(()) };
        owner.reset(vm, first)?;
        let path = match key {
            Some(key) => step(&self.path, key.clone()),
            None => self.path.clone(),
        };
        provenance::note(vm, owner.id, component, path, value.clone(), act);
        Ok(())
    }
}
pub(crate) fn track(vm: &Vm, value: &Value) -> Track {
    vm.data::<Track>(value).cloned().unwrap_or_default()
}

/// State of a node.
pub(super) struct NodeData {
    pub(super) attributes: Value,
    pub(super) owner: Rc<Owner>,
    pub(super) name: Value,
    pub(super) environment: Value,
    pub(super) policy_name: Value,
    pub(super) policy_group: Value,
    pub(super) primary_runlist: Value,
    pub(super) override_runlist: Value,
    pub(super) override_set: bool,
    pub(super) run_state: Value,
    pub(super) run_context: Value,
    pub(super) recipe_list: Value,
}
impl NativeData for NodeData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        for value in [
            &self.attributes,
            &self.primary_runlist,
            &self.override_runlist,
            &self.run_state,
            &self.run_context,
            &self.recipe_list,
        ] {
            visit(value);
        }
    }
}

/// The attributes of a node; None for any other object.
pub(crate) fn attributes(vm: &Vm, this: &Value) -> Option<Value> {
    match this {
        Value::Object(_) => vm.data::<NodeData>(this).map(|data| data.attributes.clone()),
        _ => None,
    }
}
#[inline]
pub(crate) fn owner(vm: &Vm, this: &Value) -> Option<Rc<Owner>> {
    match this {
        Value::Object(_) => vm.data::<NodeData>(this).map(|data| data.owner.clone()),
        _ => None,
    }
}
