//! The doctor: looks at everything that a night's run rests on, and says what to do about it.
//!
//! In: an ADB server or a NATS server with hosts, devices, a store, an endpoint of a language model. Out: checks
//! ([`CheckView`](droidmux_proto::CheckView)), each with a verdict and a remedy.
//!
//! Invariants: no session is disturbed: dumps are measured only on a device that the doctor has to itself, by a lease
//! like a session's, and a device that others have is only asked by a few shell commands; nothing on a device is
//! changed except that its screen is switched on, and tools are tried only in ways that do nothing; whatever fails is a
//! check that came out bad, never an error.

mod adb;
mod borrowed;
mod device;
mod hosts;
mod model;
mod nats;
mod rounds;
mod store;
mod tools;

pub use adb::{Programs, examine_servers, programs};
pub use borrowed::take_and_examine;
pub use device::{Bed, examine_device};
pub use hosts::{HostsPlan, examine_hosts};
pub use model::examine_model;
pub use store::examine_store;

/// Milliseconds of a time.
fn ms(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
