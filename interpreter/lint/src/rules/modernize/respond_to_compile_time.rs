//! `compile_time` of `chef_gem` is only set if the property exists.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/RespondToCompileTime",
    summary: "`compile_time` of `chef_gem` is only set if it is there",
    why: "Every supported Chef has it.",
    level: Level::Info,
    since: "12.1",
    replaced_by: "compile_time",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Block(&["chef_gem"])],
    check,
    bad: r"chef_gem 'a' do
  compile_time true if respond_to?(:compile_time)
end
",
    good: r"chef_gem 'a' do
  compile_time true
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["chef_gem"], &["compile_time"]) {
        let Some(whole) = property.parent().filter(|whole| whole.is(Kind::If)) else { continue };
        let asks = |test: N<'_>| {
            let about = test.only_arg().is_some_and(|name| name.is_sym("compile_time"));
            let gem = |class: N<'_>| class.is_const_without_top("Chef::Resource::ChefGem");
            let listed = |list: N<'_>| {
                list.is_send("instance_methods")
                    && list.recv().is_some_and(gem)
                    && list.only_arg().is_some_and(|all| all.is(Kind::False))
            };
            about
                && (test.is_call("respond_to?")
                    || (test.is_send("method_defined?") && test.recv().is_some_and(gem))
                    || (test.is_send("include?") && test.recv().is_some_and(listed)))
        };
        let body = whole.kid(1) == Some(property) && whole.kid(2).is_none() && property.is(Kind::Send);
        if let Some(value) = property.only_arg().filter(|_| body && whole.condition().is_some_and(asks)) {
            report_replacement(cx, whole, format!("compile_time {}", value.src()));
        }
    }
}
