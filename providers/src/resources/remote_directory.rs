use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "remote_directory",
    class: "RemoteDirectory",
    parent: "Directory",
    doc: "Copies a directory tree out of a cookbook.",
    provides: &[Provides::always("remote_directory")],
    actions: &["create", "delete", "create_if_missing"],
    default_action: &["create"],
    properties: &[
        prop("recursive", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("Make missing parents, and take whole trees."),
        prop("source", &[Str]).desired_state(false).lazy(basename_of_path).doc("Directory under `files`."),
        prop("files_backup", &[Int, FALSE_CLASS])
            .desired_state(false)
            .default(LitInt(5))
            .doc("How many old versions of each file to keep."),
        prop("purge", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Delete files that the cookbook does not have."),
        prop("overwrite", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(True)
            .doc("Replace files that exist and differ."),
        prop("cookbook", &[Str]).desired_state(false).doc("Cookbook that holds the directory."),
        prop("files_group", &[Str, Int]).regex(r"^[^-+~:,\t\r\n\f\0]+[^:,\t\r\n\f\0]*$").doc("Group of the files."),
        prop("files_mode", &[Str, Int, Nil]).lazy(files_mode).regex(r"^\d{3,4}$").doc("Mode of the files."),
        prop("files_owner", &[Str, Int]).regex(r"^[^-+~:,\t\r\n\f\0]+[^:,\t\r\n\f\0]*$").doc("Owner of the files."),
    ],
    init: Some(init),
    overlay: true,
    manages: Manages::Object(Object::path("path", Content::Whole)),
    ..ResourceDef::DEFAULT
};

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@delete", Value::False);
    Ok(())
}

fn basename_of_path(vm: &mut Vm, resource: &Value) -> Res {
    let path = coerce::read(vm, resource, "path")?;
    coerce::basename(vm, &path)
}

fn files_mode(vm: &mut Vm, resource: &Value) -> Res {
    Ok(if coerce::windows(vm, resource)? { Value::Nil } else { Value::Int(0o644) })
}
