//! Ohai's hints: `NAME.json` in its hints folders says that the machine is of a cloud, and may hold data about it.

use super::source::{Choice, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

pub(super) const FOLDERS: [&str; 2] = ["/etc/chef/ohai/hints", "/etc/cinc/ohai/hints"];

/// The hint of this name: an empty object where the file is empty or no JSON; none where there is no file.
pub(super) fn hint(host: &dyn Host, choice: &Choice, name: &str) -> Option<Json> {
    let given = choice.hints.iter().map(String::as_str);
    let text = given.chain(FOLDERS).find_map(|folder| read(host, &format!("{folder}/{name}.json")))?;
    Some(serde_json::from_str(&text).unwrap_or_else(|_| json!({})))
}
