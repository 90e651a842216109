//! A guard runs `test -f` or `test -e`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ConditionalUsingTest",
    summary: "A guard runs `test -f` or `test -e`",
    why: "Ruby can tell without a process.",
    level: Level::Info,
    replaced_by: "::File.exist?",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["not_if", "only_if"])],
    check,
    bad: r"template '/etc/a' do
  only_if 'test -f /etc/b'
end
",
    good: r"template '/etc/a' do
  only_if { ::File.exist?('/etc/b') }
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(command) = n.only_arg().filter(|command| n.recv().is_none() && command.is(Kind::Str)) else { return };
    let path = command.value().lines().find_map(|line| {
        let path = line.strip_prefix("test -e ").or_else(|| line.strip_prefix("test -f "))?;
        (!path.contains(char::is_whitespace)).then_some(path)
    });
    if let Some(path) = path {
        cx.report_fix(n.span(), Edit::replace(command.span(), format!("{{ ::File.exist?('{path}') }}")));
    }
}
