use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_update_settings",
    class: "WindowsUpdateSettings",
    doc: "Configures Windows Update.",
    introduced: "17.3",
    provides: &[Provides::always("windows_update_settings")],
    actions: &["set", "enable"],
    default_action: &["set"],
    properties: &[
        prop("disable_os_upgrades", &[Bool]).default(False).doc("No upgrades of Windows."),
        prop("elevate_non_admins", &[Bool]).default(True).doc("Users hear of updates too."),
        prop("add_to_target_wsus_group", &[Bool]).deprecated("As of Chef Infra Client 17.3 the `add_to_target_wsus_group` property is no longer necessary.").doc("Formerly: be in the group."),
        prop("target_wsus_group_name", &[Str]).doc("Group of the update server."),
        prop("wsus_server_url", &[Str]).doc("Update server."),
        prop("wsus_status_server_url", &[Str]).deprecated("As of Chef Infra Client 17.3 the `wsus_status_server_url` no longer needs to be set.").doc("Formerly: server for reports."),
        prop("block_windows_update_website", &[Bool]).default(False).doc("Keep users from the website."),
        prop("automatic_update_option", &[Int, Sym]).coerce(update_option).default(LitSym("download_and_schedule")).equal_to(&[LitSym("notify"), LitSym("download_and_notify"), LitSym("download_and_schedule"), LitSym("local_admin_decides")]).doc("How updates come in."),
        prop("automatically_install_minor_updates", &[Bool]).default(False).doc("Install minor updates at once."),
        prop("enable_detection_frequency", &[Bool]).default(False).doc("Look at an interval of your own."),
        prop("custom_detection_frequency", &[Int]).default(LitInt(22)).callbacks(&[("should be a valid detection frequency (0-22)", detection_hours)]).doc("Hours of that interval."),
        prop("no_reboot_with_users_logged_on", &[Bool]).default(True).doc("No reboot while someone is logged in."),
        prop("disable_automatic_updates", &[Bool]).default(False).doc("No automatic updates."),
        prop("scheduled_install_day", &[Str]).default(LitStr("Everyday")).equal_to(&[LitStr("Everyday"), LitStr("Monday"), LitStr("Tuesday"), LitStr("Wednesday"), LitStr("Thursday"), LitStr("Friday"), LitStr("Saturday"), LitStr("Sunday")]).doc("Day of installation."),
        prop("scheduled_install_hour", &[Int]).callbacks(&[("should be a valid hour in a 24 hour clock", hour_of_day)]).doc("Hour of installation."),
        prop("update_other_ms_products", &[Bool]).default(True).doc("Update other products of Microsoft too."),
        prop("custom_wsus_server", &[Bool]).deprecated("As of Chef Infra Client 17.3 the `custom_wsus_server` no longer needs to be setup when specifying a WSUS endpoint.").doc("Formerly: there is an update server."),
    ],
    ..ResourceDef::DEFAULT
};

const OPTIONS: [&str; 4] = ["notify", "download_and_notify", "download_and_schedule", "local_admin_decides"];

/// An option's number in Windows as its name.
fn update_option(_vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    Ok(match value {
        Value::Int(number @ 2..=5) => Value::sym(OPTIONS[*number as usize - 2]),
        _ => value.clone(),
    })
}

fn detection_hours(vm: &mut Vm, value: &Value) -> Res<bool> {
    coerce::between(vm, value, 0, 22)
}

fn hour_of_day(vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(coerce::positive(vm, value)? && vm.call_name(value, "<", &[Value::Int(25)])?.truthy())
}
