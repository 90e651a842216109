//! `older_than_win_2012_or_8?` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DeprecatedWindowsVersionCheck",
    summary: "`older_than_win_2012_or_8?` is used",
    why: "The helper of the windows cookbook is about versions that Chef no longer supports.",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["older_than_win_2012_or_8?"])],
    check,
    bad: r"log 'old' if older_than_win_2012_or_8?
",
    good: r"log 'new'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
