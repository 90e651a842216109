//! Whether the cookbooks of the path satisfy the constraints of the run list, the environment and the metadata (the solved regime, SPEC-compile
//! 1.3).

use super::cookbooks;
use rchef_model::run_list::Recipes;
use rchef_model::solver::{Candidate, Conflict, Problem};
use rchef_ruby::Vm;

/// The first conflict that Chef would report for a run list's recipes and an environment's constraints.
pub fn conflict(vm: &mut Vm, recipes: &Recipes, limits: &[(String, String)]) -> Option<Conflict> {
    let mut problem = Problem { recipes: recipes.clone(), limits: limits.to_vec(), ..Problem::default() };
    for cookbook in &cookbooks(vm).all {
        let (version, depends) = (cookbook.metadata.version.clone(), cookbook.metadata.depends.clone());
        problem.universe.add(&cookbook.name, Candidate { version, depends });
    }
    problem.solve().err()?.conflict
}
