//! Parses sh(1) scripts: POSIX, Shell Command Language 2.9 (commands) and 2.10 (grammar).

use rchef_text::shell::{Part, Redirection, Token, Word, tokens};
use std::rc::Rc;

/// Commands that run one after the other.
pub(super) type List = Vec<Node>;

/// A simple or compound command.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A program, builtin or function with its words; without words only assignments.
    Simple {
        assignments: Vec<(String, Word)>,
        words: Vec<Word>,
        redirections: Vec<Redirection>,
    },
    /// Commands connected by pipes.
    Pipeline(List),
    /// An asynchronous command (`&`).
    Background(Box<Node>),
    /// A command, followed by others that run if the last status was success (`true`) or failure.
    Chain(Box<Node>, Vec<(bool, Node)>),
    Not(Box<Node>),
    /// Conditions with their bodies, and the `else` body.
    If(Vec<(List, List)>, List),
    /// A word, and patterns with their bodies.
    Case(Word, Vec<(Vec<Word>, List)>),
    /// A variable, its words (None: the positional parameters), and the body.
    For(String, Option<Vec<Word>>, List),
    /// `while` or `until`.
    Loop {
        until: bool,
        condition: List,
        body: List,
    },
    Group(List),
    /// `( … )`.
    Subshell(List),
    Function(String, Rc<Node>),
    /// A compound command with redirections.
    Redirected(Box<Node>, Vec<Redirection>),
}

/// Parses a script; None if it is invalid or has unsupported syntax.
pub(super) fn parse(script: &str) -> Option<List> {
    let mut parser = Parser { tokens: tokens(script)?, at: 0, depth: 0 };
    let list = parser.list()?;
    (parser.at == parser.tokens.len()).then_some(list)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// Current nesting depth.
    depth: usize,
}

/// Maximum nesting depth.
const DEPTH: usize = 100;

/// Reserved words that end a list.
const ENDS: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// A word as a reserved word, if it is unquoted text.
fn reserved(word: &Word) -> Option<&str> {
    match &word.parts[..] {
        [Part::Text(text)] => Some(text),
        [Part::Pattern('{')] => Some("{"),
        [Part::Pattern('}')] => Some("}"),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Splits an assignment into variable and value.
pub(super) fn assignment(word: &Word) -> Option<(String, Word)> {
    let [Part::Text(first), rest @ ..] = &word.parts[..] else { return None };
    let (name, value) = first.split_once('=')?;
    if !is_name(name) {
        return None;
    }
    let parts = [Part::Text(value.into())].into_iter().chain(rest.iter().cloned()).collect();
    Some((name.into(), Word { parts }))
}

impl Parser {
    fn operator(&self) -> Option<&'static str> {
        match self.tokens.get(self.at) {
            Some(Token::Operator(operator)) => Some(operator),
            _ => None,
        }
    }

    fn word(&self) -> Option<&str> {
        match self.tokens.get(self.at) {
            Some(Token::Word(word)) => reserved(word),
            _ => None,
        }
    }

    fn take(&mut self, operator: &str) -> Option<()> {
        (self.operator()? == operator).then(|| self.at += 1)
    }

    fn expect(&mut self, word: &str) -> Option<()> {
        (self.word()? == word).then(|| self.at += 1)
    }

    fn take_word(&mut self) -> Option<Word> {
        let Some(Token::Word(word)) = self.tokens.get(self.at) else { return None };
        self.at += 1;
        Some(word.clone())
    }

    fn blank(&mut self) {
        while self.take(";").is_some() {}
    }

    fn list(&mut self) -> Option<List> {
        let mut list = Vec::new();
        loop {
            self.blank();
            let ends =
                matches!(self.operator(), Some(")" | ";;")) || self.word().is_some_and(|word| ENDS.contains(&word));
            if ends || self.at == self.tokens.len() {
                return Some(list);
            }
            let node = self.chain()?;
            list.push(if self.take("&").is_some() { Node::Background(Box::new(node)) } else { node });
        }
    }

    fn chain(&mut self) -> Option<Node> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        while let Some(operator @ ("&&" | "||")) = self.operator() {
            self.at += 1;
            rest.push((operator == "&&", self.pipeline()?));
        }
        Some(if rest.is_empty() { first } else { Node::Chain(Box::new(first), rest) })
    }

    fn pipeline(&mut self) -> Option<Node> {
        if self.expect("!").is_some() {
            return Some(Node::Not(Box::new(self.piped()?)));
        }
        self.piped()
    }

    fn piped(&mut self) -> Option<Node> {
        let mut parts = vec![self.command()?];
        while self.take("|").is_some() {
            self.blank();
            parts.push(self.command()?);
        }
        if parts.len() == 1 { parts.pop() } else { Some(Node::Pipeline(parts)) }
    }

    fn command(&mut self) -> Option<Node> {
        if self.depth == DEPTH {
            return None;
        }
        self.depth += 1;
        let node = self.one();
        self.depth -= 1;
        node
    }

    fn one(&mut self) -> Option<Node> {
        let node = match (self.operator(), self.word()) {
            (Some("("), _) => {
                self.at += 1;
                let list = self.list()?;
                self.take(")")?;
                Node::Subshell(list)
            }
            (Some(_), _) => return None,
            (_, Some("{")) => {
                self.at += 1;
                let list = self.list()?;
                self.expect("}")?;
                Node::Group(list)
            }
            (_, Some("if")) => self.conditional()?,
            (_, Some("case")) => self.case()?,
            (_, Some("for")) => self.for_each()?,
            (_, Some(word @ ("while" | "until"))) => {
                let until = word == "until";
                self.at += 1;
                let condition = self.list()?;
                Node::Loop { until, condition, body: self.body()? }
            }
            (_, Some(name)) if matches!(self.tokens.get(self.at + 1), Some(Token::Operator("("))) => {
                let name = name.to_string();
                self.at += 2;
                self.take(")")?;
                self.blank();
                return Some(Node::Function(name, Rc::new(self.command()?)));
            }
            _ => return self.simple(),
        };
        let mut redirections = Vec::new();
        while let Some(Token::Redirection(redirection)) = self.tokens.get(self.at) {
            redirections.push(redirection.clone());
            self.at += 1;
        }
        Some(if redirections.is_empty() { node } else { Node::Redirected(Box::new(node), redirections) })
    }

    fn simple(&mut self) -> Option<Node> {
        let (mut assignments, mut words, mut redirections) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match self.tokens.get(self.at) {
                Some(Token::Word(word)) => match assignment(word) {
                    Some(found) if words.is_empty() => assignments.push(found),
                    _ => words.push(word.clone()),
                },
                Some(Token::Redirection(redirection)) => redirections.push(redirection.clone()),
                _ => break,
            }
            self.at += 1;
        }
        let is_there = !(assignments.is_empty() && words.is_empty() && redirections.is_empty());
        is_there.then_some(Node::Simple { assignments, words, redirections })
    }

    fn conditional(&mut self) -> Option<Node> {
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        self.expect("if")?;
        loop {
            let condition = self.list()?;
            self.expect("then")?;
            branches.push((condition, self.list()?));
            if self.expect("elif").is_some() {
                continue;
            }
            if self.expect("else").is_some() {
                otherwise = self.list()?;
            }
            self.expect("fi")?;
            return Some(Node::If(branches, otherwise));
        }
    }

    fn case(&mut self) -> Option<Node> {
        self.expect("case")?;
        let word = self.take_word()?;
        self.blank();
        self.expect("in")?;
        let mut arms = Vec::new();
        loop {
            self.blank();
            if self.expect("esac").is_some() {
                return Some(Node::Case(word, arms));
            }
            let _ = self.take("(");
            let mut patterns = vec![self.take_word()?];
            while self.take("|").is_some() {
                patterns.push(self.take_word()?);
            }
            self.take(")")?;
            arms.push((patterns, self.list()?));
            if self.take(";;").is_none() {
                self.expect("esac")?;
                return Some(Node::Case(word, arms));
            }
        }
    }

    fn for_each(&mut self) -> Option<Node> {
        self.expect("for")?;
        let name = self.take_word()?.plain().filter(|name| is_name(name))?;
        self.blank();
        let words =
            if self.expect("in").is_some() { Some(std::iter::from_fn(|| self.take_word()).collect()) } else { None };
        self.blank();
        Some(Node::For(name, words, self.body()?))
    }

    fn body(&mut self) -> Option<List> {
        self.expect("do")?;
        let list = self.list()?;
        self.expect("done")?;
        Some(list)
    }
}
