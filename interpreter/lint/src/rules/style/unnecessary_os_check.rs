//! `node['os']` is compared instead of the platform family.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/UnnecessaryOSCheck",
    summary: "`node['os']` is compared where the platform family says the same",
    why: "`platform_family?` is the usual form.",
    level: Level::Info,
    replaced_by: "platform_family?",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["==", "!=", "eql?", "include?"])],
    check,
    bad: r"x = 1 if node['os'] == 'windows'
",
    good: r"x = 1 if platform_family?('windows')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let systems = ["aix", "darwin", "dragonflybsd", "freebsd", "netbsd", "openbsd", "solaris2", "windows"];
    let family = |name: &str| if name == "darwin" { "mac_os_x".to_string() } else { name.to_string() };
    let (Some(on), Some(value)) = (n.recv(), n.only_arg()) else { return };
    if n.name() == "include?" {
        let names: Vec<N<'_>> = on.kids().collect();
        let known = names.iter().all(|name| name.as_str().is_some_and(|name| systems.contains(&name)));
        let mut sorted: Vec<&str> = names.iter().map(|name| name.value()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        if on.is(Kind::Array) && value.is_node_attribute(&["os"]) && known && sorted.len() == names.len() {
            let names: Vec<String> = names.iter().map(|name| format!("'{}'", family(name.value()))).collect();
            report_replacement(cx, n, format!("platform_family?({})", names.join(", ")));
        }
        return;
    }
    if on.is_node_attribute(&["os"]) && value.as_str().is_some_and(|name| systems.contains(&name)) {
        let not = if n.name() == "!=" { "!" } else { "" };
        report_replacement(cx, n, format!("{not}platform_family?('{}')", family(value.value())));
    }
}
