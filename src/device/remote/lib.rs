//! Phones of other hosts, through NATS.
//!
//! ```text
//! lab: RemoteDevice ── Asker ── Link ══ nats-server ══ Link ── Host ── AdbDevice ── phone
//!         Hosts  ◀───── registry (a KV bucket), signs of life ──────┘
//! ```
//!
//! In: a NATS server; on hosts, an ADB server and a policy. Out: on labs, devices like any other.
//!
//! Invariants: one request is one act, and is performed once, however often it is sent and whatever gets lost; NATS keeps
//! nothing that cannot be made again from hosts; the note on the phone has the last word on who uses it; a host does
//! nothing that its policy does not allow, whoever asks, and has no shell to offer.

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

mod asking;
mod blobs;
mod device;
mod frame;
mod host;
mod hosts;
mod kept;
mod leases;
mod link;
mod packing;
mod policy;
mod registry;
mod rights;
mod window;
mod wire;

pub use asking::{AskError, Waits};
pub use device::RemoteDevice;
pub use frame::VERSION;
pub use host::{Host, HostError, HostOptions};
pub use hosts::{Choice, Hosts, Listed, Seen};
pub use leases::LeaseWords;
pub use link::{Credentials, Link, LinkError, PREFIX, Way};
pub use policy::Policy;
pub use registry::RegistryError;
pub use rights::{Rights, ServerWords};
pub use wire::{HostWords, PhoneWords};
