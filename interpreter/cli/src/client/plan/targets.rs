//! Selects resources of a run: named ones with what they need (`plan --target`), named ones alone (`client --only`), or all from one on
//! (`client --resume`).

use super::collect::keys;
use super::root;
use rchef_recipe::context;
use rchef_recipe::dump::conflicts::Table;
use rchef_recipe::run::converge_mut;
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Restricts the run to the named resources of the root collection and, with `with_needs`, those that they need. No names: no restriction.
///
/// # Errors
/// A name that no resource has.
pub fn choose(vm: &mut Vm, names: &[String], with_needs: bool) -> Res<()> {
    match choose_known(vm, names, with_needs)?.first() {
        None => Ok(()),
        Some(name) => Err(absent(vm, name)?),
    }
}

/// As [`choose`], for one of several policies: returns the names that this policy does not have.
///
/// # Errors
/// The collection cannot be read.
pub fn choose_known(vm: &mut Vm, names: &[String], with_needs: bool) -> Res<Vec<String>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let root = root(vm);
    let keys = keys(vm, &root)?;
    let mut chosen: BTreeSet<usize> = (0..keys.len()).filter(|at| names.contains(&keys[*at])).collect();
    if with_needs {
        needs(vm, &root, &mut chosen)?;
    }
    // by identity: resources inserted during the run would shift indexes
    let all = context::resources(vm, &root)?;
    let chosen: Vec<Value> = chosen.into_iter().filter_map(|at| all.get(at).cloned()).collect();
    converge_mut(vm).chosen = Some(Rc::new(move |_, resource| chosen.iter().any(|one| one.same(resource))));
    Ok(names.iter().filter(|name| !keys.contains(name)).cloned().collect())
}

/// The error for an unknown name, which lists resources of the same type.
fn absent(vm: &mut Vm, name: &str) -> Res<rchef_ruby::Error> {
    let root = root(vm);
    let keys = keys(vm, &root)?;
    let kind = name.split_once('[').map_or(name, |(kind, _)| kind);
    let alike: Vec<&str> =
        keys.iter().filter(|key| key.starts_with(&format!("{kind}["))).map(String::as_str).take(8).collect();
    let hint = if alike.is_empty() { String::new() } else { format!("; there is {}", alike.join(", ")) };
    Ok(vm.runtime_error(format!(
        "the run has no resource {name} in its recipes (those that actions of other resources declare cannot be chosen){hint}"
    )))
}

/// Starts the run at the resource with this key, at or nearest to this index of the root collection.
///
/// # Errors
/// No resource has the key any more.
pub fn from(vm: &mut Vm, place: usize, key: &str) -> Res<()> {
    let root = root(vm);
    let keys = keys(vm, &root)?;
    let found = (0..keys.len()).filter(|at| keys[*at] == key).min_by_key(|at| at.abs_diff(place));
    let Some(first) = found else {
        return Err(
            vm.runtime_error(format!("--resume: the run has no resource {key} any more, at which the last one failed"))
        );
    };
    converge_mut(vm).chosen = Some(Rc::new(move |index, _| index >= first));
    Ok(())
}

/// The text of a property; None if the resource does not have it or it is not set.
fn property_text(vm: &mut Vm, resource: &Value, name: &'static str) -> Option<String> {
    let name = Symbol::intern_static(name);
    if !vm.respond_to(resource, name, false).ok()? {
        return None;
    }
    let value = vm.call(resource, name, &[]).ok()?;
    match &value {
        Value::Str(_) | Value::Sym(_) | Value::Int(_) => vm.to_s_text(&value).ok(),
        _ => None,
    }
}

/// The paths, users and groups that a resource creates: for shipped types their identity, else the usual path properties.
fn makes(vm: &mut Vm, resource: &Value, key: &str, shipped: &Table) -> Vec<(char, String)> {
    let kind = key.split_once('[').map_or(key, |(kind, _)| kind);
    if let Some(object) = shipped.object(kind)
        && let Some(letter) = [("user", 'u'), ("group", 'g'), ("path", 'p')].iter().find(|pair| pair.0 == object.kind)
    {
        let name = property_text(vm, resource, object.identity);
        return name.map(|name| (letter.1, object.plain(&name).to_string())).into_iter().collect();
    }
    let names = ["path", "destination", "creates", "mount_point"];
    names.into_iter().filter_map(|name| Some(('p', property_text(vm, resource, name)?))).collect()
}

/// Adds earlier resources that the chosen ones need: they create the parent directories, the users and groups, or the files that these read.
fn needs(vm: &mut Vm, root: &Value, chosen: &mut BTreeSet<usize>) -> Res<()> {
    let all = context::resources(vm, root)?;
    let keys = keys(vm, root)?;
    let shipped = Table::new(rchef_providers::register::ALL);
    let made: Vec<Vec<(char, String)>> =
        all.iter().zip(&keys).map(|(resource, key)| makes(vm, resource, key, &shipped)).collect();
    let mut open: Vec<usize> = chosen.iter().copied().collect();
    while let Some(at) = open.pop() {
        let mut wanted: Vec<(char, String)> = Vec::new();
        for (name, kind) in [("owner", 'u'), ("user", 'u'), ("group", 'g'), ("gid", 'g')] {
            wanted.extend(property_text(vm, &all[at], name).map(|text| (kind, text)));
        }
        for name in ["path", "destination", "target_file", "to", "cwd", "source", "mount_point"] {
            // a relative `source` or `to` is not a path of the machine
            let relative = !["source", "to"].contains(&name);
            let Some(path) = property_text(vm, &all[at], name).filter(|path| relative || path.starts_with('/')) else {
                continue;
            };
            wanted.push(('p', path.clone()));
            let ends = path.match_indices('/').filter(|(end, _)| *end > 0);
            wanted.extend(ends.map(|(end, _)| ('p', path[..end].to_string())));
        }
        for (before, found) in made.iter().enumerate().take(at) {
            if found.iter().any(|one| wanted.contains(one)) && chosen.insert(before) {
                open.push(before);
            }
        }
    }
    Ok(())
}
