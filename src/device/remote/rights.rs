//! What the NATS server lets a lab do, tried before a session depends on it.
//!
//! In: a connection. Out: what the server is, what it refused and why. Invariant: what is tried is what sessions do, with a
//! lease and a host of names that nobody has; the lease is taken out again.

use std::time::Duration;

use tokio::time::Instant;

use droidmux_device::Patience;

use crate::asking::AskError;
use crate::frame::Id;
use crate::hosts::Hosts;
use crate::leases::LeaseWords;
use crate::registry::{RegistryError, lease_key};
use crate::wire::Ask;

/// The longest that a host may take to say who it is.
const WITHIN: Duration = Duration::from_secs(12);
/// What a server's complaints about permissions have in common.
const VIOLATION: &str = "permissions violation";

/// A NATS server as it describes itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerWords {
    /// Its version, e.g. `2.10.7`.
    pub version: String,
    /// Whether it has JetStream.
    pub jetstream: bool,
    /// Whether it wants TLS.
    pub tls: bool,
}

/// What came of trying what a lab does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rights {
    /// In the server's words: what it forbade.
    pub forbidden: Vec<String>,
    /// Whether the bucket with what hosts say can be read.
    pub hosts: Result<(), RegistryError>,
    /// Whether leases can be written, read and taken out.
    pub leases: Result<(), RegistryError>,
    /// How long the server took to say that nobody listens at a name that no host has, or what came instead.
    pub asking: Result<Duration, AskError>,
}

impl Hosts {
    /// What the server said of itself.
    pub fn server(&self) -> ServerWords {
        let info = self.inner.link.client().server_info();
        ServerWords { version: info.version, jetstream: info.jetstream, tls: info.tls_required }
    }

    /// Tries what a session needs of the server.
    pub async fn try_rights(&self) -> Rights {
        let registry = &self.inner.registry;
        // Nobody is called so.
        let nobody = Id::random().to_string();
        let asking = async {
            let began = Instant::now();
            match self.greet(&nobody).await {
                Ok(_) | Err(AskError::Nobody { .. }) => Ok(began.elapsed()),
                Err(error) => Err(error),
            }
        };
        let leases = async {
            let (key, words) = (lease_key(&nobody, "doctor"), LeaseWords::default());
            let revision = registry.take(&key, &words, None).await?;
            let there = registry.lease(&key).await;
            registry.give_back(&key, revision).await?;
            there.map(drop)
        };
        let (asking, hosts, leases) = tokio::join!(asking, registry.hosts(), leases);
        let complaints = self.inner.link.complaints();
        let forbidden = complaints.into_iter().filter(|said| said.to_lowercase().contains(VIOLATION));
        Rights { forbidden: forbidden.collect(), hosts: hosts.map(drop), leases, asking }
    }

    /// Asks a host who it is; how long that took.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn greet(&self, host: &str) -> Result<Duration, AskError> {
        let began = Instant::now();
        self.inner.asker.ask(host, "", None, Ask::Hello, &[], &Patience::of(WITHIN)).await?;
        Ok(began.elapsed())
    }
}
