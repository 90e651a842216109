//! `action_class.class_eval` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ClassEvalActionClass",
    summary: "`action_class.class_eval` is called",
    why: "`action_class` takes the block itself since 12.9.",
    level: Level::Info,
    file: "resources/a.rb",
    since: "12.9",
    replaced_by: "action_class do",
    fix: Fix::Safe,
    include: &["**/resources/*.rb"],
    on: &[On::Block(&["class_eval"])],
    check,
    bad: r"action_class.class_eval do
  def a; end
end
",
    good: r"action_class do
  def a; end
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let on = n.recv().is_some_and(|on| on.is_call("action_class") && on.argc() == 0);
    if on && n.argc() == 0 && n.params().is_empty() {
        report_word(cx, n, ".class_eval", "");
    }
}
