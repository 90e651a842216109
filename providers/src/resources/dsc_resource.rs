use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, def, opt, sym};

pub static DEF: ResourceDef = ResourceDef {
    name: "dsc_resource",
    class: "DscResource",
    doc: "Runs one resource of PowerShell's DSC (Windows).",
    introduced: "12.2",
    provides: &[Provides::always("dsc_resource")],
    actions: &["run"],
    default_action: &["run"],
    properties: &[
        prop("module_version", &[Str]).since("12.21").doc("Version of its module."),
        prop("reboot_action", &[Sym])
            .default(LitSym("nothing"))
            .equal_to(&[LitSym("nothing"), LitSym("reboot_now"), LitSym("request_reboot")])
            .since("12.6")
            .doc("What to do when it asks for a reboot."),
        prop("timeout", &[Int]).desired_state(false).since("12.6").doc("Seconds to let it run."),
    ],
    init: Some(init),
    methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    opt("resource", resource, 0, 1),
    opt("module_name", module_name, 0, 1),
    opt("property", property, 1, 2),
    def("properties", properties, 0),
];

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    let properties = vm.new_hash(Vec::new())?;
    coerce::put(vm, resource, "@properties", properties);
    coerce::put(vm, resource, "@resource", Value::Nil);
    Ok(())
}

fn access(vm: &mut Vm, this: &Value, args: &Args<'_>, ivar: &'static str) -> Res {
    if args.at(0).truthy() {
        coerce::put(vm, this, ivar, args.at(0).clone());
    }
    Ok(coerce::take(vm, this, ivar))
}

fn resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    access(vm, this, &args, "@resource")
}

fn module_name(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    access(vm, this, &args, "@module_name")
}

/// Sets or reads a property of the DSC resource; its name is a Symbol.
fn property(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (name, value) = (args.at(0), args.at(1));
    if !matches!(name, Value::Sym(_)) {
        let (shown, class) = (vm.to_s_text(name)?, vm.class_name_of(name));
        return Err(vm.type_error(format!(
            "A property name of type Symbol must be specified, '{shown}' of type {class} was given"
        )));
    }
    let properties = coerce::take(vm, this, "@properties");
    if value.is_nil() {
        let stored = vm.call(&properties, sym::AREF, std::slice::from_ref(name))?;
        return coerce::force(vm, this, stored);
    }
    vm.call(&properties, sym::ASET, &[name.clone(), value.clone()])
}

fn properties(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    let Value::Hash(stored) = coerce::take(vm, this, "@properties") else { return vm.new_hash(Vec::new()) };
    let mut pairs: Vec<(Value, Value)> =
        stored.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (_, value) in &mut pairs {
        *value = coerce::force(vm, this, value.clone())?;
    }
    vm.new_hash(pairs)
}
