use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_dfs_server",
    class: "WindowsDfsServer",
    doc: "Configures the DFS server (Windows).",
    introduced: "15.0",
    provides: &[Provides::always("windows_dfs_server")],
    actions: &["configure"],
    default_action: &["configure"],
    properties: &[
        prop("use_fqdn", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Refer by full names."),
        prop("ldap_timeout_secs", &[Int]).default(LitInt(30)).doc("Seconds to wait for LDAP."),
        prop("prefer_login_dc", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Prefer the controller of the login."),
        prop("enable_site_costed_referrals", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Prefer near sites."),
        prop("sync_interval_secs", &[Int]).default(LitInt(3600)).doc("Seconds between synchronisations."),
    ],
    ..ResourceDef::DEFAULT
};
