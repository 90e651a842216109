use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "powershell_package_source",
    class: "PowershellPackageSource",
    doc: "Registers sources of PowerShell packages (Windows).",
    introduced: "14.3",
    provides: &[Provides::always("powershell_package_source")],
    actions: &["register", "set", "unregister"],
    default_action: &["register"],
    properties: &[
        prop("source_name", &[Str]).name_property().doc("Name."),
        prop("new_name", &[Str]).since("17.6").doc("Name to change to."),
        prop("source_location", &[Str]).since("17.6").doc("Address."),
        prop("publish_location", &[Str]).doc("Address to publish to."),
        prop("script_source_location", &[Str]).doc("Address of scripts."),
        prop("script_publish_location", &[Str]).doc("Address to publish scripts to."),
        prop("trusted", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Trust what comes from it."),
        prop("user", &[Str]).since("17.6").doc("User for the source."),
        prop("password", &[Str]).sensitive().since("17.6").doc("Password for the source."),
        prop("provider_name", &[Str]).default(LitStr("NuGet")).equal_to(&[LitStr("Programs"), LitStr("msi"), LitStr("NuGet"), LitStr("msu"), LitStr("PowerShellGet"), LitStr("psl"), LitStr("chocolatey"), LitStr("winget")]).message("The following providers are supported: 'Programs', 'msi', 'NuGet', 'msu', 'PowerShellGet', 'psl', 'chocolatey' or 'winget'").doc("Package provider."),
    ],
    aliases: &[("url", "source_location")],
    ..ResourceDef::DEFAULT
};
