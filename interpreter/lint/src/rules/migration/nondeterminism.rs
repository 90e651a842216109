//! The result of a recipe depends on when and by whom it is run.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/Nondeterminism",
    summary: "The result of a recipe depends on when and by whom it is run",
    why: "Two runs give two results, so a comparison before and after a change, or of Chef and rchef, always shows a difference there.",
    level: Level::Info,
    include: &["**/recipes/*.rb", "**/recipe.rb", "**/attributes/*.rb", "**/attributes.rb"],
    exclude: TESTS,
    on: &[On::Call(&[
        "now",
        "today",
        "rand",
        "hex",
        "uuid",
        "base64",
        "urlsafe_base64",
        "random_number",
        "alphanumeric",
        "random_bytes",
        "sample",
        "shuffle",
    ])],
    check,
    bad: r"default['web']['password'] = SecureRandom.hex(8)
",
    good: r"default['web']['password'] = nil
",
    file: "attributes/default.rb",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let class = |names: &[&str]| n.recv().is_some_and(|on| names.iter().any(|name| on.is_const(name)));
    let found = match n.name() {
        "now" => class(&["Time", "DateTime"]),
        "today" => class(&["Date"]),
        "rand" => n.recv().is_none() || class(&["Random", "Kernel"]),
        "sample" | "shuffle" => n.recv().is_some() && n.argc() == 0,
        _ => class(&["SecureRandom"]),
    };
    // code that only runs when a resource converges does not affect the compiled result
    let later = n.ancestors().any(|outer| {
        outer.is(Kind::Block)
            && matches!(outer.name(), "block" | "ruby_block" | "only_if" | "not_if" | "lazy" | "define_method")
            || outer.is_any(&[Kind::Def, Kind::Defs])
    });
    if found && !later {
        cx.report_saying(n.span(), format!("{} gives something else in every run", n.src()));
    }
}
