//! `[…]`. Rules: Onigmo `regparse.c`, `parse_char_class` and `fetch_token_in_cc`.

use crate::class::{Class, Item};
use crate::parse::{Parse, Parser, ch, err};
use crate::property::Property;
use crate::warning::Warning;

enum Token {
    Char(u32),
    Set(Item),
    Hyphen,
    Open,
    Close,
    And,
    End,
}

/// What was parsed last.
enum State {
    Start,
    /// A character, which may begin a range.
    Char(u32),
    /// A set, which cannot begin a range.
    Set,
    /// The first character of a range and the hyphen.
    Range(u32),
    Complete,
}

impl Parser<'_> {
    /// The rest of a class after `[`.
    pub(crate) fn class(&mut self) -> Parse<Class> {
        self.depth += 1;
        if self.depth > 500 {
            return err("parse depth limit over");
        }
        let negated = self.eat('^');
        let mut token = self.class_token()?;
        if matches!(token, Token::Close) {
            if !self.close_follows() {
                return err("empty char-class");
            }
            self.warn("]");
            token = Token::Char(u32::from(']'));
        }
        let mut class = Class { negated, parts: Vec::new() };
        let mut items: Vec<Item> = Vec::new();
        let mut state = State::Start;
        loop {
            let mut fetched = None;
            match token {
                Token::Close => break,
                Token::End => return err("premature end of char-class"),
                Token::Char(c) => state = self.value(state, c, &mut items)?,
                Token::Set(item) => {
                    state = set_after(state, &mut items)?;
                    items.push(item);
                }
                Token::Hyphen => {
                    let (next, after) = self.hyphen(state, &mut items, !class.parts.is_empty())?;
                    state = next;
                    fetched = after;
                }
                Token::Open => {
                    let nested = self.class()?;
                    items.push(Item::Nested(nested));
                }
                Token::And => {
                    if let State::Char(c) = state {
                        items.push(Item::Range(c, c));
                    }
                    state = State::Start;
                    class.parts.push(std::mem::take(&mut items));
                }
            }
            token = match fetched {
                Some(t) => t,
                None => self.class_token()?,
            };
        }
        if let State::Char(c) = state {
            items.push(Item::Range(c, c));
        }
        class.parts.push(items);
        if self.thorough && !self.warnings.iter().any(Warning::is_duplicate) && class.has_duplicates() {
            self.warnings.push(Warning::duplicate());
        }
        self.depth -= 1;
        Ok(class)
    }

    fn warn(&mut self, what: &str) {
        self.warnings.push(Warning::plain(format!("character class has '{what}' without escape")));
    }

    /// A character `c`: a member, or the beginning or end of a range.
    fn value(&mut self, state: State, c: u32, items: &mut Vec<Item>) -> Parse<State> {
        Ok(match state {
            State::Char(old) => {
                items.push(Item::Range(old, old));
                State::Char(c)
            }
            State::Range(from) => {
                if from > c {
                    return err("empty range in char class");
                }
                items.push(Item::Range(from, c));
                State::Complete
            }
            State::Start | State::Set | State::Complete => State::Char(c),
        })
    }

    /// A `-`: the next state, and the token after it if that was read.
    fn hyphen(&mut self, state: State, items: &mut Vec<Item>, anded: bool) -> Parse<(State, Option<Token>)> {
        let hyphen = u32::from('-');
        if let State::Range(_) = state {
            self.warn("-");
            return Ok((self.value(state, hyphen, items)?, None));
        }
        let after = self.class_token()?;
        let last = matches!(after, Token::Close | Token::And);
        if matches!(after, Token::And) {
            self.warn("-");
        }
        match state {
            State::Start if matches!(after, Token::Hyphen) || anded => self.warn("-"),
            State::Char(from) if !last => return Ok((State::Range(from), Some(after))),
            State::Set if !last => return err("unmatched range specifier in char-class"),
            State::Complete if !last => self.warn("-"),
            _ => {}
        }
        Ok((self.value(state, hyphen, items)?, Some(after)))
    }

    /// Whether there is an unescaped `]` ahead.
    fn close_follows(&self) -> bool {
        let mut i = self.at;
        while let Some(&c) = self.chars.get(i) {
            match ch(c) {
                ']' => return true,
                '\\' => i += 2,
                _ => i += 1,
            }
        }
        false
    }

    fn class_token(&mut self) -> Parse<Token> {
        let Some(&code) = self.chars.get(self.at) else { return Ok(Token::End) };
        self.at += 1;
        Ok(match ch(code) {
            ']' => Token::Close,
            '-' => Token::Hyphen,
            '&' if self.eat('&') => Token::And,
            '[' => {
                if self.peek_is(':') && self.posix_end_follows() {
                    return self.posix();
                }
                Token::Open
            }
            '\\' => return self.class_escape(),
            _ => Token::Char(code),
        })
    }

    fn class_escape(&mut self) -> Parse<Token> {
        let Some(&code) = self.chars.get(self.at) else { return err("end pattern at escape") };
        self.at += 1;
        let named = |property: Property, negated: bool, ascii: bool| {
            let bare = matches!(property, Property::Word | Property::Ascii);
            Token::Set(Item::Named { property, negated, ascii, bare })
        };
        let ascii = self.flags.ascii;
        Ok(match ch(code) {
            'w' => named(Property::Word, false, ascii),
            'W' => named(Property::Word, true, ascii),
            'd' => named(Property::Digit, false, ascii),
            'D' => named(Property::Digit, true, ascii),
            's' => named(Property::Space, false, ascii),
            'S' => named(Property::Space, true, ascii),
            'h' => named(Property::XDigit, false, ascii),
            'H' => named(Property::XDigit, true, ascii),
            c @ ('p' | 'P') if self.peek_is('{') => {
                self.at += 1;
                let (property, not) = self.property()?;
                let bare = property == Property::Ascii;
                Token::Set(Item::Named { property, negated: not != (c == 'P'), ascii: false, bare })
            }
            '1'..='7' => {
                self.at -= 1;
                Token::Char(self.digits_of(8, 3))
            }
            'b' => Token::Char(8),
            _ => Token::Char(self.escaped_char(code, 2)),
        })
    }

    /// Whether `:]` comes before any other `]`.
    fn posix_end_follows(&self) -> bool {
        let mut i = self.at + 1;
        while let Some(&c) = self.chars.get(i) {
            match ch(c) {
                ':' if self.chars.get(i + 1) == Some(&u32::from(']')) => return true,
                ']' => return false,
                '\\' => i += 2,
                _ => i += 1,
            }
        }
        false
    }

    /// `[:name:]` after its `[`. If it is not a POSIX bracket, the `[` is a literal.
    fn posix(&mut self) -> Parse<Token> {
        let start = self.at;
        self.at += 1;
        let negated = self.eat('^');
        let from = self.at;
        while self.peek().is_some_and(|c| c != ':' && c != ']') && self.at - from < 21 {
            self.at += 1;
        }
        let name = self.text(from, self.at);
        if self.starts_with(":]") {
            self.at += 2;
            let Some(property) = Property::posix(&name) else { return err("invalid POSIX bracket type") };
            let bare = matches!(property, Property::Word | Property::Ascii);
            let ascii = self.flags.ascii && !self.flags.wide;
            return Ok(Token::Set(Item::Named { property, negated, ascii, bare: bare || ascii }));
        }
        // As in Onigmo: `[` is a literal character, and parsing continues after it.
        self.at = start;
        self.warn("[");
        Ok(Token::Char(u32::from('[')))
    }
}

/// The state after a set; a pending character becomes a member.
fn set_after(state: State, items: &mut Vec<Item>) -> Parse<State> {
    match state {
        State::Range(_) => return err("char-class value at end of range"),
        State::Char(c) => items.push(Item::Range(c, c)),
        _ => {}
    }
    Ok(State::Set)
}
