//! A toy app in memory and a lab that runs a planner on it, for tests.
//!
//! The toy is a diary: choose an activity, attach a picture, look at the list, delete a picture.
//! With its defect the picture of the newest entry is deleted instead of the chosen one.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::BatchDriver;
use crate::gui::{Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget};
use crate::record::{
    Act, AppBuild, Batch, DeviceInfo, Failure, Finding, Job, JobRun, Layouts, Observation, Progress, Purpose,
    Screen, Seen, SessionDefinition, SessionId, Shrunk, Slot, Turn, Work,
};
use crate::technique::{Driver, Plan, judge, planner};

const ACTIVITIES: [&str; 4] = ["Cinema", "Sleeping", "Cleaning", "Cooking"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    Main,
    List,
    /// Asks whether to delete the picture of this entry.
    Delete(usize),
    Settings,
    Away,
}

/// The app.
#[derive(Clone, Debug)]
pub struct Toy {
    defect: bool,
    view: View,
    /// Activity and whether it has a picture, oldest first.
    entries: Vec<(usize, bool)>,
    switches: [bool; 2],
}

/// All layouts the toy ever showed.
#[derive(Debug, Default)]
pub struct Shown(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Shown {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

impl Toy {
    fn new(defect: bool) -> Self {
        Self { defect, view: View::Main, entries: Vec::new(), switches: [false; 2] }
    }

    fn layout(&self) -> Layout {
        let mut page = Sheet::default();
        match self.view {
            View::Main => self.draw_main(&mut page),
            View::List => self.draw_list(&mut page),
            View::Delete(_) => {
                page.leaf("TextView", "question", "Delete this picture?", false);
                page.leaf("Button", "button2", "Cancel", true);
                page.leaf("Button", "button1", "OK", true);
            }
            View::Settings => {
                for (n, on) in self.switches.iter().enumerate() {
                    page.leaf("Switch", ["sound", "light"][n], if *on { "on" } else { "off" }, true);
                }
            }
            View::Away => page.leaf("TextView", "launcher", "Home", true),
        }
        page.0.finish()
    }

    fn draw_main(&self, page: &mut Sheet) {
        page.open("RecyclerView", "grid");
        ACTIVITIES.iter().for_each(|name| page.leaf("Button", "activity", name, true));
        page.0.close();
        if let Some((activity, picture)) = self.entries.last() {
            page.open("LinearLayout", "current");
            page.leaf("TextView", "name", ACTIVITIES[*activity], false);
            if *picture {
                page.leaf("ImageView", "attached", "", false);
            }
            page.leaf("ImageButton", "camera", "", true);
            page.0.close();
        }
        page.open("LinearLayout", "bar");
        page.leaf("ImageButton", "open_list", "", true);
        page.leaf("ImageView", "open_settings", "", true);
        page.0.close();
    }

    fn draw_list(&self, page: &mut Sheet) {
        page.open("RecyclerView", "list");
        for (activity, picture) in self.entries.iter().rev() {
            page.open("LinearLayout", "row");
            page.leaf("TextView", "title", ACTIVITIES[*activity], false);
            if *picture {
                page.leaf("ImageView", "picture", "", true);
            }
            page.0.close();
        }
        page.0.close();
        page.leaf("Button", "sort", "Sort", true);
    }

    /// Performs an event; false when its receiver is not there.
    fn perform(&mut self, event: &Event, layout: &Layout) -> Result<Option<crate::gui::Resolution>, Failure> {
        let Some(receiver) = &event.receiver else {
            self.press(event.kind);
            return Ok(None);
        };
        let found = layout.resolve(receiver);
        let widget = found.widget().and_then(|id| layout.get(id)).ok_or(Failure::NotFound)?;
        if event.kind == EventKind::Click {
            self.click(widget);
        }
        Ok(Some(found))
    }

    fn press(&mut self, kind: EventKind) {
        self.view = match (kind, self.view) {
            (EventKind::Back, View::Delete(_)) => View::List,
            (EventKind::Back, View::Main | View::Away) | (EventKind::Home, _) => View::Away,
            (EventKind::Back, _) | (EventKind::Launch, View::Away) => View::Main,
            (_, view) => view,
        };
    }

    fn click(&mut self, widget: crate::gui::Widget<'_>) {
        match (widget.resource_id(), self.view) {
            ("activity", _) => {
                let chosen = ACTIVITIES.iter().position(|name| *name == widget.text()).unwrap_or(0);
                self.entries.push((chosen, false));
            }
            ("camera", _) => self.entries.last_mut().into_iter().for_each(|entry| entry.1 = true),
            ("open_list", _) => self.view = View::List,
            ("open_settings", _) => self.view = View::Settings,
            ("sound", _) => self.switches[0] ^= true,
            ("light", _) => self.switches[1] ^= true,
            ("picture", _) => {
                let list = widget.layout();
                let before = list.widgets().filter(|w| w.resource_id() == "row" && w.id() < widget.id());
                self.view = View::Delete(self.entries.len() - before.count());
            }
            ("button1", View::Delete(entry)) => {
                let newest = self.entries.iter().rposition(|(_, picture)| *picture).unwrap_or(entry);
                self.entries[if self.defect { newest } else { entry }].1 = false;
                self.view = View::List;
            }
            ("button2", _) => self.view = View::List,
            _ => {}
        }
    }

    fn seen(&self, shown: &mut Shown, resolution: Option<crate::gui::Resolution>) -> Observation {
        let layout = Arc::new(self.layout());
        let activity = match self.view {
            View::Main => "toy.Main",
            View::List | View::Delete(_) => "toy.List",
            View::Settings => "toy.Settings",
            View::Away => "launcher.Home",
        };
        let screen = Screen {
            layout: layout.hash(),
            package: if self.view == View::Away { "launcher".into() } else { "toy".into() },
            activity: activity.into(),
            in_app: self.view != View::Away,
            rotation: 0,
            keyboard: false,
        };
        shown.0.insert(layout.hash(), layout);
        Observation::Seen(Box::new(Seen {
            screen,
            settled: true,
            resolution,
            signals: Vec::new(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }))
    }
}

/// A page being drawn; every widget has an area of its own.
struct Sheet(LayoutBuilder, i32);

impl Default for Sheet {
    fn default() -> Self {
        let mut sheet = Self(LayoutBuilder::new(), 0);
        sheet.open("FrameLayout", "content");
        sheet
    }
}

impl Sheet {
    fn open(&mut self, class: &str, id: &str) {
        self.widget(class, id, "", false);
    }

    fn leaf(&mut self, class: &str, id: &str, text: &str, clickable: bool) {
        self.widget(class, id, text, clickable);
        self.0.close();
    }

    fn widget(&mut self, class: &str, resource_id: &str, text: &str, clickable: bool) {
        self.1 += 10;
        let bounds = Bounds::new(0, self.1, 100, self.1 + 10);
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, clickable);
        self.0.open(NewWidget {
            class,
            resource_id,
            text,
            bounds,
            flags,
            package: "toy",
            ..NewWidget::default()
        });
    }
}

/// What a session on the toy came to.
#[derive(Debug, PartialEq)]
pub struct Session {
    pub jobs: Vec<Job>,
    pub acts: Vec<Vec<Act>>,
    pub findings: Vec<Finding>,
    pub progress: Progress,
    pub shrunk: Option<Shrunk>,
}

/// Runs a whole session on toys. Jobs under way are finished in an order drawn from `order`.
pub fn run_session(definition: &SessionDefinition, defect: bool, rng: u64, order: u64) -> Session {
    let mut planner = planner(definition, SessionId(1), rng);
    let mut order = ChaCha8Rng::seed_from_u64(order);
    let mut shown = Shown::default();
    let mut waiting: BTreeMap<Slot, (Job, Box<dyn Driver>)> = BTreeMap::new();
    let mut finished: BTreeMap<Slot, JobRun> = BTreeMap::new();
    let mut session = Session {
        jobs: Vec::new(),
        acts: Vec::new(),
        findings: Vec::new(),
        progress: planner.progress(),
        shrunk: None,
    };
    for slot in (0..100_000).map(Slot) {
        while !waiting.is_empty() && order.random_bool(0.5) {
            finish_any(&mut waiting, &mut finished, defect, &mut shown, &mut order);
        }
        while [waiting.keys().next(), finished.keys().next()]
            .into_iter()
            .flatten()
            .any(|first| first.0 + u64::from(definition.run.window) <= slot.0)
        {
            let Some((_, run)) =
                finished.first_key_value().filter(|(done, _)| waiting.keys().all(|w| w > done))
            else {
                finish_any(&mut waiting, &mut finished, defect, &mut shown, &mut order);
                continue;
            };
            planner.absorb(run, &judge(run, definition, &[], &shown), &shown);
            session.acts.push(run.turns.iter().map(|turn| turn.act.clone()).collect());
            finished.pop_first();
        }
        match planner.plan(slot) {
            Plan::Job(job) => {
                session.jobs.push((*job).clone());
                waiting.insert(slot, (*job.clone(), planner.driver(&job)));
            }
            Plan::Idle => {}
            Plan::Done => break,
        }
    }
    assert!(waiting.is_empty() && finished.is_empty(), "done while jobs are under way");
    session.findings = planner.findings();
    session.progress = planner.progress();
    session.shrunk = planner.shrunk();
    session
}

/// Runs a finding's mutant between its seed on a toy with or without the defect; true when the
/// violation shows.
pub fn shows(finding: &Finding, session: &Session, definition: &SessionDefinition, defect: bool) -> bool {
    let Some((slot, test)) = finding.seen.first() else { return false };
    let job = session.jobs.iter().find(|job| job.slot == *slot);
    let Some(Job { work: Work::Batch(batch), .. }) = job else { return false };
    let seed = batch.tests[0].clone();
    let tests = vec![seed.clone(), batch.tests[usize::from(*test)].clone(), seed];
    let batch = Batch { purpose: Purpose::Replay { finding: finding.id.clone(), round: 1 }, tests };
    let driver = Box::new(BatchDriver::new(&batch, &definition.app, definition.genie.pivot_likeness));
    let job = Job { slot: Slot(0), rng: 0, work: Work::Batch(batch) };
    let mut shown = Shown::default();
    let run = run_job(job, driver, defect, &mut shown);
    judge(&run, definition, &[], &shown).verdicts.iter().any(|v| v.key == finding.verdict.key)
}

fn finish_any(
    waiting: &mut BTreeMap<Slot, (Job, Box<dyn Driver>)>,
    finished: &mut BTreeMap<Slot, JobRun>,
    defect: bool,
    shown: &mut Shown,
    order: &mut ChaCha8Rng,
) {
    let at = order.random_range(0..waiting.len());
    let slot = *waiting.keys().nth(at).expect("a slot");
    if let Some((job, driver)) = waiting.remove(&slot) {
        finished.insert(slot, run_job(job, driver, defect, shown));
    }
}

fn run_job(job: Job, mut driver: Box<dyn Driver>, defect: bool, shown: &mut Shown) -> JobRun {
    let mut toy = Toy::new(defect);
    let mut turns = Vec::new();
    let mut observation = Observation::Started;
    loop {
        let act = driver.next(&observation, shown);
        observation = match &act {
            Act::Reset => {
                toy = Toy::new(defect);
                toy.seen(shown, None)
            }
            Act::Perform(event) => match toy.perform(event, &toy.layout()) {
                Ok(resolution) => toy.seen(shown, resolution),
                Err(failure) => Observation::Failed(failure),
            },
            Act::Finish(_) => Observation::Ended,
        };
        let ended = matches!(act, Act::Finish(_));
        turns.push(Turn { act, observation: observation.clone(), at_ms: 0, took_ms: 0 });
        assert!(turns.len() < 10_000, "the driver does not end: {:?}", job.work.name());
        if ended {
            let app = AppBuild { package: "toy".into(), version_name: "1".into(), version_code: 1 };
            return JobRun { job, attempt: 1, device: DeviceInfo::default(), app, turns };
        }
    }
}
