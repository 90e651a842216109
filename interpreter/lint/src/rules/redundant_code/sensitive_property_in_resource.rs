//! A resource defines the property `sensitive`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/SensitivePropertyInResource",
    summary: "A resource defines the property `sensitive`",
    why: "Every resource has it.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :sensitive, [true, false], default: false
",
    good: r"property :a, String
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(hash) = options(n).filter(|_| n.arg(0).is_some_and(|name| name.is_sym("sensitive"))) else { return };
    let plain = hash.places() == 1 && hash.pairs().all(|(key, value)| key.is_sym("default") && value.is(Kind::False));
    if plain {
        cx.report_fix(n.span(), Edit::remove(n.span()));
    }
}
