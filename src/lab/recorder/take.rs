//! A take: a function being performed on a device, event by event.
//!
//! In: a person's deeds. Out: the recording, and the events that lead to where the function begins. Nothing can be
//! taken back on a device: to undo something, the app's data is cleared and everything before it is performed again.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::stage::{Performed, Shown, Stage};
use droidmux_device::DeviceError;
use droidmux_gui::{Direction, Event, EventKind, Layout, WidgetId};
use droidmux_record::DmfAction;
use droidmux_technique::pbfdroid::recording::{RecordedStep, Recording};
use droidmux_technique::text::{Demands, random_text};

/// An event to perform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// What is done.
    pub action: DmfAction,
    /// On which widget of the current layout; `None` for keys, waiting, and scrolling whatever is largest.
    pub widget: Option<WidgetId>,
    /// What is typed; `None` for a text drawn at random, now and every time.
    pub text: Option<String>,
}

/// What was performed so far, and what the device shows.
pub struct Take {
    /// The steps that lead to the function, then its own.
    steps: Vec<Step>,
    /// How many lead to it.
    begins: usize,
    shown: Shown,
    rng: ChaCha8Rng,
}

#[derive(Clone)]
struct Step {
    recorded: RecordedStep,
    event: Event,
}

impl Take {
    /// Clears the app's data and starts it.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn start(stage: &Stage) -> Result<Self, DeviceError> {
        let rng = ChaCha8Rng::seed_from_u64(rand::random());
        Ok(Self { steps: Vec::new(), begins: 0, shown: stage.reset().await?, rng })
    }

    /// What the device shows.
    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// The number of the present layout: how many events the function has.
    pub fn layout_number(&self) -> usize {
        self.steps.len() - self.begins
    }

    /// From here on events belong to the function.
    pub fn begin(&mut self) {
        self.begins = self.steps.len();
    }

    /// How many of the events lead to the function.
    pub fn begins(&self) -> usize {
        self.begins
    }

    /// All events, those that lead to the function first.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &Event> {
        self.steps.iter().map(|step| &step.event)
    }

    /// The layouts that its events acted on, and the current one.
    pub fn layouts(&self) -> impl Iterator<Item = &std::sync::Arc<Layout>> {
        self.steps.iter().map(|step| &step.recorded.layout).chain([&self.shown.layout])
    }

    /// The text typed last in the function.
    pub fn typed(&self) -> Option<&str> {
        let own = self.steps.iter().skip(self.begins).rev();
        let mut edits = own.filter(|step| step.recorded.action == DmfAction::Edit);
        edits.next().map(|step| step.recorded.text.as_str())
    }

    /// Performs a deed and keeps it; otherwise says why it cannot be done.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn act(&mut self, stage: &Stage, deed: Deed) -> Result<Option<String>, DeviceError> {
        let random = deed.text.is_none();
        let text = deed.text.unwrap_or_else(|| {
            let demands = Demands { known: &[], conflict: false, ascii: true };
            random_text(demands, &mut self.rng)
        });
        let layout = self.shown.layout.clone();
        self.perform(stage, RecordedStep { layout, action: deed.action, widget: deed.widget, text, random })
            .await
    }

    /// Clears the app's data and performs this many of the first events again. The first that cannot be performed, and
    /// all after it, are dropped and reported. After an error of the device the take is as it was.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn repeat(&mut self, stage: &Stage, events: usize) -> Result<Option<String>, DeviceError> {
        let mut again = Self::start(stage).await?;
        let mut stuck = None;
        for (number, step) in self.steps.iter().take(events).enumerate() {
            if let Some(why) = again.perform_again(stage, step).await? {
                let word = step.event.kind.name();
                stuck =
                    Some(format!("event {}, {word}: {why}; it and those after it are dropped", number + 1));
                break;
            }
        }
        again.begins = self.begins.min(again.steps.len());
        *self = again;
        Ok(stuck)
    }

    /// Performs an earlier event again, looking for its widget on the current layout.
    async fn perform_again(&mut self, stage: &Stage, step: &Step) -> Result<Option<String>, DeviceError> {
        let layout = self.shown.layout.clone();
        let widget = match (step.recorded.widget, &step.event.receiver) {
            (Some(_), Some(receiver)) => match layout.resolve(receiver).widget() {
                Some(widget) => Some(widget),
                None => return Ok(Some("its widget is not there".into())),
            },
            _ => None,
        };
        self.perform(stage, RecordedStep { layout, widget, ..step.recorded.clone() }).await
    }

    async fn perform(&mut self, stage: &Stage, step: RecordedStep) -> Result<Option<String>, DeviceError> {
        let layout = &step.layout;
        let chosen = match step.widget {
            None if matches!(step.action, DmfAction::Scroll(_)) => largest_that_scrolls(layout),
            chosen => chosen,
        };
        let widget = chosen.and_then(|widget| layout.get(widget));
        if let (Some(number), None) = (chosen, widget) {
            return Ok(Some(format!("there is no widget {} on this layout", number.0)));
        }
        if step.action == DmfAction::Edit && widget.is_some_and(|widget| !widget.is_editable()) {
            return Ok(Some("this widget takes no text; those that do say `edit`".to_owned()));
        }
        let kind = kind(step.action);
        let data = matches!(kind, EventKind::Edit | EventKind::Wait).then(|| step.text.clone());
        let event = Event { kind, receiver: chosen.map(|widget| layout.selector(widget)), data };
        match stage.perform(&event, layout).await? {
            Performed::Not(why) => Ok(Some(why.to_owned())),
            Performed::Shown(shown) => {
                self.shown = shown;
                self.steps.push(Step { recorded: step, event });
                Ok(None)
            }
        }
    }

    /// The function as it was performed so far.
    pub fn recording(&self) -> Recording {
        let steps = self.steps.iter().skip(self.begins).map(|step| step.recorded.clone()).collect();
        Recording { steps, last: self.shown.layout.clone() }
    }

    /// The events that lead to where the function begins.
    pub fn lead(&self) -> Vec<Event> {
        self.events().take(self.begins).cloned().collect()
    }
}

fn largest_that_scrolls(layout: &Layout) -> Option<WidgetId> {
    let scrolls = layout.events().into_iter().filter(|(kind, _)| matches!(kind, EventKind::Scroll(_)));
    let area = |widget: WidgetId| {
        layout.get(widget).map_or(0, |w| i64::from(w.bounds().width()) * i64::from(w.bounds().height()))
    };
    scrolls.map(|(_, widget)| widget).max_by_key(|widget| area(*widget))
}

fn kind(action: DmfAction) -> EventKind {
    match action {
        DmfAction::Click => EventKind::Click,
        DmfAction::LongClick => EventKind::LongClick,
        DmfAction::Edit => EventKind::Edit,
        DmfAction::Back => EventKind::Back,
        DmfAction::Home => EventKind::Home,
        DmfAction::Enter => EventKind::Enter,
        DmfAction::Scroll(direction) => EventKind::Scroll(direction),
        DmfAction::ScrollTo => EventKind::Scroll(Direction::Down),
        DmfAction::Sleep => EventKind::Wait,
    }
}
