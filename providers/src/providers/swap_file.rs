//! `swap_file`: a file that the kernel swaps to.

use super::support::*;
use rchef_change::command::duration;
use rchef_change::file::Replaced;
use rchef_change::{AccessChange, Assertion, Backup, Command, DeleteFile, Task, TaskStep, Why, WriteFile};
use rchef_host::{Host, compose, files};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct SwapFile;

const FSTAB: &str = "/etc/fstab";
/// Bytes in a megabyte, the unit of `size`.
const BLOCK: i64 = 1_048_576;

/// What a `swap_file` resource asks for.
pub(crate) struct Desired {
    create: bool,
    path: String,
    /// In megabytes.
    size: Option<i64>,
    persist: bool,
    timeout: i64,
    swappiness: Option<i64>,
    is_docker: bool,
    /// The resource's name in messages.
    shown: String,
}

impl Desired {
    fn is_enabled(&self, host: &dyn Host) -> bool {
        let swaps = lossy(&compose::read_file(host, b"/proc/swaps").unwrap_or_default());
        swaps.lines().any(|line| line.split_whitespace().next() == Some(&self.path))
    }

    /// `fallocate` on file systems whose preallocated files can be used for swap, else `dd`.
    fn allocation(&self, host: &dyn Host, size: i64) -> Looked<Command> {
        let folder = lossy(files::dirname(self.path.as_bytes()));
        let output = Command::system(["df", "-PT", &folder]).query(host)?;
        let table = lossy(&output.stdout);
        let kind = table.lines().nth(1).and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default();
        let fits = ["xfs", "ext4"].iter().any(|known| kind.contains(known));
        if !fits || self.is_docker || which(host, "fallocate").is_none() {
            return Ok(self.zeroes(size));
        }
        let command = Command::system(["fallocate", "-l", &(size * BLOCK).to_string(), &self.path]);
        Ok(command.within(Some(self.timeout as f64)))
    }

    fn zeroes(&self, size: i64) -> Command {
        let (to, block, count) = (format!("of={}", self.path), format!("bs={BLOCK}"), format!("count={size}"));
        let command = Command::system(["dd", "if=/dev/zero", &to, &block, &count]);
        Command { timeout: Some(duration(self.timeout as f64)), ..command }
    }

    fn task(&self, why: Why, line: String) -> Task {
        Task::new("swap_file", &self.path, why, line)
    }

    /// The change to /etc/fstab; None if it is not asked for or already done.
    fn entry(&self, host: &dyn Host) -> Looked<Option<WriteFile>> {
        if !self.persist {
            return Ok(None);
        }
        let (content, modified) = (compose::read_file(host, FSTAB.as_bytes())?, host.stat(FSTAB.as_bytes())?.mtime);
        let wanted = format!("{} swap swap defaults 0 0", self.path);
        let text = lossy(&content);
        if text.lines().any(|line| line.trim() == wanted) {
            return Ok(None);
        }
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        Ok(Some(WriteFile {
            path: FSTAB.into(),
            target: FSTAB.into(),
            content: Some([&content[..], format!("{gap}{wanted}\n").as_bytes()].concat().into()),
            replaces: Some(Replaced { content: content.into(), modified }),
            access: AccessChange::default(),
            atomic: true,
            backup: Backup::default(),
            sensitive: false,
        }))
    }

    fn make(&self, children: &mut Children<'_>, allocation: Command) -> Res<()> {
        let path = &self.path;
        let create = self.task(Why::Absent, format!("create empty swapfile at {path}"));
        children.change(create.run(allocation))?;
        for (line, words) in [
            (format!("set permissions on {path} to 600"), &["chmod", "600"][..]),
            (format!("make {path} swappable"), &["mkswap", "-f"]),
        ] {
            let command = Command::system(words.iter().copied().chain([path.as_str()]));
            children.change(self.task(Why::Absent, line).run(command))?;
        }
        let enable = self.task(Why::Absent, format!("enable swap for {path}"));
        let enable = enable.run(Command::system(["swapon", path]));
        let entry = children.look(|host| self.entry(host))?;
        children.change(entry.into_iter().fold(enable, Task::write))
    }
}

impl Composite for SwapFile {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut number = |name| -> Res<Option<i64>> {
            let value = get(vm, resource, name)?;
            if value.is_nil() { Ok(None) } else { vm.to_int(&value).map(Some) }
        };
        let (size, timeout, swappiness) = (number("size")?, number("timeout")?.unwrap_or(600), number("swappiness")?);
        Ok(Desired {
            create: action == "create",
            path: text(vm, resource, "path")?,
            size,
            persist: flag(vm, resource, "persist")?,
            timeout,
            swappiness,
            is_docker: is_docker(vm, resource)?,
            shown: vm.to_s_text(resource)?,
        })
    }

    fn requirements(desired: &Desired, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let mut failed: Vec<Assertion> = unfit("ArgumentError", "swap file", &desired.path).into_iter().collect();
        if failed.is_empty() && desired.create && desired.size.is_none() && !desired.is_enabled(host) {
            let text = format!("{} needs a size to be created: set the property size, in megabytes", desired.shown);
            failed.push(Assertion::new("Chef::Exceptions::ValidationFailed", text));
        }
        Ok(failed)
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let (host, path) = (children.host(), &desired.path);
        let is_enabled = desired.is_enabled(&*host);
        if !desired.create {
            if is_enabled {
                let task = desired.task(Why::Present, format!("turn off swap for {path}"));
                children.change(task.run(Command::system(["swapoff", path])))?;
            }
            if compose::exists(&*host, path.as_bytes()) {
                let delete = DeleteFile { path: path.as_bytes().to_vec(), backup: Backup::default() };
                let task = desired.task(Why::Present, format!("remove swap file {path}"));
                children.change(task.then(TaskStep::Delete(delete)))?;
            }
            return Ok(());
        }
        if let Some(size) = desired.size.filter(|_| !is_enabled) {
            let allocation = children.look(|host| desired.allocation(host, size))?;
            if let Err(error) = desired.make(children, allocation) {
                let vm = children.vm();
                let class = vm.class_named("Mixlib::ShellOut::ShellCommandFailed");
                let failed = error.exception().cloned();
                if !failed.is_some_and(|exception| class.is_some_and(|class| vm.is_a(&exception, class))) {
                    return Err(error);
                }
                let text = format!("{} Rescuing failed swapfile creation for {path}", desired.shown);
                children.log("warn", text);
                desired.make(children, desired.zeroes(size))?;
            }
        }
        if let Some(swappiness) = desired.swappiness {
            children.declare(Child::new("sysctl", "vm.swappiness").set("value", Value::Int(swappiness)))?;
        }
        Ok(())
    }
}
