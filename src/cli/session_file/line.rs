//! Where in the text of a TOML file something is.

use toml::de::{DeTable, DeValue};

/// A key's place: table names or numbers, then the key.
pub(crate) type KeyPath = Vec<String>;

/// The line of a key, or of the nearest thing around it that the file holds; from 1.
pub(crate) fn line_of(text: &str, place: &[String]) -> usize {
    let Ok(table) = DeTable::parse(text) else { return 1 };
    let mut here = table.span();
    let mut table: Option<&DeTable<'_>> = Some(table.get_ref());
    let mut items: Option<&[toml::Spanned<DeValue<'_>>]> = None;
    for part in place {
        let value = if let Some(current) = table {
            let Some((key, value)) = current.iter().find(|(key, _)| key.get_ref() == part.as_str()) else {
                break;
            };
            here = key.span();
            value
        } else if let Some(current) = items {
            let Some(value) = part.parse().ok().and_then(|number: usize| current.get(number)) else { break };
            here = value.span();
            value
        } else {
            break;
        };
        table = match value.get_ref() {
            DeValue::Table(inner) => Some(inner),
            _ => None,
        };
        items = match value.get_ref() {
            DeValue::Array(inner) => Some(inner),
            _ => None,
        };
    }
    line_at(text, here.start)
}

pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}
