//! The Explorer by rules: fields first, then what confirms them; otherwise what was tried least, preferring other kinds
//! of widgets over more of the same; back when a page has nothing new.

use std::cmp::Reverse;

use serde_json::{Value, json};

use crate::visiondroid::explorer::{Scene, Tries, backs, is_filled};
use crate::visiondroid::phrase;
use droidmux_gui::{Interaction, Widget};

/// Words to type: none that an app could know, and short enough for any field.
const WORDS: [&str; 8] = ["Amber", "Birch", "Coral", "Dune", "Ember", "Fjord", "Grove", "Heron"];

/// Times a field is filled before it has to wait its turn like every other widget.
const MOST_FILLS: usize = 3;

struct Offer<'a> {
    number: usize,
    widget: Widget<'a>,
    filled: bool,
    in_corner: bool,
    ways: Vec<(Interaction, Tries)>,
}

impl Offer<'_> {
    fn is_field(&self) -> bool {
        self.way(Interaction::Type).is_some()
    }

    fn way(&self, way: Interaction) -> Option<Tries> {
        self.ways.iter().find(|(own, _)| *own == way).map(|(_, tries)| *tries)
    }

    fn tries(&self) -> usize {
        self.ways.iter().map(|(_, tries)| tries.on_it).sum()
    }
}

/// The next action.
pub(super) fn choice(scene: &Scene<'_>) -> Value {
    let layout = scene.facts.layout();
    let offers = scene.operable.iter().filter_map(|operable| {
        let widget = layout.get(operable.widget)?;
        let mut ways: Vec<(Interaction, Tries)> =
            operable.interactions.iter().map(|way| (*way, Tries::of(scene, widget, *way))).collect();
        if ways.iter().any(|(way, _)| *way == Interaction::Type) {
            // A click into a field does nothing that typing does not.
            ways.retain(|(way, _)| *way == Interaction::Type);
        }
        Some(Offer {
            number: usize::try_from(operable.number).ok()?,
            widget,
            filled: widget.is_editable() && is_filled(scene, widget),
            in_corner: phrase::is_in_corner(widget),
            ways,
        })
    });
    let offers: Vec<Offer<'_>> = offers.collect();
    let number = usize::try_from(scene.number).unwrap_or(1);
    let here = scene.chronicle.here().and_then(|here| scene.chronicle.pages.get(here.page));
    choose(&offers, backs(scene), here.is_some_and(|page| page.is_window), number)
}

fn choose(offers: &[Offer<'_>], (backs, leaves): (usize, bool), window: bool, number: usize) -> Value {
    let fills = |offer: &&Offer<'_>| offer.way(Interaction::Type).is_some_and(|way| way.on_it < MOST_FILLS);
    if let Some(field) = offers.iter().filter(fills).find(|offer| !offer.filled) {
        return fill(field, number);
    }
    let filled = offers.iter().any(|offer| offer.filled);
    let confirming = offers
        .iter()
        .filter(|offer| phrase::is_last_in_bar(offer.widget) && !offer.is_field() && !offer.in_corner);
    if filled || window {
        // Occasionally a page is left without confirming.
        let of = |offer: &Offer<'_>| phrase::place_in_bar(offer.widget).map_or(0, |(_, of)| of);
        let best = confirming.min_by_key(|offer| (offer.tries(), Reverse(of(offer)), offer.number));
        if let Some(best) = best {
            let drops = (best.tries() + number) % 4 == 3;
            return if drops && filled { go_back() } else { act(best, Interaction::Click) };
        }
    }
    let count = offers.len().max(1);
    let candidates = offers.iter().flat_map(|offer| offer.ways.iter().map(move |way| (offer, way)));
    // One more try on the same widget counts as much as two on others of its kind.
    let score = |offer: &Offer<'_>, (way, tries): &(Interaction, Tries)| {
        // Looking further down a list, and going up, come after what is in sight.
        let late = *way == Interaction::Swipe || offer.in_corner;
        tries.on_it * 2 + tries.on_kind + usize::from(late) * 2
    };
    let rank = |(offer, way): &(&Offer<'_>, &(Interaction, Tries))| {
        (score(offer, way), way.1.earlier, (offer.number + number * 7) % count, offer.number)
    };
    match candidates.min_by_key(rank) {
        Some((offer, way)) if leaves || score(offer, way) <= 3 * backs + 2 => match way.0 {
            Interaction::Type => fill(offer, number),
            way => act(offer, way),
        },
        _ => go_back(),
    }
}

/// A word that has not been typed before, or a number if the field shows one or words did not work.
fn fill(field: &Offer<'_>, number: usize) -> Value {
    let (on_it, on_kind) = field.way(Interaction::Type).map_or((0, 0), |way| (way.on_it, way.on_kind));
    let serial = number * 10 + on_kind;
    let numeric = field.widget.text().parse::<f64>().is_ok() || on_it % 3 == 2;
    let word = WORDS.get((serial + field.number) % WORDS.len()).copied().unwrap_or("Amber");
    let text = if numeric { format!("{}", serial % 90 + 10) } else { format!("{word}{serial}") };
    reply("type", Some(field.number), Some(text), "a field to fill")
}

fn act(offer: &Offer<'_>, way: Interaction) -> Value {
    let first = offer.ways.first().map_or(way, |(own, _)| *own);
    let way = if offer.way(way).is_some() { way } else { first };
    reply(way.name(), Some(offer.number), None, "tried least")
}

fn go_back() -> Value {
    reply("back", None, None, "nothing new here")
}

fn reply(action: &str, widget: Option<usize>, text: Option<String>, why: &str) -> Value {
    json!({
        "action": action,
        "widget": widget,
        "direction": (action == "swipe").then_some("up"),
        "text": text,
        "then": "nothing",
        "why": why,
    })
}
