//! The grammar of compound commands: groups, conditions, loops, `case`, functions, `[[ ]]`.

use std::sync::Arc;

use super::lexer::Token;
use super::parser::{Parser, is_bare, reserved};
use super::syntax::{
    Arm, Body, Command, Part, RedirectKind, Script, SyntaxError, Test, Word, is_name, is_variable,
};

/// The deepest `[[ ]]`.
const MAX_TESTS: u32 = 32;

impl Parser<'_> {
    /// A compound command; `None` when a simple one stands here.
    pub(super) fn compound(&mut self) -> Result<Option<Body>, SyntaxError> {
        if *self.peek()? == Token::Operator("(") {
            return self.parenthesis().map(Some);
        }
        let Some(word) = reserved(self.peek()?) else { return Ok(None) };
        let body = match word {
            "{" => {
                self.next()?;
                let script = self.script(&["}"])?;
                self.expect_word("}")?;
                Body::Group(script)
            }
            "if" => self.conditional()?,
            "while" | "until" => {
                self.next()?;
                let condition = self.script(&["do"])?;
                Body::Loop { until: word == "until", condition, body: self.loop_body()? }
            }
            "for" => self.for_loop()?,
            "case" => self.case()?,
            "function" => {
                self.next()?;
                return match self.next()? {
                    Token::Word(name) => {
                        // `function name ()` is taken, too.
                        if self.accept("(")? {
                            self.expect(")")?;
                        }
                        self.defined(&name).map(Some)
                    }
                    token => Err(SyntaxError::Unexpected(token.spelling())),
                };
            }
            "[[" => {
                self.next()?;
                let test = self.either(0)?;
                self.expect_word("]]")?;
                Body::Test(test)
            }
            "select" | "time" => return Err(SyntaxError::Other(format!("{word} is not supported"))),
            _ => return Err(self.unexpected()?),
        };
        Ok(Some(body))
    }

    /// `((expression))` or a sub-shell. The parenthesis was read already.
    fn parenthesis(&mut self) -> Result<Body, SyntaxError> {
        self.ahead = None;
        if self.rest.starts_with('(') {
            // What was read is put back: an expression begins with both.
            let inner = format!("({}", self.rest);
            let found = self.within(&inner, |inner| {
                Ok(inner.expression()?.map(|expression| (expression, inner.rest.len())))
            })?;
            if let Some((expression, left)) = found {
                self.skip(self.rest.len().saturating_sub(left));
                return Ok(Body::Number(expression));
            }
        }
        let script = self.script(&[])?;
        self.expect(")")?;
        Ok(Body::Subshell(script))
    }

    fn conditional(&mut self) -> Result<Body, SyntaxError> {
        self.next()?;
        let mut branches = Vec::new();
        let mut otherwise = Script::default();
        loop {
            let condition = self.script(&["then"])?;
            self.expect_word("then")?;
            branches.push((condition, self.script(&["elif", "else", "fi"])?));
            if self.accept_word("elif")? {
                continue;
            }
            if self.accept_word("else")? {
                otherwise = self.script(&["fi"])?;
            }
            self.expect_word("fi")?;
            return Ok(Body::If { branches, otherwise });
        }
    }

    fn for_loop(&mut self) -> Result<Body, SyntaxError> {
        self.next()?;
        let name = match self.next()? {
            Token::Word(word) => match word.as_slice() {
                [Part::Bare(name)] if is_variable(name) => name.clone(),
                _ => return Err(SyntaxError::Other("syntax error: bad name in for".into())),
            },
            token => return Err(SyntaxError::Unexpected(token.spelling())),
        };
        while self.accept("\n")? {}
        let mut words = None;
        if self.accept_word("in")? {
            let mut given = Vec::new();
            while matches!(self.peek()?, Token::Word(_)) {
                if let Token::Word(word) = self.next()? {
                    given.push(word);
                }
            }
            words = Some(given);
        }
        let _ = self.accept(";")?;
        while self.accept("\n")? {}
        Ok(Body::For { name, words, body: self.loop_body()? })
    }

    fn loop_body(&mut self) -> Result<Script, SyntaxError> {
        self.expect_word("do")?;
        let body = self.script(&["done"])?;
        self.expect_word("done")?;
        Ok(body)
    }

    fn case(&mut self) -> Result<Body, SyntaxError> {
        self.next()?;
        let word = match self.next()? {
            Token::Word(word) => word,
            token => return Err(SyntaxError::Unexpected(token.spelling())),
        };
        while self.accept("\n")? {}
        self.expect_word("in")?;
        let mut arms = Vec::new();
        loop {
            while self.accept("\n")? {}
            if self.accept_word("esac")? {
                return Ok(Body::Case { word, arms });
            }
            let _ = self.accept("(")?;
            let mut patterns = Vec::new();
            loop {
                match self.peek()? {
                    Token::Word(_) => {}
                    _ => return Err(self.unexpected()?),
                }
                if let Token::Word(pattern) = self.next()? {
                    patterns.push(pattern);
                }
                if !self.accept("|")? {
                    break;
                }
            }
            self.expect(")")?;
            let body = self.script(&["esac"])?;
            let falls = self.accept(";&")?;
            arms.push(Arm { patterns, body, falls });
            if !falls && !self.accept(";;")? && !is_bare(self.peek()?, "esac") {
                return Err(self.unexpected()?);
            }
        }
    }

    /// `name ()`, of which the name was read, and what follows.
    pub(super) fn function(&mut self, name: &Word) -> Result<Command, SyntaxError> {
        self.expect("(")?;
        self.expect(")")?;
        Ok(Command { body: self.defined(name)?, redirects: Vec::new() })
    }

    fn defined(&mut self, name: &Word) -> Result<Body, SyntaxError> {
        let is_part = |c: char| is_name(c) || matches!(c, '-' | '.' | ':');
        let name = match name.as_slice() {
            [Part::Bare(name)] if name.chars().all(is_part) => name.clone(),
            _ => return Err(SyntaxError::Other("syntax error: bad name of a function".into())),
        };
        while self.accept("\n")? {}
        self.deeper()?;
        let body = self.command()?;
        self.shallower();
        Ok(Body::Function { name, body: Arc::new(Script::of(body)) })
    }

    fn either(&mut self, depth: u32) -> Result<Test, SyntaxError> {
        let mut test = self.both(depth)?;
        while self.accept("||")? {
            test = Test::Or(Box::new(test), Box::new(self.both(depth)?));
        }
        Ok(test)
    }

    fn both(&mut self, depth: u32) -> Result<Test, SyntaxError> {
        let mut test = self.one_test(depth)?;
        while self.accept("&&")? {
            test = Test::And(Box::new(test), Box::new(self.one_test(depth)?));
        }
        Ok(test)
    }

    fn one_test(&mut self, depth: u32) -> Result<Test, SyntaxError> {
        if depth > MAX_TESTS {
            return Err(SyntaxError::Other("nested too deeply".into()));
        }
        if self.accept_word("!")? {
            return Ok(Test::Not(Box::new(self.one_test(depth + 1)?)));
        }
        if self.accept("(")? {
            let inner = self.either(depth + 1)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let first = self.operand()?;
        if let [Part::Bare(option)] = first.as_slice()
            && option.len() == 2
            && option.starts_with('-')
            && matches!(self.peek()?, Token::Word(_))
            && !is_bare(self.peek()?, "]]")
        {
            let option = option.clone();
            return Ok(Test::One(Some(option), self.operand()?));
        }
        let token = self.peek()?;
        let sign = match token {
            _ if is_bare(token, "]]") => return Ok(Test::One(None, first)),
            Token::Redirect { kind: RedirectKind::Read, .. } => "<".to_owned(),
            Token::Redirect { kind: RedirectKind::Write, .. } => ">".to_owned(),
            Token::Word(word) => match word.as_slice() {
                [Part::Bare(sign)] => sign.clone(),
                _ => return Err(self.unexpected()?),
            },
            Token::Operator("&&" | "||" | ")" | "\n") => return Ok(Test::One(None, first)),
            _ => return Err(self.unexpected()?),
        };
        self.next()?;
        Ok(Test::Two(first, sign, self.operand()?))
    }

    fn operand(&mut self) -> Result<Word, SyntaxError> {
        let token = self.peek()?;
        if is_bare(token, "]]") || !matches!(token, Token::Word(_)) {
            return Err(self.unexpected()?);
        }
        match self.next()? {
            Token::Word(word) => Ok(word),
            token => Err(SyntaxError::Unexpected(token.spelling())),
        }
    }
}
