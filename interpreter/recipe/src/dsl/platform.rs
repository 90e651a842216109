//! `platform?`, `platform_family?`, `value_for_platform`, `value_for_platform_family` (SPEC-compile 3.2).

use crate::run::run_mut;
use rchef_model::gem;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, sym};

/// `node[key]` of the run's node as text; empty when it is not set.
pub fn fact(vm: &mut Vm, key: &str) -> Res<String> {
    let node = run_mut(vm).node.clone();
    fact_of(vm, &node, key)
}
/// The same of the node that an object speaks of: what its `node` answers, else the run's.
fn own_fact(vm: &mut Vm, this: &Value, key: &str) -> Res<String> {
    let asked = Symbol::intern_static("node");
    let node = if vm.respond_to(this, asked, true)? { vm.call(this, asked, &[])? } else { run_mut(vm).node.clone() };
    fact_of(vm, &node, key)
}
fn fact_of(vm: &mut Vm, node: &Value, key: &str) -> Res<String> {
    if node.is_nil() {
        return Ok(String::new());
    }
    let value = vm.call(node, sym::AREF, &[Value::str(key)])?;
    if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
}
fn any_equal(vm: &mut Vm, args: Args<'_>, actual: &str) -> Res {
    for arg in args.pos {
        for item in vm.to_array(arg)? {
            if vm.to_s_text(&item)? == actual {
                return Ok(Value::True);
            }
        }
    }
    Ok(Value::False)
}
fn is_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let actual = own_fact(vm, this, "platform")?;
    any_equal(vm, args, &actual)
}
fn is_family(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let actual = own_fact(vm, this, "platform_family")?;
    any_equal(vm, args, &actual)
}

fn pairs(vm: &Vm, value: &Value) -> Vec<(Value, Value)> {
    match value {
        Value::Hash(hash) => hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        _ => Vec::new(),
    }
}
fn names(vm: &mut Vm, key: &Value) -> Res<Vec<String>> {
    let mut found = Vec::new();
    for item in vm.to_array(key)? {
        found.push(vm.to_s_text(&item)?);
    }
    Ok(found)
}

/// Exact version, then the one matching constraint, then the platform's default, then the default of all.
fn value_for_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (platform, actual) = (own_fact(vm, this, "platform")?, own_fact(vm, this, "platform_version")?);
    let mut fallback = Value::Nil;
    let mut versions = None;
    for (key, value) in pairs(vm, args.at(0)) {
        let listed = names(vm, &key)?;
        if listed.iter().any(|name| name == "default") {
            fallback = value.clone();
        }
        if listed.contains(&platform) {
            versions = Some(value);
        }
    }
    let Some(versions) = versions else { return Ok(fallback) };
    if !matches!(versions, Value::Hash(_)) {
        return Err(vm.argument_error("value_for_platform needs a Hash of versions for each platform"));
    }
    let mut exact = None;
    let mut constrained = Vec::new();
    let mut platform_default = None;
    for (key, value) in pairs(vm, &versions) {
        for name in names(vm, &key)? {
            if name == "default" {
                platform_default = Some(value.clone());
            } else if name == actual {
                exact = Some(value.clone());
            } else if name.starts_with(['<', '>', '=', '~', '!']) && gem::satisfies(&actual, &name) {
                constrained.push((name, value.clone()));
            }
        }
    }
    if let Some(found) = exact {
        return Ok(found);
    }
    if constrained.len() > 1 {
        let shown: Vec<&str> = constrained.iter().map(|(name, _)| name.as_str()).collect();
        return Err(vm.runtime_error(format!(
            "Multiple matches detected for {platform} {actual} ({}) in value_for_platform",
            shown.join(", ")
        )));
    }
    Ok(constrained.pop().map(|(_, value)| value).or(platform_default).unwrap_or(fallback))
}
fn value_for_platform_family(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let family = own_fact(vm, this, "platform_family")?;
    let mut fallback = Value::Nil;
    for (key, value) in pairs(vm, args.at(0)) {
        let listed = names(vm, &key)?;
        if listed.contains(&family) {
            return Ok(value);
        }
        if listed.iter().any(|name| name == "default") {
            fallback = value;
        }
    }
    Ok(fallback)
}

static METHODS: &[MethodDef] = &[
    any("platform?", is_platform),
    any("platform_family?", is_family),
    def("value_for_platform", value_for_platform, 1),
    def("value_for_platform_family", value_for_platform_family, 1),
];

/// Registers the helpers on `Chef::DSL::Universal`, and ChefUtils'.
pub fn boot(vm: &mut Vm, universal: ClassId) {
    vm.define_methods(universal, METHODS);
    super::utils::boot(vm, universal);
}
