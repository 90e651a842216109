//! `Chef::CookbookLoader`: reads the cookbooks in some directories, which become the cookbooks of the run (facts: lib/chef/cookbook_loader.rb).

use super::{Cookbooks, cookbooks, discover};
use crate::run::chef_error;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, sym};

const PATHS: &str = "@repo_paths";
const COOKBOOKS: &str = "@cookbooks_by_name";
const METADATA: &str = "@metadata";

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("repo_paths", repo_paths, 0),
    def("load_cookbooks", load_all, 0),
    def("load_cookbooks_without_shadow_warning", load_all, 0),
    def("load!", load_all, 0),
    def("load_cookbook", load_one, 1),
    def("[]", load_one, 1),
    def("fetch", load_one, 1),
    def("key?", has_key, 1),
    def("has_key?", has_key, 1),
    def("cookbook_exists?", has_key, 1),
    def("cookbooks_by_name", cookbooks_by_name, 0),
    def("metadata", metadata, 0),
    any("each", forward),
    any("each_key", forward),
    any("each_value", forward),
    any("keys", forward),
    any("values", forward),
    def("cookbook_names", names, 0),
    def("cookbooks", versions, 0),
];

/// The loader whose directories the run's cookbooks are from.
#[derive(Default)]
struct Reading(Option<Value>);

/// `new(path, …)`: directories of cookbooks.
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = Value::array(args.pos.to_vec());
    let given = vm.call_name(&list, "flatten", &[])?;
    let file = vm.class_named("File").map(Value::Class).unwrap_or_default();
    let mut paths = Vec::new();
    for path in vm.to_array(&given)? {
        if !path.is_nil() {
            paths.push(vm.call_name(&file, "expand_path", &[path])?);
        }
    }
    if paths.is_empty() {
        return Err(vm.argument_error("You must specify at least one cookbook repo path"));
    }
    vm.ivar_set(this, Symbol::intern_static(PATHS), Value::array(paths));
    Ok(Value::Nil)
}

fn repo_paths(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, Symbol::intern_static(PATHS)).unwrap_or_default())
}

/// A Mash in an instance variable, made when it is first asked for.
fn mash(vm: &mut Vm, this: &Value, name: &'static str) -> Res {
    let name = Symbol::intern_static(name);
    if let Some(found) = vm.ivar_get(this, name).filter(Value::truthy) {
        return Ok(found);
    }
    let kind = vm.class_named("ChefUtils::Mash").map(Value::Class).unwrap_or_default();
    let made = vm.call(&kind, sym::NEW, &[])?;
    vm.ivar_set(this, name, made.clone());
    Ok(made)
}

fn cookbooks_by_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    mash(vm, this, COOKBOOKS)
}

fn metadata(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    mash(vm, this, METADATA)
}

/// Finds the cookbooks in the loader's directories, unless they are already those of the run.
fn find(vm: &mut Vm, this: &Value) -> Res<()> {
    if vm.extension::<Reading>().0.as_ref().is_some_and(|known| known.same(this)) {
        return Ok(());
    }
    let paths = repo_paths(vm, this, Args::none())?;
    let mut folders = Vec::new();
    for path in vm.to_array(&paths)? {
        folders.push(vm.to_s_text(&path)?);
    }
    *cookbooks(vm) = Cookbooks::default();
    vm.extension::<Reading>().0 = None;
    discover::discover(vm, &folders)?;
    let found = cookbooks(vm);
    found.flat = true;
    found.order = found.all.iter().map(|cookbook| cookbook.name.clone()).collect();
    vm.extension::<Reading>().0 = Some(this.clone());
    Ok(())
}

/// Loads a cookbook that was found, or gives it if it is loaded. An error in its metadata is raised here.
fn load(vm: &mut Vm, this: &Value, name: &str) -> Res {
    let (loaded, key) = (mash(vm, this, COOKBOOKS)?, Value::str(name));
    let known = vm.call(&loaded, sym::AREF, std::slice::from_ref(&key))?;
    if known.truthy() {
        return Ok(known);
    }
    if !cookbooks(vm).all.iter().any(|cookbook| cookbook.name == name) {
        let text = format!(
            "Cannot find a cookbook named {name}; did you forget to add metadata to a cookbook? (https://docs.chef.io/config_rb_metadata/)"
        );
        return Err(chef_error(vm, "CookbookNotFoundInRepo", text));
    }
    super::get(vm, name)?;
    let version = super::version_value(vm, name)?;
    vm.call(&loaded, sym::ASET, &[key.clone(), version.clone()])?;
    let (all, own) = (mash(vm, this, METADATA)?, vm.call_name(&version, "metadata", &[])?);
    vm.call(&all, sym::ASET, &[key, own])?;
    Ok(version)
}

fn load_all(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    find(vm, this)?;
    for name in cookbooks(vm).order.clone() {
        load(vm, this, &name)?;
    }
    mash(vm, this, COOKBOOKS)
}

fn load_one(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    find(vm, this)?;
    load(vm, this, &name)
}

/// Whether there is a cookbook of this name; as in Chef, asking for one that there is not raises.
fn has_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(load_one(vm, this, args)?.truthy()))
}

/// The loaded cookbooks by name, in alphabetical order.
fn sorted(vm: &mut Vm, this: &Value) -> Res {
    let loaded = mash(vm, this, COOKBOOKS)?;
    let pairs = vm.call_name(&loaded, "sort", &[])?;
    vm.call_name(&pairs, "to_h", &[])
}

fn forward(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.current_native_name().unwrap_or_else(|| Symbol::intern_static("each"));
    let target = sorted(vm, this)?;
    vm.call_args(&target, name, args)
}

fn names(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let target = sorted(vm, this)?;
    vm.call_name(&target, "keys", &[])
}

fn versions(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let target = sorted(vm, this)?;
    vm.call_name(&target, "values", &[])
}

pub fn boot(vm: &mut Vm, chef: ClassId) {
    let class = vm.define_class(chef, "CookbookLoader", ClassId::OBJECT);
    vm.include_module(class, ClassId::ENUMERABLE);
    vm.define_methods(class, METHODS);
}
