//! A property must match `/.*/`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/PropertySplatRegex",
    summary: "A property must match `/.*/`",
    why: "Everything does.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :a, String, regex: /.*/
",
    good: r"property :a, String
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let anything = |value: N<'_>| {
        let plain = value.is(Kind::Regexp) && value.places() == 1 && value.close().of(cx.tree.source).len() == 1;
        plain && value.kid(0).is_some_and(|text| text.is_str(".*"))
    };
    let pair = options(n).and_then(|hash| hash.pair(&["regex"]));
    if let Some(pair) = pair.filter(|pair| pair.kid(1).is_some_and(anything)) {
        report_option_removal(cx, pair.span(), pair);
    }
}
