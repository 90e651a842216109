//! The URL of a cookbook's source or issues is HTTP.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/InsecureCookbookURL",
    summary: "The address of a cookbook's source or issues is HTTP",
    why: "GitHub and GitLab have HTTPS.",
    level: Level::Info,
    file: "metadata.rb",
    replaced_by: "https://",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["source_url", "issues_url"])],
    check,
    bad: r"source_url 'http://github.com/a/b'
",
    good: r"source_url 'https://github.com/a/b'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let insecure = |url: &str| {
        url.match_indices("http://").any(|(at, scheme)| {
            let host = without_www(&url[at + scheme.len()..]);
            host.starts_with("github") || host.starts_with("gitlab")
        })
    };
    if n.recv().is_some() || !n.only_arg().and_then(N::as_str).is_some_and(insecure) {
        return;
    }
    let mut text = String::new();
    let mut rest = n.src();
    while let Some(at) = rest.find("http://") {
        text.push_str(&rest[..at]);
        text.push_str("https://");
        rest = without_www(&rest[at + 7..]);
    }
    text.push_str(rest);
    report_replacement(cx, n, text);
}

/// The host without `www` and the character after it, removed repeatedly.
fn without_www(mut host: &str) -> &str {
    while let Some(rest) = host.strip_prefix("www") {
        let Some(letter) = rest.chars().next() else { break };
        host = &rest[letter.len_utf8()..];
    }
    host
}
