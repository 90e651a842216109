//! A guard's block uses `File` instead of `::File`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ScopedFileExist",
    summary: "A guard's block asks `File` instead of `::File`",
    why: "In a resource, `File` may mean Chef's own class of that name.",
    replaced_by: "::File.exist?",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["not_if", "only_if"])],
    check,
    bad: r"template '/etc/a' do
  not_if { File.exist?('/etc/a') }
end
",
    good: r"template '/etc/a' do
  not_if { ::File.exist?('/etc/a') }
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() > 0 || !n.params().is_empty() {
        return;
    }
    let Some(body) = n.body().filter(|body| body.is_send("exist?") || body.is_send("exists?")) else { return };
    if let Some(class) = body.recv().filter(|class| body.argc() == 1 && class.is_bare_const("File")) {
        report_replacement(cx, class, "::File");
    }
}
