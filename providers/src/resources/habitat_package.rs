use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_package",
    class: "HabitatPackage",
    parent: "Package",
    provider: "Package::Habitat",
    doc: "Packages of Habitat.",
    introduced: "17.3",
    provides: &[Provides::always("habitat_package")],
    properties: &[
        prop("bldr_url", &[Str]).default(LitStr("https://bldr.habitat.sh")).doc("Address of the builder."),
        prop("channel", &[Str]).default(LitStr("stable")).doc("Channel."),
        prop("auth_token", &[Str]).sensitive().doc("Token for the builder."),
        prop("binlink", &[Bool, LitSym("force")])
            .default(False)
            .doc("Link binaries into the path; `:force` over others."),
        prop("options", &[Str]).doc("Further options."),
        prop("keep_latest", &[Str]).doc("On removal, keep as many releases."),
        prop("exclude", &[Str]).doc("On removal, keep these."),
        prop("no_deps", &[Bool]).default(False).doc("On removal, keep what it needs."),
    ],
    ..ResourceDef::DEFAULT
};
