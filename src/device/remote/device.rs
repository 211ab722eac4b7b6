//! A phone of another host, as a device like any other.
//!
//! In: the calls of [`Device`]. Out: requests to the phone's host, and what came of them. Invariants: from the lease on,
//! everything goes to the run of the host that the lease was taken in: a host that was started again has forgotten how the
//! phone was prepared, and the phone counts as lost.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::time::Instant;

use droidmux_device::{
    Began, Beginning, Condition, Device, DeviceError, DeviceErrorKind, DumpTimes, Equipment, Equipped,
    Fixtures, Foreground, Gesture, LeaseNote, Manner, Noted, Observed, PackageFile, Patience, Screenshot,
    Settled, Shortcoming, Trial, Vitals,
};
use droidmux_record::{AppBuild, AppPlace, DeviceInfo, Signal, StartAt};
use droidmux_words::printable;

use crate::asking::Asker;
use crate::leases::{LeaseWords, Leases};
use crate::wire::{Answer, Ask, BlobFile, LookWire, PersonWire, Reply};

/// A part of a file, in each request. Servers take a megabyte in a message unless they are told otherwise.
const PART: usize = 768 << 10;
/// No lease keeps others away for longer, in seconds.
const LONGEST_LEASE: u64 = 600;
/// The most remarks that are kept while nobody asks for them, and characters of one.
const MOST_REMARKS: usize = 20;
const MOST_WORDS: usize = 500;

/// A phone of another host.
pub struct RemoteDevice {
    asker: Asker,
    /// `phone@host`.
    name: String,
    host: String,
    phone: String,
    leases: Leases,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The run of the host that its lease was taken in, with the lease's token.
    bound: Option<(u64, String)>,
    /// Seconds for which that lease holds unless it is renewed.
    holds: u64,
    remarks: Vec<String>,
    shortcomings: Vec<Shortcoming>,
    /// What was seen right after the last gesture.
    ahead: Option<Ahead>,
}

struct Ahead {
    look: LookWire,
    seen: Result<Observed, DeviceError>,
}

impl RemoteDevice {
    /// A phone of a host; nothing is asked yet.
    pub fn new(asker: Asker, host: &str, phone: &str, leases: Leases) -> Self {
        let name = format!("{phone}@{host}");
        let (host, phone) = (host.to_owned(), phone.to_owned());
        Self { asker, name, host, phone, leases, state: Mutex::default() }
    }

    async fn ask(&self, ask: Ask, patience: &Patience) -> Result<Answer, DeviceError> {
        self.ask_with(ask, &[], patience).await.map(|(answer, _)| answer)
    }

    async fn ask_with(
        &self,
        ask: Ask,
        beside: &[Bytes],
        patience: &Patience,
    ) -> Result<(Answer, Vec<Bytes>), DeviceError> {
        let what = ask.words();
        let run = self.state().bound.as_ref().map(|(run, _)| *run);
        let run = run.filter(|_| !matches!(ask, Ask::Noted));
        self.state().ahead = None;
        let asked = self.asker.ask(&self.host, &self.phone, run, ask, beside, patience).await;
        let (reply, beside) = asked.map_err(|error| self.error(&what, error.kind(&self.host)))?;
        let Reply { done, remarks, shortcomings, .. } = reply;
        let mut state = self.state();
        for remark in remarks.into_iter().take(MOST_REMARKS) {
            if state.remarks.len() >= MOST_REMARKS {
                state.remarks.remove(0);
            }
            state.remarks.push(printable(&remark).chars().take(MOST_WORDS).collect());
        }
        state.shortcomings = shortcomings.into_iter().take(MOST_REMARKS).map(Shortcoming::from).collect();
        drop(state);
        done.map(|answer| (answer, beside)).map_err(|fault| fault.of(&self.name))
    }

    async fn simply(&self, ask: Ask, patience: &Patience) -> Result<(), DeviceError> {
        let what = ask.words();
        match self.ask(ask, patience).await? {
            Answer::Done => Ok(()),
            other => Err(self.unfit(&what, &other)),
        }
    }

    /// Sends files that the host does not have yet.
    async fn send(
        &self,
        contents: Vec<(String, Bytes)>,
        patience: &Patience,
    ) -> Result<Vec<BlobFile>, DeviceError> {
        let began = Instant::now();
        let left =
            || Patience { within: patience.within.saturating_sub(began.elapsed()), ..patience.clone() };
        let mut files = Vec::new();
        for (name, bytes) in &contents {
            let hash = blake3::hash(bytes).to_hex().to_string();
            files.push(BlobFile { name: name.clone(), hash, of: bytes.len() as u64 });
        }
        let blobs = files.iter().map(|file| file.hash.clone()).collect();
        let there = match self.ask(Ask::Holds { blobs }, &left()).await? {
            Answer::Holds(there) => there,
            other => return Err(self.unfit("sending files", &other)),
        };
        for (file, (_, bytes)) in files.iter().zip(&contents).filter(|(file, _)| !there.contains(&file.hash))
        {
            let mut at = 0;
            loop {
                let part = bytes.slice(at..(at + PART).min(bytes.len()));
                let ask = Ask::Blob { hash: file.hash.clone(), of: file.of, at: at as u64 };
                let length = part.len();
                self.ask_with(ask, &[part], &left()).await?;
                at += length;
                if at >= bytes.len() {
                    break;
                }
            }
        }
        Ok(files)
    }

    /// What an answer with a screen says.
    fn observed(&self, what: &str, answer: (Answer, Vec<Bytes>)) -> Result<Observed, DeviceError> {
        match answer {
            (Answer::Observed(seen), beside) => {
                let layout = beside.first().cloned().unwrap_or_default();
                seen.with(&layout).ok_or_else(|| self.no_layout(what))
            }
            (other, _) => Err(self.unfit(what, &other)),
        }
    }

    fn no_layout(&self, what: &str) -> DeviceError {
        self.error(what, DeviceErrorKind::Answer(format!("host {} sent a layout that is none", self.host)))
    }

    fn unfit(&self, what: &str, _answer: &Answer) -> DeviceError {
        self.error(what, DeviceErrorKind::Answer(format!("host {} answered something else", self.host)))
    }

    fn error(&self, what: &str, kind: DeviceErrorKind) -> DeviceError {
        DeviceError { serial: self.name.clone(), what: what.to_owned(), kind }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Device for RemoteDevice {
    fn serial(&self) -> &str {
        &self.name
    }

    fn host(&self) -> Option<&str> {
        Some(&self.host)
    }

    fn let_go(&self) {
        self.state().bound = None;
        self.asker.forget(&self.host, &self.phone);
    }

    async fn info(&self, patience: &Patience) -> Result<DeviceInfo, DeviceError> {
        match self.ask(Ask::Info, patience).await? {
            Answer::Info(info) => Ok(DeviceInfo { serial: self.name.clone(), ..info }),
            other => Err(self.unfit("reading the properties", &other)),
        }
    }

    async fn choose_place(
        &self,
        package: &str,
        place: &AppPlace,
        patience: &Patience,
    ) -> Result<(), DeviceError> {
        self.simply(Ask::ChoosePlace { package: package.into(), place: place.clone() }, patience).await
    }

    async fn app(&self, package: &str, patience: &Patience) -> Result<AppBuild, DeviceError> {
        match self.ask(Ask::App { package: package.into() }, patience).await? {
            Answer::App(app) => Ok(app),
            other => Err(self.unfit("asking for the app", &other)),
        }
    }

    async fn install(&self, packages: &[PackageFile], patience: &Patience) -> Result<(), DeviceError> {
        let began = Instant::now();
        let contents = packages.iter().map(|package| (package.name.clone(), package.bytes.clone().into()));
        let packages = self.send(contents.collect(), patience).await?;
        let left = Patience { within: patience.within.saturating_sub(began.elapsed()), ..patience.clone() };
        self.simply(Ask::Install { packages }, &left).await
    }

    async fn layout(&self, tries: u32, patience: &Patience) -> Result<Settled, DeviceError> {
        let what = "dumping the layout";
        match self.ask_with(Ask::Layout { tries }, &[], patience).await? {
            (Answer::Settled(settled), beside) => {
                let layout = beside.first().cloned().unwrap_or_default();
                settled.with(&layout).ok_or_else(|| self.no_layout(what))
            }
            (other, _) => Err(self.unfit(what, &other)),
        }
    }

    async fn foreground(&self, patience: &Patience) -> Result<Foreground, DeviceError> {
        match self.ask(Ask::Foreground, patience).await? {
            Answer::Foreground(front) => Ok(front.into()),
            other => Err(self.unfit("reading the focus", &other)),
        }
    }

    async fn perform(&self, gesture: &Gesture, patience: &Patience) -> Result<(), DeviceError> {
        self.simply(Ask::Perform { gesture: gesture.clone(), look: None }, patience).await
    }

    async fn perform_before(
        &self,
        gesture: &Gesture,
        manner: &Manner,
        tries: u32,
        patience: &Patience,
    ) -> Result<(), DeviceError> {
        let look = LookWire::of(manner, tries);
        let ask = Ask::Perform { gesture: gesture.clone(), look: Some(look.clone()) };
        let what = ask.words();
        // Each of the two may take as long as it might alone.
        let both = Patience { within: patience.within.saturating_mul(2), ..patience.clone() };
        let seen = match self.ask_with(ask, &[], &both).await? {
            (Answer::Unseen(fault), _) => Err(fault.of(&self.name)),
            answer => Ok(self.observed(&what, answer)?),
        };
        self.state().ahead = Some(Ahead { look, seen });
        Ok(())
    }

    async fn signals(&self, patience: &Patience) -> Result<Vec<Signal>, DeviceError> {
        match self.ask(Ask::Signals, patience).await? {
            Answer::Signals(signals) => Ok(signals),
            other => Err(self.unfit("reading the log", &other)),
        }
    }

    async fn observe(
        &self,
        manner: &Manner,
        tries: u32,
        patience: &Patience,
    ) -> Result<Observed, DeviceError> {
        let look = LookWire::of(manner, tries);
        let ahead = self.state().ahead.take();
        if let Some(ahead) = ahead.filter(|ahead| ahead.look == look) {
            return ahead.seen;
        }
        let answer = self.ask_with(Ask::Observe { look }, &[], patience).await?;
        self.observed("observing the screen", answer)
    }

    async fn screenshot(&self, patience: &Patience) -> Result<Screenshot, DeviceError> {
        match self.ask_with(Ask::Screenshot, &[], patience).await? {
            (Answer::Picture, beside) => {
                Ok(Screenshot::Png(beside.first().map(|png| png.to_vec()).unwrap_or_default()))
            }
            (other, _) => Err(self.unfit("taking a picture", &other)),
        }
    }

    async fn begin(
        &self,
        package: &str,
        beginning: Beginning,
        patience: &Patience,
    ) -> Result<Began, DeviceError> {
        match self.ask(Ask::Begin { package: package.into(), beginning }, patience).await? {
            Answer::Began(true) => Ok(Began::WithData),
            Answer::Began(false) => Ok(Began::Afresh),
            other => Err(self.unfit("making the app ready", &other)),
        }
    }

    async fn keep(&self, package: &str, patience: &Patience) -> Result<bool, DeviceError> {
        match self.ask(Ask::Keep { package: package.into() }, patience).await? {
            Answer::Kept(kept) => Ok(kept),
            other => Err(self.unfit("copying the app's data", &other)),
        }
    }

    async fn start(&self, package: &str, patience: &Patience) -> Result<(), DeviceError> {
        self.simply(Ask::Start { package: package.into() }, patience).await
    }

    async fn equip(&self, wanted: &Equipment, patience: &Patience) -> Result<Equipped, DeviceError> {
        let agent = wanted.agent.is_some();
        let ask = Ask::Equip { agent, dumps: wanted.dumps, pictures: wanted.pictures };
        match self.ask(ask, patience).await? {
            Answer::Equipped(equipped) => Ok(equipped.into()),
            other => Err(self.unfit("choosing how it is read", &other)),
        }
    }

    fn remarks(&self) -> Vec<String> {
        std::mem::take(&mut self.state().remarks)
    }

    async fn restart(&self, package: &str, patience: &Patience) -> Result<(), DeviceError> {
        self.simply(Ask::Restart { package: package.into() }, patience).await
    }

    fn shortcomings(&self) -> Vec<Shortcoming> {
        self.state().shortcomings.clone()
    }

    async fn try_tools(&self, patience: &Patience) -> Result<Vec<Trial>, DeviceError> {
        match self.ask(Ask::TryTools, patience).await? {
            Answer::Trials(trials) => Ok(trials.into_iter().map(Trial::from).collect()),
            other => Err(self.unfit("trying its tools", &other)),
        }
    }

    async fn vitals(&self, patience: &Patience) -> Result<Vitals, DeviceError> {
        match self.ask(Ask::Vitals, patience).await? {
            Answer::Vitals(vitals) => Ok(vitals),
            other => Err(self.unfit("asking how it is", &other)),
        }
    }

    async fn condition(&self, patience: &Patience) -> Result<Condition, DeviceError> {
        match self.ask(Ask::Condition, patience).await? {
            Answer::Condition(condition) => Ok(condition),
            other => Err(self.unfit("reading its settings", &other)),
        }
    }

    async fn time_dumps(&self, agent: Option<&Path>, patience: &Patience) -> Result<DumpTimes, DeviceError> {
        match self.ask(Ask::TimeDumps { agent: agent.is_some() }, patience).await? {
            Answer::Times(times) => Ok(times.into()),
            other => Err(self.unfit("timing dumps", &other)),
        }
    }

    async fn wake(&self, patience: &Patience) -> Result<(), DeviceError> {
        self.simply(Ask::Wake, patience).await
    }

    async fn noted(&self, patience: &Patience) -> Result<Noted, DeviceError> {
        match self.ask(Ask::Noted, patience).await? {
            Answer::Noted { clock, text } => Ok(Noted { clock, text }),
            other => Err(self.unfit("its lease", &other)),
        }
    }

    async fn exchange_note(
        &self,
        seen: Option<&str>,
        new: &str,
        settle: Duration,
        patience: &Patience,
    ) -> Result<Noted, DeviceError> {
        let note = LeaseNote::read(new);
        let is_new = note
            .as_ref()
            .is_some_and(|note| self.state().bound.as_ref().is_none_or(|(_, token)| *token != note.token));
        if let Some(note) = &note {
            if is_new {
                self.state().holds = note.expires.saturating_sub(note.taken);
            }
            let words = LeaseWords {
                owner: note.owner.clone(),
                lab: note.lab.clone(),
                session: note.session.clone(),
                token: note.token.clone(),
                holds: self.state().holds.min(LONGEST_LEASE),
            };
            // A lease that is written on the phone is renewed there, whatever the registry says.
            if let Err(other) = self.leases.take(&words).await
                && is_new
            {
                let whose = printable(&format!("{}, {}", other.owner, other.session)).into_owned();
                return Err(self.error("leasing it", DeviceErrorKind::Leased { whose, age_s: 0 }));
            }
            if is_new {
                self.state().bound = None;
            }
        }
        let settle = u64::try_from(settle.as_millis()).unwrap_or(u64::MAX);
        let ask = Ask::ExchangeNote { seen: seen.map(str::to_owned), new: new.to_owned(), settle };
        let answer = self.ask(ask, patience).await;
        let noted = match answer {
            Ok(Answer::Noted { clock, text }) => Noted { clock, text },
            Ok(other) => return Err(self.unfit("its lease", &other)),
            Err(error) => return Err(error),
        };
        match note {
            Some(note) if noted.note().is_some_and(|there| there.token == note.token) => {
                if is_new && let Some(run) = self.asker.run(&self.host) {
                    self.state().bound = Some((run, note.token));
                }
            }
            // Another lab's, or none.
            _ => self.leases.give_back().await,
        }
        Ok(noted)
    }

    async fn prepare(&self, patience: &Patience) -> Result<(), DeviceError> {
        self.simply(Ask::Prepare, patience).await
    }

    async fn furnish(&self, fixtures: &Fixtures, patience: &Patience) -> Result<(), DeviceError> {
        let began = Instant::now();
        let contents = fixtures.files.iter().map(|(name, bytes)| (name.clone(), bytes.clone().into()));
        let files = self.send(contents.collect(), patience).await?;
        let people = fixtures.people.iter().map(PersonWire::from).collect();
        let left = Patience { within: patience.within.saturating_sub(began.elapsed()), ..patience.clone() };
        self.simply(Ask::Furnish { files, people }, &left).await
    }

    async fn set_clock(&self, at: StartAt, patience: &Patience) -> Result<(), DeviceError> {
        self.simply(Ask::SetClock { at }, patience).await
    }

    async fn restore(&self, patience: &Patience) -> Result<(), DeviceError> {
        self.simply(Ask::Restore, patience).await
    }
}
