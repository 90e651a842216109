//! `Opscode::OpenSSL::Password` of the openssl cookbook is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/OpenSSLPasswordHelpers",
    summary: "`Opscode::OpenSSL::Password` of the openssl cookbook is used",
    why: "The helper was removed from the cookbook; Ruby's SecureRandom makes passwords.",
    replaced_by: "SecureRandom.hex",
    exclude: BERKSFILE_TOO,
    on: &[On::Kind(Kind::Const)],
    check,
    bad: r"include Opscode::OpenSSL::Password
",
    good: r"require 'securerandom'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is_const("Opscode::OpenSSL::Password") {
        cx.report(n.span());
    }
}
