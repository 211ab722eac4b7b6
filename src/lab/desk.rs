//! The desk: answers, for one session, what drivers ask of anything but the device.
//!
//! In: consultations. Out: their answers, with the pictures that were sent. Nothing here decides
//! anything: it draws, sends, runs and looks up.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::journal::now_ms;
use super::{Hub, Lab, LabError};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_llm::{
    Client, Library, QuestionPlace, Sandbox, Secret, Sent, Setup, VectorsError, WordVectors, rules,
};
use droidmux_picture::{Darkroom, Source, difference};
use droidmux_proto::AskingView;
use droidmux_record::{
    Answer, BlobHash, Consultation, Layouts, LlmMode, LlmSettings, NoReply, Provider, Question, Recall,
    SessionDefinition, SessionId, Slot, Spent, Unanswered, Vectors,
};
use droidmux_store::Store;
use droidmux_technique::{VisiondroidSettings, uses};

/// How often viewers see more of a reply.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// Where a consultation stands in its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asking<'a> {
    /// The serial of the device that waits.
    pub device: &'a str,
    pub slot: Slot,
    /// How many questions the same agent asked before it in the job.
    pub ordinal: u32,
}

/// An answer, and the PNGs that were sent with the question.
pub(super) struct Answered {
    pub answer: Answer,
    pub pictures: Vec<(BlobHash, Vec<u8>)>,
}

/// One session's access to models, sandbox, examples and the person who leads its test.
pub(super) struct Desk {
    session: SessionId,
    store: Store,
    hub: Arc<Hub>,
    sandbox: Sandbox,
    darkroom: Arc<Darkroom>,
    /// Longest side of a picture, in pixels.
    longest: u32,
    /// `None` for a session that asks no language model.
    talk: Option<Talk>,
}

struct Talk {
    /// A question that is not in the recording ends the session.
    strict: bool,
    client: Client,
    library: Library,
}

impl Desk {
    /// A desk that has already spent this much; `resumed` when its session goes on. Opened before the session is
    /// stored, so that unusable settings leave nothing behind.
    ///
    /// # Errors
    /// When the settings, the key, the recording or the word vectors are not usable.
    pub async fn open(
        lab: &Lab,
        definition: &SessionDefinition,
        spent: Spent,
        resumed: bool,
    ) -> Result<Self, LabError> {
        let talk = match uses(definition).models {
            true => {
                let (lab, definition) = (lab.clone(), definition.clone());
                // Word vectors are gigabytes at worst.
                let open = move || Talk::open(&lab, &definition, &spent, resumed);
                Some(tokio::task::spawn_blocking(open).await??)
            }
            false => None,
        };
        Ok(Self {
            session: SessionId(0),
            store: lab.store.clone(),
            hub: lab.hub.clone(),
            sandbox: lab.sandbox.clone(),
            darkroom: Arc::default(),
            longest: definition.settings.of::<VisiondroidSettings>().picture,
            talk,
        })
    }

    /// The same desk for the session of this number.
    #[must_use]
    pub fn of(self, session: SessionId) -> Self {
        let talk = self.talk.map(|talk| Talk { client: talk.client.of(session), ..talk });
        Self { session, talk, ..self }
    }

    /// The answer; `None` when it was cancelled.
    ///
    /// # Errors
    /// When the recording cannot be written or read any more.
    pub async fn consult(
        &self,
        asking: &Asking<'_>,
        consultation: &Consultation,
        cancel: &CancellationToken,
    ) -> Result<Option<Answered>, LabError> {
        let plain = |answer| Answered { answer, pictures: Vec::new() };
        match consultation {
            Consultation::Ask(question) => self.ask(asking, question, cancel).await,
            Consultation::Generate(generation) => {
                Ok(self.sandbox.foretell(generation, cancel).await.map(|foretold| plain(foretold.into())))
            }
            Consultation::Steer(question) => {
                let order = self.hub.lead(self.session, question.number, cancel).await;
                Ok(order.map(|order| plain(Answer::Order(order))))
            }
            Consultation::Compare(comparison) => {
                let (store, compared) = (Stored(self.store.clone()), *comparison);
                let compare = move || difference(compared.earlier, compared.later, &store).ok();
                Ok(Some(plain(Answer::Differences(tokio::task::spawn_blocking(compare).await?))))
            }
            Consultation::Recall(recall) => {
                let examples = cancel.run_until_cancelled(self.recall(recall)).await;
                examples.transpose().map(|found| found.map(plain))
            }
        }
    }

    /// What the session has used so far.
    pub fn spent(&self) -> Spent {
        self.talk.as_ref().map(|talk| talk.client.spent()).unwrap_or_default()
    }

    async fn ask(
        &self,
        asking: &Asking<'_>,
        question: &Question,
        cancel: &CancellationToken,
    ) -> Result<Option<Answered>, LabError> {
        let Some(talk) = &self.talk else { return Err(LabError::NoModel(self.session)) };
        let sent = self.draw(question).await?;
        let open = AskingView {
            device: asking.device.into(),
            slot: asking.slot,
            agent: question.agent,
            since_ms: now_ms(),
            partial: String::new(),
        };
        self.hub.asking(self.session, asking.device, Some(open));
        let told = std::sync::Mutex::new(Instant::now());
        let partial = |reply: &str| {
            // Only this closure locks the clock; a poisoned one only means a tail more or less.
            let mut told = told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if told.elapsed() >= TELL_EVERY {
                *told = Instant::now();
                self.hub.partial(self.session, asking.device, tail(reply));
            }
        };
        let place = QuestionPlace { slot: asking.slot, ordinal: asking.ordinal };
        let answer = talk.client.ask(place, question, &sent, &partial, cancel).await;
        self.hub.asking(self.session, asking.device, None);
        if let Ok(Some(Answer::None(Unanswered { why: NoReply::NotRecorded, detail, .. }))) = &answer
            && talk.strict
        {
            return Err(LabError::NotRecorded(detail.clone()));
        }
        let pictures = sent.into_iter().map(|sent| (sent.hash, sent.png.to_vec())).collect();
        Ok(answer?.map(|answer| Answered { answer, pictures }))
    }

    /// The pictures of a question. One that cannot be drawn ends the session: without it, the question would be a
    /// different one.
    async fn draw(&self, question: &Question) -> Result<Vec<Sent>, LabError> {
        let wanted: Vec<_> = question.pictures().cloned().collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let (store, longest) = (Stored(self.store.clone()), self.longest);
        let darkroom = Arc::clone(&self.darkroom);
        let draw = move || {
            let drawn = wanted.iter().map(|picture| {
                let png = darkroom.draw(picture, &store, longest)?;
                Ok::<_, LabError>(Sent { hash: BlobHash::of(&png), png })
            });
            drawn.collect()
        };
        tokio::task::spawn_blocking(draw).await?
    }

    async fn recall(&self, recall: &Recall) -> Result<Answer, LabError> {
        let Some(talk) = &self.talk else { return Err(LabError::NoModel(self.session)) };
        let (store, kind) = (self.store.clone(), recall.kind);
        let read = move || store.examples(Some(kind)).collect::<Result<Vec<_>, _>>();
        let stored = tokio::task::spawn_blocking(read).await??;
        match talk.library.nearest(recall, &stored).await {
            // Treated as a question without a reply: the technique goes on.
            Err(why @ (VectorsError::Unreachable { .. } | VectorsError::Budget(_))) => {
                let told = format!("asked without examples: {why}");
                self.hub.warn(&self.session.to_string(), &told);
                Ok(Answer::Examples(Vec::new()))
            }
            found => Ok(Answer::Examples(found?)),
        }
    }
}

impl Talk {
    fn open(
        lab: &Lab,
        definition: &SessionDefinition,
        spent: &Spent,
        resumed: bool,
    ) -> Result<Self, LabError> {
        let settings = &definition.llm;
        let key = if needs_key(settings) { Secret::from_env(&settings.key_env)? } else { None };
        let vectors = WordVectors::open(settings, key.as_ref(), &lab.endpoints)?;
        let client = Client::new(Setup {
            settings,
            key,
            endpoints: &lab.endpoints,
            rules: Arc::new(rules::Fixed),
            recording: Path::new(&settings.recording),
            technique: definition.technique.name(),
            app: &definition.app,
            resumed,
        })?;
        client.had_spent(spent);
        Ok(Self { strict: settings.strict, library: Library::new(vectors.charged_to(&client)), client })
    }
}

/// What answers a session's questions, for viewers; empty when it asks none.
pub(super) fn model_name(definition: &SessionDefinition) -> String {
    if uses(definition).models { definition.llm.name() } else { String::new() }
}

fn needs_key(settings: &LlmSettings) -> bool {
    let live = settings.provider == Provider::Openai && settings.mode != LlmMode::Replay;
    !settings.key_env.is_empty() && (live || matches!(settings.vectors, Vectors::Endpoint(_)))
}

/// The end of a reply so far.
fn tail(reply: &str) -> String {
    let skipped = reply.chars().count().saturating_sub(AskingView::TAIL);
    reply.chars().skip(skipped).collect()
}

/// What pictures are drawn from.
struct Stored(Store);

impl Layouts for Stored {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.layout(hash)
    }
}

impl Source for Stored {
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>> {
        self.0.screenshot(hash).ok().flatten()
    }
}
