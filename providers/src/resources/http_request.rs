//! `http_request`.

use crate::coerce;
use crate::prelude::*;

/// `Chef::Resource::HttpRequest`.
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
    ..ResourceDef::DEFAULT
};

/// The body is by default the name argument.
fn init(vm: &mut Vm, resource: &Value, name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@message", name.clone());
    Ok(())
}
