//! `portage_package`: packages of Gentoo. Each installed package is a directory below /var/db/pkg; `portageq` gives the candidate.

use super::packages::{self, Item, PACKAGE, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, portage_versions};
use rchef_change::{Assertion, Change, ChangeError};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct PortagePackage;

/// What a `portage_package` resource asks for.
pub(crate) struct Desired {
    wish: Wish,
}

/// The installed version; None if several versions of the package are installed (in slots).
fn installed(host: &dyn Host, name: &str) -> Looked<Option<String>> {
    let mut found = portage_versions(host, name)?;
    found.sort();
    let mut categories: Vec<&str> = found.iter().map(|(category, _)| category.as_str()).collect();
    categories.dedup();
    if categories.len() > 1 {
        let base = name.rsplit('/').next().unwrap_or(name);
        let atoms: Vec<String> =
            found.iter().map(|(category, version)| format!("{category}/{base}-{version}")).collect();
        let text = format!("Multiple packages found for {name}: {}. Specify a category.", atoms.join(" "));
        return Err(ChangeError::raise(PACKAGE, text));
    }
    let one = found.len() == 1;
    Ok(found.pop().filter(|_| one).map(|(_, version)| version))
}

/// The version of an atom `CATEGORY/NAME-VERSION[-rREVISION]`.
fn version_of(atom: &str) -> Option<&str> {
    let (rest, last) = atom.rsplit_once('-')?;
    let is_revision = last.strip_prefix('r').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match rest.rfind('-').filter(|_| is_revision && last.len() > 1) {
        Some(at) => atom.get(at + 1..),
        None => Some(last),
    }
}

/// The version that Portage would install.
fn candidate(wish: &Wish, host: &dyn Host, name: &str) -> Looked<String> {
    let output = wish.query(&["portageq", "best_visible", "/", name]).query(host)?;
    let (text, errors) = (lossy(&output.stdout), lossy(&output.stderr));
    let failed = |why: &str| {
        let said = format!("{text}{errors}");
        let said = if said.trim().is_empty() { String::new() } else { format!(":\n{}", said.trim_end()) };
        Err(ChangeError::raise(PACKAGE, format!("Query for '{name}' {why}{said}")))
    };
    if !output.status.success() {
        let is_ambiguous = |line: &str| {
            let line = line.to_lowercase();
            line.find("unqualified atom").is_some_and(|at| line[at..].contains("match") && line.contains("multiple"))
        };
        if errors.lines().any(is_ambiguous) {
            return failed("matched multiple packages (please specify a category)");
        }
        return failed(match text.trim().is_empty() {
            true => "did not find a matching package",
            false => "resulted in an unknown error",
        });
    }
    if text.lines().count() > 1 {
        return failed("produced unexpected output (multiple lines)");
    }
    match version_of(text.trim_end()) {
        Some(version) => Ok(version.to_string()),
        None => failed("did not find a matching package"),
    }
}

impl Provider for PortagePackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        Ok(Desired { wish: Wish::read(vm, resource, action)? })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let wish = &desired.wish;
        if wish.unfit().is_some() {
            return Ok(Vec::new());
        }
        packages::one_by_one(wish, |name| installed(host, name), |name| candidate(wish, host, name))
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let mut failed = packages::requirements(&desired.wish, items);
        failed.extend(packages::no_environment(&desired.wish));
        Ok(failed)
    }

    fn plan(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Change>> {
        let wish = &desired.wish;
        packages::plan(wish, items, Manager::Portage, &packages::only_equal, |due| {
            let mut commands = Vec::new();
            for (item, to) in due {
                let atom = match to {
                    Some(version) => match version.strip_prefix('~') {
                        Some(version) => format!("~{}-{version}", item.name),
                        None => format!("={}-{version}", item.name),
                    },
                    None => match &item.wanted {
                        Some(version) => format!("={}-{version}", item.name),
                        None => item.name.clone(),
                    },
                };
                let verb = if wish.installs() { "-g" } else { "--unmerge" };
                let mut words = ["emerge", verb, "--color", "n", "--nospinner", "--quiet"].map(str::to_string).to_vec();
                words.extend(wish.options.iter().cloned());
                words.push(atom);
                commands.push(wish.command(words));
            }
            Ok(commands)
        })
    }

    package_provider!("Package::Portage");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_atoms() {
        for (atom, version) in [
            ("app-editors/vim-9.0.2092", Some("9.0.2092")),
            ("dev-vcs/git-2.41.0-r1", Some("2.41.0-r1")),
            ("sys-apps/less-r-608", Some("608")),
            ("nothing", None),
        ] {
            assert_eq!(version_of(atom), version, "{atom}");
        }
    }
}
