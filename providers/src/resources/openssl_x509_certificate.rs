use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_x509_certificate",
    class: "OpensslX509Certificate",
    doc: "Makes X.509 certificates, self-signed or signed by an authority.",
    introduced: "14.4",
    provides: &[Provides::always("openssl_x509_certificate"), Provides::when("openssl_x509", coerce::anywhere)],
    actions: &["create"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::OpenSSLHelper"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The certificate."),
        prop("owner", &[Str, Int]).doc("Owner of the files."),
        prop("group", &[Str, Int]).doc("Group of the files."),
        prop("expire", &[Int]).default(LitInt(365)).doc("Days of validity."),
        prop("mode", &[Int, Str]).doc("Mode of the files."),
        prop("country", &[Str]).doc("Country, two letters."),
        prop("state", &[Str]).doc("State or province."),
        prop("city", &[Str]).doc("City."),
        prop("org", &[Str]).doc("Organisation."),
        prop("org_unit", &[Str]).doc("Unit of the organisation."),
        prop("common_name", &[Str]).doc("Common name."),
        prop("email", &[Str]).doc("E-mail address."),
        prop("extensions", &[Hash]).default_empty(Hash).doc("Extensions, as Hashes of `values` and `critical`."),
        prop("subject_alt_name", &[Array]).default_empty(Array).doc("Alternative names, such as `DNS:example.org`."),
        prop("key_file", &[Str]).doc("The key; made if it is not there."),
        prop("key_pass", &[Str]).sensitive().doc("Passphrase of the key."),
        prop("key_type", &[Str])
            .default(LitStr("rsa"))
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
        prop("csr_file", &[Str]).doc("Request to sign."),
        prop("ca_cert_file", &[Str]).doc("Certificate of the authority."),
        prop("ca_key_file", &[Str]).doc("Key of the authority."),
        prop("ca_key_pass", &[Str]).doc("Passphrase of that key."),
        prop("renew_before_expiry", &[Int]).since("15.7").doc("Days before the end at which it is made anew."),
    ],
    ..ResourceDef::DEFAULT
};
