//! A search query is for environments or roles.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/SearchForEnvironmentsOrRoles",
    summary: "A search is about environments or roles",
    why: "Policies have neither.",
    level: Level::Info,
    default: false,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["search"])],
    check,
    bad: r"x = search(:node, 'role:web')
",
    good: r"x = search(:node, 'policy_name:web')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let query = n.arg(1).and_then(|query| text_of(query).or_else(|| query.as_sym().map(str::to_string)));
    if query.is_some_and(|query| query.contains("chef_environment") || query.contains("role")) {
        cx.report(n.span());
    }
}
