use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "dmg_package",
    class: "DmgPackage",
    doc: "Installs an application out of a macOS disk image.",
    introduced: "14.0",
    provides: &[Provides::when("dmg_package", coerce::anywhere)],
    actions: &["install"],
    default_action: &["install"],
    properties: &[
        prop("app", &[Str]).name_property().doc("Name of the application (without `.app`)."),
        prop("source", &[Str]).doc("Where to download the image."),
        prop("file", &[Str]).doc("Path of the image on the node, if it is not downloaded."),
        prop("owner", &[Str, Int]).doc("Owner of the installed application."),
        prop("destination", &[Str]).default(LitStr("/Applications")).doc("Directory that the application goes to."),
        prop("checksum", &[Str]).doc("SHA-256 of the image."),
        prop("volumes_dir", &[Str]).lazy(own_app).doc("Name under /Volumes that the image mounts as."),
        prop("dmg_name", &[Str]).desired_state(false).lazy(own_app).doc("Name of the image's file, without `.dmg`."),
        prop("type", &[Str])
            .desired_state(false)
            .default(LitStr("app"))
            .equal_to(&[LitStr("app"), LitStr("pkg"), LitStr("mpkg")])
            .doc("What the image holds."),
        prop("package_id", &[Str]).doc("Receipt that shows that the package is installed."),
        prop("dmg_passphrase", &[Str]).desired_state(false).doc("Passphrase of an encrypted image."),
        prop("accept_eula", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Agree to the licence that the image shows."),
        prop("headers", &[Hash]).desired_state(false).doc("HTTP headers for the download."),
        prop("allow_untrusted", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Let the installer take packages with a bad signature."),
    ],
    manages: Manages::Object(Object::new("package", "app")),
    ..ResourceDef::DEFAULT
};

fn own_app(vm: &mut Vm, resource: &Value) -> Res {
    coerce::read(vm, resource, "app")
}
