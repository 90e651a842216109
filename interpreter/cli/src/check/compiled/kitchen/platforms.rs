//! Kitchen's platforms and the simulated facts that stand for them.

use super::MOVED;
use crate::check::compiled::unit::Repository;
use serde_json::Value as Json;

/// A platform to compile suites on.
pub struct Platform {
    /// Its name in the configuration, by which suites include and exclude it; None if it is not there.
    name: Option<String>,
    /// The name of the simulated facts.
    pub facts: String,
    /// The name that its units show.
    pub shown: String,
    /// Its configuration.
    pub own: Json,
}

impl Platform {
    /// Whether a list of Kitchen's names has it.
    pub fn is_among(&self, names: &[String]) -> bool {
        match &self.name {
            Some(name) => names.contains(name),
            None => names.iter().any(|name| simulated(name) == self.facts),
        }
    }
}

/// The platforms of the configuration in `file` that have simulated facts or, if `asked` is not empty, those with the requested facts.
pub fn platforms(repository: &mut Repository, file: &str, document: &Json, asked: &[String]) -> Vec<Platform> {
    let given = document["platforms"].as_array().map(Vec::as_slice).unwrap_or_default();
    let known = rchef_providers::facts::names();
    let mut all = Vec::new();
    for own in given {
        let Some(name) = own["name"].as_str() else { continue };
        let facts = simulated(name);
        if known.contains(&facts.as_str()) {
            all.push(Platform { name: Some(name.into()), facts, shown: name.into(), own: own.clone() });
        } else if asked.is_empty() {
            repository.skipped.push(format!("{file}: there are no simulated facts of the platform {name}"));
        }
    }
    if asked.is_empty() {
        return all;
    }
    let mut others: Vec<&str> = Vec::new();
    let mut chosen = Vec::new();
    for facts in asked {
        let (found, rest): (Vec<Platform>, Vec<Platform>) = all.into_iter().partition(|own| own.facts == *facts);
        all = rest;
        if !found.is_empty() {
            chosen.extend(found);
            continue;
        }
        // what the only platform sets is meant for every machine
        let (name, own) = match given {
            [only] => (only["name"].as_str().map(str::to_string), only.clone()),
            _ => (None, Json::Null),
        };
        if name.is_none() {
            others.push(facts);
        }
        chosen.push(Platform { name, facts: facts.clone(), shown: facts.clone(), own });
    }
    let sets = |own: &Json| MOVED.iter().chain(&["run_list", "provisioner"]).any(|key| !own[*key].is_null());
    if !others.is_empty() && given.iter().any(sets) {
        let (names, them) = (others.join(", "), if others.len() == 1 { "it is" } else { "they are" });
        repository.skipped.push(format!(
            "{file}: run lists, attributes and settings of its platforms, on {names}: {them} none of these"
        ));
    }
    chosen
}

/// The name of the simulated facts for a platform name of Kitchen's; the name itself if there are none.
pub fn simulated(name: &str) -> String {
    let other = [
        ("rockylinux-", "rocky-"),
        ("oraclelinux-", "oracle-"),
        ("amazonlinux-", "amazon-"),
        ("amazon-linux-", "amazon-"),
        ("opensuse-leap-", "opensuse-"),
        ("rhel-", "redhat-"),
    ];
    let name = name.to_ascii_lowercase();
    let renamed = other.iter().find_map(|(image, facts)| Some(format!("{facts}{}", name.strip_prefix(image)?)));
    let name = renamed.unwrap_or(name);
    let known = rchef_providers::facts::names();
    let version = |facts: &str, base: &str| -> Option<f64> {
        let version = facts.strip_prefix(base)?.strip_prefix('-')?;
        version.split(|letter: char| letter != '.' && !letter.is_ascii_digit()).next()?.parse().ok()
    };
    if let Some(base) = name.strip_suffix("-latest") {
        let all = known.iter().filter_map(|facts| Some((*facts, version(facts, base)?)));
        if let Some((newest, _)) = all.max_by(|(_, one), (_, other)| one.total_cmp(other)) {
            return newest.to_string();
        }
    }
    // `ubuntu-18.04-17` is an `ubuntu-18.04`: people append what else is different
    let mut short = name.as_str();
    loop {
        // `centos-7.3` is a `centos-7`, `windows-2012-r2` a `windows-2012r2`
        let release = short.rsplit_once('.').map(|(release, _)| release.to_string());
        let joined = short.strip_suffix("-r2").map(|name| format!("{name}r2"));
        let found = [Some(short.to_string()), release, joined].into_iter().flatten();
        if let Some(found) = found.into_iter().find(|name| known.contains(&name.as_str())) {
            return found;
        }
        match short.rsplit_once('-') {
            Some((before, _)) => short = before,
            None => return name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::simulated;

    #[test]
    fn names_of_platforms() {
        for (image, facts) in [
            ("centos-7.3", "centos-7"),
            ("centos-7.1-17", "centos-7"),
            ("rockylinux-9", "rocky-9"),
            ("amazon-linux-2", "amazon-2"),
            ("windows-2012-r2", "windows-2012r2"),
            ("windows-2012R2", "windows-2012r2"),
            ("windows-2012r2-13", "windows-2012r2"),
            ("ubuntu-18.04-17", "ubuntu-18.04"),
            ("ubuntu-22.04", "ubuntu-22.04"),
            ("ubuntu-14.04", "ubuntu-14.04"),
            ("ubuntu-latest", "ubuntu-24.04"),
            ("windows-latest", "windows-2022"),
            ("amazonlinux-latest", "amazon-2023"),
            ("fedora-latest", "fedora-41"),
            ("macos-latest", "macos-14"),
            ("solaris-latest", "solaris-latest"),
            ("debian-8.7", "debian-8.7"),
        ] {
            assert_eq!(simulated(image), facts);
        }
    }
}
