//! `platform_family?` is called with a family that does not exist.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidPlatformFamilyHelper",
    summary: "`platform_family?` is asked for a family that does not exist",
    why: "The condition is never true.",
    fix: Fix::Unsafe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["platform_family?"])],
    check,
    bad: r"log 'a' if platform_family?('redhat')
",
    good: r"log 'a' if platform_family?('rhel')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let args = n.args();
    if n.recv().is_some() || !args.iter().all(|arg| arg.is(Kind::Str)) {
        return;
    }
    for arg in &args {
        match wrong_family(arg.value()) {
            None => {}
            Some(None) => cx.report(arg.span()),
            Some(Some(right)) if args.iter().any(|other| other.value() == right) => {
                let others = args.iter().filter(|other| other.value() != arg.value());
                let text = others.map(|other| format!("'{}'", other.value())).collect::<Vec<_>>().join(", ");
                let all = args[0].span().join(args[args.len() - 1].span());
                cx.report_fix(arg.span(), Edit::replace(all, text));
            }
            Some(Some(right)) => report_replacement(cx, *arg, format!("'{right}'")),
        }
    }
}
