//! Comparison and display of values in dumps.

use serde_json::{Map, Value as Json};

/// Normalizes a value: Symbols become strings, and blocks lose their place.
pub fn plain(value: &Json) -> Json {
    match value {
        Json::Object(map) => {
            if let Some((key, inner)) = map.iter().next().filter(|_| map.len() == 1) {
                match key.as_str() {
                    "$sym" => return inner.clone(),
                    "$lazy" | "$proc" => return tagged(key),
                    "$set" => return plain(inner),
                    _ => {}
                }
            }
            Json::Object(map.iter().map(|(key, value)| (key.clone(), plain(value))).collect())
        }
        Json::Array(items) => Json::Array(items.iter().map(plain).collect()),
        other => other.clone(),
    }
}

fn tagged(key: &str) -> Json {
    let mut map = Map::new();
    map.insert(key.to_string(), Json::Bool(true));
    Json::Object(map)
}

/// Whether two normalized values are equal; a masked value without a digest equals any value.
pub fn same(a: &Json, b: &Json) -> bool {
    let masked = |value: &Json| value.get("$sensitive").is_some_and(|hidden| !hidden.is_string());
    match (a, b) {
        _ if masked(a) || masked(b) => true,
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// Collects the smallest differing parts with their paths, descending into maps; lists and strings are compared as a whole.
pub fn parts(path: &str, a: Option<&Json>, b: Option<&Json>, found: &mut Vec<(String, Option<Json>, Option<Json>)>) {
    let maps = (a.and_then(Json::as_object), b.and_then(Json::as_object));
    if let (Some(from), Some(to)) = maps {
        let tag = |map: &Map<String, Json>| map.keys().any(|key| key.starts_with('$'));
        if !tag(from) && !tag(to) {
            let mut keys: Vec<&String> = from.keys().chain(to.keys().filter(|key| !from.contains_key(*key))).collect();
            keys.sort();
            for key in keys {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                parts(&inner, from.get(key), to.get(key), found);
            }
            return;
        }
    }
    let equal = match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    };
    if !equal {
        found.push((path.to_string(), a.cloned(), b.cloned()));
    }
}

/// A value on one line.
pub fn short(value: Option<&Json>) -> String {
    match value {
        None => "(not set)".into(),
        Some(value) => match value.as_object().and_then(|map| map.iter().next()) {
            Some((key, _)) if key == "$sensitive" => "(sensitive)".into(),
            Some((key, _)) if key == "$lazy" => "lazy { … }".into(),
            Some((key, _)) if key == "$proc" => "{ … }".into(),
            _ => value.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{parts, plain, same};
    use serde_json::json;

    #[test]
    fn equality() {
        assert!(same(&plain(&json!({"$sym": "a"})), &json!("a")));
        assert!(same(&plain(&json!({"$lazy": "a:1"})), &plain(&json!({"$lazy": "a:2"}))));
        assert!(same(&json!({"$sensitive": true}), &json!("x")) && same(&json!(1), &json!(1.0)));
        assert!(!same(&json!({"$sensitive": "hmac-sha256:1"}), &json!({"$sensitive": "hmac-sha256:2"})));
        let mut found = Vec::new();
        parts("", Some(&json!({"a": {"b": 1, "c": 2}})), Some(&json!({"a": {"b": 3, "c": 2}, "d": null})), &mut found);
        assert_eq!(found, [("a.b".into(), Some(json!(1)), Some(json!(3))), ("d".into(), None, Some(json!(null)))]);
    }
}
