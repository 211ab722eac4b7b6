//! Vectors from an OpenAI-compatible `/embeddings`.

use std::error::Error;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};
use serde::Deserialize;
use serde_json::json;
use tokio::time::sleep;

use super::{MOST_DIMENSIONS, VectorsError, words};
use crate::llm::secret::Scrub;
use crate::llm::{Endpoints, LlmError, Secret, wire};
use crate::record::LlmSettings;

/// Texts in one request.
const BATCH: usize = 64;
/// Bytes of one reply at most.
const MOST_BYTES: usize = 32 << 20;
/// What the first retry waits; each next one twice as long, up to eight seconds.
const PAUSE: Duration = Duration::from_millis(500);
/// Characters of what a server says of an error.
const MOST_SAID: usize = 300;

/// An endpoint with a model for vectors.
#[derive(Debug)]
pub struct Embeddings {
    http: Client,
    url: Url,
    model: String,
    auth: Option<(HeaderName, HeaderValue)>,
    scrub: Scrub,
    timeout: Duration,
    retries: u32,
}

#[derive(Deserialize)]
struct Reply {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: usize,
    embedding: Vec<f32>,
}

/// Why a request failed.
struct Failed {
    why: String,
    /// It may go better another time.
    passing: bool,
}

impl Embeddings {
    /// The endpoint of these settings with another model.
    ///
    /// # Errors
    /// When the address or the key cannot be used, or HTTP cannot be had.
    pub fn new(settings: &LlmSettings, model: &str, key: Option<&Secret>) -> Result<Self, LlmError> {
        let base = wire::base_url(&settings.base_url)?;
        Ok(Self {
            http: Endpoints::default().http(&base)?,
            url: wire::address(&base, &["embeddings"], &settings.query),
            model: model.to_owned(),
            auth: key.map(|key| wire::header(&settings.key_header, key)).transpose()?,
            scrub: Scrub::new(key.cloned()),
            timeout: Duration::from_secs(settings.timeout.max(1).into()),
            retries: settings.retries,
        })
    }

    /// A vector for each text; an empty one for those without words.
    pub(super) async fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, VectorsError> {
        // Names are no words for a model either, before they are split.
        let split: Vec<String> = texts.iter().map(|text| words(text).join(" ")).collect();
        let mut asked = split.iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        let mut answers = Vec::with_capacity(asked.len());
        while !asked.is_empty() {
            let rest = asked.split_off(asked.len().min(BATCH));
            answers.extend(self.batch(&asked).await?);
            asked = rest;
        }
        let mut answers = answers.into_iter();
        let vector = |text: &String| if text.is_empty() { None } else { answers.next() };
        Ok(split.iter().map(vector).map(Option::unwrap_or_default).collect())
    }

    /// One request, made again as often as the settings allow.
    async fn batch(&self, texts: &[&String]) -> Result<Vec<Vec<f32>>, VectorsError> {
        let mut tries = 0;
        loop {
            let failed = match self.ask(texts).await {
                Ok(vectors) => return Ok(vectors),
                Err(failed) => failed,
            };
            if !failed.passing || tries >= self.retries {
                let why = self.scrub.clean(&failed.why);
                return Err(VectorsError::Endpoint { url: self.url.to_string(), why });
            }
            sleep(PAUSE * 2_u32.pow(tries.min(4))).await;
            tries += 1;
        }
    }

    async fn ask(&self, texts: &[&String]) -> Result<Vec<Vec<f32>>, Failed> {
        let request = self.http.post(self.url.clone()).timeout(self.timeout);
        let mut request = request.json(&json!({ "model": self.model, "input": texts }));
        if let Some((name, value)) = &self.auth {
            request = request.header(name, value);
        }
        let mut response = request.send().await.map_err(Failed::passing)?;
        let status = response.status();
        let body = body(&mut response).await?;
        if !status.is_success() {
            // Cleaned before it is cut: half a key is a leak, too.
            let said = self.scrub.clean(&String::from_utf8_lossy(&body));
            let said: String = said.chars().take(MOST_SAID).collect();
            let passing = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
            return Err(Failed { why: format!("{status}: {said}"), passing });
        }
        let reply = serde_json::from_slice::<Reply>(&body).map_err(|error| Failed::for_good(&error))?;
        in_order(reply, texts.len())
    }
}

impl Failed {
    fn passing(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
        Self { why: format!("{error}{cause}"), passing: true }
    }

    fn for_good(why: &dyn ToString) -> Self {
        Self { why: why.to_string(), passing: false }
    }
}

async fn body(response: &mut Response) -> Result<Vec<u8>, Failed> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Failed::passing)? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(Failed::for_good(&format!("the reply has more than {MOST_BYTES} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The vectors in the order of their texts, one each, all of one kind.
fn in_order(reply: Reply, count: usize) -> Result<Vec<Vec<f32>>, Failed> {
    let mut data = reply.data;
    data.sort_by_key(|embedding| embedding.index);
    if data.len() != count || data.iter().zip(0..).any(|(embedding, index)| embedding.index != index) {
        return Err(Failed::for_good(&format!("{} vectors for {count} texts", data.len())));
    }
    let dimensions = data.first().map_or(0, |first| first.embedding.len());
    let sound = |vector: &[f32]| vector.len() == dimensions && vector.iter().all(|part| part.is_finite());
    if dimensions > MOST_DIMENSIONS || !data.iter().all(|embedding| sound(&embedding.embedding)) {
        return Err(Failed::for_good(&"its vectors are too long, of different lengths, or no numbers"));
    }
    Ok(data.into_iter().map(|embedding| embedding.embedding).collect())
}
