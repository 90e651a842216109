use crate::coerce;
use crate::prelude::*;
use crate::securable;

pub static DEF: ResourceDef = ResourceDef {
    name: "link",
    class: "Link",
    doc: "Makes symbolic and hard links.",
    provides: &[Provides::always("link")],
    actions: &["create", "delete"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::Securable"],
    properties: &[
        prop("owner", &[Str, Int]).regex(r"^[^-+~:,\t\r\n\f\0]+[^:,\t\r\n\f\0]*$").doc("Owner of the link itself."),
        prop("target_file", &[Str]).name_property().doc("The link."),
        prop("to", &[Str]).doc("What the link points at."),
        prop("link_type", &[Str, Sym])
            .coerce(coerce::string_to_sym)
            .default(LitSym("symbolic"))
            .equal_to(&[LitSym("symbolic"), LitSym("hard")])
            .doc("Symbolic or hard."),
        prop("group", &[Str, Int]).regex(r"^[^-+~:,\t\r\n\f\0]+[^:,\t\r\n\f\0]*$").doc("Group of the link itself."),
        securable::MODE_ACCESSOR,
    ],
    aliases: &[("user", "owner"), ("path", "target_file")],
    overlay: true,
    manages: Manages::Object(Object::path("target_file", Content::Whole)),
    ..ResourceDef::DEFAULT
};
