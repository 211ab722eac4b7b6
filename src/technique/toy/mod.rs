//! Toy apps in memory and a lab that runs a planner on them, for tests.

mod diary;
mod draft;
mod form;
mod notes;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Driver, Plan, judge, planner, recipe, registry};
use droidmux_gui::{
    Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, Resolution, Widget,
};
use droidmux_record::{
    Act, Answer, AppBuild, Batch, Consultation, DeviceInfo, Failure, Finding, Job, JobRun, Layouts,
    Observation, Progress, Purpose, Screen, Seen, SessionDefinition, SessionId, Shrunk, Slot, Turn, Work,
};

/// An app: what it shows, and what events do to it.
pub trait Toy {
    fn layout(&self) -> Layout;

    /// The activity shown; [`AWAY`] when the app is not in the foreground.
    fn activity(&self) -> &'static str;

    /// The package of the other app that it sent people to, if it shows one.
    fn elsewhere(&self) -> Option<&'static str> {
        None
    }

    /// An event on a widget of its present layout.
    fn touch(&mut self, event: &Event, widget: Widget<'_>);

    /// An event on no widget.
    fn press(&mut self, kind: EventKind);
}

/// The activity of the launcher.
pub const AWAY: &str = "launcher.Home";

/// The toy of this package, newly started.
fn toy(app: &str, defect: bool) -> Box<dyn Toy> {
    match app {
        "toy" => Box::new(diary::Diary::new(defect)),
        "toy.camera" => Box::new(diary::Diary::with_camera(defect)),
        "toy.drawer" => Box::new(diary::Diary::with_drawer(defect)),
        "toy.draft" => Box::new(draft::Draft::new(defect)),
        "toy.form" => Box::new(form::Form::new(defect)),
        "toy.notes" => Box::new(notes::Notes::new(defect)),
        other => panic!("no toy {other}"),
    }
}

/// Answers what is not the device.
pub type Model = fn(&Consultation) -> Answer;

thread_local! {
    /// Of the session that this thread runs. Without one there are no models, sandbox or examples.
    static MODEL: Cell<Model> = const { Cell::new(|_| Answer::Examples(Vec::new())) };
}

/// Runs a session with this model.
pub fn answering<T>(model: Model, session: impl FnOnce() -> T) -> T {
    let before = MODEL.replace(model);
    let result = session();
    MODEL.set(before);
    result
}

/// All layouts the toy ever showed.
#[derive(Debug, Default, PartialEq)]
pub struct Shown(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Shown {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

fn perform(toy: &mut dyn Toy, event: &Event) -> Result<Option<Resolution>, Failure> {
    let Some(receiver) = &event.receiver else {
        toy.press(event.kind);
        return Ok(None);
    };
    let layout = toy.layout();
    let found = layout.resolve(receiver);
    let widget = found.widget().and_then(|id| layout.get(id)).ok_or(Failure::NotFound)?;
    toy.touch(event, widget);
    Ok(Some(found))
}

fn seen(toy: &dyn Toy, app: &str, shown: &mut Shown, resolution: Option<Resolution>) -> Observation {
    let layout = Arc::new(toy.layout());
    let elsewhere = toy.elsewhere();
    let in_app = elsewhere.is_none() && toy.activity() != AWAY;
    let screen = Screen {
        layout: layout.hash(),
        package: if in_app { app.into() } else { elsewhere.unwrap_or("launcher").into() },
        activity: toy.activity().into(),
        in_app,
        rotation: 0,
        keyboard: false,
    };
    shown.0.insert(layout.hash(), layout);
    Observation::Seen(Box::new(Seen {
        screen,
        settling: droidmux_record::Settling::Strict,
        dumps: 2,
        toast: None,
        hears_toasts: false,
        resolution,
        signals: Vec::new(),
        setup: Vec::new(),
        dialogs: Vec::new(),
        screenshot: None,
    }))
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

    fn close(&mut self) {
        self.0.close();
    }

    fn finish(self) -> Layout {
        self.0.finish()
    }

    fn leaf(&mut self, class: &str, id: &str, text: &str, clickable: bool) {
        self.widget(class, id, text, clickable);
        self.0.close();
    }

    fn widget(&mut self, class: &str, resource_id: &str, text: &str, clickable: bool) {
        self.1 += 10;
        let bounds = Bounds::new(0, self.1, 100, self.1 + 10);
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, clickable);
        self.0.open(NewWidget { class, resource_id, text, bounds, flags, ..NewWidget::default() });
    }
}

/// The outcome of a session on the toy.
#[derive(Debug, PartialEq)]
pub struct Session {
    pub jobs: Vec<Job>,
    /// In the order they were absorbed.
    pub runs: Vec<JobRun>,
    pub acts: Vec<Vec<Act>>,
    pub findings: Vec<Finding>,
    pub progress: Progress,
    pub shrunk: Vec<Shrunk>,
    pub shown: Shown,
}

/// Runs a whole session on toys. Jobs under way are finished in an order drawn from `order`.
pub fn run_session(definition: &SessionDefinition, defect: bool, rng: u64, order: u64) -> Session {
    let app = definition.app.as_str();
    let mut planner = planner(definition, SessionId(1), rng);
    let mut order = ChaCha8Rng::seed_from_u64(order);
    let mut shown = Shown::default();
    let mut waiting: BTreeMap<Slot, (Job, Box<dyn Driver>)> = BTreeMap::new();
    let mut finished: BTreeMap<Slot, JobRun> = BTreeMap::new();
    let mut session = Session {
        jobs: Vec::new(),
        runs: Vec::new(),
        acts: Vec::new(),
        findings: Vec::new(),
        progress: planner.progress(),
        shrunk: Vec::new(),
        shown: Shown::default(),
    };
    for slot in (0..100_000).map(Slot) {
        while !waiting.is_empty() && order.random_bool(0.5) {
            finish_any(&mut waiting, &mut finished, (app, defect), &mut shown, &mut order);
        }
        while [waiting.keys().next(), finished.keys().next()]
            .into_iter()
            .flatten()
            .any(|first| first.0 + u64::from(definition.run.window) <= slot.0)
        {
            let Some((_, run)) =
                finished.first_key_value().filter(|(done, _)| waiting.keys().all(|w| w > done))
            else {
                finish_any(&mut waiting, &mut finished, (app, defect), &mut shown, &mut order);
                continue;
            };
            planner.absorb(run, &judge(run, definition, &[], &shown), &shown);
            session.acts.push(run.turns.iter().map(|turn| turn.act.clone()).collect());
            session.runs.push(run.clone());
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
    session.shown = shown;
    session
}

/// Runs the tests of a finding on a toy with or without the defect; true when the violation shows.
pub fn shows(finding: &Finding, session: &Session, definition: &SessionDefinition, defect: bool) -> bool {
    let run = session.runs.iter().find(|run| run.job.slot == finding.verdict.slot);
    let Some(tests) = run.map(|run| recipe(run, &finding.verdict)) else { return false };
    let batch = Batch { purpose: Purpose::Replay { finding: finding.id.clone(), round: 1 }, tests };
    let driver = registry::player(&batch, definition);
    let job = Job { slot: Slot(0), rng: 0, work: Work::Batch(batch) };
    let mut shown = Shown::default();
    let run = run_job(job, driver, &definition.app, defect, &mut shown);
    judge(&run, definition, &[], &shown).verdicts.iter().any(|v| v.key == finding.verdict.key)
}

fn finish_any(
    waiting: &mut BTreeMap<Slot, (Job, Box<dyn Driver>)>,
    finished: &mut BTreeMap<Slot, JobRun>,
    (app, defect): (&str, bool),
    shown: &mut Shown,
    order: &mut ChaCha8Rng,
) {
    let at = order.random_range(0..waiting.len());
    let slot = *waiting.keys().nth(at).expect("a slot");
    if let Some((job, driver)) = waiting.remove(&slot) {
        finished.insert(slot, run_job(job, driver, app, defect, shown));
    }
}

fn run_job(job: Job, mut driver: Box<dyn Driver>, app: &str, defect: bool, shown: &mut Shown) -> JobRun {
    let mut toy = toy(app, defect);
    let mut turns = Vec::new();
    let mut observation = Observation::Started;
    loop {
        let act = driver.next(&observation, shown);
        observation = match &act {
            Act::Reset => {
                toy = self::toy(app, defect);
                seen(&*toy, app, shown, None)
            }
            Act::Perform(event) => match perform(&mut *toy, event) {
                Ok(resolution) => seen(&*toy, app, shown, resolution),
                Err(failure) => Observation::Failed(failure),
            },
            Act::Consult(consultation) => {
                Observation::Answered(Box::new(MODEL.with(Cell::get)(consultation)))
            }
            Act::Finish(_) => Observation::Ended,
        };
        let ended = matches!(act, Act::Finish(_));
        turns.push(Turn { act, observation: observation.clone(), at_ms: 0, took_ms: 0 });
        assert!(turns.len() < 10_000, "the driver does not end: {:?}", job.work.name());
        if ended {
            let app = AppBuild { package: app.into(), version_name: "1".into(), version_code: 1 };
            return JobRun { job, attempt: 1, device: DeviceInfo::default(), app, turns };
        }
    }
}
