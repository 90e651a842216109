use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_dfs_namespace",
    class: "WindowsDfsNamespace",
    doc: "Makes namespaces of DFS (Windows).",
    introduced: "15.0",
    provides: &[Provides::always("windows_dfs_namespace")],
    actions: &["create", "delete"],
    default_action: &["create"],
    properties: &[
        prop("namespace_name", &[Str]).name_property().doc("The namespace."),
        prop("description", &[Str]).required().doc("Description."),
        prop("full_users", &[Array]).default_list(&["BUILTIN\\administrators"]).doc("Who has full access."),
        prop("change_users", &[Array]).default_empty(Array).doc("Who may change."),
        prop("read_users", &[Array]).default_empty(Array).doc("Who may read."),
        prop("root", &[Str]).default(LitStr("C:\\DFSRoots")).doc("Directory of its root."),
    ],
    ..ResourceDef::DEFAULT
};
