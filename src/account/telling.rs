//! The account of a job: each test's events, and what each did to the screen.
//!
//! In: the turns of a job and their layouts. Out: for each test, its first screen and its steps in words.

use std::fmt;
use std::rc::Rc;

use super::change::{Change, Difference, DifferenceKind, change};
use super::facts::{Album, Facts, Pages};
use super::quote::{bare, quoted};
use super::screen::Told;
use super::target::{event_words, target, target_kind};
use super::veil::Veil;
use droidmux_gui::{Bounds, EventKind, Flags, Resolution, Widget};
use droidmux_record::{Act, BlobHash, Failure, JobRun, Layouts, Observation, Seen, SignalKind};

/// Compares screenshots; the account does not know pixels.
pub trait Pixels {
    /// Where two screenshots differ, in pixels of the screen, from the top down; `None` where one cannot be read.
    fn changed(&self, earlier: BlobHash, later: BlobHash) -> Option<Vec<Bounds>>;
}

/// What is told where nothing came of an event.
pub const NOTHING: &str = "nothing changed";

/// No screenshot is looked at.
pub struct NoPixels;

impl Pixels for NoPixels {
    fn changed(&self, _: BlobHash, _: BlobHash) -> Option<Vec<Bounds>> {
        None
    }
}

/// A test in words.
#[derive(Clone, Debug)]
pub struct TestTold {
    /// Its number in its job, from 0.
    pub test: u16,
    /// Begins with the reset.
    pub steps: Vec<StepTold>,
}

/// A step in words, with the screen after it.
#[derive(Clone, Debug)]
pub struct StepTold {
    /// The number of its turn in the job.
    pub turn: u32,
    /// The kind of its event; `None` for a reset.
    pub kind: Option<EventKind>,
    /// What kind of thing it acted on, whatever that says; empty where nothing is known of it.
    pub target: String,
    /// What was done.
    pub event: String,
    /// What else is to be said of it, one line each: what the lab did, that nothing changed, which page it is back on.
    pub changes: Vec<String>,
    /// What it did to the screen; empty where the screen is told as a whole.
    pub differences: Vec<Difference>,
    /// Whether the screen is told as a whole.
    pub whole: bool,
    /// The turn whose screen it is compared with, where that is not the one before: the page was seen then, and others
    /// since.
    pub since: Option<u32>,
    /// The screen after it; `None` where it is not known.
    pub screen: Option<Rc<Told>>,
    /// The screenshot after it.
    pub screenshot: Option<BlobHash>,
    /// It could not be done.
    pub failed: bool,
}

/// The account of a job. The veil learns what is typed into password fields on the way.
pub fn tell(run: &JobRun, layouts: &dyn Layouts, veil: &mut Veil, pixels: &dyn Pixels) -> Vec<TestTold> {
    let mut album = Album::default();
    let mut tests: Vec<TestTold> = Vec::new();
    let mut walk = Walk::default();
    for (number, turn) in (0_u32..).zip(&run.turns) {
        let event = match &turn.act {
            Act::Reset => {
                tests.push(TestTold {
                    test: u16::try_from(tests.len()).unwrap_or(u16::MAX),
                    steps: Vec::new(),
                });
                walk = Walk::default();
                None
            }
            Act::Perform(event) => Some(event),
            Act::Consult(_) | Act::Finish(_) => continue,
        };
        let Some(test) = tests.last_mut() else { continue };
        let kind = event.map(|event| event.kind);
        let mut step = StepTold {
            turn: number,
            kind,
            target: String::new(),
            event: "start with cleared data".into(),
            changes: Vec::new(),
            differences: Vec::new(),
            whole: false,
            since: None,
            screen: None,
            screenshot: None,
            failed: false,
        };
        // What could not be done has its receiver on the screen before: a password is none the less one.
        let sought = || walk.facts.as_deref()?.layout().resolve(event?.receiver.as_ref()?).widget();
        let seen = turn.observation.seen().and_then(|seen| seen.resolution).and_then(Resolution::widget);
        let receiver = seen.or_else(sought);
        if let Some(event) = event {
            let on = walk.facts.as_deref().zip(receiver);
            let field = on.and_then(|(facts, id)| facts.layout().get(id));
            if let (Some(typed), true) = (&event.data, field.is_some_and(|field| field.has(Flags::PASSWORD)))
            {
                veil.secrets.add(typed);
            }
            step.event = event_words(event, on, veil);
            step.target =
                on.zip(field).map(|((facts, _), widget)| target_kind(facts, widget)).unwrap_or_default();
        }
        match &turn.observation {
            Observation::Failed(failure) => {
                step.failed = true;
                step.changes.push(format!("not done: {}", failure_words(failure)));
                step.screen.clone_from(&walk.told);
            }
            Observation::Seen(seen) => {
                let below = walk.pages.below(&seen.screen).cloned();
                let facts = album.get(seen.screen.layout, below.as_deref().map(Facts::layout), layouts);
                step.changes = notes(seen, &run.app.package);
                match facts {
                    Some(facts) => walk.see(&mut step, seen, &facts, below.as_ref(), (&*veil, pixels)),
                    None => walk.lose(&mut step, seen),
                }
            }
            Observation::Started | Observation::Ended | Observation::Answered(_) => continue,
        }
        test.steps.push(step);
    }
    tests
}

/// The screen at which a walk through a test stands.
#[derive(Default)]
struct Walk {
    pages: Pages,
    facts: Option<Rc<Facts>>,
    told: Option<Rc<Told>>,
    screenshot: Option<BlobHash>,
    /// The pages of the app as they were last seen, and after which turn.
    seen: Vec<(u32, Rc<Told>)>,
}

impl Walk {
    /// The screen after a step cannot be told.
    fn lose(&mut self, step: &mut StepTold, seen: &Seen) {
        step.screenshot = seen.screenshot;
        step.changes.push("the screen after it is not known".into());
        (self.facts, self.told, self.screenshot) = (None, None, None);
    }

    fn see(
        &mut self,
        step: &mut StepTold,
        seen: &Seen,
        facts: &Rc<Facts>,
        below: Option<&Rc<Facts>>,
        (veil, pixels): (&Veil, &dyn Pixels),
    ) {
        step.screenshot = seen.screenshot;
        self.pages.pass(&seen.screen, facts);
        let below = below.filter(|below| !Rc::ptr_eq(below, facts));
        let told = Rc::new(Told::new(&seen.screen, facts, below, veil));
        match self.told.as_ref().map_or(Change::Whole, |before| change(before, &told)) {
            Change::Whole => self.compare_with_earlier(step, &told),
            Change::Lines(lines) => step.differences = lines,
            Change::Nothing => step.changes.push(self.unseen(seen, facts, veil, pixels)),
        }
        if seen.screen.in_app {
            self.seen.retain(|(_, page)| !page.is_page_of(&told));
            self.seen.push((step.turn, Rc::clone(&told)));
        }
        step.screen = Some(Rc::clone(&told));
        (self.facts, self.told, self.screenshot) = (Some(Rc::clone(facts)), Some(told), seen.screenshot);
    }

    /// A page that the test comes back to is compared with itself, as it was last seen.
    fn compare_with_earlier(&self, step: &mut StepTold, told: &Told) {
        let earlier = self.seen.iter().find(|(_, page)| page.is_page_of(told));
        let change = earlier.map_or(Change::Whole, |(_, page)| change(page, told));
        let mut lines = match change {
            Change::Whole => {
                step.whole = true;
                return;
            }
            Change::Lines(lines) => lines,
            Change::Nothing => Vec::new(),
        };
        step.since = earlier.map(|(turn, _)| *turn);
        lines.retain(|line| line.kind != DifferenceKind::Now);
        step.changes.push(format!("back on: {}{}", told.page, told.state));
        if lines.is_empty() {
            step.changes.push("as it was".to_owned());
        }
        step.differences = lines;
    }

    /// What changed where no text did.
    fn unseen(&self, seen: &Seen, facts: &Facts, veil: &Veil, pixels: &dyn Pixels) -> String {
        let shots = self.screenshot.zip(seen.screenshot);
        let changed = shots.and_then(|(earlier, later)| pixels.changed(earlier, later)).unwrap_or_default();
        if changed.is_empty() {
            return NOTHING.into();
        }
        let mut places: Vec<String> = Vec::new();
        for widget in changed.iter().filter_map(|bounds| smallest(facts, *bounds)) {
            let place = target(facts, widget, veil);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places.truncate(3);
        match places.as_slice() {
            [] => "nothing in the text; the picture changed".into(),
            places => format!("nothing in the text; the picture changed at {}", places.join(", ")),
        }
    }
}

/// The smallest widget that something lies in.
fn smallest(facts: &Facts, bounds: Bounds) -> Option<Widget<'_>> {
    let holds =
        |widget: &Widget<'_>| !widget.has(Flags::INVISIBLE) && widget.bounds().intersection(bounds) == bounds;
    let area = |widget: &Widget<'_>| i64::from(widget.bounds().width()) * i64::from(widget.bounds().height());
    facts.layout().widgets().filter(holds).min_by_key(area)
}

/// What happened besides what the screen shows.
fn notes(seen: &Seen, app: &str) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for signal in seen.signals.iter().filter(|signal| signal.is_of(app)) {
        let what =
            if signal.kind == SignalKind::Crash { "the app crashed" } else { "the app stopped responding" };
        notes.push(format!("{what}: {}", quoted(&signal.headline)));
    }
    notes.extend(seen.dialogs.iter().map(|done| format!("done by the lab: {}", bare(done))));
    if !seen.settled {
        notes.push("the screen was still moving".into());
    }
    notes
}

/// Why an event was not done.
pub fn failure_words(failure: &Failure) -> &'static str {
    match failure {
        Failure::NotFound => "the widget was not there any more",
        Failure::Untouchable => "the widget has no area to touch",
        Failure::Untypable => "the text cannot be typed on this device",
        Failure::TimedOut => "the test ran out of time",
        Failure::Unsupported => "this device has no way to do it",
    }
}

impl StepTold {
    /// The step with the whole screen after it, whatever it is compared with otherwise.
    pub fn whole(&self) -> String {
        let screen = self.screen.as_ref().map(|screen| indented(screen)).unwrap_or_default();
        format!("{}{screen}", self.event)
    }
}

fn indented(screen: &Told) -> String {
    format!("\n  {}", screen.to_string().replace('\n', "\n  "))
}

impl fmt::Display for StepTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.event)?;
        self.changes.iter().try_for_each(|line| write!(f, "\n  {line}"))?;
        self.differences.iter().try_for_each(|line| write!(f, "\n  {line}"))?;
        match &self.screen {
            Some(screen) if self.whole => f.write_str(&indented(screen)),
            _ => Ok(()),
        }
    }
}
