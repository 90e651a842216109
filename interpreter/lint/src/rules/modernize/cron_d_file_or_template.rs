//! A file is put into /etc/cron.d.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/CronDFileOrTemplate",
    summary: "A file is put into /etc/cron.d",
    why: "`cron_d` checks the times and knows the format.",
    level: Level::Info,
    since: "14.4",
    replaced_by: "cron_d",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["template", "file", "cookbook_file"])],
    check,
    bad: r"template '/etc/cron.d/a' do
  source 'a.erb'
end
",
    good: r"cron_d 'a' do
  command 'a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let cron = |path: &str| {
        let at = path.to_ascii_lowercase().find("/etc/cron.d");
        at.is_some_and(|at| !path[at + 11..].starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    };
    let starts =
        |path: &str| path.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("/etc/cron.d")) && cron(path);
    let literal = n.only_arg().and_then(|name| match name.kind() {
        Kind::Str => Some(name),
        Kind::Dstr => name.kid(0).filter(|part| part.is(Kind::Str)),
        Kind::Send => name.arg(0).filter(|part| part.is(Kind::Str)),
        _ => None,
    });
    if n.recv().is_none() && literal.is_some_and(|name| starts(name.value())) {
        cx.report(n.span());
    }
    for path in properties(n, &["template", "file", "cookbook_file"], &["path"]) {
        if path.all().any(|part| part.as_str().is_some_and(cron)) {
            cx.report(n.span());
        }
    }
}
