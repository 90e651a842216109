//! A cookbook's version is not of the form X.Y or X.Y.Z.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidVersionMetadata",
    summary: "A cookbook's version is not of the form X.Y or X.Y.Z",
    why: "Chef refuses the cookbook.",
    file: "metadata.rb",
    include: METADATA,
    on: &[On::Call(&["version"])],
    check,
    bad: r"version '1.2.3.4'
",
    good: r"version '1.2.3'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(version) = n.arg(0).filter(|version| n.recv().is_none() && version.is(Kind::Str)) else { return };
    let parts: Vec<&str> = version.value().split('.').collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !(matches!(parts.len(), 2 | 3) && parts.iter().all(number)) {
        cx.report(version.span());
    }
}
