//! The client against a scripted server: what it sends, and what it makes of what comes back.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use droidmux::llm::Rules;
use droidmux::record::{Answer, Budget, LlmMode, LlmSettings, NoReply, Provider, Spent};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::server::{Script, ScriptedServer, sometimes};
use super::{Echo, ask, ask_at, client, client_with, place, question, seeing_question, settings};

#[tokio::test]
async fn a_streamed_reply_with_a_picture() {
    let text = r#"{"action": "klick auf „Größe“ 😀"}"#;
    let server = ScriptedServer::start(move |_| Script::streamed(text)).await;
    let mut settings = settings(&server.base_url());
    settings.options = r#"{"temperature": 0}"#.into();
    settings.query = "api-version=1".into();
    settings.key_header = "api-key".into();
    let client = client_with(&settings, Some("a-key-for-tests"), "".as_ref(), false).expect("a client");
    let (question, pictures) = seeing_question("What now?", b"PNG");
    let shown = Mutex::new(Vec::new());
    let answer = client
        .ask(
            place(0, 0),
            &question,
            &pictures,
            &|text| shown.lock().expect("lock").push(text.to_owned()),
            &CancellationToken::new(),
        )
        .await;
    let Some(Answer::Reply(reply)) = answer.expect("recorded") else { panic!("no reply") };
    assert_eq!(reply.text, text);
    let exchange = reply.exchange;
    assert_eq!(exchange.answered_by, format!("scripted-1 at {}", server.host()));
    assert_eq!((exchange.tokens_in, exchange.tokens_out, exchange.cost), (100, 10, 280));
    assert_eq!((exchange.pictures, exchange.tries.len()), (vec![pictures[0].hash], 0));
    let shown = shown.into_inner().expect("lock");
    assert!(!shown.is_empty() && shown.iter().all(|part| text.starts_with(part.as_str())), "{shown:?}");
    assert_eq!(client.spent(), Spent { calls: 1, tokens_in: 100, tokens_out: 10, cost: 280 });

    let asked = server.asked();
    assert_eq!((asked.len(), asked[0].target.as_str()), (1, "/v1/chat/completions?api-version=1"));
    assert_eq!(
        (asked[0].header("api-key"), asked[0].header("authorization")),
        (Some("a-key-for-tests"), None)
    );
    let expected = json!({
        "temperature": 0,
        "model": "scripted",
        "messages": [
            { "role": "system", "content": "You explore an app." },
            { "role": "user", "content": [
                { "type": "text", "text": "What now?" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,UE5H" } },
            ] },
        ],
        "stream": true,
        "stream_options": { "include_usage": true },
        "response_format": { "type": "json_schema", "json_schema": {
            "name": "explorer", "strict": false,
            "schema": { "type": "object", "properties": { "action": { "type": "string" } } },
        } },
    });
    assert_eq!(asked[0].body, expected);
}

#[tokio::test]
async fn a_plain_reply_without_counts_is_estimated() {
    let server = ScriptedServer::start(|_| Script::Plain { text: "x".repeat(400), usage: None }).await;
    let reply = ask(&client(&settings(&server.base_url())), &"y".repeat(4_000)).await.expect("a reply");
    // 4,000 bytes of text, 19 of the role, 64 of the schema; 400 of the reply.
    assert_eq!((reply.exchange.tokens_in, reply.exchange.tokens_out), (1_000 + 5 + 16, 100));
}

#[tokio::test]
async fn what_passes_is_tried_again_and_told() {
    let scripts = [
        Script::retry_after("0.1"),
        Script::error(500, "out of order"),
        Script::Cut { text: "half of it".into(), after: 4 },
        Script::nonsense(),
        Script::plain(""),
        Script::Bytes { events: false, bytes: b"<html>Bad Gateway</html>".to_vec() },
        Script::streamed("at last"),
    ];
    let server = ScriptedServer::start(move |asked| scripts[asked.number.min(6)].clone()).await;
    let mut settings = settings(&server.base_url());
    settings.retries = 6;
    let began = Instant::now();
    let reply = ask(&client(&settings), "?").await.expect("a reply");
    assert!(began.elapsed() >= Duration::from_millis(100), "Retry-After is heeded");
    assert_eq!(reply.text, "at last");
    let expected =
        ["429: slow down", "500: out of order", "after 4 bytes of the reply", "no JSON", "empty", "no reply"];
    assert_eq!(reply.exchange.tries.len(), expected.len());
    for (told, expected) in reply.exchange.tries.iter().zip(expected) {
        assert!(told.contains(expected), "{told}");
    }
    // The cut reply was counted by what arrived of it, and the empty one as the server counted it.
    assert_eq!(reply.exchange.tokens_out, 1 + 10 + 10);
}

#[tokio::test]
async fn what_lasts_is_not_tried_again() {
    let cases = [
        (Script::error(401, "no such key"), "401: no such key; check the key"),
        (Script::error(403, "not yours"), "check the key"),
        (Script::error(404, "no such model"), "check `[llm] base-url` and `model`"),
        (Script::error(400, "the context is too long"), "400: the context is too long"),
        (Script::error(302, ""), "redirections are not followed"),
    ];
    for (script, expected) in cases {
        let server = ScriptedServer::start(move |_| script.clone()).await;
        let unanswered = ask(&client(&settings(&server.base_url())), "?").await.expect_err(expected);
        assert_eq!(unanswered.why, NoReply::Refused);
        assert!(unanswered.detail.contains(expected), "{}", unanswered.detail);
        assert_eq!(server.asked().len(), 1, "{expected}");
    }
}

#[tokio::test]
async fn tries_end() {
    let gone = ScriptedServer::start(|_| Script::Silence).await;
    let nobody = gone.base_url();
    drop(gone);
    let server = ScriptedServer::start(|_| Script::error(500, "out of order")).await;
    for (base_url, expected) in
        [(server.base_url(), "500: out of order (try 4, the last)"), (nobody, "cannot be reached")]
    {
        let unanswered = ask(&client(&settings(&base_url)), "?").await.expect_err("no reply");
        assert_eq!(unanswered.why, NoReply::Unreachable);
        assert!(unanswered.detail.contains(expected), "{}", unanswered.detail);
        assert_eq!(unanswered.exchange.tries.len(), 3);
    }
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test]
async fn servers_that_stop_talking_run_into_the_deadline() {
    for script in [Script::Silence, Script::Stall { text: "so far".into() }] {
        let server = ScriptedServer::start(move |_| script.clone()).await;
        let mut settings = settings(&server.base_url());
        (settings.timeout, settings.retries) = (1, 1);
        let unanswered = ask(&client(&settings), "?").await.expect_err("no reply");
        assert!(unanswered.detail.contains("within 1 s"), "{}", unanswered.detail);
    }
}

#[tokio::test]
async fn huge_bodies_are_not_read() {
    let long = "x".repeat(300 << 10);
    for script in [
        Script::Huge(128 << 20),
        Script::Stream { text: long.clone(), chunk: 1 << 16, usage: None },
        Script::plain(&long),
    ] {
        let server = ScriptedServer::start(move |_| script.clone()).await;
        let mut settings = settings(&server.base_url());
        (settings.retries, settings.timeout) = (0, 20);
        let unanswered = ask(&client(&settings), "?").await.expect_err("no reply");
        let told = &unanswered.detail;
        assert!(told.contains("too long") || told.contains("more than 256 KiB"), "{told}");
    }
}

#[tokio::test]
async fn cancelling_waits_for_no_server() {
    let server = ScriptedServer::start(|_| Script::Silence).await;
    let client = client(&settings(&server.base_url()));
    let cancel = CancellationToken::new();
    let later = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    };
    let question = question("?");
    let (answer, ()) = tokio::join!(client.ask(place(0, 0), &question, &[], &|_| {}, &cancel), later);
    assert!(answer.expect("no error").is_none());
    assert_eq!(client.spent(), Spent::default());
}

#[tokio::test]
async fn no_more_requests_at_once_than_allowed() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = (Arc::clone(&now), Arc::clone(&most));
    let server = ScriptedServer::start(move |_| {
        seen.1.fetch_max(seen.0.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        Script::streamed("{}")
    })
    .await;
    let mut settings = settings(&server.base_url());
    settings.at_once = 2;
    let client = client(&settings);
    let question = question("?");
    let asking = (0..12).map(|ordinal| {
        let (client, question, now) = (&client, &question, Arc::clone(&now));
        async move {
            ask_at(client, place(0, ordinal), question, &[]).await.expect("a reply");
            now.fetch_sub(1, Ordering::SeqCst);
        }
    });
    futures_util::future::join_all(asking).await;
    assert!(most.load(Ordering::SeqCst) <= 2, "{most:?}");
    assert_eq!(client.spent().calls, 12);
}

#[tokio::test]
async fn budgets_stop_before_anything_is_sent() {
    let budgets = [
        (Budget { calls: 2, tokens: 0, money: 0.0 }, "2 calls"),
        // A question takes 22 + 500 before the first reply is known, 110 then.
        (Budget { calls: 0, tokens: 650, money: 0.0 }, "650 tokens"),
        (Budget { calls: 0, tokens: 0, money: 0.0045 }, "0.0045 in money"),
    ];
    for (budget, expected) in budgets {
        let server = ScriptedServer::start(|_| Script::streamed("{}")).await;
        let client = client(&LlmSettings { budget, ..settings(&server.base_url()) });
        let mut unanswered = None;
        for ordinal in 0..20 {
            match ask_at(&client, place(0, ordinal), &question("?"), &[]).await {
                Ok(_) => {}
                Err(none) => {
                    unanswered = Some(none);
                    break;
                }
            }
        }
        let unanswered = unanswered.expect(expected);
        assert_eq!(unanswered.why, NoReply::Budget);
        assert!(unanswered.detail.contains(expected), "{}", unanswered.detail);
        let spent = client.spent();
        assert_eq!(spent.calls, server.asked().len() as u64);
        assert!(spent.calls >= 1 && spent.tokens_in + spent.tokens_out <= 650, "{spent:?}");
    }
}

#[tokio::test]
async fn what_was_spent_before_an_interruption_counts() {
    let mut settings = settings("");
    settings.provider = Provider::Rules;
    settings.budget = Budget { calls: 3, tokens: 0, money: 0.0 };
    let client = client(&settings);
    client.had_spent(&Spent { calls: 2, ..Spent::default() });
    let reply = ask(&client, "?").await.expect("the third");
    assert_eq!((reply.text.as_str(), reply.exchange.answered_by.as_str()), ("explorer: ?", "rules"));
    assert_eq!((reply.exchange.tokens_in, reply.exchange.latency_ms), (0, 0));
    assert_eq!(ask(&client, "?").await.expect_err("used up").why, NoReply::Budget);
}

#[tokio::test]
async fn settings_that_cannot_be_are_told_by_name() {
    let good = settings("http://localhost:1/v1");
    let cases = [
        (LlmSettings { base_url: String::new(), ..good.clone() }, "base-url"),
        (LlmSettings { base_url: "localhost".into(), ..good.clone() }, "base-url"),
        (LlmSettings { model: " ".into(), ..good.clone() }, "model"),
        (LlmSettings { options: "{".into(), ..good.clone() }, "options"),
        (LlmSettings { key_header: "a b".into(), ..good.clone() }, "key-header"),
        (LlmSettings { mode: LlmMode::Record, ..good }, "recording"),
    ];
    for (settings, field) in cases {
        let error = client_with(&settings, Some("a-key-for-tests"), "".as_ref(), false).expect_err(field);
        assert!(error.to_string().contains(&format!("`[llm] {field}`")), "{error}");
    }
}

/// A short version of a night: every third answer is faulty, with ten clients asking at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_one_time_in_three_loses_nothing() {
    let server = ScriptedServer::start(sometimes(7, 3, |asked| {
        Script::streamed(&format!("{{\"echo\": {}}}", asked.body["messages"][1]["content"]))
    }))
    .await;
    let mut settings = settings(&server.base_url());
    (settings.retries, settings.at_once, settings.budget.calls) = (20, 8, 190);
    let client = client(&settings);
    let asking = (0..10_u64).map(|slot| {
        let client = &client;
        async move {
            let mut replies = 0_u64;
            for ordinal in 0..20 {
                let text = format!("question {ordinal} of job {slot}");
                match ask_at(client, place(slot, ordinal), &question(&text), &[]).await {
                    Ok(reply) => {
                        assert_eq!(reply.text, format!("{{\"echo\": \"{text}\"}}"));
                        replies += 1;
                    }
                    Err(unanswered) => assert_eq!(unanswered.why, NoReply::Budget, "{}", unanswered.detail),
                }
            }
            replies
        }
    });
    let replies: u64 = futures_util::future::join_all(asking).await.into_iter().sum();
    assert_eq!((replies, client.spent().calls), (190, 190));
    assert!(server.asked().len() > 250, "faults were among {} requests", server.asked().len());
}

#[tokio::test]
async fn rules_behind_a_server_say_what_the_rules_say() {
    let server = ScriptedServer::start(|asked| Script::streamed(&Echo.answer(&asked.question()))).await;
    let settings = settings(&server.base_url());
    let rules = LlmSettings { provider: Provider::Rules, ..settings.clone() };
    let by_model = ask(&client(&settings), "What now?").await.expect("a reply");
    let by_rules = ask(&client(&rules), "What now?").await.expect("a reply");
    assert_eq!(by_model.text, by_rules.text);
}
