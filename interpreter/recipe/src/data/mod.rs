//! The data in the chef-repo besides cookbooks: data bags, roles, environments, saved nodes.
//!
//! - [`repo`]: reading its files; [`ahead`]: an index of saved nodes; [`crypt`]: encrypted data bag items;
//! - [`role`]: roles and environments, and the expansion of run lists; [`expanded`]: the expanded run list of the run; [`role_class`]: `Chef::Role`
//!   and `Chef::Environment`; [`policy`]: Policyfile locks; [`local`]: all of it in the form of a server's answers.

pub mod ahead;
pub mod crypt;
pub mod expanded;
pub mod local;
pub mod policy;
pub mod repo;
pub mod role;
pub mod role_class;

use rchef_ruby::text::encoding::Encoding;
use rchef_ruby::{Res, Value, Vm};
use serde_json::{Map, Value as Json};

/// A Ruby value as JSON; keys and values that JSON does not have become strings.
pub fn to_json(vm: &mut Vm, value: &Value) -> Res<Json> {
    Ok(walked(vm, value, false)?.unwrap_or_default())
}

/// The value as JSON. None if it contains an object that JSON does not have: then its own `to_json` must be called.
pub fn plain_json(vm: &mut Vm, value: &Value) -> Res<Option<Json>> {
    walked(vm, value, true)
}

/// The text of a String in UTF-8, or without an encoding. The bytes of a String in another one can look like UTF-8, but mean another text.
fn plain_text(text: &rchef_ruby::RString) -> Option<&str> {
    let encoding = text.encoding();
    let is_plain = match encoding {
        Encoding::Utf8 | Encoding::UsAscii | Encoding::Binary => true,
        other => other.is_ascii_compatible() && text.bytes().is_ascii(),
    };
    is_plain.then(|| std::str::from_utf8(text.bytes()).ok())?
}

/// With `strict`: None if it contains anything that JSON does not have.
fn walked(vm: &mut Vm, value: &Value, strict: bool) -> Res<Option<Json>> {
    vm.check_stack()?;
    Ok(Some(match value {
        Value::Nil => Json::Null,
        Value::True => Json::Bool(true),
        Value::False => Json::Bool(false),
        Value::Int(number) => (*number).into(),
        Value::Float(number) => match serde_json::Number::from_f64(number.get()) {
            Some(number) => Json::Number(number),
            None if strict => return Ok(None),
            None => Json::Null,
        },
        Value::Array(list) => {
            let mut found = Vec::new();
            for item in list.get(vm).items.clone() {
                let Some(item) = walked(vm, &item, strict)? else { return Ok(None) };
                found.push(item);
            }
            Json::Array(found)
        }
        Value::Hash(_) => {
            let mut found = Map::new();
            for (key, value) in crate::node::mash::pairs(vm, value)? {
                let key = match &key {
                    Value::Str(text) if strict => match plain_text(text.get(vm)) {
                        Some(key) => key.to_string(),
                        None => return Ok(None),
                    },
                    Value::Sym(name) => name.to_string(),
                    _ if strict => return Ok(None),
                    key => vm.to_s_text(key)?,
                };
                let Some(value) = walked(vm, &value, strict)? else { return Ok(None) };
                found.insert(key, value);
            }
            Json::Object(found)
        }
        Value::Str(text) if strict => match plain_text(text.get(vm)) {
            Some(text) => Json::String(text.to_string()),
            None => return Ok(None),
        },
        _ if strict => return Ok(None),
        Value::Object(_) => {
            let to_hash = rchef_ruby::Symbol::intern_static("to_hash");
            if vm.respond_to(value, to_hash, false)? {
                let hash = vm.call(value, to_hash, &[])?;
                return walked(vm, &hash, strict);
            }
            Json::String(vm.to_s_text(value)?)
        }
        other => Json::String(vm.to_s_text(other)?),
    }))
}

/// A JSON document as Ruby values: Hashes with String keys.
pub fn json_value(vm: &mut Vm, json: &Json) -> Res {
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(flag) => Value::bool(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Value::Int(whole),
            (None, Some(whole)) => Value::u64(whole),
            (None, None) => Value::float(number.as_f64().unwrap_or(0.0)),
        },
        Json::String(text) => Value::str(text),
        Json::Array(items) => {
            let mut list = Vec::with_capacity(items.len());
            for item in items {
                list.push(json_value(vm, item)?);
            }
            Value::array(list)
        }
        Json::Object(map) => json_object(vm, map)?,
    })
}

/// A JSON object as a Hash.
pub fn json_object(vm: &mut Vm, map: &serde_json::Map<String, serde_json::Value>) -> Res {
    let mut pairs = Vec::with_capacity(map.len());
    for (key, value) in map {
        pairs.push((Value::str(key), json_value(vm, value)?));
    }
    vm.new_hash(pairs)
}
