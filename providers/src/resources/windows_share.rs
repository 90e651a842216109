use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_share",
    class: "WindowsShare",
    doc: "Shares directories (Windows).",
    introduced: "14.7",
    provides: &[Provides::always("windows_share")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("share_name", &[Str]).name_property().doc("Name of the share."),
        prop("path", &[Str]).coerce(coerce::backslashes).doc("The directory."),
        prop("description", &[Str]).default(LitStr("")).doc("Description."),
        prop("full_users", &[Array]).coerce(coerce::sort).default_empty(Array).doc("Who has full access."),
        prop("change_users", &[Array]).coerce(coerce::sort).default_empty(Array).doc("Who may change."),
        prop("read_users", &[Array]).coerce(coerce::sort).default_empty(Array).doc("Who may read."),
        prop("temporary", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Gone after a reboot."),
        prop("scope_name", &[Str]).default(LitStr("*")).doc("Scope."),
        prop("ca_timeout", &[Int]).default(LitInt(0)).doc("Seconds that continuous availability waits."),
        prop("continuously_available", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Is continuously available."),
        prop("concurrent_user_limit", &[Int]).default(LitInt(0)).doc("Most users at a time; 0 for any number."),
        prop("encrypt_data", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Encrypt the traffic."),
    ],
    ..ResourceDef::DEFAULT
};
