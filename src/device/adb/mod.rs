//! Devices over the Android Debug Bridge: our own client for the ADB server's protocol.
//!
//! In: a server's address, or a host that `ssh` reaches, and a device's serial. Out: [`Server`] (which devices there are),
//! [`AdbDevice`] (one of them, as a [`Device`](super::Device)).
//!
//! Invariants: a server is never started or stopped; one connection per request, and whatever a device is asked goes over
//! such connections, the agent included (its port is a service of the device: no forward is opened, which would end at the
//! server's host); every read and write happens under a
//! [`Patience`](super::Patience); answers are capped in size; a command is one line for the device's shell in which
//! everything from outside is quoted.
//!
//! The cost of a step: one connection to perform an event, one to observe (two dumps, focus, keyboard, log); a third
//! only while the screen has not settled. With the resident agent ([`agent`]) both dumps are one request on a
//! connection that stays open, and one more connection fetches the rest.

pub mod agent;
mod alteration;
mod application;
mod beginning;
mod book;
mod calls;
mod clock;
mod condition;
mod connection;
mod data_copy;
mod device;
mod dump;
mod entry;
mod failing;
mod fault;
mod foreground;
mod furnish;
mod gesture;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod install;
mod keyboard;
mod lease_file;
mod life;
mod log;
mod log_reading;
mod main_thread;
mod news;
mod observe;
mod performing;
mod picture;
mod place;
mod preparation;
mod profile;
mod raised;
mod readings;
mod restless;
mod sections;
mod server;
mod settings;
mod settling;
mod shell;
mod ssh_words;
mod stream;
mod surroundings;
mod sync;
mod toasts;
mod tracker;
mod trial;
mod tunnel;
mod typing;
mod vitals;

#[cfg(test)]
mod scripted;
#[cfg(test)]
mod tests;

pub use device::AdbDevice;
pub use entry::{DeviceEntry, remedy};
pub use server::Server;
pub use shell::ShellOutput;
pub use sync::FileStat;
pub use tracker::Tracker;
