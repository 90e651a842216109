//! `remote_directory`: a directory with the files of a directory in a cookbook.
//!
//! The directory itself is created as by `directory`. The files and subdirectories are resources of their own that are run directly one after the
//! other, as in Chef: they print their own output and notify nobody.

use super::directory::{self, Directory};
use super::support::*;
use rchef_change::{Assertion, Change, State};
use rchef_host::{DirEntry, Host, compose, files};
use rchef_recipe::run::run_mut;
use rchef_ruby::{Res, Value, Vm, sym};
use std::collections::BTreeSet;

pub(crate) struct RemoteDirectory;

/// What a `remote_directory` asks for.
pub(crate) struct Desired {
    directory: directory::Desired,
    /// True for the create actions, false for `:delete`.
    fill: bool,
    /// Leave existing files alone (`:create_if_missing`).
    only_missing: bool,
}

impl Provider for RemoteDirectory {
    type Desired = Desired;
    type Current = directory::Current;
    const ACTIONS: &'static [&'static str] = &["create", "create_if_missing", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let fill = action != "delete";
        let only_missing = action == "create_if_missing" || !flag(vm, resource, "overwrite")?;
        let directory = Directory::read(vm, resource, if fill { "create" } else { "delete" })?;
        Ok(Desired { directory, fill, only_missing })
    }
    fn load(desired: &Desired, host: &dyn Host) -> Looked<directory::Current> {
        Directory::load(&desired.directory, host)
    }
    fn requirements(desired: &Desired, current: &directory::Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        Directory::requirements(&desired.directory, current, host)
    }
    fn plan(desired: &Desired, current: &directory::Current, host: &dyn Host) -> Looked<Vec<Change>> {
        Directory::plan(&desired.directory, current, host)
    }
    fn state(desired: &Desired, current: &directory::Current, host: &dyn Host) -> Vec<(&'static str, State)> {
        Directory::state(&desired.directory, current, host)
    }
    fn reported(desired: &Desired, host: &dyn Host) -> Vec<(&'static str, State)> {
        Directory::reported(&desired.directory, host)
    }
    fn after(vm: &mut Vm, resource: &Value, desired: &Desired) -> Res<()> {
        if !desired.fill {
            return Ok(());
        }
        let tree = Tree::read(vm, resource, desired.only_missing)?;
        for file in tree.files(vm, resource)? {
            tree.transfer(vm, resource, &file)?;
        }
        if flag(vm, resource, "purge")? { tree.purge(vm, resource) } else { Ok(()) }
    }
}

/// The source and the destination of the transfer.
struct Tree {
    path: String,
    source: String,
    cookbook: Value,
    only_missing: bool,
}

impl Tree {
    fn read(vm: &mut Vm, resource: &Value, only_missing: bool) -> Res<Tree> {
        let cookbook = super::cookbook_file::cookbook_of(vm, resource)?;
        let (path, source) = (text(vm, resource, "path")?, text(vm, resource, "source")?);
        Ok(Tree { path, source, cookbook: Value::str(cookbook), only_missing })
    }

    /// The files below the source, those at the least depth first.
    fn files(&self, vm: &mut Vm, resource: &Value) -> Res<Vec<String>> {
        let context = get(vm, resource, "run_context")?;
        let collection = vm.call_name(&context, "cookbook_collection", &[])?;
        let cookbook = vm.call(&collection, sym::AREF, std::slice::from_ref(&self.cookbook))?;
        let node = run_mut(vm).node.clone();
        let args = [node, Value::sym("files"), Value::str(&self.source)];
        let found = vm.call_name(&cookbook, "relative_filenames_in_preferred_directory", &args)?;
        let mut names = Vec::new();
        for name in vm.to_array(&found)? {
            names.push(vm.to_s_text(&name)?);
        }
        names.sort_by_key(|name| name.matches('/').count());
        Ok(names)
    }

    fn transfer(&self, vm: &mut Vm, resource: &Value, file: &str) -> Res<()> {
        let target = format!("{}/{file}", self.path.trim_end_matches('/'));
        let folder = lossy(files::dirname(target.as_bytes()));
        if !on(vm, |host| Ok(host.stat(folder.as_bytes()).is_ok_and(|stat| stat.is_dir())))? {
            let mut properties = vec![("cookbook_name=", self.cookbook.clone())];
            for name in ["mode", "group", "owner"] {
                let value = get(vm, resource, name)?;
                if value.truthy() {
                    properties.push((name, value));
                }
            }
            properties.push(("recursive", Value::True));
            run_resource(vm, resource, ("Directory", &folder), &properties, "create")?;
        }
        let mut properties = vec![
            ("cookbook_name=", self.cookbook.clone()),
            ("sensitive", get(vm, resource, "sensitive")?),
            ("source", Value::str(format!("{}/{file}", self.source))),
        ];
        for (name, from) in
            [("mode", "files_mode"), ("group", "files_group"), ("owner", "files_owner"), ("backup", "files_backup")]
        {
            let value = get(vm, resource, from)?;
            if value.truthy() {
                properties.push((name, value));
            }
        }
        let action = if self.only_missing { "create_if_missing" } else { "create" };
        run_resource(vm, resource, ("CookbookFile", &target), &properties, action)
    }

    /// Deletes what the cookbook does not have, deepest paths first.
    fn purge(&self, vm: &mut Vm, resource: &Value) -> Res<()> {
        let path = self.path.trim_end_matches('/').to_string();
        let mut managed = BTreeSet::new();
        for file in self.files(vm, resource)? {
            let mut at = format!("{path}/{file}");
            while at.len() > path.len() {
                let up = lossy(files::dirname(at.as_bytes()));
                managed.insert(std::mem::replace(&mut at, up));
            }
        }
        let mut found = on(vm, |host| below(host, path.as_bytes()))?;
        found.sort();
        for (path, is_dir) in found.into_iter().rev() {
            if !managed.contains(&path) {
                let class = if is_dir { "Directory" } else { "File" };
                run_resource(vm, resource, (class, &path), &[], "delete")?;
            }
        }
        Ok(())
    }
}

/// All paths below a directory, each with whether it is a directory; symbolic links are not followed.
fn below(host: &dyn Host, path: &[u8]) -> rchef_host::Result<Vec<(String, bool)>> {
    let mut found = Vec::new();
    let mut work = vec![path.to_vec()];
    while let Some(folder) = work.pop() {
        if !compose::stat_opt(host, &folder)?.is_some_and(|stat| stat.is_dir()) {
            continue;
        }
        for DirEntry { name, kind } in host.readdir(&folder)? {
            let path = files::join(&folder, &name);
            let is_dir = kind == rchef_host::FileKind::Directory;
            found.push((lossy(&path), is_dir));
            if is_dir {
                work.push(path);
            }
        }
    }
    Ok(found)
}
