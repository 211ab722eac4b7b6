//! A violation described as a person would describe it.
//!
//! In: what explanations look at. Out: one sentence (what was done, what was expected, after what it did not
//! happen, and what happened instead), what it does to people, and what violations of one cause have in common.

use crate::explain::{Case, Difference, Struck, struck};
use crate::sentence::{self, quoted};
use droidmux_account::apart;
use droidmux_gui::{EventKind, Widget, context_node, row_of};
use droidmux_record::{EffectKind, Harm};

/// The sentence. `diverged`: the mutant came to another page.
pub(super) fn title(case: &Case<'_>, diverged: bool) -> String {
    let (deed, inserted) = (deed(case), inserted(case));
    if let Some(Struck { kind, meant, struck }) = struck(case).filter(|_| !diverged) {
        let does = if kind == EffectKind::Deleted { "removes" } else { "changes" };
        let (is, was) = apart(&struck, &meant);
        let told = format!("after {inserted}, {deed} {does} {is} instead of {was}");
        return sentence::sentence(&told);
    }
    let (expected, instead) = match (case.arrivals(), foremost(&case.lost)) {
        (Some(arrivals), _) => arrivals,
        (None, None) => ("does what it did before".into(), "it does something else".into()),
        (None, Some(lost)) => (expected(lost), instead(case, lost)),
    };
    sentence::sentence(&format!("{deed} {expected}, but not after {inserted}: {instead}"))
}

fn instead(case: &Case<'_>, lost: Difference<'_>) -> String {
    match lost.kind {
        EffectKind::Deleted => not_removed(case, lost),
        EffectKind::Added => not_added(case, lost),
        EffectKind::Changed => not_changed(case, lost),
    }
}

/// What a person loses when they run into it.
pub(super) fn harm(case: &Case<'_>, diverged: bool) -> Harm {
    if diverged {
        return Harm::LostFunction;
    }
    if struck(case).is_some() {
        return Harm::WrongObject;
    }
    let Some(lost) = foremost(&case.lost) else { return Harm::WrongDisplay };
    let in_row = lost.widget().and_then(row_of).is_some();
    let takes_row = case
        .instead
        .iter()
        .any(|other| other.kind == EffectKind::Deleted && other.before.and_then(row_of).is_some());
    match lost.kind {
        EffectKind::Added if in_row => Harm::LostData,
        _ if takes_row => Harm::LostData,
        EffectKind::Deleted => Harm::LostFunction,
        EffectKind::Added if lost.after.is_some_and(Widget::is_actionable) => Harm::LostFunction,
        EffectKind::Added | EffectKind::Changed => Harm::WrongDisplay,
    }
}

/// Equal for violations with one cause: what kind of change is lost, on which page, in which list, on what event.
pub(super) fn cluster(case: &Case<'_>) -> String {
    let Some(lost) = foremost(&case.lost) else { return String::new() };
    let kind = match lost.kind {
        EffectKind::Deleted => "deleted",
        EffectKind::Added => "added",
        EffectKind::Changed => "changed",
    };
    let page = case.usual.sight(case.usual_pair.1).map_or("", |sight| &sight.screen.activity);
    let list = lost.widget().and_then(context_node);
    let list = list.map(|list| format!("{}#{}", list.class(), list.resource_id())).unwrap_or_default();
    let event = case.usual_pair.1.checked_sub(1).and_then(|at| case.usual.event(at));
    format!("{kind} on {page} in {list} by {}", event.map_or("", |event| event.kind.name()))
}

/// The events of the seed between the two screens; the first and the last where there are more.
fn deed(case: &Case<'_>) -> String {
    let (i, j) = case.usual_pair;
    let last = j.checked_sub(1).and_then(|at| case.usual.deed(at));
    let first = case.usual.deed(i).filter(|_| i + 1 < j);
    match (first, last) {
        (Some(first), Some(last)) if i + 2 == j => format!("{first} and then {last}"),
        (Some(first), Some(last)) => format!("{first}, … and then {last}"),
        (_, Some(last)) => last,
        (first, None) => first.unwrap_or_else(|| "what was done".into()),
    }
}

/// What was inserted: the first text typed and the last thing clicked, else the first event and the last.
fn inserted(case: &Case<'_>) -> String {
    let at = case.extra.start.saturating_sub(1)..case.extra.end.saturating_sub(1);
    let kind = |n: &usize| case.deviant.event(*n).map(|event| event.kind);
    let first_edit = at.clone().find(|n| kind(n) == Some(EventKind::Edit));
    let first = first_edit.or_else(|| at.clone().find(|n| kind(n).is_some_and(|kind| !kind.is_navigation())));
    let first = first.unwrap_or(at.start);
    let mut later = (first + 1..at.end).rev();
    let last = later.find(|n| matches!(kind(n), Some(EventKind::Click | EventKind::LongClick)));
    match (case.deviant.deed(first), last.and_then(|n| case.deviant.deed(n))) {
        (Some(first), Some(last)) if first != last => format!("{first} and {last}"),
        (Some(first), _) => first,
        (None, last) => last.unwrap_or_else(|| "something else".into()),
    }
}

/// The change to report: one that people can read, or else one to something they can use.
fn foremost<'a>(changes: &[Difference<'a>]) -> Option<Difference<'a>> {
    let rank = |change: &&Difference<'_>| {
        let widgets = || change.before.into_iter().chain(change.after);
        let reads = widgets().any(|w| !w.text().is_empty());
        let told = widgets().any(|w| !w.description().is_empty());
        (!reads, !told, !widgets().any(Widget::is_actionable))
    };
    changes.iter().min_by_key(rank).copied()
}

fn expected(lost: Difference<'_>) -> String {
    let name = |widget: Option<Widget<'_>>| widget.map(object_name).unwrap_or_else(|| "something".into());
    match lost.kind {
        EffectKind::Deleted => format!("removes {}", name(lost.before)),
        EffectKind::Added => format!("brings {}", name(lost.after)),
        EffectKind::Changed if lost.before.map(Widget::class) != lost.after.map(Widget::class) => {
            format!("puts {} in the place of {}", name(lost.after), name(lost.before))
        }
        EffectKind::Changed => match (reading(lost.before), reading(lost.after)) {
            (Some(before), Some(after)) if before != after => {
                format!("turns {} into {}", quoted(&before), quoted(&after))
            }
            (None, Some(after)) => format!("fills {} with {}", blank_name(lost.before), quoted(&after)),
            (Some(before), None) => {
                format!("empties {}, which showed {}", blank_name(lost.after), quoted(&before))
            }
            _ => format!("changes {}", name(lost.before)),
        },
    }
}

fn not_removed(case: &Case<'_>, lost: Difference<'_>) -> String {
    match alike(case, lost).and_then(|other| other.before) {
        Some(other) => format!("{} goes instead", object_name(other)),
        None => "it stays".into(),
    }
}

fn not_added(case: &Case<'_>, lost: Difference<'_>) -> String {
    match alike(case, lost).and_then(|other| other.after) {
        Some(other) if reading(Some(other)) == reading(lost.after) => match sentence::row_label(other) {
            Some(row) if Some(&row) != reading(Some(other)).as_ref() => {
                format!("it comes to {}", quoted(&row))
            }
            _ => "it comes elsewhere".into(),
        },
        Some(other) if reading(Some(other)).is_some() => format!("{} comes instead", object_name(other)),
        _ => "it does not come".into(),
    }
}

fn not_changed(case: &Case<'_>, lost: Difference<'_>) -> String {
    match alike(case, lost).map(|other| reading(other.after)) {
        Some(Some(value)) => format!("there it becomes {}", quoted(&value)),
        Some(None) => "there it becomes empty".into(),
        None => "it stays as it was".into(),
    }
}

/// A change of the same kind, of a widget of the same class and id, that happens instead.
fn alike<'a>(case: &Case<'a>, lost: Difference<'_>) -> Option<Difference<'a>> {
    let sort =
        |change: Difference<'_>| change.widget().map(|w| (w.class().to_owned(), w.resource_id().to_owned()));
    case.instead.iter().copied().find(|other| other.kind == lost.kind && sort(*other) == sort(lost))
}

/// What a person reads on a widget.
fn reading(widget: Option<Widget<'_>>) -> Option<String> {
    let widget = widget?;
    let hidden = widget.has(droidmux_gui::Flags::PASSWORD);
    let texts = [if hidden { "" } else { widget.text() }, widget.description()];
    texts.into_iter().find(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// A widget by its row where the whole row is meant.
fn object_name(widget: Widget<'_>) -> String {
    sentence::widget(widget)
}

/// A widget that shows nothing.
fn blank_name(widget: Option<Widget<'_>>) -> String {
    widget.map_or_else(|| "it".into(), sentence::nameless)
}
