//! RubyGems' versions and requirements. Chef uses them for everything but cookbook versions: `chef_version`, `platform_version`, gems, and the
//! dependency solver of a local run.

use std::cmp::Ordering;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Number(u128),
    Word(String),
}

/// A version with any number of segments. A word marks a prerelease: `1.0.rc1` is older than `1.0`.
#[derive(Clone, Debug)]
pub struct Version {
    /// Segments without insignificant zeros: those at the end and before a prerelease.
    segments: Vec<Segment>,
}

impl Version {
    /// Parses a version. Text that RubyGems would reject is split as far as possible.
    pub fn parse(text: &str) -> Version {
        let mut found: Vec<Segment> = Vec::new();
        for chunk in text.trim().replace('-', ".pre.").split('.') {
            let mut segment = String::new();
            for c in chunk.chars() {
                let splits = segment.chars().last().is_some_and(|last| last.is_ascii_digit() != c.is_ascii_digit());
                if splits {
                    found.push(self::segment(&segment));
                    segment.clear();
                }
                segment.push(c);
            }
            if !segment.is_empty() {
                found.push(self::segment(&segment));
            }
        }
        let words = found.iter().position(|segment| matches!(segment, Segment::Word(_))).unwrap_or(found.len());
        let mut prerelease = found.split_off(words);
        for part in [&mut found, &mut prerelease] {
            while part.last() == Some(&Segment::Number(0)) {
                part.pop();
            }
        }
        found.append(&mut prerelease);
        Version { segments: found }
    }

    fn numbers(&self) -> impl Iterator<Item = u128> {
        self.segments.iter().map_while(|segment| match segment {
            Segment::Number(number) => Some(*number),
            Segment::Word(_) => None,
        })
    }

    /// The version without its prerelease part.
    fn release(&self) -> Version {
        Version { segments: self.numbers().map(Segment::Number).collect() }
    }
}

fn segment(text: &str) -> Segment {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        Segment::Number(text.parse().unwrap_or(u128::MAX))
    } else {
        Segment::Word(text.to_string())
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Version {}
impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Version {
    /// A missing segment counts as 0; a word is less than any number.
    fn cmp(&self, other: &Version) -> Ordering {
        const ZERO: Segment = Segment::Number(0);
        let length = self.segments.len().max(other.segments.len());
        let pairs =
            (0..length).map(|at| (self.segments.get(at).unwrap_or(&ZERO), other.segments.get(at).unwrap_or(&ZERO)));
        pairs
            .map(|pair| match pair {
                (Segment::Number(a), Segment::Number(b)) => a.cmp(b),
                (Segment::Word(a), Segment::Word(b)) => a.cmp(b),
                (Segment::Word(_), Segment::Number(_)) => Ordering::Less,
                (Segment::Number(_), Segment::Word(_)) => Ordering::Greater,
            })
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    }
}

/// A constraint: an operator and a version; the operator defaults to `=`.
#[derive(Clone, Debug)]
pub struct Requirement<'a> {
    operator: &'a str,
    text: &'a str,
}

impl<'a> Requirement<'a> {
    /// Parses a text such as `~> 1.2`.
    pub fn parse(text: &'a str) -> Requirement<'a> {
        let text = text.trim();
        let split = text.find(|c: char| !"<>=!~".contains(c)).unwrap_or(text.len());
        Requirement { operator: if split == 0 { "=" } else { &text[..split] }, text: text[split..].trim() }
    }

    /// Whether a version satisfies the constraint; false if the operator is unknown.
    pub fn allows(&self, version: &Version) -> bool {
        let wanted = Version::parse(self.text);
        match self.operator {
            "=" => *version == wanted,
            "!=" => *version != wanted,
            ">" => *version > wanted,
            "<" => *version < wanted,
            ">=" => *version >= wanted,
            "<=" => *version <= wanted,
            "~>" => *version >= wanted && version.release() < self.bump(),
            _ => false,
        }
    }

    /// The upper bound of `~>` (exclusive): the last number is dropped and the one before it is incremented.
    fn bump(&self) -> Version {
        let mut numbers: Vec<u128> = self.text.split('.').map_while(|part| part.parse().ok()).collect();
        if numbers.len() > 1 {
            numbers.pop();
        }
        if let Some(last) = numbers.last_mut() {
            *last = last.saturating_add(1);
        }
        Version { segments: numbers.into_iter().map(Segment::Number).collect() }
    }
}

impl fmt::Display for Requirement<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.operator, self.text)
    }
}

/// Whether a version satisfies every constraint of a list such as `>= 1.2, < 3`.
pub fn satisfies(version: &str, constraints: &str) -> bool {
    let version = Version::parse(version);
    constraints.split(',').all(|constraint| Requirement::parse(constraint).allows(&version))
}

/// Constraints in RubyGems' form: with their operators, sorted.
pub fn requirements(constraints: &[String]) -> Vec<String> {
    let parts = constraints.iter().flat_map(|item| item.split(','));
    let mut shown: Vec<String> = parts.map(|part| Requirement::parse(part).to_string()).collect();
    shown.sort();
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_gem_versions() {
        for (a, b, expected) in [
            ("1.0", "1", Ordering::Equal),
            ("1.10", "1.9", Ordering::Greater),
            ("1.0.rc1", "1.0", Ordering::Less),
            ("1.0.a", "1.a", Ordering::Equal),
            ("1.0-1", "1.0", Ordering::Less),
            ("22.04", "20.10", Ordering::Greater),
            ("340282366920938463463374607431768211456", "1", Ordering::Greater),
        ] {
            assert_eq!(Version::parse(a).cmp(&Version::parse(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn which_versions_a_requirement_allows() {
        for (version, constraint, expected) in [
            ("1.2.9", "~> 1.2", true),
            ("2.0", "~> 1.2", false),
            ("2.0.a", "~> 1.2", false),
            ("1.2.9", "~> 1.2.0", true),
            ("1.3", "~> 1.2.0", false),
            ("12", ">= 12", true),
            ("9", "!= 9", false),
            ("9", ">= 8, < 9", false),
            ("1.0", "1", true),
            ("1.0", "latest", false),
        ] {
            assert_eq!(satisfies(version, constraint), expected, "{version} {constraint}");
        }
    }

    #[test]
    fn a_list_is_shown_sorted() {
        let given = [">= 12, < 19".to_string(), "14".to_string()];
        assert_eq!(requirements(&given), ["< 19", "= 14", ">= 12"]);
    }
}
