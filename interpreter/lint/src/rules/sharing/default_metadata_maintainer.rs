//! The maintainer is the generator's default.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/DefaultMetadataMaintainer",
    summary: "The maintainer is what the generator wrote",
    why: "Nobody can be reached by it.",
    level: Level::Info,
    file: "metadata.rb",
    include: METADATA,
    on: &[On::Call(&["maintainer", "maintainer_email"])],
    check,
    bad: r"maintainer 'YOUR_COMPANY_NAME'
",
    good: r"maintainer 'Example Ltd'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let defaults = ["YOUR_COMPANY_NAME", "The Authors", "YOUR_EMAIL", "you@example.com"];
    if n.recv().is_none() && n.only_arg().and_then(N::as_str).is_some_and(|name| defaults.contains(&name)) {
        cx.report(n.span());
    }
}
