//! `launchd` with the property `hash`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/LaunchdDeprecatedHashProperty",
    summary: "`launchd` with the property `hash`",
    why: "The property was renamed, for it hid Ruby's method.",
    since: "12.19",
    removed_in: "13",
    replaced_by: "plist_hash",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Block(&["launchd"])],
    check,
    bad: r"launchd 'a' do
  hash a: 1
end
",
    good: r"launchd 'a' do
  plist_hash a: 1
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["launchd"], &["hash"]) {
        report_new_name(cx, property, "hash", "plist_hash");
    }
}
