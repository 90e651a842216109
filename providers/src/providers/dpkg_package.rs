//! `dpkg_package`: Debian package files, installed with dpkg.

use super::debconf;
use super::packages::{self, Item, PACKAGE, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Assertion, Change, Command};
use rchef_host::{Host, compose};
use rchef_ruby::{Res, Value, Vm};
use std::cmp::Ordering;

pub(crate) struct DpkgPackage;

/// What a `dpkg_package` resource asks for.
pub(crate) struct Desired {
    wish: Wish,
    /// A file of answers that debconf gets first.
    seed: Option<String>,
}

/// The installed version; for a purge also that of a package of which only configuration files are left.
fn installed(desired: &Desired, host: &dyn Host, name: &str) -> Looked<Option<String>> {
    let purges = desired.wish.verb == PackageVerb::Purge;
    let found = host.package(name)?;
    let found = found.filter(|package| package.installed() || purges && package.state == "config-files");
    Ok(found.map(|package| package.version))
}

/// Compares versions as dpkg does.
fn compare(host: &dyn Host, left: &str, right: &str) -> Looked<Ordering> {
    let is = |operator: &str| -> Looked<bool> {
        let words = ["dpkg", "--compare-versions", left, operator, right];
        Ok(Command { until_exit: false, ..Command::system(words) }.query(host)?.status.success())
    };
    Ok(match () {
        () if is("gt")? => Ordering::Greater,
        () if is("eq")? => Ordering::Equal,
        () => Ordering::Less,
    })
}

impl Provider for DpkgPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge", "reconfig"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        Ok(Desired { wish: Wish::read(vm, resource, action)?, seed: None })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let wish = &desired.wish;
        let sources = wish.resolved_sources(host);
        let is_there =
            |source: &Option<String>| source.as_ref().is_some_and(|source| compose::exists(host, source.as_bytes()));
        let all_there = sources.iter().all(is_there) && wish.unfit().is_none();
        let mut items = Vec::new();
        for (index, (name, wanted)) in wish.packages.iter().enumerate() {
            let mut item = Item { name: name.clone(), wanted: wanted.clone(), ..Item::default() };
            match sources.get(index) {
                Some(Some(source)) if all_there => {
                    let output = wish.query(&["dpkg-deb", "-W", source]).run(host)?;
                    let text = lossy(&output.stdout);
                    let mut parts = text.trim_end().split('\t').map(str::to_string);
                    (item.real, item.candidate) = (parts.next(), parts.next());
                    item.current = installed(desired, host, item.real())?;
                }
                // without the file, the package's name is not known
                _ if wish.installs() => {}
                _ => item.current = installed(desired, host, name)?,
            }
            items.push(item);
        }
        Ok(items)
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let wish = &desired.wish;
        let sources = wish.resolved_sources(host);
        if let Some(failed) = wish.unfit().filter(|_| !wish.installs() || sources.iter().any(Option::is_some)) {
            return Ok(vec![failed]);
        }
        if !wish.installs() {
            return Ok(Vec::new());
        }
        if sources.iter().all(Option::is_none) {
            let text = format!("{} the source property is required for action :install or :upgrade", wish.resource);
            let mut failed = packages::requirements(wish, items);
            failed.push(Assertion::new(PACKAGE, text));
            return Ok(failed);
        }
        if let Some(failed) = packages::missing_files(wish, &sources, host) {
            return Ok(vec![failed]);
        }
        Ok(packages::requirements(wish, items))
    }

    fn complete(vm: &mut Vm, resource: &Value, desired: &mut Desired, items: &Vec<Item>) -> Res<()> {
        desired.seed = debconf::seed_for(vm, resource, &desired.wish, items, &compare)?;
        Ok(())
    }

    fn plan(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Change>> {
        let wish = &desired.wish;
        let answers = match &desired.seed {
            Some(seed) => Some(debconf::change(wish, &debconf::due(host, wish, items, &compare)?, seed)),
            None => None,
        };
        if wish.verb == PackageVerb::Reconfigure {
            return Ok(answers.into_iter().collect());
        }
        let sources = wish.resolved_sources(host);
        let source = |item: &Item| {
            let index = items.iter().position(|known| std::ptr::eq(known, item))?;
            sources.get(index).cloned().flatten()
        };
        let compare = |left: &str, right: &str| compare(host, left, right);
        let changes = packages::plan(wish, items, Manager::Dpkg, &compare, |due| {
            let flag = match wish.verb {
                PackageVerb::Remove => "-r",
                PackageVerb::Purge => "-P",
                _ => "-i",
            };
            let mut words = vec!["dpkg".to_string(), flag.to_string()];
            words.extend(wish.options.iter().cloned());
            match wish.installs() {
                true => words.extend(due.iter().filter_map(|(item, _)| source(item))),
                false => words.extend(due.iter().map(|(item, _)| item.real().to_string())),
            }
            let command = wish.command(words);
            let set = command.env.contains_key(&b"DEBIAN_FRONTEND"[..]);
            Ok(vec![if set { command } else { command.with_env("DEBIAN_FRONTEND", "noninteractive") }])
        })?;
        Ok(answers.into_iter().chain(changes).collect())
    }

    package_provider!("Package::Dpkg");
}
