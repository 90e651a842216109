//! Whether the cookbooks of the path satisfy the constraints of the run list, the environment and the metadata (the solved regime, SPEC-compile
//! 1.3).

use super::cookbooks;
use rchef_model::run_list::{Recipes, cookbook_of};
use rchef_model::solver::{Candidate, Conflict, Problem};
use rchef_ruby::Vm;
use rustc_hash::FxHashSet as HashSet;

/// The first conflict that Chef would report for a run list's recipes and an environment's constraints.
pub fn conflict(vm: &mut Vm, recipes: &Recipes, limits: &[(String, String)]) -> Option<Conflict> {
    let known = cookbooks(vm);
    // those that are missing are told by themselves, and hide no wrong version
    let names: Option<HashSet<&str>> =
        known.lenient.then(|| known.all.iter().map(|cookbook| cookbook.name.as_str()).collect());
    let is_there = |name: &str| names.as_ref().is_none_or(|names| names.contains(name));
    let recipes = recipes.only(|recipe| is_there(cookbook_of(recipe)));
    let mut problem = Problem { recipes, limits: limits.to_vec(), ..Problem::default() };
    for cookbook in &known.all {
        let depends = cookbook.metadata.depends.iter().filter(|(name, _)| is_there(name)).cloned().collect();
        problem.universe.add(&cookbook.name, Candidate { version: cookbook.metadata.version.clone(), depends });
    }
    problem.solve().err()?.conflict
}
