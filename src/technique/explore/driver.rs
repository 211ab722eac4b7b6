//! The driver that explores: mines the model, or walks a seed test.

use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::changing;
use super::choice::{self, Executed, Here, Share};
use super::entered::Entered;
use super::field::Field;
use super::harvest::Harvest;
use super::streaks::Streaks;
use super::typist::Typist;
use super::visit::{Visit, Whereabouts};
use super::walk::{Coverage, Outlook, Walk};
use crate::Driver;
use crate::GenieSettings;
use crate::questions::Questions;
use droidmux_gui::{Event, EventKind, StateId, WidgetId};
use droidmux_model::{Action, GuiModel, Offer, Sighting, offers, outing_offers};
use droidmux_record::{Act, Choice, Ending, Explore, Failure, Goal, Job, Layouts, Observation, Seen};

/// Chooses events on the screens as they come, learning from them on its own copy of the model.
///
/// While mining, a test that crashed, left the app for good or is stuck on one page starts again;
/// a seed test ends there. Where the app sends people to another app for something, it does what
/// may be done there, so that something comes back.
#[derive(Clone, Debug)]
pub struct ExploreDriver {
    explore: Explore,
    app: String,
    settings: Arc<GenieSettings>,
    model: Arc<GuiModel>,
    coverage: Arc<Coverage>,
    questions: Arc<Questions>,
    harvest: Arc<Harvest>,
    share: Share,
    spread: Option<u32>,
    rng: ChaCha8Rng,
    left: u32,
    /// Events in a row that taught nothing, including those before this episode.
    stale: u32,
    streaks: Streaks,
    executed: Executed,
    walk: Walk,
    typist: Typist,
    entered: Entered,
    /// The most rows seen on one page in this test.
    objects: usize,
    whereabouts: Whereabouts,
    /// The visit at the end, once it has begun.
    visit: Option<Visit>,
    here: Option<Here>,
    pending: Option<Pending>,
}

/// What the planner knows when an exploration begins.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The package of the app under test.
    pub app: String,
    /// Of the session, with its defaults filled in.
    pub settings: Arc<GenieSettings>,
    /// Learned from all jobs absorbed; the driver goes on learning in a copy.
    pub model: Arc<GuiModel>,
    /// What earlier seed tests did, for this one to do something else.
    pub coverage: Arc<Coverage>,
    /// What is to be asked where roaming comes past.
    pub questions: Arc<Questions>,
    /// What events did to the app's data so far.
    pub harvest: Arc<Harvest>,
    /// Events of mining in a row that taught the model nothing.
    pub stale: u32,
    /// Variants of a page on which an event is tried before it waits on the others; `None` where it never waits.
    pub spread: Option<u32>,
}

#[derive(Clone, Debug)]
struct Pending {
    action: Action,
    /// What it acts on, on the layout before it.
    widget: Option<WidgetId>,
    event: Arc<Event>,
}

impl ExploreDriver {
    /// Draws by the job's seed; `explore` is the job's own work.
    pub fn new(job: &Job, explore: &Explore, snapshot: Snapshot) -> Self {
        Self {
            explore: explore.clone(),
            app: snapshot.app,
            settings: snapshot.settings,
            model: snapshot.model,
            coverage: snapshot.coverage,
            questions: snapshot.questions,
            harvest: snapshot.harvest,
            share: Share(job.slot.0),
            rng: ChaCha8Rng::seed_from_u64(job.rng),
            left: explore.events,
            stale: snapshot.stale,
            spread: snapshot.spread,
            streaks: Streaks::default(),
            executed: Executed::new(),
            walk: Walk::new(job.slot.0),
            typist: Typist::new(explore.texts),
            entered: Entered::default(),
            objects: 0,
            whereabouts: Whereabouts::default(),
            visit: None,
            here: None,
            pending: None,
        }
    }

    fn saw(&mut self, seen: &Seen, layouts: &dyn Layouts) -> Act {
        let crashed = seen.crashed(&self.app);
        let Some(layout) = layouts.layout(seen.screen.layout) else { return self.restart() };
        let place = Sighting { screen: &seen.screen, layout: &layout };
        let before = self.here.take();
        let sent = self.is_sent(before.as_ref());
        let state = self.learn(before.as_ref(), place);
        self.typist.look(seen.screen.layout, &layout);
        if self.explore.revisits {
            self.whereabouts.look(&layout, state, self.typist.typed());
        }
        let outing = self.streaks.goes_out(|| sent && self.model.is_outing(place));
        let all = match (seen.screen.in_app, outing) {
            (true, _) => offers(&layout),
            (false, true) => outing_offers(&layout),
            (false, false) => Vec::new(),
        };
        let here = Here { state, hash: seen.screen.layout, layout, offers: all };
        if self.visit.is_some() {
            return if crashed || !seen.screen.in_app {
                Act::Finish(Ending::Complete)
            } else {
                self.go_on(here)
            };
        }
        if self.left == 0 {
            return if crashed { Act::Finish(Ending::Complete) } else { self.conclude() };
        }
        if crashed {
            return self.restart();
        }
        if self.streaks.is_stuck() {
            self.streaks.ends_stuck();
            return self.restart();
        }
        if !seen.screen.in_app && !outing {
            self.here = Some(here);
            return self.come_back();
        }
        self.streaks.arrived();
        let act = self.choose(&here);
        self.here = Some(here);
        act
    }

    /// Whether an event on a widget led to what is seen now: in the app, or on an outing.
    fn is_sent(&self, before: Option<&Here>) -> bool {
        let on_widget = |pending: &Pending| pending.event.receiver.is_some();
        before.is_some_and(|here| !here.offers.is_empty()) && self.pending.as_ref().is_some_and(on_widget)
    }

    /// Reads the step that led here into the model; the state it led to.
    fn learn(&mut self, before: Option<&Here>, place: Sighting<'_>) -> StateId {
        let model = Arc::make_mut(&mut self.model);
        let arrival = model.arrive(place);
        let mut new = arrival.new;
        if let (Some(before), Some(pending)) = (before, self.pending.take()) {
            let stayed = before.hash == place.screen.layout;
            if !(stayed && notes_refusal(&mut self.typist, before, &pending)) {
                *self.executed.entry((before.state, pending.action.key)).or_insert(0) += 1;
            }
            let (state, hash) = (before.state, before.hash);
            // What the system does is no way through the app.
            if !pending.event.kind.is_system() {
                new |= model.traverse(state, hash, pending.action, &pending.event, &arrival).new;
            }
            self.streaks.acted(stayed);
        }
        self.stale = if new { 0 } else { self.stale.saturating_add(1) };
        arrival.state
    }

    fn choose(&mut self, here: &Here) -> Act {
        let chosen = match self.explore.goal {
            Goal::Seed => self.choose_for_seed(here),
            Goal::Mine => self.choose_for_mining(here),
            Goal::Roam => self.choose_for_change(here),
        };
        match chosen {
            Some((offer, event)) => self.perform(here, &offer, event),
            None if self.explore.goal == Goal::Seed && self.left < self.explore.events => self.conclude(),
            None => self.restart(),
        }
    }

    fn choose_for_mining(&mut self, here: &Here) -> Option<(Offer, Event)> {
        let is_stale = self.stale >= self.settings.stale_events;
        let offer = if self.explore.choice == Choice::Random || is_stale {
            choice::random(here, &self.settings, &mut self.rng)
        } else {
            let guide = choice::Guide {
                model: &self.model,
                executed: &self.executed,
                settings: &self.settings,
                share: self.share,
                spread: self.spread,
            };
            choice::systematic(here, guide, &mut self.rng)
        }?;
        Some((offer, choice::event(here, &offer)))
    }

    fn choose_for_change(&mut self, here: &Here) -> Option<(Offer, Event)> {
        self.objects = self.objects.max(changing::objects(here));
        let vista = changing::Vista {
            here,
            model: &self.model,
            harvest: &self.harvest,
            questions: &self.questions,
            executed: &self.executed,
            settings: &self.settings,
            typed: self.typist.typed(),
            entered: &self.entered,
            objects: self.objects,
        };
        let offer = changing::changing(vista, &mut self.rng)?;
        self.entered.note(here, &offer, self.typist.typed());
        Some((offer, choice::event(here, &offer)))
    }

    fn choose_for_seed(&mut self, here: &Here) -> Option<(Offer, Event)> {
        // Past its half, a test ends on the aim it has reached: shorter tests cost less in every
        // mutant.
        if self.left <= self.explore.events / 2 && self.walk.has_arrived() {
            return None;
        }
        let outlook = Outlook {
            here,
            model: &self.model,
            coverage: &self.coverage,
            executed: &self.executed,
            settings: &self.settings,
            left: self.left,
        };
        self.walk.next(outlook, &mut self.rng)
    }

    /// Performs an event of the exploration itself. An edit types this trace's own text, even if the way was recorded
    /// with another text.
    fn perform(&mut self, here: &Here, offer: &Offer, event: Event) -> Act {
        let event = self.typed(here, offer, event);
        self.left = self.left.saturating_sub(1);
        self.streaks.asks();
        self.ask(offer.action, offer.widget, event)
    }

    fn typed(&mut self, here: &Here, offer: &Offer, event: Event) -> Event {
        let field = offer.widget.and_then(|widget| here.layout.get(widget));
        match field.filter(|_| event.kind == EventKind::Edit) {
            Some(field) => Event { data: Some(self.typist.text(Field::of(field), &mut self.rng)), ..event },
            None => event,
        }
    }

    fn ask(&mut self, action: Action, widget: Option<WidgetId>, event: Event) -> Act {
        self.pending = Some(Pending { action, widget, event: Arc::new(event.clone()) });
        Act::Perform(event)
    }

    /// Ends the exploration, with the visit if it is to have one.
    fn conclude(&mut self) -> Act {
        if !self.explore.revisits || self.visit.is_some() {
            return Act::Finish(Ending::Complete);
        }
        self.visit = Some(self.whereabouts.visit());
        let kind = EventKind::Relaunch;
        self.ask(Action::global(kind), None, Event::global(kind))
    }

    /// The next event of the visit.
    fn go_on(&mut self, here: Here) -> Act {
        let step = self.visit.as_mut().and_then(|visit| visit.next(&here, &self.model));
        let Some((offer, event)) = step else { return Act::Finish(Ending::Complete) };
        let event = self.typed(&here, &offer, event);
        self.here = Some(here);
        self.ask(offer.action, offer.widget, event)
    }

    fn failed(&mut self, failure: &Failure) -> Act {
        let (here, pending) = (self.here.take(), self.pending.take());
        if let (Some(here), Some(pending)) = (&here, pending) {
            Arc::make_mut(&mut self.model).give_up(here.state, pending.action);
            *self.executed.entry((here.state, pending.action.key)).or_insert(0) += 1;
            self.streaks.failed();
        }
        let is_late = *failure == Failure::TimedOut;
        if is_late && (self.left == 0 || self.visit.is_some()) {
            return Act::Finish(Ending::Complete);
        }
        if let Some(visit) = &mut self.visit {
            visit.give_up();
            return here.map_or(Act::Finish(Ending::Complete), |here| self.go_on(here));
        }
        match here {
            _ if self.left == 0 => self.conclude(),
            Some(here) if !is_late && !self.streaks.is_stuck() => {
                let act = if here.offers.is_empty() { self.come_back() } else { self.choose(&here) };
                self.here = Some(here);
                act
            }
            _ => self.restart(),
        }
    }

    /// Back, then the launcher icon, then a reset.
    fn come_back(&mut self) -> Act {
        let way = self.streaks.way_back().filter(|_| self.explore.goal != Goal::Seed);
        let Some(kind) = way else { return self.restart() };
        self.left = self.left.saturating_sub(1);
        self.streaks.asks();
        self.ask(Action::global(kind), None, Event::global(kind))
    }

    /// Begins a new test, or ends when that is of no use.
    fn restart(&mut self) -> Act {
        self.here = None;
        self.pending = None;
        self.executed.clear();
        self.typist.begin();
        self.entered.begin();
        self.whereabouts.begin();
        self.objects = 0;
        let is_of_use = self.streaks.restarts();
        let begun = self.left < self.explore.events;
        if self.explore.goal == Goal::Seed && begun {
            return Act::Finish(Ending::Complete);
        }
        if self.left == 0 || !is_of_use {
            return Act::Finish(Ending::Stuck);
        }
        Act::Reset
    }
}

/// Notes that a field did not let in what was typed, if it did not; whether it is to be tried again with something else.
fn notes_refusal(typist: &mut Typist, before: &Here, pending: &Pending) -> bool {
    let field = pending.widget.and_then(|widget| before.layout.get(widget));
    let typed = pending.event.data.as_deref().filter(|_| pending.event.kind == EventKind::Edit);
    field.zip(typed).is_some_and(|(field, text)| typist.refused(Field::of(field), text))
}

impl Driver for ExploreDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        match observation {
            Observation::Started => self.restart(),
            Observation::Seen(seen) => self.saw(seen, layouts),
            Observation::Failed(failure) => self.failed(failure),
            Observation::Ended | Observation::Answered(_) => Act::Finish(Ending::Complete),
        }
    }

    /// Its own copy of the model knows events by their widgets, not by their texts.
    fn types_at_random(&self) -> bool {
        true
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}
