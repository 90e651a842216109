//! Tokens of shell command lines: POSIX, Shell Command Language 2.2 (quoting), 2.3 (tokens) and 2.7 (redirections).

use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(Word),
    /// `;` (also for a newline), `;;`, `&`, `&&`, `|`, `||`, `(` or `)`.
    Operator(&'static str),
    Redirection(Redirection),
}

/// A word of a command: adjacent parts without a blank between them, quoted or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The parts; a word of quotes only has one empty part.
    pub parts: Vec<Part>,
}

/// A part of a word, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// A wildcard character, `~`, or a brace.
    Pattern(char),
    /// A variable or command substitution.
    Substitution {
        /// The source text, from `$` or the backquote on.
        text: String,
        /// Whether it is between double quotes, so that the shell does not split its value into words.
        quoted: bool,
    },
}

impl Word {
    /// The text of a word in which the shell expands nothing.
    pub fn plain(&self) -> Option<String> {
        // `[` alone is the command `[`
        if self.parts == [Part::Pattern('[')] {
            return Some("[".into());
        }
        self.parts.iter().map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None }).collect()
    }

    fn push(&mut self, c: char) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push(c),
            _ => self.parts.push(Part::Text(c.into())),
        }
    }
}

/// A redirection of input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection {
    /// The file descriptor before the operator.
    pub descriptor: Option<String>,
    /// `>`, `>>`, `>|`, `>&`, `<`, `<&`, `<>`, `<<`, `<<-`, and bash's `&>` and `&>>`.
    pub operator: &'static str,
    /// The file, the other file descriptor, or the text of a here-document.
    pub target: Word,
}

/// Operators between commands, longer ones before their prefixes.
const OPERATORS: &[&str] = &["&&", "||", ";;", ";", "&", "|", "(", ")"];
/// Redirection operators, longer ones before their prefixes.
const REDIRECTING: &[&str] = &["&>>", "&>", ">>", ">|", ">&", ">", "<&", "<>", "<<-", "<<", "<"];

/// The tokens of one or more lines. None if a quote, a substitution, a redirection or a here-document is incomplete.
pub fn tokens(line: &str) -> Option<Vec<Token>> {
    let mut reader = Reader { rest: line.chars().peekable() };
    let mut tokens: Vec<Token> = Vec::new();
    let mut read = 0;
    loop {
        reader.blanks();
        let Some(next) = reader.rest.peek() else {
            let open = tokens[read..]
                .iter()
                .any(|token| matches!(token, Token::Redirection(Redirection { operator: "<<" | "<<-", .. })));
            return (!open).then_some(tokens);
        };
        match next {
            '\n' => {
                reader.rest.next();
                for token in &mut tokens[read..] {
                    if let Token::Redirection(it) = token
                        && it.operator.starts_with("<<")
                    {
                        it.target = reader.document(it)?;
                    }
                }
                read = tokens.len();
                // after these operators a command continues on the next line
                if !matches!(tokens.last(), Some(Token::Operator("&&" | "||" | "|"))) {
                    tokens.push(Token::Operator(";"));
                }
            }
            '#' => while reader.rest.next_if(|c| *c != '\n').is_some() {},
            _ => tokens.push(reader.token()?),
        }
    }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    fn starts_with(&self, text: &str) -> bool {
        let mut ahead = self.rest.clone();
        text.chars().all(|c| ahead.next() == Some(c))
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.starts_with(text);
        if found {
            self.rest.nth(text.chars().count() - 1);
        }
        found
    }

    fn take_one(&mut self, of: &[&'static str]) -> Option<&'static str> {
        of.iter().copied().find(|text| self.take(text))
    }

    /// Skips blanks and line continuations (a backslash before a newline).
    fn blanks(&mut self) {
        while self.rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() || self.take("\\\n") {}
    }

    fn token(&mut self) -> Option<Token> {
        if let Some(operator) = self.take_one(REDIRECTING) {
            return self.redirection(None, operator);
        }
        if let Some(operator) = self.take_one(OPERATORS) {
            return Some(Token::Operator(operator));
        }
        let mut ahead = self.rest.clone();
        let digits: String = std::iter::from_fn(|| ahead.next_if(char::is_ascii_digit)).collect();
        if !digits.is_empty() && matches!(ahead.peek(), Some('<' | '>')) {
            self.rest = ahead;
            let operator = self.take_one(REDIRECTING)?;
            return self.redirection(Some(digits), operator);
        }
        Some(Token::Word(self.word()?))
    }

    fn redirection(&mut self, descriptor: Option<String>, operator: &'static str) -> Option<Token> {
        self.blanks();
        if matches!(self.rest.peek(), None | Some('\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')) {
            return None;
        }
        Some(Token::Redirection(Redirection { descriptor, operator, target: self.word()? }))
    }

    /// Reads the lines of a here-document; the redirection's target is its delimiter.
    fn document(&mut self, redirection: &Redirection) -> Option<Word> {
        let is_quoted = |part: &Part| matches!(part, Part::Text(_));
        let end: String = redirection.target.plain()?;
        let mut word = Word { parts: vec![Part::Text(String::new())] };
        loop {
            let mut line = String::new();
            loop {
                match self.rest.next() {
                    Some('\n') => break,
                    Some(c) => line.push(c),
                    None if line.is_empty() => return None,
                    None => break,
                }
            }
            let line = if redirection.operator == "<<-" { line.trim_start_matches('\t') } else { &line };
            if line == end {
                return Some(word);
            }
            // whether the delimiter was quoted is not known here, so text in which that matters counts as a substitution
            if line.contains(['$', '`', '\\']) && word.parts.iter().all(is_quoted) {
                word.parts.push(Part::Substitution { text: String::new(), quoted: true });
            }
            line.chars().chain(['\n']).for_each(|c| word.push(c));
        }
    }

    fn word(&mut self) -> Option<Word> {
        let mut word = Word::default();
        while let Some(c) = self.rest.peek().copied() {
            if self.take("\\\n") {
                continue;
            }
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '$' | '`' => self.substitution(&mut word, false)?,
                _ => {
                    self.rest.next();
                    match c {
                        '\'' => {
                            word.parts.push(Part::Text(String::new()));
                            loop {
                                match self.rest.next()? {
                                    '\'' => break,
                                    c => word.push(c),
                                }
                            }
                        }
                        '"' => self.quoted(&mut word)?,
                        '\\' => word.push(self.rest.next()?),
                        '*' | '?' | '[' | '{' | '}' | '~' => word.parts.push(Part::Pattern(c)),
                        c => word.push(c),
                    }
                }
            }
        }
        Some(word)
    }

    /// Reads the text between double quotes.
    fn quoted(&mut self, word: &mut Word) -> Option<()> {
        word.parts.push(Part::Text(String::new()));
        loop {
            match self.rest.peek()? {
                '$' | '`' => self.substitution(word, true)?,
                _ => match self.rest.next()? {
                    '"' => return Some(()),
                    '\\' => match self.rest.next()? {
                        '\n' => {}
                        c @ ('"' | '\\' | '$' | '`') => word.push(c),
                        c => ['\\', c].into_iter().for_each(|c| word.push(c)),
                    },
                    c => word.push(c),
                },
            }
        }
    }

    /// Reads what begins with `$` or a backquote.
    fn substitution(&mut self, word: &mut Word, quoted: bool) -> Option<()> {
        let mut ahead = self.rest.clone();
        let first = ahead.next()?;
        let mut text = String::from(first);
        if first == '`' {
            loop {
                let c = ahead.next()?;
                text.push(c);
                match c {
                    '\\' => text.push(ahead.next()?),
                    '`' => break,
                    _ => {}
                }
            }
        } else if let Some(open @ ('(' | '{')) = ahead.peek().copied() {
            let close = if open == '(' { ')' } else { '}' };
            let mut depth = 0;
            loop {
                let c = ahead.next()?;
                text.push(c);
                match c {
                    '\\' => text.push(ahead.next()?),
                    '\'' if open == '(' => loop {
                        let c = ahead.next()?;
                        text.push(c);
                        if c == '\'' {
                            break;
                        }
                    },
                    // a single quote between double quotes is literal
                    '"' if open == '(' => loop {
                        let c = ahead.next()?;
                        text.push(c);
                        match c {
                            '\\' => text.push(ahead.next()?),
                            '"' => break,
                            _ => {}
                        }
                    },
                    c if c == open => depth += 1,
                    c if c == close => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        } else if let Some(c) = ahead.next_if(|c| c.is_ascii_digit() || "@*#?$!-".contains(*c)) {
            // a parameter with a one-character name
            text.push(c);
        } else {
            while let Some(c) = ahead.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                text.push(c);
            }
        }
        self.rest = ahead;
        word.parts.push(Part::Substitution { text, quoted });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let Some(tokens) = tokens(line) else { return "none".into() };
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Pattern(c) => format!("?{c}"),
            Part::Substitution { text, quoted } => format!("{}{text}", if *quoted { "~" } else { "%" }),
        };
        let word = |word: &Word| {
            let shown: String = word.parts.iter().map(part).collect();
            format!("={shown}{}", if word.plain().is_some() { "" } else { "!" })
        };
        let token = |token: &Token| match token {
            Token::Word(it) => word(it),
            Token::Operator(it) => (*it).to_string(),
            Token::Redirection(it) => {
                format!("{}{}{}", it.descriptor.as_deref().unwrap_or_default(), it.operator, word(&it.target))
            }
        };
        tokens.iter().map(token).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_operators_and_redirections() {
        for (line, wanted) in [
            ("", ""),
            ("a  'b c'\t\"d e\"f '' # g", "=a =b c =d ef ="),
            ("a#b \\# \\a", "=a#b =# =a"),
            ("a\\\nb \\\n c\nd", "=ab =c ; =d"),
            (r#""a\"\\\$\`\n" 'a\'"#, r#"=a"\$`\n =a\"#),
            ("a &&\n\nb |\\\n| c", "=a && =b | | =c"),
            ("a&&b||c|d;e&f;;(g)", "=a && =b || =c | =d ; =e & =f ;; ( =g )"),
            ("a>b 2>>c 3>&1 x4>d <e &>f >|g 2<>h", "=a >=b 2>>=c 3>&=1 =x4 >=d <=e &>=f >|=g 2<>=h"),
            ("a 1 \\2>b '3'>c 10>d", "=a =1 =2 >=b =3 >=c 10>=d"),
            ("$X \"$X/y\" ${X}z '$X' ${Y:-1} \\$X", "=%$X! =~$X/y! =%${X}z! =$X =%${Y:-1}! =$X"),
            ("$1a $@ \"$#\"$_b '' \"\"", "=%$1a! =%$@! =~$#%$_b! = ="),
            ("`a \"b\" \\`c\\`` \"$(d 'e)' (f))\"g $", "=%`a \"b\" \\`c\\``! =~$(d 'e)' (f))g! =%$!"),
            ("\"$(a \"\\' b ' (\" 'c\"')\"", "=~$(a \"\\' b ' (\" 'c\"')!"),
            ("[ a ] [ab] a* ? ~ {a,b} \\* '*' \"?\"", "=?[ =a =] =?[ab]! =a?*! =??! =?~! =?{a,b?}! =* =* =?"),
            ("a <<E b\nc\n E\nE\nd", "=a <<=c\n E\n =b ; =d"),
            ("a <<-'E'\n\tb $c\n\tE\nd", "=a <<-=~b $c\n! ; =d"),
        ] {
            assert_eq!(shown(line), wanted, "{line}");
        }
        for line in ["'a", "\"a", "a \\", "`a", "$(a", "${a", "a >", "a > ; b", "a << E", "a <<E\nb", "a <<< b", "<(a)"]
        {
            assert_eq!(shown(line), "none", "{line}");
        }
    }
}
