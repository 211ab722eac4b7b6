//! Attempts to break out, made by the child itself after lockdown: on any machine, one can ask whether the sandbox
//! holds.

use std::fs::File;
use std::hint::black_box;
use std::net::UdpSocket;
use std::process::Command;
use std::thread;

use serde::{Deserialize, Serialize};

/// What the child tries; in a sandbox that holds, it survives none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Probe {
    /// To open a file.
    Open,
    /// To reach the network.
    Connect,
    /// To start a program.
    Spawn,
    /// To start a thread.
    Thread,
    /// To allocate a gigabyte.
    Memory,
    /// To compute without end.
    Spin,
}

impl Probe {
    /// Each of them once, to try them one after the other.
    pub const ALL: [Self; 6] =
        [Self::Open, Self::Connect, Self::Spawn, Self::Thread, Self::Memory, Self::Spin];

    /// Tries it; true if it succeeded.
    pub(super) fn works(self) -> bool {
        match self {
            Self::Open => File::open("/").is_ok(),
            Self::Connect => UdpSocket::bind("127.0.0.1:0").is_ok(),
            Self::Spawn => Command::new("/proc/self/exe").spawn().is_ok(),
            Self::Thread => thread::Builder::new().spawn(|| ()).is_ok(),
            Self::Memory => black_box(Vec::<u8>::new()).try_reserve_exact(1 << 30).is_ok(),
            Self::Spin => loop {
                black_box(());
            },
        }
    }
}
