//! The apps every simulated lab comes with.
//!
//! In: the switches of their defects. Out: apps for any number of phones, made with the public
//! toolkit only. With every defect off they are correct: what one does on a page takes nothing
//! away from what was done before, except where the user asks for it or a trap says so.
//!
//! An app is a folder: `mod.rs` with its manifest, defects, traps and actions, files for its data
//! and its pages, and `cases.rs` with what triggers each defect and shows each trap. A defect's code
//! is the mistake itself, in the place where it would be made.

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

use droidmux_sim_toolkit::SimApp;

mod calc;
mod cards;
mod conference;
mod diary;
mod expenses;
mod files;
mod form;
mod health;
mod import;
mod notes;
mod omni;
mod player;
mod radio;
mod reader;
mod signup;
mod todo;
mod travel;
mod tube;
mod units;
mod wiki;

#[cfg(test)]
mod defects;
#[cfg(test)]
mod inputs;
#[cfg(test)]
mod neutral;

/// All of them: [`functional`], then [`forms`]. New ones go to the end: home screens show the first.
pub fn all() -> Vec<SimApp> {
    functional().into_iter().chain(forms()).collect()
}

/// The apps whose defects show by events in an order, whatever is typed: diary, files, notes and
/// units first, then the others by name.
pub fn functional() -> Vec<SimApp> {
    vec![
        diary::app(),
        files::app(),
        notes::app(),
        units::app(),
        cards::app(),
        conference::app(),
        expenses::app(),
        omni::app(),
        player::app(),
        radio::app(),
        reader::app(),
        todo::app(),
        tube::app(),
        wiki::app(),
    ]
}

/// The apps with forms, whose defects show by unusual text behind constraints, by name.
pub fn forms() -> Vec<SimApp> {
    vec![calc::app(), health::app(), import::app(), signup::app(), travel::app()]
}
