//! A cookbook needs a gem that Chef would install into its own Ruby.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/GemDependency",
    summary: "A cookbook asks for a gem to be installed into Chef's Ruby",
    why: "There is no Ruby to install it into: a run of rchef installs gems of pure Ruby for itself, and no others. A compile, and a node without a network, find a gem in vendor/gems of the repository, or where --gem-path says.",
    exclude: TESTS,
    include: &["**/recipes/*.rb", "**/resources/*.rb", "**/providers/*.rb", "**/metadata.rb"],
    on: &[On::Call(&["gem", "chef_gem"])],
    check,
    bad: r"chef_gem 'deepsort' do
  compile_time true
end
",
    good: r"gem_package 'deepsort'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.name() == "gem" && cx.file.base() != "metadata.rb" {
        return;
    }
    let set = |name: &str| n.block().and_then(|block| property(block, &["chef_gem"], name));
    let actions = set("action").map(action_symbols).unwrap_or_default();
    let goes = |(action, _): &(N<'t>, &str)| action.as_sym().is_some_and(|name| ["remove", "purge"].contains(&name));
    if !actions.is_empty() && actions.iter().all(goes) {
        return;
    }
    let Some(name) = set("package_name").and_then(N::only_arg).or(n.arg(0)).and_then(N::as_str) else { return };
    if super::gem_with_extension::instead(name).is_none() {
        cx.report_saying(n.span(), format!("the gem {name} is installed for the run, if it is of pure Ruby; without a network give it in vendor/gems or with --gem-path"));
    }
}
