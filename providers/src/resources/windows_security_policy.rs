use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_security_policy",
    class: "WindowsSecurityPolicy",
    doc: "Sets security policies (Windows).",
    introduced: "16.0",
    provides: &[Provides::always("windows_security_policy")],
    actions: &["set"],
    default_action: &["set"],
    properties: &[
        prop("secoption", &[Str])
            .name_property()
            .required()
            .equal_to(&[
                LitStr("LockoutDuration"),
                LitStr("MaximumPasswordAge"),
                LitStr("MinimumPasswordAge"),
                LitStr("MinimumPasswordLength"),
                LitStr("PasswordComplexity"),
                LitStr("PasswordHistorySize"),
                LitStr("LockoutBadCount"),
                LitStr("ResetLockoutCount"),
                LitStr("AuditPolicyChange"),
                LitStr("LockoutDuration"),
                LitStr("RequireLogonToChangePassword"),
                LitStr("ForceLogoffWhenHourExpire"),
                LitStr("NewAdministratorName"),
                LitStr("NewGuestName"),
                LitStr("ClearTextPassword"),
                LitStr("LSAAnonymousNameLookup"),
                LitStr("EnableAdminAccount"),
                LitStr("EnableGuestAccount"),
            ])
            .doc("The policy."),
        prop("secvalue", &[Str]).required().doc("Its value."),
    ],
    ..ResourceDef::DEFAULT
};
