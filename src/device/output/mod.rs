//! Parsing what devices print: pure functions from text to data.
//!
//! In: the output of `dumpsys`, `logcat`, `getprop`, `df`, `wm`, `am` and `cmd`, as real devices of many
//! Android versions and vendors print it. Out: the focused page, crashes and ANRs, versions,
//! permissions, launchers, battery, heat, space; what a tool complains of.
//!
//! Invariants: any text is accepted without a panic; what is not recognised is left out, never
//! guessed; everything kept is capped in number and length.

mod complaint;
mod component;
#[cfg(test)]
mod corpus_tests;
mod displays;
mod focus;
#[cfg(test)]
mod hostile_tests;
mod launch;
mod log_line;
mod maker;
mod package;
mod properties;
mod signals;
mod vitals;

pub(super) use complaint::{Told, command_of, complaint, read_told, remedy_of};
pub(super) use component::Component;
pub(super) use displays::{DisplayFocus, read_displays, read_physical};
pub(super) use focus::{Focus, read_focus, read_focuses, read_keyboard, read_locked, read_rotation};
pub(super) use launch::{Started, read_launcher, read_start};
pub(super) use maker::Maker;
pub(super) use package::{Package, is_package_name, read_package};
pub(super) use properties::{read_size, read_window_size, usable_property};
pub(super) use signals::{Departure, Ended, Logged, Why, is_crash, log_filter, read_log};
pub(super) use vitals::{Charge, read_awake, read_battery, read_heat, read_space, read_throttling};

/// The first `limit` characters.
fn capped(text: &str, limit: usize) -> String {
    text.chars().take(limit).collect()
}
