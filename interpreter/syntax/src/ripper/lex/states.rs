//! The state between tokens.

use super::{ARGUMENT, Token};
use std::collections::VecDeque;

const BEG: u32 = 1;
const END: u32 = 1 << 1;
const ENDARG: u32 = 1 << 2;
const ENDFN: u32 = 1 << 3;
const ARG: u32 = 1 << 4;
const CMDARG: u32 = 1 << 5;
const FNAME: u32 = 1 << 7;
const LABEL: u32 = 1 << 10;
const FITEM: u32 = 1 << 12;

/// The state between tokens: MRI's parser changes it after some of them.
pub(super) struct States {
    pub(super) now: u32,
    /// The state before each open regexp.
    regexps: Vec<u32>,
    /// The states before the here-documents that began on this line.
    pub(super) pending: VecDeque<u32>,
    /// The lines whose here-documents are being read: the states before these, and the one after the line.
    reading: Vec<(VecDeque<u32>, u32)>,
    /// The state before each open interpolation.
    outside: Vec<u32>,
    /// The state after the comments that follow the end of a statement.
    after_comments: Option<u32>,
    previous: &'static str,
    definition: Definition,
    /// The state after each open parenthesis is closed, where that is not the token's.
    parentheses: Vec<Option<u32>>,
    items: Items,
    /// Between `for` and its `in`.
    loop_variable: bool,
}

/// Where in `def self.name(` the lexer is.
#[derive(PartialEq, Eq)]
enum Definition {
    No,
    Def,
    Name,
    Dot,
    OwnName,
}

/// What `alias` and `undef` are followed by.
#[derive(PartialEq, Eq)]
enum Items {
    No,
    Alias,
    /// Behind the new name.
    AliasOf,
    Undef,
}

impl Default for States {
    fn default() -> States {
        States {
            now: BEG,
            regexps: Vec::new(),
            pending: VecDeque::new(),
            reading: Vec::new(),
            outside: Vec::new(),
            after_comments: None,
            previous: "",
            definition: Definition::No,
            parentheses: Vec::new(),
            items: Items::No,
            loop_variable: false,
        }
    }
}

impl States {
    /// MRI's lexer looks for a method call in the lines after a statement; the comments that it passes have the state before the end of the line.
    pub(super) fn end_of_line(&mut self, token: Option<&Token>, behind: &[u8]) {
        match token {
            Some(token) if token.kind == "on_nl" => {
                self.items = Items::No;
                self.definition = Definition::No;
                self.after_comments = Some(token.state);
            }
            Some(token) if self.after_comments.is_none() => self.now = token.state,
            _ => {}
        }
        if let Some(token) = token {
            self.previous = token.kind;
        }
        if behind.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) != Some(&b'#')
            && let Some(state) = self.after_comments.take()
        {
            self.now = state;
        }
        if !self.pending.is_empty() {
            self.reading.push((std::mem::take(&mut self.pending), self.now));
        }
    }

    /// Puts the state into a token that prism gives another one, and sets the state after it.
    pub(super) fn after(&mut self, token: &mut Token, source: &[u8]) {
        let text = &source[token.start..token.end];
        self.correct(token, text);
        self.now = self.state_after(token, text);
        match token.kind {
            ARGUMENT => {
                token.kind = "on_lparen";
                self.parentheses.push(Some(ENDARG));
            }
            "on_lparen" => {
                let parameters = matches!(self.definition, Definition::Name | Definition::OwnName);
                self.parentheses.push(parameters.then_some(BEG));
            }
            "on_semicolon" => self.items = Items::No,
            "on_kw" if token.state == FNAME | FITEM => {
                self.items = if text == b"alias" { Items::Alias } else { Items::Undef };
            }
            "on_kw" if matches!(text, b"for" | b"in") => self.loop_variable = text == b"for",
            _ => {}
        }
        self.definition = self.definition_after(token, text);
        self.previous = token.kind;
    }

    /// The state in the token itself.
    fn correct(&mut self, token: &mut Token, text: &[u8]) {
        match token.kind {
            "on_heredoc_beg" => self.pending.push_back(self.now),
            "on_heredoc_end" => {
                // without the end of a line before, the text begins within a literal
                let open = self.reading.last_mut().map_or(&mut self.pending, |(states, _)| states);
                token.state = open.pop_front().unwrap_or(token.state);
            }
            "on_regexp_beg" => self.regexps.push(self.now),
            "on_regexp_end" => token.state = self.regexps.pop().unwrap_or(token.state),
            "on_embexpr_beg" => {
                if opens_text(self.previous) {
                    token.state = self.now;
                }
                self.outside.push(self.now);
            }
            // what opens a text leaves the state as it is
            "on_label_end" => token.state = self.now,
            kind if opens_text(kind) => token.state = self.now,
            "on_tstring_content" | "on_words_sep" if opens_text(self.previous) => token.state = self.now,
            // MRI's lexer does not take numbered parameters for variables
            "on_ident" if token.state == END | LABEL && matches!(text, [b'_', b'1'..=b'9']) => {
                const OPENING: &[&str] =
                    &["on_lbrace", "on_nl", "on_ignored_nl", "on_semicolon", "on_kw", "on_embexpr_beg"];
                token.state = if OPENING.contains(&self.previous) { CMDARG } else { ARG };
            }
            _ => {}
        }
    }

    /// The state for what follows the token.
    fn state_after(&mut self, token: &Token, text: &[u8]) -> u32 {
        let symbol = self.previous == "on_symbeg"
            && !matches!(token.kind, "on_tstring_content" | "on_embexpr_beg" | "on_embvar" | "on_tstring_end");
        match token.kind {
            "on_regexp_end" | "on_heredoc_beg" => END,
            "on_heredoc_end" => {
                let line = self.reading.pop_if(|(states, _)| states.is_empty());
                line.map_or(token.state, |(_, state)| state)
            }
            "on_embexpr_beg" => BEG,
            "on_embexpr_end" => self.outside.pop().unwrap_or(token.state),
            "on_rparen" => self.parentheses.pop().flatten().unwrap_or(token.state),
            "on_comma" if self.items == Items::Undef => FNAME | FITEM,
            "on_gvar" | "on_backref" if self.items == Items::Alias => {
                self.items = Items::No;
                token.state
            }
            kind if self.items == Items::Alias && (symbol || kind != "on_symbeg") => {
                self.items = Items::AliasOf;
                FNAME | FITEM
            }
            kind if self.items == Items::AliasOf && kind != "on_symbeg" => {
                self.items = Items::No;
                match kind {
                    _ if symbol => END,
                    "on_op" | "on_kw" => ENDFN,
                    _ => token.state,
                }
            }
            // the pattern of a `case`
            "on_kw" if text == b"in" && !symbol && !self.loop_variable => BEG | LABEL,
            _ if symbol => END,
            _ => token.state,
        }
    }

    /// Where in a definition the lexer is after the token. The names of methods and the beginning of their parameters change the state.
    fn definition_after(&mut self, token: &Token, text: &[u8]) -> Definition {
        match (&self.definition, token.kind) {
            (_, "on_kw") if text == b"def" && self.previous != "on_symbeg" && self.previous != "on_period" => {
                Definition::Def
            }
            (Definition::Def, _) => {
                self.now = ENDFN;
                Definition::Name
            }
            (Definition::Name, "on_period") => Definition::Dot,
            (Definition::Name, "on_op") if text == b"::" => Definition::Dot,
            (Definition::Name | Definition::OwnName, "on_lparen" | "on_semicolon") => Definition::No,
            (Definition::Name | Definition::OwnName, _) if text != b"=" => {
                self.now |= LABEL;
                Definition::No
            }
            (Definition::Dot, _) => {
                self.now = ENDFN | LABEL;
                Definition::OwnName
            }
            _ => Definition::No,
        }
    }
}

/// Whether the token opens a literal whose state is that before it.
fn opens_text(kind: &str) -> bool {
    matches!(kind, "on_tstring_beg" | "on_words_beg" | "on_qwords_beg" | "on_symbols_beg" | "on_qsymbols_beg")
}
