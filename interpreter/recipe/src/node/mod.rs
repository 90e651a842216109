//! `Chef::Node` and its attributes.
//!
//! Ten components ([`Component`], low to high) are stored as `Chef::Node::VividMash`; reading merges them per top-level key into
//! `Chef::Node::ImmutableMash` and keeps the result until a write below that key. What was read stays as it is: a snapshot.
//!
//! - [`mash`]: `Mash`; [`vivid`]: the writable containers; [`immutable`]: the merged ones; [`merge`]: the two merges;
//! - [`attribute`]: `Chef::Node::Attribute`; [`object`]: `Chef::Node`; [`chain`]: `default!['a']['b'] = 1`;
//! - [`path`]: read, write and their like by path; [`filter`]: what is saved; [`provenance`]: who wrote what, where.
//!
//! Rules: SPEC-compile section 2; mission document 001.

pub mod attribute;
pub mod chain;
pub mod filter;
pub mod immutable;
pub mod mash;
pub mod merge;
pub mod object;
pub mod path;
pub mod provenance;
pub mod vivid;

use provenance::Act;
use rchef_ruby::method::{Arity, NativeFn};
use rchef_ruby::value::NativeData;
use rchef_ruby::{Args, ClassId, Gc, RHash, Res, Symbol, Value, Vm};
use std::cell::RefCell;
use std::rc::Rc;

/// One of the ten stored components, low to high.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // each is the component of its name
pub enum Component {
    Default,
    EnvDefault,
    RoleDefault,
    ForceDefault,
    Normal,
    Override,
    RoleOverride,
    EnvOverride,
    ForceOverride,
    Automatic,
}

impl Component {
    /// All, low to high.
    pub const ALL: [Component; 10] = [
        Component::Default,
        Component::EnvDefault,
        Component::RoleDefault,
        Component::ForceDefault,
        Component::Normal,
        Component::Override,
        Component::RoleOverride,
        Component::EnvOverride,
        Component::ForceOverride,
        Component::Automatic,
    ];
    /// As Ruby names it.
    pub fn name(self) -> &'static str {
        [
            "default",
            "env_default",
            "role_default",
            "force_default",
            "normal",
            "override",
            "role_override",
            "env_override",
            "force_override",
            "automatic",
        ][self as usize]
    }
    /// By its Ruby name.
    pub fn named(name: &str) -> Option<Component> {
        Component::ALL.into_iter().find(|component| component.name() == name)
    }
    /// Groups merge with arrays united; between groups arrays are replaced. 0: default, 1: normal, 2: override, 3: automatic.
    pub fn group(self) -> u8 {
        match self as usize {
            0..=3 => 0,
            4 => 1,
            5..=8 => 2,
            _ => 3,
        }
    }
    /// The mission document's rank, 1 to 15: an attribute file's write ranks below a recipe's of the same component.
    pub fn rank(self, attribute_file: bool) -> u8 {
        let (file, recipe) =
            [(1, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 10), (11, 11), (12, 12), (13, 14), (15, 15)][self as usize];
        if attribute_file { file } else { recipe }
    }
}

/// The classes of this module.
#[derive(Clone, Copy)]
#[allow(missing_docs)] // each is the class of its name
pub struct Kinds {
    pub mash: ClassId,
    pub vivid: ClassId,
    pub attr_array: ClassId,
    pub immutable_mash: ClassId,
    pub immutable_array: ClassId,
    pub attribute: ClassId,
    pub node: ClassId,
    pub unchain: ClassId,
}
impl Default for Kinds {
    fn default() -> Kinds {
        let (hash, array, object) = (ClassId::HASH, ClassId::ARRAY, ClassId::OBJECT);
        Kinds {
            mash: hash,
            vivid: hash,
            attr_array: array,
            immutable_mash: hash,
            immutable_array: array,
            attribute: hash,
            node: object,
            unchain: object,
        }
    }
}

/// Loads an attribute file for `include_attribute`: node, cookbook, file without extension. Loads it once.
pub type IncludeAttributeHook = fn(&mut Vm, &Value, &str, &str) -> Res<()>;

/// What this module keeps in the machine.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) kinds: Kinds,
    pub(crate) include: Option<IncludeAttributeHook>,
    pub(crate) legacy_dsl: bool,
    pub(crate) owners: u32,
}

/// The classes of this module, as they were registered.
pub fn kinds(vm: &mut Vm) -> Kinds {
    vm.extension::<State>().kinds
}
pub(crate) fn state(vm: &mut Vm) -> &mut State {
    vm.extension::<State>()
}

/// What all containers of one node share: the merged view.
pub(crate) struct Owner {
    /// Number of the node in provenance.
    pub(crate) id: u32,
    /// Merged values by top-level key.
    cache: Value,
    /// The whole merged tree.
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
    pub(crate) fn full(&self) -> Option<Value> {
        self.full.borrow().clone()
    }
    pub(crate) fn keep_full(&self, value: Value) {
        *self.full.borrow_mut() = Some(value);
    }
    /// Forgets what is merged below a top-level key; everything without one.
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

/// Where a container lies below its component: the keys, innermost first.
pub(crate) type Path = Option<Rc<Step>>;
/// One key of a [`Path`].
pub(crate) struct Step {
    pub(crate) parent: Path,
    pub(crate) key: Value,
}
pub(crate) fn step(parent: &Path, key: Value) -> Path {
    Some(Rc::new(Step { parent: parent.clone(), key }))
}

/// State of a VividMash or AttrArray.
#[derive(Clone, Default)]
pub(crate) struct Track {
    pub(crate) owner: Option<Rc<Owner>>,
    pub(crate) component: Option<Component>,
    pub(crate) path: Path,
    /// Outside of a node: what is told of changes (`reset_cache`), as Chef's classes allow.
    pub(crate) root: Value,
    /// Its immutable form as last made; whether it still fits is checked when it is used again.
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
    /// The state of what lies under a key.
    pub(crate) fn below(&self, key: Value) -> Track {
        Track {
            owner: self.owner.clone(),
            component: self.component,
            path: step(&self.path, key),
            root: self.root.clone(),
            form: Value::Nil,
        }
    }
    /// A write under `key` (or to the container itself) is done: forgets the merged view and notes who wrote.
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

/// Calls the method that `owner`'s shadows.
pub(crate) fn up(vm: &mut Vm, this: &Value, owner: ClassId, name: Symbol, args: Args<'_>) -> Res {
    let class = vm.class_of(this);
    match vm.find_super_method(class, owner, name) {
        Some(id) => vm.invoke(id, this, name, args),
        None => Err(vm.no_method_error(this, name, args.pos, rchef_ruby::call::CallKind::Method, None)),
    }
}
/// A native that Ruby's protocols look for only among methods that are not the core's own (`method_missing`, `initialize_copy` …).
pub(crate) fn define_hook(vm: &mut Vm, class: ClassId, name: &'static str, function: NativeFn) {
    vm.define_closure(class, Symbol::intern_static(name), Arity { min: 0, max: None }, Rc::new(function));
}

/// Follows `lazy` values until something else comes.
pub(crate) fn resolve(vm: &mut Vm, mut value: Value) -> Res {
    loop {
        match &value {
            Value::Proc(_) | Value::Object(_) => {}
            _ => return Ok(value),
        }
        let class = crate::run::run_mut(vm).classes.delayed_evaluator;
        match class {
            Some(class) if vm.is_a(&value, class) => value = vm.call_name(&value, "call", &[])?,
            _ => return Ok(value),
        }
    }
}

/// Registers the classes.
pub fn boot(vm: &mut Vm) {
    let chef = vm.define_class(ClassId::OBJECT, "Chef", ClassId::OBJECT);
    let utils = vm.define_module(ClassId::OBJECT, "ChefUtils");
    let mash = vm.define_class(utils, "Mash", ClassId::HASH);
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("Mash"), Value::Class(mash));
    let node = vm.define_class(chef, "Node", ClassId::OBJECT);
    let decorator = vm.define_class(chef, "Decorator", ClassId::OBJECT);
    let kinds = Kinds {
        mash,
        node,
        vivid: vm.define_class(node, "VividMash", mash),
        attr_array: vm.define_class(node, "AttrArray", ClassId::ARRAY),
        immutable_mash: vm.define_class(node, "ImmutableMash", mash),
        immutable_array: vm.define_class(node, "ImmutableArray", ClassId::ARRAY),
        attribute: vm.define_class(node, "Attribute", mash),
        unchain: vm.define_class(decorator, "Unchain", ClassId::OBJECT),
    };
    state(vm).kinds = kinds;
    mash::boot(vm, kinds);
    vivid::boot(vm, kinds);
    immutable::boot(vm, kinds);
    chain::boot(vm, kinds);
    attribute::boot(vm, kinds);
    object::boot(vm, kinds);
    merge::boot(vm, chef);
    filter::boot(vm, chef);
}

/// What `include_attribute` calls.
pub fn set_include_attribute_hook(vm: &mut Vm, hook: IncludeAttributeHook) {
    state(vm).include = Some(hook);
}
/// Old cookbooks: `node.foo` and `node['a'].foo` read attributes (with a deprecation).
pub fn set_legacy_dsl(vm: &mut Vm, on: bool) {
    state(vm).legacy_dsl = on;
    let class = kinds(vm).immutable_mash;
    define_hook(vm, class, "method_missing", immutable::method_missing);
}

/// A new node.
pub fn create(vm: &mut Vm, name: &str) -> Res {
    let node = object::new_node(vm);
    vm.call_name(&node, "name", &[Value::str(name)])?;
    Ok(node)
}
/// Replaces a component by (a deep copy of) a Hash.
pub fn set_component(vm: &mut Vm, node: &Value, component: Component, value: Value) -> Res<()> {
    attribute::assign(vm, node, component, &value)
}
/// Merges a Hash onto a component: hashes per key, arrays united, the rest replaced.
pub fn merge_into(vm: &mut Vm, node: &Value, component: Component, value: Value) -> Res<()> {
    let old = attribute::component_of(vm, node, component);
    let merged = merge::group_pair(vm, &old, &value)?;
    attribute::assign_as(vm, node, component, &merged, Some((value, Act::Merge)))
}
/// The merged value at a path; nil where there is none.
pub fn read(vm: &mut Vm, node: &Value, path: &[&str]) -> Res {
    let path: Vec<Value> = path.iter().map(Value::str).collect();
    attribute::read_path(vm, node, &path)
}
/// The merged tree as plain Hashes and Arrays, all the caller's own.
pub fn merged(vm: &mut Vm, node: &Value, without_automatic: bool) -> Res {
    let tree = if without_automatic {
        let mut parts = attribute::contributions(vm, node, &[])?;
        parts.retain(|(group, _)| *group != Component::Automatic.group());
        merge::merge(vm, &parts)?.unwrap_or_default()
    } else {
        attribute::whole(vm, node)?
    };
    immutable::plain(vm, &tree)
}
/// A component as plain Hashes and Arrays, all the caller's own.
pub fn component(vm: &mut Vm, node: &Value, component: Component) -> Res {
    let tree = attribute::component_of(vm, node, component);
    immutable::plain(vm, &tree)
}
