//! A node attribute is accessed with a symbol.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/AttributeKeys",
    summary: "A node attribute is named by a symbol",
    why: "Attributes are stored by strings; one form throughout is easier to search for.",
    level: Level::Info,
    replaced_by: "a string",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["[]"])],
    check,
    bad: r"x = node[:a][:b]
",
    good: r#"x = node["a"]["b"]
"#,
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let levels = [
        "default",
        "role_default",
        "env_default",
        "normal",
        "override",
        "role_override",
        "env_override",
        "force_override",
        "automatic",
    ];
    let Some(on) = n.recv().filter(|on| n.argc() == 1 && on.argc() == 0) else { return };
    let level = on.is(Kind::Send) && levels.contains(&on.name()) && on.recv().is_some_and(N::is_any_node);
    if !on.is_any_node() && !level {
        return;
    }
    let mut outer = n;
    loop {
        if let Some(key) = outer.arg(0).filter(|key| key.is(Kind::Sym)) {
            report_replacement(cx, key, inspect(key.value()));
        }
        match outer.parent().filter(|parent| parent.is_send("[]")) {
            Some(parent) => outer = parent,
            None => return,
        }
    }
}

/// A string literal with this value.
fn inspect(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace("#{", "\\#{").replace("#$", "\\#$");
    format!("\"{}\"", text.replace("#@", "\\#@"))
}
