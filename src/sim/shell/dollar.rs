//! What begins with `$` or a back-tick, as it is written.

use std::sync::Arc;

use super::parser::Parser;
use super::syntax::{Change, Part, Replaced, Sign, SyntaxError, Word, is_name, is_variable};
use crate::command::escapes;

/// Parameters of one character.
const SPECIAL: [char; 9] = ['?', '$', '#', '@', '*', '!', '-', '0', '_'];

impl Parser<'_> {
    /// Reads a substitution; the text is at the `$` or the back-tick.
    pub(super) fn dollar(&mut self, quoted: bool) -> Result<Part, SyntaxError> {
        if self.take() == Some('`') {
            let text = self.back_ticked(quoted)?;
            let script = self.within(&text, |inner| inner.whole())?;
            return Ok(Part::Output { script: Arc::new(script), quoted });
        }
        match self.first() {
            Some('(') => self.parenthesised(quoted),
            Some('{') => {
                self.skip(1);
                self.deeper()?;
                let part = self.braced(quoted)?;
                self.shallower();
                Ok(part)
            }
            Some('\'') if !quoted => {
                self.skip(1);
                self.c_quoted()
            }
            Some(special) if SPECIAL.contains(&special) || special.is_ascii_digit() => {
                let long = special == '_' && self.rest.get(1..).is_some_and(|more| more.starts_with(is_name));
                if long {
                    return Ok(self.named(quoted));
                }
                self.skip(1);
                Ok(plain(special.to_string(), quoted))
            }
            Some(first) if is_name(first) => Ok(self.named(quoted)),
            _ => Ok(Part::Quoted("$".into())),
        }
    }

    fn named(&mut self, quoted: bool) -> Part {
        plain(self.name(), quoted)
    }

    fn name(&mut self) -> String {
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let name = self.rest.get(..end).unwrap_or_default().to_owned();
        self.skip(end);
        name
    }

    /// `$(…)` and `$((…))`; the text is at the first parenthesis.
    fn parenthesised(&mut self, quoted: bool) -> Result<Part, SyntaxError> {
        if let Some(expression) = self.expression()? {
            return Ok(Part::Number { expression, quoted });
        }
        self.skip(1);
        let script = self.script(&[])?;
        self.expect(")")?;
        Ok(Part::Output { script: Arc::new(script), quoted })
    }

    /// `((…))`, when that is what stands here; the text is at the first parenthesis.
    pub(super) fn expression(&mut self) -> Result<Option<Word>, SyntaxError> {
        let Some(inside) = self.rest.strip_prefix("((") else { return Ok(None) };
        let mut depth = 0_u32;
        let mut end = None;
        for (at, c) in inside.char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    end = Some(at);
                    break;
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        let Some(end) = end else {
            return Err(SyntaxError::Unfinished("syntax error: unmatched '(('".into()));
        };
        let (text, rest) = inside.split_at(end);
        // With one parenthesis at its end it is a command that begins with another one.
        let Some(rest) = rest.strip_prefix("))") else { return Ok(None) };
        let word = self.within(text, |inner| inner.quoted_until(None, &['\\', '$', '`', '"']))?;
        self.rest = rest;
        Ok(Some(word))
    }

    /// `${…}` after its brace.
    fn braced(&mut self, quoted: bool) -> Result<Part, SyntaxError> {
        let whole = self.rest.split_once('}').map_or(self.rest, |(inside, _)| inside).to_owned();
        let bad = || SyntaxError::Other(format!("${{{whole}}}: bad substitution"));
        // `${#}` is the number of arguments, `${#name}` a length.
        if self.rest.starts_with('#') && !self.rest.starts_with("#}") {
            self.skip(1);
            let name = self.parameter().ok_or_else(bad)?;
            if !self.rest.starts_with('}') {
                return Err(bad());
            }
            self.skip(1);
            if name == "@" || name == "*" {
                return Ok(plain("#".to_owned(), quoted));
            }
            return Ok(Part::Parameter { name, change: Change::Length, quoted });
        }
        let name = self.parameter().ok_or_else(bad)?;
        let change = self.change(quoted)?.ok_or_else(bad)?;
        Ok(Part::Parameter { name, change, quoted })
    }

    fn parameter(&mut self) -> Option<String> {
        let first = self.first()?;
        if first.is_ascii_digit() {
            let name = self.name();
            return name.bytes().all(|digit| digit.is_ascii_digit()).then_some(name);
        }
        if is_name(first) {
            return Some(self.name()).filter(|name| is_variable(name));
        }
        SPECIAL.contains(&first).then(|| {
            self.skip(1);
            first.to_string()
        })
    }

    /// What follows the name, up to the closing brace; `None` when no shell knows it.
    fn change(&mut self, quoted: bool) -> Result<Option<Change>, SyntaxError> {
        if self.rest.starts_with('}') {
            self.skip(1);
            return Ok(Some(Change::Nothing));
        }
        let colon = self.rest.starts_with(':');
        let sign = match self.rest.chars().nth(usize::from(colon)) {
            Some('-') => Some(Sign::Use),
            Some('=') => Some(Sign::Assign),
            Some('?') => Some(Sign::Fail),
            Some('+') => Some(Sign::Instead),
            _ => None,
        };
        if let Some(sign) = sign {
            self.skip(1 + usize::from(colon));
            let word = self.word_in_braces(quoted, &['}'])?;
            self.skip(1);
            return Ok(Some(Change::Missing { sign, colon, word }));
        }
        if colon {
            self.skip(1);
            let from = self.word_in_braces(true, &[':', '}'])?;
            let length = match self.take() {
                Some(':') => {
                    let length = self.word_in_braces(true, &['}'])?;
                    self.skip(1);
                    Some(length)
                }
                _ => None,
            };
            return Ok(Some(Change::Slice { from, length }));
        }
        if self.rest.starts_with('/') {
            return self.replace(quoted).map(Some);
        }
        let trims = [("%%", true, true), ("%", true, false), ("##", false, true), ("#", false, false)];
        let Some((text, end, longest)) = trims.into_iter().find(|(text, ..)| self.rest.starts_with(text))
        else {
            return Ok(None);
        };
        self.skip(text.len());
        let pattern = self.word_in_braces(false, &['}'])?;
        self.skip(1);
        Ok(Some(Change::Trim { end, longest, pattern }))
    }

    fn replace(&mut self, quoted: bool) -> Result<Change, SyntaxError> {
        let places = [
            ("//", Replaced::All),
            ("/#", Replaced::AtStart),
            ("/%", Replaced::AtEnd),
            ("/", Replaced::First),
        ];
        let found = places.into_iter().find(|(text, _)| self.rest.starts_with(text));
        let (text, place) = found.unwrap_or(("/", Replaced::First));
        self.skip(text.len());
        let pattern = self.word_in_braces(false, &['/', '}'])?;
        let text = match self.take() {
            Some('/') => {
                let text = self.word_in_braces(quoted, &['}'])?;
                self.skip(1);
                text
            }
            _ => Word::new(),
        };
        Ok(Change::Replace { place, pattern, text })
    }

    /// The word within `${…}` up to one of `ends`, which stays. Within double quotes only what means
    /// something there does.
    fn word_in_braces(&mut self, quoted: bool, ends: &[char]) -> Result<Word, SyntaxError> {
        let mut word = Word::new();
        loop {
            let Some(next) = self.first() else {
                return Err(SyntaxError::Unfinished("syntax error: unmatched '${'".into()));
            };
            if ends.contains(&next) {
                return Ok(word);
            }
            match next {
                '\\' if quoted => {
                    self.skip(1);
                    let text = match self.take() {
                        Some('\n') => continue,
                        Some(escaped @ ('"' | '\\' | '$' | '`' | '}')) => escaped.to_string(),
                        Some(other) => format!("\\{other}"),
                        None => "\\".to_owned(),
                    };
                    word.push(Part::Quoted(text));
                }
                '$' | '`' => {
                    let part = self.dollar(quoted)?;
                    word.push(part);
                }
                '\'' if quoted => {
                    self.skip(1);
                    word.push(Part::Quoted("'".to_owned()));
                }
                other if quoted && other != '"' => {
                    self.skip(other.len_utf8());
                    word.push(Part::Quoted(other.to_string()));
                }
                other => self.piece(other, &mut word)?,
            }
        }
    }

    /// The script between back-ticks, with its own escapes undone.
    fn back_ticked(&mut self, quoted: bool) -> Result<String, SyntaxError> {
        let mut text = String::new();
        loop {
            match self.take() {
                None => return Err(SyntaxError::Unfinished("no closing quote".into())),
                Some('`') => return Ok(text),
                Some('\\') => match self.take() {
                    Some(escaped @ ('`' | '\\' | '$')) => text.push(escaped),
                    Some('"') if quoted => text.push('"'),
                    Some(other) => text.extend(['\\', other]),
                    None => text.push('\\'),
                },
                Some(other) => text.push(other),
            }
        }
    }

    /// `$'…'` after its quote.
    fn c_quoted(&mut self) -> Result<Part, SyntaxError> {
        let mut text = String::new();
        loop {
            match self.take() {
                None => return Err(SyntaxError::Unfinished("no closing quote".into())),
                Some('\'') => break,
                Some('\\') => match self.take() {
                    Some(quote @ ('\'' | '"')) => text.push(quote),
                    Some('\n') => {}
                    Some(other) => text.extend(['\\', other]),
                    None => text.push('\\'),
                },
                Some(other) => text.push(other),
            }
        }
        let text = String::from_utf8(escapes(&text, true).bytes);
        text.map(Part::Quoted).map_err(|_| SyntaxError::Other("$'…' is no text".into()))
    }
}

fn plain(name: String, quoted: bool) -> Part {
    Part::Parameter { name, change: Change::Nothing, quoted }
}
