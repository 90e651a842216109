//! A library is included into `Chef::Recipe` or `Chef::Provider`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/IncorrectLibraryInjection",
    summary: "A library is included into `Chef::Recipe` or `Chef::Provider`",
    why: "Recipes, resources and providers all get what is included into `Chef::DSL::Recipe`.",
    file: "libraries/a.rb",
    replaced_by: "Chef::DSL::Recipe",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["send", "include"])],
    check,
    bad: r"::Chef::Recipe.send(:include, Web::Helpers)
",
    good: r"::Chef::DSL::Recipe.send(:include, Web::Helpers)
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if !into(n, &["Chef::Recipe", "Chef::Provider"]) {
        return;
    }
    if n.parent().is_some_and(|parent| parent.all().any(|call| into(call, &["Chef::DSL::Recipe"]))) {
        report_removal(cx, n);
    } else {
        let text = n.src().replace("Chef::Provider", "Chef::DSL::Recipe").replace("Chef::Recipe", "Chef::DSL::Recipe");
        report_replacement(cx, n, text);
    }
}

/// Whether a call includes a module into one of the classes.
fn into(call: N<'_>, classes: &[&str]) -> bool {
    let includes =
        call.is_send("include") || (call.is_send("send") && call.arg(0).is_some_and(|what| what.is_sym("include")));
    includes && call.recv().is_some_and(|on| classes.iter().any(|class| on.is_const(class)))
}
