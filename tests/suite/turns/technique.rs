//! Turns, a technique outside of the crate: it strolls through an app, turns the screen twice now and
//! then, and expects to see the same texts again.

use std::collections::BTreeSet;

use droidmux::gui::{Event, EventKind, Layout};
use droidmux::record::{
    Act, Batch, Ending, Errand, ErrandContent, Evidence, Finding, Funnel, FunnelStage, Job, JobRun,
    Judgement, Layouts, Observation, Outcome, Phase, Progress, Seen, SessionDefinition, SessionId, Setting,
    SettingsContent, SettingsKind, Slot, Step, Takes, Trace, Verdict, Work,
};
use droidmux::technique::{
    BatchDriver, Driver, IdleDriver, Oracle, Plan, Planner, Search, SettingComplaint, TechniqueEntry, Uses,
    fidelity, mix,
};
use serde::{Deserialize, Serialize};

/// Turns in the table of techniques.
pub static TURNS: TechniqueEntry = TechniqueEntry {
    name: "turns",
    what: "texts that are gone after the screen was turned twice",
    settings: &[SettingsKind::of::<TurnsSettings>()],
    uses: Uses::NOTHING,
    needs: None,
    inputs: None,
    planner: |definition, session, rng| Box::new(TurnsPlanner::new(definition, session, rng)),
    oracle: Some(|_, _| Box::new(TurnsOracle)),
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check: |definition| {
        let stroll = definition.settings.of::<TurnsSettings>().stroll_events;
        match definition.run.max_events < stroll.into() {
            true => {
                let what = format!("a stroll takes {stroll} events");
                vec![SettingComplaint::new(&["run", "max-events"], what)]
            }
            false => Vec::new(),
        }
    },
};

/// `[turns]` in session files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct TurnsSettings {
    pub stroll_events: u32,
}

impl SettingsContent for TurnsSettings {
    const NAME: &'static str = "turns";
    const ROWS: &'static [Setting] =
        &[Setting::new("stroll-events", Takes::Whole(1, 1_000), "events", "of one stroll")];
}

impl Default for TurnsSettings {
    fn default() -> Self {
        Self { stroll_events: 30 }
    }
}

/// The work of one job, in the terms of this technique.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stroll {
    pub events: u32,
}

impl ErrandContent for Stroll {
    const NAME: &'static str = "stroll";

    fn events(&self) -> u64 {
        self.events.into()
    }
}

/// Decides what to try: stroll after stroll. Budget, confirmations and findings are the search's.
struct TurnsPlanner {
    app: String,
    stroll: Stroll,
    search: Search,
}

impl TurnsPlanner {
    fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let phase = Phase::new("turns", "turning screens");
        let settings: TurnsSettings = definition.settings.of();
        Self {
            app: definition.app.clone(),
            stroll: Stroll { events: settings.stroll_events },
            search: Search::new(definition, session, rng, phase),
        }
    }
}

impl Planner for TurnsPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let stroll = self.stroll;
        self.search.plan(slot, || Some(Work::errand(stroll)))
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.app, None))
    }

    fn errand_driver(&self, job: &Job, errand: &Errand) -> Box<dyn Driver> {
        match errand.content::<Stroll>() {
            Some(stroll) => Box::new(StrollDriver::new(&self.app, stroll, job.rng)),
            None => Box::new(IdleDriver),
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.search.absorb(run, judgement, layouts);
    }

    fn progress(&self) -> Progress {
        let progress = self.search.progress(Funnel::default());
        let stages = [("distinct", progress.funnel.distinct), ("confirmed", progress.funnel.confirmed)];
        Progress { stages: FunnelStage::list(&stages, &[]), ..progress }
    }

    fn findings(&self) -> Vec<Finding> {
        self.search.findings()
    }

    fn version(&self) -> u32 {
        1
    }
}

/// Every how many events the screen is turned and turned back.
const OFTEN: u32 = 3;

/// Decides inside one episode, by the job's own random seed and what it sees.
#[derive(Clone)]
struct StrollDriver {
    app: String,
    left: u32,
    random: u64,
    turned: bool,
}

impl StrollDriver {
    fn new(app: &str, stroll: Stroll, rng: u64) -> Self {
        Self { app: app.to_owned(), left: stroll.events, random: rng, turned: false }
    }

    fn act(&mut self, seen: &Seen, layouts: &dyn Layouts) -> Act {
        let Some(layout) = layouts.layout(seen.screen.layout) else { return Act::Finish(Ending::Stuck) };
        if self.left == 0 || seen.crashed(&self.app) {
            return Act::Finish(Ending::Complete);
        }
        self.left -= 1;
        self.random = mix(self.random, self.left.into());
        let turns = self.turned || self.left > 0 && self.random.is_multiple_of(OFTEN.into());
        Act::Perform(match (seen.screen.in_app, turns) {
            (false, _) => Event::global(EventKind::Launch),
            (true, true) => {
                self.turned = !self.turned;
                Event::global(EventKind::Rotate)
            }
            (true, false) => self.step(&layout),
        })
    }

    /// Any event that a widget takes.
    fn step(&self, layout: &Layout) -> Event {
        let all = layout.events();
        let number = self.random.checked_rem(all.len() as u64);
        let chosen = number.and_then(|n| all.get(usize::try_from(n).ok()?));
        let Some(&(kind, widget)) = chosen else { return Event::global(EventKind::Back) };
        let data = (kind == EventKind::Edit).then(|| format!("text {}", self.random % 100));
        Event { kind, receiver: Some(layout.selector(widget)), data }
    }
}

impl Driver for StrollDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        match observation {
            Observation::Started => Act::Reset,
            Observation::Seen(seen) => self.act(seen, layouts),
            _ => Act::Finish(Ending::Complete),
        }
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}

/// Judges a finished job: strolls, and the replays of what was found on them. Crashes are the crash
/// oracle's.
pub struct TurnsOracle;

impl Oracle for TurnsOracle {
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let verdicts = run.traces().iter().map(|trace| verdict(run, trace, layouts)).collect();
        Judgement { verdicts, ..Judgement::default() }
    }
}

fn verdict(run: &JobRun, trace: &Trace<'_>, layouts: &dyn Layouts) -> Verdict {
    let lost = trace.steps.windows(3).find_map(|steps| lost(steps, layouts));
    let outcome = if lost.is_some() { Outcome::Violation } else { Outcome::Pass };
    let title = match &lost {
        Some(lost) => format!("turning the screen loses {lost}"),
        None => "turning the screen loses nothing".into(),
    };
    Verdict {
        slot: run.job.slot,
        test: trace.test,
        oracle: TURNS.name.into(),
        outcome,
        key: lost.unwrap_or_default(),
        title,
        fidelity: fidelity(trace),
        evidence: Evidence::None,
        hints: Vec::new(),
        experiments: Vec::new(),
        harm: droidmux::record::Harm::default(),
        cluster: String::new(),
    }
}

/// The text that two turns right after another take from a page.
fn lost(steps: &[Step<'_>], layouts: &dyn Layouts) -> Option<String> {
    let [before, one, two] = steps else { return None };
    if [one, two].iter().any(|step| step.event.kind != EventKind::Rotate) {
        return None;
    }
    let (before, after) = (before.after.ok()?, two.after.ok()?);
    let (then, now) = (layouts.layout(before.screen.layout)?, layouts.layout(after.screen.layout)?);
    let shown = texts(&now);
    let gone = texts(&then).into_iter().find(|text| !shown.contains(text))?;
    Some(format!("{gone:?} on {}", before.screen.activity))
}

fn texts(layout: &Layout) -> BTreeSet<String> {
    layout.widgets().map(|widget| widget.text().to_owned()).filter(|text| !text.is_empty()).collect()
}
