//! The framework lab: an app's own code on Android's own framework classes, in a separate JVM.
//!
//! In: an app's APKs, or a folder that `framework/build-app` has written, and where the host program is. Out: an app that
//! any simulated phone can have, whose windows and pictures come from the host and whose input goes there.
//!
//! Invariants: one host for each device, talked to a line at a time (`docs/framework.md`); what it says is
//! untrusted; a host that ends or does not answer counts as a device that went away, and comes back with a
//! new host; neither it nor the translator starts unconfined (`confine`).

mod cache;
pub mod confine;
mod faults;
mod frame;
mod hello;
mod host;
mod mutants;
mod outcome;
mod program;
mod quota;
mod scene;
mod set_up;
mod storage;
mod translated;
mod translator;
mod wire;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod translator_tests;

pub use cache::InUse;
pub use confine::{Confinement, Means};
pub use faults::{Fault, read_faults};
pub use host::FrameworkOptions;
pub(super) use host::Host;
pub use mutants::{Mutant, MutantCounts, MutantSwitches};
pub(super) use storage::{HostStorage, names_storage};
pub use translated::{Misdescribed, Pretence, PretendedMethod, TranslatedApp};
pub use translator::{TranslateError, Translation, Translator};
