//! Where on the recorded layouts the objects are shown.

use super::{Recording, Unmapped};
use droidmux_gui::{Flags, Layout, Widget, WidgetId, nearest};
use droidmux_record::DmfAction;

/// A widget of a recorded layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShownAt {
    pub layout: usize,
    pub widget: WidgetId,
}

/// Which of several widgets with the same text is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefer {
    /// What shows data.
    Label,
    /// What data is typed into.
    Field,
}

impl Recording {
    fn at(&self, number: usize) -> &Layout {
        self.steps.get(number).map_or(&self.last, |step| &step.layout)
    }

    /// The widget of a layout that shows a text: inside the one acted on there, if any is.
    fn showing(&self, layout: usize, text: &str, prefer: Prefer) -> Option<ShownAt> {
        let acted_on = self.steps.get(layout).and_then(|step| step.widget);
        let rank = |widget: &Widget<'_>| {
            let beside = !acted_on.is_some_and(|receiver| widget.is_inside(receiver));
            (beside, widget.is_editable() == (prefer == Prefer::Label))
        };
        let shows = |widget: &Widget<'_>| widget.text() == text && !widget.has(Flags::PASSWORD);
        let widget = self.at(layout).widgets().filter(shows).min_by_key(rank)?.id();
        Some(ShownAt { layout, widget })
    }

    /// Where the text of the object taken away is read: as early as it is shown.
    pub(super) fn taken(&self, text: &str) -> Result<ShownAt, Unmapped> {
        let places = (0..self.steps.len()).filter_map(|layout| self.showing(layout, text, Prefer::Label));
        places.min_by_key(|place| place.layout).ok_or_else(|| Unmapped::NeverShown(text.to_owned()))
    }

    /// Where the text of the object that is added or shown is read: where it was just typed, else as
    /// early as it is shown.
    pub(super) fn given(&self, text: &str) -> Result<ShownAt, Unmapped> {
        let typed = self.steps.iter().rposition(|step| step.action == DmfAction::Edit && step.text == text);
        let field = typed.and_then(|step| self.showing(step + 1, text, Prefer::Field));
        if let Some(place) = field {
            return Ok(place);
        }
        let places = (0..self.steps.len()).filter_map(|layout| self.showing(layout, text, Prefer::Label));
        match places.min_by_key(|place| place.layout) {
            Some(place) => Ok(place),
            None => self.shown(text),
        }
    }

    /// Where an object is shown in the end.
    pub(super) fn shown(&self, text: &str) -> Result<ShownAt, Unmapped> {
        let layout = self.steps.len();
        self.showing(layout, text, Prefer::Label).ok_or_else(|| {
            let near = nearest(text, self.last.widgets().map(|widget| widget.text())).map(str::to_owned);
            Unmapped::NotShown { layout, text: text.to_owned(), near }
        })
    }
}
