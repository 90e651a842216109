//! A resource inherits from `ChefCompat::Resource`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ResourceInheritsFromCompatResource",
    summary: "A resource inherits from `ChefCompat::Resource`",
    why: "The cookbook compat_resource is obsolete.",
    file: "libraries/a.rb",
    since: "12.19",
    replaced_by: "Chef::Resource",
    fix: Fix::Safe,
    include: &["**/libraries/*.rb"],
    on: &[On::Kind(Kind::Class)],
    check,
    bad: r"class A < ChefCompat::Resource
  property :a, String
end
",
    good: r"class A < Chef::Resource
  property :a, String
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let bare = n.kid(0).is_some_and(|name| name.is(Kind::Const) && name.kid(0).is_none());
    if bare && n.kid(1).is_some_and(|parent| parent.is_const("ChefCompat::Resource")) {
        report_word(cx, n, "ChefCompat", "Chef");
    }
}
