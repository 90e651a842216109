//! The code contains a private key.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Security/SshPrivateKey",
    summary: "A private key stands in the code",
    why: "Everybody who can read the cookbook has the key.",
    level: Level::Error,
    replaced_by: "an encrypted data bag, or a secret manager",
    include: &[
        "**/libraries/*.rb",
        "**/resources/*.rb",
        "**/providers/*.rb",
        "**/recipes/*.rb",
        "**/attributes/*.rb",
        "**/definitions/*.rb",
    ],
    on: &[On::Kind(Kind::Send)],
    check,
    bad: r"file '/root/.ssh/id_rsa' do
  content '-----BEGIN RSA PRIVATE KEY-----'
end
",
    good: r"file '/root/.ssh/id_rsa' do
  content data_bag_item('keys', 'root')['key']
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for arg in n.args() {
        if !arg.is_any(&[Kind::Str, Kind::Dstr]) {
            continue;
        }
        let text = text_of(arg).unwrap_or_default();
        if text.starts_with("-----BEGIN RSA PRIVATE") || text.starts_with("-----BEGIN EC PRIVATE") {
            cx.report(n.span());
        }
    }
}
