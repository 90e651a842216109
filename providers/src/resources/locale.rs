use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "locale",
    class: "Locale",
    doc: "Sets the locale of the system.",
    introduced: "14.5",
    provides: &[Provides::always("locale")],
    actions: &["update"],
    default_action: &["update"],
    properties: &[
        prop("lang", &[Str])
            .regex(r"\A\S+")
            .message("The provided lang is not valid. It should be a non-empty string without any leading whitespace.")
            .doc("LANG."),
        prop("lc_env", &[Hash]).coerce(lc_env).default_empty(Hash).doc("LC variables."),
    ],
    provider_methods: crate::providers::locale::METHODS,
    ..ResourceDef::DEFAULT
};

const VARIABLES: [&str; 12] = [
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
];

/// Validates that the variables are known and their values neither empty nor with leading white space.
fn lc_env(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let Value::Hash(hash) = value else { return Ok(value.clone()) };
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut bad = Vec::new();
    for (key, _) in &pairs {
        if !coerce::text(vm, key).is_some_and(|key| VARIABLES.contains(&key.as_str())) {
            bad.push(vm.to_s_text(key)?);
        }
    }
    if !bad.is_empty() {
        let text = format!(
            "Key of option lc_env must be equal to one of: \"{}\"!  You passed \"{}\".",
            VARIABLES.join("\", \""),
            bad.join(", ")
        );
        return Err(coerce::chef_error(vm, "ValidationFailed", text));
    }
    let sound = |value: &Value| {
        coerce::text(vm, value).is_some_and(|text| text.starts_with(|c: char| !c.is_ascii_whitespace()))
    };
    if !pairs.iter().all(|(_, value)| sound(value)) {
        let text = "Values of option lc_env should be non-empty string without any leading whitespace.";
        return Err(coerce::chef_error(vm, "ValidationFailed", text));
    }
    Ok(value.clone())
}
