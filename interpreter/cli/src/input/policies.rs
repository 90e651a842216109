//! The policies of a run: named by the JSON attributes, else the command line, else the configuration, else the saved node.

use super::NodeOptions;
use super::config::{FAILURE, Refusal, text_setting, texts};
use rchef_host::compose;
use rchef_recipe::data::policy::{Choice, DEFAULT_GROUP};
use rchef_recipe::data::repo;
use rchef_recipe::policyfile::{Storage, read_lock};
use rchef_ruby::Vm;
use serde_json::Value as Json;

/// Names of policies: a list, or a text separated by commas.
fn names(value: &Json) -> Vec<String> {
    let split = |text: &str| text.split(',').map(|name| name.trim().to_string()).collect::<Vec<_>>();
    let all: Vec<String> = match value {
        Json::String(text) => split(text),
        Json::Array(list) => list.iter().filter_map(Json::as_str).flat_map(split).collect(),
        _ => Vec::new(),
    };
    all.into_iter().filter(|name| !name.is_empty()).collect()
}

/// The node as the last run saved it. Null if there is none or it cannot be read; an unreadable one is reported when the node is built.
pub fn saved_node(vm: &mut Vm, name: Option<&str>) -> Json {
    let Some(name) = name.filter(|name| !name.contains('/')) else { return Json::Null };
    repo::saved_node(vm, name).ok().flatten().unwrap_or_default()
}

/// The policy of a lock file given by its path.
fn by_path(vm: &mut Vm, options: &NodeOptions, given: &str, cwd: &str) -> Result<Choice, Refusal> {
    let storage = Storage::new(cwd, Some(given)).map_err(|text| (FAILURE, format!("--policyfile {given}: {text}")))?;
    let host = vm.host.clone();
    if let Some(overlay) = host.as_overlay() {
        overlay.pass_through(storage.lock.as_bytes());
    }
    let lock = read_lock(&*host, &storage.lock).map_err(|text| {
        let made = compose::exists(&*host, storage.lock.as_bytes());
        let file = given.strip_suffix(".lock.json").map_or(given.to_string(), |name| format!("{name}.rb"));
        let how = if made { String::new() } else { format!("; `rchef policy install {file}` makes the lock") };
        (FAILURE, format!("--policyfile: {text}{how}"))
    })?;
    let group = options.policy_group.clone().or_else(|| text_setting(vm, "policy_group"));
    Ok(Choice {
        name: lock["name"].as_str().unwrap_or_default().to_string(),
        group: group.unwrap_or_else(|| DEFAULT_GROUP.to_string()),
        named_run_list: options.named_run_list.clone().or_else(|| text_setting(vm, "named_run_list")),
        lock: Some(storage.lock),
    })
}

/// The policies of a run, in order; empty if run list and environment determine what runs.
pub fn choose(
    vm: &mut Vm,
    options: &NodeOptions,
    cwd: &str,
    json: Option<&Json>,
    saved: &Json,
) -> Result<Vec<Choice>, Refusal> {
    if let Some(given) = &options.policy_file {
        return Ok(vec![by_path(vm, options, given, cwd)?]);
    }
    let mut chosen = names(json.map_or(&Json::Null, |json| &json["policy_name"]));
    let mut group = json.and_then(|json| json["policy_group"].as_str()).map(str::to_string);
    if chosen.is_empty() {
        chosen.clone_from(&options.policies);
        chosen.retain(|name| !name.is_empty());
    }
    if chosen.is_empty() {
        chosen = names(&texts(vm, "policy_name").into());
    }
    group = group.or_else(|| options.policy_group.clone()).or_else(|| text_setting(vm, "policy_group"));
    let named_run_list = options.named_run_list.clone().or_else(|| text_setting(vm, "named_run_list"));
    if chosen.is_empty() {
        chosen = names(&saved["policy_name"]);
    }
    if chosen.is_empty() {
        return match (group, named_run_list) {
            (Some(_), _) => Err((FAILURE, "Setting `policy_name` is not configured.".into())),
            (None, Some(list)) => Err((
                FAILURE,
                format!("the named run list {list} belongs to a policy: say which with --policy-name or policy_name"),
            )),
            (None, None) => Ok(Vec::new()),
        };
    }
    group = group.or_else(|| saved["policy_group"].as_str().map(str::to_string));
    let group = match group {
        Some(group) => group,
        // the group in exports of `chef export`; without any groups the lock is found by the policy's name alone
        None if repo::names(vm, "policy_groups", false).is_empty()
            || repo::json_names(vm, "policy_groups").iter().any(|name| name == DEFAULT_GROUP) =>
        {
            DEFAULT_GROUP.to_string()
        }
        None => return Err((FAILURE, "Setting `policy_group` is not configured.".into())),
    };
    for (at, name) in chosen.iter().enumerate() {
        if chosen[..at].contains(name) {
            return Err((FAILURE, format!("the policy {name} is named twice")));
        }
    }
    let choice =
        |name: String| Choice { name, group: group.clone(), named_run_list: named_run_list.clone(), lock: None };
    Ok(chosen.into_iter().map(choice).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_a_list_or_a_text_with_commas() {
        assert_eq!(names(&"one, two".into()), ["one", "two"]);
        assert_eq!(names(&serde_json::json!(["one", "two,three", ""])), ["one", "two", "three"]);
        assert!(names(&Json::Null).is_empty());
    }
}
