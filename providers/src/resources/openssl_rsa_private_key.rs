use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_rsa_private_key",
    class: "OpensslRsaPrivateKey",
    doc: "Makes RSA keys.",
    introduced: "14.0",
    provides: &[Provides::when("openssl_rsa_private_key", coerce::anywhere), Provides::when("openssl_rsa_key", coerce::anywhere)],
    actions: &["create"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::OpenSSLHelper"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The file."),
        prop("key_length", &[Int]).default(LitInt(2048)).equal_to(&[LitInt(1024), LitInt(2048), LitInt(4096), LitInt(8192)]).message("key_length (bits) must be 1024, 2048, 4096, or 8192!").doc("Bits."),
        prop("key_pass", &[Str]).sensitive().doc("Passphrase."),
        prop("key_cipher", &[Str]).lazy(coerce::des3).callbacks(&[("key_cipher must be a cipher known to openssl. Run `openssl list-cipher-algorithms` to see available options.", coerce::known_cipher)]).doc("Cipher that protects the key."),
        prop("owner", &[Str, Int]).doc("Owner of the file."),
        prop("group", &[Str, Int]).doc("Group of the file."),
        prop("mode", &[Int, Str]).default(LitStr("0600")).doc("Mode of the file."),
        prop("force", &[TRUE_CLASS, FALSE_CLASS]).desired_state(false).default(False).doc("Replace a key that is there."),
    ],
    ..ResourceDef::DEFAULT
};
