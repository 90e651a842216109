//! A resource is declared that neither Chef nor a dependency of the cookbook defines.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/UnknownResource",
    summary: "A resource is declared that neither Chef nor a cookbook in reach has",
    why: "The run ends with NoMethodError there. Where a cookbook that the metadata depends on is not in the repository, only a name is told that is nearly one of Chef's.",
    level: Level::Error,
    include: DECLARES,
    exclude: TESTS,
    on: &[On::Kind(Kind::Block)],
    check,
    bad: r"nowhere_site 'a' do
  port 80
end
",
    good: r"base_site 'a' do
  port 80
end
",
    ..Rule::BASE
};

/// Methods of the recipe DSL and of Ruby that take a name and a block.
const OTHERS: &[&str] = &[
    "action",
    "action_class",
    "after",
    "assert",
    "at_exit",
    "before",
    "catch",
    "chef_data_bag",
    "context",
    "converge_by",
    "converge_if_changed",
    "compile_time_block",
    "control",
    "declare_resource",
    "default_action",
    "describe",
    "edit_resource",
    "find_resource",
    "it",
    "lambda",
    "let",
    "load_current_value",
    "loop",
    "open",
    "proc",
    "property",
    "raise",
    "search",
    "with_run_context",
    "data_bag",
    "namespace",
    "task",
    "desc",
    "require",
    "include_recipe",
    "shell_out",
    "attribute",
    "define",
    "puts",
    "format",
    "Array",
    "String",
    "Hash",
    "Integer",
];

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let name = n.name();
    let plain =
        is_resource(n) && n.params().is_empty() && n.arg(0).is_some_and(|first| first.is_any(&[Kind::Str, Kind::Dstr]));
    let known = cx.file.known;
    if !plain || known.shipped.is_empty() || known.defines(name) || OTHERS.contains(&name) {
        return;
    }
    let removed =
        ["deploy", "deploy_branch", "deploy_revision", "timestamped_deploy", "easy_install_package", "erl_call"];
    if removed.contains(&name) || super::unknown_property::is_property_of_outer(cx, n) {
        return;
    }
    let Some(own) = cx.file.cookbook() else { return };
    let Some(reach) = known.reach_here(own) else { return };
    if reach.cookbooks.iter().any(|cookbook| cookbook.resources.contains(name))
        || known.cookbooks.values().any(|cookbook| cookbook.resources.contains(name))
    {
        return;
    }
    let near = super::unknown_action::nearest(name, known.shipped.keys().copied());
    // a cookbook that is not here may define any name but one that is a slip in writing one of Chef's
    if !reach.whole && !near.is_some_and(|near| is_slip(name, near)) {
        return;
    }
    let message = match near {
        Some(near) => format!("there is no resource {name}; did you mean {near}?"),
        None => format!("there is no resource {name} in Chef, {} or what it depends on", own.name),
    };
    cx.report_saying(n.call().selector(), message);
}

/// Whether a name is another one with a letter too many, too few, wrong, or in the place of its neighbour, behind the same beginning.
fn is_slip(name: &str, other: &str) -> bool {
    let (own, other_letters): (Vec<char>, Vec<char>) = (name.chars().collect(), other.chars().collect());
    let differ: Vec<usize> =
        (0..own.len().min(other_letters.len())).filter(|at| own[*at] != other_letters[*at]).collect();
    let swapped = own.len() == other_letters.len()
        && matches!(differ[..], [a, b] if b == a + 1 && own[a] == other_letters[b] && own[b] == other_letters[a]);
    let begins = own.iter().zip(&other_letters).take(3).all(|(a, b)| a == b);
    begins && (swapped || super::unknown_action::distance(name, other) == 1)
}
