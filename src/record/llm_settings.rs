//! Which language model a session asks, and how much it may ask, with units, ranges and defaults.

use serde::{Deserialize, Serialize};

/// `[llm]` of a session file. Values left out are taken from the user's configuration, then from the defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LlmSettings {
    /// Who answers: a server, people, or rules that need neither.
    pub provider: Provider,
    /// Where the API is: what comes before `/chat/completions`.
    pub base_url: String,
    /// As the server calls it: the `model` of its requests.
    pub model: String,
    /// The environment variable that holds the key; empty for none. The key itself is never stored.
    pub key_env: String,
    /// The header the key goes in; with `authorization`, `Bearer ` comes before it.
    pub key_header: String,
    /// Added to the address, as Azure's `api-version=…`.
    pub query: String,
    /// Further members of the request, a JSON object: `'{"temperature": 0.2}'`; with
    /// `"stream": false` replies come in one piece.
    pub options: String,
    /// How JSON is asked for.
    pub replies: ReplyStyle,
    /// Seconds a reply may take, from the request to the end of the reply (1 to 3,600).
    pub timeout: u32,
    /// Times a failed request is made again (0 to 20).
    pub retries: u32,
    /// Requests at once to this endpoint, across all sessions of the lab (1 to 64).
    pub at_once: u32,
    /// What all questions of the session may use together.
    pub budget: Budget,
    /// Price of a million tokens in prompts, for the cost shown, in any currency.
    pub price_in: f64,
    /// The same for a million tokens in replies.
    pub price_out: f64,
    /// Whether exchanges come from the network, and whether they are kept.
    pub mode: LlmMode,
    /// The file that is written with `record` and read with `replay`; a path relative to the session file's folder.
    pub recording: String,
    /// Replaying ends when a prompt differs from its recording.
    pub strict: bool,
    /// Where the vectors for comparing examples come from.
    pub vectors: Vectors,
}

/// What is behind an endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provider {
    /// Fixed rules in place of a model.
    #[default]
    Rules,
    /// A server that speaks OpenAI's chat completions.
    Openai,
    /// Whoever looks at the lab: a person, or an agent of theirs.
    People,
}

/// How an endpoint is asked for JSON; the most demanding form comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyStyle {
    /// By schema, in OpenAI's or llama.cpp's form, then any object, then words: forms that the endpoint refuses are
    /// skipped.
    #[default]
    Auto,
    /// By a JSON schema alone: an endpoint that refuses it does not answer.
    Schema,
    /// Any JSON object.
    Object,
    /// In words only.
    Text,
}

/// What a session may use; 0 is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Budget {
    /// Questions for which something was sent.
    pub calls: u64,
    /// Of prompts and replies together.
    pub tokens: u64,
    /// In the currency of the prices.
    pub money: f64,
}

impl Budget {
    /// The usage of sessions that ask no model.
    pub const NONE: Self = Self { calls: 0, tokens: 0, money: 0.0 };
}

/// How exchanges relate to the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LlmMode {
    /// From the network, without a recording.
    #[default]
    Live,
    /// Live, and every exchange goes into the recording.
    Record,
    /// From the recording, without network.
    Replay,
}

/// What turns a word into a vector.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vectors {
    /// Hashed character n-grams, 300 dimensions.
    #[default]
    Builtin,
    /// A word2vec file, text or binary; a path relative to the session file's folder.
    File(String),
    /// The endpoint's `/embeddings`, with this model.
    Endpoint(String),
}

impl LlmSettings {
    /// What answers, for people: `rules`, or the model's name, with the mode where it is not live.
    pub fn name(&self) -> String {
        let model = match self.provider {
            Provider::Rules => "rules",
            Provider::Openai => &self.model,
            Provider::People => "people",
        };
        match self.mode {
            LlmMode::Live => model.to_owned(),
            LlmMode::Record => format!("{model}, recorded"),
            LlmMode::Replay => format!("{model}, replayed"),
        }
    }
}

impl Default for LlmSettings {
    fn default() -> Self {
        Self {
            provider: Provider::Rules,
            base_url: String::new(),
            model: String::new(),
            key_env: String::new(),
            key_header: "authorization".into(),
            query: String::new(),
            options: String::new(),
            replies: ReplyStyle::Auto,
            timeout: 120,
            retries: 5,
            at_once: 4,
            budget: Budget::default(),
            price_in: 0.0,
            price_out: 0.0,
            mode: LlmMode::Live,
            recording: String::new(),
            strict: false,
            vectors: Vectors::Builtin,
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { calls: 2_000, tokens: 0, money: 0.0 }
    }
}
