//! A class defines `provides?` and calls no `provides`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ResourceOverridesProvidesMethod",
    summary: "A class defines `provides?` and calls no `provides`",
    why: "Chef 13 and later ask `provides`.",
    file: "libraries/a.rb",
    removed_in: "13",
    replaced_by: "provides",
    include: PROVIDERS,
    on: &[On::Kind(Kind::Def)],
    check,
    bad: r"def provides?(_node, _resource)
  true
end
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.name() == "provides?" && !calls(cx.tree.root(), "provides") {
        cx.report(n.span());
    }
}
