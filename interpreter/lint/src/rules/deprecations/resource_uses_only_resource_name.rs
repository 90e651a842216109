//! A resource sets `resource_name` and not `provides`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ResourceUsesOnlyResourceName",
    summary: "A resource sets `resource_name` and not `provides`",
    why: "Since Chef 16 only `provides` makes the name available in recipes.",
    file: "resources/a.rb",
    since: "16",
    replaced_by: "provides",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["resource_name"])],
    check,
    bad: r"resource_name :web_site
",
    good: r"resource_name :web_site
provides :web_site
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(name) = n.only_arg().and_then(N::as_sym).filter(|_| n.recv().is_none()) else { return };
    let provided = cx
        .tree
        .root()
        .all()
        .any(|call| call.is_call("provides") && call.arg(0).is_some_and(|first| first.is_sym(name)));
    if provided {
        return;
    }
    let base = cx.file.base().strip_suffix(".rb").unwrap_or(cx.file.base());
    if format!("{}_{base}", cx.file.cookbook_name.unwrap_or_default()) == name {
        report_removal(cx, n);
    } else {
        let text = format!("\n{}", n.src().replace("resource_name", "provides"));
        cx.report_fix(n.span(), Edit::insert(n.end(), text));
    }
}
