use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "log",
    class: "Log",
    doc: "Writes a line to the log during converge.",
    provides: &[Provides::always("log")],
    actions: &["write"],
    default_action: &["write"],
    properties: &[
        prop("message", &[Str]).name_property().identity().doc("The line."),
        prop("level", &[Sym])
            .default(LitSym("info"))
            .equal_to(&[LitSym("debug"), LitSym("info"), LitSym("warn"), LitSym("error"), LitSym("fatal")])
            .doc("Severity."),
    ],
    methods: METHODS,
    overlay: true,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("suppress_up_to_date_messages?", suppressed, 0)];

/// A `log` resource is never reported as up to date.
fn suppressed(_vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    Ok(Value::True)
}
