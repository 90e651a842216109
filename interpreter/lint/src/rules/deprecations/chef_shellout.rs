//! `Chef::ShellOut` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefShellout",
    summary: "`Chef::ShellOut` is used",
    why: "The class was removed; `Mixlib::ShellOut` is the same.",
    removed_in: "13",
    replaced_by: "Mixlib::ShellOut",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["new", "require", "include"])],
    check,
    bad: r"Chef::ShellOut.new('ls')
",
    good: r"Mixlib::ShellOut.new('ls')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is_call("include") && n.only_arg().is_some_and(|name| name.is_const("Chef::ShellOut")) {
        report_removal(cx, n);
    }
    if requires(n, &["chef/shellout"]) {
        report_removal(cx, n);
    }
    if n.is_send("new") && n.recv().is_some_and(|class| class.is_const("Chef::ShellOut")) {
        report_word(cx, n, "Chef::ShellOut", "Mixlib::ShellOut");
    }
}
