//! A guard gets the value of a Ruby expression.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/RubyGuardWithoutBlock",
    summary: "A guard is given the value of a Ruby expression",
    why: "It is evaluated when the recipe is compiled, and a guard takes a command or a block.",
    replaced_by: "a block",
    fix: Fix::Unsafe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["not_if", "only_if"])],
    check,
    bad: r"log 'a' do
  only_if node['a'] == 'b'
end
",
    good: r"log 'a' do
  only_if { node['a'] == 'b' }
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if let Some(value) = n.only_arg().filter(|value| n.recv().is_none() && is_boolean(*value)) {
        report_replacement(cx, n, format!("{} {{ {} }}", n.name(), value.src()));
    }
}

/// Whether an expression can only be true or false.
fn is_boolean(node: N<'_>) -> bool {
    match node.kind() {
        Kind::True | Kind::False | Kind::Defined | Kind::And | Kind::Or => true,
        Kind::Begin => node.places() == 1 && node.kid(0).is_some_and(is_boolean),
        Kind::Send => {
            node.name().ends_with('?')
                || ["==", "!=", "<", ">", "<=", ">=", "=~", "!~", "!", "equal?", "eql?"].contains(&node.name())
        }
        _ => false,
    }
}
