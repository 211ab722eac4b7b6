//! Lists, and what is shown of their names and tags.

use super::{BACKSLASH, Lists, NULL_NAME, SLASH_NAME};

#[derive(Clone, Debug)]
pub(super) struct ItemList {
    pub id: u64,
    pub name: String,
    /// Path or address.
    pub source: String,
    /// Cells of each row.
    pub rows: Vec<Vec<String>>,
    pub tags: Vec<String>,
}

/// What is there before anything is imported.
pub(super) fn first_lists() -> Vec<ItemList> {
    let rows = [["Apples", "6"], ["Oat milk", "1"]];
    vec![ItemList {
        id: 1,
        name: "Groceries".into(),
        source: "/sdcard/Download/groceries.csv".into(),
        rows: rows.map(|row| row.map(str::to_owned).to_vec()).to_vec(),
        tags: vec!["shop".into()],
    }]
}

/// The lists that the first page shows.
pub(super) fn shown(app: &Lists) -> impl Iterator<Item = &ItemList> {
    // The wrong app keeps a file for each; one in a folder that is not there was never written.
    app.lists.iter().filter(|list| !app.errs(&SLASH_NAME, list.name.contains('/')))
}

/// The name as it is shown.
pub(super) fn title<'a>(app: &Lists, list: &'a ItemList) -> &'a str {
    let is_null = list.name.eq_ignore_ascii_case("null");
    if app.errs(&NULL_NAME, is_null) { "Untitled list" } else { &list.name }
}

/// A tag as it is shown.
pub(super) fn tag(app: &Lists, tag: &str) -> String {
    if !app.errs(&BACKSLASH, tag.contains('\\')) {
        return tag.to_owned();
    }
    let mut chars = tag.chars();
    let mut shown = String::new();
    while let Some(char) = chars.next() {
        match char {
            '\\' => shown.extend(chars.next().map(|escaped| match escaped {
                'n' | 'r' => '\n',
                't' => '\t',
                other => other,
            })),
            other => shown.push(other),
        }
    }
    shown
}
