//! The content of a prompt, parsed back from its lines.

/// A field as the prompt describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    pub name: String,
    pub is_password: bool,
    pub shows: String,
}

/// Inputs that did not pass, and what appeared: at which field (from 0), and the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Try {
    pub texts: Vec<String>,
    pub appeared: Vec<(Option<usize>, String)>,
    pub crashed: bool,
}

/// A prompt for valid inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    pub fields: Vec<Field>,
    pub tries: Vec<Try>,
}

/// A prompt for a generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The number of the field under test, from 1.
    pub number: usize,
    pub field: Field,
    /// The valid input of the field under test.
    pub valid: String,
    /// The rules tried on the page, with their fields' numbers.
    pub rules: Vec<(usize, String)>,
}

impl Sheet {
    pub fn read(text: &str) -> Self {
        let mut sheet = Self::default();
        for line in text.lines() {
            if let Some((_, name)) = numbered(line, "Field ") {
                sheet.fields.push(Field { name: string(name), ..Field::default() });
            } else if let Some((_, texts)) = numbered(line, "Try ") {
                let texts = serde_json::from_str(texts).unwrap_or_default();
                sheet.tries.push(Try { texts, ..Try::default() });
            } else if let Some(tried) = sheet.tries.last_mut() {
                tried.read(line.trim());
            } else if let Some(field) = sheet.fields.last_mut() {
                field.read(line.trim());
            }
        }
        sheet
    }
}

impl Assignment {
    pub fn read(text: &str) -> Self {
        let mut assignment = Self::default();
        for line in text.lines() {
            if let Some((number, name)) = numbered(line, "Field under test, ") {
                assignment.number = number;
                assignment.field.name = string(name);
            } else if let Some((number, rule)) = numbered(line, "Rule for field ") {
                assignment.rules.push((number, string(rule)));
            } else if let Some(valid) = line.strip_prefix("Of the field under test: ") {
                assignment.valid = string(valid);
            } else if assignment.rules.is_empty() {
                assignment.field.read(line.trim());
            }
        }
        assignment
    }
}

impl Try {
    fn read(&mut self, line: &str) {
        if let Some((number, text)) = numbered(line, "appeared at field ") {
            self.appeared.push((number.checked_sub(1), string(text)));
        } else if let Some(text) = line.strip_prefix("appeared: ") {
            self.appeared.push((None, string(text)));
        } else if line == "the app crashed" {
            self.crashed = true;
        }
    }
}

impl Field {
    fn read(&mut self, line: &str) {
        match line.split_once(": ") {
            Some(("password", answer)) => self.is_password = answer == "yes",
            Some(("shows", text)) => self.shows = string(text),
            _ => {}
        }
    }
}

/// `PREFIX 3: rest` as 3 and the rest.
fn numbered<'a>(line: &'a str, prefix: &str) -> Option<(usize, &'a str)> {
    let (number, rest) = line.strip_prefix(prefix)?.split_once(": ")?;
    Some((number.parse().ok()?, rest))
}

/// A JSON string; the text itself if it is not one.
fn string(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
}
