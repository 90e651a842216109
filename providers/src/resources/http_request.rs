use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, any};

pub static DEF: ResourceDef = ResourceDef {
    name: "http_request",
    class: "HttpRequest",
    doc: "Sends an HTTP request.",
    provides: &[Provides::always("http_request")],
    actions: &["get", "patch", "put", "post", "delete", "head", "options"],
    default_action: &["get"],
    properties: &[
        prop("url", &[Str]).identity().doc("Address."),
        prop("headers", &[Hash]).default_empty(Hash).doc("Headers."),
        prop("message", &[]).legacy().doc("Body of the request: text, a Hash (sent as JSON) or a block that gives it."),
    ],
    init: Some(init),
    methods: METHODS,
    ..ResourceDef::DEFAULT
};

/// The name is the default of `message`.
fn init(vm: &mut Vm, resource: &Value, name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@message", name.clone());
    Ok(())
}

static METHODS: &[MethodDef] = &[any("message", message)];

/// The body of the request, as a value or a block.
fn message(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let given = match args.block {
        Some(block) => Value::Proc(vm.block_to_proc(block)),
        None => args.at(0).clone(),
    };
    if given.is_nil() {
        return Ok(coerce::take(vm, this, "@message"));
    }
    coerce::put(vm, this, "@message", given.clone());
    Ok(given)
}
