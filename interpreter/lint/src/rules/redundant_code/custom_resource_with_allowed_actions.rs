//! A custom resource lists its actions.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/CustomResourceWithAllowedActions",
    summary: "A custom resource lists its actions",
    why: "`action :name do` declares them.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: &["**/resources/*.rb"],
    on: &[On::Call(&["allowed_actions", "actions"])],
    check,
    bad: r"provides :a
actions [:create]
action :create do
end
",
    good: r"provides :a
action :create do
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let root = cx.tree.root();
    if n.recv().is_none() && !root.all().any(|call| requires(call, &["poise"])) && has_actions(root) {
        report_removal(cx, n);
    }
}
