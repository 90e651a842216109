//! `Chef::REST` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/UsesChefRESTHelpers",
    summary: "`Chef::REST` is used",
    why: "The class and the file `chef/rest` were removed.",
    removed_in: "13",
    replaced_by: "Chef::ServerAPI",
    exclude: METADATA,
    on: &[On::Call(&["require"]), On::Kind(Kind::Const)],
    check,
    bad: r"require 'chef/rest'
",
    good: r"require 'chef/server_api'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if requires(n, &["chef/rest"]) || n.is_const("Chef::REST") {
        cx.report(n.span());
    }
}
