//! What comes back: a stream of server-sent events, or one JSON body, into a reply.

use std::fmt::Display;
use std::time::{Duration, Instant};

use bytes::Bytes;
use eventsource_stream::{EventStreamError, Eventsource};
use futures_util::{Stream, StreamExt, stream};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::fault::{Fault, told_short};
use super::secret::Scrub;
use droidmux_record::Reply;

/// The most bytes of a body; a stream wraps every token in about a hundred.
const MOST_BODY: usize = 64 << 20;

/// The most bytes of a line of a stream, and of a body that is not a stream.
const MOST_LINE: usize = 2 << 20;

/// The most tokens that an endpoint may claim for one reply; more is a mistake on its side.
pub(super) const MOST_TOKENS: u64 = 100_000_000;

/// The interval between partial replies, since each is the whole text so far.
const BETWEEN_PARTIALS: Duration = Duration::from_millis(100);

/// Shows a reply while it is coming in.
pub(super) struct Partials<'a> {
    to: &'a (dyn Fn(&str) + Send + Sync),
    scrub: &'a Scrub,
    last: Option<Instant>,
}

/// A reply as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub text: String,
    /// As the endpoint names itself.
    pub model: String,
    /// For prompt and reply, as the endpoint counted them.
    pub usage: Option<(u64, u64)>,
    /// An answer came, whatever it contains.
    begun: bool,
    refusal: String,
    finish: String,
    done: bool,
}

impl<'a> Partials<'a> {
    pub(super) fn new(to: &'a (dyn Fn(&str) + Send + Sync), scrub: &'a Scrub) -> Self {
        Self { to, scrub, last: None }
    }

    fn show(&mut self, text: &str) {
        if self.last.is_none_or(|last| last.elapsed() >= BETWEEN_PARTIALS) {
            (self.to)(&self.scrub.clean_partial(text));
            self.last = Some(Instant::now());
        }
    }
}

impl Reading {
    /// Reads a body to its end. What was read stays when it fails, or when the future is dropped.
    pub(super) async fn read<E: Display>(
        &mut self,
        body: impl Stream<Item = Result<Bytes, E>> + Unpin,
        partials: &mut Partials<'_>,
    ) -> Result<(), Fault> {
        self.begun = true;
        let mut body = Box::pin(capped(body));
        let mut begin = Vec::new();
        while begin.iter().all(u8::is_ascii_whitespace) {
            match body.next().await {
                Some(chunk) => begin.extend_from_slice(&chunk?),
                None => return Err(Fault::passing("the body is empty")),
            }
        }
        if begin.trim_ascii_start().starts_with(b"{") {
            self.read_whole(begin, body, partials.scrub).await?;
        } else {
            let begun = stream::iter([Ok(Bytes::from(begin))]);
            self.read_events(begun.chain(body), partials).await?;
        }
        self.check(partials.scrub)
    }

    /// Whether an answer came that says nothing, not even why it is empty.
    pub(super) fn is_mute(&self) -> bool {
        self.begun && self.text.is_empty()
    }

    async fn read_whole(
        &mut self,
        mut text: Vec<u8>,
        mut body: impl Stream<Item = Result<Bytes, Fault>> + Unpin,
        scrub: &Scrub,
    ) -> Result<(), Fault> {
        while let Some(chunk) = body.next().await {
            text.extend_from_slice(&chunk?);
            if text.len() > MOST_LINE {
                return Err(Fault::passing("the body is too long"));
            }
        }
        self.take(&String::from_utf8_lossy(&text), scrub)?;
        self.done = true;
        Ok(())
    }

    async fn read_events(
        &mut self,
        body: impl Stream<Item = Result<Bytes, Fault>> + Unpin,
        partials: &mut Partials<'_>,
    ) -> Result<(), Fault> {
        let mut events = body.eventsource();
        while let Some(event) = events.next().await {
            let event = match event {
                // Some servers hang up once they have said all.
                Err(EventStreamError::Transport(_)) if !self.finish.is_empty() => break,
                event => event,
            };
            let event = event.map_err(|error| match error {
                EventStreamError::Transport(fault) if !self.text.is_empty() => {
                    let why = format!("{}, after {} bytes of the reply", fault.why, self.text.len());
                    Fault { why, ..fault }
                }
                EventStreamError::Transport(fault) => fault,
                EventStreamError::Utf8(_) => Fault::passing("the stream is no UTF-8"),
                EventStreamError::Parser(_) => {
                    Fault::passing("the body is neither JSON nor a stream of events")
                }
            })?;
            if event.data.trim() == "[DONE]" {
                self.done = true;
                break;
            }
            self.take(&event.data, partials.scrub)?;
            if !self.text.is_empty() {
                partials.show(&self.text);
            }
        }
        Ok(())
    }

    /// Takes in a piece of the stream, or the whole body: both have the same members. What is cut is
    /// cleaned before: half a key is a leak, too.
    fn take(&mut self, json: &str, scrub: &Scrub) -> Result<(), Fault> {
        let piece: Value = serde_json::from_str(json)
            .map_err(|error| Fault::passing(format!("it answered what is no JSON ({error})")))?;
        if piece.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Fault::of_body(&scrub.clean(json)));
        }
        if let Some(model) = piece.get("model").and_then(Value::as_str)
            && self.model.is_empty()
        {
            self.model = scrub.clean(model).chars().take(100).collect();
        }
        let tokens = |name| piece.pointer(name).and_then(Value::as_u64).map(|tokens| tokens.min(MOST_TOKENS));
        if let (Some(tokens_in), Some(tokens_out)) =
            (tokens("/usage/prompt_tokens"), tokens("/usage/completion_tokens"))
        {
            self.usage = Some((tokens_in, tokens_out));
        }
        let choices = piece.get("choices").and_then(Value::as_array).into_iter().flatten();
        for choice in choices.filter(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0) {
            self.take_choice(choice);
        }
        if self.text.len() > Reply::MOST_BYTES {
            return Err(Fault::passing(format!("the reply has more than {} KiB", Reply::MOST_BYTES >> 10)));
        }
        Ok(())
    }

    fn take_choice(&mut self, choice: &Value) {
        if let Some(said) = choice.get("delta").or_else(|| choice.get("message")) {
            match said.get("content") {
                Some(Value::String(text)) => self.text.push_str(text),
                Some(Value::Array(parts)) => {
                    let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
                    self.text.extend(texts);
                }
                _ => {}
            }
            self.refusal.push_str(said.get("refusal").and_then(Value::as_str).unwrap_or_default());
        }
        if let Some(finish) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish = finish.chars().take(100).collect();
        }
    }

    /// Whether it is a valid reply, now that nothing more is coming.
    fn check(&self, scrub: &Scrub) -> Result<(), Fault> {
        if self.finish == "content_filter" {
            return Err(Fault::lasting("its content filter stopped the reply"));
        }
        if self.text.trim().is_empty() && !self.refusal.is_empty() {
            return Err(Fault::lasting(format!(
                "the model refused: {}",
                told_short(&scrub.clean(&self.refusal))
            )));
        }
        if !self.done && self.finish.is_empty() {
            return Err(Fault::passing(match self.text.len() {
                0 => "the body holds no reply".into(),
                bytes => format!("the stream was cut after {bytes} bytes of the reply"),
            }));
        }
        if self.text.trim().is_empty() {
            return Err(Fault::passing("the reply is empty"));
        }
        if self.finish.is_empty() && is_cut(&self.text) {
            return Err(Fault::passing(format!(
                "the stream ended after {} bytes of the reply, in the midst of it; some servers drop a request when \
                 another comes: set `[llm] at-once` to 1",
                self.text.len()
            )));
        }
        Ok(())
    }
}

/// Whether a text is JSON that ends too early.
fn is_cut(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text.trim()).is_err_and(|error| error.is_eof())
}

/// The body; it ends with a fault when it or one of its lines is too long.
fn capped<E: Display>(
    body: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> impl Stream<Item = Result<Bytes, Fault>> {
    let (mut total, mut line) = (0_usize, 0_usize);
    body.map(move |chunk| {
        let chunk = chunk.map_err(|error| Fault::passing(format!("the connection broke: {error}")))?;
        total = total.saturating_add(chunk.len());
        line = match memchr::memrchr(b'\n', &chunk) {
            Some(end) => chunk.len() - end,
            None => line.saturating_add(chunk.len()),
        };
        if total > MOST_BODY || line > MOST_LINE {
            return Err(Fault::passing("the body is too long"));
        }
        Ok(chunk)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(chunks: Vec<Vec<u8>>) -> (Reading, Result<(), Fault>) {
        let scrub = Scrub::default();
        let mut reading = Reading::default();
        let body = stream::iter(chunks.into_iter().map(|chunk| Ok::<_, String>(Bytes::from(chunk))));
        let outcome = reading.read(body, &mut Partials::new(&|_| {}, &scrub)).await;
        (reading, outcome)
    }

    fn piece(text: &str) -> String {
        format!(
            "data: {}\n\n",
            serde_json::json!({ "choices": [{ "index": 0, "delta": { "content": text } }] })
        )
    }

    #[tokio::test]
    async fn streams_split_anywhere_are_read() {
        let usage = r#"data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}"#;
        let body = format!(": hello\n\n{}{}{usage}\n\ndata: [DONE]\n\n", piece("Grö"), piece("ße 😀"));
        for size in [1, 2, 3, 7, 1_000] {
            let (reading, outcome) = read(body.as_bytes().chunks(size).map(<[u8]>::to_vec).collect()).await;
            assert_eq!((reading.text.as_str(), reading.usage), ("Größe 😀", Some((7, 3))), "{size}");
            assert_eq!(outcome, Ok(()), "{size}");
        }
    }

    #[tokio::test]
    async fn bodies_that_are_no_reply_are_told() {
        let huge = piece(&"x".repeat(Reply::MOST_BYTES + 1));
        let line = format!("data: {}", "x".repeat(MOST_LINE));
        let filtered =
            r#"data: {"choices": [{"delta": {"content": "a"}, "finish_reason": "content_filter"}]}"#;
        let cases = [
            (String::new(), "the body is empty"),
            ("  \n ".into(), "the body is empty"),
            ("{}".into(), "the reply is empty"),
            ("{\"choices\": [".into(), "is no JSON"),
            ("<html>502</html>".into(), "holds no reply"),
            ("data: nonsense\n\n".into(), "is no JSON"),
            (piece("half"), "cut after 4 bytes"),
            ("data: [DONE]\n\n".into(), "the reply is empty"),
            (r#"{"error": {"message": "overloaded"}}"#.into(), "an error: overloaded"),
            ("data: {\"error\": {\"message\": \"overloaded\"}}\n\n".into(), "an error: overloaded"),
            (r#"{"choices": [{"message": {"content": null, "refusal": "No."}}]}"#.into(), "refused: No."),
            (format!("{filtered}\n\n"), "content filter"),
            // Dropped for another request, by a server that says it is done.
            (format!("{}data: [DONE]\n\n", piece("{\"half\": \"")), "in the midst of it"),
            (huge, "more than 256 KiB"),
            (line, "too long"),
            (format!("{{\"a\": \"{}\"", "x".repeat(MOST_LINE)), "too long"),
        ];
        for (body, expected) in cases {
            let shown: String = body.chars().take(80).collect();
            let (_, outcome) = read(body.into_bytes().chunks(1 << 16).map(<[u8]>::to_vec).collect()).await;
            let fault = outcome.expect_err(&shown);
            assert!(format!("{fault:?}").contains(expected), "{shown}: {fault:?}");
        }
    }

    #[tokio::test]
    async fn plain_bodies_and_contents_in_parts_are_read() {
        let plain =
            r#"{"model": "m-1", "choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]}"#;
        let parts = r#"{"choices": [{"message": {"content": [{"type": "text", "text": "all"}]}}]}"#;
        let second = r#"{"choices": [{"index": 0, "message": {"content": "all"}}, {"index": 1, "message": {"content": "x"}}]}"#;
        for body in [plain, parts, second] {
            let (reading, outcome) = read(vec![body.into()]).await;
            assert_eq!((reading.text.as_str(), outcome), ("all", Ok(())), "{body}");
        }
    }
}
