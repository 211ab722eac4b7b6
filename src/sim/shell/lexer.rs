//! The tokens of a shell script: operators, redirections and words, read as the grammar asks for them.

use std::sync::{Arc, OnceLock};

use super::parser::Parser;
use super::syntax::{Part, RedirectKind, SyntaxError, Word};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// One of [`OPERATORS`] or a line's end, as written.
    Operator(&'static str),
    /// `fd` is the number before the sign, by default 0 for those that read and 1 for the others.
    Redirect {
        fd: u8,
        kind: RedirectKind,
        /// `<<-`: the lines lose the tabs they begin with.
        untabbed: bool,
    },
    End,
}

/// A `<<END` whose lines are still to come.
#[derive(Debug)]
pub(super) struct Awaited {
    pub(super) end: String,
    pub(super) plain: bool,
    pub(super) untabbed: bool,
    pub(super) body: Arc<OnceLock<Word>>,
}

/// Longest first, so that `&&` is not read as two.
const OPERATORS: [&str; 11] = ["&&", "||", ";;", ";&", ";|", "|&", ";", "|", "(", ")", "&"];
/// Ends a word unless it is quoted.
const BREAKS: [char; 11] = [' ', '\t', '\r', '\n', ';', '&', '|', '(', ')', '<', '>'];

impl Parser<'_> {
    /// The next token, without consuming it.
    pub(super) fn peek(&mut self) -> Result<&Token, SyntaxError> {
        let token = match self.ahead.take() {
            Some(token) => token,
            None => self.read()?,
        };
        Ok(self.ahead.insert(token))
    }

    pub(super) fn next(&mut self) -> Result<Token, SyntaxError> {
        match self.ahead.take() {
            Some(token) => Ok(token),
            None => self.read(),
        }
    }

    fn read(&mut self) -> Result<Token, SyntaxError> {
        self.blanks();
        let Some(first) = self.first() else {
            self.here_bodies()?;
            return Ok(Token::End);
        };
        if first == '\n' {
            self.skip(1);
            self.here_bodies()?;
            return Ok(Token::Operator("\n"));
        }
        if let Some(redirect) = self.redirect_sign() {
            return Ok(redirect);
        }
        if let Some(operator) = OPERATORS.iter().find(|op| self.rest.starts_with(**op)) {
            self.skip(operator.len());
            return Ok(Token::Operator(operator));
        }
        Ok(Token::Word(self.word()?))
    }

    /// Skips blanks, joined lines and a comment.
    pub(super) fn blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
            match self.rest.strip_prefix("\\\n") {
                Some(rest) => self.rest = rest,
                None => break,
            }
        }
        if self.first() == Some('#') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.skip(end);
        }
    }

    /// `<`, `>`, `>>`, `>&` and so on, each perhaps with a digit before it.
    fn redirect_sign(&mut self) -> Option<Token> {
        let digits = usize::from(self.first().is_some_and(|c| c.is_ascii_digit()));
        let number = self.rest.get(..digits).and_then(|n| n.parse().ok());
        let sign = self.rest.get(digits..).unwrap_or_default();
        let here = || RedirectKind::Here(Arc::default());
        let kinds = [
            ("&>", RedirectKind::Both),
            (">>", RedirectKind::Append),
            (">&", RedirectKind::Duplicate),
            (">|", RedirectKind::Write),
            (">", RedirectKind::Write),
            ("<<<", RedirectKind::HereWord),
            ("<<-", here()),
            ("<<", here()),
            ("<&", RedirectKind::Duplicate),
            ("<", RedirectKind::Read),
        ];
        let found = kinds.into_iter().find(|(text, _)| sign.starts_with(text));
        let (text, kind) = found.filter(|(text, _)| digits == 0 || *text != "&>")?;
        self.skip(digits + text.len());
        let fd = number.unwrap_or(u8::from(!text.starts_with('<')));
        Some(Token::Redirect { fd, kind, untabbed: text == "<<-" })
    }

    /// A word; the text is at its first character.
    pub(super) fn word(&mut self) -> Result<Word, SyntaxError> {
        let mut word = Word::new();
        while let Some(next) = self.first() {
            if BREAKS.contains(&next) {
                if next == '(' && extends(&word) {
                    return Err(SyntaxError::Other("patterns such as @(…) are not supported".into()));
                }
                break;
            }
            self.piece(next, &mut word)?;
        }
        Ok(word)
    }

    /// One unquoted character of a word, or what it begins.
    pub(super) fn piece(&mut self, next: char, word: &mut Word) -> Result<(), SyntaxError> {
        match next {
            '\'' => {
                self.skip(1);
                let text = self.until('\'')?;
                word.push(Part::Quoted(text));
            }
            '"' => {
                self.skip(1);
                self.double_quoted(word)?;
            }
            '\\' => {
                self.skip(1);
                // An escaped line end joins two lines.
                match self.take() {
                    Some('\n') => {}
                    Some(escaped) => word.push(Part::Quoted(escaped.to_string())),
                    None => word.push(Part::Quoted("\\".into())),
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
        Ok(())
    }

    fn double_quoted(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        // Even an empty pair of quotes makes a word.
        word.push(Part::Quoted(String::new()));
        let parts = self.quoted_until(Some('"'), &['"', '\\', '$', '`'])?;
        word.extend(parts);
        Ok(())
    }

    /// Text in which only `$`, back-ticks and backslashes mean something, up to `end`, which is skipped;
    /// without `end` up to the end of the text. A backslash escapes these characters only.
    pub(super) fn quoted_until(&mut self, end: Option<char>, escaped: &[char]) -> Result<Word, SyntaxError> {
        let mut parts = Word::new();
        let mut text = String::new();
        loop {
            let next = match (self.first(), end) {
                (None, None) => break,
                (None, Some(_)) => return Err(SyntaxError::Unfinished("no closing quote".into())),
                (Some(next), _) => next,
            };
            if Some(next) == end {
                self.skip(1);
                break;
            }
            match next {
                '\\' => {
                    self.skip(1);
                    match self.take() {
                        Some('\n') => {}
                        Some(other) if escaped.contains(&other) => text.push(other),
                        Some(other) => text.extend(['\\', other]),
                        None => text.push('\\'),
                    }
                }
                '$' | '`' => {
                    parts.push(Part::Quoted(std::mem::take(&mut text)));
                    let part = self.dollar(true)?;
                    parts.push(part);
                }
                other => {
                    self.skip(other.len_utf8());
                    text.push(other);
                }
            }
        }
        if !text.is_empty() {
            parts.push(Part::Quoted(text));
        }
        Ok(parts)
    }

    /// The lines of every `<<END` of the line that just ended.
    fn here_bodies(&mut self) -> Result<(), SyntaxError> {
        for awaited in std::mem::take(&mut self.awaited) {
            let mut text = String::new();
            loop {
                if self.rest.is_empty() {
                    let end = &awaited.end;
                    return Err(SyntaxError::Unfinished(format!("here document '{end}' unclosed")));
                }
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                self.rest = rest;
                let line = if awaited.untabbed { line.trim_start_matches('\t') } else { line };
                if line == awaited.end {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            let word = if awaited.plain {
                vec![Part::Quoted(text)]
            } else {
                self.within(&text, |inner| inner.quoted_until(None, &['\\', '$', '`']))?
            };
            let _ = awaited.body.set(word);
        }
        Ok(())
    }

    pub(super) fn until(&mut self, end: char) -> Result<String, SyntaxError> {
        let found = self.rest.split_once(end);
        let (text, rest) = found.ok_or_else(|| SyntaxError::Unfinished("no closing quote".into()))?;
        let text = text.to_owned();
        self.rest = rest;
        Ok(text)
    }

    pub(super) fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn take(&mut self) -> Option<char> {
        let next = self.first()?;
        self.skip(next.len_utf8());
        Some(next)
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

/// Whether a parenthesis after this word would begin one of mksh's own patterns.
fn extends(word: &Word) -> bool {
    matches!(word.last(), Some(Part::Bare(text)) if text.ends_with(['@', '*', '+', '?', '!']))
}

impl Token {
    /// As messages name it.
    pub(super) fn spelling(&self) -> String {
        match self {
            Token::Operator("\n") => "newline".to_owned(),
            Token::Operator(text) => (*text).to_owned(),
            Token::Redirect { .. } => ">".to_owned(),
            Token::End => "end of file".to_owned(),
            Token::Word(word) => match word.first() {
                Some(Part::Bare(text) | Part::Quoted(text)) => text.clone(),
                _ => "$".to_owned(),
            },
        }
    }
}
