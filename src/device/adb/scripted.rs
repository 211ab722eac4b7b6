//! An ADB server for tests that follows a script, byte by byte.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{AdbDevice, Server};

/// What follows a request.
pub(super) struct Reply {
    bytes: Vec<u8>,
    then: Then,
}

enum Then {
    /// Another request on the same connection.
    Request,
    Close,
    /// Neither more bytes nor an end.
    Silence,
}

impl Reply {
    pub(super) fn okay() -> Self {
        Self { bytes: b"OKAY".to_vec(), then: Then::Request }
    }

    pub(super) fn fail(message: &str) -> Self {
        Self::raw(format!("FAIL{:04x}{message}", message.len()))
    }

    /// OKAY and one block.
    pub(super) fn block(text: &str) -> Self {
        Self::raw(format!("OKAY{:04x}{text}", text.len()))
    }

    /// These bytes, then the end of the stream.
    pub(super) fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), then: Then::Close }
    }

    /// OKAY and what a shell v2 command prints.
    pub(super) fn shell(stdout: &str, stderr: &str, exit: u8) -> Self {
        let mut bytes = b"OKAY".to_vec();
        bytes.extend(packet(1, stdout.as_bytes()));
        bytes.extend(packet(2, stderr.as_bytes()));
        bytes.extend(packet(3, &[exit]));
        Self::raw(bytes)
    }

    pub(super) fn then_silence(mut self) -> Self {
        self.then = Then::Silence;
        self
    }
}

/// A packet of shell v2.
pub(super) fn packet(id: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a small packet");
    [&[id][..], &length.to_le_bytes(), body].concat()
}

/// A running server; ends with the test's runtime.
pub(super) struct Scripted {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    /// Answers every request by the rule.
    pub(super) async fn start(rule: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, rule) = (requests.clone(), Arc::new(rule));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, rule) = (seen.clone(), rule.clone());
                tokio::spawn(async move { serve(stream, &seen, &*rule).await });
            }
        });
        Self { address, requests }
    }

    /// A server with one device, `d1`, whose shell commands are answered by the rule: it receives the command and
    /// returns what follows OKAY for the request.
    pub(super) async fn with_device(shell: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(move |request| match request.strip_prefix("shell,v2,TERM=xterm,raw:") {
            Some(command) => shell(command),
            None if request == "host-serial:d1:features" => Reply::block("shell_v2,cmd,stat_v2"),
            None => Reply::okay(),
        })
        .await
    }

    pub(super) fn server(&self) -> Server {
        Server::at(self.address)
    }

    pub(super) fn device(&self) -> AdbDevice {
        AdbDevice::new(self.server(), "d1")
    }

    /// Every request so far.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn serve(mut stream: TcpStream, seen: &Mutex<Vec<String>>, rule: &(impl Fn(&str) -> Reply + ?Sized)) {
    while let Some(request) = read_request(&mut stream).await {
        seen.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let reply = rule(&request);
        if stream.write_all(&reply.bytes).await.is_err() {
            return;
        }
        match reply.then {
            Then::Request => {}
            Then::Silence => std::future::pending().await,
            Then::Close => {
                // Read what is still coming, so that the end of the stream is not a reset.
                let _ = stream.shutdown().await;
                let _ = stream.read_to_end(&mut Vec::new()).await;
                return;
            }
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).await.ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
    let mut request = vec![0; length];
    stream.read_exact(&mut request).await.ok()?;
    String::from_utf8(request).ok()
}

/// Answers a line of sections: each section's command is passed to the rule, which returns its output.
pub(super) fn sections(line: &str, rule: impl Fn(&str) -> String) -> String {
    let mut output = String::new();
    let mut rest = line;
    while let Some((_, behind)) = rest.split_once("echo @@") {
        let (mark, behind) = behind.split_once("@@").expect("a mark");
        let (command, next) = behind.split_once("; echo @@").unwrap_or((behind, ""));
        output.push_str(&format!("@@{mark}@@\n{}", rule(command.trim_start_matches("; "))));
        rest = if next.is_empty() { "" } else { &behind[behind.len() - next.len() - "echo @@".len()..] };
    }
    output
}
