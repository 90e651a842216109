//! Metadata has `attribute`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/AttributeMetadata",
    summary: "Metadata has `attribute`",
    why: "Nothing reads it.",
    level: Level::Info,
    file: "metadata.rb",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["attribute"])],
    check,
    bad: r"name 'a'
attribute 'a/b', default: 1
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_field_removal(cx, n);
}
