//! A fact of Chef's own Ruby is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/RubyFacts",
    summary: "A fact of Chef's own Ruby is used",
    why: "There is no Ruby on the node: `node['languages']['ruby']` is absent or describes another one, and paths below it do not exist.",
    include: RUNS,
    exclude: TESTS,
    on: &[On::Call(&["[]"])],
    check,
    bad: r"gem = node['languages']['ruby']['gem_bin']
",
    good: r"gem = '/usr/bin/gem'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let languages = |on: N<'t>| {
        on.is_node_attribute(&["languages"])
            || on.is_send("[]") && on.only_arg().is_some_and(|key| key.is_sym("languages"))
    };
    let ruby = n.only_arg().is_some_and(|key| key.is_str("ruby") || key.is_sym("ruby"));
    if ruby && n.recv().is_some_and(languages) {
        cx.report(n.span());
    }
}
