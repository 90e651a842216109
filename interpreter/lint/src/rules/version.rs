//! Versions and version constraints, compared as by RubyGems.

use std::cmp::Ordering;

/// The numbers of a version; `None` if it is malformed.
fn parts(version: &str) -> Option<Vec<u64>> {
    version.trim().split('.').map(|part| part.parse().ok()).collect()
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    (0..a.len().max(b.len()))
        .map(|at| a.get(at).unwrap_or(&0).cmp(b.get(at).unwrap_or(&0)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Whether a version satisfies all constraints of a list such as `~> 7.0, < 7.8`.
pub fn meets(version: &str, constraints: &str) -> bool {
    let Some(version) = parts(version) else { return false };
    constraints.split(',').all(|constraint| {
        let constraint = constraint.trim();
        let at = constraint.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
        let (operator, bound) = constraint.split_at(at);
        let Some(bound) = parts(bound) else { return false };
        let order = compare(&version, &bound);
        match operator.trim() {
            "" | "=" => order.is_eq(),
            ">" => order.is_gt(),
            "<" => order.is_lt(),
            ">=" => order.is_ge(),
            "<=" => order.is_le(),
            "~>" => {
                let mut next = bound.clone();
                if next.len() > 1 {
                    next.pop();
                }
                if let Some(last) = next.last_mut() {
                    *last += 1;
                }
                order.is_ge() && compare(&version, &next).is_lt()
            }
            _ => false,
        }
    })
}

/// Whether a version is at least `bound`; true if either is malformed.
#[must_use]
pub fn at_least(version: &str, bound: &str) -> bool {
    match (parts(version), parts(bound)) {
        (Some(a), Some(b)) => compare(&a, &b).is_ge(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::meets;

    #[test]
    fn constraints() {
        for (version, constraints, yes) in [
            ("7.2", "~> 7.0, < 7.8", true),
            ("7.8", "~> 7.0, < 7.8", false),
            ("8.0", "~> 7.0", false),
            ("6.1", "~> 6", true),
            ("14.04", "< 16.04", true),
            ("2017.12", "2017.12", true),
            ("x", "< 16.04", false),
        ] {
            assert_eq!(meets(version, constraints), yes, "{version} {constraints}");
        }
    }
}
