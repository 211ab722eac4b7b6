//! Dead end: a page with something to press has something to do.
//!
//! A page is one with nothing to do where nothing that was done to any of its widgets did anything, by the measure of
//! [`super::response`], in the whole session. That tells a control that does nothing also where it is the only way on,
//! so that no further screen is ever come to on which to press it.
//!
//! Assumes that an app shows no page with controls that have nothing to do. That is a claim, for which the whole session
//! counts: it speaks where two controls of the page did nothing, or one did on two different screens of it, the phone
//! turned perhaps, and nothing of that page ever did anything. What leaves the page counts as well, but for the back
//! key and what is done to the phone.
//!
//! Silent about pages with fields, which may want something else to be entered, about dialogs, menus and drawers, and
//! where a screen was not at rest. Slight where toasts cannot be known of.
//!
//! ```text
//! ┌ Notes ────────┐   'Begin'   ┌ Notes ────────┐
//! │   [ Begin ]   │ ──────────▶ │   [ Begin ]   │   … and there is nothing else on 'Notes'.
//! └───────────────┘             └───────────────┘
//! Pressing 'Begin' did nothing, and nothing else on 'Notes' did anything.
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::response::{Outcome, Press};
use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::ALIVE;
use droidmux_gui::{EventKind, Widget};
use droidmux_record::{Claim, Harm, Held, WidgetNote};

pub static DEAD_END: Relation = Relation {
    name: "dead-end",
    assumes: "A page with something to press has something to do.",
    silent_when: "Something that was done to a widget of the page did something, anywhere in the session; the \
                  page has fields, is a dialog, a menu or a drawer; a screen was not at rest.",
    judge,
};

/// Counter-examples of one trace.
const MOST: usize = 20;

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut idle: BTreeMap<String, Vec<Break>> = BTreeMap::new();
    let mut alive: BTreeMap<String, Held> = BTreeMap::new();
    let mut tried: BTreeSet<(String, u64)> = BTreeSet::new();
    for (number, before, _, after) in trail.steps() {
        let Some(widget) = touched(before, after) else { continue };
        let page = trail.page_name(number - 1);
        let press = Press::at(trail, number);
        let outcome = match &press {
            Some(press) => Outcome::of(trail, press, after),
            None if after.layout() == before.layout() => Outcome::Unclear,
            None => Outcome::Something,
        };
        match (outcome, press) {
            (Outcome::Something, _) => {
                let held = Held::new(DEAD_END.name, about(&page), fingerprint(&[&page]));
                alive.entry(page).or_insert(held);
            }
            (Outcome::Nothing, Some(press)) if press.is_button(widget) => {
                let new = tried.len() < MOST && tried.insert((page.clone(), press.situation(trail)));
                if new {
                    idle.entry(page.clone()).or_default().push(broken(trail, number, page, widget));
                }
            }
            _ => {}
        }
    }
    idle.retain(|page, _| !alive.contains_key(page));
    let broken = idle.into_values().flatten().map(|broken| Said::Broken(Box::new(broken)));
    alive.into_values().map(Said::Held).chain(broken).collect()
}

/// The widget of a page that an event acted on, where the page is one that could be a dead end.
fn touched<'s>(before: &'s Shot<'_>, after: &Shot<'_>) -> Option<Widget<'s>> {
    let look = before.look();
    let is_page = before.is_sound() && before.shows_page() && !look.drawer_open && look.fields.is_empty();
    before.layout().get(after.receiver.filter(|_| is_page)?)
}

/// Equal for all that is done on one page.
fn about(page: &str) -> u64 {
    fingerprint(&[DEAD_END.name, page])
}

fn broken(trail: &Trail<'_>, number: usize, page: String, widget: Widget<'_>) -> Break {
    let before = trail.shot(number - 1);
    let word = before.map(|shot| shot.quoted_word(widget.id())).unwrap_or_default();
    let title = before.map(|shot| shot.look().title.clone()).filter(|title| !title.is_empty());
    let title = title.map_or_else(|| "its page".to_owned(), |title| quoted(&title));
    Break {
        cause: Cause::Idle,
        list: String::new(),
        event: EventKind::Click,
        what: "dead end".into(),
        sentence: format!("Pressing {word} did nothing, and nothing else on {title} did anything."),
        expected: format!("Something on {title} does something."),
        found: "The screen is what it was before.".into(),
        shots: (number - 1, number),
        widgets: (vec![WidgetNote::of(widget)], Vec::new()),
        claim: Some(Claim::new(DEAD_END.name, about(&page), ALIVE)),
        harm: Harm::LostFunction,
        slight: !trail.shot(number).is_some_and(|shot| shot.seen.hears_toasts),
        page,
    }
}

#[cfg(test)]
#[path = "dead_end_tests.rs"]
mod tests;
