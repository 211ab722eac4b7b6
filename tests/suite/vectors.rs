//! An embeddings endpoint, played by the scripted server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::llm::{Endpoints, Library, Secret, VectorsError, WordVectors};
use droidmux::record::{Budget, Example, ExampleKind, InputExample, LlmSettings, Recall, Vectors};
use serde_json::{Value, json};

use crate::llm::server::{Asked, Script, ScriptedServer};
use crate::llm::{ask, client, endpoints};

fn settings(server: &ScriptedServer) -> LlmSettings {
    LlmSettings {
        vectors: Vectors::Endpoint("embedder".into()),
        query: "api-version=1".into(),
        retries: 2,
        ..crate::llm::settings(&server.base_url())
    }
}

fn vectors(settings: &LlmSettings, endpoints: &Endpoints) -> WordVectors {
    WordVectors::open(settings, Some(&Secret::new("top-secret")), endpoints).unwrap()
}

fn body(json: &Value) -> Script {
    Script::Status { status: 200, headers: Vec::new(), body: json.to_string() }
}

/// A vector for each text that was asked for: one, and its number.
fn embedded(asked: &Asked) -> Script {
    let count = asked.body["input"].as_array().map_or(0, Vec::len);
    let data: Vec<Value> = (0..count).map(|n| json!({ "index": n, "embedding": [1, n] })).collect();
    body(&json!({ "data": data, "usage": { "prompt_tokens": 7, "total_tokens": 7 } }))
}

#[tokio::test]
async fn texts_are_embedded_in_one_request_made_again_when_it_fails() {
    let faults: [fn() -> Script; 4] = [
        || Script::error(503, "busy"),
        || Script::error(408, "slow"),
        Script::nonsense,
        || Script::Cut { text: "half".into(), after: 2 },
    ];
    for fault in faults {
        let server = ScriptedServer::start(move |asked| match asked.number {
            0 => fault(),
            _ => body(&json!({ "data": [{ "index": 1, "embedding": [0, 1] }, { "index": 0, "embedding": [1, 0.5] }] })),
        })
        .await;
        let made =
            vectors(&settings(&server), &endpoints()).of(&["MainActivity", "", "edt_name"]).await.unwrap();
        assert_eq!(made, [vec![1.0, 0.5], vec![], vec![0.0, 1.0]]);
        let asked = server.asked();
        assert_eq!(asked.len(), 2, "{:?}", fault());
        for asked in asked {
            assert_eq!(asked.target, "/v1/embeddings?api-version=1");
            assert_eq!(asked.header("authorization"), Some("Bearer top-secret"));
            assert_eq!(asked.body, json!({ "model": "embedder", "input": ["main activity", "edt name"] }));
        }
    }
}

#[tokio::test]
async fn the_wait_that_the_endpoint_asks_for_is_heeded() {
    let server = ScriptedServer::start(|asked| match asked.number {
        0 => Script::retry_after("1.5"),
        _ => embedded(asked),
    })
    .await;
    let began = Instant::now();
    vectors(&settings(&server), &endpoints()).of(&["a"]).await.unwrap();
    assert!(began.elapsed() >= Duration::from_millis(1_500), "{:?}", began.elapsed());
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn replies_that_make_no_sense_are_told_without_the_key() {
    let error = |status, message| Script::error(status, message);
    let one = |vector: Value| body(&json!({ "data": [vector] }));
    let cases = [
        (error(401, "no such key: top-secret"), "answered 401: no such key: [key]", false),
        (error(500, "top-secret"), "answered 500: [key] (try 3, the last)", true),
        (Script::Bytes { events: false, bytes: b"<html>".to_vec() }, "makes no sense", true),
        (body(&json!({ "data": [] })), "0 vectors for 1 texts", false),
        (one(json!({ "index": 3, "embedding": [1] })), "1 vectors for 1 texts", false),
        (one(json!({ "index": 0, "embedding": [1e99] })), "no numbers", false),
    ];
    for (script, expected, passing) in cases {
        let server = ScriptedServer::start(move |_| script.clone()).await;
        let error = vectors(&settings(&server), &endpoints()).of(&["a"]).await.unwrap_err();
        assert_eq!(matches!(error, VectorsError::Unreachable { .. }), passing, "{error}");
        let error = error.to_string();
        assert!(error.contains(expected) && error.contains(&server.base_url()), "{error} is not {expected}");
        assert!(!error.contains("secret"), "{error}");
        assert_eq!(server.asked().len(), if passing { 3 } else { 1 }, "{error}");
    }
    let nowhere = LlmSettings {
        base_url: String::new(),
        vectors: Vectors::Endpoint("m".into()),
        ..LlmSettings::default()
    };
    assert!(WordVectors::open(&nowhere, None, &endpoints()).is_err());
}

/// Vectors and questions share the endpoint's limit of requests at once.
#[tokio::test(flavor = "multi_thread")]
async fn so_many_requests_at_once() {
    let server = ScriptedServer::start(|_| Script::Silence).await;
    let settings = LlmSettings { at_once: 2, timeout: 600, ..settings(&server) };
    let endpoints = endpoints();
    let vectors = Arc::new(vectors(&settings, &endpoints));
    let asking: Vec<_> = (0..5)
        .map(|_| {
            let vectors = Arc::clone(&vectors);
            tokio::spawn(async move { vectors.of(&["a"]).await })
        })
        .collect();
    while server.asked().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Those that are waiting would have arrived long ago.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(server.asked().len(), 2);
    asking.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn requests_for_vectors_are_charged_to_the_session() {
    let server = ScriptedServer::start(|asked| match asked.target.contains("embeddings") {
        true => embedded(asked),
        false => Script::streamed("yes"),
    })
    .await;
    let settings = LlmSettings { budget: Budget { calls: 3, tokens: 0, money: 0.0 }, ..settings(&server) };
    let client = client(&settings);
    let vectors = vectors(&settings, &endpoints()).charged_to(&client);
    vectors.of(&["a", "b"]).await.unwrap();
    ask(&client, "well?").await.expect("a reply");
    vectors.of(&["c"]).await.unwrap();
    let spent = client.spent();
    // 7 tokens for each request of vectors, to which the prices do not apply.
    assert_eq!((spent.calls, spent.tokens_in, spent.cost), (3, 7 + 100 + 7, 280));
    let error = vectors.of(&["d"]).await.unwrap_err();
    assert!(matches!(&error, VectorsError::Budget(why) if why.to_string().contains("3 calls")), "{error}");
    assert!(ask(&client, "and now?").await.is_err());
    assert_eq!(server.asked().len(), 3, "nothing is sent beyond the budget");
}

#[tokio::test]
async fn the_library_asks_for_each_text_once() {
    let starter = Library::new(WordVectors::Ngrams);
    let recall = |words: &str| Recall {
        kind: ExampleKind::Input,
        words: words.into(),
        not_app: String::new(),
        most: 200,
    };
    let count = starter.nearest(&recall("x"), &[]).await.unwrap().len();
    let server = ScriptedServer::start(embedded).await;
    let library = Library::new(vectors(&settings(&server), &endpoints()));
    let stored = [Example::Input(InputExample { context: "own words".into(), ..InputExample::default() })];
    // All the texts at once, then only the new one.
    let first = library.nearest(&recall("question"), &stored).await.unwrap();
    assert_eq!(first.len(), count + 1);
    library.nearest(&recall("another question"), &stored).await.unwrap();
    let asked = server.asked();
    assert!(asked[0].body.to_string().contains("own words"));
    assert_eq!((asked.len(), &asked[1].body["input"]), (2, &json!(["another question"])));
}

/// Whatever an endpoint does, it is reported within the time limit, without the key, and costs no more than allowed.
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_endpoint_is_told_and_done_with() {
    let raw = |bytes: Vec<u8>| Script::Bytes { events: false, bytes };
    let refused = |body: &str| Script::Status { status: 403, headers: Vec::new(), body: body.into() };
    let one = |vector: Value| body(&json!({ "data": [vector] }));
    let cases = [
        ("an endless body", raw(vec![b' '; (32 << 20) + 1]), "more than 33554432 bytes"),
        ("a deep one", raw("[".repeat(100_000).into_bytes()), "makes no sense"),
        ("no UTF-8", raw(b"{\"data\": \"\xff\"}".to_vec()), "makes no sense"),
        ("silence", Script::Silence, "no end of the reply within 1 s"),
        ("a page", raw(b"<html>\x1b[31m</html>".to_vec()), "makes no sense"),
        ("an index beyond all", one(json!({ "index": u64::MAX, "embedding": [1] })), "1 vectors for 1 texts"),
        ("a negative index", one(json!({ "index": -1, "embedding": [1] })), "makes no sense"),
        ("too long", one(json!({ "index": 0, "embedding": vec![1; 100_000] })), "too long"),
        ("no numbers", one(json!({ "index": 0, "embedding": ["1"] })), "makes no sense"),
        ("the key, escaped", raw(br#"{"data": "top\u002dsecret"}"#.to_vec()), "makes no sense"),
        ("the key in an address", refused("at /x?key=top%2Dsecret&y"), "at /x?key=[key]&y"),
        ("the key in base64", refused("Basic dG9wLXNlY3JldA=="), "Basic [key]"),
    ];
    for (name, script, expected) in cases {
        let server = ScriptedServer::start(move |_| script.clone()).await;
        let settings = LlmSettings { retries: 0, timeout: 1, ..settings(&server) };
        // Reading 32 MiB may take its second on a busy machine.
        let settings =
            if name == "an endless body" { LlmSettings { timeout: 120, ..settings } } else { settings };
        let error = vectors(&settings, &endpoints()).of(&["a"]).await.expect_err(name).to_string();
        assert!(error.contains(expected), "{name}: {error}");
        assert!(!error.contains("secret") && !error.contains("dG9wLX"), "{name}: {error}");
        assert!(!error.contains(char::is_control), "{name}: {error:?}");
    }
}

#[tokio::test]
async fn a_claim_of_endless_tokens_is_a_mistake() {
    let server = ScriptedServer::start(|asked| match asked.target.contains("embeddings") {
        true => body(&json!({
            "data": [{ "index": 0, "embedding": [1] }], "usage": { "prompt_tokens": u64::MAX }
        })),
        false => Script::streamed("yes"),
    })
    .await;
    let settings = settings(&server);
    let client = client(&settings);
    let vectors = vectors(&settings, &endpoints()).charged_to(&client);
    vectors.of(&["a"]).await.unwrap();
    vectors.of(&["b"]).await.unwrap();
    assert_eq!(client.spent().tokens_in, 200_000_000);
}
