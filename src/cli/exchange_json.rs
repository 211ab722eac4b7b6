//! Consultations in JSON Lines: exchanges with language models, generator runs, examples.

use serde::Serialize;

use droidmux_record::{
    Agent, Answer, Consultation, Example, ExampleKind, Exchange, Foretold, GeneratorFailure, JobRun, NoReply,
    Question, Turn, Work,
};
use droidmux_technique::reader::{ReadStretches, ReviewFinding};

/// The line of a turn that consults a model, the sandbox or the examples.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ConsultationJson<'a> {
    Exchange(ExchangeJson<'a>),
    Generation(GenerationJson<'a>),
    Examples(ExamplesJson<'a>),
}

/// One exchange with a language model.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "exchange"))]
pub(crate) struct ExchangeJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "exchange")))]
    r#type: &'static str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Agent>"))]
    agent: Agent,
    /// `rules`, or the model and the host that answered.
    answered_by: &'a str,
    /// The beginning of the BLAKE3 of the prompt's texts.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{16}$")))]
    prompt: String,
    /// Which of a reader's questions it is, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u32"))]
    question: Option<u32>,
    /// The finding that gets a second opinion: its name without its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    finding: Option<String>,
    /// Pictures sent.
    pictures: usize,
    reply: Option<&'a str>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<NoReply>"))]
    failed: Option<NoReply>,
    /// The first difference from the recording that was replayed; empty when there is none.
    differs: &'a str,
    tokens_in: u64,
    tokens_out: u64,
    /// Millionths of the currency of the prices.
    cost: u64,
    t: ExchangeVaries<'a>,
    #[serde(flatten)]
    place: PlaceJson<'a>,
}

/// Times and numbers of this run alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "exchange-t"))]
struct ExchangeVaries<'a> {
    latency_ms: u32,
    tries: &'a [String],
    /// What an endpoint said that did not reply; it may name times and numbers of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    detail: Option<&'a str>,
    #[serde(flatten)]
    turn: TurnVaries,
}

/// One run of a generator in the sandbox.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "generation"))]
pub(crate) struct GenerationJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "generation")))]
    r#type: &'static str,
    /// The beginning of the BLAKE3 of the generator's code.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{16}$")))]
    code: String,
    /// What it yielded; a lone surrogate shows as U+FFFD.
    inputs: Vec<String>,
    /// Why it ended before its time.
    failed: Option<String>,
    t: TurnVaries,
    #[serde(flatten)]
    place: PlaceJson<'a>,
}

/// Examples that were looked up.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "examples"))]
pub(crate) struct ExamplesJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "examples")))]
    r#type: &'static str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<ExampleKind>"))]
    kind: ExampleKind,
    words: &'a str,
    /// What each example is found by, the nearest first.
    found: Vec<&'a str>,
    t: TurnVaries,
    #[serde(flatten)]
    place: PlaceJson<'a>,
}

/// Times and numbers of this run alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "turn-t"))]
struct TurnVaries {
    at_ms: u64,
    took_ms: u32,
    attempt: u32,
}

/// Where it was asked.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlaceJson<'a> {
    app: &'a str,
    job: u64,
    work: &'a str,
    /// Turn of the episode, from 0.
    turn: usize,
    device: DeviceJson<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "device"))]
struct DeviceJson<'a> {
    serial: &'a str,
}

impl<'a> ConsultationJson<'a> {
    /// `None` for a turn without an answer to what was asked. The number is the turn's in its episode.
    pub(crate) fn of(
        run: &'a JobRun,
        number: usize,
        turn: &'a Turn,
        asked: &'a Consultation,
    ) -> Option<Self> {
        let varies = TurnVaries { at_ms: turn.at_ms, took_ms: turn.took_ms, attempt: run.attempt };
        let place = PlaceJson {
            app: &run.app.package,
            job: run.job.slot.0,
            work: run.job.work.name(),
            turn: number,
            device: DeviceJson { serial: &run.device.serial },
        };
        Some(match (asked, turn.observation.answer()?) {
            (Consultation::Ask(question), Answer::Reply(reply)) => Self::Exchange(ExchangeJson {
                reply: Some(&reply.text),
                ..ExchangeJson::of(&run.job.work, question, &reply.exchange, varies, place)
            }),
            (Consultation::Ask(question), Answer::None(none)) => {
                let line = ExchangeJson::of(&run.job.work, question, &none.exchange, varies, place);
                let t = ExchangeVaries { detail: Some(&none.detail), ..line.t };
                Self::Exchange(ExchangeJson { failed: Some(none.why), t, ..line })
            }
            (
                Consultation::Generate(generation),
                Answer::Inputs(generated) | Answer::Foretold(Foretold { generated, .. }),
            ) => Self::Generation(GenerationJson {
                r#type: "generation",
                code: hash(&generation.code),
                inputs: generated.inputs.iter().map(|units| String::from_utf16_lossy(units)).collect(),
                failed: generated.failure.as_ref().map(GeneratorFailure::words),
                t: varies,
                place,
            }),
            (Consultation::Recall(recall), Answer::Examples(examples)) => Self::Examples(ExamplesJson {
                r#type: "examples",
                kind: recall.kind,
                words: &recall.words,
                found: examples.iter().map(Example::words).collect(),
                t: varies,
                place,
            }),
            _ => return None,
        })
    }
}

impl<'a> ExchangeJson<'a> {
    /// Without an answer.
    fn of(
        work: &Work,
        question: &Question,
        exchange: &'a Exchange,
        varies: TurnVaries,
        place: PlaceJson<'a>,
    ) -> Self {
        Self {
            r#type: "exchange",
            agent: question.agent,
            answered_by: &exchange.answered_by,
            prompt: hash(&question.text()),
            question: work.content().map(|read: ReadStretches| read.question),
            finding: work.content().map(|review: ReviewFinding| format!("{:08x}", review.finding.key)),
            pictures: exchange.pictures.len(),
            reply: None,
            failed: None,
            differs: &exchange.differs,
            tokens_in: exchange.tokens_in,
            tokens_out: exchange.tokens_out,
            cost: exchange.cost,
            t: ExchangeVaries {
                latency_ms: exchange.latency_ms,
                tries: &exchange.tries,
                detail: None,
                turn: varies,
            },
            place,
        }
    }
}

/// Enough to tell whether two texts are the same.
fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().chars().take(16).collect()
}
