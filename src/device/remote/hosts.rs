//! The hosts that a lab can use, as they say themselves, and since when they say nothing.
//!
//! In: signs of life of hosts, the registry. Out: the phones of hosts that were chosen, each with a state; devices.
//! Invariants: time is this machine's own, whatever clocks hosts have; what is silent for too long is away, and comes back
//! by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use droidmux_record::{name_at, split_name};
use droidmux_words::printable;

use crate::asking::{Asker, Waits, answered_at};
use crate::device::RemoteDevice;
use crate::frame::VERSION;
use crate::leases::Leases;
use crate::link::{Carrier, Link, LinkError, Way};
use crate::registry::{HEARTBEAT, Kept, Registry, heard_at, lease_key};
use crate::wire::{HostWords, PhoneWords};

/// Two hosts of one name are told of for this long after both were heard.
const NAMESAKES_FOR: Duration = Duration::from_secs(15);
/// How often the registry is read, for hosts whose words were missed.
const READ_EVERY: Duration = Duration::from_secs(15);
/// How long the first look for hosts takes.
const FIRST_LOOK: Duration = Duration::from_secs(3);
/// The most bytes of what a host says of itself.
const MOST_WORDS: usize = 1 << 20;
/// The most hosts, phones of a host, and characters of a name.
const MOST_HOSTS: usize = 1_000;
const MOST_PHONES: usize = 1_000;
const MOST_NAME: usize = 200;

/// The hosts of a NATS server. Clones share them.
#[derive(Clone)]
pub struct Hosts {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) link: Link,
    pub(crate) asker: Asker,
    pub(crate) registry: Registry,
    choice: Choice,
    /// What a host of droidmux itself is called here.
    version: String,
    /// See [`Waits`].
    away: Duration,
    known: Mutex<BTreeMap<String, Known>>,
    changed: watch::Sender<u64>,
    closing: CancellationToken,
}

/// Which hosts are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Only those of this pool; empty for all.
    pub pool: String,
    /// Only these; empty for all.
    pub hosts: Vec<String>,
}

struct Known {
    words: HostWords,
    heard: Instant,
    /// Only read in the registry: it may be long gone.
    doubtful: bool,
    /// The run before the one that it is in.
    before: Option<u64>,
    /// When it was last heard in a run that another one had followed: then there are two.
    namesakes: Option<Instant>,
}

/// A host as it is seen from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What it said last.
    pub words: HostWords,
    /// How long ago.
    pub ago: Duration,
    /// It was only read in the registry, then: the host itself may be long gone.
    pub only_read: bool,
    /// Why its phones cannot be used; empty when they can.
    pub trouble: String,
    /// It speaks another version of the wire, or has a namesake: no waiting helps.
    pub is_refused: bool,
}

/// A phone of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// `phone@host`.
    pub name: String,
    /// Its host.
    pub host: String,
    /// ADB's state, or what is wrong with its host.
    pub state: String,
    /// As its host knows it.
    pub phone: PhoneWords,
}

/// What every version says first.
#[derive(Deserialize)]
struct Head {
    wire: u16,
    name: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    pool: String,
}

impl Hosts {
    /// Connects and looks for hosts, for a lab if there is one. `version` is this droidmux's.
    ///
    /// # Errors
    /// When the server is not there now, or does not let us in.
    pub async fn connect(
        way: &Way,
        choice: Choice,
        lab: Option<&str>,
        version: &str,
        waits: Waits,
    ) -> Result<Self, LinkError> {
        let link = Link::connect(way, "droidmux lab").await?;
        let asker = Asker::new(Arc::new(link.clone()), waits, lab);
        let registry = Registry::new(&link);
        let inner = Inner {
            away: waits.away,
            link,
            asker,
            registry,
            choice,
            version: version.to_owned(),
            known: Mutex::default(),
            changed: watch::Sender::new(0),
            closing: CancellationToken::new(),
        };
        let hosts = Self { inner: Arc::new(inner) };
        hosts.listen().await?;
        hosts.first_look().await;
        Ok(hosts)
    }

    /// Ends what goes on in the background.
    pub fn close(&self) {
        self.inner.closing.cancel();
    }

    /// Changes whenever a host or a phone does.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.inner.changed.subscribe()
    }

    /// The address of the NATS server, without a password.
    pub fn url(&self) -> &str {
        self.inner.link.url()
    }

    /// Whether the NATS server answers; changes are notified.
    pub fn up(&self) -> watch::Receiver<bool> {
        self.inner.link.watch()
    }

    /// The hosts that were chosen, by name.
    pub fn seen(&self) -> Vec<Seen> {
        let known = self.known();
        let chosen = known.values().filter(|known| self.is_chosen(&known.words));
        let seen = |known: &Known| Seen {
            words: known.words.clone(),
            ago: known.heard.elapsed(),
            only_read: known.doubtful,
            trouble: self.trouble(known),
            is_refused: known.words.wire != VERSION || known.has_namesake(),
        };
        chosen.map(seen).collect()
    }

    /// The phones of the hosts that were chosen.
    pub fn listed(&self) -> Vec<Listed> {
        let of = |seen: Seen| {
            let Seen { words, trouble, .. } = seen;
            let HostWords { name: host, phones, .. } = words;
            phones.into_iter().map(move |phone| Listed {
                name: name_at(&phone.serial, &host),
                host: host.clone(),
                state: if trouble.is_empty() { phone.state.clone() } else { trouble.clone() },
                phone,
            })
        };
        self.seen().into_iter().flat_map(of).collect()
    }

    /// A device for `phone@host`; nothing is asked yet.
    pub fn device(&self, name: &str) -> RemoteDevice {
        let (phone, host) = split_name(name);
        let host = host.unwrap_or_default();
        let leases = Leases::new(Some(self.inner.registry.clone()), host, phone);
        RemoteDevice::new(self.inner.asker.clone(), host, phone, leases)
    }

    /// Who has leased a phone, by the registry.
    pub async fn lease(&self, host: &str, phone: &str) -> Option<crate::LeaseWords> {
        let kept = self.inner.registry.lease(&lease_key(host, phone)).await;
        kept.ok().flatten().map(|Kept { words, .. }| words)
    }

    /// Subscribes to replies and to signs of life, and follows both.
    async fn listen(&self) -> Result<(), LinkError> {
        let Inner { link, asker, closing, .. } = &*self.inner;
        let subject = format!("{}.*", answered_at(asker.client()));
        let silent = |why: String| LinkError::Silent { url: link.url().to_owned(), why };
        let replies = link.client().subscribe(subject).await.map_err(|error| silent(error.to_string()))?;
        let words =
            link.client().subscribe(heard_at("*")).await.map_err(|error| silent(error.to_string()))?;
        let (asker, stop) = (asker.clone(), closing.clone());
        tokio::spawn(async move {
            let mut replies = replies;
            while let Some(message) = until(&stop, replies.next()).await {
                asker.hear_message(&message);
            }
        });
        tokio::spawn(follow(Arc::downgrade(&self.inner), words, closing.clone()));
        Ok(())
    }

    /// Waits for the registry, and for a word of each host that is in it.
    async fn first_look(&self) {
        let began = Instant::now();
        let read = self.read().await;
        if let Err(error) = &read {
            tracing::info!("{error}");
        }
        let mut changes = self.watch();
        while began.elapsed() < FIRST_LOOK {
            let all = !self.known().is_empty() && self.known().values().all(|known| !known.doubtful);
            // Without a registry, nobody knows how many there are.
            if all && read.is_ok() {
                return;
            }
            let left = FIRST_LOOK.saturating_sub(began.elapsed());
            let _ = tokio::time::timeout(left, changes.changed()).await;
        }
    }

    /// Reads the registry, for hosts that were not heard of.
    async fn read(&self) -> Result<(), crate::registry::RegistryError> {
        for bytes in self.inner.registry.hosts().await? {
            self.hear(&bytes, true);
        }
        Ok(())
    }

    /// Takes in what a host said, or what the registry has of it.
    fn hear(&self, bytes: &[u8], doubtful: bool) {
        let Some(words) = read_words(bytes) else {
            if !bytes.is_empty() {
                tracing::warn!("{} bytes among the words of hosts are ignored", bytes.len());
            }
            return;
        };
        if words.wire == VERSION && !doubtful {
            self.inner.asker.tick(&words.name, words.run, words.clock);
        }
        let mut known = self.known();
        if known.len() >= MOST_HOSTS && !known.contains_key(&words.name) {
            return;
        }
        if doubtful && known.contains_key(&words.name) {
            return;
        }
        let name = words.name.clone();
        let heard = Known::hear(words, doubtful, known.get(&name));
        let before = known.insert(name.clone(), heard);
        let changed = before.is_none_or(|before| {
            known.get(&name).is_none_or(|after| {
                let same = HostWords { clock: after.words.clock, ..before.words.clone() } == after.words;
                !same || before.doubtful != doubtful || before.heard.elapsed() >= self.inner.away
            })
        });
        drop(known);
        if changed {
            self.notify();
        }
    }

    /// Why a host's phones cannot be used.
    fn trouble(&self, known: &Known) -> String {
        let HostWords { wire, version, name, trouble, .. } = &known.words;
        if *wire != VERSION {
            return format!(
                "host {name} has droidmux {version} with version {wire} of the wire, this is {} with {VERSION}",
                self.inner.version
            );
        }
        if known.has_namesake() {
            return format!("two hosts are called {name}: give one of them another `--name`");
        }
        if known.heard.elapsed() >= self.inner.away {
            return match self.inner.link.trouble().filter(|_| !*self.inner.link.watch().borrow()) {
                Some(why) => why,
                None => format!("no word from host {name}"),
            };
        }
        trouble.clone()
    }

    fn is_chosen(&self, words: &HostWords) -> bool {
        let Choice { pool, hosts } = &self.inner.choice;
        (pool.is_empty() || *pool == words.pool) && (hosts.is_empty() || hosts.contains(&words.name))
    }

    fn notify(&self) {
        self.inner.changed.send_modify(|version| *version += 1);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.inner.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// A host that was heard just now, after what was known of it.
    fn hear(words: HostWords, doubtful: bool, known: Option<&Self>) -> Self {
        let now = Instant::now();
        let (before, namesakes) = match known {
            None => (None, None),
            Some(known) if known.words.run == words.run => (known.before, known.namesakes),
            // Runs are drawn at random: none comes again.
            Some(known) => {
                let again = known.before == Some(words.run);
                (Some(known.words.run), if again { Some(now) } else { known.namesakes })
            }
        };
        Self { words, heard: now, doubtful, before, namesakes }
    }

    fn has_namesake(&self) -> bool {
        self.namesakes.is_some_and(|at| at.elapsed() < NAMESAKES_FOR)
    }
}

/// Follows signs of life; now and then looks who has become silent, and what the registry has.
async fn follow(
    inner: std::sync::Weak<Inner>,
    mut words: async_nats::Subscriber,
    closing: CancellationToken,
) {
    let mut read = Instant::now();
    let mut away: BTreeSet<(String, bool)> = BTreeSet::new();
    loop {
        let word = tokio::select! {
            () = closing.cancelled() => return,
            word = words.next() => word.map(Some),
            () = tokio::time::sleep(HEARTBEAT / 2) => Some(None),
        };
        let (Some(word), Some(inner)) = (word, inner.upgrade()) else { return };
        let hosts = Hosts { inner };
        if let Some(word) = word {
            hosts.hear(&word.payload, false);
            continue;
        }
        let silent = |known: &Known| known.heard.elapsed() >= hosts.inner.away;
        let now: BTreeSet<(String, bool)> = {
            let all = hosts.known();
            let told = all.iter().filter(|(_, known)| silent(known) || known.has_namesake());
            told.map(|(name, known)| (name.clone(), known.has_namesake())).collect()
        };
        if now != away {
            away = now;
            hosts.notify();
        }
        if read.elapsed() >= READ_EVERY {
            read = Instant::now();
            if let Err(error) = hosts.read().await {
                tracing::debug!("{error}");
            }
        }
    }
}

async fn until<T>(stop: &CancellationToken, next: impl Future<Output = Option<T>>) -> Option<T> {
    tokio::select! {
        () = stop.cancelled() => None,
        next = next => next,
    }
}

/// What a host said, cut to what is believable; of another version only who it is.
fn read_words(bytes: &[u8]) -> Option<HostWords> {
    if bytes.len() > MOST_WORDS {
        return None;
    }
    let head: Head = serde_json::from_slice(bytes).ok()?;
    let short = |text: &str| printable(text).chars().take(MOST_NAME).collect::<String>();
    let mut words = match head.wire {
        VERSION => serde_json::from_slice(bytes).ok()?,
        wire => HostWords {
            wire,
            version: head.version,
            name: head.name,
            pool: head.pool,
            ..HostWords::default()
        },
    };
    words.phones.truncate(MOST_PHONES);
    words.allows.truncate(MOST_PHONES);
    for text in [&mut words.name, &mut words.version, &mut words.pool, &mut words.trouble] {
        *text = short(text);
    }
    words.allows.iter_mut().for_each(|package| *package = short(package));
    for phone in &mut words.phones {
        phone.serial = short(&phone.serial);
        phone.state = short(&phone.state);
    }
    (!words.name.is_empty()).then_some(words)
}
