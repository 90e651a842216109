//! [`Queries`]: structured queries of package and service managers, with one call for many names.

use crate::clock::Clock;
use crate::compose::stream_file;
use crate::error::{HostError, Result};
use crate::files::Files;
use crate::processes::{CommandOutput, CommandSpec, Processes, note_ended, run};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// Structured queries. Results are cached for the run until `invalidate`.
pub trait Queries {
    /// The entry of dpkg's status file for a name (`"libc6"` or `"libc6:amd64"`), also if it is purged.
    fn package(&self, name: &str) -> Result<Option<Package>>;
    /// All entries of dpkg's status file, by name.
    fn packages(&self) -> Result<Vec<Package>>;
    /// The installed rpm packages with a name, one per version and architecture. The whole rpm database is read at once.
    fn rpm(&self, name: &str) -> Result<Vec<Rpm>>;
    /// The versions that apt would install, for many names in one call; unknown names are omitted. For names without a candidate a second call finds
    /// the packages that provide them, and their candidates.
    fn candidates(&self, names: &[&str]) -> Result<BTreeMap<String, Candidate>>;
    /// Whether systemd is the init system.
    fn systemd_running(&self) -> bool;
    /// The states of units (`"ssh"` is `"ssh.service"`) in one call, under the given names.
    fn services(&self, names: &[&str]) -> Result<BTreeMap<String, ServiceState>>;
    /// /proc/mounts, in its order; not cached.
    fn mounts(&self) -> Result<Vec<Mount>>;
    /// Drops the cached results about a topic, after a change.
    fn invalidate(&self, topic: Topic);
}

/// The topic of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Packages,
    /// Versions that apt would install.
    Candidates,
    Services,
}

/// An entry of dpkg's status file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    pub name: String,
    /// The version; empty if only the name is known.
    pub version: String,
    /// E.g. `"amd64"`, `"all"`.
    pub architecture: String,
    /// `"install"`, `"deinstall"`, `"hold"`, `"purge"`.
    pub want: String,
    /// `"ok"`, `"reinstreq"`.
    pub flag: String,
    /// `"installed"`, `"config-files"`, `"half-configured"`.
    pub state: String,
    /// `Provides`, as written.
    pub provides: String,
}

impl Package {
    /// Whether it is completely installed.
    pub fn installed(&self) -> bool {
        self.state == "installed"
    }

    /// The same package in rpm's terms; the version is `[EPOCH:]VERSION[-RELEASE]`.
    pub(crate) fn as_rpm(&self) -> Rpm {
        let (epoch, rest) = self.version.split_once(':').unwrap_or(("0", &self.version));
        let (version, release) = rest.split_once('-').unwrap_or((rest, ""));
        Rpm {
            name: self.name.clone(),
            epoch: epoch.to_string(),
            version: version.to_string(),
            release: release.to_string(),
            architecture: self.architecture.clone(),
        }
    }
}

/// An installed package of rpm's database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rpm {
    pub name: String,
    /// `"0"` if there is none.
    pub epoch: String,
    /// `"1.2"`
    pub version: String,
    /// `"3.el9"`
    pub release: String,
    /// `"x86_64"`, `"noarch"`.
    pub architecture: String,
}

/// The result of `apt-cache policy` for a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    pub installed: Option<String>,
    /// The version that apt would install.
    pub candidate: Option<String>,
    /// All available versions, in the order listed.
    pub versions: Vec<String>,
    /// Names of packages that provide it, if it has no candidate itself.
    pub providers: Vec<String>,
}

/// The result of `systemctl show` for a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceState {
    /// `"loaded"`, `"not-found"`, `"masked"`.
    pub load: String,
    /// `"active"`, `"inactive"`, `"failed"`, `"activating"`.
    pub active: String,
    /// `"running"`, `"exited"`, `"dead"`.
    pub sub: String,
    /// `"enabled"`, `"disabled"`, `"static"`, `"masked"`, `"indirect"`; empty without a unit file.
    pub unit_file: String,
    /// Pid of the main process, 0 if there is none.
    pub main_pid: i32,
    /// The path of the unit file; empty if there is none.
    pub fragment: String,
    /// Whether the unit file changed since it was loaded.
    pub need_reload: bool,
    /// The unit's primary name.
    pub id: String,
}

/// A line of /proc/mounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mount {
    pub device: Vec<u8>,
    pub point: Vec<u8>,
    pub kind: Vec<u8>,
    /// Options as written, separated by commas.
    pub options: Vec<u8>,
}

/// dpkg's status file by package name, with an entry per architecture.
type Status = BTreeMap<String, Vec<Package>>;

/// Results cached for the run.
#[derive(Default)]
pub(crate) struct QueryCache {
    status: RefCell<Option<Rc<Status>>>,
    rpms: RefCell<Option<BTreeMap<String, Vec<Rpm>>>>,
    candidates: RefCell<BTreeMap<String, Option<Candidate>>>,
    services: RefCell<BTreeMap<String, ServiceState>>,
    /// Names that systemctl rejects as invalid; changes do not affect them.
    refused: RefCell<BTreeSet<String>>,
}

impl QueryCache {
    pub(crate) fn invalidate(&self, topic: Topic) {
        match topic {
            Topic::Packages => {
                *self.status.borrow_mut() = None;
                *self.rpms.borrow_mut() = None;
            }
            Topic::Candidates => self.candidates.borrow_mut().clear(),
            Topic::Services => self.services.borrow_mut().clear(),
        }
    }

    fn status(&self, files: &(impl Files + ?Sized)) -> Result<Rc<Status>> {
        if let Some(status) = &*self.status.borrow() {
            return Ok(Rc::clone(status));
        }
        let mut entries = DpkgEntries::default();
        let mut feed = |part: &[u8]| {
            entries.feed(part);
            Ok(())
        };
        if let Err(error) = stream_file(files, b"/var/lib/dpkg/status", &mut feed)
            && error.errno != nix::libc::ENOENT
        {
            return Err(error);
        }
        let mut status = Status::new();
        for package in entries.finish() {
            status.entry(package.name.clone()).or_default().push(package);
        }
        let status = Rc::new(status);
        *self.status.borrow_mut() = Some(Rc::clone(&status));
        Ok(status)
    }

    pub(crate) fn package(&self, files: &(impl Files + ?Sized), name: &str) -> Result<Option<Package>> {
        let status = self.status(files)?;
        let (name, arch) = name.split_once(':').map_or((name, None), |(name, arch)| (name, Some(arch)));
        let Some(entries) = status.get(name) else { return Ok(None) };
        let fits = |p: &&Package| arch.is_none_or(|arch| p.architecture == arch || arch == "any");
        let installed = entries.iter().filter(fits).find(|p| p.installed());
        Ok(installed.or_else(|| entries.iter().find(fits)).cloned())
    }

    pub(crate) fn packages(&self, files: &(impl Files + ?Sized)) -> Result<Vec<Package>> {
        Ok(self.status(files)?.values().flatten().cloned().collect())
    }

    pub(crate) fn rpm(&self, host: &(impl Processes + Clock + ?Sized), name: &str) -> Result<Vec<Rpm>> {
        if self.rpms.borrow().is_none() {
            let argv = ["rpm", "-qa", "--queryformat", "%{NAME} %{EPOCH} %{VERSION} %{RELEASE} %{ARCH}\\n"];
            let output = ask(host, CommandSpec::argv(argv.map(|word| word.as_bytes().to_vec())))?;
            let mut found: BTreeMap<String, Vec<Rpm>> = BTreeMap::new();
            for package in parse_rpm_list(&output) {
                found.entry(package.name.clone()).or_default().push(package);
            }
            *self.rpms.borrow_mut() = Some(found);
        }
        Ok(self.rpms.borrow().as_ref().and_then(|known| known.get(name)).cloned().unwrap_or_default())
    }

    pub(crate) fn candidates(
        &self,
        host: &(impl Processes + Clock + ?Sized),
        names: &[&str],
    ) -> Result<BTreeMap<String, Candidate>> {
        let lacking = self.ask_policy(host, names)?;
        if !lacking.is_empty() {
            let found = ask_providers(host, &lacking)?;
            let mut providers: Vec<&str> = found.values().flatten().map(String::as_str).collect();
            providers.sort_unstable();
            providers.dedup();
            self.ask_policy(host, &providers)?;
            let mut known = self.candidates.borrow_mut();
            for (name, providers) in found {
                known.entry(name).or_default().get_or_insert_default().providers = providers;
            }
        }
        let known = self.candidates.borrow();
        Ok(names.iter().filter_map(|name| Some(((*name).to_string(), known.get(*name)?.clone()?))).collect())
    }

    /// Queries apt about names that are not cached; returns those without a candidate.
    fn ask_policy(&self, host: &(impl Processes + Clock + ?Sized), names: &[&str]) -> Result<Vec<String>> {
        let mut known = self.candidates.borrow_mut();
        let unknown: Vec<&str> = names.iter().filter(|name| !known.contains_key(**name)).copied().collect();
        if unknown.is_empty() {
            return Ok(Vec::new());
        }
        let argv = ["apt-cache", "policy", "--"].iter().chain(unknown.iter()).map(|s| s.as_bytes().to_vec());
        let found = parse_apt_policy(&ask(host, CommandSpec::argv(argv))?);
        let mut lacking = Vec::new();
        for name in unknown {
            let candidate = found.get(name).cloned();
            if candidate.as_ref().is_none_or(|found| found.candidate.is_none()) {
                lacking.push(name.to_string());
            }
            known.insert(name.to_string(), candidate);
        }
        Ok(lacking)
    }

    pub(crate) fn services(
        &self,
        host: &(impl Processes + Clock + ?Sized),
        names: &[&str],
    ) -> Result<BTreeMap<String, ServiceState>> {
        let unknown: Vec<&str> = {
            let (known, refused) = (self.services.borrow(), self.refused.borrow());
            names.iter().filter(|name| !known.contains_key(**name) && !refused.contains(**name)).copied().collect()
        };
        if !unknown.is_empty() {
            let mut failed = Vec::new();
            let found = ask_each(host, &unknown, &mut failed);
            if found.is_empty()
                && let Some((_, error)) = failed.pop()
            {
                // systemctl itself fails
                return Err(error);
            }
            self.refused.borrow_mut().extend(failed.into_iter().map(|(name, _)| name));
            self.services.borrow_mut().extend(found);
        }
        let known = self.services.borrow();
        Ok(names.iter().filter_map(|name| Some(((*name).to_string(), known.get(*name)?.clone()))).collect())
    }
}

/// The states of units. systemctl fails for all names if one is invalid: then each half is queried separately.
fn ask_each(
    host: &(impl Processes + Clock + ?Sized),
    names: &[&str],
    failed: &mut Vec<(String, HostError)>,
) -> Vec<(String, ServiceState)> {
    match (ask_units(host, names), names) {
        (Ok(found), _) => found,
        (Err(error), [name]) => {
            failed.push(((*name).to_string(), error));
            Vec::new()
        }
        (Err(_), _) => {
            let (first, second) = names.split_at(names.len() / 2);
            let mut found = ask_each(host, first, failed);
            found.extend(ask_each(host, second, failed));
            found
        }
    }
}

/// The states of units under the requested names, and of all services that systemd has loaded, so that a run which queries its services one by one
/// needs only one call.
fn ask_units(host: &(impl Processes + Clock + ?Sized), names: &[&str]) -> Result<Vec<(String, ServiceState)>> {
    let fixed = [
        "systemctl",
        "show",
        "--no-pager",
        "--property=Id,LoadState,ActiveState,SubState,UnitFileState,MainPID,FragmentPath,NeedDaemonReload",
        "--",
    ];
    let argv = fixed.iter().chain(names).chain(&["*.service"]).map(|word| word.as_bytes().to_vec());
    let found = parse_systemctl_show(&ask(host, CommandSpec::argv(argv))?);
    let mut units = Vec::new();
    for (index, state) in found.into_iter().enumerate() {
        match names.get(index) {
            Some(name) => units.push(((*name).to_string(), state)),
            None => {
                units.extend(state.id.strip_suffix(".service").map(|name| (name.to_string(), state.clone())));
                units.push((state.id.clone(), state));
            }
        }
    }
    Ok(units)
}

/// Runs a tool, and notes for the debug log what it returned.
fn run_noted(host: &(impl Processes + Clock + ?Sized), spec: &CommandSpec) -> Result<CommandOutput> {
    let started = host.monotonic_ns();
    let output = run(host, spec)?;
    let shown = || String::from_utf8_lossy(&spec.program.to_argv().join(&b' ')).into_owned();
    note_ended(host, &shown, started, &output);
    Ok(output)
}

/// The output of a tool in the C locale; if it fails, `EIO` with its name.
fn ask(host: &(impl Processes + Clock + ?Sized), spec: CommandSpec) -> Result<Vec<u8>> {
    let spec = spec.captured().with_env("LC_ALL", "C").with_timeout(Duration::from_secs(120));
    let output = run_noted(host, &spec)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(HostError::at(nix::libc::EIO, "query", spec.program.to_argv().first().map_or(b"", Vec::as_slice)))
}

/// The packages that provide names, from `apt-cache showpkg`, which fails if it knows none of them.
fn ask_providers(host: &(impl Processes + Clock + ?Sized), names: &[String]) -> Result<BTreeMap<String, Vec<String>>> {
    let words = ["apt-cache", "showpkg", "--"].into_iter().chain(names.iter().map(String::as_str));
    let spec = CommandSpec::argv(words.map(|word| word.as_bytes().to_vec()));
    let output = run_noted(host, &spec.captured().with_env("LC_ALL", "C").with_timeout(Duration::from_secs(120)))?;
    Ok(parse_apt_showpkg(&output.stdout))
}

/// Parses lines `NAME EPOCH VERSION RELEASE ARCHITECTURE` of an `rpm` query.
pub fn parse_rpm_list(output: &[u8]) -> Vec<Rpm> {
    let text = String::from_utf8_lossy(output);
    let lines = text.lines().map(|line| line.split_whitespace().map(str::to_string).collect::<Vec<_>>());
    let package = |words: Vec<String>| {
        let [name, epoch, version, release, architecture] = <[String; 5]>::try_from(words).ok()?;
        let epoch = if epoch == "(none)" { "0".to_string() } else { epoch };
        Some(Rpm { name, epoch, version, release, architecture })
    };
    lines.filter_map(package).collect()
}

/// Parses `apt-cache showpkg NAME…`: for each name the packages that provide it, sorted; names without any are omitted.
pub fn parse_apt_showpkg(output: &[u8]) -> BTreeMap<String, Vec<String>> {
    let text = String::from_utf8_lossy(output);
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut name, mut in_providers) = (String::new(), false);
    for line in text.lines() {
        if let Some(package) = line.strip_prefix("Package: ") {
            (name, in_providers) = (package.trim().to_string(), false);
        } else if let Some(rest) = line.strip_prefix("Reverse Provides:") {
            in_providers = rest.trim().is_empty();
        } else if let Some(provider) = line.split_whitespace().next().filter(|_| in_providers) {
            let providers = found.entry(name.clone()).or_default();
            if !providers.iter().any(|known| known == provider) {
                providers.push(provider.to_string());
            }
        }
    }
    found.values_mut().for_each(|providers| providers.sort_unstable());
    found
}

/// Parses the entries of a dpkg status file, which is read in chunks; entries without a name are omitted.
#[derive(Default)]
struct DpkgEntries {
    packages: Vec<Package>,
    package: Package,
    /// The start of a line that continues in the next chunk.
    begun: Vec<u8>,
}

impl DpkgEntries {
    fn feed(&mut self, part: &[u8]) {
        let mut rest = part;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if self.begun.is_empty() {
                self.line(line);
            } else {
                self.begun.extend_from_slice(line);
                let begun = std::mem::take(&mut self.begun);
                self.line(&begun);
            }
        }
        self.begun.extend_from_slice(rest);
    }

    fn line(&mut self, line: &[u8]) {
        match line.first() {
            None => {
                if !self.package.name.is_empty() {
                    self.packages.push(std::mem::take(&mut self.package));
                }
                return;
            }
            // the first letters of the fields that are used; most of the file is other fields
            Some(b'P' | b'V' | b'A' | b'S') => {}
            Some(_) => return,
        }
        let Some(colon) = memchr::memchr(b':', line) else { return };
        let package = &mut self.package;
        let slot = match &line[..colon] {
            b"Package" => &mut package.name,
            b"Version" => &mut package.version,
            b"Architecture" => &mut package.architecture,
            b"Provides" => &mut package.provides,
            b"Status" => {
                let status = String::from_utf8_lossy(&line[colon + 1..]);
                let mut words = status.split_whitespace().map(str::to_string);
                package.want = words.next().unwrap_or_default();
                package.flag = words.next().unwrap_or_default();
                package.state = words.next().unwrap_or_default();
                return;
            }
            _ => return,
        };
        *slot = String::from_utf8_lossy(line[colon + 1..].trim_ascii()).into_owned();
    }

    fn finish(mut self) -> Vec<Package> {
        let last = std::mem::take(&mut self.begun);
        self.line(&last);
        self.line(b"");
        self.packages
    }
}

/// Parses the output of `apt-cache policy NAME…`.
pub fn parse_apt_policy(output: &[u8]) -> BTreeMap<String, Candidate> {
    let text = String::from_utf8_lossy(output);
    let mut found: BTreeMap<String, Candidate> = BTreeMap::new();
    let mut name = None;
    let version = |text: &str| (text.trim() != "(none)").then(|| text.trim().to_string());
    for line in text.lines() {
        if !line.starts_with(' ') {
            name = line.strip_suffix(':').map(str::to_string);
            if let Some(name) = &name {
                found.insert(name.clone(), Candidate::default());
            }
            continue;
        }
        let Some(entry) = name.as_ref().and_then(|name| found.get_mut(name)) else { continue };
        if let Some(rest) = line.strip_prefix("  Installed:") {
            entry.installed = version(rest);
        } else if let Some(rest) = line.strip_prefix("  Candidate:") {
            entry.candidate = version(rest);
        } else if (line.starts_with("     ") || line.starts_with(" *** ")) && !line.starts_with("      ") {
            // ` *** 1.2-3 500` or `     1.2-3 500`; lines of sources are indented more.
            entry.versions.extend(line[5..].split_whitespace().next().map(str::to_string));
        }
    }
    found
}

/// Parses the blocks of `systemctl show UNIT…`, in the order of the arguments.
pub fn parse_systemctl_show(output: &[u8]) -> Vec<ServiceState> {
    let text = String::from_utf8_lossy(output);
    text.trim_end().split("\n\n").filter(|block| !block.is_empty()).map(service_state).collect()
}

fn service_state(block: &str) -> ServiceState {
    let mut state = ServiceState::default();
    for (key, value) in block.lines().filter_map(|line| line.split_once('=')) {
        match key {
            "Id" => state.id = value.to_string(),
            "LoadState" => state.load = value.to_string(),
            "ActiveState" => state.active = value.to_string(),
            "SubState" => state.sub = value.to_string(),
            "UnitFileState" => state.unit_file = value.to_string(),
            "FragmentPath" => state.fragment = value.to_string(),
            "MainPID" => state.main_pid = value.parse().unwrap_or(0),
            "NeedDaemonReload" => state.need_reload = value == "yes",
            _ => {}
        }
    }
    state
}

/// Parses /proc/mounts, with octal escapes decoded.
pub fn parse_mounts(data: &[u8]) -> Vec<Mount> {
    data.split(|&b| b == b'\n')
        .filter_map(|line| {
            let mut parts = line.split(|&b| b == b' ').map(unescape_octal);
            Some(Mount { device: parts.next()?, point: parts.next()?, kind: parts.next()?, options: parts.next()? })
        })
        .collect()
}

fn unescape_octal(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        match rest {
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', tail @ ..] => {
                plain.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = tail;
            }
            _ => {
                plain.push(*first);
                rest = tail;
            }
        }
    }
    plain
}

/// The full name of a unit, by systemctl's rule: `ssh` is `ssh.service`, `a.timer` is unchanged.
pub fn unit_name(name: &str) -> String {
    const TYPES: [&str; 11] =
        ["service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope"];
    match name.rsplit_once('.') {
        Some((_, kind)) if TYPES.contains(&kind) => name.to_string(),
        _ => format!("{name}.service"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dpkg_status() {
        let data = b"Package: a\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1:2-3\n\
                     Description: x\n Package: not\n\nPackage: b\nStatus: deinstall ok config-files\nVersion: 4\n";
        let mut entries = DpkgEntries::default();
        entries.feed(data);
        let packages = entries.finish();
        assert_eq!(packages.len(), 2);
        assert_eq!((packages[0].version.as_str(), packages[0].installed()), ("1:2-3", true));
        assert_eq!((packages[1].want.as_str(), packages[1].state.as_str()), ("deinstall", "config-files"));
        for at in 0..data.len() {
            let mut entries = DpkgEntries::default();
            entries.feed(&data[..at]);
            entries.feed(&data[at..]);
            assert_eq!(entries.finish(), packages, "in parts of which the first has {at} bytes");
        }
    }

    #[test]
    fn apt_policy() {
        let output = b"bash:\n  Installed: 5.2-1\n  Candidate: 5.2-2\n  Version table:\n     5.2-2 500\n        500 \
                       http://x y/main amd64 Packages\n *** 5.2-1 100\n        100 /var/lib/dpkg/status\nnone:\n  \
                       Installed: (none)\n  Candidate: (none)\n  Version table:\n";
        let found = parse_apt_policy(output);
        assert_eq!(found["bash"].candidate.as_deref(), Some("5.2-2"));
        assert_eq!(found["bash"].versions, ["5.2-2", "5.2-1"]);
        assert_eq!(found["none"], Candidate::default());
    }

    #[test]
    fn apt_showpkg() {
        let output = b"Package: mail-transport-agent\nVersions: \n\nReverse Depends: \n  x,mail-transport-agent\n\
                       Provides: \nReverse Provides: \npostfix 3.7 (= )\nexim4 4.96 (= )\npostfix 3.6 (= )\n\
                       Package: hello\nProvides: \n2.10 - \nReverse Provides: \n";
        let found = parse_apt_showpkg(output);
        assert_eq!(found["mail-transport-agent"], ["exim4", "postfix"]);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn rpm_list() {
        let found = parse_rpm_list(b"bash (none) 5.2 3.el9 x86_64\nperl 4 5.32 1 noarch\nnot a package\n");
        assert_eq!((found[0].epoch.as_str(), found[1].epoch.as_str(), found.len()), ("0", "4", 2));
    }

    #[test]
    fn systemctl_show() {
        let output = b"Id=ssh.service\nLoadState=loaded\nActiveState=active\nMainPID=12\nNeedDaemonReload=no\n\n\
                       Id=nope.service\nLoadState=not-found\nActiveState=inactive\n";
        let states = parse_systemctl_show(output);
        assert_eq!((states[0].main_pid, states[1].load.as_str()), (12, "not-found"));
    }

    #[test]
    fn mounts() {
        let mounts = parse_mounts(b"/dev/a /mnt/with\\040blank ext4 rw,noatime 0 0\n");
        assert_eq!(mounts[0].point, b"/mnt/with blank");
    }
}
