//! The account of a test: each step in words, with what it changed on the screen. It goes with the
//! pictures, for models without eyes, for the fixed rules, and for people.

use super::chronicle::Chronicle;
use super::difference;
use super::phrase::{self, quoted};
use super::pixels::unchanged;
use droidmux_account::facts::Album;
use droidmux_account::look::shows_hint;
use droidmux_account::{Told, Veil};
use droidmux_gui::{
    Bounds, Event, EventKind, Flags, Interaction, Layout, LayoutHash, Resolution, Selector, Widget,
};
use droidmux_record::{BlobHash, Comparison, Failure, Layouts, Screen, Seen};

/// A screen that was seen.
#[derive(Clone, Debug)]
pub struct Sight {
    pub layout: LayoutHash,
    pub package: String,
    pub activity: String,
    pub in_app: bool,
    pub rotation: u8,
    pub screenshot: Option<BlobHash>,
    /// The app under test crashed or hung on the way here.
    pub crashed: bool,
    /// Its page's number in [`Chronicle::pages`].
    pub page: usize,
}

/// An event that was performed, or was to be.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its turn in the job.
    pub turn: u32,
    pub kind: EventKind,
    pub event: Event,
    /// `click Button "Save" #save on page 3`.
    pub words: String,
    /// Its outcome, one line each.
    pub outcome: Vec<String>,
    pub failed: bool,
    /// The page it was performed on.
    pub page: usize,
    /// The box to draw around the widget it acted on.
    pub acted: Option<(Bounds, Interaction)>,
    /// What tells this event on this widget from others, and from those on widgets of its kind.
    pub keys: (String, String),
    /// It says something worth a picture.
    pub shown: bool,
    /// The screenshots before and after it, where they alone may say what it changed.
    pub unclear: Option<Comparison>,
    /// It did no more than lead to another page, which shows nothing that it did not show before.
    pub looks: bool,
}

impl Sight {
    pub fn of(seen: &Seen, app: &str) -> Self {
        Self {
            layout: seen.screen.layout,
            package: seen.screen.package.clone(),
            activity: seen.screen.activity.clone(),
            in_app: seen.screen.in_app,
            rotation: seen.screen.rotation,
            screenshot: seen.screenshot,
            crashed: seen.crashed(app),
            page: 0,
        }
    }
}

/// What a step led to.
#[derive(Default)]
struct Outcome {
    /// One line each.
    lines: Vec<String>,
    /// To another page, and nothing else.
    looks: bool,
}

impl Chronicle {
    /// Takes down an event and the screen after it, if it was performed.
    pub(super) fn step(
        &mut self,
        event: &Event,
        after: Result<(Sight, Option<Resolution>), Failure>,
        layouts: &dyn Layouts,
    ) {
        let Some(before) = self.here().cloned() else { return };
        let layout = layouts.layout(before.layout);
        // What could not be done has its receiver on the screen before: a password is none the less one.
        let sought = || layout.as_ref()?.resolve(event.receiver.as_ref()?).widget();
        let found = after.as_ref().ok().and_then(|(_, resolution)| resolution.as_ref()?.widget());
        let found = found.or_else(sought);
        let widget = layout.as_ref().zip(found).and_then(|(layout, id)| layout.get(id));
        let flags = widget.map_or(Flags::default(), Widget::flags);
        let leaves = event.kind == EventKind::Back || widget.is_some_and(phrase::is_in_corner);
        let kind = if leaves { EventKind::Back } else { event.kind };
        if after.is_ok() {
            self.note_texts(kind, event.data.as_deref(), flags, before.page);
        }
        let mut step = Step {
            turn: self.turn(),
            kind: event.kind,
            event: event.clone(),
            words: self.words(event, widget, before.page),
            outcome: Vec::new(),
            failed: after.is_err(),
            page: before.page,
            acted: widget.map(|widget| (widget.bounds(), interaction(event.kind, widget))),
            keys: event.receiver.as_ref().map(|on| keys(event.kind, on)).unwrap_or_default(),
            shown: true,
            unclear: None,
            looks: false,
        };
        match after {
            Err(failure) => {
                step.outcome.push(format!("not done: {}", droidmux_account::failure_words(&failure)));
                step.shown = false;
                self.sights.push(before);
            }
            Ok((sight, _)) => {
                self.sights.push(sight);
                let outcome = self.outcome(&before, layouts);
                let leads = matches!(event.kind, EventKind::Click | EventKind::Back | EventKind::Launch);
                step.looks = leads && outcome.looks && !widget.is_some_and(|on| on.has(Flags::CHECKABLE));
                step.unclear = self.comparison(&before, &outcome.lines);
                step.outcome = outcome.lines;
                if leaves {
                    self.went_back(before.page, layouts);
                }
            }
        }
        self.steps.push(step);
    }

    /// Notes whether going back from a page leaves the app, and which texts were saved by it.
    fn went_back(&mut self, from: usize, layouts: &dyn Layouts) {
        let Some(here) = self.sights.last() else { return };
        if let Some(page) = self.pages.get_mut(from) {
            page.exit |= !here.in_app;
        }
        if let Some(layout) = layouts.layout(here.layout) {
            for typed in self.typed.iter_mut().filter(|typed| typed.dropped) {
                typed.dropped = phrase::times_shown(&layout, &typed.text) == 0;
            }
        }
    }

    /// An event in words: what it acts on as a person sees it.
    fn words(&self, event: &Event, widget: Option<Widget<'_>>, page: usize) -> String {
        let on = match (widget, &event.receiver) {
            (Some(widget), _) => phrase::name(widget, &self.secrets),
            (None, Some(selector)) => phrase::receiver(selector, &self.secrets),
            (None, None) => String::new(),
        };
        let place =
            widget.map(|w| phrase::row_words(w, &self.secrets) + &phrase::bar_words(w)).unwrap_or_default();
        let page = page + 1;
        let data = event.data.as_deref().unwrap_or_default();
        match (event.kind, widget) {
            (EventKind::Edit, Some(field)) if field.has(Flags::PASSWORD) => {
                format!("type a password into {} on page {page}", bare_name(field))
            }
            (EventKind::Edit, Some(field)) => {
                let held = if shows_hint(field) { "" } else { field.text() };
                let (text, held) = (self.secrets.redacted(data), self.secrets.redacted(held));
                let (text, held) = (quoted(&text), quoted(&held));
                format!("type {text} into {} | held {held}{place} on page {page}", bare_name(field))
            }
            (EventKind::Edit, None) => format!("type {} into {on} on page {page}", quoted(data)),
            (kind, _) if on.is_empty() => format!("{} on page {page}", kind.name()),
            (kind, _) => format!("{} {on}{place} on page {page}", kind.name()),
        }
    }

    /// The outcome of a step: where it led, what differs there from how it was last seen, and which of the typed texts
    /// are shown.
    fn outcome(&mut self, before: &Sight, layouts: &dyn Layouts) -> Outcome {
        let known = self.pages.len();
        let earlier = self.enter_page(layouts);
        let Some(here) = self.here().cloned() else { return Outcome::default() };
        let mut lines = Vec::new();
        if here.crashed {
            lines.push("the app crashed or hung".to_owned());
        }
        if !here.in_app {
            lines.push(format!("left the app: {} is in front", quoted(&here.package)));
            return Outcome { lines, looks: false };
        }
        let activity = quoted(short_activity(&here.activity));
        let number = here.page + 1;
        let Some(now) = layouts.layout(here.layout) else { return Outcome { lines, looks: false } };
        let what = if self.pages.get(here.page).is_some_and(|page| page.dialog) { "dialog" } else { "page" };
        if here.page == before.page && before.in_app {
            lines.push(format!("stayed on page {number}"));
        } else if here.page >= known {
            lines.push(format!("came to page {number}, a new {what} of {activity}"));
        } else {
            let step = earlier.map_or(0, |(_, step)| step);
            lines.push(format!("came to page {number}, a {what} of {activity} seen after step {step}"));
        }
        let earlier = earlier.and_then(|(layout, _)| layouts.layout(layout));
        let stayed = here.page == before.page && before.in_app;
        let mut looks = !here.crashed && !stayed;
        match earlier {
            Some(earlier) if here.page < known => {
                let changes = difference::lines(&earlier, &now, &self.secrets);
                looks &= changes.is_empty();
                if changes.is_empty() {
                    lines.push(unchanged(before, &here, stayed).into());
                }
                lines.extend(changes);
            }
            _ => lines.extend(self.contents(&here, layouts)),
        }
        let shown = self.shown_texts(&now);
        looks &= shown.is_empty();
        lines.extend(shown);
        Outcome { lines, looks }
    }

    /// A screen as the account tells it, a `shows:` line for each of its rows, fields, buttons and texts.
    fn contents(&self, here: &Sight, layouts: &dyn Layouts) -> Vec<String> {
        let Some(facts) = Album::default().get(here.layout, None, layouts) else { return Vec::new() };
        let veil = Veil { secrets: self.secrets.clone(), ..Veil::default() };
        let screen = Screen {
            layout: here.layout,
            package: here.package.clone(),
            activity: here.activity.clone(),
            in_app: here.in_app,
            rotation: here.rotation,
            keyboard: false,
        };
        let told = Told::new(&screen, &facts, None, &veil);
        let lines = std::iter::once(format!("{}{}", told.page, told.state)).chain(told.told());
        difference::capped(lines.map(|line| format!("shows: {}", line.trim_start())).collect())
    }

    /// Which of the texts that were typed so far the screen shows, and how often, fields left out.
    fn shown_texts(&self, layout: &Layout) -> Vec<String> {
        let mut texts: Vec<&str> = Vec::new();
        for typed in &self.typed {
            if !texts.contains(&typed.text.as_str()) {
                texts.push(&typed.text);
            }
        }
        let counted = texts.into_iter().map(|text| (text, phrase::times_shown(layout, text)));
        let shown = counted.filter(|(_, times)| *times > 0);
        shown.map(|(text, times)| format!("typed text {} is shown {times} times", quoted(text))).collect()
    }

    /// The steps with these numbers, from 1, as prompts tell them.
    pub fn told(&self, steps: impl IntoIterator<Item = usize>) -> String {
        let mut lines = Vec::new();
        for number in steps {
            let Some(step) = number.checked_sub(1).and_then(|n| self.steps.get(n)) else { continue };
            lines.push(format!("step {number}: {}", step.words));
            lines.extend(step.outcome.iter().map(|line| format!("  {line}")));
        }
        lines.join("\n")
    }

    /// The same with one line per step.
    pub fn told_briefly(&self, steps: impl IntoIterator<Item = usize>) -> String {
        let line = |number: usize| {
            let step = self.steps.get(number.checked_sub(1)?)?;
            let outcome = step.outcome.first().map(|line| format!(" -> {line}")).unwrap_or_default();
            Some(format!("step {number}: {}{outcome}", step.words))
        };
        steps.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }
}

/// What tells an event on a widget from others: with its texts and surroundings, and without. A
/// field stays the same whatever it holds.
pub fn keys(kind: EventKind, on: &Selector) -> (String, String) {
    let like = format!("{} {} #{}", kind.name(), on.class, on.resource_id);
    if kind == EventKind::Edit {
        return (format!("{like} {}", on.position), like);
    }
    let Selector { description, text, children, context, position, .. } = on;
    (format!("{like} {description}|{text}|{children}|{context}|{position}"), like)
}

/// A text field's name without what it holds.
fn bare_name(field: Widget<'_>) -> String {
    let told = if field.description().is_empty() { field.hint() } else { field.description() };
    let told = if told.is_empty() { String::new() } else { format!(" {}", quoted(told)) };
    format!("{}{told}{}", field.short_class(), phrase::id_words(field.resource_id()))
}

fn interaction(kind: EventKind, widget: Widget<'_>) -> Interaction {
    match kind {
        EventKind::LongClick => Interaction::LongClick,
        EventKind::Edit => Interaction::Type,
        EventKind::Scroll(_) => Interaction::Swipe,
        _ if widget.has(Flags::CHECKABLE) => Interaction::Check,
        _ => Interaction::Click,
    }
}

/// The last part of an activity's name.
pub fn short_activity(activity: &str) -> &str {
    activity.rsplit('.').next().unwrap_or(activity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::script::Script;

    #[test]
    fn a_new_page_is_told_in_the_words_of_the_account() {
        let page = "@ Main Notes\nlist items\n- milk | 2 l | [x] bought\nfield name=Ann\n(Save)";
        let script = Script::read(page);
        let seen = script.run.turns[0].observation.seen().unwrap();
        let told = Chronicle::new("toy").contents(&Sight::of(seen, "toy"), &script.layouts);
        assert_eq!(
            told,
            [
                "shows: Page \"Notes\"",
                "shows: - milk | 2 l | [x] bought",
                "shows: field name: \"Ann\"",
                "shows: button Save",
            ]
        );
    }
}
