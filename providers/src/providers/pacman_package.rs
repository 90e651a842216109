//! `pacman_package`: packages of Arch Linux. One `pacman -Sl` lists the available and installed versions.

use super::packages::{self, Item, PACKAGE, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Assertion, Change, ChangeError};
use rchef_host::{Host, compose};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct PacmanPackage;

/// What a `pacman_package` resource asks for.
pub(crate) struct Desired {
    wish: Wish,
}

/// The repositories in pacman's configuration; its defaults without one.
fn repositories(host: &dyn Host) -> Vec<String> {
    match compose::read_file(host, b"/etc/pacman.conf") {
        Ok(text) => {
            let text = lossy(&text);
            let sections = text.lines().filter_map(|line| line.trim().strip_prefix('[')?.split_once(']'));
            sections.map(|(name, _)| name.to_string()).collect()
        }
        Err(_) => ["extra", "core", "community"].map(str::to_string).to_vec(),
    }
}

/// Parses a line `REPOSITORY NAME VERSION [installed: VERSION]`: candidate and installed version.
fn listed(line: &str, repositories: &[String], name: &str) -> Option<(String, Option<String>)> {
    let mut words = line.splitn(4, ' ');
    let (repository, package, candidate) = (words.next()?, words.next()?, words.next()?);
    if package != name || !repositories.iter().any(|known| known == repository) {
        return None;
    }
    let installed = words.next().and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
    let version = |text: &str| text.split_once(": ").map_or(candidate.to_string(), |(_, version)| version.to_string());
    Some((candidate.to_string(), installed.map(version)))
}

impl Provider for PacmanPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let wish = Wish::read(vm, resource, action)?;
        wish.check_source(vm, resource)?;
        Ok(Desired { wish })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let wish = &desired.wish;
        if wish.unfit().is_some() {
            return Ok(Vec::new());
        }
        let output = wish.query(&["pacman", "-Sl"]).query(host)?;
        if !matches!(output.status.code(), Some(0 | 1)) {
            let text = format!("pacman failed - {}!", lossy(&output.stderr).trim());
            return Err(ChangeError::raise(PACKAGE, text));
        }
        let (text, repositories) = (lossy(&output.stdout), repositories(host));
        let mut items = Vec::new();
        for (name, wanted) in &wish.packages {
            let found = text.lines().find_map(|line| listed(line, &repositories, name));
            let Some((candidate, current)) = found else {
                let text = format!("pacman does not have a version of package {name}");
                return Err(ChangeError::raise(PACKAGE, text));
            };
            let (name, wanted) = (name.clone(), wanted.clone());
            items.push(Item { name, wanted, current, candidate: Some(candidate), ..Item::default() });
        }
        Ok(items)
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let mut failed = packages::requirements(&desired.wish, items);
        // pacman cannot be given a version: it installs the one that it has
        let other = |item: &&Item| !item.is_satisfied() && item.wanted.is_some() && item.wanted != item.candidate;
        if let Some(item) = items.iter().find(other).filter(|_| desired.wish.verb == PackageVerb::Install) {
            let word = |text: &Option<String>| text.clone().unwrap_or_default();
            let (name, wanted, candidate) = (&item.name, word(&item.wanted), word(&item.candidate));
            let text = format!("pacman has version {candidate} of package {name}, not {wanted}");
            let assume = format!("Assuming a repository that offers {name} {wanted} would have been configured");
            failed.push(Assertion::new(PACKAGE, text).assuming(assume));
        }
        failed.extend(packages::no_environment(&desired.wish));
        Ok(failed)
    }

    fn plan(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Change>> {
        let wish = &desired.wish;
        packages::plan(wish, items, Manager::Pacman, &packages::only_equal, |due| {
            let verb = match wish.verb {
                PackageVerb::Install | PackageVerb::Upgrade => "--sync",
                _ => "--remove",
            };
            let mut words = ["pacman", verb, "--noconfirm", "--noprogressbar"].map(str::to_string).to_vec();
            words.extend(wish.options.iter().cloned());
            words.extend(due.iter().map(|(item, _)| item.name.clone()));
            Ok(vec![wish.command(words)])
        })
    }

    package_provider!("Package::Pacman");
}
