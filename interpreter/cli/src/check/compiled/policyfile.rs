//! Evaluates a Policyfile whose run lists are computed, on an overlay that shows only the current directory.

use crate::compile::machine;
use rchef_host::overlay::{OverlayHost, OverlayOptions, skeleton};
use rchef_host::{Files, RealHost};
use rchef_recipe::policyfile::Storage;
use std::rc::Rc;

/// A named run list (or the default one) of the Policyfile at a path; None if it cannot be evaluated here.
pub fn run_list(path: Option<&str>, named: Option<&str>) -> Option<Vec<String>> {
    let real = Rc::new(RealHost::new());
    let folder = real.getcwd().ok()?;
    let cwd = String::from_utf8_lossy(&folder).into_owned();
    let options = OverlayOptions {
        passthrough: vec![folder.clone()],
        cwd: Some(folder),
        env: Some(std::collections::BTreeMap::new()),
        isolated: true,
        output_to_error: true,
        ..OverlayOptions::default()
    };
    let host = OverlayHost::empty(real, &skeleton::linux(), options).ok()?;
    let mut vm = machine(Rc::new(host)).ok()?;
    vm.limits.steps = Some(10_000_000);
    let storage = Storage::new(&cwd, path).ok()?;
    let file = rchef_recipe::policyfile::evaluate(&mut vm, &storage).ok()?;
    match named {
        Some(name) => file.named_run_lists.into_iter().find(|(known, _)| known == name).map(|(_, list)| list),
        None => Some(file.run_list),
    }
}
