//! The Explorer by rules: fields first, then what confirms them; otherwise what was tried least, preferring other kinds
//! of widgets over more of the same; back when a page has nothing new.

use std::cmp::Reverse;

use serde_json::json;

use super::line::{Named, split};
use super::{first_number, section};

/// Words to type: none that an app could know, and short enough for any field.
const WORDS: [&str; 8] = ["Amber", "Birch", "Coral", "Dune", "Ember", "Fjord", "Grove", "Heron"];

/// Times a field is filled before it has to wait its turn like every other widget.
const MOST_FILLS: usize = 3;

struct Offer {
    number: usize,
    named: Named,
    ways: Vec<Way>,
}

#[derive(Clone)]
struct Way {
    name: String,
    /// Tried on it, on its kind, on it in earlier tests.
    on_it: usize,
    on_kind: usize,
    earlier: usize,
}

pub fn answer(text: &str) -> String {
    let number = first_number(section(text, "Test\n")).unwrap_or(1);
    let listed = section(text, "Widgets that can be operated");
    let offers: Vec<Offer> = listed.lines().filter_map(offer).collect();
    let back = listed.lines().find_map(|line| line.strip_prefix("back ")).unwrap_or("0");
    let dialog = section(text, "App").contains(", a dialog of ");
    choose(&offers, back, dialog, number).to_string()
}

/// `3. Button "Save" #save | button 2 of 3 | click 0/3/2, long-click 0/1/0`
fn offer(line: &str) -> Option<Offer> {
    let (number, rest) = line.split_once(". ")?;
    let number = number.parse().ok()?;
    let mut parts = split(rest, " | ");
    let mut ways: Vec<Way> = parts.pop()?.split(", ").filter_map(way).collect();
    if ways.iter().any(|way| way.name == "type") {
        // A click into a field does nothing that typing does not.
        ways.retain(|way| way.name == "type");
    }
    Some(Offer { number, named: Named::read(&parts.join(" | ")), ways })
}

fn way(text: &str) -> Option<Way> {
    let (name, counts) = text.trim().split_once(' ')?;
    let mut counts = counts.split('/').map_while(|count| count.parse().ok());
    Some(Way {
        name: name.to_owned(),
        on_it: counts.next()?,
        on_kind: counts.next()?,
        earlier: counts.next()?,
    })
}

fn choose(offers: &[Offer], back: &str, dialog: bool, number: usize) -> serde_json::Value {
    let typing = |offer: &&Offer| offer.ways.iter().any(|way| way.name == "type");
    let empty =
        offers.iter().filter(typing).find(|offer| !offer.named.has("filled") && fills(offer) < MOST_FILLS);
    if let Some(field) = empty {
        return fill(field, number);
    }
    let filled = offers.iter().any(|offer| offer.named.has("filled"));
    let confirming = offers
        .iter()
        .filter(|offer| offer.named.is_last_button() && !typing(offer) && !offer.named.has("top left"));
    if filled || dialog {
        // Occasionally a page is left without confirming.
        let best =
            confirming.min_by_key(|o| (tries(o), Reverse(o.named.bar.map_or(0, |(_, of)| of)), o.number));
        if let Some(best) = best {
            let drops = (tries(best) + number) % 4 == 3;
            return if drops && filled { go_back() } else { act(best, "click") };
        }
    }
    let backs = first_number(back).unwrap_or(0);
    let leaves = back.contains("leaves the app");
    let count = offers.len().max(1);
    let candidates = offers.iter().flat_map(|offer| offer.ways.iter().map(move |way| (offer, way)));
    // One more try on the same widget counts as much as two on others of its kind.
    let score = |offer: &Offer, way: &Way| {
        // Looking further down a list, and going up, come after what is in sight.
        let late = way.name == "swipe" || offer.named.has("top left");
        way.on_it * 2 + way.on_kind + usize::from(late) * 2
    };
    let rank = |(offer, way): &(&Offer, &Way)| {
        (score(offer, way), way.earlier, (offer.number + number * 7) % count, offer.number)
    };
    match candidates.min_by_key(rank) {
        Some((offer, way)) if leaves || score(offer, way) <= 3 * backs + 2 => {
            if way.name == "type" {
                fill(offer, number)
            } else {
                act(offer, &way.name)
            }
        }
        _ => go_back(),
    }
}

fn fills(offer: &Offer) -> usize {
    offer.ways.iter().filter(|way| way.name == "type").map(|way| way.on_it).sum()
}

fn tries(offer: &Offer) -> usize {
    offer.ways.iter().map(|way| way.on_it).sum()
}

/// A word that has not been typed before, or a number if the field shows one or words did not work.
fn fill(field: &Offer, number: usize) -> serde_json::Value {
    let (on_it, on_kind) =
        field.ways.iter().find(|w| w.name == "type").map_or((0, 0), |w| (w.on_it, w.on_kind));
    let held = field.named.value("holds").unwrap_or_default();
    let serial = number * 10 + on_kind;
    let numeric = held.parse::<f64>().is_ok() || on_it % 3 == 2;
    let word = WORDS.get((serial + field.number) % WORDS.len()).copied().unwrap_or("Amber");
    let text = if numeric { format!("{}", serial % 90 + 10) } else { format!("{word}{serial}") };
    reply("type", Some(field.number), Some(text), "a field to fill")
}

fn act(offer: &Offer, way: &str) -> serde_json::Value {
    let way = if offer.ways.iter().any(|own| own.name == way) {
        way
    } else {
        offer.ways.first().map_or(way, |own| own.name.as_str())
    };
    reply(way, Some(offer.number), None, "tried least")
}

fn go_back() -> serde_json::Value {
    reply("back", None, None, "nothing new here")
}

fn reply(action: &str, widget: Option<usize>, text: Option<String>, why: &str) -> serde_json::Value {
    json!({
        "action": action,
        "widget": widget,
        "direction": (action == "swipe").then_some("up"),
        "text": text,
        "then": "nothing",
        "why": why,
    })
}
