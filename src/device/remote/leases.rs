//! A lease of a phone, as labs of one NATS server see it before they ask the phone.
//!
//! In: what the registry has, time. Out: whether the phone may be taken. Invariant: what is here only keeps labs out of
//! each other's way; without the registry, or when it is wrong, the note on the phone decides alone.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

pub use crate::registry::LeaseWords;
use crate::registry::{Kept, Registry, RegistryError, lease_key};

/// The lease of one phone.
pub struct Leases {
    registry: Option<Registry>,
    key: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Ours, with its revision.
    own: Option<(String, u64)>,
    /// Another lab's, with its revision, and since when it has not been renewed.
    other: Option<(u64, Instant)>,
}

impl Leases {
    /// Of this phone; without a registry, everything is allowed.
    pub fn new(registry: Option<Registry>, host: &str, phone: &str) -> Self {
        Self { registry, key: lease_key(host, phone), state: Mutex::default() }
    }

    /// Writes down that we take the phone, or that we still have it.
    ///
    /// # Errors
    /// Who has it instead.
    pub async fn take(&self, words: &LeaseWords) -> Result<(), LeaseWords> {
        let Some(registry) = &self.registry else { return Ok(()) };
        let own = self.state().own.clone().filter(|(token, _)| *token == words.token);
        if let Some((_, revision)) = own {
            match registry.take(&self.key, words, Some(revision)).await {
                Ok(revision) => return self.ours(words, revision),
                Err(RegistryError::Changed) => {}
                Err(error) => return self.without(&error),
            }
        }
        let there = match registry.lease(&self.key).await {
            Ok(there) => there,
            Err(error) => return self.without(&error),
        };
        if let Some(kept) = &there
            && kept.words.lab != words.lab
            && self.holds(kept)
        {
            return Err(kept.words.clone());
        }
        match registry.take(&self.key, words, there.map(|kept| kept.revision)).await {
            Ok(revision) => self.ours(words, revision),
            Err(RegistryError::Changed) => match registry.lease(&self.key).await {
                Ok(Some(kept)) if kept.words.lab != words.lab => Err(kept.words),
                _ => Ok(()),
            },
            Err(error) => self.without(&error),
        }
    }

    /// Takes our lease out.
    pub async fn give_back(&self) {
        let own = self.state().own.take();
        if let (Some(registry), Some((_, revision))) = (&self.registry, own)
            && let Err(error) = registry.give_back(&self.key, revision).await
        {
            tracing::info!("{}: its lease stays until it is too old: {error}", self.key);
        }
    }

    /// Whether another lab's lease is in force: it is, until it has stood unchanged for longer than it holds.
    fn holds(&self, kept: &Kept) -> bool {
        let mut state = self.state();
        let since = match state.other {
            Some((revision, since)) if revision == kept.revision => since,
            _ => Instant::now(),
        };
        state.other = Some((kept.revision, since));
        since.elapsed() < Duration::from_secs(kept.words.holds)
    }

    fn ours(&self, words: &LeaseWords, revision: u64) -> Result<(), LeaseWords> {
        self.state().own = Some((words.token.clone(), revision));
        Ok(())
    }

    fn without(&self, error: &RegistryError) -> Result<(), LeaseWords> {
        tracing::info!("{}: the note on the phone decides alone: {error}", self.key);
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
