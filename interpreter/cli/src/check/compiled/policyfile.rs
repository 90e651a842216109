//! Evaluates a Policyfile whose run lists are computed, on an overlay that shows only the current directory.

use super::evaluator::evaluator;
use rchef_host::Environment;
use rchef_recipe::policyfile::Storage;

/// A named run list (or the default one) of the Policyfile at a path; None if it cannot be evaluated here.
pub fn run_list(path: Option<&str>, named: Option<&str>) -> Option<Vec<String>> {
    let (mut vm, cwd) = evaluator(Some(Environment::new())).ok()?;
    let storage = Storage::new(&cwd, path).ok()?;
    let file = rchef_recipe::policyfile::evaluate(&mut vm, &storage).ok()?;
    match named {
        Some(name) => file.named_run_lists.into_iter().find(|(known, _)| known == name).map(|(_, list)| list),
        None => Some(file.run_list),
    }
}
