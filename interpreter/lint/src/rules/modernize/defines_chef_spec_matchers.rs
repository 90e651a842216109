//! A library defines matchers for ChefSpec.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DefinesChefSpecMatchers",
    summary: "A library defines matchers for ChefSpec",
    why: "ChefSpec makes them itself since version 7.1.",
    level: Level::Info,
    file: "libraries/matchers.rb",
    fix: Fix::Safe,
    include: &["**/libraries/*.rb"],
    on: &[On::Kind(Kind::If)],
    check,
    bad: r"x = 1
if defined?(ChefSpec)
  def create_a(name); end
end
",
    good: r"x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let test = n.condition().filter(|test| test.is(Kind::Defined)).and_then(|test| test.kid(0));
    let inner =
        test.map(|test| if test.is(Kind::Begin) && test.places() == 1 { test.kid(0).unwrap_or(test) } else { test });
    if inner.is_some_and(|name| name.is_bare_const("ChefSpec")) {
        report_removal(cx, n);
    }
}
