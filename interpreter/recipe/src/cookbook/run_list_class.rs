//! `Chef::RunList::VersionedRecipeList` and `Chef::RunList::RunListExpansion` over [`rchef_model::run_list`]; the other methods of the run list
//! classes are in `ruby/run_list.rb`.

use super::run_list_item;
use crate::run::{chef_error, class};
use rchef_model::run_list::{Branch, Step, TOP, Versions, Walk, names_of, qualified};
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Symbol, Value, Vm, def, opt, sym};

/// The feature that the autoload of `Chef::RunList` requires: the native classes, then the Ruby source.
pub const FEATURE: &str = "chef/rchef/run_list";
pub const SOURCE_FEATURE: &str = "chef/rchef/run_list_source";

/// The versions of a `VersionedRecipeList`, whose Array elements are the names.
#[derive(Clone, Default)]
struct ListVersions(Versions);
impl NativeData for ListVersions {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

/// The state of an expansion; roles are the objects that `fetch_role` returned.
struct Expansion(Walk<Value>);
impl NativeData for Expansion {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.0.entered().for_each(visit);
    }
}

static RECIPES: &[MethodDef] = &[
    opt("add_recipe", add_recipe, 1, 2),
    def("with_versions", with_versions, 0),
    def("with_version_constraints", with_constraints, 0),
    def("with_version_constraints_strings", with_versions_shown, 0),
    def("with_fully_qualified_names_and_version_constraints", qualified_with_versions, 0),
    def("with_duplicate_names", with_duplicate_names, 0),
];

static EXPANSION: &[MethodDef] = &[
    def("expand", expand, 0),
    def("inflate_role", inflate_role, 2),
    def("note_missing_role", note_missing, 1).private(),
    def("items_by_container", items_by_container, 0).private(),
    def("objects_by_container", objects_by_container, 0).private(),
    def("to_h", to_h, 0),
    def("to_hash", to_h, 0),
];

fn versions(vm: &Vm, this: &Value) -> Versions {
    vm.data::<ListVersions>(this).map(|data| data.0.clone()).unwrap_or_default()
}
/// The names in a list, as Ruby values and as text.
fn listed(vm: &mut Vm, this: &Value) -> Res<Vec<(Value, String)>> {
    let mut found = Vec::new();
    for name in vm.to_array(this)? {
        let text = vm.to_s_text(&name)?;
        found.push((name, text));
    }
    Ok(found)
}

/// `add_recipe(name, version = nil)`: nil if the recipe is already in the list.
fn add_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    let version = if args.at(1).truthy() { Some(vm.to_s_text(args.at(1))?) } else { None };
    if let Some(data) = vm.data_mut::<ListVersions>(this)
        && let Err(conflict) = data.0.ask(&name, version.as_deref())
    {
        return Err(chef_error(vm, "CookbookVersionConflict", conflict.to_string()));
    }
    if vm.call_name(this, "include?", &[args.at(0).clone()])?.truthy() {
        return Ok(Value::Nil);
    }
    vm.call_name(this, "<<", &[args.at(0).clone()])
}
/// An Array of Hashes with each name and, under `key`, its version converted by `made`.
fn pairs(vm: &mut Vm, this: &Value, key: &'static str, made: fn(&mut Vm, Value) -> Res) -> Res {
    let versions = versions(vm, this);
    let mut found = Vec::new();
    for (name, text) in listed(vm, this)? {
        let version = versions.of(&text).map(Value::str).unwrap_or_default();
        let version = made(vm, version)?;
        found.push(vm.new_hash(vec![(Value::sym("name"), name), (Value::sym(key), version)])?);
    }
    Ok(Value::array(found))
}
fn with_versions(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    pairs(vm, this, "version", |_, version| Ok(version))
}
fn with_constraints(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    pairs(vm, this, "version_constraint", |vm, version| {
        let chef = class(vm, |classes| classes.chef)?;
        let kind = vm.const_get_from(chef, Symbol::intern_static("VersionConstraint"), false)?.unwrap_or_default();
        vm.call(&kind, sym::NEW, &[version])
    })
}
fn texts(vm: &mut Vm, this: &Value, made: impl Fn(&Versions, &str) -> Vec<String>) -> Res {
    let versions = versions(vm, this);
    let listed = listed(vm, this)?;
    Ok(Value::array(listed.iter().flat_map(|(_, name)| made(&versions, name)).map(Value::str).collect()))
}
fn with_versions_shown(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    texts(vm, this, |versions, name| vec![versions.versioned(name, name.to_string())])
}
fn qualified_with_versions(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    texts(vm, this, |versions, name| vec![versions.versioned(name, qualified(name))])
}
fn with_duplicate_names(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    texts(vm, this, |_, name| names_of(name))
}

/// Reads from the state of an expansion; gives `none` for an object without one.
fn walk<T>(vm: &Vm, this: &Value, none: T, asked: impl FnOnce(&Walk<Value>) -> T) -> T {
    vm.data::<Expansion>(this).map_or(none, |data| asked(&data.0))
}
/// Changes the state of an expansion; gives `none` for an object without one.
fn walk_mut<T>(vm: &mut Vm, this: &Value, none: T, done: impl FnOnce(&mut Walk<Value>) -> T) -> T {
    vm.data_mut::<Expansion>(this).map_or(none, |data| done(&mut data.0))
}
fn read(vm: &Vm, this: &Value, name: &'static str) -> Value {
    vm.ivar_get(this, Symbol::intern_static(name)).unwrap_or_default()
}
/// The items of a list of run list entries.
fn items(vm: &mut Vm, list: &Value) -> Res<Vec<rchef_model::run_list::Item>> {
    let mut found = Vec::new();
    for entry in vm.to_array(list)? {
        found.push(run_list_item::item_of(vm, &entry)?);
    }
    Ok(found)
}

/// Replaces roles by their run lists, depth first. Roles come from `inflate_role`, which subclasses and libraries may override.
fn expand(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let given = read(vm, this, "@run_list_items");
    let given_items = items(vm, &given)?;
    vm.call_name(&given, "clear", &[])?;
    walk_mut(vm, this, (), |walk| walk.extend(given_items));
    let (recipes, environment) = (read(vm, this, "@recipes"), read(vm, this, "@environment"));
    loop {
        match walk_mut(vm, this, Step::Done, Walk::step) {
            Step::Recipe(name, version) => {
                let version = version.map(Value::str).unwrap_or_default();
                vm.call_name(&recipes, "add_recipe", &[Value::str(name), version])?;
            }
            Step::Role(name) => {
                let by = walk(vm, this, None, |walk| walk.within().cloned()).unwrap_or_else(|| Value::str(TOP));
                let role = vm.call_name(this, "inflate_role", &[Value::str(name), by])?;
                if !role.truthy() {
                    continue;
                }
                let list = vm.call_name(&role, "run_list_for", std::slice::from_ref(&environment))?;
                let list = vm.call_name(&list, "run_list_items", &[])?;
                let (items, shown) = (items(vm, &list)?, vm.to_s_text(&role)?);
                walk_mut(vm, this, (), |walk| walk.enter(role, &shown, items));
            }
            Step::Left(role) => drop(vm.call_name(this, "apply_role_attributes", &[role])?),
            Step::Done => return Ok(Value::Nil),
        }
    }
}
/// `inflate_role(name, included_by)`: the result of `fetch_role`; false if the role was applied before.
fn inflate_role(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let applied = read(vm, this, "@applied_roles");
    if vm.call_name(&applied, "key?", &[args.at(0).clone()])?.truthy() {
        return Ok(Value::False);
    }
    vm.call(&applied, sym::ASET, &[args.at(0).clone(), Value::True])?;
    vm.call_name(this, "fetch_role", &[args.at(0).clone(), args.at(1).clone()])
}
fn note_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    walk_mut(vm, this, (), |walk| walk.miss(&name));
    Ok(Value::Nil)
}

/// The items of each expanded list by the name of its container, each converted by `made`.
fn trace(vm: &mut Vm, this: &Value, made: fn(&mut Vm, &rchef_model::run_list::Item) -> Res) -> Res {
    let rows: Vec<(String, Vec<_>)> = walk(vm, this, Vec::new(), |walk| {
        walk.trace().filter(|(_, items)| !items.is_empty()).map(|(by, items)| (by.into(), items.to_vec())).collect()
    });
    let mut pairs = Vec::new();
    for (by, items) in rows {
        let mut shown = Vec::new();
        for item in &items {
            shown.push(made(vm, item)?);
        }
        pairs.push((Value::str(by), Value::array(shown)));
    }
    vm.new_hash(pairs)
}
fn items_by_container(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    trace(vm, this, |_, item| Ok(Value::str(item.to_string())))
}
fn objects_by_container(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    trace(vm, this, run_list_item::object)
}

/// The expansion as a tree, with the keys and values of Chef's reports.
fn to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (id, errors) = (read(vm, this, "@environment"), read(vm, this, "@role_errors"));
    let tree = walk(vm, this, Vec::new(), Walk::tree);
    let list = branches(vm, &tree, &errors)?;
    vm.new_hash(vec![(Value::sym("id"), id), (Value::sym("run_list"), list)])
}
fn branches(vm: &mut Vm, tree: &[Branch], errors: &Value) -> Res {
    let mut list = Vec::new();
    for branch in tree {
        let name = Value::str(&branch.name);
        let skipped = Value::bool(branch.skipped);
        let true_or_nil = |value: bool| if value { Value::True } else { Value::Nil };
        let pairs = if branch.is_role {
            vec![
                ("type", Value::sym("role")),
                ("name", name.clone()),
                ("children", branches(vm, &branch.children, errors)?),
                ("missing", true_or_nil(branch.missing)),
                ("error", vm.call(errors, sym::AREF, &[name])?),
                ("skipped", true_or_nil(branch.skipped)),
            ]
        } else {
            let version = branch.version.as_ref().map(Value::str).unwrap_or_default();
            vec![("type", Value::str("recipe")), ("name", name), ("version", version), ("skipped", skipped)]
        };
        list.push(vm.new_hash(pairs.into_iter().map(|(key, value)| (Value::sym(key), value)).collect())?);
    }
    Ok(Value::array(list))
}

/// Defines the classes in `Chef::RunList`, then loads the Ruby source.
///
/// # Errors
/// The class `Chef` is not defined.
pub fn load(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    let list = vm.define_class(chef, "RunList", ClassId::OBJECT);
    run_list_item::define(vm, list);
    let recipes = vm.define_class(list, "VersionedRecipeList", ClassId::ARRAY);
    vm.class_mut(recipes).allocator = Some(|vm, class| {
        let made = Value::array_of(class, Vec::new());
        vm.set_data(&made, ListVersions::default());
        Ok(made)
    });
    vm.define_methods(recipes, RECIPES);
    let expansion = vm.define_class(list, "RunListExpansion", ClassId::OBJECT);
    vm.class_mut(expansion).allocator = Some(|_, class| Ok(Value::data(class, Expansion(Walk::new(Vec::new())))));
    vm.define_methods(expansion, EXPANSION);
    rchef_ruby::embed::load::require(vm, SOURCE_FEATURE).map(drop)
}
