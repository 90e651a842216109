//! A resource of Chef is given a property that it does not have.

use crate::rules::prelude::*;

/// Methods of every resource besides its properties.
const COMMON: &[&str] = &[
    "action",
    "not_if",
    "only_if",
    "notifies",
    "subscribes",
    "ignore_failure",
    "retries",
    "retry_delay",
    "sensitive",
    "umask",
    "compile_time",
    "provider",
    "guard_interpreter",
    "cookbook_name",
    "recipe_name",
    "name",
    "supports",
    "updated_by_last_action",
    "run_action",
    "params",
    "run_context",
    "epic_fail",
    "delayed_action",
    "load_prior_resource",
    "allowed_actions",
    "source_line",
    "declared_type",
    "enclosing_provider",
    "noop",
    "before",
    "resource_name",
    "description",
    "introduced",
    "node",
    "not_supported_by_resource",
    "helpers",
    "helper",
    "instance_variable_set",
    "instance_eval",
    "instance_exec",
    "send",
    "public_send",
    "extend",
    "include",
    "raise",
    "puts",
    "p",
    "print",
    "warn",
    "fail",
    "require",
    "lazy",
    "abort",
    "exit",
    "sleep",
    "system",
    "loop",
    "catch",
    "throw",
    "binding",
    "define_singleton_method",
    "include_recipe",
    "log",
    "shell_out",
    "shell_out!",
    "Array",
    "String",
    "Integer",
    "Hash",
    "format",
    "printf",
    "pp",
    "eval",
    "return_value",
    "set_or_return",
    "property_is_set?",
    "rights",
    "deny_rights",
    "inherits",
];

pub static RULE: Rule = Rule {
    alias: "Rchef/UnknownProperty",
    summary: "A resource of Chef is given a property that it does not have",
    why: "The run ends with NoMethodError there. Not told where a cookbook of the repository makes names at run time.",
    level: Level::Error,
    include: DECLARES,
    exclude: TESTS,
    on: &[On::Kind(Kind::Block)],
    check,
    bad: r"file '/a' do
  contents 'text'
end
",
    good: r"file '/a' do
  content 'text'
end
",
    ..Rule::BASE
};

/// The statements in a resource's block that look like properties.
fn settings(block: N<'_>) -> Vec<N<'_>> {
    let body = block.body();
    let statements = match body {
        Some(body) if body.is(Kind::Begin) => body.kids().collect(),
        other => other.into_iter().collect::<Vec<_>>(),
    };
    statements.into_iter().filter(|call| call.is(Kind::Send) && call.recv().is_none() && call.argc() > 0).collect()
}

/// Whether the block is the value of a property of the enclosing resource.
pub(super) fn is_property_of_outer(cx: &Cx<'_>, block: N<'_>) -> bool {
    let outer = block.ancestors().find(|outer| outer.is(Kind::Block) && is_resource(*outer));
    outer.is_some_and(|outer| {
        !cx.file.known.shipped.contains_key(outer.name())
            || cx.file.known.shipped[outer.name()].properties.contains(block.name())
    })
}

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let known = cx.file.known;
    let Some(shipped) = known.shipped.get(n.name()).filter(|_| is_resource(n) && n.params().is_empty()) else { return };
    let mut open = None;
    for call in settings(n) {
        let name = call.name();
        let has = shipped.properties.contains(name)
            || COMMON.contains(&name)
            || name.ends_with(['?', '!'])
            || known.methods.contains(name);
        let named = name.starts_with(|letter: char| letter.is_ascii_lowercase());
        if has || !named || known.shipped.contains_key(name) {
            continue;
        }
        let own = cx.file.cookbook();
        if *open.get_or_insert_with(|| own.and_then(|own| known.reach_here(own)).is_none()) {
            return;
        }
        // a cookbook that redefines the resource may add properties
        let replaces = |name| known.cookbooks.values().any(|cookbook| cookbook.resources.contains(name));
        if replaces(n.name()) || replaces(name) {
            return;
        }
        let near = super::unknown_action::nearest(name, shipped.properties.iter().copied());
        let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        cx.report_saying(call.selector(), format!("{} has no property {name}{hint}", n.name()));
    }
}
