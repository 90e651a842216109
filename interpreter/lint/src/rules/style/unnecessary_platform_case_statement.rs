//! A `case` on the platform has a single branch.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/UnnecessaryPlatformCaseStatement",
    summary: "A `case` on the platform has a single branch",
    why: "`if platform?` is shorter.",
    level: Level::Info,
    replaced_by: "platform?, platform_family?",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Kind(Kind::Case)],
    check,
    bad: r"case node['platform']
when 'ubuntu'
  log 'a'
end
",
    good: r"log 'a' if platform?('ubuntu')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(test) = n.condition().filter(|test| test.is_node_attribute(&["platform", "platform_family"])) else {
        return;
    };
    let whens: Vec<N<'_>> = n.whens().collect();
    let ([when], Some(kind)) = (whens.as_slice(), test.arg(0)) else { return };
    if n.else_branch().is_none() && when.body().is_none() {
        cx.report(n.span());
        return;
    }
    let conditions: Vec<N<'_>> = when.conditions().collect();
    let names = conditions.iter().map(|name| name.src()).collect::<Vec<_>>().join(", ");
    let check = format!("if {}?({names})", kind.value());
    let short = when.body().filter(|body| n.close().is_empty() && body.single_line());
    match (short, conditions.last()) {
        (Some(body), _) => report_replacement(cx, n, format!("{} {check}", body.src())),
        (None, Some(last)) => {
            let edits = vec![
                Edit::replace(n.selector().join(test.span()), check),
                Edit::remove(cx.with_space_before(when.selector().join(last.span()))),
            ];
            cx.report_edits(n.span(), edits);
        }
        (None, None) => cx.report(n.span()),
    }
}
