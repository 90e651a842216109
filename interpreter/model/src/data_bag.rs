//! Data bags: the format of item files, and valid names.

use crate::Value;

/// The item in a file: the whole document, or `raw_data` of the object that `knife` saves.
pub fn raw_data(item: Value) -> Value {
    match item {
        Value::Object(mut map)
            if map.get("json_class").and_then(Value::as_str) == Some("Chef::DataBagItem")
                || map.contains_key("raw_data") && map.contains_key("data_bag") =>
        {
            map.shift_remove("raw_data").unwrap_or_default()
        }
        Value::Object(mut map) => {
            map.shift_remove("chef_type");
            map.shift_remove("data_bag");
            Value::Object(map)
        }
        other => other,
    }
}

/// Whether a name is valid for a data bag or item: letters, digits, `.`, `-` and `_`.
pub fn is_valid_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || ".-_".contains(c))
}

/// Whether a name belongs to another search index, so that no data bag can have it.
pub fn is_reserved_name(name: &str) -> bool {
    matches!(name, "node" | "role" | "environment" | "client")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_knife_saves_is_unwrapped() {
        let item = json!({ "id": "a", "x": 1 });
        for stored in [
            item.clone(),
            json!({ "name": "data_bag_item_b_a", "json_class": "Chef::DataBagItem", "raw_data": item }),
            json!({ "data_bag": "b", "raw_data": item }),
            json!({ "id": "a", "x": 1, "chef_type": "data_bag_item", "data_bag": "b" }),
        ] {
            assert_eq!(raw_data(stored.clone()), item, "{stored}");
        }
    }

    #[test]
    fn names() {
        assert!(is_valid_name("a.b-c_1") && !is_valid_name("a/b") && !is_valid_name(""));
        assert!(is_reserved_name("node") && !is_reserved_name("nodes"));
    }
}
