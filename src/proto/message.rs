//! Requests of a viewer and the lab's replies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Digest, DoctorView, ExchangeDetail, ExchangeView, FindingDetail, FindingMark, FindingView, Lens, LogLens,
    LogRow, MapView, RecorderOpening, RecorderOrder, RecorderView, SessionFileView, Sought, Start,
    StartFault, StepSubject, StepView, StepperView, Taking, VerdictView, WaitingDetail,
};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{
    Agent, BlobHash, Bookmark, FindingId, FindingState, SessionId, Slot, StepOrder, TurnPlace,
};

/// What a viewer asks of the lab, or has it do. Each has at most one [`Reply`]; the effect of an action shows in the
/// view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Steps of a session's log from sequence `from`, at most `limit`.
    Steps {
        /// Whose log.
        session: SessionId,
        /// Sequence number of the first step wanted.
        from: u64,
        /// The most steps; the lab sends fewer if its own cap is lower.
        limit: u32,
    },
    /// Verdicts of a session from sequence `from`, at most `limit`.
    Verdicts {
        /// Whose verdicts.
        session: SessionId,
        /// Sequence number of the first verdict wanted.
        from: u64,
        /// The most verdicts.
        limit: u32,
    },
    /// Rows from `from`, at most `limit`, of the list of a session's exchanges, or of those of one
    /// agent.
    Exchanges {
        /// Whose exchanges.
        session: SessionId,
        /// Only those of this agent; rows are counted among them. `None` for all.
        agent: Option<Agent>,
        /// The first row, from 0.
        from: u64,
        /// The most rows.
        limit: u32,
    },
    /// One exchange in full.
    Exchange {
        /// Whose log of exchanges.
        session: SessionId,
        /// Position in that log, from 0.
        seq: u64,
    },
    /// The nearest row of such a list whose prompt or reply contains this text, regardless of case: from row `from` on,
    /// or backwards from it.
    FindExchange {
        /// Whose exchanges.
        session: SessionId,
        /// Only those of this agent; rows are counted among them. `None` for all.
        agent: Option<Agent>,
        /// The row to begin with; it is included.
        from: u64,
        /// Towards the first row instead of the last.
        backwards: bool,
        /// What prompt or reply must contain.
        text: String,
    },
    /// The position of a turn in the log of a session's steps; for a turn that is not a step, the first step after it
    /// in its job.
    FindStep {
        /// Whose steps.
        session: SessionId,
        /// The turn.
        place: TurnPlace,
    },
    /// What a session has mined of its app.
    Map(SessionId),
    /// Rows of a session's log as one test or one device did it.
    Trace {
        /// Whose log.
        session: SessionId,
        /// Which of its steps; rows are counted among them.
        lens: Lens,
        /// The first row, from 0.
        from: u64,
        /// The most rows.
        limit: u32,
    },
    /// The nearest matching row: from row `from` on, or backwards from it.
    SeekStep {
        /// Whose log.
        session: SessionId,
        /// Rows are counted among these of its steps.
        lens: Lens,
        /// The row to begin with; it is included.
        from: u64,
        /// Towards the first row instead of the last.
        backwards: bool,
        /// What the row must have.
        sought: Sought,
    },
    /// Which verdict judges a test.
    FindVerdict {
        /// Whose verdicts.
        session: SessionId,
        /// The job that was judged.
        slot: Slot,
        /// Test of the job, from 0.
        test: u16,
    },
    /// The step that a verdict's evidence names, or else the first one of its test.
    FindEvidence {
        /// Whose verdicts.
        session: SessionId,
        /// Sequence number of the verdict.
        verdict: u64,
    },
    /// Rows of the lab's own log.
    Log {
        /// Which of them; rows are counted among these.
        lens: LogLens,
        /// The first row, from 0; rows that are no longer kept are left out.
        from: u64,
        /// The most rows.
        limit: u32,
    },
    /// The nearest row of the lab's log that contains this text, regardless of case: from row `from` on, or backwards
    /// from it.
    SeekLog {
        /// Rows are counted among these.
        lens: LogLens,
        /// The row to begin with; it is included.
        from: u64,
        /// Towards the first row instead of the last.
        backwards: bool,
        /// What line or source must contain.
        text: String,
    },
    /// The findings of all sessions.
    Findings,
    /// One finding in full.
    Finding(FindingId),
    /// The steps that people marked, of all sessions.
    Bookmarks,
    /// Marks a step, or removes its mark; answered like [`Request::Bookmarks`].
    Bookmark {
        /// Whose step.
        session: SessionId,
        /// Its number in the session's log of steps.
        seq: u64,
        /// Whether it is to be marked.
        marked: bool,
    },
    /// A layout by its hash.
    Layout(LayoutHash),
    /// A screenshot by its hash.
    Screenshot(BlobHash),
    /// A person's judgement of a finding.
    Mark {
        /// Which finding.
        finding: FindingId,
        /// What the person says about it.
        state: FindingState,
        /// The person's words; empty for none.
        note: String,
    },
    /// No further job or act begins until resumed.
    Pause(SessionId),
    /// Continues after a pause.
    Resume(SessionId),
    /// Ends the session cleanly after the acts under way.
    Stop(SessionId),
    /// Lets a paused session perform this many acts; one that is running is paused after them.
    Step {
        /// Which session.
        session: SessionId,
        /// Acts until it is paused again.
        acts: u32,
    },
    /// Sessions with a higher priority get devices first; 0 initially.
    Priority {
        /// Which session.
        session: SessionId,
        /// Its priority from here on; negative puts it behind the others.
        priority: i32,
    },
    /// What happened since this person last left.
    Digest,
    /// Shows an ended session of the store among the others.
    Open(SessionId),
    /// A person's judgements of several findings at once.
    Marks(Vec<FindingMark>),
    /// Runs a finding's tests again, in a session of its own.
    Replay {
        /// Which finding.
        finding: FindingId,
        /// How often.
        times: u32,
    },
    /// Searches for as few events as still show a finding, in a separate session.
    Shrink(FindingId),
    /// Begins a session in which this person leads a test through.
    OpenStepper {
        /// Which test.
        subject: StepSubject,
        /// The serial of the device; `None` for any.
        serial: Option<String>,
        /// A session that led the same test: its orders are carried out first.
        after: Option<SessionId>,
    },
    /// The state of the test that a session leads.
    Stepper(SessionId),
    /// Has the doctor examine devices, store and whatever else a session needs; devices at work are not disturbed.
    Examine,
    /// What the doctor has found.
    Doctor,
    /// What a waiting test is to do next.
    Order {
        /// The session that leads it.
        session: SessionId,
        /// What to do.
        order: StepOrder,
    },
    /// Begins a recording; answered like [`Request::Recorder`].
    OpenRecorder(RecorderOpening),
    /// The state of this lab's recording; there is one at a time.
    Recorder,
    /// What the recorder is to do.
    Record(RecorderOrder),
    /// The session files that can be chosen from.
    SessionFiles {
        /// Where they are looked for; the lab's own folder if none of that name exists.
        folder: String,
    },
    /// Begins a session from a file.
    Start(Start),
    /// Continues a session of the store that ended before it was finished.
    GoOn {
        /// Which session.
        session: SessionId,
        /// Even if the app or a device has another build than before.
        accept_builds: bool,
    },
    /// Has today's rules and all oracles judge what a finding's session recorded.
    Recheck(FindingId),
    /// A question that waits for people, in full, by its number.
    Question(u64),
    /// Somebody's reply to such a question.
    Answer {
        /// The question's number.
        number: u64,
        /// JSON by the question's schema.
        reply: String,
    },
}

impl Request {
    /// Whether it changes anything beyond what the viewer sees.
    pub fn changes(&self) -> bool {
        match self {
            Self::Steps { .. }
            | Self::Verdicts { .. }
            | Self::Exchanges { .. }
            | Self::Exchange { .. }
            | Self::FindExchange { .. }
            | Self::FindStep { .. }
            | Self::Map(_)
            | Self::Trace { .. }
            | Self::SeekStep { .. }
            | Self::FindVerdict { .. }
            | Self::FindEvidence { .. }
            | Self::Open(_)
            | Self::Log { .. }
            | Self::SeekLog { .. }
            | Self::Bookmarks
            | Self::Findings
            | Self::Finding(_)
            | Self::Layout(_)
            | Self::Screenshot(_)
            | Self::Stepper(_)
            | Self::Recorder
            | Self::Doctor
            | Self::SessionFiles { .. }
            | Self::Question(_)
            | Self::Digest => false,
            Self::Mark { .. }
            | Self::Marks(_)
            | Self::Bookmark { .. }
            | Self::Replay { .. }
            | Self::Shrink(_)
            | Self::Pause(_)
            | Self::Resume(_)
            | Self::Stop(_)
            | Self::Step { .. }
            | Self::OpenStepper { .. }
            | Self::Examine
            | Self::Order { .. }
            | Self::OpenRecorder(_)
            | Self::Record(_)
            | Self::Start(_)
            | Self::GoOn { .. }
            | Self::Recheck(_)
            | Self::Answer { .. }
            | Self::Priority { .. } => true,
        }
    }
}

/// What the lab answers. The names are those of the [`Request`]s, and the values of the request are repeated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To [`Request::Steps`].
    Steps {
        /// Whose log.
        session: SessionId,
        /// As requested.
        from: u64,
        /// In the order of the log; the first has sequence `from`, if there is one.
        steps: Vec<StepView>,
    },
    /// To [`Request::Verdicts`].
    Verdicts {
        /// Whose verdicts.
        session: SessionId,
        /// As requested.
        from: u64,
        /// In their order, from `from` on.
        verdicts: Vec<VerdictView>,
    },
    /// To [`Request::Exchanges`].
    Exchanges {
        /// Whose exchanges.
        session: SessionId,
        /// As requested.
        agent: Option<Agent>,
        /// The row of the first one, as requested.
        from: u64,
        /// In the order of the list, newest last.
        exchanges: Vec<ExchangeView>,
    },
    /// To [`Request::Exchange`].
    Exchange {
        /// Whose log of exchanges.
        session: SessionId,
        /// As requested.
        seq: u64,
        /// The exchange in full; `None` when it does not exist.
        detail: Option<Box<ExchangeDetail>>,
    },
    /// To [`Request::FindExchange`].
    FoundExchange {
        /// Whose exchanges.
        session: SessionId,
        /// As requested.
        agent: Option<Agent>,
        /// As requested.
        text: String,
        /// The row in the list that was searched; `None` when there is no match.
        row: Option<u64>,
    },
    /// To [`Request::FindStep`].
    FoundStep {
        /// As requested.
        session: SessionId,
        /// As requested.
        place: TurnPlace,
        /// The sequence number of the step; `None` when the job has no such step.
        row: Option<u64>,
    },
    /// To [`Request::Map`]; `None` when the store has no such session.
    Map(SessionId, Option<Box<MapView>>),
    /// To [`Request::Trace`].
    Trace {
        /// Whose log.
        session: SessionId,
        /// As requested.
        lens: Lens,
        /// As requested.
        from: u64,
        /// How many rows there are so far.
        len: u64,
        /// Steps of the log searched so far; there may be further rows beyond.
        looked: u64,
        /// Each with its row.
        steps: Vec<(u64, StepView)>,
    },
    /// To [`Request::SeekStep`].
    SoughtStep {
        /// As requested.
        session: SessionId,
        /// As requested.
        lens: Lens,
        /// As requested.
        sought: Sought,
        /// The row; `None` when none has it.
        row: Option<u64>,
        /// The log is longer than the part that was searched.
        gave_up: bool,
    },
    /// To [`Request::FindVerdict`].
    FoundVerdict {
        /// As requested.
        session: SessionId,
        /// As requested.
        slot: Slot,
        /// As requested.
        test: u16,
        /// The sequence number of the verdict, of a violation if there is one; `None` without a verdict.
        row: Option<u64>,
    },
    /// To [`Request::FindEvidence`].
    FoundEvidence {
        /// As requested.
        session: SessionId,
        /// As requested.
        verdict: u64,
        /// The sequence number of the step; `None` when the verdict has none in the log.
        row: Option<u64>,
    },
    /// To [`Request::Log`].
    Log {
        /// As requested.
        lens: LogLens,
        /// As requested.
        from: u64,
        /// How many rows there are so far.
        len: u64,
        /// How many lines had been written to the log, whatever the lens.
        written: u64,
        /// Each with its number, in the order they were written.
        rows: Vec<(u64, LogRow)>,
    },
    /// To [`Request::SeekLog`].
    SoughtLog {
        /// As requested.
        lens: LogLens,
        /// As requested.
        text: String,
        /// The row; `None` when there is no further match.
        row: Option<u64>,
    },
    /// Of all sessions; also the answer to a mark.
    Findings(Vec<FindingView>),
    /// To [`Request::Bookmarks`] and [`Request::Bookmark`]: by session and step.
    Bookmarks(Vec<Bookmark>),
    /// To [`Request::Finding`].
    Finding(Box<FindingDetail>),
    /// `None` when the store does not have it.
    Layout(LayoutHash, Option<Arc<Layout>>),
    /// PNG bytes.
    Screenshot(BlobHash, Option<Arc<Vec<u8>>>),
    /// A request that could not be fulfilled, and why.
    Refused {
        /// What was asked.
        request: Request,
        /// In words, for the person who asked.
        why: String,
    },
    /// To [`Request::Digest`].
    Digest(Box<Digest>),
    /// To [`Request::OpenStepper`]: the test, and the session that was begun.
    Opened(StepSubject, SessionId),
    /// To [`Request::Stepper`]; `None` for a session in which no test is led.
    Stepper(SessionId, Option<Box<StepperView>>),
    /// To [`Request::Recorder`] and [`Request::OpenRecorder`]; `None` while nothing is recorded.
    Recorder(Option<Box<RecorderView>>),
    /// To [`Request::Doctor`].
    Doctor(Box<DoctorView>),
    /// To [`Request::SessionFiles`].
    SessionFiles {
        /// As requested.
        folder: String,
        /// By path; those that cannot be run, with the reason.
        files: Vec<SessionFileView>,
    },
    /// To [`Request::Start`]: the session that began, or why none did.
    Started(Start, Result<SessionId, StartFault>),
    /// To [`Request::Recheck`]: the result, in words; the finding has the details.
    Rechecked(FindingId, String),
    /// To [`Request::Question`]: the question, or why it does not wait.
    Question(u64, Result<Box<WaitingDetail>, String>),
    /// To [`Request::Answer`]: the question's number, and what became of the reply.
    Answered(u64, Taking),
    /// This many replies were lost because they were not read in time: anything still wanted must be requested again.
    Resync(u64),
}
