//! The platform or its family is compared directly.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/UsePlatformHelpers",
    summary: "The platform or its family is compared",
    why: "`platform?` and `platform_family?` are the usual form, and take several names.",
    level: Level::Info,
    replaced_by: "platform?, platform_family?",
    fix: Fix::Safe,
    exclude: &["**/metadata.rb", "**/libraries/*", "**/Berksfile"],
    on: &[On::Call(&["==", "!=", "eql?", "include?"])],
    check,
    bad: r"x = 1 if node['platform'] == 'ubuntu'
",
    good: r"x = 1 if platform?('ubuntu')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let attributes = ["platform", "platform_family"];
    let (Some(on), Some(value)) = (n.recv(), n.only_arg()) else { return };
    if n.name() == "include?" {
        if let Some(kind) = value.arg(0).filter(|_| on.is(Kind::Array) && value.is_node_attribute(&attributes)) {
            let names = on.kids().map(|name| match name.as_str() {
                Some(text) => format!("'{text}'"),
                None => name.src().to_string(),
            });
            let names = names.collect::<Vec<_>>().join(", ");
            report_replacement(cx, n, format!("{}?({names})", kind.value()));
        }
        return;
    }
    if let Some(kind) = on.arg(0).filter(|_| on.is_node_attribute(&attributes) && value.is(Kind::Str)) {
        let not = if n.name() == "!=" { "!" } else { "" };
        report_replacement(cx, n, format!("{not}{}?('{}')", kind.value(), value.value()));
    }
}
