//! `apt_repository` has the full address of a PPA.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/SimplifyAptPpaSetup",
    summary: "`apt_repository` has the full address of a PPA",
    why: "`ppa:user/name` also brings the key and the distribution.",
    level: Level::Info,
    replaced_by: "uri 'ppa:user/name'",
    fix: Fix::Unsafe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["apt_repository"])],
    check,
    bad: r"apt_repository 'a' do
  uri 'http://ppa.launchpad.net/a/b/ubuntu'
end
",
    good: r"apt_repository 'a' do
  uri 'ppa:a/b'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let inner = |text: &str, whole: bool| {
        text.lines().find_map(|line| {
            let at = line.find("ppa.launchpad.net/")?;
            let scheme = line[..at].strip_suffix("://")?.trim_end_matches('s').ends_with("http");
            let rest = &line[at + 18..];
            let name = if whole { rest.strip_suffix("/ubuntu")? } else { &rest[..rest.rfind("/ubuntu")?] };
            scheme.then(|| name.to_string())
        })
    };
    for uri in properties(n, &["apt_repository"], &["uri"]) {
        if uri.arg(0).and_then(N::as_str).and_then(|uri| inner(uri, true)).is_some() {
            match inner(n.src(), false) {
                Some(name) => report_replacement(cx, uri, format!("uri 'ppa:{name}'")),
                None => cx.report(uri.span()),
            }
        }
    }
}
