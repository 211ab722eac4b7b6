//! Exchanges with language models as viewers see them, made from a turn and its place.

use std::collections::BTreeMap;

use droidmux_llm::{People, QuestionPlace};
use droidmux_proto::{ExchangeDetail, ExchangeView, SuspicionView};
use droidmux_record::{
    Act, Agent, Answer, Exchange, Question, SessionId, Slot, Spent, StepPlace, Turn, TurnPlace, Work,
};
use droidmux_store::{Store, StoreError};
use droidmux_technique::reader::{self, ReadStretches, Reading, ReviewFinding, StepName};
use droidmux_words::printable;

/// Characters of a headline.
const HEADLINE: usize = 160;
/// How many exchanges are read at once when all of them are gone through.
const PAGE: u32 = 256;

/// The question of a turn and how it went; `None` for turns that are no exchange.
pub(super) fn exchange_of(turn: &Turn) -> Option<(&Question, &Exchange)> {
    let Act::Consult(consultation) = &turn.act else { return None };
    let exchange = match turn.observation.answer()? {
        Answer::Reply(reply) => &reply.exchange,
        Answer::None(unanswered) => &unanswered.exchange,
        Answer::Inputs(_)
        | Answer::Foretold(_)
        | Answer::Examples(_)
        | Answer::Order(_)
        | Answer::Differences(_) => return None,
    };
    Some((consultation.question()?, exchange))
}

/// The line of exchange `seq` in lists.
pub(super) fn exchange_view(seq: u64, place: &StepPlace, turn: &Turn) -> Option<ExchangeView> {
    let (question, exchange) = exchange_of(turn)?;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Some(ExchangeView {
        seq,
        slot: place.slot,
        turn: place.turn,
        device: place.device.clone(),
        agent: question.agent,
        answered_by: exchange.answered_by.clone(),
        headline: headline(&said(question.agent, reply_text(turn))),
        failed: matches!(turn.observation.answer(), Some(Answer::None(_))),
        differs: !exchange.differs.is_empty(),
        failed_tries: count(exchange.tries.len()),
        pictures: count(exchange.pictures.len()),
        tokens_in: exchange.tokens_in,
        tokens_out: exchange.tokens_out,
        cost: exchange.cost,
        latency_ms: exchange.latency_ms,
        at_ms: turn.at_ms,
    })
}

/// A reply in the words that a list has room for, where more is known of it than how it begins.
fn said(agent: Agent, reply: String) -> String {
    reader::headline(agent, &reply).unwrap_or(reply)
}

/// Exchange `seq` in full; `None` when there is none.
pub(super) fn exchange_detail(
    store: &Store,
    session: SessionId,
    seq: u64,
) -> Result<Option<ExchangeDetail>, StoreError> {
    let Some((place, turn)) = turns(store, session, seq, 1)?.into_iter().map(|(_, p, t)| (p, t)).next()
    else {
        return Ok(None);
    };
    let (Some(line), Some((question, exchange))) = (exchange_view(seq, &place, &turn), exchange_of(&turn))
    else {
        return Ok(None);
    };
    let reply = reply_text(&turn);
    let work = store.job(session, place.slot)?.map(|job| job.work);
    let finding = work.as_ref().and_then(Work::content).map(|review: ReviewFinding| review.finding);
    let read = work.as_ref().and_then(Work::content).map(|read: ReadStretches| read.session);
    // Only a reader's job has sessions to cite from.
    let said = read.and_then(|read| Some((read, reader::reading(&reply)?)));
    let (suspicions, notebook) = said.map(|(read, said)| suspected(read, said)).unwrap_or_default();
    Ok(Some(ExchangeDetail {
        line,
        role: question.role.clone(),
        prompt: question.text(),
        pictures: exchange.pictures.clone(),
        reply,
        tries: exchange.tries.clone(),
        differs: exchange.differs.clone(),
        suspicions,
        notebook,
        finding,
    }))
}

/// What a reply says about the steps of a session, and what it notes of the app.
fn suspected(session: SessionId, said: Reading) -> (Vec<SuspicionView>, Vec<String>) {
    let places = |steps: &[StepName]| {
        steps.iter().map(|step| TurnPlace { slot: Slot(step.slot), turn: step.turn }).collect()
    };
    let suspicions = said.suspicions.iter().map(|one| SuspicionView {
        words: printable(&format!("{}: {}, not {}", one.done, one.shown, one.expected)).into_owned(),
        confidence: one.confidence,
        session,
        steps: places(&one.steps),
        controls: places(&one.controls),
    });
    let notebook = said.notebook.iter().map(|line| printable(line).into_owned());
    (suspicions.collect(), notebook.collect())
}

/// Lines of a session's list of exchanges, by their numbers.
pub(super) fn exchange_lines(
    store: &Store,
    session: SessionId,
    numbers: &[u64],
) -> Result<Vec<ExchangeView>, StoreError> {
    let mut lines = Vec::with_capacity(numbers.len());
    // Those of one agent often stand alone, those of all in one run.
    for run in numbers.chunk_by(|number, next| number.checked_add(1) == Some(*next)) {
        let (Some(first), Ok(count)) = (run.first(), u32::try_from(run.len())) else { continue };
        let turns = turns(store, session, *first, count)?;
        lines.extend(turns.iter().filter_map(|(seq, place, turn)| exchange_view(*seq, place, turn)));
    }
    Ok(lines)
}

/// The first of these exchanges whose prompt or reply contains this text, ignoring case, by its place among them.
pub(super) fn find_exchange(
    store: &Store,
    session: SessionId,
    numbers: impl Iterator<Item = u64>,
    text: &str,
) -> Result<Option<usize>, StoreError> {
    let wanted = text.to_lowercase();
    for (place, number) in numbers.enumerate() {
        if turns(store, session, number, 1)?.iter().any(|(_, _, turn)| holds(turn, &wanted)) {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Who asked in the exchanges of a session, in order, and what they used, including those of attempts that were lost.
pub(super) fn asked(store: &Store, session: SessionId) -> Result<(Vec<Agent>, Spent), StoreError> {
    let (mut agents, mut spent) = (Vec::new(), Spent::default());
    let count = store.exchange_count(session)?;
    let mut from = 0;
    while from < count {
        for (_, _, turn) in turns(store, session, from, PAGE)? {
            if let Some((question, _)) = exchange_of(&turn) {
                agents.push(question.agent);
            }
            if let Some(answer) = turn.observation.answer() {
                spent.count(answer);
            }
        }
        from = from.saturating_add(PAGE.into());
    }
    Ok((agents, spent))
}

/// Tells people's board what a session was answered before it was interrupted.
pub(super) fn recollect(store: &Store, session: SessionId, people: &People) -> Result<(), StoreError> {
    let mut asked: BTreeMap<(Slot, u32, Agent), u32> = BTreeMap::new();
    let count = store.exchange_count(session)?;
    for from in (0..count).step_by(PAGE as usize) {
        for (_, place, turn) in turns(store, session, from, PAGE)? {
            let Some((question, exchange)) = exchange_of(&turn) else { continue };
            let next = asked.entry((place.slot, place.attempt, question.agent)).or_default();
            let ordinal = *next;
            *next = next.saturating_add(1);
            if let Some(Answer::Reply(reply)) = turn.observation.answer() {
                let place = QuestionPlace { slot: place.slot, ordinal };
                people.remember(session, place, question, &exchange.pictures, &reply.text);
            }
        }
    }
    Ok(())
}

fn turns(
    store: &Store,
    session: SessionId,
    from: u64,
    limit: u32,
) -> Result<Vec<(u64, StepPlace, Turn)>, StoreError> {
    let mut turns = Vec::new();
    for (seq, place) in store.exchanges(session, from, limit)? {
        if let Some(turn) = store.turn(session, place.slot, place.attempt, place.turn)? {
            turns.push((seq, place, turn));
        }
    }
    Ok(turns)
}

fn reply_text(turn: &Turn) -> String {
    match turn.observation.answer() {
        Some(Answer::Reply(reply)) => reply.text.clone(),
        Some(Answer::None(unanswered)) => format!("{}: {}", unanswered.why.name(), unanswered.detail),
        Some(
            Answer::Inputs(_)
            | Answer::Foretold(_)
            | Answer::Examples(_)
            | Answer::Order(_)
            | Answer::Differences(_),
        )
        | None => String::new(),
    }
}

fn holds(turn: &Turn, wanted: &str) -> bool {
    exchange_of(turn).is_some_and(|(question, _)| {
        question.text().to_lowercase().contains(wanted) || reply_text(turn).to_lowercase().contains(wanted)
    })
}

fn headline(reply: &str) -> String {
    let line = reply.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(HEADLINE).collect();
    printable(&short).into_owned()
}
