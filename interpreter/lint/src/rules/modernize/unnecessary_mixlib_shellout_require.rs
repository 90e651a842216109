//! mixlib/shellout is required.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UnnecessaryMixlibShelloutRequire",
    summary: "mixlib/shellout is required",
    why: "Chef has loaded it.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCE_FILES,
    on: &[On::Call(&["require"])],
    check,
    bad: r"provides :a
require 'mixlib/shellout'
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if requires(n, &["mixlib/shellout"]) {
        report_removal(cx, n);
    }
}
