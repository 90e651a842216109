//! `Chef::Node` and its attributes.
//!
//! Ten components ([`Component`], in ascending precedence) are stored as `Chef::Node::VividMash`; reading merges them per top-level key into
//! `Chef::Node::ImmutableMash` and caches the result until a write below that key. A value that was read does not change later.
//!
//! - [`mash`]: `Mash`; [`vivid`]: the writable containers; [`immutable`]: the merged ones; [`merge`]: the two merges;
//! - [`attribute`]: `Chef::Node::Attribute`; [`object`]: `Chef::Node`; [`chain`]: `default!['a']['b'] = 1`;
//! - [`path`]: read, write and similar methods by path; [`filter`]: the attributes to save; [`provenance`]: the log of writes.
//!
//! Rules: SPEC-compile section 2; mission document 001.

pub mod attribute;
pub mod chain;
mod classes;
pub mod filter;
pub mod immutable;
pub mod mash;
pub mod merge;
pub mod object;
pub mod path;
pub mod provenance;
pub(crate) mod saved;
mod track;
pub mod vivid;

pub use classes::{Component, IncludeAttributeHook, Kinds, kinds};
use classes::{define_hook, state};
use provenance::Act;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};

pub fn boot(vm: &mut Vm) {
    let chef = vm.define_class(ClassId::OBJECT, "Chef", ClassId::OBJECT);
    let utils = vm.define_module(ClassId::OBJECT, "ChefUtils");
    let mash = vm.define_class(utils, "Mash", ClassId::HASH);
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("Mash"), Value::Class(mash));
    let node = vm.define_class(chef, "Node", ClassId::OBJECT);
    // `Chef::Decorator` itself is Ruby source
    let unchain = vm.new_class(ClassId::OBJECT);
    vm.class_mut(unchain).name = Some("Chef::Decorator::Unchain".into());
    let kinds = Kinds {
        mash,
        node,
        vivid: vm.define_class(node, "VividMash", mash),
        attr_array: vm.define_class(node, "AttrArray", ClassId::ARRAY),
        immutable_mash: vm.define_class(node, "ImmutableMash", mash),
        immutable_array: vm.define_class(node, "ImmutableArray", ClassId::ARRAY),
        attribute: vm.define_class(node, "Attribute", mash),
        unchain,
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

/// The feature that the autoload of `Chef::Decorator` requires: the Ruby source with its native class.
pub const DECORATOR: &str = "chef/rchef/decorator";
pub const DECORATOR_SOURCE: &str = "chef/rchef/decorator_source";

/// Loads `Chef::Decorator`.
///
/// # Errors
/// The source does not load.
pub fn load_decorator(vm: &mut Vm) -> Res<()> {
    rchef_ruby::embed::load::require(vm, DECORATOR_SOURCE)?;
    if let Some(decorator) = vm.class_named("Chef::Decorator") {
        let unchain = kinds(vm).unchain;
        vm.const_set(decorator, Symbol::intern_static("Unchain"), Value::Class(unchain));
    }
    Ok(())
}

pub fn set_include_attribute_hook(vm: &mut Vm, hook: IncludeAttributeHook) {
    state(vm).include = Some(hook);
}
/// Lets `node.foo` and `node['a'].foo` read attributes, with a deprecation, as old cookbooks expect.
pub fn set_legacy_dsl(vm: &mut Vm, on: bool) {
    state(vm).legacy_dsl = on;
    let class = kinds(vm).immutable_mash;
    define_hook(vm, class, "method_missing", immutable::method_missing);
}

pub fn create(vm: &mut Vm, name: &str) -> Res {
    let node = object::new_node(vm);
    vm.call_name(&node, "name", &[Value::str(name)])?;
    Ok(node)
}
/// Replaces a component by a deep copy of a Hash.
pub fn set_component(vm: &mut Vm, node: &Value, component: Component, value: Value) -> Res<()> {
    attribute::assign(vm, node, component, &value)
}
/// Merges a Hash into a component: hashes by key, arrays united, any other value replaced.
pub fn merge_into(vm: &mut Vm, node: &Value, component: Component, value: Value) -> Res<()> {
    let old = attribute::component_of(vm, node, component)?;
    let merged = merge::group_pair(vm, &old, &value)?;
    attribute::assign_as(vm, node, component, &merged, Some((value, Act::Merge)))
}
/// The merged value at a path; nil if there is none.
pub fn read(vm: &mut Vm, node: &Value, path: &[&str]) -> Res {
    let path: Vec<Value> = path.iter().map(Value::str).collect();
    attribute::read_path(vm, node, &path)
}
/// A copy of the merged tree as plain Hashes and Arrays.
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
/// A copy of a component as plain Hashes and Arrays.
pub fn component(vm: &mut Vm, node: &Value, component: Component) -> Res {
    let tree = attribute::component_of(vm, node, component)?;
    immutable::plain(vm, &tree)
}
