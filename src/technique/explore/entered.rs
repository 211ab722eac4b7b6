//! Rows that say what was entered in a test, and rows that may have been changed in it: opening one shows whether all was
//! kept.
//!
//! In: screens, events, and what was typed. Out: the clicks that open such a row. Invariants: a row is opened again only
//! after more was typed, which may have changed it, or something was switched or chosen since it was opened, and a few
//! times in a test; what menus and dialogs list is no such row.

use std::collections::BTreeMap;

use super::choice::Here;
use super::rows::names_of;
use droidmux_gui::{EventKind, Flags, Widget, is_dialog, row_of};
use droidmux_model::Offer;

/// What was opened in a test.
#[derive(Clone, Debug, Default)]
pub struct Entered {
    /// By the text that was typed and that a row's name says, or else by its name.
    opened: BTreeMap<String, Opened>,
    /// The one of them that was opened last.
    last: Option<String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Opened {
    times: u32,
    /// How many texts had been typed when it was opened last.
    typed: usize,
    /// Something was switched or chosen since, on its page or in it.
    changed: bool,
}

/// How often a row is opened in a test.
const TIMES: u32 = 3;

/// The most rows that are remembered.
const MOST: usize = 100;

/// Texts with fewer characters must be all that the row is named by: they turn up inside other words.
const SHORT: usize = 4;

impl Entered {
    /// Another test begins.
    pub fn begin(&mut self) {
        *self = Self::default();
    }

    /// The clicks here that open a row whose name says one of these texts, or that was opened before, and was not since
    /// the last of them was typed, or since it was changed otherwise.
    pub fn unopened(&self, here: &Here, typed: &[String]) -> Vec<Offer> {
        let rows = names_of(&here.layout).into_iter().filter(|name| {
            let said = said(name.text(), typed);
            match self.opened.get(said.unwrap_or(name.text().trim())) {
                Some(opened) => opened.times < TIMES && (opened.changed || opened.typed < typed.len()),
                None => said.is_some(),
            }
        });
        rows.filter_map(|name| click_on(here, name)).collect()
    }

    /// Notes which row an event here opens, or that it may change the one that is open.
    pub fn note(&mut self, here: &Here, offer: &Offer, typed: &[String]) {
        let clicked = offer.widget.filter(|_| offer.kind == EventKind::Click);
        let Some(widget) = clicked.and_then(|id| here.layout.get(id)) else { return };
        let row = row_of(widget).map(|row| row.id());
        let named = |name: &Widget<'_>| row.is_some() && row_of(*name).map(|row| row.id()) == row;
        let key = names_of(&here.layout)
            .into_iter()
            .find(named)
            .map(|name| said(name.text(), typed).unwrap_or(name.text().trim()).to_owned());
        match key {
            Some(key) if !widget.has(Flags::CHECKABLE) => self.open(key, typed.len()),
            key if widget.has(Flags::CHECKABLE) || is_dialog(&here.layout) => {
                self.change(key.or_else(|| self.last.clone()));
            }
            _ => {}
        }
    }

    fn open(&mut self, key: String, typed: usize) {
        if let Some(opened) = self.known(&key) {
            *opened = Opened { times: opened.times + 1, typed, changed: false };
            self.last = Some(key);
        }
    }

    fn change(&mut self, key: Option<String>) {
        if let Some(opened) = key.and_then(|key| self.known(&key)) {
            opened.changed = true;
        }
    }

    /// What is known of a row; `None` where too many are.
    fn known(&mut self, key: &str) -> Option<&mut Opened> {
        let has_room = self.opened.len() < MOST || self.opened.contains_key(key);
        has_room.then(|| self.opened.entry(key.to_owned()).or_default())
    }
}

/// The last of these texts that a name says.
fn said<'t>(name: &str, typed: &'t [String]) -> Option<&'t str> {
    let name = name.trim();
    let says = |text: &&str| {
        let is_short = text.chars().count() < SHORT;
        !text.is_empty() && if is_short { name == *text } else { name.contains(text) }
    };
    typed.iter().rev().map(|text| text.trim()).find(says)
}

/// The click that a touch on a row's name is.
fn click_on(here: &Here, name: Widget<'_>) -> Option<Offer> {
    let click = |widget: Widget<'_>| {
        let mut clicks = here.offers.iter().filter(|offer| offer.kind == EventKind::Click);
        clicks.find(|offer| offer.widget == Some(widget.id())).copied()
    };
    std::iter::once(name).chain(name.ancestors()).find_map(click)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use droidmux_gui::dump::read_dump;
    use droidmux_gui::{LayoutHash, StateId};
    use droidmux_model::offers;

    /// A list with these rows: a name, below it a note, and beside them a box to tick, in something that can be touched.
    fn list(rows: &[&str]) -> Here {
        let row = |(number, name): (usize, &&str)| {
            let y = 100 * number;
            let line = |text: &str, y: usize| {
                format!(
                    r#"<node class="android.widget.TextView" text="{text}" bounds="[0,{y}][200,{}]"/>"#,
                    y + 40
                )
            };
            format!(
                r#"<node class="android.widget.LinearLayout" enabled="true" clickable="true" bounds="[0,{y}][300,{}]">{}{}{}</node>"#,
                y + 90,
                line(name, y),
                line("a note", y + 45),
                tick_box([200, y, 300, y + 90])
            )
        };
        let rows: String = rows.iter().enumerate().map(row).collect();
        showing(&format!(
            r#"<node class="android.widget.FrameLayout" bounds="[0,0][300,900]"><node
            class="androidx.recyclerview.widget.RecyclerView" bounds="[0,0][300,900]">{rows}</node></node>"#
        ))
    }

    fn tick_box([left, top, right, bottom]: [usize; 4]) -> String {
        format!(
            r#"<node class="android.widget.CheckBox" enabled="true" clickable="true" checkable="true" bounds="[{left},{top}][{right},{bottom}]"/>"#
        )
    }

    fn showing(nodes: &str) -> Here {
        let dump = format!(r#"<hierarchy rotation="0">{nodes}</hierarchy>"#);
        let layout = Arc::new(read_dump(dump.as_bytes()).expect("a dump").layout);
        let offers = offers(&layout);
        Here { state: StateId(1), hash: LayoutHash([0; 16]), layout, offers }
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn rows_that_say_what_was_typed_are_opened() {
        // what was typed, the rows, and how many of them are worth opening
        for (typed, rows, expected) in [
            (&["Falcon 12"][..], &["milk", "Falcon 12"][..], 1),
            (&["Falcon 12"], &["milk", "Falcon 12 (2 kg)"], 1),
            (&["Falcon 12", "Ember 7"], &["Falcon 12", "Ember 7", "bread"], 2),
            (&["42"], &["1042", "42"], 1),
            (&["a note"], &["milk", "bread"], 0),
            (&[], &["milk", "Falcon 12"], 0),
        ] {
            let found = Entered::default().unopened(&list(rows), &texts(typed));
            assert_eq!(found.len(), expected, "{typed:?} {rows:?}");
            assert!(found.iter().all(|offer| offer.kind == EventKind::Click));
        }
    }

    #[test]
    fn a_row_that_was_opened_is_opened_again_after_something_was_typed() {
        let here = list(&["milk", "bread"]);
        let mut entered = Entered::default();
        let milk = here.offers.iter().find(|offer| offer.kind == EventKind::Click).expect("a click");
        entered.note(&here, milk, &[]);
        for (typed, expected) in [(&[][..], 0), (&["a note"], 1)] {
            assert_eq!(entered.unopened(&here, &texts(typed)).len(), expected, "{typed:?}");
        }
        assert_eq!(entered.unopened(&list(&["oat milk", "bread"]), &texts(&["oat"])).len(), 0, "another row");
    }

    #[test]
    fn a_row_that_was_opened_is_opened_again_after_something_was_switched_or_chosen() {
        let here = list(&["milk", "bread"]);
        let window = |left: usize, nodes: &str| {
            showing(&format!(
                r#"<node class="android.widget.FrameLayout" bounds="[{left},{left}][300,900]">{nodes}</node>"#
            ))
        };
        let button = r#"<node class="android.widget.Button" text="Go" enabled="true" clickable="true" bounds="[40,40][300,90]"/>"#;
        let click = |here: &Here, class: &str, text: &str| {
            let fits = |offer: &&Offer| {
                let widget = offer.widget.and_then(|id| here.layout.get(id));
                let says = |widget: Widget<'_>| widget.subtree().any(|part| part.text() == text);
                widget
                    .is_some_and(|widget| widget.short_class() == class && (text.is_empty() || says(widget)))
            };
            let mut clicks = here.offers.iter().filter(|offer| offer.kind == EventKind::Click);
            *clicks.find(fits).unwrap_or_else(|| panic!("{class} {text}: {:?}", here.offers))
        };
        for (what, page, class, expected) in [
            ("a switch of its page", window(0, &tick_box([0, 0, 300, 90])), "CheckBox", 1),
            ("a button of its page", window(0, button), "Button", 0),
            ("a button of a dialog", window(40, button), "Button", 1),
            ("its own box", list(&["milk"]), "CheckBox", 1),
            ("the box of a row that was not opened", list(&["bread"]), "CheckBox", 1),
            ("the box of a row that is gone", list(&["eggs"]), "CheckBox", 0),
        ] {
            let mut entered = Entered::default();
            entered.note(&here, &click(&here, "LinearLayout", "milk"), &[]);
            entered.note(&page, &click(&page, class, ""), &[]);
            let found = entered.unopened(&here, &[]);
            assert_eq!(found.len(), expected, "{what}");
            found.iter().for_each(|offer| entered.note(&here, offer, &[]));
            assert!(entered.unopened(&here, &[]).is_empty(), "{what}: once is enough");
        }
    }

    #[test]
    fn a_row_is_opened_again_after_more_was_typed() {
        let here = list(&["milk", "Falcon 12"]);
        let mut entered = Entered::default();
        let mut typed = texts(&["Falcon 12"]);
        for (what, expected) in [("first", 1), ("edited once", 1), ("edited twice", 1), ("enough", 0)] {
            let found = entered.unopened(&here, &typed);
            assert_eq!(found.len(), expected, "{what}");
            found.iter().for_each(|offer| entered.note(&here, offer, &typed));
            assert!(entered.unopened(&here, &typed).is_empty(), "{what}: once is enough");
            typed.push("a note of it".into());
        }
        entered.begin();
        assert_eq!(entered.unopened(&here, &typed).len(), 1, "another test");
    }
}
