//! The options of a command, as getopt_long(3) reads them.

/// The options and operands of a command.
#[derive(Debug, Default)]
pub struct Given<'a> {
    /// Each option by its letter or name, with its value.
    pub options: Vec<(&'a str, Option<&'a str>)>,
    pub operands: Vec<&'a str>,
}

impl<'a> Given<'a> {
    /// Whether an option is given under one of these names.
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(name))
    }

    /// The last value that an option with one of these names is given.
    pub fn value(&self, names: &[&str]) -> Option<&'a str> {
        self.values(names).last()
    }

    /// All values that options with these names are given.
    pub fn values(&self, names: &[&str]) -> impl Iterator<Item = &'a str> {
        self.options.iter().filter(move |(name, _)| names.contains(name)).filter_map(|(_, value)| *value)
    }
}

/// Whether an option takes a value.
#[derive(PartialEq)]
enum Takes {
    Nothing,
    Value,
    Attached,
}

fn short_option(known: &str, letter: char) -> Option<Takes> {
    let mut rest = known.chars().skip_while(|known| *known != letter);
    rest.next().filter(|_| letter.is_ascii_alphanumeric())?;
    Some(match rest.next() {
        Some(':') => Takes::Value,
        Some('?') => Takes::Attached,
        _ => Takes::Nothing,
    })
}

fn long_option(known: &str, name: &str) -> Option<Takes> {
    known.split(' ').find_map(|known| {
        let rest = known.strip_prefix(name).filter(|_| !name.is_empty())?;
        Some(match rest {
            "" => Takes::Nothing,
            "=" => Takes::Value,
            "?" => Takes::Attached,
            _ => return None,
        })
    })
}

/// The options and operands of a command; None for an unknown option.
///
/// `short` has the letters in the notation of getopt (`:` for a required value, `?` for an optional one), `long` the names (`=` for a required
/// value, `?` for an optional one). With `counts`, a number may be an option (a count of lines).
pub fn parsed<'a>(short: &str, long: &str, counts: bool, words: &[&'a str]) -> Option<Given<'a>> {
    let mut given = Given::default();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if word == "--" {
            given.operands.extend(words.by_ref());
        } else if let Some(name) = word.strip_prefix("--") {
            let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let value = match (long_option(long, name)?, value) {
                (Takes::Nothing, Some(_)) => return None,
                (Takes::Value, None) => Some(words.next()?),
                (_, value) => value,
            };
            given.options.push((name, value));
        } else if let Some(cluster) = word.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            if counts && cluster.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            for (at, letter) in cluster.char_indices() {
                let (name, rest) = cluster[at..].split_at(letter.len_utf8());
                let value = match short_option(short, letter)? {
                    Takes::Nothing => None,
                    Takes::Value if rest.is_empty() => Some(words.next()?),
                    Takes::Value | Takes::Attached => Some(rest),
                };
                given.options.push((name, value));
                if value.is_some() {
                    break;
                }
            }
        } else {
            given.operands.push(word);
        }
    }
    Some(given)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::*;

    #[test]
    fn words_that_getopt_reads() {
        let given =
            parsed("qm:p?", "mode= quiet when?", false, &["-qm", "1", "a", "--mode=2", "-px", "--", "-z"]).unwrap();
        assert!(given.has(&["q", "quiet"]) && !given.has(&["quiet"]));
        assert_eq!((given.value(&["m", "mode"]), given.value(&["p"])), (Some("2"), Some("x")));
        assert_eq!(given.values(&["m", "mode"]).collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(given.operands, ["a", "-z"]);
        for words in [&["-z"][..], &["--other"], &["--quiet=1"], &["-m"], &["--mode"]] {
            assert!(parsed("qm:p?", "mode= quiet when?", false, words).is_none(), "{words:?}");
        }
        assert!(parsed("", "", true, &["-5"]).unwrap().operands.is_empty());
    }
}
