//! A resource is used that Chef no longer has.

use crate::rules::prelude::*;

/// Name, class in `Chef::Resource`, version of Chef that removed it, replacement.
const REMOVED: &[(&str, &str, &str, &str)] = &[
    ("deploy", "Deploy", "14", "git and the steps of the deployment as resources, or the deploy_resource cookbook"),
    ("deploy_branch", "DeployBranch", "14", "git and the steps of the deployment as resources"),
    ("deploy_revision", "DeployRevision", "14", "git and the steps of the deployment as resources"),
    ("timestamped_deploy", "TimestampedDeploy", "14", "git and the steps of the deployment as resources"),
    ("easy_install_package", "EasyInstallPackage", "13", "execute 'pip install …'"),
    ("erl_call", "ErlCall", "14", "execute 'erl_call …'"),
];

pub static RULE: Rule = Rule {
    alias: "Rchef/RemovedResource",
    summary: "A resource is used that Chef no longer has",
    why: "Chef removed it, and rchef follows Chef 18: the run ends with NoMethodError where the resource is declared.",
    level: Level::Error,
    include: RUNS,
    exclude: TESTS,
    on: &[
        On::Block(&[
            "deploy",
            "deploy_branch",
            "deploy_revision",
            "timestamped_deploy",
            "easy_install_package",
            "erl_call",
        ]),
        On::Call(&[
            "deploy",
            "deploy_branch",
            "deploy_revision",
            "timestamped_deploy",
            "easy_install_package",
            "erl_call",
        ]),
        On::Kind(Kind::Const),
    ],
    check,
    bad: r"deploy_revision '/srv/app' do
  repo 'https://example.com/app.git'
end
",
    good: r"git '/srv/app' do
  repository 'https://example.com/app.git'
end
",
    ..Rule::BASE
};

/// The version of Chef that removed a resource, and the replacement.
#[must_use]
pub fn removed_resource(name: &str) -> Option<(&'static str, &'static str)> {
    REMOVED.iter().find(|(known, ..)| *known == name).map(|(.., version, instead)| (*version, *instead))
}

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let ours = |name: &str| cx.file.known.cookbooks.values().any(|cookbook| cookbook.resources.contains(name));
    let found = if n.is(Kind::Const) {
        let of = |scope: &str| REMOVED.iter().find(|(_, class, ..)| n.is_const(&format!("Chef::{scope}::{class}")));
        of("Resource").or_else(|| of("Provider")).filter(|(name, ..)| !ours(name))
    } else {
        let declares = if n.is(Kind::Block) { is_resource(n) && n.params().is_empty() } else { is_plain_resource(n) };
        let resource = declares && !ours(n.name()) && !cx.file.known.methods.contains(n.name());
        resource.then(|| REMOVED.iter().find(|(name, ..)| *name == n.name())).flatten()
    };
    if let Some((name, _, version, instead)) = found {
        let place = if n.is(Kind::Const) { n.span() } else { n.call().selector() };
        cx.report_saying(place, format!("Chef {version} removed the resource {name}: use {instead}"));
    }
}

/// Whether a call without a block declares a resource: it names one, and is not a property of another one.
fn is_plain_resource(n: N<'_>) -> bool {
    n.is(Kind::Send)
        && n.recv().is_none()
        && n.block().is_none()
        && n.only_arg().is_some_and(|name| name.is_any(&[Kind::Str, Kind::Dstr]))
        && !n.ancestors().any(is_resource)
}
