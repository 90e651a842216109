use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "inspec_waiver_file_entry",
    class: "InspecWaiverFileEntry",
    doc: "Keeps an entry of a file of waivers.",
    introduced: "17.1",
    provides: &[Provides::always("inspec_waiver_file_entry")],
    actions: &["add", "remove"],
    default_action: &["add"],
    properties: &[
        prop("control", &[Str]).name_property().doc("The control."),
        prop("file_path", &[Str]).required().default(LitStr("/etc/chef/inspec_waivers.yml")).doc("The file."),
        prop("expiration", &[Str])
            .callbacks(&[(
                "Expiration date should be a valid calendar date and match the following format: YYYY-MM-DD",
                coerce::date,
            )])
            .doc("Last day, YYYY-MM-DD."),
        prop("run_test", &[Bool]).doc("Run the control all the same."),
        prop("justification", &[Str]).doc("Why."),
        prop("backup", &[False, Int]).default(False).doc("How many old versions of the file to keep."),
    ],
    ..ResourceDef::DEFAULT
};
