//! A Berksfile has a source that no longer exists.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/LegacyBerksfileSource",
    summary: "A Berksfile names a source that is gone",
    why: "The community site became the Supermarket.",
    level: Level::Info,
    file: "Berksfile",
    replaced_by: "source 'https://supermarket.chef.io'",
    fix: Fix::Safe,
    include: &["**/Berksfile"],
    on: &[On::Call(&["source", "site"])],
    check,
    bad: r"site :opscode
",
    good: r"source 'https://supermarket.chef.io'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let gone = ["http://community.opscode.com/api/v3", "https://supermarket.getchef.com", "https://api.berkshelf.com"];
    let Some(value) = n.only_arg().filter(|_| n.recv().is_none()) else { return };
    let old = if n.name() == "site" {
        value.is(Kind::Sym)
    } else {
        value.as_str().is_some_and(|source| gone.contains(&source))
    };
    if old {
        report_replacement(cx, n, "source 'https://supermarket.chef.io'");
    }
}
