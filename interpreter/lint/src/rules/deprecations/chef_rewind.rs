//! The gem chef-rewind or its `rewind` and `unwind` are used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefRewind",
    summary: "The gem chef-rewind or its `rewind` and `unwind` are used",
    why: "Chef has `edit_resource` and `delete_resource` itself since 12.10.",
    since: "12.10",
    replaced_by: "edit_resource, delete_resource",
    fix: Fix::Unsafe,
    exclude: &["**/metadata.rb", "**/attributes/*.rb"],
    on: &[On::Call(&["chef_gem", "require", "rewind", "unwind"]), On::Block(&["chef_gem"])],
    check,
    bad: r"rewind 'user[a]' do
  home '/home/a'
end
",
    good: r"edit_resource 'user[a]' do
  home '/home/a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Block) {
        for name in properties(n, &["chef_gem"], &["package_name"]) {
            if name.arg(0).is_some_and(|name| name.is_str("chef-rewind")) {
                cx.report_fix(n.span(), Edit::remove(n.span()));
            }
        }
        return;
    }
    if n.is_call("chef_gem") && n.only_arg().is_some_and(|name| name.is_str("chef-rewind")) {
        let whole = n.parent().filter(|parent| parent.is(Kind::Block)).unwrap_or(n);
        let edit = cx.remove_with_space(whole);
        cx.report_fix(n.span(), edit);
    }
    if requires(n, &["chef/rewind"]) {
        report_removal(cx, n);
    }
    if n.is_call("rewind") {
        report_word(cx, n, "rewind", "edit_resource");
    }
    if n.is_call("unwind") {
        report_word(cx, n, "unwind", "delete_resource");
    }
}
