//! `zypper_package`: packages of the SUSE family. Installed packages are read from rpm's database, available ones are queried with zypper.

use super::packages::{self, Item, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Assertion, Change};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct ZypperPackage;

/// What a `zypper_package` resource asks for.
pub(crate) struct Desired {
    wish: Wish,
    global_options: Vec<String>,
    /// Check package signatures.
    gpg_check: bool,
}

/// Whether a version is the wanted one, which may leave out the release.
fn is_version(version: &str, wanted: &str) -> bool {
    version.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// The version in the first matching row of `zypper search -s`: `STATUS | NAME | TYPE | VERSION | ARCH | REPOSITORY`.
fn first_version(text: &str, wanted: Option<&str>) -> Option<String> {
    let version = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells[..] {
            [_, _, _, version, _, _] if version != "Version" && !version.is_empty() => Some(version.to_string()),
            _ => None,
        }
    };
    text.lines().filter_map(version).find(|version| wanted.is_none_or(|wanted| is_version(version, wanted)))
}

/// The names in `zypper locks`.
fn locked(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.split('|').nth(1)).map(|name| name.trim().to_string()).collect()
}

impl Desired {
    fn candidate(&self, host: &dyn Host, name: &str, wanted: Option<&str>) -> Looked<Option<String>> {
        let spec = wanted.map_or(name.to_string(), |wanted| format!("{name}={wanted}"));
        let words =
            ["zypper", "--non-interactive", "search", "-s", "--provides", "--match-exact", "--type=package", &spec];
        // a search without results has an error status
        let output = self.wish.query(&words).query(host)?;
        Ok(first_version(&lossy(&output.stdout), wanted).filter(|_| output.status.success()))
    }

    fn item(&self, host: &dyn Host, name: &str, wanted: Option<&str>, source: Option<&str>) -> Looked<Item> {
        let wish = &self.wish;
        let mut item = Item { name: name.into(), wanted: wanted.map(str::to_string), ..Item::default() };
        if let Some(source) = source.filter(|source| rchef_host::compose::exists(host, source.as_bytes()))
            && let Some(file) = packages::rpm_file(wish, host, source)?
        {
            item.candidate = Some(packages::rpm_version(&file));
            item.real = Some(file.name);
        }
        item.current = Manager::Rpm.installed(host, item.real())?.pop();
        if let (Some(current), Some(wanted)) = (&item.current, wanted)
            && is_version(current, wanted)
        {
            item.wanted = Some(current.clone());
        }
        if wish.installs() && item.candidate.is_none() && item.is_due(wish.verb == PackageVerb::Upgrade) {
            item.candidate = self.candidate(host, name, wanted)?;
        }
        Ok(item)
    }

    fn words(&self, due: &[(&Item, Option<&str>)]) -> Vec<String> {
        let wish = &self.wish;
        let verb = match wish.verb {
            PackageVerb::Install | PackageVerb::Upgrade => "install",
            PackageVerb::Remove | PackageVerb::Purge => "remove",
            PackageVerb::Lock => "addlock",
            _ => "removelock",
        };
        let mut words = vec!["zypper".to_string()];
        words.extend(self.global_options.iter().cloned());
        words.push("--non-interactive".into());
        if !self.gpg_check {
            words.push("--no-gpg-checks".into());
        }
        words.push(verb.into());
        words.extend(wish.options.iter().cloned());
        if wish.installs() {
            words.push("--auto-agree-with-licenses".into());
            if wish.may_downgrade {
                words.push("--oldpackage".into());
            }
        }
        if wish.verb == PackageVerb::Purge {
            words.push("--clean-deps".into());
        }
        if !wish.sources.is_empty() {
            words.extend(wish.sources.iter().cloned());
            return words;
        }
        let spec = |(item, to): &(&Item, Option<&str>)| {
            let version = if wish.installs() { to.map(str::to_string) } else { item.wanted.clone() };
            version.map_or(item.name.clone(), |version| format!("{}={version}", item.name))
        };
        words.extend(due.iter().map(spec));
        words
    }
}

impl Provider for ZypperPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge", "lock", "unlock"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let wish = Wish::read(vm, resource, action)?;
        wish.check_source(vm, resource)?;
        let global_options = list(vm, resource, "global_options")?;
        Ok(Desired { wish, global_options, gpg_check: flag(vm, resource, "gpg_check")? })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let wish = &desired.wish;
        if wish.unfit().is_some() {
            return Ok(Vec::new());
        }
        let mut items = Vec::new();
        for (index, (name, wanted)) in wish.packages.iter().enumerate() {
            let source = wish.sources.get(index).map(String::as_str);
            items.push(desired.item(host, name, wanted.as_deref(), source)?);
        }
        if matches!(wish.verb, PackageVerb::Lock | PackageVerb::Unlock) {
            let output = wish.query(&["zypper", "locks"]).run(host)?;
            let locked = locked(&lossy(&output.stdout));
            for item in &mut items {
                item.held = locked.contains(&item.name);
            }
        }
        Ok(items)
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let wish = &desired.wish;
        let mut failed = packages::requirements(wish, items);
        if failed.is_empty() && wish.installs() && !wish.sources.is_empty() {
            failed.extend(packages::missing_files(wish, &wish.resolved_sources(host), host));
        }
        failed.extend(packages::no_environment(wish));
        Ok(failed)
    }

    fn plan(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Change>> {
        let compare = |left: &str, right: &str| Ok(packages::compare_rpm(left, right));
        packages::plan(&desired.wish, items, Manager::Rpm, &compare, |due| {
            Ok(vec![desired.wish.command(desired.words(due))])
        })
    }

    package_provider!("Package::Zypper");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let text = "Loading repository data...\nS  | Name | Type    | Version | Arch   | Repository\n\
                    ---+------+---------+---------+--------+-----------\n\
                    v  | vim  | package | 9.1-1.1 | x86_64 | Main\n   | vim  | package | 9.0-2.3 | x86_64 | Old\n";
        assert_eq!(first_version(text, None).as_deref(), Some("9.1-1.1"));
        assert_eq!(first_version(text, Some("9.0")).as_deref(), Some("9.0-2.3"));
        assert_eq!(first_version(text, Some("9.0-2")), None);
        assert_eq!(locked("# | Name | Type\n--+------+--\n1 | vim  | package\n"), ["Name", "vim"]);
    }
}
