//! What was done, in words for sentences: `deleting`, never the name of a class.

use super::deed::Deed;
use super::quoted;
use super::trail::{Shot, Trail};
use crate::sentence;

impl Deed {
    /// What was done, as it follows `after`: `'Delete' on 'bread'`, `turning the phone`.
    pub fn words(&self, trail: &Trail<'_>) -> String {
        let row = self.row(trail).map(|(_, row)| quoted(&row.label));
        let last = self.events(trail).filter(|(_, event, _)| event.receiver.is_some()).last();
        let Some((before, event, after)) = last else {
            let last = self.events(trail).last();
            return last.map_or_else(|| "nothing".into(), |(_, event, _)| sentence::deed(event, None));
        };
        let layout = before.layout();
        let on = after.receiver.and_then(|on| layout.get(on));
        let word =
            on.map(|on| before.word(on.id())).filter(|word| !word.is_empty()).map(|word| quoted(&word));
        match (word, row) {
            (Some(word), Some(row)) if word != row => format!("{word} on {row}"),
            (Some(word), _) => sentence::doing(event, Some(&word), on),
            (None, Some(row)) => sentence::doing(event, Some(&format!("a button of {row}")), on),
            (None, None) => sentence::deed(event, on.map(|on| (layout, on.id()))),
        }
    }
}

impl Shot<'_> {
    /// What a person calls the page: its title; empty where it has none.
    pub fn page_words(&self) -> String {
        let title = &self.look().title;
        if title.is_empty() { "the page".into() } else { format!("the page {}", quoted(title)) }
    }
}
