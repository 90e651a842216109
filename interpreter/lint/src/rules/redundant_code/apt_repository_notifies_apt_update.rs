//! `apt_repository` notifies `apt-get update`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/AptRepositoryNotifiesAptUpdate",
    summary: "`apt_repository` notifies `apt-get update`",
    why: "The resource updates the package lists itself.",
    level: Level::Info,
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["apt_repository"])],
    check,
    bad: r"apt_repository 'a' do
  uri 'https://example.com'
  notifies :run, 'execute[apt-get update]'
end
",
    good: r"apt_repository 'a' do
  uri 'https://example.com'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["apt_repository"], &["notifies"]) {
        if !property.arg(1).is_some_and(|target| target.is_str("execute[apt-get update]")) {
            return;
        }
        report_removal(cx, property);
    }
}
