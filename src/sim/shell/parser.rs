//! The grammar of a shell script.
//!
//! ```text
//! script   = { line (";" | "&" | newline) }        line = pipeline { ("&&" | "||") pipeline }
//! pipeline = ["!"] command { "|" command }         command = simple | "(" script ")" | "{" script "}"
//!                                                          | "if" … "fi" | "while" … "done" | "for" … "done"
//! ```

use std::iter::Peekable;
use std::vec::IntoIter;

use super::lexer::{Part, SyntaxError, Token, Word, is_name, tokens};
use super::syntax::{Body, Command, Condition, Line, Pipeline, Redirect, Script};

/// Longest script taken.
const MAX_SCRIPT: usize = 1 << 20;
/// How deep commands may be nested.
const MAX_DEPTH: u32 = 24;

/// Reads a script.
///
/// # Errors
/// It is too long, too deep, or no sentence of the language.
pub(super) fn parse(script: &str) -> Result<Script, SyntaxError> {
    if script.len() > MAX_SCRIPT {
        return Err(SyntaxError("script too long".into()));
    }
    let mut parser = Parser { tokens: tokens(script)?.into_iter().peekable(), depth: 0 };
    let script = parser.script(&[])?;
    match parser.tokens.peek() {
        None => Ok(script),
        Some(token) => Err(SyntaxError::unexpected(&spelling(token))),
    }
}

struct Parser {
    tokens: Peekable<IntoIter<Token>>,
    depth: u32,
}

impl Parser {
    /// Lines up to one of the reserved words `ends`, a closing parenthesis or the end.
    fn script(&mut self, ends: &[&str]) -> Result<Script, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(SyntaxError("nested too deeply".into()));
        }
        let mut lines = Vec::new();
        loop {
            while self.accept("\n") {}
            let at_end = match self.tokens.peek() {
                None | Some(Token::Operator(")")) => true,
                Some(token) => reserved(token).is_some_and(|word| ends.contains(&word)),
            };
            if at_end {
                break;
            }
            lines.push(self.line()?);
            // Work in the background is done at once: nothing here runs beside anything else.
            if !(self.accept(";") || self.accept("&") || self.accept("\n")) {
                break;
            }
        }
        self.depth -= 1;
        Ok(Script(lines))
    }

    fn line(&mut self) -> Result<Line, SyntaxError> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            let condition = if self.accept("&&") {
                Condition::IfOk
            } else if self.accept("||") {
                Condition::IfFailed
            } else {
                return Ok(Line { first, rest });
            };
            while self.accept("\n") {}
            rest.push((condition, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline, SyntaxError> {
        let mut negated = false;
        while self.accept_word("!") {
            negated = !negated;
        }
        let mut commands = vec![self.command()?];
        while self.accept("|") {
            while self.accept("\n") {}
            commands.push(self.command()?);
        }
        Ok(Pipeline { negated, commands })
    }

    fn command(&mut self) -> Result<Command, SyntaxError> {
        let body = if self.accept("(") {
            let script = self.script(&[])?;
            self.expect(")")?;
            Body::Subshell(script)
        } else {
            match self.tokens.peek().and_then(reserved) {
                Some("{") => {
                    self.tokens.next();
                    let script = self.script(&["}"])?;
                    self.expect_word("}")?;
                    Body::Group(script)
                }
                Some("if") => self.conditional()?,
                Some(word @ ("while" | "until")) => {
                    self.tokens.next();
                    let condition = self.script(&["do"])?;
                    Body::Loop { until: word == "until", condition, body: self.loop_body()? }
                }
                Some("for") => self.for_loop()?,
                Some(word) => return Err(SyntaxError::unexpected(word)),
                None => return self.simple(),
            }
        };
        let mut redirects = Vec::new();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
        }
        Ok(Command { body, redirects })
    }

    fn conditional(&mut self) -> Result<Body, SyntaxError> {
        self.tokens.next();
        let mut branches = Vec::new();
        let mut otherwise = Script::default();
        loop {
            let condition = self.script(&["then"])?;
            self.expect_word("then")?;
            branches.push((condition, self.script(&["elif", "else", "fi"])?));
            if self.accept_word("elif") {
                continue;
            }
            if self.accept_word("else") {
                otherwise = self.script(&["fi"])?;
            }
            self.expect_word("fi")?;
            return Ok(Body::If { branches, otherwise });
        }
    }

    fn for_loop(&mut self) -> Result<Body, SyntaxError> {
        self.tokens.next();
        let name = match self.tokens.next() {
            Some(Token::Word(word)) => match word.as_slice() {
                [Part::Bare(name)] if is_variable(name) => name.clone(),
                _ => return Err(SyntaxError("bad name in for".into())),
            },
            _ => return Err(SyntaxError("name expected in for".into())),
        };
        let mut words = Vec::new();
        if self.accept_word("in") {
            while let Some(Token::Word(_)) = self.tokens.peek() {
                if let Some(Token::Word(word)) = self.tokens.next() {
                    words.push(word);
                }
            }
        }
        let _ = self.accept(";");
        while self.accept("\n") {}
        Ok(Body::For { name, words, body: self.loop_body()? })
    }

    fn loop_body(&mut self) -> Result<Script, SyntaxError> {
        self.expect_word("do")?;
        let body = self.script(&["done"])?;
        self.expect_word("done")?;
        Ok(body)
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
            let Some(Token::Word(_)) = self.tokens.peek() else { break };
            let Some(Token::Word(word)) = self.tokens.next() else { break };
            match assignment(&word).filter(|_| words.is_empty()) {
                Some(pair) => assignments.push(pair),
                None => words.push(word),
            }
        }
        if assignments.is_empty() && words.is_empty() && redirects.is_empty() {
            let found = self.tokens.peek().map_or_else(|| "end of file".to_owned(), spelling);
            return Err(SyntaxError::unexpected(&found));
        }
        Ok(Command { body: Body::Simple { assignments, words }, redirects })
    }

    fn redirect(&mut self) -> Result<Option<Redirect>, SyntaxError> {
        let Some(&Token::Redirect { fd, kind }) = self.tokens.peek() else { return Ok(None) };
        self.tokens.next();
        match self.tokens.next() {
            Some(Token::Word(target)) => Ok(Some(Redirect { fd, kind, target })),
            Some(token) => Err(SyntaxError::unexpected(&spelling(&token))),
            None => Err(SyntaxError::unexpected("newline")),
        }
    }

    fn accept(&mut self, operator: &str) -> bool {
        self.tokens.next_if(|token| matches!(token, Token::Operator(op) if *op == operator)).is_some()
    }

    fn expect(&mut self, operator: &str) -> Result<(), SyntaxError> {
        if self.accept(operator) { Ok(()) } else { Err(SyntaxError(format!("'{operator}' expected"))) }
    }

    fn accept_word(&mut self, text: &str) -> bool {
        self.tokens.next_if(|token| is_bare(token, text)).is_some()
    }

    fn expect_word(&mut self, text: &str) -> Result<(), SyntaxError> {
        if self.accept_word(text) { Ok(()) } else { Err(SyntaxError(format!("'{text}' expected"))) }
    }
}

fn is_bare(token: &Token, text: &str) -> bool {
    matches!(token, Token::Word(word) if matches!(word.as_slice(), [Part::Bare(bare)] if bare == text))
}

/// The reserved word a token is at the start of a command.
fn reserved(token: &Token) -> Option<&'static str> {
    const WORDS: [&str; 12] =
        ["{", "}", "if", "then", "elif", "else", "fi", "while", "until", "for", "do", "done"];
    WORDS.into_iter().find(|word| is_bare(token, word))
}

/// `NAME=value`.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let (Part::Bare(text), rest) = word.split_first()? else { return None };
    let (name, value) = text.split_once('=')?;
    if !is_variable(name) {
        return None;
    }
    let mut parts = vec![Part::Bare(value.to_owned())];
    parts.extend_from_slice(rest);
    Some((name.to_owned(), parts))
}

/// Whether a variable can have this name.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_name)
}

fn spelling(token: &Token) -> String {
    match token {
        Token::Operator("\n") => "newline".to_owned(),
        Token::Operator(text) => (*text).to_owned(),
        Token::Redirect { .. } => ">".to_owned(),
        Token::Word(word) => match word.first() {
            Some(Part::Bare(text) | Part::Quoted(text)) => text.clone(),
            _ => "$".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scripts_that_are_no_sentences() {
        for script in [
            "&& a",
            "a |",
            "a | | b",
            "a && ",
            "(a",
            "a)",
            "( )x",
            "if a; then b",
            "fi",
            "echo 'a",
            "echo \"a",
            "echo $(a",
            "cat <<E",
            "> ",
            "for 1a in x; do y; done",
            "a ;; b",
            "{ a; ",
            "echo ${a b}",
            "$((1+2))",
        ] {
            assert!(parse(script).is_err(), "{script}");
        }
    }

    #[test]
    fn scripts_have_their_shape() {
        for (script, lines, commands) in [
            ("", 0, 0),
            ("a", 1, 1),
            ("a; b;c", 3, 1),
            ("a & b", 2, 1),
            ("a\n\n# note\nb", 2, 1),
            ("a | b | c", 1, 3),
            ("(a; b) | c", 1, 2),
            ("if a; then b; else c; fi", 1, 1),
            ("for x in 1 2 3; do echo $x; done", 1, 1),
            ("while true; do echo; done | head", 1, 2),
            ("X=1 Y=2 env", 1, 1),
        ] {
            let parsed = parse(script).unwrap_or_else(|error| panic!("{script}: {error}"));
            assert_eq!(parsed.0.len(), lines, "{script}");
            assert_eq!(parsed.0.first().map_or(0, |line| line.first.commands.len()), commands, "{script}");
        }
    }

    #[test]
    fn depth_is_capped() {
        for (open, close) in [("(", ")"), ("{ ", "; }"), ("if ", "; then a; fi")] {
            let script = format!("{}a{}", open.repeat(5_000), close.repeat(5_000));
            assert_eq!(parse(&script), Err(SyntaxError("nested too deeply".into())), "{open}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(script in "\\PC{0,60}") {
            let _ = parse(&script);
        }

        #[test]
        fn never_panics_on_shell_like_text(script in "([a-z$(){}'\"`;|&<>!#=*? \\\\\n0-9]|if |then |fi|do |done|for ){0,40}") {
            let _ = parse(&script);
        }
    }
}
