//! `node['cloud']['provider']` is compared.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UseChefLanguageCloudHelpers",
    summary: "`node['cloud']['provider']` is compared",
    why: "Chef has a helper for each cloud.",
    level: Level::Info,
    since: "15.5",
    replaced_by: "ec2?, azure?, gce? and others",
    fix: Fix::Safe,
    include: &["**/resources/*.rb", "**/providers/*.rb", "**/recipes/*.rb"],
    on: &[On::Call(&["=="])],
    check,
    bad: r"x = 1 if node['cloud']['provider'] == 'ec2'
",
    good: r"x = 1 if ec2?
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let clouds = [
        "alibaba",
        "ec2",
        "gce",
        "rackspace",
        "eucalyptus",
        "linode",
        "openstack",
        "azure",
        "digital_ocean",
        "softlayer",
    ];
    let provider = n.recv().filter(|on| on.is_send("[]") && on.only_arg().is_some_and(|key| key.is_str("provider")));
    let cloud = provider.and_then(N::recv).is_some_and(|on| on.is_node_attribute(&["cloud"]));
    let Some(name) = n.only_arg().and_then(N::as_str).filter(|name| cloud && clouds.contains(name)) else { return };
    let and = n.parent().filter(|and| {
        and.is(Kind::And)
            && and.kid(1) == Some(n)
            && and.kid(0).is_some_and(|left| left.is_send("node") || left.is_node_attribute(&["cloud"]))
    });
    report_replacement(cx, and.unwrap_or(n), format!("{name}?"));
}
