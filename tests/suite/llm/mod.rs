//! Language models: the client against a scripted server, its recordings, and a genuine proxy.

mod client;
mod genuine;
mod litellm;
mod people;
mod recordings;
mod refusals;
mod secrets;
pub mod server;
mod slow;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use droidmux::llm::{Client, Endpoints, LlmError, QuestionPlace, Rules, Secret, Sent, Setup};
use droidmux::record::{
    Agent, Answer, BlobHash, LlmSettings, Part, Picture, Provider, Question, Reply, Slot, Unanswered,
};
use tokio_util::sync::CancellationToken;

/// Rules that return what they read.
pub struct Echo;

impl Rules for Echo {
    fn answer(&self, question: &Question) -> String {
        format!("{}: {}", question.agent.name(), question.text())
    }
}

/// Settings for a server at this address, with the short patience of tests.
pub fn settings(base_url: &str) -> LlmSettings {
    LlmSettings {
        provider: Provider::Openai,
        base_url: base_url.into(),
        model: "scripted".into(),
        timeout: 5,
        retries: 3,
        price_in: 2.0,
        price_out: 8.0,
        ..LlmSettings::default()
    }
}

pub fn endpoints() -> Endpoints {
    Endpoints::new(Duration::from_millis(20))
}

pub fn client_with(
    settings: &LlmSettings,
    key: Option<&str>,
    recording: &Path,
    resumed: bool,
) -> Result<Client, LlmError> {
    Client::new(Setup {
        settings,
        key: key.map(Secret::new),
        endpoints: &endpoints(),
        rules: Arc::new(Echo),
        recording,
        technique: "visiondroid",
        app: "org.example",
        resumed,
    })
}

/// A client that records nothing and has no key.
pub fn client(settings: &LlmSettings) -> Client {
    client_with(settings, None, Path::new(""), false).expect("a client")
}

pub fn question(text: &str) -> Question {
    Question {
        agent: Agent::Explorer,
        role: "You explore an app.".into(),
        parts: vec![Part::Text(text.into())],
        schema: r#"{"type": "object", "properties": {"action": {"type": "string"}}}"#.into(),
    }
}

/// A question with a picture, and the picture.
pub fn seeing_question(text: &str, png: &[u8]) -> (Question, [Sent; 1]) {
    let mut question = question(text);
    question.parts.push(Part::Picture(Picture::History(Vec::new())));
    (question, [Sent { hash: BlobHash::of(png), png: png.into() }])
}

pub fn place(slot: u64, ordinal: u32) -> QuestionPlace {
    QuestionPlace { slot: Slot(slot), ordinal }
}

/// Asks the first question of the first job.
pub async fn ask(client: &Client, text: &str) -> Result<Reply, Unanswered> {
    ask_at(client, place(0, 0), &question(text), &[]).await
}

pub async fn ask_at(
    client: &Client,
    place: QuestionPlace,
    question: &Question,
    pictures: &[Sent],
) -> Result<Reply, Unanswered> {
    let answer = client.ask(place, question, pictures, &|_| {}, &CancellationToken::new()).await;
    match answer.expect("recorded").expect("not cancelled") {
        Answer::Reply(reply) => Ok(reply),
        Answer::None(unanswered) => Err(unanswered),
        other => panic!("no answer of a model: {other:?}"),
    }
}
