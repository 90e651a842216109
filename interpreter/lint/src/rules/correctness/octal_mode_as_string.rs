//! A mode is a string that begins with `0o`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/OctalModeAsString",
    summary: "A mode is a string that begins with `0o`",
    why: "Chef reads the string as octal digits and does not know the prefix.",
    replaced_by: "'755'",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["mode"])],
    check,
    bad: r"file '/etc/a' do
  mode '0o755'
end
",
    good: r"file '/etc/a' do
  mode '755'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.arg(0).and_then(N::as_str).is_some_and(|mode| line_begins(mode, "0o")) {
        cx.report(n.span());
    }
}
