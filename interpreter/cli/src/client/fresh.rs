//! Guards a node that was never saved: passwords and the like that its cookbooks would generate may already exist elsewhere.

use rchef_host::compose;
use rchef_recipe::data::repo;
use rchef_recipe::node::attribute;
use rchef_recipe::run::{Subject, about};
use rchef_ruby::{Res, Vm};

/// File, line and name of an attribute that the compile generated.
type Found = (String, usize, String);

/// Attributes that `normal_unless` wrote with a text that its source line does not contain, so that code generated it.
fn generated(vm: &mut Vm) -> Vec<Found> {
    let written: Vec<_> = attribute::generated(vm)
        .iter()
        .map(|found| (found.place.clone(), found.attribute.clone(), found.value.clone()))
        .collect();
    let host = vm.host.clone();
    let mut found: Vec<Found> = Vec::new();
    for ((file, line), attribute, value) in written {
        let text = vm.to_s_text(&value).unwrap_or_default();
        let source = compose::read_file(&*host, file.as_bytes()).unwrap_or_default();
        let source = String::from_utf8_lossy(&source);
        let line = usize::try_from(line).unwrap_or(1);
        let constant = source.lines().nth(line.saturating_sub(1)).is_some_and(|source| source.contains(&text));
        let one = (file.to_string(), line, attribute);
        if !constant && !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// RuntimeError if the node was never saved and its cookbooks generate attributes that they store in it.
pub fn check(vm: &mut Vm, node_name: &str) -> Res<()> {
    let path = repo::path(vm, &format!("nodes/{node_name}.json"));
    if compose::exists(&*vm.host.clone(), path.as_bytes()) {
        return Ok(());
    }
    let found = generated(vm);
    if found.is_empty() {
        return Ok(());
    }
    let lines: String = found.iter().map(|(file, line, attribute)| format!("  {file}:{line}: {attribute}\n")).collect();
    let error = vm.runtime_error(format!(
        "Node {node_name} is not saved in {path}, and its cookbooks would generate these attributes anew:\n{lines}Nothing was changed. If the node was managed before, `rchef node import FILE` takes what `knife node show -l -Fj {node_name}` prints; if it is a new one, say so with --new-node (or `new_node true` in the configuration)."
    ));
    let Some((path, line, _)) = found.into_iter().next() else { return Err(error) };
    Err(about(vm, error, Subject::Line { path, line }))
}
