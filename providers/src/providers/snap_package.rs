//! `snap_package`: packages of snapd, with the `snap` program, which uses the same socket as Chef.

use super::packages::{self, Item, PACKAGE, Wish, package_provider};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb, snap_version};
use rchef_change::{Assertion, Change, ChangeError};
use rchef_host::{Host, compose};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct SnapPackage;

/// What a `snap_package` resource asks for.
pub(crate) struct Desired {
    wish: Wish,
    channel: String,
}

/// Options that snapd supports.
const OPTIONS: &[&str] = &["classic", "devmode", "jailmode", "ignore-validation"];

/// The version in a channel, from the output of `snap info`: `latest/stable: 6.0 2020-01-01 (12) 20kB -`. A channel without its own version has an
/// arrow instead.
fn in_channel(info: &str, channel: &str) -> Option<String> {
    let listed = |channel: &str| {
        let mut lines = info.lines().map(str::trim_start);
        let rest = lines.find_map(|line| line.strip_prefix(channel)?.strip_prefix(':'))?;
        rest.split_whitespace().next()
    };
    let riskier = ["stable", "candidate", "beta", "edge"];
    let at = riskier.iter().position(|known| *known == channel)?;
    // an arrow stands for the version of the next less risky channel
    for channel in riskier[..=at].iter().rev() {
        match listed(&format!("latest/{channel}"))? {
            "^" | "\u{2191}" => {}
            "--" | "\u{2013}" | "-" => return None,
            version => return Some(version.to_string()),
        }
    }
    None
}

fn candidate(desired: &Desired, host: &dyn Host, name: &str) -> Looked<String> {
    let wish = &desired.wish;
    if let Some(source) = wish.sources.first() {
        let output = wish.query(&["snap", "info", source]).run(host)?;
        let text = lossy(&output.stdout);
        let version = text.lines().find_map(|line| line.trim_start().strip_prefix("version:"));
        let version = version.and_then(|rest| rest.split_whitespace().next());
        return version.map(str::to_string).ok_or_else(|| {
            ChangeError::raise(PACKAGE, format!("{source} is not the file of a snap: snap info names no version"))
        });
    }
    let output = wish.query(&["snap", "info", name]).query(host)?;
    if !output.status.success() {
        return Err(ChangeError::raise(PACKAGE, lossy(&output.stderr).trim().to_string()));
    }
    let channel = &desired.channel;
    in_channel(&lossy(&output.stdout), channel)
        .ok_or_else(|| ChangeError::raise(PACKAGE, format!("No version of {name} in channel {channel}")))
}

impl Provider for SnapPackage {
    type Desired = Desired;
    type Current = Vec<Item>;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade", "remove", "purge"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let wish = Wish::read(vm, resource, action)?;
        wish.check_source(vm, resource)?;
        Ok(Desired { wish, channel: text(vm, resource, "channel")? })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<Vec<Item>> {
        let wish = &desired.wish;
        let missing = |source: &String| !compose::exists(host, source.as_bytes());
        if wish.unfit().is_some() || wish.sources.iter().any(missing) {
            return Ok(Vec::new());
        }
        packages::one_by_one(wish, |name| snap_version(host, name), |name| candidate(desired, host, name))
    }

    fn requirements(desired: &Desired, items: &Vec<Item>, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let wish = &desired.wish;
        let mut failed = packages::requirements(wish, items);
        if let Some(source) = wish.sources.iter().find(|source| !compose::exists(host, source.as_bytes())) {
            failed.push(
                Assertion::new(PACKAGE, format!("Package {} not found: {source}", wish.shown))
                    .assuming(format!("assuming {source} would have previously been created"))
                    .blocking(),
            );
        }
        failed.extend(packages::no_environment(wish));
        Ok(failed)
    }

    fn plan(desired: &Desired, items: &Vec<Item>, _: &dyn Host) -> Looked<Vec<Change>> {
        let wish = &desired.wish;
        let refreshes = wish.verb == PackageVerb::Upgrade
            && wish.sources.is_empty()
            && items.iter().any(|item| item.current.is_some());
        packages::plan(wish, items, Manager::Snap, &packages::only_equal, |due| {
            let names: Vec<String> = due.iter().map(|(item, _)| item.name.clone()).collect();
            let flags = wish.options.iter().map(|option| option.trim_start_matches('-'));
            let flags: Vec<String> =
                flags.filter(|flag| OPTIONS.contains(flag)).map(|flag| format!("--{flag}")).collect();
            let words = |verb: &str, flags: &[String], names: &[String]| {
                let words = ["snap", verb].into_iter().map(str::to_string);
                wish.command(words.chain(flags.iter().cloned()).chain(names.iter().cloned()).collect())
            };
            if !wish.installs() {
                return Ok(vec![words("remove", &[], &names)]);
            }
            if !wish.sources.is_empty() {
                return Ok(vec![words("install", &flags, &wish.sources)]);
            }
            if refreshes {
                return Ok(vec![words("refresh", &[], &names)]);
            }
            let flags: Vec<String> = std::iter::once(format!("--channel={}", desired.channel)).chain(flags).collect();
            Ok(names.iter().map(|name| words("install", &flags, std::slice::from_ref(name))).collect())
        })
    }

    package_provider!("Package::Snap");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_channels() {
        let info = "name: hello\nchannels:\n  latest/stable:    2.10 2019-04-17 (38) 98kB -\n  latest/candidate: \u{2191}\n  latest/beta:      2.11-rc1 2019-04-17 (29) 98kB -\n  latest/edge:      \u{2013}\n";
        let found = |channel| in_channel(info, channel);
        assert_eq!(found("stable").as_deref(), Some("2.10"));
        assert_eq!(found("candidate").as_deref(), Some("2.10"));
        assert_eq!(found("beta").as_deref(), Some("2.11-rc1"));
        assert_eq!(found("edge"), None);
        assert_eq!(in_channel("name: hello\n", "stable"), None);
    }
}
