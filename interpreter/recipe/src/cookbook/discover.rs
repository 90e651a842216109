//! Finding cookbooks and their files; chefignore (SPEC-compile 1.1).

use super::metadata::{self, Metadata};
use super::{Cookbook, cookbooks};
use crate::run::{chef_error, run_mut};
use crate::subject::{Subject, about};
use rchef_host::{FileKind, Host, compose};
use rchef_model::run_list::{Recipes, cookbook_of};
use rchef_ruby::{Res, Vm};

/// Reads the cookbooks below these directories before the process forks for runs that will discover the same directories.
///
/// # Errors
/// Two cookbooks have the same name.
pub fn ahead(vm: &mut Vm, paths: &[String]) -> Res<()> {
    discover(vm, paths)?;
    cookbooks(vm).ahead = Some(paths.to_vec());
    Ok(())
}

/// Reads every cookbook below the given directories.
pub fn discover(vm: &mut Vm, paths: &[String]) -> Res<()> {
    match cookbooks(vm).ahead.take() {
        Some(read) if read == paths => return Ok(()),
        Some(_) => {
            cookbooks(vm).all.clear();
            cookbooks(vm).broken.clear();
            run_mut(vm).cookbook_roots.clear();
        }
        None => {}
    }
    let host = vm.host.clone();
    for path in paths {
        let Ok(entries) = host.readdir(path.as_bytes()) else { continue };
        for entry in entries {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            let root = format!("{path}/{name}");
            let is_dir = host.stat(root.as_bytes()).is_ok_and(|stat| stat.is_dir());
            if !is_dir || name.starts_with('.') {
                continue;
            }
            if let Some(found) = read(vm, &name, &root)? {
                let known = cookbooks(vm).all.iter().find(|other| other.name == found.name);
                if let Some(first) = known.map(|other| other.root.clone()) {
                    let error = chef_error(
                        vm,
                        "CookbookMergingError",
                        format!(
                            "Cookbook merging is no longer supported, the cookbook named {} can only appear once in the cookbook_path",
                            found.name
                        ),
                    );
                    return Err(about(vm, error, Subject::Twice(first, found.root)));
                }
                keep(vm, found);
            }
        }
    }
    Ok(())
}

/// Lets a cookbook go by its folder's name where the run list or other cookbooks ask for that, unless the run list has the name in its metadata: a
/// local run of Chef names all cookbooks by their folders.
pub fn name_by_folder(vm: &mut Vm, recipes: &Recipes) {
    let known = cookbooks(vm);
    let listed = |name: &str| recipes.names().any(|recipe| cookbook_of(recipe) == name);
    let needs = |cookbook: &Cookbook, name: &str| cookbook.metadata.depends.iter().any(|(needed, _)| needed == name);
    let asked = |name: &str| listed(name) || known.all.iter().any(|cookbook| needs(cookbook, name));
    let mut renamed: Vec<(usize, String)> = Vec::new();
    for (index, cookbook) in known.all.iter().enumerate() {
        let folder = cookbook.root.rsplit('/').next().unwrap_or_default();
        if folder == cookbook.name {
            continue;
        }
        let is_taken =
            known.all.iter().any(|other| other.name == folder) || renamed.iter().any(|(_, other)| other == folder);
        if !is_taken && asked(folder) && !listed(&cookbook.name) {
            renamed.push((index, folder.to_string()));
        }
    }
    for (index, folder) in renamed {
        std::rc::Rc::make_mut(&mut known.all[index]).name = folder;
    }
}

/// Adds a cookbook to the run.
pub(super) fn keep(vm: &mut Vm, found: Cookbook) {
    run_mut(vm).cookbook_roots.push((found.root.clone(), found.name.clone()));
    cookbooks(vm).all.push(std::rc::Rc::new(found));
}

/// Reads one cookbook from its directory; gives whether there is one of this name.
pub fn add(vm: &mut Vm, name: &str, root: &str) -> Res<bool> {
    if !vm.host.stat(root.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
        return Ok(false);
    }
    let found = read(vm, name, root)?.filter(|found| found.name == name);
    let is_there = found.is_some();
    if let Some(found) = found {
        keep(vm, found);
    }
    Ok(is_there)
}

/// Reads one directory; None if it is not a cookbook.
pub(crate) fn read(vm: &mut Vm, dir: &str, root: &str) -> Res<Option<Cookbook>> {
    let host = vm.host.clone();
    let mut files = Vec::new();
    walk(&*host, root, "", &mut files);
    if files.is_empty() {
        return Ok(None);
    }
    let (patterns, before) = (chefignore(&*host, root), files.len());
    files.retain(|path| {
        !patterns.iter().any(|pattern| rchef_ruby::text::fnmatch::fnmatch(pattern.as_bytes(), path.as_bytes(), 0))
    });
    files.sort();
    let ignored = before - files.len();
    let (metadata, broken) = match metadata::read(vm, root, &files) {
        Ok(found) => (found, None),
        Err(error) => {
            let exception = vm.error_value(error);
            let text = vm.call(&exception, rchef_ruby::sym::MESSAGE, &[])?;
            cookbooks(vm).broken.push((dir.to_string(), exception.clone()));
            (Metadata::named(dir), Some(vm.to_s_text(&text)?))
        }
    };
    // a local server names cookbooks by their directories; a directory `NAME-VERSION` of a package tool means the cookbook NAME
    let packaged = files.iter().any(|path| path == "metadata.json");
    let versioned = dir == format!("{}-{}", metadata.name, metadata.version);
    let name =
        if metadata.name.is_empty() || (packaged && !versioned) { dir.to_string() } else { metadata.name.clone() };
    Ok(Some(Cookbook { name, root: root.to_string(), metadata, files, ignored, broken }))
}

/// All regular files below a directory, without top-level directories that begin with a dot. Symbolic links to files are included; links to
/// directories are not followed, as in Chef, since they may lead anywhere, even to a parent.
fn walk(host: &dyn Host, root: &str, below: &str, out: &mut Vec<String>) {
    let dir = if below.is_empty() { root.to_string() } else { format!("{root}/{below}") };
    let Ok(entries) = host.readdir(dir.as_bytes()) else { return };
    for entry in entries {
        let name = String::from_utf8_lossy(&entry.name).into_owned();
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        let full = format!("{root}/{path}");
        let kind = match entry.kind {
            FileKind::Unknown => host.lstat(full.as_bytes()).map_or(FileKind::Unknown, |stat| stat.kind()),
            kind => kind,
        };
        match kind {
            FileKind::Directory if below.is_empty() && name.starts_with('.') => {}
            FileKind::Directory => walk(host, root, &path, out),
            FileKind::File => out.push(path),
            FileKind::Symlink if host.stat(full.as_bytes()).is_ok_and(|stat| stat.is_file()) => out.push(path),
            _ => {}
        }
    }
}

/// The patterns in the nearest chefignore file, in the cookbook or a parent directory.
fn chefignore(host: &dyn Host, root: &str) -> Vec<String> {
    let mut dir = root;
    loop {
        let path = format!("{dir}/chefignore");
        if let Ok(bytes) = compose::read_file(host, path.as_bytes()) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(str::to_string)
                .collect();
        }
        match dir.rsplit_once('/') {
            Some((up, _)) if !up.is_empty() => dir = up,
            _ => return Vec::new(),
        }
    }
}
