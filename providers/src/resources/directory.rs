use crate::prelude::*;
use crate::securable;

pub static DEF: ResourceDef = ResourceDef {
    name: "directory",
    class: "Directory",
    doc: "Makes or deletes a directory and keeps its owner, group and mode.",
    provides: &[Provides::always("directory")],
    actions: &["create", "delete"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::Securable"],
    properties: &[
        securable::GROUP,
        securable::MODE,
        securable::OWNER,
        prop("path", &[Str]).name_property().doc("The directory."),
        prop("recursive", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .doc("Make missing parents too; on delete, delete what is inside."),
    ],
    aliases: securable::ALIASES,
    overlay: true,
    manages: Manages::Object(Object::path("path", Content::Directory)),
    ..ResourceDef::DEFAULT
};
