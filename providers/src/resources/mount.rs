use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "mount",
    class: "Mount",
    doc: "Mounts file systems and keeps fstab.",
    provides: &[Provides::always("mount")],
    actions: &["mount", "umount", "unmount", "remount", "enable", "disable"],
    default_action: &["mount"],
    properties: &[
        prop("supports", &[Array, Hash])
            .coerce(coerce::true_set)
            .lazy(no_remount)
            .doc("Whether a mounted file system can be remounted in place."),
        prop("password", &[Str]).sensitive().doc("Password for a network share."),
        prop("mount_point", &[Str]).name_property().coerce(mount_point).doc("Where it appears."),
        prop("device", &[Str]).identity().doc("What is mounted: device, label, UUID or share."),
        prop("device_type", &[Str, Sym])
            .coerce(coerce::string_to_sym)
            .default(LitSym("device"))
            .equal_to(&[LitSym("device"), LitSym("label"), LitSym("uuid")])
            .doc("What `device` names."),
        prop("mounted", &[TRUE_CLASS, FALSE_CLASS]).default(False).hidden().doc("Is mounted, as found."),
        prop("fsck_device", &[Str]).default(LitStr("-")).doc("Device for fsck (Solaris)."),
        prop("fstype", &[Str, Nil]).default(LitStr("auto")).doc("Type of the file system."),
        prop("options", &[Array, Str, Nil]).coerce(mount_options).default_list(&["defaults"]).doc("Mount options."),
        prop("dump", &[Int, FALSE_CLASS]).default(LitInt(0)).doc("The dump field of fstab."),
        prop("pass", &[Int, FALSE_CLASS]).default(LitInt(2)).doc("The fsck order of fstab."),
        prop("enabled", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Is in fstab, as found."),
        prop("username", &[Str]).doc("User for a network share."),
        prop("domain", &[Str]).doc("Domain for a network share."),
    ],
    manages: Manages::Object(Object::new("mount", "mount_point")),
    ..ResourceDef::DEFAULT
};

fn no_remount(vm: &mut Vm, _resource: &Value) -> Res {
    coerce::symbol_hash(vm, &[("remount", Value::False)])
}

/// Removes a final slash, except from `/` and after `:`.
fn mount_point(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match coerce::text(vm, value) {
        Some(text) if text != "/" && !text.ends_with(":/") => Value::str(text.strip_suffix('/').unwrap_or(&text)),
        _ => value.clone(),
    })
}

/// The options as an Array, from a list or a comma-separated String.
fn mount_options(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    let list = match value {
        Value::Str(_) => vm.call_name(value, "split", &[Value::str(",")])?,
        _ => value.clone(),
    };
    coerce::map(vm, &list, "strip")
}
