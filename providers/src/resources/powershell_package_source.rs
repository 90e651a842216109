use crate::prelude::*;
use crate::providers::support::{flag, text, text_opt};
use crate::resources::powershell::Line;
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "powershell_package_source",
    class: "PowershellPackageSource",
    doc: "Registers sources of PowerShell packages (Windows).",
    introduced: "14.3",
    provides: &[Provides::always("powershell_package_source")],
    actions: &["register", "set", "unregister"],
    default_action: &["register"],
    properties: &[
        prop("source_name", &[Str]).name_property().doc("Name."),
        prop("new_name", &[Str]).since("17.6").doc("Name to change to."),
        prop("source_location", &[Str]).since("17.6").doc("Address."),
        prop("publish_location", &[Str]).doc("Address to publish to."),
        prop("script_source_location", &[Str]).doc("Address of scripts."),
        prop("script_publish_location", &[Str]).doc("Address to publish scripts to."),
        prop("trusted", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Trust what comes from it."),
        prop("user", &[Str]).since("17.6").doc("User for the source."),
        prop("password", &[Str]).sensitive().since("17.6").doc("Password for the source."),
        prop("provider_name", &[Str]).default(LitStr("NuGet")).equal_to(&[LitStr("Programs"), LitStr("msi"), LitStr("NuGet"), LitStr("msu"), LitStr("PowerShellGet"), LitStr("psl"), LitStr("chocolatey"), LitStr("winget")]).message("The following providers are supported: 'Programs', 'msi', 'NuGet', 'msu', 'PowerShellGet', 'psl', 'chocolatey' or 'winget'").doc("Package provider."),
    ],
    aliases: &[("url", "source_location")],
    provider_methods: METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    def("build_ps_repository_command", repository_command, 2),
    def("build_package_source_command", source_command, 2),
];

/// The statements that put user and password into `$Credentials`, if the resource has both.
fn credentials(vm: &mut Vm, resource: &Value) -> Res<Option<String>> {
    let login = text_opt(vm, resource, "user")?.zip(text_opt(vm, resource, "password")?);
    Ok(login.map(|(user, password)| {
        let secure = format!("$secure_password = Convertto-SecureString -String '{password}' -AsPlainText -Force;");
        let made = "New-Object System.Management.Automation.PSCredential -Argumentlist ($user, $secure_password);";
        format!("$user = '{user}';[securestring]{secure}$Credentials = {made}")
    }))
}

/// The command of a repository of PowerShellGet, for a verb and a resource.
fn repository_command(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (verb, resource) = (vm.to_s_text(args.at(0))?, args.at(1));
    let login = credentials(vm, resource)?;
    let mut line = Line::new(&format!("{verb}-PSRepository"), &text(vm, resource, "source_name")?);
    line.option(vm, resource, "SourceLocation", "source_location")?;
    let policy = if flag(vm, resource, "trusted")? { "Trusted" } else { "Untrusted" };
    line.0.push_str(&format!(" -InstallationPolicy '{policy}'"));
    for (option, property) in [
        ("PublishLocation", "publish_location"),
        ("ScriptSourceLocation", "script_source_location"),
        ("ScriptPublishLocation", "script_publish_location"),
    ] {
        line.option(vm, resource, option, property)?;
    }
    if login.is_some() {
        line.0.push_str(" -Credential $Credentials");
    }
    Ok(Value::str(format!("{}{} | Out-Null", login.unwrap_or_default(), line.0)))
}

/// The command of any other source of packages, for a verb and a resource. With credentials, a source keeps its name.
fn source_command(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (verb, resource) = (vm.to_s_text(args.at(0))?, args.at(1));
    let login = credentials(vm, resource)?;
    let mut line = Line::new(&format!("{verb}-PackageSource"), &text(vm, resource, "source_name")?);
    if login.is_none() {
        line.option(vm, resource, "NewName", "new_name")?;
    }
    line.option(vm, resource, "Location", "source_location")?;
    if flag(vm, resource, "trusted")? {
        line.0.push_str(" -Trusted");
    }
    line.option(vm, resource, "ProviderName", "provider_name")?;
    if login.is_some() {
        line.0.push_str(" -Credential $credentials");
    }
    Ok(Value::str(format!("{}{} | Out-Null", login.unwrap_or_default(), line.0)))
}
