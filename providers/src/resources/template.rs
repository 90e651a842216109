use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, ClassId, MethodDef, def, opt, sym};

pub static DEF: ResourceDef = ResourceDef {
    name: "template",
    class: "Template",
    parent: "File",
    doc: "Renders an ERB template of a cookbook into a file.",
    provides: &[Provides::always("template")],
    properties: &[
        prop("variables", &[Hash]).rendered().default_empty(Hash).doc("Values that the template sees as instance variables."),
        prop("cookbook", &[Str])
            .desired_state(false)
            .doc("Cookbook that holds the template; by default the one that declares the resource."),
        prop("local", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .doc("Whether `source` is a path on the node instead of a template of a cookbook."),
        prop("source", &[Str, Array])
            .legacy()
            .lazy(source)
            .doc("Name of the template under `templates`, or names to try in turn; by default the last part of the name, with `.erb`."),
    ],
    early: &["source"],
    init: Some(init),
    methods: METHODS,
    overlay: true,
    manages: Manages::Object(Object::path("path", Content::OfCookbook)),
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    def("helper", helper, 1),
    opt("helpers", helpers, 0, 1),
    def("helper_modules", helper_modules, 0),
    def("inline_helper_blocks", inline_helper_blocks, 0),
    def("inline_helper_modules", inline_helper_modules, 0),
];

fn source(vm: &mut Vm, resource: &Value) -> Res {
    let name = vm.call_name(resource, "name", &[])?;
    let base = coerce::basename(vm, &name)?;
    Ok(Value::str(format!("{}.erb", vm.to_s_text(&base)?)))
}

fn init(vm: &mut Vm, resource: &Value, _: &Value) -> Res<()> {
    let blocks = vm.new_hash(Vec::new())?;
    coerce::put(vm, resource, "@inline_helper_blocks", blocks);
    coerce::put(vm, resource, "@inline_helper_modules", Value::array(Vec::new()));
    coerce::put(vm, resource, "@helper_modules", Value::array(Vec::new()));
    Ok(())
}

fn block_of(vm: &mut Vm, args: &Args<'_>) -> Option<Value> {
    args.block.map(|block| Value::Proc(vm.block_to_proc(block)))
}

/// Defines a helper method of the template by its name and a block.
fn helper(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = block_of(vm, &args) else {
        return Err(coerce::chef_error(
            vm,
            "ValidationFailed",
            "`helper(:method)` requires a block argument (e.g., `helper(:method) { code }`)",
        ));
    };
    if !matches!(args.at(0), Value::Sym(_)) {
        let text = "method_name argument to `helper(method_name)` must be a symbol (e.g., `helper(:method) { code }`)";
        return Err(coerce::chef_error(vm, "ValidationFailed", text));
    }
    let blocks = coerce::take(vm, this, "@inline_helper_blocks");
    vm.call(&blocks, sym::ASET, &[args.at(0).clone(), block.clone()])?;
    Ok(block)
}

/// Adds helper methods to the template: a module, or a block that is the body of one.
fn helpers(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let module = args.at(0);
    match block_of(vm, &args) {
        Some(_) if !module.is_nil() => Err(coerce::chef_error(
            vm,
            "ValidationFailed",
            "Passing both a module and block to #helpers is not supported. Call #helpers multiple times instead",
        )),
        Some(block) => {
            let modules = coerce::take(vm, this, "@inline_helper_modules");
            vm.call(&modules, sym::LSHIFT, &[block])
        }
        None if vm.is_a(module, ClassId::MODULE) => {
            let modules = coerce::take(vm, this, "@helper_modules");
            vm.call(&modules, sym::LSHIFT, std::slice::from_ref(module))
        }
        None if module.is_nil() => Err(coerce::chef_error(
            vm,
            "ValidationFailed",
            "#helpers requires either a module name or inline module code as a block.\ne.g.: helpers do; helper_code; end;\nOR: helpers(MyHelpersModule)",
        )),
        None => {
            let (shown, class) = (vm.inspect(module)?, vm.class_name_of(module));
            Err(coerce::chef_error(
                vm,
                "ValidationFailed",
                format!("Argument to #helpers must be a module. You gave {shown} ({class})"),
            ))
        }
    }
}

/// All helpers as modules: one with the methods of `helper`, those given to `helpers` as blocks, those given by name.
fn helper_modules(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    let module_class = Value::Class(ClassId::MODULE);
    let mut modules = Vec::new();
    if let Value::Hash(blocks) = coerce::take(vm, this, "@inline_helper_blocks") {
        let pairs: Vec<(Value, Value)> =
            blocks.get(vm).iter().map(|(name, body)| (name.clone(), body.clone())).collect();
        if !pairs.is_empty() {
            let module = vm.call(&module_class, sym::NEW, &[])?;
            for (name, body) in pairs {
                vm.call_name(&module, "define_method", &[name, body])?;
            }
            modules.push(module);
        }
    }
    let bodies = coerce::take(vm, this, "@inline_helper_modules");
    for body in vm.to_array(&bodies)? {
        let module = match &body {
            Value::Proc(proc) => vm.call_with_block(&module_class, sym::NEW, &[], proc)?,
            _ => continue,
        };
        modules.push(module);
    }
    let named = coerce::take(vm, this, "@helper_modules");
    modules.extend(vm.to_array(&named)?);
    Ok(Value::array(modules))
}

/// The blocks given to `helper`, by name.
fn inline_helper_blocks(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    Ok(coerce::take(vm, this, "@inline_helper_blocks"))
}

/// The blocks given to `helpers`.
fn inline_helper_modules(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    Ok(coerce::take(vm, this, "@inline_helper_modules"))
}
