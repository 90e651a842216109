//! Versions: `Gem::Version` order and `Gem::Requirement` matching on text, and Chef's own version constraints.

use rchef_ruby::{Res, Value, Vm};
use std::cmp::Ordering;

#[derive(Debug, PartialEq, Eq, Clone)]
enum Part {
    Number(u64),
    Text(String),
}

fn parts(version: &str) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    for chunk in version.trim().replace('-', ".pre.").split('.') {
        let mut text = String::new();
        for c in chunk.chars() {
            let splits = text.chars().last().is_some_and(|last| last.is_ascii_digit() != c.is_ascii_digit());
            if splits {
                found.push(part(&text));
                text.clear();
            }
            text.push(c);
        }
        if !text.is_empty() {
            found.push(part(&text));
        }
    }
    while matches!(found.last(), Some(Part::Number(0))) {
        found.pop();
    }
    found
}
fn part(text: &str) -> Part {
    text.parse().map_or_else(|_| Part::Text(text.to_string()), Part::Number)
}

/// `Gem::Version#<=>`
pub fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (parts(a), parts(b));
    for index in 0..a.len().max(b.len()) {
        let (left, right) = (a.get(index).unwrap_or(&Part::Number(0)), b.get(index).unwrap_or(&Part::Number(0)));
        let order = match (left, right) {
            (Part::Number(a), Part::Number(b)) => a.cmp(b),
            (Part::Text(a), Part::Text(b)) => a.cmp(b),
            (Part::Text(_), Part::Number(_)) => Ordering::Less,
            (Part::Number(_), Part::Text(_)) => Ordering::Greater,
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Whether a text has the form of Chef's constraints: `1.2`, or an operator and a version.
pub fn is_constraint(text: &str) -> bool {
    let starts_version = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if starts_version(text) && !text.contains(' ') {
        return true;
    }
    ["<=", ">=", "~>", "<", ">", "="]
        .iter()
        .find_map(|operator| text.strip_prefix(operator))
        .is_some_and(|version| starts_version(version.trim_start_matches(' ')))
}

/// Whether a version satisfies one constraint such as `~> 1.2`, `>= 3`, `2.0`.
pub fn satisfies(version: &str, constraint: &str) -> bool {
    let constraint = constraint.trim();
    let split = constraint.find(|c: char| !"<>=!~".contains(c)).unwrap_or(constraint.len());
    let (operator, wanted) = (&constraint[..split], constraint[split..].trim());
    let order = compare(version, wanted);
    match operator {
        "" | "=" => order == Ordering::Equal,
        "!=" => order != Ordering::Equal,
        ">" => order == Ordering::Greater,
        "<" => order == Ordering::Less,
        ">=" => order != Ordering::Less,
        "<=" => order != Ordering::Greater,
        "~>" => {
            let mut limit: Vec<u64> = wanted.split('.').map_while(|part| part.parse().ok()).collect();
            if limit.len() > 1 {
                limit.pop();
            }
            if let Some(last) = limit.last_mut() {
                *last += 1;
            }
            let limit = limit.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
            order != Ordering::Less && compare(version, &limit) == Ordering::Less
        }
        _ => false,
    }
}

/// Whether a version satisfies every constraint of a list such as `>= 1.2, < 3`.
pub fn satisfies_all(version: &str, constraints: &str) -> bool {
    constraints.split(',').all(|constraint| satisfies(version, constraint))
}

/// Whether a version satisfies a Ruby requirement: a String or an Array of them (all must hold).
pub fn gem_requirement_matches(vm: &mut Vm, requirement: &Value, version: &str) -> Res<bool> {
    for item in vm.to_array(requirement)? {
        let text = vm.to_s_text(&item)?;
        if !satisfies_all(version, &text) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::{compare, satisfies};
    use std::cmp::Ordering;

    #[test]
    fn order_of_gem_versions() {
        for (a, b, expected) in [
            ("1.0", "1", Ordering::Equal),
            ("1.10", "1.9", Ordering::Greater),
            ("1.0.rc1", "1.0", Ordering::Less),
            ("22.04", "20.10", Ordering::Greater),
        ] {
            assert_eq!(compare(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn constraints() {
        for (version, constraint, expected) in [
            ("1.2.9", "~> 1.2", true),
            ("2.0", "~> 1.2", false),
            ("1.2.9", "~> 1.2.0", true),
            ("1.3", "~> 1.2.0", false),
            ("12", ">= 12", true),
            ("9", "!= 9", false),
        ] {
            assert_eq!(satisfies(version, constraint), expected, "{version} {constraint}");
        }
    }
}
