//! Sessions on a simulated phone in this process, with the fixed rules in place of a model: fast enough to run many.
//! What apps call and label their widgets can be replaced by random words.

use std::collections::BTreeMap;
use std::sync::Arc;

use droidmux::gui::{
    Direction, Event, EventKind, Layout, LayoutBuilder, LayoutHash, NewWidget, Point, Resolution, read_dump,
};
use droidmux::llm::{Sandbox, rules};
use droidmux::record::{
    Act, Answer, AppBuild, Consultation, DeviceInfo, Exchange, Failure, Finding, Job, JobRun, Layouts,
    Observation, Progress, Reply, Screen, Seen, SessionDefinition, SessionId, Signal, SignalKind, Slot,
    StepOrder, Turn,
};
use droidmux::sim::phone::Buffer;
use droidmux::sim::{DefectSwitches, Phone, PhoneOptions, apps};
use droidmux::technique::{Driver, Plan, judge, planner};
use tokio_util::sync::CancellationToken;

/// Replaces the words of an app: each by one that depends on the word alone.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    /// Words of texts typed so far stay as they are: the app shows them as typed.
    typed: Vec<String>,
    on: bool,
}

impl Renaming {
    pub fn random() -> Self {
        Self { on: true, ..Self::default() }
    }

    fn word(word: &str) -> String {
        let hash = blake3::hash(word.as_bytes());
        hash.as_bytes().iter().take(6).map(|byte| char::from(b'a' + byte % 26)).collect()
    }

    fn text(&self, text: &str) -> String {
        let words = text.split_inclusive(|c: char| !c.is_alphabetic());
        let renamed = words.map(|piece| {
            let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
            let rest = piece.get(word.len()..).unwrap_or_default();
            let is_typed = self.typed.iter().any(|typed| typed.contains(word));
            if word.is_empty() || is_typed { piece.to_owned() } else { format!("{}{rest}", Self::word(word)) }
        });
        renamed.collect()
    }

    fn id(id: &str) -> String {
        match id.split_once(":id/") {
            Some(("android", _)) | None => id.to_owned(),
            Some((package, name)) => format!("{}:id/{}", Self::word(package), Self::word(name)),
        }
    }

    fn layout(&self, layout: Layout) -> Layout {
        if !self.on {
            return layout;
        }
        let mut builder = LayoutBuilder::new();
        builder.rotation(layout.rotation());
        for widget in layout.widgets() {
            while builder.depth() > widget.depth() {
                builder.close();
            }
            builder.open(NewWidget {
                class: widget.class(),
                resource_id: &Self::id(widget.resource_id()),
                text: &self.text(widget.text()),
                description: &self.text(widget.description()),
                hint: &self.text(widget.hint()),
                package: widget.package(),
                bounds: widget.bounds(),
                flags: widget.flags(),
                index: widget.index(),
            });
        }
        builder.finish()
    }
}

/// A phone with one app under test.
struct Handset {
    phone: Phone,
    app: String,
    defects: DefectSwitches,
    renaming: Renaming,
    crashes: usize,
}

/// The layouts that were seen.
#[derive(Default)]
pub struct Known(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Known {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

impl Handset {
    fn new(app: &str, defects: &DefectSwitches, renaming: Renaming) -> Self {
        let phone = Phone::new(PhoneOptions::default(), &apps::all(), defects);
        Self { phone, app: app.to_owned(), defects: defects.clone(), renaming, crashes: 0 }
    }

    fn reset(&mut self) {
        let renaming = Renaming { typed: Vec::new(), ..self.renaming.clone() };
        *self = Self::new(&self.app.clone(), &self.defects.clone(), renaming);
        let permissions = self.phone.package(&self.app).expect("installed").permissions;
        for (permission, _) in permissions {
            self.phone.grant(&self.app, &permission, true).expect("requested");
        }
        self.launch();
    }

    fn launch(&mut self) {
        let launcher = self.phone.launcher_of(&self.app).expect("has a launcher");
        self.phone.launch(&launcher).expect("starts");
    }

    fn layout(&self) -> Layout {
        let xml = self.phone.dump().expect("a dump");
        self.renaming.layout(read_dump(xml.as_bytes()).expect("readable").layout)
    }

    fn perform(&mut self, event: &Event) -> Result<Option<Resolution>, Failure> {
        let layout = self.layout();
        let found = event.receiver.as_ref().map(|receiver| layout.resolve(receiver));
        let at = match found {
            None => Point { x: 0, y: 0 },
            Some(found) => {
                let widget = found.widget().and_then(|id| layout.get(id)).ok_or(Failure::NotFound)?;
                if widget.bounds().is_empty() {
                    return Err(Failure::Untouchable);
                }
                widget.bounds().center()
            }
        };
        match event.kind {
            EventKind::Click => self.phone.tap(at),
            EventKind::LongClick => self.phone.long_press(at),
            EventKind::Edit => {
                let text = event.data.clone().unwrap_or_default();
                self.phone.tap(at);
                if !self.phone.set_field_text(&text) {
                    return Err(Failure::Untypable);
                }
                self.renaming.typed.push(text);
                self.phone.key("BACK").expect("a key");
            }
            EventKind::Scroll(direction) => {
                let (dx, dy) = match direction {
                    Direction::Down => (0, -400),
                    Direction::Up => (0, 400),
                    Direction::Right => (-300, 0),
                    Direction::Left => (300, 0),
                };
                self.phone.swipe(at, Point { x: at.x + dx, y: at.y + dy }, 200);
            }
            EventKind::Enter => drop(self.phone.key("ENTER")),
            EventKind::Launch => self.launch(),
            _ => drop(self.phone.key("BACK")),
        }
        Ok(found)
    }

    fn seen(&mut self, known: &mut Known, resolution: Option<Resolution>) -> Observation {
        let layout = Arc::new(self.layout());
        let crashes = self.phone.logcat(&[Buffer::Crash]).len();
        let (headline, stack) = ("crash".to_owned(), Vec::new());
        let signal = Signal { kind: SignalKind::Crash, process: self.app.clone(), headline, stack };
        let signals = if crashes > self.crashes { vec![signal] } else { Vec::new() };
        self.crashes = crashes;
        let focus = self.phone.focus();
        let screen = Screen {
            layout: layout.hash(),
            in_app: focus.package == self.app,
            package: focus.package,
            activity: focus.activity,
            rotation: 0,
            keyboard: false,
        };
        known.0.insert(layout.hash(), layout);
        Observation::Seen(Box::new(Seen {
            screen,
            settling: droidmux::record::Settling::Strict,
            dumps: 2,
            toast: None,
            hears_toasts: false,
            resolution,
            signals,
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }))
    }

    fn run(&mut self, job: Job, mut driver: Box<dyn Driver>, known: &mut Known) -> JobRun {
        let mut turns = Vec::new();
        let mut observation = Observation::Started;
        loop {
            let act = driver.next(&observation, known);
            observation = match &act {
                Act::Reset => {
                    self.reset();
                    self.seen(known, None)
                }
                Act::Perform(event) => match self.perform(event) {
                    Ok(resolution) => self.seen(known, resolution),
                    Err(failure) => Observation::Failed(failure),
                },
                Act::Consult(consultation) => Observation::Answered(Box::new(answer(consultation))),
                Act::Finish(_) => Observation::Ended,
            };
            let ended = matches!(act, Act::Finish(_));
            turns.push(Turn { act, observation: observation.clone(), at_ms: 0, took_ms: 0 });
            if ended {
                let app = AppBuild { package: self.app.clone(), version_name: "1".into(), version_code: 1 };
                return JobRun { job, attempt: 1, device: DeviceInfo::default(), app, turns };
            }
        }
    }
}

fn answer(consultation: &Consultation) -> Answer {
    match consultation {
        Consultation::Ask(question) => {
            let exchange = Exchange { answered_by: "rules".into(), ..Exchange::default() };
            Answer::Reply(Reply { text: rules::answer(question), exchange })
        }
        Consultation::Generate(generation) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let sandbox = Sandbox::at(env!("CARGO_BIN_EXE_droidmux"));
            let inputs =
                runtime.expect("a runtime").block_on(sandbox.run(generation, &CancellationToken::new()));
            Answer::Inputs(inputs.expect("nobody cancels it"))
        }
        Consultation::Recall(_) => Answer::Examples(Vec::new()),
        Consultation::Steer(_) => Answer::Order(StepOrder::Leave),
        Consultation::Compare(_) => Answer::Differences(None),
    }
}

/// The outcome of a session.
pub struct Session {
    pub findings: Vec<Finding>,
    pub progress: Progress,
    pub runs: Vec<JobRun>,
    pub layouts: Known,
}

/// Runs a session on an app with these defects on, each job absorbed before the next is planned.
pub fn run(definition: &SessionDefinition, defects: &[&str], renaming: Renaming, rng: u64) -> Session {
    let switches = DefectSwitches::only(defects.iter().copied(), &apps::all()).expect("known defects");
    let mut handset = Handset::new(&definition.app, &switches, renaming);
    let mut planner = planner(definition, SessionId(1), rng);
    let (mut known, mut runs) = (Known::default(), Vec::new());
    for slot in (0..10_000).map(Slot) {
        let job = match planner.plan(slot) {
            Plan::Job(job) => *job,
            Plan::Idle => continue,
            Plan::Done => break,
        };
        let driver = planner.driver(&job);
        let run = handset.run(job, driver, &mut known);
        let judgement = judge(&run, definition, &[], &known);
        planner.absorb(&run, &judgement, &known);
        runs.push(run);
    }
    Session { findings: planner.findings(), progress: planner.progress(), runs, layouts: known }
}
