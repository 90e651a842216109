//! A field of the metadata is empty.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/EmptyMetadataField",
    summary: "A field of the metadata is empty",
    why: "It says nothing.",
    level: Level::Info,
    file: "metadata.rb",
    include: METADATA,
    on: &[On::Kind(Kind::Send)],
    check,
    bad: r"license ''
",
    good: r"license 'Apache-2.0'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if let Some(value) = n.arg(0).filter(|value| n.recv().is_none() && value.is_str("")) {
        cx.report(value.span());
    }
}
