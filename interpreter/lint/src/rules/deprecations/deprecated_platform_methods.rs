//! Methods of `Chef::Platform` that get or set the provider of a resource are called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DeprecatedPlatformMethods",
    summary: "`Chef::Platform` is asked for or told the provider of a resource",
    why: "The methods were removed; `provides` says which class a name means.",
    file: "libraries/a.rb",
    removed_in: "13",
    replaced_by: "provides",
    include: PROVIDERS,
    on: &[On::Call(&["provider_for_resource", "find_provider", "find_provider_for_node", "set"])],
    check,
    bad: r"Chef::Platform.set platform: :mac_os_x, resource: :package
",
    good: r"provides :package, platform: 'mac_os_x'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some_and(|on| on.is_const_without_top("Chef::Platform")) {
        cx.report(n.span());
    }
}
