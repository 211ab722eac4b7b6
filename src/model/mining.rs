//! Mining: reading a finished job into the model.

use std::sync::Arc;

use super::{Action, Arrival, Familiar, GuiModel, Sighting};
use droidmux_gui::{Event, LayoutHash};
use droidmux_record::{JobRun, Layouts, Seen, Trace};

/// What was learnt from a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// States that were not known before the job.
    pub states: u32,
    /// Transitions that were not known before the job.
    pub transitions: u32,
    /// The number of steps at the job's end that taught neither.
    pub stale: u32,
    /// True when anything was new.
    pub any: bool,
}

/// The longest way from a reset that is kept for a state, in events.
const LONGEST_TRAIL: usize = 64;

impl GuiModel {
    /// Reads all traces of a job. Steps whose layouts are unknown are skipped; layouts that this model has read before,
    /// as `familiar` remembers, are not looked up.
    pub fn absorb(&mut self, run: &JobRun, familiar: &mut Familiar, layouts: &dyn Layouts) -> Learned {
        let mut learned = Learned::default();
        for trace in run.traces() {
            self.absorb_trace(&trace, familiar, layouts, &mut learned);
        }
        learned
    }

    fn absorb_trace(
        &mut self,
        trace: &Trace<'_>,
        familiar: &mut Familiar,
        layouts: &dyn Layouts,
        learned: &mut Learned,
    ) {
        let mut here = trace.start.and_then(|seen| self.stand(seen, familiar, layouts, learned));
        let mut trail: Option<Vec<Arc<Event>>> = Some(Vec::new());
        if let Some(arrival) = &here {
            self.keep_trail(arrival, trail.as_deref());
        }
        let mut last = None;
        for step in &trace.steps {
            let Some(from) = here else { break };
            let Ok(seen) = step.after else {
                if let Some(receiver) = &step.event.receiver
                    && let Some(before) = layouts.layout(from.layout)
                    && let Some(widget) = before.resolve(receiver).widget()
                {
                    self.give_up(from.state, Action::on(step.event.kind, &before, widget));
                }
                continue;
            };
            if step.event.kind.is_system() {
                // Not an event of the app: it leads somewhere, but is not a way through the app.
                here = self.stand(seen, familiar, layouts, learned);
                (trail, last) = (None, None);
                continue;
            }
            let action = action(step.event, seen, from.layout, familiar, layouts);
            let event = Arc::new(step.event.clone());
            let next = self.stand(seen, familiar, layouts, learned);
            if let Some(arrival) = &next {
                let taken = self.traverse(from.state, from.layout, action, &event, arrival);
                if let (Some(last), Some(this)) = (last, taken.id) {
                    self.follow(last, this);
                }
                last = taken.id;
                learned.transitions += u32::from(taken.new);
                learned.note(taken.new || arrival.new);
                extend(&mut trail, event);
                self.keep_trail(arrival, trail.as_deref());
            }
            here = next;
        }
    }

    /// Arrives at a screen; `None` when its layout is unknown.
    fn stand(
        &mut self,
        seen: &Seen,
        familiar: &mut Familiar,
        layouts: &dyn Layouts,
        learned: &mut Learned,
    ) -> Option<Arrival> {
        if let Some(state) = familiar.state(&seen.screen) {
            return Some(self.arrive_again(state, seen.screen.layout));
        }
        let layout = layouts.layout(seen.screen.layout)?;
        let arrival = self.arrive(Sighting { screen: &seen.screen, layout: &layout });
        familiar.arrived(&seen.screen, arrival.state);
        learned.states += u32::from(arrival.new);
        learned.any |= arrival.new;
        Some(arrival)
    }

    fn keep_trail(&mut self, arrival: &Arrival, trail: Option<&[Arc<Event>]>) {
        let node = self.nodes.get(&arrival.state).copied();
        let (Some(trail), Some(state)) = (trail, node.and_then(|n| self.graph.node_weight_mut(n))) else {
            return;
        };
        if state.trail.as_ref().is_none_or(|known| trail.len() < known.len()) {
            state.trail = Some(trail.into());
        }
    }
}

impl Learned {
    fn note(&mut self, new: bool) {
        self.any |= new;
        self.stale = if new { 0 } else { self.stale + 1 };
    }
}

/// The event's name in the model: determined by the widget the device found, on the layout where it was found.
fn action(
    event: &Event,
    seen: &Seen,
    before: LayoutHash,
    familiar: &mut Familiar,
    layouts: &dyn Layouts,
) -> Action {
    let on_widget = match seen.resolution.and_then(|resolution| resolution.widget()) {
        Some(widget) => familiar.action(before, event.kind, widget, || {
            Some(Action::on(event.kind, &*layouts.layout(before)?, widget))
        }),
        None => event.receiver.as_ref().and_then(|receiver| {
            let before = layouts.layout(before)?;
            Some(Action::on(event.kind, &before, before.resolve(receiver).widget()?))
        }),
    };
    on_widget.unwrap_or_else(|| Action::global(event.kind))
}

fn extend(trail: &mut Option<Vec<Arc<Event>>>, event: Arc<Event>) {
    if let Some(events) = trail {
        events.push(event);
        if events.len() > LONGEST_TRAIL {
            *trail = None;
        }
    }
}
