//! `initialize` of a resource sets `@resource_name`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ResourceNameFromInitialize",
    summary: "`initialize` of a resource sets `@resource_name`",
    why: "`resource_name` declares it.",
    level: Level::Info,
    file: "resources/a.rb",
    replaced_by: "resource_name",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Kind(Kind::Def)],
    check,
    bad: r"class A
  def initialize(*args)
    super
    @resource_name = :a
  end
end
",
    good: r"class A
  resource_name :a

  def initialize(*args)
    super
  end
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(body) = n.body().filter(|_| n.name() == "initialize") else { return };
    for set in body.all().filter(|set| set.is(Kind::Ivasgn) && set.name() == "@resource_name") {
        let mut edits = vec![cx.remove_with_space(set)];
        if let (Some(value), Some(first)) = (set.kid(0), first_initialize(cx.tree.root())) {
            edits.insert(0, Edit::insert(first.start(), format!("resource_name {}\n\n", value.src())));
        }
        cx.report_edits(set.span(), edits);
    }
}
