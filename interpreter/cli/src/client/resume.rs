//! `client --resume`: continues at the resource of the recipes at which the last run failed.

use super::Prepared;
use super::plan::targets;
use super::save::PRIVATE;
use rchef_host::compose;
use rchef_recipe::context;
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::{Res, Vm};
use serde_json::{Value as Json, json};

fn file(prepared: &Prepared) -> String {
    prepared.note("failed-resource", "json")
}

/// Whether this run is one that `--resume` continues: it makes changes, and of more than the resources of `--only`.
fn counts(vm: &mut Vm, prepared: &Prepared) -> bool {
    converge_mut(vm).mode == ActionMode::Converge && prepared.run.only.is_empty()
}

/// Stores where a run failed, for a later one. A failure before the first resource stores nothing.
pub fn note(vm: &mut Vm, prepared: &Prepared) {
    if !counts(vm, prepared) {
        return;
    }
    let Some((place, resource)) = converge_mut(vm).reached.clone() else { return };
    let Ok(key) = context::declared_key(vm, &resource) else { return };
    let host = vm.host.clone();
    let text = json!({"place": place, "resource": key}).to_string();
    // failing to store it does not fail the run again
    let _ = compose::atomic_write(&*host, file(prepared).as_bytes(), text.as_bytes(), PRIVATE);
}

/// After a successful run: removes the stored place.
pub fn forget(vm: &mut Vm, prepared: &Prepared) {
    if counts(vm, prepared) {
        let _ = vm.host.clone().unlink(file(prepared).as_bytes());
    }
}

/// Starts the run at the resource at which the last one failed.
///
/// # Errors
/// No run has failed, or the run no longer has that resource.
pub fn choose(vm: &mut Vm, prepared: &Prepared) -> Res<()> {
    let path = file(prepared);
    let host = vm.host.clone();
    let known: Option<Json> =
        compose::read_file(&*host, path.as_bytes()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let key = known.as_ref().and_then(|known| known["resource"].as_str()).map(str::to_string);
    let (Some(known), Some(key)) = (known, key) else {
        return Err(vm.runtime_error(format!("--resume: no run has failed at a resource ({path} is not there)")));
    };
    let place = known["place"].as_u64().and_then(|place| usize::try_from(place).ok()).unwrap_or(0);
    targets::from(vm, place, &key)
}
