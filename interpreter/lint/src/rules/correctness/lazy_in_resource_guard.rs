//! A guard's block uses `lazy`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/LazyInResourceGuard",
    summary: "A guard's block uses `lazy`",
    why: "A guard is evaluated late anyway, and `lazy` gives an object, which is true.",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Block(&["not_if", "only_if"])],
    check,
    bad: r"log 'a' do
  only_if { lazy { node['a'] } }
end
",
    good: r"log 'a' do
  only_if { node['a'] }
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() > 0 || !n.params().is_empty() {
        return;
    }
    let Some(lazy) = n.body().filter(|body| body.is(Kind::Block) && body.call().is_call("lazy")) else { return };
    if let Some(code) = lazy.body().filter(|_| lazy.argc() == 0 && lazy.params().is_empty()) {
        report_replacement(cx, n, format!("{} {{ {} }}", n.name(), code.src()));
    }
}
