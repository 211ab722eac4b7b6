//! The screen of a device that the picture pane shows.
//!
//! In: the step looked at, or the test that is led. Out: its layout and screenshot, with the widgets that are boxed.

use std::sync::Arc;

use ratatui::layout::{Position, Rect};

use super::{App, Screen};
use crate::pane::picture;
use droidmux_gui::{Bounds, Layout, WidgetId};
use droidmux_record::BlobHash;

/// A screen of a device, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub layout: Option<Arc<Layout>>,
    pub screenshot: Option<BlobHash>,
    /// The widget that the event acts on.
    pub acted: Option<WidgetId>,
    /// The widget under the cursor of the tree.
    pub selected: Option<WidgetId>,
}

impl Scene {
    /// Where a widget of it is.
    pub fn bounds(&self, widget: Option<WidgetId>) -> Option<Bounds> {
        Some(self.layout.as_ref()?.get(widget?)?.bounds())
    }
}

impl App {
    /// Puts the cursor of the tree on the widget at this place of the picture.
    pub(super) fn choose_on_picture(&mut self, area: Rect, at: Position) {
        let Some(widget) = picture::widget_at(self, area, at) else { return };
        match self.screen {
            Screen::Stepper => self.stepper.widgets.cursor = widget.0.into(),
            _ => self.session.tree.cursor = widget.0.into(),
        }
    }

    /// The screen that belongs in the picture pane.
    pub fn scene(&self) -> Scene {
        match self.screen {
            Screen::Stepper => Scene {
                layout: self.stepped_layout().cloned(),
                screenshot: self.stepper.view.as_ref().and_then(|view| view.screenshot),
                acted: self
                    .stepper
                    .view
                    .as_ref()
                    .and_then(|view| Some(WidgetId(view.next.as_ref()?.widget?))),
                selected: Some(self.stepper.widget()),
            },
            _ => Scene {
                layout: self.shown_layout().cloned(),
                screenshot: self.session.screenshot(),
                // The box is of the screen before the event: afterwards its widget may be another one.
                acted: self
                    .session
                    .pictured
                    .as_ref()
                    .filter(|_| self.session.before)
                    .and_then(|step| step.widget.map(WidgetId)),
                selected: self.selected_widget(),
            },
        }
    }
}
