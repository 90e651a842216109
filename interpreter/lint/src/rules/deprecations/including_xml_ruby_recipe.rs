//! The recipe `xml::ruby` is included.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/IncludingXMLRubyRecipe",
    summary: "The recipe `xml::ruby` is included",
    why: "Chef ships nokogiri since 12.",
    since: "12",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"include_recipe 'xml::ruby'
",
    good: r"log 'xml'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if includes_recipe(n, &["xml::ruby"]) {
        let whole = with_inline_condition(n);
        cx.report_fix(whole.span(), Edit::remove(whole.span()));
    }
}
