//! The simulated lab: phones whose apps have known defects.
//!
//! In: which apps, which defects, how many devices, an RNG seed; then taps, keys and shell commands
//! as a real phone gets them. Out: UI dumps, screenshots, logcat text as a real phone gives them.
//!
//! A [`SimLab`] puts phones on the wire behind two doors. At the ADB server door a client talks to
//! the lab as to a running `adb` server; at each device's adbd door a genuine ADB server talks to it
//! as to a phone. Both open the same services over a stream of bytes: the shell with its commands,
//! file transfer, installation, the port of a resident agent. What goes wrong on real phones is
//! scripted with [`Fault`]s, by a [`FaultPlan`] or one by one, and every one that strikes is listed.
//!
//! With [`FrameworkOptions`] the app is not one of ours: a separate host runs it on Android's own
//! framework classes (`docs/framework.md`), and the phone still handles everything else.
//!
//! Invariants: a [`Phone`] is a plain state machine, without sockets and without a wall clock, and
//! the same calls give the same answers; its clock moves only with input, launches and clears;
//! what a screen shows while it moves is laid over it by the host's clock;
//! nothing outside this module knows the name of a simulated app; no bytes from either door can panic
//! or hang it, and a command no device knows is answered with 127 and noted.

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

mod adbd;
mod agent;
mod command;
mod data_files;
mod device;
mod error;
mod fault;
mod files;
mod framework;
mod hold;
mod lab;
mod latency;
mod mishap;
mod motion;
mod pattern;
pub mod phone;
pub mod render;
mod screen;
mod server;
mod service;
mod shell;
mod stand_in;
mod text;
mod watcher;

pub use device::{LinkState, SimDevice};
pub use droidmux_sim_toolkit::{Defect, DefectSwitches, SimApp, Trap, UnknownDefect};
pub use error::SimError;
pub use fault::{Fault, FaultPlan, FaultRule, Injected, Occasion, Refusal};
pub use framework::confine::enter as enter_confined;
pub use framework::{
    Confinement, Fault as LabFault, FrameworkOptions, InUse, Means, Misdescribed, Mutant, MutantCounts,
    MutantSwitches, Pretence, PretendedMethod, TranslateError, TranslatedApp, Translation, Translator,
    read_faults as read_lab_faults,
};
pub use lab::{SimLab, SimOptions};
pub use latency::Latency;
pub use phone::{Condition, End, Health, Night, Oddity, Phone, PhoneOptions, SimBuild};
pub use screen::Observed;

#[cfg(test)]
mod moving_tests;
#[cfg(test)]
mod tests;
