//! Ohai's hints: a file `NAME.json` in a hints folder says that the machine belongs to a cloud, and may hold data about it.

use super::source::{Choice, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

pub(super) const FOLDERS: [&str; 2] = ["/etc/chef/ohai/hints", "/etc/cinc/ohai/hints"];

/// The hint of this name: an empty object if the file is empty or not JSON; None without a file.
pub(super) fn hint(host: &dyn Host, choice: &Choice, name: &str) -> Option<Json> {
    let given = choice.hints.iter().map(String::as_str);
    let text = given.chain(FOLDERS).find_map(|folder| read(host, &format!("{folder}/{name}.json")))?;
    Some(serde_json::from_str(&text).unwrap_or_else(|_| json!({})))
}
