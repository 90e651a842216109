//! Missing cookbooks of a run.

use crate::diagnostic::{link_outside, metadata_line};
use rchef_recipe::cookbook;
use rchef_ruby::Vm;

/// A cookbook that is missing from the cookbook path.
pub struct Absent {
    pub name: String,
    /// The line that names it; empty for the run list.
    pub source: String,
    pub text: String,
}

/// Every cookbook that is missing from the cookbook path although the run list or the metadata of a needed cookbook names it.
pub fn missing_cookbooks(vm: &mut Vm) -> Vec<Absent> {
    let recipes = rchef_recipe::data::expanded::of_run(vm).recipes.clone();
    let all = cookbook::cookbooks(vm).all.clone();
    let mut names: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut miss = |name: &str, source: String, text: String| found.push(Absent { name: name.into(), source, text });
    for (recipe, _) in recipes.iter() {
        let name = recipe.split("::").next().unwrap_or(recipe);
        if !all.iter().any(|known| known.name == name) {
            let text = format!("no directory of the cookbook path has the cookbook {name}, which the run list names");
            miss(name, String::new(), with_link(vm, name, text));
        } else if !names.iter().any(|known| known == name) {
            names.push(name.to_string());
        }
    }
    let mut at = 0;
    while let Some(known) = names.get(at).and_then(|name| all.iter().find(|known| known.name == *name)) {
        at += 1;
        for (name, constraint) in &known.metadata.depends {
            if all.iter().any(|other| other.name == *name) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
                continue;
            }
            let (file, line) = metadata_line(vm, known, "depends", name, Some(&constraint.to_string()));
            let text = format!(
                "no directory of the cookbook path has the cookbook {name} ({constraint}), which {} depends on",
                known.name
            );
            miss(name, format!("{}/{file}:{line}", known.name), with_link(vm, name, text));
        }
    }
    found
}

/// Gems that a run installs beside those of `chef_gem`s in collections: that the metadata of the cookbooks in use name, and that code installs by itself.
/// With the lines that say so.
pub fn gems(vm: &mut Vm) -> Vec<(String, String)> {
    let (order, all) = (cookbook::cookbooks(vm).order.clone(), cookbook::cookbooks(vm).all.clone());
    let used = all.iter().filter(|known| order.contains(&known.name));
    let mut found = Vec::new();
    for known in used {
        for gem in known.metadata.gems.iter().filter_map(|gem| gem.first()) {
            let (file, line) = metadata_line(vm, known, "gem", gem, None);
            found.push((gem.clone(), format!("{}/{file}:{line}", known.name)));
        }
    }
    for resource in rchef_recipe::run::converge_mut(vm).ran.clone() {
        let kind = vm.call_name(&resource, "resource_name", &[]).and_then(|name| vm.to_s_text(&name));
        if kind.is_ok_and(|kind| kind == "chef_gem")
            && let Ok(name) = vm.call_name(&resource, "package_name", &[]).and_then(|name| vm.to_s_text(&name))
        {
            let line = vm.call_name(&resource, "source_line", &[]).and_then(|line| vm.to_s_text(&line));
            let place = rchef_recipe::dump::short_place(vm, &line.unwrap_or_default());
            found.push((name, place));
        }
    }
    found
}

/// Adds to a message the link that was not followed to the cookbook, if any.
fn with_link(vm: &mut Vm, name: &str, text: String) -> String {
    match link_outside(vm, name) {
        Some(link) => format!("{text}; {link}"),
        None => text,
    }
}
