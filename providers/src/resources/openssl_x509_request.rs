use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_x509_request",
    class: "OpensslX509Request",
    doc: "Makes requests for certificates.",
    introduced: "14.4",
    provides: &[Provides::always("openssl_x509_request")],
    actions: &["create"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::OpenSSLHelper"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The request."),
        prop("owner", &[Str, Int]).doc("Owner of the files."),
        prop("group", &[Str, Int]).doc("Group of the files."),
        prop("mode", &[Int, Str]).doc("Mode of the files."),
        prop("country", &[Str]).doc("Country, two letters."),
        prop("state", &[Str]).doc("State or province."),
        prop("city", &[Str]).doc("City."),
        prop("org", &[Str]).doc("Organisation."),
        prop("org_unit", &[Str]).doc("Unit of the organisation."),
        prop("common_name", &[Str]).required().doc("Common name."),
        prop("email", &[Str]).doc("E-mail address."),
        prop("key_file", &[Str]).doc("The key; made if it is not there."),
        prop("key_pass", &[Str]).sensitive().doc("Passphrase of the key."),
        prop("key_type", &[Str])
            .default(LitStr("ec"))
            .equal_to(&[LitStr("rsa"), LitStr("ec")])
            .doc("RSA or elliptic curve."),
        prop("key_length", &[Int])
            .default(LitInt(2048))
            .equal_to(&[LitInt(1024), LitInt(2048), LitInt(4096), LitInt(8192)])
            .doc("Bits of a new RSA key."),
        prop("key_curve", &[Str])
            .default(LitStr("prime256v1"))
            .equal_to(&[LitStr("secp384r1"), LitStr("secp521r1"), LitStr("prime256v1")])
            .doc("Curve of a new EC key."),
    ],
    ..ResourceDef::DEFAULT
};
