//! The caches of Berkshelf and chef-cli, where each directory `NAME-VERSION…` is one version of a cookbook. Cookbooks that the chef-repo does not
//! have are taken from there.

use super::discover;
use super::{Cookbook, cookbooks};
use rchef_model::run_list::Recipes;
use rchef_model::solver::{Candidate, Problem};
use rchef_ruby::{Res, Vm};

/// The versions of a cookbook in the caches.
fn versions(vm: &mut Vm, caches: &[String], name: &str) -> Res<Vec<Cookbook>> {
    let host = vm.host.clone();
    let start = format!("{name}-");
    let mut found: Vec<Cookbook> = Vec::new();
    for cache in caches {
        let Ok(entries) = host.readdir(cache.as_bytes()) else { continue };
        let mut dirs: Vec<String> =
            entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
        dirs.retain(|dir| dir.starts_with(&start));
        dirs.sort();
        for dir in dirs {
            let Some(mut cookbook) = discover::read(vm, &dir, &format!("{cache}/{dir}"))? else { continue };
            let known = found.iter().any(|known| known.metadata.version == cookbook.metadata.version);
            if cookbook.broken.is_none() && cookbook.metadata.name == name && !known {
                cookbook.name = name.to_string();
                found.push(cookbook);
            }
        }
    }
    Ok(found)
}

/// Adds the cookbooks that the run list reaches but the cookbook path does not have: of each the newest version that satisfies all constraints. If
/// there is no solution, it takes the newest of each, and the version check reports the conflict.
pub fn complete(vm: &mut Vm, caches: &[String], recipes: &Recipes, limits: &[(String, String)]) -> Res<()> {
    if caches.is_empty() {
        return Ok(());
    }
    let mut problem = Problem { recipes: recipes.clone(), limits: limits.to_vec(), ..Problem::default() };
    let local = cookbooks(vm).all.clone();
    let candidate = |cookbook: &Cookbook| Candidate {
        version: cookbook.metadata.version.clone(),
        depends: cookbook.metadata.depends.clone(),
    };
    for cookbook in &local {
        problem.universe.add(&cookbook.name, candidate(cookbook));
    }
    let mut wanted: Vec<String> = recipes.names().map(|name| rchef_model::run_list::cookbook_of(name).into()).collect();
    let mut cached: Vec<Cookbook> = Vec::new();
    let mut at = 0;
    while let Some(name) = wanted.get(at).cloned() {
        at += 1;
        let known = local.iter().find(|cookbook| cookbook.name == name);
        let depends: Vec<String> = match known {
            Some(cookbook) => cookbook.metadata.depends.iter().map(|(name, _)| name.clone()).collect(),
            None => {
                let found = versions(vm, caches, &name)?;
                let depends = found.iter().flat_map(|cookbook| &cookbook.metadata.depends);
                let depends = depends.map(|(name, _)| name.clone()).collect();
                for cookbook in found {
                    problem.universe.add(&name, candidate(&cookbook));
                    cached.push(cookbook);
                }
                depends
            }
        };
        for name in depends {
            if !wanted.contains(&name) {
                wanted.push(name);
            }
        }
    }
    if cached.is_empty() {
        return Ok(());
    }
    let chosen = problem.solve().ok();
    cached.sort_by_key(|cookbook| {
        (cookbook.name.clone(), std::cmp::Reverse(rchef_model::gem::Version::parse(&cookbook.metadata.version)))
    });
    for cookbook in cached {
        let fits = match &chosen {
            Some(chosen) => chosen.get(&cookbook.name) == Some(&cookbook.metadata.version),
            None => !cookbooks(vm).all.iter().any(|known| known.name == cookbook.name),
        };
        if fits {
            discover::keep(vm, cookbook);
        }
    }
    Ok(())
}
