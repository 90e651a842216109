//! Kept plans (`--out`), and runs that do only what a kept plan says (`client --plan`).
//!
//! Before anything is changed the plan is made again: if it differs, the machine or the cookbooks have changed, and the run is refused. During the
//! run every change is checked against the plan too, since the plan could only assume what follows a command.

use super::document::{SCHEMA, shown_change, substance};
use rchef_host::RealHost;
use rchef_host::compose::{self, Finish};
use rchef_recipe::converge::Proposed;
use rchef_recipe::events::Line;
use rchef_ruby::{Res, Symbol, Value, Vm};
use serde_json::{Value as Json, json};
use std::rc::Rc;

/// Maximum number of differences that a refusal lists.
const MOST: usize = 20;

pub struct Saved {
    /// The arguments that it was made with.
    pub words: Vec<String>,
    pub plan: Json,
}

/// Stores a plan with mode 0600, since it may contain contents of files.
pub fn write(path: &str, plan: &Json, words: &[String]) -> Result<(), String> {
    let real = RealHost::new();
    let document = json!({
        "schema": SCHEMA,
        "words": words,
        "fingerprint": fingerprint(plan),
        "plan": plan,
    });
    let private = Finish { mode: Some(0o600), ..Finish::default() };
    let text = format!("{document:#}\n");
    compose::atomic_write(&real, path.as_bytes(), text.as_bytes(), private)
        .map_err(|error| format!("{path}: {}", error.message()))
}

fn fingerprint(plan: &Json) -> String {
    rchef_recipe::events::checksum(substance(plan).join("\n").as_bytes())
}

pub fn read(path: &str) -> Result<Saved, String> {
    let real = RealHost::new();
    let bytes = compose::read_file(&real, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
    let json: Json = serde_json::from_slice(&bytes).map_err(|error| format!("{path} is no plan: {error}"))?;
    if json["schema"] != SCHEMA {
        return Err(format!("{path} is no plan of this version of rchef\nhint: `rchef plan --out {path}` makes one"));
    }
    if json["fingerprint"].as_str() != Some(fingerprint(&json["plan"]).as_str()) {
        return Err(format!("{path} was changed since it was made\nhint: make the plan again"));
    }
    if json["plan"]["status"] != "complete" {
        return Err(format!("{path} is the plan of a run that would fail; nothing was changed"));
    }
    let words = json["words"].as_array().into_iter().flatten().filter_map(|word| word.as_str().map(String::from));
    Ok(Saved { words: words.collect(), plan: json["plan"].clone() })
}

/// How a new plan differs from the kept one; empty if it does not.
pub fn differences(kept: &Json, anew: &Json) -> Vec<String> {
    let (kept, anew) = (substance(kept), substance(anew));
    let mut lines: Vec<String> =
        kept.iter().filter(|line| !anew.contains(line)).map(|line| format!("no longer: {line}")).collect();
    lines.extend(anew.iter().filter(|line| !kept.contains(line)).map(|line| format!("now also:  {line}")));
    if lines.is_empty() && kept != anew {
        lines.push("the same changes in another order".into());
    }
    if lines.len() > MOST {
        let more = lines.len() - MOST;
        lines.truncate(MOST);
        lines.push(format!("and {more} more"));
    }
    lines
}

/// Whether the plan contains this aspect of a change with the same new value.
fn is_within(change: &Json, planned: &Json) -> bool {
    let aspects = |json: &Json| json["aspects"].as_array().cloned().unwrap_or_default();
    change["change"] == planned["change"]
        && change["subject"] == planned["subject"]
        && change["commands"] == planned["commands"]
        && aspects(change).iter().all(|aspect| {
            aspects(planned).iter().any(|known| known["name"] == aspect["name"] && known["to"] == aspect["to"])
        })
}

/// Lets a run make only the changes of a plan; `policy`: only those planned for one of several policies.
pub fn guard(vm: &mut Vm, plan: Json, policy: Option<String>) {
    let plan = Rc::new(plan);
    let gate = move |vm: &mut Vm, resource: &Value, action: Symbol, proposed: Proposed<'_>| -> Res<bool> {
        let name = vm.to_s_text(resource)?;
        // the records of the plan are masked, so the name must be too
        let name = rchef_recipe::secrets::shown(vm, &name).into_owned();
        let records = plan["actions"].as_array().into_iter().flatten();
        let records: Vec<&Json> = records
            .filter(|record| record["resource"] == name.as_str() && record["action"] == action.as_str())
            .filter(|record| record["status"] == "change" && record["policy"].as_str() == policy.as_deref())
            .collect();
        let (shown, is_planned) = match proposed {
            Proposed::Change(change) => {
                let mut change = change.to_json();
                crate::client::report::mask(vm, &mut change);
                let planned = |record: &&Json| {
                    record["changes"].as_array().into_iter().flatten().any(|planned| is_within(&change, planned))
                };
                (shown_change(&change), records.iter().any(planned))
            }
            Proposed::Lines(lines) => {
                let step = lines.iter().find_map(|line| match line {
                    Line::Step(text) => Some(text.clone()),
                    Line::Detail(_) => None,
                });
                let step = step.unwrap_or_default();
                let shown = rchef_recipe::secrets::shown(vm, &step).into_owned();
                let planned = |record: &&Json| {
                    record["steps"].as_array().into_iter().flatten().any(|known| known.as_str() == Some(&shown))
                };
                (shown.clone(), records.iter().any(planned))
            }
        };
        if is_planned {
            return Ok(true);
        }
        Err(vm.runtime_error(format!(
            "{name} action {action} is about to make a change that is not in the plan ({shown}); it was not made, and the run stops here"
        )))
    };
    rchef_recipe::run::converge_mut(vm).gate = Some(Rc::new(gate));
}
