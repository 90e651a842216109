//! The tokens of a source as Ripper.lex has them: prism's lexer reports each token with the state that it leaves, and between them are blanks.
//!
//! - `prism`: prism's tokens under Ripper's names;
//! - `states`: what MRI's parser makes of the state between tokens.

mod prism;
mod states;

use states::States;

/// A token: its place in the source in bytes, Ripper's kind (`on_ident`), the bits of the state after it (`EXPR_BEG` is 1), and for a comment whether the
/// end of its line ends a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub kind: &'static str,
    pub state: u32,
    pub ends_statement: bool,
}

/// An opening parenthesis behind a blank, in which an argument without parentheses begins; `on_lparen` for Ripper.
const ARGUMENT: &str = "(";

/// The source as Ripper's tokens, in the order of their places.
pub fn tokens(source: &[u8]) -> Vec<Token> {
    let mut raw = prism::tokens(source);
    raw.sort_by_key(|token| token.start);
    let mut states = States::default();
    let mut braces = Braces::default();
    let mut tokens: Vec<Token> = Vec::with_capacity(raw.len() * 2);
    let mark = super::first_line_start(source);
    let mut at = mark;
    let mut index = 0;
    while let Some(mut token) = raw.get(index).copied() {
        index += 1;
        if token.start < at {
            continue;
        }
        blanks(source, at, token.start, states.now, &mut tokens);
        match token.kind {
            "on_comment" => {
                token.state = states.now;
                // the end of the line is part of a comment
                if source.get(token.end) == Some(&b'\n') {
                    let end_of_line = raw.get(index).filter(|next| next.start == token.end);
                    index += usize::from(end_of_line.is_some());
                    token.end += 1;
                    token.ends_statement = end_of_line.is_some_and(|token| token.kind == "on_nl");
                    states
                        .end_of_line(end_of_line, &source[next_line(&raw[index..], states.pending.len(), token.end)..]);
                }
            }
            "on_nl" | "on_ignored_nl" => {
                states.end_of_line(Some(&token), &source[next_line(&raw[index..], states.pending.len(), token.end)..]);
            }
            "on___end__" => {
                let length = source[token.start..].iter().position(|byte| *byte == b'\n');
                token.end = length.map_or(token.end, |length| token.start + length + 1);
                tokens.push(token);
                return tokens;
            }
            _ => {
                braces.after(&mut token);
                states.after(&mut token, source);
            }
        }
        at = token.end;
        // a byte order mark belongs to the first token
        if token.start == mark {
            token.start = 0;
        }
        tokens.push(token);
    }
    // MRI's lexer loses the blanks in which it looked for a method call after a statement
    if tokens.last().is_none_or(|last| last.kind != "on_nl" && !last.ends_statement) {
        blanks(source, at, source.len(), states.now, &mut tokens);
    }
    tokens
}

/// The open braces, as MRI's lexer counts them: a closing one without its partner ends an interpolation.
#[derive(Default)]
struct Braces {
    open: i32,
    /// How many are open around each open interpolation.
    around: Vec<i32>,
}

impl Braces {
    fn after(&mut self, token: &mut Token) {
        match token.kind {
            "on_lbrace" | "on_tlambeg" => self.open += 1,
            "on_embexpr_beg" => self.around.push(std::mem::take(&mut self.open)),
            "on_embexpr_end" => self.open = self.around.pop().unwrap_or_default(),
            "on_rbrace" => {
                if self.open == 0 {
                    token.kind = "on_embexpr_end";
                }
                self.open -= 1;
            }
            _ => {}
        }
    }
}

/// Where code goes on after the end of a line: behind the texts of the here-documents that began on it.
fn next_line(rest: &[Token], heredocs: usize, end: usize) -> usize {
    let mut open = heredocs;
    let mut tokens = rest.iter();
    let mut at = end;
    while open > 0
        && let Some(token) = tokens.next()
    {
        match token.kind {
            "on_heredoc_beg" => open += 1,
            "on_heredoc_end" => open -= 1,
            _ => {}
        }
        at = token.end;
    }
    at
}

/// Blanks and lines that go on after a backslash.
fn blanks(source: &[u8], from: usize, to: usize, state: u32, tokens: &mut Vec<Token>) {
    let mut at = from;
    while at < to {
        let end = if source[at..to].starts_with(b"\\\n") {
            at + 2
        } else if source[at..to].starts_with(b"\\\r\n") {
            at + 3
        } else {
            let length = source[at + 1..to].iter().position(|byte| *byte == b'\\').unwrap_or(to - at - 1);
            at + 1 + length
        };
        tokens.push(Token { start: at, end, kind: "on_sp", state, ends_statement: false });
        at = end;
    }
}
