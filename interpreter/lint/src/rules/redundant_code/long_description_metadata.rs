//! Metadata has `long_description`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/LongDescriptionMetadata",
    summary: "Metadata has `long_description`",
    why: "The README is shown instead.",
    level: Level::Info,
    file: "metadata.rb",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["long_description"])],
    check,
    bad: r"name 'a'
long_description 'b'
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_field_removal(cx, n);
}
