//! The driver: PBFDroid's loop (section 3.2, algorithm 1).

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::conclusion::conclude;
use super::condition;
use super::data_model::DataModel;
use super::errand::PropertyTest;
use super::execution::{Execution, Next, Scene};
use super::format::key_view_fault;
use super::passage::{self, Passage, Reading};
use super::random::{Choices, random_event};
use crate::Driver;
use crate::{Configuration, PbfdroidSettings};
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, WidgetId};
use droidmux_record::{
    Act, Call, Dmf, DmfAction, Ending, Failure, Job, KeyView, Layouts, Observation, Operation, Seen,
};

/// Interleaves functions and random events, keeping the data model, until the limit of events or
/// the first violation: after it the data model no longer mirrors the app.
///
/// What it decides depends on the job and the observations alone, so that the oracle can derive its
/// calls again.
#[derive(Clone)]
pub struct PropertyDriver {
    app: String,
    settings: Arc<PbfdroidSettings>,
    test: PropertyTest,
    rng: ChaCha8Rng,
    model: DataModel,
    calls: Vec<Call>,
    counts: Counts,
    /// Events asked for since the reset, those that failed included.
    asked: u16,
    left: u32,
    here: Option<Here>,
    running: Option<Execution>,
    /// Attempts in a row to come back to the app.
    away: u32,
    /// The device refused text that is not plain ASCII.
    ascii: bool,
}

#[derive(Clone, Copy, Debug)]
struct Here {
    layout: LayoutHash,
    in_app: bool,
}

/// What happened in a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub completed: u32,
    /// Functions that failed on the way, or whose objects could not be read.
    pub partial: u32,
    pub random: u32,
    /// Events that could not be performed.
    pub failed: u32,
}

/// What a test does next.
enum Choice {
    Function(u16),
    Random,
    /// Nothing that the configuration allows.
    Nothing,
}

/// Attempts to come back to the app before a test ends.
const MOST_AWAY: u32 = 4;

/// The most functions that a test of configuration A carries out before the one under test.
const MOST_PROLOGUE: usize = 3;

impl PropertyDriver {
    /// A test that begins with a reset and knows of no data; draws by the job's seed.
    pub fn new(job: &Job, test: &PropertyTest, app: &str, settings: &Arc<PbfdroidSettings>) -> Self {
        Self {
            app: app.to_owned(),
            settings: settings.clone(),
            test: test.clone(),
            rng: ChaCha8Rng::seed_from_u64(job.rng),
            model: DataModel::default(),
            calls: Vec::new(),
            counts: Counts::default(),
            asked: 0,
            left: test.events,
            here: None,
            running: None,
            away: 0,
            ascii: false,
        }
    }

    /// The functions carried out so far, in order; numbers count the events asked for.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// What happened so far; the function under way is not counted.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn dmf(&self, number: u16) -> Option<&Dmf> {
        self.settings.dmfs().get(usize::from(number))
    }

    fn arrived(&mut self, seen: &Seen, layouts: &dyn Layouts) -> Act {
        let after = seen.screen.layout;
        if self.here.is_some() {
            self.left = self.left.saturating_sub(1);
            match &mut self.running {
                Some(execution) => execution.stepped(self.asked.saturating_sub(1), after),
                None => self.counts.random += 1,
            }
        }
        self.here = Some(Here { layout: after, in_app: seen.screen.in_app });
        if seen.crashed(&self.app) {
            return Act::Finish(Ending::Complete);
        }
        self.proceed(layouts)
    }

    fn failed(&mut self, failure: &Failure, layouts: &dyn Layouts) -> Act {
        if self.here.is_none() || *failure == Failure::TimedOut {
            return Act::Finish(Ending::Stuck);
        }
        let refused = *failure == Failure::Untypable && !self.ascii;
        self.ascii |= refused;
        self.counts.failed += 1;
        // A text refused is drawn again from those that every device can type.
        if !refused && self.running.take().is_some() {
            self.counts.partial += 1;
        }
        self.proceed(layouts)
    }

    /// The next act on the present screen.
    fn proceed(&mut self, layouts: &dyn Layouts) -> Act {
        let Some(here) = self.here else { return Act::Finish(Ending::Stuck) };
        let Some(layout) = layouts.layout(here.layout) else { return Act::Finish(Ending::Stuck) };
        loop {
            if let Some(execution) = self.running.take() {
                match self.carry_on(execution, &layout, layouts) {
                    Carried::Event(event) => return self.perform(event),
                    Carried::Over => {}
                    Carried::End => return Act::Finish(Ending::Complete),
                }
            }
            if self.left == 0 {
                return Act::Finish(Ending::Complete);
            }
            if self.counts.failed >= self.test.retries {
                return Act::Finish(Ending::Stuck);
            }
            if !here.in_app {
                return self.come_back();
            }
            self.away = 0;
            let enabled = self.enabled(here.layout, layouts);
            match self.choose(&enabled) {
                Choice::Function(dmf) => self.running = Some(Execution::begin(dmf, here.layout)),
                Choice::Random => {
                    let event = self.random(&layout, &enabled, layouts);
                    return self.perform(event);
                }
                Choice::Nothing => return Act::Finish(Ending::Stuck),
            }
        }
    }

    fn perform(&mut self, event: Event) -> Act {
        self.asked = self.asked.saturating_add(1);
        Act::Perform(event)
    }

    /// The next event of a function under way; at its end data model and property.
    fn carry_on(&mut self, mut execution: Execution, layout: &Layout, layouts: &dyn Layouts) -> Carried {
        let settings = self.settings.clone();
        let dmfs = settings.dmfs();
        let Some(dmf) = dmfs.get(usize::from(execution.dmf)) else { return Carried::End };
        let scene = Scene { dmf, layouts, model: &self.model, ascii: self.ascii };
        match execution.next(layout, &scene, &mut self.rng) {
            // At the limit a function is not carried on, only concluded.
            Next::Perform(_) if self.left == 0 => Carried::End,
            Next::Perform(event) => {
                self.running = Some(execution);
                Carried::Event(event)
            }
            Next::Done if !execution.steps.is_empty() => self.concluded(execution, dmf, layouts),
            Next::Done | Next::Failed(_) => {
                self.counts.partial += 1;
                // One that cannot even begin would be chosen again and again.
                self.counts.failed += u32::from(execution.steps.is_empty());
                self.unless_tested(execution.dmf)
            }
        }
    }

    fn concluded(&mut self, execution: Execution, dmf: &Dmf, layouts: &dyn Layouts) -> Carried {
        let in_app = self.here.is_some_and(|here| here.in_app);
        let concluded = conclude(dmf, &execution.passage, &self.model, layouts);
        let (Ok(conclusion), true) = (concluded, in_app) else {
            // What the app holds now is not known.
            self.counts.partial += 1;
            return Carried::End;
        };
        let number = execution.dmf;
        self.counts.completed += 1;
        self.calls.push(execution.into_call());
        let violated = conclusion.violated(dmf).is_some();
        self.model = conclusion.model;
        if violated && !self.settings.go_on { Carried::End } else { self.unless_tested(number) }
    }

    /// In configuration A a test ends with its function.
    fn unless_tested(&self, dmf: u16) -> Carried {
        let tested = self.settings.configuration == Configuration::A && self.test.only == Some(dmf);
        if tested { Carried::End } else { Carried::Over }
    }

    /// The functions whose preconditions hold here, by number.
    fn enabled(&self, here: LayoutHash, layouts: &dyn Layouts) -> Vec<u16> {
        let dmfs = self.settings.dmfs();
        let holds = |dmf: &Dmf| condition::missing(dmf, here, &self.model, layouts).is_none();
        let considered = |number: u16, dmf: &Dmf| match self.settings.configuration {
            Configuration::A => dmf.fault.is_none(),
            Configuration::B => self.test.only == Some(number),
            Configuration::Full => self.settings.uses(dmf) && !self.test.without.contains(&number),
        };
        (0..)
            .zip(dmfs)
            .filter(|(number, dmf)| considered(*number, dmf) && holds(dmf))
            .map(|(number, _)| number)
            .collect()
    }

    fn choose(&mut self, enabled: &[u16]) -> Choice {
        if self.settings.configuration == Configuration::A {
            return self.shortest_path(enabled);
        }
        if self.settings.coin {
            if enabled.is_empty() || self.rng.random_bool(0.5) {
                return Choice::Random;
            }
            let at = self.rng.random_range(0..enabled.len());
            return enabled.get(at).map_or(Choice::Random, |dmf| Choice::Function(*dmf));
        }
        let weights: Vec<(u16, u32)> =
            enabled.iter().map(|dmf| (*dmf, self.dmf(*dmf).map_or(0, |dmf| dmf.proportion))).collect();
        let total = self.settings.random_weight + weights.iter().map(|(_, weight)| weight).sum::<u32>();
        let mut roll = self.rng.random_range(0..total.max(1));
        for (dmf, weight) in weights {
            if roll < weight {
                return Choice::Function(dmf);
            }
            roll -= weight;
        }
        Choice::Random
    }

    /// Configuration A: the function under test as soon as it is enabled, and before it what makes
    /// it so with the fewest events, objects to work on first.
    fn shortest_path(&self, enabled: &[u16]) -> Choice {
        let Some(tested) = self.test.only else { return Choice::Nothing };
        if enabled.contains(&tested) {
            return Choice::Function(tested);
        }
        if self.calls.len() >= MOST_PROLOGUE {
            return Choice::Nothing;
        }
        let done = |number: &u16| self.calls.iter().any(|call| call.dmf == *number);
        let length = |number: &u16| {
            self.dmf(*number).map(|dmf| (dmf.operation != Operation::Add, dmf.events.len(), *number))
        };
        let next = enabled.iter().filter(|number| !done(number)).min_by_key(|number| length(number));
        next.map_or(Choice::Nothing, |dmf| Choice::Function(*dmf))
    }

    fn random(&mut self, layout: &Layout, enabled: &[u16], layouts: &dyn Layouts) -> Event {
        let settings = self.settings.clone();
        let key_views: &[KeyView] = settings.specification.as_ref().map_or(&[], |spec| &spec.key_views);
        let key_views: Vec<&KeyView> =
            key_views.iter().filter(|view| key_view_fault(view).is_none()).collect();
        let first: Vec<(EventKind, WidgetId)> =
            enabled.iter().filter_map(|dmf| self.first_event(*dmf, layout, layouts)).collect();
        let choices = Choices {
            layout,
            app: &self.app,
            settings: &settings,
            key_views: &key_views,
            first: &first,
            ascii: self.ascii,
        };
        random_event(&choices, &mut self.rng)
    }

    /// What begins a function here, for those that begin on a widget.
    fn first_event(&self, dmf: u16, layout: &Layout, layouts: &dyn Layouts) -> Option<(EventKind, WidgetId)> {
        let dmf = self.dmf(dmf)?;
        let event = dmf.events.first()?;
        let kind = match event.action {
            DmfAction::Click => EventKind::Click,
            DmfAction::LongClick => EventKind::LongClick,
            DmfAction::Edit => EventKind::Edit,
            _ => return None,
        };
        let start = Passage::from(layout.hash());
        let reading = Reading { dmf, passage: &start, layouts };
        Some((kind, passage::receiver(&reading, layout, &event.widget).ok()??.id()))
    }

    /// Back, then the launcher icon.
    fn come_back(&mut self) -> Act {
        self.away += 1;
        if self.away > MOST_AWAY {
            return Act::Finish(Ending::Stuck);
        }
        let kind = if self.away == 1 { EventKind::Back } else { EventKind::Launch };
        self.perform(Event::global(kind))
    }
}

/// How a function goes on.
enum Carried {
    Event(Event),
    /// It is over, the test is not.
    Over,
    /// The test is over.
    End,
}

impl Driver for PropertyDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        match observation {
            Observation::Started => Act::Reset,
            Observation::Seen(seen) => self.arrived(seen, layouts),
            Observation::Failed(failure) => self.failed(failure, layouts),
            Observation::Ended | Observation::Answered(_) => Act::Finish(Ending::Complete),
        }
    }

    /// The texts of functions are in the data model, those of random events are not.
    fn types_at_random(&self) -> bool {
        self.running.is_none()
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}
