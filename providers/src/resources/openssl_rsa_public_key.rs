use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_rsa_public_key",
    class: "OpensslRsaPublicKey",
    doc: "Derives public RSA keys.",
    introduced: "14.0",
    provides: &[Provides::when("openssl_rsa_public_key", coerce::anywhere)],
    actions: &["create"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::OpenSSLHelper"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The file."),
        prop("private_key_path", &[Str]).doc("Path of the private key."),
        prop("private_key_content", &[Str]).sensitive().doc("The private key's text."),
        prop("private_key_pass", &[Str]).sensitive().doc("Passphrase of the private key."),
        prop("owner", &[Str, Int]).doc("Owner of the file."),
        prop("group", &[Str, Int]).doc("Group of the file."),
        prop("mode", &[Int, Str]).default(LitStr("0640")).doc("Mode of the file."),
    ],
    ..ResourceDef::DEFAULT
};
