//! A key leaves in the header of a request and nowhere else, whatever the server does with it.

use std::io::Write;
use std::sync::{Arc, Mutex};

use droidmux::llm::Secret;
use droidmux::record::{LlmMode, LlmSettings};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::fmt::MakeWriter;

use super::server::{Asked, Script, ScriptedServer};
use super::{client_with, place, question, settings};

const KEY: &str = "sk-test-0123456789abcdef";

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("lock").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Returns the key in every place where a server can put something.
fn echo(asked: &Asked) -> Script {
    let header = asked.header("authorization").unwrap_or_default().to_owned();
    let key = header.trim_start_matches("Bearer ").to_owned();
    match asked.number {
        0 => Script::error(500, &format!("your header was Authorization: {header}")),
        1 => Script::Status { status: 429, headers: vec![("retry-after", "0".into())], body: key },
        2 => Script::Cut { text: key, after: 12 },
        3 => Script::Plain { text: String::new(), usage: None },
        4 => Script::streamed(&format!("{{\"action\": \"the key is {key}, api-key: {key}\"}}")),
        5 => Script::plain(&key),
        6 => Script::error(401, &format!("Incorrect API key provided: {key}")),
        _ => Script::error(302, &header),
    }
}

#[tokio::test]
async fn no_key_in_anything_that_is_produced() {
    let log = Log::default();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    // With only one subscriber, whatever another test's thread reaches first counts as disabled everywhere.
    let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
    let _logging = tracing::subscriber::set_default(subscriber);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.jsonl");
    let server = ScriptedServer::start(echo).await;
    let settings = LlmSettings {
        mode: LlmMode::Record,
        recording: "r.jsonl".into(),
        retries: 6,
        ..settings(&server.base_url())
    };
    let client = client_with(&settings, Some(KEY), &path, false).expect("a client");
    let produced = Mutex::new(format!("{client:?} {:?} {}", Secret::new(KEY), Secret::new(KEY)));
    for ordinal in 0..4 {
        let question = question(&format!("A prompt with {KEY} in it, number {ordinal}."));
        let partial = |text: &str| produced.lock().expect("lock").push_str(text);
        let answer = client.ask(place(0, ordinal), &question, &[], &partial, &CancellationToken::new()).await;
        let answer = answer.expect("recorded").expect("not cancelled");
        produced.lock().expect("lock").push_str(&format!("{answer:?} {}", serde_json::json!(answer)));
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 8, "all echoes were tried");
    assert!(asked.iter().all(|asked| asked.header("authorization") == Some(&format!("Bearer {KEY}"))));
    let recorded = std::fs::read_to_string(&path).expect("the recording");
    let logged = String::from_utf8_lossy(&log.0.lock().expect("lock")).into_owned();
    let produced = produced.into_inner().expect("lock");
    for (what, text) in [("recording", &recorded), ("log", &logged), ("answers", &produced)] {
        assert!(text.len() > 100, "there is a {what}: {text}");
        // Not even a large part of it, as from a truncated one.
        assert!(!text.contains(&KEY[..16]), "{what}: {text}");
    }
    assert!(produced.contains("[key]") && recorded.contains("A prompt with [key] in it"), "{produced}");
}

#[test]
fn keys_come_from_the_environment_or_are_missed_by_name() {
    assert!(Secret::from_env("").expect("no key is needed").is_none());
    let error = Secret::from_env("DROIDMUX_TEST_NO_SUCH_KEY").expect_err("not set").to_string();
    assert!(error.contains("DROIDMUX_TEST_NO_SUCH_KEY") && error.contains("export it"), "{error}");
}

/// The key as a server may write it when it repeats a request in a page, an address or a dump.
fn escaped() -> Vec<String> {
    let all = |digits: fn(u32) -> String| KEY.chars().map(|char| digits(char.into())).collect::<String>();
    vec![
        KEY.replace('-', "\\-"),
        KEY.replacen('s', "\\u0073", 1),
        KEY.replace('-', "%2D"),
        KEY.replace('-', "%252D"),
        KEY.replace('-', "&#45;"),
        all(|char| format!("\\u{char:04x}")),
        all(|char| format!("%{char:02X}")),
        all(|char| format!("{char:02x}")),
        // `ann:` and the key, and the key alone.
        "YW5uOnNrLXRlc3QtMDEyMzQ1Njc4OWFiY2RlZg==".into(),
        "c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVm".into(),
    ]
}

#[tokio::test]
async fn no_escaped_key_either_and_none_that_was_cut() {
    for written in escaped() {
        // The second is cut where it is shown: in the middle of the key.
        let long = format!("{} {written}", "x".repeat(291));
        for said in [format!("<p>Your key {written} is wrong</p>"), long] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("r.jsonl");
            let body = said.clone();
            let server = ScriptedServer::start(move |asked| match asked.number {
                0 => Script::Status { status: 500, headers: Vec::new(), body: body.clone() },
                1 => Script::Bytes {
                    events: false,
                    bytes: serde_json::json!({ "error": { "message": body } }).to_string().into_bytes(),
                },
                2 => Script::Bytes {
                    events: false,
                    bytes: serde_json::json!({ "model": "m".repeat(90) + &body, "choices": [
                        { "message": { "content": null, "refusal": body } }
                    ] })
                    .to_string()
                    .into_bytes(),
                },
                _ => Script::Status { status: 403, headers: Vec::new(), body: body.clone() },
            })
            .await;
            let (mode, recording) = (LlmMode::Record, "r.jsonl".into());
            let settings = LlmSettings { mode, recording, retries: 6, ..settings(&server.base_url()) };
            let client = client_with(&settings, Some(KEY), &path, false).expect("a client");
            let mut produced = String::new();
            for ordinal in 0..2 {
                let asked = question("Well?");
                let answer =
                    client.ask(place(0, ordinal), &asked, &[], &|_| {}, &CancellationToken::new()).await;
                produced += &serde_json::json!(answer.expect("recorded")).to_string();
            }
            assert_eq!(server.asked().len(), 4, "all ways were tried");
            produced += &std::fs::read_to_string(&path).expect("the recording");
            // A third of it, in whatever form, is too much.
            let parts = [KEY, &written]
                .map(|text| (0..text.len() - text.len() / 3).map(move |at| &text[at..at + text.len() / 3]));
            let found = parts.into_iter().flatten().find(|part| produced.contains(part));
            assert_eq!(found, None, "{written}: {produced}");
            assert!(produced.contains("[key]"), "{written}: {produced}");
        }
    }
}
