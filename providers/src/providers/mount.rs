//! `mount`: mounts file systems, now and by /etc/fstab.

use super::support::*;
use rchef_change::file::Replaced;
use rchef_change::{AccessChange, Assertion, Backup, ChangeError, Command, Task, TaskStep, Why, WriteFile};
use rchef_host::{Host, compose, files};
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Res, Symbol, Value, Vm};

pub(crate) struct Mount;

const FSTAB: &str = "/etc/fstab";
/// File systems without a device.
const VIRTUAL: &[&str] = &["cgroup", "tmpfs", "fuse", "vboxsf", "zfs", "efivarfs"];

/// What a `mount` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    point: String,
    device: String,
    /// `device`, `label` or `uuid`.
    device_type: String,
    fstype: String,
    /// None if nil.
    options: Option<Vec<String>>,
    dump: String,
    pass: String,
    can_remount: bool,
}

/// The last line of /etc/fstab for the file system.
struct Entry {
    /// The number of the line, from 0.
    index: usize,
    device: String,
    fstype: String,
    options: String,
    dump: String,
    pass: String,
}

/// The device without a final `/`, except `/` itself and after `:`.
fn trimmed(device: &str) -> &str {
    if device == "/" || device.ends_with(":/") { device } else { device.strip_suffix('/').unwrap_or(device) }
}

/// Escapes a field of fstab or of the kernel's mount tables.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\134").replace(' ', "\\040").replace('\t', "\\011")
}

fn unescaped(text: &str) -> String {
    text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")
}

/// The fields of a line of fstab; empty for a comment or a line that starts with white space.
fn fields(line: &str) -> Vec<String> {
    if line.starts_with('#') || line.starts_with(char::is_whitespace) {
        return Vec::new();
    }
    line.split_whitespace().map(unescaped).collect()
}

impl Desired {
    /// The device's first field in fstab.
    fn in_fstab(&self) -> String {
        let device = trimmed(&self.device);
        match self.device_type.as_str() {
            "label" => format!("LABEL={device}"),
            "uuid" => format!("UUID={device}"),
            _ => device.to_string(),
        }
    }

    fn is_network(&self) -> bool {
        self.device.contains(':') || self.device.contains("//")
    }

    /// The path of the device; empty if no device has the label or UUID.
    fn real(&self, host: &dyn Host) -> Looked<String> {
        if self.device_type == "device" {
            return Ok(trimmed(&self.device).to_string());
        }
        let output = Command::system(["/sbin/findfs", &self.in_fstab()]).query(host)?;
        let text = lossy(&output.stdout);
        Ok(trimmed(text.lines().next().unwrap_or_default()).to_string())
    }

    /// The names under which the device can appear: its path, and the target if that is a symbolic link.
    fn names(&self, host: &dyn Host, real: &str) -> Vec<String> {
        let mut names = vec![real.to_string()];
        if self.is_network() {
            names.push(format!("{real}/"));
        } else if let Ok(to) = host.readlink(real.as_bytes()) {
            let to = files::join(files::dirname(real.as_bytes()), &to);
            names.push(lossy(&files::lexical(&to)));
        }
        names
    }

    /// Whether the file system is mounted at the mount point. As in Chef, the last conclusive mount there decides.
    fn is_mounted(&self, host: &dyn Host, names: &[String]) -> Looked<bool> {
        let real = &names[0];
        let point = host.realpath(self.point.as_bytes()).map_or_else(|_| self.point.clone(), |path| lossy(&path));
        let table = lossy(&compose::read_file(host, b"/proc/self/mountinfo")?);
        let mut mounted = false;
        for line in table.lines() {
            let Some((head, tail)) = line.split_once(" - ") else { continue };
            let (head, tail): (Vec<&str>, Vec<&str>) = (head.split(' ').collect(), tail.split(' ').collect());
            let ([_, _, _, root, at, ..], [_, source, ..]) = (&head[..], &tail[..]) else { continue };
            if unescaped(at) != point {
                continue;
            }
            let (source, root) = (unescaped(source), unescaped(root));
            let part = if root == "/" { None } else { Some(root) };
            let is_named = names.contains(&source);
            match part {
                None if is_named => mounted = true,
                None if source.strip_prefix("/dev/loop").is_some_and(is_number) => {
                    let name = source.trim_start_matches("/dev/");
                    let path = format!("/sys/block/{name}/loop/backing_file");
                    let file = lossy(&compose::read_file(host, path.as_bytes()).unwrap_or_default());
                    mounted = mounted || !real.is_empty() && file.contains(real.as_str());
                }
                // another device is mounted over it
                None if source.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '/')) => mounted = false,
                Some(part) if is_named || names.contains(&part) => mounted = true,
                _ => {}
            }
        }
        Ok(mounted)
    }

    fn is_about(&self, names: &[String], fields: &[String]) -> bool {
        let [device, point, ..] = fields else { return false };
        let is_device = names.contains(device) || self.device_type != "device" && *device == self.in_fstab();
        is_device && *point == self.point
    }

    fn entry(&self, fstab: &str, names: &[String]) -> Option<Entry> {
        let mut found = None;
        for (index, line) in fstab.lines().enumerate() {
            let fields = fields(line);
            let [device, _, fstype, options, dump, pass, ..] = &fields[..] else { continue };
            if self.is_about(names, &fields) {
                let [device, fstype, options, dump, pass] = [device, fstype, options, dump, pass].map(String::clone);
                found = Some(Entry { index, device, fstype, options, dump, pass });
            }
        }
        found
    }

    fn options(&self) -> String {
        self.options.as_ref().map_or("defaults".to_string(), |options| options.join(","))
    }

    fn line(&self) -> String {
        let (device, point) = (escaped(&self.in_fstab()), escaped(&self.point));
        format!("{device} {point} {} {} {} {}", self.fstype, self.options(), self.dump, self.pass)
    }

    fn is_enabled_so(&self, entry: &Entry) -> bool {
        let options = self.options.as_ref().map(|options| options.join(","));
        entry.fstype == self.fstype
            && options.is_some_and(|options| options == entry.options)
            && entry.dump == self.dump
            && entry.pass == self.pass
            && entry.device == self.in_fstab()
    }

    /// fstab with the line at `index` replaced or removed, or with a line added.
    fn edited(&self, host: &dyn Host, index: Option<usize>, line: Option<String>) -> Looked<WriteFile> {
        let content = contents(host, FSTAB)?.unwrap_or_default();
        let there = compose::stat_opt(host, FSTAB.as_bytes())?;
        let replaces = there.map(|stat| Replaced { content: content.clone().into(), modified: stat.mtime });
        let mut lines: Vec<Vec<u8>> = content.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        if lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        let line = line.map(String::into_bytes);
        match (index, line) {
            (Some(index), Some(line)) => lines[index] = line,
            (Some(index), None) => drop(lines.remove(index)),
            (None, line) => lines.extend(line),
        }
        let mut content = lines.join(&b'\n');
        if !content.is_empty() {
            content.push(b'\n');
        }
        Ok(WriteFile {
            path: FSTAB.into(),
            target: FSTAB.into(),
            content: Some(content.into()),
            replaces,
            access: AccessChange::default(),
            atomic: true,
            backup: Backup::default(),
            sensitive: false,
        })
    }

    /// Raises unless the device and the mount point exist; checked just before mounting, as in Chef.
    fn mountable(&self, host: &dyn Host, real: &str) -> Looked<()> {
        let has_device = self.device != "none" && !self.is_network() && !VIRTUAL.contains(&self.fstype.as_str());
        let missing = if has_device && !compose::exists(host, real.as_bytes()) {
            format!("Device {} does not exist", self.device)
        } else if self.point != "none" && !compose::exists(host, self.point.as_bytes()) {
            format!("Mount point {} does not exist", self.point)
        } else {
            return Ok(());
        };
        Err(ChangeError::raise("Chef::Exceptions::Mount", missing))
    }

    fn mount_command(&self, real: &str) -> Command {
        let mut words = vec!["mount", "-t", &self.fstype];
        let options = self.options.as_ref().filter(|options| !options.is_empty()).map(|options| options.join(","));
        if let Some(options) = &options {
            words.extend(["-o", options]);
        }
        match self.device_type.as_str() {
            "label" => words.extend(["-L", &self.device]),
            "uuid" => words.extend(["-U", &self.device]),
            _ => words.push(real),
        }
        words.push(&self.point);
        Command::system(words)
    }

    fn task(&self, why: Why, line: String) -> Task {
        Task::new("mount", &self.point, why, line).with("device", None, Some(self.device.clone()))
    }

    fn mount(&self, children: &mut Children<'_>, real: &str, line: String) -> Res<()> {
        let task = self.task(Why::Absent, line).run(self.mount_command(real));
        children.converge(task, |children| children.look(|host| self.mountable(host, real)))
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A numeric field of fstab; false becomes 0.
fn number(vm: &mut Vm, resource: &Value, name: &'static str) -> Res<String> {
    match get(vm, resource, name)? {
        Value::Nil | Value::False => Ok("0".into()),
        other => vm.to_s_text(&other),
    }
}

impl Composite for Mount {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["mount", "umount", "unmount", "remount", "enable", "disable"];
    const READS: &'static [&'static str] = &["fstype"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let options = get(vm, resource, "options")?;
        let can_remount = match get(vm, resource, "supports")? {
            Value::Hash(hash) => {
                vm.hash_get_sym(&hash, Symbol::intern_static("remount")).is_some_and(|value| value.truthy())
            }
            _ => false,
        };
        Ok(Desired {
            action,
            point: text(vm, resource, "mount_point")?,
            device: text(vm, resource, "device")?,
            device_type: text(vm, resource, "device_type")?,
            fstype: text(vm, resource, "fstype")?,
            options: if options.is_nil() { None } else { Some(list(vm, resource, "options")?) },
            dump: number(vm, resource, "dump")?,
            pass: number(vm, resource, "pass")?,
            can_remount,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let options = desired.options.iter().flatten().map(|option| ("mount option", option));
        let names = [("mount point", &desired.point), ("device", &desired.device), ("file system", &desired.fstype)];
        let mut names = names.into_iter().chain(options);
        Ok(names.find_map(|(what, name)| unfit("Chef::Exceptions::Mount", what, name)).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let host = children.host();
        let real = children.look(|host| desired.real(host))?;
        let names = desired.names(&*host, &real);
        let fstab = lossy(&children.look(|host| contents(host, FSTAB))?.unwrap_or_default());
        let entry = desired.entry(&fstab, &names);
        // Chef shows the device as it is in fstab
        let shown = entry.as_ref().map_or(&desired.device, |entry| &entry.device).clone();
        let point = &desired.point;
        match desired.action {
            "enable" => {
                if entry.as_ref().is_some_and(|entry| desired.is_enabled_so(entry)) {
                    return Ok(());
                }
                let why = if entry.is_some() { Why::Differs } else { Why::Absent };
                let index = entry.map(|entry| entry.index);
                let write = children.look(|host| desired.edited(host, index, Some(desired.line())))?;
                return children.change(desired.task(why, format!("enable {shown}")).write(write));
            }
            "disable" => {
                let Some(entry) = entry else { return Ok(()) };
                let write = children.look(|host| desired.edited(host, Some(entry.index), None))?;
                return children.change(desired.task(Why::Present, format!("disable {shown}")).write(write));
            }
            _ => {}
        }
        let is_mounted = children.look(|host| desired.is_mounted(host, &names))?;
        let unmount = || {
            let task = desired.task(Why::Present, format!("unmount {shown}"));
            task.run(Command::system(["umount", point]))
        };
        match desired.action {
            "mount" if !is_mounted => desired.mount(children, &real, format!("mount {shown} to {point}")),
            "umount" | "unmount" if is_mounted => children.change(unmount()),
            "remount" if is_mounted && desired.can_remount => {
                let options = format!("remount,{}", desired.options.as_deref().unwrap_or_default().join(","));
                let command = Command::system(["mount", "-o", &options, point]);
                children.change(desired.task(Why::Asked, format!("remount {shown}")).run(command))
            }
            "remount" if is_mounted => {
                let wait = TaskStep::AwaitUnmounted(point.as_bytes().to_vec());
                children.change(unmount().then(wait))?;
                desired.mount(children, &real, format!("mount {shown}"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_fstab() {
        assert_eq!(fields("/dev/a /mnt/with\\040blank ext4 rw 0 2")[1], "/mnt/with blank");
        assert!(fields("# /dev/a").is_empty());
        assert_eq!(unescaped(&escaped("a b\\c")), "a b\\c");
        assert_eq!((trimmed("h:/"), trimmed("/srv/"), trimmed("/")), ("h:/", "/srv", "/"));
    }
}
