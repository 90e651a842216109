//! Writes the tree in fancy-regex's syntax, with all classes as explicit ranges.

use crate::ast::{Anchor, CallTarget, Look, Node};
use crate::charset::CharSet;
use crate::class::{Class, Target};
use crate::fold;
use std::fmt::Write;

/// The pattern for matching a `target`. With `delegated`, bytes outside ASCII are classes: fancy-regex does not hand literal ones on to an automaton.
pub(crate) fn emit(root: &Node, target: Target, delegated: bool) -> String {
    let mut e = Emitter { out: String::new(), target, delegated, in_behind: false };
    e.node(root, false);
    e.out
}

struct Emitter {
    out: String,
    target: Target,
    delegated: bool,
    /// Whether within look-behind, where no character folds to several.
    in_behind: bool,
}

impl Emitter {
    /// `consumes` says whether everything that can follow takes at least one character.
    fn node(&mut self, node: &Node, consumes: bool) {
        match node {
            Node::Empty => {}
            Node::Char { .. } => self.run(std::slice::from_ref(node)),
            Node::Any { newline } => self.out.push_str(if *newline { "(?s:.)" } else { "." }),
            Node::Class { class, icase } => self.class(class, *icase),
            Node::Concat(v) => self.concat(v, consumes),
            Node::Alt(v) => {
                self.out.push_str("(?:");
                self.alternatives(v, consumes);
                self.out.push(')');
            }
            Node::Capture { node, .. } => {
                self.out.push('(');
                self.body(node, consumes);
                self.out.push(')');
            }
            Node::Option(node) => self.node(node, consumes),
            Node::Atomic(node) => {
                self.out.push_str("(?>");
                self.body(node, consumes);
                self.out.push(')');
            }
            Node::Look(look, node) => self.look(*look, node),
            Node::Absent(node) => {
                self.out.push_str("(?~");
                self.body(node, false);
                self.out.push(')');
            }
            Node::Condition { group, yes, no, .. } => {
                let _ = write!(self.out, "(?({group})");
                self.node(yes, false);
                self.out.push('|');
                self.node(no, false);
                self.out.push(')');
            }
            Node::Repeat { .. } => self.repeat(node, consumes),
            Node::Anchor(a) => self.anchor(*a, consumes),
            Node::Backref { groups, icase, level, .. } => self.backref(groups, *icase, *level),
            Node::Call(CallTarget::Number(n, _)) => {
                let _ = write!(self.out, "\\g<{n}>");
            }
            // Names have been resolved to numbers.
            Node::Call(CallTarget::Name(_)) => {}
            Node::Newline => self.out.push_str(match self.target {
                Target::Unicode => "(?>\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])",
                Target::Bytes(_) => "(?>\\r\\n|[\\n-\\r])",
            }),
            Node::Grapheme => self.grapheme(),
        }
    }

    /// A node inside parentheses, where alternatives need no group.
    fn body(&mut self, node: &Node, consumes: bool) {
        match node {
            Node::Alt(v) => self.alternatives(v, consumes),
            _ => self.node(node, consumes),
        }
    }

    fn alternatives(&mut self, v: &[Node], consumes: bool) {
        for (i, branch) in v.iter().enumerate() {
            if i > 0 {
                self.out.push('|');
            }
            self.node(branch, consumes);
        }
    }

    fn concat(&mut self, v: &[Node], consumes: bool) {
        let mut i = 0;
        while let Some(node) = v.get(i) {
            if matches!(node, Node::Char { .. }) {
                let n = v[i..].iter().take_while(|n| matches!(n, Node::Char { .. })).count();
                self.run(&v[i..i + n]);
                i += n;
                continue;
            }
            i += 1;
            let rest = consumes || v[i..].iter().any(|n| n.min_len() > 0);
            self.node(node, rest);
        }
    }

    /// A sequence of characters.
    fn run(&mut self, v: &[Node]) {
        let chars: Vec<(u32, bool)> = v
            .iter()
            .filter_map(|n| match n {
                Node::Char { c, icase } => Some((*c, *icase)),
                _ => None,
            })
            .collect();
        let mut i = 0;
        while let Some(&(c, icase)) = chars.get(i) {
            if !icase || !self.cased(c) {
                self.literal(c);
                i += 1;
                continue;
            }
            if let Some(n) = self.multi_fold(&chars[i..]) {
                i += n;
                continue;
            }
            if self.target == Target::Bytes(false) && c >= 0x80 {
                self.literal_in_ascii(c);
                i += 1;
                continue;
            }
            self.out.push_str("(?i:");
            while let Some(&(c, true)) = chars.get(i)
                && !(self.folds_many(&chars[i..]) || self.target == Target::Bytes(false) && c >= 0x80)
            {
                self.literal(c);
                i += 1;
            }
            self.out.push(')');
        }
    }

    fn cased(&self, c: u32) -> bool {
        match self.target {
            Target::Unicode => c >= 0x80 || char::from_u32(c).is_some_and(char::is_alphabetic),
            Target::Bytes(true) => c < 0x80 && char::from_u32(c).is_some_and(|c| c.is_ascii_alphabetic()),
            Target::Bytes(false) => c >= 0x80 || char::from_u32(c).is_some_and(|c| c.is_ascii_alphabetic()),
        }
    }

    fn folds_many(&self, chars: &[(u32, bool)]) -> bool {
        if self.in_behind {
            return false;
        }
        match self.target {
            Target::Unicode => fold::find(chars).is_some(),
            // Only single characters that fold to several ASCII characters matter in ASCII text.
            Target::Bytes(false) => {
                chars.first().is_some_and(|c| c.0 >= 0x80)
                    && fold::find(chars).is_some_and(|(_, f)| f.iter().all(|c| *c < 0x80))
            }
            Target::Bytes(true) => false,
        }
    }

    /// Characters that are the case folding of one character, or such a character: all alternatives. Returns how many characters it has taken.
    fn multi_fold(&mut self, chars: &[(u32, bool)]) -> Option<usize> {
        if !self.folds_many(chars) {
            return None;
        }
        let (taken, folded) = fold::find(chars)?;
        self.out.push_str("(?:(?i:");
        for &c in folded {
            self.literal(c);
        }
        self.out.push(')');
        for (single, _) in fold::FULL.iter().filter(|(_, f)| *f == folded) {
            self.out.push('|');
            self.literal(*single);
        }
        self.out.push(')');
        Some(taken)
    }

    /// A character outside ASCII, ignoring case, in a pattern for single-byte text: `\u212a` (Kelvin) matches `k`.
    fn literal_in_ascii(&mut self, c: u32) {
        let cases = CharSet::range(c, c).folded_char(Target::Bytes(false));
        if cases.ranges().is_empty() {
            self.out.push_str("(?:");
            self.literal(c);
            self.out.push(')');
        } else {
            self.set(&cases);
        }
    }

    fn literal(&mut self, c: u32) {
        match (self.target, char::from_u32(c)) {
            (Target::Bytes(true), _) if c >= 0x80 => self.byte(c & 0xff),
            (Target::Bytes(_), Some(c)) if !c.is_ascii() => {
                let mut buf = [0; 4];
                for b in c.encode_utf8(&mut buf).bytes() {
                    self.byte(u32::from(b));
                }
            }
            (_, Some(c)) if c.is_ascii_alphanumeric() || c == '_' => self.out.push(c),
            (_, Some(c)) if c.is_ascii_graphic() || c == ' ' => {
                if "\\.+*?()|[]{}^$#&-~/ ".contains(c) && !matches!(c, ' ' | '/') {
                    self.out.push('\\');
                }
                self.out.push(c);
            }
            (_, Some(c)) if c.is_ascii() => {
                let _ = write!(self.out, "\\x{:02X}", u32::from(c));
            }
            (_, Some(c)) => self.out.push(c),
            (_, None) => self.out.push_str("[a&&b]"),
        }
    }

    /// A byte outside ASCII.
    fn byte(&mut self, byte: u32) {
        let _ = if self.delegated { write!(self.out, "[\\x{byte:02X}]") } else { write!(self.out, "\\x{byte:02X}") };
    }

    fn class(&mut self, class: &Class, icase: bool) {
        if let Some(c) = class.only_char(icase) {
            return self.run(&[Node::Char { c, icase: true }]);
        }
        let set = class.set(self.target, icase);
        if !self.in_behind {
            let folds = class.multi_folds(self.target, icase);
            if !folds.is_empty() {
                self.out.push_str("(?:");
                self.set(&set);
                for f in folds {
                    self.out.push_str("|(?i:");
                    for &c in f {
                        self.literal(c);
                    }
                    self.out.push(')');
                }
                self.out.push(')');
                return;
            }
        }
        self.set(&set);
    }

    fn set(&mut self, set: &CharSet) {
        if let Some(c) = set.single() {
            match self.target {
                Target::Bytes(_) if c >= 0x80 => self.byte(c),
                _ => self.literal(c),
            }
            return;
        }
        if set.ranges().is_empty() {
            self.out.push_str("[a&&b]");
            return;
        }
        let all = CharSet::all(self.target);
        if *set == all {
            self.out.push_str("(?s:.)");
            return;
        }
        let rest = all.minus(set);
        // The shorter form; a negated class also excludes the right characters if there are many.
        let negated = rest.ranges().len() < set.ranges().len();
        self.out.push_str(if negated { "[^" } else { "[" });
        for &(a, b) in if negated { rest.ranges() } else { set.ranges() } {
            self.class_char(a);
            if b > a {
                if b > a + 1 {
                    self.out.push('-');
                }
                self.class_char(b);
            }
        }
        self.out.push(']');
    }

    fn class_char(&mut self, c: u32) {
        match (self.target, char::from_u32(c)) {
            (_, Some(ch)) if ch.is_ascii_alphanumeric() => self.out.push(ch),
            (Target::Bytes(_), _) => {
                let _ = write!(self.out, "\\x{:02X}", c & 0xff);
            }
            (Target::Unicode, _) => {
                let _ = write!(self.out, "\\x{{{c:X}}}");
            }
        }
    }

    fn look(&mut self, look: Look, node: &Node) {
        self.out.push_str(match (look.behind, look.negative) {
            (false, false) => "(?=",
            (false, true) => "(?!",
            (true, false) => "(?<=",
            (true, true) => "(?<!",
        });
        let outer = self.in_behind;
        self.in_behind |= look.behind;
        self.body(node, false);
        self.in_behind = outer;
        self.out.push(')');
    }

    fn repeat(&mut self, node: &Node, consumes: bool) {
        let Node::Repeat { node, min, max, greedy, possessive } = node else { return };
        if *possessive {
            self.out.push_str("(?>");
        }
        if node.is_zero_width() {
            // A zero-width node needs at most one iteration.
            self.out.push_str("(?:");
            match (*min, *greedy) {
                _ if *max == Some(0) => {}
                (0, true) => {
                    self.body(node, consumes);
                    self.out.push('|');
                }
                (0, false) => {
                    self.out.push('|');
                    self.body(node, consumes);
                }
                _ => self.body(node, consumes),
            }
            self.out.push(')');
        } else {
            self.repeated(node, consumes);
            match (*min, *max) {
                (0, None) => self.out.push('*'),
                (1, None) => self.out.push('+'),
                (0, Some(1)) => self.out.push('?'),
                (n, None) => {
                    let _ = write!(self.out, "{{{n},}}");
                }
                (n, Some(m)) if n == m => {
                    let _ = write!(self.out, "{{{n}}}");
                }
                (n, Some(m)) => {
                    let _ = write!(self.out, "{{{n},{m}}}");
                }
            }
            if !*greedy {
                self.out.push('?');
            }
        }
        if *possessive {
            self.out.push(')');
        }
    }

    /// The operand of a quantifier, in a group unless it is a single atom.
    fn repeated(&mut self, node: &Node, consumes: bool) {
        let atom = match node {
            Node::Capture { .. } | Node::Atomic(_) | Node::Alt(_) | Node::Any { .. } => true,
            Node::Class { icase, .. } => !*icase,
            Node::Char { c, icase } => *c < 0x80 && !*icase,
            _ => false,
        };
        if atom {
            self.node(node, consumes);
        } else {
            self.out.push_str("(?:");
            self.body(node, consumes);
            self.out.push(')');
        }
    }

    fn anchor(&mut self, anchor: Anchor, consumes: bool) {
        let text = match anchor {
            // Ruby's `^` does not match after a newline at the end of the text.
            Anchor::LineStart if consumes => "(?m:^)",
            Anchor::LineStart => "(?:\\A|(?m:^)(?!\\z))",
            Anchor::LineEnd => "(?m:$)",
            Anchor::TextStart => "\\A",
            Anchor::TextEnd => "\\z",
            Anchor::TextEndNewline => "(?=\\n?\\z)",
            Anchor::SearchStart => "\\G",
            Anchor::Keep => "\\K",
            Anchor::Word(ascii) | Anchor::NotWord(ascii) => {
                let plain = matches!(anchor, Anchor::Word(_));
                if ascii && self.target == Target::Unicode {
                    return self.ascii_boundary(plain);
                }
                if plain { "\\b" } else { "\\B" }
            }
        };
        self.out.push_str(text);
    }

    /// A word boundary for ASCII words in Unicode text.
    fn ascii_boundary(&mut self, plain: bool) {
        let w = "[0-9A-Z_a-z]";
        let text = if plain {
            format!("(?:(?<={w})(?!{w})|(?<!{w})(?={w}))")
        } else {
            format!("(?:(?<={w})(?={w})|(?<!{w})(?!{w}))")
        };
        self.out.push_str(&text);
    }

    fn backref(&mut self, groups: &[usize], icase: bool, level: Option<i32>) {
        self.out.push_str(if icase { "(?i:" } else { "(?:" });
        if groups.len() > 1 {
            self.out.push_str("(?>");
        }
        for (i, g) in groups.iter().rev().enumerate() {
            if i > 0 {
                self.out.push('|');
            }
            let _ = match level {
                Some(n) => write!(self.out, "\\k<{g}{n:+}>"),
                None => write!(self.out, "\\k<{g}>"),
            };
        }
        if groups.len() > 1 {
            self.out.push(')');
        }
        self.out.push(')');
    }

    /// `\X`, an extended grapheme cluster (Unicode Annex 29).
    fn grapheme(&mut self) {
        if self.target != Target::Unicode {
            self.out.push_str("(?>\\r\\n|(?s:.))");
            return;
        }
        self.out.push_str(concat!(
            "(?>\\r\\n|[\\p{gcb=CR}\\p{gcb=LF}\\p{gcb=Control}]|\\p{gcb=Prepend}*",
            "(?:\\p{gcb=RI}{2}",
            "|\\p{gcb=L}*(?:\\p{gcb=V}+|\\p{gcb=LV}\\p{gcb=V}*|\\p{gcb=LVT})\\p{gcb=T}*|\\p{gcb=L}+|\\p{gcb=T}+",
            "|\\p{Extended_Pictographic}(?:\\p{gcb=Extend}*\\p{gcb=ZWJ}\\p{Extended_Pictographic})*",
            "|[^\\p{gcb=CR}\\p{gcb=LF}\\p{gcb=Control}])",
            "[\\p{gcb=Extend}\\p{gcb=ZWJ}\\p{gcb=SpacingMark}]*|(?s:.))"
        ));
    }
}
