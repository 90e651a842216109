//! The metadata depends on the cookbook minitest-handler.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/MinitestHandlerUsage",
    summary: "The cookbook minitest-handler is depended on",
    why: "It is no longer maintained.",
    level: Level::Info,
    file: "metadata.rb",
    replaced_by: "InSpec",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'minitest-handler'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["minitest-handler"]) {
        report_removal(cx, n);
    }
}
