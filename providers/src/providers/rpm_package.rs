//! `rpm_package`: package files, installed with rpm.

use super::packages::{self, Item, PACKAGE, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Assertion, Change};
use rchef_host::{Host, compose};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct RpmPackage;

/// What an `rpm_package` resource asks for.
pub(crate) struct Desired {
    wish: Wish,
    /// One of the resource's actions is an installation, which needs a file.
    needs_source: bool,
}

/// Whether rpm downloads the file itself.
fn is_address(source: &str) -> bool {
    let scheme = source.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| ["http", "https", "ftp", "file"].contains(&scheme.as_str()))
}

impl Desired {
    fn source(&self, host: &dyn Host) -> Option<String> {
        self.wish.resolved_sources(host).into_iter().next().flatten()
    }
    /// Whether the package file exists, if one is needed.
    fn is_there(&self, host: &dyn Host) -> bool {
        match self.source(host) {
            Some(source) => is_address(&source) || compose::exists(host, source.as_bytes()),
            None => !self.needs_source,
        }
    }
}

impl Provider for RpmPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let actions = list(vm, resource, "action")?;
        let needs_source = action == "install" || actions.iter().any(|action| action == "install");
        Ok(Desired { wish: Wish::read(vm, resource, action)?, needs_source })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let wish = &desired.wish;
        let Some((name, wanted)) = wish.packages.first() else { return Ok(Vec::new()) };
        let mut item = Item { name: name.clone(), wanted: wanted.clone(), ..Item::default() };
        if wish.unfit().is_some() || !desired.is_there(host) {
            return Ok(vec![item]);
        }
        if let Some(source) = desired.source(host)
            && let Some(found) = packages::rpm_file(wish, host, &source)?
        {
            let version = packages::rpm_version(&found);
            (item.wanted, item.candidate) = (Some(version.clone()), Some(version));
            item.real = Some(found.name);
        }
        item.current = Manager::Rpm.installed(host, item.real())?.pop();
        Ok(vec![item])
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let wish = &desired.wish;
        let mut failed = Vec::new();
        if desired.is_there(host) || wish.unfit().is_some() {
            failed = packages::requirements(wish, items);
        }
        if failed.is_empty() && !desired.is_there(host) {
            let source = desired.source(host).unwrap_or_default();
            let name = &wish.shown;
            let text = format!("Package {name} not found: {source}");
            let assume = format!("Assuming package {name} would have been made available.");
            failed.push(Assertion::new(PACKAGE, text).assuming(assume));
        }
        Ok(failed)
    }

    fn plan(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Change>> {
        let wish = &desired.wish;
        if !desired.is_there(host) {
            return Ok(Vec::new());
        }
        let compare = |left: &str, right: &str| Ok(packages::compare_rpm(left, right));
        packages::plan(wish, items, Manager::Rpm, &compare, |due| {
            let mut words = vec!["rpm".to_string()];
            words.extend(wish.options.iter().cloned());
            for (item, _) in due {
                if wish.verb == PackageVerb::Remove {
                    let version = wish.version.as_ref().map_or(String::new(), |version| format!("-{version}"));
                    words.extend(["-e".to_string(), format!("{}{version}", item.real())]);
                    continue;
                }
                words.push(if item.current.is_some() { "-U".into() } else { "-i".into() });
                if item.current.is_some() && wish.may_downgrade {
                    words.push("--oldpackage".into());
                }
                words.extend(desired.source(host));
            }
            Ok(vec![wish.command(words)])
        })
    }

    package_provider!("Package::Rpm");
}
