//! `value_for_platform` and `value_for_platform_family`: chooses a value by the node's platform.

use crate::version::{Constraint, InvalidConstraint, Scheme, Version};

/// Values by platform and version.
#[derive(Clone, Debug)]
pub struct ByPlatform<V> {
    platforms: Vec<(String, Vec<(String, V)>)>,
    default: Option<V>,
}

impl<V> Default for ByPlatform<V> {
    fn default() -> Self {
        ByPlatform { platforms: Vec::new(), default: None }
    }
}

/// The candidates for a platform and version, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a, V> {
    /// The value for exactly this version.
    pub exact: Option<&'a V>,
    /// The value of the only constraint that the version satisfies. Chef skips it if it is nil or false.
    pub matched: Option<&'a V>,
    /// The default value of the platform, else the general one.
    pub default: Option<&'a V>,
}

impl<V: Clone> ByPlatform<V> {
    /// Sets the general default value.
    pub fn set_default(&mut self, value: V) {
        self.default = Some(value);
    }

    /// Sets the values of a platform by version, constraint or `default`.
    pub fn set(&mut self, platform: &str, versions: Vec<(String, V)>) {
        let mut unique: Vec<(String, V)> = Vec::new();
        for (version, value) in versions {
            match unique.iter_mut().find(|(known, _)| *known == version) {
                Some((_, known)) => *known = value,
                None => unique.push((version, value)),
            }
        }
        match self.platforms.iter_mut().find(|(known, _)| known == platform) {
            Some((_, known)) => *known = unique,
            None => self.platforms.push((platform.to_string(), unique)),
        }
    }

    /// The values of each platform, in order; without the general default value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[(String, V)])> {
        self.platforms.iter().map(|(platform, versions)| (platform.as_str(), versions.as_slice()))
    }

    /// The general default value.
    pub fn default_value(&self) -> Option<&V> {
        self.default.as_ref()
    }

    /// The candidates for a node.
    ///
    /// # Errors
    /// The constraints, if the version satisfies several and is not itself a key.
    pub fn find(&self, platform: &str, version: &str) -> Result<Found<'_, V>, Vec<&str>> {
        let versions = self.platforms.iter().find(|(known, _)| known == platform).map(|(_, versions)| versions);
        let of = |key: &str| versions?.iter().find(|(known, _)| known == key).map(|(_, value)| value);
        let default = of("default").or(self.default.as_ref());
        let fitting = fitting(versions.map_or(&[], Vec::as_slice), version);
        let exact = of(version);
        let matched = match fitting.as_slice() {
            _ if fitting.contains(&version) => None,
            [key] => of(key),
            [] => None,
            _ => return Err(fitting),
        };
        Ok(Found { exact, matched, default })
    }
}

/// The keys that are constraints satisfied by a version. Empty if the version, or the version in one of the constraints, is not a valid platform
/// version.
fn fitting<'a, V>(versions: &'a [(String, V)], version: &str) -> Vec<&'a str> {
    let Ok(own) = Version::parse(version, Scheme::Platform) else { return Vec::new() };
    let mut found = Vec::new();
    for (key, _) in versions {
        match Constraint::parse(key, Scheme::Platform) {
            Ok(constraint) if constraint.allows(own) => found.push(key.as_str()),
            Ok(_) | Err(InvalidConstraint::Form(_)) => {}
            Err(InvalidConstraint::Version(_)) => return Vec::new(),
        }
    }
    found
}

/// Values by platform family.
#[derive(Clone, Debug)]
pub struct ByFamily<V> {
    families: Vec<(String, V)>,
    default: Option<V>,
}

impl<V> Default for ByFamily<V> {
    fn default() -> Self {
        ByFamily { families: Vec::new(), default: None }
    }
}

impl<V> ByFamily<V> {
    /// Sets the value of a family; `default` is for all other families.
    pub fn set(&mut self, family: &str, value: V) {
        if family == "default" {
            self.default = Some(value);
            return;
        }
        match self.families.iter_mut().find(|(known, _)| known == family) {
            Some((_, known)) => *known = value,
            None => self.families.push((family.to_string(), value)),
        }
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.families.iter().map(|(_, value)| value).chain(&self.default)
    }

    /// The value for a node's platform family.
    pub fn find(&self, family: &str) -> Option<&V> {
        let own = self.families.iter().find(|(known, _)| known == family).map(|(_, value)| value);
        own.or(self.default.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> ByPlatform<&'static str> {
        let mut values = ByPlatform::default();
        let list =
            |pairs: &[(&str, &'static str)]| pairs.iter().map(|(key, value)| (key.to_string(), *value)).collect();
        values.set("ubuntu", list(&[("22.04", "exact"), (">= 24.04", "new"), ("default", "other")]));
        values.set("centos", list(&[("~> 7.0", "seven"), (">= 7.5", "late")]));
        values.set("debian", list(&[("1.2.3.4", "long"), (">= 1", "any")]));
        values.set_default("fallback");
        values
    }
    fn find(platform: &str, version: &str) -> Result<&'static str, Vec<String>> {
        let values = values();
        let found = values
            .find(platform, version)
            .map_err(|keys| keys.iter().map(|key| (*key).to_string()).collect::<Vec<_>>())?;
        Ok(found.exact.or(found.matched).or(found.default).copied().unwrap_or("none"))
    }

    #[test]
    fn exact_then_constraint_then_default() {
        for (platform, version, expected) in [
            ("ubuntu", "22.04", "exact"),
            ("ubuntu", "24.10", "new"),
            ("ubuntu", "20.04", "other"),
            ("centos", "7.2", "seven"),
            ("centos", "6.1", "fallback"),
            ("arch", "x", "fallback"),
        ] {
            assert_eq!(find(platform, version), Ok(expected), "{platform} {version}");
        }
    }

    #[test]
    fn several_constraints() {
        assert_eq!(find("centos", "7.6"), Err(vec!["~> 7.0".to_string(), ">= 7.5".to_string()]));
    }

    #[test]
    fn a_key_that_is_no_version_of_a_platform_ends_the_matching() {
        assert_eq!(find("debian", "12"), Ok("fallback"));
    }

    #[test]
    fn families() {
        let mut values = ByFamily::default();
        values.set("debian", 1);
        assert_eq!((values.find("debian"), values.find("rhel")), (Some(&1), None));
        values.set("default", 2);
        assert_eq!(values.find("rhel"), Some(&2));
    }
}
