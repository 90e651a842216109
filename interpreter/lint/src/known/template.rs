//! The variables that an ERB template needs.

use super::Needed;
use crate::ast::{self, Kind, N};
use crate::source::Source;

/// Methods that nil has.
const OF_NIL: &[&str] = &[
    "nil?",
    "to_s",
    "to_a",
    "to_h",
    "to_i",
    "to_f",
    "inspect",
    "is_a?",
    "kind_of?",
    "instance_of?",
    "respond_to?",
    "==",
    "!=",
    "!",
    "===",
    "eql?",
    "equal?",
    "blank?",
    "present?",
    "presence",
    "empty?",
    "class",
    "tap",
    "then",
    "itself",
    "frozen?",
    "dup",
    "clone",
    "hash",
    "&",
    "|",
    "=~",
    "method",
    "send",
    "public_send",
    "instance_variable_get",
    "to_json",
    "to_yaml",
];

/// Variables that Chef sets in every template.
const GIVEN: &[&str] = &["@node", "@template_finder"];

/// Constructs whose parts may not be evaluated.
const MAYBE: &[Kind] = &[
    Kind::If,
    Kind::Case,
    Kind::While,
    Kind::Until,
    Kind::And,
    Kind::Or,
    Kind::Rescue,
    Kind::Defined,
    Kind::Block,
    Kind::Def,
];

/// Those that are shown, or on which something is called that nil does not have, outside of every condition and block, and that are never compared or set; `None` where
/// their own or assigned; `None` if the template cannot be parsed.
pub(super) fn needed(bytes: &[u8]) -> Option<Vec<Needed>> {
    let text = std::str::from_utf8(bytes).ok()?;
    if !text.contains("@") {
        return Some(Vec::new());
    }
    let source = Source::new(code(text).as_bytes())?;
    ast::parse(&source.text, |parsed| {
        let tree = parsed.ok()?;
        let mut needed: Vec<(&str, usize, bool)> = Vec::new();
        let mut excused: Vec<&str> = GIVEN.to_vec();
        for node in tree.root().all() {
            match node.kind() {
                Kind::Ivar if calls_on(node) && !always(node) => {}
                Kind::Ivar if calls_on(node) => needed.push((node.name(), source.line(node.start()), true)),
                Kind::Ivar if shown(node) && always(node) => {
                    needed.push((node.name(), source.line(node.start()), false))
                }
                // a template that tests a variable can be rendered without it
                Kind::Ivar if !shown(node) => excused.push(node.name()),
                Kind::Ivasgn | Kind::OpAsgn | Kind::OrAsgn | Kind::AndAsgn => {
                    excused.extend(node.all().filter(|part| part.is_any(&[Kind::Ivasgn, Kind::Ivar])).map(N::name));
                }
                _ => {}
            }
        }
        needed.retain(|(name, ..)| !excused.contains(name) && !name.starts_with("@_"));
        // of what is both shown and called the call counts
        let called: Vec<&str> = needed.iter().filter(|(.., called)| *called).map(|(name, ..)| *name).collect();
        needed.retain(|(name, _, is_called)| *is_called || !called.contains(name));
        let mut seen: Vec<&str> = Vec::new();
        needed.retain(|(name, ..)| {
            !seen.contains(name) && {
                seen.push(name);
                true
            }
        });
        Some(
            needed
                .into_iter()
                .map(|(name, line, called)| Needed { name: name.trim_start_matches('@').to_string(), line, called })
                .collect(),
        )
    })
}

/// Whether a method is called on the variable that nil does not have.
fn calls_on(variable: N<'_>) -> bool {
    variable
        .parent()
        .is_some_and(|call| call.is(Kind::Send) && call.recv() == Some(variable) && !OF_NIL.contains(&call.name()))
}

/// Whether the node is evaluated in every rendering.
fn always(node: N<'_>) -> bool {
    let mut inner = node;
    for outer in node.ancestors() {
        let first = outer.kid(0) == Some(inner) && !outer.is_any(&[Kind::Rescue, Kind::Defined, Kind::Def]);
        if outer.is_any(MAYBE) && !first {
            return false;
        }
        inner = outer;
    }
    true
}

/// Whether the variable is printed on its own, as in `<%= @a %>`.
fn shown(variable: N<'_>) -> bool {
    variable.parent().is_none_or(|parent| parent.is(Kind::Begin) || parent.is(Kind::Dstr))
}

/// The code of a template at the same offsets; everything else is replaced by spaces.
fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' }).collect();
    let mut at = 0;
    while let Some(start) = text[at..].find("<%").map(|found| at + found) {
        let inner = start + 2;
        let Some(end) = text[inner..].find("%>").map(|found| inner + found) else { break };
        at = end + 2;
        if matches!(bytes.get(inner), Some(b'#' | b'%')) {
            continue;
        }
        let from = inner + usize::from(matches!(bytes.get(inner), Some(b'=' | b'-')));
        let to = end - usize::from(end > from && bytes[end - 1] == b'-');
        out[from..to].copy_from_slice(&bytes[from..to]);
        if let Some(place) = out.get_mut(end) {
            *place = b';';
        }
    }
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    fn names(text: &str) -> Vec<String> {
        super::needed(text.as_bytes())
            .unwrap()
            .into_iter()
            .filter(|needed| needed.called)
            .map(|needed| format!("{}:{}", needed.name, needed.line))
            .collect()
    }

    #[test]
    fn variables() {
        for (text, found) in [
            ("a <%= @port %>\n", vec![]),
            ("a\n<%= @list.join(',') -%>\n", vec!["list:2"]),
            ("<% @list.each do |x| %>\n<%= x %> <%= @other.y %><% end %>\n", vec!["list:1"]),
            ("<% if @a %><%= @a.b %><% end %>", vec![]),
            ("<% unless @a.nil? %><%= @a.b %><% end %>", vec![]),
            ("<%= @a['b'] %>", vec!["a:1"]),
            ("<%= @a.b if node['c'] %>", vec![]),
            ("<%# @a.b %><%% @a.b %>", vec![]),
            ("<% @a ||= {} %><%= @a.b %>", vec![]),
            ("<%= @node.name %>", vec![]),
            ("é <%= @a.b %>", vec!["a:1"]),
        ] {
            assert_eq!(names(text), found, "{text}");
        }
    }

    #[test]
    fn shown_variables() {
        for (text, found) in [
            ("a <%= @port %>\n<%= @port %>", vec!["port"]),
            ("<% if @a %><%= @a %><% end %>", vec![]),
            ("<%= @b || 1 %><%= @c if @d %>", vec![]),
            ("<%= @e %><%= @e.f %>", vec![]),
        ] {
            let needed = super::needed(text.as_bytes()).unwrap();
            let shown: Vec<&str> = needed.iter().filter(|one| !one.called).map(|one| one.name.as_str()).collect();
            assert_eq!(shown, found, "{text}");
        }
    }
}
