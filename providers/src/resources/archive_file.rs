use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "archive_file",
    class: "ArchiveFile",
    doc: "Unpacks tar, zip and other archives.",
    introduced: "15.0",
    provides: &[Provides::always("archive_file"), Provides::always("libarchive_file")],
    actions: &["extract"],
    default_action: &["extract"],
    properties: &[
        prop("path", &[Str]).name_property().coerce(coerce::expand_path).doc("The archive."),
        prop("owner", &[Str]).doc("Owner of what is unpacked."),
        prop("group", &[Str]).doc("Group of what is unpacked."),
        prop("mode", &[Str, Int]).default(LitStr("755")).doc("Mode of the destination directory."),
        prop("destination", &[Str]).required().doc("Directory to unpack into."),
        prop("options", &[Array, Sym]).lazy(time_alone).doc("What else of the entries is restored."),
        prop("overwrite", &[TRUE_CLASS, FALSE_CLASS, LitSym("auto")])
            .default(False)
            .doc("Replace what is there; `:auto` only if it differs."),
        prop("strip_components", &[Int]).default(LitInt(0)).since("17.5").doc("Leading path elements to drop."),
    ],
    aliases: &[("extract_options", "options"), ("extract_to", "destination")],
    ..ResourceDef::DEFAULT
};

fn time_alone(_vm: &mut Vm, _resource: &Value) -> Res {
    Ok(Value::array(vec![Value::sym("time")]))
}
