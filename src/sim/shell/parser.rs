//! The grammar of a shell script.
//!
//! ```text
//! script   = { line (";" | "&" | newline) }        line = pipeline { ("&&" | "||") pipeline }
//! pipeline = ["!"] command { "|" command }         command = simple | compound | name "()" compound
//! ```
//!
//! A script is read line by line, as a shell does: an error in a line is reported when the line is reached.

use super::lexer::{Awaited, Token};
use super::syntax::{
    Body, Command, Condition, Line, Part, Pipeline, Redirect, RedirectKind, Script, SyntaxError, Word,
    is_variable,
};

/// Longest script taken.
pub(super) const MAX_SCRIPT: usize = 1 << 20;
/// How deep commands and substitutions may be nested.
const MAX_DEPTH: u32 = 32;

/// A script being read.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) rest: &'a str,
    pub(super) ahead: Option<Token>,
    pub(super) awaited: Vec<Awaited>,
    depth: u32,
}

impl<'a> Parser<'a> {
    /// # Errors
    /// The script is too long.
    pub(super) fn new(script: &'a str) -> Result<Self, SyntaxError> {
        if script.len() > MAX_SCRIPT {
            return Err(SyntaxError::Other("script too long".into()));
        }
        Ok(Parser { rest: script, ahead: None, awaited: Vec::new(), depth: 0 })
    }

    /// The next line, with the lines that continue it; `None` at the end.
    ///
    /// # Errors
    /// It is nested too deeply, or is not a sentence of the language.
    pub(super) fn next_line(&mut self) -> Result<Option<Script>, SyntaxError> {
        while self.accept("\n")? {}
        if *self.peek()? == Token::End {
            return Ok(None);
        }
        let mut lines = Vec::new();
        loop {
            lines.push(self.line()?);
            let ended = matches!(self.peek()?, Token::End);
            if ended || self.accept("\n")? {
                return Ok(Some(Script(lines)));
            }
            if !self.separator(&mut lines)? {
                return Err(SyntaxError::Unexpected(self.peek()?.spelling()));
            }
            if *self.peek()? == Token::End || self.accept("\n")? {
                return Ok(Some(Script(lines)));
            }
        }
    }

    /// All that is left.
    pub(super) fn whole(&mut self) -> Result<Script, SyntaxError> {
        let script = self.script(&[])?;
        match self.next()? {
            Token::End => Ok(script),
            token => Err(SyntaxError::Unexpected(token.spelling())),
        }
    }

    /// Reads another text, nested within this one.
    pub(super) fn within<T>(
        &self,
        text: &str,
        read: impl FnOnce(&mut Parser<'_>) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        let mut inner = Parser { rest: text, ahead: None, awaited: Vec::new(), depth: self.depth };
        inner.deeper()?;
        read(&mut inner)
    }

    /// Lines up to one of the reserved words `ends`, the end of a `case`'s arm, a closing parenthesis or
    /// the end.
    pub(super) fn script(&mut self, ends: &[&str]) -> Result<Script, SyntaxError> {
        self.deeper()?;
        let mut lines = Vec::new();
        loop {
            while self.accept("\n")? {}
            let at_end = match self.peek()? {
                Token::End | Token::Operator(")" | ";;" | ";&" | ";|") => true,
                token => reserved(token).is_some_and(|word| ends.contains(&word)),
            };
            if at_end {
                break;
            }
            lines.push(self.line()?);
            if !self.separator(&mut lines)? && !self.accept("\n")? {
                break;
            }
        }
        self.shallower();
        Ok(Script(lines))
    }

    /// `;` or `&`, the latter noted in the line it ends.
    fn separator(&mut self, lines: &mut [Line]) -> Result<bool, SyntaxError> {
        if self.accept("&")? {
            if let Some(line) = lines.last_mut() {
                line.background = true;
            }
            return Ok(true);
        }
        self.accept(";")
    }

    fn line(&mut self) -> Result<Line, SyntaxError> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            let condition = if self.accept("&&")? {
                Condition::IfOk
            } else if self.accept("||")? {
                Condition::IfFailed
            } else {
                return Ok(Line { first, rest, background: false });
            };
            while self.accept("\n")? {}
            rest.push((condition, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline, SyntaxError> {
        let mut negated = false;
        while self.accept_word("!")? {
            negated = !negated;
        }
        let mut commands = vec![self.command()?];
        while self.accept("|")? {
            while self.accept("\n")? {}
            commands.push(self.command()?);
        }
        Ok(Pipeline { negated, commands })
    }

    pub(super) fn command(&mut self) -> Result<Command, SyntaxError> {
        match self.compound()? {
            Some(body) => {
                let mut redirects = Vec::new();
                while let Some(redirect) = self.redirect()? {
                    redirects.push(redirect);
                }
                Ok(Command { body, redirects })
            }
            None => self.simple(),
        }
    }

    fn simple(&mut self) -> Result<Command, SyntaxError> {
        let mut assignments = Vec::new();
        let mut words: Vec<Word> = Vec::new();
        let mut redirects = Vec::new();
        loop {
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            if !matches!(self.peek()?, Token::Word(_)) {
                break;
            }
            let Token::Word(word) = self.next()? else { break };
            match assignment(&word).filter(|_| words.is_empty()) {
                Some((name, value)) => {
                    if value.is_empty() && self.rest.starts_with('(') {
                        return Err(SyntaxError::Other("arrays are not supported".into()));
                    }
                    assignments.push((name, value));
                }
                None => words.push(word),
            }
        }
        // `name () compound`
        if let ([word], true, true, Token::Operator("(")) =
            (words.as_slice(), assignments.is_empty(), redirects.is_empty(), self.peek()?)
        {
            let word = word.clone();
            return self.function(&word);
        }
        if assignments.is_empty() && words.is_empty() && redirects.is_empty() {
            return Err(self.unexpected()?);
        }
        Ok(Command { body: Body::Simple { assignments, words }, redirects })
    }

    fn redirect(&mut self) -> Result<Option<Redirect>, SyntaxError> {
        if !matches!(self.peek()?, Token::Redirect { .. }) {
            return Ok(None);
        }
        let Token::Redirect { fd, kind, untabbed } = self.next()? else { return Ok(None) };
        let target = match self.next()? {
            Token::Word(target) => target,
            Token::End => return Err(SyntaxError::Unexpected("newline".into())),
            token => return Err(SyntaxError::Unexpected(token.spelling())),
        };
        if let RedirectKind::Here(body) = &kind {
            let plain = target.iter().any(|part| !matches!(part, Part::Bare(_)));
            let mut end = String::new();
            for part in &target {
                match part {
                    Part::Quoted(text) | Part::Bare(text) => end.push_str(text),
                    _ => return Err(SyntaxError::Other("the end of a here document must be plain".into())),
                }
            }
            self.awaited.push(Awaited { end, plain, untabbed, body: body.clone() });
        }
        Ok(Some(Redirect { fd, kind, target }))
    }

    /// The error for the token that stands here.
    pub(super) fn unexpected(&mut self) -> Result<SyntaxError, SyntaxError> {
        let token = self.peek()?;
        let what = token.spelling();
        Ok(match token {
            Token::End => SyntaxError::Unfinished(format!("syntax error: unexpected '{what}'")),
            _ => SyntaxError::Unexpected(what),
        })
    }

    pub(super) fn accept(&mut self, operator: &str) -> Result<bool, SyntaxError> {
        let is = matches!(self.peek()?, Token::Operator(op) if *op == operator);
        if is {
            self.ahead = None;
        }
        Ok(is)
    }

    pub(super) fn expect(&mut self, operator: &str) -> Result<(), SyntaxError> {
        if self.accept(operator)? { Ok(()) } else { Err(self.unexpected()?) }
    }

    pub(super) fn accept_word(&mut self, text: &str) -> Result<bool, SyntaxError> {
        let is = is_bare(self.peek()?, text);
        if is {
            self.ahead = None;
        }
        Ok(is)
    }

    pub(super) fn expect_word(&mut self, text: &str) -> Result<(), SyntaxError> {
        if self.accept_word(text)? { Ok(()) } else { Err(self.unexpected()?) }
    }

    pub(super) fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(SyntaxError::Other("nested too deeply".into()));
        }
        Ok(())
    }

    pub(super) fn shallower(&mut self) {
        self.depth -= 1;
    }
}

pub(super) fn is_bare(token: &Token, text: &str) -> bool {
    matches!(token, Token::Word(word) if matches!(word.as_slice(), [Part::Bare(bare)] if bare == text))
}

/// The words that have a meaning at the start of a command.
pub(super) const RESERVED: [&str; 19] = [
    "!", "[[", "{", "}", "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "select", "then", "time", "until", "while",
];

/// The reserved word a token is at the start of a command.
pub(super) fn reserved(token: &Token) -> Option<&'static str> {
    RESERVED.into_iter().find(|word| is_bare(token, word))
}

/// `NAME=value`.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let (Part::Bare(text), rest) = word.split_first()? else { return None };
    let (name, value) = text.split_once('=')?;
    if !is_variable(name) {
        return None;
    }
    let mut parts = Word::new();
    if !value.is_empty() {
        parts.push(Part::Bare(value.to_owned()));
    }
    parts.extend_from_slice(rest);
    Some((name.to_owned(), parts))
}
