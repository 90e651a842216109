//! The conversion of `Chef::Role` and `Chef::Environment` from and to documents, over [`rchef_model::role`]. The accessors and the requests to a
//! server are in `ruby/role.rb`.

use super::json_value;
use crate::node::mash;
use crate::run::class;
use rchef_model::role::{DEFAULT_LIST, Kind, list_key};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def, sym};

/// The feature that the autoloads of both classes require: the native methods, then the Ruby source.
pub const FEATURE: &str = "chef/rchef/role";
pub const SOURCE_FEATURE: &str = "chef/rchef/role_source";

static ROLE: &[MethodDef] = &[
    def("to_h", role_to_h, 0),
    def("run_list_for", run_list_for, 1),
    def("active_run_list_for", active_run_list_for, 1),
];
static ROLE_CLASS: &[MethodDef] = &[def("from_hash", role_from_hash, 1)];
static ENVIRONMENT: &[MethodDef] = &[def("to_h", environment_to_h, 0)];
static ENVIRONMENT_CLASS: &[MethodDef] = &[def("from_hash", environment_from_hash, 1)];

fn lists(vm: &Vm, this: &Value) -> Value {
    vm.ivar_get(this, Symbol::intern_static("@env_run_lists")).unwrap_or_default()
}
/// The entries of a `Chef::RunList` or an Array as Strings.
fn shown(vm: &mut Vm, list: &Value) -> Res {
    let mut texts = Vec::new();
    for entry in vm.to_array(list)? {
        texts.push(Value::str(vm.to_s_text(&entry)?));
    }
    Ok(Value::array(texts))
}

/// The document of an object, with all keys.
fn document(vm: &mut Vm, this: &Value, kind: Kind) -> Res {
    let mut pairs = Vec::new();
    for (key, blank) in kind.blank("") {
        let value = match key.as_str() {
            "json_class" => {
                let own = vm.real_class_of(this);
                vm.call(&Value::Class(own), sym::NAME, &[])?
            }
            "chef_type" => json_value(vm, &blank)?,
            "run_list" => {
                let list = vm.call_name(this, "run_list", &[])?;
                shown(vm, &list)?
            }
            "env_run_lists" => {
                let mut others = Vec::new();
                let lists = lists(vm, this);
                for (environment, list) in mash::pairs(vm, &lists)? {
                    if vm.to_s_text(&environment)? != DEFAULT_LIST {
                        others.push((environment, shown(vm, &list)?));
                    }
                }
                vm.new_hash(others)?
            }
            field => vm.ivar_get(this, Symbol::intern(&format!("@{field}"))).unwrap_or_default(),
        };
        pairs.push((Value::str(&key), value));
    }
    vm.new_hash(pairs)
}
fn role_to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    document(vm, this, Kind::Role)
}
fn environment_to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    document(vm, this, Kind::Environment)
}

fn value_of(vm: &mut Vm, hash: &Value, key: &str) -> Res {
    vm.call(hash, sym::AREF, &[Value::str(key)])
}
/// A new object with the values of a document.
fn made(vm: &mut Vm, class: &Value, given: &Value, kind: Kind) -> Res {
    let object = vm.call(class, sym::NEW, &[])?;
    for (key, _) in kind.blank("") {
        if !matches!(key.as_str(), "json_class" | "chef_type" | "run_list" | "env_run_lists") {
            let value = value_of(vm, given, &key)?;
            vm.call_name(&object, &key, &[value])?;
        }
    }
    Ok(object)
}
fn environment_from_hash(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    made(vm, this, args.at(0), Kind::Environment)
}
fn role_from_hash(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let given = args.at(0);
    let role = made(vm, this, given, Kind::Role)?;
    let has_list = vm.call_name(given, "key?", &[Value::str("run_list")])?.truthy();
    let list = value_of(vm, given, list_key(has_list))?;
    let lists = vm.new_hash(vec![(Value::str(DEFAULT_LIST), list)])?;
    let others = value_of(vm, given, "env_run_lists")?;
    if others.truthy() {
        vm.call_name(&lists, "merge!", &[others])?;
    }
    vm.call_name(&role, "env_run_lists", &[lists])?;
    Ok(role)
}

fn run_list_for(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let lists = lists(vm, this);
    let own = vm.call(&lists, sym::AREF, &[args.at(0).clone()])?;
    if own.is_nil() { value_of(vm, &lists, DEFAULT_LIST) } else { Ok(own) }
}
fn active_run_list_for(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let lists = lists(vm, this);
    let has = vm.call_name(&lists, "key?", &[args.at(0).clone()])?.truthy();
    if has { Ok(args.at(0).clone()) } else { Ok(Value::str(DEFAULT_LIST)) }
}

/// Defines both classes, then loads the Ruby source.
///
/// # Errors
/// The class `Chef` is not defined.
pub fn load(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    for (name, methods, class_methods) in [("Role", ROLE, ROLE_CLASS), ("Environment", ENVIRONMENT, ENVIRONMENT_CLASS)]
    {
        let class = vm.define_class(chef, name, ClassId::OBJECT);
        vm.define_methods(class, methods);
        vm.define_singleton_methods(class, class_methods);
    }
    rchef_ruby::embed::load::require(vm, SOURCE_FEATURE).map(drop)
}
