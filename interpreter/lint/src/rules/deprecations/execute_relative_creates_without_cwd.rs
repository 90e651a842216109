//! `execute` has a relative `creates` and no `cwd`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ExecuteRelativeCreatesWithoutCwd",
    summary: "`execute` has a relative `creates` and no `cwd`",
    why: "Chef 13 and later refuse it: what the path is relative to is not known.",
    removed_in: "13",
    replaced_by: "an absolute path, or cwd",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["execute"])],
    check,
    bad: r"execute 'a' do
  creates 'done'
end
",
    good: r"execute 'a' do
  creates '/tmp/done'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["execute"], &["creates"]) {
        let Some(path) = property.only_arg().and_then(N::as_str) else { return };
        let drive = |line: &str| line.as_bytes().get(1) == Some(&b':') && line.as_bytes()[0].is_ascii_alphabetic();
        let absolute = path.lines().any(|line| line.starts_with('/') || drive(line));
        if absolute || !properties(n, &["execute"], &["cwd"]).is_empty() {
            return;
        }
        cx.report(property.span());
    }
}
