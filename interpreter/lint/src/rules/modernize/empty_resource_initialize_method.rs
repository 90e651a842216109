//! `initialize` of a resource only calls `super`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/EmptyResourceInitializeMethod",
    summary: "`initialize` of a resource only calls `super`",
    why: "It does nothing.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCE_FILES,
    on: &[On::Kind(Kind::Def)],
    check,
    bad: r"provides :a
def initialize(*args)
  super
end
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let rest = n.params().len() == 1 && n.params()[0].src() == "*args";
    if n.name() == "initialize" && rest && n.body().is_some_and(|body| body.is(Kind::Zsuper)) {
        report_removal(cx, n);
    }
}
