//! A recipe or resource of a cookbook is used that is not a dependency in the metadata.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/UndeclaredDepends",
    summary: "A recipe or resource of a cookbook is used that the metadata does not depend on",
    why: "Only what the run list's cookbooks depend on is loaded: the use fails unless another cookbook happens to bring it.",
    replaced_by: "`depends` in the metadata",
    include: DECLARES,
    exclude: TESTS,
    on: &[On::Call(&["include_recipe"]), On::Kind(Kind::Block)],
    check,
    bad: r"include_recipe 'other'
",
    good: r"include_recipe 'base'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let known = cx.file.known;
    let Some(own) = cx.file.cookbook() else { return };
    if n.is(Kind::Block) {
        let name = n.name();
        if !is_resource(n) || known.defines(name) || known.shipped.is_empty() {
            return;
        }
        let mut others = known.cookbooks.values().filter(|cookbook| cookbook.resources.contains(name));
        let Some(other) = others.next() else { return };
        let Some(reach) = known.reach_here(own) else { return };
        if reach.cookbooks.iter().any(|cookbook| cookbook.resources.contains(name)) {
            return;
        }
        let message =
            format!("the resource {name} is of the cookbook {}, which {} does not depend on", other.name, own.name);
        cx.report_saying(n.call().selector(), message);
        return;
    }
    for recipe in n.args().into_iter().filter(|_| n.recv().is_none()) {
        let Some(text) = recipe.as_str() else { continue };
        let name = text.split("::").next().unwrap_or(text);
        if name.is_empty() || name == own.name || own.depends.contains(name) {
            continue;
        }
        let Some(reach) = known.reach_here(own) else { continue };
        if !reach.cookbooks.iter().any(|cookbook| cookbook.name == name) {
            let here = if known.cookbooks.contains_key(name) { "" } else { ", and which is not in the repository" };
            let message = format!("{text} is of the cookbook {name}, which {} does not depend on{here}", own.name);
            cx.report_saying(recipe.span(), message);
        }
    }
}
