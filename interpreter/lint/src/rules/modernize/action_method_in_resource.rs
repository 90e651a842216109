//! A resource's action is a method `action_x`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ActionMethodInResource",
    summary: "A resource's action is a method `action_x`",
    why: "`action :x do` reports what it changes and may use other resources' notifications.",
    level: Level::Info,
    file: "resources/a.rb",
    replaced_by: "action :name do",
    fix: Fix::Safe,
    include: RESOURCE_FILES,
    on: &[On::Kind(Kind::Def)],
    check,
    bad: r"def action_create
  log 'a'
end
",
    good: r"action :create do
  log 'a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(action) = n.name().strip_prefix("action_").filter(|_| n.params().is_empty()) else { return };
    let poise =
        |call: N<'_>| call.is_call("include") && call.only_arg().is_some_and(|name| name.is_bare_const("Poise"));
    if !n.parent().is_some_and(|parent| parent.all().any(poise)) {
        report_word(cx, n, &format!("def {}", n.name()), &format!("action :{action} do"));
    }
}
