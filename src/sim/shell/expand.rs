//! From words as written to words as commands get them.

use std::io;

use super::lexer::{Part, Word};
use super::run::Shell;
use crate::sim::text::cut;

/// Longest text a word may become.
const MAX_WORD: usize = 1 << 20;
/// Most words one word may become.
const MAX_FIELDS: usize = 10_000;

/// A word being put together.
#[derive(Default)]
struct Fields {
    done: Vec<Field>,
    open: Option<Field>,
}

/// Its text, and the same as a pattern in which what was quoted is escaped.
#[derive(Default)]
struct Field {
    text: String,
    pattern: String,
    is_pattern: bool,
}

impl Shell<'_, '_> {
    /// Variables, outputs, splitting, file names.
    pub(super) async fn expand(&mut self, word: &Word) -> io::Result<Vec<String>> {
        let mut fields = Fields::default();
        for part in word {
            match part {
                Part::Quoted(text) => fields.push(text, true),
                Part::Bare(text) => fields.push(text, false),
                Part::Variable { name, quoted } => {
                    let value = self.value(name);
                    fields.add(&value, *quoted);
                }
                Part::Output { script, quoted } => {
                    let output = self.output_of(script).await?;
                    fields.add(&output, *quoted);
                }
            }
        }
        fields.done.extend(fields.open);
        let mut words = Vec::new();
        for field in fields.done.into_iter().take(MAX_FIELDS) {
            let matching = if field.is_pattern { self.matching(&field.pattern) } else { Vec::new() };
            if matching.is_empty() {
                words.push(field.text);
            } else {
                words.extend(matching);
            }
        }
        Ok(words)
    }

    /// As [`Shell::expand`], for an assignment or a redirection: one word whatever it holds.
    pub(super) async fn expand_one(&mut self, word: &Word) -> io::Result<String> {
        let mut text = String::new();
        for part in word {
            match part {
                Part::Quoted(more) | Part::Bare(more) => text.push_str(more),
                Part::Variable { name, .. } => text.push_str(&self.value(name)),
                Part::Output { script, .. } => text.push_str(&self.output_of(script).await?),
            }
            text.truncate(cut(&text, MAX_WORD).len());
        }
        Ok(text)
    }

    fn value(&self, name: &str) -> String {
        match name {
            "?" => self.status.to_string(),
            "$" => "4711".to_owned(),
            "#" => "0".to_owned(),
            "0" => "/system/bin/sh".to_owned(),
            _ => self.variables.get(name).cloned().unwrap_or_default(),
        }
    }

    /// Existing paths, in order, that match a pattern with `*` and `?`.
    fn matching(&self, pattern: &str) -> Vec<String> {
        let cwd = self.variables.get("PWD").map_or("/", String::as_str);
        if pattern.starts_with('/') {
            return self.device.files().matching(pattern);
        }
        let prefix = if cwd == "/" { cwd.to_owned() } else { format!("{cwd}/") };
        let found = self.device.files().matching(&format!("{prefix}{pattern}"));
        found.iter().filter_map(|path| path.strip_prefix(&prefix)).map(str::to_owned).collect()
    }
}

impl Fields {
    /// A value: split at blanks unless it was quoted.
    fn add(&mut self, value: &str, quoted: bool) {
        if quoted {
            self.push(value, true);
            return;
        }
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n');
        if value.starts_with(blank) {
            self.done.extend(self.open.take());
        }
        for (n, piece) in value.split(blank).filter(|piece| !piece.is_empty()).enumerate() {
            if n > 0 {
                self.done.extend(self.open.take());
            }
            self.push(piece, false);
        }
        if value.ends_with(blank) {
            self.done.extend(self.open.take());
        }
    }

    fn push(&mut self, text: &str, quoted: bool) {
        let field = self.open.get_or_insert_default();
        if field.text.len() + text.len() > MAX_WORD {
            return;
        }
        field.text.push_str(text);
        for c in text.chars() {
            let special = matches!(c, '*' | '?' | '\\');
            if special && (quoted || c == '\\') {
                field.pattern.push('\\');
            }
            field.is_pattern |= special && !quoted && c != '\\';
            field.pattern.push(c);
        }
    }
}
