//! `selinux_install`, `selinux_module` and `selinux_state`: SELinux's packages, its policy modules, and its mode.

use super::embedded;
use super::selinux::{refused, state};
use super::support::*;
use rchef_change::{Assertion, ChangeError, Command, Task, Why};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct SelinuxInstall;

/// What a `selinux_install` resource asks for.
pub(crate) struct InstallDesired {
    action: &'static str,
    packages: Vec<String>,
    platform: String,
}

impl Composite for SelinuxInstall {
    type Desired = InstallDesired;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<InstallDesired> {
        Ok(InstallDesired {
            action,
            packages: list(vm, resource, "packages")?,
            platform: crate::coerce::node_text(vm, resource, "platform")?,
        })
    }

    fn declare(desired: &InstallDesired, children: &mut Children<'_>) -> Res<()> {
        if desired.packages.is_empty() {
            let text = format!(
                "The platform {} is not currently supported by the `selinux_install` resource.",
                desired.platform
            );
            let error = ChangeError::raise("RuntimeError", text);
            return Err(children.raised(&error));
        }
        children.declare(
            Child::new("package", "selinux").texts("package_name", &desired.packages).action(desired.action),
        )?;
        if desired.action != "install" {
            return Ok(());
        }
        let folder = Child::new("directory", "/etc/selinux").text("owner", "root").text("group", "root");
        children.declare(folder.text("mode", "0755").action("create")).map(drop)
    }
}

pub(crate) struct SelinuxModule;

/// What a `selinux_module` resource asks for.
pub(crate) struct ModuleDesired {
    action: &'static str,
    name: String,
    source: Option<String>,
    content: Option<String>,
    cookbook: Value,
    folder: String,
}

/// A file of a module in its directory.
fn module_file(folder: &str, name: &str, kind: &str) -> String {
    format!("{}/{name}.{kind}", folder.trim_end_matches('/'))
}

/// The names in the list of `semodule`.
fn modules(listed: &str) -> impl Iterator<Item = &str> {
    listed.lines().filter_map(|line| line.split_whitespace().next())
}

/// The methods of the provider of `selinux_module`.
pub(crate) static MODULE_METHODS: &[MethodDef] =
    &[def("selinux_module_filepath", module_path, 1), def("list_installed_modules", installed_modules, 0)];

fn module_path(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        return Ok(Value::Nil);
    }
    let (resource, kind) = (new_resource(vm, this)?, vm.to_s_text(args.at(0))?);
    let (folder, name) = (text(vm, &resource, "base_dir")?, text(vm, &resource, "module_name")?);
    Ok(Value::str(module_file(&folder, &name, &kind)))
}

fn installed_modules(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let listed = shell_out(vm, this, "shell_out!", &["semodule --list-modules"])?;
    Ok(crate::coerce::strings(modules(&listed)))
}

impl ModuleDesired {
    fn file(&self, kind: &str) -> String {
        module_file(&self.folder, &self.name, kind)
    }

    fn is_installed(&self, host: &dyn Host) -> Looked<bool> {
        let listed = lossy(&Command::system(["semodule", "--list-modules"]).run(host)?.stdout);
        Ok(modules(&listed).any(|name| name == self.name))
    }

    fn create(&self, children: &mut Children<'_>) -> Res<()> {
        let ModuleDesired { folder, .. } = self;
        let (compile, package) = (format!("Compiling SELinux modules at '{folder}'"), self.file("pp"));
        let install = format!("Install SELinux module '{package}'");
        children.declare(Child::new("directory", folder))?;
        // the commands are declared first, since they are notified immediately
        let make = format!("make -C {} -f /usr/share/selinux/devel/Makefile", shell_escaped(folder));
        let load = format!("semodule --install {}", shell_escaped(&package));
        children.declare(Child::new("execute", &*install).text("command", load).action("nothing"))?;
        children.declare(
            Child::new("execute", &*compile)
                .text("cwd", folder)
                .text("command", make)
                .set("timeout", Value::Int(120))
                .text("user", "root")
                .action("nothing")
                .notifies("run", &format!("execute[{install}]"), "immediately"),
        )?;
        let child = match &self.content {
            Some(content) => Child::new("file", self.file("te")).text("content", content),
            None => {
                let file = Child::new("cookbook_file", self.file("te")).set("cookbook", self.cookbook.clone());
                file.text("source", self.source.as_deref().unwrap_or_default())
            }
        };
        let child = child.text("mode", "0600").text("owner", "root").text("group", "root").action("create");
        children.declare(child.notifies("run", &format!("execute[{compile}]"), "immediately"))?;
        if children.has_run() && !compose::exists(&*children.host(), package.as_bytes()) {
            let text = format!("Compilation must have failed, no 'pp' file found at: '{package}'");
            let error = ChangeError::raise("RuntimeError", text);
            return Err(children.raised(&error));
        }
        Ok(())
    }
}

impl Composite for SelinuxModule {
    type Desired = ModuleDesired;
    const ACTIONS: &'static [&'static str] = &["create", "delete", "install", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<ModuleDesired> {
        Ok(ModuleDesired {
            action,
            name: text(vm, resource, "module_name")?,
            source: text_opt(vm, resource, "source")?,
            content: text_opt(vm, resource, "content")?,
            cookbook: get(vm, resource, "cookbook")?,
            folder: text(vm, resource, "base_dir")?,
        })
    }

    fn requirements(desired: &ModuleDesired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(refused([("SELinux module", desired.name.as_str()), ("directory", &desired.folder)]))
    }

    fn declare(desired: &ModuleDesired, children: &mut Children<'_>) -> Res<()> {
        let (name, package) = (&desired.name, desired.file("pp"));
        let host = children.host();
        match desired.action {
            "create" => desired.create(children),
            "delete" => {
                for kind in ["fc", "if", "pp", "te"] {
                    let file = desired.file(kind);
                    if compose::exists(&*host, file.as_bytes()) {
                        children.declare(Child::new("file", file).action("delete"))?;
                    }
                }
                Ok(())
            }
            "install" => {
                if !compose::exists(&*host, package.as_bytes()) {
                    let text = format!(
                        "Module must be compiled before it can be installed, no 'pp' file found at: '{package}'"
                    );
                    let error = ChangeError::raise("RuntimeError", text);
                    return Err(children.raised(&error));
                }
                if children.look(|host| desired.is_installed(host))? {
                    return Ok(());
                }
                let task = Task::new("selinux_module", name, Why::Absent, format!("Install SELinux module {package}"));
                children.change(task.run(Command::system(["semodule", "--install", &package])))
            }
            _ => {
                if !children.look(|host| desired.is_installed(host))? {
                    return Ok(());
                }
                let task = Task::new("selinux_module", name, Why::Present, format!("Remove SELinux module {name}"));
                children.change(task.run(Command::system(["semodule", "--remove", name])))
            }
        }
    }
}

pub(crate) struct SelinuxState;

/// What a `selinux_state` resource asks for.
pub(crate) struct StateDesired {
    action: &'static str,
    config_file: String,
    persistent: bool,
    policy: String,
    reboot: Value,
    is_debian: bool,
}

impl StateDesired {
    fn config(&self) -> String {
        let note = if self.is_debian { embedded::SELINUX_DEBIAN } else { embedded::SELINUX };
        note.replace("@STATE@", self.action).replace("@POLICY@", &self.policy)
    }

    fn restart(&self, children: &mut Children<'_>, now: &str) -> Res<()> {
        if !self.reboot.truthy() {
            let text = format!(
                "SELinux state change to {} requires a manual reboot as SELinux is currently {now} and automatic reboots are disabled.",
                self.action
            );
            children.log("warn", text);
            return Ok(());
        }
        let action = match &self.reboot {
            Value::Sym(name) => Value::Sym(*name),
            _ => Value::sym("reboot_now"),
        };
        let reason = format!("SELinux state change to {} from {now}", self.action);
        let child =
            Child::new("reboot", "selinux_state_change").set("delay_mins", Value::Int(1)).text("reason", reason);
        children.declare(child.set("action", action)).map(drop)
    }
}

impl Composite for SelinuxState {
    type Desired = StateDesired;
    const ACTIONS: &'static [&'static str] = &["enforcing", "permissive", "disabled"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<StateDesired> {
        Ok(StateDesired {
            action,
            config_file: text(vm, resource, "config_file")?,
            persistent: flag(vm, resource, "persistent")?,
            policy: text(vm, resource, "policy")?,
            reboot: get(vm, resource, "automatic_reboot")?,
            is_debian: crate::coerce::node_text(vm, resource, "platform_family")? == "debian",
        })
    }

    fn declare(desired: &StateDesired, children: &mut Children<'_>) -> Res<()> {
        let action = desired.action;
        if action == "disabled" && !desired.persistent {
            let text = "A non-persistent change to the disabled SELinux status is not possible.";
            let error = ChangeError::raise("RuntimeError", text);
            return Err(children.raised(&error));
        }
        let now = children.look(state)?;
        if action != "disabled" {
            if now != "disabled" && now != action {
                let number = if action == "enforcing" { 1 } else { 0 };
                let child = Child::new("execute", format!("selinux-setenforce-{action}"));
                children.declare(child.text("command", format!("/usr/sbin/setenforce {number}")))?;
            }
            let grub = |host: &dyn Host| Ok(lossy(&compose::read_file(host, b"/etc/default/grub")?));
            if desired.is_debian && !children.look(grub)?.contains("security=selinux") {
                let child = Child::new("execute", "debian-selinux-activate");
                children.declare(child.text("command", "/usr/sbin/selinux-activate"))?;
            }
        }
        if desired.persistent {
            if now == "disabled" && action == "enforcing" {
                let text = "It is advised to set the configuration first to permissive to relabel the filesystem prior to enforcing.";
                children.log("warn", text);
            }
            if !desired.reboot.truthy() && (now == "disabled") != (action == "disabled") {
                let text = if now == "disabled" {
                    "Changes from disabled require a reboot."
                } else {
                    "Disabling selinux requires a reboot."
                };
                children.log("warn", text);
            }
            let child = Child::new("template", format!("{action} selinux config")).text("path", &desired.config_file);
            children.declare(child.hidden("@rendered", Value::str(desired.config())))?;
        }
        if (now == "disabled") == (action == "disabled") {
            return Ok(());
        }
        desired.restart(children, &now)
    }
}
