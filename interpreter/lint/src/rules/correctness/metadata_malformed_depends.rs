//! `depends` lacks the comma between name and version.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/MetadataMalformedDepends",
    summary: "`depends` lacks the comma between name and version",
    why: "Ruby joins the two strings to one name.",
    file: "metadata.rb",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"depends 'apt' '> 1.0'
",
    good: r"depends 'apt', '> 1.0'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(name) = n.only_arg().filter(|name| n.recv().is_none() && name.is(Kind::Dstr)) else { return };
    let parts: Vec<&str> = name.kids().filter_map(N::as_str).collect();
    if let ([name, version], 2) = (parts.as_slice(), name.places()) {
        report_replacement(cx, n, format!("depends '{name}', '{version}'"));
    }
}
