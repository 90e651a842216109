//! Whether what one line asks can matter to another line of Ruby, by the names that the lines share.
//!
//! No flow of data is computed: lines are read from the failing one upwards, and what assigns a name that is needed, encloses the line or leaves the method before
//! it brings its own names. So an unrelated question before a mistake does not excuse the mistake.

use std::collections::BTreeSet;

/// What a failing line needs, as far as the lines above it say.
pub struct Needs {
    /// Names: variables, methods, constants, keys of attributes.
    pub names: BTreeSet<String>,
    /// Lines, from 1.
    pub lines: BTreeSet<usize>,
}

/// Lines above the failing one that are read.
const FURTHEST: usize = 400;
/// Words of Ruby, and names of which every file has its own.
const KEYWORDS: &[&str] = &[
    "alias", "and", "begin", "break", "case", "class", "def", "default", "do", "else", "elsif", "end", "ensure",
    "fail", "false", "if", "in", "log", "module", "next", "nil", "node", "normal", "not", "or", "override", "puts",
    "raise", "rescue", "return", "self", "super", "then", "true", "unless", "until", "when", "while", "yield",
];
/// Methods that every object may have, so that another file's method of the name says nothing.
const COMMON: &[&str] = &[
    "action", "all", "any", "call", "data", "default", "each", "empty", "exist", "file", "first", "get", "include",
    "install", "join", "key", "keys", "last", "length", "map", "match", "name", "new", "path", "run", "select", "set",
    "size", "split", "strip", "to_a", "to_h", "to_i", "to_s", "to_sym", "value", "values", "version",
];

impl Needs {
    /// Of a line (from 1) of a file.
    pub fn of(text: &[String], line: usize) -> Self {
        let Some(own) = line.checked_sub(1).and_then(|at| text.get(at)) else {
            return Self { names: BTreeSet::new(), lines: BTreeSet::new() };
        };
        let mut needs = Self { names: words(own).collect(), lines: BTreeSet::from([line]) };
        let mut indent = indent_of(own);
        for at in (line.saturating_sub(FURTHEST).max(1)..line).rev() {
            let Some(text) = text.get(at - 1).map(|text| code_of(text)).filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            let encloses = indent_of(text) < indent;
            if encloses {
                indent = indent_of(text);
            }
            let first = text.split_whitespace().next().unwrap_or_default();
            let leaves =
                ["return", "next", "break"].iter().any(|word| text.split_whitespace().any(|part| part == *word));
            let changes = assigned(text).chain(receiver(text)).any(|name| needs.names.contains(&name));
            if encloses && first != "end" || leaves || changes {
                needs.lines.insert(at);
                needs.names.extend(words(text));
            }
            if begins_method(text) && encloses {
                break;
            }
        }
        needs
    }

    /// Whether a line of a file is of what is needed: of the same file it is one of the lines; elsewhere it sets an attribute or an instance variable, or is in a method that is named.
    pub fn has(&self, text: &[String], line: usize, same: bool) -> bool {
        if same && self.lines.contains(&line) {
            return true;
        }
        let Some(own) = line.checked_sub(1).and_then(|at| text.get(at)) else { return true };
        let method = method_of(text, line).is_some_and(|name| self.means(name.trim_end_matches(['?', '!', '='])));
        let kept = own.trim_start().starts_with('@') && assigned(own).any(|name| self.means(&name));
        method || kept || sets_attribute(own).is_some_and(|key| self.names.contains(key))
    }

    /// Whether a name of another method is one that is needed.
    fn means(&self, name: &str) -> bool {
        !COMMON.contains(&name) && self.names.contains(name)
    }
}

/// Whether a line lies in the same method as a later one.
pub fn in_one_method(text: &[String], first: usize, later: usize) -> bool {
    text.iter().take(later).skip(first).all(|line| !begins_method(line))
}

pub fn begins_method(line: &str) -> bool {
    let line = line.trim_start();
    ["def ", "action ", "action_class", "load_current_value"].iter().any(|start| line.starts_with(start))
}

/// The method that a line is in.
fn method_of(text: &[String], line: usize) -> Option<&str> {
    let indent = indent_of(text.get(line.checked_sub(1)?)?);
    text.iter().take(line).rev().find_map(|text| {
        let inner = text.trim_start();
        let name = inner.strip_prefix("def ").filter(|_| indent_of(text) < indent || text.contains(';'))?;
        let name = name.strip_prefix("self.").unwrap_or(name);
        Some(name.split(|letter: char| !letter.is_alphanumeric() && !"_?!=".contains(letter)).next().unwrap_or(name))
    })
}

/// The last key of an attribute that a line sets.
fn sets_attribute(line: &str) -> Option<&str> {
    let (left, _) = line.split_once(" = ").or_else(|| line.split_once("||="))?;
    let keys = left.trim_end().strip_suffix(']')?;
    let key = keys.rsplit('[').next()?.trim_matches([':', '\'', '"']);
    is_attribute(left).then_some(key)
}

/// The keys that are written out of an attribute that a line sets, but the first, which is the cookbook's: `sites` of `node.default['w']['sites'][name] = x`.
pub fn set_keys(line: &str) -> Vec<&str> {
    let Some((left, _)) = line.split_once(" = ").or_else(|| line.split_once("||=")) else { return Vec::new() };
    if !is_attribute(left) {
        return Vec::new();
    }
    let keys = left.split('[').skip(1).filter_map(|key| key.trim_end().strip_suffix(']'));
    let written = keys.filter(|key| key.starts_with([':', '\'', '"']) && !key.contains("#{"));
    let mut keys: Vec<&str> = written.map(|key| key.trim_matches([':', '\'', '"'])).collect();
    if keys.len() > 1 {
        keys.remove(0);
    }
    keys
}

/// Whether the left side of an assignment is a node's attribute.
fn is_attribute(left: &str) -> bool {
    ["node", "default", "override", "normal", "force_"].iter().any(|start| left.trim_start().starts_with(start))
}

/// Names that a line gives a value: variables, block parameters, what `rescue =>` takes.
fn assigned(line: &str) -> impl Iterator<Item = String> {
    let signs = [" = ", " ||= ", " += ", " << ", " -= ", " =~ ", "||=", " |= "];
    let left = signs.into_iter().filter_map(|sign| line.rfind(sign)).max().map_or("", |at| &line[..at]);
    let rescued = line.trim_start().strip_prefix("rescue").and_then(|rest| rest.split_once("=>"));
    let block = line.split_once('|').and_then(|(_, rest)| rest.split_once('|'));
    let rest = [rescued.map_or("", |(_, name)| name), block.map_or("", |(names, _)| names)];
    words(left).chain(rest.into_iter().flat_map(words))
}

/// The variable that a line begins with and calls something on, which may change it.
fn receiver(line: &str) -> Option<String> {
    let line = line.trim_start().strip_prefix('@').unwrap_or(line.trim_start());
    if line.starts_with(char::is_uppercase) {
        return None;
    }
    let end = line.find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '@')?;
    line[end..].starts_with(['.', '[']).then(|| words(&line[..end]).next()).flatten()
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A line of Ruby without its comment. A `#` begins one at the start of the line or after a blank; not in quotes, and not before `{`, which is an interpolation.
pub fn code_of(line: &str) -> &str {
    let (mut quote, mut escaped, mut last) = (None, false, ' ');
    for (at, letter) in line.char_indices() {
        match (letter, quote) {
            _ if escaped => {}
            ('\'' | '"' | '`', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            ('#', None) if last.is_whitespace() && !line[at + 1..].starts_with('{') => return &line[..at],
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
        last = letter;
    }
    line
}

/// The names of a line that say what it is about.
fn words(line: &str) -> impl Iterator<Item = String> {
    let all: Vec<String> = code_of(line)
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| {
            !word.is_empty() && !word.starts_with(|letter: char| letter.is_ascii_digit()) && !KEYWORDS.contains(word)
        })
        .map(str::to_string)
        .collect();
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{Needs, code_of, in_one_method, set_keys};

    fn text(lines: &str) -> Vec<String> {
        lines.lines().map(str::to_string).collect()
    }

    #[test]
    fn what_a_line_needs() {
        for (code, line, needed) in [
            ("log 'x' if File.exist?('/etc/foo')\nq = nil\nlog q.upcase", 3, vec![2, 3]),
            ("out = shell_out('a').stdout\nversion = out[/x/]\nz = 1\nversion.upcase", 4, vec![1, 2, 4]),
            ("if File.exist?('/a')\n  b = 1\n  c.upcase\nend", 3, vec![1, 3]),
            ("return unless File.exist?('/a')\nc.upcase", 2, vec![1, 2]),
            ("d = shell_out('a')\ndef m\n  d.x\nend", 3, vec![2, 3]),
            ("list = Dir['/x']\nlist.each do |one|\n  one.foo\nend", 3, vec![1, 2, 3]),
            ("out = shell_out('rpm')\nlog 'x'\nlog \"version #{out.upcase}\"", 3, vec![1, 3]),
            ("out = shell_out('rpm')\nraise \"no #{out}\" unless z", 2, vec![1, 2]),
            ("items = search(:node)\nlog \"first #{items.first['name']}\"", 2, vec![1, 2]),
            ("out = shell_out('rpm')\nlog z # as out has it", 2, vec![2]),
        ] {
            let found: Vec<usize> = Needs::of(&text(code), line).lines.into_iter().collect();
            assert_eq!(found, needed, "{code}");
        }
    }

    #[test]
    fn keys_of_attributes_that_are_set() {
        for (line, keys) in [
            ("  node.default[:wordpress][:sites][new_resource.site] = {", &["sites"][..]),
            ("node.run_state['a'] = 1", &["a"]),
            ("node.run_state['a']['b']['c'] ||= 1", &["b", "c"]),
            ("default['a'][\"b#{c}\"] ||= 1", &["a"]),
            ("x['a'] = 1", &[]),
            ("node['a']['b'] == 1", &[]),
        ] {
            assert_eq!(set_keys(line), keys, "{line}");
        }
    }

    #[test]
    fn comments() {
        for (line, code) in [
            ("a # b", "a "),
            ("# b", ""),
            ("log \"a #{b}\" # c", "log \"a #{b}\" "),
            ("log 'a # b'", "log 'a # b'"),
            ("log \"it's # #{x['y']} \\\" # \" # z", "log \"it's # #{x['y']} \\\" # \" "),
            ("/a #{b}/ =~ c", "/a #{b}/ =~ c"),
            ("é = 1 #é", "é = 1 "),
        ] {
            assert_eq!(code_of(line), code);
        }
    }

    #[test]
    fn what_other_files_have_of_it() {
        let needs = Needs::of(&text("raise 'only on systemd' unless node['s']['sd']\n"), 1);
        assert!(needs.has(&text("default['s']['sd'] = H.systemd?"), 1, false));
        assert!(!needs.has(&text("default['s']['other'] = H.systemd?"), 1, false));
        let needs = Needs::of(&text("unless H.systemd?\n  raise 'only on systemd'\nend"), 2);
        assert!(needs.has(&text("module H\n  def self.systemd?\n    File.directory?('/run')\n  end\nend"), 3, false));
        assert!(!needs.has(&text("module H\n  def self.other?\n    File.directory?('/run')\n  end\nend"), 3, false));
    }

    #[test]
    fn methods_begin_at_lines() {
        let code = text("def a\n  x\nend\ndef b\n  y\n  z\nend");
        assert!(in_one_method(&code, 5, 6) && !in_one_method(&code, 2, 5));
    }
}
