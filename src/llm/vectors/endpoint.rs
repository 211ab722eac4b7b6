//! Vectors from an OpenAI-compatible `/embeddings`, requested in the same way as chat completions: a limited number of
//! requests at once, retried when that may help, within the session's budget.

use std::sync::Arc;

use bytes::Bytes;
use reqwest::Response;
use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

use super::{MOST_DIMENSIONS, VectorsError, words};
use crate::budget::Purse;
use crate::fault::{Fault, Remedy};
use crate::reading::MOST_TOKENS;
use crate::way::{Way, causes};
use crate::{Client, Endpoints, LlmError, Secret, request};
use droidmux_record::{Exchange, LlmSettings};
use droidmux_words::number::short;

/// Texts in one request.
const BATCH: usize = 64;
/// Bytes of one reply at most.
const MOST_BYTES: usize = 32 << 20;

/// An endpoint with a model for vectors.
#[derive(Debug)]
pub struct Embeddings {
    way: Way,
    model: String,
    purse: Arc<Purse>,
}

#[derive(Deserialize)]
struct Reply {
    data: Vec<Embedding>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Embedding {
    index: usize,
    /// As JSON has them: read into 32 bits, too large a number would be an error of the JSON or infinite, as the
    /// features of `serde_json` are.
    embedding: Vec<f64>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: u64,
}

impl Embeddings {
    /// The endpoint of these settings with another model.
    ///
    /// # Errors
    /// When the address or the key cannot be used, or no HTTP client can be created.
    pub fn new(
        settings: &LlmSettings,
        model: &str,
        key: Option<&Secret>,
        endpoints: &Endpoints,
    ) -> Result<Self, LlmError> {
        let way = Way::new(settings, &["embeddings"], key, endpoints)?;
        Ok(Self { way, model: model.to_owned(), purse: Arc::new(Purse::new(settings)) })
    }

    pub(super) fn charged_to(self, client: &Client) -> Self {
        Self { purse: client.purse(), ..self }
    }

    /// A vector for each text; an empty one for texts without words.
    pub(super) async fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, VectorsError> {
        // Names must be split before they are words, for a model too.
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

    /// One call, made again as often as the settings allow.
    async fn batch(&self, texts: &[&String]) -> Result<Vec<Vec<f32>>, VectorsError> {
        let estimate = texts.iter().map(|text| request::tokens(text)).sum();
        let hold = self.purse.hold_for_vectors(estimate).map_err(VectorsError::Budget)?;
        let mut failures = 0;
        let tried = loop {
            let (why, wait) = match self.try_once(texts).await {
                Ok(reply) => break Ok(reply),
                Err(Fault { remedy: Remedy::Again { wait }, why, .. }) => (why, wait),
                Err(fault) => break Err(self.refused(&fault.why)),
            };
            failures += 1;
            if failures > self.way.retries() {
                let why = self.way.clean(&format!("{why} (try {failures}, the last)"));
                break Err(VectorsError::Unreachable { url: self.way.url().to_string(), why });
            }
            tokio::time::sleep(self.way.back_off(failures, wait)).await;
        };
        let tokens_in = match &tried {
            Ok(reply) => reply.usage.as_ref().map_or(estimate, |usage| usage.prompt_tokens.min(MOST_TOKENS)),
            Err(_) => 0,
        };
        hold.settle(&Exchange { tokens_in, ..Exchange::default() });
        in_order(tried?, texts.len()).map_err(|error| self.refused(&error.to_string()))
    }

    fn refused(&self, why: &str) -> VectorsError {
        VectorsError::Endpoint { url: self.way.url().to_string(), why: self.way.clean(why) }
    }

    /// One request, when the endpoint has room for it, from sending to the last byte.
    async fn try_once(&self, texts: &[&String]) -> Result<Reply, Fault> {
        let _room = self.way.room().await;
        let limit = self.way.timeout();
        let late = |_| Err(Fault::passing(format!("no end of the reply within {} s", limit.as_secs())));
        tokio::time::timeout(limit, self.ask(texts)).await.unwrap_or_else(late)
    }

    async fn ask(&self, texts: &[&String]) -> Result<Reply, Fault> {
        let asked = json!({ "model": self.model, "input": texts });
        let mut response = self.way.send(Bytes::from(asked.to_string()), "application/json").await?;
        let body = body(&mut response).await?;
        serde_json::from_slice(&body)
            .map_err(|error| Fault::passing(format!("its reply makes no sense: {error}")))
    }
}

async fn body(response: &mut Response) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    let cut = |error: reqwest::Error| {
        Fault::passing(format!("its reply was cut: {}", causes(&error.without_url())))
    };
    while let Some(chunk) = response.chunk().await.map_err(cut)? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(Fault::lasting(format!("the reply has more than {MOST_BYTES} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Why the vectors of a reply are of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
enum Disorder {
    #[error("{got} vectors for {texts} texts")]
    Count { got: usize, texts: usize },
    #[error("its vectors are too long, of different lengths, or no numbers")]
    Unsound,
}

/// The vectors in the order of their texts, one each, all of one kind.
fn in_order(reply: Reply, count: usize) -> Result<Vec<Vec<f32>>, Disorder> {
    let mut data = reply.data;
    data.sort_by_key(|embedding| embedding.index);
    if data.len() != count || data.iter().zip(0..).any(|(embedding, index)| embedding.index != index) {
        return Err(Disorder::Count { got: data.len(), texts: count });
    }
    let vector = |embedding: Embedding| embedding.embedding.into_iter().map(short).collect();
    let vectors: Vec<Vec<f32>> = data.into_iter().map(vector).collect();
    let dimensions = vectors.first().map_or(0, Vec::len);
    let sound = |vector: &Vec<f32>| vector.len() == dimensions && vector.iter().all(|part| part.is_finite());
    if dimensions > MOST_DIMENSIONS || !vectors.iter().all(sound) {
        return Err(Disorder::Unsound);
    }
    Ok(vectors)
}
