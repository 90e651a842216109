//! Parses Ruby's flavour of Onigmo's syntax. Rules: Onigmo `regparse.c`, `OnigSyntaxRuby`.

use crate::ast::{Anchor, CallTarget, Look, Node};
use crate::class::Class;
use crate::error::RegexpError;
use crate::options::Options;
use crate::property::Property;
use crate::source::Source;
use crate::warning::{Repetition, Warning};

/// Maximum nesting depth of groups and classes; Onigmo allows 4096 on a larger stack.
const MAX_DEPTH: usize = 500;
const MAX_REPEAT: u32 = 100_000;
const MAX_BACKREF: u64 = 1000;

/// The options that `(?…)` changes within a pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags {
    pub(crate) icase: bool,
    pub(crate) extended: bool,
    pub(crate) multi: bool,
    /// `\w \d \s \h` match only ASCII (`(?a)`, `(?d)`).
    pub(crate) ascii: bool,
    /// POSIX brackets and `\b` are not restricted to ASCII, even if `ascii` is set (`(?d)`).
    pub(crate) wide: bool,
}

/// A parsed pattern whose references have not been checked.
pub(crate) struct Parsed {
    pub(crate) root: Node,
    pub(crate) groups: usize,
    pub(crate) names: Vec<(String, Vec<usize>)>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) has_calls: bool,
}

pub(crate) struct Parser<'a> {
    pub(crate) chars: &'a [u32],
    pub(crate) at: usize,
    pub(crate) flags: Flags,
    pub(crate) depth: usize,
    pub(crate) warnings: Vec<Warning>,
    /// Whether classes are searched for members that are written twice, which takes longer than parsing.
    pub(crate) thorough: bool,
    groups: usize,
    names: Vec<(String, Vec<usize>)>,
    has_calls: bool,
}

pub(crate) type Parse<T> = Result<T, RegexpError>;

pub(crate) fn err<T>(message: impl Into<String>) -> Parse<T> {
    Err(RegexpError::new(message))
}

struct Quantifier {
    min: u32,
    max: Option<u32>,
    greedy: bool,
    possessive: bool,
}

impl Quantifier {
    /// The quantifier as warnings name it.
    fn repetition(&self) -> Option<Repetition> {
        Repetition::new(self.min, self.max, self.greedy)
    }
}

/// The name or number of a group in `\k<…>`, `\g<…>` or `(?(…)`.
enum Reference {
    Name(String),
    Number(i64, String),
}

pub(crate) fn parse(source: &Source, options: Options, thorough: bool) -> Parse<Parsed> {
    let flags = Flags {
        icase: options.ignore_case(),
        extended: options.extended(),
        multi: options.multi_line(),
        ascii: true,
        wide: true,
    };
    let mut p = Parser {
        chars: &source.chars,
        at: 0,
        flags,
        depth: 0,
        warnings: Vec::new(),
        thorough,
        groups: 0,
        names: Vec::new(),
        has_calls: false,
    };
    let root = p.alternatives()?;
    if p.peek().is_some() {
        return err("unmatched close parenthesis");
    }
    Ok(Parsed { root, groups: p.groups, names: p.names, warnings: p.warnings, has_calls: p.has_calls })
}

pub(crate) fn ch(c: u32) -> char {
    char::from_u32(c).unwrap_or('\u{fffd}')
}

impl Parser<'_> {
    pub(crate) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|&c| ch(c))
    }

    pub(crate) fn peek_is(&self, c: char) -> bool {
        self.peek() == Some(c)
    }

    pub(crate) fn eat(&mut self, c: char) -> bool {
        let found = self.peek_is(c);
        if found {
            self.at += 1;
        }
        found
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    pub(crate) fn text(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to).unwrap_or_default().iter().map(|&c| ch(c)).collect()
    }

    pub(crate) fn starts_with(&self, s: &str) -> bool {
        s.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&u32::from(c)))
    }

    /// Skips comments, and whitespace if `x` is set.
    fn skip_blanks(&mut self) -> Parse<()> {
        loop {
            if self.starts_with("(?#") {
                self.at += 3;
                loop {
                    match self.next() {
                        None => return err("end pattern in group"),
                        Some(')') => break,
                        Some('\\') => self.at += 1,
                        Some(_) => {}
                    }
                }
                continue;
            }
            if !self.flags.extended {
                return Ok(());
            }
            match self.peek() {
                Some(' ' | '\t' | '\n' | '\r' | '\x0c') => self.at += 1,
                Some('#') => while !matches!(self.next(), None | Some('\n')) {},
                _ => return Ok(()),
            }
        }
    }

    /// The content of parentheses, or the whole pattern.
    fn alternatives(&mut self) -> Parse<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return err("parse depth limit over");
        }
        let mut branches = vec![self.branch()?];
        while self.eat('|') {
            branches.push(self.branch()?);
        }
        self.depth -= 1;
        Ok(match branches.pop() {
            Some(only) if branches.is_empty() => only,
            Some(last) => {
                branches.push(last);
                Node::Alt(branches)
            }
            None => Node::Empty,
        })
    }

    fn branch(&mut self) -> Parse<Node> {
        let mut nodes = Vec::new();
        loop {
            self.skip_blanks()?;
            match self.peek() {
                None | Some('|' | ')') => break,
                Some(_) => nodes.push(self.piece()?),
            }
        }
        Ok(match nodes.pop() {
            None => Node::Empty,
            Some(only) if nodes.is_empty() => only,
            Some(last) => {
                nodes.push(last);
                Node::Concat(nodes)
            }
        })
    }

    fn piece(&mut self) -> Parse<Node> {
        let is_group = self.starts_with("(?:");
        let (mut node, repeatable) = self.atom()?;
        if !repeatable {
            return Ok(node);
        }
        let mut inner = if is_group { Repetition::of(&node) } else { None };
        let mut nested = 0;
        loop {
            self.skip_blanks()?;
            let Some(q) = self.quantifier()? else { return Ok(node) };
            nested += 1;
            if nested > MAX_DEPTH {
                return err("parse depth limit over");
            }
            let outer = q.repetition();
            let reduced = match (inner, outer) {
                (Some(inner), Some(outer)) => {
                    self.warnings.extend(inner.warning(outer));
                    inner.reduced(outer)
                }
                _ => outer,
            };
            inner = reduced.filter(|_| !q.possessive);
            node = Node::Repeat {
                node: Box::new(node),
                min: q.min,
                max: q.max,
                greedy: q.greedy,
                possessive: q.possessive,
            };
        }
    }

    fn quantifier(&mut self) -> Parse<Option<Quantifier>> {
        let (min, max, fixed, interval) = match self.peek() {
            Some('*') => (0, None, false, false),
            Some('+') => (1, None, false, false),
            Some('?') => (0, Some(1), false, false),
            Some('{') => match self.interval()? {
                Some((min, max, fixed)) => (min, max, fixed, true),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        if !interval {
            self.at += 1;
        }
        let mut q = Quantifier { min, max, greedy: true, possessive: false };
        if !fixed && self.eat('?') {
            q.greedy = false;
        } else if !interval && self.eat('+') {
            q.possessive = true;
        }
        Ok(Some(q))
    }

    fn number(&mut self) -> Option<u64> {
        let from = self.at;
        let mut n: u64 = 0;
        while let Some(d) = self.peek().and_then(|c| c.to_digit(10)) {
            n = n.saturating_mul(10).saturating_add(u64::from(d));
            self.at += 1;
        }
        (self.at > from).then_some(n)
    }

    /// `{n}`, `{n,}`, `{,m}` or `{n,m}`; None, with nothing consumed, if the brace is a literal.
    fn interval(&mut self) -> Parse<Option<(u32, Option<u32>, bool)>> {
        let start = self.at;
        self.at += 1;
        let low = self.number();
        let small = |n: Option<u64>| match n {
            None => Ok(None),
            Some(n) => match u32::try_from(n) {
                Ok(n) if n <= MAX_REPEAT => Ok(Some(n)),
                _ => err("too big number for repeat range"),
            },
        };
        let low = small(low)?;
        let found = if self.eat(',') {
            let high = self.number();
            let high = small(high)?;
            (low.is_some() || high.is_some()).then_some((low.unwrap_or(0), high, false))
        } else {
            low.map(|n| (n, Some(n), true))
        };
        if let Some((min, max, _)) = found
            && self.eat('}')
        {
            if max.is_some_and(|m| m < min) {
                return err("upper is smaller than lower in repeat range");
            }
            return Ok(found);
        }
        self.at = start;
        Ok(None)
    }

    fn char_node(&self, c: u32) -> Node {
        Node::Char { c, icase: self.flags.icase }
    }

    /// An atom, and whether a quantifier may follow it.
    fn atom(&mut self) -> Parse<(Node, bool)> {
        let code = self.chars.get(self.at).copied().unwrap_or(0);
        match ch(code) {
            '*' | '+' | '?' => return err("target of repeat operator is not specified"),
            '{' if self.interval()?.is_some() => return err("target of repeat operator is not specified"),
            '(' => {
                self.at += 1;
                return self.group();
            }
            '\\' => {
                self.at += 1;
                return Ok((self.escape()?, true));
            }
            '[' => {
                self.at += 1;
                let class = Box::new(self.class()?);
                return Ok((Node::Class { class, icase: self.flags.icase }, true));
            }
            _ => {}
        }
        self.at += 1;
        let node = match ch(code) {
            '.' => Node::Any { newline: self.flags.multi },
            '^' => Node::Anchor(Anchor::LineStart),
            '$' => Node::Anchor(Anchor::LineEnd),
            c => {
                if c == ']' && self.at > 1 {
                    self.warnings.push(Warning::plain("regular expression has ']' without escape"));
                }
                self.char_node(code)
            }
        };
        Ok((node, true))
    }

    fn type_node(&self, property: Property, negated: bool) -> Node {
        Node::Class { class: Box::new(Class::named(property, negated, self.flags.ascii)), icase: false }
    }

    /// The rest of an escape outside of a class, after the backslash.
    fn escape(&mut self) -> Parse<Node> {
        let Some(&code) = self.chars.get(self.at) else {
            return err("end pattern at escape");
        };
        self.at += 1;
        let ascii_words = self.flags.ascii && !self.flags.wide;
        Ok(match ch(code) {
            'w' => self.type_node(Property::WideWord, false),
            'W' => self.type_node(Property::WideWord, true),
            'd' => self.type_node(Property::Digit, false),
            'D' => self.type_node(Property::Digit, true),
            's' => self.type_node(Property::Space, false),
            'S' => self.type_node(Property::Space, true),
            'h' => self.type_node(Property::XDigit, false),
            'H' => self.type_node(Property::XDigit, true),
            'b' => Node::Anchor(Anchor::Word(ascii_words)),
            'B' => Node::Anchor(Anchor::NotWord(ascii_words)),
            'A' => Node::Anchor(Anchor::TextStart),
            'Z' => Node::Anchor(Anchor::TextEndNewline),
            'z' => Node::Anchor(Anchor::TextEnd),
            'G' => Node::Anchor(Anchor::SearchStart),
            'K' => Node::Anchor(Anchor::Keep),
            'R' => Node::Newline,
            'X' => Node::Grapheme,
            c @ ('p' | 'P') if self.peek_is('{') => {
                self.at += 1;
                let (property, not) = self.property()?;
                let icase = self.flags.icase && property != Property::Ascii;
                let class = Class::named(property, not != (c == 'P'), false);
                Node::Class { class: Box::new(class), icase }
            }
            'k' if self.peek_is('<') || self.peek_is('\'') => self.backref()?,
            'g' if self.peek_is('<') || self.peek_is('\'') => self.call()?,
            letter @ ('k' | 'g') => {
                // at the end of the pattern Onigmo does not look further
                if self.peek().is_some() {
                    let what = if letter == 'k' { "back reference" } else { "subexp call" };
                    self.warnings.push(Warning::plain(format!("invalid {what}")));
                }
                self.char_node(code)
            }
            '1'..='9' => return self.digits(code),
            _ => {
                let c = self.escaped_char(code, 2);
                self.char_node(c)
            }
        })
    }

    /// The character of a character escape; `octal` is the maximum number of digits after `\0`.
    pub(crate) fn escaped_char(&mut self, code: u32, octal: usize) -> u32 {
        match ch(code) {
            'x' => self.digits_of(16, 2),
            '0' => self.digits_of(8, octal),
            't' => 9,
            'n' => 10,
            'v' => 11,
            'f' => 12,
            'r' => 13,
            'a' => 7,
            'e' => 27,
            c => {
                self.warnings.extend(Warning::escape(c));
                code
            }
        }
    }

    pub(crate) fn digits_of(&mut self, radix: u32, most: usize) -> u32 {
        let mut n = 0;
        for _ in 0..most {
            let Some(d) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            n = n * radix + d;
            self.at += 1;
        }
        n
    }

    /// `\1` to `\9…`: a back-reference, an octal number or a digit.
    fn digits(&mut self, first: u32) -> Parse<Node> {
        self.at -= 1;
        let start = self.at;
        if let Some(n) = self.number()
            && n <= MAX_BACKREF
            && (n <= self.groups as u64 || n <= 9)
        {
            let group = usize::try_from(n).unwrap_or(0);
            return Ok(self.backref_node(vec![group], false, None));
        }
        self.at = start;
        if matches!(ch(first), '8' | '9') {
            self.at += 1;
            return Ok(self.char_node(first));
        }
        let c = self.digits_of(8, 3);
        if c > 0xff {
            return err("too big number");
        }
        Ok(self.char_node(c))
    }

    fn backref_node(&self, groups: Vec<usize>, by_name: bool, level: Option<i32>) -> Node {
        Node::Backref { groups, by_name, icase: self.flags.icase, level }
    }

    /// The name after `\p{` up to `}`, and whether `^` negates it.
    pub(crate) fn property(&mut self) -> Parse<(Property, bool)> {
        let not = self.eat('^');
        let start = self.at;
        while let Some(c) = self.next() {
            match c {
                '}' => {
                    let name = self.text(start, self.at - 1);
                    return match Property::named(&name) {
                        Some(p) => Ok((p, not)),
                        None => err(format!("invalid character property name {{{name}}}")),
                    };
                }
                '(' | ')' | '{' | '|' => {
                    let name = self.text(start, self.at - 1);
                    return err(format!("invalid character property name {{{name}}}"));
                }
                _ => {}
            }
        }
        let name = self.text(start, (self.at - 1).max(start));
        err(format!("invalid character property name {{{name}}}"))
    }

    /// A group name or number up to `close`.
    fn reference(&mut self, close: char, numbers: bool) -> Parse<Reference> {
        let start = self.at;
        let Some(first) = self.next() else { return err("group name is empty") };
        if first == close {
            return err("group name is empty");
        }
        let mut numeric = numbers && (first.is_ascii_digit() || first == '-');
        let bad_start = !numbers && (first.is_ascii_digit() || first == '-');
        let mut digits = usize::from(first.is_ascii_digit());
        let mut wrong = bad_start;
        let mut last = first;
        while last != close && last != ')' || self.at == start + 1 {
            let Some(c) = self.next() else { break };
            last = c;
            if c == close || c == ')' {
                break;
            }
            if numeric && !c.is_ascii_digit() {
                wrong = true;
                numeric = false;
            } else if numeric {
                digits += 1;
            }
        }
        let closed = last == close && self.at > start + 1;
        // If the pattern ends here, Onigmo's message includes the closing bracket.
        let ended = self.at >= self.chars.len();
        let end = if (wrong && !ended) || (closed && !wrong) { self.at - 1 } else { self.chars.len() };
        let name = self.text(start, end);
        if wrong || !closed || (numeric && digits == 0) {
            return err(format!("invalid group name <{name}>"));
        }
        if numeric {
            let Ok(n) = name.parse::<i64>() else { return err("too big number") };
            if i32::try_from(n).is_err() {
                return err("too big number");
            }
            if n == 0 {
                return err(format!("invalid group name <{name}>"));
            }
            return Ok(Reference::Number(n, name));
        }
        Ok(Reference::Name(name))
    }

    /// `\k<…>`, with an optional recursion level.
    fn backref(&mut self) -> Parse<Node> {
        let close = if self.next() == Some('<') { '>' } else { '\'' };
        let (groups, by_name, level) = self.backref_target(close)?;
        Ok(self.backref_node(groups, by_name, level))
    }

    fn backref_target(&mut self, close: char) -> Parse<(Vec<usize>, bool, Option<i32>)> {
        let start = self.at;
        let Some(first) = self.next() else { return err("group name is empty") };
        if first == close {
            return err("group name is empty");
        }
        let numeric = first.is_ascii_digit() || first == '-';
        let mut wrong = false;
        let mut end = self.chars.len();
        let mut last = first;
        while let Some(c) = self.next() {
            last = c;
            if c == close || matches!(c, ')' | '+' | '-') {
                end = self.at - 1;
                break;
            }
            wrong |= numeric && !c.is_ascii_digit();
        }
        wrong |= first == '-' && end == start + 1;
        let mut level = None;
        if !wrong && last != close {
            let sign = if last == '-' { -1 } else { 1 };
            let parsed = if matches!(last, '+' | '-') { self.number() } else { None };
            match parsed {
                Some(n) if self.eat(close) => level = Some(sign * i32::try_from(n).unwrap_or(i32::MAX)),
                _ => {
                    wrong = true;
                    end = self.chars.len();
                }
            }
        }
        let name = self.text(start, end);
        if wrong {
            return err(format!("invalid group name <{name}>"));
        }
        if numeric {
            let n = match name.parse::<i64>() {
                Ok(n) if i32::try_from(n).is_ok() => n,
                _ => return err("too big number"),
            };
            if n == 0 {
                return err(format!("invalid group name <{}>", self.text(start, self.chars.len())));
            }
            let group = if n < 0 { self.relative(n)? } else { usize::try_from(n).unwrap_or(usize::MAX) };
            return Ok((vec![group], false, level));
        }
        match self.names.iter().find(|(n, _)| *n == name) {
            Some((_, groups)) => Ok((groups.clone(), true, level)),
            None => err(format!("undefined name <{name}> reference")),
        }
    }

    /// The number of the group that is `n` (negative) groups before this one.
    fn relative(&self, n: i64) -> Parse<usize> {
        match usize::try_from(self.groups as i64 + 1 + n) {
            Ok(g) if g > 0 => Ok(g),
            _ => err("invalid backref number/name"),
        }
    }

    fn call(&mut self) -> Parse<Node> {
        let close = if self.next() == Some('<') { '>' } else { '\'' };
        self.has_calls = true;
        if self.peek_is('0') && self.chars.get(self.at + 1) == Some(&u32::from(close)) {
            self.at += 2;
            return Ok(Node::Call(CallTarget::Number(0, "0".into())));
        }
        let plus = self.eat('+');
        let target = match self.reference(close, true)? {
            Reference::Name(name) => CallTarget::Name(name),
            Reference::Number(n, text) => {
                let group = if n < 0 {
                    self.relative(n)?
                } else if plus {
                    self.relative(n - 1)?
                } else {
                    usize::try_from(n).unwrap_or(usize::MAX)
                };
                CallTarget::Number(group, text)
            }
        };
        Ok(Node::Call(target))
    }

    /// The group after `(`, of any kind, and whether a quantifier may follow it.
    fn group(&mut self) -> Parse<(Node, bool)> {
        if self.at >= self.chars.len() {
            return err("end pattern with unmatched parenthesis");
        }
        if !self.eat('?') {
            self.groups += 1;
            let index = self.groups;
            let node = Box::new(self.body()?);
            return Ok((Node::Capture { index, named: false, node }, true));
        }
        let Some(c) = self.next() else { return err("end pattern in group") };
        let look = |behind, negative| Look { behind, negative };
        let node = match c {
            ':' => self.body()?,
            '=' => Node::Look(look(false, false), Box::new(self.body()?)),
            '!' => Node::Look(look(false, true), Box::new(self.body()?)),
            '>' => Node::Atomic(Box::new(self.body()?)),
            '~' => Node::Absent(Box::new(self.body()?)),
            '\'' => self.named_group('\'')?,
            '<' => match self.peek() {
                None => return err("end pattern with unmatched parenthesis"),
                Some('=') => {
                    self.at += 1;
                    Node::Look(look(true, false), Box::new(self.body()?))
                }
                Some('!') => {
                    self.at += 1;
                    Node::Look(look(true, true), Box::new(self.body()?))
                }
                Some(_) => self.named_group('>')?,
            },
            '(' => self.condition()?,
            '-' | 'i' | 'm' | 'x' | 'a' | 'd' | 'u' => return self.options(c),
            _ => return err("undefined group option"),
        };
        Ok((node, true))
    }

    /// The content of a group and the closing parenthesis.
    fn body(&mut self) -> Parse<Node> {
        let node = self.alternatives()?;
        if self.eat(')') { Ok(node) } else { err("end pattern with unmatched parenthesis") }
    }

    fn named_group(&mut self, close: char) -> Parse<Node> {
        let name = match self.reference(close, false)? {
            Reference::Name(name) | Reference::Number(_, name) => name,
        };
        self.groups += 1;
        let index = self.groups;
        match self.names.iter_mut().find(|(n, _)| *n == name) {
            Some((_, groups)) => groups.push(index),
            None => self.names.push((name, vec![index])),
        }
        let node = Box::new(self.body()?);
        Ok(Node::Capture { index, named: true, node })
    }

    fn condition(&mut self) -> Parse<Node> {
        let Some(c) = self.next() else { return err("undefined group option") };
        let group = match c {
            '0'..='9' => {
                self.at -= 1;
                match self.reference(')', true)? {
                    Reference::Number(n, _) => usize::try_from(n).unwrap_or(usize::MAX),
                    Reference::Name(name) => return err(format!("invalid group name <{name}>")),
                }
            }
            '<' | '\'' => {
                let (groups, ..) = self.backref_target(if c == '<' { '>' } else { '\'' })?;
                if !self.eat(')') {
                    return err("undefined group option");
                }
                groups.first().copied().unwrap_or(0)
            }
            _ => return err("invalid conditional pattern"),
        };
        let (yes, no, excess) = match self.body()? {
            Node::Alt(v) => {
                let excess = v.len() > 2;
                let mut v = v.into_iter();
                let yes = v.next().unwrap_or(Node::Empty);
                (yes, if excess { Node::Alt(v.collect()) } else { v.next().unwrap_or(Node::Empty) }, excess)
            }
            yes => (yes, Node::Empty, false),
        };
        Ok(Node::Condition { group, yes: Box::new(yes), no: Box::new(no), excess })
    }

    /// `(?imx-imx)` and `(?imx-imx:…)`.
    fn options(&mut self, first: char) -> Parse<(Node, bool)> {
        let outer = self.flags;
        let mut flags = outer;
        let mut neg = false;
        let mut c = first;
        loop {
            match c {
                '-' => neg = true,
                'i' => flags.icase = !neg,
                'm' => flags.multi = !neg,
                'x' => flags.extended = !neg,
                'a' if !neg => (flags.ascii, flags.wide) = (true, false),
                'd' if !neg => (flags.ascii, flags.wide) = (true, true),
                'u' if !neg => (flags.ascii, flags.wide) = (false, false),
                ')' => {
                    // The options hold up to the end of the enclosing group, even across `|`.
                    self.flags = flags;
                    let node = self.alternatives()?;
                    self.flags = outer;
                    return Ok((Node::Option(Box::new(node)), false));
                }
                ':' => {
                    self.flags = flags;
                    let node = self.alternatives()?;
                    self.flags = outer;
                    if !self.eat(')') {
                        return err("end pattern with unmatched parenthesis");
                    }
                    return Ok((Node::Option(Box::new(node)), true));
                }
                _ => return err("undefined group option"),
            }
            c = match self.next() {
                Some(c) => c,
                None => return err("end pattern in group"),
            };
        }
    }
}
