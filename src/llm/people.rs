//! Questions that people answer in place of a model: where they wait.
//!
//! In: questions of clients; replies of whoever is there. Out: what waits, for whoever looks; each question's reply,
//! once.
//!
//! Invariants: a number is given to one question only; the first reply that fits the schema is taken, and one that does
//! not leaves the question waiting; a question that its session no longer wants is withdrawn at once; a job that runs
//! again and asks the same question in the same place gets the reply that it was given before, without anybody.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use thiserror::Error;
use tokio::sync::{oneshot, watch};

use super::place::{Key, QuestionPlace, Sent};
use super::request::{self, Piece, pieces};
use super::schema;
use super::secret::Scrub;
use droidmux_record::{BlobHash, Part, Question, Reply, SessionId, Slot};

/// Answered questions whose numbers are kept, so that a second reply is told why it came in vain.
const MOST_ANSWERED: usize = 1_000;

/// Replies kept for jobs that run again.
const MOST_GIVEN: usize = 100_000;

/// The questions of a lab that people are to answer.
#[derive(Debug, Default)]
pub struct People {
    board: Mutex<Board>,
    changes: watch::Sender<u64>,
}

/// A question that waits for a reply.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Counted from 1 in this lab.
    pub number: u64,
    /// The session that asks.
    pub session: SessionId,
    /// Its technique.
    pub technique: String,
    /// The package that it tests.
    pub app: String,
    /// The job that asks.
    pub slot: Slot,
    /// In milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// When the session goes on without a reply, in milliseconds since the Unix epoch.
    pub until_ms: u64,
    /// As a server would be sent it, without keys.
    pub question: Question,
    /// One for each picture of the question, in the same order.
    pub pictures: Vec<Sent>,
    /// Its length in tokens, estimated.
    pub tokens: u64,
}

/// Why a reply was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotTaken {
    /// No question had this number.
    #[error("there is no question {0}")]
    Unknown(u64),
    /// Somebody was faster.
    #[error("question {0} has been answered already")]
    Answered(u64),
    /// Its session ended or was stopped, or its time was over.
    #[error("question {0} waits no longer: its session went on without a reply, or stopped")]
    Withdrawn(u64),
    /// The reply is not what was asked for; the question waits on.
    #[error("{}", .0.join("\n"))]
    Unfit(Vec<String>),
}

/// A question and its way back.
#[derive(Debug)]
struct Posted {
    waiting: Arc<Waiting>,
    reply: oneshot::Sender<String>,
}

#[derive(Debug, Default)]
struct Board {
    /// The number given last.
    last: u64,
    waiting: BTreeMap<u64, Posted>,
    answered: BTreeSet<u64>,
    /// By session and place: the question's content and its reply.
    given: HashMap<(SessionId, Key), (blake3::Hash, String)>,
}

/// Who asks, for those who look.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    pub session: SessionId,
    pub technique: String,
    pub app: String,
    /// For how long a question waits, in milliseconds.
    pub patience_ms: u64,
}

/// A question on the board; dropped, it is withdrawn.
#[derive(Debug)]
pub(super) struct Wait<'a> {
    people: &'a People,
    number: u64,
    reply: oneshot::Receiver<String>,
}

impl People {
    /// What waits, the oldest first.
    pub fn waiting(&self) -> Vec<Arc<Waiting>> {
        self.board().waiting.values().map(|posted| Arc::clone(&posted.waiting)).collect()
    }

    /// The question of this number.
    ///
    /// # Errors
    /// When it does not wait.
    pub fn question(&self, number: u64) -> Result<Arc<Waiting>, NotTaken> {
        self.board().posted(number).map(|posted| Arc::clone(&posted.waiting))
    }

    /// The picture of a waiting question, as a PNG file.
    pub fn picture(&self, hash: BlobHash) -> Option<Arc<[u8]>> {
        let board = self.board();
        let mut pictures = board.waiting.values().flat_map(|posted| &posted.waiting.pictures);
        pictures.find(|sent| sent.hash == hash).map(|sent| Arc::clone(&sent.png))
    }

    /// Answers a question.
    ///
    /// # Errors
    /// When it does not wait, or the reply is not what it asks for.
    pub fn answer(&self, number: u64, reply: &str) -> Result<(), NotTaken> {
        let waiting = self.question(number)?;
        let reply = reply.trim();
        let faults = match reply.len() > Reply::MOST_BYTES {
            true => vec![format!("the reply has more than {} KiB", Reply::MOST_BYTES >> 10)],
            false => schema::faults(&waiting.question.schema, reply),
        };
        if !faults.is_empty() {
            return Err(NotTaken::Unfit(faults));
        }
        let mut board = self.board();
        // Somebody may have been faster meanwhile.
        board.posted(number)?;
        let Some(posted) = board.waiting.remove(&number) else { return Err(NotTaken::Withdrawn(number)) };
        if posted.reply.send(reply.to_owned()).is_err() {
            return Err(NotTaken::Withdrawn(number));
        }
        board.answered.insert(number);
        if board.answered.len() > MOST_ANSWERED {
            board.answered.pop_first();
        }
        drop(board);
        self.changed();
        Ok(())
    }

    /// Raised whenever a question comes or goes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// What a session was told before it was interrupted: asked again in the same place, the same question has the same
    /// reply. `pictures` are those that were sent with the question.
    pub fn remember(
        &self,
        session: SessionId,
        place: QuestionPlace,
        question: &Question,
        pictures: &[BlobHash],
        reply: &str,
    ) {
        let empty: Arc<[u8]> = Arc::from([]);
        let sent: Vec<Sent> =
            pictures.iter().map(|hash| Sent { hash: *hash, png: Arc::clone(&empty) }).collect();
        let content = content(question, &pieces(question, &sent));
        self.board().keep(session, Key { place, agent: question.agent }, content, reply);
    }

    /// The reply that this question was given before.
    pub(super) fn given(
        &self,
        session: SessionId,
        key: Key,
        question: &Question,
        pieces: &[Piece<'_>],
    ) -> Option<String> {
        let board = self.board();
        let (of, reply) = board.given.get(&(session, key))?;
        (*of == content(question, pieces)).then(|| reply.clone())
    }

    /// Keeps a reply for a job that runs again.
    pub(super) fn keep(
        &self,
        session: SessionId,
        key: Key,
        question: &Question,
        pieces: &[Piece<'_>],
        reply: &str,
    ) {
        self.board().keep(session, key, content(question, pieces), reply);
    }

    /// Puts a question where people see it.
    pub(super) fn post(
        &self,
        asker: &Asker,
        slot: Slot,
        question: &Question,
        pieces: &[Piece<'_>],
        scrub: &Scrub,
    ) -> Wait<'_> {
        let pictures = pieces.iter().filter_map(|piece| match piece {
            Piece::Picture(sent) => Some((*sent).clone()),
            Piece::Text(_) => None,
        });
        let since_ms = u64::try_from(Timestamp::now().as_millisecond()).unwrap_or_default();
        let (reply, receiver) = oneshot::channel();
        let mut board = self.board();
        board.last += 1;
        let number = board.last;
        let waiting = Waiting {
            number,
            session: asker.session,
            technique: asker.technique.clone(),
            app: asker.app.clone(),
            slot,
            since_ms,
            until_ms: since_ms.saturating_add(asker.patience_ms),
            question: clean(question, scrub),
            pictures: pictures.collect(),
            tokens: request::estimate(question, pieces),
        };
        board.waiting.insert(number, Posted { waiting: Arc::new(waiting), reply });
        drop(board);
        self.changed();
        Wait { people: self, number, reply: receiver }
    }

    fn changed(&self) {
        self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Board {
    fn posted(&self, number: u64) -> Result<&Posted, NotTaken> {
        self.waiting.get(&number).ok_or_else(|| match number {
            number if number == 0 || number > self.last => NotTaken::Unknown(number),
            number if self.answered.contains(&number) => NotTaken::Answered(number),
            number => NotTaken::Withdrawn(number),
        })
    }

    fn keep(&mut self, session: SessionId, key: Key, content: blake3::Hash, reply: &str) {
        if self.given.len() < MOST_GIVEN {
            self.given.insert((session, key), (content, reply.to_owned()));
        }
    }
}

impl Wait<'_> {
    /// Waits for the reply. May be given up and waited for again.
    pub(super) async fn reply(&mut self) -> Option<String> {
        (&mut self.reply).await.ok()
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        if self.people.board().waiting.remove(&self.number).is_some() {
            self.people.changed();
        }
    }
}

/// The question without keys.
fn clean(question: &Question, scrub: &Scrub) -> Question {
    let part = |part: &Part| match part {
        Part::Text(text) => Part::Text(scrub.clean(text)),
        Part::Picture(picture) => Part::Picture(picture.clone()),
    };
    Question {
        agent: question.agent,
        role: scrub.clean(&question.role),
        parts: question.parts.iter().map(part).collect(),
        schema: question.schema.clone(),
    }
}

/// What identifies all that is sent with a question.
fn content(question: &Question, pieces: &[Piece<'_>]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    let mut text = |text: &str| {
        hasher.update(&text.len().to_le_bytes());
        hasher.update(text.as_bytes());
    };
    text(&question.role);
    text(&question.schema);
    for piece in pieces {
        match piece {
            Piece::Text(words) => text(words),
            Piece::Picture(sent) => text(&sent.hash.to_string()),
        }
    }
    hasher.finalize()
}
