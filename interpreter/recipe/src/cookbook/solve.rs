//! The solved regime's answer for a path that has one version of each cookbook: whether every constraint holds, in the words of the
//! server that Chef's local mode starts (SPEC-compile 1.3).

use super::cookbooks;
use rchef_model::gem::satisfies;
use rchef_ruby::Vm;

/// Constraints of an environment: cookbook and constraint.
pub type Limits = [(String, String)];

/// A constraint that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What the server answers.
    pub answer: String,
    /// The cookbook whose metadata has the constraint; None for the run list or the environment.
    pub dependent: Option<String>,
    /// What is asked and what is there.
    pub text: String,
}

/// The first conflict that Chef would report for the recipes (with their versions) of a run list.
pub fn conflict(vm: &mut Vm, recipes: &rchef_model::run_list::Recipes, limits: &Limits) -> Option<Conflict> {
    let all = cookbooks(vm).all.clone();
    let version_of =
        |name: &str| all.iter().find(|found| found.name == name).map(|found| found.metadata.version.as_str());
    let mut wanted: Vec<String> = Vec::new();
    for (recipe, version) in recipes.iter() {
        let name = recipe.split("::").next().unwrap_or(recipe);
        let known = version_of(name)?; // a missing cookbook has an error of its own
        if let Some(version) = version.as_ref().filter(|version| !satisfies(known, version)) {
            return Some(Conflict {
                answer: format!("No such cookbook version for cookbook {name}: {version}"),
                dependent: None,
                text: format!("the run list asks for {name} {version}, the cookbook path has {known}"),
            });
        }
        if !wanted.iter().any(|other| other == name) {
            wanted.push(name.to_string());
        }
    }
    let limited = |name: &str, known: &str| {
        let (_, limit) = limits.iter().find(|(limited, limit)| limited == name && !satisfies(known, limit))?;
        Some(Conflict {
            answer: format!("Could not satisfy version constraints for: {name}"),
            dependent: None,
            text: format!("the environment asks for {name} {limit}, the cookbook path has {known}"),
        })
    };
    let mut found = None;
    for name in &wanted {
        found = limited(name, version_of(name)?).or(found);
    }
    let mut at = 0;
    while found.is_none() && at < wanted.len() {
        let name = wanted[at].clone();
        at += 1;
        let depends = all.iter().find(|cookbook| cookbook.name == name).map(|found| found.metadata.depends.clone());
        for (dependency, constraint) in depends.unwrap_or_default() {
            let known = version_of(&dependency)?;
            if !wanted.contains(&dependency) {
                wanted.push(dependency.clone());
                found = limited(&dependency, known).or(found);
            }
            if !satisfies(known, &constraint) {
                found = Some(Conflict {
                    answer: format!("Could not satisfy version constraints for: {dependency}"),
                    dependent: Some(name.clone()),
                    text: format!("{name} depends on {dependency} {constraint}, the cookbook path has {known}"),
                });
            }
        }
    }
    found
}
