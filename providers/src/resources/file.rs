use crate::coerce;
use crate::prelude::*;
use crate::securable;
use rchef_ruby::{Args, MethodDef, any, def, sym};

pub static DEF: ResourceDef = ResourceDef {
    name: "file",
    class: "File",
    doc: "Keeps a file's content, owner, group and mode, or its absence.",
    provides: &[Provides::always("file")],
    actions: &["create", "delete", "touch", "create_if_missing"],
    default_action: &["create"],
    mixins: &["Chef::Mixin::Securable"],
    properties: &[
        prop("checksum", &[Str, Nil])
            .coerce(coerce::downcase_string)
            .regex(r"^\h{64}$")
            .doc("SHA-256 that the content must have."),
        securable::OWNER,
        securable::GROUP,
        securable::MODE,
        prop("path", &[Str]).name_property().doc("The file."),
        prop("atomic_update", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .lazy(atomic_update)
            .doc("Write a staging file and rename it, so that readers never see half a file."),
        prop("backup", &[Int, FALSE_CLASS])
            .desired_state(false)
            .default(LitInt(5))
            .doc("How many old versions to keep; false for none."),
        prop("content", &[Str, Nil])
            .rendered()
            .desired_state(false)
            .doc("The whole content; nil leaves content alone."),
        prop("diff", &[Str, Nil]).desired_state(false).hidden().doc("Unified diff of the last change."),
        prop("force_unlink", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Replace what is not a regular file (a link, a socket) by a file."),
        prop("manage_symlink_source", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .doc("Whether a symlink at the path is followed; nil follows with a warning."),
        prop("verifications", &[Array])
            .desired_state(false)
            .lazy(no_verifications)
            .hidden()
            .doc("Checks collected by `verify`."),
    ],
    aliases: securable::ALIASES,
    methods: METHODS,
    overlay: true,
    manages: Manages::Object(Object::path("path", Content::Given("content"))),
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    any("verify", verify),
    def("final_checksum", final_checksum, 0),
    def("final_checksum=", set_final_checksum, 1),
    def("special_docker_files?", special_docker_files, 1),
    def("state_for_resource_reporter", state_for_resource_reporter, 0),
];

/// `Chef::Config[:file_atomic_update]`, but false for files that Docker mounts into containers.
fn atomic_update(vm: &mut Vm, resource: &Value) -> Res {
    let node = coerce::read(vm, resource, "node")?;
    if !node.is_nil()
        && vm.respond_to(resource, rchef_ruby::Symbol::intern_static("docker?"), true)?
        && vm.call_name(resource, "docker?", &[])?.truthy()
    {
        let path = coerce::read(vm, resource, "path")?;
        if vm.call_name(resource, "special_docker_files?", &[path])?.truthy() {
            return Ok(Value::False);
        }
    }
    let configured = coerce::config(vm, "file_atomic_update")?;
    Ok(if configured.is_nil() { Value::True } else { configured })
}

fn no_verifications(_vm: &mut Vm, _resource: &Value) -> Res {
    Ok(Value::array(Vec::new()))
}

/// Adds a verification of the new content (a command, a Symbol or a block); without arguments, gives all of them.
fn verify(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let command = args.at(0);
    if !matches!(command, Value::Nil | Value::Str(_) | Value::Sym(_)) {
        return Err(vm.argument_error("verify requires either a string, symbol, or a block"));
    }
    let list = coerce::read(vm, this, "verifications")?;
    if command.is_nil() && args.block.is_none() {
        return Ok(list);
    }
    let class = match vm.class_named("Chef::Resource::File::Verification") {
        Some(class) => Value::Class(class),
        None => return Err(vm.not_implemented("Chef::Resource::File::Verification")),
    };
    let options = match args.get(1) {
        Some(options) => options.clone(),
        None => vm.new_hash(Vec::new())?,
    };
    let verification =
        vm.call_args(&class, sym::NEW, Args::new(&[this.clone(), command.clone(), options]).with_block(args.block))?;
    vm.call(&list, sym::LSHIFT, &[verification])
}

/// SHA-256 of the content that the action wrote.
fn final_checksum(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    Ok(coerce::take(vm, this, "@final_checksum"))
}

fn set_final_checksum(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    coerce::put(vm, this, "@final_checksum", args.at(0).clone());
    Ok(args.at(0).clone())
}

/// The reported state, with the checksum of the content that the action wrote.
fn state_for_resource_reporter(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let state = rchef_recipe::resource::text::state_for_reporter(vm, this, args)?;
    let written = coerce::take(vm, this, "@final_checksum");
    if !written.is_nil() && coerce::read(vm, this, "checksum")?.is_nil() {
        vm.call(&state, sym::ASET, &[Value::sym("checksum"), written])?;
    }
    Ok(state)
}

/// Whether the path is one of the files that Docker mounts into containers.
fn special_docker_files(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let full = coerce::expand_path(vm, this, args.at(0))?;
    Ok(Value::bool(
        coerce::text(vm, &full)
            .is_some_and(|path| ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf"].contains(&path.as_str())),
    ))
}
