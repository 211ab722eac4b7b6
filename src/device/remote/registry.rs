//! The registry: a JetStream KV bucket with what every host says of itself, and one with who has leased which phone.
//!
//! In: words of hosts, leases of labs. Out: the same, as long as they are renewed: both buckets drop what is older than
//! their time to live. Invariants: everything in them can be made again, so they are kept in memory and made whenever they
//! are missing; a server without JetStream has no registry, and nothing waits for it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::{self, kv, stream};
use bytes::Bytes;
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::link::Link;
use crate::wire::HostWords;

/// How often a host says that it is there.
pub const HEARTBEAT: Duration = Duration::from_secs(2);
/// How long a host that says nothing stays in the registry.
const HOSTS_FOR: Duration = Duration::from_secs(30);
/// How long a lease that nobody renews stays there; labs renew theirs several times within it.
const LEASES_FOR: Duration = Duration::from_secs(120);
/// The longest a request to JetStream may take.
const WITHIN: Duration = Duration::from_secs(3);
/// The most hosts that are read.
const MOST_HOSTS: usize = 1_000;

const HOSTS: &str = "droidmux-hosts";
const LEASES: &str = "droidmux-leases";

/// Why the registry could not be read or written; never a reason to stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegistryError {
    /// Somebody else changed it first.
    #[error("it was changed meanwhile")]
    Changed,
    /// There is no JetStream, no permission, no answer.
    #[error("the registry in NATS: {0}")]
    Away(String),
}

/// Who has leased a phone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeaseWords {
    /// `user@host`.
    pub owner: String,
    /// The lab: the same after a restart, a different one for every store.
    pub lab: String,
    /// Its session, as people name it.
    pub session: String,
    /// Drawn at random for every lease.
    pub token: String,
    /// Seconds for which it holds without being renewed.
    pub holds: u64,
}

/// A lease with its place in the bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Who has it.
    pub words: LeaseWords,
    /// To be named when it is changed.
    pub revision: u64,
}

/// Both buckets. Clones share them.
#[derive(Clone)]
pub struct Registry {
    context: jetstream::Context,
    hosts: Arc<Bucket>,
    leases: Arc<Bucket>,
}

struct Bucket {
    name: &'static str,
    keeps: Duration,
    known: Mutex<Option<kv::Store>>,
}

/// The subject on which what a host says goes to the bucket, and to all who listen.
pub fn heard_at(host: &str) -> String {
    format!("$KV.{HOSTS}.{host}")
}

impl Registry {
    /// The registry of this server.
    pub fn new(link: &Link) -> Self {
        let mut context = jetstream::new(link.client().clone());
        context.set_timeout(WITHIN);
        let bucket = |name, keeps| Arc::new(Bucket { name, keeps, known: Mutex::default() });
        Self { context, hosts: bucket(HOSTS, HOSTS_FOR), leases: bucket(LEASES, LEASES_FOR) }
    }

    /// Makes the bucket of hosts if there is none.
    ///
    /// # Errors
    /// Without JetStream or permission.
    pub async fn make(&self) -> Result<(), RegistryError> {
        self.hosts.open(&self.context).await.map(drop)
    }

    /// Writes down what a host says of itself.
    ///
    /// # Errors
    /// When it cannot be kept: those who listen may have heard it all the same.
    pub async fn put(&self, words: &HostWords) -> Result<(), RegistryError> {
        let bytes = as_json(words)?;
        let store = self.hosts.open(&self.context).await?;
        let put = limited(store.put(&words.name, bytes)).await;
        self.hosts.kept(put).map(drop)
    }

    /// A host leaves.
    ///
    /// # Errors
    /// When it cannot be taken out: it is dropped after a while anyway.
    pub async fn leave(&self, host: &str) -> Result<(), RegistryError> {
        let store = self.hosts.open(&self.context).await?;
        self.hosts.kept(limited(store.delete(host)).await)
    }

    /// What hosts said of themselves lately, as bytes: they may be of another version.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn hosts(&self) -> Result<Vec<Bytes>, RegistryError> {
        let store = self.hosts.open(&self.context).await?;
        let read = async {
            // Not `keys`: a consumer counts what is pending, and a host that speaks meanwhile can make it wait for ever.
            let subjects = format!("{}>", store.prefix);
            let mut subjects = limited(store.stream.info_with_subjects(subjects)).await?;
            let mut hosts = Vec::new();
            while let Some((subject, _)) = limited(subjects.try_next()).await? {
                if hosts.len() >= MOST_HOSTS {
                    break;
                }
                let Some(key) = subject.strip_prefix(&store.prefix) else { continue };
                let said = async {
                    match store.get(key).await {
                        // Whoever may publish can write under names that are no keys.
                        Err(error) if error.kind() == kv::EntryErrorKind::InvalidKey => Ok(None),
                        said => said,
                    }
                };
                hosts.extend(limited(said).await?);
            }
            Ok(hosts)
        };
        self.hosts.kept(read.await)
    }

    /// Who has leased a phone.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn lease(&self, key: &str) -> Result<Option<Kept>, RegistryError> {
        let store = self.leases.open(&self.context).await?;
        let entry = self.leases.kept(limited(store.entry(key)).await)?;
        let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
        Ok(entry.and_then(|entry| {
            let words = serde_json::from_slice(&entry.value).ok()?;
            Some(Kept { words, revision: entry.revision })
        }))
    }

    /// Writes a lease in the place of the one with this revision, or of none; returns its revision.
    ///
    /// # Errors
    /// [`RegistryError::Changed`] when somebody else was quicker.
    pub async fn take(&self, key: &str, words: &LeaseWords, seen: Option<u64>) -> Result<u64, RegistryError> {
        let bytes = as_json(words)?;
        let store = self.leases.open(&self.context).await?;
        let put = async {
            match seen {
                Some(revision) => match store.update(key, bytes, revision).await {
                    Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision => Ok(None),
                    put => put.map(Some).map_err(|error| error.to_string()),
                },
                None => match store.create(key, bytes).await {
                    Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => Ok(None),
                    put => put.map(Some).map_err(|error| error.to_string()),
                },
            }
        };
        self.leases.kept(limited(put).await)?.ok_or(RegistryError::Changed)
    }

    /// Takes a lease out, if it is still this one.
    ///
    /// # Errors
    /// When that cannot be done: it is dropped after a while anyway.
    pub async fn give_back(&self, key: &str, revision: u64) -> Result<(), RegistryError> {
        let store = self.leases.open(&self.context).await?;
        self.leases.kept(limited(store.delete_expect_revision(key, Some(revision))).await)
    }
}

impl Bucket {
    /// The bucket, made if it is not there.
    async fn open(&self, context: &jetstream::Context) -> Result<kv::Store, RegistryError> {
        if let Some(store) = self.known().clone() {
            return Ok(store);
        }
        let away = RegistryError::Away;
        let found = limited(async { Ok::<_, String>(context.get_key_value(self.name).await.ok()) }).await;
        let store = match found.map_err(away)? {
            Some(store) => store,
            None => {
                limited(context.create_stream(self.config())).await.map_err(away)?;
                limited(context.get_key_value(self.name)).await.map_err(away)?
            }
        };
        *self.known() = Some(store.clone());
        Ok(store)
    }

    /// The stream that the bucket is. It is not made as a bucket, since the client would ask for the account first, and
    /// does not understand what servers before 2.10 say of it.
    fn config(&self) -> stream::Config {
        stream::Config {
            name: format!("KV_{}", self.name),
            description: Some("of droidmux: made again whenever it is missing".into()),
            subjects: vec![format!("$KV.{}.>", self.name)],
            max_messages_per_subject: 1,
            max_age: self.keeps,
            duplicate_window: self.keeps.min(Duration::from_secs(120)),
            storage: stream::StorageType::Memory,
            discard: stream::DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            num_replicas: 1,
            max_bytes: -1,
            max_messages: -1,
            max_consumers: -1,
            ..stream::Config::default()
        }
    }

    /// A bucket that fails may be gone, with its server's files.
    fn kept<T>(&self, done: Result<T, String>) -> Result<T, RegistryError> {
        done.map_err(|why| {
            *self.known() = None;
            RegistryError::Away(why)
        })
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Option<kv::Store>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of a phone's lease: what no key may contain is written as its number.
pub fn lease_key(host: &str, phone: &str) -> String {
    let mut key = format!("{host}.");
    for byte in phone.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => key.push(char::from(byte)),
            other => key.push_str(&format!("={other:02x}")),
        }
    }
    key
}

fn as_json<T: Serialize>(value: &T) -> Result<Bytes, RegistryError> {
    serde_json::to_vec(value).map(Bytes::from).map_err(|error| RegistryError::Away(error.to_string()))
}

async fn limited<T, E: ToString>(work: impl Future<Output = Result<T, E>>) -> Result<T, String> {
    match tokio::time::timeout(WITHIN, work).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err(format!("no answer within {WITHIN:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_keys_and_differ() {
        for (phone, key) in [
            ("emulator-5554", "lab2.emulator-5554"),
            ("10.0.0.5:5555", "lab2.10=2e0=2e0=2e5=3a5555"),
            ("0123#2", "lab2.0123=232"),
            ("adb-R5CT (2)._adb", "lab2.adb-R5CT=20=282=29=2e_adb"),
        ] {
            assert_eq!(lease_key("lab2", phone), key);
        }
    }
}
