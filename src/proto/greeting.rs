//! The greeting: the first message in each direction, in a form that never changes between versions.
//!
//! ```text
//! viewer: "droidmux" │ protocol u32 BE │ length u32 BE │ Hello in postcard
//! lab:    "droidmux" │ protocol u32 BE │ length u32 BE │ 1 │ Welcome in postcard
//!                                                        0 │ why not, UTF-8
//! ```
//!
//! So two sides with different versions can at least say so, and say what to do.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Raised whenever a type that is sent changes.
pub const PROTOCOL: u32 = 10;

const MAGIC: [u8; 8] = *b"droidmux";
/// The most bytes of a hello or a welcome.
const MOST: u32 = 1 << 20;

/// Who is connecting, and for what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The viewer's version of droidmux.
    pub droidmux: String,
    /// A name for the lab's log, e.g. `ann@laptop`.
    pub name: String,
    /// What the lab is to do for it.
    pub purpose: Purpose,
}

/// The purpose of a viewer; determines what the lab sends it and accepts from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Purpose {
    /// Look at the lab.
    View {
        /// The lab refuses its requests that change anything.
        read_only: bool,
    },
    /// Ask the lab for something, or tell it something, and leave: nobody is watching a screen.
    Ask,
    /// Carry out a command line where the store is.
    Command {
        /// What came after the program's name.
        args: Vec<String>,
        /// The folder that paths are relative to.
        folder: String,
    },
}

/// A lab's description of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Welcome {
    /// The version of droidmux that the lab runs.
    pub droidmux: String,
    /// The lab's name.
    pub lab: String,
    /// The folder of the lab's store, on its host.
    pub store: String,
    /// The server's process.
    pub process: u32,
    /// When it began, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// Others connected now.
    pub viewers: u32,
}

/// Why two sides cannot connect.
#[derive(Debug, Error)]
pub enum GreetingError {
    /// The stream ended or failed before both had greeted.
    #[error("the connection broke while greeting: {0}")]
    Io(#[from] std::io::Error),
    /// The data received does not begin like a greeting.
    #[error("the other side is no droidmux")]
    Stranger,
    /// Both speak the protocol, in different versions.
    #[error("{}", words(*.theirs, .droidmux))]
    Version {
        /// Their version of the protocol.
        theirs: u32,
        /// Their version of droidmux, as they give it.
        droidmux: String,
    },
    /// The lab refuses this viewer, and says why.
    #[error("the lab refused: {0}")]
    Refused(String),
    /// It begins like a greeting but does not contain the expected value.
    #[error("the greeting cannot be read")]
    Unreadable,
}

/// A viewer's side of the greeting.
///
/// # Errors
/// When the lab uses another protocol, refuses, or is not a lab.
pub async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    hello: &Hello,
) -> Result<Welcome, GreetingError> {
    let body = postcard::to_stdvec(hello).map_err(|_| GreetingError::Unreadable)?;
    write(stream, &body).await?;
    let (theirs, body) = read(stream).await?;
    match body.split_first() {
        Some((0, why)) if theirs == PROTOCOL => {
            Err(GreetingError::Refused(String::from_utf8_lossy(why).into_owned()))
        }
        Some((0, why)) => {
            let droidmux = String::from_utf8_lossy(why).into_owned();
            Err(GreetingError::Version { theirs, droidmux })
        }
        Some((1, welcome)) => postcard::from_bytes(welcome).map_err(|_| GreetingError::Unreadable),
        _ => Err(GreetingError::Unreadable),
    }
}

/// A lab's side: the viewer's hello. A viewer of another protocol is told this droidmux's version.
///
/// # Errors
/// When the viewer uses another protocol, or none.
pub async fn receive<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S) -> Result<Hello, GreetingError> {
    let (theirs, body) = read(stream).await?;
    if theirs != PROTOCOL {
        let droidmux = env!("CARGO_PKG_VERSION").to_owned();
        refuse(stream, &droidmux).await?;
        return Err(GreetingError::Version { theirs, droidmux });
    }
    postcard::from_bytes(&body).map_err(|_| GreetingError::Unreadable)
}

/// Lets the viewer in.
///
/// # Errors
/// When the connection broke.
pub async fn welcome<S: AsyncWrite + Unpin>(stream: &mut S, welcome: &Welcome) -> Result<(), GreetingError> {
    let body = postcard::to_extend(welcome, vec![1]).map_err(|_| GreetingError::Unreadable)?;
    write(stream, &body).await
}

/// Says why the viewer is refused.
///
/// # Errors
/// When the connection broke.
pub async fn refuse<S: AsyncWrite + Unpin>(stream: &mut S, why: &str) -> Result<(), GreetingError> {
    write(stream, &[&[0], why.as_bytes()].concat()).await
}

async fn write<S: AsyncWrite + Unpin>(stream: &mut S, body: &[u8]) -> Result<(), GreetingError> {
    let length = u32::try_from(body.len()).ok().filter(|length| *length <= MOST);
    let length = length.ok_or(GreetingError::Unreadable)?;
    let head = [MAGIC.as_slice(), &PROTOCOL.to_be_bytes(), &length.to_be_bytes(), body].concat();
    stream.write_all(&head).await?;
    Ok(stream.flush().await?)
}

async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> Result<(u32, Vec<u8>), GreetingError> {
    let mut magic = [0; 8];
    stream.read_exact(&mut magic).await?;
    if magic != MAGIC {
        return Err(GreetingError::Stranger);
    }
    let protocol = stream.read_u32().await?;
    let length = stream.read_u32().await?;
    if length > MOST {
        return Err(GreetingError::Unreadable);
    }
    let mut body = Vec::new();
    stream.take(length.into()).read_to_end(&mut body).await?;
    match u32::try_from(body.len()) {
        Ok(read) if read == length => Ok((protocol, body)),
        _ => Err(GreetingError::Io(std::io::ErrorKind::UnexpectedEof.into())),
    }
}

/// What to do about a lab of another version; `droidmux` is the other side's.
fn words(theirs: u32, droidmux: &str) -> String {
    let ours = env!("CARGO_PKG_VERSION");
    match theirs < PROTOCOL {
        true => format!(
            "the lab server is droidmux {droidmux} (protocol {theirs}), older than this droidmux {ours} \
             (protocol {PROTOCOL}): `droidmux lab stop` and then `droidmux lab start` puts this version in \
             its place, and its sessions go on from the store"
        ),
        false => format!(
            "the lab server is droidmux {droidmux} (protocol {theirs}), newer than this droidmux {ours} \
             (protocol {PROTOCOL}): attach with droidmux {droidmux}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello() -> Hello {
        Hello {
            droidmux: "0.1.0".into(),
            name: "ann@laptop".into(),
            purpose: Purpose::View { read_only: true },
        }
    }

    #[tokio::test]
    async fn both_sides_learn_who_the_other_is() {
        let (mut viewer, mut lab) = tokio::io::duplex(4_096);
        let answer = Welcome {
            droidmux: "0.1.0".into(),
            lab: "bench 3".into(),
            store: "/data".into(),
            process: 7,
            since_ms: 5,
            viewers: 2,
        };
        let theirs = answer.clone();
        let lab = tokio::spawn(async move {
            let hello = receive(&mut lab).await.expect("a hello");
            welcome(&mut lab, &theirs).await.expect("sent");
            hello
        });
        assert_eq!(greet(&mut viewer, &hello()).await.expect("welcome"), answer);
        assert_eq!(lab.await.expect("the lab"), hello());
    }

    #[tokio::test]
    async fn versions_and_strangers_are_told_apart() {
        let older = |protocol: u32| {
            let body = b"\x000.0.9".as_slice();
            let length = u32::try_from(body.len()).expect("short");
            [MAGIC.as_slice(), &protocol.to_be_bytes(), &length.to_be_bytes(), body].concat()
        };
        let cases = [
            (older(PROTOCOL - 1), "older than this droidmux"),
            (older(PROTOCOL + 1), "newer than this droidmux"),
            (older(PROTOCOL), "the lab refused: 0.0.9"),
            (b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), "no droidmux"),
            (b"droidmux\x00\x00\x00\x01\xff\xff\xff\xff".to_vec(), "cannot be read"),
            (b"droid".to_vec(), "broke while greeting"),
        ];
        for (answer, expected) in cases {
            let (mut viewer, mut lab) = tokio::io::duplex(4_096);
            lab.write_all(&answer).await.expect("sent");
            lab.shutdown().await.expect("ended");
            let error = greet(&mut viewer, &hello()).await.expect_err("no welcome").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[tokio::test]
    async fn a_viewer_of_another_version_is_told_ours() {
        let (mut viewer, mut lab) = tokio::io::duplex(4_096);
        viewer.write_all(b"droidmux\x00\x00\x00\x63\x00\x00\x00\x00").await.expect("sent");
        let error = receive(&mut lab).await.expect_err("refused");
        assert!(matches!(error, GreetingError::Version { theirs: 99, .. }), "{error}");
        let (protocol, body) = read(&mut viewer).await.expect("an answer");
        assert_eq!((protocol, &body[1..]), (PROTOCOL, env!("CARGO_PKG_VERSION").as_bytes()));
    }
}
