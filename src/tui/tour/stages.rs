//! The stages of the tour: what is said, and what ends each of them.
//!
//! Texts have room for three lines of 78 cells; a test measures them.

use super::Stage;
use crate::app::{App, Dialog, Screen};
use crate::pane::Pane;
use crate::text;
use droidmux_proto::{FindingView, RowOrigin, RowState, StepperView};
use droidmux_record::{FindingId, FindingState};
use droidmux_words::figure;

pub static STAGES: [Stage; 12] = [
    Stage {
        title: "the lab",
        screen: Some(Screen::Lab),
        text: |_| {
            "Above, a line for each device; below, a tile for each session that hunts bugs in an app: how far it is, \
             its latest events, what it found. {down} and {up} choose one, {open} opens it."
                .into()
        },
        is_done: |app| app.screen == Screen::Session && app.current_session().is_some(),
    },
    Stage {
        title: "a session",
        screen: Some(Screen::Session),
        text: |app| {
            let how = match app.focus() {
                Pane::Trace => "Press {up}, and you see the screen after an earlier event.",
                _ => "Press {next-pane} until the trace has the thick frame, then {up}.",
            };
            format!(
                "At the right every event as it is performed, at the left the screen it led to, below what the oracles \
                 say of the tests. {how}"
            )
        },
        is_done: |app| app.screen == Screen::Session && !app.session.follows,
    },
    Stage {
        title: "what was found",
        screen: None,
        text: |app| match app.toured() {
            Some(_) => {
                "You look at the past now; {follow} would follow the newest event again. Press {findings} to \
                        see what was found."
                    .into()
            }
            None => format!("Press {{findings}} to see what was found so far. {}", awaited(app)),
        },
        is_done: |app| app.screen == Screen::Findings,
    },
    Stage {
        title: "the findings",
        screen: Some(Screen::Findings),
        text: choose,
        is_done: |app| is_on_toured(app) && matches!(app.focus(), Pane::Why | Pane::Compare),
    },
    Stage {
        title: "why it is a bug",
        screen: Some(Screen::Findings),
        text: |app| {
            match is_on_toured(app) {
            true => "What is wrong stands first; then which effects the seed, a recorded test, had and its mutant, the \
                     same with events inserted, lacks. {down} scrolls to what was tried. {next-pane} shows the screens."
                .into(),
            false => choose(app),
        }
        },
        is_done: |app| app.screen == Screen::Findings && app.focus() == Pane::Compare,
    },
    Stage {
        title: "the two layouts",
        screen: Some(Screen::Findings),
        text: |_| {
            "The seed's screen before at the left, after at the right. The arrow is at the widget that it is about: - \
             went, + came, ~ changed. Press {compare} to compare what did not happen in the mutant."
                .into()
        },
        is_done: |app| app.screen == Screen::Findings && !app.findings.compares_first(),
    },
    Stage { title: "on a device", screen: None, text: opening, is_done: |app| stands(app).is_some() },
    Stage {
        title: "an event left out",
        screen: Some(Screen::Stepper),
        text: |app| {
            match stands(app) {
            None => under_way(app),
            Some(_) => "The seed's events beside the test's: + was inserted, > is next. The device stands before the \
                        first inserted event. Press {step-skip} to leave it out; {step-next} would perform it."
                .into(),
        }
        },
        is_done: |app| stands(app).is_some_and(|view| left_out(view) || !view.rows.iter().any(is_inserted)),
    },
    Stage {
        title: "to the violation",
        screen: Some(Screen::Stepper),
        text: to_violation,
        is_done: |app| stands(app).is_some_and(|view| view.violation.reached),
    },
    Stage { title: "what it shows", screen: Some(Screen::Stepper), text: what_it_shows, is_done: has_ended },
    Stage {
        title: "your word",
        screen: None,
        text: mark,
        is_done: |app| app.toured().is_some_and(|row| row.state == FindingState::True),
    },
    Stage {
        title: "where to go next",
        screen: None,
        text: |_| {
            "Marked, and the next finding is up; {back} shows the list. {replay} runs one again, {shrink} looks for a \
             shorter test, {undo-mark} takes the mark back. {help} has the keys, {palette} all commands. {tour} ends the \
             tour."
                .into()
        },
        is_done: |_| false,
    },
];

/// Why the test takes no order.
fn under_way(app: &App) -> String {
    match has_ended(app) {
        true => "This test was left. {findings}, then {step-through} on the finding, leads it again.".into(),
        false => "The device is at it: it takes the next order as soon as it stands still.".into(),
    }
}

/// What the tour waits for before there is a finding to show.
fn awaited(app: &App) -> String {
    let Some(session) = app.searching() else {
        return "Nothing is reported yet: awaited is the first finding of any session.".into();
    };
    let left = match session.left_s {
        Some(seconds) => format!("; its end is {} away", figure::duration(seconds)),
        None => String::new(),
    };
    let (id, phase) = (session.id, &session.progress.phase.words);
    format!("Awaited is the first that {id} (genie) reports; it is {phase}{left}. Look around meanwhile.")
}

fn is_on_toured(app: &App) -> bool {
    let selected = app.findings.selected();
    app.screen == Screen::Findings
        && selected.is_some_and(|row| app.toured().is_some_and(|toured| toured.id == row.id))
}

/// How to get to the finding that the tour is about.
fn choose(app: &App) -> String {
    let rows = "A row is a suspected bug, the worst first; replays tells how many fresh runs showed it.";
    let Some(FindingView { id, technique, .. }) = app.toured() else {
        return format!("{rows} {}", awaited(app));
    };
    match (is_on_toured(app), is_shown(app, id)) {
        (true, _) => format!(
            "{rows} You are on {id}, found by {technique}. Press {{open}} to read why it is called a bug."
        ),
        (false, true) if app.focus() != Pane::Table => {
            format!("Another finding is up: {{back}} leads to the list, where {id} is to be chosen.")
        }
        (false, true) => format!("{rows} Go to {id}, found by {technique}, with {{up}} and {{down}}."),
        (false, false) => {
            format!(
                "{id} is not in this list: {{back}} clears a filter, {{next-tier}} goes on to the reported ones."
            )
        }
    }
}

fn is_shown(app: &App, id: &FindingId) -> bool {
    let shown = app.findings.shown.iter().filter_map(|row| app.findings.finding_at(row));
    shown.into_iter().any(|row| row.id == *id)
}

/// From the finding to a device that is at the point before the first inserted event.
fn opening(app: &App) -> String {
    match (app.screen, &app.dialog) {
        (_, Some(Dialog::Device { .. })) => {
            "A finding's test can be led over any device. Leave the line empty and press {accept}.".into()
        }
        (Screen::Stepper, _) if app.stepper.session.is_some() && !has_ended(app) => {
            "A device brings the app to where the test stood. If none is free, it waits for one.".into()
        }
        (Screen::Findings, _) if is_on_toured(app) => {
            "In the mutant the same did not happen: that is what is wrong. Now see it yourself: press {step-through} to \
             lead the test over a device, event by event."
                .into()
        }
        (Screen::Findings, _) => choose(app),
        _ => "Press {findings} to go back to the finding.".into(),
    }
}

/// The stepping is over.
fn has_ended(app: &App) -> bool {
    let mut sessions = app.view.sessions.iter();
    let led = app.stepper.session.and_then(|id| sessions.find(|session| session.id == id));
    led.is_some_and(|session| session.state.is_over())
}

/// The stepped test, while its session goes on.
fn led(app: &App) -> Option<&StepperView> {
    app.stepper.view.as_ref().filter(|_| !has_ended(app))
}

/// The stepped test, while it waits for an order.
fn stands(app: &App) -> Option<&StepperView> {
    led(app).filter(|view| view.question.is_some() && app.screen == Screen::Stepper)
}

fn is_inserted(row: &droidmux_proto::StepRow) -> bool {
    row.origin == RowOrigin::Inserted
}

fn left_out(view: &StepperView) -> bool {
    view.rows.iter().any(|row| row.state == RowState::Skipped)
}

fn to_violation(app: &App) -> String {
    match stands(app) {
        None => under_way(app),
        Some(view) if !view.trouble.is_empty() => "It cannot go on: the next event needs the one that was left out. Leave \
                                                   it out, too, with {step-skip}, then press {step-violation} again."
            .into(),
        Some(_) => "Under the events stands what differs from the recorded screen now. {step-violation} goes on to where \
                    the violation showed; {step-back} takes an order back, {step-insert} inserts an event."
            .into(),
    }
}

/// What came of leaving an event out.
fn what_it_shows(app: &App) -> String {
    let Some(view) = led(app) else { return under_way(app) };
    let told = view.violation.parts.iter().filter_map(|part| part.came);
    let (came, missing): (Vec<bool>, Vec<bool>) = told.partition(|came| *came);
    let what = match (came.is_empty(), missing.is_empty()) {
        (false, true) => {
            "Without what you left out, the effect came: so it is the inserted events that break the app, and they \
             should have nothing to do with it. A bug."
        }
        (_, false) if view.rows.iter().any(|row| row.origin == RowOrigin::Added) => {
            "The effect is missing again, with what you left out and what you put in: nothing of that should take it \
             away. A bug."
        }
        (_, false) if !left_out(view) => "The effect is missing again, with the test as it was found. A bug.",
        (_, false) => {
            "The effect is missing again, though an event was left out: the other inserted ones are enough to break the \
             app. A bug."
        }
        (true, true) => "The test stands where the violation showed; the screen tells whether it does now.",
    };
    format!("{what} Press {{step-leave}} to leave; what you did stays a session.")
}

/// From the stepper to the mark.
fn mark(app: &App) -> String {
    match (app.screen, &app.dialog) {
        (_, Some(Dialog::Note { .. })) => "A note is for those who come after you; it may stay empty. Press {accept}.".into(),
        (Screen::Findings, _) if is_on_toured(app) => {
            "You have seen it yourself: press {mark-true} to say that it is a true bug. {mark-false-alarm} would call it a \
             false alarm."
                .into()
        }
        (Screen::Findings, _) => choose(app),
        _ => format!("The device is free again. Press {{findings}} to go back to {}.", found(app)),
    }
}

fn found(app: &App) -> String {
    app.toured().map_or_else(|| "the finding".into(), |row| text::safe(&row.id.to_string()).into_owned())
}
