//! droidmux finds functional, non-crashing bugs in Android apps.
//!
//! Planners plan, drivers drive, oracles judge, the store remembers, the cockpit shows.

pub mod bench;
pub mod cli;
pub mod device;
pub mod file;
pub mod gui;
pub mod import;
pub mod lab;
pub mod llm;
pub mod model;
pub mod paint;
pub mod picture;
pub mod proto;
pub mod record;
pub mod sim;
pub mod store;
pub mod technique;
pub mod tui;
