//! Missing cookbooks of a run.

use crate::diagnostic::link_outside;
use rchef_host::compose;
use rchef_recipe::cookbook;
use rchef_ruby::Vm;

/// Place and message for every cookbook that is missing from the cookbook path although the run list or the metadata of a needed cookbook names it.
pub fn missing_cookbooks(vm: &mut Vm) -> Vec<(String, String)> {
    let recipes = rchef_recipe::data::expanded::of_run(vm).recipes.clone();
    let all = cookbook::cookbooks(vm).all.clone();
    let mut names: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut miss = |source: String, text: String| found.push((source, text));
    for (recipe, _) in recipes.iter() {
        let name = recipe.split("::").next().unwrap_or(recipe);
        if !all.iter().any(|known| known.name == name) {
            let text = format!("no directory of the cookbook path has the cookbook {name}, which the run list names");
            miss(String::new(), with_link(vm, name, text));
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
            let (file, line) = depends_line(vm, known, name);
            let text = format!(
                "no directory of the cookbook path has the cookbook {name} ({constraint}), which {} depends on",
                known.name
            );
            miss(format!("{}/{file}:{line}", known.name), with_link(vm, name, text));
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

/// The metadata file and line that name a dependency.
fn depends_line(vm: &Vm, known: &cookbook::Cookbook, name: &str) -> (&'static str, usize) {
    for file in ["metadata.json", "metadata.rb"] {
        let Ok(bytes) = compose::read_file(&*vm.host, format!("{}/{file}", known.root).as_bytes()) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let names =
            |line: &str| [format!("'{name}'"), format!("\"{name}\"")].iter().any(|quoted| line.contains(quoted));
        return (file, text.lines().position(names).map_or(1, |at| at + 1));
    }
    ("metadata.rb", 1)
}
