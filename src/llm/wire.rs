//! Chat completions of one session: requests, their deadlines, and how often they are made again.

use std::time::Instant;

use bytes::Bytes;
use futures_util::StreamExt;
use serde_json::{Map, Value};

use super::budget::{Hold, Purse};
use super::endpoints::Endpoints;
use super::fault::{Fault, Remedy};
use super::manner::{Form, Manner};
use super::outcome::Said;
use super::reading::{Partials, Reading};
use super::request::{self, Piece};
use super::secret::Scrub;
use super::way::{Way, causes, setting};
use super::{LlmError, Secret};
use droidmux_record::{Exchange, LlmSettings, NoReply, Question, ReplyStyle};

/// The path of the chat completions below the base URL.
const CHAT: [&str; 2] = ["chat", "completions"];

/// The most characters shown of an endpoint's name for a model.
const MOST_OF_A_NAME: usize = 100;

#[derive(Debug)]
pub(super) struct Wire {
    way: Way,
    model: String,
    options: Map<String, Value>,
    style: ReplyStyle,
}

/// What is sent for one question, the same for every try.
pub(super) struct Request<'a> {
    pub question: &'a Question,
    pub pieces: &'a [Piece<'a>],
    /// Tokens of the prompt, estimated.
    pub estimate: u64,
    pub purse: &'a Purse,
    pub hold: &'a Hold<'a>,
    pub scrub: &'a Scrub,
}

impl Wire {
    pub(super) fn new(
        settings: &LlmSettings,
        key: Option<&Secret>,
        endpoints: &Endpoints,
    ) -> Result<Self, LlmError> {
        let way = Way::new(settings, &CHAT, key, endpoints)?;
        if settings.model.trim().is_empty() {
            return Err(setting("model", "is empty; name the model to ask"));
        }
        Ok(Self {
            way,
            model: settings.model.clone(),
            options: request::options(&settings.options)
                .map_err(|error| setting("options", error.to_string()))?,
            style: settings.replies,
        })
    }

    /// The model's name before it has answered.
    pub(super) fn name(&self) -> String {
        self.named(&self.model)
    }

    fn named(&self, model: &str) -> String {
        let model: String = model.chars().take(MOST_OF_A_NAME).collect();
        format!("{} at {}", droidmux_words::printable(&model), self.way.host())
    }

    /// Asks until there is a reply or no tries are left; the exchange gets its figures either way.
    ///
    /// # Errors
    ///
    /// Why there is no reply, and the endpoint's words.
    pub(super) async fn ask(
        &self,
        request: &Request<'_>,
        partials: &mut Partials<'_>,
        exchange: &mut Exchange,
    ) -> Said {
        let mut failures = 0;
        // An answer that said nothing may give a reason when it is not streamed: its status has not been sent by then.
        let mut mute = false;
        loop {
            let known = self.way.endpoint().manner(&self.model, self.style);
            let manner = if mute { known.in_one_piece() } else { known };
            let mut reading = Reading::default();
            let tried = self.try_once(request, manner, &mut reading, partials, exchange).await;
            self.count(request, &reading, tried.is_ok(), exchange);
            let Err(fault) = tried else { return Ok(reading.text) };
            let fixed = Form::fixed(self.style).is_some();
            if let Some(simpler) = known.simpler(&fault, fixed) {
                self.way.endpoint().learn(&self.model, simpler, fixed);
                exchange.tries.push(format!("{}; asked again {}", fault.why, simpler.words()));
                continue;
            }
            let named = fixed && manner.is_named(&fault);
            let Fault { remedy, why, .. } = fault;
            let wait = match remedy {
                Remedy::Again { wait } if !named => wait,
                Remedy::Again { .. } => {
                    return Err((NoReply::Refused, self.told(&format!("{why}; check `[llm] replies`"))));
                }
                Remedy::Otherwise | Remedy::None => return Err((NoReply::Refused, self.told(&why))),
            };
            tracing::debug!("{}", request.scrub.clean(&self.told(&why)));
            failures += 1;
            if failures > self.way.retries() {
                return Err((NoReply::Unreachable, self.told(&format!("{why} (try {failures}, the last)"))));
            }
            request
                .hold
                .affords(exchange)
                .map_err(|used_up| (NoReply::Budget, format!("{why}; {used_up}")))?;
            mute |= manner.stream && reading.is_mute();
            exchange.tries.push(why);
            tokio::time::sleep(self.way.back_off(failures, wait)).await;
        }
    }

    fn told(&self, why: &str) -> String {
        format!("{}: {why}", self.name())
    }

    /// One request, when the endpoint has room for it, from sending to the last byte.
    async fn try_once(
        &self,
        request: &Request<'_>,
        manner: Manner,
        reading: &mut Reading,
        partials: &mut Partials<'_>,
        exchange: &mut Exchange,
    ) -> Result<(), Fault> {
        let _room = self.way.room().await;
        let body = request::body(&self.model, &self.options, request.question, request.pieces, manner);
        let began = Instant::now();
        let sent = self.send(Bytes::from(body.to_string()), reading, partials);
        let tried = tokio::time::timeout(self.way.timeout(), sent).await;
        exchange.latency_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        tried.unwrap_or_else(|_| {
            let read = reading.text.len();
            let seconds = self.way.timeout().as_secs();
            Err(Fault::passing(format!("no end of the reply within {seconds} s ({read} bytes of it came)")))
        })
    }

    async fn send(
        &self,
        body: Bytes,
        reading: &mut Reading,
        partials: &mut Partials<'_>,
    ) -> Result<(), Fault> {
        let response = self.way.send(body, "text/event-stream, application/json").await?;
        let body = response.bytes_stream().map(|chunk| chunk.map_err(|error| causes(&error.without_url())));
        reading.read(Box::pin(body), partials).await
    }

    /// Adds what a try used: the endpoint's count, or an estimate if the endpoint sent anything.
    fn count(&self, request: &Request<'_>, reading: &Reading, replied: bool, exchange: &mut Exchange) {
        let estimated =
            (replied || !reading.text.is_empty()).then(|| (request.estimate, request::tokens(&reading.text)));
        let (tokens_in, tokens_out) = reading.usage.or(estimated).unwrap_or_default();
        exchange.tokens_in = exchange.tokens_in.saturating_add(tokens_in);
        exchange.tokens_out = exchange.tokens_out.saturating_add(tokens_out);
        exchange.cost = request.purse.cost(exchange.tokens_in, exchange.tokens_out);
        let model = if reading.model.is_empty() { &self.model } else { &reading.model };
        exchange.answered_by = self.named(model);
    }
}
