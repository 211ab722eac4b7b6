//! Pictures as data: which screens, and what is drawn on them. Drivers describe them; the pixels
//! are made where a question is sent.

use serde::{Deserialize, Serialize};

use super::BlobHash;
use droidmux_gui::{Bounds, Interaction, Layout, LayoutHash, Operable};

/// A picture that goes with a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Picture {
    /// One screen.
    Screen(Frame),
    /// Screens of past operations, left to right and top to bottom.
    History(Vec<Frame>),
    /// A part of a screen: a widget without text.
    Icon {
        /// The screen that it is cut from; its marks and caption are not drawn.
        frame: Frame,
        /// The part that is cut out, in pixels of the device.
        bounds: Bounds,
    },
}

/// A screen with what is drawn on it. Bounds are those of the layout, in pixels of the device.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The screenshot to draw on, by its name beside the store.
    pub screenshot: BlobHash,
    /// Its password fields are painted over.
    pub layout: LayoutHash,
    /// Drawn in this order; empty for the screen alone.
    pub marks: Vec<Mark>,
    /// Written under the screen; nothing when empty.
    pub caption: String,
}

/// A box around a widget, with a label.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mark {
    /// Where the box is, in pixels of the device.
    pub bounds: Bounds,
    /// Decides the colour of box and label.
    pub interaction: Interaction,
    /// A number; empty for a box alone.
    pub label: String,
}

impl Picture {
    /// The text that replaces it where only text is shown.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Screen(_) => "[picture: the current screen]",
            Self::History(_) => "[picture: the history]",
            Self::Icon { .. } => "[picture: an icon]",
        }
    }
}

impl Frame {
    /// A screen with a numbered mark on every widget that can be operated.
    pub fn marked(screenshot: BlobHash, layout: &Layout) -> Self {
        let mark = |operable: Operable| {
            let widget = layout.get(operable.widget)?;
            let interaction = *operable.interactions.first()?;
            Some(Mark { bounds: widget.bounds(), interaction, label: operable.number.to_string() })
        };
        let marks = layout.operable().into_iter().filter_map(mark).collect();
        Self { screenshot, layout: layout.hash(), marks, caption: String::new() }
    }
}
