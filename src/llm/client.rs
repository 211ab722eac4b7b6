//! The client of one session: answers its questions by a model, by people, by rules, or from a recording.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::budget::Purse;
use super::outcome::Outcome;
use super::people::{Asker, People};
use super::place::{Key, QuestionPlace, Sent};
use super::prompt::Prompt;
use super::reading::Partials;
use super::recording::{About, Entry, Recorder, Recording};
use super::request::{self, Piece};
use super::secret::{Scrub, Secret};
use super::wire::{Request, Wire};
use super::{Endpoints, LlmError};
use droidmux_record::{
    Answer, BlobHash, Exchange, LlmMode, LlmSettings, NoReply, Provider, Question, SessionId, Spent,
};

/// Who answered, where people did.
const PEOPLE: &str = "people";

/// Answers in place of a model, from the question alone: the same question has the same answer.
pub trait Rules: Send + Sync {
    /// The reply as a model would write it: JSON by the question's schema.
    fn answer(&self, question: &Question) -> String;
}

/// What a client is made of.
pub struct Setup<'a> {
    /// `[llm]` of the session, completed by the user's configuration.
    pub settings: &'a LlmSettings,
    /// What [`Secret::from_env`] gives for `key-env`; needed for models that are asked live.
    pub key: Option<Secret>,
    /// The endpoints of the whole lab: sessions share capacity and waits.
    pub endpoints: &'a Endpoints,
    /// For provider `rules`.
    pub rules: Arc<dyn Rules>,
    /// The path given by `[llm] recording`; meaningless in mode `live`.
    pub recording: &'a Path,
    /// By its name in session files; goes into the recording.
    pub technique: &'a str,
    /// The app's package.
    pub app: &'a str,
    /// Whether the session is continued after an interruption, and its recording with it.
    pub resumed: bool,
}

/// Answers the questions of one session, from all its devices.
pub struct Client {
    source: Source,
    recorder: Option<Recorder>,
    purse: Arc<Purse>,
    scrub: Scrub,
}

enum Source {
    Model(Box<Wire>),
    Rules(Arc<dyn Rules>),
    People(Callers),
    Recording { recording: Recording, strict: bool },
}

/// The people who answer, and how long they may take.
struct Callers {
    people: Arc<People>,
    asker: Asker,
    /// The time limit for one try.
    timeout: Duration,
    /// How often a question that nobody answered in that time is put again.
    retries: u32,
}

/// A question with its pictures in their places.
struct Asked<'a> {
    key: Key,
    question: &'a Question,
    pieces: Vec<Piece<'a>>,
    pictures: Vec<BlobHash>,
}

impl Client {
    /// A client that has spent nothing. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// When settings cannot be used, or the recording cannot be read or begun.
    pub fn new(setup: Setup<'_>) -> Result<Self, LlmError> {
        let Setup { settings, key, endpoints, rules, recording, technique, app, resumed } = setup;
        if settings.mode != LlmMode::Live && settings.recording.is_empty() {
            let why = "is empty; name the file to record to or to replay from".into();
            return Err(LlmError::Setting { field: "recording", why });
        }
        let source = match (settings.mode, settings.provider) {
            (LlmMode::Replay, _) => {
                Source::Recording { recording: Recording::open(recording)?, strict: settings.strict }
            }
            (_, Provider::Rules) => Source::Rules(rules),
            (_, Provider::Openai) => Source::Model(Box::new(Wire::new(settings, key.as_ref(), endpoints)?)),
            (_, Provider::People) => Source::People(Callers::new(settings, endpoints, technique, app)),
        };
        let model = match settings.provider {
            Provider::Rules => "rules",
            Provider::Openai => &settings.model,
            Provider::People => PEOPLE,
        };
        let recorder = match settings.mode {
            LlmMode::Record => Some(Recorder::open(recording, &About { technique, app, model }, resumed)?),
            LlmMode::Live | LlmMode::Replay => None,
        };
        Ok(Self { source, recorder, purse: Arc::new(Purse::new(settings)), scrub: Scrub::new(key) })
    }

    /// The same client for the session of this number, as people see it.
    #[must_use]
    pub fn of(mut self, session: SessionId) -> Self {
        if let Source::People(callers) = &mut self.source {
            callers.asker.session = session;
        }
        self
    }

    /// Answers with [`Answer::Reply`] or [`Answer::None`]; `None` when it was cancelled, which leaves no trace in
    /// recording and budget. `pictures` has one for each picture of the question, in the same order. `partial` receives
    /// the reply so far, a few times a second; it must not wait.
    ///
    /// # Errors
    ///
    /// When the recording cannot be written, or changed while it was being read: the session should end, since what it
    /// does from now on could not be repeated.
    pub async fn ask(
        &self,
        place: QuestionPlace,
        question: &Question,
        pictures: &[Sent],
        partial: &(dyn Fn(&str) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<Option<Answer>, LlmError> {
        let pieces = request::pieces(question, pictures);
        let sent = pieces.iter().filter_map(|piece| match piece {
            Piece::Picture(sent) => Some(sent.hash),
            Piece::Text(_) => None,
        });
        let pictures = sent.collect();
        let asked = Asked { key: Key { place, agent: question.agent }, question, pieces, pictures };
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(None),
            outcome = self.outcome(&asked, partial) => outcome?,
        };
        let outcome = self.scrub.outcome(outcome);
        if let Some(recorder) = &self.recorder {
            recorder.write(&Entry::new(asked.key, self.prompt(&asked), &outcome))?;
        }
        let answer = outcome.into();
        if let Source::Recording { .. } = self.source {
            let mut spent = Spent::default();
            spent.count(&answer);
            self.purse.add(&spent);
        }
        Ok(Some(answer))
    }

    /// What the session spent, with what it had spent before.
    pub fn spent(&self) -> Spent {
        self.purse.spent()
    }

    /// Counts what the session spent before it was interrupted.
    pub fn had_spent(&self, spent: &Spent) {
        self.purse.add(spent);
    }

    /// The session's budget, for anything else that is asked of the endpoint.
    pub(super) fn purse(&self) -> Arc<Purse> {
        Arc::clone(&self.purse)
    }

    fn prompt(&self, asked: &Asked<'_>) -> Prompt {
        Prompt::new(asked.question, &asked.pieces, &self.scrub)
    }

    async fn outcome(
        &self,
        asked: &Asked<'_>,
        partial: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Outcome, LlmError> {
        match &self.source {
            Source::Model(wire) => Ok(self.by_model(wire, asked, partial).await),
            Source::Rules(rules) => Ok(self.by_rules(rules.as_ref(), asked)),
            Source::People(callers) => Ok(self.by_people(callers, asked).await),
            Source::Recording { recording, strict } => self.by_recording(recording, *strict, asked),
        }
    }

    async fn by_model(
        &self,
        wire: &Wire,
        asked: &Asked<'_>,
        partial: &(dyn Fn(&str) + Send + Sync),
    ) -> Outcome {
        let estimate = request::estimate(asked.question, &asked.pieces);
        let mut exchange = asked.exchange(wire.name());
        let hold = match self.purse.hold(estimate) {
            Ok(hold) => hold,
            Err(used_up) => return Outcome { said: Err((NoReply::Budget, used_up.to_string())), exchange },
        };
        let Asked { question, pieces, .. } = asked;
        let (purse, scrub) = (&self.purse, &self.scrub);
        let request = Request { question, pieces, estimate, purse, hold: &hold, scrub };
        let said = wire.ask(&request, &mut Partials::new(partial, scrub), &mut exchange).await;
        hold.settle(&exchange);
        Outcome { said, exchange }
    }

    /// Waits for somebody as long as for a server: a try takes the time limit, and is made again as often. What was
    /// answered before the job had to run again is not asked twice.
    async fn by_people(&self, callers: &Callers, asked: &Asked<'_>) -> Outcome {
        let Callers { people, asker, timeout, retries } = callers;
        let Asked { key, question, pieces, .. } = asked;
        let mut exchange = asked.exchange(PEOPLE.into());
        if let Some(text) = people.given(asker.session, *key, question, pieces) {
            self.purse.add(&Spent { calls: 1, ..Spent::default() });
            return Outcome { said: Ok(text), exchange };
        }
        let estimate = request::estimate(question, pieces);
        let hold = match self.purse.hold(estimate) {
            Ok(hold) => hold,
            Err(used_up) => return Outcome { said: Err((NoReply::Budget, used_up.to_string())), exchange },
        };
        let mut wait = people.post(asker, key.place.slot, question, pieces, &self.scrub);
        let said = loop {
            let began = Instant::now();
            let replied = tokio::time::timeout(*timeout, wait.reply()).await;
            exchange.latency_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
            if let Ok(Some(text)) = replied {
                people.keep(asker.session, *key, question, pieces, &text);
                exchange.tokens_in = estimate;
                exchange.tokens_out = request::tokens(&text);
                exchange.cost = self.purse.cost(exchange.tokens_in, exchange.tokens_out);
                break Ok(text);
            }
            let why = format!("nobody answered within {} s", timeout.as_secs());
            let tries = exchange.tries.len().saturating_add(1);
            if u32::try_from(tries).unwrap_or(u32::MAX) > *retries {
                break Err((NoReply::Unreachable, format!("{PEOPLE}: {why} (try {tries}, the last)")));
            }
            exchange.tries.push(why);
        };
        hold.settle(&exchange);
        Outcome { said, exchange }
    }

    /// Takes no measurable time, so that two runs are the same.
    fn by_rules(&self, rules: &dyn Rules, asked: &Asked<'_>) -> Outcome {
        let exchange = asked.exchange("rules".into());
        let said = self.purse.hold(0).map_err(|used_up| (NoReply::Budget, used_up.to_string())).map(|hold| {
            hold.settle(&exchange);
            rules.answer(asked.question)
        });
        Outcome { said, exchange }
    }

    fn by_recording(
        &self,
        recording: &Recording,
        strict: bool,
        asked: &Asked<'_>,
    ) -> Result<Outcome, LlmError> {
        let Some(mut entry) = recording.entry(asked.key)? else {
            let detail = format!("the recording holds no {}", asked.key);
            let said = Err((NoReply::NotRecorded, detail));
            return Ok(Outcome { said, exchange: asked.exchange(String::new()) });
        };
        let differs = entry.prompt.difference(&self.prompt(asked)).unwrap_or_default();
        entry.exchange.pictures.clone_from(&asked.pictures);
        entry.exchange.differs.clone_from(&differs);
        let mut outcome = entry.outcome();
        if !differs.is_empty() {
            let detail = self.scrub.clean(&format!("{} differs from its recording: {differs}", asked.key));
            tracing::warn!("{detail}");
            if strict {
                outcome.said = Err((NoReply::NotRecorded, detail));
            }
        }
        Ok(outcome)
    }
}

impl Callers {
    fn new(settings: &LlmSettings, endpoints: &Endpoints, technique: &str, app: &str) -> Self {
        let timeout = Duration::from_secs(u64::from(settings.timeout.max(1)));
        let patience = timeout.saturating_mul(settings.retries.saturating_add(1));
        let asker = Asker {
            session: SessionId(0),
            technique: technique.to_owned(),
            app: app.to_owned(),
            patience_ms: u64::try_from(patience.as_millis()).unwrap_or(u64::MAX),
        };
        Self { people: Arc::clone(endpoints.people()), asker, timeout, retries: settings.retries }
    }
}

impl Asked<'_> {
    fn exchange(&self, answered_by: String) -> Exchange {
        Exchange { answered_by, pictures: self.pictures.clone(), ..Exchange::default() }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source: &dyn fmt::Debug = match &self.source {
            Source::Model(wire) => wire,
            Source::Rules(_) => &"rules",
            Source::People(_) => &PEOPLE,
            Source::Recording { recording, .. } => recording,
        };
        f.debug_struct("Client").field("source", source).field("purse", &self.purse).finish_non_exhaustive()
    }
}
