//! Patterns for differences to ignore.

/// Patterns in which `*` matches any text.
#[derive(Debug, Default)]
pub struct Ignore {
    patterns: Vec<(String, Option<String>)>,
}

impl Ignore {
    /// Parses lines; empty ones and those that start with `#` are skipped. A `#` inside a line precedes a property.
    pub fn new(lines: &[String]) -> Self {
        let lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let patterns = lines
            .map(|line| match line.rsplit_once('#') {
                Some((key, property)) => (key.to_string(), Some(property.to_string())),
                None => (line.to_string(), None),
            })
            .collect();
        Self { patterns }
    }

    /// Whether a resource is ignored; `key` is like `file[/x]`.
    pub fn resource(&self, key: &str) -> bool {
        self.patterns.iter().any(|(pattern, property)| property.is_none() && matches(pattern, key))
    }

    /// Whether a property (or one containing it) is ignored; `path` is like `variables.port`.
    pub fn property(&self, key: &str, path: &str) -> bool {
        self.patterns.iter().any(|(pattern, property)| {
            let below = |property: &str| matches(property, path) || matches(&format!("{property}.*"), path);
            property.as_deref().is_some_and(below) && matches(pattern, key)
        })
    }

    /// Whether an attribute (or one containing it) is ignored; `name` is like `node['a']['b']`.
    pub fn attribute(&self, name: &str) -> bool {
        self.patterns.iter().any(|(pattern, _)| matches(pattern, name) || matches(&format!("{pattern}[*"), name))
    }
}

/// Whether a pattern matches a text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let Some(last) = pattern.contains('*').then(|| parts.next_back().unwrap_or_default()) else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::Ignore;

    #[test]
    fn patterns() {
        let lines = ["# a comment", "file[/tmp/*]", "template[*]#variables", "node['a']"].map(str::to_string);
        let ignore = Ignore::new(&lines);
        assert!(ignore.resource("file[/tmp/x]") && !ignore.resource("file[/x]") && !ignore.resource("template[a]"));
        assert!(ignore.property("template[a]", "variables.port") && !ignore.property("template[a]", "mode"));
        assert!(ignore.attribute("node['a']['b']") && !ignore.attribute("node['ab']"));
    }
}
