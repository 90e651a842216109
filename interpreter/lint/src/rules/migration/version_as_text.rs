//! Versions are compared as strings.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/VersionAsText",
    summary: "A version is compared as text",
    why: "Texts compare letter by letter: '9' is greater than '10'.",
    replaced_by: "Gem::Version, or .to_i and a number",
    include: RUNS,
    exclude: TESTS,
    on: &[On::Call(&["<", ">", "<=", ">="])],
    check,
    bad: r"log 'a' if node['web']['version'] >= '1.10'
",
    good: r"log 'a' if Gem::Version.new(node['web']['version']) >= Gem::Version.new('1.10')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let (Some(left), Some(right)) = (n.recv(), n.only_arg()) else { return };
    // since Chef 16, the platform version is an object that can be compared with strings
    let key = left.only_arg().filter(|_| left.name() == "[]").and_then(|key| key.as_str().or(key.as_sym()));
    if ["platform_version", "os_version"].iter().any(|name| left.name() == *name || key == Some(*name)) {
        return;
    }
    let version = match left.name() {
        "[]" => key.is_some_and(is_version),
        name => left.argc() == 0 && is_version(name) && left.is_any(&[Kind::Send, Kind::Lvar]) && from_node(left),
    };
    if version && right.as_str().is_some_and(|text| text.starts_with(|letter: char| letter.is_ascii_digit())) {
        cx.report(n.span());
    }
}

fn is_version(name: &str) -> bool {
    name == "version" || name.ends_with("_version")
}

/// Whether a method is called on the node: methods of cookbooks may return a Gem::Version.
fn from_node(call: N<'_>) -> bool {
    std::iter::successors(call.recv(), |on| on.recv()).any(N::is_node)
}
