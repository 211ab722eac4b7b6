//! When two shots show the same page, in the same mode, at the same place.

use super::trail::Shot;

impl Shot<'_> {
    /// The same activity, title, selected tab and dialog.
    pub fn is_same_page(&self, other: &Self) -> bool {
        let (a, b) = (self.look(), other.look());
        self.seen.screen.activity == other.seen.screen.activity
            && self.seen.screen.in_app == other.seen.screen.in_app
            && (a.window, &a.title, &a.tab, &a.dialog, a.drawer_open)
                == (b.window, &b.title, &b.tab, &b.dialog, b.drawer_open)
    }

    /// The same page with the same texts in its fields and the same toggles.
    pub fn is_same_mode(&self, other: &Self) -> bool {
        let (a, b) = (self.look(), other.look());
        let fields =
            || a.fields.iter().map(|f| (&f.key, &f.text)).eq(b.fields.iter().map(|f| (&f.key, &f.text)));
        self.is_same_page(other) && a.toggles == b.toggles && fields()
    }

    /// The same mode, and no text beside the rows that says otherwise: a path, a date, a heading. Texts that only
    /// one of them has do not count, nor does the number of rows in a text.
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.is_same_mode(other) && self.has_labels_of(other)
    }

    /// The same place without any row: all that could be touched beside the rows still can. An activity may show
    /// something else altogether under the same title.
    pub fn is_emptied(&self, after: &Self) -> bool {
        let controls = &self.look().controls;
        let kept = |control: &String| after.look().controls.contains(control);
        after.lists().is_empty()
            && !controls.is_empty()
            && controls.iter().all(kept)
            && self.is_same_place(after)
    }

    /// No text beside the rows says otherwise. Texts that only one of them has do not count, nor does the number of
    /// rows in a text.
    pub fn has_labels_of(&self, other: &Self) -> bool {
        let counts =
            |shot: &Self| shot.lists().iter().map(|list| list.rows.len().to_string()).collect::<Vec<_>>();
        let (own, others) = (counts(self), counts(other));
        self.look().labels.iter().all(|(key, text)| {
            let mut same = other.look().labels.iter().filter(|(other, _)| other == key).peekable();
            same.peek().is_none() || same.any(|(_, other)| without(text, &own) == without(other, &others))
        })
    }
}

/// A text with these numbers in it left out.
fn without(text: &str, numbers: &[String]) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !numbers.iter().any(|number| number == word)).collect::<Vec<_>>().join(" ")
}
