//! References to resources: `type[name]`, `type` for a resource without a name, and the deprecated `type[a,b]`.

/// A parsed reference to a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// `type[name]`
    Named {
        /// The text before the last `[`.
        kind: &'a str,
        /// The text between the brackets.
        name: &'a str,
    },
    Nameless(&'a str),
}

impl<'a> Lookup<'a> {
    /// Parses a reference; None if it is invalid. Of several lines the first valid one counts, because Chef's patterns match line by line.
    pub fn parse(text: &'a str) -> Option<Lookup<'a>> {
        let named = |line: &'a str| {
            let (kind, name) = line.strip_suffix(']')?.rsplit_once('[')?;
            (!kind.is_empty()).then_some(Lookup::Named { kind, name })
        };
        let nameless = |line: &&str| !line.is_empty() && !line.contains(|c: char| "[] \t\r\x0b\x0c".contains(c));
        let mut lines = text.split('\n');
        lines.clone().find_map(named).or_else(|| lines.find(nameless).map(Lookup::Nameless))
    }

    /// The key of the resource in the collection.
    pub fn key(&self) -> String {
        match self {
            Lookup::Named { kind, name } => format!("{kind}[{name}]"),
            Lookup::Nameless(kind) => format!("{kind}[]"),
        }
    }

    /// The keys for `type[a,b]`, to be tried if there is no resource with that whole name.
    pub fn several(&self) -> Option<Vec<String>> {
        let Lookup::Named { kind, name } = self else { return None };
        let (first, rest) = name.split_once(',')?;
        (!first.is_empty() && !rest.is_empty()).then(|| name.split(',').map(|name| format!("{kind}[{name}]")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_name() {
        for (text, key) in [
            ("service[web]", Some("service[web]")),
            ("execute[echo a[0]]", Some("execute[echo a[0]]")),
            ("apt_update", Some("apt_update[]")),
            ("apt_update[]", Some("apt_update[]")),
            ("service web", None),
            ("service[web", None),
            ("[web]", None),
            ("", None),
            ("execute[a\nb]", None),
            ("execute[a\n]", None),
            ("first\nservice[web]", Some("service[web]")),
            ("apt_update\nfirst one", Some("apt_update[]")),
        ] {
            assert_eq!(Lookup::parse(text).map(|found| found.key()).as_deref(), key, "{text}");
        }
    }

    #[test]
    fn several_names() {
        let several = |text| Lookup::parse(text).and_then(|found| found.several());
        assert_eq!(several("file[a,b]"), Some(vec!["file[a]".to_string(), "file[b]".to_string()]));
        assert_eq!(several("file[a, b]"), Some(vec!["file[a]".to_string(), "file[ b]".to_string()]));
        assert_eq!((several("file[a]"), several("file[,a]"), several("file")), (None, None, None));
    }
}
