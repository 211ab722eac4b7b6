//! Recorded things in a few words.

use droidmux_gui::{Event, Selector, Widget, short_id};
use droidmux_proto::{BudgetKind, BudgetView, DeviceHealth, FindingView, SessionState};
use droidmux_record::{Confirmation, EffectKind, FindingState, Tier, UnmatchedEffect, WidgetNote};
use droidmux_words::{figure, number};

use super::glyphs::Glyphs;
use super::text;
use super::theme::Role;

/// A device's health as sign, word and role.
pub fn health(health: &DeviceHealth, glyphs: &Glyphs) -> (&'static str, String, Role) {
    match health {
        DeviceHealth::Idle => (glyphs.idle, "idle".into(), Role::Dim),
        DeviceHealth::Busy => (glyphs.busy, "busy".into(), Role::Good),
        DeviceHealth::Away(word) => (glyphs.away, format!("away: {word}"), Role::Warn),
        DeviceHealth::Sick(word) => (glyphs.sick, format!("sick: {word}"), Role::Bad),
        DeviceHealth::Unproven(word) => (glyphs.idle, format!("looked at: {word}"), Role::Dim),
        DeviceHealth::Quarantined { why, until_ms } => {
            (glyphs.sick, format!("quarantined until {}: {why}", figure::clock(*until_ms)), Role::Bad)
        }
        DeviceHealth::Elsewhere { whose, since_ms } => {
            (glyphs.away, format!("leased by {whose} since {}", figure::clock(*since_ms)), Role::Warn)
        }
        DeviceHealth::Resting(why) => (glyphs.paused, format!("resting: {why}"), Role::Warn),
    }
}

/// A session's state as sign, word and role.
pub fn state(state: &SessionState, glyphs: &Glyphs) -> (&'static str, String, Role) {
    match state {
        SessionState::Running => (glyphs.running, "running".into(), Role::Good),
        SessionState::Paused(why) if why.is_empty() => (glyphs.paused, "paused".into(), Role::Warn),
        SessionState::Paused(why) => (glyphs.paused, format!("paused: {why}"), Role::Warn),
        SessionState::Stopping => (glyphs.paused, "stopping".into(), Role::Warn),
        SessionState::Done => (glyphs.good, "done".into(), Role::Dim),
        SessionState::Stopped => (glyphs.paused, "stopped".into(), Role::Dim),
        SessionState::Failed(why) => (glyphs.bad, format!("failed: {why}"), Role::Bad),
    }
}

/// A mark as sign, word and role.
pub fn mark(state: FindingState, glyphs: &Glyphs) -> (&'static str, &'static str, Role) {
    match state {
        FindingState::New => (glyphs.bullet, "new", Role::Accent),
        FindingState::True => (glyphs.good, "true", Role::Good),
        FindingState::FalseAlarm => (glyphs.bad, "false alarm", Role::Dim),
        FindingState::Duplicate => (glyphs.arrow, "duplicate", Role::Dim),
        FindingState::Promoted => (glyphs.good, "promoted", Role::Good),
        FindingState::Demoted => (glyphs.bad, "demoted", Role::Dim),
    }
}

/// How a tier is drawn.
pub fn tier_role(tier: Tier) -> Role {
    match tier {
        Tier::Reported => Role::Bad,
        Tier::Suspicious => Role::Warn,
        Tier::Explained => Role::Dim,
    }
}

/// With a capital letter.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// `2/3`: replays that showed it, of all that ran or are planned; with what it means.
pub fn confirmation(confirmation: &Confirmation, glyphs: &Glyphs) -> (String, Role) {
    let run = confirmation.shown + confirmation.absent + confirmation.unfaithful;
    let of = if confirmation.is_settled() { run } else { confirmation.of.max(run) };
    let ratio = format!("{}/{of}", confirmation.shown);
    match (confirmation.is_confirmed(), confirmation.is_settled()) {
        (true, _) => (format!("{} {ratio}", glyphs.good), Role::Good),
        (false, true) => (format!("{} {ratio}", glyphs.bad), Role::Warn),
        (false, false) => (format!("{} {ratio}", glyphs.ellipsis), Role::Dim),
    }
}

/// What fresh replays came to, in a word or two.
pub fn confirmed(confirmation: &Confirmation) -> &'static str {
    match (confirmation.is_confirmed(), confirmation.is_settled()) {
        (true, _) => "confirmed",
        (false, true) => "not-shown",
        (false, false) => "open",
    }
}

/// The text a finding is searched by.
pub fn finding_row(row: &FindingView) -> String {
    let state = mark(row.state, &super::glyphs::ASCII).1;
    let confirmed = if row.confirmation.is_confirmed() { "confirmed" } else { "" };
    let FindingView { id, technique, oracle, app, title, explanation, .. } = row;
    let (harm, hints) = (row.harm.words(), row.hints.join(" "));
    format!("{id} {technique} {oracle} {app} {title} {harm} {explanation} {state} {confirmed} {hints}")
}

/// `Button “Save” #save`.
pub fn widget(widget: Widget<'_>) -> String {
    named(widget.class(), widget.resource_id(), widget.description(), widget.text())
}

pub fn note(note: &WidgetNote) -> String {
    named(&note.class, &note.resource_id, &note.description, &note.text)
}

pub fn selector(selector: &Selector) -> String {
    named(&selector.class, &selector.resource_id, &selector.description, &selector.text)
}

/// `click Button #save`, `edit EditText #name ← "x"`.
pub fn event(event: &Event) -> String {
    let mut words = event.kind.name().to_string();
    if let Some(receiver) = &event.receiver {
        words += &format!(" {}", selector(receiver));
    }
    if let Some(data) = &event.data {
        words += &format!(" := “{}”", text::fit(data, 60, "…"));
    }
    words
}

/// `Seed before (l3)`: one of the four layouts of an effect.
pub fn layout_of_effect(effect: &UnmatchedEffect, which: usize) -> String {
    match which {
        0 => format!("Seed before (l{})", effect.seed.0),
        1 => format!("Seed after (l{})", effect.seed.1),
        2 => format!("Mutant before (l{})", effect.mutant.0),
        _ => format!("Mutant after (l{})", effect.mutant.1),
    }
}

/// One of the four layouts of a deviation; those of the behaviour that has the effect come first.
pub fn layout_of_deviation(surplus: bool, which: usize) -> &'static str {
    match (surplus, which) {
        (false, 0) | (true, 2) => "Usual, before",
        (false, 1) | (true, 3) => "Usual, after",
        (false, 2) | (true, 0) => "Deviant, before",
        _ => "Deviant, after",
    }
}

/// An effect in a sentence: `TextView #title changed from “a” to “b”`.
pub fn effect(effect: &UnmatchedEffect) -> String {
    match (&effect.before, &effect.after, effect.kind) {
        (Some(before), Some(after), _) => change(before, after),
        (Some(before), None, _) => format!("{} disappeared", note(before)),
        (None, Some(after), _) => format!("{} appeared", note(after)),
        (None, None, EffectKind::Added) => "a widget appeared".into(),
        (None, None, EffectKind::Deleted) => "a widget disappeared".into(),
        (None, None, EffectKind::Changed) => "a widget changed".into(),
    }
}

fn change(before: &WidgetNote, after: &WidgetNote) -> String {
    let name = named(&after.class, &after.resource_id, "", "");
    let quoted = |value: &str| format!("“{}”", text::fit(value, 80, "…"));
    if before.text != after.text {
        format!("{name} changed from {} to {}", quoted(&before.text), quoted(&after.text))
    } else if before.description != after.description {
        let (old, new) = (quoted(&before.description), quoted(&after.description));
        format!("{name} changed its description from {old} to {new}")
    } else {
        format!("{} became {}", note(before), note(after))
    }
}

fn named(class: &str, id: &str, description: &str, label: &str) -> String {
    let mut words = text::last_part(class).to_string();
    if !label.is_empty() {
        words += &format!(" “{}”", text::fit(label, 80, "…"));
    } else if !description.is_empty() {
        words += &format!(" ({})", text::fit(description, 80, "…"));
    }
    let id = short_id(id);
    if !id.is_empty() {
        words += &format!(" #{id}");
    }
    words
}

/// The budget that is used up first, and the share of it that is.
pub fn binding(budgets: &[BudgetView]) -> Option<(&BudgetView, f64)> {
    let share = |budget: &BudgetView| number::share(budget.used, budget.limit).min(1.0);
    let shares = budgets.iter().map(|budget| (budget, share(budget)));
    // If they are equal, the first: events before time.
    shares.reduce(|most, next| if next.1 > most.1 { next } else { most })
}

/// `5,021 of 20,000 events`, `0:12:04 of 0:34:54`.
pub fn budget(budget: &BudgetView) -> String {
    let BudgetView { of, used, limit } = *budget;
    let counted = |what: &str| format!("{} of {} {what}", figure::thousands(used), figure::thousands(limit));
    match of {
        BudgetKind::Events => counted("events"),
        BudgetKind::Questions => counted("questions"),
        BudgetKind::Tokens => counted("tokens"),
        BudgetKind::Time => format!("{} of {}", figure::duration(used), figure::duration(limit)),
        BudgetKind::Money => format!("cost {} of {}", figure::money(used), figure::money(limit)),
    }
}
