use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "group",
    class: "Group",
    doc: "Makes and changes groups.",
    provides: &[Provides::always("group")],
    actions: &["create", "remove", "modify", "manage"],
    default_action: &["create"],
    properties: &[
        prop("members", &[Str, Array]).coerce(coerce::split_commas).default_empty(Array).doc("Users in the group."),
        prop("group_name", &[Str]).name_property().doc("The group."),
        prop("gid", &[Str, Int]).doc("Group number."),
        prop("excluded_members", &[Str, Array])
            .coerce(coerce::split_commas)
            .default_empty(Array)
            .doc("Users to take out; needs `append`."),
        prop("append", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .doc("Add to the members that exist instead of replacing them."),
        prop("system", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Take a number from the system range."),
        prop("non_unique", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Allow a number that another group has."),
        prop("comment", &[Str]).since("14.9").doc("Comment (Windows)."),
    ],
    aliases: &[("users", "members")],
    manages: Manages::Object(Object::new("group", "group_name")),
    ..ResourceDef::DEFAULT
};
