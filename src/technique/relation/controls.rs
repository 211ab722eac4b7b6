//! Persistence of controls: a control that a page usually has is there.
//!
//! A control is a widget beside the rows that can be touched or typed into, known by its id or else by its words. It
//! belongs to the page and its mode (`droidmux_account::place`), which way the phone is held, whether there are rows and
//! under which headings, how many fields are empty. That a control is there is a habit, in nine of ten cases. It counts as
//! missing if the trace has shown it before beside the same texts: the pages of two things may differ in what can be done
//! with them. What came to a page that had been without it may go again: a panel that was opened is closed.
//!
//! Assumes that what can be done on a page depends on its mode and on what it shows, not on what was done before.
//!
//! Silent below that; about what lies in a list or scrolls with the page, controls whose place another one has taken,
//! and counters; about pages on which, along with it, other controls or texts came or texts changed or went; with the
//! keyboard up, after scrolling (buttons hide), and while a setting of the phone is changed.
//!
//! ```text
//! ┌ Notes    🔍 ⋮ ┐   …    ┌ Notes       ⋮ ┐
//! │ milk          │ ─────▶ │ milk          │
//! └───────────────┘        └───────────────┘
//! 'Search' is missing on 'Notes', where it usually is.
//! ```

use crate::claims::STRICT;
use std::collections::{BTreeMap, BTreeSet};

use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use droidmux_account::look::{control_name, widget_words};
use droidmux_gui::{EventKind, Flags, Widget, WidgetId};
use droidmux_record::{Claim, Harm, Held, WidgetNote};

pub static CONTROLS: Relation = Relation {
    name: "controls",
    assumes: "What can be done on a page depends on its mode and on what it shows, not on what was done before.",
    silent_when: "The control was there in fewer than nine of ten cases; the page says something else; the \
                  control lies in a list or scrolls with the page, counts something, or others came in its \
                  place; the keyboard is up; the page was scrolled; a setting of the phone is changed.",
    judge,
};

/// Controls looked at on a page, at most.
const MOST: usize = 40;

/// Different texts beside which one control is remembered, at most.
const MOST_SIGHTINGS: usize = 16;

/// Situations in which one control is told to be there, of one trace.
const MOST_SITUATIONS: usize = 3;

/// Where the controls of a page and mode were seen, once beside each different texts.
type Known = BTreeMap<String, BTreeMap<String, Vec<(usize, WidgetId)>>>;

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let mut known = Known::new();
    let mut told: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    // Those of which nothing is told any more: it was told, or they came and so may go.
    let mut settled: BTreeSet<(String, String)> = BTreeSet::new();
    let mut visits: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, shot) in trail.shots().iter().enumerate() {
        if !is_fit(trail, number) {
            continue;
        }
        let (place, situation) = (mode(trail, number), trail.situation(number));
        let own = controls(shot);
        let before = known.entry(place.clone()).or_default();
        for (name, sightings) in before.iter() {
            if own.iter().any(|(other, _)| other == name) {
                continue;
            }
            let misses = |(seen, widget): &&(usize, WidgetId)| {
                trail.shot(*seen).is_some_and(|seen| {
                    is_beside(seen, shot)
                        && !seen.place().has_turned_into(shot.place())
                        && !is_replaced(seen, *widget, shot)
                })
            };
            let Some((seen, widget)) = sightings.iter().find(misses) else { continue };
            if settled.insert((place.clone(), name.clone())) {
                let broken = broken(trail, (*seen, number), &place, name, *widget);
                said.push(Said::Broken(Box::new(broken)));
            }
        }
        for (name, widget) in own {
            let about = fingerprint(&["controls", &place, &name]);
            let earlier = visits.get(&place).map_or(&[][..], Vec::as_slice);
            if !before.contains_key(&name) && came(trail, earlier, shot, &name) {
                settled.insert((place.clone(), name.clone()));
            }
            let sightings = before.entry(name).or_default();
            let known = told.entry(about).or_default();
            if known.len() < MOST_SITUATIONS && known.insert(situation) {
                said.push(Said::Held(Held::new(CONTROLS.name, about, situation)));
            }
            let known =
                |(seen, _): &(usize, WidgetId)| trail.shot(*seen).is_some_and(|seen| is_beside(seen, shot));
            if sightings.len() < MOST_SIGHTINGS && !sightings.iter().any(known) {
                sightings.push((number, widget.id()));
            }
        }
        visits.entry(place).or_default().push(number);
    }
    said
}

/// Whether one of these shots, of the same page and mode, was without a control that this one has, beside the same texts.
fn came(trail: &Trail<'_>, visits: &[usize], shot: &Shot<'_>, control: &str) -> bool {
    let earlier = visits.iter().filter_map(|&number| trail.shot(number));
    earlier
        .filter(|earlier| is_beside(earlier, shot))
        .any(|earlier| controls(earlier).iter().all(|(name, _)| name != control))
}

/// The same texts stand beside the rows.
fn is_beside(seen: &Shot<'_>, shot: &Shot<'_>) -> bool {
    seen.place().has_labels_of(shot.place())
}

/// Whether the whole page is there to be seen.
fn is_fit(trail: &Trail<'_>, number: usize) -> bool {
    let Some(shot) = trail.shot(number).filter(|shot| shot.shows_page() && !shot.seen.screen.keyboard) else {
        return false;
    };
    let here = |other: &&Shot<'_>| other.seen.screen.activity == shot.seen.screen.activity;
    let visit = trail.shots().get(..=number).unwrap_or_default().iter().rev().take_while(here);
    let set = trail.shots().iter().take(number + 1).any(|shot| matches!(shot.kind(), EventKind::Set(_)));
    shot.snackbar().is_none()
        && !set
        && !visit.into_iter().any(|shot| matches!(shot.kind(), EventKind::Scroll(_)))
}

/// The page and all that its controls may depend on.
fn mode(trail: &Trail<'_>, number: usize) -> String {
    let Some(shot) = trail.shot(number) else { return String::new() };
    let (look, own) = (shot.look(), &shot.place().mode);
    let rows = if shot.lists().is_empty() { "empty".to_owned() } else { format!("rows {}", headings(shot)) };
    let asked = if look.search().is_some_and(|field| !field.text.is_empty()) { " asked" } else { "" };
    let blank = look.fields.iter().filter(|field| field.text.is_empty()).count();
    let toggles: Vec<String> = own.toggles.iter().map(|(key, state)| format!("{key}={state}")).collect();
    let ticked = if own.boxes.values().any(|boxed| *boxed) { " to tick" } else { "" };
    let (page, turned) = (trail.page_name(number), shot.seen.screen.rotation);
    let kind = own.kind.name();
    format!("{page}/{turned}/{rows}{ticked}/{kind}{asked}/{blank}/{}", toggles.join(","))
}

/// What the rows say that cannot be touched, numbers left out, each once.
fn headings(shot: &Shot<'_>) -> String {
    let rows = shot.lists().iter().flat_map(|list| &list.rows);
    let untouchable = rows.filter(|row| {
        let node = shot.layout().get(row.node);
        node.is_some_and(|node| !node.subtree().any(|widget| widget.is_actionable()))
    });
    let words = |label: &str| label.chars().filter(|c| !c.is_numeric()).collect::<String>();
    untouchable
        .map(|row| words(&row.label))
        .collect::<BTreeSet<String>>()
        .into_iter()
        .collect::<Vec<_>>()
        .join("|")
}

/// The controls of a page with the names by which they are known again.
fn controls<'s>(shot: &'s Shot<'_>) -> Vec<(String, Widget<'s>)> {
    let in_list = |widget: Widget<'_>| shot.lists().iter().any(|list| widget.is_inside(list.node));
    // A row without a text, a picture perhaps, makes no list that can be compared, and is data all the same.
    let is_data = |above: Widget<'_>| above.is_list() || above.has(Flags::SCROLLABLE);
    let is_content = |widget: Widget<'_>| in_list(widget) || widget.ancestors().any(is_data);
    let own = shot
        .layout()
        .widgets()
        .filter(|widget| widget.is_actionable() && widget.is_touchable() && !is_content(*widget));
    own.filter(|widget| !counts(*widget))
        .filter_map(|widget| Some((control_name(widget)?, widget)))
        .take(MOST)
        .collect()
}

/// What has a number in its words, a field apart, counts something, and may go when there is nothing to count.
fn counts(widget: Widget<'_>) -> bool {
    !widget.is_editable() && widget_words(widget).chars().any(char::is_numeric)
}

/// Something that can be touched stands where the control stood: it has another face, or moved up.
fn is_replaced(first: &Shot<'_>, control: WidgetId, shot: &Shot<'_>) -> bool {
    let Some(was) = first.layout().get(control) else { return true };
    let middle = was.bounds().center();
    let over = |widget: &Widget<'_>| {
        let bounds = widget.bounds();
        bounds.left <= middle.x
            && middle.x < bounds.right
            && bounds.top <= middle.y
            && middle.y < bounds.bottom
    };
    shot.layout().widgets().any(|widget| widget.is_actionable() && over(&widget))
}

fn broken(trail: &Trail<'_>, shots: (usize, usize), place: &str, name: &str, control: WidgetId) -> Break {
    let (first, shot) = (trail.shot(shots.0), trail.shot(shots.1));
    let note: Vec<WidgetNote> =
        first.and_then(|shot| shot.layout().get(control)).map(WidgetNote::of).into_iter().collect();
    let word = first.map(|shot| shot.word(control)).filter(|word| !word.is_empty());
    let word = quoted(&word.unwrap_or_else(|| name.to_owned()));
    let title = shot.map(|shot| shot.look().title.clone()).filter(|title| !title.is_empty());
    let page = title.map_or_else(|| "a page".to_owned(), |title| quoted(&title));
    Break {
        cause: Cause::Own,
        page: trail.page_name(shots.1),
        list: String::new(),
        // It is missing, whatever was done last.
        event: EventKind::Wait,
        what: format!("missing {name}"),
        sentence: format!("{word} is missing on {page}, where it usually is."),
        expected: format!("{page} has {word} whenever it is in this mode."),
        found: format!("{word} is not there."),
        shots,
        widgets: (note, Vec::new()),
        claim: Some(Claim::new(CONTROLS.name, fingerprint(&["controls", place, name]), STRICT)),
        harm: Harm::LostFunction,
        slight: false,
    }
}

#[cfg(test)]
#[path = "controls_tests.rs"]
mod tests;
