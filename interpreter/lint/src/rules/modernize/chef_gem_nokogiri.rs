//! The gem nokogiri is installed into Chef.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ChefGemNokogiri",
    summary: "The gem nokogiri is installed into Chef",
    why: "Chef ships it since 12.",
    level: Level::Info,
    since: "12",
    fix: Fix::Unsafe,
    exclude: &["**/metadata.rb", "**/attributes/*.rb"],
    on: &[On::Call(&["chef_gem"]), On::Block(&["chef_gem"])],
    check,
    bad: r"chef_gem 'nokogiri'
x = 1
",
    good: r"x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let whole = n.parent().filter(|parent| parent.is(Kind::Block)).unwrap_or(n);
    if n.is(Kind::Block) {
        for name in properties(n, &["chef_gem"], &["package_name"]) {
            if !name.arg(0).is_some_and(|name| name.is_str("nokogiri")) {
                return;
            }
            let edit = cx.remove_with_space(whole);
            cx.report_fix(n.span(), edit);
        }
    } else if n.recv().is_none() && n.only_arg().is_some_and(|name| name.is_str("nokogiri")) {
        let edit = cx.remove_with_space(whole);
        cx.report_fix(n.span(), edit);
    }
}
