//! `Chef::RunContext::CookbookCompiler`: the phases of [`super::load`] for a run context that code has made. The class is in
//! `ruby/cookbook_compiler.rb`.

use super::{cookbooks, discover, load};
use crate::run::class;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

/// The feature that the autoload of the class requires: the native methods, then the Ruby source.
pub const FEATURE: &str = "chef/rchef/cookbook_compiler";
pub const SOURCE_FEATURE: &str = "chef/rchef/cookbook_compiler_source";

static METHODS: &[MethodDef] = &[
    def("order_of", order_of, 2).private(),
    def("load_part", load_part, 2).private(),
    def("count_files", count_files, 1).private(),
    def("recipe_path", recipe_path, 1).private(),
];

/// Makes the cookbooks of a collection those of the run, where they are not yet.
fn adopt(vm: &mut Vm, collection: &Value) -> Res<()> {
    for (name, cookbook) in crate::node::mash::pairs(vm, collection)? {
        let name = vm.to_s_text(&name)?;
        if cookbooks(vm).all.iter().any(|known| known.name == name) {
            continue;
        }
        let root = vm.call_name(&cookbook, "root_dir", &[])?;
        if !root.is_nil() {
            let root = vm.to_s_text(&root)?;
            discover::add(vm, &name, &root)?;
        }
    }
    Ok(())
}

/// `order_of(collection, recipes)`: the cookbooks that the recipes reach, dependencies first; they are those of the run from now on.
fn order_of(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    adopt(vm, args.at(0))?;
    let mut recipes = Vec::new();
    for name in vm.to_array(args.at(1))? {
        recipes.push(vm.to_s_text(&name)?);
    }
    let order = load::order(vm, &recipes)?;
    cookbooks(vm).order.clone_from(&order);
    Ok(Value::array(order.into_iter().map(Value::str).collect()))
}

/// `load_part(part, cookbook)`
fn load_part(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (part, name) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    load::part(vm, &part, &name)?;
    Ok(Value::Nil)
}

/// `count_files(part)`: the number of files of a part in the cookbooks of the run.
fn count_files(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let part = vm.to_s_text(args.at(0))?;
    let order = cookbooks(vm).order.clone();
    load::count(vm, load::folders(&part), &order).map(Value::len)
}

/// `recipe_path(name)`: where a recipe lies.
fn recipe_path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    let (cookbook, recipe) = crate::recipe::split_name(vm, &name, None)?;
    super::recipe_path(vm, &cookbook, &recipe).map(Value::str)
}

/// Defines the class with its methods, then loads its source.
pub fn load(vm: &mut Vm) -> Res<()> {
    let context = class(vm, |classes| classes.run_context)?;
    let compiler = vm.define_class(context, "CookbookCompiler", ClassId::OBJECT);
    vm.define_methods(compiler, METHODS);
    rchef_ruby::embed::load::require(vm, SOURCE_FEATURE).map(drop)
}
