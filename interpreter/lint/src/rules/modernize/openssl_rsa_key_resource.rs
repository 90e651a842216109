//! The resource `openssl_rsa_key` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/OpensslRsaKeyResource",
    summary: "The resource `openssl_rsa_key` is used",
    why: "In Chef it is `openssl_rsa_private_key`.",
    level: Level::Info,
    since: "14.0",
    replaced_by: "openssl_rsa_private_key",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["openssl_rsa_key"])],
    check,
    bad: r"openssl_rsa_key 'a'
",
    good: r"openssl_rsa_private_key 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_new_name(cx, n, "openssl_rsa_key", "openssl_rsa_private_key");
}
