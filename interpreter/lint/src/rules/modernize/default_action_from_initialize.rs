//! `initialize` of a resource sets `@action`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DefaultActionFromInitialize",
    summary: "`initialize` of a resource sets `@action`",
    why: "`default_action` declares it.",
    level: Level::Info,
    file: "resources/a.rb",
    replaced_by: "default_action",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Kind(Kind::Ivasgn)],
    check,
    bad: r"def initialize(*args)
  super
  @action = :create
end
",
    good: r"default_action :create

def initialize(*args)
  super
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if !["@action", "@default_action"].contains(&n.name()) {
        return;
    }
    let Some(value) = n.kid(0) else { return };
    let root = cx.tree.root();
    let mut edits = vec![cx.remove_with_space(n)];
    if let Some(first) = first_initialize(root).filter(|_| !calls(root, "default_action")) {
        edits.insert(0, Edit::insert(first.start(), format!("default_action {}\n\n", value.src())));
    }
    cx.report_edits(n.span(), edits);
}
