//! `unified_mode true` is in a condition.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ConditionalUnifiedModeTrue",
    summary: "`unified_mode true` stands in a condition",
    why: "Every Chef from 15.3 on has it; older ones are out of support.",
    file: "resources/a.rb",
    since: "15.3",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["unified_mode"])],
    check,
    bad: r"unified_mode true if respond_to?(:unified_mode)
",
    good: r"unified_mode true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || !n.only_arg().is_some_and(|value| value.is(Kind::True)) {
        return;
    }
    let Some(condition) = n.ancestors().find(|outer| outer.is(Kind::If)) else { return };
    let branches: Vec<N<'_>> = [condition.kid(1), condition.kid(2)].into_iter().flatten().collect();
    if condition.form() != Form::Elsif && branches == [n] {
        cx.report_fix(n.span(), Edit::replace(condition.span(), n.src()));
    } else {
        cx.report(n.span());
    }
}
