//! Ports for programs that must be told theirs before they listen, and for addresses where nobody is to listen.
//!
//! The system gives the simulated labs any port above its floor, at any moment: also one that was free a moment ago.
//! A client that looks for its own server there would find a lab's. So these ports lie below the floor, and none is
//! given twice.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Where they begin, above the ports with well-known uses.
const FIRST: u16 = 15_000;
/// How many there are before Linux's floor of 32,768 (`ip_local_port_range`).
const COUNT: u16 = 17_000;

/// A port that nobody uses at this moment, and that nobody else here is given.
pub fn free_port() -> u16 {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    // Another run of the tests at the same time begins elsewhere.
    let begin = u16::try_from(std::process::id() % u32::from(COUNT)).unwrap_or(0);
    for _ in 0..COUNT {
        let given = GIVEN.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (begin + given) % COUNT;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("every port from {FIRST} on is in use");
}

/// An address on this machine where nobody listens.
pub fn free_address() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, free_port()).into()
}
