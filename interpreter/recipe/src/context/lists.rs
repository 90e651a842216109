//! `Chef::ResourceCollection::ResourceList` and `ResourceSet`: each has one half of what a collection knows, the order or the keys. Their JSON and
//! `StepableIterator` are in `ruby/collection.rb`.

use super::{
    CollectionData, all_resources, at, check_resource, each, each_index, find, is_empty, key_of, keys, lookup_local,
    not_found, one_or_many, size, validate_lookup_spec,
};
use crate::run::class;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, any, def, opt};

/// The feature that the autoload of the classes requires: the native classes, then the Ruby source.
pub const FEATURE: &str = "chef/rchef/collection";
pub const SOURCE_FEATURE: &str = "chef/rchef/collection_source";

static LIST: &[MethodDef] = &[
    def("all_resources", all_resources, 0),
    def("[]", at, 1),
    def("[]=", replace, 2),
    def("each", each, 0),
    def("each_index", each_index, 0),
    def("size", size, 0),
    def("empty?", is_empty, 0),
    def("insert", insert, 1),
    def("delete", delete_listed, 1),
    def("insert_after=", insert_after, 1).private(),
];

static SET: &[MethodDef] = &[
    def("keys", keys, 0),
    opt("insert_as", insert_as, 1, 3),
    def("lookup", lookup_local, 1),
    def("delete", delete_keyed, 1),
    any("find", find_in_set),
    any("resources", find_in_set),
    def("validate_lookup_spec!", validate_lookup_spec, 1),
];

fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let index = vm.to_int(args.at(0))?;
    if let Some(data) = vm.data_mut::<CollectionData>(this) {
        data.replace(index, args.at(1).clone());
    }
    Ok(args.at(1).clone())
}

fn insert(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_resource(vm, args.at(0))?;
    if let Some(data) = vm.data_mut::<CollectionData>(this) {
        data.insert(args.at(0).clone());
    }
    all_resources(vm, this, Args::none())
}

/// `insert_after = index`: later insertions go after the resource with this index.
fn insert_after(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let index = usize::try_from(vm.to_int(args.at(0))?).ok();
    if let Some(data) = vm.data_mut::<CollectionData>(this) {
        data.insert_after = index;
    }
    Ok(args.at(0).clone())
}

/// Removes all resources that are called so (`Resource#to_s`).
fn delete_listed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key_of(vm, args.at(0), "delete")?;
    let mut kept = Vec::new();
    let listed = super::list_of(vm, this);
    for resource in &listed {
        if vm.to_s_text(resource)? != key {
            kept.push(resource.clone());
        }
    }
    if kept.len() == listed.len() {
        return Err(not_found(vm, &key));
    }
    if let Some(data) = vm.data_mut::<CollectionData>(this) {
        data.list = kept;
    }
    all_resources(vm, this, Args::none())
}

/// `insert_as(resource, type = resource.resource_name, name = resource.name)`.
fn insert_as(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let resource = args.at(0).clone();
    check_resource(vm, &resource)?;
    let mut part = |index: usize, method: &str| match args.get(index).filter(|given| given.truthy()) {
        Some(given) => vm.to_s_text(given),
        None => {
            let own = vm.call_name(&resource, method, &[])?;
            vm.to_s_text(&own)
        }
    };
    let key = format!("{}[{}]", part(1, "resource_name")?, part(2, "name")?);
    if let Some(data) = vm.data_mut::<CollectionData>(this) {
        data.keys.insert(key, resource.clone());
    }
    Ok(resource)
}

fn delete_keyed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key_of(vm, args.at(0), "delete")?;
    let removed = vm.data_mut::<CollectionData>(this).and_then(|data| data.keys.shift_remove(&key));
    removed.ok_or_else(|| not_found(vm, &key))
}

fn find_in_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = find(vm, this, args.pos, false)?;
    one_or_many(found)
}

/// Defines both classes, and loads the methods that are Ruby source.
pub fn load(vm: &mut Vm) -> Res<()> {
    let collection = class(vm, |classes| classes.collection)?;
    for (name, methods) in [("ResourceList", LIST), ("ResourceSet", SET)] {
        let made = vm.define_class(collection, name, ClassId::OBJECT);
        vm.class_mut(made).allocator = Some(|_, class| Ok(Value::data(class, CollectionData::default())));
        vm.define_methods(made, methods);
    }
    rchef_ruby::embed::load::require(vm, SOURCE_FEATURE).map(drop)
}
