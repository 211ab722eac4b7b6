//! Sessions on simulated phones without a wire between: planner, drivers and oracles end to end,
//! as fast as they go.

use std::collections::BTreeMap;
use std::sync::Arc;

use droidmux::gui::{Direction, Event, EventKind, Layout, LayoutHash, Point, Resolution, read_dump};
use droidmux::record::{
    Act, AppBuild, Batch, DeviceInfo, Failure, Finding, Job, JobRun, Judgement, Layouts, Observation,
    Progress, Purpose, Screen, Seen, SessionDefinition, SessionId, Signal, SignalKind, Slot, Turn, Work,
};
use droidmux::sim::phone::Buffer;
use droidmux::sim::{DefectSwitches, Phone, PhoneOptions, SimApp, apps};
use droidmux::technique::genie::BatchDriver;
use droidmux::technique::{Driver, Plan, judge, planner};

/// All layouts seen in a session.
#[derive(Default)]
pub struct Shown(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Shown {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

/// What a session came to.
pub struct Outcome {
    pub definition: SessionDefinition,
    pub jobs: Vec<Job>,
    pub acts: Vec<Vec<Act>>,
    pub findings: Vec<Finding>,
    pub progress: Progress,
    /// Judgements by slot.
    pub judgements: BTreeMap<Slot, Judgement>,
}

/// The session definition of an app with default settings and this budget.
pub fn definition(app: &str, max_events: u64) -> SessionDefinition {
    let text =
        format!("technique = \"genie\"\napp = \"org.droidmux.{app}\"\n[run]\nmax-events = {max_events}\n");
    toml::from_str(&text).expect("definition")
}

/// The switches of one defect, or of none.
pub fn switches(defect: Option<&str>) -> DefectSwitches {
    DefectSwitches::only(defect, &apps::all()).expect("defect")
}

/// Runs a session; every job is finished before the next is planned, the window is kept.
pub fn run_session(definition: &SessionDefinition, defects: &DefectSwitches, rng: u64) -> Outcome {
    let mut planner = planner(definition, SessionId(1), rng);
    let mut shown = Shown::default();
    let mut waiting: BTreeMap<Slot, JobRun> = BTreeMap::new();
    let (mut jobs, mut acts, mut judgements) = (Vec::new(), Vec::new(), BTreeMap::new());
    for slot in (0..1_000_000).map(Slot) {
        while let Some(first) = waiting.first_entry()
            && first.key().0 + u64::from(definition.run.window) <= slot.0
        {
            let run = first.remove();
            let judgement = judge(&run, definition, &[], &shown);
            planner.absorb(&run, &judgement, &shown);
            judgements.insert(run.job.slot, judgement);
            acts.push(run.turns.iter().map(|turn| turn.act.clone()).collect());
        }
        match planner.plan(slot) {
            Plan::Job(job) => {
                jobs.push((*job).clone());
                let driver = planner.driver(&job);
                waiting.insert(slot, run_job(definition, defects, *job, driver, &mut shown));
            }
            Plan::Idle => {}
            Plan::Done => break,
        }
    }
    let (findings, progress) = (planner.findings(), planner.progress());
    Outcome { definition: definition.clone(), jobs, acts, findings, progress, judgements }
}

impl Outcome {
    /// True when the finding's first sight shows with these defects when it is run again.
    pub fn shows(&self, finding: &Finding, defects: &DefectSwitches) -> bool {
        let Some((slot, test)) = finding.seen.first() else { return false };
        let job = self.jobs.iter().find(|job| job.slot == *slot);
        let Some(Job { work: Work::Batch(batch), .. }) = job else { return false };
        let seed = batch.tests[0].clone();
        let tests = vec![seed.clone(), batch.tests[usize::from(*test)].clone(), seed];
        let batch = Batch { purpose: Purpose::Replay { finding: finding.id.clone(), round: 1 }, tests };
        let genie = &self.definition.genie;
        let driver = Box::new(BatchDriver::new(&batch, &self.definition.app, genie.pivot_likeness));
        let job = Job { slot: Slot(0), rng: 0, work: Work::Batch(batch) };
        let mut shown = Shown::default();
        let run = run_job(&self.definition, defects, job, driver, &mut shown);
        let said = judge(&run, &self.definition, &[], &shown).verdicts;
        said.iter().any(|verdict| verdict.key == finding.verdict.key)
    }
}

fn run_job(
    definition: &SessionDefinition,
    defects: &DefectSwitches,
    job: Job,
    mut driver: Box<dyn Driver>,
    shown: &mut Shown,
) -> JobRun {
    let all = apps::all();
    let app = all.iter().find(|app| app.package() == definition.app).expect("app").clone();
    let mut desk = Desk::new(app, defects);
    let mut turns: Vec<Turn> = Vec::new();
    let mut observation = Observation::Started;
    loop {
        let act = driver.next(&observation, shown);
        observation = match &act {
            Act::Reset => desk.reset(shown),
            Act::Perform(event) => desk.perform(event, shown),
            Act::Finish(_) => Observation::Ended,
        };
        let ended = matches!(act, Act::Finish(_));
        turns.push(Turn { act, observation: observation.clone(), at_ms: 0, took_ms: 0 });
        if ended {
            let app = AppBuild { package: definition.app.clone(), ..AppBuild::default() };
            return JobRun { job, attempt: 1, device: DeviceInfo::default(), app, turns };
        }
    }
}

/// A phone on the desk, and what it showed last.
struct Desk {
    phone: Phone,
    package: &'static str,
    layout: Arc<Layout>,
}

impl Desk {
    fn new(app: SimApp, defects: &DefectSwitches) -> Self {
        let package = app.package();
        let phone = Phone::new(PhoneOptions::default(), &[app], defects);
        Self { phone, package, layout: Arc::new(droidmux::gui::LayoutBuilder::new().finish()) }
    }

    fn reset(&mut self, shown: &mut Shown) -> Observation {
        self.phone.clear(self.package);
        let permissions = self.phone.package(self.package).map(|p| p.permissions).unwrap_or_default();
        for (permission, _) in permissions {
            self.phone.grant(self.package, &permission, true).expect("grant");
        }
        self.phone.set_rotation(0);
        self.launch();
        self.look(None, shown)
    }

    fn launch(&mut self) {
        let launcher = self.phone.launcher_of(self.package).expect("launcher");
        self.phone.launch(&launcher).expect("launched");
    }

    fn perform(&mut self, event: &Event, shown: &mut Shown) -> Observation {
        let found = event.receiver.as_ref().map(|receiver| self.layout.resolve(receiver));
        let layout = self.layout.clone();
        let widget = found.and_then(Resolution::widget).and_then(|id| layout.get(id));
        if event.receiver.is_some() && widget.is_none() {
            return Observation::Failed(Failure::NotFound);
        }
        let at = widget.map_or(Point { x: 0, y: 0 }, |w| w.bounds().center());
        match event.kind {
            EventKind::Click => self.phone.tap(at),
            EventKind::LongClick => self.phone.long_press(at),
            EventKind::Edit => {
                self.phone.tap(at);
                self.phone.set_field_text(event.data.as_deref().unwrap_or_default());
            }
            EventKind::Scroll(direction) => {
                let bounds = widget.map(|w| w.bounds()).unwrap_or_default();
                let (dx, dy) = (bounds.width() * 3 / 10, bounds.height() * 3 / 10);
                let (dx, dy) = match direction {
                    Direction::Down => (0, -dy),
                    Direction::Up => (0, dy),
                    Direction::Right => (-dx, 0),
                    Direction::Left => (dx, 0),
                };
                let (from, to) = (Point { x: at.x - dx, y: at.y - dy }, Point { x: at.x + dx, y: at.y + dy });
                self.phone.swipe(from, to, 300);
            }
            EventKind::Back => self.key("BACK"),
            EventKind::Home => self.key("HOME"),
            EventKind::Menu => self.key("MENU"),
            EventKind::Enter => self.key("ENTER"),
            EventKind::Rotate => {
                let turned = u8::from(self.phone.rotation().is_multiple_of(2));
                self.phone.set_rotation(turned);
            }
            EventKind::Launch => self.launch(),
        }
        self.look(found, shown)
    }

    fn key(&mut self, name: &str) {
        self.phone.key(name).expect("key");
    }

    fn look(&mut self, resolution: Option<Resolution>, shown: &mut Shown) -> Observation {
        let dump = self.phone.dump().expect("dump");
        self.layout = Arc::new(read_dump(dump.as_bytes()).expect("layout").layout);
        let focus = self.phone.focus();
        let in_app = focus.package == self.package;
        let screen = Screen {
            layout: self.layout.hash(),
            package: focus.package,
            activity: focus.activity,
            in_app,
            rotation: self.phone.rotation(),
            keyboard: focus.keyboard,
        };
        shown.0.insert(screen.layout, self.layout.clone());
        let lines = self.phone.logcat(&[Buffer::Crash]);
        let stack: Vec<String> = lines.iter().map(|line| line.message.clone()).collect();
        let headline = stack.iter().find(|line| line.contains("Exception:") || line.contains("Exception"));
        let signal = headline.cloned().map(|headline| Signal {
            kind: SignalKind::Crash,
            process: self.package.to_owned(),
            headline,
            stack: stack.clone(),
        });
        self.phone.clear_logcat(&[Buffer::Crash]);
        Observation::Seen(Box::new(Seen {
            screen,
            settled: true,
            resolution,
            signals: signal.into_iter().collect(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }))
    }
}
