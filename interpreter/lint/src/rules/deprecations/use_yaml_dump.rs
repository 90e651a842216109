//! `to_yaml` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/UseYamlDump",
    summary: "`to_yaml` is called",
    why: "Chef 16.5 loads Ruby's libraries when they are used, and `to_yaml` does not load YAML.",
    since: "16.5",
    replaced_by: "YAML.dump",
    fix: Fix::Safe,
    on: &[On::Call(&["to_yaml"])],
    check,
    bad: r"x = data.to_yaml
",
    good: r"x = YAML.dump(data)
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if let Some(on) = n.recv() {
        report_replacement(cx, n, format!("YAML.dump({})", on.src()));
    }
}
