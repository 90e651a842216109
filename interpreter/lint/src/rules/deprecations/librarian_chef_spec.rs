//! `chefspec/librarian` is required.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/LibrarianChefSpec",
    summary: "`chefspec/librarian` is required",
    why: "Librarian-Chef is no longer maintained.",
    file: "specs/spec_helper.rb",
    replaced_by: "chefspec/policyfile",
    include: &["**/specs/*.rb"],
    on: &[On::Call(&["require"])],
    check,
    bad: r"require 'chefspec/librarian'
",
    good: r"require 'chefspec'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.arg(0).is_some_and(|name| name.is_str("chefspec/librarian")) {
        cx.report(n.span());
    }
}
