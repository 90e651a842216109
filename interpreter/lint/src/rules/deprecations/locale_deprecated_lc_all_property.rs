//! `locale` with the property `lc_all`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/LocaleDeprecatedLcAllProperty",
    summary: "`locale` with the property `lc_all`",
    why: "Setting LC_ALL for the whole system is unsafe, and the property was removed.",
    removed_in: "15",
    replaced_by: "lang, lc_env",
    exclude: METADATA,
    on: &[On::Block(&["locale"])],
    check,
    bad: r"locale 'set' do
  lc_all 'en_GB.UTF-8'
end
",
    good: r"locale 'set' do
  lang 'en_GB.UTF-8'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["locale"], &["lc_all"]) {
        cx.report(property.span());
    }
}
