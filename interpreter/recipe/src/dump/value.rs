//! Ruby values in the dump's format (SPEC-compile 6.3, value encoding).

use super::options;
use super::place::{short_place, without_roots};
use crate::resource::property;
use memchr::memmem;
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use rchef_ruby::{ClassId, Res, Value, Vm, sym};

/// A map with one key.
fn tagged(key: &'static str, value: Json) -> Json {
    let mut map = Map::new();
    map.push(key, value);
    Json::Object(map)
}

/// The shortened file and line of a Proc.
fn proc_place(vm: &mut Vm, proc: &Value) -> Res<String> {
    let Value::Proc(gc) = proc else { return Ok(String::new()) };
    let place = match &gc.get(vm).kind {
        rchef_ruby::embed::frame::ProcKind::Ruby { code, .. } => format!("{}:{}", code.file.path, code.line),
        _ => "native".to_string(),
    };
    Ok(short_place(vm, &place))
}

/// The maximum nesting of a value.
const MAX_DEPTH: usize = 60;

/// The maximum size of one value, in elements and 64-byte pieces of its strings. Shared parts are written out every time, so a few lines of Ruby
/// can build a value that does not fit into any memory.
const ROOM: usize = 4 << 20;

/// A value in the dump's format. With `plain`, Symbols are written as strings (for attributes). Values that are too large are replaced by a note.
pub fn encode(vm: &mut Vm, value: &Value, plain: bool) -> Res<Json> {
    let mut room = ROOM;
    encode_at(vm, value, plain, 0, &mut room)
}

fn encode_at(vm: &mut Vm, value: &Value, plain: bool, depth: usize, room: &mut usize) -> Res<Json> {
    if depth > MAX_DEPTH {
        return Ok(tagged("$object", json!("nested too deeply")));
    }
    vm.tick_by(1)?;
    let bytes = if let Value::Str(text) = value { text.get(vm).bytesize() } else { 0 };
    match room.checked_sub(1 + bytes / 64) {
        Some(left) => *room = left,
        None => {
            *room = 0;
            return Ok(tagged("$object", json!("too large to show")));
        }
    }
    vm.check_left(bytes)?;
    Ok(match value {
        Value::Nil | Value::Undef => Json::Null,
        Value::True => json!(true),
        Value::False => json!(false),
        Value::Int(number) => json!(number),
        Value::Float(number) if number.get().is_finite() => json!(number.get()),
        Value::Float(_) => tagged("$float", json!(vm.to_s_text(value)?)),
        Value::Big(_) => tagged("$int", json!(vm.to_s_text(value)?)),
        Value::Sym(symbol) if plain => Json::word(symbol.as_str()),
        Value::Sym(symbol) => tagged("$sym", Json::word(symbol.as_str())),
        Value::Str(text) => match std::str::from_utf8(text.get(vm).bytes()) {
            // the directory of cached cookbooks differs from machine to machine
            Ok(text) if memmem::find(text.as_bytes(), b"/cookbooks/").is_some() => {
                let text = text.to_string();
                Json::from(without_roots(vm, &text))
            }
            Ok(text) => {
                let text = text.to_string();
                Json::from(crate::chef_class::without_cache(vm, text))
            }
            Err(_) => {
                let encoded = rchef_ruby::text::base64::strict_encode(text.get(vm).bytes());
                tagged("$base64", Json::from(String::from_utf8_lossy(&encoded).into_owned()))
            }
        },
        Value::Class(id) => tagged("$class", json!(vm.class_name(*id))),
        Value::Array(list) => {
            let mut items = Vec::new();
            for item in list.get(vm).items.clone() {
                items.push(encode_at(vm, &item, plain, depth + 1, room)?);
            }
            Json::Array(items)
        }
        Value::Hash(_) => encode_hash(vm, value, plain, depth, room)?,
        Value::Range(_) => tagged("$range", json!(vm.inspect(value)?)),
        Value::Proc(_) => {
            let tag = if property::is_lazy(vm, value)? { "$lazy" } else { "$proc" };
            tagged(tag, json!(proc_place(vm, value)?))
        }
        Value::Object(_) => encode_object(vm, value, plain, depth, room)?,
    })
}

fn encode_hash(vm: &mut Vm, value: &Value, plain: bool, depth: usize, room: &mut usize) -> Res<Json> {
    let Value::Hash(hash) = value else { return Ok(Json::Null) };
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let textual = pairs.iter().all(|(key, _)| matches!(key, Value::Str(_) | Value::Sym(_)));
    if !textual {
        let mut items = Vec::new();
        for (key, value) in pairs {
            let pair = [encode_at(vm, &key, plain, depth + 1, room)?, encode_at(vm, &value, plain, depth + 1, room)?];
            items.push(Json::Array(pair.to_vec()));
        }
        return Ok(tagged("$map", Json::Array(items)));
    }
    let mut items = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let key = vm.to_s_text(&key)?;
        items.push((key, encode_at(vm, &value, plain, depth + 1, room)?));
    }
    if !options(vm).insertion_order {
        items.sort_by(|a, b| a.0.cmp(&b.0));
    }
    Ok(Json::Object(items.into_iter().collect()))
}

fn encode_object(vm: &mut Vm, value: &Value, plain: bool, depth: usize, room: &mut usize) -> Res<Json> {
    if crate::context::is_resource(vm, value) {
        return Ok(tagged("resource", json!(vm.to_s_text(value)?)));
    }
    let class = vm.real_class_of(value);
    let name = vm.class_name(class);
    if class == ClassId::REGEXP {
        let source = vm.call_name(value, "source", &[])?;
        return Ok(tagged("$regex", json!(vm.to_s_text(&source)?)));
    }
    if name == "Set" {
        let list = vm.call(value, sym::TO_A, &[])?;
        let items = encode_at(vm, &list, plain, depth + 1, room)?;
        return Ok(tagged("$set", items));
    }
    if vm.is_a(value, ClassId::TIME) {
        return Ok(tagged("$time", json!(vm.to_s_text(value)?)));
    }
    if matches!(name.as_str(), "Date" | "DateTime") {
        return Ok(tagged("$date", json!(vm.to_s_text(value)?)));
    }
    Ok(tagged("$object", json!(name)))
}

/// The replacement for a masked value.
pub fn masked() -> Json {
    tagged("$sensitive", json!(true))
}
