//! `powershell_script` removes a file.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/PowershellScriptDeleteFile",
    summary: "`powershell_script` removes a file",
    why: "`file` and `directory` with the action `:delete` only act when there is something to remove.",
    replaced_by: "file or directory with action :delete",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["powershell_script"])],
    check,
    bad: r"powershell_script 'a' do
  code 'Remove-Item C:\a'
end
",
    good: r"file 'C:\a' do
  action :delete
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["powershell_script"], &["code"]) {
        match quoted_value(property) {
            Some(code) if line_begins(code, "remove-item") && !code.contains('*') => cx.report(n.span()),
            _ => return,
        }
    }
}
