//! A host: offers its phones, and does what touches them.
//!
//! In: messages from labs, as they come; the ADB server's list. Out: replies; words for the registry. Invariants: a
//! request is worked on once; what is no request is ignored; nothing is done that the policy does not allow, nor for a lab
//! while another one has the phone; all work ends within its limit.

mod announcing;
mod files;
mod phones;
mod work;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use rand::RngExt;
use thiserror::Error;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use droidmux_device::adb::Server;
use droidmux_device::{DeviceErrorKind, Patience};
use droidmux_words::printable;

use crate::asking::{Asker, Waits, answered_at, asked_at};
use crate::frame::{FrameError, Id, Kind, Message, VERSION, cut};
use crate::link::{Carrier, Link};
use crate::packing::{pack, unpack};
use crate::policy::Policy;
use crate::registry::Registry;
use crate::window::{Known, Window};
use crate::wire::{Answer, Ask, Fault, HostWords, Reply, Request};
use phones::Phones;

/// The longest work of one request.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// How often a host says of a request that it still works on it: sooner than anybody asks again.
const WORKING_EVERY: Duration = Duration::from_millis(1_500);
/// The most requests at once; a lab has two or three for each phone.
const MOST_AT_ONCE: usize = 512;

/// How a host is offered.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// Letters, digits, `-` and `_`.
    pub name: String,
    /// The pool that its phones are in; empty for none.
    pub pool: String,
    /// What it allows.
    pub policy: Policy,
    /// The resident agent for its phones: labs do not send theirs.
    pub agent: Option<PathBuf>,
    /// The version of droidmux, for the registry.
    pub version: String,
}

/// Why a host cannot be offered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// It must be a part of a subject.
    #[error("{0:?} is no name for a host: letters, digits, `-` and `_` are taken, 64 at most")]
    Name(String),
    /// Another host answers to it.
    #[error("another host is called {0} already: give this one another `--name`")]
    Taken(String),
    /// The server does not let us listen.
    #[error("nothing can be received for host {name}: {why}")]
    Deaf {
        /// Its name.
        name: String,
        /// In the server's words.
        why: String,
    },
}

/// A host. Clones share it.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

struct Inner {
    options: HostOptions,
    carrier: Arc<dyn Carrier>,
    /// Drawn anew whenever it is started; never 0.
    run: u64,
    began: Instant,
    phones: Phones,
    window: Mutex<Window>,
    files: files::Files,
    /// When garbage was last told of.
    complained: Mutex<Option<Instant>>,
    /// What it pretends to be, in tests.
    version: u16,
}

impl Host {
    /// A host whose messages go by this carrier; what comes for it must be handed to [`Host::hear`].
    ///
    /// # Errors
    /// When its name is none.
    pub fn new(options: HostOptions, server: Server, carrier: Arc<dyn Carrier>) -> Result<Self, HostError> {
        Self::of_version(options, server, carrier, VERSION)
    }

    /// The same, of another version: for tests of what becomes of that.
    ///
    /// # Errors
    /// When its name is none.
    pub fn of_version(
        options: HostOptions,
        server: Server,
        carrier: Arc<dyn Carrier>,
        version: u16,
    ) -> Result<Self, HostError> {
        let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if options.name.is_empty() || options.name.len() > 64 || !options.name.chars().all(sound) {
            return Err(HostError::Name(options.name));
        }
        Ok(Self {
            inner: Arc::new(Inner {
                options,
                carrier,
                run: rand::rng().random::<u64>().max(1),
                began: Instant::now(),
                phones: Phones::new(server),
                window: Mutex::default(),
                files: files::Files::default(),
                complained: Mutex::default(),
                version,
            }),
        })
    }

    /// Offers the host until cancelled: the connection comes back by itself.
    ///
    /// # Errors
    /// When another host has its name, or the server does not let it listen.
    pub async fn serve(&self, link: &Link, cancel: CancellationToken) -> Result<(), HostError> {
        let name = self.name().to_owned();
        self.look_for_namesake(link).await?;
        let deaf = |why: String| HostError::Deaf { name: name.clone(), why };
        let mut messages =
            link.client().subscribe(asked_at(&name)).await.map_err(|error| deaf(error.to_string()))?;
        tracing::info!("host {name} is offered at {}", link.url());
        let registry = Registry::new(link);
        tokio::spawn(self.clone().track(cancel.clone()));
        tokio::spawn(self.clone().announce(link.clone(), registry, cancel.clone()));
        loop {
            let message = tokio::select! {
                () = cancel.cancelled() => return Ok(()),
                message = messages.next() => message,
            };
            let Some(message) = message else { return Err(deaf("the connection was closed".into())) };
            let reply = message.reply.as_ref().map(|reply| reply.as_str());
            self.hear(&message.payload, reply).await;
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.options.name
    }

    /// What it says of itself.
    pub fn words(&self) -> HostWords {
        let Inner { options, run, phones, version, .. } = &*self.inner;
        let (trouble, phones) = phones.words();
        HostWords {
            wire: *version,
            version: options.version.clone(),
            name: options.name.clone(),
            pool: options.pool.clone(),
            run: *run,
            clock: self.clock(),
            trouble,
            allows: options.policy.packages.clone(),
            phones,
        }
    }

    /// Takes in a message; replies go to `reply`.
    pub async fn hear(&self, bytes: &Bytes, reply: Option<&str>) {
        let message = match Message::read(bytes) {
            Ok(message) => message,
            Err(fault) => return self.complain(bytes.len(), &fault.to_string()),
        };
        let id = message.id;
        match message.kind {
            Kind::Cancel => self.window().cancel(id),
            Kind::Ask => {
                // Nobody can make a host write elsewhere.
                let ours = answered_at("");
                let Some(reply) = reply.filter(|reply| reply.starts_with(&ours)) else {
                    return self.complain(bytes.len(), "nobody who could be answered");
                };
                self.take(message, reply.to_owned()).await;
            }
            Kind::Answer | Kind::Working | Kind::Refused => {
                self.complain(bytes.len(), FrameError::Foreign.to_string().as_str());
            }
        }
    }

    async fn take(&self, message: Message, to: String) {
        let id = message.id;
        if message.version != self.inner.version {
            let words = format!(
                "host {} has droidmux {} with version {} of the wire, this is version {}: use the same on both",
                self.name(),
                self.inner.options.version,
                self.inner.version,
                message.version
            );
            tracing::warn!("a lab with version {} of the wire was refused", message.version);
            let refused =
                Message { version: self.inner.version, ..Message::of(Kind::Refused, id, words.into()) };
            return self.send(to, refused).await;
        }
        let (request, beside) = match unpack::<Request>(&message.bytes) {
            Ok(read) => read,
            Err(fault) => return self.refuse(id, to, DeviceErrorKind::Answer(fault.to_string())).await,
        };
        if request.run != 0 && request.run != self.inner.run {
            return self.refuse(id, to, DeviceErrorKind::Lost("the host was started again".into())).await;
        }
        if request.begin_by != 0 && self.clock() > request.begin_by {
            tracing::warn!("a request came too late and is not begun: {}", request.ask.words());
            return;
        }
        let known = self.window().ask(id);
        match known {
            Known::Working => self.send(to, Message::of(Kind::Working, id, Bytes::new())).await,
            Known::Answered(body) => self.send_body(id, &to, &body).await,
            Known::Forgotten => {
                self.refuse(id, to, DeviceErrorKind::Lost("it was called off".into())).await;
            }
            Known::New(cancel) => _ = tokio::spawn(self.clone().work(id, to, request, beside, cancel)),
        }
    }

    /// Does what is asked and answers.
    async fn work(self, id: Id, to: String, request: Request, beside: Vec<Bytes>, cancel: CancellationToken) {
        let within = Duration::from_millis(request.within).min(LONGEST);
        let patience = Patience { within, cancel };
        let what = request.ask.words();
        let working = self.window().working();
        let done = match working {
            ..=MOST_AT_ONCE => self.telling(id, &to, self.perform(&request, &beside, &patience)).await,
            _ => Err(fault(&what, DeviceErrorKind::Unsupported("the host has too much to do".into()))),
        };
        let (done, beside) = match done {
            Ok((answer, beside)) => (Ok(answer), beside),
            Err(fault) => (Err(fault), Vec::new()),
        };
        let (remarks, shortcomings) = self.inner.phones.remarks(&request.phone);
        let reply = |done| Reply {
            run: self.inner.run,
            clock: self.clock(),
            done,
            remarks: remarks.clone(),
            shortcomings: shortcomings.clone(),
        };
        let content = self.inner.phones.pack(id, &request, &reply(done), &beside).or_else(|error| {
            let told = reply(Err(fault(&what, DeviceErrorKind::Answer(error.to_string()))));
            pack(&told, &[])
        });
        let content = content.unwrap_or_default();
        self.window().answer(id, content.clone());
        self.send_body(id, &to, &content).await;
    }

    /// Says every so often that it still works, so that nobody has to ask again.
    async fn telling<T>(&self, id: Id, to: &str, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(WORKING_EVERY) => {
                    self.send(to.to_owned(), Message::of(Kind::Working, id, Bytes::new())).await;
                }
            }
        }
    }

    async fn perform(
        &self,
        request: &Request,
        beside: &[Bytes],
        patience: &Patience,
    ) -> Result<(Answer, Vec<Bytes>), Fault> {
        let Inner { options, phones, files, .. } = &*self.inner;
        let what = request.ask.words();
        options.policy.check(&request.ask, &options.name).map_err(|kind| fault(&what, kind))?;
        match &request.ask {
            Ask::Hello => return Ok((Answer::Host(self.words()), Vec::new())),
            Ask::Holds { blobs } => return Ok((files.holds(blobs), Vec::new())),
            Ask::Blob { hash, of, at } => {
                let part = beside.first().cloned().unwrap_or_default();
                let taken = files.take(hash, *of, *at, &part);
                let taken = taken.map_err(|why| fault(&what, DeviceErrorKind::Unsupported(why)))?;
                return Ok((taken, Vec::new()));
            }
            _ => {}
        }
        let phone = phones.phone(&request.phone, &options.name).map_err(|kind| fault(&what, kind))?;
        if !request.ask.only_looks() && !matches!(request.ask, Ask::ExchangeNote { .. }) {
            phones.check_holder(&request.phone, &request.client).map_err(|kind| fault(&what, kind))?;
        }
        let done = work::perform(&*phone, &request.ask, files, options, patience).await?;
        if let (Ask::ExchangeNote { new, .. }, (Answer::Noted { clock, text }, _)) = (&request.ask, &done) {
            phones.note_holder(&request.phone, &request.client, new, *clock, text);
        }
        Ok(done)
    }

    /// Refuses a request that is not worked on.
    async fn refuse(&self, id: Id, to: String, kind: DeviceErrorKind) {
        let done = Err(Fault { what: "asking its host".into(), kind });
        let (run, clock) = (self.inner.run, self.clock());
        let reply = Reply { run, clock, done, remarks: Vec::new(), shortcomings: Vec::new() };
        self.send_body(id, &to, &pack(&reply, &[]).unwrap_or_default()).await;
    }

    async fn send_body(&self, id: Id, to: &str, body: &Bytes) {
        for message in cut(Kind::Answer, id, body, self.inner.carrier.most()) {
            self.send(to.to_owned(), message).await;
        }
    }

    async fn send(&self, to: String, message: Message) {
        self.inner.carrier.send(to, None, message.write()).await;
    }

    /// Milliseconds since this run began.
    fn clock(&self) -> u64 {
        u64::try_from(self.inner.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Says at most once a minute that something that is no request came.
    fn complain(&self, length: usize, why: &str) {
        let mut complained = self.inner.complained.lock().unwrap_or_else(PoisonError::into_inner);
        if complained.is_none_or(|at| at.elapsed() > Duration::from_secs(60)) {
            *complained = Some(Instant::now());
            tracing::warn!("{length} bytes on {} are ignored: {}", asked_at(self.name()), printable(why));
        }
    }

    fn window(&self) -> MutexGuard<'_, Window> {
        self.inner.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks whether anybody answers to this name before it does itself.
    async fn look_for_namesake(&self, link: &Link) -> Result<(), HostError> {
        let short = Duration::from_millis(300);
        let waits = Waits { again: short, silence: short * 2, nobody: Duration::ZERO, ..Waits::default() };
        let asker = Asker::new(Arc::new(link.clone()), waits, None);
        let subject = format!("{}.*", answered_at(asker.client()));
        let Ok(mut replies) = link.client().subscribe(subject).await else { return Ok(()) };
        let patience = Patience::of(short * 3);
        let asked = asker.ask(self.name(), "", None, Ask::Hello, &[], &patience);
        let heard = async {
            while let Some(message) = replies.next().await {
                asker.hear_message(&message);
            }
            std::future::pending().await
        };
        tokio::select! {
            answer = asked => match answer {
                Ok(_) => Err(HostError::Taken(self.name().to_owned())),
                Err(_) => Ok(()),
            },
            () = heard => Ok(()),
        }
    }
}

fn fault(what: &str, kind: DeviceErrorKind) -> Fault {
    Fault { what: what.to_owned(), kind }
}
