//! `apt_repository` sets `distribution` to its default.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/AptRepositoryDistributionDefault",
    summary: "`apt_repository` sets `distribution` to its default",
    why: "The release of the machine is the default.",
    level: Level::Info,
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["apt_repository"])],
    check,
    bad: r"apt_repository 'a' do
  uri 'https://example.com'
  distribution node['lsb']['codename']
end
",
    good: r"apt_repository 'a' do
  uri 'https://example.com'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let key = |call: N<'_>, name: &str| {
        call.is_send("[]") && call.only_arg().is_some_and(|key| key.is_sym(name) || key.is_str(name))
    };
    for property in properties(n, &["apt_repository"], &["distribution"]) {
        let codename = property.only_arg().filter(|value| property.is(Kind::Send) && key(*value, "codename"));
        let lsb = codename.and_then(N::recv).filter(|on| key(*on, "lsb"));
        if lsb.and_then(N::recv).is_some_and(N::is_node) {
            report_removal(cx, property);
        }
    }
}
