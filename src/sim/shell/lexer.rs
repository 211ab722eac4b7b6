//! The words and operators of a shell script.

use thiserror::Error;

/// A part of a word; words are concatenations of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Quoted or escaped text, taken as it is.
    Quoted(String),
    /// Unquoted text, in which `*` and `?` match file names.
    Bare(String),
    /// `$name`, `${name}`, `$?`, `$$`, `$1`; split at blanks when not quoted.
    Variable { name: String, quoted: bool },
    /// `$(script)` or a script in back-ticks.
    Output { script: String, quoted: bool },
}

pub(super) type Word = Vec<Part>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// One of `; & && | || ( )` or a line's end, as written.
    Operator(&'static str),
    /// `fd` is the number before the sign, by default 0 for `<` and 1 for the others.
    Redirect {
        fd: u8,
        kind: RedirectKind,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RedirectKind {
    Read,
    Write,
    Append,
    /// `>&`: the word that follows is a descriptor.
    Duplicate,
    /// `&>`: both outputs.
    Both,
}

/// A script that is no sentence of the shell's language.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("syntax error: {0}")]
pub(in crate::sim) struct SyntaxError(pub(super) String);

impl SyntaxError {
    pub(super) fn unexpected(what: &str) -> Self {
        SyntaxError(format!("unexpected '{what}'"))
    }
}

/// Longest first, so that `&&` is not read as two.
const OPERATORS: [&str; 7] = ["&&", "||", ";", "|", "(", ")", "&"];

/// Splits a script into tokens.
pub(super) fn tokens(script: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut lexer = Lexer { rest: script, tokens: Vec::new() };
    while lexer.step()? {}
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self) -> Result<bool, SyntaxError> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
        let Some(first) = self.peek() else { return Ok(false) };
        if first == '#' {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.skip(end);
        } else if first == '\n' {
            self.skip(1);
            self.tokens.push(Token::Operator("\n"));
        } else if let Some(redirect) = self.redirect()? {
            self.tokens.push(redirect);
        } else if let Some(operator) = OPERATORS.iter().find(|op| self.rest.starts_with(**op)) {
            if self.rest.starts_with(";;") {
                return Err(SyntaxError::unexpected(";;"));
            }
            self.skip(operator.len());
            self.tokens.push(Token::Operator(operator));
        } else {
            let word = self.word()?;
            if !word.is_empty() {
                self.tokens.push(Token::Word(word));
            }
        }
        Ok(true)
    }

    /// `<`, `>`, `>>`, `>&`, `&>`, each perhaps with a digit before it.
    fn redirect(&mut self) -> Result<Option<Token>, SyntaxError> {
        let digits = usize::from(self.peek().is_some_and(|c| c.is_ascii_digit()));
        let number = self.rest.get(..digits).and_then(|n| n.parse().ok());
        let sign = self.rest.get(digits..).unwrap_or_default();
        if sign.starts_with("<<") {
            return Err(SyntaxError::unexpected("<<"));
        }
        let kinds = [
            ("&>", RedirectKind::Both),
            (">>", RedirectKind::Append),
            (">&", RedirectKind::Duplicate),
            (">|", RedirectKind::Write),
            (">", RedirectKind::Write),
            ("<", RedirectKind::Read),
        ];
        let found = kinds.iter().find(|(text, _)| sign.starts_with(text));
        let Some(&(text, kind)) = found.filter(|(text, _)| digits == 0 || *text != "&>") else {
            return Ok(None);
        };
        self.skip(digits + text.len());
        let fd = number.unwrap_or(u8::from(kind != RedirectKind::Read));
        Ok(Some(Token::Redirect { fd, kind }))
    }

    fn word(&mut self) -> Result<Word, SyntaxError> {
        let mut word = Word::new();
        while let Some(next) = self.peek() {
            match next {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    self.skip(1);
                    let text = self.until('\'')?;
                    word.push(Part::Quoted(text));
                }
                '"' => {
                    self.skip(1);
                    self.double_quoted(&mut word)?;
                }
                '\\' => {
                    self.skip(1);
                    // An escaped line end joins two lines.
                    if let Some(escaped) = self.take().filter(|c| *c != '\n') {
                        word.push(Part::Quoted(escaped.to_string()));
                    }
                }
                '$' | '`' => {
                    let part = self.dollar(false)?;
                    word.push(part);
                }
                _ => {
                    self.skip(next.len_utf8());
                    match word.last_mut() {
                        Some(Part::Bare(text)) => text.push(next),
                        _ => word.push(Part::Bare(next.to_string())),
                    }
                }
            }
        }
        Ok(word)
    }

    fn double_quoted(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        let mut text = String::new();
        // Even an empty pair of quotes makes a word.
        word.push(Part::Quoted(String::new()));
        loop {
            match self.peek().ok_or_else(|| SyntaxError("no closing quote".into()))? {
                '"' => {
                    self.skip(1);
                    word.push(Part::Quoted(text));
                    return Ok(());
                }
                '\\' => {
                    self.skip(1);
                    match self.take() {
                        Some(escaped @ ('"' | '\\' | '$' | '`')) => text.push(escaped),
                        Some('\n') => {}
                        Some(other) => text.extend(['\\', other]),
                        None => {}
                    }
                }
                '$' | '`' => {
                    word.push(Part::Quoted(std::mem::take(&mut text)));
                    let part = self.dollar(true)?;
                    word.push(part);
                }
                other => {
                    self.skip(other.len_utf8());
                    text.push(other);
                }
            }
        }
    }

    /// What begins with `$` or a back-tick.
    fn dollar(&mut self, quoted: bool) -> Result<Part, SyntaxError> {
        if self.take() == Some('`') {
            return Ok(Part::Output { script: self.until('`')?, quoted });
        }
        match self.peek() {
            Some('(') => {
                self.skip(1);
                if self.peek() == Some('(') {
                    return Err(SyntaxError("arithmetic is not supported".into()));
                }
                Ok(Part::Output { script: self.parenthesised()?, quoted })
            }
            Some('{') => {
                self.skip(1);
                let name = self.until('}')?;
                if name.is_empty() || !name.chars().all(is_name) && name != "?" {
                    return Err(SyntaxError(format!("bad substitution: ${{{name}}}")));
                }
                Ok(Part::Variable { name, quoted })
            }
            Some(special @ ('?' | '$' | '#' | '@' | '*' | '!' | '-' | '0'..='9')) => {
                self.skip(1);
                Ok(Part::Variable { name: special.to_string(), quoted })
            }
            Some(first) if is_name(first) => {
                let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
                let name = self.rest.get(..end).unwrap_or_default().to_owned();
                self.skip(end);
                Ok(Part::Variable { name, quoted })
            }
            _ => Ok(Part::Quoted("$".into())),
        }
    }

    /// Up to the matching parenthesis, which is skipped; quotes are respected.
    fn parenthesised(&mut self) -> Result<String, SyntaxError> {
        let mut depth = 1_u32;
        let mut quote: Option<char> = None;
        let mut escaped = false;
        for (at, c) in self.rest.char_indices() {
            if escaped {
                escaped = false;
                continue;
            }
            match (quote, c) {
                (Some('\''), '\'') => quote = None,
                (Some('\''), _) => {}
                (_, '\\') => escaped = true,
                (Some(open), _) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '(') => depth += 1,
                (None, ')') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let script = self.rest.get(..at).unwrap_or_default().to_owned();
                self.skip(at + 1);
                return Ok(script);
            }
        }
        Err(SyntaxError("no closing parenthesis".into()))
    }

    fn until(&mut self, end: char) -> Result<String, SyntaxError> {
        let (text, rest) =
            self.rest.split_once(end).ok_or_else(|| SyntaxError(format!("no closing {end}")))?;
        let text = text.to_owned();
        self.rest = rest;
        Ok(text)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.skip(next.len_utf8());
        Some(next)
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

/// A character of a variable's name.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
