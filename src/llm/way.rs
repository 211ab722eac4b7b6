//! One session's way to one service of an endpoint: its address and key, how many requests go there at once, what an
//! unsuccessful answer means, and when to try again.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use jiff::Timestamp;
use rand::RngExt;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use tokio::sync::{AcquireError, SemaphorePermit};

use super::endpoints::{Endpoint, Endpoints};
use super::fault::{self, Fault};
use super::secret::Scrub;
use super::{LlmError, Secret};
use droidmux_record::LlmSettings;

/// The longest wait between two tries.
const MOST_BACK_OFF: Duration = Duration::from_secs(30);

/// Bytes of an error's body that are read.
const MOST_OF_AN_ERROR: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct Way {
    http: Client,
    endpoint: Arc<Endpoint>,
    url: Url,
    /// The host, and the port unless it is the usual one.
    host: String,
    auth: Option<(HeaderName, HeaderValue)>,
    scrub: Scrub,
    timeout: Duration,
    retries: u32,
    first_wait: Duration,
}

impl Way {
    /// The way to a service below the base URL of these settings.
    ///
    /// # Errors
    /// When the address or the key cannot be used, or no HTTP client can be created.
    pub(super) fn new(
        settings: &LlmSettings,
        service: &[&str],
        key: Option<&Secret>,
        endpoints: &Endpoints,
    ) -> Result<Self, LlmError> {
        let base = base_url(&settings.base_url)?;
        Ok(Self {
            http: endpoints.http(&base)?,
            endpoint: endpoints.endpoint(&base, settings.at_once),
            url: address(&base, service, &settings.query),
            host: host(&base),
            auth: key.map(|key| header(&settings.key_header, key)).transpose()?,
            scrub: Scrub::new(key.cloned()),
            timeout: Duration::from_secs(u64::from(settings.timeout.max(1))),
            retries: settings.retries,
            first_wait: endpoints.first_wait(),
        })
    }

    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// The time limit for one try, from sending to the last byte.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// How many times a failed request is made again.
    pub(super) fn retries(&self) -> u32 {
        self.retries
    }

    /// A text from the endpoint without the key.
    pub(super) fn clean(&self, text: &str) -> String {
        self.scrub.clean(text)
    }

    /// Waits until the endpoint has room for a request; the slot is held until this is dropped.
    pub(super) async fn room(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
        // The gate is never closed.
        self.endpoint.gate.acquire().await
    }

    /// Sends JSON; returns a successful response.
    ///
    /// # Errors
    /// What the endpoint or the network reports.
    pub(super) async fn send(&self, body: Bytes, accept: &'static str) -> Result<Response, Fault> {
        let mut request = self.http.post(self.url.clone());
        request = request.header(CONTENT_TYPE, "application/json").header(ACCEPT, accept);
        if let Some((name, value)) = &self.auth {
            request = request.header(name, value);
        }
        let response = request.body(body).send().await.map_err(|error| Fault::passing(unsent(error)))?;
        if response.status().is_success() { Ok(response) } else { Err(self.refusal(response).await) }
    }

    /// The wait that the endpoint asks for, or twice the previous one; partly random, so that sessions that failed
    /// together do not come back together.
    pub(super) fn back_off(&self, failures: u32, asked: Option<Duration>) -> Duration {
        let chance = rand::rng().random_range(0.5..=1.0);
        let doubled = self.first_wait.saturating_mul(1 << (failures - 1).min(16)).min(MOST_BACK_OFF);
        let ours = doubled.mul_f64(chance);
        asked.map_or(ours, |asked| asked.saturating_add(ours.min(asked / 10)))
    }

    /// The fault that an unsuccessful answer stands for.
    async fn refusal(&self, response: Response) -> Fault {
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
        // Cleaned before it is cut: half a key is a leak, too.
        let said = self.clean(&String::from_utf8_lossy(&body));
        fault::of_status(status, retry_after.as_deref(), &said, Timestamp::now())
    }
}

/// Why a request did not get through, in words.
fn unsent(error: reqwest::Error) -> String {
    let what = if error.is_connect() { "it cannot be reached" } else { "the request did not get through" };
    format!("{what}: {}", causes(&error.without_url()))
}

/// The innermost cause of an error: the others repeat that there is one.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    fault::told_short(&innermost.to_string())
}

fn base_url(text: &str) -> Result<Url, LlmError> {
    let wrong = |why: &str| setting("base-url", format!("`{text}` {why}; it looks like `https://host/v1`"));
    if text.trim().is_empty() {
        return Err(setting("base-url", "is empty; give what comes before `/chat/completions`"));
    }
    let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("is no URL ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong("is no address of a web server"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // The address is not repeated in the message: it holds a password.
        return Err(setting("base-url", "holds a user or password; name the key by `key-env`"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("has a query; give that as `query`"));
    }
    Ok(url)
}

/// The address of a service below the base.
fn address(base: &Url, service: &[&str], query: &str) -> Url {
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

fn header(name: &str, key: &Secret) -> Result<(HeaderName, HeaderValue), LlmError> {
    let name = HeaderName::try_from(name)
        .map_err(|_| setting("key-header", format!("`{name}` is no name of a header")))?;
    let bearer = if name == AUTHORIZATION { "Bearer " } else { "" };
    let mut value = HeaderValue::try_from(format!("{bearer}{}", key.expose()))
        .map_err(|_| setting("key-env", "the key in it holds characters that no header can"))?;
    value.set_sensitive(true);
    Ok((name, value))
}

pub(super) fn setting(field: &'static str, why: impl Into<String>) -> LlmError {
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
            assert_eq!(
                (address(&base, &["chat", "completions"], query).as_str(), host(&base).as_str()),
                (expected, name)
            );
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
