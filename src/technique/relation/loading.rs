//! Loading ends: no page keeps loading for a minute and over five screens.
//!
//! Assumes that whatever an app fetches or works out comes, or fails and says so.
//!
//! Silent while the network is switched off; about indicators that say how far the work has come; about pages that were
//! not seen without one three times: a gauge or a game may turn for ever.
//!
//! A simulated phone's screens follow each other within milliseconds, whatever its own clock says; there a step counts
//! as ten seconds, which is about what a person waits before they do something else.
//!
//! ```text
//! ┌ Search ─────┐  wait 30 s  ┌ Search ─────┐  …  ┌ Search ─────┐
//! │      ◌      │ ──────────▶ │      ◌      │ ──▶ │      ◌      │
//! └─────────────┘             └─────────────┘     └─────────────┘
//! 'Search' has been loading for 60 seconds and over 5 screens.
//! ```

use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::LOOSE;
use droidmux_gui::{DeviceSetting, EventKind};
use droidmux_record::{Claim, Harm, Held, WidgetNote};

pub static LOADING: Relation = Relation {
    name: "loading",
    assumes: "What is fetched or worked out comes, or fails and says so.",
    silent_when: "The network is switched off; the indicator says how far the work is; the page comes to rest too \
                  seldom.",
    judge,
};

/// How long it must have lasted, in milliseconds, and over how many screens.
const LONG: u64 = 60_000;
const SCREENS: usize = 5;

/// Steps that take less than this on average, in milliseconds, are those of a simulated phone.
const QUICK: u64 = 200;
/// What such a step counts as.
const STEP: u64 = 10_000;

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let mut from = 0;
    for number in 0..trail.shots().len() {
        let Some(shot) = trail.shot(number) else { break };
        if !spins(shot) {
            said.extend(finished(trail, number).map(Said::Held));
            from = number + 1;
            continue;
        }
        if trail.shot(from).is_none_or(|first| !first.is_same_page(shot)) {
            from = number;
        }
        let seconds = lasted(trail, from, number) / 1000;
        if number + 1 - from >= SCREENS && seconds * 1000 >= LONG && !is_offline(trail, number) {
            said.push(Said::Broken(Box::new(broken(trail, (from, number), seconds))));
            from = number + 1;
        }
    }
    said
}

fn spins(shot: &Shot<'_>) -> bool {
    shot.seen.screen.in_app && shot.layout().widgets().any(droidmux_gui::Widget::is_spinner)
}

fn about(trail: &Trail<'_>, number: usize) -> u64 {
    fingerprint(&["loading", &trail.page_name(number)])
}

fn finished(trail: &Trail<'_>, number: usize) -> Option<Held> {
    trail.shot(number).filter(|shot| shot.shows_page())?;
    Some(Held::new(LOADING.name, about(trail, number), trail.situation(number)))
}

/// How long the shots of a stretch lasted, in milliseconds.
fn lasted(trail: &Trail<'_>, from: usize, to: usize) -> u64 {
    let at = |number: usize| trail.shot(number).map_or(0, |shot| shot.at_ms);
    let steps = u64::try_from(to - from).unwrap_or_default();
    let waits: u64 = (from + 1..=to)
        .filter_map(|number| trail.shot(number)?.event)
        .map(|event| u64::from(event.seconds()) * 1000)
        .sum();
    let clock = at(to).saturating_sub(at(from));
    if clock < steps * QUICK { waits.max(steps * STEP) } else { clock.max(waits) }
}

fn is_offline(trail: &Trail<'_>, until: usize) -> bool {
    let set = EventKind::Set(DeviceSetting::Network);
    let last = trail.shots().iter().take(until + 1).rev().find(|shot| shot.kind() == set);
    last.is_some_and(|shot| shot.event.and_then(|event| event.data.as_deref()) == Some("off"))
}

fn broken(trail: &Trail<'_>, shots: (usize, usize), seconds: u64) -> Break {
    let notes = |number: usize| -> Vec<WidgetNote> {
        let widgets = trail.shot(number).into_iter().flat_map(|shot| shot.layout().widgets());
        widgets.filter(|widget| widget.is_spinner()).take(1).map(WidgetNote::of).collect()
    };
    let look = trail.shot(shots.1).map(Shot::look);
    let page = look.map(|look| look.title.as_str()).filter(|title| !title.is_empty());
    let page = page.map_or_else(|| "The page".to_owned(), quoted);
    let screens = shots.1 + 1 - shots.0;
    Break {
        cause: Cause::Own,
        page: trail.page_name(shots.1),
        list: String::new(),
        // What leads there differs from trace to trace.
        event: EventKind::Wait,
        what: "endless".into(),
        sentence: format!("{page} has been loading for {seconds} seconds and over {screens} screens."),
        expected: "Loading ends within a minute, with what was wanted or with a word of why not.".into(),
        found: format!("After {seconds} seconds and {screens} screens it is still loading."),
        shots,
        widgets: (notes(shots.0), notes(shots.1)),
        claim: Some(Claim::new(LOADING.name, about(trail, shots.1), LOOSE)),
        harm: Harm::LostFunction,
        slight: false,
    }
}

#[cfg(test)]
#[path = "loading_tests.rs"]
mod tests;
