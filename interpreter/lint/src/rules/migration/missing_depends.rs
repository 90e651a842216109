//! The metadata depends on a cookbook that is not in the repository.

use crate::known::Cookbook;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/MissingDepends",
    summary: "The metadata depends on a cookbook that is not in the repository",
    why: "A run that uses the cookbook ends before it begins. Not told where a Berksfile or Policyfile brings cookbooks, or the repository is a single cookbook.",
    include: METADATA,
    exclude: TESTS,
    file: "metadata.rb",
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'gone'
",
    good: r"name 'web'
depends 'base'
",
    ..Rule::BASE
};

/// The folder that a cookbook's folder is in.
fn folder(root: &str) -> &str {
    match root.trim_end_matches('/') {
        "" => "..",
        path => path.rsplit_once('/').map_or("", |(folder, _)| folder),
    }
}

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(name) = n.arg(0).and_then(N::as_str).filter(|_| n.recv().is_none()) else { return };
    let known = cx.file.known;
    let Some(own) = cx.file.cookbook() else { return };
    let beside = |other: &&Cookbook| other.name != own.name && folder(&other.root) == folder(&own.root);
    let single = !known.cookbooks.values().any(|other| beside(&other));
    if known.fetched || single || known.cookbooks.contains_key(name) {
        return;
    }
    cx.report_saying(n.span(), format!("the cookbook {name}, on which {} depends, is not in the repository", own.name));
}
