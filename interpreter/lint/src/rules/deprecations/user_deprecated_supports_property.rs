//! `user` with the property `supports`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/UserDeprecatedSupportsProperty",
    summary: "`user` with the property `supports`",
    why: "The property was removed; each of its keys is a property.",
    removed_in: "13",
    replaced_by: "manage_home, non_unique",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Block(&["user"])],
    check,
    bad: r"user 'a' do
  supports manage_home: true
end
",
    good: r"user 'a' do
  manage_home true
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["user"], &["supports"]) {
        let Some(hash) = property.arg(0) else { continue };
        if !hash.is(Kind::Hash) {
            cx.report(property.span());
            continue;
        }
        let lines = hash.pairs().map(|(key, value)| {
            let name = if key.is(Kind::Send) { key.name() } else { key.value() };
            format!("{name} {}", value.src())
        });
        let text = lines.collect::<Vec<_>>().join("\n  ");
        report_replacement(cx, property, text);
    }
}
