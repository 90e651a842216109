//! `node['cookbooks']`: the names and versions of the cookbooks in a run.

use crate::names::N;
use crate::node::mash;
use crate::run::run_mut;
use rchef_ruby::{Res, Value, Vm, sym};

/// Sets `node['cookbooks']` to names and versions.
pub(super) fn set(vm: &mut Vm, node: &Value, versions: Vec<(String, Value)>) -> Res<()> {
    let mut pairs = Vec::new();
    for (name, version) in versions {
        pairs.push((Value::str(name), vm.new_hash(vec![(Value::str("version"), version)])?));
    }
    let table = vm.new_hash(pairs)?;
    let automatic = vm.call(node, N.automatic, &[])?;
    vm.call(&automatic, sym::ASET, &[Value::str("cookbooks"), table])?;
    Ok(())
}

/// Sets `node['cookbooks']` to the names and versions of a collection.
pub fn note(vm: &mut Vm, collection: &Value) -> Res<()> {
    let node = run_mut(vm).node.clone();
    if node.is_nil() || collection.is_nil() {
        return Ok(());
    }
    let mut versions = Vec::new();
    for (name, cookbook) in mash::pairs(vm, collection)? {
        let version = vm.call_name(&cookbook, "version", &[])?;
        versions.push((vm.to_s_text(&name)?, version));
    }
    set(vm, &node, versions)
}
