//! `initialize` of a resource sets `@provides`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ProvidesFromInitialize",
    summary: "`initialize` of a resource sets `@provides`",
    why: "`provides` declares it.",
    level: Level::Info,
    file: "resources/a.rb",
    replaced_by: "provides",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Kind(Kind::Ivasgn)],
    check,
    bad: r"class A
  def initialize(*args)
    super
    @provides = :a
  end
end
",
    good: r"class A
  provides :a

  def initialize(*args)
    super
  end
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(value) = n.kid(0).filter(|value| n.name() == "@provides" && value.is(Kind::Sym)) else { return };
    let outer = n.parent().and_then(N::parent);
    if outer.is_none_or(|outer| first_initialize(outer).is_none()) {
        return;
    }
    let root = cx.tree.root();
    let mut edits = vec![cx.remove_with_space(n)];
    if let Some(first) = first_initialize(root).filter(|_| !calls(root, "provides")) {
        edits.insert(0, Edit::insert(first.start(), format!("provides {}\n\n", value.src())));
    }
    cx.report_edits(n.span(), edits);
}
