//! `initialize` of a resource sets `@allowed_actions`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/AllowedActionsFromInitialize",
    summary: "`initialize` of a resource sets `@allowed_actions`",
    why: "`allowed_actions` declares them.",
    level: Level::Info,
    file: "libraries/a.rb",
    replaced_by: "allowed_actions",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Kind(Kind::Def)],
    check,
    bad: r"class A < Chef::Resource
  def initialize(*args)
    super
    @actions = [:create]
  end
end
",
    good: r"class A < Chef::Resource
  allowed_actions [:create]

  def initialize(*args)
    super
  end
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(body) = n.body().filter(|_| n.name() == "initialize") else { return };
    let root = cx.tree.root();
    for set in body.all().filter(|set| set.is(Kind::Ivasgn) && ["@actions", "@allowed_actions"].contains(&set.name())) {
        if set.parent().is_some_and(|parent| parent.is(Kind::OpAsgn)) {
            continue;
        }
        let mut edits = vec![cx.remove_with_space(set)];
        let declared = root.all().any(|call| call.is_call_any(&["actions", "allowed_actions"]));
        if let (Some(value), Some(first)) = (set.kid(0), first_initialize(root).filter(|_| !declared)) {
            edits.insert(0, Edit::insert(first.start(), format!("allowed_actions {}\n\n", value.src())));
        }
        cx.report_edits(set.span(), edits);
    }
}
