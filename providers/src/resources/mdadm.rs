use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "mdadm",
    class: "Mdadm",
    doc: "Makes and assembles software RAID.",
    provides: &[Provides::always("mdadm")],
    actions: &["create", "assemble", "stop"],
    default_action: &["create"],
    properties: &[
        prop("chunk", &[Int]).default(LitInt(16)).doc("Size of chunks in kilobytes."),
        prop("devices", &[Array]).default_empty(Array).doc("Devices in the array."),
        prop("exists", &[TRUE_CLASS, FALSE_CLASS]).default(False).hidden().doc("Exists, as found."),
        prop("level", &[Int]).default(LitInt(1)).doc("RAID level."),
        prop("metadata", &[Str]).default(LitStr("0.90")).doc("Version of the metadata."),
        prop("bitmap", &[Str]).doc("Where the write-intent bitmap lies."),
        prop("raid_device", &[Str]).name_property().doc("The array."),
        prop("layout", &[Str]).doc("Parity layout."),
    ],
    ..ResourceDef::DEFAULT
};
