//! The endpoint of the language model: one small question.

use std::path::Path;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use droidmux_llm::{Client, Endpoints, LlmError, QuestionPlace, Secret, Setup, rules};
use droidmux_proto::{CheckView, Subject};
use droidmux_record::{
    Agent, Answer, LlmMode, LlmSettings, NoReply, Part, Provider, Question, SessionDefinition, Slot,
};

/// A person waits for the answer.
const MOST_SECONDS: u32 = 30;

/// Asks the model of these settings one question of a few words; `definition` is that of the session that names them.
pub async fn examine_model(settings: &LlmSettings, definition: Option<&SessionDefinition>) -> CheckView {
    let model = Subject::Model;
    match (settings.mode, settings.provider) {
        (LlmMode::Replay, _) => {
            return match Path::new(&settings.recording).is_file() {
                true => {
                    CheckView::good(&model, "endpoint", format!("replies come from {}", settings.recording))
                }
                false => CheckView::bad(
                    &model,
                    "endpoint",
                    format!("replies are to come from {}, which is not there", settings.recording),
                    "name the recording with `[llm] recording`, or choose another `mode`",
                ),
            };
        }
        (_, Provider::Rules) => {
            let words = "fixed rules answer; no model is configured, which would read what sessions did and give a \
                         second opinion on findings (`[reader]`)";
            return CheckView::skipped(&model, "endpoint", words);
        }
        (_, Provider::People) => {
            let words =
                "people answer: `droidmux questions` shows what waits, and so does the Transcripts screen";
            return CheckView::skipped(&model, "endpoint", words);
        }
        (_, Provider::Openai) => {}
    }
    match ask(settings, definition).await {
        Err(error) => CheckView::bad(&model, "endpoint", error.to_string(), "mend `[llm]`"),
        Ok(Some(Answer::Reply(reply))) => {
            let exchange = &reply.exchange;
            let words = format!(
                "{} answers; the question took {} tokens",
                exchange.answered_by,
                exchange.tokens_in.saturating_add(exchange.tokens_out)
            );
            CheckView::good(&model, "endpoint", words).took(exchange.latency_ms.into())
        }
        Ok(Some(Answer::None(none))) => {
            let remedy = match none.why {
                NoReply::Unreachable => "see that `base-url` is right and reachable from this host",
                NoReply::Refused => "see that `model`, `base-url` and the key in `key-env` are right",
                _ => "read what the endpoint said",
            };
            CheckView::bad(&model, "endpoint", none.detail, remedy)
        }
        Ok(_) => CheckView::bad(&model, "endpoint", "no answer", "try again"),
    }
}

/// The question goes through the client that sessions use, without retries and without a recording.
async fn ask(
    settings: &LlmSettings,
    definition: Option<&SessionDefinition>,
) -> Result<Option<Answer>, LlmError> {
    let settings = LlmSettings {
        mode: LlmMode::Live,
        retries: 0,
        timeout: settings.timeout.min(MOST_SECONDS),
        ..settings.clone()
    };
    let client = Client::new(Setup {
        settings: &settings,
        key: Secret::from_env(&settings.key_env)?,
        endpoints: &Endpoints::default(),
        rules: Arc::new(rules::Fixed),
        recording: Path::new(""),
        technique: definition.map_or("doctor", |definition| definition.technique.name()),
        app: definition.map_or("", |definition| &definition.app),
        resumed: false,
    })?;
    let question = Question {
        agent: Agent::Monitor,
        role: "You test the way to yourself.".into(),
        parts: vec![Part::Text("Answer with the JSON object {\"well\": true} and nothing else.".into())],
        schema: "{\"type\":\"object\",\"properties\":{\"well\":{\"type\":\"boolean\"}},\
                 \"required\":[\"well\"],\"additionalProperties\":false}"
            .into(),
    };
    let place = QuestionPlace { slot: Slot(0), ordinal: 0 };
    client.ask(place, &question, &[], &|_| {}, &CancellationToken::new()).await
}
