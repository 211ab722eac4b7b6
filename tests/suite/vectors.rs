//! An embeddings endpoint, played by a server with a script.

use droidmux::llm::{Library, Secret, WordVectors};
use droidmux::record::{Example, ExampleKind, InputExample, LlmSettings, Recall, Vectors};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Gives these replies, one a connection, and tells the requests.
async fn serve(replies: Vec<(u16, String)>) -> (String, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, requests) = unbounded_channel();
    tokio::spawn(async move {
        for (status, body) in replies {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            while !is_whole(&request) {
                let read = stream.read(&mut chunk).await.unwrap();
                assert!(read > 0, "the request ends");
                request.extend_from_slice(&chunk[..read]);
            }
            sender.send(String::from_utf8(request).unwrap()).unwrap();
            let head =
                format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes()).await.unwrap();
        }
    });
    (format!("http://{address}/v1/"), requests)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    length.is_some_and(|length| body.len() >= length)
}

fn settings(base_url: String) -> LlmSettings {
    LlmSettings {
        base_url,
        vectors: Vectors::Endpoint("embedder".into()),
        query: "api-version=1".into(),
        retries: 2,
        ..LlmSettings::default()
    }
}

fn vectors(settings: &LlmSettings) -> WordVectors {
    WordVectors::open(settings, Some(&Secret::new("top-secret"))).unwrap()
}

#[tokio::test]
async fn texts_are_embedded_in_one_request_made_again_when_it_fails() {
    let whole = r#"{"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0.5]}]}"#;
    let (url, mut requests) = serve(vec![(503, "busy".into()), (200, whole.into())]).await;
    let made = vectors(&settings(url)).of(&["MainActivity", "", "edt_name"]).await.unwrap();
    assert_eq!(made, [vec![1.0, 0.5], vec![], vec![0.0, 1.0]]);
    for _ in 0..2 {
        let request = requests.recv().await.unwrap();
        assert!(request.starts_with("POST /v1/embeddings?api-version=1 HTTP"), "{request}");
        assert!(request.contains("authorization: Bearer top-secret\r\n"), "{request}");
        assert!(
            request.ends_with(r#"{"model":"embedder","input":["main activity","edt name"]}"#),
            "{request}"
        );
    }
}

#[tokio::test]
async fn replies_that_make_no_sense_are_told_without_the_key() {
    let cases = [
        (401, "no such key: top-secret", "401 Unauthorized: no such key: [key]"),
        (200, "<html>", "expected value"),
        (200, r#"{"data": []}"#, "0 vectors for 1 texts"),
        (200, r#"{"data": [{"index": 3, "embedding": [1]}]}"#, "1 vectors for 1 texts"),
        (200, r#"{"data": [{"index": 0, "embedding": [1e99]}]}"#, "no numbers"),
    ];
    for (status, body, expected) in cases {
        let (url, _requests) = serve(vec![(status, body.into())]).await;
        let error = vectors(&settings(url.clone())).of(&["a"]).await.unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(&url), "{error} is not {expected}");
        assert!(!error.contains("secret"), "{error}");
    }
    let gone = LlmSettings { retries: 0, ..settings("http://127.0.0.1:9/v1".into()) };
    assert!(vectors(&gone).of(&["a"]).await.unwrap_err().to_string().contains("127.0.0.1:9"));
    assert!(WordVectors::open(&settings(String::new()), None).is_err());
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
    // All the texts at once, then only the one that is new.
    let reply = |texts: usize| {
        let data: Vec<String> =
            (0..texts).map(|n| format!(r#"{{"index": {n}, "embedding": [1, {n}]}}"#)).collect();
        (200, format!(r#"{{"data": [{}]}}"#, data.join(",")))
    };
    let (url, mut requests) = serve(vec![reply(count + 2), reply(1)]).await;
    let library = Library::new(vectors(&settings(url)));
    let stored = [Example::Input(InputExample { context: "own words".into(), ..InputExample::default() })];
    let first = library.nearest(&recall("question"), &stored).await.unwrap();
    assert_eq!(first.len(), count + 1);
    library.nearest(&recall("another question"), &stored).await.unwrap();
    assert!(requests.recv().await.unwrap().contains("own words"));
    assert!(requests.recv().await.unwrap().ends_with(r#""input":["another question"]}"#));
}
