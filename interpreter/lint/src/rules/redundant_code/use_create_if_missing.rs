//! A file is only created if it does not exist, with a guard.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/UseCreateIfMissing",
    summary: "A file is created only if it is not there, by a guard",
    why: "The action `:create_if_missing` says it.",
    level: Level::Info,
    replaced_by: ":create_if_missing",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["cookbook_file", "file", "remote_directory", "cron_d", "remote_file", "template"])],
    check,
    bad: r"template '/etc/a' do
  source 'a.erb'
  not_if { ::File.exist?('/etc/a') }
end
",
    good: r"template '/etc/a' do
  source 'a.erb'
  action :create_if_missing
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let types = ["cookbook_file", "file", "remote_directory", "cron_d", "remote_file", "template"];
    for guard in properties(n, &types, &["not_if"]) {
        if !guard.is(Kind::Block) {
            return;
        }
        let exists = |test: &N<'_>| {
            (test.is_send("exist?") || test.is_send("exists?")) && test.recv().is_some_and(|on| on.is_const("File"))
        };
        let Some(path) = guard.body().filter(exists).and_then(N::only_arg) else { continue };
        let named = n.last_arg().is_some_and(|name| name.same(path));
        let given = || n.all().find(|call| call.is_call("path")).and_then(|call| call.arg(0));
        if !named && !given().is_some_and(|given| given.same(path)) {
            return;
        }
        let action =
            n.all().filter(|call| call.is_call("action")).find_map(|call| call.only_arg().filter(|a| a.is(Kind::Sym)));
        let Some(action) = action else {
            report_replacement(cx, guard, "action :create_if_missing");
            continue;
        };
        if action.is_sym("create") {
            let edits = vec![
                Edit::replace(action.span(), ":create_if_missing"),
                Edit::remove(whole_lines(cx.tree.source, guard.span())),
            ];
            cx.report_edits(guard.span(), edits);
        }
        return;
    }
}
