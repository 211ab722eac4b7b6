//! Arguments of the form `field=value,field=value`.

/// Reads such an argument into the slots of its fields.
///
/// # Errors
///
/// In words, when a part has another form or its field name is unknown.
pub(super) fn read_fields(text: &str, fields: &mut [(&str, &mut String)]) -> Result<(), String> {
    for part in text.split(',') {
        let (field, value) =
            part.split_once('=').ok_or_else(|| format!("`{part}` is not of the form field=value"))?;
        match fields.iter_mut().find(|(name, _)| *name == field.trim()) {
            Some((_, slot)) => value.clone_into(slot),
            None => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
                return Err(format!("`{}` is no field; there are {}", field.trim(), listed(&names)));
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
