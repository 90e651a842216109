use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_uac",
    class: "WindowsUac",
    doc: "Configures user account control (Windows).",
    introduced: "15.0",
    provides: &[Provides::always("windows_uac")],
    actions: &["configure"],
    default_action: &["configure"],
    properties: &[
        prop("enable_uac", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Is on."),
        prop("require_signed_binaries", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Raise only what is signed."),
        prop("prompt_on_secure_desktop", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Ask on the secure desktop."),
        prop("detect_installers", &[TRUE_CLASS, FALSE_CLASS]).doc("Recognise installers."),
        prop("consent_behavior_admins", &[Sym])
            .default(LitSym("prompt_for_consent_non_windows_binaries"))
            .equal_to(&[
                LitSym("no_prompt"),
                LitSym("secure_prompt_for_creds"),
                LitSym("secure_prompt_for_consent"),
                LitSym("prompt_for_creds"),
                LitSym("prompt_for_consent"),
                LitSym("prompt_for_consent_non_windows_binaries"),
            ])
            .doc("How administrators are asked."),
        prop("consent_behavior_users", &[Sym])
            .default(LitSym("prompt_for_creds"))
            .equal_to(&[LitSym("auto_deny"), LitSym("secure_prompt_for_creds"), LitSym("prompt_for_creds")])
            .doc("How users are asked."),
    ],
    ..ResourceDef::DEFAULT
};
