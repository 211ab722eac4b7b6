//! Questions that wait for people, as viewers see them.

use droidmux_llm::{NotTaken, People, Waiting, skeleton};
use droidmux_proto::{Reply, Taking, WaitingDetail, WaitingPart, WaitingView};
use droidmux_record::Part;
use droidmux_words::printable;

/// The line of a question in lists.
pub(super) fn waiting_view(waiting: &Waiting) -> WaitingView {
    let Waiting { number, session, technique, app, slot, since_ms, until_ms, question, pictures, tokens } =
        waiting;
    let texts = question.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        Part::Picture(_) => None,
    });
    let line = texts.flat_map(str::lines).map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line: String = line.chars().take(WaitingView::HEADLINE).collect();
    WaitingView {
        number: *number,
        session: *session,
        technique: technique.clone(),
        app: app.clone(),
        agent: question.agent,
        slot: *slot,
        since_ms: *since_ms,
        until_ms: *until_ms,
        tokens: *tokens,
        pictures: u32::try_from(pictures.len()).unwrap_or(u32::MAX),
        headline: printable(&line).into_owned(),
    }
}

/// A question in full; a picture that was not drawn is its name.
pub(super) fn question(people: &People, number: u64) -> Reply {
    let detail = people.question(number).map(|waiting| {
        let mut pictures = waiting.pictures.iter();
        let part = |part: &Part| match part {
            Part::Text(text) => WaitingPart::Text(text.clone()),
            Part::Picture(picture) => pictures.next().map_or_else(
                || WaitingPart::Text(picture.name().into()),
                |sent| WaitingPart::Picture(sent.hash),
            ),
        };
        Box::new(WaitingDetail {
            line: waiting_view(&waiting),
            role: waiting.question.role.clone(),
            parts: waiting.question.parts.iter().map(part).collect(),
            skeleton: skeleton(&waiting.question.schema),
            schema: waiting.question.schema.clone(),
        })
    });
    Reply::Question(number, detail.map_err(|error| error.to_string()))
}

/// Gives a question somebody's reply.
pub(super) fn answer(people: &People, number: u64, reply: &str) -> Reply {
    let taking = match people.answer(number, reply) {
        Ok(()) => Taking::Taken,
        Err(NotTaken::Unfit(faults)) => Taking::Unfit(faults),
        Err(gone) => Taking::Gone(gone.to_string()),
    };
    Reply::Answered(number, taking)
}
