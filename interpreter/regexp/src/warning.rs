//! What MRI warns of in a pattern that it accepts. Rules: Onigmo `regparse.c`.

use crate::ast::Node;

/// A warning about a pattern.
#[derive(Debug)]
pub(crate) struct Warning {
    pub(crate) text: String,
    /// Only given with `-w`.
    pub(crate) verbose: bool,
}

const DUPLICATE: &str = "character class has duplicated range";

impl Warning {
    pub(crate) fn plain(text: impl Into<String>) -> Warning {
        Warning { text: text.into(), verbose: false }
    }

    /// A class has a member twice; each pattern has this warning once.
    pub(crate) fn duplicate() -> Warning {
        Warning { text: DUPLICATE.into(), verbose: true }
    }

    pub(crate) fn is_duplicate(&self) -> bool {
        self.text == DUPLICATE
    }

    /// The warning about the escape of a character that has no meaning.
    pub(crate) fn escape(letter: char) -> Option<Warning> {
        letter.is_ascii_alphabetic().then(|| match letter {
            'p' | 'P' => Warning::plain(format!("invalid Unicode Property \\{letter}")),
            _ => Warning { text: format!("Unknown escape \\{letter} is ignored"), verbose: true },
        })
    }
}

/// A quantifier that is a sign, or an interval that means the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repetition {
    Optional,
    Any,
    Some,
    LazyOptional,
    LazyAny,
    LazySome,
}

impl Repetition {
    pub(crate) fn new(min: u32, max: Option<u32>, greedy: bool) -> Option<Repetition> {
        Some(match (min, max, greedy) {
            (0, Some(1), true) => Repetition::Optional,
            (0, None, true) => Repetition::Any,
            (1, None, true) => Repetition::Some,
            (0, Some(1), false) => Repetition::LazyOptional,
            (0, None, false) => Repetition::LazyAny,
            (1, None, false) => Repetition::LazySome,
            _ => return None,
        })
    }

    /// The quantifier of a node.
    pub(crate) fn of(node: &Node) -> Option<Repetition> {
        match node {
            Node::Repeat { min, max, greedy, possessive: false, .. } => Repetition::new(*min, *max, *greedy),
            _ => None,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Repetition::Optional => "?",
            Repetition::Any => "*",
            Repetition::Some => "+",
            Repetition::LazyOptional => "??",
            Repetition::LazyAny => "*?",
            Repetition::LazySome => "+?",
        }
    }

    /// What Onigmo puts in place of this quantifier and one around it; `""` stands for one of the two, None for both as they are.
    fn replacement(self, outer: Repetition) -> Option<&'static str> {
        const AND: Option<&str> = Some("+ and ??");
        const ANY: Option<&str> = Some("*");
        const LAZY: Option<&str> = Some("*?");
        const ONE: Option<&str> = Some("");
        // rows are inner quantifiers, columns outer ones: ? * + ?? *? +?
        const TABLE: [[Option<&str>; 6]; 6] = [
            [ONE, ANY, ANY, Some("??"), LAZY, None],
            [ONE, ONE, ONE, AND, AND, ONE],
            [ANY, ANY, ONE, None, AND, ONE],
            [ONE, LAZY, LAZY, ONE, LAZY, LAZY],
            [ONE, ONE, ONE, ONE, ONE, ONE],
            [None, None, None, LAZY, LAZY, ONE],
        ];
        TABLE[self as usize][outer as usize]
    }

    /// What is left of this quantifier and one around it, if it is a single one.
    pub(crate) fn reduced(self, outer: Repetition) -> Option<Repetition> {
        match self.replacement(outer) {
            None => Some(outer),
            Some("") => Some(self),
            Some("*") => Some(Repetition::Any),
            Some("*?") => Some(Repetition::LazyAny),
            Some("??") => Some(Repetition::LazyOptional),
            Some(_) => None,
        }
    }

    /// The warning about this quantifier directly inside of another.
    pub(crate) fn warning(self, outer: Repetition) -> Option<Warning> {
        Some(Warning::plain(match self.replacement(outer)? {
            "" => format!("regular expression has redundant nested repeat operator '{}'", self.sign()),
            both => format!(
                "nested repeat operator '{}' and '{}' was replaced with '{both}' in regular expression",
                self.sign(),
                outer.sign()
            ),
        }))
    }
}
