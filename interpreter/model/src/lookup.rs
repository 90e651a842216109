//! Texts that name resources of a collection: `type[name]`, `type` for a resource without a name, and the deprecated `type[a,b]`.

/// What a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// `type[name]`
    Named {
        /// Before the last bracket that opens.
        kind: &'a str,
        /// Between the brackets.
        name: &'a str,
    },
    Nameless(&'a str),
}

impl<'a> Lookup<'a> {
    /// Reads a text; None where it names no resource. Of several lines the first that names one counts, as with Chef, whose patterns are of lines.
    pub fn parse(text: &'a str) -> Option<Lookup<'a>> {
        let named = |line: &'a str| {
            let (kind, name) = line.strip_suffix(']')?.rsplit_once('[')?;
            (!kind.is_empty()).then_some(Lookup::Named { kind, name })
        };
        let nameless = |line: &&str| !line.is_empty() && !line.contains(|c: char| "[] \t\r\x0b\x0c".contains(c));
        let mut lines = text.split('\n');
        lines.clone().find_map(named).or_else(|| lines.find(nameless).map(Lookup::Nameless))
    }

    /// The key of the resource.
    pub fn key(&self) -> String {
        match self {
            Lookup::Named { kind, name } => format!("{kind}[{name}]"),
            Lookup::Nameless(kind) => format!("{kind}[]"),
        }
    }

    /// The keys of several resources, where a name with a comma is not one of its own.
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
