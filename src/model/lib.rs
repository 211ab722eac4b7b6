//! The GUI transition model M = ⟨S, Σ, δ⟩, mined from what was recorded.
//!
//! In: the turns of finished jobs (or recordings read by an importer), with the layouts they name.
//! Out: a [`GuiModel`]: states at an abstraction level, transitions with their events, the events
//! each state offers with their weights Υ, ways from state to state, and the states that look most
//! alike. For Odin: a
//! [`StateModel`] of states merged from layouts.
//!
//! Invariants: holds hashes of layouts, never layouts; equal input in equal order gives an equal model on every
//! machine; a clone is cheap and shares the events, so a snapshot is an `Arc` that the next learner copies on write;
//! sizes are capped, whatever an app shows.

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

mod familiar;
mod graph;
mod key;
mod merge;
mod mining;
mod outing;
mod path;
mod sketch;
mod state;
mod states;
#[cfg(test)]
mod tests;
mod variants;

pub use familiar::Familiar;
pub use graph::{Arrival, GuiModel, Sighting, TransitionId, Traversal};
pub use key::{Action, EventKey, EventShape, Offer, offers};
pub use mining::Learned;
pub use outing::outing_offers;
pub use path::{Distances, UNREACHABLE};
pub use sketch::{Fnv, Sketch};
pub use state::{Offered, State, Transition};
pub use states::{EventHash, EventLabel, LayoutStep, Passage, StateModel, StateNo, Walks};
