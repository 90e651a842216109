//! A resource has `compile_time true` and is run by `run_action`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/DoubleCompileTime",
    summary: "A resource has `compile_time true` and is run by `run_action`",
    why: "It is converged twice when the recipe is compiled.",
    level: Level::Info,
    fix: Fix::Unsafe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["run_action"])],
    check,
    bad: r"chef_gem 'a' do
  action :nothing
  compile_time true
end.run_action(:install)
",
    good: r"chef_gem 'a' do
  action :install
  compile_time true
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(block) = n.recv().filter(|block| block.is(Kind::Block) && block.recv().is_none()) else { return };
    let (Some(body), Some(action)) = (block.body(), n.only_arg().filter(|action| action.is(Kind::Sym))) else { return };
    let early = |call: N<'_>| call.is_call("compile_time") && call.only_arg().is_some_and(|value| value.is(Kind::True));
    if !block.params().is_empty() || !body.all().any(early) {
        return;
    }
    let own =
        body.all().filter(|call| call.is_call("action")).find_map(|call| call.only_arg().filter(|a| a.is(Kind::Sym)));
    match own {
        Some(own) => {
            let dot = cx.tree.source[block.end() as usize..n.selector().start as usize].find('.').unwrap_or(0);
            let from = block.end() + u32::try_from(dot).unwrap_or(0);
            let edits = vec![
                Edit::replace(own.span(), format!(":{}", action.value())),
                Edit::remove(crate::ast::Span::new(from, n.end())),
            ];
            cx.report_edits(n.selector(), edits);
        }
        None => cx.report(n.selector()),
    }
}
