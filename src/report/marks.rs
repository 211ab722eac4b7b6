//! Which parts of a violation can be seen on which screen of a finding's steps: boxes and words.
//!
//! In: the cells of a lane, and the evidence. Out: the same cells, marked. What a lane lacks is described there in
//! words and has no box, since it has no place.

use super::Shown;
use super::cell::{BoxKind, Boxed, Cell};
use droidmux_record::{Act, Evidence, JobRun, Observation, UnmatchedEffect, WidgetNote};

/// Marks the parts of the violation that can be seen on the screens of a test.
pub(super) fn mark(cells: &mut [Cell], shown: &Shown, test: u16) {
    let verdict = &shown.verdict;
    if let Evidence::Effects(effects) = &verdict.evidence {
        for effect in effects {
            mark_effect(cells, effect, test == verdict.test);
        }
        return;
    }
    if test != verdict.test {
        return;
    }
    let at = |turn: u32| number_of(&shown.run, turn);
    let mut note = |turn: u32, widgets: &[WidgetNote], words: &str| {
        let Some(cell) = at(turn).and_then(|number| cells.iter_mut().find(|cell| cell.number == number))
        else {
            return;
        };
        match widgets {
            [] => cell.marks.push(words.to_owned()),
            widgets => widgets.iter().for_each(|widget| point(cell, widget, words.to_owned())),
        }
    };
    match &verdict.evidence {
        Evidence::Broken(broken) => {
            note(broken.turns.0, &broken.widgets.0, &format!("expected: {}", broken.expected));
            note(broken.turns.1, &broken.widgets.1, &format!("found: {}", broken.found));
        }
        Evidence::Breach(breach) => note(breach.turn, &breach.widgets, &format!("found: {}", breach.found)),
        Evidence::Mismatch(mismatch) => note(
            mismatch.turn,
            mismatch.widget.as_slice(),
            &format!("the Detector objects: {}", mismatch.reasoning),
        ),
        Evidence::Mistreated(mistreated) => note(mistreated.turn, &[], mistreated.how.words()),
        Evidence::Signal { turn, signal } => note(*turn, &[], &signal.headline),
        Evidence::None | Evidence::Effects(_) | Evidence::Deviation(_) => {}
    }
}

/// An effect that the last event of one of two inputs has, marked on the screens of one of them: the last screen is its
/// result.
pub(super) fn mark_difference(cells: &mut [Cell], effect: &UnmatchedEffect, lacks: bool) {
    let (before, after) = (effect.before.as_ref(), effect.after.as_ref());
    // What should have disappeared can still be seen at the end.
    let at = cells.len().checked_sub(if after.is_some() || lacks { 1 } else { 2 });
    let (Some(cell), Some(note)) = (at.and_then(|at| cells.get_mut(at)), after.or(before)) else { return };
    let words = unmatched_words(effect, lacks);
    match lacks && after.is_some() {
        // What is missing has no place.
        true => cell.marks.push(words),
        false => point(cell, note, words),
    }
}

/// An effect of the seed: where it is present, and where the mutant lacks it.
fn mark_effect(cells: &mut [Cell], effect: &UnmatchedEffect, lacks: bool) {
    let (earlier, later) = if lacks { effect.mutant } else { effect.seed };
    // What disappears can be seen before, what appears can be seen after.
    let (number, widget) = match (&effect.before, &effect.after) {
        (_, Some(after)) => (later, Some(after)),
        (Some(before), None) => (if lacks { later } else { earlier }, Some(before)),
        (None, None) => (later, None),
    };
    let words = unmatched_words(effect, lacks);
    let Some(cell) = cells.iter_mut().find(|cell| cell.number == number) else { return };
    match widget {
        // A mutant does not show what it lacks: only what should have disappeared has a place.
        Some(widget) if !lacks || effect.after.is_none() => point(cell, widget, words),
        _ => cell.marks.push(words),
    }
}

/// An unmatched effect in words, for the lane that has it or the one that lacks it.
fn unmatched_words(effect: &UnmatchedEffect, lacks: bool) -> String {
    let what = effect_words(effect);
    match lacks {
        true => format!("unmatched: {what} in the other lane, not here"),
        false => format!("unmatched: {what}, only here"),
    }
}

/// An effect in words.
pub(super) fn effect_words(effect: &UnmatchedEffect) -> String {
    match (&effect.before, &effect.after) {
        (Some(before), Some(after)) => format!("{} becomes {}", widget(before), widget(after)),
        (Some(before), None) => format!("{} goes away", widget(before)),
        (None, Some(after)) => format!("{} appears", widget(after)),
        (None, None) => "nothing".into(),
    }
}

/// A widget in a few words.
pub(super) fn widget(note: &WidgetNote) -> String {
    let (class, id) = (droidmux_gui::short_class(&note.class), droidmux_gui::short_id(&note.resource_id));
    let label = if note.text.is_empty() { &note.description } else { &note.text };
    match (label.as_str(), id) {
        ("", "") => class.to_owned(),
        ("", id) => format!("{class} {id}"),
        (label, _) => format!("{class} {label:?}"),
    }
}

fn point(cell: &mut Cell, note: &WidgetNote, words: String) {
    if !note.bounds.is_empty() {
        cell.boxes.push(Boxed { bounds: note.bounds, kind: BoxKind::Violation, title: words.clone() });
    }
    if !cell.marks.contains(&words) {
        cell.marks.push(words);
    }
}

/// The number in its test of the layout after a turn of the job.
pub(super) fn number_of(run: &JobRun, turn: u32) -> Option<u16> {
    let turns = run.turns.get(..=usize::try_from(turn).ok()?)?;
    let reset = turns.iter().rposition(|turn| turn.act == Act::Reset)?;
    let steps = turns.get(reset..)?.iter().filter(|turn| {
        turn.act.is_step() && !matches!(turn.observation, Observation::Answered(_) | Observation::Ended)
    });
    u16::try_from(steps.count()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, LayoutHash};
    use droidmux_record::{EffectKind, SessionId};

    fn cell(number: u16) -> Cell {
        Cell {
            number,
            event: None,
            failed: "",
            session: SessionId(1),
            screen: None,
            activity: String::new(),
            boxes: Vec::new(),
            signals: Vec::new(),
            marks: Vec::new(),
        }
    }

    fn note(text: &str) -> WidgetNote {
        let bounds = Bounds { left: 0, top: 0, right: 9, bottom: 9 };
        let class = "android.widget.TextView".into();
        WidgetNote {
            class,
            resource_id: String::new(),
            description: String::new(),
            text: text.into(),
            bounds,
        }
    }

    fn effect(before: Option<&str>, after: Option<&str>) -> UnmatchedEffect {
        UnmatchedEffect {
            kind: EffectKind::Changed,
            before: before.map(note),
            after: after.map(note),
            context: String::new(),
            seed: (1, 2),
            mutant: (1, 2),
            layouts: [LayoutHash([0; 16]); 4],
            diverged: false,
        }
    }

    #[test]
    fn differences_are_told_where_they_are_and_where_they_are_not() {
        // Which parts of it are on which of two screens, and whether they have a box there.
        for (before, after, lacks, at, boxed, words) in [
            (None, Some("Row"), false, 1, true, "unmatched: TextView \"Row\" appears, only here"),
            (
                None,
                Some("Row"),
                true,
                1,
                false,
                "unmatched: TextView \"Row\" appears in the other lane, not here",
            ),
            (Some("Row"), None, false, 0, true, "unmatched: TextView \"Row\" goes away, only here"),
            (
                Some("Row"),
                None,
                true,
                1,
                true,
                "unmatched: TextView \"Row\" goes away in the other lane, not here",
            ),
        ] {
            let mut cells = vec![cell(1), cell(2)];
            mark_difference(&mut cells, &effect(before, after), lacks);
            let marked: Vec<usize> = (0..2).filter(|at| !cells[*at].marks.is_empty()).collect();
            assert_eq!((marked, cells[at].marks.as_slice()), (vec![at], [words.to_owned()].as_slice()));
            assert_eq!(!cells[at].boxes.is_empty(), boxed, "{words}");
        }
    }
}
