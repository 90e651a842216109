//! Code needs a Chef Infra Server.

use crate::rules::prelude::*;

/// Methods of the recipe DSL that request data from the server, and what they do.
const FUNCTIONS: &[(&str, &str)] = &[
    ("search", "searches"),
    ("partial_search", "searches"),
    ("data_bag", "reads a data bag"),
    ("data_bag_item", "reads a data bag"),
    ("chef_vault_item", "reads a vault"),
];

/// Classes and their methods that request data from the server, and what they do.
const METHODS: &[(&str, &str, &str)] = &[
    ("Chef::Search::Query", "new", "searches"),
    ("Chef::DataBag", "load", "reads a data bag"),
    ("Chef::DataBagItem", "load", "reads a data bag"),
    ("Chef::EncryptedDataBagItem", "load", "reads a data bag"),
    ("ChefVault::Item", "load", "reads a vault"),
    ("Chef::Node", "load", "reads a node"),
    ("Chef::Node", "list", "reads nodes"),
    ("Chef::Role", "load", "reads a role"),
    ("Chef::Environment", "load", "reads an environment"),
    ("Chef::ServerAPI", "new", "calls the server's interface"),
    ("Chef::ApiClient", "load", "reads a client"),
];

pub static RULE: Rule = Rule {
    alias: "Rchef/ServerDependence",
    summary: "Code asks a Chef server",
    why: "Without a server the answer comes from files of the repository (data_bags, nodes, roles): they must be there and kept up to date.",
    level: Level::Info,
    include: RUNS,
    exclude: TESTS,
    on: &[On::Call(&[
        "search",
        "partial_search",
        "data_bag",
        "data_bag_item",
        "chef_vault_item",
        "new",
        "load",
        "list",
    ])],
    check,
    bad: r"hosts = search(:node, 'role:web')
",
    good: r"hosts = node['web']['hosts']
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let found = match n.recv() {
        None if n.argc() > 0 => FUNCTIONS.iter().find(|(name, _)| *name == n.name()).map(|(_, what)| *what),
        Some(class) if class.is(Kind::Const) => {
            let is = |(path, method, _): &&(&str, &str, &str)| *method == n.name() && class.is_const(path);
            METHODS.iter().find(is).map(|(_, _, what)| *what)
        }
        _ => None,
    };
    if let Some(what) = found {
        let of = n.arg(0).filter(|first| first.is_any(&[Kind::Str, Kind::Sym]));
        let of = of.map(|first| format!(" ({})", first.value())).unwrap_or_default();
        cx.report_saying(n.span(), format!("{} {what}{of}", n.src().split(['(', ' ']).next().unwrap_or_default()));
    }
}
