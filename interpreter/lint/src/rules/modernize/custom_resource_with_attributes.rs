//! A custom resource has `attribute`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/CustomResourceWithAttributes",
    summary: "A custom resource has `attribute`",
    why: "`property` is its name in custom resources.",
    level: Level::Info,
    file: "resources/a.rb",
    replaced_by: "property",
    fix: Fix::Safe,
    include: &["**/resources/*.rb"],
    on: &[On::Call(&["attribute"])],
    check,
    bad: r"attribute :a, kind_of: String
action :create do
end
",
    good: r"property :a, kind_of: String
action :create do
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_none() && has_actions(cx.tree.root()) {
        cx.report_fix(n.selector(), Edit::replace(n.selector(), "property"));
    }
}
