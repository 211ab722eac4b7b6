//! Asking: a request goes out, and again until its reply has come, the host is given up, or nobody waits any more.
//!
//! In: requests with a patience, messages as they come. Out: replies, or why there is none, naming the host. Invariants:
//! every request ends; a request that is repeated keeps its id; what is given up is called off, and a host that gets it
//! later than we would have waited does not begin with it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::time::Instant;

use droidmux_device::{DeviceErrorKind, Patience};
use droidmux_words::printable;

use crate::frame::{FrameError, Id, Kind, Message, Parts, VERSION};
use crate::kept::{ASKED_FOR, Kept};
use crate::link::{Carrier, PREFIX};
use crate::packing::{PackError, pack, read, unpack_body};
use crate::wire::{Answer, Ask, Reply, Request};

/// How long to wait for hosts.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// A request that was not answered is repeated after this time.
    pub again: Duration,
    /// A host that nothing was heard of for this long, however often it was asked, is given up.
    pub silence: Duration,
    /// The same when the server says that nobody listens there.
    pub nobody: Duration,
    /// A host that says nothing of itself for longer is away; it does so every two seconds.
    pub away: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Self {
            again: Duration::from_secs(2),
            silence: Duration::from_secs(10),
            nobody: Duration::from_secs(4),
            away: Duration::from_millis(8_500),
        }
    }
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AskError {
    /// Nobody waits for it any more.
    #[error("cancelled")]
    Cancelled,
    /// The host works on it, but not for longer than was allowed.
    #[error("no answer within {0:?}")]
    TimedOut(Duration),
    /// Nothing was heard of the host.
    #[error("no word from host {host} for {seconds} s{more}")]
    Silent {
        /// Its name.
        host: String,
        /// Since it was asked.
        seconds: u64,
        /// What is wrong with the way, if that is known.
        more: String,
    },
    /// The server says so.
    #[error("nobody listens for host {host}: `droidmux host` does not run there")]
    Nobody {
        /// Its name.
        host: String,
    },
    /// The host is of another version.
    #[error("{0}")]
    OtherVersion(String),
    /// It was started again, and knows nothing of what went before.
    #[error("host {host} was started again")]
    OtherRun {
        /// Its name.
        host: String,
    },
    /// The reply is too large, or its parts do not fit together.
    #[error("host {host}: {fault}")]
    Frame {
        /// Its name.
        host: String,
        /// What is wrong with it.
        fault: FrameError,
    },
    /// The reply is none, or the request is too large.
    #[error("host {host}: {fault}")]
    Body {
        /// Its name.
        host: String,
        /// What is wrong with it.
        fault: PackError,
    },
}

impl AskError {
    /// What it means for the phone of this host that was asked for something: a host that fails is not its phones' fault.
    pub fn kind(&self, host: &str) -> DeviceErrorKind {
        match self {
            Self::Cancelled => DeviceErrorKind::Cancelled,
            Self::TimedOut(within) => DeviceErrorKind::TimedOut(*within),
            Self::Silent { .. } | Self::Nobody { .. } | Self::OtherRun { .. } | Self::OtherVersion(_) => {
                DeviceErrorKind::Unreachable { host: host.into(), why: self.to_string().into() }
            }
            Self::Frame { .. } | Self::Body { .. } => DeviceErrorKind::Answer(self.to_string()),
        }
    }
}

/// Asks hosts. Clones share what is open.
#[derive(Clone)]
pub struct Asker {
    inner: Arc<Inner>,
}

struct Inner {
    carrier: Arc<dyn Carrier>,
    /// Names this run of a lab in the subjects of its replies.
    client: String,
    /// Whose requests they are.
    lab: String,
    waits: Waits,
    open: Mutex<HashMap<Id, mpsc::UnboundedSender<News>>>,
    clocks: Mutex<HashMap<String, Clock>>,
    /// Screens of before, by host and phone.
    kept: Mutex<HashMap<(String, String), Kept>>,
}

/// A host's clock, never ahead of the true one.
#[derive(Clone, Copy, Debug)]
struct Clock {
    run: u64,
    /// Milliseconds at this moment.
    shown: u64,
    at: Instant,
}

enum News {
    Message(Message),
    Nobody,
    Wrong(FrameError),
}

/// The subject on which a host is asked.
pub fn asked_at(host: &str) -> String {
    format!("{PREFIX}.host.{host}")
}

/// The subject on which a lab gets its replies, without the id at its end.
pub fn answered_at(client: &str) -> String {
    format!("{PREFIX}.reply.{client}")
}

impl Asker {
    /// Asks by this carrier, for a lab if there is one; replies must be handed to [`Asker::hear`].
    pub fn new(carrier: Arc<dyn Carrier>, waits: Waits, lab: Option<&str>) -> Self {
        let client = Id::random().to_string();
        let lab = lab.unwrap_or(&client).to_owned();
        let (open, clocks, kept) = Default::default();
        Self { inner: Arc::new(Inner { carrier, client, lab, waits, open, clocks, kept }) }
    }

    /// Who we are in requests and in the subject of replies.
    pub fn client(&self) -> &str {
        &self.inner.client
    }

    /// Takes in a message as it came.
    pub fn hear_message(&self, message: &async_nats::Message) {
        let nobody = message.status == Some(async_nats::StatusCode::NO_RESPONDERS);
        self.hear(&message.subject, &message.payload, nobody);
    }

    /// Takes in a message that came on this subject; a `nobody` is the server's word that nobody listens.
    pub fn hear(&self, subject: &str, bytes: &Bytes, nobody: bool) {
        let news = match nobody {
            true => Id::of_subject(subject).map(|id| (id, News::Nobody)),
            false => match Message::read(bytes) {
                Ok(message) => Some((message.id, News::Message(message))),
                Err(fault @ FrameError::Foreign) => {
                    tracing::warn!("{} bytes on {} are ignored: {fault}", bytes.len(), printable(subject));
                    None
                }
                Err(fault) => Id::of_subject(subject).map(|id| (id, News::Wrong(fault))),
            },
        };
        let Some((id, news)) = news else { return };
        match self.open().get(&id) {
            Some(waiting) => _ = waiting.send(news),
            None => tracing::debug!("a reply that nobody waits for any more"),
        }
    }

    /// A host told its clock just now.
    pub fn tick(&self, host: &str, run: u64, shown: u64) {
        let mut clocks = self.clocks();
        let now = Instant::now();
        let newest = Clock { run, shown, at: now };
        match clocks.get_mut(host) {
            Some(known) if known.run == run && known.now(now) >= shown => {}
            Some(known) => *known = newest,
            None => _ = clocks.insert(host.to_owned(), newest),
        }
    }

    /// Nobody will look at this phone for a while.
    pub fn forget(&self, host: &str, phone: &str) {
        self.kept().remove(&(host.to_owned(), phone.to_owned()));
    }

    /// The host's run that is known.
    pub fn run(&self, host: &str) -> Option<u64> {
        self.clocks().get(host).map(|clock| clock.run)
    }

    /// Asks a host something about a phone, in this run or in the one it is in now.
    ///
    /// # Errors
    /// When no reply comes, or one that is of no use. What the host says went wrong is in the reply.
    pub async fn ask(
        &self,
        host: &str,
        phone: &str,
        run: Option<u64>,
        ask: Ask,
        beside: &[Bytes],
        patience: &Patience,
    ) -> Result<(Reply, Vec<Bytes>), AskError> {
        let bound = run;
        let mut request = Request {
            run: bound.or_else(|| self.run(host)).unwrap_or(0),
            begin_by: 0,
            within: u64::try_from(patience.within.as_millis()).unwrap_or(u64::MAX),
            client: self.inner.lab.clone(),
            phone: phone.to_owned(),
            knows: Vec::new(),
            ask,
        };
        let began = Instant::now();
        loop {
            let left =
                Patience { within: patience.within.saturating_sub(began.elapsed()), ..patience.clone() };
            let (reply, beside) = self.exchange(host, &mut request, beside, &left).await?;
            self.tick(host, reply.run, reply.clock);
            match request.run {
                0 => return Ok((reply, beside)),
                run if run == reply.run => return Ok((reply, beside)),
                // It was asked in an earlier run, and nobody depends on that one.
                _ if bound.is_none() => request.run = reply.run,
                _ => return Err(AskError::OtherRun { host: host.to_owned() }),
            }
        }
    }

    /// One request with its repetitions.
    async fn exchange(
        &self,
        host: &str,
        request: &mut Request,
        beside: &[Bytes],
        patience: &Patience,
    ) -> Result<(Reply, Vec<Bytes>), AskError> {
        let id = Id::random();
        let (sender, mut news) = mpsc::unbounded_channel();
        self.open().insert(id, sender);
        let mut open = Closing { asker: self, host, id, answered: false };
        let waits = self.inner.waits;
        let began = Instant::now();
        let ends = began + patience.within;
        let (mut heard, mut nobody) = (None, None);
        let about = (host.to_owned(), request.phone.clone());
        let known;
        (request.knows, known) = match request.ask.shows_screen() {
            true => self.kept().entry(about.clone()).or_default().all(),
            false => Default::default(),
        };
        let mut parts = Parts::default();
        self.send(host, id, request, beside, began + waits.silence).await?;
        let mut again = began + waits.again;
        loop {
            let come = tokio::select! {
                biased;
                () = patience.cancel.cancelled() => return Err(AskError::Cancelled),
                come = news.recv() => come,
                () = tokio::time::sleep_until(again.min(ends)) => None,
            };
            let now = Instant::now();
            match come {
                Some(News::Message(message)) => {
                    (heard, nobody) = (Some(now), None);
                    again = now + waits.again;
                    if let Some(content) = self.take(host, &mut parts, message)? {
                        open.answered = true;
                        let failed = |fault| AskError::Body { host: host.to_owned(), fault };
                        let body = unpack_body(&content, &known).map_err(failed)?;
                        let (reply, beside) = read::<Reply>(&body).map_err(failed)?;
                        if let (Ok(Answer::Observed(_) | Answer::Settled(_)), [screen]) =
                            (&reply.done, beside.as_slice())
                        {
                            self.kept().entry(about).or_default().keep(id, body, screen, ASKED_FOR);
                        }
                        return Ok((reply, beside));
                    }
                }
                Some(News::Nobody) => {
                    let since = *nobody.get_or_insert(now);
                    if now - since >= waits.nobody {
                        return Err(AskError::Nobody { host: host.to_owned() });
                    }
                    again = again.min(now + waits.again / 4);
                }
                Some(News::Wrong(fault)) => {
                    return Err(AskError::Frame { host: host.to_owned(), fault });
                }
                None => {
                    let silent = now - heard.unwrap_or(began);
                    if silent >= waits.silence || (now >= ends && heard.is_none() && silent >= waits.again) {
                        return Err(self.silent(host, silent));
                    }
                    if now >= ends {
                        return Err(AskError::TimedOut(patience.within));
                    }
                    let until = heard.unwrap_or(began) + waits.silence;
                    self.send(host, id, request, beside, until).await?;
                    again = now + waits.again;
                }
            }
        }
    }

    /// Takes in a message of an open request; gives the content of the reply once it is whole.
    fn take(&self, host: &str, parts: &mut Parts, message: Message) -> Result<Option<Bytes>, AskError> {
        let host = || host.to_owned();
        if message.kind == Kind::Refused {
            let said: String = String::from_utf8_lossy(&message.bytes).chars().take(300).collect();
            return Err(AskError::OtherVersion(printable(&said).into_owned()));
        }
        if message.version != VERSION {
            let words = format!(
                "host {} speaks version {} of the wire, this is version {VERSION}: use the same droidmux on both",
                host(),
                message.version
            );
            return Err(AskError::OtherVersion(words));
        }
        if message.kind != Kind::Answer {
            return Ok(None);
        }
        parts.take(message).map_err(|fault| AskError::Frame { host: host(), fault })
    }

    async fn send(
        &self,
        host: &str,
        id: Id,
        request: &mut Request,
        beside: &[Bytes],
        until: Instant,
    ) -> Result<(), AskError> {
        request.begin_by = self.begin_by(host, request.run, until);
        let failed = |fault| AskError::Body { host: host.to_owned(), fault };
        let body = pack(&*request, beside).map_err(failed)?;
        let message = Message::of(Kind::Ask, id, body).write();
        let carrier = &self.inner.carrier;
        if message.len() > carrier.most() {
            return Err(failed(PackError::TooLarge(message.len())));
        }
        let reply = format!("{}.{id}", answered_at(self.client()));
        carrier.send(asked_at(host), Some(reply), message).await;
        Ok(())
    }

    /// By the host's clock, when we give it up unless it gives a sign of life; 0 where that clock is not known.
    fn begin_by(&self, host: &str, run: u64, until: Instant) -> u64 {
        let clock = self.clocks().get(host).copied().filter(|clock| clock.run == run);
        clock.map_or(0, |clock| clock.now(until))
    }

    fn silent(&self, host: &str, silent: Duration) -> AskError {
        let more = self.inner.carrier.trouble().map_or_else(String::new, |why| format!("; {why}"));
        AskError::Silent { host: host.to_owned(), seconds: silent.as_secs().max(1), more }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Id, mpsc::UnboundedSender<News>>> {
        self.inner.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<(String, String), Kept>> {
        self.inner.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clocks(&self) -> MutexGuard<'_, HashMap<String, Clock>> {
        self.inner.clocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock {
    fn now(&self, at: Instant) -> u64 {
        let since = u64::try_from((at - self.at).as_millis()).unwrap_or(u64::MAX);
        self.shown.saturating_add(since)
    }
}

/// A request that is open as long as somebody waits for it. One that was not answered is called off.
struct Closing<'a> {
    asker: &'a Asker,
    host: &'a str,
    id: Id,
    answered: bool,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.asker.open().remove(&self.id);
        if let (false, Ok(runtime)) = (self.answered, tokio::runtime::Handle::try_current()) {
            let carrier = self.asker.inner.carrier.clone();
            let (subject, message) =
                (asked_at(self.host), Message::of(Kind::Cancel, self.id, Bytes::new()).write());
            runtime.spawn(async move { carrier.send(subject, None, message).await });
        }
    }
}

#[cfg(test)]
#[path = "asking_tests.rs"]
mod tests;
