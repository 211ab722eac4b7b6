//! droidmux finds functional, non-crashing bugs in Android apps.
//!
//! Planners plan, drivers drive, oracles judge, the store remembers, the cockpit shows.
//!
//! A map of the crate, the foundation first; a module imports only what its row in `ARCHITECTURE.md`
//! names:
//!
//! | module | what to look for there |
//! |---|---|
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

#![warn(missing_docs)]
// Numbers from outside are never cut silently: `gui::number` has the conversions. Tests know theirs.
#![cfg_attr(
    not(test),
    warn(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

pub mod apk;
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
pub mod report;
pub mod sim;
pub mod store;
pub mod technique;
pub mod tui;
