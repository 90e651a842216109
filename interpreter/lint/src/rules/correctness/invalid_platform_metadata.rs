//! `supports` names a platform that does not exist.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidPlatformMetadata",
    summary: "`supports` names a platform that does not exist",
    why: "The metadata says nothing about the platform that is meant.",
    file: "metadata.rb",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["supports"]), On::Block(&["each"])],
    check,
    bad: r"supports 'mac_os_x_server'
",
    good: r"supports 'mac_os_x'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let mut names: Vec<N<'t>> = Vec::new();
    if n.is_call("supports") {
        names.extend(n.arg(0).filter(|name| name.is(Kind::Str)));
    } else if n.is(Kind::Block) {
        let list = n.recv().filter(|list| list.is(Kind::Array) && n.argc() == 0);
        let one = n.params().len() == 1 && n.params()[0].form() == Form::Required;
        let body = n.body().filter(|body| body.is_call("supports"));
        if body.and_then(N::only_arg).is_some_and(|arg| arg.is(Kind::Lvar)) && one {
            names.extend(list.into_iter().flat_map(N::kids).filter(|name| name.is(Kind::Str)));
        }
    }
    for name in names {
        if !matches!(wrong_platform(name.value()), Some(Some(_))) {
            continue;
        }
        match wrong_platform(&name.value().replace(',', "").to_lowercase()) {
            Some(Some(right)) if name.src().starts_with(['\'', '"']) => {
                report_replacement(cx, name, format!("'{right}'"));
            }
            Some(Some(right)) => report_replacement(cx, name, right),
            _ => cx.report(name.span()),
        }
    }
}
