use crate::prelude::*;
use crate::providers::support::{new_resource, text, text_opt};
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_workgroup",
    class: "WindowsWorkgroup",
    doc: "Joins a workgroup (Windows).",
    introduced: "14.5",
    provides: &[Provides::always("windows_workgroup")],
    actions: &["join"],
    default_action: &["join"],
    properties: &[
        prop("workgroup_name", &[Str]).name_property().regex(r"^\S*$").message("The 'workgroup_name' property must not contain spaces.").doc("The workgroup."),
        prop("user", &[Str]).desired_state(false).doc("User that may join."),
        prop("password", &[Str]).desired_state(false).sensitive().doc("Password of that user."),
        prop("reboot", &[Sym]).desired_state(false).coerce(clarify_reboot).default(LitSym("immediate")).equal_to(&[LitSym("never"), LitSym("request_reboot"), LitSym("reboot_now")]).message("The reboot property accepts :immediate (reboot as soon as the resource completes), :delayed (reboot once the Chef Infra Client run completes), and :never (Don't reboot)").doc("When to reboot."),
        prop("sensitive", &[TRUE_CLASS, FALSE_CLASS]).desired_state(false).default(True).doc("Keep it out of logs."),
    ],
    provider_methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("join_command", join_command, 0)];

/// The command that joins the workgroup, with the statements that make its credentials before it.
fn join_command(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let join = format!("Add-Computer -WorkgroupName {}", text(vm, &resource, "workgroup_name")?);
    let Some(password) = text_opt(vm, &resource, "password")? else { return Ok(Value::str(format!("{join} -Force"))) };
    let secure = format!("$pswd = ConvertTo-SecureString '{password}' -AsPlainText -Force;");
    let user = text(vm, &resource, "user")?;
    let made = format!("$credential = New-Object System.Management.Automation.PSCredential (\"{user}\",$pswd);");
    Ok(Value::str(format!("{secure}{made}{join} -Credential $credential -Force")))
}

/// Maps the former names of the values to the current ones.
fn clarify_reboot(_vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match value {
        Value::Sym(name) if name.as_str() == "immediate" => Value::sym("reboot_now"),
        Value::Sym(name) if name.as_str() == "delayed" => Value::sym("request_reboot"),
        _ => value.clone(),
    })
}
