//! What code changed and read on the machine while it ran on an overlay, and findings.

use super::place::short_place;
use crate::run::run_mut;
use rchef_host::EffectKind;
use rchef_model::code::Code;
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use rchef_ruby::Vm;

/// Effects that were kept from the machine, and reads that depend on it or on a server.
pub fn effects(vm: &mut Vm) -> (Json, Json) {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay() else { return (json!([]), json!([])) };
    let (mut done, mut read) = (Vec::new(), Vec::new());
    for effect in overlay.effects() {
        let mut map = Map::new();
        map.insert("kind".into(), json!(effect.kind.as_str()));
        let subject = String::from_utf8_lossy(&effect.subject).into_owned();
        map.insert("subject".into(), json!(super::place::without_roots(vm, &subject)));
        if !effect.detail.is_empty() {
            map.insert("detail".into(), json!(effect.detail));
        }
        if let Some(source) = &effect.source {
            let place = short_place(vm, &format!("{}:{}", source.file, source.line));
            map.insert("source".into(), json!(place));
        }
        let list = if effect.kind.is_read() { &mut read } else { &mut done };
        list.push(Json::Object(map));
    }
    read.extend(asked(vm));
    (Json::Array(done), Json::Array(read))
}

/// Searches and data bags: what a Chef server is asked for.
fn asked(vm: &mut Vm) -> Vec<Json> {
    let mut all = Vec::new();
    for asked in run_mut(vm).asked.clone() {
        let place = short_place(vm, &format!("{}:{}", asked.file, asked.line));
        let subject = super::mask::text(vm, &asked.subject).to_string();
        let detail = format!("{} found", asked.found);
        let one = json!({ "kind": asked.kind, "subject": subject, "detail": detail, "source": place });
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// A finding of the dump.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The shortened path; empty if unknown.
    pub file: String,
    pub line: u32,
    pub code: Code,
    /// The finding and how to fix it.
    pub text: String,
}

/// The findings of the run, the commands whose output was assumed, and the findings of the dump itself; sorted.
pub fn lints(vm: &mut Vm, mut found: Vec<Finding>) -> Vec<Finding> {
    for lint in run_mut(vm).lints.clone() {
        let file = short_place(vm, &lint.file);
        found.push(Finding { file, line: lint.line, code: lint.code, text: lint.text });
    }
    for used in vm.deprecations.clone() {
        let file = short_place(vm, &used.file);
        found.push(Finding { file, line: used.line, code: Code::Deprecated, text: used.text });
    }
    let host = vm.host.clone();
    let effects = host.as_overlay().map(|overlay| overlay.effects()).unwrap_or_default();
    for effect in effects.iter().filter(|effect| effect.kind == EffectKind::Command && effect.detail == "not run") {
        let (file, line) = effect.source.as_ref().map_or(("", 0), |source| (&*source.file, source.line));
        let file = short_place(vm, file);
        let command = String::from_utf8_lossy(&effect.subject).into_owned();
        let text = format!(
            "assumed empty: `{command}` was not run, so its output is taken as empty and its status as 0; answer it with --stub-command or run it with --exec"
        );
        found.push(Finding { file, line, code: Code::AssumedEmpty, text });
    }
    for finding in &mut found {
        finding.text = super::mask::text(vm, &finding.text);
    }
    found.sort();
    found.dedup();
    found
}

/// The findings in the dump's format.
pub fn lints_json(found: &[Finding]) -> Json {
    let show = |lint: &Finding| {
        let mut map = Map::new();
        if !lint.file.is_empty() {
            map.insert("source".into(), json!(format!("{}:{}", lint.file, lint.line)));
        }
        map.insert("code".into(), json!(lint.code.as_str()));
        map.insert("text".into(), json!(lint.text));
        Json::Object(map)
    };
    Json::Array(found.iter().map(show).collect())
}
