//! A resource includes `Chef::Mixin::ShellOut` or `PowershellOut`, which it already has.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/IncludingMixinShelloutInResources",
    summary: "A resource includes `Chef::Mixin::ShellOut` or `PowershellOut`, which it has",
    why: "Resources and providers have the helpers themselves.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Call(&["include", "require"])],
    check,
    bad: r"provides :a
include Chef::Mixin::ShellOut
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let mixin = |name: N<'_>| {
        name.is_const_without_top("Chef::Mixin::ShellOut") || name.is_const_without_top("Chef::Mixin::PowershellOut")
    };
    let included = n.is_call("include") && n.only_arg().is_some_and(mixin);
    if !included && !requires(n, &["chef/mixin/shell_out", "chef/mixin/powershell_out"]) {
        return;
    }
    let provider = |class: N<'_>| {
        class.is(Kind::Class)
            && class.kid(1).is_some_and(|parent| {
                parent.is_const_without_top("Chef::Provider::LWRPBase") || parent.is_const_without_top("Chef::Provider")
            })
    };
    if cx.file.folder() == "resources" || cx.tree.root().all().any(provider) {
        report_removal(cx, n);
    }
}
