//! The canonical string of a violation: what makes two verdicts the same bug.
//!
//! One bug shows in many pairs (i, j), in everything that follows from it, and with other texts
//! on every seed. So the key is taken from one *witness*: the pair that shows the bug first and
//! most narrowly. It names activity, kind of effect, widget and context by class and resource-id;
//! texts only where there is no id, without digits and dates; never coordinates or positions.
//! When the effect is that of a single event of the seed, the event belongs to the key, and so does
//! whether it happened otherwise (on something else) or not at all: deleting the wrong picture is
//! neither adding the wrong one nor deleting none. What the inserted trace did itself is told
//! apart from what it only led to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use droidmux_gui::{Event, Widget, context_node};
use droidmux_record::EffectKind;

use super::comparison::Comparison;
use super::lost::{Lost, Named};
use crate::passing::{is_passing_value, lasting};
use crate::playback::Playback;

/// The effects of the witness: of the pairs that did not diverge (or, failing that, of those that
/// did) the one with the earliest later layout, then with the fewest effects, then the shortest.
/// What looks like a date or a count comes last.
pub(super) fn witness<'l, 'a>(lost: &'l [Lost<'a>]) -> Vec<&'l Lost<'a>> {
    let mut sizes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    lost.iter().for_each(|l| *sizes.entry(l.couple.seed).or_default() += 1);
    let order = |l: &&Lost<'_>| {
        let (i, j) = l.couple.seed;
        (l.diverged, j, sizes.get(&(i, j)).copied(), std::cmp::Reverse(i))
    };
    let Some(first) = lost.iter().min_by_key(order) else { return Vec::new() };
    let mut witness: Vec<&Lost<'_>> = lost.iter().filter(|l| l.couple.seed == first.couple.seed).collect();
    witness.sort_by_key(|l| shows_passing_value(l));
    witness
}

/// The canonical string of a witness. `touched`: the inserted trace itself changes a widget of it.
pub(super) fn key(
    witness: &[&Lost<'_>],
    seed: &Playback<'_>,
    comparison: &Comparison<'_>,
    touched: bool,
) -> String {
    let otherwise = witness.first().map(|lost| comparison.otherwise(lost.couple, identity));
    let otherwise = otherwise.unwrap_or_default();
    let lines: BTreeSet<String> = witness.iter().map(|lost| line(lost, &otherwise)).collect();
    let mut key: Vec<String> = Vec::new();
    if touched {
        key.push("changed by the inserted trace".into());
    }
    if let Some(event) = witness.first().and_then(|lost| single_event(lost, seed)) {
        key.push(format!("by {} {}", event.kind.name(), receiver_identity(event)));
    }
    key.extend(lines);
    key.join("\n")
}

/// An event in words: `click "Save"`.
pub(super) fn describe_event(event: &Event) -> String {
    let name = event.kind.name();
    match &event.receiver {
        None => name.to_owned(),
        Some(receiver) => {
            let texts = [&receiver.text, &receiver.description];
            let short_id = receiver.resource_id.rsplit('/').next().unwrap_or_default();
            let class = receiver.class.rsplit('.').next().unwrap_or_default();
            match texts.into_iter().find(|text| !text.is_empty()) {
                Some(text) => format!("{name} {:?}", short(text)),
                None if !short_id.is_empty() => format!("{name} {short_id}"),
                None => format!("{name} {class}"),
            }
        }
    }
}

fn shows_passing_value(lost: &Lost<'_>) -> bool {
    let (before, after) = lost.widgets();
    before.into_iter().chain(after).any(|w| is_passing_value(w.text()) || is_passing_value(w.description()))
}

/// The event of the seed whose own effect this is: that between two layouts in a row.
pub(super) fn single_event<'a>(lost: &Lost<'_>, seed: &Playback<'a>) -> Option<&'a Event> {
    let (i, j) = lost.couple.seed;
    (i + 1 == j).then(|| seed.trace.steps.get(i - 1).map(|step| step.event))?
}

/// `otherwise`: what the mutant does that the seed does not.
fn line(lost: &Lost<'_>, otherwise: &HashSet<Named>) -> String {
    let kind = match lost.kind() {
        EffectKind::Deleted => "deleted",
        EffectKind::Added => "added",
        EffectKind::Changed => "changed",
    };
    let (before, after) = lost.widgets();
    let mut names: Vec<String> = before.into_iter().chain(after).map(identity).collect();
    names.dedup();
    let context = before.or(after).and_then(context_node).map(identity_without_text).unwrap_or_default();
    let instead = if lost.diverged {
        format!("instead {}", lost.couple.mutant_shots.1.activity())
    } else if otherwise.contains(&lost.named(identity)) {
        "otherwise".into()
    } else {
        "not at all".into()
    };
    let activity = lost.couple.shots.1.activity();
    format!("{activity} {kind} {} in {context}: {instead}", names.join(" to "))
}

/// Class and id; without an id the description, or else the text.
fn identity(widget: Widget<'_>) -> String {
    name(widget.class(), widget.resource_id(), [widget.description(), widget.text()])
}

fn identity_without_text(widget: Widget<'_>) -> String {
    name(widget.class(), widget.resource_id(), ["", ""])
}

fn receiver_identity(event: &Event) -> String {
    let Some(receiver) = &event.receiver else { return String::new() };
    name(&receiver.class, &receiver.resource_id, [&receiver.description, &receiver.text])
}

fn name(class: &str, resource_id: &str, texts: [&str; 2]) -> String {
    match (resource_id, texts.into_iter().find(|text| !text.is_empty())) {
        ("", None) => class.to_owned(),
        ("", Some(text)) => format!("{class} {:?}", lasting(text)),
        (id, _) => format!("{class}#{id}"),
    }
}

/// A widget in words: `TextView "Milk"`.
pub(super) fn describe(widget: Option<Widget<'_>>) -> String {
    let Some(widget) = widget else { return "a widget".into() };
    let class = widget.short_class();
    let label = [widget.text(), widget.description()].into_iter().find(|text| !text.is_empty());
    match (label, widget.short_id()) {
        (Some(label), _) if !widget.has(droidmux_gui::Flags::PASSWORD) => {
            format!("{class} {:?}", short(label))
        }
        (_, "") => class.to_owned(),
        (_, id) => format!("{class} {id}"),
    }
}

/// The first 40 characters of the first line.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
