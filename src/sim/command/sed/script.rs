//! The scripts of `sed`, read.

use std::sync::Arc;

use super::super::regular::{Dialect, Regular};
use super::edit::{Address, Edit, Function, Replacement, Substitution};

/// Longest script, and how deep its blocks may be.
const MAX_SCRIPT: usize = 64 << 10;
const MAX_DEPTH: usize = 40;

/// Reads a script.
///
/// # Errors
/// It is not a script, or uses something not known here.
pub(super) fn read(script: &str, dialect: Dialect) -> Result<Vec<Edit>, String> {
    if script.len() > MAX_SCRIPT {
        return Err("script too long".to_owned());
    }
    let mut reader = Reader { rest: script, dialect, edits: Vec::new(), open: Vec::new() };
    while reader.edit()? {}
    if !reader.open.is_empty() {
        return Err("unmatched {".to_owned());
    }
    for edit in &reader.edits {
        let (Function::Branch(label) | Function::BranchIf(label, _)) = &edit.function else { continue };
        let known = |edit: &Edit| matches!(&edit.function, Function::Label(name) if name == label);
        if !label.is_empty() && !reader.edits.iter().any(known) {
            return Err(format!("no ':{label}'"));
        }
    }
    Ok(reader.edits)
}

struct Reader<'a> {
    rest: &'a str,
    dialect: Dialect,
    edits: Vec<Edit>,
    /// The blocks that are open.
    open: Vec<usize>,
}

impl Reader<'_> {
    /// Reads a command; false at the end.
    fn edit(&mut self) -> Result<bool, String> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', ';']);
        if self.rest.is_empty() {
            return Ok(false);
        }
        let from = self.address()?;
        let mut to = None;
        if from.is_some() && self.accept(',') {
            to = Some(self.address()?.ok_or("bad address")?);
        }
        self.blanks();
        let mut negated = false;
        while self.accept('!') {
            negated = true;
            self.blanks();
        }
        let c = self.take().ok_or("missing command")?;
        if c == '}' {
            let begun = self.open.pop().ok_or("unexpected }")?;
            let end = self.edits.len();
            if let Some(edit) = self.edits.get_mut(begun) {
                edit.function = Function::Block(end);
            }
            return self.end().map(|()| true);
        }
        let function = self.function(c)?;
        self.edits.push(Edit { from, to, negated, function });
        Ok(true)
    }

    fn function(&mut self, c: char) -> Result<Function, String> {
        let simple = match c {
            '#' => {
                self.word("\n");
                return Ok(Function::Nothing);
            }
            '{' => {
                if self.open.len() >= MAX_DEPTH {
                    return Err("nested too deeply".to_owned());
                }
                self.open.push(self.edits.len());
                return Ok(Function::Block(0));
            }
            ':' => return Ok(Function::Label(self.word("\n;").trim().to_owned())),
            'b' => return Ok(Function::Branch(self.word("\n;}").trim().to_owned())),
            't' => return Ok(Function::BranchIf(self.word("\n;}").trim().to_owned(), true)),
            'T' => return Ok(Function::BranchIf(self.word("\n;}").trim().to_owned(), false)),
            'a' => return self.text().map(Function::After),
            'i' => return self.text().map(Function::Before),
            'c' => return self.text().map(Function::Change),
            's' => self.substitution()?,
            'y' => self.map()?,
            'q' | 'Q' => {
                self.blanks();
                let code = self.digits().and_then(|code| i32::try_from(code).ok()).unwrap_or(0);
                Function::Quit(code, c == 'q')
            }
            'd' => Function::Delete,
            'D' => Function::DeleteFirst,
            'p' => Function::Print,
            'P' => Function::PrintFirst,
            '=' => Function::Number,
            'n' => Function::Next,
            'N' => Function::Append,
            'h' => Function::Hold,
            'H' => Function::HoldMore,
            'g' => Function::Get,
            'G' => Function::GetMore,
            'x' => Function::Exchange,
            other => return Err(format!("bad pattern '{other}'")),
        };
        self.end()?;
        Ok(simple)
    }

    fn address(&mut self) -> Result<Option<Address>, String> {
        self.blanks();
        let address = match self.rest.chars().next() {
            Some('$') => {
                self.take();
                Address::Last
            }
            Some('+') => {
                self.take();
                Address::More(self.digits().ok_or("bad address")?)
            }
            Some('/') => {
                self.take();
                Address::Matching(self.expression('/')?)
            }
            Some('\\') => {
                self.take();
                let by = self.take().ok_or("bad address")?;
                Address::Matching(self.expression(by)?)
            }
            Some(digit) if digit.is_ascii_digit() => {
                let first = self.digits().ok_or("bad address")?;
                if self.accept('~') {
                    Address::Every(first, self.digits().ok_or("bad address")?)
                } else {
                    Address::Line(first)
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(address))
    }

    fn expression(&mut self, by: char) -> Result<Arc<Regular>, String> {
        let text = self.until(by)?;
        let ignore_case = self.accept('I');
        self.regular(&text, ignore_case)
    }

    fn regular(&self, text: &str, ignore_case: bool) -> Result<Arc<Regular>, String> {
        if text.is_empty() {
            return Err("an empty expression is not supported".to_owned());
        }
        Regular::kept(text, Dialect { ignore_case, ..self.dialect })
    }

    fn substitution(&mut self) -> Result<Function, String> {
        let by = self.take().filter(|by| !matches!(by, '\n' | '\\')).ok_or("bad s")?;
        let expression = self.until(by)?;
        let text = self.until_kept(by)?;
        let (mut number, mut all, mut print, mut ignore_case) = (1, false, false, false);
        loop {
            match self.rest.chars().next() {
                Some('g') => all = true,
                Some('p') => print = true,
                Some('i' | 'I') => ignore_case = true,
                Some(digit) if digit.is_ascii_digit() => {
                    number = self.digits().filter(|number| *number > 0).ok_or("bad s")?;
                    continue;
                }
                _ => break,
            }
            self.take();
        }
        let regular = self.regular(&expression, ignore_case)?;
        let by = replacement(&text, by)?;
        Ok(Function::Substitute(Box::new(Substitution { regular, by, number, all, print })))
    }

    fn map(&mut self) -> Result<Function, String> {
        let by = self.take().ok_or("bad y")?;
        let plain =
            |text: String| text.replace("\\n", "\n").replace("\\\\", "\\").chars().collect::<Vec<_>>();
        let (from, to) = (plain(self.until(by)?), plain(self.until(by)?));
        if from.len() != to.len() {
            return Err("y strings different lengths".to_owned());
        }
        Ok(Function::Map(from, to))
    }

    /// The text of `a`, `i` and `c`: the rest of the line, or the lines after a backslash.
    fn text(&mut self) -> Result<String, String> {
        self.blanks();
        if self.accept('\\') {
            self.blanks();
            let _ = self.accept('\n');
        }
        let mut text = String::new();
        while let Some(c) = self.take() {
            match c {
                '\\' => match self.take() {
                    Some(escaped) => text.push(escaped),
                    None => break,
                },
                '\n' => break,
                c => text.push(c),
            }
        }
        if text.is_empty() { Err("expected text".to_owned()) } else { Ok(text) }
    }

    /// Up to a delimiter, which loses its backslash where it is escaped; brackets hide it.
    fn until(&mut self, by: char) -> Result<String, String> {
        let mut text = String::new();
        let mut bracket: Option<usize> = None;
        loop {
            let c = self.take().ok_or_else(|| format!("unterminated {by}"))?;
            match (c, bracket) {
                (c, None) if c == by => return Ok(text),
                ('\\', None) => match self.take().ok_or_else(|| format!("unterminated {by}"))? {
                    escaped if escaped == by => text.push(escaped),
                    escaped => text.extend(['\\', escaped]),
                },
                ('[', None) => {
                    text.push(c);
                    if self.accept('^') {
                        text.push('^');
                    }
                    bracket = Some(text.len());
                }
                (']', Some(start)) if text.len() > start => {
                    text.push(c);
                    bracket = None;
                }
                (c, _) => text.push(c),
            }
        }
    }

    /// Up to a delimiter, with all backslashes.
    fn until_kept(&mut self, by: char) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.take().ok_or_else(|| format!("unterminated {by}"))? {
                c if c == by => return Ok(text),
                '\\' => text.extend(['\\', self.take().ok_or_else(|| format!("unterminated {by}"))?]),
                c => text.push(c),
            }
        }
    }

    /// The end of a command: a semicolon, a line's end or a closing brace.
    fn end(&mut self) -> Result<(), String> {
        self.blanks();
        match self.rest.chars().next() {
            None | Some('}' | '#') => Ok(()),
            Some(';' | '\n') => {
                self.take();
                Ok(())
            }
            Some(other) => Err(format!("unknown option to a command: '{other}'")),
        }
    }

    fn word(&mut self, ends: &str) -> String {
        let end = self.rest.find(|c| ends.contains(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let word = word.to_owned();
        self.rest = rest;
        word
    }

    fn digits(&mut self) -> Option<usize> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = digits.parse().ok()?;
        self.rest = rest;
        // Beyond this no line has a number.
        (number < 1_000_000_000).then_some(number)
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn accept(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn take(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }
}

fn replacement(text: &str, by: char) -> Result<Vec<Replacement>, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let group = match c {
            '&' => 0,
            '\\' => match chars.next() {
                Some(digit @ '0'..='9') => usize::try_from(digit.to_digit(10).unwrap_or(0)).unwrap_or(0),
                Some('n') if by != 'n' => {
                    plain.push('\n');
                    continue;
                }
                Some('t') if by != 't' => {
                    plain.push('\t');
                    continue;
                }
                Some(letter) if letter.is_ascii_alphabetic() && letter != by => {
                    return Err(format!("\\{letter} is not supported"));
                }
                Some(escaped) => {
                    plain.push(escaped);
                    continue;
                }
                None => continue,
            },
            c => {
                plain.push(c);
                continue;
            }
        };
        if !plain.is_empty() {
            pieces.push(Replacement::Text(std::mem::take(&mut plain)));
        }
        pieces.push(Replacement::Group(group));
    }
    if !plain.is_empty() {
        pieces.push(Replacement::Text(plain));
    }
    Ok(pieces)
}
