//! `platform?` is called with a platform that does not exist.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidPlatformHelper",
    summary: "`platform?` is asked for a platform that does not exist",
    why: "The condition is never true.",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["platform?"])],
    check,
    bad: r"log 'a' if platform?('rhel')
",
    good: r"log 'a' if platform?('redhat')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let args = n.args();
    if n.recv().is_none() && args.iter().all(|arg| arg.is(Kind::Str)) {
        for arg in args.iter().filter(|arg| wrong_platform(arg.value()).is_some()) {
            cx.report(arg.span());
        }
    }
}
