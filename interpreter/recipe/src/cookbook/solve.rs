//! Whether the cookbooks of the path satisfy the constraints of the run list, the environment and the metadata (the solved regime, SPEC-compile
//! 1.3).

use super::cookbooks;
use rchef_model::run_list::{Recipes, cookbook_of};
use rchef_model::solver::{Candidate, Conflict, Problem};
use rchef_ruby::Vm;

/// The first conflict that Chef would report for a run list's recipes and an environment's constraints.
pub fn conflict(vm: &mut Vm, recipes: &Recipes, limits: &[(String, String)]) -> Option<Conflict> {
    let lenient = cookbooks(vm).lenient;
    let all = cookbooks(vm).all.clone();
    let is_there = |name: &str| !lenient || all.iter().any(|cookbook| cookbook.name == name);
    let mut asked = Recipes::default();
    for (recipe, version) in recipes.iter().filter(|(recipe, _)| is_there(cookbook_of(recipe))) {
        // the same recipes went together before
        let _ = asked.add(recipe, version);
    }
    let mut problem = Problem { recipes: asked, limits: limits.to_vec(), ..Problem::default() };
    for cookbook in &all {
        let (version, mut depends) = (cookbook.metadata.version.clone(), cookbook.metadata.depends.clone());
        // those that are missing are told by themselves, and hide no wrong version
        depends.retain(|(name, _)| is_there(name));
        problem.universe.add(&cookbook.name, Candidate { version, depends });
    }
    problem.solve().err()?.conflict
}
