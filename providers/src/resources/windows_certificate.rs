use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_certificate",
    class: "WindowsCertificate",
    doc: "Keeps certificates in the store (Windows).",
    introduced: "14.7",
    provides: &[Provides::always("windows_certificate")],
    actions: &["create", "acl_add", "delete", "fetch", "verify"],
    default_action: &["create"],
    properties: &[
        prop("source", &[Str]).name_property().doc("The file, the thumbprint or the subject."),
        prop("pfx_password", &[Str]).sensitive().doc("Password of the file."),
        prop("private_key_acl", &[Array]).doc("Accounts that may read the key."),
        prop("store_name", &[Str])
            .default(LitStr("MY"))
            .equal_to(&[
                LitStr("TRUSTEDPUBLISHER"),
                LitStr("TrustedPublisher"),
                LitStr("CLIENTAUTHISSUER"),
                LitStr("REMOTE DESKTOP"),
                LitStr("ROOT"),
                LitStr("TRUSTEDDEVICES"),
                LitStr("WEBHOSTING"),
                LitStr("CA"),
                LitStr("AUTHROOT"),
                LitStr("TRUSTEDPEOPLE"),
                LitStr("MY"),
                LitStr("SMARTCARDROOT"),
                LitStr("TRUST"),
                LitStr("DISALLOWED"),
            ])
            .doc("Store."),
        prop("user_store", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("The user's store instead of the machine's."),
        prop("sensitive", &[TRUE_CLASS, FALSE_CLASS]).lazy(password_given).hidden().doc("Keep it out of logs."),
        prop("exportable", &[TRUE_CLASS, FALSE_CLASS]).default(False).since("16.8").doc("The key can be exported."),
        prop("output_path", &[Str]).since("17.0").doc("Where to write what is fetched."),
    ],
    deprecated_aliases: &[("cert_path", "output_path", "cert_path is now output_path")],
    ..ResourceDef::DEFAULT
};

/// Default of `sensitive`: true if there is a password.
fn password_given(vm: &mut Vm, resource: &Value) -> Res {
    Ok(Value::bool(coerce::read(vm, resource, "pfx_password")?.truthy()))
}
