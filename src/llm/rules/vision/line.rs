//! Reading the lines of a prompt: texts of the app stand in quotation marks as JSON strings.

/// A widget as the prompts name it: `Button "Save" #save`, and what follows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    pub class: String,
    pub label: String,
    pub id: String,
    /// Row number, rows, and the list's name.
    pub row: Option<(usize, usize, String)>,
    /// Its place among the buttons beside it, and how many there are.
    pub bar: Option<(usize, usize)>,
    /// What else is said about it.
    pub rest: Vec<String>,
}

impl Named {
    /// Reads a widget with its attributes.
    pub fn read(line: &str) -> Self {
        let mut parts = split(line, " | ").into_iter();
        let mut named = Self::default();
        for word in split(parts.next().unwrap_or_default(), " ") {
            if word.starts_with('"') {
                named.label = unquoted(word);
            } else if let Some(id) = word.strip_prefix('#') {
                named.id = id.to_owned();
            } else if named.class.is_empty() {
                named.class = word.to_owned();
            }
        }
        for part in parts {
            named.attribute(part);
        }
        named
    }

    fn attribute(&mut self, part: &str) {
        let numbers = |text: &str| {
            let (number, rest) = text.split_once(" of ")?;
            let (of, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((number.parse().ok()?, of.parse().ok()?, rest.to_owned()))
        };
        if let Some((number, of, rest)) = part.strip_prefix("row ").and_then(numbers) {
            self.row = Some((number, of, rest.trim_start_matches("in ").to_owned()));
        } else if let Some((number, of, _)) = part.strip_prefix("button ").and_then(numbers) {
            self.bar = Some((number, of));
        } else {
            self.rest.push(part.to_owned());
        }
    }

    /// What identifies widgets of this kind.
    pub fn kind(&self) -> (&str, &str) {
        (&self.class, &self.id)
    }

    /// As read, without attributes.
    pub fn words(&self) -> String {
        let label = if self.label.is_empty() { String::new() } else { format!(" {}", quoted(&self.label)) };
        let id = if self.id.is_empty() { String::new() } else { format!(" #{}", self.id) };
        format!("{}{label}{id}", self.class)
    }

    pub fn is_last_button(&self) -> bool {
        self.bar.is_some_and(|(number, of)| number == of)
    }

    pub fn has(&self, attribute: &str) -> bool {
        self.rest.iter().any(|part| part == attribute)
    }

    /// The text after a word, without its quotation marks, as in `held "old"`.
    pub fn value(&self, word: &str) -> Option<String> {
        let part = self.rest.iter().find_map(|part| part.strip_prefix(word)?.strip_prefix(' '))?;
        Some(unquoted(part))
    }
}

/// The parts between separators that are outside quotation marks.
pub fn split<'a>(line: &'a str, separator: &str) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if at < start => {}
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if !quoted && line.get(at..).is_some_and(|rest| rest.starts_with(separator)) => {
                parts.push(line.get(start..at).unwrap_or_default());
                start = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(line.get(start..).unwrap_or_default());
    parts
}

pub fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

pub fn unquoted(text: &str) -> String {
    serde_json::from_str(text.trim()).unwrap_or_else(|_| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whatever_texts_hold() {
        for (line, class, label, id, row, bar, rest) in [
            ("Button \"Save\" #save | button 2 of 3", "Button", "Save", "save", None, Some((2, 3)), 0),
            ("ImageView", "ImageView", "", "", None, None, 0),
            (
                "TextView \"a | row 9 of 9 \\\" #x\" #title | row 2 of 5 in #list | checked",
                "TextView",
                "a | row 9 of 9 \" #x",
                "title",
                Some((2, 5, "#list".to_owned())),
                None,
                1,
            ),
            ("", "", "", "", None, None, 0),
        ] {
            let named = Named::read(line);
            let expected = (class.to_owned(), label.to_owned(), id.to_owned(), row, bar, rest);
            assert_eq!(
                (named.class, named.label, named.id, named.row, named.bar, named.rest.len()),
                expected
            );
        }
    }
}
