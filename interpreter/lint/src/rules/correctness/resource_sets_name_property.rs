//! A resource sets `name`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ResourceSetsNameProperty",
    summary: "A resource sets `name`",
    why: "The name is what the resource is called by; changing it breaks notifications.",
    replaced_by: "the property that the name stands for",
    exclude: NO_RESOURCES,
    on: &[On::Kind(Kind::Block)],
    check,
    bad: r"service 'a' do
  name 'b'
end
",
    good: r"service 'a' do
  service_name 'b'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &[], &["name"]) {
        cx.report(property.span());
    }
}
