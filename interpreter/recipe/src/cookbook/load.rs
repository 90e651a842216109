//! Loads the files of the cookbooks that a run list reaches, type by type (SPEC-compile 1.4, 1.5).

use super::{Cookbook, Loaded, cookbooks, get, in_run, versions};
use crate::events::emit;
use crate::run::{chef_error, process_mut, run_mut};
use crate::subscribers::{self, Kind, file, tell, tell_plain};
use rchef_host::compose;
use rchef_model::gem;
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::{Res, Value, Vm};

/// The cookbooks of these recipes and their dependencies, dependencies first.
pub fn order(vm: &mut Vm, recipes: &[String]) -> Res<Vec<String>> {
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    for recipe in recipes {
        let name = recipe.split("::").next().unwrap_or(recipe).to_string();
        visit(vm, &name, &mut seen, &mut found)?;
    }
    Ok(found)
}
fn visit(vm: &mut Vm, name: &str, seen: &mut Vec<String>, found: &mut Vec<String>) -> Res<()> {
    if seen.iter().any(|known| known == name) {
        return Ok(());
    }
    seen.push(name.to_string());
    let cookbook = get(vm, name)?;
    let mut depends: Vec<String> = cookbook.metadata.depends.iter().map(|(name, _)| name.clone()).collect();
    depends.sort();
    for dependency in depends {
        let known = cookbooks(vm);
        if known.lenient && !known.all.iter().any(|cookbook| cookbook.name == dependency) {
            continue;
        }
        visit(vm, &dependency, seen, found)?;
    }
    found.push(name.to_string());
    Ok(())
}

fn check_chef_versions(vm: &mut Vm, order: &[String]) -> Res<()> {
    for name in order {
        let cookbook = get(vm, name)?;
        let lists = &cookbook.metadata.chef_versions;
        if !cookbook.metadata.runs_on(crate::process::CHEF_VERSION) {
            let shown: Vec<String> = lists.iter().map(|list| format!("{:?}", gem::requirements(list))).collect();
            return Err(chef_error(
                vm,
                "CookbookChefVersionMismatch",
                format!(
                    "Cookbook '{name}' version '{}' depends on Chef Infra Client version {}, but the running Chef Infra Client version is {}",
                    cookbook.metadata.version,
                    shown.join(", "),
                    crate::process::CHEF_VERSION
                ),
            ));
        }
    }
    Ok(())
}

fn read(vm: &mut Vm, path: &str) -> Res<Vec<u8>> {
    let host = vm.host.clone();
    compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))
}
fn note(vm: &mut Vm, kind: &'static str, cookbook: &Cookbook, path: &str) {
    let via = super::here(vm);
    let (cookbook, path) = (cookbook.name.clone(), path.to_string());
    cookbooks(vm).loaded.push(Loaded { kind, cookbook, path, via, defines: Vec::new() });
}
/// Records the names that the last loaded file defined.
fn defined(vm: &mut Vm, names: Vec<String>) {
    if let Some(last) = cookbooks(vm).loaded.last_mut() {
        last.defines = names;
    }
}
/// The names of classes and modules created since their number was `before`.
fn classes_since(vm: &Vm, before: u64) -> Vec<String> {
    let mut names: Vec<String> = (before..vm.class_count())
        .map(rchef_ruby::ClassId)
        .filter(|id| !vm.class(*id).is_singleton())
        .map(|id| vm.class_name(id))
        .filter(|name| !name.starts_with("#<"))
        .collect();
    names.sort();
    names.dedup();
    names
}
fn files(cookbook: &Cookbook, prefix: &str) -> Vec<String> {
    cookbook.files.iter().filter(|path| path.starts_with(prefix) && path.ends_with(".rb")).cloned().collect()
}

/// Emits the events about the cookbooks in use and their gems.
fn tell_used(vm: &mut Vm, order: &[String]) -> Res<()> {
    emit(vm, |sink, vm| sink.cookbook_sync_start(vm, order.len()));
    let mut names = order.to_vec();
    names.sort();
    for name in &names {
        let version = get(vm, name)?.metadata.version.clone();
        emit(vm, |sink, vm| sink.synchronized_cookbook(vm, name, &version));
    }
    super::own_folder::fill(vm)?;
    emit(vm, |sink, vm| sink.cookbook_sync_complete(vm));
    emit(vm, |sink, vm| sink.cookbook_gem_start(vm, &[]));
    emit(vm, |sink, vm| sink.cookbook_gem_finished(vm));
    Ok(())
}

/// Loads everything except recipes from the cookbooks of these recipes.
pub fn load_all(vm: &mut Vm, recipes: &[String]) -> Res<()> {
    emit(vm, |sink, vm| sink.cookbook_resolution_start(vm, recipes));
    let order = match order(vm, recipes) {
        Ok(order) => order,
        Err(error) => {
            if let Some(exception) = error.exception().cloned() {
                emit(vm, |sink, vm| sink.cookbook_resolution_failed(vm, recipes, &exception));
            }
            return Err(error);
        }
    };
    tell(vm, "cookbook_resolution_complete", |vm| Ok(vec![super::collection_value(vm)?]))?;
    tell_used(vm, &order)?;
    for name in &order {
        for gem in get(vm, name)?.metadata.gems.iter().filter_map(|gem| gem.first()) {
            rchef_stdlib::declare_gem(vm, gem);
        }
    }
    subscribers::raised(vm)?;
    cookbooks(vm).order = order.clone();
    check_chef_versions(vm, &order)?;
    note_versions(vm)?;
    emit(vm, |sink, vm| sink.library_load_start(vm, order.len()));
    let root = run_mut(vm).root.clone();
    tell(vm, "cookbook_compilation_start", |_| Ok(vec![root]))?;
    told(vm, "library_load_start", "library_load_complete", &["libraries/"], &order, |vm| {
        order.iter().try_for_each(|name| libraries(vm, name))
    })?;
    told(vm, "ohai_plugin_load_start", "ohai_plugin_load_complete", &["ohai/"], &order, crate::ohai::of_cookbooks)?;
    told(vm, "attribute_load_start", "attribute_load_complete", &["attributes/"], &order, |vm| {
        order.iter().try_for_each(|name| attributes(vm, name))
    })?;
    told(vm, "lwrp_load_start", "lwrp_load_complete", &["resources/", "providers/"], &order, |vm| {
        if cookbooks(vm).chef19_order {
            return order.iter().try_for_each(|name| providers(vm, name).and_then(|()| resources(vm, name)));
        }
        order.iter().try_for_each(|name| resources(vm, name))?;
        order.iter().try_for_each(|name| providers(vm, name))
    })?;
    told(vm, "definition_load_start", "definition_load_complete", &["definitions/"], &order, |vm| {
        order.iter().try_for_each(|name| definitions(vm, name))
    })
}

/// Runs `load` between two events; the first carries the number of files.
fn told(
    vm: &mut Vm,
    start: &'static str,
    end: &'static str,
    folders: &[&str],
    order: &[String],
    load: impl FnOnce(&mut Vm) -> Res<()>,
) -> Res<()> {
    tell(vm, start, |vm| Ok(vec![Value::len(count(vm, folders, order)?)]))?;
    load(vm)?;
    tell_plain(vm, end)
}

/// The number of Ruby files in some folders of cookbooks.
pub(super) fn count(vm: &mut Vm, folders: &[&str], order: &[String]) -> Res<usize> {
    let mut count = 0;
    for name in order {
        let cookbook = get(vm, name)?;
        count += folders.iter().map(|folder| files(&cookbook, folder).len()).sum::<usize>();
    }
    Ok(count)
}

/// The folders of a part of cookbooks.
pub(super) fn folders(part: &str) -> &'static [&'static str] {
    match part {
        "libraries" => &["libraries/"],
        "attributes" => &["attributes/"],
        "lwrps" => &["resources/", "providers/"],
        "definitions" => &["definitions/"],
        _ => &[],
    }
}

/// Loads one part of one cookbook.
pub(super) fn part(vm: &mut Vm, part: &str, name: &str) -> Res<()> {
    match part {
        "libraries" => libraries(vm, name),
        "attributes" => attributes(vm, name),
        "lwrps" => resources(vm, name).and_then(|()| providers(vm, name)),
        "definitions" => definitions(vm, name),
        _ => Ok(()),
    }
}

/// Loads a cookbook's custom resources; files that begin with an underscore are partials.
fn resources(vm: &mut Vm, name: &str) -> Res<()> {
    let cookbook = get(vm, name)?;
    for path in files(&cookbook, "resources/") {
        let base = path.rsplit('/').next().unwrap_or(&path);
        if base.starts_with('_') {
            continue;
        }
        note(vm, "resources", &cookbook, &path);
        let full = format!("{}/{path}", cookbook.root);
        let source = read(vm, &full)?;
        let loaded = crate::resource::class::from_file(vm, name, &full, &source);
        let class = file(vm, Kind::Lwrp, &full, loaded)?;
        process_mut(vm).class_files.insert(class, format!("{name}/{path}"));
        let names =
            crate::resource::registry::registry_mut(vm).names_of(class).iter().map(ToString::to_string).collect();
        defined(vm, names);
    }
    Ok(())
}

/// Loads a cookbook's LWRP providers.
fn providers(vm: &mut Vm, name: &str) -> Res<()> {
    let cookbook = get(vm, name)?;
    for path in files(&cookbook, "providers/") {
        note(vm, "providers", &cookbook, &path);
        let full = format!("{}/{path}", cookbook.root);
        let source = read(vm, &full)?;
        let loaded = crate::provider::class::from_file(vm, name, &full, &source);
        let class = file(vm, Kind::Lwrp, &full, loaded)?;
        process_mut(vm).class_files.insert(class, format!("{name}/{path}"));
        defined(vm, vec![vm.class_name(class)]);
    }
    Ok(())
}

/// Loads a cookbook's definitions.
fn definitions(vm: &mut Vm, name: &str) -> Res<()> {
    let cookbook = get(vm, name)?;
    for path in files(&cookbook, "definitions/") {
        note(vm, "definitions", &cookbook, &path);
        let full = format!("{}/{path}", cookbook.root);
        let source = read(vm, &full)?;
        let holder = Value::object(rchef_ruby::ClassId::OBJECT);
        if let Some(meta) = vm.singleton_class(&holder) {
            static DEFINE: &[rchef_ruby::MethodDef] = &[rchef_ruby::at_least("define", crate::recipe::define, 1)];
            vm.define_methods(meta, DEFINE);
        }
        let before = run_mut(vm).definitions.len();
        let loaded = crate::run::evaluate(vm, &source, &full, &holder, Definee::SingletonOf(holder.clone()));
        file(vm, Kind::Definition, &full, loaded)?;
        let names = run_mut(vm).definitions.iter().skip(before).map(|(name, ..)| name.to_string()).collect();
        defined(vm, names);
    }
    Ok(())
}

/// Sets `node['cookbooks'][NAME]['version']`.
fn note_versions(vm: &mut Vm) -> Res<()> {
    let node = run_mut(vm).node.clone();
    if node.is_nil() {
        return Ok(());
    }
    let mut found = Vec::new();
    for name in super::names_in_run(vm) {
        let version = get(vm, &name).map(|cookbook| cookbook.metadata.version.clone());
        found.push((name, Value::str(version.unwrap_or_default())));
    }
    versions::set(vm, &node, found)
}

fn libraries(vm: &mut Vm, name: &str) -> Res<()> {
    let cookbook = get(vm, name)?;
    let mut paths = files(&cookbook, "libraries/");
    if let Some(globs) = &cookbook.metadata.eager_globs() {
        let path = vm.global_get(rchef_ruby::sym::DOLLAR_LOAD_PATH)?;
        vm.call_name(&path, "unshift", &[Value::str(format!("{}/libraries", cookbook.root))])?;
        paths.retain(|path| {
            let below = path.trim_start_matches("libraries/");
            globs
                .iter()
                .any(|glob| glob == below || rchef_ruby::text::fnmatch::fnmatch(glob.as_bytes(), below.as_bytes(), 0))
        });
    }
    for path in paths {
        note(vm, "libraries", &cookbook, &path);
        let full = format!("{}/{path}", cookbook.root);
        let before = vm.class_count();
        let loaded = rchef_ruby::embed::load::require(vm, &full);
        file(vm, Kind::Library, &full, loaded)?;
        let names = classes_since(vm, before);
        defined(vm, names);
    }
    Ok(())
}

/// Loads a cookbook's attribute files: `default` first, then in order of their names.
fn attributes(vm: &mut Vm, name: &str) -> Res<()> {
    let cookbook = get(vm, name)?;
    let mut names: Vec<String> = Vec::new();
    for path in files(&cookbook, "attributes/") {
        let file = path.rsplit('/').next().unwrap_or(&path);
        let short = file.strip_suffix(".rb").unwrap_or(file).to_string();
        if names.contains(&short) {
            let text = format!(
                "{name}/{path} shares its short name with another file: only one of the two is ever evaluated; give it a name of its own"
            );
            let file = format!("{}/{path}", cookbook.root);
            let code = rchef_model::code::Code::SharedName;
            run_mut(vm).lints.push(crate::run::Lint { file, line: 0, code, text, name: String::new() });
        } else {
            names.push(short);
        }
    }
    if cookbook.files.iter().any(|path| path == "attributes.rb") && !names.iter().any(|name| name == "default") {
        names.push("default".into());
    }
    names.sort_by_key(|name| (name != "default", name.clone()));
    for short in names {
        let path = format!("{}/attributes/{short}.rb", cookbook.root);
        let loaded = include_attribute(vm, name, &short);
        file(vm, Kind::Attribute, &path, loaded)?;
    }
    Ok(())
}

/// Evaluates an attribute file on the node, unless it is already loaded.
pub fn include_attribute(vm: &mut Vm, cookbook: &str, file: &str) -> Res<()> {
    let key = format!("{cookbook}::{file}");
    let root = run_mut(vm).root.clone();
    if !root.is_nil() {
        let data = crate::context::data(vm, &root)?;
        if data.loaded_attributes.contains(&key) {
            return Ok(());
        }
        data.loaded_attributes.push(key);
    }
    let found = in_run(vm, cookbook)?;
    let root_alias = file == "default" && found.files.iter().any(|path| path == "attributes.rb");
    let path = if root_alias {
        Some("attributes.rb".to_string())
    } else {
        found
            .files
            .iter()
            .rev()
            .find(|path| path.starts_with("attributes/") && path.rsplit('/').next() == Some(&format!("{file}.rb")))
            .cloned()
    };
    let Some(path) = path else {
        return Err(chef_error(
            vm,
            "AttributeNotFound",
            format!("could not find filename for attribute {file} in cookbook {cookbook}"),
        ));
    };
    note(vm, "attributes", &found, &path);
    let full = format!("{}/{path}", found.root);
    let source = read(vm, &full)?;
    let node = run_mut(vm).node.clone();
    crate::run::evaluate(vm, &source, &full, &node, Definee::SingletonOf(node.clone()))?;
    Ok(())
}
