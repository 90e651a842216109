//! `value_for_platform` does not get a hash of hashes by platform.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/MalformedPlatformValueForPlatformHelper",
    summary: "`value_for_platform` is not given a hash of hashes by platform",
    why: "Each platform has a hash of versions, or `default`.",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["value_for_platform"])],
    check,
    bad: r"x = value_for_platform('ubuntu' => 'a')
",
    good: r"x = value_for_platform('ubuntu' => { 'default' => 'a' })
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() > 1 {
        cx.report(n.span());
    } else if let Some(hash) = n.arg(0) {
        for (key, value) in hash.pairs() {
            if !value.is(Kind::Hash) && !key.is_str("default") && !key.is_sym("default") {
                cx.report(value.span());
            }
        }
    }
}
