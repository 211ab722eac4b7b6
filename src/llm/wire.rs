//! One session's way to one endpoint: requests, their deadlines, and how often they are made again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;
use jiff::Timestamp;
use rand::Rng;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde_json::{Map, Value};

use super::budget::{Hold, Purse};
use super::endpoints::{Endpoint, Endpoints, Manner};
use super::fault::{self, Fault};
use super::outcome::Said;
use super::reading::{Partials, Reading};
use super::request::{self, Piece};
use super::secret::Scrub;
use super::{LlmError, Secret};
use crate::record::{Exchange, LlmSettings, NoReply, Question, ReplyStyle};

/// Where the chat completions are below the base URL.
const CHAT: [&str; 2] = ["chat", "completions"];

/// The longest wait between two tries.
const MOST_BACK_OFF: Duration = Duration::from_secs(30);

/// Bytes of an error's body that are read.
const MOST_OF_AN_ERROR: usize = 64 << 10;

/// Characters of an endpoint's name for a model that are told.
const MOST_OF_A_NAME: usize = 100;

#[derive(Debug)]
pub(super) struct Wire {
    http: Client,
    endpoint: Arc<Endpoint>,
    /// Of the chat completions.
    url: Url,
    /// The host, and the port where it is not the usual one.
    host: String,
    auth: Option<(HeaderName, HeaderValue)>,
    model: String,
    options: Map<String, Value>,
    style: ReplyStyle,
    timeout: Duration,
    retries: u32,
    first_wait: Duration,
}

/// What is sent for one question, whatever the try.
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
        let base = base_url(&settings.base_url)?;
        if settings.model.trim().is_empty() {
            return Err(setting("model", "is empty; name the model to ask"));
        }
        Ok(Self {
            http: endpoints.http(&base)?,
            endpoint: endpoints.endpoint(&base, settings.at_once),
            url: address(&base, &CHAT, &settings.query),
            host: host(&base),
            auth: key.map(|key| header(&settings.key_header, key)).transpose()?,
            model: settings.model.clone(),
            options: request::options(&settings.options).map_err(|why| setting("options", why))?,
            style: settings.replies,
            timeout: Duration::from_secs(u64::from(settings.timeout.max(1))),
            retries: settings.retries,
            first_wait: endpoints.first_wait(),
        })
    }

    /// Who is asked, before it answered.
    pub(super) fn name(&self) -> String {
        self.named(&self.model)
    }

    fn named(&self, model: &str) -> String {
        let model: String = model.chars().take(MOST_OF_A_NAME).collect();
        format!("{} at {}", crate::gui::printable(&model), self.host)
    }

    /// Asks until there is a reply or no try is left; the exchange gets its figures either way.
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
        loop {
            let manner = self.endpoint.manner(&self.model, self.style);
            let mut reading = Reading::default();
            let tried = self.try_once(request, manner, &mut reading, partials, exchange).await;
            self.count(request, &reading, tried.is_ok(), exchange);
            let (why, wait) = match tried {
                Ok(()) => return Ok(reading.text),
                Err(Fault::Lasting(why)) => return Err((NoReply::Refused, self.told(&why))),
                Err(Fault::Refused { why, said }) => {
                    let fixed = self.style != ReplyStyle::Auto;
                    let Some(simpler) = manner.simpler(&said, fixed) else {
                        return Err((NoReply::Refused, self.told(&why)));
                    };
                    self.endpoint.learn(&self.model, simpler, fixed);
                    exchange.tries.push(format!("{why}; asked again {}", simpler.words()));
                    continue;
                }
                Err(Fault::Passing { why, wait }) => (why, wait),
            };
            tracing::debug!("{}", request.scrub.clean(&self.told(&why)));
            failures += 1;
            if failures > self.retries {
                return Err((NoReply::Unreachable, self.told(&format!("{why} (try {failures}, the last)"))));
            }
            request
                .hold
                .affords(exchange)
                .map_err(|used_up| (NoReply::Budget, format!("{why}; {used_up}")))?;
            exchange.tries.push(why);
            tokio::time::sleep(self.back_off(failures, wait)).await;
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
        // The gate is never closed.
        let _permit = self.endpoint.gate.acquire().await;
        let body = request::body(&self.model, &self.options, request.question, request.pieces, manner);
        let began = Instant::now();
        let sent = self.send(Bytes::from(body.to_string()), reading, partials);
        let tried = tokio::time::timeout(self.timeout, sent).await;
        exchange.latency_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        tried.unwrap_or_else(|_| {
            let read = reading.text.len();
            let seconds = self.timeout.as_secs();
            Err(Fault::passing(format!("no end of the reply within {seconds} s ({read} bytes of it came)")))
        })
    }

    async fn send(
        &self,
        body: Bytes,
        reading: &mut Reading,
        partials: &mut Partials<'_>,
    ) -> Result<(), Fault> {
        let mut request = self
            .http
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json");
        if let Some((name, value)) = &self.auth {
            request = request.header(name, value);
        }
        let response = request.body(body).send().await.map_err(|error| Fault::passing(unsent(error)))?;
        if !response.status().is_success() {
            return Err(refusal(response).await);
        }
        let body = response.bytes_stream().map(|chunk| chunk.map_err(|error| causes(&error.without_url())));
        reading.read(Box::pin(body), partials).await
    }

    /// Adds what a try used: what the endpoint counted, else an estimate where it sent anything.
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

    /// What the endpoint asks to be waited, or twice as long as before; in part by chance, so that
    /// sessions that failed together do not come back together.
    fn back_off(&self, failures: u32, asked: Option<Duration>) -> Duration {
        let chance = rand::rng().random_range(0.5..=1.0);
        let doubled = self.first_wait.saturating_mul(1 << (failures - 1).min(16)).min(MOST_BACK_OFF);
        let ours = doubled.mul_f64(chance);
        asked.map_or(ours, |asked| asked.saturating_add(ours.min(asked / 10)))
    }
}

/// The fault that an answer without success stands for.
async fn refusal(response: Response) -> Fault {
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after = retry_after.map(str::to_owned);
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(Ok(chunk)) = chunks.next().await {
        body.extend_from_slice(&chunk);
        if body.len() > MOST_OF_AN_ERROR {
            body.truncate(MOST_OF_AN_ERROR);
            break;
        }
    }
    fault::of_status(status, retry_after.as_deref(), &String::from_utf8_lossy(&body), Timestamp::now())
}

/// Why a request did not get through, in words.
fn unsent(error: reqwest::Error) -> String {
    let what = if error.is_connect() { "it cannot be reached" } else { "the request did not get through" };
    format!("{what}: {}", causes(&error.without_url()))
}

/// The innermost cause of an error: the others repeat that there is one.
fn causes(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    fault::told_short(&innermost.to_string())
}

pub(super) fn base_url(text: &str) -> Result<Url, LlmError> {
    let wrong = |why: &str| setting("base-url", format!("`{text}` {why}; it looks like `https://host/v1`"));
    if text.trim().is_empty() {
        return Err(setting("base-url", "is empty; give what comes before `/chat/completions`"));
    }
    let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("is no URL ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong("is no address of a web server"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Not repeated: it holds a password.
        return Err(setting("base-url", "holds a user or password; name the key by `key-env`"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("has a query; give that as `query`"));
    }
    Ok(url)
}

/// The address of a service below the base.
pub(super) fn address(base: &Url, service: &[&str], query: &str) -> Url {
    let mut url = base.clone();
    // Web addresses always have segments.
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(service);
    }
    let query = query.trim().trim_start_matches('?');
    url.set_query((!query.is_empty()).then_some(query));
    url
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

pub(super) fn header(name: &str, key: &Secret) -> Result<(HeaderName, HeaderValue), LlmError> {
    let name = HeaderName::try_from(name)
        .map_err(|_| setting("key-header", format!("`{name}` is no name of a header")))?;
    let bearer = if name == AUTHORIZATION { "Bearer " } else { "" };
    let mut value = HeaderValue::try_from(format!("{bearer}{}", key.expose()))
        .map_err(|_| setting("key-env", "the key in it holds characters that no header can"))?;
    value.set_sensitive(true);
    Ok((name, value))
}

fn setting(field: &'static str, why: impl Into<String>) -> LlmError {
    LlmError::Setting { field, why: why.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_made_of_base_and_query() {
        let cases = [
            ("https://api.openai.com/v1", "", "https://api.openai.com/v1/chat/completions", "api.openai.com"),
            (
                "http://localhost:11434/v1/",
                "",
                "http://localhost:11434/v1/chat/completions",
                "localhost:11434",
            ),
            (
                "https://me.openai.azure.com/openai/deployments/gpt",
                "api-version=2024-10-21",
                "https://me.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
                "me.openai.azure.com",
            ),
            ("http://[::1]:4000", "?a=b", "http://[::1]:4000/chat/completions?a=b", "[::1]:4000"),
        ];
        for (base, query, expected, name) in cases {
            let base = base_url(base).expect("a URL");
            assert_eq!((address(&base, &CHAT, query).as_str(), host(&base).as_str()), (expected, name));
        }
    }

    #[test]
    fn addresses_that_cannot_be_are_refused() {
        for wrong in
            ["", "api.openai.com/v1", "ftp://host/v1", "file:///v1", "http://h/v1?x=1", "https://u:p@h/v1"]
        {
            let error = base_url(wrong).expect_err(wrong).to_string();
            assert!(error.contains("base-url") && !error.contains("u:p"), "{error}");
        }
    }

    #[test]
    fn the_key_goes_where_the_settings_say() {
        let cases = [("authorization", "Bearer a-key-for-tests"), ("Api-Key", "a-key-for-tests")];
        for (name, expected) in cases {
            let (header, value) = header(name, &Secret::new("a-key-for-tests")).expect("a header");
            assert_eq!(
                (header.as_str(), value.as_bytes()),
                (name.to_lowercase().as_str(), expected.as_bytes())
            );
            assert!(!format!("{value:?}").contains("tests"));
        }
        assert!(header("a b", &Secret::new("x")).is_err());
        assert!(header("x", &Secret::new("two\nlines")).is_err());
    }
}
