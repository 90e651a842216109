//! `supports` or `depends` is called in a loop over one or two names.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/OverlyComplexSupportsDependsMetadata",
    summary: "`supports` or `depends` is called in a loop over one or two names",
    why: "One line for each is shorter.",
    level: Level::Info,
    file: "metadata.rb",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Block(&["each"])],
    check,
    bad: r"%w(ubuntu debian).each { |name| supports name }
",
    good: r"supports 'ubuntu'
supports 'debian'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(list) = n.recv().filter(|list| n.argc() == 0 && list.is(Kind::Array)) else { return };
    let one = n.params().len() == 1 && n.params()[0].form() == Form::Required;
    let Some(call) = n.body().filter(|call| one && call.is_call_any(&["supports", "depends"])) else { return };
    let count = list.kids().count();
    if (1..3).contains(&count) && call.only_arg().is_some_and(|name| name.is(Kind::Lvar)) {
        let lines = list.kids().map(|name| format!("{} '{}'", call.name(), name.src()));
        let text = lines.collect::<Vec<_>>().join("\n");
        report_replacement(cx, n, text);
    }
}
