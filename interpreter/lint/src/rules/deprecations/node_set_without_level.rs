//! A node attribute is set without a level.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/NodeSetWithoutLevel",
    summary: "A node attribute is set without a level",
    why: "Chef 11 and later refuse to write the merged attributes.",
    removed_in: "11",
    replaced_by: "node.default['a'] = ...",
    exclude: &["**/metadata.rb", "**/attributes/*.rb"],
    on: &[On::Call(&["[]=", "<<"]), On::Kind(Kind::OpAsgn)],
    check,
    bad: r"node['a']['b'] = 1
",
    good: r"node.default['a']['b'] = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let target = if n.is(Kind::OpAsgn) {
        n.kid(0).filter(|_| matches!(n.name(), "-" | "+"))
    } else {
        n.recv().filter(|on| on.is(Kind::Send)).map(|_| n)
    };
    let Some(on) = target.and_then(N::recv) else { return };
    if on.is_node() {
        cx.report(on.selector());
    } else if on.is_any(&[Kind::Send, Kind::Csend])
        && on.name() == "[]"
        && let Some(node) = on.recv().filter(|node| node.is_node())
    {
        cx.report(node.selector());
    }
}
