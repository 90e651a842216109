//! `kernel_module`: loads and unloads kernel modules, now and at boot.

use super::support::*;
use rchef_change::{Assertion, Command, Task, Why};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct KernelModule;

/// Name of the resource that rebuilds the initial RAM disk, one for the whole run.
const INITRAMFS: &str = "update initramfs";

/// What a `kernel_module` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    module: String,
    options: Option<Vec<String>>,
    load_dir: String,
    unload_dir: String,
    is_debian: bool,
}

impl Desired {
    /// As in Chef, a loaded module also counts if its name only starts with this one.
    fn is_loaded(&self, host: &dyn Host) -> Looked<bool> {
        let modules = lossy(&compose::read_file(host, b"/proc/modules")?);
        Ok(modules.lines().any(|line| line.starts_with(&self.module)))
    }

    fn load(&self, children: &mut Children<'_>, load: bool) -> Res<()> {
        let module = &self.module;
        if children.look(|host| self.is_loaded(host))? == load {
            return Ok(());
        }
        let (verb, why) = if load { ("load", Why::Absent) } else { ("unload", Why::Present) };
        let words: &[&str] = if load { &["modprobe", module] } else { &["modprobe", "-r", module] };
        let task = Task::new("kernel_module", module, why, format!("{verb} kernel module {module}"));
        children.change(task.run(Command::system(words)))
    }

    /// A modprobe.d file for the module; a change triggers a rebuild of the initial RAM disk.
    fn file(&self, kind: &str) -> Child {
        let file = Child::new("file", format!("{}/{kind}_{}.conf", self.unload_dir, self.module));
        file.notifies("run", &format!("execute[{INITRAMFS}]"), "delayed")
    }

    fn options(&self) -> Child {
        Child::new("file", format!("{}/options_{}.conf", self.unload_dir, self.module))
    }

    fn at_boot(&self) -> Child {
        let file = Child::new("file", format!("{}/{}.conf", self.load_dir, self.module));
        file.notifies("run", &format!("execute[{INITRAMFS}]"), "delayed")
    }

    fn initramfs(&self, children: &mut Children<'_>) -> Res<()> {
        let command = if self.is_debian { "update-initramfs -u" } else { "dracut -f" };
        let child = Child::new("execute", INITRAMFS).text("command", command).action("nothing");
        children.find_in_root(child).map(drop)
    }

    fn enable(&self, children: &mut Children<'_>) -> Res<()> {
        children.declare(self.file("disable").action("delete")).map(drop)
    }

    fn install(&self, children: &mut Children<'_>) -> Res<()> {
        let module = &self.module;
        self.enable(children)?;
        if let Some(options) = &self.options {
            let content = format!("options {module} {}\n", options.join(" "));
            children.declare(self.options().text("content", content))?;
        }
        // loads the module first: one that cannot be loaded is not configured for boot
        self.load(children, true)?;
        children.declare(Child::new("directory", &self.load_dir).flag("recursive", true))?;
        children.declare(self.at_boot().text("content", format!("{module}\n"))).map(drop)
    }
}

impl Composite for KernelModule {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] =
        &["install", "uninstall", "blacklist", "disable", "enable", "load", "unload"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let has_options = !get(vm, resource, "options")?.is_nil();
        Ok(Desired {
            action,
            module: text(vm, resource, "modname")?,
            options: if has_options { Some(list(vm, resource, "options")?) } else { None },
            load_dir: text(vm, resource, "load_dir")?,
            unload_dir: text(vm, resource, "unload_dir")?,
            is_debian: crate::coerce::node_text(vm, resource, "platform_family")? == "debian",
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit("ArgumentError", "kernel module", &desired.module).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let module = &desired.module;
        if !matches!(desired.action, "load" | "unload") {
            desired.initramfs(children)?;
        }
        match desired.action {
            "install" => desired.install(children),
            "enable" => desired.enable(children),
            "load" => desired.load(children, true),
            "unload" => desired.load(children, false),
            "uninstall" => {
                children.declare(desired.at_boot().action("delete"))?;
                children.declare(desired.file("blacklist").action("delete"))?;
                children.declare(desired.options().action("delete"))?;
                desired.load(children, false)
            }
            "blacklist" => {
                children.declare(desired.file("blacklist").text("content", format!("blacklist {module}")))?;
                desired.load(children, false)
            }
            _ => {
                children.declare(desired.file("disable").text("content", format!("install {module} /bin/false")))?;
                desired.load(children, false)
            }
        }
    }
}
