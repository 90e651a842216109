use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "user",
    class: "User",
    doc: "Makes and changes users; the resource for this platform answers to `user`.",
    actions: &["create", "remove", "modify", "manage", "lock", "unlock"],
    default_action: &["create"],
    properties: &[
        prop("username", &[Str]).name_property().doc("Login name."),
        prop("comment", &[Str]).doc("Full name or other comment (GECOS)."),
        prop("home", &[Str]).doc("Home directory."),
        prop("salt", &[Str]).desired_state(false).doc("Salt of the password (macOS)."),
        prop("shell", &[Str]).doc("Login shell."),
        prop("password", &[Str]).desired_state(false).sensitive().doc("Password hash, as the shadow file holds it."),
        prop("non_unique", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Allow a number that another user has."),
        prop("manage_home", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Make, move or delete the home directory with the user."),
        prop("force", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Delete even if logged in; see userdel."),
        prop("system", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Take a number from the system range."),
        prop("uid", &[Str, Int, NIL_CLASS]).doc("User number."),
        prop("gid", &[Str, Int, NIL_CLASS]).doc("Primary group, by name or number."),
        prop("expire_date", &[Str, NIL_CLASS])
            .desired_state(false)
            .since("18.0")
            .doc("Day on which the account ends, YYYY-MM-DD."),
        prop("inactive", &[Str, Int, NIL_CLASS])
            .desired_state(false)
            .since("18.0")
            .doc("Days between a password's expiry and the end of the account."),
    ],
    aliases: &[("group", "gid")],
    manages: Manages::Object(Object::new("user", "username")),
    ..ResourceDef::DEFAULT
};
