use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "selinux_install",
    class: "SelinuxInstall",
    doc: "Installs the packages that SELinux needs.",
    introduced: "18.0",
    provides: &[Provides::always("selinux_install")],
    actions: &["install", "upgrade", "remove"],
    default_action: &["install"],
    properties: &[prop("packages", &[Str, Array]).lazy(packages).doc("Packages; by default the platform's.")],
    ..ResourceDef::DEFAULT
};

fn packages(vm: &mut Vm, resource: &Value) -> Res {
    let family = coerce::node_text(vm, resource, "platform_family")?;
    let names: &[&str] = match family.as_str() {
        "rhel" | "fedora" | "amazon" => &[
            "make",
            "policycoreutils",
            "selinux-policy",
            "selinux-policy-targeted",
            "selinux-policy-devel",
            "libselinux-utils",
            "setools-console",
        ],
        "debian" => {
            let bionic = coerce::node_text(vm, resource, "platform")? == "ubuntu"
                && coerce::node_text(vm, resource, "platform_version")?.starts_with("18.04");
            if bionic {
                &[
                    "make",
                    "policycoreutils",
                    "selinux",
                    "selinux-basics",
                    "selinux-policy-default",
                    "selinux-policy-dev",
                    "auditd",
                    "setools",
                ]
            } else {
                &[
                    "make",
                    "policycoreutils",
                    "selinux-basics",
                    "selinux-policy-default",
                    "selinux-policy-dev",
                    "auditd",
                    "setools",
                ]
            }
        }
        _ => return Ok(Value::Nil),
    };
    Ok(coerce::strings(names))
}
