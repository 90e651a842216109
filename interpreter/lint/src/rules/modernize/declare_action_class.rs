//! `declare_action_class` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DeclareActionClass",
    summary: "`declare_action_class` is called",
    why: "It is an old name.",
    level: Level::Info,
    file: "resources/a.rb",
    since: "12.9",
    replaced_by: "action_class",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["declare_action_class"])],
    check,
    bad: r"declare_action_class do
end
",
    good: r"action_class do
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_word(cx, n, "declare_action_class", "action_class");
}
