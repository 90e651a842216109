use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "apt_preference",
    class: "AptPreference",
    doc: "Keeps pins under /etc/apt/preferences.d.",
    introduced: "13.3",
    provides: &[Provides::when("apt_preference", coerce::anywhere)],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("package_name", &[Str]).name_property().regex(r"^([a-z]|[A-Z]|[0-9]|_|-|\.|\*|\+)+$").message("The provided package name is not valid. Package names can only contain alphanumeric characters as well as _, -, +, or *!").doc("Package, or a name for the file."),
        prop("glob", &[Str]).doc("Packages that the pin is for, as a pattern."),
        prop("pin", &[Str]).required_for(&["add"]).doc("What is pinned: version, release or origin."),
        prop("pin_priority", &[Str, Int]).required_for(&["add"]).doc("Priority of the pin."),
    ],
    ..ResourceDef::DEFAULT
};
