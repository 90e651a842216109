//! The resource `openssl_x509` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/OpensslX509Resource",
    summary: "The resource `openssl_x509` is used",
    why: "In Chef it is `openssl_x509_certificate`.",
    level: Level::Info,
    since: "14.4",
    replaced_by: "openssl_x509_certificate",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["openssl_x509"])],
    check,
    bad: r"openssl_x509 'a'
",
    good: r"openssl_x509_certificate 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_new_name(cx, n, "openssl_x509", "openssl_x509_certificate");
}
