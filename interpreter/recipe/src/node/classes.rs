//! The components of a node, and the classes and functions that the modules of `node` share.

use rchef_ruby::embed::method::{Arity, NativeFn};
use rchef_ruby::{Args, ClassId, Res, Symbol, Value, Vm};
use std::rc::Rc;

/// One of the ten stored components, in ascending precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
    /// In ascending precedence.
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
    /// The name in Ruby.
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
    pub fn named(name: &str) -> Option<Component> {
        Component::ALL.into_iter().find(|component| component.name() == name)
    }
    /// The group: 0 default, 1 normal, 2 override, 3 automatic. Merging unites arrays within a group; between groups the higher array replaces the
    /// lower.
    pub fn group(self) -> u8 {
        match self as usize {
            0..=3 => 0,
            4 => 1,
            5..=8 => 2,
            _ => 3,
        }
    }
    /// The rank of the mission document, 1 to 15: a write in an attribute file ranks below one in a recipe to the same component.
    pub fn rank(self, attribute_file: bool) -> u8 {
        let (file, recipe) =
            [(1, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 10), (11, 11), (12, 12), (13, 14), (15, 15)][self as usize];
        if attribute_file { file } else { recipe }
    }
}

#[derive(Clone, Copy)]
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

/// Loads an attribute file for `include_attribute`, unless it is loaded: node, cookbook, file without extension.
pub type IncludeAttributeHook = fn(&mut Vm, &Value, &str, &str) -> Res<()>;

/// The state of this module in the VM.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) kinds: Kinds,
    pub(crate) include: Option<IncludeAttributeHook>,
    pub(crate) legacy_dsl: bool,
    pub(crate) owners: u32,
}

pub fn kinds(vm: &mut Vm) -> Kinds {
    vm.extension::<State>().kinds
}
pub(crate) fn state(vm: &mut Vm) -> &mut State {
    vm.extension::<State>()
}

/// Calls the method that the method of `owner` overrides.
pub(crate) fn up(vm: &mut Vm, this: &Value, owner: ClassId, name: Symbol, args: Args<'_>) -> Res {
    let class = vm.class_of(this);
    match vm.find_super_method(class, owner, name) {
        Some(id) => vm.invoke(id, this, name, args),
        None => Err(vm.no_method_error(this, name, args.pos, rchef_ruby::embed::call::CallKind::Method, None)),
    }
}
/// Defines a method that Ruby's core calls only if it is overridden (`method_missing`, `initialize_copy` …).
pub(crate) fn define_hook(vm: &mut Vm, class: ClassId, name: &'static str, function: NativeFn) {
    vm.define_closure(class, Symbol::intern_static(name), Arity::ANY, Rc::new(function));
}

/// Evaluates a `lazy` value, until the result is not `lazy`.
pub(crate) fn resolve(vm: &mut Vm, mut value: Value) -> Res {
    loop {
        match &value {
            Value::Proc(_) | Value::Object(_) => {}
            _ => return Ok(value),
        }
        let class = crate::run::process_mut(vm).classes.delayed_evaluator;
        match class {
            Some(class) if vm.is_a(&value, class) => value = vm.call_name(&value, "call", &[])?,
            _ => return Ok(value),
        }
    }
}
