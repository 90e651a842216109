use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_defender",
    class: "WindowsDefender",
    doc: "Configures Defender (Windows).",
    introduced: "17.3",
    provides: &[Provides::always("windows_defender")],
    actions: &["enable", "disable"],
    default_action: &["enable"],
    properties: &[
        prop("realtime_protection", &[Bool]).default(True).doc("Scan what is opened."),
        prop("intrusion_protection_system", &[Bool]).default(True).doc("Watch for attacks over the network."),
        prop("lock_ui", &[Bool]).default(False).doc("Keep users from its window."),
        prop("scan_archives", &[Bool]).default(True).doc("Scan archives."),
        prop("scan_scripts", &[Bool]).default(False).doc("Scan scripts."),
        prop("scan_email", &[Bool]).default(False).doc("Scan mail."),
        prop("scan_removable_drives", &[Bool]).default(False).doc("Scan removable drives."),
        prop("scan_network_files", &[Bool]).default(False).doc("Scan files of the network."),
        prop("scan_mapped_drives", &[Bool]).default(True).doc("Scan mapped drives."),
    ],
    ..ResourceDef::DEFAULT
};
