//! `supports` has a version without a dot.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/SupportsMustBeFloat",
    summary: "`supports` has a version without a dot",
    why: "Chef refuses a constraint such as `>= 8`.",
    file: "metadata.rb",
    replaced_by: "'>= 8.0'",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["supports"])],
    check,
    bad: r"supports 'redhat', '>= 8'
",
    good: r"supports 'redhat', '>= 8.0'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() != 2 || !n.arg(0).is_some_and(|name| name.is(Kind::Str)) {
        return;
    }
    let Some(version) = n.arg(1).filter(|version| version.is(Kind::Str) && !version.src().contains('.')) else {
        return;
    };
    let text = version.src().replace(version.value(), &format!("{}.0", version.value()));
    report_replacement(cx, version, text);
}
