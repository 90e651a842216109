//! Packages are installed one by one on a platform that takes a list.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UseMultipackageInstalls",
    summary: "Packages are installed one by one on a platform that takes a list",
    why: "One transaction is faster, and the packages may depend on each other.",
    level: Level::Info,
    replaced_by: "package %w(a b)",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Kind(Kind::When), On::Kind(Kind::If)],
    check,
    bad: r"if platform_family?('debian')
  %w(a b).each do |name|
    package name
  end
end
",
    good: r"if platform_family?('debian')
  package %w(a b)
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let known = |names: &[N<'_>]| {
        let platforms =
            ["debian", "redhat", "suse", "amazon", "fedora", "scientific", "oracle", "rhel", "ubuntu", "centos"];
        names.iter().all(|name| name.as_str().is_some_and(|name| platforms.contains(&name)))
    };
    let mut found = Vec::new();
    if n.is(Kind::If) {
        let Some(test) = n.condition().filter(|test| test.is_call_any(&["platform?", "platform_family?"])) else {
            return;
        };
        if n.kid(2).is_none() && known(&test.args()) {
            found.extend(n.kid(1).filter(|body| package_list(*body).is_some()));
        }
    } else {
        let on = n.parent().and_then(N::condition);
        let conditions: Vec<N<'_>> = n.conditions().collect();
        if on.is_some_and(|on| on.is_node_attribute(&["platform", "platform_family"])) && known(&conditions) {
            found.extend(n.body().into_iter().flat_map(N::all).filter(|block| package_list(*block).is_some()));
        }
    }
    for block in found {
        if let Some(list) = package_list(block) {
            report_replacement(cx, block, format!("package {}", list.src()));
        }
    }
}

/// The list of `[...].each { |name| package name }`, if the package has at most the action `:install`.
fn package_list<'t>(block: N<'t>) -> Option<N<'t>> {
    let list = block.recv().filter(|list| block.is(Kind::Block) && block.name() == "each" && list.is(Kind::Array))?;
    let body = block.body().filter(|_| block.argc() == 0)?;
    let call = body.call();
    let plain = body.is(Kind::Send)
        || (body.params().is_empty()
            && body.body().is_some_and(|action| {
                action.is_call("action") && action.only_arg().is_some_and(|name| name.is_sym("install"))
            }));
    let named = call.is_call("package") && call.only_arg().is_some_and(|name| name.is(Kind::Lvar));
    (plain && named && list.kids().next().is_some()).then_some(list)
}
