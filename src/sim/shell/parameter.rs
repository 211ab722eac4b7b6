//! `${name…}`: what is made of a parameter's value.

use std::io;

use super::fields::Fields;
use super::run::Shell;
use super::syntax::{Change, Replaced, Sign, Word, is_variable};
use crate::pattern::Pattern;

/// Longest value a pattern with wildcards is tried on: each place is tried.
const MAX_TRIED: usize = 8_192;

impl Shell<'_, '_> {
    /// Adds a parameter, changed as its braces say.
    pub(super) async fn parameter(
        &mut self,
        name: &str,
        change: &Change,
        quoted: bool,
        fields: &mut Fields,
    ) -> io::Result<()> {
        let all = matches!(name, "@" | "*");
        let value = self.value(name);
        let unset = value.is_none() && self.state.options.nounset && !all;
        if unset && !matches!(change, Change::Missing { .. }) {
            self.fail(&format!("{name}: parameter not set"));
            return Ok(());
        }
        if let Change::Missing { sign, colon, word } = change {
            let there = value.as_ref().is_some_and(|value| !colon || !value.is_empty());
            return match (sign, there) {
                (Sign::Instead, true) | (Sign::Use, false) => {
                    if quoted {
                        fields.push("", true);
                    }
                    self.gather(word, fields, !quoted).await
                }
                (Sign::Instead, false) => {
                    if quoted {
                        fields.push("", true);
                    }
                    Ok(())
                }
                (_, true) if all => {
                    self.arguments(name == "@", quoted, fields);
                    Ok(())
                }
                (_, true) => {
                    put(fields, &value.unwrap_or_default(), quoted);
                    Ok(())
                }
                (Sign::Assign, false) => self.assign_missing(name, word, quoted, fields).await,
                (Sign::Fail, false) => {
                    let text = self.expand_one(word).await?;
                    let text = if text.is_empty() { "parameter null or not set" } else { &text };
                    self.fail(&format!("{name}: {text}"));
                    Ok(())
                }
            };
        }
        if all && Self::is_plain(change) {
            self.arguments(name == "@", quoted, fields);
            return Ok(());
        }
        if all {
            self.fail(&format!("${{{name}…}}: bad substitution"));
            return Ok(());
        }
        let changed = self.changed(value.unwrap_or_default(), change).await?;
        put(fields, &changed, quoted);
        Ok(())
    }

    async fn assign_missing(
        &mut self,
        name: &str,
        word: &Word,
        quoted: bool,
        fields: &mut Fields,
    ) -> io::Result<()> {
        if !is_variable(name) {
            self.fail(&format!("${{{name}=…}}: bad substitution"));
            return Ok(());
        }
        let text = self.expand_one(word).await?;
        if let Err(error) = self.state.set(name, text.clone()) {
            self.fail(&error);
        }
        put(fields, &text, quoted);
        Ok(())
    }

    async fn changed(&mut self, value: String, change: &Change) -> io::Result<String> {
        let too_long = |shell: &mut Self, pattern: &Pattern| {
            let hopeless = pattern.plain().is_none() && value.len() > MAX_TRIED;
            if hopeless {
                shell.fail("value too long for a pattern");
            }
            hopeless
        };
        match change {
            Change::Length => Ok(value.chars().count().to_string()),
            Change::Trim { end, longest, pattern } => {
                let pattern = Pattern::new(&self.expand_pattern(pattern).await?);
                if too_long(self, &pattern) {
                    return Ok(String::new());
                }
                Ok(trimmed(&value, &pattern, *end, *longest))
            }
            Change::Replace { place, pattern, text } => {
                let pattern = Pattern::new(&self.expand_pattern(pattern).await?);
                let text = self.expand_one(text).await?;
                if too_long(self, &pattern) {
                    return Ok(String::new());
                }
                Ok(replaced(&value, &pattern, &text, *place))
            }
            Change::Slice { from, length } => {
                let from = self.number(from).await?;
                let length = match length {
                    Some(length) => Some(self.number(length).await?),
                    None => None,
                };
                Ok(slice(&value, from, length))
            }
            Change::Nothing | Change::Missing { .. } => Ok(value),
        }
    }
}

fn put(fields: &mut Fields, value: &str, quoted: bool) {
    if quoted { fields.push(value, true) } else { fields.value(value) }
}

fn trimmed(value: &str, pattern: &Pattern, end: bool, longest: bool) -> String {
    if let Some(plain) = pattern.plain() {
        let rest = if end { value.strip_suffix(plain.as_str()) } else { value.strip_prefix(plain.as_str()) };
        return rest.unwrap_or(value).to_owned();
    }
    let text: Vec<char> = value.chars().collect();
    // How many characters go: from few to many, or the other way round.
    let mut counts: Vec<usize> = (0..=text.len()).collect();
    if longest {
        counts.reverse();
    }
    for count in counts {
        let (gone, kept) = match end {
            true => (text.get(text.len() - count..), text.get(..text.len() - count)),
            false => (text.get(..count), text.get(count..)),
        };
        if gone.is_some_and(|gone| pattern.fits(gone)) {
            return kept.unwrap_or_default().iter().collect();
        }
    }
    value.to_owned()
}

fn replaced(value: &str, pattern: &Pattern, by: &str, place: Replaced) -> String {
    let text: Vec<char> = value.chars().collect();
    let mut out = String::new();
    let mut at = 0;
    let mut budget = MAX_TRIED * MAX_TRIED;
    while at <= text.len() {
        let ends = (at..=text.len()).rev();
        let fits = |end: &usize| {
            let whole = place != Replaced::AtEnd || *end == text.len();
            whole && *end > at && text.get(at..*end).is_some_and(|piece| pattern.fits(piece))
        };
        budget = budget.saturating_sub(text.len() - at);
        let found = if budget == 0 { None } else { ends.into_iter().find(fits) };
        match (found, text.get(at)) {
            (Some(end), _) => {
                out.push_str(by);
                at = end;
                if place != Replaced::All {
                    break;
                }
            }
            (None, Some(_)) if place == Replaced::AtStart => break,
            (None, Some(c)) => {
                out.push(*c);
                at += 1;
            }
            (None, None) => break,
        }
    }
    out.extend(text.get(at..).unwrap_or_default());
    out
}

fn slice(value: &str, from: i32, length: Option<i32>) -> String {
    let text: Vec<char> = value.chars().collect();
    let size = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let from = if from < 0 { size + i64::from(from) } else { i64::from(from) };
    if from < 0 || from > size {
        return String::new();
    }
    let end = match length {
        None => size,
        Some(length) if length < 0 => (size + i64::from(length)).max(from),
        Some(length) => (from + i64::from(length)).min(size),
    };
    let place = |at: i64| usize::try_from(at).unwrap_or(0);
    text.get(place(from)..place(end)).unwrap_or_default().iter().collect()
}
