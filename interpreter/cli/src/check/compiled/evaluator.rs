//! A machine for the Ruby code of configuration files: an overlay that shows only the current directory, and a limit of steps.

use crate::compile::machine;
use rchef_host::overlay::{OverlayHost, OverlayOptions, skeleton};
use rchef_host::{Environment, Files, RealHost};
use rchef_ruby::Vm;
use std::rc::Rc;

/// Maximum number of steps of Ruby code.
const MOST: u64 = 10_000_000;

/// The machine, with the caller's environment or `environment`, and the current directory.
///
/// # Errors
/// The reason why there is none.
pub fn evaluator(environment: Option<Environment>) -> Result<(Vm, String), String> {
    let real = Rc::new(RealHost::new());
    let folder = real.getcwd().map_err(|error| error.message())?;
    let cwd = String::from_utf8_lossy(&folder).into_owned();
    let options = OverlayOptions {
        passthrough: vec![folder.clone()],
        cwd: Some(folder),
        env: environment,
        isolated: true,
        output_to_error: true,
        ..OverlayOptions::default()
    };
    let host = OverlayHost::empty(real, &skeleton::linux(), options).map_err(|error| error.message())?;
    let mut vm = machine(Rc::new(host))?;
    vm.limits.steps = Some(MOST);
    Ok((vm, cwd))
}
