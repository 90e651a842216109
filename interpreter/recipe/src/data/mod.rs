//! What the chef-repo holds beside cookbooks: data bags, roles, environments, saved nodes.
//!
//! - [`repo`]: reading its files; [`crypt`]: encrypted data bag items;
//! - [`role`]: roles and environments, and the expansion of run lists; [`role_class`]: their Ruby classes; [`policy`]: Policyfile locks; [`local`]: all of it as a server would answer.

pub mod crypt;
pub mod local;
pub mod policy;
pub mod repo;
pub mod role;
pub mod role_class;

use rchef_ruby::{Res, Value, Vm};

/// A JSON document as Ruby values: Hashes with String keys.
pub fn json_value(vm: &mut Vm, json: &serde_json::Value) -> Res {
    use serde_json::Value as Json;
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(flag) => Value::bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(small) => Value::Int(small),
            None => Value::Float(number.as_f64().unwrap_or(0.0)),
        },
        Json::String(text) => Value::str(text),
        Json::Array(items) => {
            let mut list = Vec::with_capacity(items.len());
            for item in items {
                list.push(json_value(vm, item)?);
            }
            Value::array(list)
        }
        Json::Object(map) => {
            let mut pairs = Vec::with_capacity(map.len());
            for (key, value) in map {
                pairs.push((Value::str(key), json_value(vm, value)?));
            }
            vm.new_hash(pairs)?
        }
    })
}
