//! Paths in a dump: relative to the cookbook or the chef-repo, never absolute.

use crate::run::run_mut;
use rchef_ruby::Vm;
use rustc_hash::FxHashMap as HashMap;

/// A cache of shortened paths.
#[derive(Default)]
struct Known {
    roots: usize,
    files: HashMap<String, String>,
}

/// Shortens a path: in a cookbook to `cookbook/path`, in the chef-repo to the relative path.
pub fn short_file(vm: &mut Vm, file: &str) -> String {
    let roots = run_mut(vm).cookbook_roots.len();
    let known = vm.extension::<Known>();
    if known.roots != roots {
        *known = Known { roots, files: HashMap::default() };
    }
    if let Some(found) = known.files.get(file) {
        return found.clone();
    }
    let short = shorten(vm, file);
    vm.extension::<Known>().files.insert(file.to_string(), short.clone());
    short
}

fn shorten(vm: &mut Vm, file: &str) -> String {
    let run = run_mut(vm);
    let best = run
        .cookbook_roots
        .iter()
        .filter(|(root, _)| file.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/')))
        .max_by_key(|(root, _)| root.len());
    match best {
        Some((root, name)) => format!("{name}{}", &file[root.len()..]),
        None => match file.strip_prefix(run.repo.as_str()).and_then(|rest| rest.strip_prefix('/')) {
            Some(rest) if !run.repo.is_empty() => rest.to_string(),
            _ => file.to_string(),
        },
    }
}

/// Shortens the path in `file:line…`.
pub fn short_place(vm: &mut Vm, place: &str) -> String {
    match place.split_once(':') {
        Some((file, rest)) => {
            let mut place = short_file(vm, file);
            place.reserve_exact(rest.len() + 1);
            place.push(':');
            place.push_str(rest);
            place
        }
        None => short_file(vm, place),
    }
}

/// Whether a shortened path is in a cookbook.
pub fn in_cookbook(vm: &mut Vm, short: &str) -> bool {
    let first = short.split('/').next().unwrap_or_default();
    short.contains('/') && run_mut(vm).cookbook_roots.iter().any(|(_, name)| name == first)
}

/// The text without the directories of cookbooks, which differ from machine to machine.
pub fn without_roots(vm: &mut Vm, text: &str) -> String {
    let mut parents: Vec<String> = run_mut(vm)
        .cookbook_roots
        .iter()
        .filter_map(|(root, _)| root.rsplit_once('/').map(|(parent, _)| format!("{parent}/")))
        .collect();
    parents.dedup();
    let mut text = crate::chef_class::without_cache(vm, text.to_string());
    for parent in parents {
        text = text.replace(&parent, "");
    }
    text
}
