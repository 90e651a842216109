//! A resource is run when the recipe is compiled, by `run_action`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ResourceForcingCompileTime",
    summary: "A resource is run when the recipe is compiled, by `run_action`",
    why: "The resource has the property `compile_time` for it.",
    level: Level::Info,
    replaced_by: "compile_time true",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["run_action"])],
    check,
    bad: r"chef_gem 'a' do
  action :nothing
end.run_action(:install)
",
    good: r"chef_gem 'a' do
  compile_time true
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let types = ["build_essential", "chef_gem", "hostname", "ohai_hint"];
    let Some(block) = n.recv().filter(|block| block.is(Kind::Block)) else { return };
    let resource = block.recv().is_none() && block.argc() == 1 && block.params().is_empty() && block.body().is_some();
    if resource && types.contains(&block.name()) && n.only_arg().is_some_and(|action| action.is(Kind::Sym)) {
        cx.report(n.span());
    }
}
