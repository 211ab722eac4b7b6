//! The pure model of an Android screen.
//!
//! In: the bytes of a UI dump, or a [`LayoutBuilder`] filled by an importer. Out: a [`Layout`]
//! (an arena of widgets with interned strings) and everything that can be asked of it without a
//! device: selectors and their resolution, the events it handles, its state at an abstraction
//! level, its groups, and the GUI effects between two layouts.
//!
//! Invariants: no I/O, no clock, no randomness; equal layouts have equal [`LayoutHash`]es on
//! every machine; text from a device is kept as it came ([`droidmux_words::printable`] makes it fit for
//! a terminal); selectors hold no text of a password field.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod abstraction;
mod alignment;
mod available;
mod bounds;
mod builder;
mod comparable;
mod dates;
pub mod dump;
mod edit;
mod effect;
mod event;
mod flags;
mod group;
mod hash;
pub mod hex;
mod layout;
mod operable;
mod progress;
mod ratio;
mod selector;
mod strings;
mod surroundings;
mod utf16;
mod widget;
mod zhang_shasha;

pub use abstraction::{Level, Page, StateId, likeness};
pub use bounds::{Bounds, Point};
pub use builder::{LayoutBuilder, NewWidget};
pub use comparable::{Arrangement, comparable, has_open_drawer, is_dialog, lies_over};
pub use dates::holds_date;
pub use dump::{Dump, DumpError, Note, read_dump, read_dumps};
pub use edit::{Outline, Shape, edit_mapping, edit_mapping_of, is_least_mapping, shape_mapping};
pub use effect::{
    Effect, EffectForm, context, context_named, context_node, context_where, effects, effects_of, row_name,
    row_of,
};
pub use event::{DeviceSetting, Direction, Event, EventKind, EventWordsError};
pub use flags::Flags;
pub use group::Groups;
pub use hash::{LayoutHash, NoLayoutHash};
pub use layout::{Layout, WidgetId};
pub use operable::{Interaction, MarkColor, Operable};
pub use ratio::{nearest, ratio};
pub use selector::{Resolution, Selector};
pub use strings::Str;
pub use utf16::{lone_surrogate, text_of_units, units_of_text};
pub use widget::{Widget, short_class, short_id};
