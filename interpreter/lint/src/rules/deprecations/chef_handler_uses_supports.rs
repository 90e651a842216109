//! `chef_handler` with the property `supports`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefHandlerUsesSupports",
    summary: "`chef_handler` with the property `supports`",
    why: "The property was removed; `type` takes the same hash.",
    removed_in: "14",
    replaced_by: "type",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Block(&["chef_handler"])],
    check,
    bad: r"chef_handler 'Report' do
  supports start: true, report: true
end
",
    good: r"chef_handler 'Report' do
  type start: true, report: true
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["chef_handler"], &["supports"]) {
        if let Some(value) = property.arg(0) {
            report_replacement(cx, property, format!("type {}", value.src().replace(['{', '}'], "")));
        }
    }
}
