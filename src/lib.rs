//! droidmux finds functional, non-crashing bugs in Android apps.
//!
//! Planners plan, drivers drive, oracles judge, the store remembers, the cockpit shows.

pub mod device;
pub mod gui;
pub mod proto;
pub mod record;
pub mod technique;
pub mod tui;
