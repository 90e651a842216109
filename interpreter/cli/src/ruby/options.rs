//! The command line of `rchef ruby`, which is Ruby's: letters without a value may stand in one word (`-ane CODE`), and RUBYOPT and the line `#!ruby`
//! of a program may have options too.

use std::collections::VecDeque;

/// What `-0` says of `$/`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Separator {
    /// Everything is one line.
    Nothing,
    /// Lines are paragraphs.
    Paragraph,
    Byte(u8),
}

/// What is printed in place of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Print {
    Version,
    Copyright,
    Usage,
    Help,
}

/// A value of `$VERBOSE`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verbosity {
    Nil,
    False,
    True,
}

/// What `--enable` and `--disable` name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    pub(super) gems: bool,
    pub(super) error_highlight: bool,
    pub(super) did_you_mean: bool,
    pub(super) rubyopt: bool,
    pub(super) frozen_string_literal: Option<bool>,
}
impl Default for Features {
    fn default() -> Self {
        Features { gems: true, error_highlight: true, did_you_mean: true, rubyopt: true, frozen_string_literal: None }
    }
}
impl Features {
    const NAMES: [&'static str; 7] =
        ["gems", "error_highlight", "did_you_mean", "rubyopt", "frozen_string_literal", "mjit", "yjit"];

    fn set(&mut self, name: &str, on: bool) {
        match name {
            "gems" => self.gems = on,
            "error_highlight" => self.error_highlight = on,
            "did_you_mean" => self.did_you_mean = on,
            "rubyopt" => self.rubyopt = on,
            "frozen_string_literal" => self.frozen_string_literal = Some(on),
            _ => {}
        }
    }
}

#[derive(Default)]
pub(super) struct Options {
    pub(super) code: Vec<String>,
    pub(super) requires: Vec<String>,
    pub(super) include: Vec<String>,
    pub(super) gem_path: Vec<String>,
    pub(super) verbose: Option<Verbosity>,
    /// `-v` and `--verbose`: without a program there is nothing more to do.
    pub(super) chatty: bool,
    /// `-v`: the version is shown before the program.
    pub(super) shows_version: bool,
    pub(super) print: Option<Print>,
    pub(super) debug: bool,
    pub(super) check: bool,
    /// `-C`: the directories to change to, one after the other.
    pub(super) directories: Vec<String>,
    /// `-S`: the program is searched for in RUBYPATH and PATH.
    pub(super) search: bool,
    /// `-x`: the program starts at the line `#!ruby`.
    pub(super) embedded: bool,
    /// `-s`: arguments such as `-name` set global variables.
    pub(super) switches: bool,
    pub(super) external: Option<String>,
    pub(super) internal: Option<String>,
    /// `-K`: the encoding of the program.
    pub(super) source: Option<String>,
    /// `-W:deprecated`, `-W:no-experimental`.
    pub(super) categories: Vec<(&'static str, bool)>,
    pub(super) features: Features,
    /// `-n` and `-p`
    pub(super) loops: bool,
    pub(super) prints: bool,
    /// `-l`: lines lose their ends, and `$\` is this.
    pub(super) chomps: Option<Separator>,
    /// `-a`
    pub(super) splits: bool,
    pub(super) in_place: Option<String>,
    pub(super) field_separator: Option<String>,
    pub(super) record_separator: Option<Separator>,
    pub(super) backtrace_limit: Option<i64>,
    /// What to warn of.
    pub(super) warnings: Vec<String>,
    /// With `-s`: the variables that arguments set.
    pub(super) variables: Vec<(String, Option<String>)>,
    pub(super) file: Option<String>,
    pub(super) args: Vec<String>,
}

/// Where options come from: in RUBYOPT only some are allowed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Origin {
    CommandLine,
    Environment,
}

/// Reads options up to the first word that is none, `--` or the end; returns the words that are left.
///
/// # Errors
/// The text of what is wrong, without the name of the program.
pub(super) fn read(
    options: &mut Options,
    words: impl IntoIterator<Item = String>,
    origin: Origin,
) -> Result<Vec<String>, String> {
    let mut reader = Reader { options, words: words.into_iter().collect(), origin };
    while reader.words.front().is_some_and(|word| word.len() > 1 && word.starts_with('-')) {
        let word = reader.words.pop_front().unwrap_or_default();
        if word == "--" || word == "--\r" {
            break;
        }
        match word.strip_prefix("--") {
            Some(name) => reader.long(name)?,
            None => reader.letters(&word[1..])?,
        }
        if matches!(reader.options.print, Some(Print::Usage | Print::Help)) {
            break;
        }
    }
    Ok(reader.words.into())
}

struct Reader<'a> {
    options: &'a mut Options,
    words: VecDeque<String>,
    origin: Origin,
}

fn invalid(shown: impl std::fmt::Display) -> String {
    format!("invalid option {shown}  (-h will show valid options) (RuntimeError)")
}

impl Reader<'_> {
    /// The rest of the word, or else the next one.
    fn value(&mut self, rest: &str) -> Option<String> {
        if rest.is_empty() { self.words.pop_front() } else { Some(rest.to_string()) }
    }
    fn verbose(&mut self, level: Verbosity) {
        self.options.verbose = Some(level);
        let on = level == Verbosity::True;
        if on || level == Verbosity::Nil {
            self.options.categories.extend([("deprecated", on), ("experimental", on)]);
        } else {
            self.options.categories.push(("deprecated", false));
        }
    }
    fn letters(&mut self, word: &str) -> Result<(), String> {
        let mut rest = word;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            if self.origin == Origin::Environment && "apnycshlSeixCXF0".contains(letter) {
                return Err(format!("invalid switch in RUBYOPT: -{letter} (RuntimeError)"));
            }
            match self.letter(letter, rest)? {
                Some(left) => rest = left,
                None => return Ok(()),
            }
        }
        Ok(())
    }
    /// Takes one letter; returns the letters that follow, or None if the word was its value.
    fn letter<'a>(&mut self, letter: char, rest: &'a str) -> Result<Option<&'a str>, String> {
        let options = &mut *self.options;
        match letter {
            'a' => options.splits = true,
            'n' => options.loops = true,
            'p' => (options.loops, options.prints) = (true, true),
            'd' => {
                options.debug = true;
                options.verbose = Some(Verbosity::True);
            }
            'v' => {
                if !options.chatty {
                    (options.shows_version, options.chatty) = (true, true);
                    self.verbose(Verbosity::True);
                }
            }
            'w' => self.verbose(Verbosity::True),
            'W' => return Ok(self.warning_level(rest)),
            'c' => options.check = true,
            's' => options.switches = true,
            'h' => options.print = Some(Print::Usage),
            'l' => options.chomps = Some(options.record_separator.clone().unwrap_or(Separator::Byte(b'\n'))),
            'S' => options.search = true,
            'U' => once(&mut options.internal, "default_internal", "UTF-8")?,
            'K' => return Ok(Some(self.kanji(rest))),
            '0' => return Ok(Some(self.record_separator(rest))),
            '\r' if rest.is_empty() => {}
            _ => {
                self.letter_with_value(letter, rest)?;
                return Ok(None);
            }
        }
        Ok(Some(rest))
    }
    fn letter_with_value(&mut self, letter: char, rest: &str) -> Result<(), String> {
        match letter {
            'e' => {
                let code = self.value(rest).ok_or("no code specified for -e (RuntimeError)")?;
                self.options.code.push(code);
            }
            'r' => {
                let feature = self.value(rest);
                self.options.requires.extend(feature);
            }
            'I' => {
                let folders = self.value(rest).unwrap_or_default();
                self.options.include.extend(folders.split(':').filter(|part| !part.is_empty()).map(str::to_string));
            }
            'i' => self.options.in_place = Some(rest.to_string()),
            'F' if !rest.is_empty() => self.options.field_separator = Some(rest.to_string()),
            'F' => {}
            'x' => {
                self.options.embedded = true;
                self.options.directories.extend(Some(rest.to_string()).filter(|rest| !rest.is_empty()));
            }
            'C' | 'X' => {
                let folder = self.value(rest).filter(|folder| !folder.is_empty()).ok_or("Can't chdir (fatal)")?;
                self.options.directories.push(folder);
            }
            'E' => {
                let names = self.value(rest).ok_or("missing argument for -E (RuntimeError)")?;
                self.encodings(&names, "-E")?;
            }
            letter if letter.is_control() => return Err(invalid(format!("-{}", shown(letter)))),
            letter => return Err(invalid(format!("-{letter}"))),
        }
        Ok(())
    }
    /// `-W`, `-W1`, `-W:deprecated`; returns the letters that follow.
    fn warning_level<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        if let Some(name) = rest.strip_prefix(':') {
            let (name, on) = name.strip_prefix("no-").map_or((name, true), |name| (name, false));
            match ["deprecated", "experimental"].into_iter().find(|known| !name.is_empty() && known.starts_with(name)) {
                Some(known) => self.options.categories.push((known, on)),
                None => self.options.warnings.push(format!("unknown warning category: `{name}'")),
            }
            return None;
        }
        let digit = rest.chars().next().filter(|digit| ('0'..='7').contains(digit));
        self.verbose(match digit {
            Some('0') => Verbosity::Nil,
            Some('1') => Verbosity::False,
            _ => Verbosity::True,
        });
        Some(if digit.is_some() { &rest[1..] } else { rest })
    }
    fn kanji<'a>(&mut self, rest: &'a str) -> &'a str {
        let Some(letter) = rest.chars().next() else { return rest };
        let name = match letter {
            'E' | 'e' => "EUC-JP",
            'S' | 's' => "Windows-31J",
            'U' | 'u' => "UTF-8",
            'N' | 'n' | 'A' | 'a' => "ASCII-8BIT",
            _ => return &rest[letter.len_utf8()..],
        };
        self.options.source = Some(name.to_string());
        self.options.external.get_or_insert_with(|| name.to_string());
        &rest[1..]
    }
    fn record_separator<'a>(&mut self, rest: &'a str) -> &'a str {
        let digits = rest.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        let value = u32::from_str_radix(&rest[..digits], 8).unwrap_or(0);
        self.options.record_separator = Some(match u8::try_from(value) {
            Ok(0) if digits > 0 => Separator::Paragraph,
            Ok(byte) => Separator::Byte(byte),
            Err(_) => Separator::Nothing,
        });
        &rest[digits..]
    }
    /// `EXTERNAL[:INTERNAL]`; an empty part changes nothing.
    fn encodings(&mut self, names: &str, option: &str) -> Result<(), String> {
        let (external, internal) = names.split_once(':').unwrap_or((names, ""));
        let (internal, extra) = internal.split_once(':').unwrap_or((internal, ""));
        if !external.is_empty() {
            once(&mut self.options.external, "default_external", external)?;
        }
        if !internal.is_empty() {
            once(&mut self.options.internal, "default_internal", internal)?;
        }
        if extra.is_empty() { Ok(()) } else { Err(format!("extra argument for {option}: {extra} (RuntimeError)")) }
    }

    fn long(&mut self, name: &str) -> Result<(), String> {
        let plain = ["copyright", "version", "help", "verbose", "jit", "mjit", "yjit", "debug"].contains(&name);
        if plain {
            if self.origin == Origin::Environment && ["copyright", "version", "help"].contains(&name) {
                return Err(format!("invalid switch in RUBYOPT: --{name} (RuntimeError)"));
            }
            self.plain(name);
            return Ok(());
        }
        let known = [
            "enable",
            "disable",
            "encoding",
            "external-encoding",
            "internal-encoding",
            "backtrace-limit",
            "gem-path",
            "dump",
        ];
        let (option, rest) = known
            .into_iter()
            .find_map(|option| {
                let rest = name.strip_prefix(option)?;
                let hyphen = option.ends_with("able");
                let ends = rest.is_empty() || rest.starts_with('=') || hyphen && rest.starts_with('-');
                ends.then_some((option, rest))
            })
            .ok_or_else(|| invalid(format!("--{name}")))?;
        let missing = || format!("missing argument for --{option} (RuntimeError)");
        let value = match rest.get(1..) {
            None => self.words.pop_front().ok_or_else(missing)?,
            Some("") => return Err(missing()),
            Some(value) => value.to_string(),
        };
        self.long_with_value(option, &value)
    }
    fn plain(&mut self, name: &str) {
        let options = &mut *self.options;
        match name {
            "copyright" => options.print = Some(Print::Copyright),
            "version" => options.print = Some(Print::Version),
            "help" => options.print = Some(Print::Help),
            "verbose" => (options.chatty, options.verbose) = (true, Some(Verbosity::True)),
            "debug" => (options.debug, options.verbose) = (true, Some(Verbosity::True)),
            _ => {}
        }
    }
    fn long_with_value(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "enable" | "disable" => value.split(',').for_each(|name| self.feature(name, option)),
            "encoding" => self.encodings(value, "--encoding")?,
            "external-encoding" => once(&mut self.options.external, "default_external", value)?,
            "internal-encoding" => once(&mut self.options.internal, "default_internal", value)?,
            "gem-path" => self.options.gem_path.push(value.to_string()),
            "backtrace-limit" => {
                let limit = value.parse().ok().filter(|limit| *limit >= 0);
                self.options.backtrace_limit = Some(limit.ok_or("wrong limit for backtrace length (RuntimeError)")?);
            }
            _ if value == "syntax" => self.options.check = true,
            _ => return Err(invalid(format!("--{option}={value}"))),
        }
        Ok(())
    }
    fn feature(&mut self, name: &str, option: &str) {
        let on = option == "enable";
        let wanted = name.replace('-', "_").to_ascii_lowercase();
        let found: Vec<&str> = Features::NAMES.into_iter().filter(|known| known.starts_with(&wanted)).collect();
        if wanted == "jit" {
            return;
        }
        if wanted == "all" {
            for known in Features::NAMES {
                self.options.features.set(known, on);
            }
        } else if let ([one], false) = (&found[..], wanted.is_empty()) {
            self.options.features.set(one, on);
        } else {
            self.options.warnings.push(format!("unknown argument for --{option}: `{name}'"));
            self.options.warnings.push(format!("features are [{}].", Features::NAMES.join(", ")));
        }
    }
}

/// Sets the name of an encoding that may be given twice only if it is the same.
fn once(place: &mut Option<String>, what: &str, name: &str) -> Result<(), String> {
    if let Some(set) = place.as_ref().filter(|set| !set.eq_ignore_ascii_case(name)) {
        return Err(format!("{what} already set to {set} (RuntimeError)"));
    }
    *place = Some(name.to_string());
    Ok(())
}

fn shown(letter: char) -> String {
    if letter == '\r' { "\\r".to_string() } else { format!("\\x{:02X}", u32::from(letter)) }
}

/// Finds the line `#!ruby` of a program with its options, which are read: the first line, or with `-x`, and where the first line names another
/// interpreter, a later one. What is before it is blanked, so that lines keep their numbers and the data after `__END__` its place.
///
/// # Errors
/// The text of what is wrong, without the name of the program.
pub(super) fn shebang(options: &mut Options, source: &mut [u8]) -> Result<(), String> {
    let mut start = 0;
    let first_is_shebang = source.starts_with(b"#!") && source.len() > 2;
    if !options.embedded && !first_is_shebang {
        return Ok(());
    }
    loop {
        let Some(rest) = source.get(start..).filter(|rest| !rest.is_empty()) else {
            return Err("no Ruby script found in input (LoadError)".to_string());
        };
        let end = rest.iter().position(|byte| *byte == b'\n').map_or(source.len(), |at| start + at);
        let line = String::from_utf8_lossy(&source[start..end]).into_owned();
        let Some(after) = line.strip_prefix("#!").and_then(|line| line.find("ruby").map(|at| line[at..].to_string()))
        else {
            start = end + 1;
            continue;
        };
        source[..start].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        if after.ends_with('\r') {
            options.warnings.push("shebang line ending with \\r may cause problems".to_string());
        }
        let words = after.split_whitespace().skip(1).skip_while(|word| !word.starts_with('-'));
        // as with options in RUBYOPT, those of the command line come first
        let (external, internal) = (options.external.take(), options.internal.take());
        read(options, words.map(str::to_string), Origin::CommandLine)?;
        options.external = external.or(options.external.take());
        options.internal = internal.or(options.internal.take());
        return Ok(());
    }
}

/// With `-s`: takes arguments such as `-name` and `-name=value` off; the names of variables with their values.
///
/// # Errors
/// The text for an argument that names no variable.
pub(super) fn switches(args: &mut Vec<String>) -> Result<Vec<(String, Option<String>)>, String> {
    let mut found = Vec::new();
    while let Some(switch) = args.first().and_then(|arg| arg.strip_prefix('-')).map(str::to_string) {
        if switch.is_empty() {
            break;
        }
        args.remove(0);
        if switch == "-" {
            break;
        }
        let (name, value) = match switch.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (switch.as_str(), None),
        };
        let given = name;
        let name = name.replace('-', "_");
        if name.is_empty() || !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            return Err(format!("invalid name for global variable - -{given} (NameError)"));
        }
        found.push((format!("${name}"), value));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Options, Origin, Separator, Verbosity, read, shebang, switches};

    fn parsed(words: &[&str]) -> (Options, Vec<String>) {
        let mut options = Options::default();
        let rest = read(&mut options, words.iter().map(ToString::to_string), Origin::CommandLine).unwrap();
        (options, rest)
    }
    fn refused(words: &[&str], origin: Origin) -> String {
        read(&mut Options::default(), words.iter().map(ToString::to_string), origin).unwrap_err()
    }

    #[test]
    fn letters_in_one_word() {
        let (options, rest) = parsed(&["-pi.bak", "-F:", "-lane", "p 1", "a", "-b"]);
        assert!(options.loops && options.prints && options.splits);
        assert_eq!(options.in_place.as_deref(), Some(".bak"));
        assert_eq!(options.field_separator.as_deref(), Some(":"));
        assert_eq!(options.chomps, Some(Separator::Byte(b'\n')));
        assert_eq!((options.code, rest), (vec!["p 1".to_string()], vec!["a".to_string(), "-b".to_string()]));
    }

    #[test]
    fn separators_and_levels() {
        for (word, expected) in [
            ("-0", Separator::Byte(0)),
            ("-00", Separator::Paragraph),
            ("-0777", Separator::Nothing),
            ("-0141", Separator::Byte(b'a')),
        ] {
            assert_eq!(parsed(&[word]).0.record_separator, Some(expected), "{word}");
        }
        for (word, expected) in [("-W0", Verbosity::Nil), ("-W1", Verbosity::False), ("-W", Verbosity::True)] {
            assert_eq!(parsed(&[word]).0.verbose, Some(expected), "{word}");
        }
    }

    #[test]
    fn refusals() {
        assert_eq!(
            refused(&["-Z"], Origin::CommandLine),
            "invalid option -Z  (-h will show valid options) (RuntimeError)"
        );
        assert_eq!(refused(&["-e", "1"], Origin::Environment), "invalid switch in RUBYOPT: -e (RuntimeError)");
        assert_eq!(refused(&["-e"], Origin::CommandLine), "no code specified for -e (RuntimeError)");
        assert_eq!(refused(&["--enable"], Origin::CommandLine), "missing argument for --enable (RuntimeError)");
        assert_eq!(refused(&["-Ea", "-Eb"], Origin::CommandLine), "default_external already set to a (RuntimeError)");
    }

    #[test]
    fn line_of_ruby() {
        let mut options = Options::default();
        let mut source = b"#!/bin/sh\nexec\n#!ruby -pi.bak\np 1\n".to_vec();
        shebang(&mut options, &mut source).unwrap();
        assert_eq!(source, b"         \n    \n#!ruby -pi.bak\np 1\n");
        assert!(options.prints && options.in_place.as_deref() == Some(".bak"));
        assert!(shebang(&mut Options::default(), &mut b"#!/bin/sh\n".to_vec()).is_err());
    }

    #[test]
    fn arguments_that_set_variables() {
        let mut args: Vec<String> = ["-a-b=c", "-d", "--", "-e"].map(str::to_string).to_vec();
        let found = switches(&mut args).unwrap();
        assert_eq!(found, [("$a_b".to_string(), Some("c".to_string())), ("$d".to_string(), None)]);
        assert_eq!(args, ["-e"]);
        assert!(switches(&mut vec!["-#".to_string()]).is_err());
    }
}
