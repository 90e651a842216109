use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_x509_crl",
    class: "OpensslX509Crl",
    doc: "Makes lists of revoked certificates.",
    introduced: "14.4",
    provides: &[Provides::always("openssl_x509_crl")],
    actions: &["create"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::OpenSSLHelper"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The list."),
        prop("serial_to_revoke", &[Int, Str]).doc("Serial number to revoke."),
        prop("revocation_reason", &[Int]).default(LitInt(0)).doc("Reason, as a number."),
        prop("expire", &[Int]).default(LitInt(8)).doc("Days that the list is good."),
        prop("renewal_threshold", &[Int]).default(LitInt(1)).doc("Days before the end at which it is made anew."),
        prop("ca_cert_file", &[Str]).required().doc("Certificate of the authority."),
        prop("ca_key_file", &[Str]).required().doc("Key of the authority."),
        prop("ca_key_pass", &[Str]).doc("Passphrase of that key."),
        prop("owner", &[Str, Int]).doc("Owner of the file."),
        prop("group", &[Str, Int]).doc("Group of the file."),
        prop("mode", &[Int, Str]).doc("Mode of the file."),
    ],
    ..ResourceDef::DEFAULT
};
