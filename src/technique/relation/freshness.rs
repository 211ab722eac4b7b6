//! Freshness: what was entered is in its list as soon as the list is seen again.
//!
//! Follows each text that was typed and unique then until a row of a page shows it. Between the last screen on which it
//! stood somewhere else and that row, the same page was seen without it: it was not brought up to date when the text was
//! entered, only when something else made it anew. Broken on several screens and never kept, this is a defect.
//!
//! It assumes that a page which shows a text again without anybody entering it could have shown it before. A text that
//! is there at once keeps the claim where the page itself stayed meanwhile: one that is made anew shows it in any case.
//! It is silent about what was looked for, about a page in another mode, about lists that show only a part of their rows,
//! where waiting was enough, and where a press on the page itself or in its menu brought the row: it may have asked for
//! it.
//!
//! ```text
//! title [milk ]  ──'Save'──▶   bread   ──turn──▶   bread
//!                                                  milk
//! 'milk' was entered, but the list shows it only after the phone was turned.
//! ```

use super::look::{Field, Window};
use super::row::{List, Row};
use super::token::Token;
use super::trail::{Shot, Trail};
use super::words::holds_word;
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::NEVER;
use droidmux_gui::EventKind;
use droidmux_record::{Claim, Harm, Held, WidgetNote};
use droidmux_words::folded;

pub static FRESHNESS: Relation = Relation {
    name: "freshness",
    assumes: "what was entered is in its list at once sometimes, if ever",
    silent_when: "it was, or was missing on fewer than three screens; it was awaited, or a press on the page brought it",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let entered = trail.tokens().iter().filter(|token| !token.is_query);
    entered.filter_map(|token| says(trail, token)).collect()
}

fn says(trail: &Trail<'_>, token: &Token<'_>) -> Option<Said> {
    let (arrived, list, row) = arrival(trail, token)?;
    let shown = trail.shot(arrived)?;
    let entered = (token.typed..arrived).rev().find(|number| is_shown(trail, *number, token))?;
    let mut seen = (entered + 1..arrived).filter_map(|number| Some((number, trail.shot(number)?)));
    let missed = seen.find(|(_, shot)| shot.shows_page() && shot.is_same_place(shown));
    let kind = if token.replaced.trim().is_empty() { "new" } else { "changed" };
    let about = fingerprint(&[&shown.seen.screen.activity, &list.id, kind]);
    let kept = || Said::Held(Held::new(FRESHNESS.name, about, fingerprint(&[&trail.page_name(token.typed)])));
    let Some((missed, before)) = missed else {
        return is_there_all_the_time(trail, token, arrived).then(kept);
    };
    let is_awaited = |number: usize| trail.shot(number).is_some_and(|shot| shot.kind() == EventKind::Wait);
    if (missed + 1..=arrived).all(is_awaited) {
        return Some(kept());
    }
    let is_asked = !shown.kind().is_navigation() && is_pressed_there(trail, arrived);
    if is_asked || !would_be_in_view(before, list) {
        return None;
    }
    let sentence = format!(
        "{} was entered, but the list shows it only after {}.",
        quoted(token.text),
        after(shown.kind())
    );
    Some(Said::Broken(Box::new(Break {
        cause: Cause::Own,
        page: trail.page_name(arrived),
        list: list.id.clone(),
        event: EventKind::Click,
        what: kind.to_owned(),
        expected: "what was entered is in its list as soon as the list is seen again".into(),
        found: sentence.clone(),
        sentence,
        // The page without it lies between.
        shots: (entered, arrived),
        widgets: (field(trail, entered, token), row.note(shown.layout())),
        claim: Some(Claim::new(FRESHNESS.name, about, NEVER)),
        harm: Harm::WrongDisplay,
        slight: false,
    })))
}

/// The first page with a row that shows the token, before the same is typed again.
fn arrival<'t>(trail: &'t Trail<'_>, token: &Token<'_>) -> Option<(usize, &'t List, &'t Row)> {
    let spelled = folded(token.text);
    let says_it = |row: &Row| row.cells.iter().any(|cell| holds_word(&folded(&cell.text), &spelled));
    let later = (token.typed + 1..token.until).map_while(|number| Some((number, trail.shot(number)?)));
    let pages = later.filter(|(_, shot)| shot.shows_page());
    pages.into_iter().find_map(|(number, shot)| {
        // A field that still holds it may stand in a row.
        if shot.look().fields.iter().any(|field| field.text.contains(token.text)) {
            return None;
        }
        let mut rows = shot.lists().iter().flat_map(|list| list.rows.iter().map(move |row| (list, row)));
        let (list, row) = rows.find(|(_, row)| says_it(row))?;
        Some((number, list, row))
    })
}

/// Whether the token stands anywhere on a shot; it did on the one that it was typed on.
fn is_shown(trail: &Trail<'_>, number: usize, token: &Token<'_>) -> bool {
    number <= token.typed + 1 || trail.shot(number).is_none_or(|shot| shot.shows(token.text))
}

/// Whether the page was there when the text was typed, and nothing but going back has made it anew since.
fn is_there_all_the_time(trail: &Trail<'_>, token: &Token<'_>, arrived: usize) -> bool {
    let is_it = |shot: &Shot<'_>| trail.shot(arrived).is_some_and(|shown| shot.is_same_page(shown));
    let before = trail.shots().get(..=token.typed).unwrap_or_default().iter().rposition(is_it);
    before.is_some_and(|before| {
        let events = trail.shots().get(before + 1..=arrived).unwrap_or_default();
        events.iter().all(|shot| shot.kind() == EventKind::Back || !shot.kind().is_navigation())
    })
}

/// Whether the press that led to a shot was made on its page itself, or in a menu above it.
fn is_pressed_there(trail: &Trail<'_>, number: usize) -> bool {
    let (Some(after), Some(before)) = (trail.shot(number), trail.shot(number - 1)) else { return false };
    let look = before.look();
    let is_above = !before.is_covered() || look.window == Window::Menu || look.drawer_open;
    is_above && trail.shot(trail.opener(number - 1)).is_some_and(|page| page.is_same_page(after))
}

/// The field that held the token last: with another text it is another case.
fn field(trail: &Trail<'_>, number: usize, token: &Token<'_>) -> Vec<WidgetNote> {
    let Some(shot) = trail.shot(number) else { return Vec::new() };
    let spelled = folded(token.text);
    let holds = |field: &&Field| folded(&field.text).contains(&spelled);
    let held = shot.look().fields.iter().find(holds);
    held.and_then(|field| shot.layout().get(field.widget)).map(WidgetNote::of).into_iter().collect()
}

/// Whether a row that is missing would be seen: the list shows all its rows, or has none.
fn would_be_in_view(shot: &Shot<'_>, list: &List) -> bool {
    let mut same = shot.lists().iter().filter(|other| other.id == list.id);
    same.next().is_none_or(|list| list.complete) && same.next().is_none()
}

/// What made the page anew, after which it shows the row.
fn after(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Rotate => "the phone was turned",
        EventKind::Relaunch | EventKind::Kill => "the app was started again",
        EventKind::Home | EventKind::Launch => "the app was left and opened again",
        _ => "something else was opened",
    }
}

#[cfg(test)]
#[path = "freshness_tests.rs"]
mod tests;
