use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_fcontext",
    class: "SelinuxFcontext",
    doc: "Keeps the file contexts of SELinux.",
    introduced: "18.0",
    provides: &[Provides::always("selinux_fcontext")],
    actions: &["manage", "addormodify", "add", "modify", "delete"],
    default_action: &["manage"],
    properties: &[
        prop("file_spec", &[Str]).name_property().doc("Paths, as a regular expression."),
        prop("secontext", &[Str]).required_for(&["add", "modify", "manage"]).doc("Context."),
        prop("file_type", &[Str])
            .default(LitStr("a"))
            .equal_to(&[
                LitStr("a"),
                LitStr("f"),
                LitStr("d"),
                LitStr("c"),
                LitStr("b"),
                LitStr("s"),
                LitStr("l"),
                LitStr("p"),
            ])
            .doc("Kind of file that it is for."),
    ],
    provider_mixins: &[crate::providers::selinux_common::MODULE],
    provider_methods: crate::providers::selinux::FCONTEXT_METHODS,
    ..ResourceDef::DEFAULT
};
