//! A scripted server of chat completions: a closure decides how each request is answered, well or badly.
//!
//! ```ignore
//! let server = ScriptedServer::start(|asked| Script::streamed("the reply")).await;
//! settings.base_url = server.base_url();
//! ```
//!
//! [`sometimes`] makes any responder faulty, by a seed, so that long runs can be repeated.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use droidmux::record::{Agent, Part, Question};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Requests before it.
    pub number: usize,
    /// Path and query.
    pub target: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Script {
    /// A stream of events, in writes of this many bytes.
    Stream {
        text: String,
        chunk: usize,
        usage: Option<(u64, u64)>,
    },
    /// One JSON body.
    Plain {
        text: String,
        usage: Option<(u64, u64)>,
    },
    /// A stream that breaks off after this many bytes of the reply.
    Cut {
        text: String,
        after: usize,
    },
    Status {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// 200 with these bytes, as a stream of events if it claims to be one.
    Bytes {
        events: bool,
        bytes: Vec<u8>,
    },
    /// Accepts and says nothing.
    Silence,
    /// A stream that sends this much and then nothing, but stays open.
    Stall {
        text: String,
    },
    /// A stream of this many bytes without a line feed.
    Huge(usize),
}

type Responder = dyn Fn(&Asked) -> Script + Send + Sync;

pub struct ScriptedServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: JoinHandle<()>,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// The question behind the request, as far as its texts show it: enough for `rules` to answer. Its agent is the
    /// name of the schema; pictures are gone.
    pub fn question(&self) -> Question {
        let text = |pointer| self.body.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let name = text("/response_format/json_schema/name");
        let agent = Agent::ALL.into_iter().find(|agent| agent.name() == name).unwrap_or(Agent::ValidInput);
        let parts = match self.body.pointer("/messages/1/content") {
            Some(Value::Array(parts)) => {
                let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
                texts.map(|text| Part::Text(text.into())).collect()
            }
            content => vec![Part::Text(content.and_then(Value::as_str).unwrap_or_default().into())],
        };
        let schema = self.body.pointer("/response_format/json_schema/schema").map(Value::to_string);
        let role = text("/messages/0/content").into();
        Question { agent, role, parts, schema: schema.unwrap_or_default() }
    }
}

impl Script {
    /// A good reply, streamed in pieces that split characters.
    pub fn streamed(text: &str) -> Self {
        Self::Stream { text: text.into(), chunk: 7, usage: Some((100, 10)) }
    }

    pub fn plain(text: &str) -> Self {
        Self::Plain { text: text.into(), usage: Some((100, 10)) }
    }

    /// An error in OpenAI's form.
    pub fn error(status: u16, message: &str) -> Self {
        let body = json!({ "error": { "message": message, "type": "scripted" } }).to_string();
        Self::Status { status, headers: Vec::new(), body }
    }

    pub fn retry_after(wait: &str) -> Self {
        let headers = vec![("retry-after", wait.to_owned())];
        Self::Status { status: 429, headers, body: r#"{"error": {"message": "slow down"}}"#.into() }
    }

    pub fn nonsense() -> Self {
        Self::Bytes { events: true, bytes: b"data: {\"choices\": [nonsense\n\n".to_vec() }
    }
}

/// Answers as `responder` does, but one time in `one_in` with a fault that depends on the seed and the request's
/// number: an error, a cut stream, or nonsense.
pub fn sometimes(
    seed: u64,
    one_in: u32,
    responder: impl Fn(&Asked) -> Script + Send + Sync,
) -> impl Fn(&Asked) -> Script + Send + Sync {
    move |asked| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(asked.number as u64);
        if rng.random_range(0..one_in) > 0 {
            return responder(asked);
        }
        match rng.random_range(0..7) {
            0 => Script::error(500, "scripted failure"),
            1 => Script::error(503, "scripted overload"),
            2 => Script::retry_after("0.05"),
            3 => Script::Cut { text: "{\"half\": \"a reply\"".into(), after: rng.random_range(0..15) },
            4 => Script::nonsense(),
            5 => Script::plain(""),
            _ => Script::Bytes { events: false, bytes: b"<html>Bad Gateway</html>".to_vec() },
        }
    }
}

impl ScriptedServer {
    /// Listens on a free port of this machine until it is dropped.
    pub async fn start(responder: impl Fn(&Asked) -> Script + Send + Sync + 'static) -> Self {
        Self::listen("127.0.0.1:0".parse().expect("an address"), responder).await.expect("a port")
    }

    /// Listens on this address.
    pub async fn listen(
        address: SocketAddr,
        responder: impl Fn(&Asked) -> Script + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let asked = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(serve(listener, Arc::clone(&asked), Arc::new(responder)));
        Ok(Self { address, asked, task })
    }

    /// For `[llm] base-url`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// All requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, all: Arc<Mutex<Vec<Asked>>>, responder: Arc<Responder>) {
    // Ends all connections with the server.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let (all, responder) = (Arc::clone(&all), Arc::clone(&responder));
        connections.spawn(async move {
            let mut stream = BufReader::new(stream);
            // A test server does not care about clients that go away.
            let Ok(mut asked) = request(&mut stream).await else { return };
            {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                asked.number = all.len();
                all.push(asked.clone());
            }
            let _gone = answer(stream.into_inner(), responder(&asked)).await;
        });
    }
}

async fn request(stream: &mut BufReader<TcpStream>) -> io::Result<Asked> {
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    let target = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Asked { number: 0, target, headers, body })
}

async fn answer(mut stream: TcpStream, script: Script) -> io::Result<()> {
    match script {
        Script::Stream { text, chunk, usage } => {
            head(&mut stream, 200, "text/event-stream", &[]).await?;
            let mut body = events(&text);
            body.push_str(&event(
                &json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }),
            ));
            if let Some(usage) = usage {
                body.push_str(&event(&json!({ "choices": [], "usage": usage_json(usage) })));
            }
            body.push_str("data: [DONE]\n\n");
            for piece in body.as_bytes().chunks(chunk.max(1)) {
                write_chunk(&mut stream, piece).await?;
            }
            stream.write_all(b"0\r\n\r\n").await
        }
        Script::Plain { text, usage } => {
            let message = json!({ "role": "assistant", "content": text });
            let mut body = json!({
                "model": "scripted-1",
                "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
            });
            body["usage"] = usage.map_or(Value::Null, usage_json);
            whole(&mut stream, 200, "application/json", &[], body.to_string().as_bytes()).await
        }
        Script::Cut { text, after } => {
            head(&mut stream, 200, "text/event-stream", &[]).await?;
            let kept: String = text.chars().take(after).collect();
            write_chunk(&mut stream, events(&kept).as_bytes()).await
        }
        Script::Status { status, headers, body } => {
            whole(&mut stream, status, "application/json", &headers, body.as_bytes()).await
        }
        Script::Bytes { events, bytes } => {
            let kind = if events { "text/event-stream" } else { "text/html" };
            whole(&mut stream, 200, kind, &[], &bytes).await
        }
        Script::Silence => forever().await,
        Script::Stall { text } => {
            head(&mut stream, 200, "text/event-stream", &[]).await?;
            write_chunk(&mut stream, events(&text).as_bytes()).await?;
            forever().await
        }
        Script::Huge(bytes) => {
            head(&mut stream, 200, "text/event-stream", &[]).await?;
            let piece = vec![b'x'; 1 << 16];
            for _ in 0..bytes >> 16 {
                write_chunk(&mut stream, &piece).await?;
            }
            Ok(())
        }
    }
}

async fn forever() -> io::Result<()> {
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    Ok(())
}

/// The reply as pieces of a few characters.
fn events(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let pieces = characters.chunks(5).map(|piece| {
        let content: String = piece.iter().collect();
        event(&json!({
            "model": "scripted-1",
            "choices": [{ "index": 0, "delta": { "content": content }, "finish_reason": null }],
        }))
    });
    pieces.collect()
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn usage_json((tokens_in, tokens_out): (u64, u64)) -> Value {
    json!({ "prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out })
}

async fn head(
    stream: &mut TcpStream,
    status: u16,
    kind: &str,
    headers: &[(&'static str, String)],
) -> io::Result<()> {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = if kind == "text/event-stream" { "transfer-encoding: chunked\r\n" } else { "" };
    let head =
        format!("HTTP/1.1 {status} Scripted\r\ncontent-type: {kind}\r\nconnection: close\r\n{length}{more}");
    stream.write_all(head.as_bytes()).await?;
    if length.is_empty() { Ok(()) } else { stream.write_all(b"\r\n").await }
}

async fn whole(
    stream: &mut TcpStream,
    status: u16,
    kind: &str,
    headers: &[(&'static str, String)],
    body: &[u8],
) -> io::Result<()> {
    if kind == "text/event-stream" {
        head(stream, status, kind, headers).await?;
        write_chunk(stream, body).await?;
        return stream.write_all(b"0\r\n\r\n").await;
    }
    head(stream, status, kind, headers).await?;
    stream.write_all(format!("content-length: {}\r\n\r\n", body.len()).as_bytes()).await?;
    stream.write_all(body).await
}

async fn write_chunk(stream: &mut TcpStream, piece: &[u8]) -> io::Result<()> {
    stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await?;
    stream.write_all(piece).await?;
    stream.write_all(b"\r\n").await?;
    stream.flush().await
}
