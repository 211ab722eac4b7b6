//! The agent's HTTP server: HTTP/1.1 as the genuine one's NanoHTTPD speaks it, connections kept
//! alive between requests.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Running, rpc};
use crate::SimDevice;
use crate::service::Duplex;

/// A connection on which nothing arrives for this long is closed, as by NanoHTTPD.
const IDLE: Duration = Duration::from_secs(5);
const MAX_HEAD: usize = 16 << 10;
const MAX_FIELDS: usize = 64;
const MAX_BODY: usize = 4 << 20;

/// A request, without the parts that nothing here needs.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    method: String,
    path: String,
    length: usize,
    /// The client closes after the answer.
    last: bool,
}

/// Serves one connection to `tcp:PORT` until either side ends it.
///
/// # Errors
/// The peer is gone, or does not speak HTTP.
pub(crate) async fn serve(
    device: &Arc<SimDevice>,
    stream: &mut Box<dyn Duplex>,
    port: u16,
) -> io::Result<()> {
    // Nobody listens: the connection is refused.
    let Some(running) = device.agent_on(port) else { return Ok(()) };
    tokio::select! {
        biased;
        () = running.ended.cancelled() => Err(io::ErrorKind::ConnectionReset.into()),
        ended = converse(device, &running, stream) => ended,
    }
}

async fn converse(
    device: &Arc<SimDevice>,
    running: &Running,
    stream: &mut Box<dyn Duplex>,
) -> io::Result<()> {
    running.connections.fetch_add(1, Ordering::Relaxed);
    let mut received = BytesMut::new();
    loop {
        let Ok(request) = tokio::time::timeout(IDLE, read_request(stream, &mut received)).await else {
            return Ok(());
        };
        let Some((request, body)) = request? else { return Ok(()) };
        let (status, kind, answer) = match (request.method.as_str(), request.path.as_str()) {
            (_, "/ping") => ("200 OK", "text/html", b"pong".to_vec()),
            (_, "/stop") => ("200 OK", "text/html", b"Server stopped!!!".to_vec()),
            ("POST", "/jsonrpc/0") => {
                ("200 OK", "application/json", rpc::answer(device, running, &body).await)
            }
            _ => ("404 Not Found", "text/plain", b"Not Found!!!".to_vec()),
        };
        let connection = if request.last { "close" } else { "keep-alive" };
        let mut whole = format!(
            "HTTP/1.1 {status} \r\nContent-Type: {kind}\r\nConnection: {connection}\r\nContent-Length: {}\r\n\r\n",
            answer.len()
        )
        .into_bytes();
        whole.extend_from_slice(&answer);
        if let Some(allowed) = device.allowance(whole.len()) {
            stream.write_all(whole.get(..allowed).unwrap_or(&whole)).await?;
            stream.flush().await?;
            device.unplug();
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        stream.write_all(&whole).await?;
        stream.flush().await?;
        if request.path == "/stop" {
            running.ended.cancel();
        }
        if request.last {
            return Ok(());
        }
    }
}

/// A whole request; `None` when the client closes between two.
async fn read_request(
    stream: &mut Box<dyn Duplex>,
    received: &mut BytesMut,
) -> io::Result<Option<(Request, BytesMut)>> {
    let head = loop {
        if let Some(end) = memchr::memmem::find(received, b"\r\n\r\n") {
            break received.split_to(end + 4);
        }
        if received.len() > MAX_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if stream.read_buf(received).await? == 0 {
            return Ok(None);
        }
    };
    let request = read_head(&head).ok_or(io::ErrorKind::InvalidData)?;
    while received.len() < request.length {
        if stream.read_buf(received).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let body = received.split_to(request.length);
    Ok(Some((request, body)))
}

fn read_head(head: &[u8]) -> Option<Request> {
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut read = httparse::Request::new(&mut fields);
    if read.parse(head).ok()?.is_partial() {
        return None;
    }
    let (mut length, mut last) = (0, read.version? == 0);
    for field in &*read.headers {
        let value = std::str::from_utf8(field.value).ok()?;
        if field.name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok().filter(|length| *length <= MAX_BODY)?;
        } else if field.name.eq_ignore_ascii_case("connection") {
            last = value.eq_ignore_ascii_case("close");
        }
    }
    let path = read.path?.split('?').next().unwrap_or_default().to_owned();
    Some(Request { method: read.method?.to_owned(), path, length, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let request = |method: &str, path: &str, length, last| {
            Some(Request { method: method.into(), path: path.into(), length, last })
        };
        let cases = [
            ("GET /ping HTTP/1.1\r\nHost: x", request("GET", "/ping", 0, false)),
            ("GET /ping?x=1 HTTP/1.0", request("GET", "/ping", 0, true)),
            ("POST /jsonrpc/0 HTTP/1.1\r\ncontent-LENGTH: 12", request("POST", "/jsonrpc/0", 12, false)),
            ("GET / HTTP/1.1\r\nConnection: Close", request("GET", "/", 0, true)),
            ("POST / HTTP/1.1\r\nContent-Length: -1", None),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999", None),
            ("GET / HTTP/1.1\r\nno colon", None),
            ("GET", None),
            ("", None),
        ];
        for (head, expected) in cases {
            assert_eq!(read_head(format!("{head}\r\n\r\n").as_bytes()), expected, "{head}");
        }
    }
}
