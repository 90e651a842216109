//! `rchef policy export`: a chef-repo, or an archive of one, with a lock and exactly its cookbooks. Contents and layout are those of chef-cli's
//! `export`, so that either client can run it.

use super::{Export, Work, show};
use crate::diagnostic;
use rchef_host::{CommandSpec, Files, compose};
use rchef_model::policyfile as rules;
use rchef_recipe::policyfile::identity::{self, Checkouts};
use rchef_recipe::policyfile::{Failure, Place, Storage};
use serde_json::{Value as Json, json};

/// Entries of the directory that an export replaces.
const PARTS: [&str; 6] =
    ["cookbook_artifacts", "policies", "policy_groups", ".chef", "Policyfile.lock.json", "README.md"];
/// The hint for a lock that cannot be renewed.
const SOLVE: &str = "hint: `rchef policy update` solves the policy anew";

fn refused<T>(text: String) -> Result<T, Failure> {
    Err(Failure::Refused(text))
}

fn failed(path: &str) -> impl Fn(rchef_host::HostError) -> Failure + '_ {
    move |error| Failure::Refused(format!("{path}: {}", error.message()))
}

pub(super) fn run(work: &mut Work, given: &Export) -> Result<(), Failure> {
    let (file, directory) = match given.given.as_slice() {
        [directory] => (None, directory),
        [file, directory, ..] => (Some(file.as_str()), directory),
        [] => return refused("where to?".into()),
    };
    let storage = work.storage(file)?;
    let directory = crate::input::config::absolute(&work.cwd, directory);
    let (lock, places) = renewed(work, &storage)?;
    if !given.archive && !given.force {
        check_clean(work, &directory)?;
    }
    let host = work.real.clone();
    compose::create_dir_all(&*host, directory.as_bytes(), 0o755).map_err(failed(&directory))?;
    let staging =
        compose::temp_subdir(&*host, directory.as_bytes(), b".rchef-export-", b"").map_err(failed(&directory))?;
    let staging = String::from_utf8_lossy(&staging).into_owned();
    let done = fill(work, &lock, &places, &given.group, &staging).and_then(|()| {
        if given.archive { archive(work, &lock, &directory, &staging) } else { put(work, &directory, &staging) }
    });
    let cleared = compose::remove_dir_all(&*host, staging.as_bytes());
    let written = done?;
    cleared.map_err(failed(&staging))?;
    diagnostic::print(&format!("Exported policy '{}' to {written}\n", lock["name"].as_str().unwrap_or_default()));
    if !given.archive {
        diagnostic::print(&format!(
            "\nTo converge this system with the exported policy, run:\n  cd {written}\n  rchef client -z\n"
        ));
    }
    Ok(())
}

/// Updates the lock for changed cookbooks of path sources, and writes it. Gives the lock and the places of the cookbooks.
fn renewed(work: &mut Work, storage: &Storage) -> Result<(Json, Vec<(String, Place)>), Failure> {
    let mut lock = work.lock(storage)?;
    let (mut places, mut changed) = (Vec::new(), Vec::new());
    for show::State { name, version, found, .. } in show::states(work, storage, &lock)? {
        let entry = &mut lock["cookbook_locks"][&name];
        let place = found.or_else(|why| refused(format!("cookbook {name} {version}: {why}")))?;
        if entry["identifier"] != place.identifier {
            if !entry["cache_key"].is_null() {
                return refused(format!(
                    "Cached cookbook `{name}' ({version}) has been modified since the lockfile was generated. Cached cookbooks cannot be modified."
                ));
            }
            let now = &place.cookbook.metadata.version;
            if entry["version"] != *now {
                return refused(format!("cookbook {name} is {now} now, the lock has {version}\n{SOLVE}"));
            }
            entry["dotted_decimal_identifier"] = rules::dotted(&place.identifier).into();
            entry["identifier"] = place.identifier.as_str().into();
            changed.push(places.len());
        }
        places.push((name, place));
    }
    for (name, place) in changed.iter().map(|at: &usize| &places[*at]) {
        let renewed = rules::renew_dependencies(&mut lock, name, &place.cookbook.metadata.depends);
        renewed.or_else(|why| refused(format!("cookbook {name} has changed: {why}\n{SOLVE}")))?;
    }
    if !changed.is_empty() {
        let mut checkouts = Checkouts::default();
        for (name, place) in &places {
            let entry = &mut lock["cookbook_locks"][name];
            if entry["cache_key"].is_null() {
                entry["scm_info"] = checkouts.scm_info(&*work.real, &place.cookbook.root);
            }
        }
        lock["revision_id"] = identity::revision(&lock).into();
        work.write(&storage.lock, &rules::pretty(&lock))?;
        diagnostic::print(&format!("Updated {}: cookbooks have changed since it was made\n", storage.lock));
    }
    Ok((lock, places))
}

fn check_clean(work: &Work, directory: &str) -> Result<(), Failure> {
    let mut found = Vec::new();
    for part in &PARTS[..3] {
        let path = format!("{directory}/{part}");
        let entries = work.real.readdir(path.as_bytes()).unwrap_or_default();
        found.extend(entries.iter().map(|entry| format!("{path}/{}", String::from_utf8_lossy(&entry.name))));
    }
    let lock = format!("{directory}/Policyfile.lock.json");
    if compose::exists(&*work.real, lock.as_bytes()) {
        found.push(lock);
    }
    match found.is_empty() {
        true => Ok(()),
        false => refused(format!(
            "Export dir ({directory}) not clean. Refusing to export. (Conflicting files: {})\nhint: --force replaces them",
            found.join(", ")
        )),
    }
}

/// Writes the export into the staging directory.
fn fill(work: &Work, lock: &Json, places: &[(String, Place)], group: &str, staging: &str) -> Result<(), Failure> {
    let host = work.real.clone();
    for (name, place) in places {
        let target = format!("{staging}/cookbook_artifacts/{name}-{}", place.identifier);
        for path in place.cookbook.files.iter().filter(|path| *path != "metadata.rb") {
            let to = format!("{target}/{path}");
            let folder = to.rsplit_once('/').map_or(target.as_str(), |(folder, _)| folder);
            compose::create_dir_all(&*host, folder.as_bytes(), 0o755).map_err(failed(folder))?;
            let from = format!("{}/{path}", place.cookbook.root);
            compose::copy(&*host, from.as_bytes(), to.as_bytes()).map_err(failed(&from))?;
        }
        compose::create_dir_all(&*host, target.as_bytes(), 0o755).map_err(failed(&target))?;
        let mut metadata = place.cookbook.metadata.to_json();
        metadata["name"] = name.as_str().into();
        plain(work, &format!("{target}/metadata.json"), &rules::pretty(&metadata))?;
    }
    let (name, revision) =
        (lock["name"].as_str().unwrap_or_default(), lock["revision_id"].as_str().unwrap_or_default());
    let text = rules::pretty(lock);
    plain(work, &format!("{staging}/policies/{name}-{revision}.json"), &text)?;
    plain(work, &format!("{staging}/Policyfile.lock.json"), &text)?;
    let groups = json!({ "policies": { name: { "revision_id": revision } } });
    plain(work, &format!("{staging}/policy_groups/{group}.json"), &rules::pretty(&groups))?;
    plain(work, &format!("{staging}/.chef/config.rb"), &configuration(name, group))?;
    plain(work, &format!("{staging}/README.md"), &readme(name, revision))
}

fn plain(work: &Work, path: &str, text: &str) -> Result<(), Failure> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    compose::create_dir_all(&*work.real, folder.as_bytes(), 0o755).map_err(failed(folder))?;
    compose::write_file(&*work.real, path.as_bytes(), text.as_bytes(), 0o644).map_err(failed(path))
}

fn configuration(name: &str, group: &str) -> String {
    format!(
        "# The policy that a client runs which is called in this directory: rchef client -z, or chef-client -z (12.7 or later)\npolicy_name '{name}'\npolicy_group '{group}'\n\nuse_policyfile true\npolicy_document_native_api true\n"
    )
}

fn readme(name: &str, revision: &str) -> String {
    format!(
        "# The policy {name}, exported\n\nRevision: {revision}\n\nRun it in this directory, as a user who may change the machine: `rchef client -z`, or `chef-client -z`.\n\n- `cookbook_artifacts/`: the cookbooks, each with the identifier of its contents\n- `policies/`, `policy_groups/`: the lock, and which of its revisions a group uses\n- `Policyfile.lock.json`: the lock again, for `chef push-archive`\n- `.chef/config.rb`: names the policy and its group\n"
    )
}

/// Moves the export from the staging directory to its place.
fn put(work: &mut Work, directory: &str, staging: &str) -> Result<String, Failure> {
    let host = work.real.clone();
    for part in PARTS {
        let target = format!("{directory}/{part}");
        if let Ok(stat) = host.lstat(target.as_bytes()) {
            let removed = match stat.is_dir() {
                true => compose::remove_dir_all(&*host, target.as_bytes()),
                false => host.unlink(target.as_bytes()),
            };
            removed.map_err(failed(&target))?;
        }
        host.rename(format!("{staging}/{part}").as_bytes(), target.as_bytes()).map_err(failed(&target))?;
    }
    Ok(directory.to_string())
}

/// Packs the export.
fn archive(work: &mut Work, lock: &Json, directory: &str, staging: &str) -> Result<String, Failure> {
    let name = lock["name"].as_str().unwrap_or_default();
    let path = format!("{directory}/{name}-{}.tgz", lock["revision_id"].as_str().unwrap_or_default());
    let spec = CommandSpec::argv(["tar", "-czf", &path, "--owner=0", "--group=0", "-C", staging, "."]).captured();
    let done = rchef_host::processes::run(&*work.real, &spec);
    let done = done.map_err(|error| Failure::Refused(format!("tar cannot be run: {}", error.message())))?;
    match done.status.success() {
        true => Ok(path),
        false => refused(format!("{path}: {}", String::from_utf8_lossy(&done.stderr).trim_end())),
    }
}
