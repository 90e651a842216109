//! A platform version is compared with a string.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/PlatformVersionStringComparison",
    summary: "A platform version is compared with a string",
    why: "Texts compare letter by letter in Chef before 16: '10' is less than '9'.",
    replaced_by: ".to_i or Gem::Version",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["<", ">", "<=", ">="])],
    check,
    bad: r"log 'a' if node['platform_version'] < '10'
",
    good: r"log 'a' if node['platform_version'].to_i < 10
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let left = n.recv().is_some_and(|left| left.is_node_attribute(&["platform_version", "os_version"]));
    if left && n.only_arg().is_some_and(|right| right.is(Kind::Str)) {
        cx.report(n.span());
    }
}
