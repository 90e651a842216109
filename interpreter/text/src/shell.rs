//! Command lines as sh(1) reads them: POSIX, Shell Command Language 2.2 (quoting), 2.3 (tokens) and 2.7 (redirections).

use std::iter::Peekable;
use std::str::Chars;

/// A part of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A word of a command.
    Word(Word),
    /// `;` (also the end of a line), `;;`, `&`, `&&`, `|`, `||`, `(` or `)`.
    Operator(&'static str),
    /// A redirection of a command.
    Redirection(Redirection),
}

/// A word without its quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The text; what the shell would replace stands there as written.
    pub text: String,
    /// Whether the shell would replace a part: a variable, the output of a command, a pattern of file names, `~`, braces.
    pub expands: bool,
}

/// Where a command reads from or writes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection {
    /// The descriptor in front of the operator.
    pub descriptor: Option<String>,
    /// `>`, `>>`, `>|`, `>&`, `<`, `<&`, `<>`, and bash's `&>` and `&>>`.
    pub operator: &'static str,
    /// The file or the other descriptor.
    pub target: Word,
}

/// Operators between commands, longer ones first.
const OPERATORS: &[&str] = &["&&", "||", ";;", ";", "&", "|", "(", ")"];
/// Operators of redirections, longer ones first.
const REDIRECTING: &[&str] = &["&>>", "&>", ">>", ">|", ">&", ">", "<&", "<>", "<"];

/// The tokens of a line or of several; `variable` is asked for the value of a variable. Absent where a quote, a substitution or a redirection has no
/// end, and where there is a here-document.
pub fn tokens(line: &str, variable: &dyn Fn(&str) -> Option<String>) -> Option<Vec<Token>> {
    let mut reader = Reader { rest: line.chars().peekable(), variable };
    let mut tokens = Vec::new();
    loop {
        reader.blanks();
        let Some(next) = reader.rest.peek() else { return Some(tokens) };
        match next {
            '\n' => {
                reader.rest.next();
                // after these a command goes on in the next line
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
    variable: &'a dyn Fn(&str) -> Option<String>,
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

    /// Steps over blanks, and over a backslash and the end of a line, by which the line goes on.
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
        // `<<` begins a here-document
        if matches!(self.rest.peek(), None | Some('\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')) {
            return None;
        }
        Some(Token::Redirection(Redirection { descriptor, operator, target: self.word()? }))
    }

    fn word(&mut self) -> Option<Word> {
        let mut word = Word::default();
        let mut has_pattern = false;
        let mut plain = true;
        while let Some(c) = self.rest.peek().copied() {
            if self.take("\\\n") {
                continue;
            }
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '$' | '`' => self.substitution(&mut word)?,
                _ => {
                    self.rest.next();
                    match c {
                        '\'' => loop {
                            match self.rest.next()? {
                                '\'' => break,
                                c => word.text.push(c),
                            }
                        },
                        '"' => self.quoted(&mut word)?,
                        '\\' => word.text.push(self.rest.next()?),
                        c => {
                            has_pattern |= matches!(c, '*' | '?' | '[' | '{' | '}' | '~');
                            word.text.push(c);
                        }
                    }
                    plain &= !matches!(c, '\'' | '"' | '\\');
                }
            }
        }
        // `[` alone is the command
        word.expands |= has_pattern && !(plain && word.text == "[");
        Some(word)
    }

    /// What stands between double quotes.
    fn quoted(&mut self, word: &mut Word) -> Option<()> {
        loop {
            match self.rest.peek()? {
                '$' | '`' => self.substitution(word)?,
                _ => match self.rest.next()? {
                    '"' => return Some(()),
                    '\\' => match self.rest.next()? {
                        '\n' => {}
                        c @ ('"' | '\\' | '$' | '`') => word.text.push(c),
                        c => word.text.extend(['\\', c]),
                    },
                    c => word.text.push(c),
                },
            }
        }
    }

    /// What begins with `$` or a backquote: the value of a variable that is known, else its text.
    fn substitution(&mut self, word: &mut Word) -> Option<()> {
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
                    c if c == open => depth += 1,
                    c if c == close => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            while let Some(c) = ahead.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                text.push(c);
            }
        }
        self.rest = ahead;
        let name = text[1..].strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(&text[1..]);
        match (self.variable)(name) {
            Some(value) => word.text.push_str(&value),
            None => {
                word.expands = true;
                word.text.push_str(&text);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let value = |name: &str| (name == "X").then(|| "a b".to_string());
        let Some(tokens) = tokens(line, &value) else { return "none".into() };
        let word = |word: &Word| format!("{}{}", if word.expands { "~" } else { "=" }, word.text);
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
            ("$X \"$X/y\" ${X}z '$X' $Y ${Y:-1} \\$X", "=a b =a b/y =a bz =$X ~$Y ~${Y:-1} =$X"),
            ("`a \"b\" \\`c\\`` \"$(d 'e)' (f))\"g $", "~`a \"b\" \\`c\\`` ~$(d 'e)' (f))g ~$"),
            ("[ a ] [ab] a* ? ~ {a,b} \\* '*' \"?\"", "=[ =a =] ~[ab] ~a* ~? ~~ ~{a,b} =* =* =?"),
        ] {
            assert_eq!(shown(line), wanted, "{line}");
        }
        for line in ["'a", "\"a", "a \\", "`a", "$(a", "${a", "a >", "a > ; b", "a << E", "a <<< b", "<(a)"] {
            assert_eq!(shown(line), "none", "{line}");
        }
    }
}
