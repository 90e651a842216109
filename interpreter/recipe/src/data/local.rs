//! `Chef::LocalData`: the answers of a local run's server, read from the chef-repo; used by `Chef::ServerAPI#get`.

use super::repo;
use super::role;
use crate::data::json_value;
use crate::dsl::data::refused;
use rchef_model::role::{Kind, default_environment};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};
use serde_json::{Map, Value as Json};

static SINGLETON: &[MethodDef] = &[
    def("get", get, 1),
    def("repository", repository, 0),
    def("stored_role", stored_role, 1),
    def("stored_environment", stored_environment, 1),
];

fn urls(path: &str, names: Vec<String>) -> Json {
    let link = |name: String| {
        let url = format!("chefzero://localhost:1/{path}/{name}");
        (name, Json::String(url))
    };
    Json::Object(names.into_iter().map(link).collect::<Map<_, _>>())
}
fn document(vm: &mut Vm, kind: Kind, name: &str) -> Res<Option<Json>> {
    Ok(role::load(vm, kind, name)?.map(|found| found.role.json().clone()))
}
fn find(vm: &mut Vm, path: &str) -> Res<Option<Json>> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match parts[..] {
        ["roles"] => Ok(Some(urls("roles", role::all(vm, Kind::Role)))),
        ["roles", name] => document(vm, Kind::Role, name),
        ["environments"] => Ok(Some(urls("environments", role::all(vm, Kind::Environment)))),
        ["environments", name] => {
            let found = document(vm, Kind::Environment, name)?;
            Ok(found.or_else(|| (name == "_default").then(default_environment)))
        }
        ["data"] => Ok(Some(urls("data", repo::names(vm, "data_bags", true)))),
        ["data", bag] => Ok(repo::bag(vm, bag)?.map(|items| urls(&format!("data/{bag}"), items))),
        ["data", bag, id] => repo::item(vm, bag, id),
        ["clients"] => Ok(Some(urls("clients", repo::json_names(vm, "clients")))),
        ["clients", name] => repo::json(vm, &format!("clients/{name}.json")),
        ["nodes"] => Ok(Some(urls("nodes", repo::json_names(vm, "nodes")))),
        ["nodes", name] => repo::json(vm, &format!("nodes/{name}.json")),
        _ => Ok(None),
    }
}
/// `Chef::LocalData.get("roles/web")`: the document; raises Net::HTTPClientException with a 404 if there is none.
fn get(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = vm.to_s_text(args.at(0))?;
    match find(vm, &path)? {
        Some(found) => json_value(vm, &found),
        None => Err(refused(vm, "404", "Not Found", &format!("Object not found: chefzero://localhost:1/{path}"))),
    }
}

/// `Chef::LocalData.repository`: the chef-repo's directory.
fn repository(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(&crate::run::run_mut(vm).repo))
}
/// Reads the file of a role or environment; raises RoleNotFound or EnvironmentNotFound.
fn stored(vm: &mut Vm, kind: Kind, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    match document(vm, kind, &name)? {
        Some(found) => json_value(vm, &found),
        None => Err(role::missing(vm, kind, &name)),
    }
}
fn stored_role(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    stored(vm, Kind::Role, args)
}
fn stored_environment(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    stored(vm, Kind::Environment, args)
}

pub fn boot(vm: &mut Vm, chef: ClassId) {
    let class = vm.define_class(chef, "LocalData", ClassId::OBJECT);
    vm.define_singleton_methods(class, SINGLETON);
}
