//! The options of a command, as getopt_long(3) reads them.

/// An option and its value.
pub(crate) type Told<'a> = (&'a str, Option<&'a str>);

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
pub(crate) fn parsed<'a>(
    short: &str,
    long: &str,
    counts: bool,
    words: &[&'a str],
) -> Option<(Vec<Told<'a>>, Vec<&'a str>)> {
    let (mut options, mut operands) = (Vec::new(), Vec::new());
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if word == "--" {
            operands.extend(words.by_ref());
        } else if let Some(name) = word.strip_prefix("--") {
            let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let value = match (long_option(long, name)?, value) {
                (Takes::Nothing, Some(_)) => return None,
                (Takes::Value, None) => Some(words.next()?),
                (_, value) => value,
            };
            options.push((name, value));
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
                options.push((name, value));
                if value.is_some() {
                    break;
                }
            }
        } else {
            operands.push(word);
        }
    }
    Some((options, operands))
}
