//! Steps and the screens between them, as a test takes them down: each step is told by the account.

use std::sync::Arc;

use super::chronicle::Chronicle;
use super::phrase;
use droidmux_account::facts::Facts;
use droidmux_account::{NoPixels, Pixels, StepTold, Told, target_kind};
use droidmux_gui::{Bounds, Event, EventKind, Flags, Interaction, LayoutHash, Resolution, Widget};
use droidmux_record::{Act, BlobHash, Comparison, Layouts, Observation, Seen};

/// A screen that was seen.
#[derive(Clone, Debug)]
pub struct Sight {
    pub layout: LayoutHash,
    pub package: String,
    pub activity: String,
    pub in_app: bool,
    pub screenshot: Option<BlobHash>,
    /// The app under test crashed or hung on the way here.
    pub crashed: bool,
    /// In words; `None` where the layout is not known.
    pub told: Option<Arc<Told>>,
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
    /// What was done, and what it did to the screen.
    pub told: StepTold,
    /// The page it was performed on.
    pub page: usize,
    /// It led back to that page, or away from none.
    pub stayed: bool,
    /// The box to draw around the widget it acted on.
    pub acted: Option<(Bounds, Interaction)>,
    /// What tells this event on this widget from others, and from those on widgets of its kind.
    pub keys: (String, String),
    /// It says something worth a picture.
    pub shown: bool,
    /// The screenshots that alone may say what it changed.
    pub unclear: Option<Comparison>,
    /// It did no more than lead to another page, which shows nothing that it did not show before.
    pub looks: bool,
}

/// The last step, to be told again when its screenshots have been compared.
#[derive(Clone)]
pub struct Retold {
    teller: droidmux_account::Teller,
    act: Act,
    observation: Observation,
}

/// Where two screenshots differ, if somebody could tell.
struct Areas<'a>(Option<&'a [Bounds]>);

impl Pixels for Areas<'_> {
    fn changed(&self, _: BlobHash, _: BlobHash) -> Option<Vec<Bounds>> {
        self.0.map(<[Bounds]>::to_vec)
    }
}

impl Sight {
    pub fn of(seen: &Seen, app: &str, told: Option<Arc<Told>>) -> Self {
        Self {
            layout: seen.screen.layout,
            package: seen.screen.package.clone(),
            activity: seen.screen.activity.clone(),
            in_app: seen.screen.in_app,
            screenshot: seen.screenshot,
            crashed: seen.crashed(app),
            told,
            page: 0,
        }
    }

    /// What kind of page it is, whatever it holds.
    pub fn kind(&self) -> &str {
        self.told.as_ref().map_or(&self.activity, |told| &told.kind)
    }
}

impl Step {
    /// It could not be done.
    pub fn failed(&self) -> bool {
        self.told.failed
    }

    /// Nothing that is told differs after it.
    pub fn did_nothing(&self) -> bool {
        !self.told.failed && !self.told.whole && self.told.differences.is_empty()
    }
}

impl Chronicle {
    /// Takes down the first screen of a test.
    pub(super) fn begin(&mut self, act: &Act, observation: &Observation, layouts: &dyn Layouts) {
        let told = self.teller.step(self.turn(), (act, observation), layouts, (&mut self.veil, &NoPixels));
        if let Observation::Seen(seen) = observation {
            self.sights = vec![Sight::of(seen, &self.app, told.and_then(|told| told.screen))];
            self.enter_page();
        }
    }

    /// Takes down an event and the screen after it, if it was performed.
    pub(super) fn step(&mut self, act: &Act, observation: &Observation, layouts: &dyn Layouts) {
        let (Act::Perform(event), Some(before)) = (act, self.here().cloned()) else { return };
        let (facts, earlier) = (self.teller.facts().cloned(), self.teller.clone());
        let turn = self.turn();
        let pixels: &dyn Pixels = &NoPixels;
        let told = self.teller.step(turn, (act, observation), layouts, (&mut self.veil, pixels));
        let Some(told) = told else { return };
        // What could not be done has its receiver on the screen before.
        let sought = || facts.as_ref()?.layout().resolve(event.receiver.as_ref()?).widget();
        let found = observation.seen().and_then(|seen| seen.resolution).and_then(Resolution::widget);
        let found = found.or_else(sought);
        let widget =
            facts.as_deref().zip(found).and_then(|(facts, id)| Some((facts, facts.layout().get(id)?)));
        let leaves = event.kind == EventKind::Back || widget.is_some_and(|(_, on)| phrase::is_in_corner(on));
        let checks = widget.is_some_and(|(_, on)| on.has(Flags::CHECKABLE));
        let leads = matches!(event.kind, EventKind::Click | EventKind::Back | EventKind::Launch) && !checks;
        let mut step = Step {
            turn,
            kind: event.kind,
            event: event.clone(),
            page: before.page,
            stayed: true,
            acted: widget.map(|(_, on)| (on.bounds(), interaction(event.kind, on))),
            keys: widget.map(|(facts, on)| keys(event.kind, before.kind(), facts, on)).unwrap_or_default(),
            shown: !told.failed,
            unclear: None,
            looks: false,
            told,
        };
        let Observation::Seen(seen) = observation else {
            self.sights.push(before);
            self.steps.push(step);
            return;
        };
        let is_secret = widget.is_some_and(|(_, on)| on.has(Flags::PASSWORD));
        let kind = if leaves { EventKind::Back } else { event.kind };
        self.note_texts(kind, event.data.as_deref().filter(|_| !is_secret), before.page);
        self.sights.push(Sight::of(seen, &self.app, step.told.screen.clone()));
        let is_new = self.enter_page();
        let Some(here) = self.here().cloned() else { return };
        step.stayed = here.page == before.page && before.in_app;
        let shows_news = !step.told.differences.is_empty() || step.told.whole && !is_new;
        step.looks =
            leads && here.in_app && !here.crashed && !step.stayed && !shows_news && !self.shows_typed();
        let shots = step.told.same_as.zip(step.told.screenshot).filter(|_| here.in_app);
        step.unclear = shots
            .filter(|(earlier, later)| earlier != later)
            .map(|(earlier, later)| Comparison { earlier, later });
        self.retold = step.unclear.map(|_| {
            Box::new(Retold { teller: earlier, act: act.clone(), observation: observation.clone() })
        });
        if leaves {
            self.went_back(before.page);
        }
        self.steps.push(step);
    }

    /// Whether the screen now shows a text that was typed in this test.
    fn shows_typed(&self) -> bool {
        let facts = self.teller.facts();
        let shows = |text: &str| facts.is_some_and(|facts| phrase::times_shown(facts.layout(), text) > 0);
        self.typed.iter().any(|typed| shows(&typed.text))
    }

    /// Notes whether going back from a page leaves the app, and which texts were saved by it.
    fn went_back(&mut self, from: usize) {
        let Some(here) = self.sights.last() else { return };
        if let Some(page) = self.pages.get_mut(from) {
            page.exit |= !here.in_app;
        }
        if let Some(facts) = self.teller.facts() {
            for typed in self.typed.iter_mut().filter(|typed| typed.dropped) {
                typed.dropped = phrase::times_shown(facts.layout(), &typed.text) == 0;
            }
        }
    }

    /// The screenshots around the last step, as long as nobody has compared them.
    pub fn to_compare(&self) -> Option<Comparison> {
        self.steps.last()?.unclear
    }

    /// Takes down where the screenshots around the last step differ.
    pub(super) fn compared(&mut self, areas: Option<&[Bounds]>, layouts: &dyn Layouts) {
        let (Some(step), Some(retold)) = (self.steps.last_mut(), self.retold.take()) else { return };
        if step.unclear.take().is_none() {
            return;
        }
        let Retold { mut teller, act, observation } = *retold;
        let told = teller.step(step.turn, (&act, &observation), layouts, (&mut self.veil, &Areas(areas)));
        if let Some(told) = told {
            step.told = told;
        }
    }
}

/// What tells an event on a widget from others on pages of this kind, and from those on widgets of its kind. A field
/// stays the same whatever it holds, and a row wherever it stands.
pub fn keys(kind: EventKind, page: &str, facts: &Facts, on: Widget<'_>) -> (String, String) {
    let like = format!("{} {} on {page}", kind.name(), target_kind(facts, on));
    let row = facts.lists().iter().find_map(|list| list.row_with(facts.layout(), on.id()));
    let exact = match row {
        Some((_, row)) => format!("{like}: {}", row.label),
        None if on.is_editable() => like.clone(),
        None => format!("{like}: {}", phrase::label(on)),
    };
    (exact, like)
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
