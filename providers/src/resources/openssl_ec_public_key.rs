use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_ec_public_key",
    class: "OpensslEcPublicKey",
    doc: "Derives public EC keys.",
    introduced: "14.4",
    provides: &[Provides::always("openssl_ec_public_key")],
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
