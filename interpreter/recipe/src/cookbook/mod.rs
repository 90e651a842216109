//! Cookbooks: discovery, metadata, order, loading of their files, the run list (SPEC-compile 1).

pub mod cache;
pub mod compiler;
pub mod discover;
pub mod load;
pub mod loader;
pub mod metadata;
pub mod own_folder;
pub mod run_list_class;
mod run_list_item;
pub mod solve;
pub mod version_class;
mod version_files;
pub mod versions;

pub use version_files::wanted;

use crate::run::{Subject, about, chef_error, class};
use metadata::Metadata;
use rchef_model::specificity::{Facts, Wanted};
use rchef_ruby::{ClassId, MethodDef, NativeData, Res, Symbol, Value, Vm, def, sym};
use std::rc::Rc;

/// A cookbook on disk.
#[derive(Clone, Debug)]
pub struct Cookbook {
    pub name: String,
    pub root: String,
    pub metadata: Metadata,
    /// The paths of its files, relative to the root, in bytewise order and without ignored ones.
    pub files: Vec<String>,
    /// The number of files that chefignore excludes.
    pub ignored: usize,
    /// The error in its metadata, which is raised when the cookbook is loaded.
    pub broken: Option<String>,
}

/// The state about cookbooks in the VM.
#[derive(Default)]
pub struct Cookbooks {
    /// All cookbooks in order of discovery.
    pub all: Vec<Rc<Cookbook>>,
    /// The flat regime (SPEC-compile 1.3): the run has every cookbook of the path, not only those that the run list reaches.
    pub flat: bool,
    /// Providers and resources load cookbook by cookbook, as in Chef 19.
    pub chef19_order: bool,
    /// Cookbooks that others depend on may be missing: they are left out, and their recipes are not evaluated. For what tells them besides.
    pub lenient: bool,
    /// Cookbooks that the run list reaches, dependencies first.
    pub order: Vec<String>,
    /// Running `run_recipe` units.
    pub units: Vec<Vec<String>>,
    /// Finished and running units.
    pub finished: Vec<Unit>,
    /// The loaded files, in order.
    pub loaded: Vec<Loaded>,
    /// Recipes in order of evaluation.
    pub recipes: Vec<Evaluated>,
    /// Index of the current recipe in the expanded run list.
    pub run_list_index: usize,
    /// The exceptions of broken metadata by cookbook, raised again when the cookbook is loaded.
    pub broken: Vec<(String, Value)>,
    /// The value of `run_context.cookbook_collection` and the state it was filled for; None before its first use.
    collection: Option<(Filled, Value)>,
    /// Directories that were searched for cookbooks: the cookbook paths, then the caches.
    pub searched: Vec<String>,
    /// A directory that gets symbolic links to the cookbooks of the run: see [`own_folder::fill`].
    pub own_folder: Option<String>,
    /// The cookbook paths that were read before the run: see [`discover::ahead`].
    ahead: Option<Vec<String>>,
}

/// A state of the run's cookbooks: whether the regime is flat, how many cookbooks exist, and how many the run list reaches.
type Filled = (bool, usize, usize);

/// A loaded file of a cookbook.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// `libraries`, `attributes`, `resources` …
    pub kind: &'static str,
    pub cookbook: String,
    /// The path relative to the cookbook.
    pub path: String,
    /// The place of the `include_attribute` call; None for a file that was not included.
    pub via: Option<String>,
    /// The names that it defined: DSL names, definitions, classes and modules.
    pub defines: Vec<String>,
}

/// An evaluated recipe.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// `cookbook::recipe`
    pub key: String,
    pub path: String,
    /// The place of the `include_recipe` call; None for a recipe of the run list.
    pub by: Option<String>,
    /// Index in the expanded run list.
    pub index: usize,
    /// Whether the metadata asks for immediate mode.
    pub immediate: bool,
    /// The `run_recipe` unit it belongs to.
    pub unit: Option<String>,
    /// The places of further `include_recipe` calls.
    pub repeats: Vec<String>,
}

#[derive(Clone)]
pub struct Unit {
    /// `cookbook::recipe#n`
    pub label: String,
    pub context: Value,
    /// The place of the `run_recipe` call.
    pub called_at: Option<String>,
}

/// The file and line of the Ruby code that is running.
pub(crate) fn here(vm: &Vm) -> Option<String> {
    vm.current_location().map(|(file, line)| format!("{file}:{line}"))
}

pub fn cookbooks(vm: &mut Vm) -> &mut Cookbooks {
    vm.extension::<Cookbooks>()
}

/// A cookbook of the path by its name; raises CookbookNotFound.
pub fn get(vm: &mut Vm, name: &str) -> Res<Rc<Cookbook>> {
    let found = cookbooks(vm).all.iter().find(|cookbook| cookbook.name == name).cloned();
    let Some(found) = found else { return Err(not_found(vm, name)) };
    let Some(text) = &found.broken else { return Ok(found) };
    let kept = cookbooks(vm).broken.iter().find(|(known, _)| known == name).map(|(_, exception)| exception.clone());
    match kept {
        Some(exception) => Err(rchef_ruby::Unwind::Raise(exception).into()),
        None => Err(chef_error(vm, "MetadataNotValid", text)),
    }
}

/// A cookbook that recipes may use: in the solved regime one that the run list reaches, in the flat regime any.
pub fn in_run(vm: &mut Vm, name: &str) -> Res<Rc<Cookbook>> {
    if !is_hidden(vm, name) {
        return get(vm, name);
    }
    // the resources of a cookbook that goes by its folder's name bear the name of its metadata
    let known = cookbooks(vm);
    let of_metadata = |cookbook: &&Rc<Cookbook>| cookbook.metadata.name == name && known.order.contains(&cookbook.name);
    let found = known.all.iter().find(of_metadata).cloned();
    found.ok_or_else(|| not_found(vm, name))
}

/// The name that a cookbook's recipes and resources tell: that of its metadata, also where the cookbook goes by its folder's name.
pub fn told_name(vm: &mut Vm, name: &str) -> String {
    let found = cookbooks(vm).all.iter().find(|cookbook| cookbook.name == name);
    let told = found.map(|cookbook| cookbook.metadata.name.clone()).filter(|told| !told.is_empty());
    told.unwrap_or_else(|| name.to_string())
}

/// Whether a cookbook is missing that another of the run depends on, and that may be.
pub(crate) fn is_left_out(vm: &mut Vm, name: &str) -> bool {
    let known = cookbooks(vm);
    let depends = |cookbook: &Rc<Cookbook>| {
        known.order.contains(&cookbook.name) && cookbook.metadata.depends.iter().any(|(needed, _)| needed == name)
    };
    known.lenient && !known.all.iter().any(|cookbook| cookbook.name == name) && known.all.iter().any(depends)
}

/// Whether a cookbook is not part of the run in the solved regime.
fn is_hidden(vm: &mut Vm, name: &str) -> bool {
    let known = cookbooks(vm);
    !known.flat && !known.order.is_empty() && !known.order.iter().any(|other| other == name)
}

/// The names in `run_context.cookbook_collection`.
fn names_in_run(vm: &mut Vm) -> Vec<String> {
    let known = cookbooks(vm);
    let reached = |name: &String| known.flat || known.order.is_empty() || known.order.contains(name);
    known.all.iter().map(|cookbook| cookbook.name.clone()).filter(reached).collect()
}

fn not_found(vm: &mut Vm, name: &str) -> rchef_ruby::Error {
    let error = chef_error(
        vm,
        "CookbookNotFound",
        format!(
            "Cookbook {name} not found. If you're loading {name} from another cookbook, make sure you configure the dependency in your metadata"
        ),
    );
    about(vm, error, Subject::Cookbook(name.to_string()))
}
/// `not_found(name)`: raises CookbookNotFound.
fn raise_not_found(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    Err(not_found(vm, &name))
}

/// Whether the run list reaches a cookbook, directly or by dependencies.
pub fn is_reachable(vm: &mut Vm, name: &str) -> bool {
    cookbooks(vm).order.iter().any(|known| known == name)
}
/// Whether the metadata has `run_resources :immediately`.
pub fn runs_immediately(vm: &mut Vm, name: &str) -> bool {
    cookbooks(vm).all.iter().any(|cookbook| cookbook.name == name && cookbook.metadata.immediate)
}

pub enum RecipeFile {
    /// The path and content of a Ruby recipe.
    Ruby(String, Vec<u8>),
    /// The path of a YAML or JSON recipe.
    Data(String),
}

/// Finds a recipe: Ruby, then YAML, then JSON; `recipe.rb` (or `.yml`, `.json`) in the root is `default`.
pub fn recipe_file(vm: &mut Vm, cookbook: &str, recipe: &str) -> Res<RecipeFile> {
    let path = recipe_path(vm, cookbook, recipe)?;
    if !path.ends_with(".rb") {
        return Ok(RecipeFile::Data(path));
    }
    let source = crate::run::read_file(vm, &path)?;
    Ok(RecipeFile::Ruby(path, source))
}

/// The path of a recipe; raises RecipeNotFound.
pub fn recipe_path(vm: &mut Vm, cookbook: &str, recipe: &str) -> Res<String> {
    let found = in_run(vm, cookbook)?;
    let stem_is = |path: &str, ext: &str| {
        path.strip_prefix("recipes/")
            .and_then(|rest| rest.strip_suffix(ext))
            .is_some_and(|rest| rest.rsplit('/').next() == Some(recipe))
    };
    for ext in [".rb", ".yml", ".yaml", ".json"] {
        let root_alias = format!("recipe{ext}");
        let path = if recipe == "default" && found.files.contains(&root_alias) {
            Some(root_alias)
        } else {
            found.files.iter().rev().find(|path| stem_is(path, ext)).cloned()
        };
        if let Some(path) = path {
            return Ok(format!("{}/{path}", found.root));
        }
    }
    let error = chef_error(vm, "RecipeNotFound", format!("could not find recipe {recipe} for cookbook {cookbook}"));
    Err(about(vm, error, Subject::Recipe { cookbook: cookbook.to_string(), recipe: recipe.to_string() }))
}

/// Records a further inclusion of a recipe that is already evaluated.
pub fn note_repeat(vm: &mut Vm, key: &str) {
    if let Some(place) = here(vm)
        && let Some(known) = cookbooks(vm).recipes.iter_mut().rev().find(|known| known.key == key)
    {
        known.repeats.push(place);
    }
}

/// Records that a recipe is evaluated, and adds it to `node['recipes']`.
pub fn note_recipe(vm: &mut Vm, key: &str, path: &str, immediate: bool) -> Res<()> {
    let by = here(vm);
    let known = cookbooks(vm);
    let unit = if known.units.is_empty() { None } else { known.finished.last().map(|unit| unit.label.clone()) };
    let index = known.run_list_index;
    let (key, path) = (key.to_string(), path.to_string());
    known.recipes.push(Evaluated { key: key.clone(), path, by, index, immediate, unit, repeats: Vec::new() });
    let node = crate::run::run_mut(vm).node.clone();
    if node.is_nil() {
        return Ok(());
    }
    let (cookbook, recipe) = key.split_once("::").unwrap_or((&key, "default"));
    vm.call_name(&node, "loaded_recipe", &[Value::sym(cookbook), Value::str(recipe)])?;
    Ok(())
}

/// Whether a recipe is part of a running `run_recipe` unit.
pub fn is_running_unit(vm: &mut Vm, key: &str) -> bool {
    cookbooks(vm).units.iter().flatten().any(|known| known == key)
}
/// Starts a unit.
pub fn enter_unit(vm: &mut Vm, keys: Vec<String>, context: &Value) {
    let label = keys.first().cloned().unwrap_or_default();
    let called_at = here(vm);
    let known = cookbooks(vm);
    let count = known.finished.iter().filter(|unit| unit.label.starts_with(&format!("{label}#"))).count() + 1;
    known.finished.push(Unit { label: format!("{label}#{count}"), context: context.clone(), called_at });
    known.units.push(keys);
}
/// Ends the innermost unit.
pub fn leave_unit(vm: &mut Vm) {
    cookbooks(vm).units.pop();
}

/// The facts of the run's node that select among variants of a file.
pub(crate) fn facts(vm: &mut Vm) -> Res<Facts> {
    let node = crate::run::run_mut(vm).node.clone();
    version_files::facts(vm, &node)
}

/// The file in a cookbook that the node gets for a template or cookbook file.
pub fn find_file(vm: &mut Vm, cookbook: &str, segment: &str, wanted: &Wanted) -> Res<Option<String>> {
    let found = in_run(vm, cookbook)?;
    let paths = wanted.paths(&facts(vm)?, segment);
    Ok(paths.iter().find(|path| found.files.contains(*path)).map(|path| format!("{}/{path}", found.root)))
}

struct VersionData(String);
impl NativeData for VersionData {}

/// The value of `run_context.cookbook_collection`: always the same object, filled with the current cookbooks.
pub fn collection_value(vm: &mut Vm) -> Res {
    let known = cookbooks(vm);
    let state = (known.flat, known.all.len(), known.order.len());
    let made = known.collection.clone();
    if let Some((filled, found)) = &made
        && *filled == state
    {
        return Ok(found.clone());
    }
    let object = match made {
        Some((_, object)) => object,
        None => {
            let chef = class(vm, |classes| classes.chef)?;
            let kind = vm.const_get_from(chef, Symbol::intern_static("CookbookCollection"), false)?.unwrap_or_default();
            vm.call(&kind, sym::NEW, &[])?
        }
    };
    cookbooks(vm).collection = Some((state, object.clone()));
    vm.call_name(&object, "clear", &[])?;
    for name in names_in_run(vm) {
        let version = version_value(vm, &name)?;
        vm.call(&object, sym::ASET, &[Value::str(name), version])?;
    }
    Ok(object)
}
/// The value of `run_context.cookbook_collection`, if something has asked for it.
pub(crate) fn made_collection(vm: &mut Vm) -> Option<Value> {
    cookbooks(vm).collection.as_ref().map(|(_, object)| object.clone())
}
pub(crate) fn version_value(vm: &mut Vm, name: &str) -> Res {
    let chef = class(vm, |classes| classes.chef)?;
    let kind = vm.define_class(chef, "CookbookVersion", ClassId::OBJECT);
    Ok(Value::data(kind, VersionData(name.to_string())))
}

/// The method with which `ruby/cookbook_collection.rb` raises.
static VERSION_CLASS: &[MethodDef] = &[def("not_found", raise_not_found, 1).private()];
static VERSION: &[MethodDef] =
    &[def("name", v_name, 0), def("version", v_version, 0), def("root_dir", v_root, 0), def("all_files", v_files, 0)];

fn of(vm: &mut Vm, this: &Value) -> Res<Rc<Cookbook>> {
    let name = vm.data::<VersionData>(this).map(|data| data.0.clone()).unwrap_or_default();
    get(vm, &name)
}
fn v_name(vm: &mut Vm, this: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::sym(&of(vm, this)?.name))
}
fn v_version(vm: &mut Vm, this: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::str(&of(vm, this)?.metadata.version))
}
fn v_root(vm: &mut Vm, this: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::str(&of(vm, this)?.root))
}
fn v_files(vm: &mut Vm, this: &Value, _: rchef_ruby::Args<'_>) -> Res {
    let found = of(vm, this)?;
    Ok(Value::array(found.files.iter().map(|path| Value::str(format!("{}/{path}", found.root))).collect()))
}

/// Registers the classes.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    let version = vm.define_class(chef, "CookbookVersion", ClassId::OBJECT);
    vm.define_methods(version, VERSION);
    vm.define_methods(version, version_files::METHODS);
    vm.define_singleton_methods(version, VERSION_CLASS);
    metadata::boot(vm, chef);
    loader::boot(vm, chef);
}
