//! Metadata tests whether a method exists.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/RespondToInMetadata",
    summary: "Metadata asks whether a method is there",
    why: "Every supported Chef has the methods.",
    level: Level::Info,
    file: "metadata.rb",
    since: "12.15",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Kind(Kind::If), On::Kind(Kind::Defined)],
    check,
    bad: r"chef_version '>= 12' if respond_to?(:chef_version)
",
    good: r"chef_version '>= 12'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let whole = if n.is(Kind::If) {
        Some(n).filter(|n| n.condition().is_some_and(|test| test.is_call("respond_to?") && test.argc() == 1))
    } else {
        let conditions = [Kind::If, Kind::While, Kind::Until, Kind::Case];
        Some(n.parent().filter(|parent| parent.is_any(&conditions)).unwrap_or(n))
    };
    let Some(whole) = whole else { return };
    match whole.is(Kind::If).then(|| whole.branches().into_iter().flatten().next()).flatten() {
        Some(body) => report_replacement(cx, whole, body.src()),
        None => cx.report(whole.span()),
    }
}
