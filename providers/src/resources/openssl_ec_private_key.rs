use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_ec_private_key",
    class: "OpensslEcPrivateKey",
    doc: "Makes EC keys.",
    introduced: "14.4",
    provides: &[Provides::always("openssl_ec_private_key")],
    actions: &["create"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::OpenSSLHelper"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The file."),
        prop("key_curve", &[Str]).default(LitStr("prime256v1")).equal_to(&[LitStr("secp384r1"), LitStr("secp521r1"), LitStr("prime256v1"), LitStr("secp224r1"), LitStr("secp256k1")]).doc("Curve."),
        prop("key_pass", &[Str]).sensitive().doc("Passphrase."),
        prop("key_cipher", &[Str]).lazy(coerce::des3).callbacks(&[("key_cipher must be a cipher known to openssl. Run `openssl list-cipher-algorithms` to see available options.", coerce::known_cipher)]).doc("Cipher that protects the key."),
        prop("owner", &[Str, Int]).doc("Owner of the file."),
        prop("group", &[Str, Int]).doc("Group of the file."),
        prop("mode", &[Int, Str]).default(LitStr("0600")).doc("Mode of the file."),
        prop("force", &[TRUE_CLASS, FALSE_CLASS]).desired_state(false).default(False).doc("Replace a key that is there."),
    ],
    ..ResourceDef::DEFAULT
};
