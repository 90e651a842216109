//! `include_policy`: the locks of other policies.

use super::{Failure, Storage, below, read_lock, refused, relative};
use rchef_host::{Host, compose};
use rchef_model::policyfile::{Included, IncludedLock, Policyfile};
use serde_json::{Map, Value as Json};

/// The locks of the included policies, in order.
pub(super) fn read(host: &dyn Host, storage: &Storage, file: &Policyfile) -> Result<Vec<IncludedLock>, Failure> {
    file.included.iter().map(|policy| one(host, storage, policy)).collect()
}

fn one(host: &dyn Host, storage: &Storage, policy: &Included) -> Result<IncludedLock, Failure> {
    let Included { name, options } = policy;
    let path = options.get("path").and_then(Json::as_str);
    let Some(path) = path.filter(|_| !options.contains_key("git")) else {
        let given: Vec<&String> = options.keys().collect();
        return match given.iter().any(|key| ["git", "remote", "server"].contains(&key.as_str())) {
            true => refused(format!(
                "include_policy '{name}' comes from elsewhere ({}), and rchef fetches no locks\nhint: put the lock beside the Policyfile and say `include_policy '{name}', path: '{name}.lock.json'`",
                given.iter().map(|key| key.as_str()).collect::<Vec<_>>().join(", ")
            )),
            false => refused("include_policy must use one of the following sources: path, remote, server, git"),
        };
    };
    let mut place = below(&storage.folder, path);
    if host.stat(place.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
        place = format!("{place}/{name}.lock.json");
    }
    if !compose::exists(host, place.as_bytes()) {
        return refused(format!(
            "include_policy '{name}': there is no lock at {place}\nhint: `rchef policy install` in that policy's folder makes it"
        ));
    }
    let mut lock = read_lock(host, &place).map_err(Failure::Refused)?;
    let revision = lock["revision_id"].as_str().unwrap_or_default();
    if let Some(asked) = options.get("policy_revision_id").and_then(Json::as_str)
        && !revision.starts_with(asked)
    {
        return refused(format!(
            "Expected policy_revision_id {asked} does not match included_policy revision_id {revision}"
        ));
    }
    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder).to_string();
    for (_, cookbook) in lock["cookbook_locks"].as_object_mut().into_iter().flatten() {
        // without options, an entry only has its `source`
        let has_options = cookbook["source_options"].as_object().is_some_and(|options| !options.is_empty());
        let path = if has_options { &cookbook["source_options"]["path"] } else { &cookbook["source"] };
        if let Some(path) = path.as_str() {
            let seen = relative(&storage.folder, &below(&folder, path));
            if !has_options {
                cookbook["source_options"] = Json::Object(Map::new());
            }
            cookbook["source_options"]["path"] = seen.into();
        }
    }
    Ok(IncludedLock { name: name.clone(), options: Json::Object(options.clone()), lock })
}
