//! A notification has the timing `:immediate`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/ImmediateNotificationTiming",
    summary: "A notification has the timing `:immediate`",
    why: "`:immediately` is its usual name.",
    level: Level::Info,
    replaced_by: ":immediately",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["notifies", "subscribes"])],
    check,
    bad: r"template '/etc/a' do
  notifies :restart, 'service[a]', :immediate
end
",
    good: r"template '/etc/a' do
  notifies :restart, 'service[a]', :immediately
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let shaped = n.recv().is_none() && n.argc() == 3 && n.arg(0).is_some_and(|action| action.is(Kind::Sym));
    if let Some(timing) = n.arg(2).filter(|timing| shaped && timing.is_sym("immediate")) {
        report_replacement(cx, timing, ":immediately");
    }
}
