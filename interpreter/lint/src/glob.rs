//! RuboCop's globs: `*` and `?` within a path component, `**/` across components, `[a-z]`, `{a,b}`; names that begin with a dot match like others.

/// Whether a path matches.
#[must_use]
pub fn matches(pattern: &str, path: &str) -> bool {
    if pattern.contains('{') {
        return expand(pattern).iter().any(|pattern| walk(pattern.as_bytes(), path.as_bytes()));
    }
    walk(pattern.as_bytes(), path.as_bytes())
}

/// Expands `a{b,c}` to `ab` and `ac`; at most 256 patterns.
fn expand(pattern: &str) -> Vec<String> {
    let mut open = vec![pattern.to_string()];
    let mut done = Vec::new();
    while let Some(next) = open.pop() {
        let close = next.find('{').and_then(|start| Some((start, start + next[start..].find('}')?)));
        match close {
            Some((start, end)) if open.len() + done.len() < 256 => {
                for part in next[start + 1..end].split(',') {
                    open.push(format!("{}{part}{}", &next[..start], &next[end + 1..]));
                }
            }
            _ => done.push(next),
        }
    }
    done
}

fn walk(pattern: &[u8], path: &[u8]) -> bool {
    if let Some(rest) = pattern.strip_prefix(b"**/") {
        let mut at = path;
        loop {
            if walk(rest, at) {
                return true;
            }
            match at.iter().position(|byte| *byte == b'/') {
                Some(slash) => at = &at[slash + 1..],
                None => return false,
            }
        }
    }
    match (pattern.first(), path.first()) {
        (None, None) => true,
        (Some(b'*'), _) => {
            let rest = &pattern[1..];
            // at the end, `**` matches everything below
            if rest == b"*" {
                return !path.is_empty();
            }
            let mut at = path;
            loop {
                if walk(rest, at) {
                    return true;
                }
                match at.first() {
                    Some(byte) if *byte != b'/' => at = &at[1..],
                    _ => return false,
                }
            }
        }
        (Some(b'?'), Some(byte)) => *byte != b'/' && walk(&pattern[1..], &path[1..]),
        (Some(b'['), Some(byte)) => match pattern.iter().position(|byte| *byte == b']') {
            Some(end) => set(&pattern[1..end], *byte) && walk(&pattern[end + 1..], &path[1..]),
            None => *byte == b'[' && walk(&pattern[1..], &path[1..]),
        },
        (Some(b'\\'), Some(byte)) => pattern.get(1) == Some(byte) && walk(&pattern[2..], &path[1..]),
        (Some(a), Some(b)) => a == b && walk(&pattern[1..], &path[1..]),
        _ => false,
    }
}

fn set(set: &[u8], byte: u8) -> bool {
    let (set, not) = match set.first() {
        Some(b'^' | b'!') => (&set[1..], true),
        _ => (set, false),
    };
    let mut at = 0;
    let mut found = false;
    while at < set.len() {
        if set.get(at + 1) == Some(&b'-') && at + 2 < set.len() {
            found |= (set[at]..=set[at + 2]).contains(&byte);
            at += 3;
        } else {
            found |= set[at] == byte;
            at += 1;
        }
    }
    found != not && byte != b'/'
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs() {
        for (pattern, path, yes) in [
            ("**/metadata.rb", "metadata.rb", true),
            ("**/metadata.rb", "cookbooks/a/metadata.rb", true),
            ("**/metadata.rb", "a/xmetadata.rb", false),
            ("**/resources/*.rb", "resources/a.rb", true),
            ("**/resources/*.rb", "a/resources/b/c.rb", false),
            ("**/spec/**/*.rb", "a/spec/b/c/d_spec.rb", true),
            ("**/spec/**/*.rb", "spec/d_spec.rb", true),
            ("**/files/**/*", "a/files/default/x.rb", true),
            ("**/files/**/*", "a/files.rb", false),
            ("vendor/**", "vendor/a/b", true),
            ("*.{rb,ru}", "a.ru", true),
            ("[a-c]x", "bx", true),
            ("[^a-c]x", "bx", false),
        ] {
            assert_eq!(matches(pattern, path), yes, "{pattern} {path}");
        }
    }
}
