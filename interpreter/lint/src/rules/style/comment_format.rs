//! A comment at the top of a file does not have the format of Chef's cookbooks.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/CommentFormat",
    summary: "A comment at the top of a file has not the form of Chef's cookbooks",
    why: "Tools find `# Cookbook:: name`.",
    level: Level::Info,
    replaced_by: "# Name:: value",
    fix: Fix::Safe,
    exclude: &["**/Berksfile"],
    on: &[On::File],
    check,
    bad: r"# Cookbook Name:: web
x = 1
",
    good: r"# Cookbook:: web
x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Empty) {
        return;
    }
    let known =
        ["Author", "Cookbook", "Library", "Attribute", "Copyright", "Recipe", "Resource", "Definition", "License"];
    for comment in &cx.tree.comments {
        let text = comment.span.of(cx.tree.source);
        if cx.tree.source[..comment.span.start as usize].matches('\n').count() >= 10 {
            break;
        }
        let Some(inner) = text.strip_prefix('#').map(|text| text.trim_start_matches(is_space)) else { continue };
        let Some(word) =
            known.iter().find(|word| inner.strip_prefix(**word).is_some_and(|rest| rest.starts_with(is_space)))
        else {
            continue;
        };
        let rest = &inner[word.len() + 1..];
        let behind = rest.strip_prefix("Name").or_else(|| rest.strip_prefix("File"));
        let spaced = |text: Option<&'t str>| text.and_then(|text| text.strip_prefix(is_space));
        let value = spaced(behind.and_then(|text| text.strip_prefix("::")))
            .or_else(|| spaced(behind))
            .or_else(|| spaced(rest.strip_prefix("::")))
            .or_else(|| spaced(Some(rest)))
            .unwrap_or(rest);
        cx.report_fix(comment.span, Edit::replace(comment.span, format!("# {word}:: {value}")));
    }
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\x0b' | '\x0c')
}
