//! A take: a function being performed on a device, step by step.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::orders::Deed;
use super::stage::{Performed, Shown, Stage};
use crate::device::DeviceError;
use crate::gui::{Direction, Event, EventKind};
use crate::record::DmfAction;
use crate::technique::pbfdroid::DataModel;
use crate::technique::pbfdroid::recording::{RecordedStep, Recording};
use crate::technique::pbfdroid::text::{Demands, random_text};

pub(super) struct Take<'a> {
    stage: &'a Stage,
    /// The events that led to where the function begins.
    lead: Vec<Event>,
    /// The function's own, with their events.
    steps: Vec<(RecordedStep, Event)>,
    shown: Shown,
    rng: ChaCha8Rng,
}

impl<'a> Take<'a> {
    /// Clears the app's data and starts it.
    pub async fn start(stage: &'a Stage) -> Result<Self, DeviceError> {
        let rng = ChaCha8Rng::seed_from_u64(rand::random());
        Ok(Self { stage, lead: Vec::new(), steps: Vec::new(), shown: stage.reset().await?, rng })
    }

    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// The number of the present layout.
    pub fn layout_number(&self) -> usize {
        self.steps.len()
    }

    /// From here on events belong to the function.
    pub fn begin(&mut self) {
        self.lead.extend(self.steps.drain(..).map(|(_, event)| event));
    }

    /// The text typed last.
    pub fn typed(&self) -> Option<&str> {
        let mut edits = self.steps.iter().rev().filter(|(step, _)| step.action == DmfAction::Edit);
        edits.next().map(|(step, _)| step.text.as_str())
    }

    /// Performs a deed and keeps it; why it cannot be done otherwise.
    pub async fn act(&mut self, deed: Deed) -> Result<Option<String>, DeviceError> {
        let layout = self.shown.layout.clone();
        let random = deed.text.is_none();
        let text = deed.text.unwrap_or_else(|| {
            let demands = Demands { datatype: "", conflict: false, ascii: true };
            random_text(demands, &DataModel::default(), &mut self.rng)
        });
        let chosen = match deed.widget {
            // Scrolling without a widget is scrolling the largest.
            None if matches!(deed.action, DmfAction::Scroll(_)) => {
                let scrolls =
                    layout.events().into_iter().filter(|(kind, _)| matches!(kind, EventKind::Scroll(_)));
                scrolls.map(|(_, widget)| widget).max_by_key(|widget| {
                    layout
                        .get(*widget)
                        .map_or(0, |w| i64::from(w.bounds().width()) * i64::from(w.bounds().height()))
                })
            }
            chosen => chosen,
        };
        if let Some(widget) = chosen.filter(|widget| layout.get(*widget).is_none()) {
            return Ok(Some(format!("there is no widget {} on this layout", widget.0)));
        }
        let chosen_widget = chosen.and_then(|widget| layout.get(widget));
        if deed.action == DmfAction::Edit && chosen_widget.is_some_and(|widget| !widget.is_editable()) {
            return Ok(Some("this widget takes no text; those that do say `edit`".to_owned()));
        }
        let receiver = chosen.map(|widget| layout.selector(widget));
        let kind = kind(deed.action);
        let data = matches!(kind, EventKind::Edit | EventKind::Wait).then(|| text.clone());
        let event = Event { kind, receiver, data };
        match self.stage.perform(&event, &layout).await? {
            Performed::Not(why) => Ok(Some(why.to_owned())),
            Performed::Shown(shown) => {
                self.shown = shown;
                let step = RecordedStep { layout, action: deed.action, widget: deed.widget, text, random };
                self.steps.push((step, event));
                Ok(None)
            }
        }
    }

    /// The recording, and the events that lead to where it begins.
    pub fn finish(self) -> (Recording, Vec<Event>) {
        let steps = self.steps.into_iter().map(|(step, _)| step).collect();
        (Recording { steps, last: self.shown.layout }, self.lead)
    }
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
