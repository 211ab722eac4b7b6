//! Care for devices: every policy of the lab on simulated devices, over the real wire.

mod crashes;
mod leases;
mod policies;
mod refusing;
pub mod ward;
