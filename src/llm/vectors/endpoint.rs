//! Vectors from an OpenAI-compatible `/embeddings`.

use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde::Deserialize;
use serde_json::json;
use tokio::time::sleep;

use super::{MOST_DIMENSIONS, VectorsError, words};
use crate::llm::Secret;
use crate::record::LlmSettings;

/// Texts in one request.
const BATCH: usize = 64;
/// Bytes of one reply at most.
const MOST_BYTES: usize = 32 << 20;
/// What the first retry waits; each next one twice as long, up to eight seconds.
const PAUSE: Duration = Duration::from_millis(500);
/// Characters of what a server says of an error.
const MOST_SAID: usize = 300;

#[derive(Debug)]
pub struct Embeddings {
    client: Client,
    url: String,
    model: String,
    /// Name and value of the header that holds the key.
    key: Option<(String, String)>,
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
    /// When no address is set, or HTTP cannot be had.
    pub fn new(settings: &LlmSettings, model: &str, key: Option<&Secret>) -> Result<Self, VectorsError> {
        let base = settings.base_url.trim_end_matches('/');
        let query = if settings.query.is_empty() { String::new() } else { format!("?{}", settings.query) };
        let url = format!("{base}/embeddings{query}");
        let failed = |why: String| VectorsError::Endpoint { url: url.clone(), why };
        if base.is_empty() {
            return Err(failed("no `base-url` is set in [llm]".into()));
        }
        let client = Client::builder().timeout(Duration::from_secs(settings.timeout.into())).build();
        let client = client.map_err(|error| failed(error.without_url().to_string()))?;
        let bearer = if settings.key_header.eq_ignore_ascii_case("authorization") { "Bearer " } else { "" };
        let key = key.map(|key| (settings.key_header.clone(), format!("{bearer}{}", key.expose())));
        Ok(Self { client, url, model: model.to_owned(), key, retries: settings.retries })
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
                return Err(VectorsError::Endpoint { url: self.url.clone(), why: failed.why });
            }
            sleep(PAUSE * 2_u32.pow(tries.min(4))).await;
            tries += 1;
        }
    }

    async fn ask(&self, texts: &[&String]) -> Result<Vec<Vec<f32>>, Failed> {
        let passing = |error: reqwest::Error| Failed { why: error.without_url().to_string(), passing: true };
        let mut request = self.client.post(&self.url).json(&json!({ "model": self.model, "input": texts }));
        if let Some((name, value)) = &self.key {
            request = request.header(name, value);
        }
        let mut response = request.send().await.map_err(passing)?;
        let status = response.status();
        let body = body(&mut response).await?;
        if !status.is_success() {
            let said =
                self.without_key(&String::from_utf8_lossy(&body)).chars().take(MOST_SAID).collect::<String>();
            let passing = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
            return Err(Failed { why: format!("{status}: {said}"), passing });
        }
        let reply = serde_json::from_slice::<Reply>(&body).map_err(|error| Failed::for_good(&error))?;
        in_order(reply, texts.len())
    }

    /// What a server said, should it repeat the key.
    fn without_key(&self, said: &str) -> String {
        match &self.key {
            Some((_, value)) => {
                let key = value.strip_prefix("Bearer ").unwrap_or(value);
                said.replace(key, "[key]")
            }
            None => said.to_owned(),
        }
    }
}

impl Failed {
    fn for_good(why: &dyn ToString) -> Self {
        Self { why: why.to_string(), passing: false }
    }
}

async fn body(response: &mut Response) -> Result<Vec<u8>, Failed> {
    let passing = |error: reqwest::Error| Failed { why: error.without_url().to_string(), passing: true };
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(passing)? {
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
