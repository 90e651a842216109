use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_dfs_folder",
    class: "WindowsDfsFolder",
    doc: "Makes folders of DFS (Windows).",
    introduced: "15.0",
    provides: &[Provides::always("windows_dfs_folder")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("folder_path", &[Str]).name_property().doc("The folder."),
        prop("namespace_name", &[Str]).required().doc("Its namespace."),
        prop("target_path", &[Str]).doc("Where it leads."),
        prop("description", &[Str]).doc("Description."),
    ],
    ..ResourceDef::DEFAULT
};
