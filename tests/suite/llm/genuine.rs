//! The client and whole sessions against a genuine language model: one with 135 million parameters, which is often
//! wrong, behind llama-cpp-python's server.
//!
//! Run if `tests/python/model.py set-up` has been run, and reported as skipped otherwise. One server at a time.

use droidmux::technique::InputblasterSettings;
use droidmux::technique::VisiondroidSettings;
use std::fs::File;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use droidmux::lab::SessionEnd;
use droidmux::llm::Sandbox;
use droidmux::record::{Answer, LlmMode, LlmSettings, NoReply, ScreenPolicy, SessionDefinition, Spent};
use droidmux::sim::{SimOptions, apps};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{ask, ask_at, client, place, question, settings};
use crate::ports::free_port;
use crate::sessions::{Bench, acts, session};

const NAME: &str = "smollm2-135m-instruct";

/// A server takes the cores that there are.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

struct Genuine {
    base_url: String,
    process: tokio::process::Child,
    _alone: MutexGuard<'static, ()>,
}

impl Genuine {
    /// `None`, with a message, if nothing is set up.
    async fn start() -> Option<Self> {
        let alone = ONE_AT_A_TIME.lock().await;
        let port = free_port();
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        let mut command = Command::new("python3");
        command
            .arg(format!("{}/tests/python/model.py", env!("CARGO_MANIFEST_DIR")))
            .args(["serve", "--port", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log).expect("a file"));
        let process = tokio::process::Command::from(command).kill_on_drop(true).spawn();
        let mut process = match process {
            Ok(process) => process,
            Err(error) => {
                println!("skipped: no python3 ({error})");
                return None;
            }
        };
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                let base_url = format!("http://127.0.0.1:{port}/v1");
                return Some(Self { base_url, process, _alone: alone });
            }
            if process.try_wait().expect("a process").is_some() {
                let told = std::fs::read_to_string(&log).unwrap_or_default();
                assert!(told.contains("nothing is set up"), "{told}");
                println!("skipped: {}", told.trim());
                return None;
            }
            sleep(Duration::from_millis(200)).await;
        }
        panic!("it does not listen: {}", std::fs::read_to_string(&log).unwrap_or_default());
    }

    fn settings(&self, options: &Value) -> LlmSettings {
        LlmSettings {
            model: NAME.into(),
            options: options.to_string(),
            timeout: 300,
            retries: 1,
            at_once: 1,
            ..settings(&self.base_url)
        }
    }

    /// Ends it, and waits until it has ended.
    async fn stop(mut self) {
        self.process.kill().await.expect("it ends");
    }
}

/// What it refuses is learnt only once; the schema beside `json_object` is a grammar, which constrains even this model.
#[tokio::test]
async fn a_genuine_model_answers_by_schema() {
    let Some(server) = Genuine::start().await else { return };
    let mut asked = question("Name one colour.");
    asked.schema = json!({
        "type": "object",
        "properties": { "colour": { "enum": ["red", "green"] }, "sure": { "type": "boolean" } },
        "required": ["colour", "sure"],
        "additionalProperties": false,
    })
    .to_string();
    let streamed = client(&server.settings(&json!({ "temperature": 0, "max_tokens": 60 })));
    for tries in [1, 0] {
        let reply = ask_at(&streamed, place(0, 0), &asked, &[]).await.expect("a reply");
        assert_eq!(reply.exchange.tries.len(), tries, "{:?}", reply.exchange.tries);
        let told = reply.exchange.tries.concat();
        assert!(tries == 0 || told.contains("500") && told.contains("with the schema beside it"), "{told}");
        let object: Value = serde_json::from_str(&reply.text).expect("JSON");
        let members = (object["colour"].as_str().expect("a colour"), object["sure"].is_boolean());
        assert!(["red", "green"].contains(&members.0) && members.1, "{object}");
        assert_eq!(object.as_object().map(|members| members.len()), Some(2), "{object}");
        assert_eq!(
            reply.exchange.answered_by,
            format!("{NAME} at {}", &server.base_url[7..server.base_url.len() - 3])
        );
        // It counts nothing in streams: estimated.
        assert!(reply.exchange.tokens_in > 10 && reply.exchange.tokens_out > 3, "{:?}", reply.exchange);
    }
    let whole = client(&server.settings(&json!({ "temperature": 0, "max_tokens": 60, "stream": false })));
    let reply = ask_at(&whole, place(0, 0), &asked, &[]).await.expect("a reply");
    serde_json::from_str::<Value>(&reply.text).expect("JSON");
    let Spent { calls, tokens_in, tokens_out, .. } = whole.spent();
    assert_eq!((calls, tokens_in, tokens_out), (1, reply.exchange.tokens_in, reply.exchange.tokens_out));
    assert!(
        tokens_in > 10 && (5..=60).contains(&tokens_out),
        "as the server counted them: {:?}",
        reply.exchange
    );
    server.stop().await;
}

/// A limit, a stop word, a prompt that is too long, an option that makes no sense, a stream that was cancelled, and one
/// that another request ended.
#[tokio::test(flavor = "multi_thread")]
async fn a_genuine_server_stops_and_refuses() {
    let Some(server) = Genuine::start().await else { return };
    let story = |options: Value| LlmSettings {
        replies: droidmux::record::ReplyStyle::Text,
        ..server.settings(&options)
    };
    let short =
        ask(&client(&story(json!({ "temperature": 0, "max_tokens": 5 }))), "Tell a long story.").await;
    let short = short.expect("a reply").text;
    let stopped = json!({ "temperature": 0, "max_tokens": 60, "stop": ["e"] });
    let stopped = ask(&client(&story(stopped)), "Tell a long story.").await.expect("a reply").text;
    assert!(!stopped.contains('e') && short.split_whitespace().count() <= 5, "{short:?} {stopped:?}");

    // The status of a stream says that all is well; why it is empty is learnt without streaming.
    let long = "word ".repeat(9_000);
    let mut patient = story(json!({ "max_tokens": 5 }));
    patient.retries = 4;
    let refused = ask(&client(&patient), &long).await.expect_err("too long");
    assert_eq!(refused.why, NoReply::Refused, "{}", refused.detail);
    assert!(refused.detail.contains("maximum context length is 8192 tokens"), "{}", refused.detail);
    // It hangs up on the stream; the next request may meet that.
    assert!((1..=2).contains(&refused.exchange.tries.len()), "{:?}", refused.exchange.tries);
    let wrong = ask(&client(&story(json!({ "temperature": "hot" }))), "?").await.expect_err("no number");
    assert!(wrong.detail.contains("500") && wrong.detail.contains("temperature"), "{}", wrong.detail);

    let endless = story(json!({ "temperature": 0, "max_tokens": 2_000 }));
    let (impatient, cancel) = (client(&endless), CancellationToken::new());
    let begun = |_: &str| cancel.cancel();
    let question = question("Tell a long story.");
    let answer = impatient.ask(place(0, 0), &question, &[], &begun, &cancel).await.expect("no recording");
    assert!(answer.is_none() && impatient.spent() == Spent::default());

    // Two at once end each other; both are finally answered in full.
    let mut two = server.settings(&json!({ "temperature": 0, "max_tokens": 60 }));
    (two.at_once, two.retries) = (2, 20);
    let two = client(&two);
    let mut asked = super::question("Say which action is next.");
    asked.schema = json!({
        "type": "object",
        "properties": { "action": { "enum": ["click", "go back"] } },
        "required": ["action"],
        "additionalProperties": false,
    })
    .to_string();
    let (one, other) =
        tokio::join!(ask_at(&two, place(0, 0), &asked, &[]), ask_at(&two, place(0, 1), &asked, &[]));
    for reply in [one, other] {
        let reply = reply.expect("a reply");
        println!("{:?} after {:?}", reply.text, reply.exchange.tries);
        serde_json::from_str::<Value>(&reply.text).expect("whole");
    }
    server.stop().await;
}

/// A session with few questions, which are recorded.
fn definition(file: &str, server: &Genuine, recording: &Path) -> SessionDefinition {
    let mut definition = session(file);
    definition.run.screens = ScreenPolicy::Never;
    definition.run.max_events = 700;
    definition.settings.change(|inputblaster: &mut InputblasterSettings| inputblaster.explore_events = 150);
    definition.settings.change(|inputblaster: &mut InputblasterSettings| {
        (inputblaster.attempts, inputblaster.valid_tries) = (8, 3);
    });
    definition.settings.change(|visiondroid: &mut VisiondroidSettings| visiondroid.test_events = 8);
    definition.llm = server.settings(&json!({ "temperature": 0, "max_tokens": 200 }));
    definition.llm.budget.calls = 14;
    definition.llm.mode = LlmMode::Record;
    definition.llm.recording = recording.display().to_string();
    definition
}

/// Whatever it answers, sessions come to their end, keep every exchange, and are the same again without the server.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_with_a_genuine_model_end_and_are_replayed() {
    let Some(server) = Genuine::start().await else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut recorded = Vec::new();
    for file in ["travel-inputblaster.toml", "signup-inputblaster.toml", "diary-visiondroid.toml"] {
        let definition = definition(file, &server, &folder.path().join(file));
        let told = run(&definition).await;
        println!("{file}: {:?}", told.summary);
        assert!((1..=14).contains(&told.questions), "{file}: {} questions", told.questions);
        recorded.push((file, definition, told));
    }
    server.stop().await;
    for (file, mut definition, told) in recorded {
        (definition.llm.mode, definition.llm.strict) = (LlmMode::Replay, true);
        let again = run(&definition).await;
        assert_eq!((&again.answers, again.questions), (&told.answers, told.questions), "{file}");
        for (a, b) in again.acts.iter().zip(&told.acts) {
            assert_eq!(a, b, "{file}, job {}", a.0);
        }
        assert_eq!((again.acts.len(), again.summary), (told.acts.len(), told.summary), "{file}");
    }
}

/// The outcome of a session.
struct Told {
    acts: Vec<(u64, Vec<droidmux::record::Act>)>,
    /// From the model, in order.
    answers: Vec<Answer>,
    questions: usize,
    summary: Vec<String>,
}

async fn run(definition: &SessionDefinition) -> Told {
    let options =
        SimOptions { devices: 1, steady: true, adb_keyboard: true, ..SimOptions::with_apps(apps::all()) };
    let mut bench = Bench::new(options).await;
    bench.lab = bench.lab.clone().with_sandbox(Sandbox::at(env!("CARGO_BIN_EXE_droidmux")));
    let (outcome, runs) = bench.run(definition, 1).await;
    assert_eq!(outcome.end, SessionEnd::Complete, "{:?}", outcome.vain);
    let answers = runs.iter().flat_map(|run| &run.turns).filter_map(|turn| match turn.observation.answer() {
        Some(answer @ (Answer::Reply(_) | Answer::None(_))) => Some(answer.clone()),
        _ => None,
    });
    let answers: Vec<Answer> = answers.collect();
    let questions = answers.iter().filter(|answer| matches!(answer, Answer::Reply(_))).count();
    Told { acts: acts(&runs), answers, questions, summary: outcome.progress.summary }
}
