use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chocolatey_installer",
    class: "ChocolateyInstaller",
    doc: "Installs Chocolatey itself (Windows).",
    introduced: "18.3",
    provides: &[Provides::always("chocolatey_installer")],
    actions: &["install", "uninstall", "upgrade"],
    default_action: &["install"],
    properties: &[
        prop("download_url", &[Str]).doc("Where to get the script or package."),
        prop("chocolatey_version", &[Str]).doc("Version to install."),
        prop("use_native_unzip", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Unpack by Windows instead of 7-Zip."),
        prop("ignore_proxy", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Go past the system's proxy."),
        prop("proxy_url", &[Str]).doc("Proxy."),
        prop("proxy_user", &[Str]).doc("User for the proxy."),
        prop("proxy_password", &[Str]).sensitive().doc("Password for the proxy."),
    ],
    ..ResourceDef::DEFAULT
};
