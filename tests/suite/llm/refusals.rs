//! What servers refuse in a request, how they say so, and that it is left out from then on.

use droidmux::record::{NoReply, ReplyStyle};
use serde_json::json;

use super::server::{Asked, Script, ScriptedServer};
use super::{ask, client, settings};

/// What a request asks for: the type of its form, with a `+` if it comes with a schema.
fn form(asked: &Asked) -> String {
    let kind = asked.body.pointer("/response_format/type").and_then(|kind| kind.as_str());
    let beside = asked.body.pointer("/response_format/schema").is_some();
    format!("{}{}", kind.unwrap_or("none"), if beside { "+" } else { "" })
}

#[tokio::test]
async fn what_an_endpoint_cannot_is_left_out_from_then_on() {
    let server = ScriptedServer::start(|asked| match form(asked).as_str() {
        "json_schema" => Script::error(400, "response_format.type json_schema is not supported"),
        "json_object+" => Script::error(400, "Unknown parameter: 'response_format.schema'"),
        _ if asked.body.get("stream_options").is_some() => {
            Script::error(422, "stream_options: extra fields not permitted")
        }
        _ => Script::streamed("{}"),
    })
    .await;
    let mut settings = settings(&server.base_url());
    let auto = client(&settings);
    let first = ask(&auto, "?").await.expect("a reply");
    let told = [
        "asked again for a JSON object, with the schema beside it",
        "asked again for any JSON object",
        "asked again for any JSON object",
    ];
    assert_eq!(first.exchange.tries.len(), told.len());
    for (tried, told) in first.exchange.tries.iter().zip(told) {
        assert!(tried.contains(told), "{tried}");
    }
    let second = ask(&auto, "?").await.expect("a reply");
    assert_eq!((second.exchange.tries.len(), server.asked().len()), (0, 5));
    // What the settings fix stays.
    settings.replies = ReplyStyle::Schema;
    let fixed = ask(&client(&settings), "?").await.expect_err("refused");
    assert!(fixed.detail.contains("json_schema is not supported"), "{}", fixed.detail);
    settings.replies = ReplyStyle::Text;
    ask(&client(&settings), "?").await.expect("a reply");
    assert!(server.asked().last().expect("asked").body.get("response_format").is_none());
}

#[tokio::test]
async fn a_refusal_is_known_by_what_it_names_whatever_its_status() {
    for status in [500, 501, 404, 400] {
        // As llama-cpp-python has it, with 500.
        let server = ScriptedServer::start(move |asked| match form(asked).as_str() {
            "json_schema" => Script::error(
                status,
                "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'input': 'json_schema'}]",
            ),
            _ => Script::streamed("{}"),
        })
        .await;
        let mut settings = settings(&server.base_url());
        let auto = client(&settings);
        let first = ask(&auto, "?").await.expect("a reply");
        assert_eq!(first.exchange.tries.len(), 1, "{:?}", first.exchange.tries);
        assert_eq!(ask(&auto, "?").await.expect("a reply").exchange.tries, [] as [&str; 0]);
        let asked = server.asked();
        assert_eq!(
            asked.iter().map(form).collect::<Vec<_>>(),
            ["json_schema", "json_object+", "json_object+"]
        );
        assert_eq!(
            asked[1].body["response_format"]["schema"],
            asked[0].body["response_format"]["json_schema"]["schema"]
        );
        // If the settings fix what is refused, no further try will succeed.
        settings.replies = ReplyStyle::Schema;
        let fixed = ask(&client(&settings), "?").await.expect_err("refused");
        assert_eq!((fixed.why, server.asked().len()), (NoReply::Refused, 4), "{}", fixed.detail);
    }
}

#[tokio::test]
async fn a_refusal_in_a_body_without_error_status_is_known_too() {
    let server = ScriptedServer::start(|asked| match form(asked).as_str() {
        "json_schema" => {
            let error = r#"{"error": {"code": 500, "message": "json_schema: cannot be made a grammar"}}"#;
            Script::Bytes { events: true, bytes: format!("data: {error}\n\n").into_bytes() }
        }
        _ => Script::streamed("{}"),
    })
    .await;
    let reply = ask(&client(&settings(&server.base_url())), "?").await.expect("a reply");
    assert_eq!((reply.exchange.tries.len(), server.asked().len()), (1, 2), "{:?}", reply.exchange.tries);
}

#[tokio::test]
async fn a_server_out_of_order_is_not_taken_for_one_that_refuses() {
    let server = ScriptedServer::start(|asked| match asked.number {
        0 => Script::error(500, "the schema of the database is locked"),
        1 => Script::error(503, "the upstream closed its stream"),
        _ => Script::streamed("{}"),
    })
    .await;
    ask(&client(&settings(&server.base_url())), "?").await.expect("a reply");
    let asked = server.asked();
    assert!(asked.iter().all(|asked| form(asked) == "json_schema" && asked.body["stream"] == json!(true)));
    assert_eq!(asked.len(), 3);
}
