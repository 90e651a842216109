use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "habitat_install",
    class: "HabitatInstall",
    doc: "Installs Habitat.",
    introduced: "17.3",
    provides: &[Provides::always("habitat_install")],
    actions: &["install"],
    default_action: &["install"],
    properties: &[
        prop("name", &[Str]).default(LitStr("install habitat")).doc("Not needed."),
        prop("install_url", &[Str])
            .default(LitStr("https://raw.githubusercontent.com/habitat-sh/habitat/main/components/hab/install.sh"))
            .doc("Where to get the installer."),
        prop("bldr_url", &[Str]).doc("Address of the builder."),
        prop("create_user", &[Bool]).default(True).doc("Make the user hab."),
        prop("tmp_dir", &[Str]).doc("Directory to unpack in."),
        prop("license", &[Str]).equal_to(&[LitStr("accept")]).doc("Acceptance of the licence."),
        prop("hab_version", &[Str]).doc("Version to install."),
    ],
    ..ResourceDef::DEFAULT
};
