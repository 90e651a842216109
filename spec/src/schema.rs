//! JSON schemas of published forms, as far as these use the words of JSON Schema.

use serde_json::{Map, Value as Json};

/// What the schema's own words say of a value. A word that this does not know is an error, so nothing passes unseen.
/// (A validator crate would bring more than a dozen others for these ten words.)
pub fn validate(root: &Json, schema: &Json, value: &Json, at: &str, wrong: &mut Vec<String>) {
    let Some(words) = schema.as_object() else { return wrong.push(format!("{at}: the schema is no object")) };
    for (word, rule) in words {
        let fine = match word.as_str() {
            "$schema" | "$id" | "title" | "description" | "$defs" => true,
            "$ref" => {
                let target = rule.as_str().and_then(|text| root.pointer(text.trim_start_matches('#')));
                match target {
                    Some(target) => validate(root, target, value, at, wrong),
                    None => wrong.push(format!("{at}: {rule} leads nowhere")),
                }
                true
            }
            "const" => value == rule,
            "enum" => rule.as_array().is_some_and(|list| list.contains(value)),
            "type" => match rule {
                Json::Array(list) => list.iter().any(|kind| is_kind(value, kind)),
                kind => is_kind(value, kind),
            },
            "pattern" => value.as_str().is_none_or(|text| matches(rule.as_str().unwrap_or_default(), text)),
            "required" => {
                let empty = Map::new();
                let map = value.as_object().unwrap_or(&empty);
                rule.as_array().into_iter().flatten().all(|key| map.contains_key(key.as_str().unwrap_or_default()))
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    if let Some(rule) = rule.get(key) {
                        validate(root, rule, inner, &format!("{at}/{key}"), wrong);
                    }
                }
                true
            }
            "additionalProperties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    if schema["properties"].get(key).is_some() {
                        continue;
                    }
                    match rule {
                        Json::Bool(false) => wrong.push(format!("{at}: the key {key} is not allowed")),
                        rule => validate(root, rule, inner, &format!("{at}/{key}"), wrong),
                    }
                }
                true
            }
            "items" => {
                for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, inner, &format!("{at}/{index}"), wrong);
                }
                true
            }
            other => {
                wrong.push(format!("{at}: the schema's word {other} is not known here"));
                true
            }
        };
        if !fine {
            wrong.push(format!("{at}: {value} does not fit {word} {rule}"));
        }
    }
}
fn is_kind(value: &Json, kind: &Json) -> bool {
    match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}
/// The two patterns of the schema.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        "^[0-9a-f]{64}$" => {
            text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        }
        "^(automatic|require|include_attribute from .+)$" => {
            matches!(text, "automatic" | "require")
                || text.strip_prefix("include_attribute from ").is_some_and(|rest| !rest.is_empty())
        }
        _ => false,
    }
}
