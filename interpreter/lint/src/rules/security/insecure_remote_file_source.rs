//! A file is fetched over HTTP or FTP.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Security/InsecureRemoteFileSource",
    summary: "A file is fetched over HTTP or FTP",
    why: "Whoever is on the way can change it.",
    replaced_by: "https://",
    exclude: BERKSFILE_TOO,
    on: &[On::Block(&["remote_file", "windows_package", "msu_package", "dmg_package", "cab_package"])],
    check,
    bad: r"remote_file '/opt/a.tgz' do
  source 'http://example.com/a.tgz'
end
",
    good: r"remote_file '/opt/a.tgz' do
  source 'https://example.com/a.tgz'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let types = ["remote_file", "windows_package", "msu_package", "dmg_package", "cab_package"];
    for source in properties(n, &types, &["source"]) {
        for arg in source.args() {
            let urls = if arg.is(Kind::Array) { arg.kids().collect() } else { vec![arg] };
            for url in urls {
                let literal = if url.is(Kind::Dstr) { url.kid(0) } else { Some(url) };
                let scheme = literal.and_then(N::as_str).map(str::to_ascii_lowercase).unwrap_or_default();
                if scheme.starts_with("http://") || scheme.starts_with("ftp://") {
                    cx.report(url.span());
                }
            }
        }
    }
}
