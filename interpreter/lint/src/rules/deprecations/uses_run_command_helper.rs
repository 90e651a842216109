//! `run_command` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/UsesRunCommandHelper",
    summary: "`run_command` is used",
    why: "The helper was removed.",
    removed_in: "13",
    replaced_by: "shell_out!",
    exclude: &["**/metadata.rb", "**/Berksfile", "**/Rakefile"],
    on: &[On::Call(&["require", "run_command", "run_command_with_systems_locale", "include"])],
    check,
    bad: r"run_command(command: 'ls')
",
    good: r"shell_out!('ls')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let helpers = ["run_command", "run_command_with_systems_locale"];
    if n.is_call_any(&helpers) {
        let defined = |node: N<'_>| node.is(Kind::Def) && helpers.contains(&node.name());
        if !cx.tree.root().all().any(defined) {
            cx.report(n.span());
        }
    } else if requires(n, &["chef/mixin/command"])
        || (n.is_call("include") && n.only_arg().is_some_and(|name| name.is_const_without_top("Chef::Mixin::Command")))
    {
        cx.report(n.span());
    }
}
