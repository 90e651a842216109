//! Versions of cookbooks (`Chef::Version`) and platforms (`Chef::Version::Platform`), and the constraints in metadata, environments and run lists
//! (`Chef::VersionConstraint`).
//!
//! A cookbook version has two or three numbers. A platform version may have one, and in FreeBSD's form `10.0-release-p3` the patch level is the third
//! number. Missing numbers are 0.

use std::fmt;

/// The kind of version, which determines the valid forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// `x.y.z` or `x.y`
    #[default]
    Cookbook,
    /// Also `x`, and FreeBSD's releases.
    Platform,
}

/// Three numbers, compared from the first to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u128,
    pub minor: u128,
    pub patch: u128,
}

/// A text that is not a valid version. Displays as Chef's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidVersion {
    /// The requested kind: Chef has an exception class for each.
    pub scheme: Scheme,
    pub text: String,
}

impl fmt::Display for InvalidVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let forms = match self.scheme {
            Scheme::Cookbook => "'x.y.z' or 'x.y'",
            Scheme::Platform => "'x.y.z', 'x.y' or 'x'",
        };
        write!(out, "'{}' does not match {forms}", self.text)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Version {
    /// Parses a version. As in Chef, one matching line is sufficient, and other lines are ignored.
    pub fn parse(text: &str, scheme: Scheme) -> Result<Version, InvalidVersion> {
        let release = |line: &str| if scheme == Scheme::Platform { freebsd(line) } else { None };
        let fits = |found: &Vec<u128>| match scheme {
            Scheme::Cookbook => found.len() == 2 || found.len() == 3,
            Scheme::Platform => (1..=3).contains(&found.len()),
        };
        let found = text.split('\n').find_map(|line| numbers(line).filter(fits).or_else(|| release(line)));
        let Some(found) = found else { return Err(InvalidVersion { scheme, text: text.to_string() }) };
        let at = |index: usize| found.get(index).copied().unwrap_or(0);
        Ok(Version { major: at(0), minor: at(1), patch: at(2) })
    }
}

/// A number up to the largest i128; larger ones are invalid.
fn number(text: &str) -> Option<u128> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse::<i128>().ok()).flatten().and_then(|number| u128::try_from(number).ok())
}

fn numbers(line: &str) -> Option<Vec<u128>> {
    line.split('.').map(number).collect()
}

/// `10.0-release-p3` and `9.1-RC2`: two numbers with any separator, a word with at most one digit, and an optional patch level.
fn freebsd(line: &str) -> Option<Vec<u128>> {
    let (release, rest) = line.split_once('-')?;
    let split = release.find(|c: char| !c.is_ascii_digit())?;
    let separator = release[split..].chars().next()?;
    let (major, minor) = (number(&release[..split])?, number(&release[split + separator.len_utf8()..])?);
    let (word, patch) = match rest.split_once('-') {
        None => (rest, 0),
        Some((word, level)) => (word, number(level.strip_prefix(['p', 'P'])?)?),
    };
    let letters = word.strip_suffix(|c: char| c.is_ascii_digit()).unwrap_or(word);
    let fits = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    fits.then(|| vec![major, minor, patch])
}

/// The comparison of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Less,
    Greater,
    /// `=`
    Equal,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    Pessimistic,
}

impl Operator {
    /// Longer ones first, because `<` is a prefix of `<=`.
    const ALL: [Operator; 6] = [
        Operator::AtMost,
        Operator::AtLeast,
        Operator::Pessimistic,
        Operator::Less,
        Operator::Greater,
        Operator::Equal,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Less => "<",
            Operator::Greater => ">",
            Operator::Equal => "=",
            Operator::AtMost => "<=",
            Operator::AtLeast => ">=",
            Operator::Pessimistic => "~>",
        }
    }
}

/// A constraint such as `~> 1.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub operator: Operator,
    /// The version as written.
    pub raw: String,
    pub version: Version,
    /// Whether the version has two numbers: `~>` then fixes only the first one.
    short: bool,
}

/// Why a constraint is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidConstraint {
    /// It is not an operator followed by a digit. Displays as Chef's message.
    Form(String),
    /// The text after the operator is not a version.
    Version(InvalidVersion),
}

impl fmt::Display for InvalidConstraint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidConstraint::Form(text) => write!(out, "'{text}'"),
            InvalidConstraint::Version(error) => error.fmt(out),
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.operator.as_str(), self.raw)
    }
}

/// Splits a constraint into operator and version. A text that begins with a digit and has no space is a version; its operator is `=`.
pub fn split(text: &str) -> Result<(Operator, &str), InvalidConstraint> {
    let digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if !text.contains(' ') && digit(text) {
        return Ok((Operator::Equal, text));
    }
    let operator = Operator::ALL.into_iter().find_map(|operator| {
        let rest = text.strip_prefix(operator.as_str())?.trim_start_matches(' ');
        digit(rest).then_some((operator, rest))
    });
    operator.ok_or_else(|| InvalidConstraint::Form(text.to_string()))
}

impl Constraint {
    /// The constraint of a dependency without one.
    pub const DEFAULT: &'static str = ">= 0.0.0";

    pub fn parse(text: &str, scheme: Scheme) -> Result<Constraint, InvalidConstraint> {
        let (operator, raw) = split(text)?;
        let version = Version::parse(raw, scheme).map_err(InvalidConstraint::Version)?;
        Ok(Constraint::new(operator, raw, version))
    }

    /// `raw` is the version as written.
    pub fn new(operator: Operator, raw: &str, version: Version) -> Constraint {
        Constraint { operator, raw: raw.to_string(), version, short: raw.split('.').count() <= 2 }
    }

    pub fn allows(&self, other: Version) -> bool {
        let own = self.version;
        match self.operator {
            Operator::Less => other < own,
            Operator::Greater => other > own,
            Operator::Equal => other == own,
            Operator::AtMost => other <= own,
            Operator::AtLeast => other >= own,
            Operator::Pessimistic if self.short => other.major == own.major && other.minor >= own.minor,
            Operator::Pessimistic => (other.major, other.minor) == (own.major, own.minor) && other.patch >= own.patch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_cookbooks_and_platforms() {
        for (text, scheme, shown) in [
            ("1.2.3", Scheme::Cookbook, "1.2.3"),
            ("1.2", Scheme::Cookbook, "1.2.0"),
            ("0.0.10\n", Scheme::Cookbook, "0.0.10"),
            ("7", Scheme::Platform, "7.0.0"),
            ("10.0-release-p3", Scheme::Platform, "10.0.3"),
            ("9.1-RC2", Scheme::Platform, "9.1.0"),
            ("99999999999999999999.0", Scheme::Cookbook, "99999999999999999999.0.0"),
        ] {
            assert_eq!(
                Version::parse(text, scheme).map(|version| version.to_string()),
                Ok(shown.to_string()),
                "{text}"
            );
        }
        for (text, scheme) in [
            ("1", Scheme::Cookbook),
            ("1.2.3.4", Scheme::Platform),
            ("1.2.x", Scheme::Cookbook),
            ("", Scheme::Platform),
            ("10.0-", Scheme::Platform),
            ("9.99999999999999999999999999999999999999999", Scheme::Cookbook),
            ("10.0-release-p3", Scheme::Cookbook),
        ] {
            assert!(Version::parse(text, scheme).is_err(), "{text}");
        }
    }

    #[test]
    fn constraints_allow_what_chefs_do() {
        for (constraint, version, expected) in [
            ("= 1.2", "1.2.0", true),
            ("1.2", "1.2.1", false),
            ("~> 1.2", "1.9.0", true),
            ("~> 1.2", "2.0.0", false),
            ("~> 1.2.3", "1.2.9", true),
            ("~> 1.2.3", "1.3.0", false),
            ("<1.0", "0.9.9", true),
            (">=   1.0", "1.0.0", true),
            (">= 1.10.0", "1.9.0", false),
        ] {
            let parsed = Constraint::parse(constraint, Scheme::Cookbook).unwrap();
            let version = Version::parse(version, Scheme::Cookbook).unwrap();
            assert_eq!(parsed.allows(version), expected, "{version} {constraint}");
        }
        for text in ["!= 1.0", "1.0 ", "latest", "> x", ""] {
            assert!(matches!(Constraint::parse(text, Scheme::Cookbook), Err(InvalidConstraint::Form(_))), "{text}");
        }
        assert!(matches!(Constraint::parse("> 1", Scheme::Cookbook), Err(InvalidConstraint::Version(_))));
    }
}
