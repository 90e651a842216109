//! `macos_userdefaults` has a type that it does not know.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/MacosUserdefaultsInvalidType",
    summary: "`macos_userdefaults` has a type that it does not know",
    why: "There are array, bool, dict, float, int and string.",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Block(&["macos_userdefaults"])],
    check,
    bad: r"macos_userdefaults 'a' do
  type 'boolean'
end
",
    good: r"macos_userdefaults 'a' do
  type 'bool'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["macos_userdefaults"], &["type"]) {
        let value = quoted_value(property).unwrap_or_default();
        if ["array", "bool", "dict", "float", "int", "string"].contains(&value) {
            return;
        }
        match value {
            "boolean" => report_replacement(cx, property, "type 'bool'"),
            "str" => report_replacement(cx, property, "type 'string'"),
            "integer" => report_replacement(cx, property, "type 'int'"),
            _ => cx.report(property.span()),
        }
    }
}
