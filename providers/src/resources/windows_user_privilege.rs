use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_user_privilege",
    class: "WindowsUserPrivilege",
    doc: "Grants privileges (Windows).",
    introduced: "16.0",
    provides: &[Provides::always("windows_user_privilege")],
    actions: &["add", "set", "clear", "remove"],
    default_action: &["add"],
    properties: &[
        prop("principal", &[Str]).name_property().doc("Who gets them, for add and remove."),
        prop("users", &[Array, Str]).coerce(coerce::to_array).doc("Who has them, for set."),
        prop("privilege", &[Array, Str])
            .identity()
            .required()
            .coerce(coerce::to_array)
            .callbacks(&[(NOT_A_PRIVILEGE, known_privileges)])
            .doc("The privileges."),
    ],
    ..ResourceDef::DEFAULT
};

const PRIVILEGES: &[&str] = &[
    "SeAssignPrimaryTokenPrivilege",
    "SeAuditPrivilege",
    "SeBackupPrivilege",
    "SeBatchLogonRight",
    "SeChangeNotifyPrivilege",
    "SeCreateGlobalPrivilege",
    "SeCreatePagefilePrivilege",
    "SeCreatePermanentPrivilege",
    "SeCreateSymbolicLinkPrivilege",
    "SeCreateTokenPrivilege",
    "SeDebugPrivilege",
    "SeDelegateSessionUserImpersonatePrivilege",
    "SeDenyBatchLogonRight",
    "SeDenyInteractiveLogonRight",
    "SeDenyNetworkLogonRight",
    "SeDenyRemoteInteractiveLogonRight",
    "SeDenyServiceLogonRight",
    "SeEnableDelegationPrivilege",
    "SeImpersonatePrivilege",
    "SeIncreaseBasePriorityPrivilege",
    "SeIncreaseQuotaPrivilege",
    "SeIncreaseWorkingSetPrivilege",
    "SeInteractiveLogonRight",
    "SeLoadDriverPrivilege",
    "SeLockMemoryPrivilege",
    "SeMachineAccountPrivilege",
    "SeManageVolumePrivilege",
    "SeNetworkLogonRight",
    "SeProfileSingleProcessPrivilege",
    "SeRelabelPrivilege",
    "SeRemoteInteractiveLogonRight",
    "SeRemoteShutdownPrivilege",
    "SeRestorePrivilege",
    "SeSecurityPrivilege",
    "SeServiceLogonRight",
    "SeShutdownPrivilege",
    "SeSyncAgentPrivilege",
    "SeSystemEnvironmentPrivilege",
    "SeSystemProfilePrivilege",
    "SeSystemtimePrivilege",
    "SeTakeOwnershipPrivilege",
    "SeTcbPrivilege",
    "SeTimeZonePrivilege",
    "SeTrustedCredManAccessPrivilege",
    "SeUndockPrivilege",
];
/// Chef's error message lists all privileges.
const NOT_A_PRIVILEGE: &str = r#"Privilege property restricted to the following values: ["SeAssignPrimaryTokenPrivilege", "SeAuditPrivilege", "SeBackupPrivilege", "SeBatchLogonRight", "SeChangeNotifyPrivilege", "SeCreateGlobalPrivilege", "SeCreatePagefilePrivilege", "SeCreatePermanentPrivilege", "SeCreateSymbolicLinkPrivilege", "SeCreateTokenPrivilege", "SeDebugPrivilege", "SeDelegateSessionUserImpersonatePrivilege", "SeDenyBatchLogonRight", "SeDenyInteractiveLogonRight", "SeDenyNetworkLogonRight", "SeDenyRemoteInteractiveLogonRight", "SeDenyServiceLogonRight", "SeEnableDelegationPrivilege", "SeImpersonatePrivilege", "SeIncreaseBasePriorityPrivilege", "SeIncreaseQuotaPrivilege", "SeIncreaseWorkingSetPrivilege", "SeInteractiveLogonRight", "SeLoadDriverPrivilege", "SeLockMemoryPrivilege", "SeMachineAccountPrivilege", "SeManageVolumePrivilege", "SeNetworkLogonRight", "SeProfileSingleProcessPrivilege", "SeRelabelPrivilege", "SeRemoteInteractiveLogonRight", "SeRemoteShutdownPrivilege", "SeRestorePrivilege", "SeSecurityPrivilege", "SeServiceLogonRight", "SeShutdownPrivilege", "SeSyncAgentPrivilege", "SeSystemEnvironmentPrivilege", "SeSystemProfilePrivilege", "SeSystemtimePrivilege", "SeTakeOwnershipPrivilege", "SeTcbPrivilege", "SeTimeZonePrivilege", "SeTrustedCredManAccessPrivilege", "SeUndockPrivilege"]"#;

fn known_privileges(vm: &mut Vm, value: &Value) -> Res<bool> {
    coerce::all_strings_in(vm, value, PRIVILEGES)
}
