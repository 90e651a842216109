use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "openssl_dhparam",
    class: "OpensslDhparam",
    doc: "Makes Diffie-Hellman parameters.",
    introduced: "14.0",
    provides: &[Provides::when("openssl_dhparam", coerce::anywhere)],
    actions: &["create"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::OpenSSLHelper"],
    properties: &[
        prop("path", &[Str]).name_property().doc("The file."),
        prop("key_length", &[Int])
            .default(LitInt(2048))
            .equal_to(&[LitInt(1024), LitInt(2048), LitInt(4096), LitInt(8192)])
            .message("key_length must be 1024, 2048, 4096, or 8192.")
            .doc("Bits."),
        prop("generator", &[Int])
            .default(LitInt(2))
            .equal_to(&[LitInt(2), LitInt(5)])
            .message("generator must be either 2 or 5.")
            .doc("Generator."),
        prop("owner", &[Str, Int]).doc("Owner of the file."),
        prop("group", &[Str, Int]).doc("Group of the file."),
        prop("mode", &[Int, Str]).default(LitStr("0640")).doc("Mode of the file."),
    ],
    ..ResourceDef::DEFAULT
};
