//! The resource `easy_install_package` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/EasyInstallResource",
    summary: "The resource `easy_install_package` is used",
    why: "The resource was removed.",
    removed_in: "13",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["easy_install"])],
    check,
    bad: r"easy_install 'a'
",
    good: r"execute 'pip install a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
