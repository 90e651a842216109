//! A notification has a timing that Chef does not know.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidNotificationTiming",
    summary: "A notification has a timing that Chef does not know",
    why: "There are `:before`, `:immediately` (also `:immediate`) and `:delayed`.",
    replaced_by: ":immediately, :delayed or :before",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["notifies", "subscribes"])],
    check,
    bad: r"template '/etc/a' do
  notifies :restart, 'service[a]', :nownow
end
",
    good: r"template '/etc/a' do
  notifies :restart, 'service[a]', :immediately
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() != 3 || !n.arg(0).is_some_and(|action| action.is(Kind::Sym)) {
        return;
    }
    let Some(timing) = n.arg(2) else { return };
    let known = ["immediate", "immediately", "delayed", "before"];
    if timing.as_sym().is_some_and(|name| !known.contains(&name)) {
        cx.report(timing.span());
    }
}
