//! `yum_package`: like `dnf_package`, but available packages are read from `yum list`, and a downgrade needs its own subcommand.

use super::dnf_package::{Desired, repository_options};
use super::packages::{self, Item, PACKAGE, Wish};
use super::support::*;
use rchef_change::package::Manager;
use rchef_change::{Assertion, Change, ChangeError};
use rchef_host::queries::Rpm;
use rchef_host::{Host, compose};
use rchef_ruby::{Res, Value, Vm};
use std::cmp::Ordering;

pub(crate) struct YumPackage;

/// What a `yum_package` resource asks for.
pub(crate) struct Wanted {
    desired: Desired,
    /// The program named by `yum_binary`.
    program: Option<String>,
}

impl Wanted {
    fn program(&self, host: &dyn Host) -> String {
        let usual = || match compose::exists(host, b"/usr/bin/yum-deprecated") {
            true => "yum-deprecated".to_string(),
            false => "yum".to_string(),
        };
        self.program.clone().unwrap_or_else(usual)
    }
}

/// Parses `yum list`: groups of `NAME.ARCH`, `[EPOCH:]VERSION-RELEASE` and repository, which may be wrapped over several lines, after a heading.
fn parse_list(text: &str) -> Vec<Rpm> {
    let words: Vec<&str> =
        text.split_once("Available Packages").map_or("", |(_, list)| list).split_whitespace().collect();
    let package = |words: &[&str]| {
        let ((name, architecture), evr) = (words[0].rsplit_once('.')?, words[1]);
        let (epoch, rest) = evr.split_once(':').unwrap_or(("0", evr));
        let (version, release) = rest.rsplit_once('-')?;
        let [name, epoch, version, release, architecture] =
            [name, epoch, version, release, architecture].map(str::to_string);
        Some(Rpm { name, epoch, version, release, architecture })
    };
    words.chunks_exact(3).filter_map(package).collect()
}

/// Packages of which several versions can be installed at once, so that an older one is not a downgrade.
fn is_install_only(name: &str) -> bool {
    name == "kernel" || name.starts_with("kernel-")
}

/// The subcommand: `downgrade` if every package is older than the installed one.
fn method(wish: &Wish, due: &[(&Item, Option<&str>)]) -> Looked<&'static str> {
    let is_older = |(item, to): &(&Item, Option<&str>)| match (&item.current, to) {
        (Some(current), Some(to)) => {
            wish.may_downgrade
                && packages::compare_rpm(current, to) == Ordering::Greater
                && !is_install_only(item.real())
        }
        _ => false,
    };
    let older = due.iter().filter(|pair| is_older(pair)).count();
    match older {
        0 => Ok("install"),
        count if count == due.len() => Ok("downgrade"),
        _ => {
            let text = "Multipackage rule has a mix of upgrade and downgrade packages. Cannot proceed.";
            Err(ChangeError::raise(PACKAGE, text))
        }
    }
}

impl Provider for YumPackage {
    type Desired = Wanted;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] =
        &["install", "upgrade", "remove", "purge", "lock", "unlock", "flush_cache"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Wanted> {
        let mut desired = Desired::read(vm, resource, action)?;
        if action == "flush_cache" {
            // there is no cache of yum's answers to flush
            desired.wish.packages.clear();
        }
        Ok(Wanted { desired, program: text_opt(vm, resource, "yum_binary")? })
    }

    fn load(wanted: &Wanted, host: &dyn Host) -> Looked<Vec<Item>> {
        let program = wanted.program(host);
        wanted.desired.load(host, &program, &|wish, host, spec, _| {
            let mut words = vec![program.as_str(), "-q", "list", "available", "--showduplicates"];
            let options = repository_options(&wish.options);
            words.extend(options.iter().map(String::as_str));
            words.push(spec);
            // the query fails if yum does not know the package
            let output = wish.query(&words).query(host)?;
            Ok(parse_list(&lossy(&output.stdout)))
        })
    }

    fn requirements(wanted: &Wanted, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(wanted.desired.requirements(items, host))
    }

    fn plan(wanted: &Wanted, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Change>> {
        let desired = &wanted.desired;
        let compare = |left: &str, right: &str| Ok(packages::compare_rpm(left, right));
        packages::plan(&desired.wish, items, Manager::Dnf, &compare, |due| {
            let method = method(&desired.wish, due)?;
            Ok(vec![desired.command(host, &wanted.program(host), method, due)?])
        })
    }

    fn state(wanted: &Wanted, items: &Vec<Item>, _host: &dyn Host) -> Vec<(&'static str, rchef_change::State)> {
        packages::state(&wanted.desired.wish, items)
    }
    fn class(_: &mut Vm, _: &Value) -> Res<&'static str> {
        Ok("Package::Yum")
    }
    fn carry_out(vm: &mut Vm, _: &Value, step: &rchef_change::EngineStep) -> Res<()> {
        packages::say(vm, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::dnf_package::shown;

    #[test]
    fn lists() {
        let text = "Last metadata expiration check: now\nAvailable Packages\nbash.x86_64  4.2.46-34.el7  base\n\
                    a-very-long-name-of-a-package.noarch\n    1:1.0-2.el7     updates\n";
        let found = parse_list(text);
        assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), ["0:4.2.46-34.el7.x86_64", "1:1.0-2.el7.noarch"]);
    }
}
