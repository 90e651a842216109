//! `windows_package` has its `installer_type` as a string.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/WindowsPackageInstallerTypeString",
    summary: "`windows_package` has its `installer_type` as a string",
    why: "Chef 13 and later take a symbol only.",
    removed_in: "13",
    replaced_by: "a symbol",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["windows_package"])],
    check,
    bad: r"windows_package 'a' do
  installer_type 'msi'
end
",
    good: r"windows_package 'a' do
  installer_type :msi
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["windows_package"], &["installer_type"]) {
        let Some(value) = property.only_arg().filter(|value| value.is(Kind::Str)) else { return };
        cx.report_fix(property.span(), Edit::replace(value.span(), format!(":{}", value.value())));
    }
}
