//! The default recipe of the ohai cookbook is included.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/IncludingOhaiDefaultRecipe",
    summary: "The default recipe of the ohai cookbook is included",
    why: "The recipe installs a plugin of long ago; `ohai_plugin` of the cookbook does it today.",
    level: Level::Info,
    replaced_by: "ohai_plugin",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"log 'a'
include_recipe 'ohai'
",
    good: r"log 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if includes_recipe(n, &["ohai", "ohai::default"]) {
        cx.report(n.span());
    }
}
