//! A checksum has the length of an MD5 or SHA-1 digest.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidChecksum",
    summary: "A checksum has the length of an MD5 or SHA-1 digest",
    why: "The property takes a SHA-256 digest; another never matches, so the file is fetched again in every run.",
    replaced_by: "a SHA-256 digest",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["remote_file", "windows_package", "msu_package", "dmg_package"])],
    check,
    bad: r"remote_file '/tmp/a' do
  source 'https://example.com/a'
  checksum 'd41d8cd98f00b204e9800998ecf8427e'
end
",
    good: r"remote_file '/tmp/a' do
  source 'https://example.com/a'
  checksum 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["remote_file", "windows_package", "msu_package", "dmg_package"], &["checksum"]) {
        let Some(value) = property.arg(0).and_then(N::as_str) else { continue };
        if matches!(value.len(), 32 | 40) && value.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            cx.report(property.span());
        }
    }
}
