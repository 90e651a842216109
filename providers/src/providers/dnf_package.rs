//! `dnf_package`, and what `yum_package` shares with it. Installed packages are read from rpm's database, available ones are queried with the
//! program.

use super::dnf_locks::Locks;
use super::packages::{self, Item, PACKAGE, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Assertion, Change, Command};
use rchef_host::queries::{Rpm, parse_rpm_list};
use rchef_host::{Host, compose};
use rchef_ruby::{Res, Value, Vm};
use rchef_text::fnmatch::{DOTMATCH, NOESCAPE, fnmatch};
use std::cmp::Ordering;

pub(crate) struct DnfPackage;

/// What a `dnf_package` or `yum_package` resource asks for.
pub(crate) struct Desired {
    pub wish: Wish,
    /// Architectures, one for each package.
    arches: Vec<String>,
}

/// The version as dnf and Chef write it.
pub(crate) fn shown(rpm: &Rpm) -> String {
    format!("{}:{}-{}.{}", rpm.epoch, rpm.version, rpm.release, rpm.architecture)
}

/// Whether a text matches one of dnf's patterns (fnmatch(3)).
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    fnmatch(pattern.as_bytes(), text.as_bytes(), DOTMATCH | NOESCAPE)
}

/// Whether a package has the version that a resource names: `[EPOCH:]VERSION[-RELEASE]`, where each part may be a pattern.
fn is_of_version(rpm: &Rpm, wanted: &str) -> bool {
    let (epoch, rest) = wanted.split_once(':').map_or((None, wanted), |(epoch, rest)| (Some(epoch), rest));
    let (version, release) = rest.rsplit_once('-').map_or((rest, None), |(version, release)| (version, Some(release)));
    epoch.is_none_or(|epoch| matches(epoch, &rpm.epoch))
        && matches(version, &rpm.version)
        && release.is_none_or(|release| matches(release, &rpm.release))
}

/// The installed packages for a name: a package's name, perhaps with version or architecture, else something that packages provide.
fn installed(wish: &Wish, host: &dyn Host, name: &str) -> Looked<Vec<Rpm>> {
    let found = host.rpm(name)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let with_arch = name.rsplit_once('.');
    if let Some((name, arch)) = with_arch {
        let found: Vec<Rpm> = host.rpm(name)?.into_iter().filter(|rpm| rpm.architecture == arch).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // NAME-VERSION and NAME-VERSION-RELEASE, with an architecture or without
    for (text, arch) in [(Some(name), None), (with_arch.map(|(name, _)| name), with_arch.map(|(_, arch)| arch))] {
        let Some(text) = text else { continue };
        for (at, _) in text.rmatch_indices('-').take(2) {
            let fits = |rpm: &Rpm| {
                is_of_version(rpm, &text[at + 1..]) && arch.is_none_or(|arch| matches(arch, &rpm.architecture))
            };
            let found: Vec<Rpm> = host.rpm(&text[..at])?.into_iter().filter(fits).collect();
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    let format = "%{NAME} %{EPOCH} %{VERSION} %{RELEASE} %{ARCH}\\n";
    let (capability, version) = match name.split_once(' ') {
        Some((capability, condition)) => (capability, Some(condition.trim())),
        None => (name, None),
    };
    let output = wish.query(&["rpm", "-q", "--whatprovides", "--queryformat", format, capability]).query(host)?;
    let mut found = if output.status.success() { parse_rpm_list(&output.stdout) } else { Vec::new() };
    found.retain(|rpm| version.is_none_or(|condition| meets(rpm, condition)));
    Ok(found)
}

/// Whether a package satisfies a condition such as `>= 1.2`.
fn meets(rpm: &Rpm, condition: &str) -> bool {
    let (operator, version) = condition.split_once(' ').unwrap_or(("=", condition));
    let order = packages::compare_rpm(&format!("{}:{}-{}", rpm.epoch, rpm.version, rpm.release), version.trim());
    match operator {
        ">=" => order != Ordering::Less,
        "<=" => order != Ordering::Greater,
        ">" => order == Ordering::Greater,
        "<" => order == Ordering::Less,
        _ => order == Ordering::Equal,
    }
}

/// The newest of several packages, preferring those of the machine's architecture and `noarch`.
fn best(host: &dyn Host, found: Vec<Rpm>) -> Option<Rpm> {
    let machine = host.uname().ok().map(|uname| uname.machine).unwrap_or_default();
    let is_native = |rpm: &Rpm| rpm.architecture == "noarch" || rpm.architecture == machine;
    let any_native = found.iter().any(is_native);
    let evr = |rpm: &Rpm| format!("{}:{}-{}", rpm.epoch, rpm.version, rpm.release);
    let fitting = found.into_iter().filter(|rpm| !any_native || is_native(rpm));
    fitting.max_by(|left, right| packages::compare_rpm(&evr(left), &evr(right)))
}

/// The options of the resource that select repositories.
pub(crate) fn repository_options(options: &[String]) -> Vec<String> {
    let names = ["--enablerepo", "--disablerepo", "--repo", "--repoid"];
    let mut kept = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        if names.contains(&option.as_str()) {
            kept.push(option.clone());
            kept.extend(options.next().cloned());
        } else if names.iter().any(|name| option.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))) {
            kept.push(option.clone());
        }
    }
    kept
}

/// Queries a program for available packages by name, which may include version and architecture. The last argument: include older versions than the
/// newest.
pub(crate) type Available<'a> = &'a dyn Fn(&Wish, &dyn Host, &str, bool) -> Looked<Vec<Rpm>>;

impl Desired {
    pub fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let wish = Wish::read(vm, resource, action)?;
        if wish.packages.len() > 1 {
            wish.check_source(vm, resource)?;
        }
        Ok(Desired { wish, arches: list(vm, resource, "arch")? })
    }

    /// The package file. A name that is a path is only taken for one if it is an rpm file, since packages can also be named by a file that they
    /// contain.
    pub fn source(&self, host: &dyn Host) -> Option<String> {
        let named = || {
            let path = self.wish.resolved_sources(host).into_iter().next().flatten();
            path.filter(|path| path.ends_with(".rpm") || packages::is_rpm(host, path))
        };
        self.wish.sources.first().cloned().or_else(named)
    }

    /// The state of one package.
    fn item(&self, host: &dyn Host, index: usize, available: Available<'_>) -> Looked<Item> {
        let wish = &self.wish;
        let (name, wanted) = wish.packages[index].clone();
        let mut item = Item { name: name.clone(), wanted, ..Item::default() };
        let arch = self.arches.get(index).filter(|arch| !arch.is_empty());
        let source = self.source(host).filter(|source| compose::exists(host, source.as_bytes()));
        if source.is_none() && !wish.sources.is_empty() {
            // without the file, the package's name is not known
            return Ok(item);
        }
        let file = match &source {
            Some(source) => packages::rpm_file(wish, host, source)?,
            None => None,
        };
        let asked = file.as_ref().map_or(name.clone(), |file| file.name.clone());
        let mut found = installed(wish, host, &asked)?;
        found.retain(|rpm| arch.is_none_or(|arch| matches(arch, &rpm.architecture)));
        let fitting: Vec<Rpm> = found
            .iter()
            .filter(|rpm| item.wanted.as_ref().is_none_or(|wanted| is_of_version(rpm, wanted)))
            .cloned()
            .collect();
        let fitting = best(host, fitting);
        item.fits = Some(fitting.is_some());
        let current = best(host, found);
        item.real = fitting.as_ref().or(current.as_ref()).map(|rpm| rpm.name.clone());
        item.current = fitting.as_ref().filter(|_| !wish.installs()).or(current.as_ref()).map(shown);
        if let Some(file) = &file {
            (item.real, item.candidate) = (Some(file.name.clone()), Some(shown(file)));
        } else if wish.installs() && item.is_due(wish.verb == PackageVerb::Upgrade) {
            let version = item.wanted.as_ref().map_or(String::new(), |wanted| format!("-{wanted}"));
            let spec = format!("{name}{version}{}", arch.map_or(String::new(), |arch| format!(".{arch}")));
            let locks = Locks::load(host)?;
            // dnf 5 leaves files of dnf 4's plugin alone
            let locks = if !locks.is_empty() && is_dnf5(wish, host, "dnf")? { Locks::default() } else { locks };
            let mut offered = available(wish, host, &spec, !locks.is_empty())?;
            locks.apply(&mut offered);
            if let Some(offered) = best(host, offered) {
                (item.candidate, item.real) = (Some(shown(&offered)), Some(offered.name));
            }
        }
        Ok(item)
    }

    /// The state of each package.
    pub fn load(&self, host: &dyn Host, program: &str, available: Available<'_>) -> Looked<Vec<Item>> {
        if self.wish.unfit().is_some() {
            return Ok(Vec::new());
        }
        let mut items = Vec::new();
        for index in 0..self.wish.packages.len() {
            items.push(self.item(host, index, available)?);
        }
        if matches!(self.wish.verb, PackageVerb::Lock | PackageVerb::Unlock) {
            let output = self.wish.query(&[program, "versionlock", "list"]).run(host)?;
            let locked = locked(&lossy(&output.stdout), is_dnf5(&self.wish, host, program)?);
            for item in &mut items {
                item.held = locked.iter().any(|name| name == item.real());
            }
        }
        Ok(items)
    }

    pub fn requirements(&self, items: &[Item], host: &dyn Host) -> Vec<Assertion> {
        let wish = &self.wish;
        let mut failed = packages::requirements(wish, items);
        let keeps = matches!(wish.verb, PackageVerb::Lock | PackageVerb::Unlock);
        if let Some(source) = wish.sources.first()
            && !keeps
            && !compose::exists(host, source.as_bytes())
        {
            let text = format!("Package {} not found: {source}", wish.shown);
            let assume = format!("assuming {source} would have previously been created");
            failed.push(Assertion::new(PACKAGE, text).assuming(assume));
        }
        failed
    }

    /// The command line that installs, removes, locks or unlocks; `verb` is the program's subcommand for installing.
    pub fn command(
        &self,
        host: &dyn Host,
        program: &str,
        verb: &str,
        due: &[(&Item, Option<&str>)],
    ) -> Looked<Command> {
        let wish = &self.wish;
        let mut words = vec![program.to_string()];
        let say = |words: &mut Vec<String>, more: &[&str]| words.extend(more.iter().map(|word| (*word).to_string()));
        let names = due.iter().map(|(item, _)| item.real().to_string());
        match wish.verb {
            PackageVerb::Install | PackageVerb::Upgrade => {
                words.extend(wish.options.iter().cloned());
                say(&mut words, &["-y", verb]);
                match self.source(host) {
                    Some(source) => words.push(source),
                    None => {
                        words.extend(due.iter().map(|(item, to)| format!("{}-{}", item.real(), to.unwrap_or_default())))
                    }
                }
            }
            PackageVerb::Remove | PackageVerb::Purge => {
                words.extend(wish.options.iter().cloned());
                say(&mut words, &["-y", "remove"]);
                let installed = due.iter().filter_map(|(item, _)| Some((item.real(), item.current.as_ref()?)));
                words.extend(installed.map(|(name, version)| format!("{name}-{version}")));
            }
            lock => {
                let is_new = is_dnf5(wish, host, program)?;
                if !is_new {
                    say(&mut words, &["-d0", "-e0"]);
                }
                let unlocks = lock == PackageVerb::Unlock;
                if unlocks || program != "dnf" {
                    say(&mut words, &["-y"]);
                }
                words.extend(wish.options.iter().cloned());
                say(&mut words, &["versionlock", if unlocks { "delete" } else { "add" }]);
                words.extend(names.map(|name| if unlocks && !is_new { format!("*:{name}-*") } else { name }));
            }
        }
        Ok(wish.command(words))
    }
}

/// Whether the program is dnf 5, whose versionlock plugin has a different output.
fn is_dnf5(wish: &Wish, host: &dyn Host, program: &str) -> Looked<bool> {
    if program != "dnf" {
        return Ok(false);
    }
    let output = wish.query(&["dnf", "--version"]).run(host)?;
    Ok(lossy(&output.stdout).to_ascii_lowercase().contains("dnf5"))
}

/// The names in the output of `versionlock list`.
fn locked(text: &str, is_dnf5: bool) -> Vec<String> {
    if is_dnf5 {
        return text
            .lines()
            .filter_map(|line| line.strip_prefix("Package name: "))
            .map(|name| name.trim().into())
            .collect();
    }
    // EPOCH:NAME-VERSION-RELEASE.*, or NAME-EPOCH:VERSION-RELEASE.*
    let name = |line: &str| {
        let (rest, _) = line.trim().rsplit_once('-')?;
        let (name, _) = rest.rsplit_once('-')?;
        Some(name.rsplit(':').next().unwrap_or(name).to_string())
    };
    text.lines().filter_map(name).collect()
}

/// The available packages of a name, else those that provide it.
fn offered(wish: &Wish, host: &dyn Host, spec: &str, older: bool) -> Looked<Vec<Rpm>> {
    // dnf 4 adds a line break of its own, dnf 5 does not
    let format = "%{name} %{epoch} %{version} %{release} %{arch}\\n";
    let options = repository_options(&wish.options);
    for how in [&[][..], &["--whatprovides"]] {
        let mut words = vec!["dnf", "-q", "repoquery", "--available"];
        if !older {
            words.push("--latest-limit=1");
        }
        words.extend(["--queryformat", format]);
        words.extend(options.iter().map(String::as_str));
        words.extend(how);
        words.push(spec);
        let found = parse_rpm_list(&wish.query(&words).run(host)?.stdout);
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

impl Provider for DnfPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] =
        &["install", "upgrade", "remove", "purge", "lock", "unlock", "flush_cache"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let mut desired = Desired::read(vm, resource, action)?;
        if action == "flush_cache" {
            // there is no cache of dnf's answers to flush
            desired.wish.packages.clear();
        }
        Ok(desired)
    }
    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        desired.load(host, "dnf", &offered)
    }
    fn requirements(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(desired.requirements(items, host))
    }
    fn plan(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Change>> {
        let compare = |left: &str, right: &str| Ok(packages::compare_rpm(left, right));
        packages::plan(&desired.wish, items, Manager::Dnf, &compare, |due| {
            Ok(vec![desired.command(host, "dnf", "install", due)?])
        })
    }

    package_provider!("Package::Dnf");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_patterns() {
        let rpm = Rpm {
            name: "x".into(),
            epoch: "0".into(),
            version: "1.2".into(),
            release: "3.el9".into(),
            architecture: "x86_64".into(),
        };
        for wanted in ["1.2", "1.*", "1.2-3.el9", "0:1.2-3*", "?.2"] {
            assert!(is_of_version(&rpm, wanted), "{wanted}");
        }
        for wanted in ["1.3", "1.2-4*", "1:1.2"] {
            assert!(!is_of_version(&rpm, wanted), "{wanted}");
        }
        assert!(meets(&rpm, ">= 1.1") && meets(&rpm, "= 1.2-3.el9") && !meets(&rpm, "> 1.2-3.el9"));
    }

    #[test]
    fn locks() {
        assert_eq!(locked("0:bash-5.1-1.*\nperl-libs-4:5.32-1.el9.*\n", false), ["bash", "perl-libs"]);
        assert_eq!(locked("# Added\nPackage name: bash\nevr = 5.2\n", true), ["bash"]);
    }
}
