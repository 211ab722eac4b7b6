//! Running a script of `sed` over lines.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec::IntoIter;

use super::edit::{Address, Edit, Function, Replacement, Substitution};

/// Commands one call may carry out, and the most it prints or holds.
const MAX_STEPS: u64 = 5_000_000;
const MAX_HELD: usize = 32 << 20;

/// A script being run.
pub(super) struct Editor<'a> {
    edits: &'a [Edit],
    quiet: bool,
    labels: BTreeMap<&'a str, usize>,
    /// For each edit with two addresses: whether it is between them, and where it ends when that is a
    /// line's number.
    between: Vec<Option<usize>>,
    pattern: String,
    hold: String,
    /// What is printed after the line.
    after: String,
    number: usize,
    out: String,
    steps: u64,
}

/// How a line's script ended.
enum Ended {
    Normally,
    /// Without printing the line.
    Deleted,
    /// Again, with what is left and no other line.
    Again,
    Quit(i32),
}

impl<'a> Editor<'a> {
    pub(super) fn new(edits: &'a [Edit], quiet: bool) -> Self {
        let labels = edits.iter().enumerate().filter_map(|(at, edit)| match &edit.function {
            Function::Label(name) => Some((name.as_str(), at)),
            _ => None,
        });
        Editor {
            edits,
            quiet,
            labels: labels.collect(),
            between: vec![None; edits.len()],
            pattern: String::new(),
            hold: String::new(),
            after: String::new(),
            number: 0,
            out: String::new(),
            steps: 0,
        }
    }

    /// The edited text and the exit code.
    ///
    /// # Errors
    /// It does too much, or prints too much.
    pub(super) fn run(mut self, all: &[u8]) -> Result<(String, i32), String> {
        let text = String::from_utf8_lossy(all).into_owned();
        let unended = !text.is_empty() && !text.ends_with('\n');
        let lines: Vec<&str> = text.lines().collect();
        let mut lines = lines.into_iter().peekable();
        let mut code = 0;
        let mut again = false;
        while again || lines.peek().is_some() {
            if !again {
                self.pattern = lines.next().unwrap_or_default().to_owned();
                self.number += 1;
            }
            again = false;
            let ended = self.line(&mut lines)?;
            if !self.quiet && !matches!(ended, Ended::Deleted | Ended::Again) {
                let pattern = std::mem::take(&mut self.pattern);
                self.print(&pattern);
            }
            let after = std::mem::take(&mut self.after);
            self.out += &after;
            match ended {
                Ended::Quit(status) => {
                    code = status;
                    break;
                }
                Ended::Again => again = true,
                _ => {}
            }
            if self.out.len() > MAX_HELD {
                return Err("too much output".to_owned());
            }
        }
        if unended && self.out.ends_with('\n') && lines.peek().is_none() {
            self.out.pop();
        }
        Ok((self.out, code))
    }

    fn print(&mut self, text: &str) {
        self.out += text;
        self.out.push('\n');
    }

    /// Runs the script on the line in the pattern space.
    fn line(&mut self, lines: &mut Peekable<IntoIter<&str>>) -> Result<Ended, String> {
        let mut at = 0;
        let mut changed = false;
        while let Some(edit) = self.edits.get(at) {
            self.steps += 1;
            if self.steps > MAX_STEPS || self.pattern.len() + self.hold.len() > MAX_HELD {
                return Err("too many commands".to_owned());
            }
            let applies = self.applies(at, edit, lines.peek().is_none()) != edit.negated;
            at += 1;
            if !applies {
                if let Function::Block(end) = edit.function {
                    at = end;
                }
                continue;
            }
            match &edit.function {
                Function::Block(_) | Function::Label(_) | Function::Nothing => {}
                Function::Branch(label) => at = self.target(label),
                Function::BranchIf(label, wanted) => {
                    if changed == *wanted {
                        at = self.target(label);
                    }
                    changed = false;
                }
                Function::Substitute(substitution) => changed |= self.substitute(substitution)?,
                Function::Delete => return Ok(Ended::Deleted),
                Function::DeleteFirst => return Ok(self.delete_first()),
                Function::Change(text) => return Ok(self.change(at - 1, text)),
                Function::Quit(code, prints) => return Ok(self.quit(*code, *prints)),
                Function::Next => {
                    if !self.next(lines) {
                        return Ok(Ended::Quit(0));
                    }
                }
                Function::Append => {
                    if !self.append(lines) {
                        return Ok(Ended::Quit(0));
                    }
                }
                Function::Print => self.print(&self.pattern.clone()),
                Function::PrintFirst => self.print_first(),
                Function::Number => self.print(&self.number.to_string()),
                Function::Before(text) => self.print(text),
                Function::After(text) => {
                    self.after += text;
                    self.after.push('\n');
                }
                Function::Hold => self.hold = self.pattern.clone(),
                Function::HoldMore => self.hold = format!("{}\n{}", self.hold, self.pattern),
                Function::Get => self.pattern = self.hold.clone(),
                Function::GetMore => self.pattern = format!("{}\n{}", self.pattern, self.hold),
                Function::Exchange => std::mem::swap(&mut self.pattern, &mut self.hold),
                Function::Map(from, to) => self.map(from, to),
            }
        }
        Ok(Ended::Normally)
    }

    /// `D`: goes on with what follows the first line of the pattern space.
    fn delete_first(&mut self) -> Ended {
        match self.pattern.split_once('\n') {
            Some((_, rest)) => {
                self.pattern = rest.to_owned();
                Ended::Again
            }
            None => Ended::Deleted,
        }
    }

    /// `c`: a text in place of the lines that the edit selects, once at the last of them.
    fn change(&mut self, at: usize, text: &str) -> Ended {
        if self.between.get(at).is_none_or(Option::is_none) {
            self.print(text);
        }
        Ended::Deleted
    }

    /// `q`, and `Q`, which does not print the line.
    fn quit(&mut self, code: i32, prints: bool) -> Ended {
        if !prints {
            self.pattern.clear();
            self.quiet = true;
        }
        Ended::Quit(code)
    }

    /// `n`: the next line in place of this one; false when there is none.
    fn next(&mut self, lines: &mut Peekable<IntoIter<&str>>) -> bool {
        if lines.peek().is_none() {
            return false;
        }
        if !self.quiet {
            self.print(&self.pattern.clone());
        }
        self.pattern = lines.next().unwrap_or_default().to_owned();
        self.number += 1;
        true
    }

    /// `N`: the next line after this one; false when there is none.
    fn append(&mut self, lines: &mut Peekable<IntoIter<&str>>) -> bool {
        let Some(next) = lines.next() else { return false };
        self.pattern.push('\n');
        self.pattern += next;
        self.number += 1;
        true
    }

    fn print_first(&mut self) {
        let first = self.pattern.split('\n').next().unwrap_or_default().to_owned();
        self.print(&first);
    }

    /// `y`: each character of `from` becomes that at the same place of `to`.
    fn map(&mut self, from: &[char], to: &[char]) {
        let map = |c: char| from.iter().position(|f| *f == c).and_then(|n| to.get(n)).copied().unwrap_or(c);
        self.pattern = self.pattern.chars().map(map).collect();
    }

    fn target(&self, label: &str) -> usize {
        if label.is_empty() {
            self.edits.len()
        } else {
            self.labels.get(label).copied().unwrap_or(self.edits.len())
        }
    }

    /// Whether the addresses of an edit select this line.
    fn applies(&mut self, at: usize, edit: &Edit, last: bool) -> bool {
        let Some(from) = &edit.from else { return true };
        let Some(to) = &edit.to else { return self.fits(from, last) };
        let number = self.number;
        if let Some(end) = self.between.get(at).copied().flatten() {
            let ends = match to {
                Address::Line(_) | Address::More(_) => number >= end,
                address => self.fits(address, last),
            };
            if ends && let Some(between) = self.between.get_mut(at) {
                *between = None;
            }
            // A line beyond its end was never between them.
            return !matches!(to, Address::Line(_) | Address::More(_)) || number <= end;
        }
        if !self.fits(from, last) {
            return false;
        }
        let end = match to {
            Address::Line(line) => Some(*line).filter(|line| *line > number),
            Address::More(lines) => Some(number + lines).filter(|line| *line > number),
            Address::Last if last => None,
            _ => Some(usize::MAX),
        };
        if let Some(between) = self.between.get_mut(at) {
            *between = end;
        }
        true
    }

    fn fits(&self, address: &Address, last: bool) -> bool {
        match address {
            Address::Line(line) => self.number == *line,
            Address::Last => last,
            Address::Every(first, step) => {
                self.number >= *first
                    && self
                        .number
                        .checked_sub(*first)
                        .and_then(|n| n.checked_rem(*step))
                        .map_or(self.number == *first, |r| r == 0)
            }
            Address::Matching(regular) => regular.find(&self.pattern, 0).is_some(),
            Address::More(_) => false,
        }
    }

    fn substitute(&mut self, substitution: &Substitution) -> Result<bool, String> {
        let Substitution { regular, by, number, all, print } = substitution;
        let text = std::mem::take(&mut self.pattern);
        let mut out = String::new();
        let (mut from, mut count, mut done) = (0, 0, false);
        // Where the last match ended: an empty one right there is none.
        let mut ended = None;
        while let Some(spans) = if from <= text.len() { regular.spans(&text, from) } else { None } {
            let Some((start, end)) = spans.first().copied().flatten() else { break };
            self.steps += 1;
            if self.steps > MAX_STEPS || out.len() > MAX_HELD {
                return Err("too many commands".to_owned());
            }
            out += text.get(from..start).unwrap_or_default();
            let counts = start != end || ended != Some(start);
            count += usize::from(counts);
            if counts && count >= *number {
                for piece in by {
                    match piece {
                        Replacement::Text(text) => out += text,
                        Replacement::Group(group) => {
                            let span = spans.get(*group).copied().flatten();
                            out += span.and_then(|(from, to)| text.get(from..to)).unwrap_or_default();
                        }
                    }
                }
                done = true;
            } else {
                out += text.get(start..end).unwrap_or_default();
            }
            from = end;
            ended = Some(end);
            if done && !all {
                break;
            }
            if start == end {
                let next = text.get(end..).and_then(|rest| rest.chars().next());
                let Some(next) = next else { break };
                out.push(next);
                from = end + next.len_utf8();
            }
        }
        out += text.get(from..).unwrap_or_default();
        self.pattern = out;
        if done && *print {
            self.print(&self.pattern.clone());
        }
        Ok(done)
    }
}
