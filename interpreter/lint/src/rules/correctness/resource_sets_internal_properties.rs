//! `service` sets `running`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ResourceSetsInternalProperties",
    summary: "`service` sets `running`",
    why: "Chef sets it itself; the value that is given is lost.",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["service"])],
    check,
    bad: r"service 'a' do
  running true
  action [:start]
end
",
    good: r"service 'a' do
  action [:start]
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["service"], &["running"]) {
        cx.report(property.span());
    }
}
