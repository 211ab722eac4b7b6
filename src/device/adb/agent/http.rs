//! HTTP/1.1 with the agent: requests one after the other on one connection.

use std::time::Duration;

use tokio::time::Instant;

use super::{Breakdown, Fault, PORT};
use crate::DeviceErrorKind;
use crate::adb::connection::Connection;
use crate::adb::device::AdbDevice;
use droidmux_words::printable;

/// The most bytes before a body.
const MAX_HEAD: usize = 16 << 10;
/// The most fields among them.
const MAX_FIELDS: usize = 64;
/// The most bytes of a body: a few of the largest dumps, escaped.
const MAX_BODY: usize = 96 << 20;
/// The agent's server closes a connection on which nothing came for 5 s.
const STALE: Duration = Duration::from_secs(4);

/// The shortest question there is.
const PING_WITHIN: Duration = Duration::from_secs(3);

/// The line to the agent; connected when it is first needed, and again when it has gone stale.
#[derive(Debug, Default)]
pub(super) struct Line {
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    connection: Connection,
    used: Instant,
}

/// Whether a request may reach the agent twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    /// It asks, or sets what it would set again.
    Safely,
    /// It touches the screen.
    Never,
}

/// Why there is no answer to a request.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum HttpError {
    #[error(transparent)]
    Connection(DeviceErrorKind),
    /// Its first characters.
    #[error("`{0}` is no HTTP answer")]
    NoAnswer(String),
    /// How it was encoded.
    #[error("an answer in {0} pieces, which none should be")]
    Pieces(String),
    #[error("an answer of {0} bytes")]
    TooLarge(usize),
    #[error("HTTP status {0}")]
    Status(u16),
}

/// What stands before a body.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    status: u16,
    /// None: the body ends with the connection.
    length: Option<usize>,
    closes: bool,
}

impl Line {
    /// Asks whether an agent is there.
    ///
    /// # Errors
    /// Only when the device itself is lost.
    pub(super) async fn ping(&mut self, device: &AdbDevice) -> Result<bool, DeviceErrorKind> {
        let asking = self.exchange(device, "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n", Repeats::Safely);
        match tokio::time::timeout(PING_WITHIN, asking).await {
            Ok(Ok(body)) => Ok(body == b"pong"),
            Ok(Err(Fault::Device(kind))) => Err(kind),
            Ok(Err(_)) | Err(_) => Ok(false),
        }
    }

    /// Sends a JSON-RPC request and gives the answer's body.
    pub(super) async fn post(
        &mut self,
        device: &AdbDevice,
        json: &str,
        repeats: Repeats,
    ) -> Result<Vec<u8>, Fault> {
        let request = format!(
            "POST /jsonrpc/0 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{json}",
            json.len()
        );
        self.exchange(device, &request, repeats).await
    }

    /// The server may close a kept connection at any time, so a request that fails on one and may be repeated is made
    /// again on a new one.
    async fn exchange(
        &mut self,
        device: &AdbDevice,
        request: &str,
        repeats: Repeats,
    ) -> Result<Vec<u8>, Fault> {
        // Taken out while in use: an abandoned request leaves no half-read answer behind.
        let kept = self.open.take().filter(|open| open.used.elapsed() < STALE);
        if let Some(mut open) = kept
            && open.connection.is_quiet()
        {
            match converse(&mut open.connection, request).await {
                Ok((head, body)) => {
                    self.keep(open.connection, &head);
                    return accepted(&head, body);
                }
                Err(error) if repeats == Repeats::Never => return Err(Breakdown::from(error).into()),
                Err(_) => {}
            }
        }
        let mut connection = connect(device).await?;
        let (head, body) = converse(&mut connection, request).await.map_err(Breakdown::from)?;
        self.keep(connection, &head);
        accepted(&head, body)
    }

    fn keep(&mut self, connection: Connection, head: &Head) {
        self.open = (!head.closes).then(|| Open { connection, used: Instant::now() });
    }
}

async fn connect(device: &AdbDevice) -> Result<Connection, Fault> {
    let mut connection = device.transport().await.map_err(Fault::Device)?;
    let opened = connection.request(&format!("tcp:{PORT}")).await;
    // The device was there a moment ago: a refusal now comes from the device.
    opened.map_err(Breakdown::NoPort)?;
    Ok(connection)
}

async fn converse(connection: &mut Connection, request: &str) -> Result<(Head, Vec<u8>), HttpError> {
    connection.write(request.as_bytes()).await.map_err(HttpError::Connection)?;
    let head = connection.read_through(b"\r\n\r\n", MAX_HEAD).await.map_err(HttpError::Connection)?;
    let head = read_head(&head)?;
    let body = match head.length {
        Some(length) if length > MAX_BODY => return Err(HttpError::TooLarge(length)),
        Some(length) => {
            let mut body = vec![0; length];
            connection.read_exact(&mut body).await.map_err(HttpError::Connection)?;
            body
        }
        None => connection.read_to_end(MAX_BODY).await.map_err(HttpError::Connection)?,
    };
    Ok((head, body))
}

fn accepted(head: &Head, body: Vec<u8>) -> Result<Vec<u8>, Fault> {
    if head.status == 200 { Ok(body) } else { Err(Breakdown::from(HttpError::Status(head.status)).into()) }
}

fn read_head(head: &[u8]) -> Result<Head, HttpError> {
    let said = || {
        let said: String = String::from_utf8_lossy(head).chars().take(100).collect();
        HttpError::NoAnswer(printable(said.trim_end()).into_owned())
    };
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut read = httparse::Response::new(&mut fields);
    let whole = read.parse(head).is_ok_and(|read| read.is_complete());
    let status = read.code.filter(|_| whole).ok_or_else(said)?;
    let (mut length, mut closes) = (None, read.version == Some(0));
    for field in &*read.headers {
        let value = std::str::from_utf8(field.value).map_err(|_| said())?;
        match field.name.to_ascii_lowercase().as_str() {
            // A second, different one would make the answer ambiguous.
            "content-length" if length.is_none() => length = Some(value.parse().map_err(|_| said())?),
            "content-length" => return Err(said()),
            "connection" => closes = value.eq_ignore_ascii_case("close"),
            "transfer-encoding" => {
                return Err(HttpError::Pieces(printable(value).into_owned()));
            }
            _ => {}
        }
    }
    Ok(Head { status, length, closes: closes || length.is_none() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let head = |status, length, closes| Ok(Head { status, length, closes });
        let cases = [
            (
                "HTTP/1.1 200 OK \r\nContent-Length: 4\r\nConnection: keep-alive\r\n\r\n",
                head(200, Some(4), false),
            ),
            ("HTTP/1.1 404 Not Found \r\ncontent-length:0\r\n\r\n", head(404, Some(0), false)),
            ("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 1\r\n\r\n", head(200, Some(1), true)),
            ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n", head(200, Some(1), true)),
            ("HTTP/1.1 200 OK\r\n\r\n", head(200, None, true)),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", Err("pieces")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", Err("no HTTP answer")),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", Err("no HTTP answer")),
            ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", Err("no HTTP answer")),
            ("HTTP/1.1 xyz\r\n\r\n", Err("no HTTP answer")),
            ("SSH-2.0-OpenSSH\r\n\r\n", Err("no HTTP answer")),
            ("\r\n\r\n", Err("no HTTP answer")),
        ];
        for (text, expected) in cases {
            let got = read_head(text.as_bytes());
            match (&got, &expected) {
                (Err(said), Err(part)) => assert!(said.to_string().contains(part), "{text}: {said}"),
                _ => assert_eq!(got.ok(), expected.ok(), "{text}"),
            }
        }
    }
}
