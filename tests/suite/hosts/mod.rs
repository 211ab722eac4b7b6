//! One session over many hosts: a genuine nats-server between them, hosts as processes of their own, simulated phones.
//!
//! Runs when `nats-server` is installed, and reports otherwise that it was skipped.

mod credentials;
mod doctor;
mod faults;
mod lab;
mod permissions;
mod refusals;
mod server;
mod session;
mod wire;

pub use lab::{HostProcess, Night, PASSWORD, hasty, odd_host, quick};
pub use server::{NatsServer, is_installed};
