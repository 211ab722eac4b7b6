//! Arguments of the form `field=value,field=value`.

use thiserror::Error;

/// Why such an argument cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum FieldError {
    /// This part of it.
    #[error("`{0}` is not of the form field=value")]
    Form(String),
    /// A part names a field that there is not.
    #[error("`{name}` is no field; there are {known}")]
    Unknown { name: String, known: String },
}

/// Reads such an argument into the slots of its fields.
///
/// # Errors
///
/// When a part has another form or its field name is unknown.
pub(super) fn read_fields(text: &str, fields: &mut [(&str, &mut String)]) -> Result<(), FieldError> {
    for part in text.split(',') {
        let (field, value) = part.split_once('=').ok_or_else(|| FieldError::Form(part.to_owned()))?;
        match fields.iter_mut().find(|(name, _)| *name == field.trim()) {
            Some((_, slot)) => value.clone_into(slot),
            None => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
                return Err(FieldError::Unknown { name: field.trim().to_owned(), known: listed(&names) });
            }
        }
    }
    Ok(())
}

/// `a, b and c`
fn listed(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        names => names.concat(),
    }
}
