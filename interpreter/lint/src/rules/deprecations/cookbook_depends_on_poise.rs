//! The metadata depends on a cookbook of the Poise framework.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/CookbookDependsOnPoise",
    summary: "A cookbook of the Poise framework is depended on",
    why: "Poise is deprecated and changes how resources work.",
    file: "metadata.rb",
    replaced_by: "custom resources",
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"depends 'poise'
",
    good: r"depends 'apt'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["poise", "poise-service", "poise-hoist"]) {
        cx.report(n.span());
    }
}
