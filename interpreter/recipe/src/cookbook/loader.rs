//! `Chef::CookbookLoader`: reads the cookbooks in some directories, which become the cookbooks of the run (facts: lib/chef/cookbook_loader.rb).

use super::{Cookbooks, collection_value, cookbooks, discover};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def};

const PATHS: &str = "@repo_paths";
static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("load_cookbooks", load, 0),
    def("load_cookbooks_without_shadow_warning", load, 0),
    def("load!", load, 0),
    def("cookbooks_by_name", collection, 0),
    any("[]", forward),
    any("key?", forward),
    any("has_key?", forward),
    any("keys", forward),
    any("cookbook_names", names),
    any("each", forward),
];

/// `new(path, …)`: directories of cookbooks.
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = Value::array(args.pos.to_vec());
    let paths = vm.call_name(&list, "flatten", &[])?;
    vm.ivar_set(this, Symbol::intern_static(PATHS), paths);
    Ok(Value::Nil)
}
fn load(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let paths = vm.ivar_get(this, Symbol::intern_static(PATHS)).unwrap_or_default();
    let mut folders = Vec::new();
    for path in vm.to_array(&paths)? {
        folders.push(vm.to_s_text(&path)?);
    }
    *cookbooks(vm) = Cookbooks::default();
    discover::discover(vm, &folders)?;
    let found = cookbooks(vm);
    found.flat = true;
    found.order = found.all.iter().map(|cookbook| cookbook.name.clone()).collect();
    Ok(this.clone())
}
fn collection(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    collection_value(vm)
}
fn forward(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.current_native_name().unwrap_or_else(|| Symbol::intern_static("each"));
    let target = collection_value(vm)?;
    vm.call_args(&target, name, args)
}
fn names(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let target = collection_value(vm)?;
    vm.call_name(&target, "keys", &[])
}

pub fn boot(vm: &mut Vm, chef: ClassId) {
    let class = vm.define_class(chef, "CookbookLoader", ClassId::OBJECT);
    vm.include_module(class, ClassId::ENUMERABLE);
    vm.define_methods(class, METHODS);
}
