//! What was recorded is replayed without the server, and differences are reported.

use droidmux::llm::Client;
use droidmux::record::{Agent, Budget, LlmMode, LlmSettings, NoReply, Provider, Reply, Unanswered};

use super::server::{Script, ScriptedServer};
use super::{ask_at, client_with, place, question, seeing_question, settings};

/// A session's questions: two jobs, two agents, a picture, a failure, and one over the budget.
async fn session(client: &Client) -> Vec<Result<Reply, Unanswered>> {
    let (seeing, pictures) = seeing_question("look", b"PNG");
    let monitor = droidmux::record::Question { agent: Agent::Monitor, ..question("watch") };
    vec![
        ask_at(client, place(0, 0), &question("one"), &[]).await,
        ask_at(client, place(0, 1), &seeing, &pictures).await,
        ask_at(client, place(0, 0), &monitor, &[]).await,
        ask_at(client, place(3, 0), &question("fail"), &[]).await,
        ask_at(client, place(3, 1), &question("two"), &[]).await,
    ]
}

fn recording_settings(server: &ScriptedServer, mode: LlmMode) -> LlmSettings {
    LlmSettings {
        mode,
        recording: "r.jsonl".into(),
        budget: Budget { calls: 4, tokens: 0, money: 0.0 },
        ..settings(&server.base_url())
    }
}

async fn server() -> ScriptedServer {
    ScriptedServer::start(|asked| match asked.body["messages"][1]["content"].as_str() {
        Some("fail") => Script::error(404, "no such model"),
        Some(text) => Script::streamed(&format!("re: {text}")),
        None => Script::streamed("re: a picture"),
    })
    .await
}

#[tokio::test]
async fn a_recorded_session_is_replayed_with_the_server_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.jsonl");
    let server = server().await;
    let record = recording_settings(&server, LlmMode::Record);
    let replay = LlmSettings { mode: LlmMode::Replay, strict: true, ..record.clone() };
    let client = client_with(&record, None, &path, false).expect("a client");
    let recorded = session(&client).await;
    let spent = client.spent();
    let why: Vec<_> = recorded.iter().map(|outcome| outcome.as_ref().err().map(|none| none.why)).collect();
    assert_eq!(why, [None, None, None, Some(NoReply::Refused), Some(NoReply::Budget)]);
    drop((client, server));

    let client = client_with(&replay, None, &path, false).expect("a client");
    assert_eq!(session(&client).await, recorded, "replies, failures and figures");
    assert_eq!(client.spent(), spent);
    let missing = ask_at(&client, place(9, 0), &question("one"), &[]).await.expect_err("not recorded");
    assert_eq!(missing.why, NoReply::NotRecorded);
    assert_eq!(missing.detail, "the recording holds no question 0 of explorer in job j9");
}

#[tokio::test]
async fn what_differs_from_the_recording_is_told_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.jsonl");
    let server = server().await;
    let record = recording_settings(&server, LlmMode::Record);
    let (seeing, pictures) = seeing_question("look", b"PNG");
    {
        let client = client_with(&record, None, &path, false).expect("a client");
        ask_at(&client, place(0, 0), &question("one\ntwo"), &[]).await.expect("a reply");
        ask_at(&client, place(0, 1), &seeing, &pictures).await.expect("a reply");
    }
    let (_, other_pictures) = seeing_question("look", b"another PNG");
    let replay = LlmSettings { mode: LlmMode::Replay, ..record.clone() };
    for strict in [false, true] {
        let settings = LlmSettings { strict, ..replay.clone() };
        let client = client_with(&settings, None, &path, false).expect("a client");
        let cases = [
            (
                ask_at(&client, place(0, 0), &question("one\n2"), &[]).await,
                "part 1, line 2, recorded: `two`, now: `2`",
            ),
            (ask_at(&client, place(0, 1), &seeing, &other_pictures).await, "part 2, recorded: picture "),
        ];
        for (outcome, expected) in cases {
            let exchange = match outcome {
                Ok(reply) if !strict => reply.exchange,
                Err(unanswered) if strict && unanswered.why == NoReply::NotRecorded => {
                    assert!(unanswered.detail.contains(expected), "{}", unanswered.detail);
                    unanswered.exchange
                }
                other => panic!("strict {strict}: {other:?}"),
            };
            assert!(exchange.differs.starts_with(expected), "{}", exchange.differs);
        }
    }
}

#[tokio::test]
async fn rules_are_recorded_and_replayed_like_models() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.jsonl");
    let rules = LlmSettings {
        provider: Provider::Rules,
        mode: LlmMode::Record,
        recording: "r.jsonl".into(),
        ..LlmSettings::default()
    };
    let client = client_with(&rules, None, &path, false).expect("a client");
    let recorded = session(&client).await;
    // A job that runs again, after an interruption.
    let client = client_with(&rules, None, &path, true).expect("it goes on");
    assert_eq!(session(&client).await, recorded);
    let replay = LlmSettings { mode: LlmMode::Replay, ..rules };
    let client = client_with(&replay, None, &path, false).expect("a client");
    assert_eq!(session(&client).await, recorded);
}
