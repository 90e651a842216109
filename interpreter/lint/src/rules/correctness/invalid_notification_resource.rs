//! A notification's target is code instead of a string.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidNotificationResource",
    summary: "A notification's target is written as code instead of text",
    why: "`service[apache2]` without quotes calls a method `service`.",
    replaced_by: "'type[name]'",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["notifies", "subscribes"])],
    check,
    bad: r"template '/etc/a' do
  notifies :restart, service['a']
end
",
    good: r"template '/etc/a' do
  notifies :restart, 'service[a]'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(target) = n.arg(1).filter(|_| n.recv().is_none() && n.arg(0).is_some_and(|a| a.is(Kind::Sym))) else {
        return;
    };
    let call = |on: N<'_>| on.is(Kind::Send) && on.recv().is_none() && on.argc() == 0;
    if target.is_send("[]") && target.recv().is_some_and(call) {
        cx.report(target.span());
    }
}
