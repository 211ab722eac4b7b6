//! The account of a job: each test's events, and what each did to the screen.
//!
//! In: the turns of a job and their layouts. Out: for each test, its first screen and its steps in words.

use std::fmt;
use std::sync::Arc;

use super::change::{Change, Difference, DifferenceKind, change};
use super::facts::{Album, Facts, Pages};
use super::quote::{bare, quoted};
use super::screen::Told;
use super::target::{event_words, target_kind};
use super::unseen::unseen;
use super::veil::Veil;
use droidmux_gui::{Bounds, EventKind, Flags, Resolution};
use droidmux_record::{Act, BlobHash, Failure, JobRun, Layouts, Observation, Seen};

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
    /// The screenshot of the screen of which nothing that is told differs; only pictures can tell what does.
    pub same_as: Option<BlobHash>,
    /// The screen after it; `None` where it is not known.
    pub screen: Option<Arc<Told>>,
    /// The screenshot after it.
    pub screenshot: Option<BlobHash>,
    /// It could not be done.
    pub failed: bool,
}

/// The account of a job. The veil learns what is typed into password fields on the way.
pub fn tell(run: &JobRun, layouts: &dyn Layouts, veil: &mut Veil, pixels: &dyn Pixels) -> Vec<TestTold> {
    let mut teller = Teller::new(&run.app.package);
    let mut tests: Vec<TestTold> = Vec::new();
    for (number, turn) in (0_u32..).zip(&run.turns) {
        if turn.act == Act::Reset {
            let test = u16::try_from(tests.len()).unwrap_or(u16::MAX);
            tests.push(TestTold { test, steps: Vec::new() });
        }
        let told = teller.step(number, (&turn.act, &turn.observation), layouts, (&mut *veil, pixels));
        if let (Some(test), Some(step)) = (tests.last_mut(), told) {
            test.steps.push(step);
        }
    }
    tests
}

/// Tells the turns of a job one after the other, as they come.
#[derive(Clone, Default)]
pub struct Teller {
    app: String,
    album: Album,
    walk: Walk,
    /// There was a reset.
    begun: bool,
}

impl Teller {
    /// At the beginning of a job on the app of this package.
    pub fn new(app: &str) -> Self {
        Self { app: app.to_owned(), ..Self::default() }
    }

    /// The next turn in words; `None` where it is no step of a test. The veil learns what is typed into password fields.
    pub fn step(
        &mut self,
        number: u32,
        (act, observation): (&Act, &Observation),
        layouts: &dyn Layouts,
        (veil, pixels): (&mut Veil, &dyn Pixels),
    ) -> Option<StepTold> {
        let event = match act {
            Act::Reset => {
                (self.walk, self.begun) = (Walk::default(), true);
                None
            }
            Act::Perform(event) => Some(event),
            Act::Consult(_) | Act::Finish(_) => return None,
        };
        if !self.begun {
            return None;
        }
        let walk = &mut self.walk;
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
            same_as: None,
            screen: None,
            screenshot: None,
            failed: false,
        };
        // What could not be done has its receiver on the screen before: a password is none the less one.
        let sought = || walk.facts.as_deref()?.layout().resolve(event?.receiver.as_ref()?).widget();
        let seen = observation.seen().and_then(|seen| seen.resolution).and_then(Resolution::widget);
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
        match observation {
            Observation::Failed(failure) => {
                step.failed = true;
                step.changes.push(format!("not done: {}", failure_words(failure)));
                step.screen.clone_from(&walk.told);
            }
            Observation::Seen(seen) => {
                let below = walk.pages.below(&seen.screen).cloned();
                let below_it = below.as_deref().map(Facts::layout);
                let facts = self.album.get(seen.screen.layout, below_it, layouts);
                step.changes = notes(seen, &self.app);
                match facts {
                    Some(facts) => walk.see(&mut step, seen, &facts, below.as_ref(), (&*veil, pixels)),
                    None => walk.lose(&mut step, seen),
                }
            }
            Observation::Started | Observation::Ended | Observation::Answered(_) => return None,
        }
        Some(step)
    }

    /// What is on the screen now; `None` where that is not known.
    pub fn facts(&self) -> Option<&Arc<Facts>> {
        self.walk.facts.as_ref()
    }
}

/// The screen at which a walk through a test stands.
#[derive(Clone, Default)]
struct Walk {
    pages: Pages,
    facts: Option<Arc<Facts>>,
    told: Option<Arc<Told>>,
    screenshot: Option<BlobHash>,
    /// The pages of the app as they were last seen, after which turn, and with which screenshot.
    seen: Vec<(u32, Arc<Told>, Option<BlobHash>)>,
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
        facts: &Arc<Facts>,
        below: Option<&Arc<Facts>>,
        (veil, pixels): (&Veil, &dyn Pixels),
    ) {
        step.screenshot = seen.screenshot;
        self.pages.pass(&seen.screen, facts);
        let below = below.filter(|below| !Arc::ptr_eq(below, facts));
        let told = Arc::new(Told::new(&seen.screen, facts, below, veil));
        match self.told.as_ref().map_or(Change::Whole, |before| change(before, &told)) {
            Change::Whole => {
                let facts = (&**facts, &*seen.screen.activity);
                self.compare_with_earlier(step, &told, facts, (veil, pixels));
            }
            Change::Lines(lines) => step.differences = lines,
            Change::Nothing => {
                step.same_as = self.screenshot;
                let shots = step.same_as.zip(seen.screenshot);
                let unseen = unseen(shots, (facts, &seen.screen.activity), veil, pixels);
                step.changes.push(unseen.unwrap_or_else(|| NOTHING.into()));
            }
        }
        if seen.screen.in_app {
            self.seen.retain(|(_, page, _)| !page.is_page_of(&told));
            self.seen.push((step.turn, Arc::clone(&told), seen.screenshot));
        }
        step.screen = Some(Arc::clone(&told));
        (self.facts, self.told, self.screenshot) = (Some(Arc::clone(facts)), Some(told), seen.screenshot);
    }

    /// A page that the test comes back to is compared with itself, as it was last seen.
    fn compare_with_earlier(
        &self,
        step: &mut StepTold,
        told: &Told,
        facts: (&Facts, &str),
        (veil, pixels): (&Veil, &dyn Pixels),
    ) {
        let earlier = self.seen.iter().find(|(_, page, _)| page.is_page_of(told));
        let change = earlier.map_or(Change::Whole, |(_, page, _)| change(page, told));
        let mut lines = match change {
            Change::Whole => {
                step.whole = true;
                return;
            }
            Change::Lines(lines) => lines,
            Change::Nothing => Vec::new(),
        };
        step.since = earlier.map(|(turn, ..)| *turn);
        lines.retain(|line| line.kind != DifferenceKind::Now);
        step.changes.push(format!("back on: {}{}", told.page, told.state));
        if lines.is_empty() {
            step.same_as = earlier.and_then(|(.., screenshot)| *screenshot);
            let unseen = unseen(step.same_as.zip(step.screenshot), facts, veil, pixels);
            step.changes.push(unseen.unwrap_or_else(|| "as it was".to_owned()));
        }
        step.differences = lines;
    }
}

/// What happened besides what the screen shows.
fn notes(seen: &Seen, app: &str) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for signal in seen.signals.iter().filter(|signal| signal.is_of(app)) {
        notes.push(format!("the app {}: {}", signal.kind.deed(), quoted(&signal.headline)));
    }
    notes.extend(seen.toast.iter().map(|said| format!("a toast said {}", quoted(said))));
    notes.extend(seen.dialogs.iter().map(|done| format!("done by the lab: {}", bare(done))));
    if !seen.is_settled() {
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
        let screen =
            self.screen.as_ref().map(|screen| format!("\n  {}", screen.indented())).unwrap_or_default();
        format!("{}{screen}", self.event)
    }
}

impl fmt::Display for StepTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.event)?;
        self.changes.iter().try_for_each(|line| write!(f, "\n  {line}"))?;
        self.differences.iter().try_for_each(|line| write!(f, "\n  {line}"))?;
        match &self.screen {
            Some(screen) if self.whole => write!(f, "\n  {}", screen.indented()),
            _ => Ok(()),
        }
    }
}
