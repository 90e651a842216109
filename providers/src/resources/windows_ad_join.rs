use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_ad_join",
    class: "WindowsAdJoin",
    doc: "Joins a domain (Windows).",
    introduced: "14.0",
    provides: &[Provides::always("windows_ad_join")],
    actions: &["join", "leave"],
    default_action: &["join"],
    properties: &[
        prop("domain_name", &[Str]).name_property().regex(r".\..").message("The 'domain_name' property must be a FQDN.").doc("The domain."),
        prop("domain_user", &[Str]).required().doc("User that may join."),
        prop("domain_password", &[Str]).required().sensitive().doc("Password of that user."),
        prop("ou_path", &[Str]).doc("Organisational unit."),
        prop("reboot", &[Sym]).default(LitSym("immediate")).equal_to(&[LitSym("immediate"), LitSym("delayed"), LitSym("never"), LitSym("request_reboot"), LitSym("reboot_now")]).message("The reboot property accepts :immediate (reboot as soon as the resource completes), :delayed (reboot once the Chef Infra Client run completes), and :never (Don't reboot)").doc("When to reboot."),
        prop("reboot_delay", &[Int]).default(LitInt(0)).since("16.5").doc("Seconds until the reboot."),
        prop("new_hostname", &[Str]).since("14.5").doc("New name of the host."),
        prop("workgroup_name", &[Str]).since("15.4").doc("Workgroup to be in after leaving."),
        prop("sensitive", &[TRUE_CLASS, FALSE_CLASS]).desired_state(false).default(True).doc("Keep it out of logs."),
    ],
    ..ResourceDef::DEFAULT
};
