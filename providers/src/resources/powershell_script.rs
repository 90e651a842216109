use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "powershell_script",
    class: "PowershellScript",
    parent: "WindowsScript",
    doc: "Runs a PowerShell script (Windows).",
    provides: &[Provides::os("powershell_script", &["windows"])],
    properties: &[
        prop("flags", &[Str]).doc("Options of the interpreter."),
        prop("interpreter", &[Str])
            .default(LitStr("powershell"))
            .equal_to(&[LitStr("powershell"), LitStr("pwsh")])
            .doc("Windows PowerShell or PowerShell Core."),
        prop("use_inline_powershell", &[Bool]).default(False).doc("Run in this process instead of a new one."),
        prop("convert_boolean_return", &[Bool]).default(False).doc("A last value of false is a failure."),
    ],
    guard_inherited: &["interpreter", "use_inline_powershell"],
    default_guard_interpreter: "powershell_script",
    class_methods: CLASS_METHODS,
    ..ResourceDef::DEFAULT
};

static CLASS_METHODS: &[MethodDef] = &[def("get_default_attributes", default_attributes, 0)];

/// Properties that the script of a guard gets besides its code.
fn default_attributes(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    coerce::symbol_hash(vm, &[("convert_boolean_return", Value::True)])
}
