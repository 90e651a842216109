use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "macos_userdefaults",
    class: "MacosUserDefaults",
    doc: "Keeps user defaults (macOS).",
    introduced: "14.0",
    provides: &[
        Provides::when("macos_userdefaults", coerce::anywhere),
        Provides::when("mac_os_x_userdefaults", coerce::anywhere),
    ],
    actions: &["write", "delete"],
    default_action: &["write"],
    properties: &[
        prop("domain", &[Str]).desired_state(false).default(LitStr("NSGlobalDomain")).doc("Domain."),
        prop("global", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .deprecated("As of Chef Infra Client 17.8 the `global` property is no longer necessary.")
            .doc("Formerly: use the global domain."),
        prop("key", &[Str]).required().doc("Key."),
        prop("host", &[Str, Sym])
            .desired_state(false)
            .default(LitSym("all"))
            .since("16.3")
            .doc("Host: all, current or a name."),
        prop("value", &[Int, Float, Str, TRUE_CLASS, FALSE_CLASS, Hash, Array]).required_for(&["write"]).doc("Value."),
        prop("type", &[Str])
            .desired_state(false)
            .equal_to(&[
                LitStr("bool"),
                LitStr("string"),
                LitStr("int"),
                LitStr("float"),
                LitStr("array"),
                LitStr("dict"),
            ])
            .deprecated("As of Chef Infra Client 17.8 the `type` property is no longer necessary.")
            .doc("Formerly: type of the value."),
        prop("user", &[Str, Sym]).desired_state(false).default(LitSym("current")).doc("User: all, current or a name."),
        prop("sudo", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .deprecated("As of Chef Infra Client 17.8 the `sudo` property is no longer necessary.")
            .doc("Formerly: run by sudo."),
    ],
    ..ResourceDef::DEFAULT
};
