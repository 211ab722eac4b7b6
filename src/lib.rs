//! droidmux finds functional, non-crashing bugs in Android apps.
//!
//! Planners plan, drivers drive, oracles judge, the store remembers, the cockpit shows.
//!
//! A map of the crate, the foundation first; a module imports only what its row in `ARCHITECTURE.md`
//! names:
//!
//! | module | what to look for there |
//! |---|---|
//! | [`words`] | text that a terminal may show, counts with their noun, times, numbers between types |
//! | [`gui`] | a screen as a [`Layout`](gui::Layout): dumps, selectors, events, effects |
//! | [`record`] | everything that is stored, as data: jobs, turns, verdicts, findings, session definitions |
//! | [`paint`], [`picture`] | drawing; pictures of screens for models and people |
//! | [`model`] | the transition model of an app |
//! | [`technique`] | planners, drivers, oracles; the traits to implement for one more |
//! | [`import`] | recordings of other tools |
//! | [`device`] | phones and emulators through ADB |
//! | [`llm`] | language models, generated code, word vectors |
//! | [`store`] | the store of traces |
//! | [`sim`] | phones that exist in this process only, and apps with known defects |
//! | [`proto`] | what a viewer and a lab say to each other |
//! | [`lab`] | devices leased to sessions, episodes run on them |
//! | [`tui`] | the cockpit |
//! | [`bench`](mod@bench) | what the techniques are worth, measured |
//! | [`cli`] | the command line |
//!
//! What one event did to a screen:
//!
//! ```
//! use droidmux::gui::{Effect, EffectForm, effects, read_dump};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let screen = |rows: &str| {
//!     format!("<hierarchy rotation=\"0\"><node class=\"android.widget.ListView\">{rows}</node></hierarchy>")
//! };
//! let before = read_dump(screen("<node class=\"android.widget.TextView\" text=\"milk\" />").as_bytes())?;
//! let after = read_dump(screen("").as_bytes())?;
//!
//! let lost = effects(EffectForm::Tree, &before.layout, &after.layout);
//! assert!(matches!(lost[..], [Effect::Deleted(_)]));
//! # Ok(())
//! # }
//! ```

pub use droidmux_account as account;
pub use droidmux_apk as apk;
pub use droidmux_bench as bench;
pub use droidmux_cli as cli;

/// Phones and emulators through ADB; phones of other hosts.
pub mod device {
    pub use droidmux_device::*;
    pub use droidmux_device_remote as remote;
}
pub use droidmux_file as file;
pub use droidmux_gui as gui;
pub use droidmux_import as import;
pub use droidmux_lab as lab;
pub use droidmux_llm as llm;
pub use droidmux_model as model;
pub use droidmux_paint as paint;
pub use droidmux_picture as picture;
pub use droidmux_proto as proto;
pub use droidmux_record as record;
pub use droidmux_report as report;

/// Phones that exist in this process only, what their apps are made with, and apps with known defects.
pub mod sim {
    pub use droidmux_sim::*;
    pub use {droidmux_sim_apps as apps, droidmux_sim_toolkit as toolkit};
}
pub use droidmux_store as store;
pub use droidmux_technique as technique;
pub use droidmux_tui as tui;
pub use droidmux_words as words;
