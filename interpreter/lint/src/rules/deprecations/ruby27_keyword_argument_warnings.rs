//! Options of `shell_out` are in braces.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/Ruby27KeywordArgumentWarnings",
    summary: "Options of `shell_out` stand in braces",
    why: "Ruby 2.7 warns of a hash where keywords are expected; Ruby 3 refuses it.",
    replaced_by: "options without braces",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["shell_out", "shell_out!"])],
    check,
    bad: r"shell_out('ls', { timeout: 5 })
",
    good: r"shell_out('ls',  timeout: 5 )
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(hash) = n.last_arg().filter(|hash| n.recv().is_none() && hash.is(Kind::Hash)) else { return };
    if hash.delimited() {
        let text = hash.src().strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or_default();
        report_replacement(cx, hash, text);
    }
}
