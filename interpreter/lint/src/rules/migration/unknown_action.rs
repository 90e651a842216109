//! A resource of Chef is given an action that it does not have.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/UnknownAction",
    summary: "A resource of Chef is given an action that it does not have",
    why: "The run ends with a validation error there.",
    level: Level::Error,
    include: DECLARES,
    exclude: TESTS,
    on: &[On::Kind(Kind::Block)],
    check,
    bad: r"file '/a' do
  action :make
end
",
    good: r"file '/a' do
  action :create
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let known = cx.file.known;
    let Some(shipped) = known.shipped.get(n.name()).filter(|_| is_resource(n)) else { return };
    let replaced = || known.cookbooks.values().any(|cookbook| cookbook.open || cookbook.resources.contains(n.name()));
    for action in properties(n, &[], &["action"]) {
        if !action.is(Kind::Send) {
            continue;
        }
        for (symbol, _) in action_symbols(action) {
            let name = symbol.value();
            if name == "nothing" || shipped.actions.contains(name) || shipped.actions.is_empty() || replaced() {
                continue;
            }
            let all: Vec<&str> = shipped.actions.iter().copied().collect();
            let hint = match nearest(name, all.iter().copied()) {
                Some(near) => format!("did you mean :{near}?"),
                None => format!("it has :{}", all.join(", :")),
            };
            cx.report_saying(symbol.span(), format!("{} has no action :{name}; {hint}", n.name()));
        }
    }
}

/// The most similar name, as a suggestion for a misspelt one.
pub(super) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = name.len() / 4 + usize::from(name.len() > 2);
    names
        .map(|other| (distance(name, other), other))
        .filter(|(distance, _)| *distance <= most.min(3))
        .min()
        .map(|(_, other)| other)
}

/// The Levenshtein distance in characters.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let cost = corner + usize::from(left != *right);
            corner = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(corner + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
