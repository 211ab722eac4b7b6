//! Words being put together: texts joined, values split at separators, patterns kept apart from
//! quoted text.

/// Longest text a word may become.
const MAX_WORD: usize = 1 << 20;
/// Most words one word may become.
const MAX_FIELDS: usize = 10_000;

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Fields {
    done: Vec<Field>,
    open: Option<Field>,
    separators: String,
    bytes: usize,
    /// `"$@"` without arguments is no word.
    vanishing: bool,
    split: bool,
}

/// A word's text, and the same as a pattern in which what was quoted is escaped.
#[derive(Debug, Default)]
pub(super) struct Field {
    pub(super) text: String,
    pub(super) pattern: String,
    pub(super) is_pattern: bool,
}

impl Fields {
    /// Values are split at these characters.
    pub(super) fn new(separators: &str) -> Self {
        Fields { separators: separators.to_owned(), split: true, ..Fields::default() }
    }

    /// Values stay whole.
    pub(super) fn unsplit() -> Self {
        Fields::default()
    }

    /// Text that belongs to the word as it is; unquoted it may be a pattern.
    pub(super) fn push(&mut self, text: &str, quoted: bool) {
        if text.is_empty() && !quoted {
            return;
        }
        self.bytes += text.len();
        if self.bytes > MAX_WORD {
            return;
        }
        // An empty text that was not written with quotes makes no word.
        let field = self.open.get_or_insert_default();
        field.text.push_str(text);
        for c in text.chars() {
            if quoted && matches!(c, '*' | '?' | '[' | ']' | '\\' | '-' | '!' | '^') {
                field.pattern.push('\\');
            }
            field.is_pattern |= !quoted && matches!(c, '*' | '?' | '[');
            field.pattern.push(c);
        }
    }

    /// An unquoted value: split at the separators. Blanks among them count once, others each time.
    pub(super) fn value(&mut self, value: &str) {
        if !self.split {
            self.push(value, false);
            return;
        }
        let separators = std::mem::take(&mut self.separators);
        let is_blank = |c: char| matches!(c, ' ' | '\t' | '\n') && separators.contains(c);
        let mut rest = value;
        while let Some(c) = rest.chars().next() {
            if is_blank(c) {
                rest = rest.trim_start_matches(is_blank);
                // Blanks around another separator belong to it.
                let belongs = rest.chars().next().is_some_and(|c| separators.contains(c));
                if !belongs {
                    self.next();
                }
            } else if separators.contains(c) {
                self.open.get_or_insert_default();
                self.next();
                rest = rest.get(c.len_utf8()..).unwrap_or_default().trim_start_matches(is_blank);
            } else {
                let end = rest.find(|c| separators.contains(c)).unwrap_or(rest.len());
                let (piece, after) = rest.split_at(end);
                self.push(piece, false);
                rest = after;
            }
        }
        self.separators = separators;
    }

    /// Ends the word that is open.
    pub(super) fn next(&mut self) {
        if self.done.len() < MAX_FIELDS {
            self.done.extend(self.open.take());
        } else {
            self.bytes = usize::MAX / 2;
        }
    }

    pub(super) fn vanish(&mut self) {
        self.vanishing = true;
    }

    /// The words; `None` when they are too many or too long.
    pub(super) fn finish(mut self) -> Option<Vec<Field>> {
        if self.bytes > MAX_WORD {
            return None;
        }
        let empty = self.open.as_ref().is_some_and(|field| field.text.is_empty());
        if !(self.vanishing && empty && self.done.is_empty()) {
            self.done.extend(self.open);
        }
        Some(self.done)
    }
}
