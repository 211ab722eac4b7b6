//! What simulated apps are made with.

mod defect;
mod installable;

pub use defect::{Defect, DefectKind, DefectSwitches, UnknownDefect};
pub use installable::SimApp;
