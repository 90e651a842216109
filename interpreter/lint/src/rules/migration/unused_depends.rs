//! The metadata depends on a cookbook that is not used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/UnusedDepends",
    summary: "The metadata depends on a cookbook of which nothing is used",
    why: "Every dependency is loaded, and must be migrated. Told where the cookbook is in the repository and neither its name nor one of its resources and methods occurs.",
    level: Level::Info,
    include: METADATA,
    exclude: TESTS,
    file: "metadata.rb",
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'other'
",
    good: r"name 'web'
depends 'base'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(name) = n.arg(0).and_then(N::as_str).filter(|_| n.recv().is_none()) else { return };
    let Some(own) = cx.file.cookbook() else { return };
    let Some(other) = cx.file.known.cookbooks.get(name).filter(|other| !other.open && other.name != own.name) else {
        return;
    };
    let used = own.mentions(name)
        || own.mentions(&name.replace('-', "_"))
        || other.resources.iter().chain(&other.methods).any(|word| own.mentions(word));
    if !used {
        cx.report_saying(n.span(), format!("nothing of the cookbook {name} is used"));
    }
}
