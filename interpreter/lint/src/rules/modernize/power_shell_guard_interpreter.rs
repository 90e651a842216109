//! `guard_interpreter :powershell_script` is set where it is the default.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/PowerShellGuardInterpreter",
    summary: "`guard_interpreter :powershell_script` is set where it is the default",
    why: "It is the default since Chef 13.",
    level: Level::Info,
    since: "13.0",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Block(&["powershell_script", "batch"])],
    check,
    bad: r"powershell_script 'a' do
  code 'a'
  guard_interpreter :powershell_script
end
",
    good: r"powershell_script 'a' do
  code 'a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["powershell_script", "batch"], &["guard_interpreter"]) {
        if property.arg(0).is_none_or(|value| value.src() != ":powershell_script") {
            return;
        }
        report_removal(cx, property);
    }
}
