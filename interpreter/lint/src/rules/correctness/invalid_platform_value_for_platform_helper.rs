//! `value_for_platform` has a platform that does not exist.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidPlatformValueForPlatformHelper",
    summary: "`value_for_platform` has a platform that does not exist",
    why: "The value is never used.",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["value_for_platform"])],
    check,
    bad: r"x = value_for_platform('rhel' => { 'default' => 'a' })
",
    good: r"x = value_for_platform('redhat' => { 'default' => 'a' })
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if let Some(hash) = n.only_arg().filter(|hash| n.recv().is_none() && hash.is(Kind::Hash)) {
        report_wrong_keys(cx, hash, wrong_platform);
    }
}
