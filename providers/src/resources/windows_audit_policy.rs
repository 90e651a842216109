//! `windows_audit_policy`.

use crate::coerce;
use crate::prelude::*;

/// `Chef::Resource::WindowsAuditPolicy`.
pub static DEF: ResourceDef = ResourceDef {
    name: "windows_audit_policy",
    class: "WindowsAuditPolicy",
    doc: "Sets audit policies (Windows).",
    introduced: "16.2",
    provides: &[Provides::always("windows_audit_policy")],
    actions: &["set"],
    default_action: &["set"],
    properties: &[
        prop("subcategory", &[Str, Array])
            .coerce(coerce::to_array)
            .callbacks(&[(
                "Subcategories entered should be actual advanced audit policy subcategories",
                known_subcategories,
            )])
            .doc("Subcategories."),
        prop("success", &[Bool]).doc("Audit success."),
        prop("failure", &[Bool]).doc("Audit failure."),
        prop("include_user", &[Str]).doc("For this user."),
        prop("exclude_user", &[Str]).doc("For all but this user."),
        prop("crash_on_audit_fail", &[Bool]).doc("Halt when nothing can be written."),
        prop("full_privilege_auditing", &[Bool]).doc("Audit every use of privileges."),
        prop("audit_base_objects", &[Bool]).doc("Audit base objects."),
        prop("audit_base_directories", &[Bool]).doc("Audit base directories."),
    ],
    ..ResourceDef::DEFAULT
};

fn known_subcategories(vm: &mut Vm, value: &Value) -> Res<bool> {
    coerce::all_strings_in(vm, value, SUBCATEGORIES)
}

const SUBCATEGORIES: &[&str] = &[
    "Account Lockout",
    "Application Generated",
    "Application Group Management",
    "Audit Policy Change",
    "Authentication Policy Change",
    "Authorization Policy Change",
    "Central Policy Staging",
    "Certification Services",
    "Computer Account Management",
    "Credential Validation",
    "DPAPI Activity",
    "Detailed Directory Service Replication",
    "Detailed File Share",
    "Directory Service Access",
    "Directory Service Changes",
    "Directory Service Replication",
    "Distribution Group Management",
    "File Share",
    "File System",
    "Filtering Platform Connection",
    "Filtering Platform Packet Drop",
    "Filtering Platform Policy Change",
    "Group Membership",
    "Handle Manipulation",
    "IPsec Driver",
    "IPsec Extended Mode",
    "IPsec Main Mode",
    "IPsec Quick Mode",
    "Kerberos Authentication Service",
    "Kerberos Service Ticket Operations",
    "Kernel Object",
    "Logoff",
    "Logon",
    "MPSSVC Rule-Level Policy Change",
    "Network Policy Server",
    "Non Sensitive Privilege Use",
    "Other Account Logon Events",
    "Other Account Management Events",
    "Other Logon/Logoff Events",
    "Other Object Access Events",
    "Other Policy Change Events",
    "Other Privilege Use Events",
    "Other System Events",
    "Plug and Play Events",
    "Process Creation",
    "Process Termination",
    "RPC Events",
    "Registry",
    "Removable Storage",
    "SAM",
    "Security Group Management",
    "Security State Change",
    "Security System Extension",
    "Sensitive Privilege Use",
    "Special Logon",
    "System Integrity",
    "Token Right Adjusted Events",
    "User / Device Claims",
    "User Account Management",
];
