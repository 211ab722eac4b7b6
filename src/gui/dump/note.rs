//! What was odd about a dump.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something a person or a technique should know about a dump that could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Note {
    /// The bytes were not UTF-8.
    Reencoded {
        /// Its name according to the Encoding Standard.
        encoding: String,
    },
    /// Bytes that mean nothing in the encoding were replaced.
    BadBytes,
    /// Text before the document was cut.
    TextBefore {
        /// How many were cut.
        bytes: usize,
    },
    /// Text after the document was cut.
    TextAfter {
        /// How many were cut.
        bytes: usize,
    },
    /// Text between the elements was skipped.
    TextInside,
    /// Character or entity references that mean nothing were kept as text.
    BadReferences {
        /// How many references in the whole dump.
        count: u32,
    },
    /// A `rotation` that is none of 0 to 3; read as 0.
    BadRotation,
    /// Bounds that could not be read; taken as empty.
    BadBounds {
        /// How many widgets have such bounds.
        widgets: u32,
    },
    /// A hierarchy with nothing in it.
    NoWidgets,
    /// More than one window in the dump.
    SeveralRoots {
        /// How many widgets have no parent.
        roots: u32,
    },
    /// The dump has all windows of the device; those that lie over the app's were read with it.
    Windows {
        /// How many make the layout.
        read: u32,
        /// Bars, keyboards, windows below and other displays.
        left_out: u32,
    },
    /// The dump has all windows of the device, and the app's is not among them or has nothing in it.
    NoAppWindow {
        /// How many windows it has.
        windows: u32,
    },
    /// Windows of apps on other displays were left out.
    OtherDisplays {
        /// How many there are.
        windows: u32,
    },
    /// More than one screen in one file: only the first was read.
    SeveralDumps {
        /// How many there are.
        dumps: u32,
    },
    /// Widgets of which the dump does not tell what they are.
    NoClasses {
        /// How many have no class.
        widgets: u32,
        /// Widgets in the dump.
        of: u32,
    },
    /// Labels and buttons that say nothing.
    NoTexts {
        /// How many have neither text nor description.
        widgets: u32,
        /// Labels and buttons in the dump.
        of: u32,
    },
    /// Widgets with no area; `touchable` of them claim to take touches.
    EmptyBounds {
        /// How many have no area.
        widgets: u32,
        /// Of them: clickable, long-clickable, checkable or scrollable.
        touchable: u32,
    },
    /// Widgets whose texts hold control characters other than tab and line feed.
    ControlCharacters {
        /// How many have such texts.
        widgets: u32,
    },
    /// Web views that show nothing of their content.
    OpaqueWebView {
        /// How many there are.
        views: u32,
    },
    /// Compose widgets; with `named` resource-ids among them.
    Compose {
        /// Compose widgets in the dump.
        widgets: u32,
        /// Of them: with a resource-id.
        named: u32,
    },
    /// What looks like Flutter: bare views that only have descriptions.
    Flutter {
        /// How many there are.
        widgets: u32,
    },
    /// Few of the widgets that take events have a resource-id.
    FewIds {
        /// Widgets that take events.
        widgets: u32,
        /// Of them: with a resource-id.
        named: u32,
    },
}

impl Note {
    /// True when part of the screen is missing from the tree or cannot be told apart by it.
    pub fn is_degrading(&self) -> bool {
        match self {
            Self::Reencoded { .. }
            | Self::TextBefore { .. }
            | Self::TextAfter { .. }
            | Self::TextInside
            | Self::BadReferences { .. }
            | Self::SeveralRoots { .. }
            | Self::Windows { .. }
            | Self::ControlCharacters { .. } => false,
            Self::EmptyBounds { touchable, .. } => *touchable > 0,
            Self::Compose { widgets, named } => named * 2 < *widgets,
            Self::BadBytes
            | Self::BadRotation
            | Self::BadBounds { .. }
            | Self::NoWidgets
            | Self::NoAppWindow { .. }
            | Self::OtherDisplays { .. }
            | Self::SeveralDumps { .. }
            | Self::NoClasses { .. }
            | Self::NoTexts { .. }
            | Self::OpaqueWebView { .. }
            | Self::Flutter { .. }
            | Self::FewIds { .. } => true,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reencoded { encoding } => write!(f, "read as {encoding}"),
            Self::BadBytes => write!(f, "bytes that are not valid text were replaced by U+FFFD"),
            Self::TextBefore { bytes } => write!(f, "{bytes} bytes of text before the document were cut"),
            Self::TextAfter { bytes } => write!(f, "{bytes} bytes of text after the document were cut"),
            Self::TextInside => write!(f, "text between the elements was skipped"),
            Self::BadReferences { count } => write!(f, "{count} references like &#0; were kept as text"),
            Self::BadRotation => write!(f, "the rotation is none of 0 to 3 and was taken as 0"),
            Self::BadBounds { widgets } => write!(f, "the bounds of {widgets} widgets could not be read"),
            Self::NoWidgets => write!(f, "there is no widget in it; is the screen off or locked?"),
            Self::SeveralRoots { roots } => write!(f, "{roots} roots: several windows in one dump"),
            Self::Windows { read: 1, left_out } => {
                write!(f, "of the device's windows the app's was read; {left_out} others were left out")
            }
            Self::Windows { read, left_out } => {
                let above = read.saturating_sub(1);
                write!(f, "the app's window was read with {above} above it; {left_out} others were left out")
            }
            Self::NoAppWindow { windows } => {
                write!(
                    f,
                    "none of the {windows} windows is an app's with something in it: the app is not seen"
                )
            }
            Self::OtherDisplays { windows } => {
                write!(f, "{windows} windows of apps are on other displays and were left out")
            }
            Self::SeveralDumps { dumps } => {
                write!(f, "{dumps} dumps in one file: only the first was read; give each a file of its own")
            }
            Self::NoClasses { widgets, of } => {
                write!(f, "{widgets} of {of} widgets have no class: what they are is unknown")
            }
            Self::NoTexts { widgets, of } => {
                write!(f, "{widgets} of {of} labels and buttons have neither text nor description")
            }
            Self::EmptyBounds { widgets, touchable: 0 } => write!(f, "{widgets} widgets have no area"),
            Self::EmptyBounds { widgets, touchable } => {
                write!(f, "{widgets} widgets have no area; {touchable} of them cannot be touched for it")
            }
            Self::ControlCharacters { widgets } => {
                write!(f, "the texts of {widgets} widgets hold control characters")
            }
            Self::OpaqueWebView { views } => {
                write!(f, "{views} web views show nothing of their content: bugs inside stay unseen")
            }
            Self::Compose { widgets, named } => {
                write!(f, "Jetpack Compose: {named} of {widgets} widgets have a resource-id")
            }
            Self::Flutter { widgets } => {
                write!(f, "looks like Flutter: {widgets} bare views told apart by their descriptions only")
            }
            Self::FewIds { widgets, named } => {
                write!(f, "only {named} of the {widgets} widgets that take events have a resource-id")
            }
        }
    }
}
