use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_client_trusted_certificate",
    class: "ChefClientTrustedCertificate",
    doc: "Keeps certificates that the client trusts.",
    introduced: "16.5",
    provides: &[Provides::always("chef_client_trusted_certificate")],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("cert_name", &[Str]).name_property().doc("Name of the file."),
        prop("certificate", &[Str]).required_for(&["add"]).doc("The certificate's text."),
    ],
    provider_methods: crate::providers::chef_client_trusted_certificate::METHODS,
    ..ResourceDef::DEFAULT
};
