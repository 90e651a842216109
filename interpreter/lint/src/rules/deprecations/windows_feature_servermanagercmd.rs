//! `windows_feature` with the install method `:servermanagercmd`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/WindowsFeatureServermanagercmd",
    summary: "`windows_feature` with the install method `:servermanagercmd`",
    why: "The method was removed.",
    removed_in: "14",
    replaced_by: ":windows_feature_dism or :windows_feature_powershell",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["windows_feature"])],
    check,
    bad: r"windows_feature 'a' do
  install_method :servermanagercmd
end
",
    good: r"windows_feature 'a' do
  install_method :windows_feature_dism
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["windows_feature"], &["install_method"]) {
        if property.src().contains(":servermanagercmd") {
            cx.report(property.span());
        }
    }
}
