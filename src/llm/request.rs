//! A question as a request for a chat completion.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::manner::{Form, Manner};
use super::place::Sent;
use droidmux_record::{Part, Question};

/// Members that options cannot replace: the question itself, and how the reply is read.
const OURS: [&str; 4] = ["model", "messages", "stream_options", "response_format"];

/// Tokens assumed for a picture when no endpoint has counted any.
const TOKENS_OF_A_PICTURE: u64 = 1_000;

/// Why the options of `[llm]` cannot be used; to be read after their name.
#[derive(Debug, Error)]
pub enum OptionsError {
    /// Not JSON, or another kind of value.
    #[error("is no JSON object ({0}); write it as '{{\"temperature\": 0.2}}'")]
    Json(#[from] serde_json::Error),
    /// A member of the request that is not theirs to set.
    #[error("`{0}` cannot be set here")]
    Ours(&'static str),
}

/// A part of a question, ready to send.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Picture(&'a Sent),
}

/// The parts of a question with their pictures; `pictures` has one for each picture of the question, and if one is
/// missing, its name is used instead.
pub(super) fn pieces<'a>(question: &'a Question, pictures: &'a [Sent]) -> Vec<Piece<'a>> {
    let mut pictures = pictures.iter();
    let piece = |part: &'a Part| match part {
        Part::Text(text) => Piece::Text(text),
        Part::Picture(picture) => pictures.next().map_or(Piece::Text(picture.name()), Piece::Picture),
    };
    question.parts.iter().map(piece).collect()
}

/// The tokens of a question, estimated at four bytes per token.
pub(super) fn estimate(question: &Question, pieces: &[Piece<'_>]) -> u64 {
    let of_pieces = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => tokens(text),
        Piece::Picture(_) => TOKENS_OF_A_PICTURE,
    });
    tokens(&question.role) + tokens(&question.schema) + of_pieces.sum::<u64>()
}

/// The tokens of a text, estimated.
pub(super) fn tokens(text: &str) -> u64 {
    u64::try_from(text.len().div_ceil(4)).unwrap_or(u64::MAX)
}

/// The options of `[llm]`.
///
/// # Errors
///
/// When they are not a JSON object or name a member that is not theirs to set.
pub fn options(text: &str) -> Result<Map<String, Value>, OptionsError> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let options: Map<String, Value> = serde_json::from_str(text)?;
    match OURS.iter().find(|ours| options.contains_key(**ours)) {
        Some(ours) => Err(OptionsError::Ours(ours)),
        None => Ok(options),
    }
}

/// The body of the request. Streaming can be switched off by the options.
pub(super) fn body(
    model: &str,
    options: &Map<String, Value>,
    question: &Question,
    pieces: &[Piece<'_>],
    manner: Manner,
) -> Value {
    let mut body = options.clone();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), messages(question, pieces));
    if manner.stream && options.get("stream") != Some(&Value::Bool(false)) {
        body.insert("stream".into(), true.into());
        if manner.usage {
            body.insert("stream_options".into(), json!({ "include_usage": true }));
        }
    }
    if let Some(format) = response_format(question, manner.form) {
        body.insert("response_format".into(), format);
    }
    Value::Object(body)
}

fn messages(question: &Question, pieces: &[Piece<'_>]) -> Value {
    json!([
        { "role": "system", "content": question.role },
        { "role": "user", "content": content(pieces) },
    ])
}

/// Texts alone go as one text, which every server reads.
fn content(pieces: &[Piece<'_>]) -> Value {
    let texts: Option<Vec<&str>> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => Some(*text),
            Piece::Picture(_) => None,
        })
        .collect();
    match texts {
        Some(texts) => texts.join("\n\n").into(),
        None => pieces.iter().map(part).collect(),
    }
}

fn part(piece: &Piece<'_>) -> Value {
    match piece {
        Piece::Text(text) => json!({ "type": "text", "text": text }),
        Piece::Picture(sent) => {
            let url = format!("data:image/png;base64,{}", STANDARD.encode(&sent.png));
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
    }
}

fn response_format(question: &Question, form: Form) -> Option<Value> {
    let schema: Value = serde_json::from_str(&question.schema).ok()?;
    match form {
        Form::Schema => Some(json!({
            "type": "json_schema",
            "json_schema": { "name": question.agent.name(), "strict": is_strict(&schema), "schema": schema },
        })),
        Form::SchemaBeside => Some(json!({ "type": "json_object", "schema": schema })),
        Form::Object => Some(json!({ "type": "json_object" })),
        Form::Text => None,
    }
}

/// Whether a schema can be enforced strictly: OpenAI demands that every object lists all its members as required and
/// allows no others.
fn is_strict(schema: &Value) -> bool {
    let closed = match schema.get("properties").and_then(Value::as_object) {
        Some(properties) => {
            let required = schema.get("required").and_then(Value::as_array);
            schema.get("additionalProperties") == Some(&Value::Bool(false))
                && required.is_some_and(|required| {
                    properties.keys().all(|name| required.iter().any(|one| one.as_str() == Some(name)))
                })
        }
        None => schema.get("type").and_then(Value::as_str) != Some("object"),
    };
    let inside = match schema {
        Value::Object(members) => members.values().all(is_strict),
        Value::Array(members) => members.iter().all(is_strict),
        _ => true,
    };
    closed && inside
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use droidmux_record::{Agent, BlobHash, Picture};

    fn question(parts: Vec<Part>) -> Question {
        let schema = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#.into();
        Question { agent: Agent::Monitor, role: "You watch.".into(), parts, schema }
    }

    #[test]
    fn pictures_go_where_they_stand() {
        let parts = vec![
            Part::Text("before".into()),
            Part::Picture(Picture::History(Vec::new())),
            Part::Text("after".into()),
        ];
        let question = question(parts);
        let sent = [Sent { hash: BlobHash::of(b"foobar"), png: Arc::from(&b"foobar"[..]) }];
        let expected = json!([
            { "type": "text", "text": "before" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,Zm9vYmFy" } },
            { "type": "text", "text": "after" },
        ]);
        assert_eq!(content(&pieces(&question, &sent)), expected);
        assert_eq!(content(&pieces(&question, &[])), json!("before\n\n[picture: the history]\n\nafter"));
    }

    #[test]
    fn options_join_the_request_but_replace_nothing_of_it() {
        let question = question(vec![Part::Text("?".into())]);
        let options = options(r#"{"temperature": 0.2, "max_tokens": 9}"#).expect("options");
        let body = body("m", &options, &question, &pieces(&question, &[]), Manner::FULL);
        let expected = json!({
            "temperature": 0.2, "max_tokens": 9, "model": "m", "stream": true,
            "stream_options": { "include_usage": true },
            "messages": [{ "role": "system", "content": "You watch." }, { "role": "user", "content": "?" }],
            "response_format": { "type": "json_schema", "json_schema": {
                "name": "monitor", "strict": false,
                "schema": { "type": "object", "properties": { "a": { "type": "string" } } },
            } },
        });
        assert_eq!(body, expected);
        let whole = super::options(r#"{"stream": false}"#).expect("options");
        let body = super::body("m", &whole, &question, &[], Manner::FULL);
        assert_eq!((&body["stream"], &body["stream_options"]), (&json!(false), &Value::Null));
        for wrong in ["[]", "{", "7", r#"{"messages": []}"#] {
            assert!(super::options(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_schema_goes_where_the_form_has_it() {
        let question = question(Vec::new());
        let schema: Value = serde_json::from_str(&question.schema).expect("JSON");
        let cases = [
            (Form::SchemaBeside, Some(json!({ "type": "json_object", "schema": schema }))),
            (Form::Object, Some(json!({ "type": "json_object" }))),
            (Form::Text, None),
        ];
        for (form, expected) in cases {
            assert_eq!(response_format(&question, form), expected, "{form:?}");
        }
    }

    #[test]
    fn strict_only_where_the_schema_is() {
        let cases = [
            (
                r#"{"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": false}"#,
                true,
            ),
            (r#"{"type": "object", "properties": {"a": {}}, "required": ["a"]}"#, false),
            (r#"{"type": "object", "properties": {"a": {}}, "additionalProperties": false}"#, false),
            (r#"{"type": "array", "items": {"type": "object"}}"#, false),
            (r#"{"type": "string"}"#, true),
        ];
        for (schema, expected) in cases {
            assert_eq!(is_strict(&serde_json::from_str(schema).expect("JSON")), expected, "{schema}");
        }
    }
}
