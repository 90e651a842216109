//! The run lists of a Policyfile that makes them by code: it is evaluated on an overlay that shows the current directory and nothing else.

use crate::compile::machine;
use rchef_host::overlay::{OverlayHost, OverlayOptions, skeleton};
use rchef_host::{Files, RealHost};
use rchef_recipe::policyfile::Storage;
use std::rc::Rc;

/// The run list of a name, or the one without a name, of the Policyfile at a path; none when the code does not evaluate here.
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
