//! `set_or_return` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/SetOrReturnInResources",
    summary: "`set_or_return` is called",
    why: "`property` makes the method that does it.",
    level: Level::Info,
    file: "libraries/a.rb",
    replaced_by: "property",
    include: RESOURCES,
    on: &[On::Call(&["set_or_return"])],
    check,
    bad: r"def a(arg = nil)
  set_or_return(:a, arg, kind_of: String)
end
",
    good: r"property :a, String
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
