//! How the form of an import is read: name, source, rows, tags.

use super::shelf::ItemList;
use super::{BLANK_ROW, LONG_NAME, Lists, OPEN_QUOTE, PARENT_PATH, PERCENT_ESCAPE};
use crate::form::{Failure, Refusal, at_most, refusal, required, thrown};
use droidmux_sim_toolkit::ActivityState;

pub(super) const NAME: &str = "list_name";
pub(super) const SOURCE: &str = "source";
pub(super) const ROWS: &str = "rows";
pub(super) const TAGS: &str = "tags";

/// The most characters of a name.
const LONGEST_NAME: usize = 100;
/// The most bytes of a file name.
const FILE_NAME: usize = 255;

/// The outcome of a form that passed.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Read(ItemList),
    /// The reader waits for what never comes.
    Endless,
}

pub(super) fn read(app: &Lists, page: &ActivityState) -> Result<Outcome, Failure> {
    let name = required(NAME, page.field(NAME), "Give the list a name")?;
    if let Err(refused) = at_most(NAME, &name, LONGEST_NAME)
        && !app.errs(&LONG_NAME, true)
    {
        return Err(refused.into());
    }
    let source = page.field(SOURCE).trim().to_owned();
    let fate = source_fate(app, &source)?;
    let tags: Vec<String> =
        page.field(TAGS).split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    if tags.len() > 10 || tags.iter().any(|tag| tag.chars().count() > 30) {
        return Err(refusal(TAGS, "At most 10 tags of 30 characters").into());
    }
    let text = page.field(ROWS);
    let Some(mut rows) = app.defects.either(&BLANK_ROW, table(text, false), || table(text, true)) else {
        if app.errs(&OPEN_QUOTE, true) {
            return Ok(Outcome::Endless);
        }
        return Err(refusal(ROWS, "A quote is not closed").into());
    };
    if rows.is_empty() {
        return Err(refusal(ROWS, "There are no rows").into());
    }
    if let Some(thrown) = fate {
        return Err(thrown);
    }
    if app.errs(&LONG_NAME, name.len() > FILE_NAME) {
        return Err(thrown(
            "android.system.ErrnoException",
            "open failed: ENAMETOOLONG (File name too long)",
            &["org.droidmux.import.ListStore.write(ListStore.java:88)"],
        ));
    }
    if app.skips_first_row {
        rows.remove(0);
    }
    Ok(Outcome::Read(ItemList { id: app.next_id, name, source, rows, tags }))
}

/// Whether the source is valid, and what is thrown because of it when the import begins.
fn source_fate(app: &Lists, source: &str) -> Result<Option<Failure>, Refusal> {
    let sentence = "A path below /sdcard/ or an address with https://";
    if let Some(path) = source.strip_prefix("/sdcard/").filter(|path| !path.is_empty()) {
        let leaves = path.split('/').any(|part| part == "..");
        if leaves && !app.errs(&PARENT_PATH, true) {
            return Err(refusal(SOURCE, "The path leaves /sdcard/"));
        }
        return Ok(leaves.then(|| {
            thrown(
                "java.lang.SecurityException",
                format!("Permission denied: {source}"),
                &["org.droidmux.import.transfer.Source.openFile(Source.java:45)"],
            )
        }));
    }
    let address = source.strip_prefix("https://").or_else(|| source.strip_prefix("http://"));
    let is_one = address.is_some_and(|address| !address.is_empty() && !address.contains(char::is_whitespace));
    if !is_one {
        return Err(refusal(SOURCE, sentence));
    }
    let broken = address.is_some_and(has_broken_escape);
    if broken && !app.errs(&PERCENT_ESCAPE, true) {
        return Err(refusal(SOURCE, "A % in an address begins an escape such as %20"));
    }
    Ok(broken.then(|| {
        thrown(
            "java.lang.IllegalArgumentException",
            "URLDecoder: Illegal hex characters in escape (%) pattern",
            &["org.droidmux.import.transfer.Source.openAddress(Source.java:61)"],
        )
    }))
}

fn has_broken_escape(address: &str) -> bool {
    let hex = |text: &str| text.chars().take(2).filter(char::is_ascii_hexdigit).count() == 2;
    address.split('%').skip(1).any(|after| !hex(after))
}

/// Comma-separated values: cells may be quoted, a quote in one is doubled. Blank rows are left out,
/// or, with `stops`, end the table. `None` when a quote is not closed.
fn table(text: &str, stops: bool) -> Option<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().chain(Some('\n')).peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => quoted = true,
            // The line break that was put at the end.
            '\n' if quoted && chars.peek().is_none() => return None,
            ',' if !quoted => row.push(std::mem::take(&mut cell).trim().to_owned()),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell).trim().to_owned());
                let row = std::mem::take(&mut row);
                match row.iter().all(String::is_empty) {
                    false => rows.push(row),
                    true if stops => break,
                    true => {}
                }
            }
            other => cell.push(other),
        }
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let cases: [(&str, Option<&[&[&str]]>); 7] = [
            ("", Some(&[])),
            ("Milk,1", Some(&[&["Milk", "1"]])),
            ("Milk\n  \nBread", Some(&[&["Milk"], &["Bread"]])),
            ("\"a, b\",c", Some(&[&["a, b", "c"]])),
            ("\"say \"\"hi\"\"\"\n5\"", Some(&[&["say \"hi\""], &["5\""]])),
            ("\"two\nlines\"", Some(&[&["two\nlines"]])),
            ("Milk\n\"Bread", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|rows| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>());
            let read = table(text, false);
            assert_eq!(
                read,
                expected
                    .map(|rows| rows.iter().map(|r| r.iter().map(|c| (*c).to_owned()).collect()).collect()),
                "{text:?}"
            );
        }
        assert_eq!(table("Milk\n  \nBread", true), Some(vec![vec!["Milk".to_owned()]]));
    }

    #[test]
    fn escapes() {
        for (address, broken) in [("a/%20b", false), ("a", false), ("a%", true), ("a%zz", true), ("%4", true)]
        {
            assert_eq!(has_broken_escape(address), broken, "{address:?}");
        }
    }
}
