//! A resource defines the action `:nothing`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/ResourceWithNothingAction",
    summary: "A resource defines the action `:nothing`",
    why: "Every resource has it.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Block(&["action"])],
    check,
    bad: r"provides :a
action :nothing do
end
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let nothing = n.only_arg().is_some_and(|name| name.is_sym("nothing"));
    if n.recv().is_none() && nothing && n.params().is_empty() {
        report_removal(cx, n);
    }
}
